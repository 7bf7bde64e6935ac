/*
 * The verdict on each metric.  In this order: a side that has no figure; the
 * same in every seed; host time; words; too few seeds; one value a side;
 * and what is left is tested, with Holm's correction over all that were.
 *
 * Values of a text are numbers that stand for it, so that "the same in every
 * seed" is one question for both.
 */
#include "compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const char *const verdict_names[NR_COMPARE_VERDICTS] = {
	[COMPARE_EQUAL] = "equal",          [COMPARE_B_LOWER] = "B lower",
	[COMPARE_B_HIGHER] = "B higher",    [COMPARE_UNCLEAR] = "unclear",
	[COMPARE_FEW] = "too few seeds",    [COMPARE_HOST_TIME] = "host time",
	[COMPARE_ONLY_A] = "only in A",     [COMPARE_ONLY_B] = "only in B",
	[COMPARE_DIFFERS] = "differs",      [COMPARE_FAILED] = "not computed",
};

const char *compare_verdict_name(enum compare_verdict verdict)
{
	assert((unsigned)verdict < NR_COMPARE_VERDICTS);
	return verdict_names[verdict];
}

/* Too few seeds to tell why, but the figures are not the same. */
bool compare_verdict_says(enum compare_verdict verdict)
{
	switch (verdict) {
	case COMPARE_EQUAL:
	case COMPARE_UNCLEAR:
	case COMPARE_HOST_TIME:
	case COMPARE_FAILED:
		return false;
	default:
		return true;
	}
}

/* The values that a side has, without the gaps. */
struct values {
	double *at;
	size_t nr;
	bool constant;
};

static bool values_take(const struct compare *compare, const struct compare_metric *metric,
			int side, struct values *out)
{
	size_t nr = compare->side[side].nr;

	*out = (struct values){ .at = calloc(nr + 1, sizeof(double)), .constant = true };
	if (out->at == NULL)
		return false;
	for (size_t i = 0; i < nr; i++) {
		double value = metric->value[side][i];

		if (isnan(value))
			continue;
		out->at[out->nr++] = value;
		out->constant &= value == out->at[0];
	}
	return true;
}

/* Nothing, or the same number. */
static bool same_value(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b;
}

/* Both sides have the same seeds and each seed the same value. */
static bool same_by_seed(const struct compare *compare, const struct compare_metric *metric)
{
	const struct compare_side *a = &compare->side[0], *b = &compare->side[1];

	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (a->seed[i] != b->seed[i] ||
		    !same_value(metric->value[0][i], metric->value[1][i]))
			return false;
	return true;
}

/* All runs of both sides have it, and all the same. */
static bool same_always(const struct compare *compare, const struct values v[2])
{
	return v[0].constant && v[1].constant && v[0].at[0] == v[1].at[0] &&
	       v[0].nr == compare->side[0].nr && v[1].nr == compare->side[1].nr;
}

/* Means, spreads and the interval: descriptions, whatever the verdict is. */
static void describe(struct compare_metric *metric, const struct values v[2])
{
	struct student_welch welch;

	for (int s = 0; s < 2; s++)
		metric->of[s] = student_summarise(v[s].at, v[s].nr);
	if (metric->is_text || v[0].nr == 0 || v[1].nr == 0)
		return;
	metric->has_diff = true;
	metric->diff = metric->of[1].mean - metric->of[0].mean;
	if (!isfinite(metric->diff) || !student_welch(&metric->of[0], &metric->of[1], &welch))
		return;
	metric->has_interval = true;
	metric->low = welch.low;
	metric->high = welch.high;
}

/* The side that ranks lie on is told when p is corrected. */
static enum compare_verdict test(struct compare_metric *metric, const struct values v[2])
{
	struct significance got;
	double middle = (double)v[0].nr * (double)v[1].nr / 2;

