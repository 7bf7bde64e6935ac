/*
 * Student's t and Welch's test against values known in closed form, and
 * against those that R printed for the table of 2011 (the brackets read as
 * standard deviations of 10 runs).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "published.h"
#include "student.h"

static void near(double value, double wanted, double rel)
{
	if (fabs(value - wanted) > rel * fabs(wanted))
		fail_msg("%.17g is not %.17g", value, wanted);
}

/* One degree of freedom is Cauchy's distribution, two have a square root. */
static void closed_forms_are_met(void **state)
{
	const double pi = acos(-1);

	(void)state;
	for (double t = 0.125; t < 1000; t *= 2) {
		near(student_two_sided(t, 1), 1 - 2 * atan(t) / pi, 1e-10);
		near(student_two_sided(t, 2), 1 - t / sqrt(2 + t * t), 1e-8);
	}
	near(student_two_sided(0, 7.5), 1, 1e-15);
	/* The sign of t is no matter. */
	near(student_two_sided(-3, 5), student_two_sided(3, 5), 1e-15);
}

/* A tail that were 1 less something would be 0 here. */
static void far_tails_keep_their_digits(void **state)
{
	(void)state;
	/* df 4: p = 1 - x (1 + e / 2), e = 4 / (4 + t^2), x = sqrt(1 - e): 3 / 8 e^2 far out. */
	near(student_two_sided(1e6, 4), 6e-24, 1e-5);
	assert_true(student_two_sided(40, 18) > 0 && student_two_sided(40, 18) < 1e-18);
}

static void a_quantile_is_the_inverse(void **state)
{
	(void)state;
	near(student_quantile(0.05, 18), 2.10092204, 1e-8); /* any table of t */
	near(student_quantile(0.05, 9), 2.26215716, 1e-8);
	for (double p = 0.9; p > 1e-12; p /= 3)
		near(student_two_sided(student_quantile(p, 12.3), 12.3), p, 1e-9);
}

struct printed {
	const char *row;
	double p, half; /* as R printed it, and half a unit of its last digit */
};

/* Of the seven pairs of the post: interface.md, "What U12 shows". */
static void the_table_of_2011_gets_the_p_values_of_r(void **state)
{
	static const struct printed rows[] = {
		{ "cat-noctl", 0.66, 0.005 },  { "cat-root", 4e-12, 0.5e-12 },
		{ "cat-1g", 7e-13, 0.5e-13 },  { "kbuild-4", 0.0008, 0.00005 },
		{ "kbuild-4-majfault", 0.82, 0.005 }, { "kbuild-16", 0.12, 0.005 },
		{ "kbuild-16-majfault", 0.26, 0.005 },
	};
	const struct published_table *table = published_find("memcg_lru_2011", NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct student_welch welch;

		assert_true(published_welch(table, rows[i].row, &welch));
		if (fabs(welch.p - rows[i].p) > rows[i].half)
			fail_msg("%s: p is %g, not %g", rows[i].row, welch.p, rows[i].p);
		/* Both say the same: chance is excluded where the interval leaves out 0. */
		assert_int_equal(welch.p<0.05, welch.low> 0 || welch.high < 0);
	}
}

static void what_cannot_be_computed_is_refused(void **state)
{
	const struct student_summary one = { 1, 0.5, 1 }, two = { 2, 0.5, 10 }, same = { 2, 0, 10 };
	struct student_welch welch;

	(void)state;
	assert_false(student_welch(&one, &two, &welch));
	assert_false(student_welch(&two, &one, &welch));
	assert_false(student_welch(&same, &same, &welch));
	/* A spread on one side is enough. */
	assert_true(student_welch(&two, &same, &welch));
	near(welch.df, 9, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_forms_are_met),
		cmocka_unit_test(far_tails_keep_their_digits),
		cmocka_unit_test(a_quantile_is_the_inverse),
		cmocka_unit_test(the_table_of_2011_gets_the_p_values_of_r),
		cmocka_unit_test(what_cannot_be_computed_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
