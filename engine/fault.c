/*
 * Accesses: a hit, or charge, place and queue.  Invariant: a page is charged
 * before it is resident, and a failed charge leaves nothing behind.  Follows
 * v2.6.31 mm/filemap.c, mm/memory.c, mm/swap.c; v6.18 mm/filemap.c.
 *
 * MODEL: a page's read is complete before the next page is looked up (the
 * readahead window changes no list order).
 */
#include "fault.h"

#include <assert.h>

#include "charge.h"
#include "frame.h"
#include "policy.h"
#include "soft.h"
#include "swap.h"
#include "touch.h"
#include "workingset.h"
#include "writeback.h"


/* Makes a charged page resident and queues it.  Returns: whether there was room. */
static bool place(struct machine *m, uint32_t task, uint32_t mapping, pages_t index,
		  uint32_t flags)
{
	bool write = (flags & PG_DIRTY) != 0;
	uint32_t memcg = m->task[task].memcg;
	struct slot old = m->pages.slot[page_find(&m->pages, &m->pages.mapping[mapping], index)];
	uint32_t slot = page_insert(&m->pages, mapping, index,
				    (flags & ~(uint32_t)PG_DIRTY) | memcg);

	assert(!(old.word & PG_RESIDENT));
	if (slot == SLOT_NONE)
		return false;
	m->host->resident++;
	m->host->now += (ns_t)machine_knobs(m)->fault_ns;
	if (m->has_nodes && !(flags & PG_ANON))
		nodes_store(m, memcg, slot, (old.word & PG_SHADOW) != 0);
	swap_returned(m, slot, old, write);
	if ((old.word & PG_SHADOW) && (!write || (flags & PG_ANON)))
		m->pages.slot[slot].word |=
			workingset_refault(m, memcg, old, flags & PG_ANON ? SCAN_ANON : SCAN_FILE);
	pagevec_add(m, m->task[task].cpu, slot);
	soft_event(m, memcg, page_zone(flags), false);
	if (!(flags & PG_ANON))
		machine_emit_cache(m, mapping, index, true);
	if (!(flags & PG_ANON) && m->host->flush_after && --m->host->flush_after == 0)
		flush_all(m);
	return true;
}

/* Takes a frame, charges and queues a new page. */
static enum limit_result birth(struct machine *m, uint32_t task, uint32_t mapping, pages_t index,
			       uint32_t flags)
{
	enum limit_result result;
	uint32_t zone;

	assert(m->task[task].alive);
	m->by = m->task[task].memcg;
	if (!frame_take(m, m->task[task].cpu, &zone)) {
		machine_full(m, "the machine is out of memory: no page frame can be freed, and "
			     "choosing a victim for the whole machine is not in this version");
		return LIMIT_NOMEM;
	}
	result = limit_charge(m, task, (flags & PG_ANON) != 0);
	if (result == LIMIT_OK) {
		result = limit_charge_nodes(m, task, mapping, index);
		if (result == LIMIT_OK &&
		    !place(m, task, mapping, index, flags | zone << PG_ZONE_SHIFT)) {
			machine_full(m, "pages are too scattered: this version's limit of leaves");
			result = LIMIT_NOMEM;
		}
		if (result)
			charge_uncharge(m, m->task[task].memcg, 1);
	}
	if (result)
		zone_free(m, zone, 1);
	return result;
}

/* The page table over a page of a task's mapping is charged when first needed. */
static enum limit_result page_table(struct machine *m, uint32_t task, uint32_t mapping,
				    pages_t index)
{
	uint32_t *there = page_table_flag(&m->pages, &m->pages.mapping[mapping], index);
	struct mapping *map = &m->pages.mapping[mapping];
	enum limit_result result = LIMIT_OK;

	assert(map->task == task);
	if (*there || machine_axis(m, AXIS_KMEM) == KMEM_OFF)
		return LIMIT_OK;
	if (map->anon && !map->nr_tables)
		result = limit_charge_bytes(m, task, ANON_VMA_BYTES);
	if (result == LIMIT_OK)
		result = limit_charge_kmem(m, task);
	if (result == LIMIT_OK) {
		*there = m->task[task].memcg;
		m->task[task].tables++;
		map->nr_tables++;
	}
	return result;
}

enum limit_result fault_bring(struct machine *m, uint32_t task, uint32_t file, pages_t index)
{
	enum limit_result result = birth(m, task, file, index, 0);

	if (result == LIMIT_OK)
		m->host->now += (ns_t)machine_knobs(m)->io_ns;
	return result;
}

enum limit_result fault_read(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			     bool touch)
{
	const struct mapping *map = &m->pages.mapping[file];
	uint32_t slot = page_find(&m->pages, map, index);
	enum limit_result result;

	assert(index < map->nr_pages);
	m->host->totals.nr_accesses++;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
	} else {
		result = fault_bring(m, task, file, index);
		if (result)
			return result;
		slot = page_find(&m->pages, map, index);
	}
	if (touch)
		touch_page(m, m->task[task].cpu, slot);
	return LIMIT_OK;
}

