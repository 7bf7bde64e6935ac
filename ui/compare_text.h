/*
 * A comparison in words and figures for people: what the command prints and
 * the Runs view draws.
 */
#ifndef MEMCGLAB_UI_COMPARE_TEXT_H
#define MEMCGLAB_UI_COMPARE_TEXT_H

#include "compare.h"
#include "fmt.h"

enum { COMPARE_TEXT_MAX = 160, COMPARE_NOTES_MAX = 4096 };

enum compare_field {
	COMPARE_FIELD_MEAN_A,
	COMPARE_FIELD_SD_A,
	COMPARE_FIELD_MEAN_B,
	COMPARE_FIELD_SD_B,
	COMPARE_FIELD_DIFF,     /* "-3.81" */
	COMPARE_FIELD_RATIO,    /* "0.29" */
	COMPARE_FIELD_INTERVAL, /* "[+9, +55]", "exact" */
	COMPARE_FIELD_P,
	COMPARE_FIELD_VERDICT
};

/**
 * compare_text - a figure of @metric as text; "-" where there is none
 * @width: cells that there are: numbers are shortened with a suffix; 0: as many as it takes
 * Returns: @out, or a constant.
 */
const char *compare_text(const struct compare_metric *metric, enum compare_field field, int width,
			 char out[COMPARE_TEXT_MAX]);

/* compare_text_counts - "4 of 23 metrics, 1 of 9 parameters": how many differ.  Returns: @out. */
const char *compare_text_counts(const struct compare *compare, char out[COMPARE_TEXT_MAX]);

/* compare_text_value - a parameter's value; a kernel is called by its short name. */
const char *compare_text_value(const struct compare *compare, const struct compare_param *param,
			       int side);

/**
 * compare_text_notes - how it was judged, what is hidden and why: a sentence a line
 * @all: what is equal is shown as well
 * Returns: @out.
 */
const char *compare_text_notes(const struct compare *compare, bool all,
			       char out[COMPARE_NOTES_MAX]);

#endif
