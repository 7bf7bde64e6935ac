/*
 * The inserter of the big tables: rows of integers, gathered in memory and
 * written together with many rows a statement.
 */
#ifndef MEMCGLAB_DB_INSERT_H
#define MEMCGLAB_DB_INSERT_H

#include "table.h"

struct insert {
	sqlite3 *sql;
	sqlite3_stmt *many, *one;
	size_t nr_columns;
	int64_t *cell;   /* nr rows of nr_columns */
	size_t nr, room; /* [rows] */
};

/* insert_init - for table @name.  Returns: ERR_DB. */
enum err insert_init(struct insert *in, sqlite3 *sql, const char *name, struct diag *diag);
void insert_fini(struct insert *in);

/* insert_row - room for one more row, to be filled; NULL: no memory. */
int64_t *insert_row(struct insert *in);

/* insert_write - insert all gathered rows; the caller holds the transaction. */
enum err insert_write(struct insert *in, struct diag *diag);

#endif
