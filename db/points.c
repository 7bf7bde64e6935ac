/*
 * Runs that need not be done again.  A run is made by scenario text,
 * parameters, kernel, seed, version and model: text, version and model are
 * asked for here, the rest is told of each row.
 */
#include "points.h"

#include "revision.h"
#include "store.h"

enum err db_points(struct db *db, const struct db_run *like,
		   enum err (*row)(void *ctx, const struct db_point *point), void *ctx,
		   struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(db->sql,
				     "SELECT r.id, r.kernel, r.seed, r.params FROM run AS r"
				     " JOIN script AS s ON s.id = r.script"
				     " JOIN program AS p ON p.run = r.id"
				     " WHERE r.state = 'done' AND r.scenario = ?"
				     " AND r.version = ? AND s.text = ? AND p.model = ?"
				     " ORDER BY r.id",
				     &stmt, diag);
	int step = SQLITE_DONE;

	if (err)
		return err;
	store_bind(stmt, "ttti", like->scenario, like->version, like->text,
		   (int64_t)MODEL_REVISION);
	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		const char *params = (const char *)sqlite3_column_text(stmt, 3);
		const struct db_point point = {
			.id = sqlite3_column_int64(stmt, 0),
			.kernel = (const char *)sqlite3_column_text(stmt, 1),
			.seed = (uint64_t)sqlite3_column_int64(stmt, 2),
			.params = params != NULL ? params : "",
		};

		err = row(ctx, &point);
	}
	if (!err && step != SQLITE_DONE)
		err = store_fail(db->sql, diag, "reading which runs are done");
	sqlite3_finalize(stmt);
	return err;
}
