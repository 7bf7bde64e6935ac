/*
 * The laws of model/reclaim.md section 8 that can be seen from outside one
 * step: I1 limits, I2 pages against usage, I3 one place on each kind of
 * list, I4 queues, I6 saved scans, I7 rotated within scanned.
 */
#include "invariant.h"

#include "anon_vma.h"
#include "charge.h"
#include "invariant_charges.h"
#include "policy.h"
#include "vma.h"

/* Whether a charge of @from reaches @level. */
static bool charged_to(const struct machine *m, uint32_t from, uint32_t level)
{
	while (from && from != level)
		from = machine_memcg(m, from)->counter_parent;
	return from == level;
}

static enum err check_counter(const struct machine *m, uint32_t id, struct diag *diag)
{
	const struct memcg *memcg = machine_memcg(m, id);
	pages_t pages = 0;
	uint32_t i;

	/* memory.max holds at once, even below what is used. */
	if (memcg->counter.usage > memcg->counter.limit &&
	    machine_axis(m, AXIS_CGROUP) == CGROUP_V1)
		return diag_fail(diag, ERR_RANGE, "I1: %s: usage is above its limit", memcg->path);
	for (i = MEMCG_ROOT; i <= memcg_max(&m->memcgs); i++) {
		if (memcg_exists(machine_memcg(m, i)) && charged_to(m, i, id))
			pages += machine_memcg(m, i)->charged;
	}
	for (i = 0; i < m->sc.cpus; i++) {
		const struct stock *stock;
		uint32_t nr;

		for (nr = 0; (stock = charge_stock_at(m, i, nr)) != NULL; nr++)
			if (stock->nr && charged_to(m, stock->memcg, id))
				pages += stock->nr;
	}
	pages += memcg->kmem;
	if (memcg->uncounted)
		pages = 0;
	if (pages != memcg->counter.usage && m->charges)
		return diag_fail(diag, ERR_RANGE, "I2: %s: usage %llu, pages and stock %llu",
				 memcg->path, (unsigned long long)memcg->counter.usage,
				 (unsigned long long)pages);
	return ERR_OK;
}

/* Swap of a level is that of all groups that are charged to it. */
static enum err check_swap(const struct machine *m, uint32_t id, struct diag *diag)
{
	const struct memcg *memcg = machine_memcg(m, id);
	pages_t slots = 0;
	uint32_t i;

	for (i = MEMCG_ROOT; i <= memcg_max(&m->memcgs); i++)
		if (memcg_exists(machine_memcg(m, i)) && charged_to(m, i, id))
			slots += machine_memcg(m, i)->swap;
	if (slots != memcg->memsw.slots || memcg->memsw.swapped > slots)
		return diag_fail(diag, ERR_RANGE, "I2: %s: %llu swap slots counted, %llu taken",
				 memcg->path, (unsigned long long)memcg->memsw.slots,
				 (unsigned long long)slots);
	return ERR_OK;
}

/* A list under inspection. */
struct inspected {
	const struct lru_list *list;
	enum lru_plane plane;
	enum lru lru;
	uint32_t owner;		/* css id that all its pages have; MEMCG_NONE: any */
	pages_t size;		/* [pages] that it must hold */
	uint32_t zone;		/* of its pages; of a group's lists in v6.18: their node */
};

static bool belongs(const struct machine *m, const struct inspected *of, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word, zone = machine_zone(m, slot);

	if (of->plane == PLANE_GROUP && m->per_node)
		zone = machine_node(m, zone);
	return (word & PG_RESIDENT) && page_pos(word) == POS_LISTED && page_lru(word) == of->lru &&
	       zone == of->zone && (!of->owner || (word & PG_MEMCG) == of->owner);
}

/* Every page of a list is where its flags say, and as many as counted. */
static enum err check_list(const struct machine *m, const struct inspected *of, struct diag *diag)
{
	struct lru_walk walk;
	pages_t nr = 0, pages = 0;
	uint32_t slot;

