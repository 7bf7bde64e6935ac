/*
 * Dirty pages and pages under writeback, by group, against the limits of
 * dirty memory; then their course, what counting them costs, and the post's
 * figures:
 *
 *	 cgroup (A)         dirty K writeback K  0 ·· background ·· limit   dirtied/s
 *	 ▾ root             648 696           0  ██▊░░░░░|░░░░░░░░░░░░░        325M
 *
 * Figures of a row are of its subtree.  A group has limits of its own with
 * cgroup v2; other rows are measured by the machine's.
 */
#include "view_dirty.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "dirty_state.h"
#include "fmt.h"
#include "memory_stat.h"
#include "tree.h"

enum {
	WIDE_W = 150,
	USUAL_W = 76,
	WIDE_H = 36,
	ROWS_NARROW = 5,
	ROWS_WIDE = 10,
	POST_MIN = 6,
	POST_USUAL = 8,
	POST_ROOM = 12,
	POST_TALL = 17,
	PANE_WIDE = 16,
	PANE_MIN = 5,
	K_PER_PAGE = PAGE_BYTES / 1024
};

enum field { FIELD_NAME, FIELD_DIRTY, FIELD_WRITEBACK, FIELD_DISK, FIELD_BAR, FIELD_RATE,
	     FIELD_LABEL, NR_FIELDS };

static const struct column fields[NR_FIELDS] = {
	[FIELD_NAME] = { "cgroup", false, TREE_GROUP, { 16, 16, 28 } },
	[FIELD_DIRTY] = { "dirty K", true, TREE_DIRTY, { 10, 11, 13 } },
	[FIELD_WRITEBACK] = { "writeback K", true, TREE_WRITEBACK, { 0, 12, 13 } },
	[FIELD_DISK] = { "to disk/s", true, NR_TREE_COLUMNS, { 0, 0, 11 } },
	[FIELD_BAR] = { "0 \u00b7\u00b7 background | \u00b7\u00b7 limit", false, NR_TREE_COLUMNS,
			{ -1, -1, -1 } },
	[FIELD_RATE] = { "dirtied/s", true, NR_TREE_COLUMNS, { 9, 9, 11 } },
	[FIELD_LABEL] = { "label", false, NR_TREE_COLUMNS, { 0, 0, 16 } },
};

/* The table being drawn. */
struct table {
	const struct model *model;
	struct canvas *c;
	struct rect r;
	int side;
	bool counted; /* the kernel prints a figure of dirty pages for its groups */
	struct columns columns;
};

static const struct run *table_run(const struct table *t)
{
	return t->model->side[t->side].run;
}

static void draw_head(const struct table *t)
{
	struct span row = { .y = t->r.y, .attr = ATTR_DIM };
	char text[192];

	for (int f = 0; f < NR_FIELDS; f++) {
		snprintf(text, sizeof(text), "%s%s", fields[f].head,
			 columns_mark(&t->columns, f, &t->model->tree));
		if (f == FIELD_NAME)
			snprintf(text, sizeof(text), " cgroup (%c)", 'A' + t->side);
		if (f == FIELD_BAR && t->model->filter[0])
			snprintf(text, sizeof(text), "/%s", t->model->filter);
		columns_cell(&t->columns, t->c, f, row, text);
	}
}

/* Does the kernel print a figure of dirty pages for its groups? */
static bool counts_dirty(const struct run *run)
{
	struct memory_stat line;

	for (uint32_t i = 0; memory_stat_name(&run_scenario(run)->era, i, &line); i++)
		if (strcmp(line.name, "dirty") == 0 || strcmp(line.name, "file_dirty") == 0)
			return true;
	return false;
}

static const char *field_text(const struct table *t, const struct tree_row *row, enum field field,
			      char out[UNITS_TEXT_MAX])
{
	switch (field) {
	case FIELD_DIRTY:
		return fmt_count(row->dirty * K_PER_PAGE, out);
	case FIELD_WRITEBACK:
		return fmt_count(row->writeback * K_PER_PAGE, out);
	case FIELD_DISK:
		return row->has_rates ? fmt_size(row->written_rate, out) : "-";
	case FIELD_RATE:
		return row->has_rates ? fmt_size(row->dirty_rate, out) : "-";
	case FIELD_LABEL:
	default:
		return t->counted ? "counted" : "model only";
	}
}

/* What is dirty or being written, up to the limit, and where the flusher begins. */
static void draw_bar(const struct table *t, const struct tree_row *row, int y)
{
	struct span at = columns_span(&t->columns, FIELD_BAR, y, ATTR_BAR);
	struct run_dirty dirty;
	int mark;

	run_dirty(table_run(t), row->id, &dirty);
	if (at.w < 1 || !dirty.limit)
		return;
	canvas_bar(t->c, at, dirty.dirty + dirty.writeback, dirty.limit);
	mark = at.x + (int)((double)dirty.background * at.w / (double)dirty.limit);
	canvas_fill(t->c, (struct rect){ mark, y, 1, 1 }, '|', ATTR_MARK);
}

