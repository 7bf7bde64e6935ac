/*
 * Access through a mapping of a file.
 */
#ifndef MEMCGLAB_ENGINE_MAPPED_H
#define MEMCGLAB_ENGINE_MAPPED_H

#include "fault.h"

/**
 * mapped_touch - a task touches page @index of a file that it maps
 * Where the page table has an entry only its accessed bit is set.  Else a
 * fault maps the page, after it was read in if it was missing, with what
 * mmap_ahead= says of its neighbours.  A write makes the page dirty.
 * Returns: LIMIT_OK, or why a charge failed.
 * After: do_read_fault(), do_shared_fault(), mm/memory.c, filemap_fault(), mm/filemap.c.
 */
enum limit_result mapped_touch(struct machine *m, uint32_t task, uint32_t view, pages_t index,
			       uint32_t flags);

#endif