	lru_walk_start(of->list, &walk);
	while ((slot = lru_walk_next(&m->lists, of->plane, &walk)) != SLOT_NONE) {
		nr++;
		pages += page_nr(&m->pages, slot);
		if (!belongs(m, of, slot))
			return diag_fail(diag, ERR_RANGE, "I3: a page is on %s by mistake",
					 lru_name(of->lru));
	}
	if (nr != of->list->nr)
		return diag_fail(diag, ERR_RANGE, "I3: %s holds %llu pages, %llu are counted",
				 lru_name(of->lru), (unsigned long long)nr,
				 (unsigned long long)of->list->nr);
	if (pages != of->size)
		return diag_fail(diag, ERR_RANGE, "I2: %s holds %llu pages, counted are %llu",
				 lru_name(of->lru), (unsigned long long)pages,
				 (unsigned long long)of->size);
	return ERR_OK;
}

static enum err check_stat(const struct lruvec *lruvec, const char *where, struct diag *diag)
{
	int i;

	for (i = 0; i < NR_SCAN_TYPES; i++)
		if (lruvec->stat.rotated[i] > lruvec->stat.scanned[i])
			return diag_fail(diag, ERR_RANGE, "I7: %s: rotated is above scanned",
					 where);
	return ERR_OK;
}

/* A group's lists of one zone. */
static enum err check_lruvec(const struct machine *m, uint32_t id, uint32_t zone, struct diag *diag)
{
	const struct lruvec *lruvec = &machine_memcg(m, id)->lruvec[zone];
	bool listed = id != MEMCG_ROOT || machine_axis(m, AXIS_ROOT_LISTED) == ROOT_LISTED_YES;
	enum err err = check_stat(lruvec, machine_memcg(m, id)->path, diag);
	int lru;

	for (lru = 0; !err && lru < NR_LRU; lru++) {
		const struct inspected of = {
			&lruvec->list[lru], PLANE_GROUP, (enum lru)lru, id,
			listed ? lruvec->size[lru] : 0, zone };

		err = check_list(m, &of, diag);
		if (!err && lruvec->saved[lru] >= machine_knobs(m)->swap_cluster_max)
			err = diag_fail(diag, ERR_RANGE, "I6: %s: %s has a cluster saved",
					machine_memcg(m, id)->path, lru_name((enum lru)lru));
	}
	return err;
}

static enum err check_memcg(const struct machine *m, uint32_t id, struct diag *diag)
{
	const struct memcg *memcg = machine_memcg(m, id);
	enum err err = check_counter(m, id, diag) || check_swap(m, id, diag) ? ERR_RANGE : ERR_OK;
	pages_t sum = memcg->queued, in_zones;
	uint32_t zone;
	int lru;

	for (zone = 0; !err && zone < m->host->nr_zones; zone++)
		err = check_lruvec(m, id, zone, diag);
	for (lru = 0; lru < NR_LRU; lru++) {
		sum += memcg->size[lru];
		for (in_zones = zone = 0; zone < m->host->nr_zones; zone++)
			in_zones += memcg->lruvec[zone].size[lru];
		if (!err && in_zones != memcg->size[lru])
			err = diag_fail(diag, ERR_RANGE, "I2: %s: %s is not the sum over zones",
					memcg->path, lru_name((enum lru)lru));
	}
	if (!err && sum != memcg->charged)
		err = diag_fail(diag, ERR_RANGE,
				"I2: %s: %llu pages charged, %llu listed or "
				"queued",
				memcg->path, (unsigned long long)memcg->charged,
				(unsigned long long)sum);
	return err;
}

/* Pages of all groups on the lists of one kind, by their frames' zone. */
static pages_t listed_in(const struct machine *m, uint32_t zone, int lru)
{
	pages_t sum = 0;
	uint32_t id;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		sum += machine_memcg(m, id)->lruvec[zone].size[lru];
	return sum;
}

static enum err check_zone(const struct machine *m, uint32_t z, struct diag *diag)
{
	bool lists = machine_axis(m, AXIS_LRU) == LRU_DOUBLE;
	const struct zone *zone = &m->host->zone[z];
	enum err err = check_stat(&zone->lruvec, "zone", diag);
	int lru;

