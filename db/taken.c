/*
 * The matrix of a run's reclaim.  It has few rows and is written once, so
 * it does not go through the recorder; css ids become paths in v_taken.
 */
#include "taken.h"

#include "store.h"

static enum err add_row(struct db *db, int64_t id, const struct db_taken *taken, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql, "INSERT OR REPLACE INTO taken VALUES (?, ?, ?, ?)",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "iiii", id, (int64_t)taken->by, (int64_t)taken->owner, (int64_t)taken->nr);
	return store_finish(db->sql, stmt, diag);
}

enum err db_taken_add(struct db *db, int64_t id, const struct db_taken *taken, size_t n,
		      struct diag *diag)
{
	enum err err = store_begin_write(db, diag);

	if (err)
		return err;
	for (size_t i = 0; i < n && !err; i++)
		err = add_row(db, id, &taken[i], diag);
	return store_end(db->sql, err, diag);
}

enum err db_taken(struct db *db, int64_t id, enum err (*row)(void *, const struct db_taken_row *),
		  void *ctx, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "SELECT \"by\", owner, nr FROM v_taken WHERE run = ?"
				     " ORDER BY nr DESC, 1, 2",
				     &stmt, diag);
	int step = SQLITE_DONE;

	if (err)
		return err;
	store_bind(stmt, "i", id);
	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		const struct db_taken_row taken = {
			.by = (const char *)sqlite3_column_text(stmt, 0),
			.owner = (const char *)sqlite3_column_text(stmt, 1),
			.nr = (uint64_t)sqlite3_column_int64(stmt, 2),
		};

		err = row(ctx, &taken);
	}
	if (!err && step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "reading who took from whom");
	sqlite3_finalize(stmt);
	return err;
}
