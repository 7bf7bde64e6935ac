/*
 * Page-cache tree nodes: 64 entries each, in levels, as the kernel's xarray
 * makes them.  Nodes are charged kernel memory; a lowest node that holds
 * shadows only waits on its group's list for the shadow shrinker.
 *
 * A leaf of 512 slots holds 8 lowest nodes; node number = leaf * 8 + place.
 */
#ifndef MEMCGLAB_ENGINE_NODES_H
#define MEMCGLAB_ENGINE_NODES_H

#include <stdbool.h>
#include <stdint.h>

#include "units.h"

enum {
	NODE_SHIFT = 6,			/* XA_CHUNK_SHIFT */
	NODE_ENTRIES = 1 << NODE_SHIFT,
	LEAF_NODES = 8,			/* lowest nodes over one leaf of slots */
	NODE_BYTES = 592	/* 584 of the slab object, 8 for its owner */
};

struct machine;

/* The lowest nodes of one leaf.  A node is on its group's list while it holds shadows only. */
struct leaf_nodes {
	uint8_t resident[LEAF_NODES], shadow[LEAF_NODES];	/* entries, 64 at most */
	uint16_t memcg[LEAF_NODES];		/* who is charged */
	uint32_t prev[LEAF_NODES], next[LEAF_NODES];	/* on the group's list */
};

/* A node above the lowest level.  It exists while it has children. */
struct upper_node {
	uint16_t children, memcg;	/* memcg: css id of who is charged */
};

/**
 * nodes_missing - nodes that storing page @index of @mapping would make
 * From the lowest level up to the height that the tree will have; a tree
 * that gets taller also hangs its old root below new nodes.
 * After: xas_create(), xas_expand(), lib/xarray.c, v6.18.
 */
uint32_t nodes_missing(const struct machine *m, uint32_t mapping, pages_t index);

/**
 * nodes_store - page @slot was made resident: make its nodes, charged to @memcg
 * @was_shadow: the slot held a shadow, so its nodes are there
 * The bytes were charged before, by limit_charge_nodes; this counts nodes.
 */
void nodes_store(struct machine *m, uint32_t memcg, uint32_t slot, bool was_shadow);

/* nodes_store_run - @n pages from @slot on were made resident in a node that is there. */
void nodes_store_run(struct machine *m, uint32_t slot, uint32_t n);

/**
 * nodes_evict - page @slot becomes a shadow
 * nodes_delete - page or shadow @slot goes away; what is empty then is freed upwards, on @cpu
 * Call before the slot's word changes.  Freed nodes stay charged until nodes_settle.
 */
void nodes_evict(struct machine *m, uint32_t slot);
void nodes_delete(struct machine *m, uint32_t cpu, uint32_t slot, bool was_shadow);

/* nodes_room - successive pages from @index on that need no new node. */
pages_t nodes_room(const struct machine *m, uint32_t mapping, pages_t index);

/**
 * nodes_shrink - free up to @nr nodes of shadows of @memcg, oldest first
 * They are uncharged by nodes_settle.  Returns: nodes freed.
 * After: scan_shadow_nodes(), mm/workingset.c, v6.18.
 */
uint32_t nodes_shrink(struct machine *m, uint32_t cpu, uint32_t memcg, uint32_t nr);

/* nodes_settle - uncharge the freed nodes of every group, on the CPU that freed them: the end
 * of an RCU grace period. */
void nodes_settle(struct machine *m);

/**
 * nodes_grace - time has passed: if a grace period is over (knob grace_ns), uncharge what was
 * freed before it began.  What was freed meanwhile waits for the end of the next one.
 * After: rcu_gp_fqs_loop(), rcu_do_batch(), kernel/rcu/tree.c, v6.18: it ends one to two ticks
 * after it began, when a look after the first tick finds that every CPU has rested.
 */
void nodes_grace(struct machine *m);

/**
 * nodes_reparent - group @from is removed: its tree nodes belong to group @to from now on
 * Their charge needs no move: every level above @from carries it already.
 * After: memcg_offline_kmem(), mm/memcontrol.c, v6.18.
 */
void nodes_reparent(struct machine *m, uint32_t from, uint32_t to);

#endif
