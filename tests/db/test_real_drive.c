/*
 * Workloads on the model: whose turn it is, what a mark and a flush do, and
 * what ends, blocks or wakes a task.
 */
#include "recorded.h"

#include <stdio.h>
#include <string.h>

#include "real_drive.h"

/* A page read for the first time is added, so additions tell who acted in which phase. */
static int64_t added(const struct recorded *rec, unsigned no, const char *phase, const char *who,
		     const char *file)
{
	char counter[REAL_WORD_MAX];

	snprintf(counter, sizeof(counter), "added:%s", file);
	return recorded_value(rec, no, phase, who, counter);
}

#define TWO_FILES "g g - limit=64M\nf fa o0 100\nf fb o0 100\n"
#define OPEN "open:0:@fa:random open:1:@fb:random "

static void tasks_take_turns_of_their_quantum(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\n" TWO_FILES "t A g 1 4 " OPEN "seq:0:0:6:1 mark:a\n"
			    "t B g 1 2 " OPEN "seq:1:0:9:1 mark:b\n");
	recorded_predict(&rec, "e", NULL);
	/* A 4, B 2, and A's last 2 with its mark in the same turn. */
	assert_int_equal(added(&rec, 1, "a", "A", "fa"), 6);
	assert_int_equal(added(&rec, 1, "a", "B", "fb"), 2);
	assert_int_equal(added(&rec, 2, "b", "B", "fb"), 7);
	assert_int_equal(added(&rec, 3, "exit", "B", "fb"), 0);
	recorded_close(&rec);
}

/* A's quantum is used up by its last read: B reads first, then A marks. */
static void a_turn_ends_with_its_last_access_and_not_behind_the_mark(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\n" TWO_FILES "t A g 1 4 " OPEN "seq:0:0:8:1 mark:a\n"
			    "t B g 1 2 " OPEN "seq:1:0:4:1 mark:b\n");
	recorded_predict(&rec, "e", NULL);
	assert_int_equal(added(&rec, 1, "a", "A", "fa"), 8);
	assert_int_equal(added(&rec, 1, "a", "B", "fb"), 4);
	recorded_close(&rec);
}

static void a_turn_spans_operations_and_ops_of_all_kinds_count(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\n" TWO_FILES "t A g 1 5 " OPEN
			    "seq:0:0:2:1 anon:0:2:1:w seq:0:50:3:1 mark:a\n"
			    "t B g 1 100 " OPEN "seqb:1:0:3:1:1024 mark:b seq:1:50:1:1\n");
	recorded_predict(&rec, "e", NULL);
	/* A reads 2, writes 2, reads 1; B ends with a mark; A reads 2 more. */
	assert_int_equal(added(&rec, 1, "b", "A", "fa"), 3);
	assert_int_equal(recorded_value(&rec, 1, "b", "g", "rss"), 2);
	assert_int_equal(added(&rec, 1, "b", "B", "fb"), 3);
	assert_int_equal(added(&rec, 2, "a", "A", "fa"), 2);
	assert_int_equal(added(&rec, 2, "a", "B", "fb"), 1);
	recorded_close(&rec);
}

static void a_free_task_that_sleeps_lets_the_other_go_on(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\n" TWO_FILES "t A g 1 0 " OPEN "seq:0:0:10:1 mark:a\n"
			    "t v - 0 0 sleep:1000 mark:late\n");
	recorded_predict(&rec, "e", NULL);
	assert_int_equal(added(&rec, 1, "a", "A", "fa"), 10);
	assert_int_equal(added(&rec, 2, "late", "A", "fa"), 0);
	assert_true(real_free_running(recorded_find(&rec, "e")));
	assert_non_null(strstr(rec.prediction.note, "free-running"));
	recorded_close(&rec);
}

static void a_mark_lists_what_the_cpu_has_queued(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\n" TWO_FILES "t A g 1 0 " OPEN "seq:0:0:5:1 mark:a\n");
	recorded_predict(&rec, "e", NULL);
	assert_int_equal(recorded_value(&rec, 0, "start", "g", "inactive_file"), 0);
	assert_int_equal(recorded_value(&rec, 1, "a", "g", "inactive_file"), 5);
	assert_int_equal(recorded_value(&rec, 1, "a", "g", "cache"), 5);
	recorded_close(&rec);
}

