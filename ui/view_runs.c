/*
 * Stored runs, newest first, and below them the scenarios that can be run.
 * One selection goes through both.  An empty store says so, and which keys
 * run the selected scenario, get help and quit.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fmt.h"
#include "rows.h"
#include "view_compare.h"

enum { WIDE = 120, TITLE_X = 24 };

/* The letter of the side that shows this run. */
static char side_mark(const struct model *model, int64_t id)
{
	if (id > 0 && id == model->side[0].run_id)
		return 'A';
	return id > 0 && model->has_b && id == model->side[1].run_id ? 'B' : ' ';
}

enum field {
	FIELD_ID,
	FIELD_SCENARIO,
	FIELD_KERNEL,
	FIELD_SEED,
	FIELD_STATE,
	FIELD_WALL,
	FIELD_STEPS,
	FIELD_OVER,
	FIELD_TAG,
	FIELD_CREATED,
	NR_FIELDS
};

/* Columns in their order, with their width on a narrow, a usual and a wide screen; 0: left out. */
static const struct {
	const char *name;
	bool right;
	int w[3];
} columns[NR_FIELDS] = {
	[FIELD_ID] = { "id", true, { 6, 6, 9 } },
	[FIELD_SCENARIO] = { "scenario", false, { 14, 14, 24 } },
	[FIELD_KERNEL] = { "kernel", false, { 11, 12, 36 } },
	[FIELD_SEED] = { "seed", true, { 0, 4, 8 } },
	[FIELD_STATE] = { "state", false, { 7, 11, 12 } },
	[FIELD_WALL] = { "wall", true, { 0, 7, 9 } },
	[FIELD_STEPS] = { "steps", true, { 0, 0, 9 } },
	[FIELD_OVER] = { "over", true, { 5, 5, 8 } },
	[FIELD_TAG] = { "tag", false, { 0, 0, 12 } },
	[FIELD_CREATED] = { "created", false, { 0, 11, 20 } },
};

/* "01-02 10:42" of "2026-01-02T10:42:00Z" where the year has no room. */
static const char *created_text(const char *created, int w, char out[64])
{
	if (w >= 20 || strlen(created) < 16)
		return created;
	snprintf(out, 64, "%.5s %.5s", created + 5, created + 11);
	return out;
}

/* A field of a run as the text of its column. */
static const char *field_text(const struct model *model, const struct model_run_row *row,
			      enum field field, int w, char out[64])
{
	char mark = side_mark(model, row->id);

	switch (field) {
	case FIELD_ID:
		snprintf(out, 64, "%c%5" PRId64, mark, row->id);
		return out;
	case FIELD_SCENARIO:
		return row->scenario;
	case FIELD_KERNEL:
		return row->alias[0] ? row->alias : row->kernel;
	case FIELD_SEED:
		snprintf(out, 64, "%" PRIu64, row->seed);
		return out;
	case FIELD_STATE:
		return row->state;
	case FIELD_WALL:
		strcat(fmt_clock(row->wall_ns, w - 2, out), "s");
		return out;
	case FIELD_STEPS:
		return fmt_fit(row->steps, 9, out);
	case FIELD_OVER:
		snprintf(out, 64, row->over_scan >= 0 ? "%.2f" : "-", row->over_scan);
		return out;
	case FIELD_TAG:
		return row->tag;
	default:
		return created_text(row->created, w, out);
	}
}

/* One row of the table, or its head line if @row is NULL. */
static void draw_row(const struct model *model, struct canvas *c, struct span at,
		     const struct model_run_row *row)
{
	int size = at.w >= WIDE ? 2 : at.w >= VIEW_BOTH_W - 4 ? 1 : 0, x = at.x;
	char text[64];

	for (int f = 0; f < NR_FIELDS; f++) {
		struct span cell = { x, at.y, columns[f].w[size], at.attr };
		const char *word = row ? field_text(model, row, (enum field)f, cell.w, text)
				       : columns[f].name;

		if (cell.w == 0)
			continue;
		if (columns[f].right)
			canvas_right(c, cell, word);
		else
			canvas_text(c, cell, word);
		x += cell.w + 1;
	}
}

/* Where the rest of a list that does not fit is: said in the box's edge. */
static void more_text(int n, int first, int shown, char out[64])
{
	int below = n - first - shown;

	out[0] = '\0';
	if (first > 0 && below > 0)
		snprintf(out, 64, "%d more above, %d below", first, below);
	else if (first > 0 || below > 0)
		snprintf(out, 64, "%d more %s", first > 0 ? first : below,
			 first > 0 ? "above" : "below");
}

/* Marks the row as selected: by '>' for the eye, by the cursor for readers. */
static void select_row(struct canvas *c, struct rect in, int y)
{
	canvas_text(c, (struct span){ in.x, in.y + y, 1, ATTR_SELECTED }, ">");
	c->cursor_x = in.x;
	c->cursor_y = in.y + y;
}

