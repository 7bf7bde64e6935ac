/*
 * The latest shrink calls of each side's group, newest last, with the sums
 * over the last six of them; below, the pages asked for by each call as a
 * plot.  The selected call (0 is the newest) is the last one shown, so going
 * up walks back through the calls that are kept.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fmt.h"
#include "plot.h"
#include "rows.h"
#include "view_parts.h"

enum { SUM_CALLS = 6, PLOT_ROWS = 8, WIDE_PLOT_ROWS = 14, TALL = 36, WIDE_PANE = 60 };

/*
 * Figures of the message that reported the over-scan, for the group size and
 * the kernels that it names; shown only beside a run of exactly these.
 */
static const struct {
	const char *scenario, *kernel, *text;
	pages_t limit;
} published[] = {
	{ "cat-in-100m", "v2.6.31", "publ. 30/6 = 5", 25600 },
	{ "cat-in-100m", "v2.6.31+scan_batch=reclaim_stat", "publ. 64/42 = 1.5", 25600 },
};

struct list {
	const struct model_side *side;
	uint64_t call[MODEL_SHRINKS]; /* newest first */
	size_t n, selected;
	struct run_memcg m;
};

/* The published figure that belongs beside this side, "" for every other run. */
static const char *published_text(const struct model *model, const struct list *list)
{
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++)
		if (strcmp(published[i].scenario, model->scenario) == 0 &&
		    strcmp(published[i].kernel, list->side->kernel) == 0 &&
		    published[i].limit == list->m.limit)
			return published[i].text;
	return "";
}

/* "file", "anon" or "file+anon": which lists the calls are about. */
static const char *lists_word(const struct list *list)
{
	bool anon = false, file = false;

	for (size_t i = 0; i < list->n; i++) {
		enum lru lru = model_shrink(list->side, list->call[i])->list;

		anon |= lru <= LRU_ACTIVE_ANON;
		file |= lru > LRU_ACTIVE_ANON;
	}
	return anon && file ? "file+anon" : anon ? "anon" : "file";
}

/* The heads of the columns; a narrow pane leaves out the number and the list of a call. */
static void draw_header(struct canvas *c, struct span at, bool wide)
{
	if (wide)
		canvas_printf(c, at, " %8s %11s %-5s %9s %5s %6s %6s %6s %6s", "call", "t", "list",
			      "count", "prio", "ask", "iso", "rec", "over");
	else
		canvas_printf(c, at, " %-9s%7s%5s%4s%4s%4s%4s", "t", "count", "prio", "ask", "iso",
			      "rec", "x");
}

/* One call.  A number too wide for its column gets a suffix, never a cut. */
static void draw_call(struct canvas *c, struct span at, const struct model_shrink *s, bool mark,
		      bool wide)
{
	bool anon = s->list <= LRU_ACTIVE_ANON;
	char call[UNITS_TEXT_MAX], t[UNITS_TEXT_MAX], size[UNITS_TEXT_MAX], ask[UNITS_TEXT_MAX];
	char iso[UNITS_TEXT_MAX], rec[UNITS_TEXT_MAX], over[UNITS_TEXT_MAX];
	int narrow = wide ? 6 : 3;

	fmt_fit(s->call, 8, call);
	fmt_clock(s->t_ns, wide ? 11 : 8, t);
	fmt_fit(s->size, wide ? 9 : 6, size);
	fmt_fit(s->nr_to_scan, narrow, ask);
	fmt_fit(s->nr_taken, narrow, iso);
	fmt_fit(s->nr_reclaimed, narrow, rec);
	fmt_ratio(s->nr_scanned, s->nr_to_scan, !wide, over);
	at.attr = mark ? ATTR_SELECTED : ATTR_TEXT;
	if (wide)
		canvas_printf(c, at, "%c%8s %11s %-5s %9s %5" PRIu64 " %6s %6s %6s %6s",
			      mark ? '>' : ' ', call, t, anon ? "anon" : "file", size, s->priority,
			      ask, iso, rec, over);
	else
		canvas_printf(c, at, "%c%-9s%7s%5" PRIu64 "%4s%4s%4s%4s", mark ? '>' : ' ', t, size,
			      s->priority, ask, iso, rec, over);
}

/* Two rows: sums over the last six shown calls, and the over-scan beside the published figure. */
static void draw_sums(struct canvas *c, struct rect r, const struct model *model,
		      const struct list *list)
{
	uint64_t asked = 0, scanned = 0;
	size_t n = 0;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	for (size_t i = list->selected; i < list->n && n < SUM_CALLS; i++, n++) {
		const struct model_shrink *s = model_shrink(list->side, list->call[i]);

		asked += s->nr_to_scan;
		scanned += s->nr_scanned;
	}
	canvas_printf(c, layout_row(r, 0, ATTR_TEXT), " last %zu calls: asked %s, scanned %s", n,
		      fmt_count(asked, a), fmt_count(scanned, b));
	canvas_printf(c, layout_row(r, 1, ATTR_TEXT), " over-scan %sx   %s",
		      fmt_ratio(scanned, asked, false, a), published_text(model, list));
}

