/*
 * A run's row: what is put in comes back, by reference and in lists, with its
 * figures, expectations and op log.
 */
#include <stdlib.h>
#include <string.h>

#include "stored.h"

static enum err stop_at_first(void *ctx, const struct db_run *run)
{
	*(int64_t *)ctx = run->id;
	return ERR_EXPECT;
}

struct ids {
	int64_t id[8];
	size_t nr;
};

static enum err keep_id(void *ctx, const struct db_run *run)
{
	struct ids *ids = ctx;

	assert_true(ids->nr < 8);
	ids->id[ids->nr++] = run->id;
	return ERR_OK;
}

static struct db_run find(struct stored *st, const char *ref)
{
	struct db_run run;

	if (db_run_find(st->db, ref, &run, &st->diag))
		fail_msg("%s", st->diag.text);
	return run;
}

/* Deleted by hand, a run may leave events behind: no later run takes them for its own. */
static void a_number_is_not_used_again_while_events_have_it(void **state)
{
	struct db_run run = { .scenario = "s", .kernel = "k", .version = "0.1" };
	struct event event = stored_shrink(1);
	char text[STORED_TEXT_MAX];
	struct stored st;
	struct sink *sink;

	(void)state;
	stored_open(&st);
	for (int64_t id = 1; id <= 2; id++) {
		run.id = run.pair = 0;
		assert_int_equal(db_run_begin(st.db, &run, &st.diag), ERR_OK);
		assert_int_equal(run.id, id);
		sink = stored_recorder(&st, id);
		assert_int_equal(sink->event(sink, &event, &st.diag), ERR_OK);
		assert_int_equal(sink->finish(sink, &st.diag), ERR_OK);
		db_recorder_free(sink);
		stored_sql(&st, "DELETE FROM run", text);
	}
	stored_close(&st);
}

static void a_begun_run_comes_back_as_it_was_given(void **state)
{
	struct db_run run = {
		.scenario = "cat-in-100m",
		.kernel = "v2.6.31+scan_batch=reclaim_stat",
		.alias = "batched",
		.seed = UINT64_MAX - 6,
		.version = "0.1",
		.tag = "base",
		.note = "a \"note\" with ünicode",
		.file = "scenarios/cat.lua",
		.text = "return scenario {\n}\n",
		.params = "{\"z\":1,\"a\":2}",
		.machine = "{}",
	};
	struct db_run back;
	struct stored st;

	(void)state;
	stored_open(&st);
	assert_int_equal(db_run_begin(st.db, &run, &st.diag), ERR_OK);
	assert_int_equal(run.id, 1);
	assert_int_equal(run.pair, 1);
	back = find(&st, "1");
	assert_int_equal(back.id, 1);
	assert_string_equal(back.uuid, run.uuid);
	assert_string_equal(back.scenario, run.scenario);
	assert_string_equal(back.kernel, run.kernel);
	assert_string_equal(back.alias, run.alias);
	assert_true(back.seed == run.seed);
	assert_int_equal(back.state, RUN_RUNNING);
	assert_string_equal(back.created, run.created);
	assert_string_equal(back.version, run.version);
	assert_string_equal(back.host, run.host);
	assert_string_equal(back.tag, run.tag);
	assert_string_equal(back.note, run.note);
	assert_null(back.error);
	assert_string_equal(back.file, run.file);
	assert_string_equal(back.text, run.text);
	assert_string_equal(back.params, run.params);
	assert_string_equal(back.machine, run.machine);
	db_run_free(&back);
	stored_close(&st);
}

static void uuids_are_version_4_and_times_are_utc(void **state)
{
	struct stored st;
	struct db_run a, b;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	stored_begin(&st, "x");
	a = find(&st, "1");
	b = find(&st, "2");
	assert_int_equal(strlen(a.uuid), 36);
	assert_int_equal(a.uuid[14], '4');
	assert_non_null(strchr("89ab", a.uuid[19]));
	assert_string_not_equal(a.uuid, b.uuid);
	assert_int_equal(strlen(a.created), 20);
	assert_int_equal(a.created[10], 'T');
	assert_int_equal(a.created[19], 'Z');
	assert_true(a.host[0] != '\0');
	db_run_free(&a);
	db_run_free(&b);
	stored_close(&st);
}

static void the_end_sets_state_figures_error_and_op_log(void **state)
{
	static const char log[] = "op\0log";
	const struct db_end end = { RUN_FAILED, "x.lua:1: no", 123, 45, log, sizeof(log) };
	struct db_run run;
	struct stored st;
	size_t size;
	void *data;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	assert_int_equal(db_run_oplog(st.db, 1, &data, &size, &st.diag), ERR_USAGE);
	assert_null(data);
	assert_int_equal(db_run_end(st.db, 1, &end, &st.diag), ERR_OK);
	run = find(&st, "latest");
	assert_int_equal(run.state, RUN_FAILED);
	assert_string_equal(run.error, "x.lua:1: no");
	assert_int_equal(run.wall_ns, 123);
	assert_int_equal(run.steps, 45);
	db_run_free(&run);
	assert_int_equal(db_run_oplog(st.db, 1, &data, &size, &st.diag), ERR_OK);
	assert_int_equal(size, sizeof(log));
	assert_memory_equal(data, log, size);
	free(data);
	stored_close(&st);
}

