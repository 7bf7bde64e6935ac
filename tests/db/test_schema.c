/*
 * The schema is a promise: a database of each released schema is kept here as
 * SQL, opened, and read.  The newest of them must be the schema that this
 * program makes, so a change without a new number and a migration fails.
 *
 * MEMCGLAB_GOLDEN=write writes the newest anew, before a release only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stored.h"
#include "table.h"

#define FIXTURE "tests/db/schema_1.txt"

enum { FIXTURE_MAX = 1 << 17 };

static const char schema_sql[] = "SELECT type, name, sql FROM sqlite_schema"
				 " WHERE sql IS NOT NULL ORDER BY rowid";

/* Three runs, events that repeat and some that do not, a mark, samples, figures. */
static void fill(struct stored *st)
{
	char first[] = "over_scan";
	const struct db_metric metric = { .name = "over_scan",
					  .unit = "x",
					  .better = "lower",
					  .is_real = true,
					  .real = 5.25 };
	const struct db_expect expect = { .text = first, .label = "predicted", .ok = true };
	const struct db_end end = { RUN_DONE, NULL, 12, 34, "log", 3 };
	const struct sample sample = { .t_ns = 9, .step = 1, .memcg = 2, .usage = 25600 };
	struct event event;
	struct sink *sink;

	stored_open(st);
	sink = stored_recorder(st, stored_begin(st, "cat-in-100m"));
	for (uint64_t i = 1; i <= 100; i++) {
		event = stored_shrink(i);
		event.n[SHRINK_SIZE] += i < 90 ? 0 : (int64_t)(i * i % 7);
		stored_feed(st, sink, &event);
	}
	event = (struct event){ .seq = 101, .kind = EVENT_MARK, .text = "end of file" };
	stored_feed(st, sink, &event);
	if (sink->sample(sink, &sample, &st->diag) ||
	    db_metrics_add(st->db, 1, &metric, 1, &st->diag) ||
	    db_expects_add(st->db, 1, &expect, 1, &st->diag) ||
	    db_run_end(st->db, 1, &end, &st->diag))
		fail_msg("%s", st->diag.text);
	db_recorder_free(sink);
	stored_end(st, stored_begin(st, "oom-anon"), RUN_FAILED);
	stored_begin(st, "hot-and-scan");
}

static void write_fixture(void)
{
	char command[256], text[STORED_TEXT_MAX];
	struct stored st;

	fill(&st);
	/* Nothing of the machine that it was made on; its process is long gone. */
	stored_sql(&st,
		   "UPDATE run SET host = 'Linux, 2 CPUs', boot = 'gone', pid = 1, started = 1,"
		   " created = '2026-01-01T00:00:0' || id || 'Z'",
		   text);
	snprintf(command, sizeof(command), "sqlite3 %s .dump > " FIXTURE, st.path);
	assert_int_equal(system(command), 0);
	stored_close(&st);
}

/* The database of the fixture, opened. */
static void open_fixture(struct stored *st)
{
	char *text = calloc(1, FIXTURE_MAX), ids[128];
	FILE *file = fopen(FIXTURE, "r");
	sqlite3 *base;

	assert_non_null(text);
	assert_non_null(file);
	assert_true(fread(text, 1, FIXTURE_MAX, file) < FIXTURE_MAX);
	fclose(file);
	stored_new(st);
	assert_int_equal(sqlite3_open(st->path, &base), SQLITE_OK);
	/* What a dump does not hold. */
	snprintf(ids, sizeof(ids),
		 "PRAGMA journal_mode=WAL; PRAGMA application_id=%d;"
		 " PRAGMA user_version=1",
		 0x6d63674c);
	if (sqlite3_exec(base, text, NULL, NULL, NULL) || sqlite3_exec(base, ids, NULL, NULL, NULL))
		fail_msg("%s", sqlite3_errmsg(base));
	sqlite3_close(base);
	free(text);
	stored_reopen(st, DB_WRITE);
}

