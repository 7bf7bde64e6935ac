/*
 * Window sizes, markers, orders of folios.  Follows mm/readahead.c of v6.18;
 * v2.6.31 differs in no size that matters here.
 */
#include "readahead.h"

#include <assert.h>

enum {
	FOLIO_ORDER_MAX = 9,
	ORDER_STEP = 2		/* by which each next window's folios may be larger */
};

/* First window for a read of @want pages: the next power of two, times four or two while that
 * is small, else the largest window.  After: get_init_ra_size(). */
static uint32_t first_size(pages_t want, uint32_t max)
{
	uint32_t size = 1;

	assert(want > 0 && max > 0);
	while (size < want)
		size *= 2;
	if (size <= max / 32)
		size *= 4;
	else if (size <= max / 4)
		size *= 2;
	else
		size = max;
	return size;
}

/* Windows grow fast while they are small.  After: get_next_ra_size(). */
static uint32_t next_size(uint32_t size, uint32_t max)
{
	assert(size > 0);
	if (size < max / 16)
		return 4 * size;
	return size <= max / 2 ? 2 * size : max;
}

/* The largest order that @n pages hold. */
static uint32_t order_of(uint32_t n)
{
	uint32_t order = 0;

	while (n >> (order + 1) && order < FOLIO_ORDER_MAX)
		order++;
	return order;
}

/* The order of the folio at @index: aligned, not beyond @limit, at most @order. */
static uint32_t order_at(pages_t index, pages_t limit, uint32_t order)
{
	while (order && (index & (((pages_t)1 << order) - 1)))
		order--;
	while (order && index + ((pages_t)1 << order) - 1 > limit)
		order--;
	return order;
}

static bool any_resident(const struct machine *m, const struct mapping *map, pages_t index,
			 uint32_t order)
{
	pages_t i;

	for (i = index; i < index + ((pages_t)1 << order); i++)
		if (m->pages.slot[page_find(&m->pages, map, i)].word & PG_RESIDENT)
			return true;
	return false;
}

static enum limit_result bring(struct machine *m, struct open_file *open, pages_t index,
			       uint32_t order, pages_t mark)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	enum limit_result result = fault_bring(m, open->task, open->file, index, order);

	if (result == LIMIT_OK && index == (mark & ~(((pages_t)1 << order) - 1)))
		m->pages.slot[page_find(&m->pages, map, index)].word |= PG_READAHEAD;
	return result;
}

/*
 * Reads in what is missing of the window and sets its marker.  Large folios
 * are made until one meets a page that is there; the rest is single pages.
 */
static enum limit_result fill(struct machine *m, struct open_file *open)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	pages_t mark = open->ra_start + open->ra_size - open->ra_async, i = open->ra_start;
	pages_t end = open->ra_start + open->ra_size;
	enum limit_result result = LIMIT_OK;
	uint32_t order;

	assert(open->ra_async <= open->ra_size);
	if (end > map->nr_pages)
		end = map->nr_pages;
	if (open->ra_order > order_of(open->ra_size))
		open->ra_order = order_of(open->ra_size);
	while (map->large && i < end && result == LIMIT_OK) {
		order = order_at(i, end - 1, open->ra_order);
		if (any_resident(m, map, i, order))
			break;
		result = bring(m, open, i, order, mark);
		i += (pages_t)1 << order;
	}
	for (; i < end && result == LIMIT_OK; i++)
		if (!any_resident(m, map, i, 0))
			result = bring(m, open, i, 0, mark);
	return result;
}

/* Resident pages just before @index, at most @max. */
static pages_t history(const struct machine *m, uint32_t file, pages_t index, pages_t max)
{
	const struct mapping *map = &m->pages.mapping[file];
	pages_t n;

	for (n = 0; n < max && n < index; n++)
		if (!(m->pages.slot[page_find(&m->pages, map, index - 1 - n)].word & PG_RESIDENT))
			break;
	return n;
}

/*
 * A window for a page that is not there.  At the start of a file or where the
 * last read ended: the first window.  After cached pages that look like an
 * earlier stream: one as long as that.  Else only what is asked for.
 */
static enum limit_result missing(struct machine *m, struct open_file *open, pages_t index,
				 pages_t want)
{
	uint32_t max = (uint32_t)machine_knobs(m)->readahead;
	pages_t before;

	if (want > max)
		max = (uint32_t)want;
	open->ra_start = index;
	open->ra_order = 0;
	if (index == 0 || index - open->prev_index <= 1) {
		open->ra_size = first_size(want, max);
		open->ra_async = open->ra_size > want ? open->ra_size - (uint32_t)want
						      : open->ra_size >> 1;
		return fill(m, open);
	}
	before = history(m, open->file, index, max);
	if (before <= want) {
		/* Alone: read as asked, and no marker. */
		struct open_file once = *open;

		once.ra_size = (uint32_t)want;
		once.ra_async = 0;
		return fill(m, &once);
	}
	if (before == index)
		before *= 2;
	open->ra_size = (uint32_t)(before + want < max ? before + want : max);
	open->ra_async = 1;
	return fill(m, open);
}

/* The next window of a file with large folios ends where a folio of its order does. */
static void align_end(struct open_file *open)
{
	pages_t end = open->ra_start + open->ra_size, aligned;

	open->ra_order += ORDER_STEP;
	if (open->ra_order > FOLIO_ORDER_MAX)
		open->ra_order = FOLIO_ORDER_MAX;
	aligned = end & ~(((pages_t)1 << open->ra_order) - 1);
	if (aligned > open->ra_start)
		open->ra_size -= (uint32_t)(end - aligned);
}

enum limit_result readahead_at(struct machine *m, struct open_file *open, pages_t index,
			       pages_t want)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	uint32_t max = (uint32_t)machine_knobs(m)->readahead;
	uint32_t slot = page_find(&m->pages, map, index), head = page_head(&m->pages, slot);
	uint32_t *word = &m->pages.slot[head].word;
	pages_t expected = open->ra_start + open->ra_size - open->ra_async;

	if (!(m->pages.slot[slot].word & PG_RESIDENT))
		return missing(m, open, index, want);
	if (!(*word & PG_READAHEAD))
		return LIMIT_OK;
	*word &= ~(uint32_t)PG_READAHEAD;
	if (index - (slot - head) != (expected & ~(pages_t)(page_nr(&m->pages, head) - 1)))
		return LIMIT_OK;
	open->ra_start += open->ra_size;
	open->ra_size = next_size(open->ra_size, max);
	if (map->large)
		align_end(open);
	open->ra_async = open->ra_size;
	return fill(m, open);
}
