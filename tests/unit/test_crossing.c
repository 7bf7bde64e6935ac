/*
 * Where B overtakes A: straight lines whose crossing is known, seeds that
 * agree and seeds that do not, and an interval worked out by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "crossing.h"

#define N(list) (sizeof(list) / sizeof((list)[0]))

static const double x[] = { 1, 2, 4, 8 };

static struct crossing_one find(const double *a, const double *b, bool lower)
{
	struct crossing_one one;

	crossing_find(&(struct crossing_course){ x, a, b, N(x), lower }, &one);
	return one;
}

/* a = 10 and b = 12 - x cross at x = 2, where B is level; it is ahead behind that only. */
static void level_is_not_ahead(void **state)
{
	const double a[] = { 10, 10, 10, 10 }, b[] = { 11, 10, 8, 4 };
	struct crossing_one one = find(a, b, true);

	(void)state;
	assert_int_equal(one.kind, CROSSING_AT);
	assert_true(one.at == 2 && one.after == 2 && one.upto == 4);
	assert_false(one.back);
}

/* a = 10 and b = 16 - 2x cross at x = 3, between the values 2 and 4. */
static void lines_cross_between_values(void **state)
{
	const double a[] = { 10, 10, 10, 10 }, b[] = { 14, 12, 8, 0 };
	struct crossing_one one = find(a, b, true);

	(void)state;
	assert_int_equal(one.kind, CROSSING_AT);
	assert_true(one.at == 3 && one.after == 2 && one.upto == 4);
	/* With more being better B begins ahead and falls behind. */
	one = find(a, b, false);
	assert_int_equal(one.kind, CROSSING_ALWAYS);
	assert_true(one.back);
	one = find(b, a, false);
	assert_int_equal(one.kind, CROSSING_AT);
	assert_true(one.at == 3);
}

static void never_always_and_equal_are_told_apart(void **state)
{
	const double low[] = { 1, 2, 3, 4 }, high[] = { 2, 3, 4, 5 }, touch[] = { 1, 2, 4, 4 };

	(void)state;
	assert_int_equal(find(low, high, true).kind, CROSSING_NEVER);
	assert_int_equal(find(low, touch, true).kind, CROSSING_NEVER);
	assert_int_equal(find(low, high, false).kind, CROSSING_ALWAYS);
	assert_false(find(low, high, false).back);
	assert_int_equal(find(low, low, true).kind, CROSSING_EQUAL);
}

static void b_that_falls_behind_again_is_told(void **state)
{
	const double a[] = { 5, 5, 5, 5 }, b[] = { 6, 4, 5, 4 };
	struct crossing_one one = find(a, b, true);

	(void)state;
	assert_int_equal(one.kind, CROSSING_AT);
	assert_true(one.at == 1.5);
	assert_true(one.back);
}

static void without_a_figure_nothing_is_known(void **state)
{
	const double a[] = { 5, 5, NAN, 5 }, b[] = { 6, 4, 3, 2 };
	struct crossing_one one;

	(void)state;
	assert_int_equal(find(a, b, true).kind, CROSSING_UNKNOWN);
	crossing_find(&(struct crossing_course){ x, a, b, 1, true }, &one);
	assert_int_equal(one.kind, CROSSING_UNKNOWN);
}

static struct crossing_one at(double where)
{
	return (struct crossing_one){
		.kind = CROSSING_AT, .at = where, .after = floor(where), .upto = ceil(where)
	};
}

/* 2.5, 3.5 and 4.5: mean 3.5, standard deviation 1, error of the mean 1/sqrt(3); t of 2 degrees
 * of freedom at 95 % is 4.30265. */
static void seeds_give_a_mean_and_students_interval(void **state)
{
	const struct crossing_one one[] = { at(2.5), at(4.5), at(3.5) };
	struct crossing c;

	(void)state;
	crossing_over(one, 3, &c);
	assert_int_equal(c.nr_at, 3);
	assert_true(c.mean == 3.5 && c.least == 2.5 && c.most == 4.5);
	assert_true(c.after == 2 && c.upto == 5);
	assert_true(c.has_interval);
	assert_true(fabs(c.low - (3.5 - 4.30265 / sqrt(3))) < 1e-4);
	assert_true(fabs(c.high - (3.5 + 4.30265 / sqrt(3))) < 1e-4);
}

static void there_is_no_interval_where_it_would_say_nothing(void **state)
{
	const struct crossing_one same[] = { at(2.5), at(2.5) };
	struct crossing_one mixed[] = { at(2.5), at(3.5), { .kind = CROSSING_NEVER } };
	struct crossing c;

	(void)state;
	crossing_over(same, 2, &c);
	assert_false(c.has_interval); /* no spread */
	assert_true(c.mean == 2.5);
	crossing_over(same, 1, &c);
	assert_false(c.has_interval); /* one seed */
	crossing_over(mixed, 3, &c);
	assert_false(c.has_interval); /* one does not cross */
	assert_int_equal(c.nr_at, 2);
	assert_int_equal(c.nr_never, 1);
	mixed[2].kind = CROSSING_UNKNOWN;
	crossing_over(mixed, 3, &c);
	assert_int_equal(c.nr_unknown, 1);
	assert_int_equal(c.nr_never, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(level_is_not_ahead),
		cmocka_unit_test(lines_cross_between_values),
		cmocka_unit_test(never_always_and_equal_are_told_apart),
		cmocka_unit_test(b_that_falls_behind_again_is_told),
		cmocka_unit_test(without_a_figure_nothing_is_known),
		cmocka_unit_test(seeds_give_a_mean_and_students_interval),
		cmocka_unit_test(there_is_no_interval_where_it_would_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
