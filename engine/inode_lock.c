/*
 * One class for all files, one instance a file, made when it is first
 * written.  Follows generic_file_aio_write(), mm/filemap.c, and
 * alloc_inode(), fs/inode.c, v3.5.
 */
#include "inode_lock.h"

#include <assert.h>

/* As lockdep names the key that a file system gives the locks of its files. */
#define CLASS_NAME "&sb->s_type->i_mutex_key"

/* Returns: the lock of @file, LOCK_NONE if there are too many. */
static uint32_t lock_of(struct machine *m, uint32_t file)
{
	struct mapping *map = &m->pages.mapping[file];
	uint32_t id;

	if (map->inode_lock)
		return map->inode_lock;
	if (!m->host->inode_class)
		m->host->inode_class = lock_class_new(&m->locks, CLASS_NAME, 0, 0, false);
	if (m->host->inode_class == UINT32_MAX)
		return LOCK_NONE;
	id = lock_new(&m->locks, m->host->inode_class, m->on_cpu, 1);
	assert(id > 0);
	if (id == LOCK_NONE)
		return id;
	map->inode_lock = id;
	/* Where lines are followed, its word has one; what it protects is part of the hold. */
	if (m->locks.line) {
		m->locks.lock[id].word = line_new(&m->locks, m->on_cpu);
		m->locks.lock[id].data = LINE_NONE;
	}
	return id;
}

void inode_lock_held(struct machine *m, uint32_t file, pages_t pages, ns_t since)
{
	uint32_t lock;

	assert(m->host->now >= since);
	if (!machine_has_locks(m) || !m->locks.noting || !pages)
		return;
	m->host->now += pages * (ns_t)machine_knobs(m)->inode_hold_ns;
	lock = lock_of(m, file);
	if (lock == LOCK_NONE) {
		m->host->inode_class = 0;
		machine_full(m, "too many locks for this version");
		return;
	}
	lock_note_held(&m->locks, m->on_cpu, (struct lock_span){ lock, LOCK_SITE_WRITE, since },
		       m->host->now);
}
