/*
 * A chart as a picture: gnuplot's, or where it is missing text.
 */
#ifndef MEMCGLAB_UI_CHART_PICTURE_H
#define MEMCGLAB_UI_CHART_PICTURE_H

#include "chart.h"
#include "gnuplot.h"

/**
 * chart_picture - drawn by gnuplot
 * @terminal: "svg" or "png"
 * @missing:  set if there is no gnuplot; nothing is drawn then
 * Returns: ERR_OUTPUT.
 */
enum err chart_picture(const struct chart *chart, const char *terminal, FILE *out, bool *missing,
		       struct diag *diag);

/**
 * chart_picture_inline - SVG for a page, or text in <pre>
 * @prefix: of its ids, unlike that of any other on the page
 */
enum err chart_picture_inline(const struct chart *chart, const char *prefix, FILE *out,
			      bool *missing, struct diag *diag);

#endif
