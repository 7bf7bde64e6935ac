/*
 * Parts shared by the views.  A is side 0 and always left, B is side 1.
 * Below 80x24 there is room for one side only; which one is up to the user.
 */
#include "view_parts.h"

#include <stdio.h>
#include <string.h>

#include "group.h"

const char *view_side_name(const struct model_side *side)
{
	return side->alias[0] ? side->alias : side->kernel;
}

int view_sides(const struct model *model, const struct canvas *c, int side[2])
{
	bool room = c->w >= VIEW_BOTH_W && c->h >= VIEW_BOTH_H;

	side[0] = 0;
	side[1] = 1;
	if (model->has_b && model->show == 2)
		side[0] = 1;
	return model->has_b && model->show == 0 && room ? 2 : 1;
}

enum canvas_attr view_side_attr(int side)
{
	return side == 0 ? ATTR_A : ATTR_B;
}

bool view_group(const struct model *model, int side, struct run_memcg *out)
{
	const struct run *run = model->side[side].run;

	return run && run_memcg(run, group_id(model, side), out);
}

void view_no_group(const struct model *model, int side, struct canvas *c, struct rect r)
{
	const struct model_side *s = &model->side[side];
	char title[256], why[512];

	if (!s->run) {
		view_empty(c, r, side == 0 ? "A" : "B",
			   "No run is open on this side. 7 lists runs and scenarios: Enter opens "
			   "one, a and b choose a side.");
		return;
	}
	snprintf(title, sizeof(title), "%c %s", 'A' + side, view_side_name(s));
	snprintf(
		why, sizeof(why),
		"There is no group %.255s at this step. p shows the next group, $ goes to the last "
		"step.",
		group_name(model));
	view_empty(c, r, title, why);
}

const char *view_path(const struct run_memcg *m)
{
	return m->path[0] ? m->path : "root";
}

/* A pane is never blank: this one says why it is empty and which key fills it. */
void view_empty(struct canvas *c, struct rect r, const char *title, const char *why)
{
	struct rect in = layout_inside(r);

	canvas_box(c, r, title, NULL);
	layout_top(&in, in.h > 4 ? 1 : 0);
	layout_left(&in, 1);
	in.w -= in.w > 0;
	view_wrap(c, in, ATTR_TEXT, why);
}

/* How many bytes of @text go into a row of @w cells; all our texts are one byte a cell or less. */
static size_t row_bytes(const char *text, size_t w)
{
	size_t line = strcspn(text, "\n"), cut = w;

	if (line <= w)
		return line;
	while (cut > 0 && text[cut] != ' ')
		cut--;
	return cut > 0 ? cut : w;
}

int view_wrap(struct canvas *c, struct rect r, enum canvas_attr attr, const char *text)
{
	int y = 0;

	for (; y < r.h && *text && r.w > 0; y++) {
		size_t n = row_bytes(text, (size_t)r.w);
		bool more = text[n] && text[n + 1], last = y == r.h - 1;

		if (last && more)
			canvas_text(c, layout_row(r, y, ATTR_DIM),
				    "(more: a taller screen shows it)");
		else
			canvas_printf(c, layout_row(r, y, attr), "%.*s", (int)n, text);
		text += n;
		text += *text == ' ' || *text == '\n';
	}
	return y;
}
