/*
 * What stays of pages that left memory: shadows, swap entries, and the mark
 * of a page of a file that reclaim took once.
 */
#ifndef MEMCGLAB_ENGINE_GONE_H
#define MEMCGLAB_ENGINE_GONE_H

#include "page.h"

/* page_lose - page_remove of a file's page that reclaim took, or of what stayed of it: it will
 * be known (pages.back) if it comes again.  Exact while the leaf stays, else to 16 pages. */
void page_lose(struct pages *pages, uint32_t slot);

/* page_lost_none - nothing is known any more of what was evicted of a mapping without pages. */
void page_lost_none(struct pages *pages, uint32_t mapping);

/* page_evict - no longer resident, but @word (PG_SHADOW, PG_SWAPPED, owner) and @age stay. */
void page_evict(struct pages *pages, uint32_t slot, uint32_t age, uint32_t word);

/* page_forget - what stayed of a page goes away; an empty leaf is given back. */
void page_forget(struct pages *pages, uint32_t slot);

#endif
