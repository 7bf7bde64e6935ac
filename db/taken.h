/*
 * Who took pages from whom in a stored run: one row for each pair of
 * groups, written when the run ends.
 */
#ifndef MEMCGLAB_DB_TAKEN_H
#define MEMCGLAB_DB_TAKEN_H

#include "db.h"

struct db_taken {
	uint32_t by, owner; /* css ids, as the engine counts them */
	uint64_t nr;        /* [pages] */
};

/* db_taken_add - rows of run @id; a pair that is there already is replaced. */
enum err db_taken_add(struct db *db, int64_t id, const struct db_taken *taken, size_t n,
		      struct diag *diag);

/* A row of v_taken; the paths live for the callback. */
struct db_taken_row {
	const char *by, *owner;
	uint64_t nr;
};

/* db_taken - rows of run @id, most pages first.  A callback's error ends it and is returned. */
enum err db_taken(struct db *db, int64_t id, enum err (*row)(void *, const struct db_taken_row *),
		  void *ctx, struct diag *diag);

#endif