enum limit_result fault_write(struct machine *m, uint32_t task, uint32_t file, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[file];
	uint32_t slot = page_find(&m->pages, map, index);
	enum limit_result result;

	assert(index < map->nr_pages && !map->anon);
	m->host->totals.nr_accesses++;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
	} else {
		/* Written whole: nothing is read, and no shadow is asked. */
		result = birth(m, task, file, index, PG_DIRTY);
		if (result)
			return result;
		slot = page_find(&m->pages, map, index);
	}
	if (machine_axis(m, AXIS_TOUCH_WRITE) == TOUCH_WRITE_ON)
		touch_page(m, m->task[task].cpu, slot);
	writeback_dirty(m, slot);
	return LIMIT_OK;
}

pages_t fault_read_run(struct machine *m, uint32_t task_id, uint32_t file, pages_t index,
		       pages_t nr)
{
	const struct mapping *map = &m->pages.mapping[file];
	const struct task *task = &m->task[task_id];
	uint32_t slot = page_find(&m->pages, map, index);
	pages_t frames = frames_at_once(m);
	bool watched = m->host->soft_used || m->host->flush_after != 0 || machine_wants(m, EVENT_CACHE);

	assert(nr > 0 && index + nr <= map->nr_pages);
	/* What is told or timed page by page goes the long way; so does what makes tree nodes. */
	if (watched || (m->pages.slot[slot].word & PG_SHADOW))
		return 0;
	if (m->has_nodes && nodes_room(m, file, index) < nr)
		nr = nodes_room(m, file, index);
	if (!nr || (m->pages.slot[slot].word & PG_RESIDENT) || !frames)
		return 0;
	nr = page_missing(&m->pages, map, index, nr < frames ? nr : frames);
	nr = charge_run(m, task->cpu, task->memcg, nr);
	if (!nr)
		return 0;
	/* A page's first use by read(2) marks it referenced, wherever it is by then. */
	slot = page_insert_run(&m->pages, file, index, (uint32_t)nr,
			       PG_REFERENCED | task->memcg |
			       (m->host->nr_zones - 1) << PG_ZONE_SHIFT);
	if (slot == SLOT_NONE) {
		charge_uncharge(m, task->memcg, nr);
		return 0;
	}
	m->host->resident += nr;
	m->host->zone[m->host->nr_zones - 1].free -= nr;
	if (m->has_nodes)
		nodes_store_run(m, slot, (uint32_t)nr);
	m->host->totals.nr_accesses += nr;
	m->host->now += nr * (ns_t)(machine_knobs(m)->fault_ns + machine_knobs(m)->io_ns);
	pagevec_add_run(m, task->cpu, slot, (uint32_t)nr);
	return nr;
}

enum limit_result fault_anon(struct machine *m, uint32_t task, uint32_t mapping, pages_t index,
			     bool write)
{
	uint32_t slot = page_find(&m->pages, &m->pages.mapping[mapping], index);
	uint32_t *word = &m->pages.slot[slot].word, flags = PG_ANON | PG_MAPPED | PG_YOUNG;
	enum limit_result result;

	m->host->totals.nr_accesses++;
	if (*word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
		if (write && (*word & PG_SWAP_CACHE))
			swap_forget(m, slot);
		*word |= PG_YOUNG;
		return LIMIT_OK;
	}
	/* Swapped pages come back inactive in every era. */
	if (machine_axis(m, AXIS_NEW_ANON) == NEW_ANON_ACTIVE && !(*word & PG_SWAPPED))
		flags |= PG_ACTIVE;
	if (write)
		flags |= PG_DIRTY;
	result = page_table(m, task, mapping, index);
	if (result)
		return result;
	result = birth(m, task, mapping, index, flags);
	if (result == LIMIT_OK)
		m->task[task].rss++;
	return result;
}

enum limit_result fault_mapped(struct machine *m, uint32_t task, uint32_t view, pages_t index,
			       bool write)
{
	const struct mapping *map = &m->pages.mapping[view];
	uint32_t file = map->file;
	uint32_t slot = page_find(&m->pages, &m->pages.mapping[file], index);
	enum limit_result result = page_table(m, task, view, index);

	(void)write;
	if (result)
		return result;
	m->host->totals.nr_accesses++;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
	} else {
		result = birth(m, task, file, index, 0);
		if (result)
			return result;
		m->host->now += (ns_t)machine_knobs(m)->io_ns;
		slot = page_find(&m->pages, &m->pages.mapping[file], index);
	}
	if (!(m->pages.slot[slot].word & PG_MAPPED))
		machine_memcg(m, m->pages.slot[slot].word & PG_MEMCG)->mapped++;
	m->pages.slot[slot].word |= PG_MAPPED | PG_YOUNG;
	if (map->no_recency)
		m->pages.slot[slot].word |= PG_NO_RECENCY;
	else
		m->pages.slot[slot].word &= ~(uint32_t)PG_NO_RECENCY;
	return LIMIT_OK;
}
