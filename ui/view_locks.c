/*
 * Lock statistics of both sides as lock_stat counts them: on a narrow screen
 * the figures of one class below each other, on a wide one all classes in
 * rows; then who waits, how long, and how many CPUs over time.
 *
 * A dash is "no such value": a class that a side does not have, a least and
 * a longest wait where nobody waited, a ratio to nothing.
 */
#include "view_locks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fmt.h"

enum { WIDE = 150, TALL = 36, NAME_W = 18, VALUE_W = 14, RATIO_W = 9, TABLE_ROWS = 8, PANE_MIN = 6,
       WIDE_PANE = 17 };

/* A figure of a class: its name on a narrow screen, and its column on a wide one. */
enum figure { CON_BOUNCES, CONTENTIONS, WAIT_MIN, WAIT_MAX, WAIT_TOTAL, ACQ_BOUNCES, ACQUISITIONS,
	      HOLD_MIN, HOLD_MAX, HOLD_TOTAL, NR_FIGURES };

static const struct {
	const char *name, *head;
	int w;
	bool time;
} figures[NR_FIGURES] = {
	[CON_BOUNCES] = { "con-bounces", "con-bounces", 11, false },
	[CONTENTIONS] = { "contentions", "contentions", 11, false },
	[WAIT_MIN] = { "wait min us", "wait min", 8, true },
	[WAIT_MAX] = { "wait max us", "wait max", 9, true },
	[WAIT_TOTAL] = { "wait total us", "wait total", 13, true },
	[ACQ_BOUNCES] = { "acq-bounces", "acq-bounces", 11, false },
	[ACQUISITIONS] = { "acquisitions", "acquisitions", 12, false },
	[HOLD_MIN] = { "hold min us", "hold min", 8, true },
	[HOLD_MAX] = { "hold max us", "hold max", 9, true },
	[HOLD_TOTAL] = { "hold total us", "hold total", 14, true },
};

/* What a narrow screen has room for, in this order. */
static const enum figure narrow[] = { CONTENTIONS, CON_BOUNCES, ACQUISITIONS, ACQ_BOUNCES,
				      WAIT_TOTAL, WAIT_MAX, HOLD_TOTAL, HOLD_MAX };

enum { NR_NARROW = sizeof(narrow) / sizeof(narrow[0]) };

/* Microseconds in groups of three, rounded: "16 599.78", or without decimals. */
static char *us_text(ns_t ns, bool decimals, char out[UNITS_TEXT_MAX])
{
	ns_t hundredths = (ns + (decimals ? 5 : 500)) / 10;
	size_t n;

	fmt_count(hundredths / 100, out);
	n = strlen(out);
	if (decimals)
		snprintf(out + n, UNITS_TEXT_MAX - n, ".%02u", (unsigned)(hundredths % 100));
	return out;
}

/* Returns: false if the side has no such value. */
static bool figure_of(const struct lock_row *row, int side, enum figure figure, uint64_t *out)
{
	const struct lock_stat *sum = &row->lock[side].sum;
	const uint64_t of[NR_FIGURES] = {
		[CON_BOUNCES] = sum->con_bounces, [CONTENTIONS] = sum->wait.nr,
		[WAIT_MIN] = sum->wait.min,	  [WAIT_MAX] = sum->wait.max,
		[WAIT_TOTAL] = sum->wait.total,	  [ACQ_BOUNCES] = sum->acq_bounces,
		[ACQUISITIONS] = sum->hold.nr,	  [HOLD_MIN] = sum->hold.min,
		[HOLD_MAX] = sum->hold.max,	  [HOLD_TOTAL] = sum->hold.total,
	};

	*out = of[figure];
	if (!row->there[side])
		return false;
	if (figure == WAIT_MIN || figure == WAIT_MAX)
		return sum->wait.nr > 0;
	return (figure != HOLD_MIN && figure != HOLD_MAX) || sum->hold.nr > 0;
}

static const char *figure_text(const struct lock_row *row, int side, enum figure figure, int w,
			       char out[UNITS_TEXT_MAX])
{
	uint64_t value;

	if (!figure_of(row, side, figure, &value))
		return "-";
	if (!figures[figure].time)
		fmt_count(value, out);
	else
		us_text(value, true, out);
	/* A column too narrow for decimals goes without, then gets a suffix. */
	if ((int)strlen(out) > w && figures[figure].time)
		us_text(value, false, out);
	if ((int)strlen(out) > w)
		fmt_fit(figures[figure].time ? value / 1000 : value, w, out);
	return out;
}

