/*
 * Soft limits: which groups exceed theirs most, kept up to date at certain
 * events only, and their reclaim before that of a whole zone.
 */
#ifndef MEMCGLAB_ENGINE_SOFT_H
#define MEMCGLAB_ENGINE_SOFT_H

#include "reclaim.h"

/**
 * soft_event - a page of @memcg in @zone was charged, or uncharged
 * After: mem_cgroup_soft_limit_check(), mm/memcontrol.c, v2.6.32;
 * memcg_check_events(), v3.1.
 */
void soft_event(struct machine *m, uint32_t memcg, uint32_t zone, bool uncharge);

/* soft_set - a soft limit was written: from now on the events are followed. */
void soft_set(struct machine *m, uint32_t memcg, pages_t soft);

/**
 * soft_reclaim - take pages from the groups that exceed their soft limit most
 * Returns: pages freed.
 * After: mem_cgroup_soft_limit_reclaim(), mm/memcontrol.c, v2.6.32, v3.1, v3.3.
 */
pages_t soft_reclaim(struct machine *m, uint32_t cpu, uint32_t zone);

#endif
