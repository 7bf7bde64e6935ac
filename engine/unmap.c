/*
 * Freeing pages one by one.  Follows mm/memory.c unmap_vmas(), mm/truncate.c
 * and kernel/exit.c of v2.6.31.  MODEL: a killed task ends at once.
 */
#include "unmap.h"

#include <assert.h>

#include "counter_lock.h"
#include "gone.h"
#include "policy.h"
#include "rmap.h"
#include "soft.h"
#include "split.h"
#include "swap.h"
#include "vma.h"
#include "writeback.h"

void unmap_page(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word, nr = page_nr(&m->pages, slot), i;
	uint32_t zone = machine_zone(m, slot);
	bool memory;

	if (page_pos(word) == POS_QUEUED || (word & PG_HELD))
		pagevec_forget(m, slot);
	if (page_pos(word) == POS_LISTED)
		machine_unlist(m, slot);
	if (page_in_swap_cache(word))
		swap_forget(m, slot);
	charge_free_buffers(m, cpu, slot);
	writeback_clean(m, slot);
	memory = rmap_of_memory(m, slot);
	rmap_tally(m, slot, -1);
	rmap_unmap(m, slot);
	if (!memory)
		machine_emit_cache(m, slot, false);
	for (i = 0; i < nr; i++) {
		if (m->has_nodes && !memory)
			nodes_delete(m, cpu, slot + i, false);
		page_remove(&m->pages, slot + i);
	}
	m->host->resident -= nr;
	zone_free(m, zone, nr);
	charge_uncharge_folio(m, word & PG_MEMCG, nr, false);
	soft_event(m, word & PG_MEMCG, zone, true);
}

static void free_shadow(struct machine *m, uint32_t cpu, uint32_t slot)
{
	nodes_delete(m, cpu, slot, true);
	page_forget(&m->pages, slot);
}

/* A cached folio that an invalidation comes to.  Returns: pages freed. */
static pages_t invalidate(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word, nr = page_nr(&m->pages, slot), i;
	bool held = (word & (PG_DIRTY | PG_WRITEBACK | PG_HELD)) != 0;

	for (i = 0; i < nr; i++)
		held |= (m->pages.slot[slot + i].word & PG_MAPPED) != 0;
	if (!held) {
		unmap_page(m, cpu, slot);
		return nr;
	}
	if (machine_axis(m, AXIS_HINT) == HINT_ON)
		pagevec_move(m, cpu, slot, MOVE_INVALIDATED);
	return 0;
}

pages_t unmap_invalidate(struct machine *m, uint32_t cpu, uint32_t file, pages_t first, pages_t end)
{
	const struct mapping *map = &m->pages.mapping[file];
	pages_t index, freed = 0;
	uint32_t slot, nr, other;

	if (map->shmem)
		return 0;
	if (!writeback_congested(m))
		writeback_range(m, file, first, end, WRITES_MAX);
	/* Its own queue first; if pages wait in others, all are emptied. */
	for (other = 0; other < m->sc.cpus; other++)
		pagevec_drain(m, (cpu + other) % m->sc.cpus);
	for (index = first; index < end && index < map->nr_pages; index += nr) {
		slot = page_find(&m->pages, map, index);
		nr = page_nr(&m->pages, page_head(&m->pages, slot));
		if (slot != page_head(&m->pages, slot) || index + nr > end) {
			nr = 1;
			continue;
		}
		if (m->pages.slot[slot].word & PG_RESIDENT)
			freed += invalidate(m, cpu, slot);
		else if ((m->pages.slot[slot].word & (PG_SHADOW | PG_SWAPPED)) == PG_SHADOW)
			free_shadow(m, cpu, slot);
	}
	return freed;
}

pages_t unmap_entry(struct machine *m, uint32_t cpu, uint32_t mapping, pages_t index)
{
	uint32_t slot, others = anon_vma_drop(m, mapping, index, &slot), word;

	if (!slot)
		return 0;
	word = m->pages.slot[slot].word;
	if (others) {
		if (word & PG_RESIDENT)
			rmap_unlock(m, slot);
		return 0;
	}
	if (word & PG_RESIDENT)
		unmap_page(m, cpu, slot);
	else
		swap_forget(m, slot);
	return word & PG_RESIDENT ? 1 : 0;
}

pages_t unmap_span(struct machine *m, uint32_t cpu, uint32_t mapping, pages_t first, pages_t end)
{
	const struct mapping *map = &m->pages.mapping[mapping];
	pages_t index, freed = 0;

	if (map->file) {
		rmap_drop(m, cpu, mapping, first, end);
		return 0;
	}
	for (index = first; index < end; index++) {
		uint32_t slot = page_find(&m->pages, map, index);

		if (map->forked.root) {
			freed += unmap_entry(m, cpu, mapping, index);
		} else if (m->pages.slot[slot].word & PG_RESIDENT) {
			unmap_page(m, cpu, slot);
			freed++;
		} else if (m->pages.slot[slot].word & PG_SWAPPED) {
			swap_forget(m, slot);
		}
	}
	return freed;
}

