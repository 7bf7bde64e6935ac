/*
 * A plot of one or two series, one column group a value, newest right, with
 * a zero line, the largest and the newest values at the left edge, and a
 * dashed line at a level of interest.
 */
#ifndef MEMCGLAB_UI_PLOT_H
#define MEMCGLAB_UI_PLOT_H

#include "canvas.h"

enum { PLOT_POINTS = 256 };

struct plot_series {
	uint64_t value[PLOT_POINTS]; /* oldest first */
	size_t n;
	uint32_t marker;
	enum canvas_attr attr;
};

struct plot {
	int nr_series; /* 1 or 2 */
	const struct plot_series *series;
	uint64_t line; /* where the dashed line is; 0: none */
};

/* plot_draw - into @r, whose last row says what a column is and the range of the values. */
void plot_draw(struct canvas *c, struct rect r, const struct plot *plot);

#endif
