/*
 * Charts of stored runs: which metric is drawn how, and the questions to
 * the store behind each kind.  What cannot be answered is refused with the
 * reason.
 */
#ifndef MEMCGLAB_UI_CHART_ASK_H
#define MEMCGLAB_UI_CHART_ASK_H

#include "chart.h"
#include "lab.h"

/* What is asked: which runs, and what of them. */
struct chart_ask {
	struct db *db;
	const struct db_run *run;
	size_t nr;
	const char *metric; /* NULL: what the kind shows without one */
	const char *kind;   /* NULL: the usual one of the metric */
	const char *group;  /* NULL: the one that reclaim took most from */
	const char *by;     /* parameter on the x axis of a sweep; NULL: the one that differs */
};

typedef enum err chart_fill_fn(const struct chart_ask *ask, struct chart *chart, struct diag *diag);

/**
 * chart_fill - answer @ask
 * @chart: zeroed; freed by chart_free whatever happens
 * Returns: ERR_USAGE with the reason if these runs have no such metric, or
 * this kind cannot show it.
 */
enum err chart_fill(const struct chart_ask *ask, struct chart *chart, struct diag *diag);

/* chart_kind_name - kind @i, NULL past the last. */
const char *chart_kind_name(size_t i);

/* The kinds, one a file. */
chart_fill_fn chart_over_time, chart_histogram, chart_sweep, chart_miss_ratio, chart_strip,
	chart_waits;

/* ---- what they share ---- */

/* chart_label - "A  run 1 v2.6.31 (unbatched)". */
void chart_label(const struct chart_ask *ask, size_t i, char out[CHART_WORDS]);

/* chart_is_sample - does the store keep it of each group over time?  chart_is_call - of each
 * shrink call? */
bool chart_is_sample(const char *metric);
bool chart_is_call(const char *metric);
const char *chart_sample_unit(const char *metric);

/**
 * chart_query - up to four numbers a row
 * @row: gets them in the order of the columns; NULL is NAN
 */
typedef enum err chart_row_fn(void *ctx, const double value[4], struct diag *diag);
enum err chart_query(struct db *db, const char *sql, chart_row_fn *row, void *ctx,
		     struct diag *diag);

/* chart_text_query - the first column of the first row; "" if there is none. */
enum err chart_text_query(struct db *db, const char *sql, char out[CHART_WORDS], struct diag *diag);

/* chart_quoted - @text as an SQL string.  Returns: @out; ERR_USAGE is left to the query. */
char *chart_quoted(const char *text, char out[2 * CHART_WORDS]);

/* chart_metric - a stored figure of a run.  Returns: ERR_USAGE: none, no number, no value. */
struct chart_figure {
	double value;
	char unit[32];
};
enum err chart_metric(const struct chart_ask *ask, size_t i, const char *name,
		      struct chart_figure *out, struct diag *diag);

/* chart_too_many - more runs than one plot tells apart are refused. */
enum err chart_too_many(const struct chart_ask *ask, struct diag *diag);

/* chart_no_course - why run @i has nothing of the metric over time.  Returns: ERR_USAGE. */
enum err chart_no_course(const struct chart_ask *ask, size_t i, struct diag *diag);

/* chart_group - the group that is asked for, which each run must have. */
enum err chart_group(const struct chart_ask *ask, char group[CHART_WORDS], struct diag *diag);

/* chart_warm - steps of declared warm-up of a run, and until when they lasted [s]; 0: none. */
enum err chart_warm(const struct chart_ask *ask, size_t i, double *steps, double *seconds,
		    struct diag *diag);

#endif