static void what_has_ended_keeps_its_state_but_abandoned_may_turn_out_failed(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_end(&st, stored_begin(&st, "x"), RUN_DONE);
	stored_end(&st, 1, RUN_FAILED);
	assert_string_equal(stored_sql(&st, "SELECT state FROM v_runs", text), "done");
	stored_begin(&st, "y");
	stored_sql(&st, "UPDATE run SET state = 'abandoned' WHERE id = 2", text);
	stored_end(&st, 2, RUN_FAILED);
	assert_string_equal(stored_sql(&st, "SELECT state FROM v_runs WHERE run = 2", text),
			    "failed");
	stored_close(&st);
}

static void states_have_the_documented_words(void **state)
{
	(void)state;
	assert_string_equal(run_state_name(RUN_RUNNING), "running");
	assert_string_equal(run_state_name(RUN_DONE), "done");
	assert_string_equal(run_state_name(RUN_FAILED), "failed");
	assert_string_equal(run_state_name(RUN_INTERRUPTED), "interrupted");
	assert_string_equal(run_state_name(RUN_ABANDONED), "abandoned");
}

static void a_text_that_is_run_twice_is_stored_once(void **state)
{
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	stored_begin(&st, "y");
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM script"), 1);
	stored_close(&st);
}

static void references_find_runs(void **state)
{
	struct db_run run;
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "a");
	stored_begin(&st, "b");
	stored_begin(&st, "a");
	stored_begin(&st, "c");
	run = find(&st, "2");
	assert_string_equal(run.scenario, "b");
	db_run_free(&run);
	run = find(&st, "latest");
	assert_int_equal(run.id, 4);
	db_run_free(&run);
	run = find(&st, "latest:a");
	assert_int_equal(run.id, 3);
	db_run_free(&run);
	stored_close(&st);
}

static void a_reference_to_nothing_says_how_many_there_are(void **state)
{
	static const char *const missing[] = { "5", "0", "latest:zz", "999999999999999999" };
	static const char *const wrong[] = {
		"", "x", "-1", "1x", " 1", "latest:", "latestx", "1.5", "99999999999999999999"
	};
	struct db_run run;
	struct stored st;

	(void)state;
	stored_open(&st);
	assert_int_equal(db_run_find(st.db, "latest", &run, &st.diag), ERR_USAGE);
	assert_non_null(strstr(st.diag.text, "no runs yet"));
	stored_begin(&st, "a");
	stored_begin(&st, "a");
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		assert_int_equal(db_run_find(st.db, missing[i], &run, &st.diag), ERR_USAGE);
		assert_non_null(strstr(st.diag.text, "2 runs"));
		assert_non_null(strstr(st.diag.text, missing[i]));
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(db_run_find(st.db, wrong[i], &run, &st.diag), ERR_USAGE);
		assert_non_null(strstr(st.diag.text, "is not a run"));
	}
	stored_close(&st);
}

static void lists_are_newest_first_and_stop_when_told(void **state)
{
	struct ids ids = { .nr = 0 };
	struct stored st;
	int64_t id = 0;

	(void)state;
	stored_open(&st);
	for (int i = 0; i < 5; i++)
		stored_begin(&st, "x");
	assert_int_equal(db_runs(st.db, 0, keep_id, &ids, &st.diag), ERR_OK);
	assert_int_equal(ids.nr, 5);
	assert_int_equal(ids.id[0], 5);
	assert_int_equal(ids.id[4], 1);
	ids.nr = 0;
	assert_int_equal(db_runs(st.db, 2, keep_id, &ids, &st.diag), ERR_OK);
	assert_int_equal(ids.nr, 2);
	assert_int_equal(db_runs(st.db, 0, stop_at_first, &id, &st.diag), ERR_EXPECT);
	assert_int_equal(id, 5);
	stored_close(&st);
}

struct metrics {
	struct db_metric metric[8];
	size_t nr;
};

static enum err keep_metric(void *ctx, const struct db_metric *metric)
{
	struct metrics *all = ctx;

	all->metric[all->nr++] = *metric;
	return ERR_OK;
}

