/*
 * What the user did with the tree of groups: focus, folds, order, and which
 * pane stands below it where not all fit.  Kept by css id, so it holds for
 * both sides and at every step of a run.
 */
#ifndef MEMCGLAB_UI_TREE_STATE_H
#define MEMCGLAB_UI_TREE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TREE_GROUPS = 4096, TREE_FOLD_BITS = 32 }; /* the engine has fewer groups */

/* What rows can be sorted by, and a filter can name. */
enum tree_column {
	TREE_MADE, /* the order in which groups were made */
	TREE_GROUP,
	TREE_USAGE,
	TREE_LIMIT,
	TREE_SOFT,
	TREE_LEFT,
	TREE_FAIL,
	TREE_CHARGE,
	TREE_RECLAIM,
	TREE_REFAULT,
	TREE_PEAK,
	TREE_OOM,
	TREE_DIRTY,
	TREE_WRITEBACK,
	NR_TREE_COLUMNS
};

struct tree_state {
	uint32_t focus; /* css id of the group on top; 0: the root */
	enum tree_column sort;
	bool reverse;
	uint32_t fold[TREE_GROUPS / TREE_FOLD_BITS]; /* a bit a css id */
	uint32_t order[TREE_GROUPS]; /* css ids as sorted last, so rows hold still */
	size_t nr_order;
	unsigned form; /* of the pane below: see view_limits.c */
};

#endif
