/*
 * Shadows, refaults, costs, and flushed figures.  Follows mm/workingset.c,
 * mm/swap.c and mm/memcontrol.c of v6.18.
 *
 * MODEL: ages are kept in 32 bits; distances are taken modulo that.
 */
#include "workingset.h"

#include <assert.h>

#include "gone.h"
#include "nodes.h"
#include "policy.h"

/* Cost of a missed page, in pages examined in vain; costs are halved above size >> 2. */
enum { REFAULT_COST = 32, COST_DECAY_SHIFT = 2 };

void workingset_age(struct machine *m, struct bucket of, uint64_t n)
{
	assert(of.memcg && of.node < m->sc.nodes);
	for (; of.memcg; of.memcg = machine_memcg(m, of.memcg)->parent)
		machine_memcg(m, of.memcg)->age[of.node] += n;
}

uint32_t workingset_shadow(struct machine *m, uint32_t target, uint32_t slot, uint32_t *word)
{
	struct bucket of = { target, machine_node(m, machine_zone(m, slot)) };
	uint32_t age = (uint32_t)machine_memcg(m, target)->age[of.node];

	assert(m->pages.slot[slot].word & PG_RESIDENT);
	*word = 0;
	if (machine_axis(m, AXIS_REFAULT) == REFAULT_OFF)
		return 0;
	*word = PG_SHADOW | target | of.node << PG_ZONE_SHIFT |
		(m->pages.slot[slot].word & PG_WORKINGSET);
	workingset_age(m, of, page_nr(&m->pages, slot));
	return age;
}

void workingset_evict(struct machine *m, uint32_t target, uint32_t slot)
{
	uint32_t nr = page_nr(&m->pages, slot), i;
	uint32_t word, age = workingset_shadow(m, target, slot, &word);

	for (i = 0; i < nr; i++) {
		nodes_evict(m, slot + i);
		page_evict(&m->pages, slot + i, age, word);
	}
}

/* Pages that a page of @type had to stay within to be missed. */
static pages_t refault_room(const struct machine *m, struct bucket target, unsigned type)
{
	pages_t room = flushed_size(m, target, LRU_ACTIVE_FILE);

	assert(type < NR_SCAN_TYPES);
	if (type == SCAN_ANON)
		room += flushed_size(m, target, LRU_INACTIVE_FILE);
	if (machine_swap_room(m, target.memcg)) {
		room += flushed_size(m, target, LRU_ACTIVE_ANON);
		if (type == SCAN_FILE)
			room += flushed_size(m, target, LRU_INACTIVE_ANON);
	}
	return room;
}

uint32_t workingset_refault(struct machine *m, struct bucket into, struct slot shadow,
			    unsigned type, uint32_t nr)
{
	struct bucket target = { shadow.word & PG_MEMCG, page_zone(shadow.word) };
	uint32_t distance =
		(uint32_t)machine_memcg(m, target.memcg)->age[target.node] - shadow.stamp;
	struct memcg *memcg = machine_memcg(m, into.memcg);
	uint32_t flags = 0;

	assert(target.memcg && (shadow.word & (PG_SHADOW | PG_SWAPPED)));
	memcg->nr_refault[type] += nr;
	m->host->totals.nr_refault += nr;
	if (!machine_memcg(m, target.memcg)->online || distance > refault_room(m, target, type))
		return 0;
	flags = PG_ACTIVE;
	workingset_age(m, into, nr);
	memcg->nr_refault_activate[type] += nr;
	memcg->node_activate[into.node][type] += nr;
	if (shadow.word & PG_WORKINGSET) {
		flags |= PG_WORKINGSET;
		workingset_cost(m, into, type, (uint64_t)REFAULT_COST * nr);
	}
	return flags;
}

/* A group's own listed pages on a node. */
static pages_t node_size(const struct machine *m, struct bucket of, enum lru lru)
{
	const struct memcg *memcg = machine_memcg(m, of.memcg);
	uint32_t first = zone_first(m, of.node), i;
	pages_t sum = 0;

	if (m->sc.nodes == 1)
		return memcg->size[lru];
	if (m->per_node)
		return memcg->lruvec[of.node].size[lru];
	for (i = 0; i < m->host->node_zones; i++)
		sum += memcg->lruvec[first + i].size[lru];
	return sum;
}

