/*
 * Pages that tasks lock in memory.
 */
#ifndef MEMCGLAB_ENGINE_MLOCK_H
#define MEMCGLAB_ENGINE_MLOCK_H

#include "access.h"

/**
 * mlock_lock, mlock_unlock - what OP_MLOCK and OP_MUNLOCK do
 * The mapping is parted where the span begins and ends (anon_part); locking
 * then brings in every page of the span, as a write for memory and a read
 * for files, and moves it to the unevictable list; a page that waits in
 * another CPU's queue stays where it is until reclaim meets it.  Unlocked
 * pages go back to the list of their flags, as the newest.
 * res->outcome tells of a charge that failed on the way.
 * After: sys_mlock(), mm/mlock.c, v2.6.31 and v6.18.
 */
void mlock_lock(struct machine *m, struct op_progress *progress, struct op_result *res);
void mlock_unlock(struct machine *m, struct op_progress *progress, struct op_result *res);

#endif
