/*
 * Smallest values over seeds, see size_result.h.  What is enough for every
 * seed is the largest of theirs; their mean has Student's interval.
 */
#include "size_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "student.h"
#include "sweep.h"

enum { COLUMNS = 9, WORD_MAX = 128, REASON_MAX = 400 };

enum err size_result_init(struct size_result *result, const struct lab_sweep *points,
			  const char *name, struct diag *diag)
{
	result->points = points;
	result->name = name;
	result->nr = points->nr_eras * points->nr_seeds;
	result->search = calloc(result->nr, sizeof(*result->search));
	if (result->search == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the runs");
	for (size_t i = 0; i < result->nr; i++)
		bisect_init(&result->search[i], result->low, result->high, result->step);
	return ERR_OK;
}

void size_result_fini(struct size_result *result)
{
	free(result->search);
	result->search = NULL;
}

/* ---- over the seeds of a kernel ---- */

struct side_sum {
	size_t nr, nr_end[NR_BISECT_ENDS]; /* seeds, by how their search ended */
	unsigned runs;
	double least, most, mean;
	bool has_interval;
	double low, high;
};

static void sum_up(const struct size_result *result, size_t side, struct side_sum *out)
{
	size_t n = result->points->nr_seeds;
	const struct bisect *search = &result->search[side * n];
	double sum = 0, squares = 0, half;

	*out = (struct side_sum){ .nr = n, .least = INFINITY, .most = -INFINITY };
	for (size_t i = 0; i < n; i++) {
		double value = (double)search[i].high;

		out->nr_end[search[i].end]++;
		out->runs += search[i].nr_asked;
		out->least = fmin(out->least, value);
		out->most = fmax(out->most, value);
		sum += value;
	}
	out->mean = sum / (double)n;
	out->has_interval = n >= 2 && out->most > out->least;
	if (!out->has_interval)
		return;
	for (size_t i = 0; i < n; i++)
		squares +=
			((double)search[i].high - out->mean) * ((double)search[i].high - out->mean);
	half = student_quantile(0.05, (double)(n - 1)) *
	       sqrt(squares / (double)(n - 1) / (double)n);
	out->low = out->mean - half;
	out->high = out->mean + half;
}

static const char *const endings[NR_BISECT_ENDS] = {
	[BISECT_OPEN] = "open",	      [BISECT_FOUND] = "found",	    [BISECT_ALREADY] = "already",
	[BISECT_NEVER] = "never",     [BISECT_FALLING] = "falling",
};

/* How all seeds ended, if they agree. */
static const char *ending_of(const struct side_sum *sum)
{
	for (size_t i = 0; i < NR_BISECT_ENDS; i++)
		if (sum->nr_end[i] == sum->nr)
			return endings[i];
	return "mixed";
}

static bool is_found(const struct side_sum *sum)
{
	return sum->nr_end[BISECT_FOUND] == sum->nr;
}

/* ---- rows ---- */

struct size_row {
	char text[COLUMNS][WORD_MAX];
	const char *value[COLUMNS];
	int type[COLUMNS], nr;
};

static char *cell(struct size_row *row, int type)
{
	row->type[row->nr] = type;
	row->value[row->nr] = type == OUTPUT_NULL ? NULL : row->text[row->nr];
	return row->text[row->nr++];
}

/* A value that was tried is exact; one that was reckoned is rounded for people. */
static void put_value(struct size_row *row, const struct size_result *result, double value,
		      bool tried, bool people)
{
	const struct script *script = result->points->script;
	char *out;

	if (!isfinite(value)) {
		strcpy(cell(row, people ? OUTPUT_TEXT : OUTPUT_NULL), "-");
		return;
	}
	out = cell(row, people ? OUTPUT_TEXT : tried ? OUTPUT_INTEGER : OUTPUT_REAL);
	if (!people)
		snprintf(out, WORD_MAX, "%.*f", tried ? 0 : 3, value);
	else if (tried)
		values_text(script, result->name, (int64_t)value, out);
	else
		sweep_number(script, result->name, value, out);
}

static void row_make(struct size_row *row, const struct size_result *result, size_t side,
		     bool people)
{
	const struct era *era = &result->points->era[side];
	struct side_sum sum;

	sum_up(result, side, &sum);
	row->nr = 0;
	snprintf(cell(row, OUTPUT_TEXT), WORD_MAX, "%.127s",
		 people && era->alias[0] != '\0' ? era->alias : era->name);
	snprintf(cell(row, OUTPUT_INTEGER), WORD_MAX, "%zu", sum.nr);
	snprintf(cell(row, OUTPUT_INTEGER), WORD_MAX, "%u", sum.runs);
	snprintf(cell(row, OUTPUT_TEXT), WORD_MAX, "%s", ending_of(&sum));
	put_value(row, result, is_found(&sum) ? sum.most : NAN, true, people);
	put_value(row, result, is_found(&sum) ? sum.least : NAN, true, people);
	put_value(row, result, is_found(&sum) ? sum.mean : NAN, false, people);
	put_value(row, result, is_found(&sum) && sum.has_interval ? sum.low : NAN, false, people);
	put_value(row, result, is_found(&sum) && sum.has_interval ? sum.high : NAN, false, people);
}

static enum err write_rows(const struct size_result *result, const struct output_style *style,
			   FILE *file, struct diag *diag)
{
	const char *names[COLUMNS] = { "kernel", "seeds", "runs", "verdict", result->name,
				       "least",  "mean", "low",  "high" };
	bool people = sweep_for_people(style->format);
	struct size_row row;
	struct output *out;
	enum err err = output_new(style, file, &out, diag);

	if (err == ERR_OK)
		err = output_head(out, COLUMNS, names, diag);
	for (size_t i = 0; i < result->points->nr_eras && err == ERR_OK; i++) {
		row_make(&row, result, i, people);
		err = output_row(out, COLUMNS, row.value, row.type, diag);
	}
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* ---- sentences ---- */

static const char *side_name(const struct size_result *result, size_t side)
{
	const struct era *era = &result->points->era[side];

	return era->alias[0] != '\0' ? era->alias : era->name;
}

/* What stands in for a smallest value that was not found. */
static void reason_text(const struct size_result *result, const struct side_sum *sum,
			char out[REASON_MAX])
{
	const struct script *script = result->points->script;
	char low[VALUES_TEXT_MAX], high[VALUES_TEXT_MAX];

	values_text(script, result->name, result->low, low);
	values_text(script, result->name, result->high, high);
	if (sum->nr_end[BISECT_NEVER] == sum->nr)
		snprintf(out, REASON_MAX, "neither %s nor %s meets it", low, high);
	else if (sum->nr_end[BISECT_ALREADY] == sum->nr)
		snprintf(out, REASON_MAX, "%s meets it already, the smallest may lie below", low);
	else if (sum->nr_end[BISECT_FALLING] == sum->nr)
		snprintf(out, REASON_MAX, "%s meets it and %s does not, against what is assumed",
			 low, high);
	else
		snprintf(out, REASON_MAX,
			 "of %zu seeds %zu found one between %s and %s, %zu meet it at both ends, "
			 "%zu at neither, %zu at the lower only",
			 sum->nr, sum->nr_end[BISECT_FOUND], low, high, sum->nr_end[BISECT_ALREADY],
			 sum->nr_end[BISECT_NEVER], sum->nr_end[BISECT_FALLING]);
}

static void put_sentences(const struct size_result *result, FILE *out)
{
	char text[VALUES_TEXT_MAX];
	struct side_sum sum;

	putc('\n', out);
	for (size_t i = 0; i < result->points->nr_eras; i++) {
		sum_up(result, i, &sum);
		if (!is_found(&sum))
			continue;
		fprintf(out, "%s: from %s = %s on it is met", side_name(result, i), result->name,
			values_text(result->points->script, result->name, (int64_t)sum.most, text));
		if (sum.nr > 1)
			fprintf(out, " in all %zu seeds", sum.nr);
		putc('\n', out);
	}
	fprintf(out, "assumed: what meets it once goes on to as %s grows\n", result->name);
}

enum err size_result_write(const struct size_result *result, const struct output_style *style,
			   FILE *out, struct diag *diag)
{
	char reason[REASON_MAX];
	struct side_sum sum;
	enum err err = write_rows(result, style, out, diag);

	if (err == ERR_OK && strcmp(style->format, "table") == 0)
		put_sentences(result, out);
	if (err == ERR_OK)
		err = output_check(out, diag);
	for (size_t i = 0; i < result->points->nr_eras && err == ERR_OK; i++) {
		sum_up(result, i, &sum);
		if (is_found(&sum))
			continue;
		reason_text(result, &sum, reason);
		err = diag_fail(diag, ERR_EXPECT, "%s: %s: %s", side_name(result, i), result->name,
				reason);
	}
	return err;
}
