/*
 * Bisection: the answer is that of trying every value, the ends are asked
 * first, and what they do not bracket is said.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bisect.h"

/* Asks until the end; @first is the smallest value that meets it. */
static struct bisect look(int64_t low, int64_t high, int64_t step, int64_t first)
{
	struct bisect b;
	int64_t value;

	bisect_init(&b, low, high, step);
	while (bisect_next(&b, &value)) {
		assert_true(value >= low && value <= high);
		assert_true(value == low || value == high || value % step == 0);
		assert_true(b.nr_asked < 80);
		bisect_answer(&b, value >= first);
	}
	return b;
}

static void every_place_of_a_small_range_is_found(void **state)
{
	(void)state;
	for (int64_t first = 4; first <= 60; first++) {
		struct bisect b = look(3, 60, 1, first);

		assert_int_equal(b.end, BISECT_FOUND);
		assert_int_equal(b.high, first);
		assert_true(b.nr_asked <= 2 + 8);
	}
}

static void negative_values_and_zero_are_values(void **state)
{
	(void)state;
	for (int64_t first = -9; first <= 10; first++) {
		struct bisect b = look(-10, 10, 1, first);

		assert_int_equal(b.end, BISECT_FOUND);
		assert_int_equal(b.high, first);
	}
}

/* Of limits only whole pages are tried, and the ends. */
static void between_the_ends_only_multiples_are_tried(void **state)
{
	struct bisect b = look(5000, 100000, 4096, 40000);

	(void)state;
	assert_int_equal(b.end, BISECT_FOUND);
	assert_int_equal(b.high, 40960);
	assert_int_equal(b.low, 40960 - 4096);
	b = look(5000, 100000, 4096, 5001);
	assert_int_equal(b.high, 8192);
	b = look(5000, 100000, 4096, 99000);
	assert_int_equal(b.high, 100000);
}

/* 1M to 1T in pages are 28 halvings, and 5 or so of the magnitudes come first. */
static void a_wide_range_takes_few_runs(void **state)
{
	struct bisect b = look(1 << 20, (int64_t)1 << 40, 4096, 37000000);

	(void)state;
	assert_int_equal(b.end, BISECT_FOUND);
	assert_int_equal(b.high, (37000000 / 4096 + 1) * 4096);
	assert_true(b.nr_asked <= 22);
}

static void neighbours_need_no_more_than_the_ends(void **state)
{
	struct bisect b = look(7, 8, 1, 8);

	(void)state;
	assert_int_equal(b.end, BISECT_FOUND);
	assert_int_equal(b.high, 8);
	assert_int_equal(b.nr_asked, 2);
}

static enum bisect_end ends(bool high, bool low)
{
	struct bisect b;
	int64_t value;

	bisect_init(&b, 10, 20, 1);
	assert_true(bisect_next(&b, &value));
	assert_int_equal(value, 20);
	bisect_answer(&b, high);
	assert_true(bisect_next(&b, &value));
	assert_int_equal(value, 10);
	bisect_answer(&b, low);
	assert_int_equal(b.nr_asked, 2);
	return b.end;
}

static void ends_that_bracket_nothing_are_told_apart(void **state)
{
	(void)state;
	assert_int_equal(ends(true, false), BISECT_OPEN);
	assert_int_equal(ends(true, true), BISECT_ALREADY);
	assert_int_equal(ends(false, false), BISECT_NEVER);
	assert_int_equal(ends(false, true), BISECT_FALLING);
}

static void what_is_left_comes_down_to_nothing(void **state)
{
	unsigned left;
	struct bisect b;
	int64_t value;

	(void)state;
	bisect_init(&b, 0, 1024, 1);
	left = bisect_left(&b);
	assert_int_equal(left, 2 + 10);
	while (bisect_next(&b, &value)) {
		bisect_answer(&b, value >= 500);
		assert_true(bisect_left(&b) < left);
		left = bisect_left(&b);
	}
	assert_int_equal(left, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_place_of_a_small_range_is_found),
		cmocka_unit_test(negative_values_and_zero_are_values),
		cmocka_unit_test(between_the_ends_only_multiples_are_tried),
		cmocka_unit_test(a_wide_range_takes_few_runs),
		cmocka_unit_test(neighbours_need_no_more_than_the_ends),
		cmocka_unit_test(ends_that_bracket_nothing_are_told_apart),
		cmocka_unit_test(what_is_left_comes_down_to_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
