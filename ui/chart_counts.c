/*
 * Counted: how often which value occurred among shrink calls or runs, and
 * how long CPUs waited for locks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "chart_ask.h"

static enum err add_xy(void *ctx, const double value[4], struct diag *diag)
{
	return chart_add(ctx, (struct chart_point){ value[0], value[1], value[1], value[1] }, diag);
}

/* Values with how often each occurred: x and y of a series. */
struct span_of {
	double low, high, width;
	size_t bins;
	bool each; /* a bar a value */
};

/* The distinct values of all series, if there are few; else bins of equal width. */
static struct span_of spans(const struct chart *chart, double value[CHART_TICKS_MAX])
{
	struct span_of span = { .low = INFINITY, .high = -INFINITY, .each = true };

	for (size_t s = 0; s < chart->nr_series; s++)
		for (size_t i = 0; i < chart->series[s].nr; i++) {
			double x = chart->series[s].point[i].x;
			size_t k = 0;

			span.low = fmin(span.low, x);
			span.high = fmax(span.high, x);
			while (span.each && k < span.bins && value[k] != x)
				k++;
			if (span.each && k == span.bins && k < CHART_TICKS_MAX)
				value[span.bins++] = x;
			else if (span.each && k == CHART_TICKS_MAX)
				span.each = false;
		}
	if (!span.each)
		span.bins = CHART_TICKS_MAX;
	span.width = (span.high - span.low) / (double)span.bins;
	return span;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static size_t bin_of(const struct span_of *span, const double *value, double x)
{
	size_t k = 0;

	if (!span->each) {
		k = (size_t)((x - span->low) / span->width);
		return k < span->bins ? k : span->bins - 1;
	}
	while (value[k] != x)
		k++;
	return k;
}

/* The points of a series, which are values and counts, become its bars. */
static void to_bars(struct chart_series *series, const struct span_of *span, const double *value)
{
	double count[CHART_TICKS_MAX] = { 0 };

	for (size_t i = 0; i < series->nr; i++)
		count[bin_of(span, value, series->point[i].x)] += series->point[i].y;
	for (size_t k = 0; k < span->bins; k++)
		series->point[k] = (struct chart_point){ (double)k, count[k], count[k], count[k] };
	series->nr = span->bins;
}

static enum err to_histogram(struct chart *chart, const char *thing, struct diag *diag)
{
	double value[CHART_TICKS_MAX];
	struct span_of span = spans(chart, value);
	char low[UNITS_TEXT_MAX], high[UNITS_TEXT_MAX];
	enum err err = ERR_OK;

	qsort(value, span.each ? span.bins : 0, sizeof(*value), by_value);
	for (size_t k = 0; k < span.bins; k++) {
		chart_number(span.each ? value[k] : span.low + span.width * (double)k, low);
		chart_number(span.low + span.width * (double)(k + 1), high);
		snprintf(chart->tick[k], sizeof(chart->tick[k]),
			 span.each ? "%.15s" : "%.13s to %.13s", low, high);
	}
	for (size_t s = 0; s < chart->nr_series && err == ERR_OK; s++) {
		while (chart->series[s].nr < span.bins && err == ERR_OK)
			err = chart_add(&chart->series[s],
					(struct chart_point){ span.each ? value[0] : span.low, 0, 0,
							      0 },
					diag);
		if (err == ERR_OK)
			to_bars(&chart->series[s], &span, value);
	}
	snprintf(chart->one, sizeof(chart->one), "one bar counts the %ss %s", thing,
		 span.each ? "of one value" : "of a sixteenth of the range");
	chart_settle(chart, thing);
	return err;
}

/* One series a run: its shrink calls. */
static enum err histogram_calls(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	char group[CHART_WORDS], label[CHART_WORDS], quoted[2 * CHART_WORDS], sql[1024];
	enum err err = chart_too_many(ask, diag);

	if (err == ERR_OK)
		err = chart_group(ask, group, diag);
	for (size_t i = 0; i < ask->nr && err == ERR_OK; i++) {
		struct chart_series *series;

		chart_label(ask, i, label);
		series = chart_series(chart, label);
		snprintf(sql, sizeof(sql),
			 "select %s, count(*) from v_scan where run = %lld and memcg = %s "
			 "group by 1 order by 1",
			 ask->metric, (long long)ask->run[i].id, chart_quoted(group, quoted));
		err = chart_query(ask->db, sql, add_xy, series, diag);
		if (err == ERR_OK && series->nr == 0)
			err = chart_no_course(ask, i, diag);
	}
	return err;
}

/* One series a kernel: its runs. */
static enum err histogram_runs(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	enum err err = ERR_OK;
	struct chart_figure figure = { .unit = "" };

	for (size_t i = 0; i < ask->nr && err == ERR_OK; i++) {
		struct chart_series *series = NULL;

		for (size_t s = 0; s < chart->nr_series; s++)
			if (strcmp(chart->series[s].label, ask->run[i].kernel) == 0)
				series = &chart->series[s];
		if (series == NULL)
			series = chart_series(chart, ask->run[i].kernel);
		if (series == NULL)
			return diag_fail(diag, ERR_USAGE, "more than %d kernels in one plot",
					 CHART_SERIES_MAX);
		err = chart_metric(ask, i, ask->metric, &figure, diag);
		if (err == ERR_OK)
			err = chart_add(series, (struct chart_point){ figure.value, 1, 1, 1 },
					diag);
	}
	if (err == ERR_OK)
		snprintf(chart->x.unit, sizeof(chart->x.unit), "%s", figure.unit);
	return err;
}

enum err chart_histogram(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	bool call = chart_is_call(ask->metric);
	enum err err = call ? histogram_calls(ask, chart, diag) : histogram_runs(ask, chart, diag);

	chart->form = CHART_BARS;
	snprintf(chart->title, sizeof(chart->title), "%.60s: how often which %.60s",
		 ask->run[0].scenario, ask->metric);
	snprintf(chart->x.name, sizeof(chart->x.name), "%.90s", ask->metric);
	if (call && strcmp(ask->metric, "priority") != 0)
		snprintf(chart->x.unit, sizeof(chart->x.unit), "pages");
	snprintf(chart->y.name, sizeof(chart->y.name), "%s", call ? "shrink calls" : "runs");
	return err == ERR_OK ? to_histogram(chart, call ? "shrink call" : "run", diag) : err;
}

/* ---- waits for locks ---- */

/* The buckets of the column waits, in its order. */
static const char *const buckets[] = { "no wait",   "below 1 us", "1 to 2 us",   "2 to 4 us",
				       "4 to 8 us", "8 to 16 us", "16 to 32 us", "32 to 64 us",
				       "64 to 128", "longer" };

enum { NR_BUCKETS = sizeof(buckets) / sizeof(buckets[0]) };

/* A run that models no locks is told from one in which nobody waited. */
static enum err has_locks(const struct chart_ask *ask, size_t i, struct diag *diag)
{
	struct scenario sc;
	enum err err = lab_machine(&ask->run[i], &sc, diag);

