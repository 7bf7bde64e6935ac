/*
 * Charts as data, see chart.h.  Thinning keeps what a reader must not miss:
 * the least and largest of the points that a mean stands for.
 */
#include "chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmt.h"

void chart_free(struct chart *chart)
{
	for (size_t i = 0; i < chart->nr_series; i++)
		free(chart->series[i].point);
	memset(chart, 0, sizeof(*chart));
}

struct chart_series *chart_series(struct chart *chart, const char *label)
{
	struct chart_series *series = &chart->series[chart->nr_series];

	if (chart->nr_series == CHART_SERIES_MAX)
		return NULL;
	memset(series, 0, sizeof(*series));
	snprintf(series->label, sizeof(series->label), "%s", label);
	chart->nr_series++;
	return series;
}

enum err chart_add(struct chart_series *series, struct chart_point point, struct diag *diag)
{
	if (series->nr == series->room) {
		size_t room = series->room != 0 ? series->room * 2 : 256;
		struct chart_point *more = realloc(series->point, room * sizeof(*more));

		if (more == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for the plot");
		series->point = more;
		series->room = room;
	}
	series->point[series->nr++] = point;
	return ERR_OK;
}

double chart_value(const struct chart *chart, const struct chart_point *point)
{
	return chart->form == CHART_HEAT ? point->low : point->y;
}

/* The range of what was measured; the ends of intervals are estimates and not part of it. */
static void range(struct chart *chart)
{
	chart->empty = true;
	for (size_t s = 0; s < chart->nr_series; s++)
		for (size_t i = 0; i < chart->series[s].nr; i++) {
			double value = chart_value(chart, &chart->series[s].point[i]);

			chart->min = chart->empty || value < chart->min ? value : chart->min;
			chart->max = chart->empty || value > chart->max ? value : chart->max;
			chart->empty = false;
		}
}

/* @nr points in a row as one, at the place of the first. */
static struct chart_point merged(const struct chart_point *point, size_t nr)
{
	struct chart_point out = { point->x, 0, point->y, point->y };

	for (size_t i = 0; i < nr; i++) {
		out.y += point[i].y / (double)nr;
		out.low = fmin(out.low, point[i].y);
		out.high = fmax(out.high, point[i].y);
	}
	return out;
}

/* Every point of a plot stands for as many, whichever series it is of. */
static void thin(struct chart_series *series, size_t by)
{
	size_t to = 0;

	for (size_t i = 0; i < series->nr; i += by) {
		size_t nr = series->nr - i < by ? series->nr - i : by;

		series->point[to++] = merged(series->point + i, nr);
	}
	series->nr = to;
}

void chart_settle(struct chart *chart, const char *thing)
{
	size_t most = 0, by;

	range(chart);
	if (chart->form != CHART_LINE)
		return;
	for (size_t s = 0; s < chart->nr_series; s++)
		most = chart->series[s].nr > most ? chart->series[s].nr : most;
	by = (most + CHART_POINTS - 1) / CHART_POINTS;
	if (by <= 1) {
		snprintf(chart->one, sizeof(chart->one), "one point is one %s", thing);
		return;
	}
	for (size_t s = 0; s < chart->nr_series; s++)
		thin(&chart->series[s], by);
	snprintf(chart->one, sizeof(chart->one),
		 "one point is the mean of %zu %ss, with their least and largest", by, thing);
}

char *chart_number(double value, char out[UNITS_TEXT_MAX])
{
	if (value >= 0 && value < 1e18 && value == floor(value))
		return fmt_count((uint64_t)value, out);
	snprintf(out, UNITS_TEXT_MAX, "%.6g", value);
	return out;
}

char *chart_axis_text(const struct chart_axis *axis, char out[CHART_WORDS])
{
	if (axis->unit[0] != '\0')
		snprintf(out, CHART_WORDS, "%s [%s]", axis->name, axis->unit);
	else
		snprintf(out, CHART_WORDS, "%s", axis->name);
	return out;
}

/* "usage [pages]: min 0, max 25 600" */
static void note_range(const struct chart *chart, char out[2 * CHART_WORDS])
{
	const struct chart_axis *axis = chart->form == CHART_HEAT ? &chart->shade : &chart->y;
	char name[CHART_WORDS], min[UNITS_TEXT_MAX], max[UNITS_TEXT_MAX];

	chart_axis_text(axis, name);
	if (chart->empty)
		snprintf(out, 2 * CHART_WORDS, "%s: no value", name);
	else
		snprintf(out, 2 * CHART_WORDS, "%s: min %s, max %s", name,
			 chart_number(chart->min, min), chart_number(chart->max, max));
}

bool chart_note(const struct chart *chart, size_t i, char out[2 * CHART_WORDS])
{
	char end[UNITS_TEXT_MAX];

	if (i == 0)
		note_range(chart, out);
	else if (i == 1)
		snprintf(out, 2 * CHART_WORDS, "%s", chart->one);
	else if (i == 2 && chart->more[0] != '\0')
		snprintf(out, 2 * CHART_WORDS, "%s", chart->more);
	else if (i <= 3 && chart->warm > 0 && (i == 3 || chart->more[0] == '\0'))
		snprintf(out, 2 * CHART_WORDS, "shaded: declared warm-up, to %s %s",
			 chart_number(chart->warm, end), chart->x.unit);
	else
		return false;
	/* Without a further line warm-up is line 2, and line 3 would say it again. */
	return !(i == 3 && chart->more[0] == '\0');
}

/* A point as a row; bars say their name in place of x. */
static enum err put_row(struct output *out, const struct chart *chart, size_t s, size_t i,
			struct diag *diag)
{
	static const int numbers[5] = { OUTPUT_TEXT, OUTPUT_REAL, OUTPUT_REAL, OUTPUT_REAL,
					OUTPUT_REAL };
	static const int names[5] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_REAL, OUTPUT_REAL,
				      OUTPUT_REAL };
	const struct chart_point *point = &chart->series[s].point[i];
	bool bars = chart->form == CHART_BARS;
	const double number[4] = { point->x, point->y, point->low, point->high };
	char text[4][UNITS_TEXT_MAX];
	const char *values[5] = { chart->series[s].label };

	for (size_t k = 0; k < 4; k++) {
		snprintf(text[k], sizeof(text[k]), "%.15g", number[k]);
		values[k + 1] = text[k];
	}
	if (bars)
		values[1] = chart->tick[i];
	return output_row(out, 5, values, bars ? names : numbers, diag);
}

enum err chart_rows(const struct chart *chart, const struct output_style *style, FILE *file,
		    struct diag *diag)
{
	static const char *const names[5] = { "series", "x", "y", "low", "high" };
	struct output *out = NULL;
	enum err err = output_new(style, file, &out, diag);

	if (err == ERR_OK)
		err = output_head(out, 5, names, diag);
	for (size_t s = 0; s < chart->nr_series; s++)
		for (size_t i = 0; i < chart->series[s].nr && err == ERR_OK; i++)
			err = put_row(out, chart, s, i, diag);
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}
