/*
 * The panes of the Dirty view.  Course and costs are the run's own; the
 * last one sets the figures of the post of 2012 beside those that the whole
 * runs came to, each with its label: what was fitted is no prediction.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "course.h"
#include "fmt.h"
#include "levels.h"
#include "published.h"
#include "stat_counts.h"
#include "view_dirty.h"

enum { LABEL_W = 6, COST_W = 10, PUBLISHED_ROWS = 32, WIDE_W = 120 };

/* ---- the course ---- */

/* Pages of the selected group's subtree at moment @i: dirty or being written, or dirtied so far. */
static uint64_t pages_at(const struct dirty_pane *p, int side, size_t i, bool so_far)
{
	const struct model_side *s = &p->model->side[side];
	uint64_t sum = 0;

	for (uint32_t id = 1; id < s->history->nr_groups; id++) {
		struct history_point point = history_at(s->history, i, id);

		if (point.there && levels_within(s->run, id, p->group))
			sum += so_far ? point.nr_dirtied : point.dirty + point.writeback;
	}
	return sum;
}

static uint64_t rate_at(const struct dirty_pane *p, int side, size_t i)
{
	const struct history *h = p->model->side[side].history;
	uint64_t now = pages_at(p, side, i, true), then;
	ns_t time;

	if (i == 0)
		return 0;
	then = pages_at(p, side, i - 1, true);
	time = h->t_ns[i] - h->t_ns[i - 1];
	return time && now > then ? (uint64_t)((double)(now - then) * 1e9 / (double)time) : 0;
}

/* In pages, or pages a second. */
static void read_course(const struct dirty_pane *p, int side, int w, struct course *out)
{
	const struct model_side *s = &p->model->side[side];
	bool rates = p->model->tree.form % 2 == 1;
	ns_t end = course_end(s);

	*out = (struct course){ .side = side, .label_w = LABEL_W };
	if (!s->run || !end)
		return;
	course_show(out, s->run, w, end);
	for (int x = 0; x < w; x++) {
		size_t i = history_before(s->history, (ns_t)((double)end * (x + 1) / w));

		course_set(out, x, rates ? rate_at(p, side, i) : pages_at(p, side, i, false));
	}
}

void dirty_plot(const struct dirty_pane *p, struct rect r)
{
	static const char *const titles[] = { "dirty or being written", "dirtied a second" };
	struct rect in = layout_inside(r);
	struct course course[2];
	struct run_memcg m;
	int w = in.w - LABEL_W - COURSE_FRAME_W, rows = in.h - (in.h > 4), h = rows / p->nr_sides;
	char top[UNITS_TEXT_MAX];
	uint64_t max = 1;
	int k;

	if (w < 8 || in.h < 2)
		return;
	w = w > COURSE_COLUMNS ? COURSE_COLUMNS : w;
	canvas_box(p->c, r, titles[p->model->tree.form % 2],
		   run_memcg(p->model->side[p->side[0]].run, p->group, &m) ? view_path(&m) : NULL);
	/* One side where two would have no room. */
	k = h < 2 ? 1 : p->nr_sides;
	h = rows / k;
	for (int i = 0; i < k; i++) {
		read_course(p, p->side[i], w, &course[i]);
		max = course[i].max > max ? course[i].max : max;
	}
	for (int i = 0; i < k; i++)
		course_draw(p->c, layout_top(&in, h), &course[i], max, fmt_size(max, top));
	course_ends(p->c, layout_row(layout_top(&in, 1), 0, ATTR_DIM), p->model, p->side,
		    p->nr_sides);
}

/* ---- costs ---- */

/* "A   counted for its group      +330"; a cost of nothing takes no row.  Returns: rows used. */
static int draw_cost(const struct dirty_pane *p, struct span at, int side, const char *what,
		     ns_t ns)
{
	char number[UNITS_TEXT_MAX], text[UNITS_TEXT_MAX + 1];
	bool more = what[0] == '+';

	if (!ns || at.w < 1)
		return 0;
	canvas_printf(p->c, (struct span){ at.x + 1, at.y, 2, view_side_attr(side) }, "%c",
		      'A' + side);
	canvas_text(p->c, (struct span){ at.x + 3, at.y, at.w - COST_W - 4, ATTR_TEXT }, what);
	snprintf(text, sizeof(text), "%s%s", more ? "+" : "", fmt_count(ns, number));
	canvas_right(p->c, (struct span){ at.x + at.w - COST_W - 1, at.y, COST_W, ATTR_TEXT },
		     text);
	return 1;
}

