/*
 * What happens at a limit: a charge that must succeed, by reclaim or by
 * killing somebody; and a limit that is written.
 */
#ifndef MEMCGLAB_ENGINE_LIMIT_H
#define MEMCGLAB_ENGINE_LIMIT_H

#include "machine.h"

enum limit_result {
	LIMIT_OK,
	LIMIT_KILLED,		/* the task itself was killed out of memory */
	LIMIT_NOMEM,		/* the charge failed and the task lives on */
	LIMIT_BLOCKED		/* oom_disable: it would sleep at its limit */
};

/**
 * limit_charge - charge one page to the group of @task, come what may
 * @restarts: the access is made anew if another task was killed for it
 * After: __mem_cgroup_try_charge(), mm/memcontrol.c, v2.6.31 and v3.1;
 * try_charge_memcg(), v6.18.
 */
enum limit_result limit_charge(struct machine *m, uint32_t task, bool restarts);

/* limit_charge_kmem - the same for a page of kernel memory. */
enum limit_result limit_charge_kmem(struct machine *m, uint32_t task);

/* limit_charge_bytes - bytes of a small kernel object: from the byte stock, else charged
 * without reclaim, else with it.  After: obj_cgroup_charge(), mm/memcontrol.c, v6.18. */
enum limit_result limit_charge_bytes(struct machine *m, uint32_t task, uint32_t bytes);

/**
 * limit_charge_nodes - charge the page-cache tree nodes that page @index will need
 * After: xas_alloc(), xas_nomem(), lib/xarray.c, v6.18.
 */
enum limit_result limit_charge_nodes(struct machine *m, uint32_t task, uint32_t mapping,
				     pages_t index);

/* limit_set - write a lower or higher limit.  Returns: false for EBUSY, limit unchanged.
 * After: mem_cgroup_resize_limit(), mm/memcontrol.c, v2.6.31; mem_cgroup_resize_max(), v6.18. */
bool limit_set(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t limit);

#endif
