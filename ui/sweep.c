/*
 * Results of a sweep, see sweep.h: which metrics, and what seeds come to.
 */
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "totals.h"

/* Shown of a scenario that declares no metric. */
static const char *const usual[] = { "limit_hits", "nr_scanned", "nr_reclaimed", "nr_refault" };

/* ---- metrics ---- */

/* Name number @i of all that a run of the script has. */
static const char *metric_name_at(const void *ctx, size_t i)
{
	const struct script *script = ctx;
	struct script_metric metric;

	if (i < run_totals_count())
		return run_totals_at(i)->name;
	i -= run_totals_count();
	if (i >= script_metric_decl_count(script))
		return NULL;
	script_metric_decl(script, i, &metric);
	return metric.name;
}

static void metric_put(struct sweep *sweep, const char *name, const char *unit, const char *better)
{
	struct sweep_metric *metric = &sweep->metric[sweep->nr_metrics++];

	snprintf(metric->name, sizeof(metric->name), "%s", name);
	snprintf(metric->unit, sizeof(metric->unit), "%s", unit);
	snprintf(metric->better, sizeof(metric->better), "%s", better);
}

static bool is_taken(const struct sweep *sweep, const char *name)
{
	for (size_t i = 0; i < sweep->nr_metrics; i++)
		if (strcmp(sweep->metric[i].name, name) == 0)
			return true;
	return false;
}

static enum err metric_add(struct sweep *sweep, const char *name, struct diag *diag)
{
	const struct script *script = sweep->points->script;
	char hint[DIAG_HINT_MAX];
	struct script_metric own;

	if (is_taken(sweep, name))
		return ERR_OK;
	if (sweep->nr_metrics == SWEEP_METRICS_MAX)
		return diag_fail(diag, ERR_USAGE, "--metric: more than %d", SWEEP_METRICS_MAX);
	for (size_t i = 0; i < script_metric_decl_count(script); i++) {
		script_metric_decl(script, i, &own);
		if (strcmp(own.name, name) != 0)
			continue;
		metric_put(sweep, own.name, own.unit, own.better);
		return ERR_OK;
	}
	for (size_t i = 0; i < run_totals_count(); i++) {
		const struct run_totals_desc *total = run_totals_at(i);

		if (strcmp(total->name, name) != 0)
			continue;
		metric_put(sweep, total->name, total->unit, total->better);
		return ERR_OK;
	}
	return diag_fail(diag, ERR_USAGE, "--metric: no metric \"%s\" in scenario \"%s\"; %s", name,
			 script_name(script), diag_hint(name, metric_name_at, script, hint));
}

static enum err metrics_named(struct sweep *sweep, const char *names, struct diag *diag)
{
	char name[DB_WORD_MAX];
	enum err err = ERR_OK;

	while (err == ERR_OK) {
		size_t n = strcspn(names, ",");

		if (n >= sizeof(name))
			return diag_fail(diag, ERR_USAGE, "--metric: \"%s\" is too long", names);
		memcpy(name, names, n);
		name[n] = '\0';
		err = metric_add(sweep, name, diag);
		if (names[n] == '\0')
			break;
		names += n + 1;
	}
	return err;
}

/* As many as there is room for: nobody asked for more of them. */
static enum err metrics_usual(struct sweep *sweep, struct diag *diag)
{
	const struct script *script = sweep->points->script;
	struct script_metric own;
	enum err err = ERR_OK;

	for (size_t i = 0; i < script_metric_decl_count(script) && i < SWEEP_METRICS_MAX; i++) {
		script_metric_decl(script, i, &own);
		metric_put(sweep, own.name, own.unit, own.better);
	}
	if (sweep->nr_metrics > 0)
		return ERR_OK;
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]) && err == ERR_OK; i++)
		err = metric_add(sweep, usual[i], diag);
	return err;
}

/* ---- cells ---- */

static size_t nr_cells(const struct sweep *sweep)
{
	return sweep->points->nr_points * sweep->points->nr_eras;
}

enum err sweep_init(struct sweep *sweep, struct lab_sweep *points, const char *metrics,
		    struct diag *diag)
{
	enum err err;
	size_t nr;

