/*
 * What users say of runs, and runs that go: nothing of them is left, and
 * nothing of others is lost.
 */
#include <stdio.h>
#include <string.h>

#include "annotate.h"
#include "provenance.h"
#include "discard.h"
#include "stored.h"
#include "table.h"

static enum err change(struct stored *st, int64_t id, const char *tags, bool remove, char *now)
{
	const struct db_tagging tagging = { tags, remove, false };

	return db_tags_change(st->db, id, &tagging, now, &st->diag);
}

static void tag(struct stored *st, int64_t id, const char *tags, bool remove, const char *wanted)
{
	char now[DB_WORD_MAX], text[STORED_TEXT_MAX], sql[64];

	if (change(st, id, tags, remove, now))
		fail_msg("%s", st->diag.text);
	assert_string_equal(now, wanted);
	snprintf(sql, sizeof(sql), "SELECT tag FROM v_runs WHERE run = %d", (int)id);
	assert_string_equal(stored_sql(st, sql, text), wanted[0] ? wanted : "-");
}

static void tags_are_words_added_once_and_removed_by_name(void **state)
{
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	tag(&st, 1, "base", false, "base");
	tag(&st, 1, "nightly base  b", false, "base nightly b");
	tag(&st, 1, "bas", true, "base nightly b");
	tag(&st, 1, "base nosuch", true, "nightly b");
	tag(&st, 1, "", false, "nightly b");
	tag(&st, 1, " ", true, "");
	stored_close(&st);
}

static void more_tags_than_a_row_holds_are_refused_and_none_is_lost(void **state)
{
	char many[DB_WORD_MAX + 1], now[DB_WORD_MAX], text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	tag(&st, 1, "base", false, "base");
	memset(many, 'x', sizeof(many) - 1);
	many[DB_WORD_MAX - 5] = '\0';
	assert_int_equal(change(&st, 1, many, false, now), ERR_USAGE);
	assert_non_null(strstr(st.diag.text, "127 bytes at most"));
	assert_string_equal(stored_sql(&st, "SELECT tag FROM v_runs", text), "base");
	many[DB_WORD_MAX - 6] = '\0';
	assert_int_equal(change(&st, 1, many, false, now), ERR_OK);
	assert_int_equal(strlen(now), DB_WORD_MAX - 1);
	stored_close(&st);
}

static void a_note_is_set_and_removed(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	assert_int_equal(db_note_set(st.db, 1, "it's \"the\" first", &st.diag), ERR_OK);
	assert_string_equal(stored_sql(&st, "SELECT note FROM v_runs", text), "it's \"the\" first");
	assert_int_equal(db_note_set(st.db, 1, "", &st.diag), ERR_OK);
	assert_string_equal(stored_sql(&st, "SELECT note FROM v_runs", text), "-");
	assert_int_equal(db_note_set(st.db, 9, "x", &st.diag), ERR_USAGE);
	assert_int_equal(change(&st, 9, "x", false, text), ERR_USAGE);
	stored_close(&st);
}

/* The id that a reference finds, 0 if it finds none. */
static int64_t found(struct stored *st, const char *ref)
{
	struct db_run run;
	enum err err = db_run_find(st->db, ref, &run, &st->diag);
	int64_t id = run.id;

	db_run_free(&run);
	return err == ERR_OK ? id : 0;
}

static void a_scenario_has_one_baseline_which_a_reference_finds(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "a");
	stored_begin(&st, "b");
	stored_begin(&st, "a");
	assert_int_equal(found(&st, "baseline:a"), 0);
	assert_non_null(strstr(st.diag.text, "memcglab baseline set RUN"));
	assert_int_equal(db_baseline_set(st.db, 1, &st.diag), ERR_OK);
	assert_int_equal(db_baseline_set(st.db, 2, &st.diag), ERR_OK);
	assert_int_equal(found(&st, "baseline:a"), 1);
	assert_int_equal(db_baseline_set(st.db, 3, &st.diag), ERR_OK);
	assert_int_equal(found(&st, "baseline:a"), 3);
	assert_int_equal(found(&st, "baseline:b"), 2);
	assert_string_equal(stored_sql(&st, "SELECT run, baseline FROM v_runs ORDER BY run", text),
			    "1|0\n2|1\n3|1");
	assert_int_equal(db_baseline_clear(st.db, "a", &st.diag), ERR_OK);
	assert_int_equal(found(&st, "baseline:a"), 0);
	assert_int_equal(db_baseline_clear(st.db, "a", &st.diag), ERR_USAGE);
	assert_int_equal(db_baseline_set(st.db, 9, &st.diag), ERR_USAGE);
	stored_close(&st);
}

/* Rows of every kind: events that repeat, a mark, samples, figures, libraries, keyframes. */
static void fill_run(struct stored *st, const char *name, int64_t pair, enum run_state state)
{
	struct db_run run = { .kernel = "k", .version = "0.1", .pair = pair };
	const struct db_metric metric = { .name = "over_scan", .is_real = true, .real = 2 };
	const struct db_library library = { "lib.compile", "return {}" };
	const struct db_keyframe keyframe = { 16, "00000000000000000000000000000016" };
	const struct sample sample = { .t_ns = 9, .step = 1, .memcg = 2, .usage = 25600 };
	struct event event;
	struct sink *sink;
	char text[64];

	snprintf(text, sizeof(text), "return '%s'", name);
	run.text = text;
	snprintf(run.scenario, sizeof(run.scenario), "%s", name);
	if (db_run_begin(st->db, &run, &st->diag))
		fail_msg("%s", st->diag.text);
	sink = stored_recorder(st, run.id);
	for (uint64_t i = 1; i <= 50; i++) {
		event = stored_shrink(i);
		stored_feed(st, sink, &event);
	}
	event = (struct event){ .seq = 51, .kind = EVENT_MARK, .text = "end of file" };
	stored_feed(st, sink, &event);
	if (sink->sample(sink, &sample, &st->diag) ||
	    db_metrics_add(st->db, run.id, &metric, 1, &st->diag) ||
	    db_libraries_add(st->db, run.id, &library, 1, &st->diag) ||
	    db_keyframes_add(st->db, run.id, &keyframe, 1, &st->diag))
		fail_msg("%s", st->diag.text);
	if (state == RUN_DONE)
		stored_end(st, run.id, RUN_DONE);
	if (sink->finish(sink, &st->diag))
		fail_msg("%s", st->diag.text);
	db_recorder_free(sink);
}

