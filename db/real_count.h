/*
 * What the tracepoints would have counted: a sink that adds up the events of
 * a run by phase and task, with the hashes of all additions and evictions in
 * their order, and the figures of each group at each mark.
 */
#ifndef MEMCGLAB_DB_REAL_COUNT_H
#define MEMCGLAB_DB_REAL_COUNT_H

#include "real.h"
#include "run.h"

enum { REAL_PRIORITIES = 13, REAL_TRAIL_EVERY = 512 };

/* Page faults that each recorded process takes for its own code and stack after it entered its
 * group: alike in all experiments, and nothing that a workload says. */
enum { REAL_OWN_FAULTS = 2 };

enum real_counter {
	COUNT_CALLS, COUNT_CALLS_RECLAIMED, COUNT_CALLS_EMPTY, COUNT_SOFT_CALLS,
	COUNT_F_SHRINKS, COUNT_F_SCANNED, COUNT_F_TAKEN, COUNT_F_RECLAIMED, COUNT_F_ACTIVATED,
	COUNT_F_KEPT, COUNT_F_DIRTY, COUNT_F_WRITEBACK, COUNT_FA_SHRINKS, COUNT_FA_TAKEN,
	COUNT_FA_DEACTIVATED, COUNT_FA_ROTATED, COUNT_A_SHRINKS, COUNT_A_SCANNED, COUNT_A_TAKEN,
	COUNT_A_RECLAIMED, COUNT_A_ACTIVATED, COUNT_A_KEPT, COUNT_AA_SHRINKS, COUNT_AA_TAKEN,
	COUNT_AA_DEACTIVATED, COUNT_SHADOW_SHRINKS, COUNT_SHADOW_FREED, COUNT_PAGEOUTS,
	COUNT_THROTTLED, NR_REAL_COUNTERS
};

/* Of one task in one phase. */
struct real_tally {
	int64_t count[NR_REAL_COUNTERS], priority[REAL_PRIORITIES];
	int64_t *added, *deleted;	/* by file */
	uint64_t add_hash, del_hash;
	bool any;			/* something was counted */
	bool begun;			/* the task did something, in this phase or before */
};

struct real_count {
	struct sink sink;		/* first */
	const struct real_experiment *exp;
	struct real_prediction *out;
	struct real_tally *tally;	/* a task each, and the controller */
	size_t who;			/* whose events come now */
	uint32_t first_file;		/* id of the first file in the run */
	uint64_t added;			/* [pages] in this phase */
	uint64_t total_added, total_evicted, total_hash;
	unsigned no;			/* of this phase */
	char (*ended)[REAL_WORD_MAX];	/* names of the phases before */
	bool killed;			/* somebody was, since this was last set to false */
};

/* real_count_open - counts into @out. */
enum err real_count_open(struct real_count *count, const struct real_experiment *exp,
			 struct real_prediction *out, struct diag *diag);
void real_count_close(struct real_count *count);

/* real_count_controller - the controller's number as .who */
size_t real_count_controller(const struct real_count *count);

/* real_count_phase - the phase ends: its figures are put down and begin again at 0. */
enum err real_count_phase(struct real_count *count, const char *name, struct diag *diag);

/**
 * real_count_groups - the groups' files at a mark
 * @ids: css id of each group
 * Belongs to the phase that ended last; before any, to "start".
 */
enum err real_count_groups(struct real_count *count, const struct run *run, const uint32_t *ids,
			   struct diag *diag);

/* real_figures_add - append a copy.  Returns: ERR_NOMEM. */
enum err real_figures_add(struct real_figures *figures, const struct real_figure *figure,
			  struct diag *diag);

/* real_hash - FNV-1a over a page of a file, 8 bytes; @hash 0 begins anew. */
uint64_t real_hash(uint64_t hash, uint64_t file, uint64_t page);

#endif
