/*
 * Reclaim from groups above their soft limit, before that of a whole zone.
 */
#ifndef MEMCGLAB_ENGINE_RECLAIM_SOFT_H
#define MEMCGLAB_ENGINE_RECLAIM_SOFT_H

#include "request.h"

/**
 * reclaim_soft - take pages from the groups that exceed their soft limit most
 * @zone: whose tree is asked; the node has one tree in v6.18
 * All lists of a group are looked at (priority 0) until a quarter of its excess is
 * freed; another group is tried only while nothing at all was.
 * Returns: pages freed; 0 with soft_limit=none or before a soft limit was set.
 * After: mem_cgroup_soft_limit_reclaim(), mm/memcontrol.c, v2.6.32, v3.1, v3.3.
 */
pages_t reclaim_soft(struct machine *m, uint32_t cpu, uint32_t zone);

#endif
