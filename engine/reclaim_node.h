/*
 * Reclaim of v6.18: the tree below a group, walked by all reclaimers alike.
 */
#ifndef MEMCGLAB_ENGINE_RECLAIM_NODE_H
#define MEMCGLAB_ENGINE_RECLAIM_NODE_H

#include "request.h"

/**
 * reclaim_node - one call for @target that wants @want pages, a cluster at least (v6.18)
 * If nothing at all was freed the descent is repeated: over every group, then
 * with forced deactivation, then without regard to memory.low; each at most
 * once and only where it can make a difference.
 * Returns: pages freed.
 * After: try_to_free_mem_cgroup_pages(), mm/vmscan.c:6393.
 */
pages_t reclaim_node(struct machine *m, uint32_t cpu, uint32_t target, pages_t want);

/* reclaim_descents - @descend, and what reclaim_node repeats of it, for limits and for the whole
 * machine alike.  After: do_try_to_free_pages(), mm/vmscan.c:6393, v6.18. */
void reclaim_descents(struct machine *m, struct reclaim *rc,
		      void (*descend)(struct machine *m, struct reclaim *rc));

/* reclaim_by_node - reclaim_limit where one walk over the tree is shared (v6.18). */
pages_t reclaim_by_node(struct machine *m, uint32_t cpu, uint32_t over, bool shrink);

/**
 * reclaim_prepare - what the figures of rc->target allow at this priority
 * reclaim_group - one pass over @memcg, then its shadow shrinker
 * reclaim_tree - the groups below rc->target until rc->want is freed
 *
 * The walk goes on where the previous reclaimer of the same target stopped,
 * so all groups get their turn; rc->full_walk visits every group instead.
 * After: prepare_scan_control(), shrink_node_memcgs(), mm/vmscan.c, v6.18.
 */
void reclaim_prepare(struct machine *m, struct reclaim *rc);
void reclaim_group(struct machine *m, struct reclaim *rc, uint32_t memcg);
void reclaim_tree(struct machine *m, struct reclaim *rc);

#endif
