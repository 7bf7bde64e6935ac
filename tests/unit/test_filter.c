/*
 * Filters: plain words, text columns, comparisons, and errors that help.
 * Then which rows of the lists they leave, and which one is selected.
 */
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "pictures.h"
#include "rig.h"
#include "rows.h"

enum { CELLS = 4 };

static const struct filter_cell row[CELLS] = {
	{ "scenario", "cat-in-100m", 0 },
	{ "kernel", "batched", 0 },
	{ "seed", NULL, 7 },
	{ "over_scan", NULL, 1.52 },
};

static bool match(const char *filter)
{
	return filter_match(filter, row, CELLS);
}

static enum err check(const char *filter, struct diag *diag)
{
	return filter_check(filter, row, CELLS, diag);
}

static void an_empty_filter_leaves_every_row(void **state)
{
	(void)state;
	assert_true(match(""));
	assert_true(match("   "));
}

static void a_plain_word_is_looked_for_in_every_text_column(void **state)
{
	(void)state;
	assert_true(match("cat"));
	assert_true(match("BATCH"));
	assert_false(match("dog"));
	assert_false(match("7"));
}

static void all_words_must_hold(void **state)
{
	(void)state;
	assert_true(match("cat kernel:batched"));
	assert_false(match("cat kernel:vanilla"));
	assert_true(match("  cat   seed=7 "));
}

static void a_colon_finds_a_part_and_an_equals_sign_the_whole(void **state)
{
	(void)state;
	assert_true(match("kernel:bat"));
	assert_false(match("kernel=bat"));
	assert_true(match("kernel=batched"));
}

static void numbers_are_compared(void **state)
{
	(void)state;
	assert_true(match("seed>6"));
	assert_false(match("seed>7"));
	assert_true(match("seed>=7"));
	assert_true(match("seed<=7"));
	assert_false(match("seed<7"));
	assert_true(match("seed=7"));
	assert_true(match("seed:7"));
	assert_false(match("seed=8"));
	assert_true(match("over_scan<2"));
	assert_false(match("over_scan<1.5"));
}

static void an_unknown_column_is_an_error_that_names_the_nearest(void **state)
{
	struct diag diag;

	(void)state;
	assert_int_equal(check("kernal:x", &diag), ERR_NAME);
	assert_non_null(strstr(diag.text, "\"kernal\""));
	assert_non_null(strstr(diag.text, "\"kernel\""));
}

static void a_comparison_with_what_is_no_number_is_refused(void **state)
{
	struct diag diag;

	(void)state;
	assert_int_equal(check("seed<many", &diag), ERR_USAGE);
	assert_non_null(strstr(diag.text, "\"many\" is not a number"));
	assert_int_equal(check("seed<", &diag), ERR_USAGE);
	assert_int_equal(check("kernel<3", &diag), ERR_USAGE);
	assert_non_null(strstr(diag.text, "kernel is text"));
}

static void a_filter_in_the_making_hides_nothing(void **state)
{
	(void)state;
	assert_true(match("nosuch:x"));
	assert_true(match("seed<"));
}

static void the_beginning_of_a_name_is_enough_if_it_is_the_only_one(void **state)
{
	struct diag diag;

	(void)state;
	assert_true(match("over<2"));
	assert_false(match("over>2"));
	assert_true(match("k:batched"));
	/* Of "scenario" and "seed". */
	assert_int_equal(check("s=7", &diag), ERR_NAME);
	assert_true(match("se=7"));
}

/* "recl<32" is typed as "r", "re", …: none of them is a word that rows should have. */
static void a_word_that_may_become_a_comparison_is_waited_for(void **state)
{
	(void)state;
	assert_true(filter_pending("se", row, CELLS));
	assert_true(filter_pending("cat over", row, CELLS));
	assert_false(filter_pending("sc", row, CELLS));
	assert_false(filter_pending("seed>", row, CELLS));
	assert_false(filter_pending("se ", row, CELLS));
	assert_false(filter_pending("", row, CELLS));
}

