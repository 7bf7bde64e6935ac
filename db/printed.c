/*
 * Written once, at the end of a run, so it does not go through the recorder.
 */
#include "printed.h"

#include <stdlib.h>
#include <string.h>

#include "store.h"

static enum err add_line(struct db *db, int64_t id, int64_t nr, const char *line, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err =
		store_prepare(db->sql, "INSERT OR REPLACE INTO log VALUES (?, ?, ?)", &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "iit", id, nr, line);
	return store_finish(db->sql, stmt, diag);
}

enum err db_printed_add(struct db *db, int64_t id, const char *text, struct diag *diag)
{
	char *lines = strdup(text), *line = lines, *end;
	int64_t nr = 0;
	enum err err;

	if (!lines)
		return diag_fail(diag, ERR_NOMEM, "no memory for what was printed");
	err = store_begin_write(db, diag);
	if (err) {
		free(lines);
		return err;
	}
	for (; !err && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		err = add_line(db, id, ++nr, line, diag);
	}
	free(lines);
	return store_end(db->sql, err, diag);
}

enum err db_printed(struct db *db, int64_t id, enum err (*row)(void *ctx, const char *line),
		    void *ctx, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, "SELECT text FROM log WHERE run = ? ORDER BY nr",
				     &stmt, diag);
	int step = SQLITE_DONE;

	if (err)
		return err;
	store_bind(stmt, "i", id);
	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW)
		err = row(ctx, (const char *)sqlite3_column_text(stmt, 0));
	if (!err && step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "reading what was printed");
	sqlite3_finalize(stmt);
	return err;
}
