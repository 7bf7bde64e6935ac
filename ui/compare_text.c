/*
 * Words for comparisons.  Sentences stand only where something they are
 * about is shown: nobody reads of p where there is none.
 */
#include "compare_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MEAN_DIGITS = 5, SPREAD_DIGITS = 3 };

#define P_LEAST 1e-4 /* smaller ones are written with their power of ten */

/* A number in @width cells, with its sign if it is a difference. */
static int put_number(double value, int digits, int width, bool is_diff, char *out)
{
	const char *sign = value < 0 ? "-" : is_diff && value > 0 ? "+" : "";
	char text[UNITS_TEXT_MAX];
	int room = width - (int)strlen(sign);

	/* Digits go first, then the 0 before the point, then whole groups for a suffix. */
	do
		fmt_real(fabs(value), digits, text);
	while (width > 0 && (int)strlen(text) > room && digits-- > 1);
	if (width > 0 && (int)strlen(text) > room && text[0] == '0')
		memmove(text, text + 1, strlen(text));
	if (width > 0 && (int)strlen(text) > room && fabs(value) < 1e18)
		fmt_fit((uint64_t)llround(fabs(value)), room, text);
	return snprintf(out, COMPARE_TEXT_MAX, "%s%s", sign, text);
}

static const char *mean(const struct compare_metric *metric, int side, int width, char *out)
{
	if (metric->of[side].nr == 0)
		return strcpy(out, "-");
	if (metric->is_text)
		snprintf(out, COMPARE_TEXT_MAX, "%s", metric->text[side]);
	else
		put_number(metric->of[side].mean, MEAN_DIGITS, width, false, out);
	return out;
}

static const char *spread(const struct compare_metric *metric, int side, int width, char *out)
{
	if (metric->of[side].nr < 2 || metric->is_text)
		return strcpy(out, "-");
	put_number(metric->of[side].sd, SPREAD_DIGITS, width, false, out);
	return out;
}

/* "[+9, +55]"; narrow, "[+9,+55]". */
static const char *interval(const struct compare_metric *metric, int width, char *out)
{
	char low[COMPARE_TEXT_MAX], high[COMPARE_TEXT_MAX];

	if (metric->exact)
		return strcpy(out, "exact");
	if (!metric->has_interval)
		return strcpy(out, "-");
	put_number(metric->low, SPREAD_DIGITS, 0, true, low);
	put_number(metric->high, SPREAD_DIGITS, 0, true, high);
	snprintf(out, COMPARE_TEXT_MAX, "[%.32s, %.32s]", low, high);
	if (width <= 0 || (int)strlen(out) <= width)
		return out;
	put_number(metric->low, SPREAD_DIGITS - 1, (width - 3) / 2, true, low);
	put_number(metric->high, SPREAD_DIGITS - 1, (width - 3) / 2, true, high);
	snprintf(out, COMPARE_TEXT_MAX, "[%.32s,%.32s]", low, high);
	return out;
}

static const char *ratio(const struct compare_metric *metric, int width, char *out)
{
	if (!metric->has_diff || metric->of[0].mean == 0)
		return strcpy(out, "-");
	snprintf(out, COMPARE_TEXT_MAX, "%.2f", metric->of[1].mean / metric->of[0].mean);
	if (width > 0 && (int)strlen(out) > width)
		put_number(metric->of[1].mean / metric->of[0].mean, SPREAD_DIGITS, width, false,
			   out);
	return out;
}

const char *compare_text(const struct compare_metric *metric, enum compare_field field, int width,
			 char out[COMPARE_TEXT_MAX])
{
	switch (field) {
	case COMPARE_FIELD_MEAN_A:
		return mean(metric, 0, width, out);
	case COMPARE_FIELD_SD_A:
		return spread(metric, 0, width, out);
	case COMPARE_FIELD_MEAN_B:
		return mean(metric, 1, width, out);
	case COMPARE_FIELD_SD_B:
		return spread(metric, 1, width, out);
	case COMPARE_FIELD_DIFF:
		if (!metric->has_diff)
			return strcpy(out, "-");
		put_number(metric->diff, MEAN_DIGITS, width, true, out);
		return out;
	case COMPARE_FIELD_RATIO:
		return ratio(metric, width, out);
	case COMPARE_FIELD_INTERVAL:
		return interval(metric, width, out);
	case COMPARE_FIELD_P:
		if (!metric->has_p)
			return strcpy(out, "-");
		snprintf(out, COMPARE_TEXT_MAX, metric->p < P_LEAST ? "%.1e" : "%.4f", metric->p);
		return out;
	default:
		return compare_verdict_name(metric->verdict);
	}
}

