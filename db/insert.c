/*
 * The inserter of big tables: integers gathered row by row in memory, then
 * written with ROWS_A_STATEMENT rows a statement, the rest one by one.  The
 * write lock is thus held for the inserting only, not for the gathering.
 */
#include "insert.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_A_STATEMENT = 32, ROOM_FIRST = 256 };

/* NULL for a name that no table has: a slip of ours, which insert_init() reports. */
static const struct table *find_table(const char *name)
{
	for (size_t i = 0; i < table_count(); i++)
		if (strcmp(table_at(i)->name, name) == 0)
			return table_at(i);
	return NULL;
}

/* INSERT of @rows rows with a parameter for each cell. */
static enum err prepare_rows(const struct insert *in, const char *name, int rows,
			     sqlite3_stmt **out, struct diag *diag)
{
	sqlite3_str *str = sqlite3_str_new(in->sql);
	enum err err = ERR_OK;
	char *text;

	sqlite3_str_appendf(str, "INSERT INTO %s VALUES ", name);
	for (int r = 0; r < rows; r++) {
		for (size_t c = 0; c < in->nr_columns; c++)
			sqlite3_str_appendall(str, c ? ",?" : "(?");
		sqlite3_str_appendall(str, r + 1 < rows ? ")," : ")");
	}
	text = sqlite3_str_finish(str);
	if (!text)
		return diag_fail(diag, ERR_NOMEM, "no memory for a statement");
	if (sqlite3_prepare_v3(in->sql, text, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) !=
	    SQLITE_OK)
		err = diag_fail(diag, ERR_DB, "%s: %s", name, sqlite3_errmsg(in->sql));
	sqlite3_free(text);
	return err;
}

/* As many parameters as the table of tables has columns: a new column needs no new statement. */
enum err insert_init(struct insert *in, sqlite3 *sql, const char *name, struct diag *diag)
{
	const struct table *table = find_table(name);
	enum err err;

	memset(in, 0, sizeof(*in));
	in->sql = sql;
	if (!table)
		return diag_fail(diag, ERR_DB, "no table %s", name);
	while (table->column[in->nr_columns].name)
		in->nr_columns++;
	err = prepare_rows(in, name, 1, &in->one, diag);
	return err ? err : prepare_rows(in, name, ROWS_A_STATEMENT, &in->many, diag);
}

void insert_fini(struct insert *in)
{
	sqlite3_finalize(in->many);
	sqlite3_finalize(in->one);
	free(in->cell);
	memset(in, 0, sizeof(*in));
}

/* Room doubles, so that gathering costs the same for each row however many there are. */
int64_t *insert_row(struct insert *in)
{
	if (in->nr == in->room) {
		size_t room = in->room ? in->room * 2 : ROOM_FIRST;
		int64_t *cell = realloc(in->cell, room * in->nr_columns * sizeof(*cell));

		if (!cell)
			return NULL;
		in->cell = cell;
		in->room = room;
	}
	return &in->cell[in->nr++ * in->nr_columns];
}

/* Stepping may fail where resetting reports it again: both are looked at. */
static bool write_rows(sqlite3_stmt *stmt, const int64_t *cell, size_t nr_cells)
{
	bool ok;

	for (size_t i = 0; i < nr_cells; i++)
		sqlite3_bind_int64(stmt, (int)i + 1, cell[i]);
	ok = sqlite3_step(stmt) == SQLITE_DONE;
	return sqlite3_reset(stmt) == SQLITE_OK && ok;
}

/* After a failure the rows stay gathered; the caller rolls back and decides what they are worth. */
enum err insert_write(struct insert *in, struct diag *diag)
{
	size_t done = 0;
	bool ok = true;

	while (ok && done < in->nr) {
		size_t rows = in->nr - done >= ROWS_A_STATEMENT ? ROWS_A_STATEMENT : 1;

		ok = write_rows(rows > 1 ? in->many : in->one, in->cell + done * in->nr_columns,
				rows * in->nr_columns);
		done += rows;
	}
	if (!ok)
		return diag_fail(diag, ERR_DB, "storing rows: %s", sqlite3_errmsg(in->sql));
	in->nr = 0;
	return ERR_OK;
}
