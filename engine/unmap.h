/*
 * The end of pages that reclaim did not choose: unmapping, truncation, exit.
 */
#ifndef MEMCGLAB_ENGINE_UNMAP_H
#define MEMCGLAB_ENGINE_UNMAP_H

#include "charge.h"

/**
 * unmap_drop - every resident page of a mapping is freed; @cpu drains its queues first
 * Shadows and swap slots go too.  Of a task's mapping of a file only the
 * page tables' view goes: its pages stay cached, and those that were
 * young count as touched.
 * @may_stop: where locks are modelled, whether it may end before its time
 * Returns: whether pages are left for another call.
 * After: zap_page_range(), truncate_inode_pages(), v2.6.31.
 */
bool unmap_drop(struct machine *m, uint32_t cpu, uint32_t mapping, bool may_stop);

/**
 * unmap_invalidate - POSIX_FADV_DONTNEED: pages [@first, @end) of a file that nothing holds go
 * Dirty ones are given to the device first.  Dirty, mapped and written-back
 * ones stay, moved to where reclaim is next (hint=on), and so does a folio
 * that the span cuts.  No shadow is left.  Files of tmpfs keep all.  Returns: pages freed.
 * After: mapping_try_invalidate(), mm/truncate.c, v6.18.
 */
pages_t unmap_invalidate(struct machine *m, uint32_t cpu, uint32_t file, pages_t first,
			 pages_t end);

/**
 * unmap_hole - pages [@first, @end) of a file go, as if a hole was punched
 * Whoever mapped them loses them.  A large folio that the hole cuts is split;
 * where that fails it stays, and nobody maps it any more.
 * Where locks are modelled it may end before its time.  Returns: whether pages are left for
 * another call.
 * After: truncate_pagecache_range(), truncate_inode_partial_folio(), mm/truncate.c, v6.18.
 */
bool unmap_hole(struct machine *m, uint32_t cpu, uint32_t file, pages_t first, pages_t end);

/**
 * unmap_span - MADV_DONTNEED: pages [@first, @end) of a task's mapping
 * Anonymous ones are freed, of a file only the page table's entries go.
 * Returns: pages freed.  After: zap_page_range(), mm/memory.c, v2.6.31.
 */
pages_t unmap_span(struct machine *m, uint32_t cpu, uint32_t mapping, pages_t first, pages_t end);

/**
 * unmap_entry - forked memory @mapping loses page @index; others who have it keep it
 * It is freed with the last of them, in memory and in swap.  Returns: pages freed.
 */
pages_t unmap_entry(struct machine *m, uint32_t cpu, uint32_t mapping, pages_t index);

/* unmap_page - one resident page leaves at once, without a shadow, wherever it is: queue, list
 * or device.  Its charge, frame, swap slot and tree nodes are given back. */
void unmap_page(struct machine *m, uint32_t cpu, uint32_t slot);

/* unmap_chains - records of which pages a mapping has that are beside the first (ANON_VMA_BYTES):
 * of each piece one for each fork that it has come through, and one. */
uint32_t unmap_chains(const struct machine *m, const struct mapping *map);

/* unmap_all - all mappings of a task and their page tables are dropped, as by exec.  @more: as
 * @may_stop of unmap_drop; receives whether some are left.  Returns: pages freed. */
pages_t unmap_all(struct machine *m, uint32_t task, bool *more);

/* unmap_exit - a task ends: its mappings and their page tables are dropped; the page cache that
 * it brought in stays charged to its group.  @more: as @may_stop of unmap_drop; receives whether
 * the task has not ended yet.  Returns: pages freed. */
pages_t unmap_exit(struct machine *m, uint32_t task, bool *more);

#endif
