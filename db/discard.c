/*
 * Tables that refer to a run by foreign key lose its rows by themselves;
 * those whose key is packed of run and number are cleared here.  One
 * transaction a run: a clean-up of thousands never keeps a writer waiting.
 */
#include "discard.h"

#include <inttypes.h>
#include <string.h>

#include "run_row.h"
#include "table.h"

/* One statement in which ?1 is the run. */
static enum err for_run(struct db *db, const char *sql, int64_t id, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, sql, &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", id);
	return store_finish(db->sql, stmt, diag);
}

/* Rows of those tables whose first column is the packed key. */
static enum err remove_keyed(struct db *db, int64_t id, struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < table_count() && !err; i++) {
		const struct table *table = table_at(i);
		char *sql;

		if (strcmp(table->column[0].name, "key") != 0)
			continue;
		sql = sqlite3_mprintf("DELETE FROM %s WHERE key BETWEEN ?1 << %d AND"
				      " ((?1 + 1) << %d) - 1",
				      table->name, TABLE_KEY_BITS, TABLE_KEY_BITS);
		err = sql ? for_run(db, sql, id, diag)
			  : diag_fail(diag, ERR_NOMEM, "no memory to delete a run");
		sqlite3_free(sql);
	}
	return err;
}

/* Asked with the lock held: it may have been begun again, or deleted, meanwhile. */
static enum err check_removable(struct db *db, int64_t id, struct diag *diag)
{
	sqlite3_stmt *stmt;
	bool there, running;
	enum err err = store_prepare(db->sql, "SELECT state = 'running' FROM run WHERE id = ?",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", id);
	there = sqlite3_step(stmt) == SQLITE_ROW;
	running = there && sqlite3_column_int(stmt, 0) != 0;
	sqlite3_finalize(stmt);
	if (!there)
		return diag_fail(diag, ERR_USAGE, "no run %" PRId64, id);
	if (running)
		return diag_fail(diag, ERR_USAGE,
				 "run %" PRId64 " is running: nothing of it is deleted", id);
	return ERR_OK;
}

enum err db_run_remove(struct db *db, int64_t id, struct diag *diag)
{
	static const char *const statements[] = {
		"UPDATE run SET parent = NULL, step = NULL WHERE parent = ?1",
		"UPDATE run SET pair = (SELECT min(o.id) FROM run AS o WHERE o.pair = ?1"
		" AND o.id <> ?1) WHERE pair = ?1 AND id <> ?1",
		"DELETE FROM run WHERE id = ?1",
	};
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	err = check_removable(db, id, diag);
	if (!err)
		err = remove_keyed(db, id, diag);
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]) && !err; i++)
		err = for_run(db, statements[i], id, diag);
	return store_end(db->sql, err, diag);
}

enum err db_texts_remove(struct db *db, struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	err = store_exec(db->sql,
			 "DELETE FROM script WHERE id NOT IN (SELECT script FROM run"
			 " WHERE script IS NOT NULL UNION SELECT script FROM library)",
			 diag);
	return store_end(db->sql, err, diag);
}

enum err db_runs_prunable(struct db *db, uint64_t keep,
			  enum err (*row)(void *ctx, const struct db_run *r), void *ctx,
			  struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(
		db->sql,
		RUN_COLUMNS_BRIEF
		"WHERE r.state <> 'running' AND coalesce(r.tag, '') = ''"
		" AND coalesce(r.note, '') = '' AND r.id NOT IN (SELECT run FROM baseline)"
		" AND r.id NOT IN (SELECT id FROM run ORDER BY id DESC LIMIT ?) ORDER BY r.id",
		&stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "i", keep <= INT64_MAX ? (int64_t)keep : INT64_MAX);
	return run_rows_give(db->sql, stmt, row, ctx, diag);
}
