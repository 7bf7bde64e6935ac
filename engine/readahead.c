/*
 * Window sizes, markers, orders of folios.  Follows mm/readahead.c of v6.18;
 * v2.6.31 differs in no size that matters here.
 */
#include "readahead.h"

#include <assert.h>

#include "policy.h"

enum {
	FOLIO_ORDER_MAX = 9,
	ORDER_STEP = 2,		/* by which each next window's folios may be larger */
	DEVICE_PAGES = 320,	/* of one request to the device: 2,560 sectors of 512 bytes */
	MISSES_MANY = 100,	/* more misses than hits: faults read nothing around */
	MISSES_MAX = 1000
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

/* The largest window of an open file [pages]; 0: none. */
static uint32_t window_max(const struct machine *m, const struct open_file *open)
{
	if (m->pages.mapping[open->file].no_ahead)
		return 0;
	return (uint32_t)machine_knobs(m)->readahead * (open->twice ? 2 : 1);
}

/* A request beyond the window may be as large as the device takes.  After: ractl_max_pages(). */
static uint32_t request_max(const struct machine *m, const struct open_file *open, pages_t want)
{
	uint32_t max = window_max(m, open);

	if (want <= max || max >= DEVICE_PAGES)
		return max;
	return want < DEVICE_PAGES ? (uint32_t)want : DEVICE_PAGES;
}

static enum limit_result bring(struct machine *m, struct open_file *open, pages_t index,
			       uint32_t order, pages_t mark)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	enum limit_result result = fault_ahead(m, open->reader, open->file, index, order);

	if (result == LIMIT_OK && index == (mark & ~(((pages_t)1 << order) - 1)))
		m->pages.slot[page_find(&m->pages, map, index)].word |= PG_READAHEAD;
	return result;
}

/* Single pages from @index on, those that are missing, with a marker at @mark. */
static enum limit_result fill_single(struct machine *m, struct open_file *open, pages_t index,
				     pages_t end, pages_t mark)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	enum limit_result result = LIMIT_OK;

	if (end > map->nr_pages)
		end = map->nr_pages;
	for (; index < end && result == LIMIT_OK; index++)
		if (!any_resident(m, map, index, 0))
			result = bring(m, open, index, 0, mark);
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
	if (!map->large)
		open->ra_order = 0;
	else if (open->ra_order > order_of(open->ra_size))
		open->ra_order = order_of(open->ra_size);
	while (map->large && i < end && result == LIMIT_OK) {
		order = order_at(i, end - 1, open->ra_order);
		if (any_resident(m, map, i, order))
			break;
		result = bring(m, open, i, order, mark);
		i += (pages_t)1 << order;
	}
	return result ? result : fill_single(m, open, i, end, mark);
}

/* Resident pages just before @index, at most @max. */
static pages_t history(const struct machine *m, uint32_t file, pages_t index, pages_t max)
{
	const struct mapping *map = &m->pages.mapping[file];
	pages_t n;

	for (n = 0; n < max && n < index; n++)
		if (!any_resident(m, map, index - 1 - n, 0))
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
	uint32_t max = request_max(m, open, want);
	pages_t before;

	if (index == 0 || want > max || index - open->prev_index <= 1) {
		open->ra_start = index;
		open->ra_order = 0;
		open->ra_size = want > max ? max : first_size(want, max);
		open->ra_async = open->ra_size > want ? open->ra_size - (uint32_t)want
						      : open->ra_size >> 1;
		return fill(m, open);
	}
	before = history(m, open->file, index, max);
	/* Alone: read as asked, without a marker, and no window is remembered. */
	if (before <= want)
		return fill_single(m, open, index, index + want, UINT64_MAX);
	if (before == index)
		before *= 2;
	open->ra_start = index;
	open->ra_order = 0;
	open->ra_size = (uint32_t)(before + want < max ? before + want : max);
	open->ra_async = 1;
	return fill(m, open);
}

/* A marked page without a window that leads to it: the next one begins where pages are missing,
 * as long as what is cached up to there.  Returns: false if all of it is cached. */