const char *compare_text_counts(const struct compare *compare, char out[COMPARE_TEXT_MAX])
{
	snprintf(out, COMPARE_TEXT_MAX, "%zu of %zu metrics, %zu of %zu parameters",
		 compare->nr_metrics - compare->nr_equal, compare->nr_metrics,
		 compare->nr_params - compare->nr_params_equal, compare->nr_params);
	return out;
}

const char *compare_text_value(const struct compare *compare, const struct compare_param *param,
			       int side)
{
	const char *alias = compare->side[side].run.alias;

	return strcmp(param->name, "kernel") == 0 && alias[0] != '\0' ? alias : param->value[side];
}

/* ---- notes ---- */

struct notes {
	char *out;
	size_t used;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
note(struct notes *notes, const char *fmt, ...);

static void note(struct notes *notes, const char *fmt, ...)
{
	size_t room = COMPARE_NOTES_MAX - notes->used;
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(notes->out + notes->used, room, fmt, args);
	va_end(args);
	notes->used += n > 0 && (size_t)n < room ? (size_t)n : 0;
	notes->out[notes->used] = '\0';
}

static bool has_verdict(const struct compare *compare, enum compare_verdict verdict)
{
	for (size_t i = 0; i < compare->nr_metrics; i++)
		if (compare->metric[i].verdict == verdict)
			return true;
	return false;
}

static void note_seeds(const struct compare *compare, struct notes *notes)
{
	size_t a = compare->side[0].nr, b = compare->side[1].nr;

	if (a == b)
		note(notes, "%zu seed%s on each side", a, a == 1 ? "" : "s");
	else
		note(notes, "%zu seed%s of A, %zu of B", a, a == 1 ? "" : "s", b);
	if (compare->nr_params_equal == compare->nr_params && compare->nr_equal > 0)
		note(notes, ": the same run twice, identical by design; use --repeat for spread");
	note(notes, "\n");
}

static void note_verdicts(const struct compare *compare, struct notes *notes)
{
	bool exact = false;

	for (size_t i = 0; i < compare->nr_metrics; i++)
		exact |= compare->metric[i].exact && compare->metric[i].verdict != COMPARE_EQUAL;
	if (exact)
		note(notes, "exact: one value in every seed of a side, so a difference is one\n");
	if (compare->nr_tests > 0)
		note(notes,
		     "p: Mann-Whitney, two-sided, exact; 95%% interval: Welch on the means\n"
		     "unclear: p above alpha %g after Holm's correction over %zu test%s\n",
		     compare->alpha, compare->nr_tests, compare->nr_tests == 1 ? "" : "s");
	if (has_verdict(compare, COMPARE_FEW))
		note(notes, "too few seeds: a verdict needs %d or more on each side\n",
		     COMPARE_SEEDS);
	if (has_verdict(compare, COMPARE_HOST_TIME))
		note(notes, "host time depends on this computer: it is no result of the model\n");
	for (size_t i = 0; i < compare->nr_metrics; i++)
		if (compare->metric[i].why != NULL)
			note(notes, "%s: %s\n", compare->metric[i].name, compare->metric[i].why);
}

/* Figures of a run that did not come to its end are those until then. */
static void note_states(const struct compare *compare, struct notes *notes)
{
	for (int side = 0; side < 2; side++) {
		const struct db_run *run = &compare->side[side].run;

		if (run->state != RUN_DONE)
			note(notes, "run %lld of %c is %s: its figures are not those of its end\n",
			     (long long)run->id, 'A' + side, run_state_name(run->state));
	}
}

static void note_model(const struct compare *compare, struct notes *notes)
{
	char model[2][2 * DB_WORD_MAX];

	compare_model(&compare->side[0], model[0]);
	compare_model(&compare->side[1], model[1]);
	if (compare->comparable && strcmp(model[0], model[1]) == 0)
		note(notes, "A and B were made by %s: comparable\n", model[0]);
	else if (compare->comparable)
		note(notes, "A was made by %s, B by %s: comparable, the model is the same\n",
		     model[0], model[1]);
	else
		note(notes,
		     "NOT COMPARABLE: A was made by %s, B by %s; a difference may be the "
		     "program's\n",
		     model[0], model[1]);
}

const char *compare_text_notes(const struct compare *compare, bool all, char out[COMPARE_NOTES_MAX])
{
	struct notes notes = { out, 0 };

	out[0] = '\0';
	note_seeds(compare, &notes);
	note_states(compare, &notes);
	note_verdicts(compare, &notes);
	if (!all)
		note(&notes, "%zu equal metrics and %zu equal parameters are hidden\n",
		     compare->nr_equal, compare->nr_params_equal);
	if (compare->nr_same_seeds > 0)
		note(&notes, "state hash: the same in %zu of %zu seeds that both have\n",
		     compare->nr_same_states, compare->nr_same_seeds);
	note_model(compare, &notes);
	return out;
}
