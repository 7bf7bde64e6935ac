/*
 * Taking runs out of a store, with all that is known of them.
 */
#ifndef MEMCGLAB_DB_DISCARD_H
#define MEMCGLAB_DB_DISCARD_H

#include "db.h"

/**
 * db_run_remove - run @id and everything of it: events, samples, figures, its baseline mark
 * What others say of it is put right: a pair goes by the first run that is left, a branch has no
 * parent any more.
 * Returns: ERR_USAGE if it is running, or gone already.
 */
enum err db_run_remove(struct db *db, int64_t id, struct diag *diag);

/* db_texts_remove - scenario and library texts that no run has any more. */
enum err db_texts_remove(struct db *db, struct diag *diag);

/**
 * db_runs_prunable - runs that a clean-up would take, oldest first
 * @keep: so many of the newest stay; so do baselines, runs with a tag or a note, and running ones
 */
enum err db_runs_prunable(struct db *db, uint64_t keep,
			  enum err (*row)(void *ctx, const struct db_run *r), void *ctx,
			  struct diag *diag);

#endif
