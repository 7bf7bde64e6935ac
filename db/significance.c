/*
 * Mann and Whitney by counting, Holm by sorting.
 *
 * Ranks are kept doubled, so that the mean of tied ranks is a whole number.
 * ways[k][s] counts the choices of k of the values taken up so far whose
 * rank sum is s above the least that k values can have; values come in order
 * of rank, and k goes down so that each is chosen once.  Counts are doubles:
 * exact up to 2^53, which is 56 values in all, and 15 digits beyond.
 */
#include "significance.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_MAX = 2 * SIGNIFICANCE_MAX };

/* The values of both sides in order, and their doubled ranks. */
struct pool {
	struct pooled {
		double value;
		bool is_a;
	} at[ALL_MAX];
	uint32_t rank[ALL_MAX];
	uint32_t low[ALL_MAX + 1]; /* rank sum of the lowest k */
	size_t nr, nr_a;
};

static int compare_values(const void *left, const void *right)
{
	const struct pooled *a = left, *b = right;

	return (a->value > b->value) - (a->value < b->value);
}

/* Values from place i to j are equal: each has the mean of ranks i + 1 to j + 1. */
static void pool_rank(struct pool *pool)
{
	size_t end;

	qsort(pool->at, pool->nr, sizeof(pool->at[0]), compare_values);
	for (size_t i = 0; i < pool->nr; i = end) {
		for (end = i + 1; end < pool->nr && pool->at[end].value == pool->at[i].value; end++)
			;
		for (size_t k = i; k < end; k++)
			pool->rank[k] = (uint32_t)(i + 1 + end);
	}
	for (size_t k = 0; k < pool->nr; k++)
		pool->low[k + 1] = pool->low[k] + pool->rank[k];
}

/* Without ties all doubled ranks are even, and every other sum does not occur. */
static uint32_t pool_unit(const struct pool *pool)
{
	for (size_t i = 0; i < pool->nr; i++)
		if ((pool->rank[i] - pool->rank[0]) % 2 != 0)
			return 1;
	return 2;
}

/* How far above their least the rank sums of k of the first n values go. */
static uint32_t spread(const struct pool *pool, size_t n, size_t k)
{
	return pool->low[n] - pool->low[n - k] - pool->low[k];
}

/* Value number @n, counted from 0, may join any choice of those before it. */
static void take_up(const struct pool *pool, double **ways, size_t n, size_t most, uint32_t unit)
{
	for (size_t k = n + 1 < most ? n + 1 : most; k > 0; k--) {
		uint32_t up = (pool->rank[n] - pool->rank[k - 1]) / unit;
		uint32_t last = spread(pool, n, k - 1) / unit;

		for (uint32_t s = 0; s <= last; s++)
			ways[k][s + up] += ways[k - 1][s];
	}
}

/* The share of choices of @k values whose rank sum is as far from its mean as @sum is. */
static double share(const struct pool *pool, const double *ways, size_t k, uint32_t sum,
		    uint32_t unit)
{
	int64_t mean = (int64_t)(k * (pool->nr + 1));
	int64_t far = llabs((int64_t)sum - mean);
	double all = 0, beyond = 0;

	for (uint32_t s = 0; s <= spread(pool, pool->nr, k) / unit; s++) {
		int64_t at = (int64_t)pool->low[k] + (int64_t)s * unit;

		all += ways[s];
		if (llabs(at - mean) >= far)
			beyond += ways[s];
	}
	return beyond / all;
}

/* Of the two sides the smaller is counted: a row for each size up to it. */
static bool count(const struct pool *pool, size_t k, uint32_t sum, double *p)
{
	double *ways[SIGNIFICANCE_MAX + 1], *cells;
	uint32_t unit = pool_unit(pool);
	size_t row = spread(pool, pool->nr, k) / unit + 1;

	assert(k <= SIGNIFICANCE_MAX);
	cells = calloc((k + 1) * row, sizeof(*cells));
	if (cells == NULL)
		return false;
	for (size_t i = 0; i <= k; i++)
		ways[i] = cells + i * row;
	ways[0][0] = 1;
	for (size_t n = 0; n < pool->nr; n++)
		take_up(pool, ways, n, k, unit);
	*p = share(pool, ways[k], k, sum, unit);
	free(cells);
	return true;
}

/* Returns: why these values cannot be ranked, NULL if they can. */
static const char *pool_fill(struct pool *pool, const double *value, size_t nr, bool is_a)
{
	if (nr == 0)
		return "a side has no value";
	if (nr > SIGNIFICANCE_MAX)
		return "more than 128 seeds on a side: they are not counted out";
	for (size_t i = 0; i < nr; i++) {
		if (!isfinite(value[i]))
			return "a value is no number";
		pool->at[pool->nr++] = (struct pooled){ value[i], is_a };
	}
	return NULL;
}

/* The rank sum of the values of one side. */
static uint32_t rank_sum(const struct pool *pool, bool is_a)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < pool->nr; i++)
		if (pool->at[i].is_a == is_a)
			sum += pool->rank[i];
	return sum;
}

const char *significance_ranks(const double *a, size_t nr_a, const double *b, size_t nr_b,
			       struct significance *out)
{
	struct pool pool = { .nr = 0 };
	bool few = nr_a <= nr_b;
	const char *why = pool_fill(&pool, a, nr_a, true);

	if (why == NULL)
		why = pool_fill(&pool, b, nr_b, false);
	if (why != NULL)
		return why;
	pool_rank(&pool);
	out->u = rank_sum(&pool, true) / 2.0 - (double)(nr_a * (nr_a + 1)) / 2;
	return count(&pool, few ? nr_a : nr_b, rank_sum(&pool, few), &out->p)
		       ? NULL
		       : "no memory to count";
}

/* ---- several tests ---- */

struct test {
	double p;
	size_t place;
};

static int compare_tests(const void *left, const void *right)
{
	const struct test *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

/* The least p has to stand against all tests, the next against one less, and none is below the
 * one before it. */
bool significance_holm(const double *p, size_t nr, double *out)
{
	struct test *test = calloc(nr + 1, sizeof(*test));
	double least = 0;

	if (test == NULL)
		return false;
	for (size_t i = 0; i < nr; i++)
		test[i] = (struct test){ p[i], i };
	qsort(test, nr, sizeof(*test), compare_tests);
	for (size_t i = 0; i < nr; i++) {
		least = fmax(least, fmin(1, (double)(nr - i) * test[i].p));
		out[test[i].place] = least;
	}
	free(test);
	return true;
}
