/*
 * Charts as text.  Lines and intervals have a field with its largest value
 * at the upper and zero (or the least) at the lower edge; bars have a row
 * each; of a heat map each side is a block of strips.
 */
#include "chart_draw.h"

#include <math.h>
#include <string.h>

#include "fmt.h"

enum { W = 80, FIELD_H = 14, LABEL_W = 11, SEVERAL = '#', HEAT_LEVELS = 1000 };

char chart_marker(size_t i)
{
	return "ox+*@%&$"[i % CHART_SERIES_MAX];
}

/* A field of cells, and what its edges mean. */
struct field {
	struct canvas *c;
	struct rect r;
	double x0, x1, y0, y1;
};

static int column(const struct field *f, double x)
{
	return f->r.x + (int)((x - f->x0) / (f->x1 - f->x0) * (f->r.w - 1) + 0.5);
}

static int row(const struct field *f, double y)
{
	return f->r.y + f->r.h - 1 - (int)((y - f->y0) / (f->y1 - f->y0) * (f->r.h - 1) + 0.5);
}

/* All points inside; from zero unless values are negative; never without width or height. */
static void field_scale(struct field *f, const struct chart *chart)
{
	bool first = true;

	f->y0 = fmin(0, chart->min);
	f->y1 = chart->max;
	for (size_t s = 0; s < chart->nr_series; s++)
		for (size_t i = 0; i < chart->series[s].nr; i++) {
			const struct chart_point *p = &chart->series[s].point[i];

			f->x0 = first || p->x < f->x0 ? p->x : f->x0;
			f->x1 = first || p->x > f->x1 ? p->x : f->x1;
			f->y0 = fmin(f->y0, p->low);
			f->y1 = fmax(f->y1, p->high);
			first = false;
		}
	if (f->x1 <= f->x0)
		f->x1 = f->x0 + 1;
	if (f->y1 <= f->y0)
		f->y1 = f->y0 + 1;
}

/* A marker; where another series has one already, the shared one. */
static void mark(const struct field *f, int x, int y, size_t series)
{
	struct canvas_cell *cell = &f->c->cell[y * f->c->w + x];
	uint32_t own = (uint32_t)chart_marker(series);
	bool taken = cell->ch != ' ' && cell->ch != ':' && cell->ch != '|' && cell->ch != own;

	cell->ch = taken ? SEVERAL : own;
}

static void draw_points(const struct field *f, const struct chart *chart, size_t s)
{
	for (size_t i = 0; i < chart->series[s].nr; i++) {
		const struct chart_point *p = &chart->series[s].point[i];
		int x = column(f, p->x), top = row(f, p->high), end = row(f, p->low);

		for (int y = top; y <= end; y++)
			if (f->c->cell[y * f->c->w + x].ch == ' ')
				f->c->cell[y * f->c->w + x].ch = '|';
		mark(f, x, row(f, p->y), s);
	}
}

/* The ends of both axes, and a line along each. */
static void draw_axes(const struct field *f, const struct chart *chart)
{
	struct canvas *c = f->c;
	int below = f->r.y + f->r.h;
	char text[UNITS_TEXT_MAX], name[CHART_WORDS];

	canvas_fill(c, (struct rect){ f->r.x - 1, f->r.y, 1, f->r.h }, 0x2502, ATTR_DIM);
	canvas_fill(c, (struct rect){ f->r.x - 1, below, 1, 1 }, 0x2514, ATTR_DIM);
	canvas_fill(c, (struct rect){ f->r.x, below, f->r.w, 1 }, 0x2500, ATTR_DIM);
	canvas_right(c, (struct span){ 0, f->r.y, LABEL_W, ATTR_DIM }, chart_number(f->y1, text));
	canvas_right(c, (struct span){ 0, below - 1, LABEL_W, ATTR_DIM },
		     chart_number(f->y0, text));
	canvas_text(c, (struct span){ f->r.x, below + 1, 20, ATTR_DIM }, chart_number(f->x0, text));
	canvas_text(c, (struct span){ f->r.x + 22, below + 1, f->r.w - 34, ATTR_DIM },
		    chart_axis_text(&chart->x, name));
	canvas_right(c, (struct span){ f->r.x + f->r.w - 12, below + 1, 12, ATTR_DIM },
		     chart_number(f->x1, text));
}

/* Returns: the row below. */
static int draw_field(struct canvas *c, const struct chart *chart, int y)
{
	struct field f = { .c = c, .r = { LABEL_W + 2, y, W - LABEL_W - 3, FIELD_H } };

	field_scale(&f, chart);
	if (chart->warm > f.x0)
		canvas_fill(c,
			    (struct rect){ f.r.x, f.r.y,
					   column(&f, fmin(chart->warm, f.x1)) - f.r.x + 1, f.r.h },
			    ':', ATTR_DIM);
	for (size_t s = 0; s < chart->nr_series; s++)
		draw_points(&f, chart, s);
	draw_axes(&f, chart);
	return y + FIELD_H + 2;
}

