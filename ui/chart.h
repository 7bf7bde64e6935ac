/*
 * A chart as data: what is measured against what, in which units, and the
 * points of each series.  Those who ask the store fill one; those who draw
 * (text, gnuplot, rows, the report) read it and ask nothing else, so a
 * figure is the same in every form.
 */
#ifndef MEMCGLAB_UI_CHART_H
#define MEMCGLAB_UI_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"
#include "output.h"
#include "units.h"

enum chart_form {
	CHART_LINE,      /* y over x; a thinned point has low and high around it */
	CHART_INTERVALS, /* y over x with an interval at each point */
	CHART_BARS,      /* point i of every series has the name tick[i] */
	CHART_HEAT       /* a cell at column x and row y from the top, shaded by low */
};

enum { CHART_SERIES_MAX = 8, CHART_TICKS_MAX = 16, CHART_WORDS = 200, CHART_POINTS = 400 };

struct chart_point {
	double x, y, low, high;
};

struct chart_series {
	char label[CHART_WORDS];
	struct chart_point *point;
	size_t nr, room;
};

struct chart_axis {
	char name[96], unit[32];
};

struct chart {
	enum chart_form form;
	char title[CHART_WORDS];
	struct chart_axis x, y; /* of a heat map y is the position, and shade what is shown */
	struct chart_axis shade;
	char one[CHART_WORDS];  /* what one point, bar or cell stands for */
	char more[CHART_WORDS]; /* a further line below; "" if none */
	char tick[CHART_TICKS_MAX][32];
	double warm;     /* x up to which it is warm-up; 0: none was declared */
	double min, max; /* of all values, before thinning */
	bool empty;      /* there is no value at all */
	size_t nr_series;
	struct chart_series series[CHART_SERIES_MAX];
};

/* chart_free - the points; the chart itself is its owner's. */
void chart_free(struct chart *chart);

/* chart_series - one more, with its label.  Returns: NULL if there are too many. */
struct chart_series *chart_series(struct chart *chart, const char *label);

/* chart_add - a point at the end of @series.  Returns: ERR_NOMEM. */
enum err chart_add(struct chart_series *series, struct chart_point point, struct diag *diag);

/**
 * chart_settle - minimum and maximum, then lines of at most CHART_POINTS points
 * Points beyond that become means of as many that follow one another, with
 * their least and largest; chart->one says how many.  @thing: "sample"
 */
void chart_settle(struct chart *chart, const char *thing);

/* chart_number - a value as people read it: whole ones in groups of three.  Returns: @out. */
char *chart_number(double value, char out[UNITS_TEXT_MAX]);

/* chart_axis_text - "usage [pages]", or the name alone.  Returns: @out. */
char *chart_axis_text(const struct chart_axis *axis, char out[CHART_WORDS]);

/* chart_note - line @i of what every form prints below: unit, range, what a point is.
 * Returns: false past the last. */
bool chart_note(const struct chart *chart, size_t i, char out[2 * CHART_WORDS]);

/* chart_value - what is measured at @point: y, of a heat map its shade. */
double chart_value(const struct chart *chart, const struct chart_point *point);

/* chart_rows - the points as rows: series, x, y, low, high. */
enum err chart_rows(const struct chart *chart, const struct output_style *style, FILE *file,
		    struct diag *diag);

#endif
