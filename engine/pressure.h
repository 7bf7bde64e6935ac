/*
 * How long tasks waited for memory: what memory.pressure tells of.
 */
#ifndef MEMCGLAB_ENGINE_PRESSURE_H
#define MEMCGLAB_ENGINE_PRESSURE_H

#include "machine.h"

/**
 * pressure_stalled - a task of @memcg has waited for memory since @since [ns]
 * In reclaim for a limit or for a frame, asleep above memory.high, or until a
 * page of the working set was read again.  It counts for all groups above.
 * MODEL: times of tasks that wait at once are added up, where the kernel
 * counts such a moment once; waits for swap devices are left out.
 * After: psi_memstall_enter(), kernel/sched/psi.c, and its callers, v6.18.
 */
void pressure_stalled(struct machine *m, uint32_t memcg, ns_t since);

#endif
