/*
 * Lock statistics of a stored run: a row a class and its call sites,
 * written once when the run ends.
 */
#ifndef MEMCGLAB_DB_LOCKS_H
#define MEMCGLAB_DB_LOCKS_H

#include "contention.h"
#include "db.h"

/* db_locks_add - all @n classes of run @id, in the order of their numbers. */
enum err db_locks_add(struct db *db, int64_t id, const struct run_lock *lock, size_t n,
		      struct diag *diag);

/**
 * db_locks - the classes of run @id, most contentions first
 * What is known at the end of a run only: .waiting is 0.  A callback's error
 * ends it and is returned.
 */
enum err db_locks(struct db *db, int64_t id, enum err (*row)(void *ctx, const struct run_lock *),
		  void *ctx, struct diag *diag);

#endif
