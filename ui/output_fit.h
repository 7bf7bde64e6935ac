/*
 * Tables on a terminal: which columns fit, how wide they are then, and the
 * line below that says what was cut.  A file or a pipe gets everything.
 */
#ifndef MEMCGLAB_UI_OUTPUT_FIT_H
#define MEMCGLAB_UI_OUTPUT_FIT_H

#include "output_format.h"

struct output_fit {
	size_t width[OUTPUT_COLUMNS_MAX];
	int nr_columns; /* those from the left that are shown */
	int left_out;
};

/* output_room - columns of the terminal that @file is; 0: it is none, or of unknown size. */
size_t output_room(FILE *file);

/**
 * output_fit - widths of @out's columns
 * @between: cells between two columns; @around: before the first and after the last
 * Texts get narrower down to some letters, the widest first; then columns go from the right.
 */
void output_fit(const struct output *out, size_t between, size_t around, struct output_fit *fit);

/* output_fit_cell - one cell, padded or cut.  @pad: also behind a text at the end of the line. */
void output_fit_cell(const struct output *out, const char *text, size_t width, bool right,
		     bool pad);

/* output_fit_note - the last line, if anything was cut. */
void output_fit_note(const struct output *out, const struct output_fit *fit);

#endif
