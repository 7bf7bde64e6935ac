/*
 * One SQL statement from the user.  A query gets a connection of its own that
 * cannot write and is closed afterwards, so that no pragma outlives it; a
 * statement that SQLite does not call read-only, or that has no columns (a
 * file attached, a transaction), is refused before it starts.  A change is
 * one transaction on the store's own connection.
 */
#include "query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare_view.h"
#include "store.h"

enum { LINE_MAX_CHARS = 200 };

/* The line that the error is in, and a caret below the place. */
static enum err bad_sql(sqlite3 *base, const char *sql, struct diag *diag)
{
	int offset = sqlite3_error_offset(base);
	const char *start = sql;
	char caret[LINE_MAX_CHARS];
	size_t width = 0;
	int length;

	if (offset < 0 || (size_t)offset > strlen(sql))
		return diag_fail(diag, ERR_USAGE, "sql: %s", sqlite3_errmsg(base));
	for (const char *c = sql; c < sql + offset; c++)
		if (*c == '\n')
			start = c + 1;
	length = (int)strcspn(start, "\n");
	/* A tab stays one; of a UTF-8 character only the first byte counts. */
	for (const char *c = start; c < sql + offset && width < sizeof(caret) - 2; c++)
		if (((unsigned char)*c & 0xc0) != 0x80)
			caret[width++] = *c == '\t' ? '\t' : ' ';
	caret[width++] = '^';
	caret[width] = '\0';
	return diag_fail(diag, ERR_USAGE, "sql: %s\n  %.*s\n  %s", sqlite3_errmsg(base), length,
			 start, caret);
}

/* Nothing but blanks, comments and semicolons may follow. */
static bool only_blank(sqlite3 *base, const char *tail)
{
	while (*tail) {
		const char *next = tail;
		sqlite3_stmt *stmt = NULL;
		int rc = sqlite3_prepare_v2(base, tail, -1, &stmt, &next);

		sqlite3_finalize(stmt);
		if (rc != SQLITE_OK || stmt)
			return false;
		if (next == tail)
			break;
		tail = next;
	}
	return true;
}

/* The one statement of @sql, whatever it does. */
static enum err prepare_one(sqlite3 *base, const char *sql, sqlite3_stmt **out, struct diag *diag)
{
	const char *start = sql, *tail = sql;
	int rc = SQLITE_OK;

	*out = NULL;
	/* A lone semicolon or comment gives no statement: look at what follows it. */
	while (rc == SQLITE_OK && !*out && *tail) {
		start = tail;
		rc = sqlite3_prepare_v2(base, start, -1, out, &tail);
	}
	if (rc != SQLITE_OK)
		return bad_sql(base, start, diag);
	if (!*out)
		return diag_fail(diag, ERR_USAGE, "sql: there is no statement");
	if (!only_blank(base, tail))
		return diag_fail(diag, ERR_USAGE, "sql: one statement at a time");
	return ERR_OK;
}

static enum err prepare(sqlite3 *base, const char *sql, sqlite3_stmt **out, struct diag *diag)
{
	enum err err = prepare_one(base, sql, out, diag);

	if (err)
		return err;
	/* What has no columns reads nothing: ATTACH, BEGIN, a pragma that is set. */
	if (!sqlite3_stmt_readonly(*out) || sqlite3_column_count(*out) == 0)
		return diag_fail(diag, ERR_USAGE, "sql: only reading is allowed here");
	return ERR_OK;
}

/* A row's values as text; a blob is shown as X'0A0B'. */
static const char *value_text(sqlite3_stmt *stmt, int col, int type, char **blob)
{
	const unsigned char *byte;
	sqlite3_str *str;
	int size;

	*blob = NULL;
	if (type == SQLITE_NULL)
		return NULL;
	if (type != SQLITE_BLOB)
		return (const char *)sqlite3_column_text(stmt, col);
	byte = sqlite3_column_blob(stmt, col);
	size = sqlite3_column_bytes(stmt, col);
	str = sqlite3_str_new(NULL);
	sqlite3_str_appendall(str, "X'");
	for (int i = 0; i < size; i++)
		sqlite3_str_appendf(str, "%02X", byte[i]);
	sqlite3_str_appendall(str, "'");
	*blob = sqlite3_str_finish(str);
	return *blob;
}

/* Arrays of one row, made once for all rows. */
struct cells {
	int n;
	const char **value;
	char **blob;
	int *type;
};

