/*
 * Large folios that come apart.
 */
#ifndef MEMCGLAB_ENGINE_SPLIT_H
#define MEMCGLAB_ENGINE_SPLIT_H

#include "rmap.h"

/* How a folio is split: into single pages, or in halves down to the page @at. */
enum split_way { SPLIT_PAGES, SPLIT_HALVES };

/**
 * split_folio - the large folio of a file that page @at is in becomes smaller ones
 * It must be clean and listed, and nobody may hold or lock it; then its buffers
 * are given back on @cpu, and whoever mapped it faults again.  The new folios are alike
 * in all but their size, and stand beside the first one, towards the head.
 * Returns: whether it was split.
 * After: __folio_split(), lru_add_split_folio(), mm/huge_memory.c, v6.18.
 */
bool split_folio(struct machine *m, uint32_t cpu, uint32_t at, enum split_way way);

#endif
