/*
 * Opening a machine, handing out events, and the two ways of listing a page
 * (lru=double: zone list and group list; per_memcg: group list only).
 * Follows v2.6.31 include/linux/mm_inline.h with mm/memcontrol.c
 * mem_cgroup_add_lru_list(), and v3.3.
 */
#include "machine.h"

#include <assert.h>
#include <string.h>

#include "policy.h"
#include "stat_batch.h"

enum {
	LEAVES_MIN = 1 << 12,
	LEAVES_MAX = 1 << 22,
	DIR_MAX = 1 << 28,	/* 512 TiB of mappings */
	PTE_MAX = 1 << 30,	/* 4 TiB of mapped files */
	ENTRY_MAX = 1 << 28,	/* 1 TiB of forked memory */
	TAKEN_MAX = 1 << 20	/* pairs of groups; further ones are not told apart */
};

static void block_plan(const struct machine *m, uint32_t unit[NR_REGIONS], uint32_t max[NR_REGIONS])
{
	bool zone_lists = machine_axis(m, AXIS_LRU) == LRU_DOUBLE;
	bool group_stocks = machine_axis(m, AXIS_CHARGE) == CHARGE_RFC;
	bool nodes = machine_axis(m, AXIS_REFAULT) == REFAULT_ON ||
		     machine_axis(m, AXIS_KMEM) == KMEM_NODES;
	pages_t leaves = m->ram_pages < LEAVES_MIN ? LEAVES_MIN : m->ram_pages;

	if (leaves > LEAVES_MAX)
		leaves = LEAVES_MAX;
	const uint32_t units[NR_REGIONS] = {
		[REGION_HOST] = sizeof(struct host), [REGION_CPU] = sizeof(struct cpu),
		[REGION_MEMCG] = sizeof(struct memcg), [REGION_TASK] = sizeof(struct task),
		[REGION_OPEN] = sizeof(struct open_file),
		[REGION_MAPPING] = sizeof(struct mapping), [REGION_ACTOR] = sizeof(ns_t),
		[REGION_TAKEN] = sizeof(struct taken), [REGION_WRITEBACK] = sizeof(struct write),
		[REGION_STOCK] = (MEMCG_MAX + 1) * sizeof(struct stock),
		[REGION_GATHERED] = (MEMCG_MAX + 1) * NR_BATCH_ITEMS * sizeof(int16_t),
		[REGION_DIR] = sizeof(uint32_t), [REGION_LEAF_INFO] = sizeof(struct leaf_info),
		[REGION_LEAF] = LEAF_SLOTS * sizeof(struct slot),
		[REGION_ORDER] = LEAF_SLOTS, [REGION_NODE] = LEAF_SLOTS, [REGION_PTE] = 1,
		[REGION_ENTRY] = sizeof(uint32_t), [REGION_VMA] = sizeof(struct vma),
		[REGION_GONE] = sizeof(uint32_t),
		[REGION_ZONE_STAMP] = LEAF_SLOTS * sizeof(uint32_t),
		[REGION_LEAF_NODES] = sizeof(struct leaf_nodes),
		[REGION_UPPER] = sizeof(struct upper_node),
		[REGION_LOCK] = sizeof(struct lock),
		[REGION_LOCK_CLASS] = sizeof(struct lock_class),
		[REGION_LOCK_CPU] = sizeof(struct lock_cpu),
		[REGION_LOCK_NOTE] = sizeof(struct lock_note),
		[REGION_LOCK_STAT] = sizeof(struct lock_stat),
		[REGION_LOCK_TREE] = sizeof(uint32_t),
		[REGION_LINE] = sizeof(struct line), [REGION_LINE_CPU] = sizeof(struct line_cpu),
		[REGION_CHUNK_INFO] = sizeof(struct chunk_info),
		[REGION_CHUNK] = CHUNK_ENTRIES * sizeof(uint32_t),
	};
	const uint32_t maxima[NR_REGIONS] = {
		[REGION_HOST] = 1, [REGION_CPU] = m->sc.cpus, [REGION_MEMCG] = MEMCG_MAX + 1,
		[REGION_TASK] = TASKS_MAX, [REGION_OPEN] = TASKS_MAX,
		[REGION_MAPPING] = MAPPINGS_MAX, [REGION_ACTOR] = ACTORS_MAX,
		[REGION_TAKEN] = TAKEN_MAX, [REGION_WRITEBACK] = NR_DEVICES * WRITES_MAX,
		[REGION_STOCK] = group_stocks ? m->sc.cpus : 1,
		[REGION_GATHERED] = stat_batched(m) ? m->sc.cpus : 1,
		[REGION_DIR] = DIR_MAX, [REGION_LEAF_INFO] = (uint32_t)leaves + 1,
		[REGION_LEAF] = (uint32_t)leaves + 1,
		[REGION_ORDER] = (uint32_t)leaves + 1, [REGION_PTE] = PTE_MAX,
		[REGION_ENTRY] = ENTRY_MAX, [REGION_VMA] = MAPPINGS_MAX, [REGION_GONE] = DIR_MAX,
		[REGION_NODE] = m->sc.nodes > 1 ? (uint32_t)leaves + 1 : 1,
		[REGION_ZONE_STAMP] = zone_lists ? (uint32_t)leaves + 1 : 1,
		[REGION_LEAF_NODES] = nodes ? (uint32_t)leaves + 1 : 1,
		[REGION_UPPER] = DIR_MAX / 8, [REGION_LOCK] = LOCKS_MAX,
		[REGION_LOCK_CLASS] = LOCK_CLASSES_MAX, [REGION_LOCK_CPU] = m->sc.cpus,
		[REGION_LOCK_NOTE] = m->sc.cpus * LOCK_NOTES, [REGION_LOCK_TREE] = 2 * CPUS_MAX,
		[REGION_LOCK_STAT] = m->sc.cpus * LOCK_CLASSES_MAX,
		[REGION_LINE] = LOCKS_MAX, [REGION_LINE_CPU] = m->sc.cpus,
		[REGION_CHUNK_INFO] = LEAVES_MAX, [REGION_CHUNK] = LEAVES_MAX,
	};
	memcpy(unit, units, sizeof(units));
	memcpy(max, maxima, sizeof(maxima));
}

