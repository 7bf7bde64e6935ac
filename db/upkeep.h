/*
 * Looking after a store: is it sound, a copy of it, other stores' runs into it.
 */
#ifndef MEMCGLAB_DB_UPKEEP_H
#define MEMCGLAB_DB_UPKEEP_H

#include "db.h"

/**
 * db_check - SQLite's own checks, and rows that belong to no run
 * @problem: told of each in words; they live for the call
 * Returns: ERR_DB if the store cannot be read; problems are no error.
 */
enum err db_check(struct db *db, void (*problem)(void *ctx, const char *text), void *ctx,
		  struct diag *diag);

/**
 * db_backup_to - the whole store as one file, as it is at one moment
 * Safe while others write.  Returns: ERR_DB; ERR_USAGE if @path is there already.
 */
enum err db_backup_to(struct db *db, const char *path, struct diag *diag);

struct db_merged {
	uint64_t added, known; /* runs */
	uint64_t running;      /* left out: not at their end yet */
};

/**
 * db_merge - the runs of the store @path that @db has not, told apart by their uuid
 * Everything of a run comes with it, under a new number; the file at @path
 * stays as it is.  One transaction: all or nothing.
 * Returns: ERR_DB for what is no store or a newer one; ERR_USAGE for @db's own file.
 */
enum err db_merge(struct db *db, const char *path, struct db_merged *out, struct diag *diag);

/* db_merge_run - the same for run @uuid alone; NULL: all of them. */
enum err db_merge_run(struct db *db, const char *path, const char *uuid, struct db_merged *out,
		      struct diag *diag);

/* db_run_id - the number that run @uuid has here.  Returns: ERR_USAGE if it is not here. */
enum err db_run_id(struct db *db, const char *uuid, int64_t *id, struct diag *diag);

#endif