static bool window_found(struct machine *m, struct open_file *open, pages_t index, pages_t want,
			 uint32_t max)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	pages_t start = index + 1;

	while (start < map->nr_pages && start - index <= max && any_resident(m, map, start, 0))
		start++;
	if (start - index > max)
		return false;
	open->ra_start = start;
	open->ra_size = next_size((uint32_t)(start - index + want), max);
	return true;
}

/* The next window ends where a folio of its order does. */
static void align_end(struct open_file *open, uint32_t max)
{
	pages_t end = open->ra_start + open->ra_size, aligned;
	uint32_t order = 0;

	open->ra_order += ORDER_STEP;
	while (order < open->ra_order && !(max >> order & 1))
		order++;
	aligned = end & ~(((pages_t)1 << order) - 1);
	if (aligned > open->ra_start)
		open->ra_size -= (uint32_t)(end - aligned);
}

/* The marker of a window was met at @index, which is part of the folio at @head. */
static enum limit_result marked(struct machine *m, struct open_file *open, uint32_t head,
				pages_t index, pages_t want)
{
	uint32_t max = request_max(m, open, want), size;
	pages_t expected = open->ra_start + open->ra_size - open->ra_async;

	m->pages.slot[head].word &= ~(uint32_t)PG_READAHEAD;
	if (index == (expected & ~(pages_t)(page_nr(&m->pages, head) - 1))) {
		open->ra_start += open->ra_size;
		size = next_size(open->ra_size, max);
		if (size > open->ra_size)
			open->ra_size = size;
	} else if (!window_found(m, open, index, want, max)) {
		return LIMIT_OK;
	}
	if (machine_axis(m, AXIS_FOLIOS) == FOLIOS_LARGE)
		align_end(open, max);
	open->ra_async = open->ra_size;
	return fill(m, open);
}

static bool is_marked(const struct machine *m, uint32_t head)
{
	return (m->pages.slot[head].word & PG_READAHEAD) &&
	       !(m->pages.slot[head].word & PG_WRITEBACK);
}

enum limit_result readahead_at(struct machine *m, uint32_t task, struct open_file *open,
			       pages_t index, pages_t want)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	uint32_t slot = page_find(&m->pages, map, index), head = page_head(&m->pages, slot);

	open->reader = task;
	if (!window_max(m, open))
		return LIMIT_OK;
	if (!(m->pages.slot[slot].word & PG_RESIDENT))
		return missing(m, open, index, want);
	if (!is_marked(m, head))
		return LIMIT_OK;
	return marked(m, open, head, index - (slot - head), want + (slot - head));
}

enum limit_result readahead_fault(struct machine *m, uint32_t task, struct open_file *open,
				  uint32_t advice, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	uint32_t slot = page_find(&m->pages, map, index), head = page_head(&m->pages, slot);
	uint32_t max = window_max(m, open);
	bool plain = machine_axis(m, AXIS_MMAP_AHEAD) == MMAP_AHEAD_PLAIN;

	open->reader = task;
	if (advice == MAP_RANDOM || !max)
		return LIMIT_OK;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		open->mmap_miss -= open->mmap_miss > 0;
		return is_marked(m, head) ? marked(m, open, head, index, max) : LIMIT_OK;
	}
	if (advice == MAP_SEQUENTIAL)
		return missing(m, open, index, plain ? 1 : max);
	open->mmap_miss += open->mmap_miss < MISSES_MAX;
	if (open->mmap_miss > MISSES_MANY)
		return LIMIT_OK;
	open->ra_start = index > max / 2 ? index - max / 2 : 0;
	open->ra_size = max;
	open->ra_async = plain ? 0 : max / 4;
	open->ra_order = 0;
	return fill(m, open);
}

enum limit_result readahead_wanted(struct machine *m, uint32_t task, struct open_file *open,
				   pages_t index, pages_t nr)
{
	pages_t most = window_max(m, open);

	open->reader = task;
	/* No device holds what tmpfs has; its swapped pages wait until they are used. */
	if (m->pages.mapping[open->file].shmem)
		return LIMIT_OK;
	if (machine_axis(m, AXIS_FOLIOS) == FOLIOS_LARGE) {
		if (most < DEVICE_PAGES)
			most = DEVICE_PAGES;
		nr = nr < most ? nr : most;
	}
	return fill_single(m, open, index, index + nr, UINT64_MAX);
}
