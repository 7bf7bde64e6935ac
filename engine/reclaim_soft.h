/*
 * Reclaim from groups above their soft limit, before that of a whole zone.
 */
#ifndef MEMCGLAB_ENGINE_RECLAIM_SOFT_H
#define MEMCGLAB_ENGINE_RECLAIM_SOFT_H

#include "request.h"

/**
 * reclaim_soft - take pages from the groups that exceed their soft limit most
 * Returns: pages freed.
 * After: mem_cgroup_soft_limit_reclaim(), mm/memcontrol.c, v2.6.32, v3.1, v3.3.
 */
pages_t reclaim_soft(struct machine *m, uint32_t cpu, uint32_t zone);

#endif
