/*
 * Soft limits: which groups exceed theirs most, kept up to date at certain
 * events only.
 */
#ifndef MEMCGLAB_ENGINE_SOFT_H
#define MEMCGLAB_ENGINE_SOFT_H

#include "machine.h"

/**
 * soft_event - a page of @memcg in @zone was charged, or uncharged
 * v2.6.32 looks at the tree after 1,000 events of the group, later kernels
 * at a target that moves on by 1,024, looked at every 128 events; then the
 * group and every level above it are placed anew.  So the tree is stale by
 * design.  Nothing is followed before a soft limit was set.
 * After: mem_cgroup_soft_limit_check(), mm/memcontrol.c, v2.6.32;
 * memcg_check_events(), v3.1.
 */
void soft_event(struct machine *m, uint32_t id, uint32_t zone, bool uncharge);

/* soft_tree - number of the tree that @zone has: one for each node in v6.18. */
uint32_t soft_tree(const struct machine *m, uint32_t zone);

/* soft_set - a soft limit was written: from now on the events are followed. */
void soft_set(struct machine *m, uint32_t memcg, pages_t soft);

/* soft_excess - pages of group @id above its soft limit. */
pages_t soft_excess(const struct machine *m, uint32_t id);

/* soft_insert - a group's place in tree @zone is made anew: its excess as of now, behind
 * equal ones of before. */
void soft_insert(struct machine *m, uint32_t id, uint32_t zone);

/* soft_largest - the group of @zone's tree with the largest excess, but for @not;
 * the later insertion on ties.  Returns: MEMCG_NONE if there is none. */
uint32_t soft_largest(const struct machine *m, uint32_t zone, uint32_t not);

#endif
