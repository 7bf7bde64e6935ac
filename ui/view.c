/*
 * The frame around every view: head line, bar of views, body, time line and
 * keys.  Pure: the same model and size give the same cells.
 *
 *	 memcglab cat-in-100m  A=unbatched B=batched  seed 7   t 3.68s  op 25 431/82k
 *	 [1 LRU]  2 Limits   3 Locks   4 Scan   5 PageCg   6 Dirty   7 Runs  ?help :cmd
 *	 … body …
 *	 op 0 ├───▌▌▌▌●▌▌───┤ 81 930  42%
 *	 Space play  . step …
 *
 * A screen too small for a body gets one line that says what is needed.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fmt.h"
#include "view_parts.h"

enum { LINE_MAX_BYTES = 512, WIDE = 120 };

/* Appends to a line; what does not fit its buffer is dropped (buffers exceed any screen). */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(char line[LINE_MAX_BYTES], const char *fmt, ...);

static void add(char line[LINE_MAX_BYTES], const char *fmt, ...)
{
	size_t n = strlen(line);
	va_list args;

	va_start(args, fmt);
	vsnprintf(line + n, LINE_MAX_BYTES - n, fmt, args);
	va_end(args);
}

/* Cells of UTF-8 text; our own words only, so each code point is one cell. */
static int cells(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80; /* not inside a UTF-8 character */
	return n;
}

/* Where in the run the picture is: simulated time, step, and how many steps there are, which on a
 * full line are rounded up. */
static void add_position(const struct model *model, bool wide, bool full, char line[LINE_MAX_BYTES])
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	add(line, "   t %ss  op %s", fmt_clock(model->t_ns, wide ? 11 : 6, a),
	    fmt_count(model->step, b));
	if (wide)
		add(line, " / %s   %s", fmt_count(model->steps_total, a),
		    model->playing ? "playing" : "paused");
	else
		add(line, "/%s",
		    full ? fmt_fit_up(model->steps_total, 3, a) : fmt_count(model->steps_total, a));
}

/* The head line at a level of brevity: 1 rounds the number of steps, 2 drops the seed, 3 the side
 * that is not shown, 4 the time. */
static void head_text(enum view_id id, const struct model *model, const struct canvas *c, int level,
		      char line[LINE_MAX_BYTES])
{
	bool b_only = level >= 3 && model->has_b && model->show == 2;

	snprintf(line, LINE_MAX_BYTES, " memcglab %s", model->scenario);
	if (!b_only)
		add(line, "  A=%s", view_side_name(&model->side[0]));
	if (model->has_b && (level < 3 || b_only))
		add(line, " B=%s", view_side_name(&model->side[1]));
	if (id == VIEW_PAGECG)
		add(line, "  static view, no time axis");
	else if (level < 2)
		add(line, "  seed %" PRIu64, model->seed);
	if (view_at(id)->time_line && level < 4)
		add_position(model, c->w >= WIDE, level > 0, line);
}

/* The first line: what is open.  It gets shorter by whole parts until it fits. */
static void draw_head(enum view_id id, const struct model *model, struct canvas *c)
{
	char line[LINE_MAX_BYTES], right[LINE_MAX_BYTES] = "";
	int level = 0;

	if (model->side[0].kernel[0] == '\0') {
		canvas_printf(c, (struct span){ 0, 0, c->w, ATTR_TITLE }, " memcglab  %s",
			      id == VIEW_PAGECG ? "static view, no time axis" : "nothing is open");
		return;
	}
	do
		head_text(id, model, c, level, line);
	while (cells(line) > c->w && level++ < 4);
	if (model->side[0].run_id > 0)
		add(right, "run #%" PRId64, model->side[0].run_id);
	if (model->has_b && model->side[1].run_id > 0)
		add(right, " | #%" PRId64, model->side[1].run_id);
	if (cells(line) + cells(right) + 3 < c->w)
		canvas_right(c, (struct span){ 0, 0, c->w - 1, ATTR_DIM }, right);
	canvas_text(c, (struct span){ 0, 0, cells(line), ATTR_TITLE }, line);
}

/* The bar of views; on a narrow screen only the shown one has its name. */
static void draw_bar(enum view_id id, struct canvas *c)
{
	static const char help[] = "?help :cmd";
	bool names = c->w >= VIEW_BOTH_W;
	int x = 1;

	for (int v = 0; v < NR_VIEWS; v++) {
		bool here = v == (int)id, named = names || here;
		struct span at = { x, 1, c->w - x, here ? ATTR_SELECTED : ATTR_TEXT };

		x += canvas_printf(c, at, "%s%d%s%s%s", here ? "[" : " ", v + 1, named ? " " : "",
				   named ? view_at((enum view_id)v)->label : "", here ? "]" : " ");
		x += names && x + 1 < c->w && v < NR_VIEWS - 1 ? 1 : 0;
	}
	canvas_right(c, (struct span){ x + 1, 1, c->w - x - 2, ATTR_KEY }, help);
}