/* The runs that the filter lets through, windowed around the selected one. */
static void draw_runs(const struct model *model, struct canvas *c, struct rect r)
{
	int n = (int)rows_runs(model), room, first, selected = model->selected;
	struct rect in = layout_inside(r);
	char more[64], of[32], title[192];

	if (n == 0) {
		view_empty(c, r, "runs",
			   model->nr_runs
				   ? "no run matches the filter\n"
				     "Esc clears it"
				   : "no runs yet\nChoose a scenario below: Enter runs it on "
				     "its kernels and shows them side by side. ? helps, q quits.");
		return;
	}
	draw_row(model, c, (struct span){ in.x + 1, in.y, in.w - 1, ATTR_DIM }, NULL);
	layout_top(&in, 1);
	room = in.h;
	first = layout_window(n, selected < n ? selected : n - 1, room);
	more_text(n, first, n - first < room ? n - first : room, more);
	of[0] = '\0';
	if ((uint64_t)n < model->nr_runs)
		snprintf(of, sizeof(of), " of %" PRIu64, model->nr_runs);
	snprintf(title, sizeof(title), "runs %d%s%s%s", n, of, model->filter[0] ? "  /" : "",
		 model->filter);
	canvas_box(c, r, title, more[0] ? more : "newest first");
	for (int y = 0; y < room && first + y < n; y++) {
		struct rows_pick pick;
		bool here = first + y == selected;

		if (!rows_pick(model, (size_t)(first + y), &pick) || !pick.run)
			break;
		draw_row(model, c,
			 (struct span){ in.x + 1, in.y + y, in.w - 1,
					here ? ATTR_SELECTED : ATTR_TEXT },
			 pick.run);
		if (here)
			select_row(c, in, y);
	}
}

/* The scenarios with a line each; they go on where the runs end. */
static void draw_scenarios(const struct model *model, struct canvas *c, struct rect r)
{
	int runs = (int)rows_runs(model), n = (int)rows_scenarios(model), first;
	int selected = model->selected - runs;
	struct rect in = layout_inside(r);
	char more[64];

	if (n == 0) {
		view_empty(c, r, "scenarios",
			   model->nr_scenario_rows ? "no scenario matches the "
						     "filter; Esc clears it"
						   : "no scenario was found: start memcglab from "
						     "its tree or install it");
		return;
	}
	first = layout_window(n, selected < 0 ? 0 : selected, in.h);
	more_text(n, first, n - first < in.h ? n - first : in.h, more);
	canvas_box(c, r, "scenarios", more[0] ? more : "Enter runs one");
	for (int y = 0; y < in.h && first + y < n; y++) {
		struct rows_pick pick;
		bool here = first + y == selected;
		enum canvas_attr attr = here ? ATTR_SELECTED : ATTR_TEXT;

		if (!rows_pick(model, (size_t)(runs + first + y), &pick) || !pick.scenario)
			break;
		canvas_text(c, (struct span){ in.x + 2, in.y + y, TITLE_X - 4, attr },
			    pick.scenario->name);
		canvas_text(c, (struct span){ in.x + TITLE_X - 1, in.y + y, in.w - TITLE_X, attr },
			    pick.scenario->title);
		if (here)
			select_row(c, in, y);
	}
}

/* The store in one line, or the error of the selected run. */
static void draw_note(const struct model *model, struct canvas *c, struct rect r)
{
	const char *name = strrchr(model->db_path, '/');
	char size[UNITS_TEXT_MAX];
	struct rows_pick pick;

	if (rows_pick(model, (size_t)model->selected, &pick) && pick.run && pick.run->error[0])
		canvas_printf(c, layout_row(r, 0, ATTR_BAD), " #%" PRId64 " %s: %s", pick.run->id,
			      pick.run->state, pick.run->error);
	else
		canvas_printf(c, layout_row(r, 0, ATTR_DIM),
			      " %s \u00b7 %" PRIu64 " runs \u00b7 %s \u00b7 "
			      "Enter open or run \u00b7 a b pick A, B \u00b7 ? help \u00b7 q quit",
			      name ? name + 1 : model->db_path, model->nr_runs,
			      units_format_size(model->db_bytes, size));
}

/* The comparison of A with B stands where the scenarios are, until one of them is selected. */
static bool draw_compared(const struct model *model, struct canvas *c, struct rect body)
{
	struct rect top;

	if (!model->compare || model->selected >= (int)rows_runs(model))
		return false;
	top = layout_top(&body, body.h - 1 - view_compare_rows(model, c->w, body.h));
	draw_runs(model, c, top);
	view_draw_compare(model, c, layout_top(&body, body.h - 1));
	draw_note(model, c, body);
	return true;
}

void view_draw_runs(const struct model *model, struct canvas *c, struct rect body)
{
	int runs = (int)rows_runs(model), scenarios = (int)rows_scenarios(model);
	int all = body.h - 1, for_scenarios = scenarios > 0 ? scenarios + 2 : 3;
	struct rect top, low;

	if (draw_compared(model, c, body))
		return;

	/* The scenarios keep their rows while the runs leave them; neither goes below a third. */
	if (for_scenarios > all - all / 3)
		for_scenarios = all - all / 3;
	if (runs > 0 && runs + 3 > all - for_scenarios && for_scenarios > all / 2)
		for_scenarios = all / 2;
	top = layout_top(&body, all - for_scenarios);
	low = layout_top(&body, for_scenarios);
	draw_runs(model, c, top);
	draw_scenarios(model, c, low);
	draw_note(model, c, body);
}
