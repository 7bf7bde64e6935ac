/*
 * Locks that are made when they are first taken: most files are never
 * written, most groups never lose their charges to another.
 */
#ifndef MEMCGLAB_ENGINE_LATE_LOCK_H
#define MEMCGLAB_ENGINE_LATE_LOCK_H

#include "machine.h"

struct late_lock {
	const char *name;	/* of its class */
	uint32_t *class, *id;	/* 0: not made yet */
};

/* late_lock_held - the step under way has held that lock since @since [ns] of its own clock, and
 * releases it now.  Locks must be noted (asserted). */
void late_lock_held(struct machine *m, struct late_lock lock, enum lock_site site, ns_t since);

#endif
