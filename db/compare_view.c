/*
 * The function gives a comparison as a JSON array, an object a metric; the
 * view, which lives as long as the connection, takes it apart.  Numbers are
 * written with 17 digits, so those that come out are those that went in.
 */
#include "compare_view.h"

#include <stdlib.h>

#include "compare_row.h"
#include "store.h"

/* The runs as commands name them: 52, 'latest'. */
static void compare_json(sqlite3_context *out, int argc, sqlite3_value **argv)
{
	struct db db = *(const struct db *)sqlite3_user_data(out);
	const struct compare_options options = { .metric = NULL };
	const char *ref[2] = { NULL, NULL };
	struct compare *compare;
	struct diag diag;
	json_t *rows = json_array();
	char *text;

	/* On the statement's own connection: the other one is its thread's that opened it. */
	db.sql = sqlite3_context_db_handle(out);
	for (int side = 0; side < argc && side < 2; side++)
		ref[side] = (const char *)sqlite3_value_text(argv[side]);
	if (ref[0] == NULL || ref[1] == NULL) {
		json_decref(rows);
		return; /* NULL gives NULL */
	}
	if (compare_open(&db, ref, &options, &compare, &diag) != ERR_OK) {
		sqlite3_result_error(out, diag.text, -1);
		json_decref(rows);
		return;
	}
	for (size_t i = 0; i < compare->nr_metrics; i++)
		json_array_append_new(rows, compare_row_json(compare, i));
	text = json_dumps(rows, JSON_COMPACT);
	if (text != NULL)
		sqlite3_result_text(out, text, -1, free);
	else
		sqlite3_result_error_nomem(out);
	json_decref(rows);
	compare_free(compare);
}

/* "a" and "b" are the runs themselves, so that a statement that names them looks up these two. */
static char *view_text(void)
{
	sqlite3_str *text = sqlite3_str_new(NULL);

	sqlite3_str_appendall(text, "CREATE TEMP VIEW v_compare AS SELECT ");
	for (int c = 0; c < NR_COMPARE_COLUMNS; c++) {
		const char *name = compare_column_name((enum compare_column)c);

		if (c == COMPARE_A || c == COMPARE_B)
			sqlite3_str_appendf(text, "r%s.id AS %s, ", name, name);
		else
			sqlite3_str_appendf(text, "j.value ->> '%s' AS %s%s", name, name,
					    c + 1 < NR_COMPARE_COLUMNS ? ", " : "");
	}
	sqlite3_str_appendall(text, " FROM main.run AS ra CROSS JOIN main.run AS rb"
				    " CROSS JOIN json_each(compare_json(ra.id, rb.id)) AS j");
	return sqlite3_str_finish(text);
}

enum err compare_view_add(sqlite3 *sql, const struct db *db, struct diag *diag)
{
	char *text = view_text();
	enum err err = ERR_OK;

	if (text == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for v_compare");
	if (sqlite3_create_function(sql, "compare_json", 2, SQLITE_UTF8, (void *)db, compare_json,
				    NULL, NULL) != SQLITE_OK)
		err = store_fail(sql, diag, "v_compare");
	if (!err)
		err = store_exec(sql, text, diag);
	sqlite3_free(text);
	return err;
}
