/*
 * The rows of the Locks view: a class of locks each, with what both sides
 * know of it.  The counters' class is one row, whatever its kernels call it.
 */
#ifndef MEMCGLAB_UI_LOCK_ROWS_H
#define MEMCGLAB_UI_LOCK_ROWS_H

#include "contention.h"
#include "view.h"

enum { LOCK_ROWS_MAX = 32 };

struct lock_row {
	bool there[2]; /* does the side have it? */
	uint32_t nr[2]; /* its number there */
	struct run_lock lock[2];
};

/**
 * lock_rows - classes that the filter lets through, as sorted
 * A class that only one side has is a row too.  Returns: how many are in @out.
 */
size_t lock_rows(const struct model *model, struct lock_row out[LOCK_ROWS_MAX]);
size_t lock_rows_count(const struct model *model);

/* lock_row_name - of the first side that has it. */
const char *lock_row_name(const struct lock_row *row);

/* lock_rows_modelled - does the run of a side model locks? */
bool lock_rows_modelled(const struct model *model, int side);

/* lock_column_name - what the rows are sorted by: "contentions". */
const char *lock_column_name(enum lock_column column);

/* lock_rows_act - what ACT_SORT, ACT_REVERSE, ACT_FORM and ACT_SITES do. */
void lock_rows_act(struct model *model, enum action action);

/* As filter_check() and filter_pending(). */
enum err lock_rows_filter_check(const char *filter, struct diag *diag);
bool lock_rows_filter_pending(const char *filter);

#endif