	if (!err && zone->free > zone->present)
		err = diag_fail(diag, ERR_RANGE, "zone: more pages are free than there are");
	for (lru = 0; !err && lru < NR_LRU; lru++) {
		const struct inspected of = {
			&zone->lruvec.list[lru], PLANE_ZONE, (enum lru)lru, MEMCG_NONE,
			zone->lruvec.size[lru], z };

		if (!m->per_node && zone->lruvec.size[lru] != listed_in(m, z, lru))
			err = diag_fail(diag, ERR_RANGE, "I3: zone: %s is miscounted",
					lru_name((enum lru)lru));
		else if (lists)
			err = check_list(m, &of, diag);
		if (!err && !lists && zone->lruvec.list[lru].nr)
			err = diag_fail(diag, ERR_RANGE, "I3: zone: %s has pages of its own",
					lru_name((enum lru)lru));
	}
	return err;
}

static enum err check_queue(const struct machine *m, const struct pagevec *vec, bool adds,
			    struct diag *diag)
{
	uint32_t i;

	if (vec->nr >= (uint32_t)machine_knobs(m)->pagevec_size)
		return diag_fail(diag, ERR_RANGE, "I4: a full queue waits");
	for (i = 0; adds && i < vec->nr; i++)
		if (vec->slot[i] != SLOT_NONE &&
		    page_pos(m->pages.slot[vec->slot[i]].word) != POS_QUEUED)
			return diag_fail(diag, ERR_RANGE, "I4: a queued page is elsewhere too");
	return ERR_OK;
}

static enum err check_queues(const struct machine *m, struct diag *diag)
{
	enum err err = ERR_OK;
	uint32_t cpu;
	int lru;

	for (cpu = 0; !err && cpu < m->sc.cpus; cpu++) {
		for (lru = 0; !err && lru < NR_LRU; lru++)
			err = check_queue(m, &m->cpu[cpu].add[lru], true, diag);
		if (!err)
			err = check_queue(m, &m->cpu[cpu].activate, false, diag);
		for (lru = 0; !err && lru < NR_MOVES; lru++)
			err = check_queue(m, &m->cpu[cpu].move[lru], false, diag);
	}
	return err;
}

/* Dirty pages are counted for groups, for files and for the machine: the same pages. */
static enum err check_dirty(const struct machine *m, struct diag *diag)
{
	pages_t groups = 0, files = 0, writeback = 0;
	uint32_t i;

	for (i = MEMCG_ROOT; i <= memcg_max(&m->memcgs); i++) {
		groups += machine_memcg(m, i)->dirty;
		writeback += machine_memcg(m, i)->writeback;
	}
	for (i = 1; i < m->block.region[REGION_MAPPING].used; i++)
		files += m->pages.mapping[i].nr_dirty;
	if (groups != m->host->dirty || files != m->host->dirty)
		return diag_fail(diag, ERR_RANGE,
				 "I11: %llu pages are dirty, %llu of groups, %llu of files",
				 (unsigned long long)m->host->dirty, (unsigned long long)groups,
				 (unsigned long long)files);
	if (writeback != m->host->writeback)
		return diag_fail(diag, ERR_RANGE,
				 "I11: %llu pages are under writeback, %llu of groups",
				 (unsigned long long)m->host->writeback,
				 (unsigned long long)writeback);
	return ERR_OK;
}

/* A page of a file is mapped exactly while some mapping has an entry for it. */
static enum err check_entries(const struct machine *m, uint32_t file, struct diag *diag)
{
	const struct mapping *map = &m->pages.mapping[file];
	pages_t i;

	for (i = 0; map->first_view && i < map->nr_pages; i++) {
		uint32_t word = m->pages.slot[page_find(&m->pages, map, i)].word, view;
		unsigned entries = 0;

		for (view = map->first_view; view; view = m->pages.mapping[view].next_view)
			entries |= m->pages.pte[m->pages.mapping[view].pte + i];
		if ((entries & PTE_PRESENT) != ((word & PG_MAPPED) ? PTE_PRESENT : 0) ||
		    ((word & PG_MAPPED) && !(word & PG_RESIDENT)))
			return diag_fail(diag, ERR_RANGE,
					 "%s: page %llu and the page tables "
					 "do not agree",
					 map->name, (unsigned long long)i);
	}
	return ERR_OK;
}

/* The pages of a folio are all there, and say of what order it is. */
static enum err check_folios(const struct machine *m, uint32_t leaf, struct diag *diag)
{
	uint32_t slot, first = leaf << LEAF_SHIFT;

