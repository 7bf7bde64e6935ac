/*
 * A condition and an order of the user's become one query.  The values that
 * they name are bound, and the connection that runs it cannot write.
 */
#include "choose.h"

#include "run_row.h"
#include "where.h"

/* The whole query, to be freed with sqlite3_free(). */
static enum err write_query(sqlite3 *base, const struct db_choice *choice, struct where *where,
			    char **out, struct diag *diag)
{
	char *order = NULL;
	enum err err = ERR_OK;

	*out = NULL;
	if (choice->figure && !where_add(where, choice->figure))
		err = diag_fail(diag, ERR_NOMEM, "no memory for a query");
	if (!err && choice->where)
		err = where_compile(base, choice->where, where, diag);
	if (!err && choice->sort)
		err = where_order(base, choice->sort, where, &order, diag);
	if (!err) {
		*out = sqlite3_mprintf("%s%s%s ORDER BY %s%sr.id DESC LIMIT %lld",
				       choice->figure  ? RUN_COLUMNS_FIGURE
				       : choice->brief ? RUN_COLUMNS_BRIEF
						       : RUN_COLUMNS,
				       where->sql ? "WHERE " : "", where->sql ? where->sql : "",
				       order ? order : "", order ? ", " : "",
				       choice->limit && choice->limit <= INT64_MAX
					       ? (long long)choice->limit
					       : -1LL);
		if (!*out)
			err = diag_fail(diag, ERR_NOMEM, "no memory for a query");
	}
	sqlite3_free(order);
	return err;
}

enum err db_runs_chosen(struct db *db, const struct db_choice *choice,
			enum err (*row)(void *ctx, const struct db_run *r), void *ctx,
			struct diag *diag)
{
	struct where where = { .sql = NULL };
	sqlite3_stmt *stmt = NULL;
	char *query = NULL;
	sqlite3 *base;
	enum err err = store_connect_read(db, &base, diag);

	if (err)
		return err;
	err = write_query(base, choice, &where, &query, diag);
	if (!err)
		err = store_prepare(base, query, &stmt, diag);
	if (!err) {
		where_bind(&where, stmt);
		err = run_rows_give(base, stmt, row, ctx, diag);
	}
	sqlite3_free(query);
	where_free(&where);
	sqlite3_close(base);
	return err;
}

bool db_where_pending(struct db *db, const char *where)
{
	sqlite3 *base;
	bool pending;

	if (store_connect_read(db, &base, NULL))
		return false;
	pending = where_pending(base, where);
	sqlite3_close(base);
	return pending;
}