	if (err == ERR_OK && !sc.locks)
		err = diag_fail(diag, ERR_USAGE,
				"lock waits: run %lld (%s) models no locks: its scenario needs "
				"lab.machine { locks = true }",
				(long long)ask->run[i].id, ask->run[i].scenario);
	return err;
}

static enum err add_buckets(struct chart_series *series, const char *text, struct diag *diag)
{
	json_t *array = json_loads(text, 0, NULL);
	enum err err = ERR_OK;

	for (size_t k = 0; k < NR_BUCKETS && err == ERR_OK; k++) {
		double n = (double)json_integer_value(json_array_get(array, k));

		err = chart_add(series, (struct chart_point){ (double)k, n, n, n }, diag);
	}
	json_decref(array);
	return err;
}

/* The most contended class of the first run, unless --group names one. */
static enum err lock_class(const struct chart_ask *ask, char out[CHART_WORDS], struct diag *diag)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
		 "select class from lock where run = %lld and not atomic "
		 "order by contentions desc, nr limit 1",
		 (long long)ask->run[0].id);
	return chart_text_query(ask->db, sql, out, diag);
}

enum err chart_waits(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	char class[CHART_WORDS] = "", quoted[2 * CHART_WORDS], sql[1024], label[CHART_WORDS];
	enum err err = chart_too_many(ask, diag);

	for (size_t i = 0; i < ask->nr && err == ERR_OK; i++)
		err = has_locks(ask, i, diag);
	if (err == ERR_OK)
		err = lock_class(ask, class, diag);
	for (size_t i = 0; i < ask->nr && err == ERR_OK; i++) {
		char waits[CHART_WORDS];

		chart_label(ask, i, label);
		snprintf(sql, sizeof(sql), "select waits from lock where run = %lld and class = %s",
			 (long long)ask->run[i].id, chart_quoted(class, quoted));
		err = chart_text_query(ask->db, sql, waits, diag);
		if (err == ERR_OK && waits[0] == '\0')
			err = diag_fail(diag, ERR_USAGE, "run %lld has no lock \"%.60s\"",
					(long long)ask->run[i].id, class);
		if (err == ERR_OK)
			err = add_buckets(chart_series(chart, label), waits, diag);
	}
	for (size_t k = 0; k < NR_BUCKETS; k++)
		snprintf(chart->tick[k], sizeof(chart->tick[k]), "%s", buckets[k]);
	chart->form = CHART_BARS;
	snprintf(chart->title, sizeof(chart->title), "%.60s: waits for %.90s", ask->run[0].scenario,
		 class);
	snprintf(chart->x.name, sizeof(chart->x.name), "wait");
	snprintf(chart->x.unit, sizeof(chart->x.unit), "us");
	snprintf(chart->y.name, sizeof(chart->y.name), "acquisitions");
	snprintf(chart->one, sizeof(chart->one), "one bar counts the acquisitions that waited so");
	chart_settle(chart, "acquisition");
	return err;
}
