/*
 * The shape of the page-cache trees.  Invariant: a node exists if and only
 * if something is below it, up to its tree's height.  Follows lib/xarray.c
 * and mm/workingset.c of v6.18.
 *
 * MODEL: a tree does not get lower before it is empty.
 * MODEL: every RCU grace period is of one length, and its end is noticed at the next new lowest
 * node, reclaim call or passing of time.
 */
#include "nodes.h"

#include <assert.h>

#include "charge.h"
#include "gone.h"
#include "policy.h"

/* Where the nodes of a level begin among a mapping's upper nodes. */
static struct upper_node *upper_at(const struct machine *m, const struct mapping *map,
				   uint32_t level, pages_t place)
{
	pages_t nr = (map->nr_pages + NODE_ENTRIES - 1) / NODE_ENTRIES;
	uint32_t first = map->upper, l;

	assert(level >= 2);
	for (l = 2; l < level; l++) {
		nr = (nr + NODE_ENTRIES - 1) / NODE_ENTRIES;
		first += (uint32_t)nr;
	}
	return &m->upper[first + (uint32_t)place];
}

/* Whether anything is below the node at @place of @level. */
static bool node_used(const struct machine *m, const struct mapping *map, uint32_t level,
		      pages_t place)
{
	uint32_t leaf, n;

	if (level > 1)
		return upper_at(m, map, level, place)->children > 0;
	leaf = m->pages.dir[map->dir + (uint32_t)(place / LEAF_NODES)];
	n = (uint32_t)(place % LEAF_NODES);
	return leaf && m->nodes[leaf].resident[n] + m->nodes[leaf].shadow[n] > 0;
}

static bool tree_empty(const struct mapping *map)
{
	return map->nr_resident + map->nr_shadow == 0;
}

/* Levels that a tree needs to hold page @index. */
static uint32_t height_for(const struct mapping *map, pages_t index)
{
	uint32_t height = map->height;

	while (index >> (NODE_SHIFT * height))
		height++;
	return height;
}

uint32_t nodes_missing(const struct machine *m, uint32_t mapping, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[mapping];
	uint32_t height = height_for(map, index), level, missing = 0;

	assert(index < m->pages.mapping[mapping].nr_pages);
	for (level = 1; level <= height; level++) {
		pages_t place = index >> (NODE_SHIFT * level);
		bool fresh = level > map->height;

		missing += fresh || !node_used(m, map, level, place);
		/* A taller tree hangs the old root below node 0 of each new level. */
		missing += fresh && place != 0 && !tree_empty(map);
	}
	return missing;
}

pages_t nodes_room(const struct machine *m, uint32_t mapping, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[mapping];

	if (height_for(map, index) > map->height || !map->height ||
	    !node_used(m, map, 1, index >> NODE_SHIFT))
		return 0;
	return NODE_ENTRIES - (index & (NODE_ENTRIES - 1));
}

/* Nodes are counted for who is charged; bytes are charged before and given back later. */
static void node_made(struct machine *m, uint32_t memcg)
{
	machine_memcg(m, memcg)->nr_nodes++;
}

/* MODEL: all nodes of a group that await a grace period are given back by who freed the last. */
static void node_freed(struct machine *m, uint32_t cpu, uint32_t memcg)
{
	machine_memcg(m, memcg)->dead_cpu = cpu;
	if (!m->host->grace_until)
		m->host->grace_until = m->host->now + (ns_t)machine_knobs(m)->grace_ns;
	else
		machine_memcg(m, memcg)->nr_late_nodes++;
	assert(machine_memcg(m, memcg)->nr_nodes > machine_memcg(m, memcg)->nr_dead_nodes);
	machine_memcg(m, memcg)->nr_dead_nodes++;
}

/* Where a lowest node stands in its level. */
static pages_t lowest_place(const struct machine *m, uint32_t leaf, uint32_t n)
{
	return (pages_t)m->pages.leaf[leaf].index * LEAF_NODES + n;
}

/* One more child for the node at @place of @level and, if it is new, so on upwards. */
static void link_up(struct machine *m, struct mapping *map, uint32_t memcg, uint32_t level,
		    pages_t place)
{
	while (level <= map->height) {
		struct upper_node *node = upper_at(m, map, level, place);

		if (node->children++)
			return;
		node->memcg = (uint16_t)memcg;
		node_made(m, memcg);
		place >>= NODE_SHIFT;
		level++;
	}
}

/* One child less; what is empty goes, and so on upwards. */
static void unlink_up(struct machine *m, uint32_t cpu, struct mapping *map, uint32_t level,
		      pages_t place)
{
	while (level <= map->height) {
		struct upper_node *node = upper_at(m, map, level, place);

		assert(node->children > 0);
		if (--node->children)
			return;
		node_freed(m, cpu, node->memcg);
		place >>= NODE_SHIFT;
		level++;
	}
}

