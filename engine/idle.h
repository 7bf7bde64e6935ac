/*
 * A task sleeps while a device reads or writes for it, or when it is slowed
 * down: its CPU is idle meanwhile, and free for other tasks (ops.c).
 */
#ifndef MEMCGLAB_ENGINE_IDLE_H
#define MEMCGLAB_ENGINE_IDLE_H

#include "machine.h"

/* idle_slept - since @since [ns] the step under way has slept, and left its CPU idle. */
static inline void idle_slept(struct machine *m, ns_t since)
{
	m->locks.slept += m->host->now - since;
}

/* idle_sleep - the step under way sleeps for @ns. */
static inline void idle_sleep(struct machine *m, ns_t ns)
{
	m->host->now += ns;
	m->locks.slept += ns;
}

#endif
