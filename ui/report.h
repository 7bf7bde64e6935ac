/*
 * A report on runs: one HTML page that needs nothing else.  Its figures are
 * the answers of the store, as the same query gives them to any program.
 */
#ifndef MEMCGLAB_UI_REPORT_H
#define MEMCGLAB_UI_REPORT_H

#include <jansson.h>

#include "chart_ask.h"

/* report_page - the template, in lines; ends with NULL. */
extern const char *const report_page[];

/**
 * report_data - what the template says of runs
 * @out: owned by the caller: json_decref
 * The same runs give the same bytes: no clock is looked at.
 */
enum err report_data(const struct chart_ask *ask, json_t **out, struct diag *diag);

/* report_plots - the list of charts that these runs can show, drawn. */
enum err report_plots(const struct chart_ask *ask, json_t **out, struct diag *diag);

/* report_compare - verdicts on A and B over their seeds: a list of one comparison, or of none. */
enum err report_compare(const struct chart_ask *ask, json_t **out, struct diag *diag);

#endif
