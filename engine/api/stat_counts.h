/*
 * What keeping statistics of groups has taken in a run.
 */
#ifndef MEMCGLAB_ENGINE_API_STAT_COUNTS_H
#define MEMCGLAB_ENGINE_API_STAT_COUNTS_H

#include "units.h"

struct run;

struct run_stat_counts {
	uint64_t nr_brackets;		/* changes of a page and its group's counter together */
	uint64_t nr_move_locked;	/* of them, under a lock */
	uint64_t nr_root_skipped;	/* changes of the root's pages that were not counted */
	ns_t stat_ns;			/* all that, where locks are modelled */
};

/* What a page costs under its file's lock where locks are modelled, by the knobs; 0: not taken. */
struct run_stat_costs {
	ns_t write;		/* each page of write(2) */
	ns_t rework;		/* more if the page gets dirty */
	ns_t count;		/* more for a change that is counted for a group */
	ns_t locked;		/* more while charges leave that group */
};

void run_stat_costs(const struct run *run, struct run_stat_costs *out);
void run_stat_counts(const struct run *run, struct run_stat_counts *out);

#endif
