/*
 * SQL of the user's own over the store, one statement a call.  A query only
 * reads: nothing that it says can change the store, attach another file or
 * keep a lock after the call.  Values come as text, as SQLite prints them.
 */
#ifndef MEMCGLAB_DB_QUERY_H
#define MEMCGLAB_DB_QUERY_H

#include "db.h"

/* Receives a table.  An error that one of its functions returns ends the query and is returned. */
struct db_query_sink {
	void *ctx;
	/* Once, also if no row follows: the names of @n columns.  NULL: not wanted. */
	enum err (*head)(void *ctx, int n, const char *const *names);
	/* @n values, NULL for SQL NULL, and their types (SQLITE_INTEGER = 1 … NULL = 5).
	 * Both live for the call. */
	enum err (*row)(void *ctx, int n, const char *const *values, const int *types);
};

/**
 * db_query - run one read-only SQL statement
 * @sql:  one statement; what follows its semicolon may only be blanks and comments
 * @sink: whom its columns and rows are given to
 * Returns: ERR_USAGE for bad SQL (SQLite's words, the line and a caret below
 * the place) or a statement that writes; ERR_DB if reading fails.
 */
enum err db_query(struct db *db, const char *sql, const struct db_query_sink *sink,
		  struct diag *diag);

/**
 * db_change - run one SQL statement that writes, in a transaction of its own
 * @db:      open for writing
 * @nr_rows: receives how many rows it inserted, updated or deleted
 * Returns: ERR_USAGE for bad SQL, one that only reads, or one that breaks a rule of the
 * schema; ERR_DB if it cannot be stored.
 */
enum err db_change(struct db *db, const char *sql, uint64_t *nr_rows, struct diag *diag);

#endif
