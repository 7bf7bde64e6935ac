/*
 * A swap device that writes at once, such as compressed memory.  Follows
 * mm/swap_state.c, mm/memory.c do_swap_page() of v2.6.31 and v6.18.
 *
 * MODEL: no asynchronous device; a page comes back alone, without its
 * neighbours; a moving task takes its swap slots along.
 */
#include "swap.h"

#include <assert.h>

#include "gone.h"
#include "policy.h"
#include "workingset.h"

pages_t swap_free(const struct machine *m)
{
	return machine_swap_room(m, MEMCG_NONE);
}

bool swap_may(const struct machine *m, uint32_t memcg)
{
	return !m->noswap && machine_swap_room(m, memcg) > 0;
}

/* Whose account a mapping's slots are on: its task's group. */
static uint32_t group_of(const struct machine *m, uint32_t mapping)
{
	return m->task[m->pages.mapping[mapping].task].memcg;
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
	m->task[m->pages.mapping[mapping].task].swap += (pages_t)change;
	count_levels(m, memcg, (pages_t)change, 0);
}

/* Pages of a task that are in swap and not in memory. */
static pages_t swapped_of(const struct machine *m, uint32_t task)
{
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;
	pages_t sum = 0;

	for (i = 1; i < nr; i++)
		if (m->pages.mapping[i].task == task && m->pages.mapping[i].anon)
			sum += m->pages.mapping[i].nr_shadow;
	return sum;
}

void swap_move(struct machine *m, uint32_t task, uint32_t memcg)
{
	pages_t slots = m->task[task].swap, swapped = swapped_of(m, task);

	machine_memcg(m, m->task[task].memcg)->swap -= slots;
	machine_memcg(m, memcg)->swap += slots;
	count_levels(m, m->task[task].memcg, -slots, -swapped);
	count_levels(m, memcg, slots, swapped);
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
	 * of a page that nobody maps yet. */
	if (write ||
	    (machine_axis(m, AXIS_REFAULT) == REFAULT_ON && (m->pages.slot[slot].word & PG_MAPPED)))
		slot_count(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping, -1);
	else
		m->pages.slot[slot].word |= PG_SWAP_CACHE;
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
		*word &= ~(uint32_t)PG_SWAP_CACHE;
	}
}
