/*
 * The results of a sweep: a figure for each metric of each run, and what
 * they come to over the seeds.
 */
#ifndef MEMCGLAB_UI_SWEEP_H
#define MEMCGLAB_UI_SWEEP_H

#include "crossing.h"
#include "lab_sweep.h"
#include "output.h"

enum { SWEEP_METRICS_MAX = 16, SWEEP_TEXT_MAX = 128, SWEEP_SENTENCE_MAX = 320 };

struct sweep_metric {
	char name[DB_WORD_MAX], unit[DB_WORD_MAX], better[8];
};

struct sweep_cell { /* a run */
	int64_t run;
	bool done, failed; /* neither: it was not begun, or stopped */
};

struct sweep {
	struct lab_sweep *points;
	struct sweep_metric metric[SWEEP_METRICS_MAX];
	size_t nr_metrics;
	struct sweep_cell *cell; /* [point * nr_eras + kernel] */
	double *value;		 /* [cell * nr_metrics + metric]; NaN: none */
};

/**
 * sweep_init - choose the metrics and make room
 * @metrics: "a,b": these; NULL: those that the scenario declares, or else some of every run
 * Returns: ERR_USAGE for a metric that there is not, with the nearest name.
 */
enum err sweep_init(struct sweep *sweep, struct lab_sweep *points, const char *metrics,
		    struct diag *diag);
void sweep_fini(struct sweep *sweep);

/* sweep_take - a run that is done, and its metrics. */
void sweep_take(struct sweep *sweep, size_t cell, int64_t run, const struct db_metric *metric,
		size_t nr);

/* sweep_done - the points whose runs are all done. */
size_t sweep_done(const struct sweep *sweep);

/* Over the seeds of a setting, of one kernel. */
struct sweep_summary {
	size_t nr, done; /* runs with a figure; runs that are done */
	double mean, least, most;
};
void sweep_summary(const struct sweep *sweep, size_t setting, size_t side, size_t metric,
		   struct sweep_summary *out);

/**
 * sweep_crossing - where kernel B overtakes A, with one numeric axis and two kernels
 * Returns: false if the sweep has another shape, or there is no memory.
 */
bool sweep_crossing(const struct sweep *sweep, size_t metric, struct crossing *out);

/* sweep_number - a value of parameter @name that need not be whole: "41.3M", "1.5ms".  Returns:
 * @out. */
char *sweep_number(const struct script *script, const char *name, double value,
		   char out[SWEEP_TEXT_MAX]);

/* sweep_sentence - a crossing in words.  Returns: @out. */
char *sweep_sentence(const struct sweep *sweep, size_t metric, const struct crossing *crossing,
		     char out[SWEEP_SENTENCE_MAX]);

/* sweep_for_people - a format that somebody reads: values with units, a mean beside its range. */
bool sweep_for_people(const char *format);

/**
 * sweep_write - a row a setting and kernel, in any format
 * For people each metric is a column with its mean and its range; for programs these are columns
 * of their own, and json is one object that holds the crossings too.
 */
enum err sweep_write(const struct sweep *sweep, const struct output_style *style, FILE *out,
		     struct diag *diag);

#endif
