/*
 * Swap slots, on a device that writes at once, such as compressed memory, or
 * on one that takes its time (knob swap_ns).  There a page stays in memory
 * while it is written, and comes back with its neighbours.  Follows
 * mm/swap_state.c, mm/memory.c do_swap_page() of v2.6.31 and v6.18.
 *
 * MODEL: from a device that writes at once a page comes back alone; a moving
 * task takes its swap slots along; a slot is never freed before it must be;
 * those of a file of tmpfs are on the account of the group that had its first page,
 * those of memory that was forked on that of the task that brought the page in.
 */
#include "swap.h"

#include <assert.h>

#include "anon_vma.h"
#include "gone.h"
#include "policy.h"
#include "stat_batch.h"
#include "vma.h"
#include "workingset.h"
#include "writeback.h"

enum { SWAP_FIRST_HITS = 4, SWAP_HITS_MAX = 63 };

pages_t swap_free(const struct machine *m)
{
	return machine_swap_room(m, MEMCG_NONE);
}

bool swap_may(const struct machine *m, uint32_t memcg)
{
	return !m->noswap && machine_swap_room(m, memcg) > 0;
}

/* Slots of memory whose task has ended, or of shmem, are on an account of their own. */
static bool has_account(const struct mapping *map)
{
	return map->shmem || map->swap_memcg;
}

/* Whose account a mapping's slots are on: its task's group; of shmem, who had its first page. */
static uint32_t group_of(const struct machine *m, uint32_t mapping)
{
	const struct mapping *map = &m->pages.mapping[mapping];

	return has_account(map) ? map->swap_memcg : m->task[map->task].memcg;
}

uint32_t swap_owner(const struct machine *m, uint32_t slot)
{
	return group_of(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping);
}

bool swap_has_slot(const struct machine *m, uint32_t slot)
{
	uint32_t mapping = m->pages.leaf[slot >> LEAF_SHIFT].mapping;

	return (m->pages.slot[slot].word & PG_SWAP_CACHE) ||
	       machine_swap_room(m, group_of(m, mapping)) > 0;
}

/* Slots and pages in swap alone, at every level that counts @memcg. */
static void count_levels(struct machine *m, uint32_t memcg, pages_t slots, pages_t swapped)
{
	for (; memcg; memcg = machine_memcg(m, memcg)->counter_parent) {
		machine_memcg(m, memcg)->memsw.slots += slots;
		machine_memcg(m, memcg)->memsw.swapped += swapped;
	}
}

/* A slot is taken or freed, on the account of the group of the mapping's task. */
static void slot_count(struct machine *m, uint32_t mapping, int change)
{
	uint32_t memcg = group_of(m, mapping);

	m->host->swap_used += (pages_t)change;
	machine_memcg(m, memcg)->swap += (pages_t)change;
	stat_batch_add(m, memcg, BATCH_SWAP, change);
	if (has_account(&m->pages.mapping[mapping]))
		m->pages.mapping[mapping].nr_slots += (pages_t)change;
	else
		m->task[m->pages.mapping[mapping].task].swap += (pages_t)change;
	count_levels(m, memcg, (pages_t)change, 0);
}

/* Pages of a task that are in swap and not in memory. */
static pages_t swapped_of(const struct machine *m, uint32_t task)
{
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;
	pages_t sum = 0;

	for (i = m->task[task].first_map; i && i < nr; i++)
		if (m->pages.mapping[i].task == task && m->pages.mapping[i].anon &&
		    !m->pages.mapping[i].swap_memcg)
			sum += m->pages.mapping[i].nr_shadow;
	return sum;
}

void swap_move(struct machine *m, uint32_t task, uint32_t memcg)
{
	pages_t slots = m->task[task].swap, swapped = swapped_of(m, task);

	machine_memcg(m, m->task[task].memcg)->swap -= slots;
	machine_memcg(m, memcg)->swap += slots;
	stat_batch_add(m, m->task[task].memcg, BATCH_SWAP, -(int64_t)slots);
	stat_batch_add(m, memcg, BATCH_SWAP, (int64_t)slots);
	count_levels(m, m->task[task].memcg, -slots, -swapped);
	count_levels(m, memcg, slots, swapped);
}

bool swap_waits(const struct machine *m)
{
	return machine_knobs(m)->swap_ns > 0;
}

bool swap_needs_write(const struct machine *m, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word;

	return !(word & PG_SWAP_CACHE) || (word & PG_DIRTY);
}

/* A page's copy in swap is kept while the page is there: NR_SWAPCACHE since v5.12. */
static void cache(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	assert((*word & PG_ANON) && !(*word & PG_SWAP_CACHE));
	*word |= PG_SWAP_CACHE;
	machine_memcg(m, *word & PG_MEMCG)->swapcached += page_nr(&m->pages, slot);
}

void swap_write(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	assert(swap_has_slot(m, slot) && !(*word & PG_MAPPED));
	if (!(*word & PG_SWAP_CACHE)) {
		slot_count(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping, 1);
		cache(m, slot);
	}
	m->host->totals.nr_swapped_out++;
	m->host->now += (ns_t)machine_knobs(m)->swap_out_ns;
	writeback_swap(m, slot);
}

void swap_rewritten(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	if (!(*word & PG_SWAP_CACHE))
		return;
	/* Under writeback the slot cannot be let go: its copy is no longer good then. */
	if (*word & PG_WRITEBACK)
		*word |= PG_DIRTY;
	else
		swap_forget(m, slot);
}

