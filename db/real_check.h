/*
 * Predictions against records: every counter of every phase with the range
 * of the recorded runs, the order of evictions, and where it departs first.
 *
 * Runs with the same flushes share a prediction.  The one that most of them
 * share is held against the range of all runs; another against its own runs.
 */
#ifndef MEMCGLAB_DB_REAL_CHECK_H
#define MEMCGLAB_DB_REAL_CHECK_H

#include "real.h"

enum { REAL_RUNS = 32 };

/* One counter: what was recorded, what is predicted. */
struct real_row {
	unsigned no;
	char phase[REAL_WORD_MAX], who[REAL_WORD_MAX], counter[REAL_WORD_MAX];
	double min, median, max, predicted;
	double error;		/* share of the nearest end of the range; 0: inside */
};

/* The order of additions and evictions of one task in one phase. */
struct real_order {
	unsigned no;
	char phase[REAL_WORD_MAX], who[REAL_WORD_MAX];
	bool add_match, del_match;
};

/* Runs that share their flushes. */
struct real_variant {
	unsigned rep[REAL_RUNS];
	size_t nr_reps;
	struct real_flushes flushes;
	size_t outside;		/* rows outside the range of its own runs */
	struct real_row worst;	/* the one with the largest error */
	size_t order_misses;	/* tasks and phases whose evictions are none of its runs' */
};

struct real_check {
	char missing[REAL_TEXT_MAX];	/* not "": nothing was predicted, for this reason */
	char note[REAL_TEXT_MAX];
	struct real_row *row;
	struct real_order *order;
	struct real_variant *variant;	/* the first is the one that rows show */
	size_t nr_rows, nr_orders, nr_variants;
	size_t outside, order_misses;	/* rows, and orders without del_match */
	bool has_trail;		/* milestones of the first run's evictions were recorded */
	bool departs;		/* from the first run, after */
	struct real_eviction after, recorded, predicted;	/* zero evicted: no such */
};

/**
 * real_check_run - predict an experiment and compare
 * Returns: ERR_OK whatever the outcome; an error of the engine or of the files.
 */
enum err real_check_run(const struct real_set *set, const struct real_experiment *exp,
			const struct real_watch *watch, struct real_check *out,
			struct diag *diag);
void real_check_free(struct real_check *check);

/**
 * real_variants - the recorded runs, grouped by their flushes, the largest group first
 * @out: malloc'ed array of *nr; each .flushes is owned
 * Reads the columns exp, rep, no and flush_at of phases.csv and no other.
 */
enum err real_variants(const struct real_set *set, const char *exp, struct real_variant **out,
		       size_t *nr, struct diag *diag);
void real_variants_free(struct real_variant *variant, size_t nr);

/* real_recorded - all figures of phases.csv and stat.csv of an experiment. */
enum err real_recorded(const struct real_set *set, const char *exp, struct real_figures *out,
		       struct diag *diag);

#endif
