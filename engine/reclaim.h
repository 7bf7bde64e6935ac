/*
 * Reclaim for a limit: the priority loop over a target's groups and the
 * round that answers a limit that was hit.
 */
#ifndef MEMCGLAB_ENGINE_RECLAIM_H
#define MEMCGLAB_ENGINE_RECLAIM_H

#include "request.h"

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

#endif
