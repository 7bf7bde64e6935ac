/*
 * A against B.  On a wide screen the selected run stands beside it, and the
 * figures of single seeds below it; on a narrow one there is room for the
 * interval or for p, and what does not fit is counted.
 */
#include "view_compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare_text.h"
#include "rows.h"

enum { WIDE = 150, DETAIL_W = 54, LIST_ROWS = 6, NOTES_ROWS = 3, SEEDS_ROWS = 6 };
enum { NARROW, USUAL, BROAD, NR_SIZES };

/* A column of the table of metrics.  Of the last two on a usual screen only one is shown. */
static const struct column {
	const char *name;
	int field; /* enum compare_field; below 0: the metric's own */
	bool plus_minus;
	int w[NR_SIZES]; /* 0: left out */
} columns[] = {
	{ "metric", -1, false, { 14, 13, 14 } },
	{ "unit", -2, false, { 0, 0, 5 } },
	{ "A mean", COMPARE_FIELD_MEAN_A, false, { 8, 8, 8 } },
	{ "±sd", COMPARE_FIELD_SD_A, true, { 0, 5, 6 } },
	{ "B mean", COMPARE_FIELD_MEAN_B, false, { 8, 8, 8 } },
	{ "±sd", COMPARE_FIELD_SD_B, true, { 0, 5, 6 } },
	{ "B−A", COMPARE_FIELD_DIFF, false, { 0, 7, 8 } },
	{ "B/A", COMPARE_FIELD_RATIO, false, { 0, 0, 5 } },
	{ "95% CI", COMPARE_FIELD_INTERVAL, false, { 0, 14, 14 } },
	{ "p", COMPARE_FIELD_P, false, { 0, 14, 7 } },
	{ "verdict", COMPARE_FIELD_VERDICT, false, { 13, 9, 9 } },
};

