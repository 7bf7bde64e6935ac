/*
 * A quantity over the course of a run, as columns of a pane with the side's
 * letter and the ends of its scale at their left.
 */
#ifndef MEMCGLAB_UI_COURSE_H
#define MEMCGLAB_UI_COURSE_H

#include "canvas.h"
#include "model.h"

enum { COURSE_COLUMNS = 200, COURSE_FRAME_W = 4 }; /* cells beside label and columns */

struct course {
	int side, label_w;
	uint64_t value[COURSE_COLUMNS], max;
	int shown; /* columns up to now */
};

/* course_end - time of the last moment of a side's history [ns]; 0: there is none. */
ns_t course_end(const struct model_side *side);

/* course_show - so many of @w columns, which stand for time up to @end, as the run has come to. */
void course_show(struct course *course, const struct run *run, int w, ns_t end);

/* course_set - column @x is @value. */
void course_set(struct course *course, int x, uint64_t value);

/* course_draw - columns of up to @max, which reads @top, into @r; the foot of the scale is 0. */
void course_draw(struct canvas *c, struct rect r, const struct course *course, uint64_t max,
		 const char *top);

/* course_ends - until when the courses of one side or two last: " 0 s to 1.5000 s (A), ...". */
void course_ends(struct canvas *c, struct span at, const struct model *model, const int *side,
		 int nr_sides);

#endif