/* What the knobs say, and how often it was paid.  Returns: rows used. */
static int draw_side_costs(const struct dirty_pane *p, struct rect r, int side)
{
	const struct run *run = p->model->side[side].run;
	struct run_stat_counts counts;
	struct run_stat_costs costs;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];
	int y = 0;

	run_stat_costs(run, &costs);
	run_stat_counts(run, &counts);
	y += draw_cost(p, layout_row(r, y, ATTR_TEXT), side, "a write, its file locked",
		       costs.write);
	y += draw_cost(p, layout_row(r, y, ATTR_TEXT), side, "+ rework of dirtying", costs.rework);
	y += draw_cost(p, layout_row(r, y, ATTR_TEXT), side, "+ counted for its group",
		       costs.count);
	if (r.h > 10)
		y += draw_cost(p, layout_row(r, y, ATTR_TEXT), side, "+ lock while charges move",
			       costs.locked);
	if (counts.nr_brackets && y < r.h)
		canvas_printf(p->c, layout_row(r, y++, ATTR_DIM), "   %s counted, %s under a lock",
			      fmt_count(counts.nr_brackets, a),
			      fmt_count(counts.nr_move_locked, b));
	return y;
}

void dirty_costs(const struct dirty_pane *p, struct rect r)
{
	struct rect in = layout_inside(r);
	bool modelled = false;

	canvas_box(p->c, r, "a page's cost (model)", "ns");
	for (int k = 0; k < p->nr_sides; k++) {
		const struct run *run = p->model->side[p->side[k]].run;

		if (!run)
			continue;
		modelled |= run_scenario(run)->locks;
		layout_top(&in, draw_side_costs(p, in, p->side[k]));
	}
	if (in.h < 1)
		return;
	layout_left(&in, 1);
	if (!modelled)
		view_wrap(p->c, in, ATTR_DIM,
			  "Where locks are not modelled counting takes no time of its own. A "
			  "scenario turns them on: lab.machine { locks = true }.");
	else if (in.h > 1)
		view_wrap(p->c, in, ATTR_DIM,
			  r.w < 60 ? "Counted when a page gets dirty, not at each write."
				   : "A page is counted when it gets dirty, not each time it is "
				     "written. What if the root were not counted, or nothing "
				     "before there is a group: run it with +root_stat=global or "
				     "+root_stat=late.");
}

/* ---- the post ---- */

static const char post[] = "dirty_stat_2012";

/* One line of the post, on both sides; model: of the whole stored run. */
struct post_row {
	const struct published_row *row[2];
	bool has_model[2];
	double model[2];
};

static const struct published_table *post_table(void)
{
	return published_find(post, NULL);
}

/* What the post calls the kernel of a side; NULL: it is none of its. */
static const char *post_side(const struct model *model, int side)
{
	const struct published_table *table = post_table();

	for (size_t i = 0; table && i < table->nr; i++) {
		const struct published_run *run = table->row[i].run;

		if (run && strcmp(run->scenario, model->scenario) == 0 &&
		    strcmp(run->kernel, model->side[side].kernel) == 0)
			return table->row[i].side;
	}
	return NULL;
}

bool dirty_is_published(const struct model *model)
{
	return post_side(model, 0) || (model->has_b && post_side(model, 1));
}

static void read_model(const struct model *model, int side, struct post_row *row)
{
	const struct model_metrics *metrics = &model->metrics[side];
	const char *name = row->row[side] ? row->row[side]->metric : NULL;

	for (size_t i = 0; name && i < metrics->nr; i++)
		if (strcmp(metrics->at[i].name, name) == 0) {
			row->has_model[side] = true;
			row->model[side] = metrics->at[i].value;
		}
}

/* The lines of the post that either side has, in its order.  Returns: how many. */
static size_t read_post(const struct dirty_pane *p, struct post_row out[PUBLISHED_ROWS])
{
	const struct published_table *table = post_table();
	size_t n = 0;

	memset(out, 0, PUBLISHED_ROWS * sizeof(*out));
	for (int k = 0; k < p->nr_sides; k++) {
		const char *side = post_side(p->model, p->side[k]);

		for (size_t i = 0; side && i < table->nr; i++) {
			const struct published_row *row = &table->row[i];
			size_t at = 0;

			if (strcmp(row->side, side) != 0)
				continue;
			while (at < n && strcmp(out[at].row[out[at].row[0] == NULL]->row, row->row))
				at++;
			if (at == PUBLISHED_ROWS)
				break;
			n += at == n;
			out[at].row[p->side[k]] = row;
			read_model(p->model, p->side[k], &out[at]);
		}
	}
	return n;
}

/* With as many digits as the post has for numbers of that size. */
static const char *number_text(double value, char out[UNITS_TEXT_MAX])
{
	if (value >= 10000)
		return fmt_count((uint64_t)(value + 0.5), out);
	snprintf(out, UNITS_TEXT_MAX, "%.*f", value >= 1000 ? 1 : 3, value);
	return out;
}

static void change_text(double from, double to, char out[UNITS_TEXT_MAX])
{
	snprintf(out, UNITS_TEXT_MAX, "%+.1f %%", from > 0 ? 100 * (to / from - 1) : 0.0);
}

enum post_field { POST_ROW, POST_A, POST_B, POST_CHANGE, POST_MODEL_A, POST_MODEL_B, POST_ERROR,
		  POST_LABEL, NR_POST_FIELDS };

