/*
 * The model of a side: its ring of shrink calls, its sums, the newest
 * reclaim, the time line, and the group that a view shows; then the words
 * that explain a reclaim.
 */
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "pictures.h"
#include "rig.h"

static void send(struct model_side *side, struct event event)
{
	assert_int_equal(side->sink.event(&side->sink, &event, NULL), ERR_OK);
}

static void shrink(struct model_side *side, uint64_t step, int64_t asked)
{
	send(side, (struct event){ .kind = EVENT_SHRINK,
				   .step = step,
				   .memcg = 3,
				   .rule = RULE_SCAN_DIRECT,
				   .n = { LRU_INACTIVE_FILE, 25535, 12, asked, 32, 32, 30 } });
}

static void hit(struct model_side *side, uint64_t step)
{
	send(side, (struct event){ .kind = EVENT_LIMIT_HIT,
				   .step = step,
				   .memcg = 3,
				   .rule = RULE_CHARGE_LIMIT,
				   .n = { 3, 25600, 25600, 9, 1 } });
}

static void ended(struct model_side *side, uint64_t step)
{
	send(side, (struct event){ .kind = EVENT_RECLAIM,
				   .step = step,
				   .memcg = 3,
				   .n = { 3, 12, 32, 30, 1 } });
}

static struct model_side *new_side(uint64_t steps_total)
{
	struct model_side *side = calloc(1, sizeof(*side));

	assert_non_null(side);
	model_side_init(side, NULL, 7, steps_total);
	return side;
}

static void calls_are_numbered_from_one_and_summed(void **state)
{
	struct model_side *side = new_side(100);

	(void)state;
	assert_null(model_shrink(side, 0));
	assert_null(model_shrink(side, 1));
	shrink(side, 10, 6);
	shrink(side, 11, 10);
	assert_int_equal(side->nr_shrink, 2);
	assert_int_equal(side->sum_to_scan, 16);
	assert_int_equal(side->sum_scanned, 64);
	assert_int_equal(side->sum_reclaimed, 60);
	assert_int_equal(model_shrink(side, 1)->nr_to_scan, 6);
	assert_int_equal(model_shrink(side, 2)->nr_to_scan, 10);
	assert_int_equal(model_shrink(side, 2)->call, 2);
	assert_null(model_shrink(side, 3));
	free(side);
}

static void the_ring_keeps_the_newest_calls(void **state)
{
	struct model_side *side = new_side(1000);

	(void)state;
	for (int i = 1; i <= MODEL_SHRINKS + 5; i++)
		shrink(side, (uint64_t)i, i);
	assert_null(model_shrink(side, 5));
	assert_int_equal(model_shrink(side, 6)->nr_to_scan, 6);
	assert_int_equal(model_shrink(side, MODEL_SHRINKS + 5)->nr_to_scan, MODEL_SHRINKS + 5);
	free(side);
}

static void a_reclaim_runs_from_the_refused_charge_to_the_end_of_its_loop(void **state)
{
	struct model_side *side = new_side(100);

	(void)state;
	assert_int_equal(side->last.first_call, 0);
	shrink(side, 1, 6);
	ended(side, 1);
	hit(side, 2);
	shrink(side, 2, 6);
	shrink(side, 2, 6);
	assert_int_equal(side->last.memcg, 3);
	assert_int_equal(side->last.first_call, 2);
	assert_false(side->last.ended);
	ended(side, 2);
	assert_true(side->last.ended && side->last.returned);
	assert_int_equal(side->last.nr_reclaimed, 30);
	free(side);
}

static void a_retry_round_goes_on_with_the_reclaim_of_its_step(void **state)
{
	struct model_side *side = new_side(100);

	(void)state;
	hit(side, 2);
	shrink(side, 2, 6);
	ended(side, 2);
	shrink(side, 2, 6);
	assert_int_equal(side->last.memcg, 3);
	assert_int_equal(side->last.first_call, 1);
	assert_false(side->last.ended);
	free(side);
}

static void reclaim_without_a_refused_charge_begins_with_its_first_call(void **state)
{
	struct model_side *side = new_side(100);

	(void)state;
	hit(side, 2);
	shrink(side, 2, 6);
	ended(side, 2);
	shrink(side, 9, 6);
	assert_int_equal(side->last.memcg, 0);
	assert_int_equal(side->last.first_call, 2);
	assert_int_equal(side->last.step, 9);
	free(side);
}

static void the_time_line_marks_where_things_happened(void **state)
{
	struct model_side *side = new_side(1024);

	(void)state;
	shrink(side, 512, 6);
	send(side, (struct event){ .kind = EVENT_OOM, .step = 1023 });
	send(side, (struct event){ .kind = EVENT_MARK, .step = 5000, .text = "late" });
	assert_int_equal(side->timeline[256], 1);
	assert_int_equal(side->timeline[0], 0);
	assert_int_equal(side->timeline[MODEL_TIMELINE - 1], 2 | 4);
	assert_int_equal(side->nr_ooms, 1);
	assert_int_equal(side->nr_marks, 1);
	free(side);
}

static void a_run_of_no_steps_has_a_time_line_too(void **state)
{
	struct model_side *side = new_side(0);

	(void)state;
	shrink(side, 1, 6);
	assert_int_equal(side->timeline[MODEL_TIMELINE - 1], 1);
	free(side);
}

