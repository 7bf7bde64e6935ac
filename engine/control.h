/*
 * Control files of a group whose writing reclaims from it.
 */
#ifndef MEMCGLAB_ENGINE_CONTROL_H
#define MEMCGLAB_ENGINE_CONTROL_H

#include "machine.h"

/**
 * control_reclaim - memory.reclaim: up to @want pages of the subtree of @id
 * A quarter of what is left is asked for at a time, until a number of tries
 * (reclaim_retries) freed nothing.
 * Returns: pages freed, perhaps more than wanted.
 * After: user_proactive_reclaim(), mm/vmscan.c, v6.18.
 */
pages_t control_reclaim(struct machine *m, uint32_t cpu, uint32_t id, pages_t want);

/**
 * control_force_empty - memory.force_empty: queues and stocks are drained, then
 * the group is reclaimed until it is empty or a number of tries freed nothing
 * To v3.19 a group with tasks or children is left alone.  MODEL: there what
 * cannot be freed stays; the kernel moved it to the parent.
 * Returns: pages freed; the group's usage says whether it is empty.
 * After: mem_cgroup_force_empty(), mm/memcontrol.c, v2.6.31, v3.1;
 * mm/memcontrol-v1.c, v6.18.
 */
pages_t control_force_empty(struct machine *m, uint32_t cpu, uint32_t id);

#endif
