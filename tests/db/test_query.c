/*
 * db_query: one statement, for reading; everything else is refused with words
 * that help and changes nothing.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "query.h"
#include "stored.h"
#include "table.h"

struct answer {
	char text[STORED_TEXT_MAX];
	int heads, rows, types[8];
};

static enum err head(void *ctx, int n, const char *const *names)
{
	struct answer *answer = ctx;

	answer->heads++;
	for (int i = 0; i < n; i++) {
		strcat(answer->text, names[i]);
		strcat(answer->text, i + 1 < n ? "," : ":");
	}
	return ERR_OK;
}

static enum err row(void *ctx, int n, const char *const *values, const int *types)
{
	struct answer *answer = ctx;

	answer->rows++;
	for (int i = 0; i < n; i++) {
		strcat(answer->text, values[i] ? values[i] : "(null)");
		strcat(answer->text, i + 1 < n ? "," : ";");
		answer->types[i] = types[i];
	}
	return ERR_OK;
}

static enum err ask(struct stored *st, const char *sql, struct answer *answer)
{
	const struct db_query_sink sink = { answer, head, row };

	memset(answer, 0, sizeof(*answer));
	st->diag.text[0] = '\0';
	return db_query(st->db, sql, &sink, &st->diag);
}

static void says(struct stored *st, const char *sql, const char *wanted)
{
	struct answer answer;

	if (ask(st, sql, &answer))
		fail_msg("%s: %s", sql, st->diag.text);
	assert_string_equal(answer.text, wanted);
	assert_int_equal(answer.heads, 1);
}

static void refuses(struct stored *st, const char *sql, const char *words)
{
	struct answer answer;

	assert_int_equal(ask(st, sql, &answer), ERR_USAGE);
	assert_int_equal(st->diag.err, ERR_USAGE);
	if (!strstr(st->diag.text, words))
		fail_msg("%s: \"%s\" lacks \"%s\"", sql, st->diag.text, words);
	assert_int_equal(answer.rows, 0);
}

static void values_come_as_text_with_their_types(void **state)
{
	struct answer answer;
	struct stored st;

	(void)state;
	stored_open(&st);
	assert_int_equal(ask(&st, "SELECT 1 AS a, 2.5 AS b, 'x' AS c, x'0aff' AS d, NULL AS e",
			     &answer),
			 ERR_OK);
	assert_string_equal(answer.text, "a,b,c,d,e:1,2.5,x,X'0AFF',(null);");
	for (int i = 0; i < 5; i++)
		assert_int_equal(answer.types[i], i + 1);
	says(&st, "SELECT 1 AS a WHERE 0", "a:");
	says(&st, "WITH c(n) AS (VALUES (1), (2)) SELECT n FROM c", "n:1;2;");
	stored_close(&st);
}

static void the_end_may_be_blank_and_the_start_too(void **state)
{
	struct stored st;

	(void)state;
	stored_open(&st);
	says(&st, "SELECT 1 AS a;", "a:1;");
	says(&st, "SELECT 1 AS a ; \n\t;; -- done", "a:1;");
	says(&st, "-- first\n;; /* then */ SELECT 1 AS a /* end */", "a:1;");
	stored_close(&st);
}

static void one_statement_at_a_time(void **state)
{
	struct stored st;

	(void)state;
	stored_open(&st);
	refuses(&st, "SELECT 1; SELECT 2", "one statement");
	refuses(&st, "SELECT 1; nonsense", "one statement");
	refuses(&st, "SELECT 1; DELETE FROM run", "one statement");
	refuses(&st, "", "no statement");
	refuses(&st, " ; -- nothing", "no statement");
	stored_close(&st);
}