	for (slot = first; m->pages.folios && slot < first + LEAF_SLOTS; slot++) {
		uint32_t head = page_head(&m->pages, slot);

		if (m->pages.order[head] != m->pages.order[slot] ||
		    (m->pages.order[slot] && !(m->pages.slot[slot].word & PG_RESIDENT)) ||
		    (slot != head && m->pages.slot[slot].stamp &&
		     (m->pages.slot[slot].word & PG_RESIDENT)))
			return diag_fail(diag, ERR_RANGE, "I3: a folio of order %u is not whole",
					 m->pages.order[slot]);
	}
	return ERR_OK;
}

/* What groups have of each kind is what the mappings of that kind have. */
static enum err check_kinds(const struct machine *m, struct diag *diag)
{
	pages_t memory = 0, shmem = 0;
	uint32_t i;

	for (i = MEMCG_ROOT; i <= memcg_max(&m->memcgs); i++) {
		memory += machine_memcg(m, i)->memory;
		shmem += machine_memcg(m, i)->shmem;
	}
	for (i = 1; i < m->block.region[REGION_MAPPING].used; i++) {
		const struct mapping *map = &m->pages.mapping[i];

		memory -= map->anon ? map->nr_resident : 0;
		shmem -= map->shmem ? map->nr_resident : 0;
	}
	if (memory || shmem)
		return diag_fail(diag, ERR_RANGE, "I2: pages of memory or of shmem are miscounted");
	return ERR_OK;
}

/* Only what lies in a locked piece is locked: by its entry, or where it has none, by its flag. */
static enum err check_locked(const struct machine *m, uint32_t id, struct diag *diag)
{
	const struct mapping *map = &m->pages.mapping[id];
	bool entries = map->file || map->forked.root;
	pages_t i;

	for (i = 0; map->task && !map->gone && !map->forked.store && i < map->nr_pages; i++) {
		bool locked = entries ? (m->pages.pte[map->pte + i] & PTE_LOCKED) != 0
				      : (m->pages.slot[page_find(&m->pages, map, i)].word &
					 PG_MLOCKED) != 0;

		if (locked && !vma_locked(m, map, i))
			return diag_fail(diag, ERR_RANGE, "%s: page %llu is locked by mistake",
					 map->name, (unsigned long long)i);
	}
	return ERR_OK;
}

/* Pieces of a mapping are two or more, in order, and neighbours are of different kinds. */
static enum err check_pieces(const struct machine *m, uint32_t id, struct diag *diag)
{
	const struct mapping *map = &m->pages.mapping[id];
	uint32_t i = map->first_vma;
	bool ok = !i || (!m->vma[i].first && m->vma[i].next);

	for (; ok && i && m->vma[i].next; i = m->vma[i].next) {
		const struct vma *next = &m->vma[m->vma[i].next];

		ok = next->first > m->vma[i].first && next->first < map->nr_pages &&
		     next->kind != m->vma[i].kind;
	}
	if (!ok)
		return diag_fail(diag, ERR_RANGE, "%s: its pieces are not in order", map->name);
	return ERR_OK;
}

/* What the tables of forked memory say: see anon_vma.c. */
static enum err check_forked(const struct machine *m, uint32_t id, struct diag *diag)
{
	const struct mapping *map = &m->pages.mapping[id];
	pages_t i, at;

	for (i = 0; map->forked.root && i < map->nr_pages; i++) {
		uint32_t own = page_find(&m->pages, map, i), slot, word = m->pages.slot[own].word;
		struct anon_vma_users users = { 0 };
		bool present;

		if (word & (PG_RESIDENT | PG_SWAPPED)) {
			users = anon_vma_users(m, own);
			if (!users.nr || !users.present != !(word & PG_MAPPED))
				return diag_fail(diag, ERR_RANGE,
						 "%s: page %llu is had by %u, mapped by %u",
						 map->name, (unsigned long long)i, users.nr,
						 users.present);
		}
		slot = map->forked.store ? SLOT_NONE : *anon_vma_entry(m, id, i);
		if (!slot)
			continue;
		word = m->pages.slot[slot].word;
		present = (m->pages.pte[map->pte + i] & PTE_PRESENT) != 0;
		if (m->pages.mapping[page_identity(&m->pages, slot, &at)].forked.root !=
			    map->forked.root ||
		    at != i || (present && !(word & PG_RESIDENT)) ||
		    (!present && !(word & (PG_SWAPPED | PG_SWAP_CACHE))))
			return diag_fail(diag, ERR_RANGE, "%s: the entry of page %llu is wrong",
					 map->name, (unsigned long long)i);
	}
	return ERR_OK;
}

