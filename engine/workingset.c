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

void workingset_age(struct machine *m, uint32_t memcg, uint64_t n)
{
	assert(memcg);
	for (; memcg; memcg = machine_memcg(m, memcg)->parent)
		machine_memcg(m, memcg)->age += n;
}

uint32_t workingset_shadow(struct machine *m, uint32_t target, uint32_t slot, uint32_t *word)
{
	uint32_t age = (uint32_t)machine_memcg(m, target)->age;

	assert(m->pages.slot[slot].word & PG_RESIDENT);
	*word = 0;
	if (machine_axis(m, AXIS_REFAULT) == REFAULT_OFF)
		return 0;
	*word = PG_SHADOW | target | (m->pages.slot[slot].word & PG_WORKINGSET);
	workingset_age(m, target, page_nr(&m->pages, slot));
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
static pages_t refault_room(const struct machine *m, uint32_t target, unsigned type)
{
	pages_t room = flushed_size(m, target, LRU_ACTIVE_FILE);

	assert(type < NR_SCAN_TYPES);
	if (type == SCAN_ANON)
		room += flushed_size(m, target, LRU_INACTIVE_FILE);
	if (machine_swap_room(m, target)) {
		room += flushed_size(m, target, LRU_ACTIVE_ANON);
		if (type == SCAN_FILE)
			room += flushed_size(m, target, LRU_INACTIVE_ANON);
	}
	return room;
}

uint32_t workingset_refault(struct machine *m, uint32_t memcg, struct slot shadow, unsigned type,
			    uint32_t nr)
{
	uint32_t target = shadow.word & PG_MEMCG, flags = 0;
	uint32_t distance = (uint32_t)machine_memcg(m, target)->age - shadow.stamp;

	assert(target && (shadow.word & (PG_SHADOW | PG_SWAPPED)));
	machine_memcg(m, memcg)->nr_refault[type] += nr;
	m->host->totals.nr_refault += nr;
	if (!machine_memcg(m, target)->online || distance > refault_room(m, target, type))
		return 0;
	flags = PG_ACTIVE;
	workingset_age(m, memcg, nr);
	machine_memcg(m, memcg)->nr_refault_activate[type] += nr;
	if (shadow.word & PG_WORKINGSET) {
		flags |= PG_WORKINGSET;
		workingset_cost(m, memcg, type, (uint64_t)REFAULT_COST * nr);
	}
	return flags;
}

static pages_t subtree_size(const struct machine *m, uint32_t root, enum lru lru)
{
	pages_t sum = 0;
	uint32_t id;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		if (memcg_in_subtree(&m->memcgs, id, root))
			sum += machine_memcg(m, id)->size[lru];
	return sum;
}

static uint64_t subtree_activate(const struct machine *m, uint32_t root, unsigned type)
{
	uint64_t sum = 0;
	uint32_t id;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		if (memcg_in_subtree(&m->memcgs, id, root))
			sum += machine_memcg(m, id)->nr_refault_activate[type];
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

void workingset_cost(struct machine *m, uint32_t memcg, unsigned type, uint64_t nr)
{
	assert(type < NR_SCAN_TYPES);
	if (!nr)
		return;
	for (; memcg; memcg = machine_memcg(m, memcg)->parent) {
		uint64_t *cost = machine_memcg(m, memcg)->cost;
		pages_t size = 0;
		int lru;

		cost[type] += nr;
		for (lru = 0; lru < LRU_UNEVICTABLE; lru++)
			size += flushed_size(m, memcg, (enum lru)lru);
		if (cost[SCAN_ANON] + cost[SCAN_FILE] > size >> COST_DECAY_SHIFT) {
			cost[SCAN_ANON] /= 2;
			cost[SCAN_FILE] /= 2;
		}
	}
}

void flush_all(struct machine *m)
{
	uint32_t id;
	int i;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		struct memcg_flush *flush = &machine_memcg(m, id)->flush;

		for (i = 0; i < NR_LRU; i++)
			flush->size[i] = subtree_size(m, id, (enum lru)i);
		for (i = 0; i < NR_SCAN_TYPES; i++)
			flush->activate[i] = subtree_activate(m, id, (unsigned)i);
		flush->local = local_pages(m, id);
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

pages_t flushed_size(const struct machine *m, uint32_t memcg, enum lru lru)
{
	return exact(m) ? subtree_size(m, memcg, lru) : machine_memcg(m, memcg)->flush.size[lru];
}

uint64_t flushed_activate(const struct machine *m, uint32_t memcg, unsigned type)
{
	return exact(m) ? subtree_activate(m, memcg, type)
			: machine_memcg(m, memcg)->flush.activate[type];
}

pages_t flushed_local(const struct machine *m, uint32_t memcg)
{
	return exact(m) ? local_pages(m, memcg) : machine_memcg(m, memcg)->flush.local;
}