static void writing_is_refused_whoever_opened_the_store(void **state)
{
	static const char *const writing[] = {
		"DELETE FROM run",
		"UPDATE run SET seed = 1",
		"INSERT INTO nth VALUES (5000)",
		"CREATE TABLE t (a)",
		"CREATE TEMP TABLE t (a)",
		"DROP VIEW v_runs",
		"VACUUM",
		"REINDEX",
		"PRAGMA user_version=3",
		"PRAGMA journal_mode=DELETE",
		"WITH x AS (SELECT 1) DELETE FROM run",
	};
	struct answer answer;
	struct stored st;
	char text[STORED_TEXT_MAX], before[STORED_TEXT_MAX], other[256], sql[512];

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	stored_sql(&st, "SELECT *, (SELECT count(*) FROM sqlite_schema) FROM v_runs", before);
	for (int mode = DB_READ; mode <= DB_WRITE; mode++) {
		stored_reopen(&st, (enum db_mode)mode);
		for (size_t i = 0; i < sizeof(writing) / sizeof(writing[0]); i++) {
			enum err err = ask(&st, writing[i], &answer);

			if (err && err != ERR_USAGE)
				fail_msg("%s: %d %s", writing[i], err, st.diag.text);
			if (i == 0)
				assert_non_null(strstr(st.diag.text, "only reading"));
		}
	}
	assert_string_equal(stored_sql(&st,
				       "SELECT *, (SELECT count(*) FROM sqlite_schema)"
				       " FROM v_runs",
				       text),
			    before);
	assert_int_equal(stored_number(&st, "PRAGMA user_version"), TABLE_SCHEMA);
	assert_string_equal(stored_sql(&st, "PRAGMA journal_mode", text), "wal");

	/* No file is made, and no lock or setting outlives the statement. */
	snprintf(other, sizeof(other), "%s/other.db", st.folder);
	snprintf(sql, sizeof(sql), "ATTACH '%s' AS o", other);
	ask(&st, sql, &answer);
	snprintf(sql, sizeof(sql), "VACUUM INTO '%s'", other);
	ask(&st, sql, &answer);
	assert_int_equal(access(other, F_OK), -1);
	ask(&st, "BEGIN EXCLUSIVE", &answer);
	ask(&st, "PRAGMA query_only=OFF", &answer);
	refuses(&st, "DELETE FROM run", "only reading");
	stored_begin(&st, "still writable");
	stored_close(&st);
}

/* Even one that would change nothing: nobody should believe that it did. */
static void a_statement_without_columns_is_refused(void **state)
{
	static const char *const texts[] = {
		"ATTACH ':memory:' AS o", "DETACH o", "BEGIN", "BEGIN EXCLUSIVE", "COMMIT",
		"SAVEPOINT s", "PRAGMA user_version=3", "PRAGMA query_only=OFF",
	};
	struct stored st;

	(void)state;
	stored_open(&st);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		refuses(&st, texts[i], "only reading");
	says(&st, "PRAGMA user_version", "user_version:4;");
	says(&st, "SELECT count(*) > 0 AS n FROM pragma_table_info('run')", "n:1;");
	stored_close(&st);
}

static void errors_show_the_line_and_a_caret(void **state)
{
	struct answer answer;
	struct stored st;

	(void)state;
	stored_open(&st);
	assert_int_equal(ask(&st, "SELECT a form v_runs x", &answer), ERR_USAGE);
	assert_string_equal(st.diag.text, "sql: near \"v_runs\": syntax error\n"
					  "  SELECT a form v_runs x\n"
					  "                ^");
	assert_int_equal(ask(&st, "SELECT 'ä',\n\tnope\nFROM v_runs", &answer), ERR_USAGE);
	assert_string_equal(st.diag.text, "sql: no such column: nope\n  \tnope\n  \t^");
	refuses(&st, "SELECT * FROM nope", "no such table: nope");
	refuses(&st, "SELECT abs(-9223372036854775807 - 1)", "integer overflow");
	stored_close(&st);
}

static enum err fail_row(void *ctx, int n, const char *const *values, const int *types)
{
	(void)n;
	(void)values;
	(void)types;
	++*(int *)ctx;
	return ERR_PIPE;
}

static void a_sink_that_fails_ends_the_query(void **state)
{
	int rows = 0;
	const struct db_query_sink sink = { &rows, NULL, fail_row };
	struct stored st;

	(void)state;
	stored_open(&st);
	assert_int_equal(db_query(st.db, "SELECT * FROM nth", &sink, &st.diag), ERR_PIPE);
	assert_int_equal(rows, 1);
	stored_close(&st);
}

