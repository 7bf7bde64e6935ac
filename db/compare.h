/*
 * Two sides of stored runs held against each other: which parameters they
 * were given, and for each metric whether the sides differ by more than
 * chance.
 *
 * A side is a run with all that differ from it in nothing but the seed: same
 * scenario with the same text, parameters, kernel and model, whether one
 * --repeat made them or several commands.  One run a seed: the model gives a
 * seed the same figures each time, so a second run of it is no second look.
 */
#ifndef MEMCGLAB_DB_COMPARE_H
#define MEMCGLAB_DB_COMPARE_H

#include "db.h"
#include "significance.h"
#include "student.h"

/* Below so many seeds a side no verdict is given: a choice for reliability, the count could. */
enum { COMPARE_SEEDS = 9 };

#define COMPARE_ALPHA 0.05

enum compare_verdict {
	COMPARE_EQUAL,     /* every seed has the same value on both sides */
	COMPARE_B_LOWER,   /* beyond chance */
	COMPARE_B_HIGHER,
	COMPARE_UNCLEAR,   /* p above alpha after Holm's correction */
	COMPARE_FEW,       /* values differ, but there are too few seeds */
	COMPARE_HOST_TIME, /* depends on this computer: never a result of the model */
	COMPARE_ONLY_A,
	COMPARE_ONLY_B,
	COMPARE_DIFFERS, /* words, which have no order */
	COMPARE_FAILED,  /* could not be computed: .why says the reason */
	NR_COMPARE_VERDICTS
};

/* compare_verdict_name - "B lower", "too few seeds" ... */
const char *compare_verdict_name(enum compare_verdict verdict);

/* compare_verdict_says - whether the verdict is that the sides differ: for an exit status. */
bool compare_verdict_says(enum compare_verdict verdict);

struct compare_side {
	struct db_run run; /* as it was named */
	size_t nr;         /* runs, one a seed, in order of seed */
	int64_t *id;
	uint64_t *seed;
	int64_t model;   /* its revision; 0: the store does not know */
	char *libraries; /* names and texts, "" if none */
};

struct compare_param {
	char *name, *value[2]; /* "-" where a side has none */
	bool equal;
};

struct compare_metric {
	char name[DB_WORD_MAX], unit[DB_WORD_MAX], better[8];
	bool is_text, host;        /* words; time of this computer */
	double *value[2];          /* of each run of the side; NAN: it has none */
	char text[2][DB_WORD_MAX]; /* of a text: what it is, or "varies" */
	struct student_summary of[2];
	enum compare_verdict verdict;
	bool exact;        /* one value a side: what differs, differs */
	bool has_diff;     /* both sides have figures: */
	double diff;       /* mean of B less mean of A */
	bool has_interval; /* of Welch, 95 % */
	double low, high;
	bool has_p;
	double p, p_holm; /* as tested, and corrected for the tests that there were */
	const char *why;  /* NULL, or why it is not judged */
};

struct compare {
	struct compare_side side[2];
	bool comparable; /* both by the same model */
	double alpha;
	struct compare_param *param;
	size_t nr_params, nr_params_equal;
	struct compare_metric *metric; /* the scenario's own first, host time last */
	size_t nr_metrics, nr_equal, nr_tests;
	size_t nr_same_seeds, nr_same_states; /* seeds on both sides; with the same state hash */
};

struct compare_options {
	double alpha;       /* 0: COMPARE_ALPHA */
	const char *metric; /* "over_scan,nr_scanned": only these; NULL: all */
};

/**
 * compare_open - compare the runs @a and @b name, with their seeds
 * @out: compare_free
 * Where both would have a run in common they stand alone, each for itself.
 * Returns: as db_run_find; ERR_USAGE for a metric that neither side has, with
 * the nearest name.
 */
enum err compare_open(struct db *db, const char *const ref[2],
		      const struct compare_options *options, struct compare **out,
		      struct diag *diag);
void compare_free(struct compare *compare); /* NULL is fine */

/**
 * compare_judge - give each metric its verdict, from values and alpha alone
 * Returns: ERR_NOMEM.
 */
enum err compare_judge(struct compare *compare, struct diag *diag);

/* compare_model - by what it was made, for people: "memcglab 0.4.0, model revision 12". */
void compare_model(const struct compare_side *side, char out[2 * DB_WORD_MAX]);

#endif