/* Pages that a task has mapped of memory that was forked. */
static pages_t forked_rss(const struct machine *m, uint32_t task)
{
	uint32_t id, nr = m->block.region[REGION_MAPPING].used;
	pages_t rss = 0, i;

	for (id = 1; id < nr; id++) {
		const struct mapping *map = &m->pages.mapping[id];

		for (i = 0; map->forked.root && !map->forked.store && map->task == task &&
			    i < map->nr_pages;
		     i++)
			rss += (m->pages.pte[map->pte + i] & PTE_PRESENT) != 0;
	}
	return rss;
}

/* Memory of a task is in its rss exactly while it is mapped. */
static enum err check_rss(const struct machine *m, uint32_t task, struct diag *diag)
{
	uint32_t id, nr = m->block.region[REGION_MAPPING].used, leaf, place;
	pages_t rss = forked_rss(m, task);

	for (leaf = 1; leaf < m->block.region[REGION_LEAF].used; leaf++) {
		id = m->pages.leaf[leaf].mapping;
		if (id >= nr || !m->pages.mapping[id].anon || m->pages.mapping[id].task != task ||
		    m->pages.mapping[id].forked.root || !m->pages.leaf[leaf].nr_resident)
			continue;
		for (place = 0; place < LEAF_SLOTS; place++)
			rss += (m->pages.slot[(leaf << LEAF_SHIFT) + place].word &
				(PG_RESIDENT | PG_MAPPED)) == (PG_RESIDENT | PG_MAPPED);
	}
	if (rss != m->task[task].rss)
		return diag_fail(diag, ERR_RANGE, "task %s: rss %llu, mapped pages %llu",
				 m->task[task].name, (unsigned long long)m->task[task].rss,
				 (unsigned long long)rss);
	return ERR_OK;
}

enum err invariant_check(const struct machine *m, struct diag *diag)
{
	enum err err = check_queues(m, diag);
	pages_t charged = 0, taken = 0;
	uint32_t id, zone;

	for (id = MEMCG_ROOT; !err && id <= memcg_max(&m->memcgs); id++) {
		if (!memcg_exists(machine_memcg(m, id)))
			continue;
		charged += machine_memcg(m, id)->charged;
		err = check_memcg(m, id, diag);
	}
	for (id = 1; !err && id < m->block.region[REGION_MAPPING].used; id++)
		err = check_entries(m, id, diag) || check_pieces(m, id, diag) ||
				      check_locked(m, id, diag) || check_forked(m, id, diag)
			      ? ERR_RANGE
			      : ERR_OK;
	for (id = 1; !err && id < m->block.region[REGION_LEAF].used; id++)
		err = check_folios(m, id, diag);
	if (!err)
		err = check_kinds(m, diag);
	for (id = 1; !err && id < m->block.region[REGION_TASK].used; id++)
		if (m->task[id].alive)
			err = check_rss(m, id, diag);
	for (zone = 0; !err && zone < m->host->nr_zones; zone++) {
		err = check_zone(m, zone, diag);
		taken += m->host->zone[zone].present - m->host->zone[zone].free;
	}
	if (!err)
		err = check_dirty(m, diag);
	if (!err)
		err = invariant_charges(m, diag);
	if (!err && taken != m->host->resident)
		err = diag_fail(diag, ERR_RANGE, "%llu pages resident, %llu frames taken",
				(unsigned long long)m->host->resident, (unsigned long long)taken);
	if (!err && charged != m->host->resident)
		err = diag_fail(diag, ERR_RANGE, "I2: %llu pages resident, %llu charged",
				(unsigned long long)m->host->resident, (unsigned long long)charged);
	return err;
}
