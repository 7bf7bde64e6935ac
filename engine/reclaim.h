/*
 * Reclaim: the priority loop over a target's groups, one pass over the
 * lists of a group, and the round that answers a limit that was hit.
 */
#ifndef MEMCGLAB_ENGINE_RECLAIM_H
#define MEMCGLAB_ENGINE_RECLAIM_H

#include "charge.h"

/* One priority loop: who asked, and how far it is. */
struct reclaim {
	uint32_t cpu;
	bool global;		/* for the whole machine, not for a limit */
	bool kswapd;
	uint32_t zone;		/* under way */
	pages_t want;		/* pages after which a pass and the loop may end */
	uint32_t target;	/* css id; its hierarchy where the walk is by iterator */
	unsigned priority;
	pages_t freed;		/* over all passes so far */
	uint64_t scanned;	/* inactive pages examined in all passes */
	/* deactivate=target: what the figures of the target allow */
	bool may_deactivate[NR_SCAN_TYPES];
	bool force_deactivate;	/* last resort: both types, whatever the figures say */
	bool skipped_deactivate;	/* an active list was passed over */
	bool full_walk;		/* every group, not the shared walk */
	bool skipped_low, ignore_low;	/* groups within memory.low were left out; they no longer are */
};

/**
 * reclaim_try_to_free - one priority loop over @target
 * Returns: pages freed, by the era's rule for less than a cluster.
 * After: try_to_free_mem_cgroup_pages(), do_try_to_free_pages(),
 * mm/vmscan.c:1663, v2.6.31; :2129, v3.1; :2328, v3.3.
 */
pages_t reclaim_try_to_free(struct machine *m, uint32_t cpu, uint32_t target);

/**
 * reclaim_limit - one round for the group @over, whose limit was hit
 * @shrink: a limit is being lowered: stop after the first progress
 * Returns: pages freed by the era's rule; 0 with room below the limit is possible.
 * After: mem_cgroup_hierarchical_reclaim(), mm/memcontrol.c:857, v2.6.31;
 * :1648, v3.1; mem_cgroup_reclaim(), :1473, v3.3.
 */
pages_t reclaim_limit(struct machine *m, uint32_t cpu, uint32_t over, bool shrink);

/* reclaim_node - one call for @target that wants @want pages, a cluster at least (v6.18).
 * After: try_to_free_mem_cgroup_pages(), mm/vmscan.c:6393. */
pages_t reclaim_node(struct machine *m, uint32_t cpu, uint32_t target, pages_t want);

/* reclaim_by_node - reclaim_limit where one walk over the tree is shared (v6.18). */
pages_t reclaim_by_node(struct machine *m, uint32_t cpu, uint32_t over, bool shrink);

/**
 * reclaim_prepare - what the figures of rc->target allow at this priority
 * reclaim_group - one pass over @memcg, then its shadow shrinker
 * reclaim_tree - the groups below rc->target until rc->want is freed
 * After: prepare_scan_control(), shrink_node_memcgs(), mm/vmscan.c, v6.18.
 */
void reclaim_prepare(struct machine *m, struct reclaim *rc);
void reclaim_group(struct machine *m, struct reclaim *rc, uint32_t memcg);
void reclaim_tree(struct machine *m, struct reclaim *rc);

/* reclaim_emit - the event that ends a priority loop. */
void reclaim_emit(struct machine *m, const struct reclaim *rc, enum rule rule, pages_t returned);

/**
 * reclaim_pass - one pass over lists of rc->zone at rc->priority
 * @memcg: whose; MEMCG_NONE: the zone's own
 * After: shrink_zone(), mm/vmscan.c:1520, v2.6.31; :1978, v3.1.
 */
void reclaim_pass(struct machine *m, struct reclaim *rc, uint32_t memcg);

#endif
