/*
 * What a run has counted so far, one table for metrics, Lua and the store.
 */
#ifndef MEMCGLAB_ENGINE_API_TOTALS_H
#define MEMCGLAB_ENGINE_API_TOTALS_H

#include <stdbool.h>
#include <stddef.h>

#include "units.h"

/* Totals of a run so far; the names are those of the metrics. */
struct run_totals {
	uint64_t nr_charged, nr_uncharged;		/* pages, at the owning group */
	uint64_t nr_to_scan, nr_scanned, nr_taken, nr_reclaimed;	/* inactive lists */
	uint64_t nr_rotated, nr_activated, nr_deactivated, nr_refault;
	uint64_t nr_reread;	/* pages of files read again after reclaim, in any kernel */
	uint64_t majfault;	/* faults that had to wait for a device, as pgmajfault */
	uint64_t limit_hits, failcnt, oom_kills, steps;
	ns_t sim_ns;					/* latest end of a step */
	pages_t peak_usage_pages;			/* largest peak of any group with a limit */
	uint64_t nr_accesses, nr_hits;			/* pages */
	uint64_t nr_swapped_out, nr_swapped_in;		/* pages */
	uint64_t nr_dirtied, nr_written;		/* pages of files */
	ns_t throttled_ns;				/* slept above memory.high */
	ns_t dirty_wait_ns;				/* slept because of dirty pages */
	pages_t peak_dirty_pages;	/* largest dirty and writeback of any group with a limit */
};

/* Row of the table: a total's name, its unit, and which way is better when runs are compared. */
struct run_totals_desc {
	const char *name, *unit, *better;	/* better: "lower", "higher" or "" */
	size_t offset;				/* of a uint64_t in struct run_totals */
	bool aside;	/* a count that follows from the rest: no part of the state's hash */
};
size_t run_totals_count(void);
const struct run_totals_desc *run_totals_at(size_t i);

#endif
