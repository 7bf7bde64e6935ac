/*
 * The group tree: what a memcg is charged, its lists and statistics, and
 * who comes next when a hierarchy is reclaimed.  Groups are numbered by css
 * id: the lowest free number from 1 (the root); ids of removed groups are
 * used again.
 */
#ifndef MEMCGLAB_ENGINE_MEMCG_H
#define MEMCGLAB_ENGINE_MEMCG_H

#include "counter.h"
#include "kmem.h"
#include "lruvec.h"
#include "scenario.h"

enum { MEMCG_NONE = 0, MEMCG_ROOT = 1, PRIORITIES = 32 };

/* Zones of one node, and of all; a group's index by zone, or by node in v6.18. */
enum { ZONES_MAX = 3, ALL_ZONES_MAX = ZONES_MAX * NODES_MAX };

/* Where a shared walk over one zone at one priority stands (v3.3). */
struct memcg_iter {
	uint32_t position;	/* css id; 0: before the first */
	uint32_t generation;	/* ends reached so far */
};

struct memcg {
	char path[GROUP_PATH_MAX];
	uint32_t parent;		/* css id; MEMCG_NONE for the root */
	uint32_t counter_parent;	/* next level that is charged; MEMCG_NONE at the top */
	uint32_t nr_children, nr_tasks;	/* children that are not dying */
	uint32_t nr_dying, nr_objects;	/* removed groups below it; own parts its parent pays for */
	bool online, hierarchy, oom_disable;	/* hierarchy: reclaimed with its subtree */
	bool dying;			/* removed, and pages or dying groups are left in it */
	bool oom_group, walked;		/* memory.oom.group; a walk over it moved since a sample */
	bool uncounted;			/* it stands in for groups that are not accounted */
	uint32_t stand_in;		/* who owns its tasks' new pages; MEMCG_NONE: itself */
	pages_t min, low, high;		/* protection and throttling, cgroup v2 */
	pages_t soft;			/* soft limit, cgroup v1 from v2.6.32 on */
	pages_t soft_excess[ALL_ZONES_MAX];	/* at the last update; 0: not in that tree */
	uint64_t soft_order[ALL_ZONES_MAX];	/* of insertion */
	uint64_t soft_events, soft_target, threshold_target;	/* see soft_event */
	uint64_t low_events, high_events, max_events;	/* memory.events */
	bool under_oom;			/* a task sleeps at its limit */
	int64_t swappiness;		/* inherited when made; v2 uses the knob instead */
	struct counter counter;
	struct memsw memsw;
	struct lruvec lruvec[ALL_ZONES_MAX];	/* by zone; v6.18 keeps one for each node */
	pages_t size[NR_LRU];		/* listed pages in all zones */
	pages_t charged;		/* pages owned by itself */
	pages_t kmem;			/* kernel memory of its subtree */
	uint32_t kmem_bytes_left;	/* bytes that no byte stock holds */
	bytes_t kmem_of[NR_KMEM_OBJECTS];	/* its own kernel memory, by what it is */
	/* Tree nodes; of these freed and not uncharged yet, and since the grace period began. */
	uint32_t nr_nodes, nr_dead_nodes, nr_late_nodes, dead_cpu;	/* who freed the last one */
	/* Nodes that hold shadows only, oldest first. */
	uint32_t shadow_head, shadow_tail, nr_shadow_nodes;
	uint64_t shadow_deferred;	/* of the shadow shrinker */
	uint64_t age[NODES_MAX];	/* nonresident_age: evictions and activations */
	uint64_t nr_refault[NR_SCAN_TYPES], nr_refault_activate[NR_SCAN_TYPES];
	/* What follows is kept for each node (v6.18). */
	uint64_t node_activate[NODES_MAX][NR_SCAN_TYPES];	/* nr_refault_activate, apart */
	uint64_t seen_activate[NODES_MAX][NR_SCAN_TYPES];	/* at the end of the last reclaim */
	uint64_t cost[NODES_MAX][NR_SCAN_TYPES];		/* anon_cost, file_cost */
	struct memcg_flush {
		pages_t size[NODES_MAX][NR_LRU];		/* of its subtree */
		uint64_t activate[NODES_MAX][NR_SCAN_TYPES];	/* of its subtree */
		pages_t local;				/* its own listed pages and slab */
	} flush;			/* figures of the last flush */
	uint32_t walk_position[NODES_MAX];	/* of the shared walk over its subtree (v6.18) */
	uint32_t victim_node;		/* where reclaim for its limit began last (v3.1), + 1 */
	uint32_t born;			/* order of creation among siblings */
	pages_t queued, dirty, writeback, mapped;	/* in add queues; and of files */
	ns_t moving_until;		/* [ns] marked as losing charges to another group */
	uint32_t move_charge, move_lock;	/* memory.move_charge_at_immigrate; 0: none yet */
	pages_t memory, shmem;		/* of these, anonymous memory; of files of tmpfs */
	pages_t swap, swapcached;	/* of its tasks in swap slots; its own with a copy there */
	uint32_t last_child;		/* css id of the last victim (v2.6.29 to v3.2) */
	struct memcg_iter iter[ALL_ZONES_MAX][PRIORITIES];
	/* Totals since it was made; [pages] but for the first two. */
	uint64_t limit_hits, oom_kills, oom_events, oom_group_kills, nr_charged, nr_uncharged;
	uint64_t pgpgin, pgpgout;	/* charges and uncharges: one for each folio */
	uint64_t nr_to_scan, nr_scanned, nr_taken, nr_reclaimed;
	uint64_t nr_rotated, nr_activated, nr_deactivated;
	uint64_t nr_dirtied, nr_written, nr_reread;	/* of files; nr_reread: reclaimed before */
	uint64_t pgfault, majfault, stall_ns;	/* of its tasks; waits in its subtree [ns] */
	uint64_t stat_cpus[CPUS_MAX / 64];	/* CPUs on which it changed since it was read */
};