/* Types first: sqlite3_column_text() converts, and afterwards the type is that of the text. */
static enum err give_row(sqlite3_stmt *stmt, const struct cells *cells,
			 const struct db_query_sink *sink)
{
	enum err err;

	for (int i = 0; i < cells->n; i++) {
		cells->type[i] = sqlite3_column_type(stmt, i);
		cells->value[i] = value_text(stmt, i, cells->type[i], &cells->blob[i]);
	}
	err = sink->row(sink->ctx, cells->n, cells->value, cells->type);
	for (int i = 0; i < cells->n; i++)
		sqlite3_free(cells->blob[i]);
	return err;
}

/* Head, rows, and what ended them. */
static enum err give_rows(sqlite3 *base, sqlite3_stmt *stmt, const struct cells *cells,
			  const struct db_query_sink *sink, struct diag *diag)
{
	enum err err = ERR_OK;
	int step = SQLITE_DONE;

	for (int i = 0; i < cells->n; i++)
		cells->value[i] = sqlite3_column_name(stmt, i);
	if (sink->head)
		err = sink->head(sink->ctx, cells->n, cells->value);
	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		err = give_row(stmt, cells, sink);
	if (err || step == SQLITE_DONE)
		return err;
	/* The user's SQL may fail on the way (integer overflow); the store may too. */
	switch (step & 0xff) {
	case SQLITE_READONLY:
		return diag_fail(diag, ERR_USAGE, "sql: only reading is allowed here");
	case SQLITE_ERROR:
	case SQLITE_MISMATCH:
	case SQLITE_RANGE:
	case SQLITE_TOOBIG:
		return diag_fail(diag, ERR_USAGE, "sql: %s", sqlite3_errmsg(base));
	default:
		return store_fail(base, diag, "");
	}
}

enum err db_query(struct db *db, const char *sql, const struct db_query_sink *sink,
		  struct diag *diag)
{
	struct cells cells = { 0 };
	sqlite3_stmt *stmt = NULL;
	sqlite3 *base;
	size_t n;
	enum err err = store_connect_read(db, &base, diag);

	if (err)
		return err;
	err = compare_view_add(base, db, diag);
	if (!err)
		err = prepare(base, sql, &stmt, diag);
	if (err)
		goto out;
	cells.n = sqlite3_column_count(stmt);
	n = cells.n > 0 ? (size_t)cells.n : 1;
	cells.value = calloc(n, sizeof(*cells.value));
	cells.blob = calloc(n, sizeof(*cells.blob));
	cells.type = calloc(n, sizeof(*cells.type));
	if (cells.value && cells.blob && cells.type)
		err = give_rows(base, stmt, &cells, sink, diag);
	else
		err = diag_fail(diag, ERR_NOMEM, "no memory for a query");
out:
	sqlite3_finalize(stmt);
	sqlite3_close(base);
	free(cells.value);
	free(cells.blob);
	free(cells.type);
	return err;
}

/* What the user's statement did wrong is told from a store that cannot be written. */
static enum err change_failed(sqlite3 *base, int rc, struct diag *diag)
{
	switch (rc & 0xff) {
	case SQLITE_ERROR:
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH:
	case SQLITE_RANGE:
	case SQLITE_TOOBIG:
		return diag_fail(diag, ERR_USAGE, "sql: %s", sqlite3_errmsg(base));
	default:
		return store_fail(base, diag, "");
	}
}

enum err db_change(struct db *db, const char *sql, uint64_t *nr_rows, struct diag *diag)
{
	sqlite3_stmt *stmt = NULL;
	int rc, before = sqlite3_total_changes(db->sql);
	enum err err = store_begin_write(db, diag);

	*nr_rows = 0;
	if (err)
		return err;
	err = prepare_one(db->sql, sql, &stmt, diag);
	if (!err && sqlite3_stmt_readonly(stmt))
		err = diag_fail(diag, ERR_USAGE, "sql: this changes nothing");
	if (!err) {
		do
			rc = sqlite3_step(stmt);
		while (rc == SQLITE_ROW);
		if (rc != SQLITE_DONE)
			err = change_failed(db->sql, rc, diag);
	}
	sqlite3_finalize(stmt);
	/* Those that went with them by foreign keys are not counted; a DDL statement has none. */
	if (!err && sqlite3_total_changes(db->sql) != before)
		*nr_rows = (uint64_t)sqlite3_changes(db->sql);
	return store_end(db->sql, err, diag);
}