enum err machine_open(struct machine *m, const struct scenario *sc, struct diag *diag)
{
	uint32_t unit[NR_REGIONS], max[NR_REGIONS];

	memset(m, 0, sizeof(*m));
	m->sc = *sc;
	m->ram_pages = pcg_ram_bytes(&sc->memory) / PAGE_BYTES;
	block_plan(m, unit, max);
	if (!block_open(&m->block, unit, max))
		return diag_fail(diag, ERR_NOMEM, "the host has no address space for the machine");
	block_take(&m->block, REGION_HOST, 1);
	block_take(&m->block, REGION_CPU, sc->cpus);
	block_take(&m->block, REGION_TASK, 1);
	m->host = block_at(&m->block, REGION_HOST);
	m->cpu = block_at(&m->block, REGION_CPU);
	m->task = block_at(&m->block, REGION_TASK);
	m->open = block_at(&m->block, REGION_OPEN);
	m->actor_clock = block_at(&m->block, REGION_ACTOR);
	m->stock = block_at(&m->block, REGION_STOCK);
	m->gathered = block_at(&m->block, REGION_GATHERED);
	m->taken = block_at(&m->block, REGION_TAKEN);
	m->vma = block_at(&m->block, REGION_VMA);
	block_take(&m->block, REGION_VMA, 1);
	m->write = block_at(&m->block, REGION_WRITEBACK);
	pages_open(&m->pages, &m->block);
	lists_open(&m->lists, &m->block, &m->pages, &m->host->now);
	memcgs_open(&m->memcgs, &m->block, machine_knobs(m)->swappiness);
	m->nodes = block_at(&m->block, REGION_LEAF_NODES);
	m->upper = block_at(&m->block, REGION_UPPER);
	m->has_nodes = machine_axis(m, AXIS_REFAULT) == REFAULT_ON ||
		       machine_axis(m, AXIS_KMEM) == KMEM_NODES;
	machine_memcg(m, MEMCG_ROOT)->hierarchy = machine_axis(m, AXIS_HIERARCHY) ==
						  HIERARCHY_ALWAYS;
	m->memcgs.memsw_first = machine_axis(m, AXIS_SWAP_ACCOUNT) == SWAP_ACCOUNT_FIRST;
	m->charges = machine_axis(m, AXIS_MEMCG) == MEMCG_ON;
	m->per_node = machine_axis(m, AXIS_WALK) == WALK_ROOT_NODE;
	locks_open(&m->locks, &m->block, sc->locks ? sc->cpus : 0);
	zone_open(m);
	rng_seed(&m->host->rng, sc->seed);
	return ERR_OK;
}

void machine_close(struct machine *m)
{
	block_close(&m->block);
}

