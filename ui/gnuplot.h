/*
 * gnuplot as a process of its own, never linked: a script goes in, a picture
 * comes out.  It reads no file of the user's, so the same script gives the
 * same bytes.
 */
#ifndef MEMCGLAB_UI_GNUPLOT_H
#define MEMCGLAB_UI_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "diag.h"

/* gnuplot_install - what to do where it is missing. */
extern const char gnuplot_install[];

/**
 * gnuplot_draw - run it on a script
 * @script:  read from its beginning
 * @picture: receives what it wrote; the position is at the end
 * @missing: set if there is no such program: nothing was drawn, and that is no error
 * Returns: ERR_OUTPUT with its own words if it fails.
 */
enum err gnuplot_draw(FILE *script, FILE *picture, bool *missing, struct diag *diag);

/* What a picture in SVG is called, and by whom it can be told from others on a page. */
struct gnuplot_name {
	const char *title, *desc; /* for those who do not see it */
	const char *prefix;       /* of its ids; "" for a file of its own */
	bool inlined;             /* in a page: without declaration; the page's text colour */
};

/**
 * gnuplot_svg - copy a picture, named
 * @picture: read from its beginning
 */
void gnuplot_svg(FILE *picture, const struct gnuplot_name *name, FILE *out);

#endif