enum { NR_COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static int size_of(int w)
{
	return w < VIEW_BOTH_W ? NARROW : w < WIDE ? USUAL : BROAD;
}

static bool is_shown(const struct model *model, const struct compare_metric *metric)
{
	return model->compare_state.all || metric->verdict != COMPARE_EQUAL;
}

static int shown_params(const struct model *model)
{
	const struct compare *compare = model->compare;

	return (int)(model->compare_state.all ? compare->nr_params
					      : compare->nr_params - compare->nr_params_equal);
}

static int shown_metrics(const struct model *model)
{
	const struct compare *compare = model->compare;

	return (int)(model->compare_state.all ? compare->nr_metrics
					      : compare->nr_metrics - compare->nr_equal);
}

/* What it would like: a box, parameters, a blank, a head, metrics, a blank, notes. */
int view_compare_rows(const struct model *model, int w, int h)
{
	int want = 2 + shown_params(model) + 2 + shown_metrics(model) + 1 + NOTES_ROWS;
	int most = h - 1 - LIST_ROWS;

	if (w >= WIDE && want < most * 3 / 4)
		want = most * 3 / 4;
	return want < most ? want : most;
}

/* ---- parameters ---- */

/* Returns: rows used. */
static int draw_params(const struct model *model, struct canvas *c, struct rect r)
{
	const struct compare *compare = model->compare;
	int value_w = (r.w - 12) / 2, y = 0;

	for (size_t i = 0; i < compare->nr_params && y < r.h; i++) {
		const struct compare_param *param = &compare->param[i];

		if (param->equal && !model->compare_state.all)
			continue;
		canvas_text(c, (struct span){ r.x, r.y + y, 11, ATTR_TEXT }, param->name);
		for (int s = 0; s < 2; s++)
			canvas_text(c,
				    (struct span){ r.x + 12 + s * value_w, r.y + y, value_w - 1,
						   view_side_attr(s) },
				    compare_text_value(compare, param, s));
		y++;
	}
	return y;
}

/* ---- metrics ---- */

/* Of interval and p a usual screen has room for one. */
static int column_width(const struct model *model, const struct column *column, int size)
{
	bool is_p = column->field == COMPARE_FIELD_P;

	if (size == USUAL && (is_p || column->field == COMPARE_FIELD_INTERVAL) &&
	    is_p != model->compare_state.p)
		return 0;
	return column->w[size];
}

/* A verdict that is longer than its column takes the one before it, where nothing stands then. */
static bool is_long(const struct compare_metric *metric, const struct column *column, int size)
{
	return metric && column->field == COMPARE_FIELD_VERDICT &&
	       (int)strlen(compare_verdict_name(metric->verdict)) > column->w[size];
}

static const char *cell_text(const struct compare_metric *metric, const struct column *column,
			     int w, char out[COMPARE_TEXT_MAX + 4])
{
	char text[COMPARE_TEXT_MAX];

	if (column->field < 0)
		return column->field == -1 ? metric->name : metric->unit;
	if (!column->plus_minus || metric->of[column->field == COMPARE_FIELD_SD_B].nr < 2 ||
	    metric->is_text)
		return compare_text(metric, (enum compare_field)column->field, w, out);
	snprintf(out, COMPARE_TEXT_MAX + 4, "±%s",
		 compare_text(metric, (enum compare_field)column->field, w - 1, text));
	return out;
}

static enum canvas_attr cell_attr(const struct compare_metric *metric, const struct column *column)
{
	if (!metric)
		return ATTR_DIM;
	if (column->field == COMPARE_FIELD_VERDICT && compare_verdict_says(metric->verdict))
		return metric->verdict == COMPARE_FEW ? ATTR_MARK : ATTR_GOOD;
	return ATTR_TEXT;
}

/* One row, or the head of the table if @metric is NULL. */
static void draw_metric(const struct model *model, struct canvas *c, struct span at,
			const struct compare_metric *metric)
{
	int size = size_of(c->w), x = at.x, before = 0;
	char text[COMPARE_TEXT_MAX + 4];

	for (int i = 0; i < NR_COLUMNS; i++) {
		const struct column *column = &columns[i];
		struct span cell = { x, at.y, column_width(model, column, size), ATTR_TEXT };
		bool left = column->field < 0;

		if (cell.w == 0)
			continue;
		x += cell.w + 1;
		if (is_long(metric, column, size)) {
			canvas_fill(c, (struct rect){ before, at.y, cell.x - before, 1 }, ' ',
				    ATTR_TEXT);
			cell.w += cell.x - before;
			cell.x = before;
		}
		before = cell.x;
		cell.attr = cell_attr(metric, column);
		if (left)
			canvas_text(c, cell,
				    metric ? cell_text(metric, column, cell.w, text)
					   : column->name);
		else
			canvas_right(c, cell,
				     metric ? cell_text(metric, column, cell.w, text)
					    : column->name);
	}
}

/* Head and rows; the last row says how many there is no room for.  Returns: rows used. */
static int draw_metrics(const struct model *model, struct canvas *c, struct rect r)
{
	const struct compare *compare = model->compare;
	int left = shown_metrics(model), y = 1;

	if (left == 0) {
		canvas_text(c, layout_row(r, 0, ATTR_TEXT), "no metric differs");
		return 1;
	}
	draw_metric(model, c, (struct span){ r.x, r.y, r.w, ATTR_DIM }, NULL);
	for (size_t i = 0; i < compare->nr_metrics && y < r.h; i++) {
		if (!is_shown(model, &compare->metric[i]))
			continue;
		if (y == r.h - 1 && left > 1)
			break;
		draw_metric(model, c, (struct span){ r.x, r.y + y++, r.w, ATTR_TEXT },
			    &compare->metric[i]);
		left--;
	}
	if (left > 0 && y < r.h)
		canvas_printf(c, layout_row(r, y++, ATTR_DIM),
			      "%d more: memcglab compare %" PRId64 " %" PRId64, left,
			      compare->side[0].run.id, compare->side[1].run.id);
	return y;
}

/* ---- single seeds ---- */

/* Values of one side as marks between the least and the largest of both. */
static void draw_strip(struct canvas *c, struct span at, const double *value, size_t nr,
		       const double range[2])
{
	int count[CANVAS_W_MAX] = { 0 };

	for (size_t i = 0; i < nr; i++) {
		double share = (value[i] - range[0]) / (range[1] - range[0]);

		if (share >= 0 && share <= 1) /* not for a gap */
			count[(int)(share * (at.w - 1))]++;
	}
	for (int x = 0; x < at.w; x++)
		canvas_text(c, (struct span){ at.x + x, at.y, 1, at.attr },
			    count[x] == 0   ? "·"
			    : count[x] == 1 ? "|"
			    : count[x] < 10 ? (char[]){ (char)('0' + count[x]), '\0' }
					    : "#");
}

static bool has_strip(const struct compare *compare, const struct compare_metric *metric)
{
	return !metric->is_text && !metric->host && metric->verdict != COMPARE_EQUAL &&
	       metric->has_diff && compare->side[0].nr > 1 && compare->side[1].nr > 1;
}

static void value_range(const struct compare *compare, const struct compare_metric *metric,
			double range[2])
{
	range[0] = HUGE_VAL;
	range[1] = -HUGE_VAL;
	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < compare->side[s].nr; i++) {
			range[0] = fmin(range[0], metric->value[s][i]);
			range[1] = fmax(range[1], metric->value[s][i]);
		}
}

