/*
 * One folio, several folios.  Invariant: the pages of all of them are those
 * of the one, so no size, charge or count of pages changes; only entries of
 * lists do.  Follows mm/huge_memory.c of v6.18, for files: their folios alone
 * are large here.
 *
 * MODEL: a folio that is locked in memory is left whole; tree nodes are not
 * made anew.
 */
#include "split.h"

#include <assert.h>

#include "charge.h"

enum { SPLIT_MAX = LEAF_SLOTS };

/* Whether nothing but the page cache and page tables has a reference. */
static bool can_split(const struct machine *m, uint32_t head)
{
	uint32_t word = m->pages.slot[head].word;

	assert(word & PG_RESIDENT);
	/* A folio is dirty with its buffers, which cannot be let go then. */
	return page_pos(word) == POS_LISTED &&
	       !(word & (PG_HELD | PG_WRITEBACK | PG_DIRTY | PG_MLOCKED | PG_UNEVICTABLE));
}

static void set_order(struct machine *m, uint32_t slot, uint32_t order)
{
	uint32_t i;

	for (i = 0; i < 1u << order; i++)
		m->pages.order[slot + i] = (uint8_t)order;
}

/* Halves again and again, the half with page @at each time. */
static void cut_halves(struct machine *m, uint32_t head, uint32_t at)
{
	uint32_t order = m->pages.order[head];

	while (order-- > 0) {
		uint32_t half = head + (1u << order);

		set_order(m, at < half ? half : head, order);
		head = at < half ? head : half;
	}
	set_order(m, head, 0);
}

bool split_folio(struct machine *m, uint32_t cpu, uint32_t at, enum split_way way)
{
	uint32_t head = page_head(&m->pages, at), end = head + page_nr(&m->pages, head), nr = 0;
	uint32_t fresh[SPLIT_MAX], slot, word;

	assert(!rmap_of_memory(m, head) && end - head > 1);
	if (!can_split(m, head))
		return false;
	charge_free_buffers(m, cpu, head);
	rmap_unmap(m, head);
	m->pages.slot[head].word &= ~(uint32_t)PG_BUFFERS;
	/* The marker of a readahead window stays where it was. */
	word = page_with_pos(m->pages.slot[head].word, POS_NONE) & ~(uint32_t)PG_READAHEAD;
	if (way == SPLIT_HALVES)
		cut_halves(m, head, at);
	for (slot = head; slot < end && way == SPLIT_PAGES; slot++)
		set_order(m, slot, 0);
	for (slot = head + page_nr(&m->pages, head); slot < end; slot += page_nr(&m->pages, slot)) {
		m->pages.slot[slot] = (struct slot){ 0, word };
		fresh[nr++] = slot;
	}
	machine_list_beside(m, head, fresh, nr);
	return true;
}
