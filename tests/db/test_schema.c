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
#include <unistd.h>

#include "printed.h"
#include "provenance.h"
#include "stored.h"
#include "table.h"

#define NEWEST "tests/db/schema_4.txt"

enum { FIXTURE_MAX = 1 << 17 };

static const char schema_sql[] = "SELECT type, name, sql FROM sqlite_schema"
				 " WHERE sql IS NOT NULL ORDER BY rowid";

/* What schema 4 keeps beside the run itself. */
static void fill_provenance(struct stored *st)
{
	const struct db_program program = { 1, "gcc 12, -O2" };
	const struct db_library library = { "lib.compile", "return {}" };
	const struct db_keyframe keyframe[] = {
		{ 16, "00000000000000000000000000000016" },
		{ 34, "00000000000000000000000000000034" },
	};
	char text[STORED_TEXT_MAX];

	if (db_program_add(st->db, 1, &program, &st->diag) ||
	    db_libraries_add(st->db, 1, &library, 1, &st->diag) ||
	    db_keyframes_add(st->db, 1, keyframe, 2, &st->diag))
		fail_msg("%s", st->diag.text);
	stored_sql(st, "INSERT INTO baseline VALUES ('cat-in-100m', 1)", text);
}

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
	fill_provenance(st);
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
	snprintf(command, sizeof(command), "sqlite3 %s .dump > " NEWEST, st.path);
	assert_int_equal(system(command), 0);
	stored_close(&st);
}

/* The database of a fixture, as a file; nothing of ours has seen it yet. */
static void make_fixture(struct stored *st, int version)
{
	char *text = calloc(1, FIXTURE_MAX), ids[128], path[64];
	FILE *file;
	sqlite3 *base;

	snprintf(path, sizeof(path), "tests/db/schema_%d.txt", version);
	file = fopen(path, "r");
	assert_non_null(text);
	assert_non_null(file);
	assert_true(fread(text, 1, FIXTURE_MAX, file) < FIXTURE_MAX);
	fclose(file);
	stored_new(st);
	assert_int_equal(sqlite3_open(st->path, &base), SQLITE_OK);
	/* What a dump does not hold. */
	snprintf(ids, sizeof(ids),
		 "PRAGMA journal_mode=WAL; PRAGMA application_id=%d;"
		 " PRAGMA user_version=%d",
		 0x6d63674c, version);
	if (sqlite3_exec(base, text, NULL, NULL, NULL) || sqlite3_exec(base, ids, NULL, NULL, NULL))
		fail_msg("%s", sqlite3_errmsg(base));
	sqlite3_close(base);
	free(text);
}

static void open_fixture(struct stored *st, int version)
{
	make_fixture(st, version);
	stored_reopen(st, DB_WRITE);
}

static void reads_as_it_was_written(int version)
{
	char text[STORED_TEXT_MAX];
	struct stored st;
	struct db_run run;

	open_fixture(&st, version);
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
	assert_string_equal(stored_sql(&st, "SELECT run, file FROM v_files ORDER BY 1, 2", text),
			    version < 4 ? "1|scenarios/x.lua\n2|scenarios/x.lua\n3|scenarios/x.lua"
					: "1|scenarios/x.lua\n1|scripts/lib/compile.lua\n"
					  "2|scenarios/x.lua\n3|scenarios/x.lua");
	assert_string_equal(stored_sql(&st, "SELECT step, hash FROM v_keyframes", text),
			    version < 4 ? ""
					: "16|00000000000000000000000000000016\n"
					  "34|00000000000000000000000000000034");
	if (db_backup(st.db)[0])
		unlink(db_backup(st.db));
	stored_close(&st);
}

static void every_schema_opens_and_reads(void **state)
{
	(void)state;
	for (int version = 1; version <= TABLE_SCHEMA; version++)
		reads_as_it_was_written(version);
}

/* Schema 1 had neither the table log nor, in its first days, the table taken. */
static void schema_1_is_copied_and_then_brought_up_to_date(void **state)
{
	char text[STORED_TEXT_MAX], backup[256];
	struct stored st;
	sqlite3 *base;

	(void)state;
	open_fixture(&st, 1);
	snprintf(backup, sizeof(backup), "%s.before-schema-4", st.path);
	assert_string_equal(db_backup(st.db), backup);
	assert_int_equal(stored_number(&st, "PRAGMA user_version"), TABLE_SCHEMA);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_taken"), 0);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_log"), 0);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_published"), 0);
	assert_int_equal(db_printed_add(st.db, 1, "one\n\nthree\n", &st.diag), ERR_OK);
	assert_string_equal(stored_sql(&st, "SELECT run, nr, text FROM v_log", text),
			    "1|1|one\n1|2|\n1|3|three");
	/* The copy is a store of schema 1 with all that there was. */
	assert_int_equal(sqlite3_open(backup, &base), SQLITE_OK);
	sqlite3_close(base);
	snprintf(text, sizeof(text),
		 "test \"$(sqlite3 '%s' 'PRAGMA user_version; SELECT count(*) "
		 "FROM v_scan; SELECT count(*) FROM sqlite_schema WHERE name = %clog%c')\" = "
		 "\"$(printf '1\\n100\\n0')\"",
		 backup, '"', '"');
	assert_int_equal(system(text), 0);
	/* Once is enough. */
	stored_reopen(&st, DB_WRITE);
	assert_string_equal(db_backup(st.db), "");
	unlink(backup);
	stored_close(&st);
}

static void an_existing_copy_is_never_written_over(void **state)
{
	char first[256], second[256];
	struct stored st;
	FILE *file;

	(void)state;
	make_fixture(&st, 1);
	snprintf(first, sizeof(first), "%s.before-schema-4", st.path);
	snprintf(second, sizeof(second), "%s.before-schema-4.2", st.path);
	file = fopen(first, "w");
	assert_non_null(file);
	fputs("mine", file);
	fclose(file);
	stored_reopen(&st, DB_WRITE);
	assert_string_equal(db_backup(st.db), second);
	file = fopen(first, "r");
	assert_non_null(file);
	assert_int_equal(fgetc(file), 'm');
	fclose(file);
	unlink(first);
	unlink(second);
	stored_close(&st);
}

/* A store of our own version that lacks a table: some builds made such. */
static void a_missing_table_is_added(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	open_fixture(&st, 2);
	stored_sql(&st, "DROP VIEW v_taken", text);
	stored_sql(&st, "DROP TABLE taken", text);
	stored_reopen(&st, DB_WRITE);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_taken"), 0);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_scan"), 100);
	unlink(db_backup(st.db));
	stored_close(&st);
}

static void schema_1_takes_new_runs(void **state)
{
	struct event event = stored_shrink(1);
	struct stored st;
	struct sink *sink;
	int64_t id;

	(void)state;
	open_fixture(&st, 1);
	unlink(db_backup(st.db));
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
	open_fixture(&old, TABLE_SCHEMA);
	stored_open(&new);
	assert_int_equal(TABLE_SCHEMA, 4);
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
		cmocka_unit_test(every_schema_opens_and_reads),
		cmocka_unit_test(schema_1_is_copied_and_then_brought_up_to_date),
		cmocka_unit_test(an_existing_copy_is_never_written_over),
		cmocka_unit_test(a_missing_table_is_added),
		cmocka_unit_test(schema_1_takes_new_runs),
		cmocka_unit_test(the_newest_schema_has_not_changed),
		cmocka_unit_test(every_table_and_column_is_in_the_store),
	};
	const char *golden = getenv("MEMCGLAB_GOLDEN");

	if (golden && strcmp(golden, "write") == 0)
		write_fixture();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
