/*
 * What happens at a limit: a charge that must succeed, by reclaim or by
 * killing somebody; and a limit that is written.
 */
#ifndef MEMCGLAB_ENGINE_LIMIT_H
#define MEMCGLAB_ENGINE_LIMIT_H

#include "machine.h"

/* How a charge ended.  All but LIMIT_OK end the op that needed it. */
enum limit_result {
	LIMIT_OK,
	LIMIT_KILLED,		/* the task itself was killed out of memory */
	LIMIT_NOMEM,		/* the charge failed and the task lives on */
	LIMIT_BLOCKED		/* oom_disable: it would sleep at its limit */
};

/**
 * limit_charge - charge @n pages to group @memcg for @task, come what may
 * The task must be alive.  Each refusal emits EVENT_LIMIT_HIT, is followed by
 * a round of reclaim at the level that refused, and is tried again as long
 * as that helped, by the era's count of fruitless tries (reclaim_retries).
 * Then the era's victim is killed, or the task blocks with oom_disable.
 *
 * @restarts: the access is made anew if another task was killed for it
 * After: __mem_cgroup_try_charge(), mm/memcontrol.c, v2.6.31 and v3.1;
 * try_charge_memcg(), v6.18.
 */
enum limit_result limit_charge(struct machine *m, uint32_t task, uint32_t memcg, pages_t n,
			       bool restarts);

/**
 * limit_machine_oom - no page frame can be freed for @task: somebody of the whole machine is killed
 * Returns: LIMIT_OK to try again; LIMIT_NOMEM with the machine's diag if there is nobody.
 * After: out_of_memory(), mm/oom_kill.c, v2.6.31, v3.1 and v6.18.
 */
enum limit_result limit_machine_oom(struct machine *m, uint32_t task);

/**
 * limit_charge_kmem - the same for a page of kernel memory of group @memcg
 * It is in usage and kmem of every level, but on no list and nobody's page.
 */
enum limit_result limit_charge_kmem(struct machine *m, uint32_t task, uint32_t memcg,
				    enum kmem_part part);

/* limit_charge_idle - charge @n pages that become a group's own later, for no task: reclaim, but
 * nobody is killed.  Returns: false if it did not help. */
bool limit_charge_idle(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n);

/* limit_charge_bytes - bytes of a small kernel object: from the byte stock, else charged
 * without reclaim, else with it.  After: obj_cgroup_charge(), mm/memcontrol.c, v6.18. */
enum limit_result limit_charge_bytes(struct machine *m, uint32_t task, uint32_t memcg,
				     enum kmem_part part, uint32_t bytes);

/**
 * limit_charge_nodes - charge the page-cache tree nodes that page @index will need
 * Nothing with kmem=off or for anonymous mappings.  Comes after the page's own
 * charge; where it fails the caller gives that one back.
 * After: xas_alloc(), xas_nomem(), lib/xarray.c, v6.18.
 */
enum limit_result limit_charge_nodes(struct machine *m, uint32_t task, uint32_t mapping,
				     pages_t index);

/**
 * limit_set - write a lower or higher limit
 * @memcg: not the root
 * @limit: [pages]
 * cgroup v1 shrinks the group first and writes the limit only if that was
 * enough; cgroup v2 writes it first, then reclaims and kills.  Emits
 * EVENT_LIMIT_SET either way.
 * Returns: false for EBUSY, limit unchanged.
 * After: mem_cgroup_resize_limit(), mm/memcontrol.c, v2.6.31; mem_cgroup_resize_max(), v6.18.
 */
bool limit_set(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t limit);

/**
 * limit_set_memsw - the same for memory and swap together (memory.memsw.limit_in_bytes)
 * @limit: not below the limit of memory (asserted)
 * Reclaim drops cache but swaps nothing, as that would not lower the sum.
 * After: mem_cgroup_resize_memsw_limit(), mm/memcontrol.c, v2.6.31; mem_cgroup_resize_max(), v6.18.
 */
bool limit_set_memsw(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t limit);

#endif
