/*
 * The connection below db.h: opens and checks a file, creates the schema,
 * and helps with statements and transactions.  Every write is done inside
 * BEGIN IMMEDIATE: a lock taken at once waits for the busy timeout, one
 * taken half-way would fail at once instead.
 */
#ifndef MEMCGLAB_DB_STORE_H
#define MEMCGLAB_DB_STORE_H

#include <sqlite3.h>

#include "db.h"
#include "owner.h"

enum { STORE_BUSY_MS = 5000 };

struct recorder;

struct db {
	sqlite3 *sql;
	char path[DB_PATH_MAX];
	bool read_only; /* nothing may be written through it */
	bool frozen;    /* nor by anyone here: file or folder is read-only */
	struct owner self;
	struct recorder *recorders; /* live ones, a list */
	char backup[DB_PATH_MAX + 32]; /* the copy made before a migration; "": none was */
};

/**
 * store_connect - one more connection to @path, which exists, for writing
 * It has the busy timeout, foreign keys and synchronous=NORMAL.
 * Returns: ERR_DB; *out is NULL then.
 */
enum err store_connect(const char *path, sqlite3 **out, struct diag *diag);

/* store_connect_read - one more connection to @db's file that can only read. */
enum err store_connect_read(const struct db *db, sqlite3 **out, struct diag *diag);

/* store_fail - ERR_DB with the path and SQLite's words for the last error of @sql. */
enum err store_fail(sqlite3 *sql, struct diag *diag, const char *what);

enum err store_exec(sqlite3 *sql, const char *text, struct diag *diag);
enum err store_prepare(sqlite3 *sql, const char *text, sqlite3_stmt **out, struct diag *diag);

/**
 * store_bind - all parameters of a statement, in order
 * @kinds: one letter each: i int64_t, d double, t const char * (NULL is SQL
 *         NULL; copied), b const void * and size_t (copied), n nothing: NULL
 */
void store_bind(sqlite3_stmt *stmt, const char *kinds, ...);

/* store_finish - step a statement that gives no rows, and finalize it. */
enum err store_finish(sqlite3 *sql, sqlite3_stmt *stmt, struct diag *diag);

enum err store_begin(sqlite3 *sql, struct diag *diag);

/* store_end - commit if @err is ERR_OK, else roll back.  Returns: the first error. */
enum err store_end(sqlite3 *sql, enum err err, struct diag *diag);

/* store_writable - Returns: ERR_DB if @db was opened for reading. */
enum err store_writable(const struct db *db, struct diag *diag);

/* store_begin_write - store_begin, if @db was opened for writing. */
enum err store_begin_write(const struct db *db, struct diag *diag);

/* store_number - the one integer that a query gives, 0 if it gives none. */
enum err store_number(sqlite3 *sql, const char *text, int64_t *out, struct diag *diag);

/* store_text - copy text column @col, cut to @size; "" for NULL. */
void store_text(sqlite3_stmt *stmt, int col, char *out, size_t size);

/* store_keep_text - the id of a Lua file's text, which is kept once however many runs use it. */
enum err store_keep_text(sqlite3 *sql, const char *text, int64_t *id, struct diag *diag);

/* store_copy - all of @from as it is now into the file @path, which is empty or not there. */
enum err store_copy(sqlite3 *from, const char *path, struct diag *diag);

#endif
