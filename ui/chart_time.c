/*
 * Over time: figures of a group as they were sampled, of shrink calls, or
 * the values of marks.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart_ask.h"

/* Columns of v_scan that are figures of a call. */
static const char *const calls[] = { "nr_to_scan",   "nr_taken", "nr_scanned",
				     "nr_reclaimed", "size",     "priority" };

bool chart_is_call(const char *metric)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(calls[i], metric) == 0)
			return true;
	return false;
}

/* NULL if it is not sampled. */
const char *chart_sample_unit(const char *metric)
{
	for (size_t i = 0; i < sample_desc_count(); i++)
		if (strcmp(sample_desc_at(i)->name, metric) == 0)
			return sample_desc_at(i)->unit;
	return NULL;
}

bool chart_is_sample(const char *metric)
{
	return chart_sample_unit(metric) != NULL;
}

enum err chart_too_many(const struct chart_ask *ask, struct diag *diag)
{
	if (ask->nr <= CHART_SERIES_MAX)
		return ERR_OK;
	return diag_fail(diag, ERR_USAGE,
			 "%zu runs: at most %d are told apart in one plot; --kind sweep and "
			 "histogram take any number",
			 ask->nr, CHART_SERIES_MAX);
}

static enum err add_xy(void *ctx, const double value[4], struct diag *diag)
{
	return chart_add(ctx, (struct chart_point){ value[0], value[1], value[1], value[1] }, diag);
}

/* The rows of one run: time [s] and value. */
static void time_sql(const struct chart_ask *ask, size_t i, const char *group, char out[1024])
{
	long long id = (long long)ask->run[i].id;
	char quoted[2 * CHART_WORDS];

	if (chart_is_sample(ask->metric))
		snprintf(out, 1024,
			 "select t_ns / 1e9, value from v_series where run = %lld and name = '%s' "
			 "and memcg = %s order by t_ns",
			 id, ask->metric, chart_quoted(group, quoted));
	else if (chart_is_call(ask->metric))
		snprintf(out, 1024,
			 "select t_ns / 1e9, %s from v_scan where run = %lld and memcg = %s "
			 "order by call",
			 ask->metric, id, chart_quoted(group, quoted));
	else
		snprintf(out, 1024,
			 "select t_ns / 1e9, value from v_marks where run = %lld and text = %s "
			 "order by t_ns",
			 id, chart_quoted(ask->metric, quoted));
}

/* A metric that is one figure a run is no course; the reason says what would show it. */
enum err chart_no_course(const struct chart_ask *ask, size_t i, struct diag *diag)
{
	struct diag none = { .err = ERR_OK };
	struct chart_figure figure;

	if (chart_is_call(ask->metric))
		return diag_fail(diag, ERR_USAGE,
				 "--metric %s: no inactive list was shrunk in run %lld (%s on %s)",
				 ask->metric, (long long)ask->run[i].id, ask->run[i].scenario,
				 ask->run[i].kernel);
	if (chart_metric(ask, i, ask->metric, &figure, &none) == ERR_OK)
		return diag_fail(diag, ERR_USAGE,
				 "--metric %.60s is one figure a run, not a course: give several "
				 "runs (--kind sweep or histogram)",
				 ask->metric);
	return diag_fail(diag, ERR_USAGE,
			 "--metric: run %lld keeps no \"%.60s\" over time: neither a sampled "
			 "figure (usage limit failcnt inactive_file ...) nor one of shrink calls "
			 "(nr_to_scan ...) nor a mark of its scenario",
			 (long long)ask->run[i].id, ask->metric);
}

/* Warm-up of any of the runs is shaded: up to the last that had it. */
static enum err shade(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	double steps, seconds;
	enum err err = ERR_OK;

	for (size_t i = 0; i < ask->nr && err == ERR_OK; i++) {
		err = chart_warm(ask, i, &steps, &seconds, diag);
		chart->warm = fmax(chart->warm, seconds);
	}
	return err;
}

/* Title and axes. */
static void describe(const struct chart_ask *ask, const char *group, struct chart *chart)
{
	const char *unit = chart_sample_unit(ask->metric);
	bool mark = unit == NULL && !chart_is_call(ask->metric);

	snprintf(chart->title, sizeof(chart->title), "%.60s: %.60s%s%.60s", ask->run[0].scenario,
		 ask->metric, mark ? "" : " of ", mark ? "" : group);
	snprintf(chart->x.name, sizeof(chart->x.name), "model time");
	snprintf(chart->x.unit, sizeof(chart->x.unit), "s");
	snprintf(chart->y.name, sizeof(chart->y.name), "%.90s", ask->metric);
	snprintf(chart->y.unit, sizeof(chart->y.unit), "%.31s",
		 unit != NULL                                   ? unit
		 : mark || strcmp(ask->metric, "priority") == 0 ? ""
								: "pages");
}

enum err chart_over_time(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	bool sample = chart_is_sample(ask->metric), call = chart_is_call(ask->metric);
	char group[CHART_WORDS] = "", label[CHART_WORDS], sql[1024];
	enum err err = chart_too_many(ask, diag);

	if (err == ERR_OK && (sample || call))
		err = chart_group(ask, group, diag);
	chart->form = CHART_LINE;
	describe(ask, group, chart);
	for (size_t i = 0; i < ask->nr && err == ERR_OK; i++) {
		struct chart_series *series;

		chart_label(ask, i, label);
		series = chart_series(chart, label);
		time_sql(ask, i, group, sql);
		err = chart_query(ask->db, sql, add_xy, series, diag);
		if (err == ERR_OK && series->nr == 0)
			err = chart_no_course(ask, i, diag);
	}
	if (err == ERR_OK)
		err = shade(ask, chart, diag);
	chart_settle(chart, sample ? "sample" : call ? "shrink call" : "mark");
	return err;
}
