/*
 * Readahead: reading more than was asked for when reads look sequential.
 */
#ifndef MEMCGLAB_ENGINE_READAHEAD_H
#define MEMCGLAB_ENGINE_READAHEAD_H

#include "fault.h"

/**
 * readahead_at - a read of @want pages comes to page @index of an open file
 * @task: who reads, and is charged; it may share the open file
 * @want: pages up to the end of this read, at least 1
 * A missing page starts a window, the marker of a window the next one; the
 * window's missing pages are read in, in order, each charged as it comes.
 * A read that neither goes on nor follows resident pages gets no window.
 * Returns: LIMIT_OK, or why a charge failed; the pages before it stay.
 * After: page_cache_sync_ra(), page_cache_async_ra(), mm/readahead.c, v6.18.
 */
enum limit_result readahead_at(struct machine *m, uint32_t task, struct open_file *open,
			       pages_t index, pages_t want);

/**
 * readahead_fault - a fault of a mapped file comes to page @index
 * @open:   the file that was mapped
 * @advice: enum map_advice of the mapping
 * A missing page is read in with a window around it, or behind it after
 * MADV_SEQUENTIAL; not at all while faults miss much more than they hit.
 * The page itself may still be missing afterwards.
 * After: do_sync_mmap_readahead(), do_async_mmap_readahead(), mm/filemap.c,
 * v2.6.31 and v6.18.
 */
enum limit_result readahead_fault(struct machine *m, uint32_t task, struct open_file *open,
				  uint32_t advice, pages_t index);

/**
 * readahead_wanted - POSIX_FADV_WILLNEED: @nr pages from @index on are read in
 * v6.18 takes no more than the device does at once (or the window).
 * After: force_page_cache_readahead(), mm/readahead.c, v2.6.31; force_page_cache_ra(), v6.18.
 */
enum limit_result readahead_wanted(struct machine *m, uint32_t task, struct open_file *open,
				   pages_t index, pages_t nr);

#endif
