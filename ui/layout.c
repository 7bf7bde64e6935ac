/*
 * Rectangles cut into parts.  Widths and heights never get negative, and a
 * part never reaches beyond the rectangle that it was cut from.
 */
#include "layout.h"

static int within(int value, int max)
{
	return value < 0 ? 0 : value > max ? max : value;
}

struct rect layout_top(struct rect *r, int h)
{
	struct rect part = *r;

	part.h = within(h, r->h);
	r->y += part.h;
	r->h -= part.h;
	return part;
}

struct rect layout_left(struct rect *r, int w)
{
	struct rect part = *r;

	part.w = within(w, r->w);
	r->x += part.w;
	r->w -= part.w;
	return part;
}

struct rect layout_inside(struct rect r)
{
	if (r.w < 2 || r.h < 2)
		return (struct rect){ r.x, r.y, 0, 0 };
	return (struct rect){ r.x + 1, r.y + 1, r.w - 2, r.h - 2 };
}

struct span layout_row(struct rect r, int y, enum canvas_attr attr)
{
	return (struct span){ r.x, r.y + y, y >= 0 && y < r.h ? r.w : 0, attr };
}

int layout_window(int n, int selected, int room)
{
	/* The selected row sits in the middle, but no room is left empty at either end. */
	int first = selected - room / 2;

	if (first > n - room)
		first = n - room;
	return first < 0 ? 0 : first;
}