/* The lowest node of a page came to be: the first one is no node but the head itself. */
static void lowest_made(struct machine *m, struct mapping *map, uint32_t memcg, uint32_t leaf,
			uint32_t n)
{
	m->nodes[leaf].memcg[n] = (uint16_t)memcg;
	nodes_grace(m);
	node_made(m, memcg);
	link_up(m, map, memcg, 2, lowest_place(m, leaf, n) >> NODE_SHIFT);
}

static void list_append(struct machine *m, uint32_t node)
{
	struct leaf_nodes *leaf = &m->nodes[node / LEAF_NODES];
	struct memcg *memcg = machine_memcg(m, leaf->memcg[node % LEAF_NODES]);
	uint32_t tail = memcg->shadow_tail;

	assert(leaf->shadow[node % LEAF_NODES] > 0);
	leaf->prev[node % LEAF_NODES] = tail;
	leaf->next[node % LEAF_NODES] = 0;
	if (tail)
		m->nodes[tail / LEAF_NODES].next[tail % LEAF_NODES] = node;
	else
		memcg->shadow_head = node;
	memcg->shadow_tail = node;
	memcg->nr_shadow_nodes++;
}

/* A tree gets as many levels as a page needs; what was the tree hangs below its first node. */
static void tree_grow(struct machine *m, struct mapping *map, uint32_t memcg, uint32_t height)
{
	uint32_t old = map->height, leaf = m->pages.dir[map->dir];

	map->height = height;
	/* The page that is being stored is counted already. */
	if (map->nr_resident + map->nr_shadow == 1)
		return;
	if (old > 0) {
		link_up(m, map, memcg, old + 1, 0);
	} else if (node_used(m, map, 1, 0)) {
		lowest_made(m, map, memcg, leaf, 0);
		/* What moves out of the head may be a shadow. */
		if (!m->nodes[leaf].resident[0])
			list_append(m, leaf * LEAF_NODES);
	}
}

static void list_remove(struct machine *m, uint32_t node)
{
	struct leaf_nodes *leaf = &m->nodes[node / LEAF_NODES];
	struct memcg *memcg = machine_memcg(m, leaf->memcg[node % LEAF_NODES]);
	uint32_t prev = leaf->prev[node % LEAF_NODES], next = leaf->next[node % LEAF_NODES];

	assert(memcg->nr_shadow_nodes > 0);
	if (prev)
		m->nodes[prev / LEAF_NODES].next[prev % LEAF_NODES] = next;
	else
		memcg->shadow_head = next;
	if (next)
		m->nodes[next / LEAF_NODES].prev[next % LEAF_NODES] = prev;
	else
		memcg->shadow_tail = prev;
	memcg->nr_shadow_nodes--;
}

/* 64 slots in a row have one lowest node, so its number is that of the slot without 6 bits. */
static uint32_t node_of(uint32_t slot)
{
	return slot >> NODE_SHIFT;
}

void nodes_store(struct machine *m, uint32_t memcg, uint32_t slot, bool was_shadow)
{
	uint32_t node = node_of(slot), leaf = node / LEAF_NODES, n = node % LEAF_NODES;
	struct leaf_nodes *nodes = &m->nodes[leaf];
	struct mapping *map = &m->pages.mapping[m->pages.leaf[leaf].mapping];
	uint32_t height;
	pages_t index;

	assert(!was_shadow || nodes->shadow[n] > 0);
	page_identity(&m->pages, slot, &index);
	if (was_shadow) {
		if (!nodes->resident[n])
			list_remove(m, node);
		nodes->shadow[n]--;
		nodes->resident[n]++;
		return;
	}
	height = height_for(map, index);
	if (height > map->height)
		tree_grow(m, map, memcg, height);
	if (!nodes->resident[n] && nodes->shadow[n])
		list_remove(m, node);
	else if (!nodes->resident[n] && map->height)
		lowest_made(m, map, memcg, leaf, n);
	nodes->resident[n]++;
}

void nodes_store_run(struct machine *m, uint32_t slot, uint32_t n)
{
	uint32_t node = node_of(slot);
	struct leaf_nodes *nodes = &m->nodes[node / LEAF_NODES];

	assert(node_of(slot + n - 1) == node);
	if (!nodes->resident[node % LEAF_NODES])
		list_remove(m, node);
	nodes->resident[node % LEAF_NODES] += (uint8_t)n;
}

void nodes_evict(struct machine *m, uint32_t slot)
{
	uint32_t node = node_of(slot), n = node % LEAF_NODES;
	struct leaf_nodes *nodes = &m->nodes[node / LEAF_NODES];
	const struct mapping *map = &m->pages.mapping[m->pages.leaf[node / LEAF_NODES].mapping];

	assert(nodes->resident[n] > 0);
	nodes->resident[n]--;
	nodes->shadow[n]++;
	if (!nodes->resident[n] && map->height)
		list_append(m, node);
}