/* Arrow and name, indented by depth; behind a folded one how many rows it stands for. */
static void draw_name(const struct table *t, const struct tree_row *row, struct span at,
		      bool selected)
{
	const char *arrow = !row->parent ? " " : row->folded ? "\u25b8" : "\u25be";
	int indent = 2 * row->depth < at.w / 2 ? 2 * row->depth : at.w / 2;
	char behind[32] = "";

	if (row->hidden)
		snprintf(behind, sizeof(behind), " (%" PRIu32 ")", row->hidden);
	if (selected) {
		t->c->cursor_x = at.x + (indent > 1 ? indent - 1 : 0);
		t->c->cursor_y = at.y;
		canvas_text(t->c, (struct span){ t->c->cursor_x, at.y, 1, at.attr }, ">");
	}
	at.x += indent + 1;
	at.w -= indent + 1;
	canvas_printf(t->c, at, "%s %s%s", arrow, row->name, behind);
}

static void draw_row(const struct table *t, const struct tree_row *row, int y, bool selected)
{
	enum canvas_attr attr = selected ? ATTR_SELECTED : ATTR_TEXT;
	char text[UNITS_TEXT_MAX];

	draw_name(t, row, columns_span(&t->columns, FIELD_NAME, y, attr), selected);
	draw_bar(t, row, y);
	for (int f = FIELD_DIRTY; f < NR_FIELDS; f++) {
		if (f != FIELD_BAR && t->columns.w[f] > 0)
			columns_cell(&t->columns, t->c, f, (struct span){ .y = y, .attr = attr },
				     field_text(t, row, (enum field)f, text));
	}
}

/* The rows around the selected one.  Returns: css id of that. */
static uint32_t draw_table(struct table *t, const struct tree *tree)
{
	int n = (int)tree->nr, selected = t->model->selected, first;

	selected = selected < 0 ? 0 : selected >= n ? n - 1 : selected;
	t->counted = counts_dirty(table_run(t));
	columns_place(&t->columns, t->r, t->r.w >= WIDE_W ? 2 : t->r.w >= USUAL_W);
	draw_head(t);
	first = layout_window(n, selected, t->r.h - 1);
	for (int y = 0; y < t->r.h - 1 && first + y < n; y++)
		draw_row(t, &tree->row[first + y], t->r.y + 1 + y, first + y == selected);
	return n ? tree->row[selected].id : 0;
}

/* The machine's limits, and who was slowed down by them so far. */
static void draw_limits(const struct table *t, struct span at)
{
	char background[UNITS_TEXT_MAX], limit[UNITS_TEXT_MAX], free_run[UNITS_TEXT_MAX],
		slept[UNITS_TEXT_MAX], written[UNITS_TEXT_MAX];
	struct run_totals totals;
	struct run_dirty dirty;

	run_dirty(table_run(t), 1, &dirty);
	run_totals(table_run(t), &totals);
	canvas_printf(
		t->c, at,
		" machine: background %s \u00b7 free run %s \u00b7 limit %s \u00b7 slept %s ms "
		"\u00b7 written %s",
		fmt_size(dirty.background, background),
		fmt_size((dirty.background + dirty.limit) / 2, free_run),
		fmt_size(dirty.limit, limit), fmt_count(totals.dirty_wait_ns / 1000000, slept),
		fmt_size(totals.nr_written, written));
}

static void draw_panes(const struct dirty_pane *p, struct rect body)
{
	bool wide = body.w >= WIDE_W && body.h >= WIDE_H - ROWS_WIDE;
	bool posts = dirty_is_published(p->model) && body.w >= USUAL_W && body.h >= POST_ROOM;
	int post = body.h < POST_TALL ? POST_MIN : POST_USUAL;
	struct rect upper = body;

	if (body.h < PANE_MIN)
		return;
	if (posts)
		upper = layout_top(&body, wide ? PANE_WIDE : body.h - post);
	if (upper.w >= VIEW_BOTH_W)
		dirty_plot(p, layout_left(&upper, upper.w / 2));
	else
		dirty_plot(p, layout_top(&upper, upper.h));
	if (upper.w > 0 && upper.h > 0)
		dirty_costs(p, upper);
	if (posts)
		dirty_published(p, body);
}

void view_draw_dirty(const struct model *model, struct canvas *c, struct rect body)
{
	struct dirty_pane p = { .model = model, .c = c };
	struct table t = { .model = model, .c = c };
	int most = body.w >= WIDE_W && body.h >= WIDE_H ? ROWS_WIDE : ROWS_NARROW, rows;
	struct tree tree;

	t.columns.column = fields;
	t.columns.nr = NR_FIELDS;
	t.side = model->has_b && model->show == 2 ? 1 : 0;
	tree_open(model, t.side, &tree);
	if (tree.nr == 0) {
		view_empty(c, body, "dirty",
			   table_run(&t) ? "No group matches the filter. Esc clears it."
					 : "No run is open. 7 lists runs and scenarios: Enter "
					   "opens one; dirty-stat-2012 is about dirty pages.");
		tree_close(&tree);
		return;
	}
	rows = (int)tree.nr < most ? (int)tree.nr : most;
	t.r = layout_top(&body, 1 + rows);
	p.group = draw_table(&t, &tree);
	p.nr_sides = view_sides(model, c, p.side);
	draw_limits(&t, layout_row(layout_top(&body, 1), 0, ATTR_DIM));
	draw_panes(&p, body);
	tree_close(&tree);
}
