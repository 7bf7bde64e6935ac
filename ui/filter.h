/*
 * Filters as typed after "/": words that all must hold.  A plain word is
 * looked for in every text column; NAME:TEXT and NAME=VALUE match one
 * column, NAME<N, NAME>N, NAME<=N, NAME>=N compare a number.  A column may
 * be called by the beginning of its name if no other begins so.
 */
#ifndef MEMCGLAB_UI_FILTER_H
#define MEMCGLAB_UI_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

/* One column of a row; @text NULL: a number. */
struct filter_cell {
	const char *name;
	const char *text;
	double number;
};

/* filter_check - Returns: ERR_NAME for an unknown column (the nearest is named), ERR_USAGE for a
 * comparison with what is no number. */
enum err filter_check(const char *filter, const struct filter_cell *row, size_t n,
		      struct diag *diag);

/* filter_match - a filter that filter_check refuses matches every row. */
bool filter_match(const char *filter, const struct filter_cell *row, size_t n);

/**
 * filter_pending - does the last word look like a column whose comparison is still to be typed?
 * Such a filter would hide every row for the time of a few keys.
 */
bool filter_pending(const char *filter, const struct filter_cell *row, size_t n);

#endif
