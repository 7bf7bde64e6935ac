/*
 * What a role looks like: the only place that knows colours.  Default
 * foreground and background are the terminal's own; without colours the
 * attributes remain, and the text never depends on either.
 */
#ifndef MEMCGLAB_UI_THEME_H
#define MEMCGLAB_UI_THEME_H

#include <stdbool.h>

#include "canvas.h"

struct theme_role {
	int colour; /* 1-6 red green yellow blue magenta cyan; -1: the terminal's own */
	bool bold, dim, reverse, underline;
	const char *svg; /* the same for a light page */
};

const struct theme_role *theme_role(enum canvas_attr attr);

#endif