static void the_newest_call_of_a_group_is_found_among_those_of_others(void **state)
{
	struct model_side *side = new_side(100);

	(void)state;
	assert_null(model_shrink_of(side, 3));
	shrink(side, 10, 6);
	shrink(side, 11, 10);
	send(side, (struct event){ .kind = EVENT_SHRINK, .step = 12, .memcg = 4 });
	assert_int_equal(model_shrink_of(side, 3)->nr_to_scan, 10);
	assert_int_equal(model_shrink_of(side, 4)->call, 3);
	assert_null(model_shrink_of(side, 5));
	free(side);
}

/* ---- explain ---- */

static bool says(const struct explain *text, const char *part)
{
	for (int i = 0; i < text->n; i++)
		if (strstr(text->line[i], part))
			return true;
	for (int i = 0; i < text->n; i++)
		print_message("%s\n", text->line[i]);
	return false;
}

static void a_side_that_never_reclaimed_says_so(void **state)
{
	struct model_side *side = new_side(10);
	struct explain text;

	(void)state;
	explain_reclaim(side, 'B', 3, &text);
	assert_true(says(&text, "B no reclaim up to this step"));
	free(side);
}

static void the_first_three_lines_hold_the_essence(void **state)
{
	struct pictures *p = pictures_full(1);
	struct explain text;

	(void)state;
	explain_reclaim(&p->model.side[1], 'B', 3, &text);
	assert_true(text.n > 3);
	text.n = 3;
	assert_true(says(&text, "jobs/cat at 25 600 + 1 > limit 25 600, failcnt 451  [C1]"));
	assert_true(says(&text, "25 531 >> 12, 11, 10 = 6+12+24 = 42 saved, then run  [S2]"));
	assert_true(says(&text, "asked 32+10, isolated 32+32, freed 32+32"));
	pictures_close(p);
}

static void each_rule_is_explained_once_with_its_source(void **state)
{
	struct pictures *p = pictures_full(1);
	struct explain text;
	int times = 0;

	(void)state;
	explain_reclaim(&p->model.side[1], 'B', 3, &text);
	assert_true(says(&text, rule_at(RULE_SCAN_SAVED)->doc));
	assert_true(says(&text, rule_at(RULE_SCAN_SAVED)->source));
	for (int i = 0; i < text.n; i++)
		times += strstr(text.line[i], rule_at(RULE_SCAN_SAVED)->doc) != NULL;
	assert_int_equal(times, 1);
	pictures_close(p);
}

static void parts_that_do_not_add_up_are_said_to_be_older(void **state)
{
	struct pictures *p = pictures_full(1);
	struct model_side *side = &p->model.side[1];
	struct explain text;

	(void)state;
	side->shrink[(side->nr_shrink - 1) % MODEL_SHRINKS].nr_to_scan = 15;
	explain_reclaim(side, 'B', 3, &text);
	assert_true(says(&text, "6+12+24 = 42 saved on top of earlier rest"));
	pictures_close(p);
}

/* Five calls and more would read "32+32+32+32+1 more": their sums are told instead. */
static void many_calls_are_told_by_their_sums(void **state)
{
	struct pictures *p = pictures_full(1);
	struct model_side *side = &p->model.side[1];
	struct explain text;

	(void)state;
	hit(side, 1800);
	for (int i = 0; i < 5; i++)
		shrink(side, 1800, 1000);
	explain_reclaim(side, 'B', 3, &text);
	text.n = 3;
	assert_true(says(&text, "5 calls asked 5 000, isolated 160, freed 150, saved now"));
	pictures_close(p);
}

/* The limit of the parent is met, the pages are the child's. */
static void a_reclaim_in_a_child_names_the_child(void **state)
{
	struct pictures *p = pictures_full(1);
	struct model_side *side = &p->model.side[1];
	struct explain text;

	(void)state;
	send(side, (struct event){ .kind = EVENT_LIMIT_HIT,
				   .step = 1800,
				   .memcg = 3,
				   .n = { 2, 25600, 25600, 9, 1 } });
	shrink(side, 1800, 6);
	explain_reclaim(side, 'B', 3, &text);
	assert_true(says(&text, "B op 1 800: jobs at 25 600"));
	assert_true(says(&text, "  jobs/cat: inactive_file pages, prio 12: 25 535 >> 12 = 6"));
	pictures_close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_numbered_from_one_and_summed),
		cmocka_unit_test(the_ring_keeps_the_newest_calls),
		cmocka_unit_test(a_reclaim_runs_from_the_refused_charge_to_the_end_of_its_loop),
		cmocka_unit_test(a_retry_round_goes_on_with_the_reclaim_of_its_step),
		cmocka_unit_test(reclaim_without_a_refused_charge_begins_with_its_first_call),
		cmocka_unit_test(the_time_line_marks_where_things_happened),
		cmocka_unit_test(a_run_of_no_steps_has_a_time_line_too),
		cmocka_unit_test(the_newest_call_of_a_group_is_found_among_those_of_others),
		cmocka_unit_test(many_calls_are_told_by_their_sums),
		cmocka_unit_test(a_reclaim_in_a_child_names_the_child),
		cmocka_unit_test(a_side_that_never_reclaimed_says_so),
		cmocka_unit_test(the_first_three_lines_hold_the_essence),
		cmocka_unit_test(each_rule_is_explained_once_with_its_source),
		cmocka_unit_test(parts_that_do_not_add_up_are_said_to_be_older),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
