/*
 * Runs with their metrics and expectations, as programs read them (JSON)
 * and as people do (sides beside each other).
 */
#ifndef MEMCGLAB_UI_RESULT_H
#define MEMCGLAB_UI_RESULT_H

#include <stdio.h>

#include <jansson.h>

#include "lab.h"
#include "output.h"

/* result_json - one run as an object; @expect: with its expectations.  The caller owns it. */
json_t *result_json(const struct lab_outcome *outcome, bool expect);

/**
 * result_dump - @root as one line of JSON
 * @root: taken over; NULL is "no memory"
 * Returns: ERR_NOMEM, ERR_OUTPUT, ERR_PIPE.
 */
enum err result_dump(json_t *root, FILE *out, struct diag *diag);

/**
 * result_load - a stored run with its metrics and, if asked, expectations
 * @row: taken over by @out
 */
enum err result_load(struct db *db, const struct db_run *row, bool expect, struct lab_outcome *out,
		     struct diag *diag);

/**
 * result_find - the same for the run that @ref names
 * @out: freed by lab_outcomes_free
 * Returns: as db_run_find, and ERR_NOMEM; nothing is left to free then.
 */
enum err result_find(struct lab *lab, const char *ref, bool expect, struct lab_outcome **out,
		     struct diag *diag);

/**
 * result_text - the comparison: sides, parameters, metrics, expectations
 * Outcomes with the same seed are the sides A, B … of a pair; over several
 * seeds a metric that varies is shown as its smallest and largest value.
 */
enum err result_text(const struct lab_outcome *outcome, size_t nr,
		     const struct output_style *style, FILE *out, struct diag *diag);

/**
 * result_rows - one row a metric: run, scenario, kernel, seed, name, unit, better, value
 * @style: its format is not json
 */
enum err result_rows(const struct lab_outcome *outcome, size_t nr,
		     const struct output_style *style, FILE *file, struct diag *diag);

/* result_failed - expectations that failed; *total receives how many there are. */
size_t result_failed(const struct lab_outcome *outcome, size_t nr, size_t *total);

#endif
