/*
 * Readahead: reading more than was asked for when reads look sequential.
 */
#ifndef MEMCGLAB_ENGINE_READAHEAD_H
#define MEMCGLAB_ENGINE_READAHEAD_H

#include "fault.h"

/**
 * readahead_at - a read of @want pages comes to page @index of an open file
 * @want: pages up to the end of this read, at least 1
 * A missing page starts a window, the marker of a window the next one; the
 * window's missing pages are read in, in order, each charged as it comes.
 * A read that neither goes on nor follows resident pages gets no window.
 * Returns: LIMIT_OK, or why a charge failed; the pages before it stay.
 * After: page_cache_sync_ra(), page_cache_async_ra(), mm/readahead.c, v6.18.
 */
enum limit_result readahead_at(struct machine *m, struct open_file *open, pages_t index,
			       pages_t want);

#endif
