/*
 * Values as markers on a grid of rows.  Both series end at the right edge,
 * so calls that belong together stand above one another.  Where the two
 * meet in one cell a third marker says so: nothing hides behind another.
 */
#include "plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fmt.h"
#include "layout.h"

enum { LABEL_W = 5, COLUMN_W_MAX = 7, BOTH = 0x25ce };

struct grid {
	struct canvas *c;
	struct rect r; /* of the markers; its last row is the zero line */
	uint64_t min, max;
	int column;   /* cells for one value */
	size_t shown; /* values that fit */
};

/* The row of a value: the largest is on row 0, zero on the last. */
static int row_of(const struct grid *g, uint64_t value)
{
	int rows = g->r.h - 1;

	return g->max == 0 ? rows : rows - (int)((double)value * rows / (double)g->max + 0.5);
}

/* The last label of a row is the one that stays. */
static void label(const struct grid *g, int row, const char *text)
{
	struct span at = { g->r.x - 1 - LABEL_W, g->r.y + row, LABEL_W, ATTR_DIM };

	canvas_fill(g->c, (struct rect){ at.x, at.y, at.w, 1 }, ' ', ATTR_DIM);
	canvas_right(g->c, at, text);
}

/* Zero, the newest value of each series, and the largest of all. */
static void draw_labels(const struct grid *g, const struct plot *plot)
{
	char text[64], a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];
	int before = -1;

	label(g, g->r.h - 1, "0");
	a[0] = '\0';
	for (int k = 0; k < plot->nr_series; k++) {
		const struct plot_series *s = &plot->series[k];
		int row = s->n ? row_of(g, s->value[s->n - 1]) : -1;

		if (row < 0)
			continue;
		fmt_fit(s->value[s->n - 1], LABEL_W, b);
		if (row == before && strcmp(a, b) != 0)
			snprintf(text, sizeof(text), "%s,%s", a, b);
		else
			snprintf(text, sizeof(text), "%s", b);
		label(g, row, text);
		snprintf(a, sizeof(a), "%s", b);
		before = row;
	}
	label(g, row_of(g, g->max), fmt_fit(g->max, LABEL_W, b));
}

/* Markers of one series, oldest left; a cell taken by the other gets the shared marker. */
static void draw_series(const struct grid *g, const struct plot_series *s)
{
	size_t n = s->n < g->shown ? s->n : g->shown;

	for (size_t i = 0; i < n; i++) {
		uint64_t value = s->value[s->n - n + i];
		int x = g->r.x + g->r.w - 1 - (int)(n - 1 - i) * g->column;
		int y = g->r.y + row_of(g, value);
		uint32_t there = g->c->cell[y * g->c->w + x].ch;
		bool taken = there == 0x25cb || there == 'o';

		canvas_fill(g->c, (struct rect){ x, y, 1, 1 }, taken ? BOTH : s->marker, s->attr);
	}
}

/* Range and column width from both series, so that they can be compared. */
static void scale(struct grid *g, const struct plot *plot)
{
	size_t most = 1;

	g->min = UINT64_MAX;
	g->max = plot->line;
	for (int k = 0; k < plot->nr_series; k++) {
		const struct plot_series *s = &plot->series[k];

		most = s->n > most ? s->n : most;
		for (size_t i = 0; i < s->n; i++) {
			g->min = s->value[i] < g->min ? s->value[i] : g->min;
			g->max = s->value[i] > g->max ? s->value[i] : g->max;
		}
	}
	g->column = g->r.w / (int)most;
	g->column = g->column < 1 ? 1 : g->column > COLUMN_W_MAX ? COLUMN_W_MAX : g->column;
	/* Room for few values with air between them says more than a grey band. */
	if (g->r.w / COLUMN_W_MAX >= 8)
		g->column = COLUMN_W_MAX;
	g->shown = (size_t)((g->r.w - 1) / g->column + 1);
	if (g->shown > most)
		g->shown = most;
	if (g->min > g->max)
		g->shown = 0;
}

void plot_draw(struct canvas *c, struct rect r, const struct plot *plot)
{
	struct grid g = { .c = c, .r = { r.x + LABEL_W + 1, r.y, r.w - LABEL_W - 2, r.h - 1 } };
	char low[UNITS_TEXT_MAX], high[UNITS_TEXT_MAX];

	if (g.r.h < 2 || g.r.w < 8)
		return;
	scale(&g, plot);
	canvas_fill(c, (struct rect){ g.r.x - 1, g.r.y, 1, g.r.h - 1 }, 0x2502, ATTR_DIM);
	canvas_fill(c, (struct rect){ g.r.x - 1, g.r.y + g.r.h - 1, 1, 1 }, 0x2514, ATTR_DIM);
	canvas_fill(c, (struct rect){ g.r.x, g.r.y + g.r.h - 1, g.r.w, 1 }, 0x2500, ATTR_DIM);
	if (plot->line)
		canvas_fill(c, (struct rect){ g.r.x, g.r.y + row_of(&g, plot->line), g.r.w, 1 },
			    0x254c, ATTR_DIM);
	draw_labels(&g, plot);
	for (int k = 0; k < plot->nr_series; k++)
		draw_series(&g, &plot->series[k]);
	canvas_printf(c, layout_row(r, r.h - 1, ATTR_DIM),
		      "  last %zu calls, newest right; %d cells = 1 call; min %s max %s pages",
		      g.shown, g.column, fmt_count(g.min == UINT64_MAX ? 0 : g.min, low),
		      fmt_count(g.max, high));
}