	metric->why = significance_ranks(v[0].at, v[0].nr, v[1].at, v[1].nr, &got);
	if (metric->why != NULL)
		return COMPARE_FAILED;
	metric->has_p = true;
	metric->p = metric->p_holm = got.p;
	/* u counts pairs in which A is above B. */
	return got.u > middle ? COMPARE_B_LOWER : COMPARE_B_HIGHER;
}

static enum compare_verdict verdict_of(const struct compare *compare, struct compare_metric *metric,
				       const struct values v[2])
{
	if (v[0].nr == 0 && v[1].nr == 0)
		return COMPARE_EQUAL;
	if (v[0].nr == 0 || v[1].nr == 0)
		return v[0].nr > 0 ? COMPARE_ONLY_A : COMPARE_ONLY_B;
	metric->exact = v[0].constant && v[1].constant && v[0].nr > 1 && v[1].nr > 1;
	if (same_always(compare, v) || same_by_seed(compare, metric)) {
		metric->exact = true;
		return COMPARE_EQUAL;
	}
	if (metric->host)
		return COMPARE_HOST_TIME;
	if (metric->is_text)
		return COMPARE_DIFFERS;
	if (v[0].nr < COMPARE_SEEDS || v[1].nr < COMPARE_SEEDS)
		return COMPARE_FEW;
	if (!metric->exact)
		return test(metric, v);
	if (metric->diff == 0) {
		metric->why = "only some runs have it";
		return COMPARE_FAILED;
	}
	return metric->diff < 0 ? COMPARE_B_LOWER : COMPARE_B_HIGHER;
}

static enum err judge(const struct compare *compare, struct compare_metric *metric,
		      struct diag *diag)
{
	struct values v[2] = { { NULL, 0, true }, { NULL, 0, true } };
	enum err err = ERR_OK;

	if (!values_take(compare, metric, 0, &v[0]) || !values_take(compare, metric, 1, &v[1])) {
		err = diag_fail(diag, ERR_NOMEM, "no memory to compare");
	} else {
		describe(metric, v);
		metric->verdict = verdict_of(compare, metric, v);
	}
	free(v[0].at);
	free(v[1].at);
	return err;
}

/* Means and ranks may point to different sides where tails are long: then neither is said. */
static void correct(struct compare *compare, struct compare_metric *metric, double p)
{
	bool lower = metric->verdict == COMPARE_B_LOWER;

	metric->p_holm = p;
	if (p > compare->alpha)
		metric->verdict = COMPARE_UNCLEAR;
	else if (lower ? metric->diff >= 0 : metric->diff <= 0) {
		metric->verdict = COMPARE_UNCLEAR;
		metric->why = "ranks and means point to different sides";
	}
}

/* Over the metrics that are shown and have a p. */
static enum err correct_all(struct compare *compare, struct diag *diag)
{
	double *p = calloc(compare->nr_metrics + 1, sizeof(*p));
	size_t nr = 0;

	for (size_t i = 0; p != NULL && i < compare->nr_metrics; i++)
		if (compare->metric[i].has_p)
			p[nr++] = compare->metric[i].p;
	if (p == NULL || !significance_holm(p, nr, p)) {
		free(p);
		return diag_fail(diag, ERR_NOMEM, "no memory to compare");
	}
	compare->nr_tests = nr;
	nr = 0;
	for (size_t i = 0; i < compare->nr_metrics; i++)
		if (compare->metric[i].has_p)
			correct(compare, &compare->metric[i], p[nr++]);
	free(p);
	return ERR_OK;
}

enum err compare_judge(struct compare *compare, struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < compare->nr_metrics && err == ERR_OK; i++)
		err = judge(compare, &compare->metric[i], diag);
	if (err == ERR_OK)
		err = correct_all(compare, diag);
	compare->nr_equal = 0;
	for (size_t i = 0; i < compare->nr_metrics; i++)
		compare->nr_equal += compare->metric[i].verdict == COMPARE_EQUAL;
	return err;
}