static pages_t subtree_size(const struct machine *m, struct bucket of, enum lru lru)
{
	pages_t sum = 0;
	uint32_t id;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		if (memcg_in_subtree(&m->memcgs, id, of.memcg))
			sum += node_size(m, (struct bucket){ id, of.node }, lru);
	return sum;
}

static uint64_t subtree_activate(const struct machine *m, struct bucket of, unsigned type)
{
	uint64_t sum = 0;
	uint32_t id;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		if (memcg_in_subtree(&m->memcgs, id, of.memcg))
			sum += machine_memcg(m, id)->node_activate[of.node][type];
	return sum;
}

/* What the shadow shrinker's allowance is taken of. */
static pages_t local_pages(const struct machine *m, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);
	pages_t sum = 0;
	int lru;

	for (lru = 0; lru < NR_LRU; lru++)
		sum += memcg->size[lru];
	if (machine_axis(m, AXIS_KMEM) == KMEM_NODES)
		sum += (pages_t)memcg->nr_nodes * NODE_BYTES / PAGE_BYTES;
	return sum;
}

void workingset_cost(struct machine *m, struct bucket of, unsigned type, uint64_t nr)
{
	assert(type < NR_SCAN_TYPES);
	if (!nr)
		return;
	for (; of.memcg; of.memcg = machine_memcg(m, of.memcg)->parent) {
		uint64_t *cost = machine_memcg(m, of.memcg)->cost[of.node];
		pages_t size = 0;
		int lru;

		cost[type] += nr;
		for (lru = 0; lru < LRU_UNEVICTABLE; lru++)
			size += flushed_size(m, of, (enum lru)lru);
		if (cost[SCAN_ANON] + cost[SCAN_FILE] > size >> COST_DECAY_SHIFT) {
			cost[SCAN_ANON] /= 2;
			cost[SCAN_FILE] /= 2;
		}
	}
}

static void flush_bucket(struct machine *m, struct bucket of)
{
	struct memcg_flush *flush = &machine_memcg(m, of.memcg)->flush;
	int i;

	for (i = 0; i < NR_LRU; i++)
		flush->size[of.node][i] = subtree_size(m, of, (enum lru)i);
	for (i = 0; i < NR_SCAN_TYPES; i++)
		flush->activate[of.node][i] = subtree_activate(m, of, (unsigned)i);
}

void flush_all(struct machine *m)
{
	uint32_t id, node;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		for (node = 0; node < m->sc.nodes; node++)
			flush_bucket(m, (struct bucket){ id, node });
		machine_memcg(m, id)->flush.local = local_pages(m, id);
	}
	m->host->flushed_at = m->host->now;
}

void flush_due(struct machine *m)
{
	if (machine_axis(m, AXIS_STAT_FLUSH) == STAT_FLUSH_PERIODIC &&
	    m->host->now >= m->host->flushed_at + (ns_t)machine_knobs(m)->flush_ns)
		flush_all(m);
}

static bool exact(const struct machine *m)
{
	return machine_axis(m, AXIS_STAT_FLUSH) == STAT_FLUSH_EXACT;
}

pages_t flushed_size(const struct machine *m, struct bucket of, enum lru lru)
{
	return exact(m) ? subtree_size(m, of, lru)
			: machine_memcg(m, of.memcg)->flush.size[of.node][lru];
}

uint64_t flushed_activate(const struct machine *m, struct bucket of, unsigned type)
{
	return exact(m) ? subtree_activate(m, of, type)
			: machine_memcg(m, of.memcg)->flush.activate[of.node][type];
}

pages_t flushed_local(const struct machine *m, uint32_t memcg)
{
	return exact(m) ? local_pages(m, memcg) : machine_memcg(m, memcg)->flush.local;
}
