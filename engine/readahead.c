/*
 * Window sizes and markers.  Follows mm/readahead.c of v6.18 with folios of
 * one page; v2.6.31 differs in no size that matters here.
 */
#include "readahead.h"

#include <assert.h>

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

/* Reads in what is missing of the window and sets its marker. */
static enum limit_result fill(struct machine *m, struct open_file *open)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	pages_t mark = open->ra_start + open->ra_size - open->ra_async, i;
	enum limit_result result;

	assert(open->ra_async <= open->ra_size);
	for (i = open->ra_start; i < open->ra_start + open->ra_size && i < map->nr_pages; i++) {
		if (m->pages.slot[page_find(&m->pages, map, i)].word & PG_RESIDENT)
			continue;
		result = fault_bring(m, open->task, open->file, i);
		if (result)
			return result;
		if (i == mark)
			m->pages.slot[page_find(&m->pages, map, i)].word |= PG_READAHEAD;
	}
	return LIMIT_OK;
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

enum limit_result readahead_at(struct machine *m, struct open_file *open, pages_t index,
			       pages_t want)
{
	const struct mapping *map = &m->pages.mapping[open->file];
	uint32_t max = (uint32_t)machine_knobs(m)->readahead;
	uint32_t *word = &m->pages.slot[page_find(&m->pages, map, index)].word;

	if (!(*word & PG_RESIDENT))
		return missing(m, open, index, want);
	if (!(*word & PG_READAHEAD))
		return LIMIT_OK;
	*word &= ~(uint32_t)PG_READAHEAD;
	if (index != open->ra_start + open->ra_size - open->ra_async)
		return LIMIT_OK;
	open->ra_start += open->ra_size;
	open->ra_size = next_size(open->ra_size, max);
	open->ra_async = open->ra_size;
	return fill(m, open);
}