void machine_emit(struct machine *m, struct event *event)
{
	size_t i;

	event->t_ns = m->host->now;
	event->step = m->host->totals.steps;
	event->seq = ++m->host->nr_events;
	for (i = 0; i < m->nr_sinks; i++) {
		struct sink *sink = m->sink[i];
		enum err err;

		if (!(sink->mask >> event->kind & 1) || !sink->event)
			continue;
		err = sink->event(sink, event, m->diag.err ? NULL : &m->diag);
		if (err && !m->diag.err)
			m->diag.err = err;
	}
}

void machine_tell_cache(struct machine *m, uint32_t slot, bool added)
{
	struct event event = { .kind = EVENT_CACHE };
	pages_t index;

	event.n[CACHE_FILE] = page_identity(&m->pages, slot, &index);
	event.n[CACHE_INDEX] = (int64_t)index;
	event.n[CACHE_ADDED] = added;
	event.n[CACHE_PAGES] = page_nr(&m->pages, slot);
	machine_emit(m, &event);
}

void machine_taken(struct machine *m, uint32_t owner, uint64_t n)
{
	uint32_t nr = m->block.region[REGION_TAKEN].used, i = m->last_taken;

	if (i >= nr || m->taken[i].by != m->by || m->taken[i].owner != owner) {
		for (i = 0; i < nr; i++)
			if (m->taken[i].by == m->by && m->taken[i].owner == owner)
				break;
		if (i == nr && block_take(&m->block, REGION_TAKEN, 1) == UINT32_MAX)
			return;
		m->taken[i].by = m->by;
		m->taken[i].owner = owner;
		m->last_taken = i;
	}
	m->taken[i].nr += n;
}

pages_t machine_swap_room(const struct machine *m, uint32_t memcg)
{
	pages_t room = m->sc.swap_pages - m->host->swap_used;

	assert(m->host->swap_used <= m->sc.swap_pages);
	for (; memcg; memcg = machine_memcg(m, memcg)->counter_parent) {
		const struct memsw *memsw = &machine_memcg(m, memcg)->memsw;
		pages_t left = memsw->swap_max > memsw->slots ? memsw->swap_max - memsw->slots : 0;

		room = left < room ? left : room;
	}
	return room;
}

void machine_full(struct machine *m, const char *what)
{
	if (!m->diag.err)
		diag_fail(&m->diag, ERR_SCENARIO, "%s", what);
}

/* The root's pages, where they are only counted, are on the zone's lists alone. */
static bool on_group_list(const struct machine *m, uint32_t word)
{
	return (word & PG_MEMCG) != MEMCG_ROOT ||
	       machine_axis(m, AXIS_ROOT_LISTED) == ROOT_LISTED_YES;
}

/* @n entries that count for @pages. */
static void list_run(struct machine *m, uint32_t slot, uint32_t n, uint32_t pages)
{
	uint32_t word = m->pages.slot[slot].word, i;
	struct memcg *owner = machine_memcg(m, word & PG_MEMCG);
	struct lruvec *own = machine_page_lruvec(m, slot);
	struct lruvec *zone = &m->host->zone[machine_zone(m, slot)].lruvec;
	enum lru lru = page_lru(word);
	bool room = true;

	for (i = 0; i < n; i++) {
		uint32_t *each = &m->pages.slot[slot + i].word;

		assert(page_pos(*each) != POS_LISTED);
		*each = page_with_pos(*each, POS_LISTED);
	}
	owner->size[lru] += pages;
	own->size[lru] += pages;
	zone->size[lru] += pages;
	if (on_group_list(m, word))
		room &= lru_add_run(&m->lists, &own->list[lru], PLANE_GROUP, slot, n);
	if (machine_axis(m, AXIS_LRU) == LRU_DOUBLE) {
		room &= lru_add_run(&m->lists, &zone->list[lru], PLANE_ZONE, slot, n);
		/* The root's too: what the list itself costs is the least of it. */
		if (m->charges)
			m->host->now += n * (ns_t)machine_knobs(m)->second_list_ns;
	}
	if (!room)
		machine_full(m, "the lists are full: this version's limit of list entries");
}

void machine_list_run(struct machine *m, uint32_t slot, uint32_t n)
{
	list_run(m, slot, n, n);
}

void machine_list(struct machine *m, uint32_t slot)
{
	list_run(m, slot, 1, page_nr(&m->pages, slot));
}

