/*
 * Readahead: reading more than was asked for when reads look sequential.
 */
#ifndef MEMCGLAB_ENGINE_READAHEAD_H
#define MEMCGLAB_ENGINE_READAHEAD_H

#include "fault.h"

/**
 * readahead_at - a read of @want pages comes to page @index of an open file
 * A missing page starts a window, the marker of a window the next one; the
 * window's missing pages are read in, in order.
 * After: page_cache_sync_ra(), page_cache_async_ra(), mm/readahead.c, v6.18.
 */
enum limit_result readahead_at(struct machine *m, struct open_file *open, pages_t index,
			       pages_t want);

#endif