/* The calls of the side's own group that the filter lets through, and the selected one. */
static void collect(const struct model *model, int side, struct list *list)
{
	list->side = &model->side[side];
	list->n = 0;
	list->m.id = 0;
	if (view_group(model, side, &list->m))
		list->n = rows_shrinks(model, side, list->m.id, list->call, MODEL_SHRINKS);
	list->selected = model->selected < 0 ? 0 : (size_t)model->selected;
	if (list->selected >= list->n)
		list->selected = list->n ? list->n - 1 : 0;
}

/* Reasons for an empty pane, each with the key that changes it. */
static const char *why_empty(const struct model *model, const struct list *list)
{
	if (model_shrink_of(list->side, list->m.id))
		return "No shrink call matches the filter. Esc clears it.";
	if (list->side->nr_shrink > MODEL_SHRINKS)
		return "None of the latest 256 shrink calls was on a list of this group. p shows "
		       "the next group.";
	if (list->side->nr_shrink > 0)
		return "No shrink call was on a list of this group so far. p shows the next group.";
	if (model->step >= model->steps_total)
		return "No shrink call in this run: no limit was met.";
	return "No shrink call up to this step: no limit was met. Space plays on, $ goes to the "
	       "last step.";
}

/* Which side, which kernel and which group. */
static void side_title(const struct list *list, int side, char title[256])
{
	snprintf(title, 256, "%c %s  %s", 'A' + side, view_side_name(list->side),
		 view_path(&list->m));
}

/* One side: calls with the selected one lowest, and the sums that end with it. */
static void draw_side(const struct model *model, struct canvas *c, struct rect r, int side)
{
	struct rect in = layout_inside(r), rows;
	bool wide = in.w >= WIDE_PANE;
	struct list list;
	char title[256], right[192], n[UNITS_TEXT_MAX];

	collect(model, side, &list);
	if (list.m.id == 0) {
		view_no_group(model, side, c, r);
		return;
	}
	side_title(&list, side, title);
	if (list.n == 0) {
		view_empty(c, r, title, why_empty(model, &list));
		return;
	}
	if (model->filter[0])
		snprintf(right, sizeof(right), "/%s", model->filter);
	else
		snprintf(right, sizeof(right), wide ? "%s  %s calls" : "%s", lists_word(&list),
			 fmt_count(list.side->nr_shrink, n));
	canvas_box(c, r, title, right);
	draw_header(c, layout_row(layout_top(&in, 1), 0, ATTR_DIM), wide);
	rows = layout_top(&in, in.h - (in.h > 9 ? 3 : 2));
	for (int y = 0; y < rows.h; y++) {
		size_t i = list.selected + (size_t)(rows.h - 1 - y);

		/* Too few calls to fill the pane: they stand at its top. */
		if (list.n - list.selected < (size_t)rows.h)
			i = list.n - 1 - (size_t)y;
		if (i < list.n && i >= list.selected)
			draw_call(c, layout_row(rows, y, ATTR_TEXT),
				  model_shrink(list.side, list.call[i]), i == list.selected, wide);
	}
	layout_top(&in, in.h - 2);
	draw_sums(c, in, model, &list);
}

/* The calls that end at the selected one, oldest first, as one series of the plot. */
static void series(const struct list *list, struct plot_series *out)
{
	out->n = 0;
	for (size_t i = list->selected; i < list->n && out->n < PLOT_POINTS; i++)
		out->value[out->n++] = model_shrink(list->side, list->call[i])->nr_to_scan;
	for (size_t i = 0; i < out->n / 2; i++) {
		uint64_t value = out->value[i];

		out->value[i] = out->value[out->n - 1 - i];
		out->value[out->n - 1 - i] = value;
	}
}

/* Both sides in one plot; they end at the selected calls, which stand at the right edge. */
static void draw_plot(const struct model *model, struct canvas *c, struct rect r)
{
	int side[2], n = view_sides(model, c, side);
	struct plot_series values[2];
	struct plot plot = { .nr_series = n, .series = values, .line = 0 };
	char title[256] = "pages asked per call   ";
	struct list list;

	if (r.h < 5)
		return;
	for (int i = 0; i < n; i++) {
		size_t len = strlen(title);

		collect(model, side[i], &list);
		series(&list, &values[i]);
		values[i].marker = side[i] == 0 ? 0x25cb : 0x25cf;
		values[i].attr = view_side_attr(side[i]);
		snprintf(title + len, sizeof(title) - len, "%c %s %s  ", 'A' + side[i],
			 side[i] == 0 ? "\u25cb" : "\u25cf", view_side_name(list.side));
		if (list.side->run)
			plot.line =
				(uint64_t)run_scenario(list.side->run)->era.knobs.swap_cluster_max;
	}
	canvas_box(c, r, title, r.w >= VIEW_BOTH_W ? "dashed: the cluster" : NULL);
	plot_draw(c, layout_inside(r), &plot);
}

void view_draw_scan(const struct model *model, struct canvas *c, struct rect body)
{
	int side[2], n = view_sides(model, c, side);
	int below = body.h >= TALL ? WIDE_PLOT_ROWS : PLOT_ROWS;
	struct rect panes = layout_top(&body, body.h - below >= 10 ? body.h - below : body.h);

	for (int i = 0; i < n; i++)
		draw_side(model, c, layout_left(&panes, i == n - 1 ? panes.w : panes.w / 2),
			  side[i]);
	draw_plot(model, c, body);
}
