/*
 * The runs that published rows name, and the figures read of them.  What
 * runs is described without any published figure: see published.h.
 */
#ifndef MEMCGLAB_UI_LAB_PUBLISHED_H
#define MEMCGLAB_UI_LAB_PUBLISHED_H

#include "lab.h"
#include "published.h"

struct lab_published_ask {
	const struct published_set *set;
	const char *name; /* of a table, or a scenario that rows name; NULL: all rows */
	bool full;        /* every run at full size */
};

/**
 * lab_published - run what the rows name, once each, and judge them
 * @out:  malloc'ed array of *nr
 * Nothing is stored.  Returns: ERR_USAGE for an unknown name; what a run returned.
 */
enum err lab_published(struct lab *lab, const struct lab_published_ask *ask,
		       struct published_result **out, size_t *nr, struct diag *diag);

/**
 * lab_published_fits - published_fits(), and the fitted parameters of shipped scenarios
 * A parameter's default must be the value that was fitted, and each that is
 * labelled calibrated must be in the set.
 */
enum err lab_published_fits(struct lab *lab, const struct published_set *set, struct diag *diag);

#endif