/* A swapped page of shmem has kept its place in the tree. */
static void forget_swapped(struct machine *m, uint32_t cpu, uint32_t slot)
{
	if (m->has_nodes && !rmap_of_memory(m, slot))
		nodes_delete(m, cpu, slot, false);
	swap_forget(m, slot);
}

uint32_t unmap_chains(const struct machine *m, const struct mapping *map)
{
	return vma_count(m, map) * (map->forked.depth + 1) - 1;
}

/* Page tables of a mapping are given back, then the records of its pages. */
static void drop_tables(struct machine *m, uint32_t cpu, struct mapping *map)
{
	uint32_t i, nr = (uint32_t)(map->nr_pages >> TABLE_SHIFT) + 1;

	for (i = 0; i < nr && map->nr_tables; i++) {
		uint32_t *memcg = &m->pages.dir[map->tables + i];

		if (!*memcg)
			continue;
		charge_free_page(m, cpu, *memcg, KMEM_PAGETABLES);
		*memcg = MEMCG_NONE;
		map->nr_tables--;
		m->task[map->task].tables--;
	}
	if (!map->records)
		return;
	charge_free_object(m, cpu, map->records, KMEM_ANON_VMA, ANON_VMA_BYTES);
	charge_give_chains(m, cpu, map->records, unmap_chains(m, map));
	map->records = MEMCG_NONE;
}

/* Pages of one kind of window that are freed one after the other; see counter_lock.h. */
struct zap {
	enum window_kind kind;
	int64_t left;		/* [1/4096 pages] until the window is cut */
};

enum { ZAP_PRESENT = 4096, ZAP_ABSENT = 1 };

static void zap_open(struct machine *m, struct zap *zap, uint32_t task)
{
	zap->kind = task ? WINDOW_UNMAP : WINDOW_TRUNCATE;
	zap->left = task ? m->task[task].zap_left : 0;
	if (zap->left <= 0)
		zap->left = (int64_t)counter_window_pages(m, zap->kind, true) * ZAP_PRESENT;
	counter_window_open(m, zap->kind);
}

/* A place was passed.  Returns: whether the step is to end here, as it has many locks to take. */
static bool zap_pass(struct machine *m, struct zap *zap, bool present)
{
	if (!machine_has_locks(m))
		return false;
	zap->left -= present ? ZAP_PRESENT : ZAP_ABSENT;
	if (zap->left > 0)
		return !counter_window_is(m, zap->kind) && locks_crowded(&m->locks, m->on_cpu);
	counter_window_cut(m);
	zap->left = (int64_t)counter_window_pages(m, zap->kind, false) * ZAP_PRESENT;
	return locks_crowded(&m->locks, m->on_cpu);
}

/* What a slot holds goes.  Returns: whether it was a page. */
static bool zap_slot(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word;

	if (word & PG_RESIDENT) {
		m->host->now += (ns_t)machine_knobs(m)->unmap_ns;
		unmap_page(m, cpu, slot);
	} else if (word & PG_SWAPPED) {
		forget_swapped(m, cpu, slot);
	} else if (word & PG_SHADOW) {
		free_shadow(m, cpu, slot);
	}
	return (word & PG_RESIDENT) != 0;
}

/* All pages of a mapping that has its own.  Returns: whether some are left for another step. */
static bool zap_mapping(struct machine *m, uint32_t cpu, struct mapping *map, bool may_stop)
{
	bool stop = false;
	struct zap zap;
	uint32_t i;

	zap_open(m, &zap, map->task);
	for (i = 0; i < map->nr_leaves && map->nr_resident + map->nr_shadow && !stop; i++) {
		uint32_t leaf = m->pages.dir[map->dir + i], place;
		pages_t left = map->nr_pages - (pages_t)i * LEAF_SLOTS;

		/* The leaf goes away with its last page, and its slots read as empty then. */
		for (place = 0; leaf && place < LEAF_SLOTS && place < left && !stop; place++)
			stop = zap_pass(m, &zap, zap_slot(m, cpu, (leaf << LEAF_SHIFT) + place)) &&
			       may_stop;
	}
	counter_window_close(m, zap.kind);
	if (map->task)
		m->task[map->task].zap_left = zap.left;
	return map->nr_resident + map->nr_shadow > 0;
}

/* The folio of page @index, which a hole cuts, is split where the hole begins and where it ends.
 * Returns: whether the page is a folio within the hole now. */
static bool cut(struct machine *m, uint32_t cpu, uint32_t slot, pages_t index, pages_t end)
{
	uint32_t head = page_head(&m->pages, slot), behind;
	uint32_t left = head + page_nr(&m->pages, head) - slot;

	writeback_wait_page(m, head);
	if (!split_folio(m, cpu, slot, SPLIT_HALVES)) {
		rmap_unmap(m, head);
		return false;
	}
	behind = slot + (uint32_t)(end - index);
	if (end - index < left && page_nr(&m->pages, page_head(&m->pages, behind)) > 1)
		split_folio(m, cpu, behind, SPLIT_HALVES);
	return true;
}

