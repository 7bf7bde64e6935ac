/*
 * Who took pages from whom, as stored: rows with paths, largest first, in
 * SQL, JSON and CSV.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "export.h"
#include "stored.h"
#include "taken.h"

enum { OUTPUT_MAX = 1 << 15 };

/* A run in which jobs/cat (3) and the root (1) took pages; group 7 was never named. */
static int64_t fill(struct stored *st)
{
	static const struct db_taken rows[] = {
		{ 3, 3, 96 },
		{ 3, 2, 1000 },
		{ 1, 3, 5 },
		{ 3, 7, 5 },
	};
	struct event event = stored_shrink(1);
	struct sink *sink;
	int64_t id;

	stored_open(st);
	id = stored_begin(st, "cat-in-100m");
	sink = stored_recorder(st, id);
	stored_feed(st, sink, &event);
	event.memcg = 2;
	event.seq = 2;
	stored_feed(st, sink, &event);
	assert_int_equal(db_taken_add(st->db, id, rows, 4, &st->diag), ERR_OK);
	stored_end(st, id, RUN_DONE);
	db_recorder_free(sink);
	return id;
}

static void the_view_has_paths(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	fill(&st);
	assert_string_equal(stored_sql(&st,
				       "SELECT run, \"by\", owner, nr FROM v_taken"
				       " ORDER BY nr DESC, 2, 3",
				       text),
			    "1|jobs/cat|jobs|1000\n1|jobs/cat|jobs/cat|96\n"
			    "1|/|jobs/cat|5\n1|jobs/cat|#7|5");
	stored_close(&st);
}

struct seen {
	char text[256];
	int stop_at;
};

static enum err see(void *ctx, const struct db_taken_row *row)
{
	struct seen *seen = ctx;
	size_t n = strlen(seen->text);

	snprintf(seen->text + n, sizeof(seen->text) - n, "%s<%s:%llu ", row->by, row->owner,
		 (unsigned long long)row->nr);
	return --seen->stop_at == 0 ? ERR_EXPECT : ERR_OK;
}

static void reading_gives_the_largest_first_until_told_to_stop(void **state)
{
	struct seen all = { .stop_at = -1 }, two = { .stop_at = 2 };
	struct stored st;
	int64_t id;

	(void)state;
	id = fill(&st);
	assert_int_equal(db_taken(st.db, id, see, &all, &st.diag), ERR_OK);
	assert_string_equal(all.text, "jobs/cat<jobs:1000 jobs/cat<jobs/cat:96 /<jobs/cat:5 "
				      "jobs/cat<#7:5 ");
	assert_int_equal(db_taken(st.db, id, see, &two, &st.diag), ERR_EXPECT);
	assert_string_equal(two.text, "jobs/cat<jobs:1000 jobs/cat<jobs/cat:96 ");
	stored_close(&st);
}

static void a_pair_has_one_row_and_goes_with_its_run(void **state)
{
	const struct db_taken again = { 3, 2, 1001 };
	char text[STORED_TEXT_MAX];
	struct stored st;
	int64_t id;

	(void)state;
	id = fill(&st);
	assert_int_equal(db_taken_add(st.db, id, &again, 1, &st.diag), ERR_OK);
	assert_int_equal(stored_number(&st, "SELECT nr FROM taken WHERE owner = 2"), 1001);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM taken"), 4);
	stored_sql(&st, "PRAGMA foreign_keys = ON", text);
	assert_int_equal(db_taken_add(st.db, 99, &again, 1, &st.diag), ERR_DB);
	stored_reopen(&st, DB_READ);
	assert_int_equal(db_taken_add(st.db, id, &again, 1, &st.diag), ERR_DB);
	stored_close(&st);
}

static char *exported(struct stored *st,
		      enum err (*export)(struct db *, int64_t, FILE *, struct diag *))
{
	char *text = calloc(1, OUTPUT_MAX);
	FILE *file = tmpfile();

	assert_non_null(text);
	assert_non_null(file);
	assert_int_equal(export(st->db, 1, file, &st->diag), ERR_OK);
	rewind(file);
	assert_true(fread(text, 1, OUTPUT_MAX, file) < OUTPUT_MAX);
	fclose(file);
	return text;
}

static void exports_hold_it(void **state)
{
	const json_t *row;
	struct stored st;
	json_t *run;
	char *text;

	(void)state;
	fill(&st);
	text = exported(&st, export_csv);
	assert_non_null(strstr(text, "\ntable,run,by,owner,nr\ntaken,1,jobs/cat,jobs,1000\n"));
	free(text);
	text = exported(&st, export_json);
	run = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(run);
	assert_int_equal(json_array_size(json_object_get(run, "taken")), 4);
	row = json_array_get(json_object_get(run, "taken"), 0);
	assert_string_equal(json_string_value(json_object_get(row, "by")), "jobs/cat");
	assert_string_equal(json_string_value(json_object_get(row, "owner")), "jobs");
	assert_int_equal(json_integer_value(json_object_get(row, "nr")), 1000);
	json_decref(run);
	free(text);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_view_has_paths),
		cmocka_unit_test(reading_gives_the_largest_first_until_told_to_stop),
		cmocka_unit_test(a_pair_has_one_row_and_goes_with_its_run),
		cmocka_unit_test(exports_hold_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
