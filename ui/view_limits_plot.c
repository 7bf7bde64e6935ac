/*
 * Usage against limit over the time of the whole run, for the selected
 * group; below it where its limit was hit and where its pages were taken.
 * What lies after the step that is shown stays blank.
 */
#include <stdio.h>
#include <string.h>

#include "fmt.h"
#include "view_limits.h"

enum { LABEL_W = 6, COLUMNS = 200, CHART_MIN = 3, STRIP_NAME = 7 };

/* What the columns of the plot stand for. */
struct chart {
	const struct limits_pane *p;
	const struct history *h;
	struct rect r;    /* of the columns */
	int shown;        /* columns up to now */
	ns_t end;         /* of the run */
	pages_t max, low; /* at the top; smallest usage shown */
	struct history_point column[COLUMNS];
	uint64_t hits[COLUMNS], taken[COLUMNS]; /* in the time of a column */
};

/* Pages reclaimed from a group's subtree up to moment @i. */
static uint64_t reclaimed_at(const struct chart *chart, size_t i)
{
	const struct run *run = chart->p->model->side[chart->p->side].run;
	uint64_t sum = 0;

	for (uint32_t id = 1; id < chart->h->nr_groups; id++)
		if (levels_within(run, id, chart->p->m.id))
			sum += history_at(chart->h, i, id).nr_reclaimed;
	return sum;
}

/* The last moment of column @x: a column is an even part of the run's time. */
static size_t moment_of(const struct chart *chart, int x)
{
	return history_before(chart->h, (ns_t)((double)chart->end * (x + 1) / chart->r.w));
}

/* Reads the columns up to now, and the scale from all of the run. */
static void read_columns(struct chart *chart)
{
	uint32_t id = chart->p->m.id;
	uint64_t before = 0, hits = 0, taken;
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < chart->h->nr; i++) {
		struct history_point point = history_at(chart->h, i, id);

		chart->max = point.usage > chart->max ? point.usage : chart->max;
		if (point.there && point.limit < PAGES_UNLIMITED && point.limit > chart->max)
			chart->max = point.limit;
	}
	chart->low = chart->max;
	for (int x = 0; x < chart->shown; x++) {
		size_t i = moment_of(chart, x);
		struct history_point point = history_at(chart->h, i, id);

		chart->column[x] = point;
		if (point.usage < chart->low)
			chart->low = point.usage;
		taken = i == last ? before : reclaimed_at(chart, i);
		chart->taken[x] = taken > before ? taken - before : 0;
		chart->hits[x] = point.limit_hits > hits ? point.limit_hits - hits : 0;
		before = taken;
		hits = point.limit_hits;
		last = i;
	}
}

/* The row, from the top, in which @pages end. */
static int row_of(const struct chart *chart, pages_t pages)
{
	int rows = chart->r.h;
	int from_below = (int)((double)pages * rows / (double)chart->max);

	return rows - 1 - (from_below >= rows ? rows - 1 : from_below);
}

/* A column of usage: full cells below, and the last one by its part. */
static void draw_column(const struct chart *chart, int x)
{
	uint64_t parts = (uint64_t)((double)chart->column[x].usage * chart->r.h * 8 /
				    (double)(chart->max ? chart->max : 1));

	canvas_column(chart->p->c, (struct rect){ chart->r.x + x, chart->r.y, 1, chart->r.h },
		      parts);
}

/* A line of @ch where a level lies in each column, over whatever is there. */
static void draw_level(const struct chart *chart, bool soft)
{
	for (int x = 0; x < chart->shown; x++) {
		pages_t level = soft ? chart->column[x].soft : chart->column[x].limit;

		if (!chart->column[x].there || level >= PAGES_UNLIMITED || level > chart->max)
			continue;
		canvas_fill(chart->p->c,
			    (struct rect){ chart->r.x + x, chart->r.y + row_of(chart, level), 1,
					   1 },
			    soft ? 0x2508 : 0x254c, ATTR_MARK);
	}
}