/* One row a bar, series of one name below one another. */
static int draw_bars(struct canvas *c, const struct chart *chart, int y)
{
	char text[UNITS_TEXT_MAX];

	for (size_t i = 0; chart->nr_series > 0 && i < chart->series[0].nr; i++)
		for (size_t s = 0; s < chart->nr_series; s++) {
			double value = chart->series[s].point[i].y;
			int w = chart->max > 0 ? (int)(value / chart->max * (W - 38) + 0.5) : 0;

			if (s == 0)
				canvas_right(c, (struct span){ 0, y, 20, ATTR_TEXT },
					     chart->tick[i]);
			canvas_fill(c, (struct rect){ 22, y, w, 1 }, (uint32_t)chart_marker(s),
				    ATTR_BAR);
			canvas_text(c, (struct span){ 23 + w, y, 14, ATTR_TEXT },
				    chart_number(value, text));
			y++;
		}
	return y + 1;
}

/* The strip of one row of a heat map. */
static void draw_strip(struct canvas *c, const struct chart *chart,
		       const struct chart_series *series, int y, int at)
{
	uint64_t value[W] = { 0 };
	int n = 0;

	for (size_t i = 0; i < series->nr; i++)
		if ((int)series->point[i].y == at && series->point[i].x < W - LABEL_W - 3) {
			n = (int)series->point[i].x + 1;
			value[n - 1] = chart->max > 0 ? (uint64_t)(series->point[i].low /
								   chart->max * HEAT_LEVELS)
						      : 0;
		}
	canvas_heat(c, (struct span){ LABEL_W + 2, y, n, ATTR_BAR }, value, HEAT_LEVELS);
}

/* Position grows downwards, as reclaim takes from the tail: the last row. */
static int draw_heat(struct canvas *c, const struct chart *chart, int y)
{
	char name[CHART_WORDS];

	for (size_t s = 0; s < chart->nr_series; s++) {
		const struct chart_series *series = &chart->series[s];
		int rows = 0;

		canvas_printf(c, (struct span){ 0, y++, W, ATTR_TEXT }, "%c  %s", (char)('A' + s),
			      series->label);
		for (size_t i = 0; i < series->nr; i++)
			rows = (int)fmax(rows, series->point[i].y + 1);
		for (int at = 0; at < rows; at++)
			draw_strip(c, chart, series, y + at, at);
		canvas_right(c, (struct span){ 0, y, LABEL_W, ATTR_DIM }, "head");
		canvas_right(c, (struct span){ 0, y + rows - 1, LABEL_W, ATTR_DIM }, "tail");
		y += rows;
		canvas_text(c, (struct span){ LABEL_W + 2, y++, W, ATTR_DIM },
			    chart_axis_text(&chart->x, name));
	}
	return y;
}

/* Which marker is which run. */
static int draw_legend(struct canvas *c, const struct chart *chart, int y)
{
	if (chart->form == CHART_HEAT)
		return y;
	for (size_t s = 0; s < chart->nr_series; s++)
		canvas_printf(c, (struct span){ 2, y++, W - 2, ATTR_TEXT }, "%c  %s",
			      chart_marker(s), chart->series[s].label);
	if (chart->nr_series > 1 && chart->form != CHART_BARS)
		canvas_text(c, (struct span){ 2, y++, W - 2, ATTR_TEXT }, "#  several of them");
	return y;
}

/* A note is never cut: it goes on at the next blank.  Returns: the row below. */
static int draw_note(struct canvas *c, const char *text, int y)
{
	while (strlen(text) > W) {
		int n = W;

		while (n > 1 && text[n] != ' ')
			n--;
		canvas_printf(c, (struct span){ 0, y++, W, ATTR_DIM }, "%.*s", n, text);
		text += n + 1;
	}
	canvas_text(c, (struct span){ 0, y, W, ATTR_DIM }, text);
	return y + 1;
}

static int (*const draw_form[])(struct canvas *c, const struct chart *chart, int y) = {
	[CHART_LINE] = draw_field,
	[CHART_INTERVALS] = draw_field,
	[CHART_BARS] = draw_bars,
	[CHART_HEAT] = draw_heat,
};

/* Drawn on the largest grid, which then loses the rows below the last line. */
void chart_text(const struct chart *chart, enum canvas_glyphs glyphs, struct canvas *canvas)
{
	char line[2 * CHART_WORDS];
	int y = 0;

	canvas_init(canvas, W, CANVAS_H_MAX, glyphs);
	canvas_text(canvas, (struct span){ 0, y++, W, ATTR_TITLE }, chart->title);
	y = draw_legend(canvas, chart, y);
	if (!chart->empty)
		y = draw_form[chart->form](canvas, chart, y);
	for (size_t i = 0; chart_note(chart, i, line); i++)
		y = draw_note(canvas, line, y);
	canvas->h = y < CANVAS_H_MAX ? y : CANVAS_H_MAX;
}
