/*
 * Page tables seen from the page.  A mapping of a file has a byte for each
 * page: entry, accessed bit, locked; so has memory that was forked.  Other
 * memory has one mapper, so its entry and accessed bit are flags of the page.  Invariant: a page
 * of a file is PG_MAPPED exactly while some mapping has an entry for it.
 * Follows mm/rmap.c and mm/memory.c of v2.6.31, v3.3 and v6.18.
 *
 * MODEL: no translation caches: a cleared accessed bit is set by the next use.
 */
#include "rmap.h"

#include <assert.h>

#include "account.h"
#include "policy.h"
#include "stat_batch.h"
#include "touch.h"
#include "vma.h"

void rmap_map(struct machine *m, uint32_t view, pages_t index, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	bool locked = vma_locked(m, &m->pages.mapping[view], index);

	assert(*word & PG_RESIDENT);
	*rmap_entry(m, view, index) |=
		(uint8_t)(PTE_PRESENT | PTE_YOUNG | (locked ? PTE_LOCKED : 0));
	if (*word & PG_MAPPED)
		return;
	*word |= PG_MAPPED;
	machine_memcg(m, *word & PG_MEMCG)->mapped++;
	stat_batch_add(m, *word & PG_MEMCG, BATCH_MAPPED, 1);
	account_page(m, slot, ACCOUNT_MAPPED);
}

bool rmap_counts(const struct machine *m, const struct mapping *map, pages_t index)
{
	uint32_t advice = vma_advice(m, map, index);

	if (advice == MAP_SEQUENTIAL)
		return false;
	if (machine_axis(m, AXIS_RECENCY) == RECENCY_SEQ)
		return true;
	return advice != MAP_RANDOM && !(map->open && m->open[map->open - 1].noreuse);
}

/* Whether reclaim asks the page tables of a task about a page of group @owner. */
static bool asks(const struct machine *m, const struct reclaim *rc, uint32_t owner, uint32_t task)
{
	uint32_t memcg = m->task[task].memcg;

	switch (machine_axis(m, AXIS_REFERENCES)) {
	case REFERENCES_OWNER:
		return memcg == owner;
	case REFERENCES_TARGET:
		return rc->global || memcg_in_subtree(&m->memcgs, memcg, rc->target);
	default:
		return rc->global || memcg == owner;
	}
}

static struct rmap_uses uses_of_memory(struct machine *m, const struct reclaim *rc, uint32_t slot,
				       const struct mapping *map, pages_t index)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct rmap_uses uses = { 0 };

	if (!(*word & PG_MAPPED) || !(*word & PG_YOUNG) || !rmap_counts(m, map, index) ||
	    !asks(m, rc, *word & PG_MEMCG, map->task))
		return uses;
	*word &= ~(uint32_t)PG_YOUNG;
	uses.nr = 1;
	return uses;
}

/* Entries of one piece of a mapping, pages [@index, @end): locked, and used since the last look, if
 * that is @counted. */
static struct rmap_uses uses_of_piece(struct machine *m, uint32_t view, pages_t index, pages_t end,
				      bool counted)
{
	struct rmap_uses uses = { 0 };

	for (; index < end; index++) {
		uint8_t *entry = rmap_entry(m, view, index);

		uses.locked |= (*entry & PTE_LOCKED) != 0;
		if (!counted || !(*entry & PTE_YOUNG))
			continue;
		*entry &= (uint8_t)~PTE_YOUNG;
		uses.nr = 1;
	}
	uses.exec = uses.nr && m->pages.mapping[view].exec;
	return uses;
}

/* What a mapping says of the folio at @slot, piece by piece. */
static void ask_view(struct machine *m, const struct reclaim *rc, uint32_t view, uint32_t slot,
		     struct rmap_uses *uses)
{
	const struct mapping *of = &m->pages.mapping[view];
	bool asked = asks(m, rc, m->pages.slot[slot].word & PG_MEMCG, of->task);
	pages_t index, last, first, end;

	page_identity(&m->pages, slot, &index);
	last = index + page_nr(&m->pages, slot);
	for (; index < last; index = end) {
		bool counted = asked && rmap_counts(m, of, index);
		struct rmap_uses piece;

		vma_limits(m, of, index, &first, &end);
		end = end < last ? end : last;
		piece = uses_of_piece(m, view, index, end, counted);
		uses->nr += piece.nr;
		uses->exec |= piece.exec;
		uses->locked |= piece.locked;
	}
}

struct rmap_uses rmap_uses(struct machine *m, const struct reclaim *rc, uint32_t slot)
{
	pages_t index;
	const struct mapping *map = &m->pages.mapping[page_identity(&m->pages, slot, &index)];
	struct rmap_uses uses = { 0 };
	uint32_t view;

	/* Of memory that was forked, all who have the page are asked. */
	for (view = map->forked.root; view; view = m->pages.mapping[view].forked.next)
		if (*anon_vma_entry(m, view, index) == slot)
			ask_view(m, rc, view, slot, &uses);
	if (map->anon && !map->forked.root)
		return uses_of_memory(m, rc, slot, map, index);
	for (view = map->first_view; view; view = m->pages.mapping[view].next_view)
		ask_view(m, rc, view, slot, &uses);
	return uses;
}