/* What one cell of the time line shows: the gravest event of the steps that it stands for. */
static uint32_t time_cell(const struct model *model, int i, int n)
{
	static const uint32_t glyph[8] = { 0x2500, 0x258c, 0x25c6, 0x25c6,
					   0x25b2, 0x25b2, 0x25c6, 0x25c6 };
	int first = i * MODEL_TIMELINE / n, last = (i + 1) * MODEL_TIMELINE / n;
	unsigned seen = 0;

	for (int k = first; k < last || k == first; k++)
		seen |= model->side[0].timeline[k] |
			(model->has_b ? model->side[1].timeline[k] : 0u);
	return glyph[seen & 7];
}

/* The last but one line: the whole run as a line, its events, and where we are in it. */
static void draw_time(const struct model *model, struct canvas *c)
{
	char end[LINE_MAX_BYTES] = "", total[UNITS_TEXT_MAX];
	uint64_t steps = model->steps_total ? model->steps_total : 1;
	uint64_t step = model->step < steps ? model->step : steps;
	int y = c->h - 2, x, n, here;

	add(end, " %s %3" PRIu64 "%% %s ", fmt_count(model->steps_total, total),
	    (uint64_t)((double)step * 100 / (double)steps), model->playing ? "\u25b6" : "\u2016");
	if (model->speed > 0)
		add(end, "x%g ", model->speed);
	add(end, "%s",
	    c->w < WIDE ? "\u258c rec \u25c6 OOM \u25b2 mark"
			: "  \u258c reclaim  \u25c6 OOM  \u25b2 mark");
	x = canvas_text(c, (struct span){ 0, y, c->w, ATTR_TEXT }, " op 0 \u251c");
	/* The line takes what the words at its end leave, but at least a third. */
	n = c->w - x - 2 - cells(end);
	n = n < c->w / 3 ? c->w / 3 : n;
	for (int i = 0; i < n; i++)
		canvas_fill(c, (struct rect){ x + i, y, 1, 1 }, time_cell(model, i, n), ATTR_DIM);
	here = (int)((double)step * (n - 1) / (double)steps);
	canvas_fill(c, (struct rect){ x + here, y, 1, 1 }, 0x25cf, ATTR_MARK);
	x += n;
	x += canvas_text(c, (struct span){ x, y, c->w - x, ATTR_TEXT }, "\u2524");
	canvas_text(c, (struct span){ x, y, c->w - x, ATTR_TEXT }, end);
}

/* The keys of a view, in table order as far as they fit whole; ? lists them all. */
static void draw_keys(enum view_id id, struct canvas *c)
{
	int x = 1;

	for (size_t i = 0; i < action_count(); i++) {
		const struct action_desc *action = action_at(i);
		int key = (int)strcspn(action->keys, " "),
		    need = key + 3 + (int)strlen(action->name);
		bool own = action->views != ~0u || action->action == ACT_BACK;

		/* Keys of every view and of every list are left to the help, but "back". */
		if (!(action->views & 1u << id) || !own ||
		    (action->action >= ACT_UP && action->action <= ACT_END))
			continue;
		if (x + need + (action->action == ACT_BACK ? 0 : 8) > c->w)
			continue;
		x += canvas_printf(c, (struct span){ x, c->h - 1, key, ATTR_KEY }, "%.*s", key,
				   action->keys);
		x += 3 +
		     canvas_text(c, (struct span){ x + 1, c->h - 1, need, ATTR_DIM }, action->name);
	}
}

/* A failure in a box over the body: the words of the diagnostic, line by line. */
static void draw_panel(const struct model *model, struct canvas *c, struct rect body)
{
	int lines = 3;
	struct rect r = { body.x + 1, body.y + 1, body.w - 2, 0 };

	for (const char *s = model->panel; *s; s++)
		lines += *s == '\n';
	r.h = lines + 3 < body.h - 2 ? lines + 3 : body.h - 2;
	canvas_fill(c, r, ' ', ATTR_TEXT);
	canvas_box(c, r, "it failed", "R run again   Esc close");
	r = layout_inside(r);
	layout_left(&r, 1);
	view_wrap(c, r, ATTR_BAD, model->panel);
}

void view_draw(enum view_id id, const struct model *model, struct canvas *c)
{
	const struct view *view = view_at(id);
	struct rect body = { 0, 2, c->w, c->h - 3 - (view->time_line ? 1 : 0) };

	canvas_init(c, c->w, c->h, c->glyphs);
	if (c->w < VIEW_MIN_W || c->h < VIEW_MIN_H) {
		canvas_printf(c, (struct span){ 0, 0, c->w, ATTR_TEXT },
			      "%dx%d needed, %dx%d here  q ?", VIEW_MIN_W, VIEW_MIN_H, c->w, c->h);
		return;
	}
	draw_head(id, model, c);
	draw_bar(id, c);
	view->draw(model, c, body);
	if (view->time_line)
		draw_time(model, c);
	if (model->panel[0])
		draw_panel(model, c, body);
	if (model->message[0])
		canvas_printf(c, (struct span){ 0, c->h - 1, c->w, ATTR_MARK }, " %s",
			      model->message);
	else
		draw_keys(id, c);
}