/* The first metrics that differ, a line a side.  Returns: rows used. */
static int draw_seeds(const struct model *model, struct canvas *c, struct rect r)
{
	const struct compare *compare = model->compare;
	char low[UNITS_TEXT_MAX], high[UNITS_TEXT_MAX];
	int y = 0;

	for (size_t i = 0; i < compare->nr_metrics && y + 3 <= r.h; i++) {
		const struct compare_metric *metric = &compare->metric[i];
		double range[2];

		value_range(compare, metric, range);
		if (!has_strip(compare, metric) || !(range[1] > range[0]) || !isfinite(range[1]) ||
		    !isfinite(range[0]))
			continue;
		canvas_printf(c, layout_row(r, y++, ATTR_DIM),
			      "per seed, %s: %s at the left end, %s at the right", metric->name,
			      fmt_real(range[0], 5, low), fmt_real(range[1], 5, high));
		for (int s = 0; s < 2; s++, y++) {
			canvas_text(c, (struct span){ r.x + 1, r.y + y, 2, view_side_attr(s) },
				    s ? "B" : "A");
			draw_strip(c, (struct span){ r.x + 4, r.y + y, r.w - 4, view_side_attr(s) },
				   metric->value[s], compare->side[s].nr, range);
		}
	}
	return y;
}

/* ---- the selected run ---- */

static void fact(struct canvas *c, struct rect *r, const char *name, const char *value)
{
	struct span at = layout_row(layout_top(r, 1), 0, ATTR_DIM);

	canvas_text(c, (struct span){ at.x, at.y, 12, ATTR_DIM }, name);
	canvas_text(c, (struct span){ at.x + 13, at.y, at.w - 13, ATTR_TEXT },
		    value && value[0] ? value : "-");
}

/* A side of the comparison has more to tell than a row of the list. */
static const struct compare_side *side_of(const struct model *model, int64_t id)
{
	for (int s = 0; s < 2; s++)
		if (model->compare->side[s].run.id == id)
			return &model->compare->side[s];
	return NULL;
}

static void draw_side(const struct compare_side *side, struct canvas *c, struct rect *r)
{
	char text[2 * DB_WORD_MAX];

	fact(c, r, "script", side->run.file);
	compare_model(side, text);
	fact(c, r, "engine", text);
	snprintf(text, sizeof(text), "%zu, %" PRIu64 " to %" PRIu64, side->nr, side->seed[0],
		 side->seed[side->nr - 1]);
	if (side->nr == 1)
		snprintf(text, sizeof(text), "one");
	fact(c, r, "seeds", text);
	fact(c, r, "host", side->run.host);
	fact(c, r, "note", side->run.note);
}