/* A page of a file loses its last entry. */
static void lose(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	assert(*word & PG_MAPPED);
	account_page(m, slot, ACCOUNT_MAPPED);
	machine_memcg(m, *word & PG_MEMCG)->mapped--;
	stat_batch_add(m, *word & PG_MEMCG, BATCH_MAPPED, -1);
	*word &= ~(uint32_t)PG_MAPPED;
}

void rmap_tally(struct machine *m, uint32_t slot, int change)
{
	const struct mapping *map = &m->pages.mapping[m->pages.leaf[slot >> LEAF_SHIFT].mapping];
	uint32_t word = m->pages.slot[slot].word, memcg = word & PG_MEMCG;
	struct memcg *owner = machine_memcg(m, memcg);
	pages_t nr = page_nr(&m->pages, slot);

	owner->memory += map->anon ? (pages_t)change * nr : 0;
	owner->shmem += map->shmem ? (pages_t)change * nr : 0;
	if (page_in_swap_cache(word))
		owner->swapcached += (pages_t)change * nr;
	stat_batch_add(m, memcg, map->anon ? BATCH_RSS : BATCH_CACHE, change * (int64_t)nr);
	if (map->shmem)
		stat_batch_add(m, memcg, BATCH_SHMEM, change * (int64_t)nr);
}

void rmap_unmap(struct machine *m, uint32_t slot)
{
	pages_t index;
	const struct mapping *map = &m->pages.mapping[page_identity(&m->pages, slot, &index)];
	uint32_t nr = page_nr(&m->pages, slot), view, i;

	if (map->forked.root) {
		anon_vma_unmap(m, slot, false);
		return;
	}
	if (map->anon) {
		m->task[map->task].rss -= (m->pages.slot[slot].word & PG_MAPPED) != 0;
		m->pages.slot[slot].word &= ~(uint32_t)(PG_MAPPED | PG_YOUNG);
		return;
	}
	for (view = map->first_view; view; view = m->pages.mapping[view].next_view)
		for (i = 0; i < nr; i++)
			*rmap_entry(m, view, index + i) = 0;
	for (i = 0; i < nr; i++)
		if (m->pages.slot[slot + i].word & PG_MAPPED)
			lose(m, slot + i);
}

static bool is_locked(const struct machine *m, uint32_t slot)
{
	pages_t index;
	const struct mapping *map = &m->pages.mapping[page_identity(&m->pages, slot, &index)];
	uint32_t view, i;

	if (map->forked.root)
		return anon_vma_locked(m, slot);
	for (view = map->first_view; view; view = m->pages.mapping[view].next_view)
		for (i = 0; i < page_nr(&m->pages, slot); i++)
			if (*rmap_entry(m, view, index + i) & PTE_LOCKED)
				return true;
	return false;
}

bool rmap_alone(const struct machine *m, uint32_t id, pages_t index, uint32_t slot)
{
	const struct mapping *map = &m->pages.mapping[id];
	uint32_t view;

	if (!map->file)
		return anon_vma_mapped(m, id, index, slot) && anon_vma_users(m, slot).present == 1;
	for (view = m->pages.mapping[map->file].first_view; view;
	     view = m->pages.mapping[view].next_view)
		if ((view == id) != ((*rmap_entry(m, view, index) & PTE_PRESENT) != 0))
			return false;
	return true;
}

void rmap_unlock(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	if (!(*word & PG_MLOCKED) || is_locked(m, slot))
		return;
	*word &= ~(uint32_t)PG_MLOCKED;
	if (page_pos(*word) != POS_LISTED || !(*word & PG_UNEVICTABLE))
		return;
	machine_unlist(m, slot);
	*word &= ~(uint32_t)PG_UNEVICTABLE;
	machine_list(m, slot);
}

static bool mapped_elsewhere(const struct machine *m, uint32_t file, pages_t index)
{
	uint32_t view;

	for (view = m->pages.mapping[file].first_view; view;
	     view = m->pages.mapping[view].next_view)
		if (*rmap_entry(m, view, index) & PTE_PRESENT)
			return true;
	return false;
}

void rmap_drop(struct machine *m, uint32_t cpu, uint32_t view, pages_t first, pages_t end)
{
	const struct mapping *of = &m->pages.mapping[view];
	uint32_t touched = SLOT_NONE;
	pages_t index;

	assert(of->file && end <= of->nr_pages);
	for (index = first; index < end; index++) {
		uint8_t *entry = rmap_entry(m, view, index), was = *entry;
		uint32_t slot, head;

		if (!(was & PTE_PRESENT))
			continue;
		*entry = 0;
		slot = page_find(&m->pages, &m->pages.mapping[of->file], index);
		head = page_head(&m->pages, slot);
		if (!mapped_elsewhere(m, of->file, index))
			lose(m, slot);
		if (was & PTE_LOCKED)
			rmap_unlock(m, head);
		/* The entries of a folio are torn down together: it is used once. */
		if ((was & PTE_YOUNG) && head != touched && rmap_counts(m, of, index)) {
			touch_page(m, cpu, head);
			touched = head;
		}
	}
}