/* All groups; @memcg[id], id 0 is unused. */
struct memcgs {
	struct block *block;
	struct memcg *memcg;
	bool memsw_first;	/* memsw is charged before memory */
	bool over_memsw;	/* the latest refusal was by memsw */
};

/* memcg_memsw - pages of a group's subtree in memory or swap, and what was not given back. */
static inline pages_t memcg_memsw(const struct memcg *memcg)
{
	return memcg->counter.usage + memcg->memsw.swapped + memcg->memsw.leaked;
}

void memcgs_open(struct memcgs *memcgs, struct block *block, int64_t swappiness);
uint32_t memcg_max(const struct memcgs *memcgs);	/* highest id ever used */

/**
 * memcg_new - make a group below @parent
 * @name: one path component
 * A child of a hierarchical parent is hierarchical and charges it too.
 * Returns: its css id, MEMCG_NONE if there are too many or the path is too long.
 * After: mem_cgroup_create(), mm/memcontrol.c, v2.6.31.
 */
uint32_t memcg_new(struct memcgs *memcgs, uint32_t parent, const char *name);

/* memcg_exists - whether walks meet it: it is online, or removed and still holds pages. */
static inline bool memcg_exists(const struct memcg *memcg)
{
	return memcg->online || memcg->dying;
}

/* memcg_offline - removed: no task enters it any more, nothing protects it.  No task and no
 * child that is online is left in it (asserted).  It keeps its id, charges and place. */
void memcg_offline(struct memcgs *memcgs, uint32_t id);

/* memcg_release - the last page of a dying group is gone (asserted): walks forget it, its id is
 * free for a later group. */
void memcg_release(struct memcgs *memcgs, uint32_t id);

/* memcg_in_subtree - whether @id is @root or below it. */
bool memcg_in_subtree(const struct memcgs *memcgs, uint32_t id, uint32_t root);

/* memcg_count_subtree - groups in the subtree of @root, itself included, if it is hierarchical. */
uint32_t memcg_count_subtree(const struct memcgs *memcgs, uint32_t root);

/**
 * memcg_select_victim - the next group of @root's hierarchy by the cursor
 * After: mem_cgroup_select_victim(), mm/memcontrol.c:812, v2.6.31.
 */
uint32_t memcg_select_victim(struct memcgs *memcgs, uint32_t root);

/**
 * memcg_iter_first - the next group of @root's hierarchy by the iterator of zone and priority
 * Limit reclaim draws one group and breaks off, so the
 * "walk ended" results of the kernel's iterator do not occur.
 * After: mem_cgroup_iter(), mm/memcontrol.c:880, v3.3.
 */
uint32_t memcg_iter_first(struct memcgs *memcgs, uint32_t root, uint32_t zone,
			  unsigned priority);

#endif