/* Rows of all tables that are a run's; those that name kinds, rules and lists stay. */
static int64_t rows_of_runs(const struct stored *st)
{
	static const char *const shared[] = { "kind", "rule", "list", "nth", "figure" };
	int64_t n = 0;

	for (size_t i = 0; i < table_count(); i++) {
		char sql[64];
		bool counts = true;

		for (size_t k = 0; k < 5; k++)
			counts &= strcmp(shared[k], table_at(i)->name) != 0;
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM \"%s\"", table_at(i)->name);
		n += counts ? stored_number(st, sql) : 0;
	}
	return n;
}

static void nothing_of_a_deleted_run_is_left(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;
	int64_t before;

	(void)state;
	stored_open(&st);
	fill_run(&st, "a", 0, RUN_DONE);
	before = rows_of_runs(&st);
	assert_true(before > 8);
	fill_run(&st, "b", 0, RUN_DONE);
	assert_int_equal(db_baseline_set(st.db, 2, &st.diag), ERR_OK);
	assert_int_equal(db_run_remove(st.db, 2, &st.diag), ERR_OK);
	assert_int_equal(db_texts_remove(st.db, &st.diag), ERR_OK);
	assert_int_equal(rows_of_runs(&st), before);
	assert_string_equal(stored_sql(&st, "SELECT DISTINCT run FROM v_events", text), "1");
	assert_string_equal(stored_sql(&st, "PRAGMA foreign_key_check", text), "");
	assert_int_equal(db_run_remove(st.db, 1, &st.diag), ERR_OK);
	assert_int_equal(db_texts_remove(st.db, &st.diag), ERR_OK);
	assert_int_equal(rows_of_runs(&st), 0);
	assert_int_equal(db_run_remove(st.db, 1, &st.diag), ERR_USAGE);
	stored_close(&st);
}

static void the_rest_of_a_pair_goes_by_the_first_that_is_left(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	fill_run(&st, "a", 0, RUN_DONE);
	fill_run(&st, "a", 1, RUN_DONE);
	fill_run(&st, "a", 1, RUN_DONE);
	stored_sql(&st, "UPDATE run SET parent = 1, step = 5 WHERE id = 3", text);
	assert_int_equal(db_run_remove(st.db, 1, &st.diag), ERR_OK);
	assert_string_equal(stored_sql(&st, "SELECT id, pair, parent, step FROM run", text),
			    "2|2|-|-\n3|2|-|-");
	stored_close(&st);
}

static void a_running_run_is_never_deleted(void **state)
{
	struct stored st;

	(void)state;
	stored_open(&st);
	fill_run(&st, "a", 0, RUN_RUNNING);
	assert_int_equal(db_run_remove(st.db, 1, &st.diag), ERR_USAGE);
	assert_non_null(strstr(st.diag.text, "is running"));
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_marks"), 1);
	stored_close(&st);
}

static enum err keep_id(void *ctx, const struct db_run *run)
{
	char *out = ctx;

	snprintf(out + strlen(out), 64 - strlen(out), "%s%lld", out[0] ? " " : "",
		 (long long)run->id);
	return ERR_OK;
}

static void prunable(struct stored *st, uint64_t keep, const char *wanted)
{
	char ids[64] = "";

	assert_int_equal(db_runs_prunable(st->db, keep, keep_id, ids, &st->diag), ERR_OK);
	assert_string_equal(ids, wanted);
}

static void a_clean_up_spares_what_is_marked_new_or_running(void **state)
{
	char now[DB_WORD_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	for (int i = 0; i < 8; i++)
		fill_run(&st, "a", 0, i == 3 ? RUN_RUNNING : RUN_DONE);
	assert_int_equal(db_baseline_set(st.db, 1, &st.diag), ERR_OK);
	assert_int_equal(change(&st, 2, "base", false, now), ERR_OK);
	assert_int_equal(db_note_set(st.db, 3, "remember", &st.diag), ERR_OK);
	prunable(&st, 2, "5 6");
	prunable(&st, 0, "5 6 7 8");
	prunable(&st, 8, "");
	prunable(&st, UINT64_MAX, "");
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_are_words_added_once_and_removed_by_name),
		cmocka_unit_test(more_tags_than_a_row_holds_are_refused_and_none_is_lost),
		cmocka_unit_test(a_note_is_set_and_removed),
		cmocka_unit_test(a_scenario_has_one_baseline_which_a_reference_finds),
		cmocka_unit_test(nothing_of_a_deleted_run_is_left),
		cmocka_unit_test(the_rest_of_a_pair_goes_by_the_first_that_is_left),
		cmocka_unit_test(a_running_run_is_never_deleted),
		cmocka_unit_test(a_clean_up_spares_what_is_marked_new_or_running),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
