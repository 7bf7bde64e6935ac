/*
 * What one pass over a group will look at: targets of its lists by era.
 */
#ifndef MEMCGLAB_ENGINE_TARGET_H
#define MEMCGLAB_ENGINE_TARGET_H

#include "request.h"

/* One pass: what is left to look at on each list, and why. */
struct pass {
	pages_t todo[LRU_UNEVICTABLE], asked[LRU_UNEVICTABLE];	/* left; at the start */
	enum rule rule[LRU_UNEVICTABLE];	/* direct, saved or forced: for EVENT_SHRINK */
	pages_t freed;				/* by this pass alone */
};

/**
 * target_pass - fill in the targets of a pass over @memcg
 * Statistics may be halved and saved scans change, so call it once a pass.
 * balance=cost judges by the target's flushed figures, first match: file alone
 * without swap, whole lists at priority 0, anon alone where file is tiny,
 * file alone where plenty of it is unused, shares by cost.
 * After: shrink_zone(), get_scan_ratio(), mm/vmscan.c, v2.6.31;
 * get_scan_count(), v3.1, v3.3 and v6.18:2566.
 */
void target_pass(struct machine *m, const struct reclaim *rc, uint32_t memcg,
		 struct pass *pass);

/**
 * target_rebalance - enough was freed: drop the smaller type, cut the other alike
 * What is left of the smaller type, in percent of what was asked, is taken
 * off the other's targets too, so both were scanned in proportion.
 * Returns: whether the pass goes on.
 * After: shrink_lruvec(), mm/vmscan.c:5816, v6.18.
 */
bool target_rebalance(struct pass *pass);

#endif
