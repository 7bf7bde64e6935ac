/*
 * Reclaim for a limit: the priority loop over a target's groups and the
 * round that answers a limit that was hit.
 */
#ifndef MEMCGLAB_ENGINE_RECLAIM_H
#define MEMCGLAB_ENGINE_RECLAIM_H

#include "request.h"

/**
 * reclaim_try_to_free - one priority loop over @target
 * Zones from the highest to the lowest at each priority, never ended between
 * zones; the loop ends after the priority at which a cluster was freed.
 * Otherwise the flusher is woken and, below priority 10, the device waited for.
 * Returns: pages freed, by the era's rule for less than a cluster.
 * After: try_to_free_mem_cgroup_pages(), do_try_to_free_pages(),
 * mm/vmscan.c:1663, v2.6.31; :2129, v3.1; :2328, v3.3.
 */
pages_t reclaim_try_to_free(struct machine *m, uint32_t cpu, uint32_t target);

/**
 * reclaim_limit - one round for the group @over, whose limit was hit
 * @over:   css id of the level that refused, or whose limit is lowered
 * @shrink: a limit is being lowered: stop after the first progress
 * To v3.2 a cursor picks a victim of the hierarchy for each priority loop;
 * in v3.3 every pass draws its own by the iterator of zone and priority.
 * Stocks are drained on the way, as they are usage that no page explains.
 * Returns: pages freed by the era's rule; 0 with room below the limit is possible.
 * After: mem_cgroup_hierarchical_reclaim(), mm/memcontrol.c:857, v2.6.31;
 * :1648, v3.1; mem_cgroup_reclaim(), :1473, v3.3.
 */
pages_t reclaim_limit(struct machine *m, uint32_t cpu, uint32_t over, bool shrink);

#endif
