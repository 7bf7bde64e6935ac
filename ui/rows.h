/*
 * The rows of the lists that can be filtered and selected: which of them
 * the filter lets through, in the order in which they are shown.  Views
 * draw them, the lab process acts on the selected one.
 */
#ifndef MEMCGLAB_UI_ROWS_H
#define MEMCGLAB_UI_ROWS_H

#include "view.h"

/* The Runs view: first the runs, then the scenarios.  Exactly one member is set. */
struct rows_pick {
	const struct model_run_row *run;
	const struct model_scenario_row *scenario;
};

size_t rows_runs(const struct model *model);      /* runs that the filter lets through */
size_t rows_scenarios(const struct model *model); /* scenarios that it lets through */

/* rows_pick - row @i of both together.  Returns: false past the last. */
bool rows_pick(const struct model *model, size_t i, struct rows_pick *out);

/**
 * rows_shrinks - shrink calls that the filter lets through, newest first
 * @memcg: whose
 * @out:   @max call numbers
 * Returns: how many were written.
 */
size_t rows_shrinks(const struct model *model, int side, uint32_t memcg, uint64_t *out, size_t max);

/* rows_count - rows that can be selected in @view. */
size_t rows_count(const struct model *model, enum view_id view);

/* rows_filter_check - whether @filter makes sense in @view; see filter_check().  Of runs only the
 * lab can say, which has the store. */
enum err rows_filter_check(enum view_id view, const char *filter, struct diag *diag);

/* rows_filter_pending - whether its last word is still in the making; see filter_pending(). */
bool rows_filter_pending(enum view_id view, const char *filter);

#endif
