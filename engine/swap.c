/*
 * A swap device that writes at once, such as compressed memory.  Follows
 * mm/swap_state.c, mm/memory.c do_swap_page() of v2.6.31 and v6.18.
 *
 * MODEL: no asynchronous device; a page comes back alone, without its
 * neighbours; a moving task takes its swap slots along.
 */
#include "swap.h"

#include <assert.h>

#include "policy.h"
#include "workingset.h"

pages_t swap_free(const struct machine *m)
{
	assert(m->host->swap_used <= m->sc.swap_pages);
	return m->sc.swap_pages - m->host->swap_used;
}

bool swap_has_slot(const struct machine *m, uint32_t slot)
{
	return (m->pages.slot[slot].word & PG_SWAP_CACHE) || swap_free(m) > 0;
}

/* A slot is taken or freed, on the account of the group of the mapping's task. */
static void slot_count(struct machine *m, uint32_t mapping, int change)
{
	uint32_t memcg = m->task[m->pages.mapping[mapping].task].memcg;

	m->host->swap_used += (pages_t)change;
	machine_memcg(m, memcg)->swap += (pages_t)change;
	m->task[m->pages.mapping[mapping].task].swap += (pages_t)change;
}

void swap_move(struct machine *m, uint32_t task, uint32_t memcg)
{
	machine_memcg(m, m->task[task].memcg)->swap -= m->task[task].swap;
	machine_memcg(m, memcg)->swap += m->task[task].swap;
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
	m->host->totals.nr_swapped_out += !kept;
	m->task[m->pages.mapping[mapping].task].rss--;
	page_evict(&m->pages, slot, age, word | PG_SWAPPED);
	return !kept;
}

void swap_returned(struct machine *m, uint32_t slot, struct slot old, bool write)
{
	if (!(old.word & PG_SWAPPED))
		return;
	m->host->totals.nr_swapped_in++;
	/* A reader keeps the copy in swap; v6.18 drops it where the device is that fast. */
	if (write || machine_axis(m, AXIS_REFAULT) == REFAULT_ON)
		slot_count(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping, -1);
	else
		m->pages.slot[slot].word |= PG_SWAP_CACHE;
}

void swap_forget(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	assert(*word & (PG_SWAPPED | PG_SWAP_CACHE));
	slot_count(m, m->pages.leaf[slot >> LEAF_SHIFT].mapping, -1);
	if (*word & PG_SWAPPED)
		page_forget(&m->pages, slot);
	else
		*word &= ~(uint32_t)PG_SWAP_CACHE;
}