/* Pages that one kind of list let go of leave the other kind, and the counts. */
static void unlist_rest(struct machine *m, const uint32_t *slot, uint32_t n, enum lru_plane done)
{
	bool double_lru = machine_axis(m, AXIS_LRU) == LRU_DOUBLE;
	uint32_t i;

	for (i = 0; i < n; i++) {
		uint32_t *word = &m->pages.slot[slot[i]].word, nr = page_nr(&m->pages, slot[i]);
		struct lruvec *own = machine_page_lruvec(m, slot[i]);
		struct lruvec *zone = &m->host->zone[machine_zone(m, slot[i])].lruvec;
		enum lru lru = page_lru(*word);

		if (done == PLANE_GROUP && double_lru)
			lru_del(&m->lists, &zone->list[lru], PLANE_ZONE, slot[i]);
		else if (done == PLANE_ZONE && on_group_list(m, *word))
			lru_del(&m->lists, &own->list[lru], PLANE_GROUP, slot[i]);
		*word = page_with_pos(*word, POS_ISOLATED);
		machine_memcg(m, *word & PG_MEMCG)->size[lru] -= nr;
		own->size[lru] -= nr;
		zone->size[lru] -= nr;
	}
}

void machine_unlist(struct machine *m, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word;
	struct lruvec *own = machine_page_lruvec(m, slot);

	assert(page_pos(word) == POS_LISTED);
	if (on_group_list(m, word))
		lru_del(&m->lists, &own->list[page_lru(word)], PLANE_GROUP, slot);
	unlist_rest(m, &slot, 1, PLANE_GROUP);
}

void machine_list_beside(struct machine *m, uint32_t slot, const uint32_t *fresh, uint32_t n)
{
	uint32_t word = m->pages.slot[slot].word, i;
	struct lruvec *own = machine_page_lruvec(m, slot);
	struct lruvec *zone = &m->host->zone[machine_zone(m, slot)].lruvec;
	const struct lru_newcomers more = { slot, n, fresh };
	enum lru lru = page_lru(word);
	bool room = true;

	assert(page_pos(word) == POS_LISTED && n > 0);
	for (i = 0; i < n; i++)
		m->pages.slot[fresh[i]].word =
			page_with_pos(m->pages.slot[fresh[i]].word, POS_LISTED);
	if (on_group_list(m, word))
		room &= lru_add_beside(&m->lists, &own->list[lru], PLANE_GROUP, &more);
	if (machine_axis(m, AXIS_LRU) == LRU_DOUBLE)
		room &= lru_add_beside(&m->lists, &zone->list[lru], PLANE_ZONE, &more);
	if (!room)
		machine_full(m, "the lists are full: this version's limit of list entries");
}

void machine_to_tail(struct machine *m, uint32_t slot, bool group)
{
	uint32_t word = m->pages.slot[slot].word;
	struct lruvec *own = machine_page_lruvec(m, slot);
	struct lruvec *zone = &m->host->zone[machine_zone(m, slot)].lruvec;
	enum lru lru = page_lru(word);

	assert(page_pos(word) == POS_LISTED);
	if (group && m->pages.slot[slot].stamp) {
		lru_del(&m->lists, &own->list[lru], PLANE_GROUP, slot);
		lru_add_tail(&m->lists, &own->list[lru], PLANE_GROUP, slot);
	}
	if (machine_axis(m, AXIS_LRU) == LRU_DOUBLE) {
		lru_del(&m->lists, &zone->list[lru], PLANE_ZONE, slot);
		lru_add_tail(&m->lists, &zone->list[lru], PLANE_ZONE, slot);
	}
}

struct lruvec *machine_list_lruvec(const struct machine *m, struct list_id id)
{
	return id.memcg ? machine_lruvec(m, id.memcg, id.zone) : &m->host->zone[id.zone].lruvec;
}

uint32_t machine_isolate(struct machine *m, struct list_id id, uint32_t n, uint32_t *slot)
{
	struct lru_list *list = &machine_list_lruvec(m, id)->list[id.lru];
	enum lru_plane plane = id.memcg ? PLANE_GROUP : PLANE_ZONE;
	uint32_t taken = 0, pages = 0;

	if (!m->pages.folios)
		taken = lru_pop_run(&m->lists, list, plane, n, slot);
	/* The last folio may be larger than what is left of @n. */
	while (m->pages.folios && pages < n && lru_pop_run(&m->lists, list, plane, 1, slot + taken))
		pages += page_nr(&m->pages, slot[taken++]);
	unlist_rest(m, slot, taken, plane);
	return taken;
}
