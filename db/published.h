/*
 * The tables that the posts print, each figure with how the model comes to
 * it, and the judgement of the model's figures against them.
 *
 * Fitting and checking are apart: a run is described without any published
 * figure, so changing a figure changes a verdict and no run.  Only rows
 * that are derived or predicted, and inside their tolerance, count as
 * reproduced.
 */
#ifndef MEMCGLAB_DB_PUBLISHED_H
#define MEMCGLAB_DB_PUBLISHED_H

#include "db.h"
#include "student.h"

enum published_label {
	PUBLISHED_DERIVED,      /* follows from structure alone, no constant was fitted */
	PUBLISHED_PREDICTED,    /* by constants fitted elsewhere or not at all */
	PUBLISHED_CALIBRATED,   /* a constant was fitted to this row */
	PUBLISHED_IMPLIED,      /* follows by arithmetic from a calibrated row */
	PUBLISHED_NOT_MODELLED, /* a dash, never 0 */
	PUBLISHED_OVERLAY,      /* of a live system, shape only */
	NR_PUBLISHED_LABELS
};
const char *published_label_name(enum published_label label);

/* A run that rows read.  It knows no published figure. */
struct published_run {
	const char *scenario, *kernel;
	const char *full;    /* parameters at full size: "a=1 b=2", "" if none */
	const char *reduced; /* those of a check without --full; NULL: the same */
	const char *size;    /* of the reduced run: "1/10"; NULL: full */
};

struct published_row {
	const char *row, *side, *unit;
	double value;
	enum published_label label;
	double tolerance;                /* share of the published value */
	const struct published_run *run; /* NULL: not modelled */
	const char *metric;              /* of the run; "call 3 size": of its shrink calls */
	const char *fits;                /* names of constants fitted to it; NULL: none */
	double sd;                       /* of single runs, and how many; 0: not published */
	unsigned runs;
};

struct published_table {
	const char *name, *title, *source, *date;
	const struct published_row *row;
	size_t nr;
};

/* A constant that was fitted, and the row that it was fitted to. */
struct published_fit {
	const char *constant;
	const char *scenario; /* whose parameter it is; NULL: a knob */
	double value;
	const char *table, *row, *side;
};

struct published_set {
	const struct published_table *table;
	size_t nr;
	const struct published_fit *fit;
	size_t nr_fits;
};

/* published_all - every table of the posts, every fitted constant. */
const struct published_set *published_all(void);

/* published_find - a table by name; NULL with ERR_USAGE and the nearest in @diag. */
const struct published_table *published_find(const char *name, struct diag *diag);

/* published_why - what the model lacks for a row; NULL if it is modelled. */
const char *published_why(const struct published_table *table, const struct published_row *row);

/* published_welch - the two sides of @row, judged; false without spread and runs on both. */
bool published_welch(const struct published_table *table, const char *row,
		     struct student_welch *out);

/* What the model says of one row. */
struct published_result {
	const struct published_table *table;
	const struct published_row *row;
	bool has_model;
	double model;
	double error;     /* (model - published) / published */
	bool ok;          /* has_model and inside the tolerance */
	const char *size; /* "full", "1/10"; "-" if it did not run */
};

/* published_judge - fill .error and .ok from .has_model and .model, which the caller set. */
void published_judge(struct published_result *result, size_t nr);

struct published_counts {
	size_t label[NR_PUBLISHED_LABELS];
	size_t reproduced; /* derived or predicted, and inside */
	size_t failed;     /* derived or predicted, and outside */
};
void published_count(const struct published_result *result, size_t nr,
		     struct published_counts *out);

/* published_verdict - one word: reproduced, FAILS, inside, outside, - */
const char *published_verdict(const struct published_result *result);

/**
 * published_fits - is every fitted constant listed by the row it was fitted to?
 * Knobs are looked up: their value must be the one named, and each that is
 * calibrated must be named here.  Returns: ERR_EXPECT with the first that is not.
 */
enum err published_fits(const struct published_set *set, struct diag *diag);

/* published_lists - is the word @constant among the words of @fits, which may be NULL? */
bool published_lists(const char *fits, const char *constant);

/* published_store - keep the results: rows of v_published; a row that is there is replaced. */
enum err published_store(struct db *db, const struct published_result *result, size_t nr,
			 struct diag *diag);

#endif
