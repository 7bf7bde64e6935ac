/*
 * Columns over time: one scale for all sides, each on its own clock.
 */
#include "course.h"

#include "fmt.h"
#include "view_parts.h"

ns_t course_end(const struct model_side *side)
{
	const struct history *h = side->history;

	return h && h->nr ? h->t_ns[h->nr - 1] : 0;
}

void course_show(struct course *course, const struct run *run, int w, ns_t end)
{
	course->shown = 1 + (int)((double)run_now(run) * (w - 1) / (double)end);
	course->shown = course->shown > w ? w : course->shown;
}

void course_set(struct course *course, int x, uint64_t value)
{
	course->value[x] = value;
	course->max = value > course->max ? value : course->max;
}

/* A column from its foot, the last cell by its part; what is not nothing is seen. */
static void draw_column(struct canvas *c, struct rect r, int x, uint64_t value, uint64_t max)
{
	uint64_t parts = (uint64_t)((double)value * r.h * 8 / (double)max + 0.5);

	parts = value && !parts ? 1 : parts;
	canvas_column(c, (struct rect){ r.x + x, r.y, 1, r.h }, parts);
}

void course_draw(struct canvas *c, struct rect r, const struct course *course, uint64_t max,
		 const char *top)
{
	int w = course->label_w, left = w + COURSE_FRAME_W - 1;
	struct rect bars = { r.x + left, r.y, r.w - left - 1, r.h - 1 };

	canvas_printf(c, (struct span){ r.x + 1, r.y, 1, view_side_attr(course->side) }, "%c",
		      'A' + course->side);
	canvas_right(c, (struct span){ r.x + 2, r.y, w, ATTR_DIM }, top);
	canvas_right(c, (struct span){ r.x + 2, r.y + r.h - 1, w, ATTR_DIM }, "0");
	canvas_fill(c, (struct rect){ bars.x - 1, r.y, 1, bars.h }, 0x2502, ATTR_DIM);
	canvas_fill(c, (struct rect){ bars.x - 1, r.y + bars.h, 1, 1 }, 0x2514, ATTR_DIM);
	canvas_fill(c, (struct rect){ bars.x, r.y + bars.h, bars.w, 1 }, 0x2500, ATTR_DIM);
	for (int x = 0; x < course->shown; x++)
		draw_column(c, bars, x, course->value[x], max);
}

void course_ends(struct canvas *c, struct span at, const struct model *model, const int *side,
		 int nr_sides)
{
	char end[2][UNITS_TEXT_MAX];

	for (int k = 0; k < nr_sides; k++)
		fmt_clock(course_end(&model->side[side[k]]), 6, end[k]);
	if (nr_sides == 2)
		canvas_printf(c, at, " 0 s to %s s (A), %s s (B)", end[0], end[1]);
	else
		canvas_printf(c, at, " 0 s to %s s (%c)", end[0], 'A' + side[0]);
}
