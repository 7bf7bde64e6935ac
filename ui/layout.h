/*
 * Splits rectangles.  Pure arithmetic; a part may come out empty, and what
 * draws into an empty rectangle draws nothing.
 */
#ifndef MEMCGLAB_UI_LAYOUT_H
#define MEMCGLAB_UI_LAYOUT_H

#include "canvas.h"

/* layout_top - cut @h rows off the top of @r, which keeps the rest.  Returns: the part cut off. */
struct rect layout_top(struct rect *r, int h);

/* layout_left - cut @w columns off the left of @r, which keeps the rest. */
struct rect layout_left(struct rect *r, int w);

/* layout_inside - what a box around @r leaves. */
struct rect layout_inside(struct rect r);

/* layout_row - row @y of @r, counted from 0, as a span; of no width if there is no such row. */
struct span layout_row(struct rect r, int y, enum canvas_attr attr);

/* layout_window - first of @n rows to show so that @selected is among @room of them. */
int layout_window(int n, int selected, int room);

#endif
