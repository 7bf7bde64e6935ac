/*
 * A request for reclaim: who asked, for what, and how far it is.
 */
#ifndef MEMCGLAB_ENGINE_REQUEST_H
#define MEMCGLAB_ENGINE_REQUEST_H

#include "charge.h"

/* One priority loop: who asked, and how far it is. */
struct reclaim {
	uint32_t cpu;		/* whose queues are drained */
	bool global;		/* for the whole machine, not for a limit */
	bool ignores_use;	/* MADV_PAGEOUT: pages go also if they were used */
	bool kswapd;		/* may write dirty pages where others may not */
	uint32_t zone;		/* under way */
	pages_t want;		/* pages after which a pass and the loop may end */
	uint32_t target;	/* css id; its hierarchy where the walk is by iterator */
	unsigned priority;	/* from def_priority down; 0 looks at whole lists */
	pages_t freed;		/* over all passes so far */
	uint64_t scanned;	/* inactive pages examined in all passes, to v3.19 some twice */
	/* deactivate=target: what the figures of the target allow */
	bool may_deactivate[NR_SCAN_TYPES];
	bool force_deactivate;	/* last resort: both types, whatever the figures say */
	bool skipped_deactivate;	/* an active list was passed over */
	bool full_walk;		/* every group, not the shared walk */
	bool skipped_low, ignore_low;	/* groups within memory.low were left out; are in now */
	bool congested;		/* all dirty pages of one call were the device's to wait for */
};

/* request_emit - EVENT_RECLAIM, which ends a priority loop: @rule says whose, @returned is what
 * the caller is told [pages], which may be less than was freed. */
void request_emit(struct machine *m, const struct reclaim *rc, enum rule rule, pages_t returned);

/* request_wake_flusher - a priority was not enough: with flusher=scanned the flusher is woken for
 * as many pages as were scanned, if those are more than 48.
 * After: do_try_to_free_pages(), mm/vmscan.c:1721, v2.6.31. */
void request_wake_flusher(struct machine *m, const struct reclaim *rc);

/* request_help_writers - the same, and below priority 10 the device is waited for, 100 ms at most,
 * by the rule of axis nap.  After: do_try_to_free_pages(), v2.6.31, v3.1. */
void request_help_writers(struct machine *m, const struct reclaim *rc);

#endif