static void draw_run(const struct model *model, struct canvas *c, struct rect r)
{
	char title[64], text[64];
	const struct compare_side *side;
	struct rows_pick pick;

	if (!rows_pick(model, (size_t)model->selected, &pick) || !pick.run)
		return;
	snprintf(title, sizeof(title), "run #%" PRId64, pick.run->id);
	canvas_box(c, r, title, "Enter open");
	r = layout_inside(r);
	layout_left(&r, 1);
	fact(c, &r, "scenario", pick.run->scenario);
	fact(c, &r, "kernel", pick.run->kernel);
	fact(c, &r, "state", pick.run->state);
	snprintf(text, sizeof(text), "%" PRIu64, pick.run->seed);
	fact(c, &r, "seed", text);
	fact(c, &r, "steps", fmt_count(pick.run->steps, text));
	fact(c, &r, "created", pick.run->created);
	fact(c, &r, "tag", pick.run->tag);
	side = side_of(model, pick.run->id);
	if (side)
		draw_side(side, c, &r);
	else
		fact(c, &r, "", "a or b makes it a side of the comparison");
	if (pick.run->error[0])
		view_wrap(c, r, ATTR_BAD, pick.run->error);
}

/* ---- all of it ---- */

/* Sentences, on a narrow screen one behind the other. */
static void draw_notes(const struct model *model, struct canvas *c, struct rect r)
{
	char notes[COMPARE_NOTES_MAX], line[COMPARE_NOTES_MAX + 256];
	size_t used = 0;

	compare_text_notes(model->compare, model->compare_state.all, notes);
	if (c->w >= WIDE) {
		view_wrap(c, r, ATTR_DIM, notes);
		return;
	}
	for (const char *s = notes; *s && used + 8 < sizeof(line); s++) {
		if (*s != '\n')
			line[used++] = *s;
		else if (s[1])
			used += (size_t)snprintf(line + used, 8, " · ");
	}
	line[used] = '\0';
	view_wrap(c, r, ATTR_DIM, line);
}

/* What there is room for below the metrics: seeds on a wide screen, then the notes. */
static void draw_rest(const struct model *model, struct canvas *c, struct rect in)
{
	int seeds = in.h - 2 * NOTES_ROWS - 1;

	if (in.h > NOTES_ROWS)
		layout_top(&in, 1);
	if (c->w >= WIDE && seeds >= SEEDS_ROWS / 2) {
		seeds = seeds < SEEDS_ROWS ? seeds : SEEDS_ROWS;
		layout_top(&in, draw_seeds(model, c, (struct rect){ in.x, in.y, in.w, seeds }));
		layout_top(&in, 1);
	}
	draw_notes(model, c, in);
}

/* "A #52 x10 with B #53 x10". */
static void draw_frame(const struct model *model, struct canvas *c, struct rect r)
{
	char title[96], counts[COMPARE_TEXT_MAX], right[COMPARE_TEXT_MAX + 16], times[2][16];
	const struct compare_side *side = model->compare->side;

	for (int s = 0; s < 2; s++) {
		snprintf(times[s], sizeof(times[s]), " x%u", (unsigned)side[s].nr);
		if (c->w < WIDE || side[s].nr == 1)
			times[s][0] = '\0';
	}
	snprintf(title, sizeof(title), "compare A #%" PRId64 "%s with B #%" PRId64 "%s",
		 side[0].run.id, times[0], side[1].run.id, times[1]);
	snprintf(right, sizeof(right), "%s%s", model->compare_state.all ? "all: " : "diff only: ",
		 compare_text_counts(model->compare, counts));
	canvas_box(c, r, title, c->w < VIEW_BOTH_W ? NULL : right);
}

void view_draw_compare(const struct model *model, struct canvas *c, struct rect r)
{
	struct rect left = r, in;
	int notes;

	if (c->w >= WIDE) {
		left = layout_left(&r, r.w - DETAIL_W);
		draw_run(model, c, r);
	}
	draw_frame(model, c, left);
	in = layout_inside(left);
	layout_left(&in, 1);
	if (!model->compare->comparable)
		canvas_text(c, layout_row(layout_top(&in, 1), 0, ATTR_BAD),
			    "NOT COMPARABLE: A and B were made by different models");
	layout_top(&in, draw_params(model, c, (struct rect){ in.x, in.y, in.w, in.h / 3 }));
	if (in.h > 8)
		layout_top(&in, 1);
	notes = in.h > 8 ? NOTES_ROWS - 1 : 0;
	layout_top(&in,
		   draw_metrics(model, c, (struct rect){ in.x, in.y, in.w, in.h - notes }));
	draw_rest(model, c, in);
}
