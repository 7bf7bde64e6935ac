/*
 * Which runs of a scenario the store has as done already: what goes on with
 * an interrupted sweep asks before it does them once more.
 */
#ifndef MEMCGLAB_DB_POINTS_H
#define MEMCGLAB_DB_POINTS_H

#include "db.h"

struct db_point {
	int64_t id;
	const char *kernel, *params; /* canonical name; JSON as it was stored */
	uint64_t seed;
};

/**
 * db_points - the runs that are done of one text by one version and this model, oldest first
 * @like: scenario, text and version are read
 * Each row lives for the callback, whose error ends it and is returned.
 */
enum err db_points(struct db *db, const struct db_run *like,
		   enum err (*row)(void *ctx, const struct db_point *point), void *ctx,
		   struct diag *diag);

#endif