static void phases_of_one_name_are_told_apart_by_their_number(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec,
		      "exp e\n" TWO_FILES "t A g 1 0 " OPEN "rep:3:2 seq:0:0:5:1 mark:pass\n");
	recorded_predict(&rec, "e", NULL);
	assert_int_equal(added(&rec, 1, "pass", "A", "fa"), 5);
	assert_int_equal(added(&rec, 3, "pass", "A", "fa"), 0);
	for (size_t i = 0; i < rec.prediction.figures.nr; i++) {
		const struct real_figure *f = &rec.prediction.figures.figure[i];

		if (strcmp(f->phase, "pass") == 0)
			assert_int_equal(f->occurrence, f->no - 1);
	}
	recorded_close(&rec);
}

#define SMALL "exp e\ng g - limit=4M\nf fa o0 4096\nt w g 1 0 open:0:@fa:random "

/* Judged by stale figures without, by newer ones with a flush. */
static void a_recorded_flush_changes_what_reclaim_does(void **state)
{
	struct real_flush early = { 1, 2000 }, never = { 1, 9999999 };
	struct real_flushes flushes = { &early, 1, 1 };
	int64_t without, with;
	struct recorded rec;

	(void)state;
	recorded_text(&rec, SMALL "zipf:0:4096:1000:20000:5 mark:m\n");
	recorded_predict(&rec, "e", NULL);
	without = added(&rec, 1, "m", "w", "fa");
	recorded_predict(&rec, "e", &flushes);
	with = added(&rec, 1, "m", "w", "fa");
	assert_int_not_equal(with, without);
	flushes.flush = &never;
	recorded_predict(&rec, "e", &flushes);
	assert_int_equal(added(&rec, 1, "m", "w", "fa"), without);
	recorded_close(&rec);
}

/* A second flush right behind the first changes nothing; far behind it does. */
static void each_of_several_flushes_of_a_phase_happens(void **state)
{
	struct real_flush two[] = { { 1, 2000 }, { 1, 2000 } };
	struct real_flushes flushes = { two, 1, 1 };
	int64_t one;
	struct recorded rec;

	(void)state;
	recorded_text(&rec, SMALL "zipf:0:4096:1000:20000:5 mark:m\n");
	recorded_predict(&rec, "e", &flushes);
	one = added(&rec, 1, "m", "w", "fa");
	flushes.nr = 2;
	recorded_predict(&rec, "e", &flushes);
	assert_int_equal(added(&rec, 1, "m", "w", "fa"), one);
	two[1].at = 4000;
	recorded_predict(&rec, "e", &flushes);
	assert_int_not_equal(added(&rec, 1, "m", "w", "fa"), one);
	recorded_close(&rec);
}

static void a_killed_task_ends_its_phase_and_does_nothing_more(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\ng g - limit=1M\n"
			    "t w g 1 0 anon:0:100:1:w mark:below anon:0:1000:1:w mark:never\n");
	recorded_predict(&rec, "e", NULL);
	assert_int_equal(recorded_value(&rec, 1, "below", "g", "rss"), 100);
	assert_int_equal(recorded_value(&rec, 2, "killed", "g", "rss"), 0);
	assert_int_equal(recorded_value(&rec, 2, "killed", "g", "oom_kill"), 1);
	assert_true(recorded_value(&rec, 2, "killed", "w", "calls_empty") > 0);
	assert_false(recorded_has(&rec, "never", "w"));
	assert_true(recorded_has(&rec, "exit", "w"));
	recorded_close(&rec);
}

static void a_task_blocked_at_its_limit_goes_on_when_it_is_raised(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\ng g - limit=1M oomdis=1\n"
			    "t w g 1 0 anon:0:600:1:w mark:after\n"
			    "t v - 0 0 sleep:1500 mark:blocked ctl:limit:g:4M\n");
	recorded_predict(&rec, "e", NULL);
	assert_in_range(recorded_value(&rec, 1, "blocked", "g", "rss"), 200, 256);
	assert_int_equal(recorded_value(&rec, 1, "blocked", "g", "under_oom"), 1);
	assert_int_equal(recorded_value(&rec, 2, "after", "g", "rss"), 600);
	assert_int_equal(recorded_value(&rec, 2, "after", "g", "limit"), 1024);
	recorded_close(&rec);
}

