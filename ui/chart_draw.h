/*
 * A chart drawn: as text, and as the script of gnuplot with its data in it.
 * Both print title, units, the range and what one point stands for.
 */
#ifndef MEMCGLAB_UI_CHART_DRAW_H
#define MEMCGLAB_UI_CHART_DRAW_H

#include "canvas.h"
#include "chart.h"

/**
 * chart_text - draw it into a canvas of its own size
 * @canvas: made anew by this call
 * Series differ in their marker; where several meet there is a '#'.
 */
void chart_text(const struct chart *chart, enum canvas_glyphs glyphs, struct canvas *canvas);

/* chart_marker - the marker of series @i in text. */
char chart_marker(size_t i);

/**
 * chart_script - a script that gnuplot draws the chart with
 * @terminal: "svg" or "png"
 * Data stand in the script, so one file is all that is needed to draw it again.
 */
void chart_script(const struct chart *chart, const char *terminal, FILE *out);

#endif
