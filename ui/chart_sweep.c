/*
 * Runs against each other: a metric over the one parameter in which they
 * differ, a series a kernel, at each value the mean over seeds and its 95 %
 * interval (Student's t).  The miss ratio over the limit is such a curve.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "chart_ask.h"
#include "student.h"

enum { SEEDS_MAX = 256 };

/* What runs are compared by. */
struct sweep {
	const struct chart_ask *ask;
	json_t **params; /* of each run */
	const char *by;
	struct diag *diag;
};

static const json_t *param_of(const struct sweep *sweep, size_t i, const char *name)
{
	return json_object_get(sweep->params[i], name);
}

/* A parameter of type seed differs with the seed itself: it is no axis. */
static bool is_seed(const struct sweep *sweep, const char *name)
{
	for (size_t i = 0; i < sweep->ask->nr; i++) {
		const json_t *value = param_of(sweep, i, name);

		if (!json_is_integer(value) ||
		    (uint64_t)json_integer_value(value) != sweep->ask->run[i].seed)
			return false;
	}
	return true;
}

static bool differs(const struct sweep *sweep, const char *name)
{
	for (size_t i = 1; i < sweep->ask->nr; i++)
		if (!json_equal(param_of(sweep, 0, name), param_of(sweep, i, name)))
			return true;
	return false;
}

/* The parameter on the x axis; two that differ would be mixed up in one curve. */
static enum err find_axis(struct sweep *sweep)
{
	const char *asked = sweep->ask->by, *name;
	json_t *value;

	sweep->by = asked;
	if (asked != NULL && param_of(sweep, 0, asked) == NULL)
		return diag_fail(sweep->diag, ERR_USAGE, "--by: %.60s has no parameter \"%.60s\"",
				 sweep->ask->run[0].scenario, asked);
	json_object_foreach(sweep->params[0], name, value)
	{
		if (!differs(sweep, name) || is_seed(sweep, name) ||
		    (asked != NULL && strcmp(asked, name) == 0))
			continue;
		if (sweep->by != NULL)
			return diag_fail(sweep->diag, ERR_USAGE,
					 "sweep: the runs differ in %.60s and %.60s: choose runs "
					 "that differ in one parameter",
					 sweep->by, name);
		sweep->by = name;
	}
	if (sweep->by == NULL)
		return diag_fail(sweep->diag, ERR_USAGE,
				 "sweep: the runs do not differ in any parameter: name one with "
				 "--by, or --kind histogram");
	if (!json_is_number(param_of(sweep, 0, sweep->by)))
		return diag_fail(sweep->diag, ERR_USAGE, "sweep: %.60s is no number", sweep->by);
	return ERR_OK;
}

static enum err load(struct sweep *sweep)
{
	const struct chart_ask *ask = sweep->ask;

	sweep->params = calloc(ask->nr, sizeof(json_t *));
	if (sweep->params == NULL)
		return diag_fail(sweep->diag, ERR_NOMEM, "no memory for the parameters");
	for (size_t i = 0; i < ask->nr; i++) {
		sweep->params[i] =
			json_loads(ask->run[i].params ? ask->run[i].params : "{}", 0, NULL);
		if (strcmp(ask->run[i].scenario, ask->run[0].scenario) != 0)
			return diag_fail(sweep->diag, ERR_USAGE,
					 "sweep: runs %lld and %lld are of different scenarios",
					 (long long)ask->run[0].id, (long long)ask->run[i].id);
	}
	return find_axis(sweep);
}

/* Accesses that found no page, of all: computed from two stored figures. */
static enum err miss_ratio(const struct chart_ask *ask, size_t i, double *out, struct diag *diag)
{
	struct chart_figure accesses, hits;
	enum err err = chart_metric(ask, i, "nr_accesses", &accesses, diag);

	if (err == ERR_OK)
		err = chart_metric(ask, i, "nr_hits", &hits, diag);
	if (err == ERR_OK && accesses.value <= 0)
		err = diag_fail(diag, ERR_USAGE, "miss_ratio: run %lld accessed no page",
				(long long)ask->run[i].id);
	if (err == ERR_OK)
		*out = (accesses.value - hits.value) / accesses.value;
	return err;
}

static enum err value_of(const struct sweep *sweep, size_t i, struct chart_figure *out)
{
	if (strcmp(sweep->ask->metric, "miss_ratio") != 0)
		return chart_metric(sweep->ask, i, sweep->ask->metric, out, sweep->diag);
	snprintf(out->unit, sizeof(out->unit), "misses per access");
	return miss_ratio(sweep->ask, i, &out->value, sweep->diag);
}