/* Widths on a narrow and on a wide screen; 0: left out. */
static const struct {
	const char *head;
	int w[2];
} post_columns[NR_POST_FIELDS] = {
	[POST_ROW] = { " whole runs", { 16, 28 } }, [POST_A] = { "A published", { 11, 14 } },
	[POST_B] = { "B", { 9, 14 } },		    [POST_CHANGE] = { "change", { 8, 12 } },
	[POST_MODEL_A] = { "model A", { 0, 14 } },  [POST_MODEL_B] = { "model B", { 10, 14 } },
	[POST_ERROR] = { "error B", { 8, 12 } },    [POST_LABEL] = { " label B", { 14, 24 } },
};

/* The text of a cell; a dash is no such value. */
static const char *post_text(const struct post_row *row, enum post_field field, int last,
			     char out[UNITS_TEXT_MAX])
{
	const struct published_row *const *r = row->row;

	snprintf(out, UNITS_TEXT_MAX, "-");
	if (field == POST_ROW)
		snprintf(out, UNITS_TEXT_MAX, " %s", r[r[0] == NULL]->row);
	else if (field == POST_A || field == POST_B)
		return r[field == POST_B] ? number_text(r[field == POST_B]->value, out) : out;
	else if (field == POST_CHANGE && r[0] && r[1])
		change_text(r[0]->value, r[1]->value, out);
	else if (field == POST_MODEL_A && row->has_model[0])
		number_text(row->model[0], out);
	else if (field == POST_MODEL_B && row->has_model[last])
		number_text(row->model[last], out);
	else if (field == POST_ERROR && row->has_model[last] && r[last])
		change_text(r[last]->value, row->model[last], out);
	else if (field == POST_LABEL)
		snprintf(out, UNITS_TEXT_MAX, " %s%s", r[last] ? "" : "A ",
			 published_label_name(r[last ? (r[last] ? last : 0) : 0]->label));
	return out;
}

/* A line of the table, or with a NULL @row its head. */
static void draw_post_row(const struct dirty_pane *p, struct span at, const struct post_row *row)
{
	bool wide = at.w >= WIDE_W;
	int last = p->side[p->nr_sides - 1];
	char text[UNITS_TEXT_MAX];

	for (int f = 0, x = at.x; f < NR_POST_FIELDS; f++) {
		struct span cell = { x, at.y, post_columns[f].w[wide], at.attr };
		const char *say = row ? post_text(row, (enum post_field)f, last, text)
				      : post_columns[f].head;

		if (f == POST_ROW || f == POST_LABEL)
			canvas_text(p->c, cell, say);
		else if (cell.w > 0)
			canvas_right(p->c, cell, say);
		x += cell.w;
	}
}

/* Which of the last side's rows the model reproduces. */
static void draw_counts(const struct dirty_pane *p, struct rect r, const struct post_row *row,
			size_t n)
{
	int last = p->side[p->nr_sides - 1];
	size_t label[NR_PUBLISHED_LABELS] = { 0 }, inside = 0;

	for (size_t i = 0; i < n; i++) {
		const struct published_row *of = row[i].row[last];

		if (!of)
			continue;
		label[of->label]++;
		inside += of->label == PUBLISHED_PREDICTED && row[i].has_model[last] &&
			  fabs(row[i].model[last] / of->value - 1) <= of->tolerance;
	}
	canvas_printf(p->c, layout_row(r, 1, ATTR_DIM),
		      " of %c's values: predicted and inside its tolerance %zu of %zu \u00b7 "
		      "calibrated %zu \u00b7 implied %zu \u00b7 not modelled %zu",
		      'A' + last, inside, label[PUBLISHED_PREDICTED], label[PUBLISHED_CALIBRATED],
		      label[PUBLISHED_IMPLIED], label[PUBLISHED_NOT_MODELLED]);
	canvas_text(p->c, layout_row(r, 2, ATTR_DIM),
		    " implied follows by arithmetic from another row and never counts; run and "
		    "post are compared whatever parameters the run had");
	canvas_text(p->c, layout_row(r, 3, ATTR_DIM),
		    " memcglab published check dirty_stat_2012 says which constant was fitted to "
		    "which row");
}

void dirty_published(const struct dirty_pane *p, struct rect r)
{
	struct post_row row[PUBLISHED_ROWS];
	struct rect in = layout_inside(r);
	size_t n = read_post(p, row);

	canvas_box(p->c, r,
		   r.w > 100 ? "published fio table, means of 10 runs, against the model"
			     : "published fio table, means of 10",
		   r.w > 100 ? "no spread published: no difference is judged"
			     : "no spread: no test");
	draw_post_row(p, layout_row(layout_top(&in, 1), 0, ATTR_DIM), NULL);
	/* What the model has comes first where not all has room. */
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n && in.h > 0; i++)
			if (row[i].has_model[p->side[p->nr_sides - 1]] == (pass == 0))
				draw_post_row(p, layout_row(layout_top(&in, 1), 0, ATTR_TEXT),
					      &row[i]);
	if (in.h > 4)
		draw_counts(p, in, row, n);
}