/* How side B compares: "1/160", "x2.3". */
static void ratio_text(uint64_t a, uint64_t b, char out[32])
{
	double ratio = b > a ? (double)b / (double)(a ? a : 1) : (double)a / (double)(b ? b : 1);

	if (!a || !b)
		snprintf(out, 32, a == b ? "1" : "-");
	else if (a == b)
		snprintf(out, 32, "1");
	else
		snprintf(out, 32, "%s%.*f", b > a ? "x" : "1/", ratio < 10 ? 1 : 0, ratio);
}

/* What a figure is: of a lock, or of additions to a shared line, which lock_stat does not know. */
static const char *label_of(const struct lock_row *row, const struct locks_pane *p)
{
	for (int i = 0; i < p->nr_sides; i++)
		if (row->there[p->side[i]])
			return row->lock[p->side[i]].atomic ? "atomic" : "model";
	return "-";
}

static void draw_note(struct canvas *c, struct span at, bool wide)
{
	if (at.w < VIEW_BOTH_W) {
		canvas_text(c, at, " model: this run counted it \u00b7 - no value");
		return;
	}
	canvas_text(
		c, at,
		wide ? " us \u00b7 model: this run counted it \u00b7 min and max of any CPU, as "
		       "from v2.6.33 on \u00b7 atomic: additions to a shared line, no lock \u00b7 "
		       "- no such value"
		     : " model: this run counted it \u00b7 atomic: additions, no lock "
		       "\u00b7 - no value");
}

/* One figure with a column a side, and how they compare. */
static void draw_figure(const struct locks_pane *p, struct span at, enum figure figure)
{
	char text[UNITS_TEXT_MAX], ratio[32];
	struct span cell = { at.x + NAME_W, at.y, VALUE_W, ATTR_TEXT };
	uint64_t a, b;

	canvas_text(p->c, (struct span){ at.x + 1, at.y, NAME_W, ATTR_TEXT }, figures[figure].name);
	for (int i = 0; i < p->nr_sides; i++, cell.x += VALUE_W) {
		cell.attr = view_side_attr(p->side[i]);
		canvas_right(p->c, cell,
			     figure_text(p->row, p->side[i], figure, VALUE_W - 1, text));
	}
	if (p->nr_sides == 2) {
		cell = (struct span){ cell.x, at.y, RATIO_W, ATTR_TEXT };
		snprintf(ratio, sizeof(ratio), "-");
		if (figure_of(p->row, 0, figure, &a) && figure_of(p->row, 1, figure, &b))
			ratio_text(a, b, ratio);
		canvas_right(p->c, cell, ratio);
		cell.x += RATIO_W;
	}
	canvas_text(p->c, (struct span){ cell.x + 2, at.y, at.w - cell.x - 2, ATTR_DIM },
		    label_of(p->row, p));
}

/* The class by name, and which one of how many it is. */
static void draw_figures(const struct locks_pane *p, struct rect r, size_t n)
{
	char head[128];
	struct span cell = { r.x + NAME_W, r.y, VALUE_W, ATTR_TITLE };

	canvas_text(p->c, (struct span){ r.x + 1, r.y, NAME_W, ATTR_SELECTED },
		    lock_row_name(p->row));
	for (int i = 0; i < p->nr_sides; i++, cell.x += VALUE_W) {
		snprintf(head, sizeof(head), "%c %.*s", 'A' + p->side[i], VALUE_W - 3,
			 view_side_name(&p->model->side[p->side[i]]));
		cell.attr = view_side_attr(p->side[i]);
		canvas_right(p->c, cell, head);
	}
	if (p->nr_sides == 2) {
		canvas_right(p->c, (struct span){ cell.x, r.y, RATIO_W, ATTR_TITLE }, "B/A");
		cell.x += RATIO_W;
	}
	canvas_printf(p->c, (struct span){ cell.x + 2, r.y, r.w - cell.x - 2, ATTR_DIM },
		      "label  %d of %zu", p->model->selected + 1, n);
	for (int y = 0; y < NR_NARROW && y + 1 < r.h; y++)
		draw_figure(p, layout_row(r, y + 1, ATTR_TEXT), narrow[y]);
}

/* ---- all classes ---- */

static void draw_heads(struct canvas *c, struct span at)
{
	int x = at.x + NAME_W + 1;

	canvas_text(c, (struct span){ at.x + 1, at.y, NAME_W, ATTR_TITLE }, "lock class");
	for (int i = 0; i < NR_FIGURES; i++) {
		canvas_right(c, (struct span){ x, at.y, figures[i].w, ATTR_TITLE },
			     figures[i].head);
		x += figures[i].w + 1;
	}
	canvas_text(c, (struct span){ x + 1, at.y, at.w - x - 1, ATTR_TITLE }, "side");
}