bool unmap_hole(struct machine *m, uint32_t cpu, uint32_t file, pages_t first, pages_t end)
{
	struct mapping *map = &m->pages.mapping[file];
	bool stop = false;
	struct zap zap;
	uint32_t view;
	pages_t index;

	assert(!map->task && end <= map->nr_pages);
	for (view = map->first_view; view; view = m->pages.mapping[view].next_view)
		rmap_drop(m, cpu, view, first, end);
	zap_open(m, &zap, 0);
	for (index = first; index < end && !stop;) {
		uint32_t slot = page_find(&m->pages, map, index), head, nr, before;

		head = page_head(&m->pages, slot);
		nr = page_nr(&m->pages, head);
		before = slot - head;
		if (nr == 1 || (before <= index - first && nr - before <= end - index))
			stop = zap_pass(m, &zap, zap_slot(m, cpu, head));
		else if (cut(m, cpu, slot, index, end))
			continue;
		index += nr - before;
	}
	counter_window_close(m, zap.kind);
	return index < end;
}

/* A mapping of a file is passed: its pages use up the block, and uncharge nothing. */
static void zap_view(struct machine *m, const struct mapping *map)
{
	int64_t block = (int64_t)counter_window_pages(m, WINDOW_UNMAP, false) * ZAP_PRESENT;
	int64_t *left = &m->task[map->task].zap_left;
	pages_t index, present = 0;

	if (!machine_has_locks(m))
		return;
	for (index = 0; index < map->nr_pages; index++)
		present += (m->pages.pte[map->pte + index] & PTE_PRESENT) != 0;
	*left -= (int64_t)(present * ZAP_PRESENT + (map->nr_pages - present) * ZAP_ABSENT);
	if (*left <= 0)
		*left = block - -*left % block;
}

/* Forked memory, entry by entry.  Returns: whether some are left for another step. */
static bool zap_entries(struct machine *m, uint32_t cpu, uint32_t mapping, bool may_stop)
{
	const struct mapping *map = &m->pages.mapping[mapping];
	bool stop = false;
	struct zap zap;
	pages_t index;

	zap_open(m, &zap, map->task);
	for (index = 0; index < map->nr_pages && !stop; index++) {
		bool present = (*rmap_entry(m, mapping, index) & PTE_PRESENT) != 0;

		if (!*anon_vma_entry(m, mapping, index))
			continue;
		m->host->now +=
			unmap_entry(m, cpu, mapping, index) * (ns_t)machine_knobs(m)->unmap_ns;
		stop = zap_pass(m, &zap, present) && may_stop;
	}
	counter_window_close(m, zap.kind);
	m->task[map->task].zap_left = zap.left;
	for (; index < map->nr_pages; index++)
		if (*anon_vma_entry(m, mapping, index))
			return true;
	return false;
}

bool unmap_drop(struct machine *m, uint32_t cpu, uint32_t mapping, bool may_stop)
{
	struct mapping *map = &m->pages.mapping[mapping];
	bool more = false;

	pagevec_drain(m, cpu);
	if (map->file) {
		zap_view(m, map);
		rmap_drop(m, cpu, mapping, 0, map->nr_pages);
	} else if (map->forked.root) {
		return zap_entries(m, cpu, mapping, may_stop);
	} else {
		more = zap_mapping(m, cpu, map, may_stop);
	}
	assert(more || map->nr_resident == 0);
	if (!more && !map->file)
		page_lost_none(&m->pages, mapping);
	return more;
}

/* Its mappings in the order in which they were made.  Returns: whether some are left. */
static bool exit_mappings(struct machine *m, struct task *task, bool may_stop)
{
	uint32_t nr = m->block.region[REGION_MAPPING].used, id = (uint32_t)(task - m->task), i;

	for (i = task->first_map; i && i < nr; i++) {
		if (m->pages.mapping[i].task != id || m->pages.mapping[i].forked.store)
			continue;
		if (unmap_drop(m, task->cpu, i, may_stop))
			return true;
		drop_tables(m, task->cpu, &m->pages.mapping[i]);
		if (m->pages.mapping[i].file)
			page_view_end(&m->pages, i);
		if (m->pages.mapping[i].forked.root)
			anon_vma_leave(m, i);
		task->first_map = i + 1;
	}
	return false;
}

pages_t unmap_all(struct machine *m, uint32_t task_id, bool *more)
{
	struct task *task = &m->task[task_id];
	pages_t before = m->host->resident;
	bool gathered = machine_axis(m, AXIS_UNCHARGE) >= UNCHARGE_FREE;

	pagevec_drain(m, task->cpu);
	/* What is freed at last is gathered over all mappings. */
	if (gathered)
		counter_window_open(m, WINDOW_UNMAP);
	*more = exit_mappings(m, task, *more);
	if (gathered)
		counter_window_close(m, WINDOW_UNMAP);
	if (!*more)
		task->total_vm = 0;
	return before - m->host->resident;
}

pages_t unmap_exit(struct machine *m, uint32_t task_id, bool *more)
{
	struct task *task = &m->task[task_id];
	pages_t freed = unmap_all(m, task_id, more);

	if (!*more) {
		charge_free_stacks(m, task_id);
		task->alive = false;
		machine_memcg(m, task->memcg)->nr_tasks--;
	}
	return freed;
}