/* Pages of a mapping that are in swap and not in memory: tmpfs may have shadows beside them. */
static pages_t swapped_in(const struct machine *m, const struct mapping *map)
{
	pages_t nr = 0, index;

	assert(has_account(map));
	for (index = 0; index < map->nr_pages; index++) {
		uint32_t word = m->pages.slot[page_find(&m->pages, map, index)].word;

		nr += (word & PG_SWAPPED) && !(word & PG_RESIDENT);
	}
	return nr;
}

void swap_rehome(struct machine *m, uint32_t from, uint32_t to)
{
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;

	assert(from != to);
	for (i = 1; i < nr; i++) {
		struct mapping *map = &m->pages.mapping[i];
		pages_t swapped;

		if (!has_account(map) || map->swap_memcg != from)
			continue;
		swapped = swapped_in(m, map);
		machine_memcg(m, from)->swap -= map->nr_slots;
		machine_memcg(m, to)->swap += map->nr_slots;
		stat_batch_add(m, from, BATCH_SWAP, -(int64_t)map->nr_slots);
		stat_batch_add(m, to, BATCH_SWAP, (int64_t)map->nr_slots);
		count_levels(m, from, -map->nr_slots, -swapped);
		count_levels(m, to, map->nr_slots, swapped);
		map->swap_memcg = to;
	}
}

uint32_t swap_out(struct machine *m, uint32_t target, uint32_t slot)
{
	bool kept = (m->pages.slot[slot].word & PG_SWAP_CACHE) != 0;
	uint32_t mapping, word, age;
	pages_t index;

	assert(swap_has_slot(m, slot));
	mapping = page_identity(&m->pages, slot, &index);
	age = workingset_shadow(m, target, slot, &word);
	if (!kept)
		slot_count(m, mapping, 1);
	count_levels(m, group_of(m, mapping), 0, 1);
	m->host->totals.nr_swapped_out += !kept;
	page_evict(&m->pages, slot, age, word | PG_SWAPPED);
	return !kept;
}

void swap_returned(struct machine *m, uint32_t slot, struct slot old, bool write)
{
	if (!(old.word & PG_SWAPPED))
		return;
	m->host->totals.nr_swapped_in++;
	count_levels(m, group_of(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping), 0, (pages_t)-1);
	/* A reader keeps the copy in swap; v6.18 drops it where the device is that fast, but not
	 * of a page that nobody maps yet, or that somebody else still has there. */
	if (anon_vma_users(m, slot).nr > 1)
		cache(m, slot);
	else if (write || m->pages.mapping[m->pages.leaf[slot >> LEAF_SHIFT].mapping].shmem ||
		 (machine_axis(m, AXIS_REFAULT) == REFAULT_ON &&
		  (m->pages.slot[slot].word & PG_MAPPED)))
		slot_count(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping, -1);
	else
		cache(m, slot);
}

void swap_forget(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	assert(*word & (PG_SWAPPED | PG_SWAP_CACHE));
	slot_count(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping, -1);
	if (*word & PG_SWAPPED) {
		count_levels(m, group_of(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping), 0,
			     (pages_t)-1);
		page_forget(&m->pages, slot);
	} else {
		machine_memcg(m, *word & PG_MEMCG)->swapcached -= page_nr(&m->pages, slot);
		*word &= ~(uint32_t)(PG_SWAP_CACHE | PG_DIRTY);
	}
}

/* How many pages are read at once: more, the more of the last window were used. */
static uint32_t window_size(const struct swap_ahead *ahead, pages_t index, uint32_t most)
{
	uint32_t pages = ahead->hits + 2;

	if (pages == 2) {
		/* A fault beside the last one is worth two pages, any other one. */
		if (index != ahead->index + 1 && index + 1 != ahead->index)
			pages = 1;
	} else {
		uint32_t round = 4;

		while (round < pages)
			round *= 2;
		pages = round;
	}
	if (pages > most)
		pages = most;
	return pages < ahead->window / 2 ? ahead->window / 2 : pages;
}

void swap_window(struct machine *m, uint32_t mapping, pages_t index, pages_t *first, pages_t *end)
{
	struct mapping *map = &m->pages.mapping[mapping];
	struct swap_ahead *ahead = vma_ahead(m, mapping, index);
	pages_t last = ahead->index, size, begin, limit;

	/* A fresh mapping is trusted to be read in order. */
	if (!ahead->window)
		ahead->hits = SWAP_FIRST_HITS;
	size = window_size(ahead, index, (uint32_t)machine_knobs(m)->swap_readahead);
	ahead->index = index;
	ahead->window = (uint32_t)size;
	ahead->hits = 0;
	*first = index;
	if (index + 1 == last)
		*first = index + 1 > size ? index + 1 - size : 0;
	else if (index != last + 1 && index > 0)
		*first = index > (size - 1) / 2 ? index - (size - 1) / 2 : 0;
	/* Not beyond the piece that the fault is in. */
	vma_limits(m, map, index, &begin, &limit);
	*end = *first + size < limit ? *first + size : limit;
	*first = *first > begin ? *first : begin;
}

void swap_hit(struct machine *m, uint32_t mapping, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct swap_ahead *ahead;
	pages_t index;

	page_identity(&m->pages, slot, &index);
	ahead = vma_ahead(m, mapping, index);
	ahead->index = index;
	if ((*word & PG_READAHEAD) && ahead->hits < SWAP_HITS_MAX)
		ahead->hits++;
	*word &= ~(uint32_t)PG_READAHEAD;
}