static void a_very_long_word_is_no_problem(void **state)
{
	char word[1000];

	(void)state;
	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_false(match(word));
	word[3] = ':';
	assert_int_equal(check(word, NULL), ERR_NAME);
}

/* Which runs it lets through is the lab's to say; the list holds no others. */
static void plain_words_of_a_filter_of_runs_choose_scenarios_too(void **state)
{
	struct pictures *p = pictures_full(4);
	struct rows_pick pick;

	(void)state;
	assert_int_equal(rows_count(&p->model, VIEW_RUNS), 4 + 6);
	strcpy(p->model.filter, "cat");
	assert_int_equal(rows_runs(&p->model), 4);
	assert_int_equal(rows_scenarios(&p->model), 1);
	assert_true(rows_pick(&p->model, 3, &pick));
	assert_int_equal(pick.run->id, 50);
	assert_true(rows_pick(&p->model, 4, &pick));
	assert_null(pick.run);
	assert_string_equal(pick.scenario->name, "cat-in-100m");
	assert_false(rows_pick(&p->model, 5, &pick));
	pictures_close(p);
}

static void a_filter_by_a_column_of_runs_leaves_no_scenario(void **state)
{
	struct pictures *p = pictures_full(4);

	(void)state;
	strcpy(p->model.filter, "state:failed");
	assert_int_equal(rows_scenarios(&p->model), 0);
	strcpy(p->model.filter, "over_scan < 2");
	assert_int_equal(rows_scenarios(&p->model), 0);
	pictures_close(p);
}

static void shrink_calls_come_newest_first_and_of_one_group(void **state)
{
	struct pictures *p = pictures_full(1);
	uint64_t call[MODEL_SHRINKS];
	size_t n = rows_shrinks(&p->model, 1, 3, call, MODEL_SHRINKS), all = n;

	(void)state;
	assert_int_equal(n, MODEL_SHRINKS);
	assert_int_equal(call[0], p->model.side[1].nr_shrink);
	for (size_t i = 1; i < n; i++)
		assert_int_equal(call[i], call[i - 1] - 1);
	assert_int_equal(rows_shrinks(&p->model, 1, 9999, call, MODEL_SHRINKS), 0);
	strcpy(p->model.filter, "ask=32");
	n = rows_shrinks(&p->model, 1, 3, call, MODEL_SHRINKS);
	assert_true(n > 0 && n < all);
	assert_int_equal(model_shrink(&p->model.side[1], call[0])->nr_to_scan, 32);
	pictures_close(p);
}

static void columns_are_checked_by_view(void **state)
{
	struct diag diag;

	(void)state;
	assert_int_equal(rows_filter_check(VIEW_SCAN, "rec<32 list:file", &diag), ERR_OK);
	assert_int_equal(rows_filter_check(VIEW_SCAN, "kernel:batched", &diag), ERR_NAME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_filter_leaves_every_row),
		cmocka_unit_test(a_plain_word_is_looked_for_in_every_text_column),
		cmocka_unit_test(all_words_must_hold),
		cmocka_unit_test(a_colon_finds_a_part_and_an_equals_sign_the_whole),
		cmocka_unit_test(numbers_are_compared),
		cmocka_unit_test(an_unknown_column_is_an_error_that_names_the_nearest),
		cmocka_unit_test(a_comparison_with_what_is_no_number_is_refused),
		cmocka_unit_test(a_filter_in_the_making_hides_nothing),
		cmocka_unit_test(the_beginning_of_a_name_is_enough_if_it_is_the_only_one),
		cmocka_unit_test(a_word_that_may_become_a_comparison_is_waited_for),
		cmocka_unit_test(a_very_long_word_is_no_problem),
		cmocka_unit_test(plain_words_of_a_filter_of_runs_choose_scenarios_too),
		cmocka_unit_test(a_filter_by_a_column_of_runs_leaves_no_scenario),
		cmocka_unit_test(shrink_calls_come_newest_first_and_of_one_group),
		cmocka_unit_test(columns_are_checked_by_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