/* Scale at the left, time and the meaning of a column below. */
static void draw_axes(const struct chart *chart)
{
	struct canvas *c = chart->p->c;
	struct rect r = chart->r;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], d[UNITS_TEXT_MAX];
	int now_x = r.x + chart->shown - 1;

	canvas_fill(c, (struct rect){ r.x - 1, r.y, 1, r.h }, 0x2502, ATTR_DIM);
	canvas_fill(c, (struct rect){ r.x - 1, r.y + r.h, 1, 1 }, 0x2514, ATTR_DIM);
	canvas_fill(c, (struct rect){ r.x, r.y + r.h, r.w, 1 }, 0x2500, ATTR_DIM);
	canvas_fill(c, (struct rect){ now_x, r.y + r.h, 1, 1 }, 0x25cf, ATTR_MARK);
	canvas_right(c, (struct span){ r.x - LABEL_W - 1, r.y, LABEL_W, ATTR_DIM },
		     fmt_size(chart->max, a));
	canvas_right(c, (struct span){ r.x - LABEL_W - 1, r.y + r.h, LABEL_W, ATTR_DIM }, "0");
	canvas_printf(c, (struct span){ r.x, r.y + r.h + 1, r.w, ATTR_DIM },
		      "0 s to %s s; a column is %s s; min %s, max %s", fmt_clock(chart->end, 8, a),
		      fmt_clock(chart->end / (ns_t)(r.w > 0 ? r.w : 1), 6, b),
		      fmt_size(chart->low, d), fmt_size(chart->max, (char[UNITS_TEXT_MAX]){ "" }));
}

/* A strip below the plot, with the value of its darkest cell at the end. */
static void draw_strip(const struct chart *chart, int y, const char *name, const uint64_t *value)
{
	struct canvas *c = chart->p->c;
	uint64_t max = 0;
	char text[UNITS_TEXT_MAX];

	for (int x = 0; x < chart->shown; x++)
		max = value[x] > max ? value[x] : max;
	canvas_text(c, (struct span){ chart->r.x - STRIP_NAME, y, STRIP_NAME - 1, ATTR_TEXT },
		    name);
	/* Nothing is blank, so that a little is seen beside a lot. */
	for (int x = 0; x < chart->shown; x++)
		if (value[x] > 0)
			canvas_heat(c, (struct span){ chart->r.x + x, y, 1, ATTR_BAR }, &value[x],
				    max);
	if (chart->shown + 8 < chart->r.w)
		canvas_printf(c,
			      (struct span){ chart->r.x + chart->shown + 1, y,
					     chart->r.w - chart->shown - 1, ATTR_DIM },
			      "0-%s", fmt_fit(max, 6, text));
}

static void draw_chart(struct chart *chart, int strips)
{
	read_columns(chart);
	for (int x = 0; x < chart->shown; x++)
		draw_column(chart, x);
	draw_level(chart, true);
	draw_level(chart, false);
	draw_axes(chart);
	if (strips > 0)
		draw_strip(chart, chart->r.y + chart->r.h + 2, "hits", chart->hits);
	if (strips > 1)
		draw_strip(chart, chart->r.y + chart->r.h + 3, "taken", chart->taken);
}

void limits_plot(const struct limits_pane *p, struct rect r)
{
	const struct model_side *side = &p->model->side[p->side];
	struct chart chart = { .p = p, .h = side->history };
	struct rect in = layout_inside(r);
	char title[GROUP_PATH_MAX + 64], path[GROUP_PATH_MAX];
	int strips;

	limits_shorten(view_path(&p->m), r.w > 60 ? r.w - 50 : r.w - 26, path);
	snprintf(title, sizeof(title), "usage over time, %s", path);
	if (!chart.h || chart.h->nr < 2) {
		view_empty(p->c, r, title,
			   "No time has passed in this run: there is no course to "
			   "show. 7 lists other runs.");
		return;
	}
	canvas_box(p->c, r, title, r.w > 60 ? "\u254c limit  \u2508 soft" : NULL);
	strips = in.h >= CHART_MIN + 4 ? 2 : 0;
	chart.r = (struct rect){ in.x + LABEL_W + 2, in.y, in.w - LABEL_W - 3, in.h - 2 - strips };
	if (chart.r.w > COLUMNS)
		chart.r.w = COLUMNS;
	if (chart.r.w < 8 || chart.r.h < 1)
		return;
	chart.end = chart.h->t_ns[chart.h->nr - 1];
	chart.shown = 1 + (int)((double)run_now(side->run) * (chart.r.w - 1) /
				(double)(chart.end ? chart.end : 1));
	if (chart.shown > chart.r.w)
		chart.shown = chart.r.w;
	draw_chart(&chart, strips);
}