/* A class on one side. */
static void draw_class(const struct locks_pane *p, struct span at, int side, bool first)
{
	char text[UNITS_TEXT_MAX];
	int x = at.x + NAME_W + 1;

	if (first)
		canvas_text(p->c, (struct span){ at.x + 1, at.y, NAME_W - 1, at.attr },
			    lock_row_name(p->row));
	for (int i = 0; i < NR_FIGURES; i++) {
		canvas_right(p->c, (struct span){ x, at.y, figures[i].w, view_side_attr(side) },
			     figure_text(p->row, side, (enum figure)i, figures[i].w, text));
		x += figures[i].w + 1;
	}
	canvas_printf(p->c, (struct span){ x + 1, at.y, at.w - x - 1, ATTR_DIM }, "%c %s",
		      'A' + side,
		      !p->row->there[side]        ? "has none"
		      : p->row->lock[side].atomic ? "model, atomic"
						  : "model");
}

static void draw_classes(const struct locks_pane *p, struct rect r, const struct lock_row *row,
			 size_t n)
{
	int room = (r.h - 1) / p->nr_sides, selected = p->model->selected;
	int top = layout_window((int)n, selected, room);

	draw_heads(p->c, layout_row(r, 0, ATTR_TITLE));
	for (int i = 0; i < room && top + i < (int)n; i++)
		for (int k = 0; k < p->nr_sides; k++) {
			struct locks_pane one = *p;
			enum canvas_attr attr = top + i == selected ? ATTR_SELECTED : ATTR_TEXT;

			one.row = &row[top + i];
			draw_class(&one, layout_row(r, 1 + i * p->nr_sides + k, attr), p->side[k],
				   k == 0);
		}
}

/* ---- the whole ---- */

/* Returns: NULL, or why there is nothing to show. */
static const char *why_empty(const struct model *model, size_t n)
{
	if (!model->side[0].run && !model->side[1].run)
		return "No run is open. 7 lists runs and scenarios: Enter opens one.";
	if (!lock_rows_modelled(model, 0) && !lock_rows_modelled(model, 1))
		return "This run does not model locks, so there are no figures to show. A "
		       "scenario turns them on with lab.machine { locks = true } or with "
		       "lab.lock(...); charge-storm is one that does.";
	return n == 0 ? "No class of locks matches the filter. Esc clears it." : NULL;
}

static void draw_wide(const struct locks_pane *p, struct rect body, const struct lock_row *row,
		      size_t n)
{
	int rows = (int)n * p->nr_sides;
	struct rect part = layout_top(&body, 1 + (rows < TABLE_ROWS ? rows : TABLE_ROWS));

	draw_classes(p, part, row, n);
	draw_note(p->c, layout_row(layout_top(&body, 1), 0, ATTR_DIM), true);
	part = layout_top(&body, WIDE_PANE);
	locks_waits(p, layout_left(&part, part.w / 2));
	locks_sites(p, part);
	locks_plot(p, body);
}

static void draw_narrow(const struct locks_pane *p, struct rect body, size_t n)
{
	draw_figures(p, layout_top(&body, NR_NARROW + 1), n);
	draw_note(p->c, layout_row(layout_top(&body, 1), 0, ATTR_DIM), false);
	if (body.h < PANE_MIN)
		return;
	if (body.w < VIEW_BOTH_W) {
		locks_sites(p, body);
		return;
	}
	if (p->model->locks.table)
		locks_waits(p, layout_left(&body, body.w / 2));
	else
		locks_sites(p, layout_left(&body, body.w / 2));
	locks_plot(p, body);
}

void view_draw_locks(const struct model *model, struct canvas *c, struct rect body)
{
	struct locks_pane p = { .model = model, .c = c };
	struct lock_row row[LOCK_ROWS_MAX];
	size_t n = lock_rows(model, row);
	const char *why = why_empty(model, n);

	if (why) {
		view_empty(c, body, "locks", why);
		return;
	}
	p.nr_sides = view_sides(model, c, p.side);
	p.row = &row[(size_t)model->selected < n ? (size_t)model->selected : n - 1];
	if (body.w >= WIDE && body.h >= TALL)
		draw_wide(&p, body, row, n);
	else
		draw_narrow(&p, body, n);
}