void nodes_delete(struct machine *m, uint32_t cpu, uint32_t slot, bool was_shadow)
{
	uint32_t node = node_of(slot), leaf = node / LEAF_NODES, n = node % LEAF_NODES;
	struct leaf_nodes *nodes = &m->nodes[leaf];
	struct mapping *map = &m->pages.mapping[m->pages.leaf[leaf].mapping];

	assert(was_shadow ? nodes->shadow[n] > 0 : nodes->resident[n] > 0);
	if (was_shadow) {
		if (!nodes->resident[n] && nodes->shadow[n] == 1 && map->height)
			list_remove(m, node);
		nodes->shadow[n]--;
	} else if (!--nodes->resident[n] && nodes->shadow[n] && map->height) {
		list_append(m, node);
	}
	if (nodes->resident[n] || nodes->shadow[n])
		return;
	if (map->height) {
		node_freed(m, cpu, nodes->memcg[n]);
		unlink_up(m, cpu, map, 2, lowest_place(m, leaf, n) >> NODE_SHIFT);
	}
	if (map->nr_resident + map->nr_shadow == 1)
		map->height = 0;
}

uint32_t nodes_shrink(struct machine *m, uint32_t cpu, uint32_t memcg, uint32_t nr)
{
	uint32_t freed;

	for (freed = 0; freed < nr && machine_memcg(m, memcg)->shadow_head; freed++) {
		uint32_t first = machine_memcg(m, memcg)->shadow_head << NODE_SHIFT, i;

		for (i = 0; i < NODE_ENTRIES; i++) {
			if (!(m->pages.slot[first + i].word & PG_SHADOW))
				continue;
			nodes_delete(m, cpu, first + i, true);
			page_lose(&m->pages, first + i);
		}
	}
	return freed;
}

/* A grace period ends: what was freed before it began comes back.  Returns: nodes that wait on. */
static uint32_t grace_end(struct machine *m)
{
	uint32_t id, late = 0;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		struct memcg *memcg = machine_memcg(m, id);

		for (; memcg->nr_dead_nodes > memcg->nr_late_nodes; memcg->nr_dead_nodes--) {
			memcg->nr_nodes--;
			if (machine_axis(m, AXIS_KMEM) == KMEM_NODES)
				charge_free_object(m, memcg->dead_cpu, id, KMEM_TREE_NODES,
						   NODE_BYTES);
		}
		late += memcg->nr_late_nodes;
		memcg->nr_late_nodes = 0;
	}
	return late;
}

void nodes_settle(struct machine *m)
{
	while (grace_end(m))
		;
	m->host->grace_until = 0;
}

void nodes_grace(struct machine *m)
{
	ns_t *until = &m->host->grace_until;

	while (*until && m->host->now >= *until)
		*until = grace_end(m) ? *until + (ns_t)machine_knobs(m)->grace_ns : 0;
}

/* Shadow nodes of @from are the youngest of @to. */
static void join_shadows(struct machine *m, struct memcg *from, struct memcg *to)
{
	if (!from->shadow_head)
		return;
	m->nodes[from->shadow_head / LEAF_NODES].prev[from->shadow_head % LEAF_NODES] =
		to->shadow_tail;
	if (to->shadow_tail)
		m->nodes[to->shadow_tail / LEAF_NODES].next[to->shadow_tail % LEAF_NODES] =
			from->shadow_head;
	else
		to->shadow_head = from->shadow_head;
	to->shadow_tail = from->shadow_tail;
	to->nr_shadow_nodes += from->nr_shadow_nodes;
}

void nodes_reparent(struct machine *m, uint32_t from, uint32_t to)
{
	struct memcg *old = machine_memcg(m, from), *heir = machine_memcg(m, to);
	uint32_t i, n;

	assert(from != to && to);
	if (!old->nr_nodes)
		return;
	for (i = 1; i < m->block.region[REGION_LEAF].used; i++)
		for (n = 0; n < LEAF_NODES; n++)
			if (m->nodes[i].memcg[n] == from)
				m->nodes[i].memcg[n] = (uint16_t)to;
	for (i = 0; i < m->block.region[REGION_UPPER].used; i++)
		if (m->upper[i].memcg == from)
			m->upper[i].memcg = (uint16_t)to;
	join_shadows(m, old, heir);
	heir->shadow_deferred += old->shadow_deferred;
	heir->nr_nodes += old->nr_nodes;
	heir->nr_dead_nodes += old->nr_dead_nodes;
	heir->nr_late_nodes += old->nr_late_nodes;
	old->shadow_deferred = 0;
	old->nr_nodes = old->nr_dead_nodes = old->nr_late_nodes = old->nr_shadow_nodes = 0;
	old->shadow_head = old->shadow_tail = 0;
}