	*sweep = (struct sweep){ .points = points };
	err = metrics != NULL ? metrics_named(sweep, metrics, diag) : metrics_usual(sweep, diag);
	if (err != ERR_OK)
		return err;
	nr = nr_cells(sweep) * sweep->nr_metrics;
	sweep->cell = calloc(nr_cells(sweep), sizeof(*sweep->cell));
	sweep->value = calloc(nr, sizeof(*sweep->value));
	if (sweep->cell == NULL || sweep->value == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the results of a sweep");
	for (size_t i = 0; i < nr; i++)
		sweep->value[i] = NAN;
	return ERR_OK;
}

void sweep_fini(struct sweep *sweep)
{
	free(sweep->cell);
	free(sweep->value);
	*sweep = (struct sweep){ .points = NULL };
}

void sweep_take(struct sweep *sweep, size_t cell, int64_t run, const struct db_metric *metric,
		size_t nr)
{
	double *value = &sweep->value[cell * sweep->nr_metrics];

	sweep->cell[cell] = (struct sweep_cell){ .run = run, .done = true };
	for (size_t i = 0; i < nr; i++)
		for (size_t m = 0; m < sweep->nr_metrics; m++)
			if (!metric[i].missing && !metric[i].is_text &&
			    strcmp(metric[i].name, sweep->metric[m].name) == 0)
				value[m] = metric[i].is_real ? metric[i].real
							     : (double)metric[i].integer;
}

size_t sweep_done(const struct sweep *sweep)
{
	size_t sides = sweep->points->nr_eras, done = 0;

	for (size_t p = 0; p < sweep->points->nr_points; p++) {
		size_t side = 0;

		while (side < sides && sweep->cell[p * sides + side].done)
			side++;
		done += side == sides;
	}
	return done;
}

/* ---- over the seeds ---- */

static size_t cell_of(const struct sweep *sweep, size_t setting, size_t seed, size_t side)
{
	return (setting * sweep->points->nr_seeds + seed) * sweep->points->nr_eras + side;
}

void sweep_summary(const struct sweep *sweep, size_t setting, size_t side, size_t metric,
		   struct sweep_summary *out)
{
	double sum = 0;

	*out = (struct sweep_summary){ .least = INFINITY, .most = -INFINITY };
	for (size_t seed = 0; seed < sweep->points->nr_seeds; seed++) {
		size_t cell = cell_of(sweep, setting, seed, side);
		double value = sweep->value[cell * sweep->nr_metrics + metric];

		out->done += sweep->cell[cell].done;
		if (isnan(value))
			continue;
		out->nr++;
		out->least = fmin(out->least, value);
		out->most = fmax(out->most, value);
		sum += value;
	}
	out->mean = out->nr > 0 ? sum / (double)out->nr : NAN;
	/* A mean of equal figures is that figure, without the error of adding them up. */
	if (out->least == out->most)
		out->mean = out->least;
}

/* The settings of the only axis in the order of their values. */
static void settings_sort(const struct values *values, size_t *order)
{
	for (size_t i = 0; i < values->nr; i++) {
		size_t at = i;

		for (; at > 0 && values->one[order[at - 1]].number > values->one[i].number; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* Room for one seed's course along an axis. */
struct course_room {
	size_t *order; /* settings, by value */
	double *x, *a, *b;
};

static void seed_find(const struct sweep *sweep, size_t seed, size_t metric,
		      const struct course_room *room, struct crossing_one *out)
{
	const struct values *values = &sweep->points->axis[0].values;
	const struct crossing_course course = {
		.x = room->x,
		.a = room->a,
		.b = room->b,
		.nr = values->nr,
		.lower = strcmp(sweep->metric[metric].better, "lower") == 0,
	};
	size_t n = sweep->nr_metrics;

	for (size_t i = 0; i < values->nr; i++) {
		size_t setting = room->order[i];

		room->x[i] = (double)values->one[setting].number;
		room->a[i] = sweep->value[cell_of(sweep, setting, seed, 0) * n + metric];
		room->b[i] = sweep->value[cell_of(sweep, setting, seed, 1) * n + metric];
	}
	crossing_find(&course, out);
}

bool sweep_crossing(const struct sweep *sweep, size_t metric, struct crossing *out)
{
	const struct lab_sweep *points = sweep->points;
	size_t nr = points->nr_settings, seeds = points->nr_seeds;
	struct course_room room;
	struct crossing_one *one;
	bool shape = points->nr_axes == 1 && points->nr_eras == 2 && nr >= 2 &&
		     points->axis[0].values.numeric;

	if (!shape)
		return false;
	room.order = calloc(nr, sizeof(*room.order));
	room.x = calloc(3 * nr, sizeof(*room.x));
	one = calloc(seeds, sizeof(*one));
	if (room.order != NULL && room.x != NULL && one != NULL) {
		room.a = room.x + nr;
		room.b = room.a + nr;
		settings_sort(&points->axis[0].values, room.order);
		for (size_t seed = 0; seed < seeds; seed++)
			seed_find(sweep, seed, metric, &room, &one[seed]);
		crossing_over(one, seeds, out);
	} else {
		shape = false;
	}
	free(room.order);
	free(room.x);
	free(one);
	return shape;
}
