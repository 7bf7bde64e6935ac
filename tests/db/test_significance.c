/*
 * The exact test of Mann and Whitney against every deal of small samples
 * written out, against the figures of R's manual and against the smallest
 * probabilities that a sample size can give; Holm's correction; Welch's
 * interval against R's t.test on the sleep data.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "significance.h"
#include "student.h"

enum { DEALT_MAX = 16 };

static void near(double value, double wanted, double rel)
{
	if (fabs(value - wanted) > rel * fabs(wanted))
		fail_msg("%.17g is not %.17g", value, wanted);
}

static struct significance ranks(const double *a, size_t nr_a, const double *b, size_t nr_b)
{
	struct significance out = { 0, -1 };
	const char *why = significance_ranks(a, nr_a, b, nr_b, &out);

	if (why != NULL)
		fail_msg("%s", why);
	return out;
}

/* Twice the pairs in which a value of the deal's first side is above one of its second; ties 1. */
static long pairs(const double *value, unsigned deal, size_t nr)
{
	long twice = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < nr; k++)
			if (deal >> i & 1 && !(deal >> k & 1))
				twice += (value[i] > value[k]) * 2 + (value[i] == value[k]);
	return twice;
}

/* Deal after deal, by pairs and not by ranks: nothing is shared with the code under test. */
static double dealt(const double *value, size_t nr_a, size_t nr)
{
	long mean = (long)(nr_a * (nr - nr_a)), seen = pairs(value, (1u << nr_a) - 1, nr);
	unsigned all = 0, beyond = 0;

	for (unsigned deal = 0; deal < 1u << nr; deal++) {
		size_t chosen = 0;

		for (size_t i = 0; i < nr; i++)
			chosen += deal >> i & 1;
		if (chosen != nr_a)
			continue;
		all++;
		beyond += labs(pairs(value, deal, nr) - mean) >= labs(seen - mean);
	}
	return (double)beyond / all;
}

/* Values from few and from many, so that there are many ties, some and none. */
static void every_small_sample_is_as_if_dealt_out(void **state)
{
	uint64_t random = 12345;

	(void)state;
	for (unsigned trial = 0; trial < 300; trial++) {
		double value[DEALT_MAX];
		size_t nr = 2 + trial % 9, nr_a = 1 + trial / 9 % (nr - 1);
		struct significance got;

		for (size_t i = 0; i < nr; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			value[i] = (double)(random >> 33) - 1e9;
			if (trial % 3 > 0)
				value[i] = (double)((random >> 33) % (trial % 3 == 1 ? 3 : 12)) / 7;
		}
		got = ranks(value, nr_a, value + nr_a, nr - nr_a);
		near(got.p, dealt(value, nr_a, nr), 1e-14);
		assert_true(got.u * 2 == (double)pairs(value, (1u << nr_a) - 1, nr));
		/* The sides may be named the other way round. */
		assert_true(ranks(value + nr_a, nr - nr_a, value, nr_a).p == got.p);
	}
}

/* Of all deals of equal sizes two part the sides wholly. */
static void few_seeds_cannot_go_below_their_least_p(void **state)
{
	static const struct {
		size_t nr;
		double least;
	} rows[] = { { 3, 2 / 20.0 },    { 4, 2 / 70.0 },      { 5, 2 / 252.0 },
		     { 9, 2 / 48620.0 }, { 10, 2 / 184756.0 }, { 28, 2 / 7648690600760440.0 } };
	double a[28], b[28];

	(void)state;
	for (size_t i = 0; i < 28; i++) {
		a[i] = (double)i;
		b[i] = (double)i + 100;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		near(ranks(a, rows[i].nr, b, rows[i].nr).p, rows[i].least, 1e-14);
		assert_true(ranks(a, rows[i].nr, b, rows[i].nr).u == 0);
	}
}

/* R 4: wilcox.test(x, y) prints W and p-value; the first is the example of its manual page
 * (permeability of the human chorioamnion, there one-sided with 0.1272). */
static void figures_of_r_are_met(void **state)
{
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	/* 10 against 10 with U = 5: 19 of 184,756 deals are as far down, and as many up. */
	static const double low[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 15.5 };
	static const double high[] = { 10, 11, 12, 13, 14, 16, 17, 18, 19, 20 };
	struct significance got = ranks(x, 10, y, 5);

	(void)state;
	assert_true(got.u == 35);
	near(got.p / 2, 0.1272, 0.0005);
	got = ranks(low, 10, high, 10);
	assert_true(got.u == 5);
	near(got.p, 38 / 184756.0, 1e-14);
	near(got.p, 0.00021, 0.03);
}

