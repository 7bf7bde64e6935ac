/*
 * The table of tables: every table and view of the store as data, with a
 * comment for each column, and the inserter for the big ones.  The schema
 * is written from these rows only, so `.schema` in any sqlite3 shell shows
 * the comments, and a new table is a new row.
 *
 * Big tables have one INTEGER PRIMARY KEY that packs run and number, so that
 * rows are appended and no further index is needed.
 */
#ifndef MEMCGLAB_DB_TABLE_H
#define MEMCGLAB_DB_TABLE_H

#include <sqlite3.h>

#include "event.h"

enum {
	TABLE_SCHEMA = 4,                  /* user_version */
	TABLE_APPLICATION_ID = 0x6d63674c, /* "mcgL" */
	TABLE_KEY_BITS = 36,               /* of the number within a run */
	TABLE_NTH_MAX = 1024               /* largest n of a repeated event */
};

struct table_column {
	const char *name;
	const char *type; /* with its constraints */
	const char *doc;
};

struct table {
	const char *name;
	const char *doc;
	const char *tail;                  /* constraints of the table, "" if none */
	const char *options;               /* "STRICT" and the like */
	const struct table_column *column; /* ends with a NULL name */
};

struct table_view {
	const char *name;
	const char *doc;
	const char *sql; /* the SELECT */
};

size_t table_count(void);
const struct table *table_at(size_t i);
size_t table_view_count(void);
const struct table_view *table_view_at(size_t i);

/**
 * table_create - write the whole schema into an empty database
 * The caller holds the transaction.  Returns: ERR_DB with SQLite's words.
 */
enum err table_create(sqlite3 *sql, struct diag *diag);

/* table_complete - add the tables that are missing, make all views anew.  As table_create. */
enum err table_complete(sqlite3 *sql, struct diag *diag);

/* table_key - packed key of number @nr in run @run. */
int64_t table_key(int64_t run, uint64_t nr);

#endif