static void the_views_have_the_documented_columns(void **state)
{
	static const char *const views[][2] = {
		{ "v_runs", "run,uuid,scenario,kernel,alias,seed,state,parent,step,created,"
			    "wall_ns,tag,note,steps,version,error,baseline" },
		{ "v_metrics", "run,kernel,name,unit,better,value" },
		{ "v_series", "run,t_ns,memcg,name,value" },
		{ "v_events", "run,seq,t_ns,kind,cpu,memcg,rule,a,b,c,d,e,f,g,h" },
		{ "v_scan", "run,call,t_ns,memcg,zone,list,size,priority,nr_to_scan,nr_taken,"
			    "nr_scanned,nr_reclaimed" },
		{ "v_expect", "run,text,label,ok,value,wanted" },
	};
	char sql[64], wanted[256];
	struct stored st;

	(void)state;
	stored_open(&st);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		snprintf(sql, sizeof(sql), "SELECT * FROM %s", views[i][0]);
		snprintf(wanted, sizeof(wanted), "%s:", views[i][1]);
		says(&st, sql, wanted);
	}
	stored_close(&st);
}

/* A run is a range of keys for the big views: no scan of other runs. */
static void the_views_find_a_run_by_key(void **state)
{
	static const char *const views[] = { "v_series", "v_events", "v_scan", "v_marks" };
	struct answer answer;
	struct stored st;
	char sql[96];

	(void)state;
	stored_open(&st);
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN SELECT * FROM %s WHERE run = 3",
			 views[i]);
		assert_int_equal(ask(&st, sql, &answer), ERR_OK);
		assert_non_null(
			strstr(answer.text, "USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"));
		assert_null(strstr(answer.text, "SCAN e"));
		assert_null(strstr(answer.text, "SCAN s"));
		assert_null(strstr(answer.text, "SCAN r"));
	}
	stored_close(&st);
}

static void a_change_is_counted_and_kept_and_nothing_else_is_one(void **state)
{
	static const struct {
		const char *sql, *words;
	} refused[] = {
		{ "select 1", "this changes nothing" },
		{ "begin", "this changes nothing" },
		{ "updat run set tag = 'x'", "syntax error" },
		{ "update run set tag = 'x'; delete from run", "one statement at a time" },
		{ "update run set tag = x", "no such column: x" },
		{ "update run set pair = 77", "FOREIGN KEY" },
	};
	struct answer answer = { 0 };
	struct stored st;
	uint64_t nr = 99;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "a");
	stored_begin(&st, "b");
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_int_equal(db_change(st.db, refused[i].sql, &nr, &st.diag), ERR_USAGE);
		if (!strstr(st.diag.text, refused[i].words))
			fail_msg("%s: %s", refused[i].sql, st.diag.text);
		assert_int_equal(nr, 0);
	}
	assert_int_equal(db_change(st.db, "update run set tag = 'x';", &nr, &st.diag), ERR_OK);
	assert_int_equal(nr, 2);
	assert_int_equal(db_change(st.db, "create table t (a)", &nr, &st.diag), ERR_OK);
	assert_int_equal(nr, 0);
	assert_int_equal(ask(&st, "select count(*) from run where tag = 'x'", &answer), ERR_OK);
	assert_string_equal(answer.text, "count(*):2;");
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_come_as_text_with_their_types),
		cmocka_unit_test(the_end_may_be_blank_and_the_start_too),
		cmocka_unit_test(one_statement_at_a_time),
		cmocka_unit_test(writing_is_refused_whoever_opened_the_store),
		cmocka_unit_test(a_statement_without_columns_is_refused),
		cmocka_unit_test(errors_show_the_line_and_a_caret),
		cmocka_unit_test(a_sink_that_fails_ends_the_query),
		cmocka_unit_test(the_views_have_the_documented_columns),
		cmocka_unit_test(the_views_find_a_run_by_key),
		cmocka_unit_test(a_change_is_counted_and_kept_and_nothing_else_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