static void equal_values_differ_by_chance_only(void **state)
{
	static const double same[] = { 4, 4, 4, 4, 4, 4, 4, 4, 4 };

	(void)state;
	assert_true(ranks(same, 9, same, 9).p == 1);
	assert_true(ranks(same, 9, same, 9).u == 40.5);
}

/* The largest that is counted: the normal approximation is close there. */
static void a_hundred_seeds_a_side_are_counted(void **state)
{
	double a[SIGNIFICANCE_MAX], b[SIGNIFICANCE_MAX];
	double n = SIGNIFICANCE_MAX, z;
	struct significance got;

	(void)state;
	for (size_t i = 0; i < SIGNIFICANCE_MAX; i++) {
		a[i] = (double)(2 * i);
		b[i] = (double)(2 * i + 15);
	}
	got = ranks(a, SIGNIFICANCE_MAX, b, SIGNIFICANCE_MAX);
	z = (fabs(got.u - n * n / 2) - 0.5) / sqrt(n * n * (2 * n + 1) / 12);
	near(got.p, erfc(z / sqrt(2)), 0.01);
}

static void what_cannot_be_computed_gives_the_reason(void **state)
{
	static const double value[SIGNIFICANCE_MAX + 1] = { 1, 2, 3 };
	const double bad[] = { 1, NAN }, far[] = { HUGE_VAL };
	struct significance out;

	(void)state;
	assert_string_equal(significance_ranks(value, 0, value, 3, &out), "a side has no value");
	assert_non_null(strstr(significance_ranks(value, 3, value, SIGNIFICANCE_MAX + 1, &out),
			       "more than 128 seeds"));
	assert_string_equal(significance_ranks(bad, 2, value, 3, &out), "a value is no number");
	assert_string_equal(significance_ranks(value, 3, far, 1, &out), "a value is no number");
}

/* R: p.adjust(p, "holm"). */
static void holm_steps_down_from_the_least(void **state)
{
	static const double p[][4] = { { 0.01, 0.02, 0.03, 0.04 }, { 0.04, 0.01, 0.6, 0.02 } };
	static const double wanted[][4] = { { 0.04, 0.06, 0.06, 0.06 }, { 0.08, 0.04, 0.6, 0.06 } };
	double out[4], one = 0.05, high[2] = { 0.9, 0.8 };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_true(significance_holm(p[i], 4, out));
		for (size_t k = 0; k < 4; k++)
			near(out[k], wanted[i][k], 1e-14);
	}
	/* A single test stays as it is, and nothing is above 1. */
	assert_true(significance_holm(&one, 1, &one));
	assert_true(one == 0.05);
	assert_true(significance_holm(high, 2, high));
	assert_true(high[0] == 1 && high[1] == 1);
	assert_true(significance_holm(NULL, 0, NULL));
}

/* R: t.test(extra ~ group, data = sleep) prints t = -1.8608, df = 17.776, p-value = 0.07939 and
 * the interval -3.3654832 0.2054832, of the first mean less the second. */
static void the_sleep_data_get_the_interval_of_r(void **state)
{
	static const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	static const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	struct student_summary left = student_summarise(a, 10), right = student_summarise(b, 10);
	struct student_welch welch;

	(void)state;
	near(left.mean, 0.75, 1e-14);
	near(right.mean, 2.33, 1e-14);
	assert_true(student_welch(&left, &right, &welch));
	near(welch.t, 1.8608, 3e-5);
	near(welch.df, 17.776, 3e-5);
	near(welch.p, 0.07939, 6e-5);
	near(welch.low, -0.2054832, 3e-7);
	near(welch.high, 3.3654832, 2e-8);
}

static void equal_values_have_their_mean_and_no_spread(void **state)
{
	static const double same[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
	struct student_summary got = student_summarise(same, 7);

	(void)state;
	assert_true(got.mean == 0.1 && got.sd == 0 && got.nr == 7);
	assert_int_equal(student_summarise(same, 0).nr, 0);
	assert_true(student_summarise(same, 1).sd == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_small_sample_is_as_if_dealt_out),
		cmocka_unit_test(few_seeds_cannot_go_below_their_least_p),
		cmocka_unit_test(figures_of_r_are_met),
		cmocka_unit_test(equal_values_differ_by_chance_only),
		cmocka_unit_test(a_hundred_seeds_a_side_are_counted),
		cmocka_unit_test(what_cannot_be_computed_gives_the_reason),
		cmocka_unit_test(holm_steps_down_from_the_least),
		cmocka_unit_test(the_sleep_data_get_the_interval_of_r),
		cmocka_unit_test(equal_values_have_their_mean_and_no_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
