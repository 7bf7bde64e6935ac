/*
 * One class for all files, one instance a file.  Follows
 * generic_file_aio_write(), mm/filemap.c, and alloc_inode(), fs/inode.c, v3.5.
 */
#include "inode_lock.h"

#include <assert.h>

#include "late_lock.h"

/* As lockdep names the key that a file system gives the locks of its files. */
#define CLASS_NAME "&sb->s_type->i_mutex_key"

void inode_lock_held(struct machine *m, uint32_t file, pages_t pages, ns_t since)
{
	struct late_lock lock = { CLASS_NAME, &m->host->inode_class,
				  &m->pages.mapping[file].inode_lock };

	assert(m->host->now >= since);
	if (!machine_has_locks(m) || !m->locks.noting || !pages)
		return;
	m->host->now += pages * (ns_t)machine_knobs(m)->inode_hold_ns;
	late_lock_held(m, lock, LOCK_SITE_WRITE, since);
}