static void schema_1_opens_and_reads(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;
	struct db_run run;

	(void)state;
	open_fixture(&st);
	assert_string_equal(stored_sql(&st,
				       "SELECT run, scenario, kernel, alias, seed, state"
				       " FROM v_runs",
				       text),
			    "1|cat-in-100m|v2.6.31|unbatched|7|done\n"
			    "2|oom-anon|v2.6.31|unbatched|7|failed\n"
			    "3|hot-and-scan|v2.6.31|unbatched|7|abandoned");
	assert_string_equal(stored_sql(&st,
				       "SELECT count(*), sum(size), sum(t_ns), max(call)"
				       " FROM v_scan WHERE run = 1 AND memcg = 'jobs/cat'",
				       text),
			    "100|2553520|15200000|100");
	assert_string_equal(stored_sql(&st, "SELECT text FROM v_marks", text), "end of file");
	assert_string_equal(stored_sql(&st,
				       "SELECT memcg, value FROM v_series"
				       " WHERE name = 'usage'",
				       text),
			    "jobs|25600");
	assert_string_equal(stored_sql(&st, "SELECT name, value FROM v_metrics", text),
			    "over_scan|5.25");
	assert_string_equal(stored_sql(&st, "SELECT text, ok FROM v_expect", text), "over_scan|1");
	assert_int_equal(db_run_find(st.db, "latest:cat-in-100m", &run, &st.diag), ERR_OK);
	assert_string_equal(run.text, "return scenario {}");
	assert_int_equal(run.steps, 34);
	db_run_free(&run);
	stored_close(&st);
}

static void schema_1_takes_new_runs(void **state)
{
	struct event event = stored_shrink(1);
	struct stored st;
	struct sink *sink;
	int64_t id;

	(void)state;
	open_fixture(&st);
	id = stored_begin(&st, "new");
	assert_int_equal(id, 4);
	sink = stored_recorder(&st, id);
	stored_feed(&st, sink, &event);
	stored_end(&st, id, RUN_DONE);
	db_recorder_free(sink);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_scan WHERE run = 4"), 1);
	stored_close(&st);
}

static void the_newest_schema_has_not_changed(void **state)
{
	static char kept[1 << 16], made[1 << 16];
	struct stored old, new;
	char *const texts[] = { kept, made };

	(void)state;
	open_fixture(&old);
	stored_open(&new);
	assert_int_equal(TABLE_SCHEMA, 1);
	for (int i = 0; i < 2; i++) {
		sqlite3_stmt *stmt;
		sqlite3 *base;
		size_t used = 0;

		assert_int_equal(sqlite3_open(i ? new.path : old.path, &base), SQLITE_OK);
		assert_int_equal(sqlite3_prepare_v2(base, schema_sql, -1, &stmt, NULL), SQLITE_OK);
		while (sqlite3_step(stmt) == SQLITE_ROW)
			used += (size_t)snprintf(texts[i] + used, sizeof(kept) - used, "%s %s\n",
						 sqlite3_column_text(stmt, 1),
						 sqlite3_column_text(stmt, 2));
		assert_true(used < sizeof(kept));
		sqlite3_finalize(stmt);
		sqlite3_close(base);
	}
	assert_string_equal(kept, made);
	stored_close(&old);
	stored_close(&new);
}

static void every_table_and_column_is_in_the_store(void **state)
{
	struct stored st;

	(void)state;
	stored_open(&st);
	for (size_t i = 0; i < table_count(); i++) {
		const struct table *table = table_at(i);
		int64_t columns = 0;
		char sql[128];

		while (table->column[columns].name)
			columns++;
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM pragma_table_info('%s')",
			 table->name);
		assert_int_equal(stored_number(&st, sql), columns);
	}
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM sqlite_schema"
					    " WHERE type = 'view'"),
			 table_view_count());
	assert_int_equal(stored_number(&st, "SELECT max(n) + 1 FROM nth"), TABLE_NTH_MAX);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schema_1_opens_and_reads),
		cmocka_unit_test(schema_1_takes_new_runs),
		cmocka_unit_test(the_newest_schema_has_not_changed),
		cmocka_unit_test(every_table_and_column_is_in_the_store),
	};
	const char *golden = getenv("MEMCGLAB_GOLDEN");

	if (golden && strcmp(golden, "write") == 0)
		write_fixture();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
