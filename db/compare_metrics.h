/*
 * Reading the figures that are compared: for compare_runs.c alone.
 */
#ifndef MEMCGLAB_DB_COMPARE_METRICS_H
#define MEMCGLAB_DB_COMPARE_METRICS_H

#include "compare.h"

/* compare_metrics_read - the metrics of all runs of both sides.  Returns: ERR_DB, ERR_NOMEM. */
enum err compare_metrics_read(struct db *db, struct compare *compare, struct diag *diag);

/**
 * compare_metrics_choose - keep those that @names lists, parted by commas, in that order
 * Returns: ERR_USAGE for one that there is not, with the nearest.
 */
enum err compare_metrics_choose(struct compare *compare, const char *names, struct diag *diag);

/* compare_metric_drop - free what @metric holds. */
void compare_metric_drop(struct compare_metric *metric);

#endif
