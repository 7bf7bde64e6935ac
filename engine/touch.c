/*
 * Use-once: the first use marks a page, the second activates it.  Follows
 * mark_page_accessed(), mm/swap.c, v2.6.31 and folio_mark_accessed(), v6.18.
 */
#include "touch.h"

#include <assert.h>

#include "policy.h"
#include "workingset.h"

/* A page used twice while it waits in this CPU's add queue will be listed as active. */
static bool touch_queued(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	if (machine_axis(m, AXIS_TOUCH_QUEUED) == TOUCH_QUEUED_IGNORED)
		return false;
	if (page_pos(*word) == POS_QUEUED && pagevec_holds(m, cpu, slot))
		*word |= PG_ACTIVE;
	return true;
}

void touch_page(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	assert(m->pages.slot[slot].word & PG_RESIDENT);
	if (!(*word & PG_REFERENCED)) {
		*word |= PG_REFERENCED;
		return;
	}
	/* Active ones have nothing to gain; queued ones stay referenced or become active. */
	if (*word & (PG_ACTIVE | PG_UNEVICTABLE))
		return;
	if (page_pos(*word) != POS_LISTED && !touch_queued(m, cpu, slot))
		return;
	*word &= ~(uint32_t)PG_REFERENCED;
	if (page_pos(*word) == POS_LISTED)
		pagevec_activate(m, cpu, slot);
	if (machine_axis(m, AXIS_REFAULT) == REFAULT_ON)
		workingset_age(m,
			       (struct bucket){ *word & PG_MEMCG,
						machine_node(m, machine_zone(m, slot)) },
			       page_nr(&m->pages, slot));
}
