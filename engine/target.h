/*
 * What one pass over a group will look at: targets of its lists by era.
 */
#ifndef MEMCGLAB_ENGINE_TARGET_H
#define MEMCGLAB_ENGINE_TARGET_H

#include "request.h"

/* One pass: what is left to look at on each list, and why. */
struct pass {
	pages_t todo[LRU_UNEVICTABLE], asked[LRU_UNEVICTABLE];
	enum rule rule[LRU_UNEVICTABLE];
	pages_t freed;
};

/**
 * target_pass - fill in the targets of a pass over @memcg
 * After: shrink_zone(), get_scan_ratio(), mm/vmscan.c, v2.6.31;
 * get_scan_count(), v3.1, v3.3 and v6.18:2566.
 */
void target_pass(struct machine *m, const struct reclaim *rc, uint32_t memcg,
		 struct pass *pass);

/**
 * target_rebalance - enough was freed: drop the smaller type, cut the other alike
 * Returns: whether the pass goes on.
 * After: shrink_lruvec(), mm/vmscan.c:5816, v6.18.
 */
bool target_rebalance(struct pass *pass);

#endif
