/*
 * The runs that a plot or a report is about: named one by one, as a range of
 * numbers, or as those that differ from one in a parameter.
 */
#ifndef MEMCGLAB_UI_CHART_RUNS_H
#define MEMCGLAB_UI_CHART_RUNS_H

#include "db.h"

enum { CHART_RUNS_MAX = 4096 };

struct chart_runs {
	struct db_run *run; /* in the order in which they were named */
	size_t nr, room;
};

/**
 * chart_runs_find - add the runs that words name
 * @ref: "52", "latest", "latest:SCENARIO", "3..14" (those of the numbers that there are)
 * Returns: as db_run_find; ERR_USAGE also for more than CHART_RUNS_MAX.
 */
enum err chart_runs_find(struct db *db, const char *const *ref, size_t nr, struct chart_runs *out,
			 struct diag *diag);

/* chart_runs_like - to one run add all of its scenario whose parameters but @by and the seed are
 * the same, ended well, oldest first; several runs stay as they are. */
enum err chart_runs_like(struct db *db, const char *by, struct chart_runs *runs, struct diag *diag);

void chart_runs_free(struct chart_runs *runs);

#endif