static void a_task_that_stays_blocked_is_told(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\ng g - limit=1M oomdis=1\nt w g 1 0 anon:0:600:1:w\n");
	recorded_predict(&rec, "e", NULL);
	assert_non_null(strstr(rec.prediction.note, "a task is blocked at the end"));
	recorded_close(&rec);
}

/* The controller's reclaim is its own, and its row is there only then. */
static void a_limit_is_written_by_the_controller(void **state)
{
	struct recorded rec;

	(void)state;
	recorded_text(&rec, "exp e\ng g - limit=4M\nf fa o0 1000\n"
			    "t w g 1 0 open:0:@fa:random seq:0:0:900:1 mark:full "
			    "ctl:limit:g:1M mark:low\n");
	recorded_predict(&rec, "e", NULL);
	assert_false(recorded_has(&rec, "full", "ctl"));
	assert_true(recorded_value(&rec, 2, "low", "ctl", "f_reclaimed") > 600);
	assert_int_equal(recorded_value(&rec, 2, "low", "w", "calls"), 0);
	assert_true(recorded_value(&rec, 2, "low", "g", "usage") <= 256);
	recorded_close(&rec);
}

/* Sums of parts: what was added and evicted is what charges say. */
static void counters_of_one_phase_agree_with_each_other(void **state)
{
	int64_t in_cache;
	struct recorded rec;

	(void)state;
	recorded_text(&rec, SMALL "uni:0:4096:9000:3 mark:m\n");
	recorded_predict(&rec, "e", NULL);
	in_cache = added(&rec, 1, "m", "w", "fa") - recorded_value(&rec, 1, "m", "w", "deleted:fa");
	assert_int_equal(recorded_value(&rec, 1, "m", "g", "cache"), in_cache);
	assert_int_equal(recorded_value(&rec, 1, "m", "g", "pgpgin"),
			 added(&rec, 1, "m", "w", "fa"));
	assert_int_equal(recorded_value(&rec, 1, "m", "w", "f_reclaimed"),
			 recorded_value(&rec, 1, "m", "w", "deleted:fa"));
	assert_int_equal(recorded_value(&rec, 1, "m", "w", "f_taken"),
			 recorded_value(&rec, 1, "m", "w", "f_reclaimed") +
				 recorded_value(&rec, 1, "m", "w", "f_activated") +
				 recorded_value(&rec, 1, "m", "w", "f_kept"));
	recorded_close(&rec);
}

/* What a folder can ask for and the model has not got, besides operations. */
static void nothing_of_the_language_is_missing(void **state)
{
	static const char *const cases[] = {
		"t w g 1 0 anon:0:9:1:r\n",
		"t w g 1 0 anon:0:8:1:w anon:0:9:1:r\n",
		"t w g 1 0 open:0:@fa:random open:1:@fa:random\n",
		"t w g 1 0 open:0:@fa:seq fadv:0:noreuse:0:0 mseq:0:0:9:1\n",
		"t w g 1 0 anon:0:9:1:w adv:0:cold:0:9 adv:0:MADV_FREE:0:9 adv:1:random:0:4\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[512], missing[REAL_TEXT_MAX];
		struct recorded rec;

		snprintf(text, sizeof(text), "exp e\n" TWO_FILES "%s", cases[i]);
		recorded_text(&rec, text);
		assert_false(real_missing(recorded_find(&rec, "e"), missing));
		assert_string_equal(missing, "");
		recorded_predict(&rec, "e", NULL);
		recorded_close(&rec);
	}
}

static bool at_once(void *ctx)
{
	(void)ctx;
	return true;
}

static void a_run_can_be_stopped(void **state)
{
	struct real_watch watch = { NULL, at_once };
	struct recorded rec;

	(void)state;
	recorded_text(&rec, SMALL "uni:0:4096:90000:3 mark:m\n");
	assert_int_equal(real_predict(recorded_find(&rec, "e"), NULL, &watch, &rec.prediction,
				      &rec.diag),
			 ERR_INTERRUPTED);
	recorded_close(&rec);
}

