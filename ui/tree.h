/*
 * The rows of the tree of groups: in which order, at which depth, which are
 * folded, focused on or let through by the filter, and their figures.  Pure:
 * made anew from the model each time.
 */
#ifndef MEMCGLAB_UI_TREE_H
#define MEMCGLAB_UI_TREE_H

#include "levels.h"
#include "model.h"

struct tree_row {
	uint32_t id;
	int depth;
	bool parent, folded;
	uint32_t hidden;           /* rows that it stands for beside its own */
	char name[GROUP_PATH_MAX]; /* its last part; the whole path while filtering */
	pages_t usage;             /* of a folded row with what it hides */
	pages_t limit, soft, peak;
	uint64_t failcnt, oom_kills; /* of a folded row with what it hides */
	uint64_t refaults;           /* of its subtree */
	pages_t dirty, writeback;  /* of its subtree */
	bool has_rates;
	uint64_t dirty_rate, written_rate;
	uint64_t charge_rate, reclaim_rate; /* [pages/s] of its subtree */
	struct levels_bind bind;
};

struct tree {
	size_t nr;
	struct tree_row *row; /* nr of them */
};

/* tree_open - rows of side 0 or 1; none without a run or memory. */
void tree_open(const struct model *model, int side, struct tree *tree);
void tree_close(struct tree *tree);

/* tree_rows - how many there are on the side that is shown first. */
size_t tree_rows(const struct model *model);

/* tree_selected - css id in the selected row of that side; 0: there is none. */
uint32_t tree_selected(const struct model *model);

/* tree_select - the selection goes to @id, or to the group above it that is shown. */
void tree_select(struct model *model, uint32_t id);

bool tree_is_folded(const struct tree_state *state, uint32_t id);
void tree_fold(struct tree_state *state, uint32_t id, bool fold);

/* tree_sort - order the rows by the chosen column as its figures are now; the selection stays on
 * its group. */
void tree_sort(struct model *model);

/* tree_column_name - "usage"; NULL past the last.  tree_column_find - false: unknown. */
const char *tree_column_name(size_t i);
const char *tree_column_doc(size_t i);
bool tree_column_find(const char *name, enum tree_column *out);

/* tree_filter_check - see filter_check(). */
enum err tree_filter_check(const char *filter, struct diag *diag);
bool tree_filter_pending(const char *filter);

#endif
