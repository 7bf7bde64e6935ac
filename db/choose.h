/*
 * Lists of stored runs that a condition picks, in an order of the user's.
 */
#ifndef MEMCGLAB_DB_CHOOSE_H
#define MEMCGLAB_DB_CHOOSE_H

#include "db.h"

struct db_choice {
	const char *where; /* a condition (see where.h); NULL or "": all runs */
	const char *sort;  /* a column or metric, "-NAME" for the other way; NULL: newest first */
	uint64_t limit;    /* 0: none */
	const char *figure; /* a metric whose value goes with each row, which is brief; or NULL */
	bool brief;        /* without text, params and machine: these are NULL */
};

/**
 * db_runs_chosen - runs that a condition picks
 * Read on a connection that cannot write, like SQL of the user's own.
 * Returns: ERR_NAME, ERR_USAGE for a bad condition, with its place; else as db_runs().
 */
enum err db_runs_chosen(struct db *db, const struct db_choice *choice,
			enum err (*row)(void *ctx, const struct db_run *r), void *ctx,
			struct diag *diag);

/* db_where_pending - is the last word of @where still in the making?  See where_pending(). */
bool db_where_pending(struct db *db, const char *where);

#endif
