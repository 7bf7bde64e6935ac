/*
 * A class for each kind, whose hold is what a step did under the lock.  No
 * kernel makes locks late; an instance that nobody took shows nowhere.
 */
#include "late_lock.h"

#include <assert.h>

/* Returns: whether there is such a lock now. */
static bool made(struct machine *m, struct late_lock lock)
{
	uint32_t id;

	if (*lock.id)
		return true;
	if (!*lock.class)
		*lock.class = lock_class_new(&m->locks, lock.name, 0, 0, false);
	if (*lock.class == UINT32_MAX)
		return false;
	id = lock_new(&m->locks, *lock.class, m->on_cpu, 1);
	assert(id > 0);
	if (id == LOCK_NONE)
		return false;
	*lock.id = id;
	/* Where lines are followed, its word has one; what it protects is part of the hold. */
	if (m->locks.line) {
		m->locks.lock[id].word = line_new(&m->locks, m->on_cpu);
		m->locks.lock[id].data = LINE_NONE;
	}
	return true;
}

void late_lock_held(struct machine *m, struct late_lock lock, enum lock_site site, ns_t since)
{
	assert(m->locks.noting && m->host->now >= since);
	if (!made(m, lock)) {
		*lock.class = 0;
		machine_full(m, "too many locks for this version");
		return;
	}
	lock_note_held(&m->locks, m->on_cpu, (struct lock_span){ *lock.id, site, since },
		       m->host->now);
}
