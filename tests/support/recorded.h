/*
 * Folders of recorded experiments for tests: made of given texts in a folder
 * of their own, or copied from the shipped one; and figures by name.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_RECORDED_H
#define MEMCGLAB_TESTS_SUPPORT_RECORDED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "real_check.h"

#define RECORDED_SHIPPED "tests/data/groundtruth"

struct recorded {
	char folder[128];
	struct real_set set;
	struct real_prediction prediction;
	struct diag diag;
};

/* recorded_new - an empty folder. */
void recorded_new(struct recorded *rec);

/* recorded_close - forget all of it and remove the folder. */
void recorded_close(struct recorded *rec);

/* recorded_write - a file in the folder. */
void recorded_write(struct recorded *rec, const char *name, const char *text);

/* recorded_open - read experiments.txt; must work. */
void recorded_open(struct recorded *rec);

/* recorded_text - a new folder with these experiments, opened. */
void recorded_text(struct recorded *rec, const char *experiments);

/* recorded_find - an experiment by name; must be there. */
const struct real_experiment *recorded_find(struct recorded *rec, const char *name);

/* recorded_predict - run it, flushed at the marks only or as @flushes say; must work. */
void recorded_predict(struct recorded *rec, const char *name, const struct real_flushes *flushes);

/**
 * recorded_value - a predicted figure
 * @no: of the phase; it must be there, by that name
 */
int64_t recorded_value(const struct recorded *rec, unsigned no, const char *phase,
		       const char *who, const char *counter);

/* recorded_has - whether there is such a figure. */
bool recorded_has(const struct recorded *rec, const char *phase, const char *who);

#endif