/* The mean of the seeds at one value, and its interval; of one seed there is none. */
static struct chart_point point_of(double x, const double *value, size_t nr)
{
	struct student_summary s = student_summarise(value, nr);
	double half = 0;

	if (nr > 1 && s.sd > 0)
		half = student_quantile(0.05, (double)nr - 1) * s.sd / sqrt((double)nr);
	return (struct chart_point){ x, s.mean, s.mean - half, s.mean + half };
}

static int by_x(const void *a, const void *b)
{
	const struct chart_point *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

/* A point a run becomes a point a value of the parameter.  *most: seeds of one at most. */
static enum err over_seeds(struct chart_series *series, size_t *most, struct diag *diag)
{
	double value[SEEDS_MAX];
	size_t to = 0, nr = 0;

	qsort(series->point, series->nr, sizeof(*series->point), by_x);
	for (size_t i = 0; i < series->nr; i++) {
		if (nr == SEEDS_MAX)
			return diag_fail(diag, ERR_USAGE, "sweep: more than %d seeds at %g",
					 SEEDS_MAX, series->point[i].x);
		value[nr++] = series->point[i].y;
		if (i + 1 < series->nr && series->point[i + 1].x == series->point[i].x)
			continue;
		series->point[to++] = point_of(series->point[i].x, value, nr);
		*most = nr > *most ? nr : *most;
		nr = 0;
	}
	series->nr = to;
	return ERR_OK;
}

static struct chart_series *series_of(struct chart *chart, const char *kernel)
{
	for (size_t s = 0; s < chart->nr_series; s++)
		if (strcmp(chart->series[s].label, kernel) == 0)
			return &chart->series[s];
	return chart_series(chart, kernel);
}

static enum err collect(const struct sweep *sweep, struct chart *chart)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < sweep->ask->nr && err == ERR_OK; i++) {
		struct chart_series *series = series_of(chart, sweep->ask->run[i].kernel);
		double x = json_number_value(param_of(sweep, i, sweep->by));
		struct chart_figure y;

		if (series == NULL)
			return diag_fail(sweep->diag, ERR_USAGE, "more than %d kernels in one plot",
					 CHART_SERIES_MAX);
		err = value_of(sweep, i, &y);
		if (err == ERR_OK)
			err = chart_add(series,
					(struct chart_point){ x, y.value, y.value, y.value },
					sweep->diag);
		snprintf(chart->y.unit, sizeof(chart->y.unit), "%s", y.unit);
	}
	return err;
}

static void describe(const struct sweep *sweep, struct chart *chart, size_t seeds)
{
	const char *scenario = sweep->ask->run[0].scenario;

	chart->form = CHART_INTERVALS;
	snprintf(chart->title, sizeof(chart->title), "%.60s: %.60s by %.60s", scenario,
		 sweep->ask->metric, sweep->by);
	snprintf(chart->x.name, sizeof(chart->x.name), "parameter %.60s", sweep->by);
	snprintf(chart->y.name, sizeof(chart->y.name), "%.90s", sweep->ask->metric);
	if (seeds > 1)
		snprintf(chart->one, sizeof(chart->one),
			 "one point is the mean of up to %zu seeds, its bar the 95 %% interval "
			 "(Student's t)",
			 seeds);
	else
		snprintf(chart->one, sizeof(chart->one),
			 "one point is one run: one seed has no interval");
}

/* The range is that of single runs, so it is taken before seeds are put together. */
enum err chart_sweep(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	struct sweep sweep = { .ask = ask, .diag = diag };
	size_t seeds = 0;
	enum err err = load(&sweep);

	if (err == ERR_OK)
		err = collect(&sweep, chart);
	chart->form = CHART_INTERVALS;
	chart_settle(chart, "run");
	for (size_t s = 0; s < chart->nr_series && err == ERR_OK; s++)
		err = over_seeds(&chart->series[s], &seeds, diag);
	if (err == ERR_OK)
		describe(&sweep, chart, seeds);
	for (size_t i = 0; sweep.params != NULL && i < ask->nr; i++)
		json_decref(sweep.params[i]);
	free(sweep.params);
	return err;
}

/* Without --by it is the limit, if the scenario has one. */
enum err chart_miss_ratio(const struct chart_ask *ask, struct chart *chart, struct diag *diag)
{
	struct chart_ask asked = *ask;

	if (strcmp(ask->metric, "miss_ratio") != 0)
		return diag_fail(diag, ERR_USAGE, "--kind mrc shows miss_ratio, not %.60s",
				 ask->metric);
	if (asked.by == NULL)
		asked.by = "limit";
	return chart_sweep(&asked, chart, diag);
}
