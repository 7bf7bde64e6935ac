/*
 * Do two sets of values differ by more than chance?  Numbers in, numbers
 * out: the exact test of Mann and Whitney, and Holm's correction for
 * several tests at once.
 *
 * Exact means by counting: of all ways to deal the values that were seen to
 * two sides of these sizes, how many part them at least as far?  Nothing is
 * approximated, also where values are equal.
 */
#ifndef MEMCGLAB_DB_SIGNIFICANCE_H
#define MEMCGLAB_DB_SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>

enum { SIGNIFICANCE_MAX = 128 }; /* values a side; the count grows with the fourth power */

struct significance {
	double u; /* pairs in which a is above b, ties half: R's W of wilcox.test(a, b) */
	double p; /* two-sided */
};

/**
 * significance_ranks - the test of Mann and Whitney on @a and @b
 * Ranks of equal values are their mean.  A deal counts if its rank sum is as
 * far from the expected one as that of @a, on either side: without ties this
 * is twice the smaller tail.
 * Returns: NULL, or the reason why it cannot be computed: no value on a side,
 * more than SIGNIFICANCE_MAX on one, a value that is no number, no memory.
 */
const char *significance_ranks(const double *a, size_t nr_a, const double *b, size_t nr_b,
			       struct significance *out);

/**
 * significance_holm - probabilities corrected for being @nr tests at once
 * @p:   of each test
 * @out: in the same order, each compared with alpha itself; may be @p
 * Returns: false without memory.
 */
bool significance_holm(const double *p, size_t nr, double *out);

#endif