/* One operation of each kind, alone in an experiment. */
static const char *const samples[NR_REAL_OPS] = {
	[REAL_SEQ] = "seq:0:0:4:1", [REAL_SEQB] = "seqb:0:0:4:1:512", [REAL_NC] = "nc:0:0:4:1",
	[REAL_UNI] = "uni:0:4:4:1", [REAL_ZIPF] = "zipf:0:4:900:4:1",
	[REAL_MSEQ] = "mseq:0:0:4:1", [REAL_MZIPF] = "mzipf:0:4:900:4:1",
	[REAL_ANON] = "anon:0:4:1:w", [REAL_AUNI] = "auni:0:4:4:1",
	[REAL_ADV] = "adv:0:cold:0:1", [REAL_WRITE] = "write:0:0:4:1", [REAL_FSYNC] = "fsync:0",
	[REAL_FADV] = "fadv:0:dontneed:0:4", [REAL_SLEEP] = "sleep:1",
	[REAL_LIMIT] = "ctl:limit:g:2M", [REAL_FORCE_EMPTY] = "ctl:force_empty:g",
};

static void an_operation_runs_or_is_named_as_missing(void **state)
{
	(void)state;
	for (int kind = 0; kind < NR_REAL_OPS; kind++) {
		char text[512], missing[REAL_TEXT_MAX];
		struct recorded rec;
		bool misses;

		if (samples[kind] == NULL)
			continue;
		snprintf(text, sizeof(text), SMALL "%s mark:m\n", samples[kind]);
		recorded_text(&rec, text);
		misses = real_missing(recorded_find(&rec, "e"), missing);
		assert_int_equal(misses, !real_drive_can(kind));
		if (misses) {
			assert_string_equal(missing, real_op_name(kind));
			assert_int_equal(real_predict(recorded_find(&rec, "e"), NULL, NULL,
						      &rec.prediction, &rec.diag),
					 ERR_IMPORT);
			assert_non_null(strstr(rec.diag.text, real_op_name(kind)));
		} else {
			recorded_predict(&rec, "e", NULL);
			assert_true(recorded_has(&rec, "m", "w"));
		}
		recorded_close(&rec);
	}
}

static void the_same_workload_is_predicted_the_same(void **state)
{
	struct real_figures first;
	struct recorded rec;

	(void)state;
	recorded_text(&rec, SMALL "zipf:0:4096:900:9000:3 mark:m\n");
	recorded_predict(&rec, "e", NULL);
	first = rec.prediction.figures;
	rec.prediction.figures = (struct real_figures){ NULL, 0, 0 };
	recorded_predict(&rec, "e", NULL);
	assert_int_equal(first.nr, rec.prediction.figures.nr);
	for (size_t i = 0; i < first.nr; i++)
		assert_int_equal(first.figure[i].value, rec.prediction.figures.figure[i].value);
	real_prediction_free(&(struct real_prediction){ .figures = first });
	recorded_close(&rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tasks_take_turns_of_their_quantum),
		cmocka_unit_test(a_turn_ends_with_its_last_access_and_not_behind_the_mark),
		cmocka_unit_test(a_turn_spans_operations_and_ops_of_all_kinds_count),
		cmocka_unit_test(a_free_task_that_sleeps_lets_the_other_go_on),
		cmocka_unit_test(a_mark_lists_what_the_cpu_has_queued),
		cmocka_unit_test(phases_of_one_name_are_told_apart_by_their_number),
		cmocka_unit_test(a_recorded_flush_changes_what_reclaim_does),
		cmocka_unit_test(each_of_several_flushes_of_a_phase_happens),
		cmocka_unit_test(a_killed_task_ends_its_phase_and_does_nothing_more),
		cmocka_unit_test(a_task_blocked_at_its_limit_goes_on_when_it_is_raised),
		cmocka_unit_test(a_task_that_stays_blocked_is_told),
		cmocka_unit_test(a_limit_is_written_by_the_controller),
		cmocka_unit_test(counters_of_one_phase_agree_with_each_other),
		cmocka_unit_test(nothing_of_the_language_is_missing),
		cmocka_unit_test(a_run_can_be_stopped),
		cmocka_unit_test(an_operation_runs_or_is_named_as_missing),
		cmocka_unit_test(the_same_workload_is_predicted_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
