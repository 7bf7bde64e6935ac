/*
 * Conditions on a run of its own: it is the only row of a store in memory,
 * of which the condition is asked as it would be of any other.
 */
#include "meets.h"

#include <stdlib.h>

#include "store.h"
#include "table.h"
#include "where.h"

struct db_meets {
	sqlite3 *sql;
	struct where where;
	sqlite3_stmt *ask;
};

void db_meets_close(struct db_meets *meets)
{
	if (meets == NULL)
		return;
	sqlite3_finalize(meets->ask);
	where_free(&meets->where);
	sqlite3_close(meets->sql);
	free(meets);
}

static enum err put_run(struct db_meets *meets, const struct db_run *row, struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(
		meets->sql,
		"INSERT INTO run (id, uuid, scenario, kernel, alias, seed, state, created, wall_ns,"
		" steps, version, host, tag)"
		" VALUES (1, '', ?, ?, ?, ?, 'done', '', 0, 0, ?, '', ?)",
		&stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "tttitt", row->scenario, row->kernel, row->alias, (int64_t)row->seed,
		   row->version, row->tag);
	return store_finish(meets->sql, stmt, diag);
}

static enum err put_metric(struct db_meets *meets, size_t ord, const struct db_metric *metric,
			   struct diag *diag)
{
	sqlite3_stmt *stmt;
	enum err err = store_prepare(meets->sql, "INSERT INTO metric VALUES (1, ?, ?, ?, '', ?)",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "itt", (int64_t)ord, metric->name, metric->unit);
	if (metric->missing)
		sqlite3_bind_null(stmt, 4);
	else if (metric->is_text)
		sqlite3_bind_text(stmt, 4, metric->text, -1, SQLITE_TRANSIENT);
	else if (metric->is_real)
		sqlite3_bind_double(stmt, 4, metric->real);
	else
		sqlite3_bind_int64(stmt, 4, metric->integer);
	return store_finish(meets->sql, stmt, diag);
}

/* In place of the run before. */
static enum err put_facts(struct db_meets *meets, const struct db_facts *facts, struct diag *diag)
{
	enum err err = store_exec(meets->sql, "DELETE FROM metric; DELETE FROM run", diag);

	if (!err)
		err = put_run(meets, facts->row, diag);
	for (size_t i = 0; i < facts->nr && !err; i++)
		err = put_metric(meets, i, &facts->metric[i], diag);
	return err;
}

static enum err read_condition(struct db_meets *meets, const char *expr, struct diag *diag)
{
	enum err err = where_compile(meets->sql, expr, &meets->where, diag);
	char *query;

	if (!err && meets->where.sql == NULL)
		return diag_fail(diag, ERR_USAGE, "the condition is empty");
	if (err)
		return err;
	query = sqlite3_mprintf("SELECT count(*) FROM run AS r WHERE %s", meets->where.sql);
	if (query == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for a condition");
	err = store_prepare(meets->sql, query, &meets->ask, diag);
	sqlite3_free(query);
	if (!err)
		where_bind(&meets->where, meets->ask);
	return err;
}

enum err db_meets_open(const char *expr, const struct db_facts *facts, struct db_meets **out,
		       struct diag *diag)
{
	struct db_meets *meets = calloc(1, sizeof(*meets));
	enum err err;

	*out = NULL;
	if (meets == NULL || sqlite3_open(":memory:", &meets->sql) != SQLITE_OK) {
		db_meets_close(meets);
		return diag_fail(diag, ERR_NOMEM, "no memory for a condition");
	}
	err = table_create(meets->sql, diag);
	if (!err)
		err = put_facts(meets, facts, diag);
	if (!err)
		err = read_condition(meets, expr, diag);
	if (err) {
		db_meets_close(meets);
		return err;
	}
	*out = meets;
	return ERR_OK;
}

enum err db_meets(struct db_meets *meets, const struct db_facts *facts, bool *yes,
		  struct diag *diag)
{
	enum err err = put_facts(meets, facts, diag);

	*yes = false;
	if (err)
		return err;
	sqlite3_reset(meets->ask);
	if (sqlite3_step(meets->ask) != SQLITE_ROW)
		return store_fail(meets->sql, diag, "asking a condition");
	*yes = sqlite3_column_int(meets->ask, 0) == 1;
	sqlite3_reset(meets->ask);
	return ERR_OK;
}