static void metrics_keep_type_and_order(void **state)
{
	const struct db_metric metric[] = {
		{ .name = "z", .unit = "pages", .better = "lower", .integer = INT64_MAX },
		{ .name = "over_scan", .unit = "x", .is_real = true, .real = 32.0 / 6 },
		{ .name = "a", .is_real = true, .real = 2.0 },
		{ .name = "state_hash", .is_text = true, .text = "0123" },
	};
	const struct db_metric again = { .name = "z", .unit = "MB", .integer = -5 };
	struct metrics back = { .nr = 0 };
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	assert_int_equal(db_metrics_add(st.db, 1, metric, 4, &st.diag), ERR_OK);
	assert_int_equal(db_metrics(st.db, 1, keep_metric, &back, &st.diag), ERR_OK);
	assert_int_equal(back.nr, 4);
	assert_string_equal(back.metric[0].name, "z");
	assert_string_equal(back.metric[0].unit, "pages");
	assert_string_equal(back.metric[0].better, "lower");
	assert_true(back.metric[0].integer == INT64_MAX && !back.metric[0].is_real);
	assert_true(back.metric[1].is_real && back.metric[1].real == 32.0 / 6);
	assert_true(back.metric[2].is_real && back.metric[2].real == 2.0);
	assert_true(back.metric[3].is_text);
	assert_string_equal(back.metric[3].text, "0123");

	/* The same name again replaces the figure, in its place. */
	back.nr = 0;
	assert_int_equal(db_metrics_add(st.db, 1, &again, 1, &st.diag), ERR_OK);
	assert_int_equal(db_metrics(st.db, 1, keep_metric, &back, &st.diag), ERR_OK);
	assert_int_equal(back.nr, 4);
	assert_int_equal(back.metric[0].integer, -5);
	assert_string_equal(back.metric[0].unit, "MB");
	stored_close(&st);
}

struct expects {
	size_t nr;
	bool ok[4], has_value[4];
	double value[4];
	char text[4][32];
};

static enum err keep_expect(void *ctx, const struct db_expect *expect)
{
	struct expects *all = ctx;

	all->ok[all->nr] = expect->ok;
	all->has_value[all->nr] = expect->has_value && expect->has_wanted;
	all->value[all->nr] = expect->value;
	strncpy(all->text[all->nr], expect->text, sizeof(all->text[0]) - 1);
	all->nr++;
	return ERR_OK;
}

static void expectations_come_back_in_order(void **state)
{
	char text[STORED_TEXT_MAX], second[] = "usage above limit", first[] = "over_scan";
	const struct db_expect expect[] = {
		{ .text = first,
		  .label = "predicted",
		  .ok = true,
		  .has_value = true,
		  .has_wanted = true,
		  .value = 5.25,
		  .wanted = 5.5 },
		{ .text = second, .ok = false },
	};
	struct expects back = { .nr = 0 };
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	assert_int_equal(db_expects_add(st.db, 1, expect, 1, &st.diag), ERR_OK);
	assert_int_equal(db_expects_add(st.db, 1, expect + 1, 1, &st.diag), ERR_OK);
	assert_int_equal(db_expects(st.db, 1, keep_expect, &back, &st.diag), ERR_OK);
	assert_int_equal(back.nr, 2);
	assert_true(back.ok[0] && back.has_value[0] && back.value[0] == 5.25);
	assert_true(!back.ok[1] && !back.has_value[1]);
	assert_string_equal(back.text[1], second);
	assert_string_equal(stored_sql(&st, "SELECT * FROM v_expect", text),
			    "1|over_scan|predicted|1|5.25|5.5\n1|usage above limit||0|-|-");
	stored_close(&st);
}

static void figures_of_no_run_are_refused(void **state)
{
	const struct db_metric metric = { .name = "z" };
	struct stored st;

	(void)state;
	stored_open(&st);
	assert_int_equal(db_metrics_add(st.db, 9, &metric, 1, &st.diag), ERR_DB);
	assert_non_null(strstr(st.diag.text, "FOREIGN KEY"));
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM metric"), 0);
	stored_close(&st);
}

static void info_counts_runs(void **state)
{
	struct db_info info;
	struct stored st;

	(void)state;
	stored_open(&st);
	stored_begin(&st, "x");
	stored_end(&st, stored_begin(&st, "x"), RUN_INTERRUPTED);
	assert_int_equal(db_info(st.db, &info, &st.diag), ERR_OK);
	assert_int_equal(info.runs, 2);
	assert_int_equal(info.running, 1);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_not_used_again_while_events_have_it),
		cmocka_unit_test(a_begun_run_comes_back_as_it_was_given),
		cmocka_unit_test(uuids_are_version_4_and_times_are_utc),
		cmocka_unit_test(the_end_sets_state_figures_error_and_op_log),
		cmocka_unit_test(what_has_ended_keeps_its_state_but_abandoned_may_turn_out_failed),
		cmocka_unit_test(states_have_the_documented_words),
		cmocka_unit_test(a_text_that_is_run_twice_is_stored_once),
		cmocka_unit_test(references_find_runs),
		cmocka_unit_test(a_reference_to_nothing_says_how_many_there_are),
		cmocka_unit_test(lists_are_newest_first_and_stop_when_told),
		cmocka_unit_test(metrics_keep_type_and_order),
		cmocka_unit_test(expectations_come_back_in_order),
		cmocka_unit_test(figures_of_no_run_are_refused),
		cmocka_unit_test(info_counts_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
