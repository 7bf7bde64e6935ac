/*
 * Dirty pages of files on their way to the disk, and what becomes of pages
 * whose write ends.
 */
#ifndef MEMCGLAB_ENGINE_WRITEBACK_H
#define MEMCGLAB_ENGINE_WRITEBACK_H

#include "machine.h"

/* writeback_dirty - a resident page of a file is modified.  Dirty pages are counted for their
 * owner, their file and the machine, once; the flag is its folio's. */
void writeback_dirty(struct machine *m, uint32_t slot);

/* writeback_clean - a dirty page is dropped, or is about to be written: neither dirty nor under
 * writeback any more.  Harmless for other pages. */
void writeback_clean(struct machine *m, uint32_t slot);

/* writeback_congested - the disk has as much to do as it takes (knob write_queue); reclaim to
 * v3.1 starts no write then.  Never so for a disk that writes at once. */
bool writeback_congested(const struct machine *m);

/**
 * writeback_start - a dirty page of a file is given to the disk
 * It is gathered into a request, which writeback_submit sends off.  With
 * WRITES_MAX folios under way the caller waits for the oldest first.
 * Returns: whether it is written already (a disk that writes at once).
 * After: set_page_writeback(), v2.6.31.
 */
bool writeback_start(struct machine *m, uint32_t slot);

/* writeback_swap - an anonymous page with a swap slot is given to the swap device; reclaim waits
 * for it.  After: swap_writeout(), mm/page_io.c, v6.18. */
void writeback_swap(struct machine *m, uint32_t slot);

/* writeback_submit - what was given to the devices since the last time is sent off; to the swap
 * device not while a window is being read (host.plugged), unless somebody sleeps. */
void writeback_submit(struct machine *m);

/**
 * writeback_due - what the devices have written by now is clean
 * Pages that reclaim waits for go to the tail of their list.
 * Returns: pages whose write ended.
 * After: end_page_writeback(), rotate_reclaimable_page(), mm/swap.c:104, v2.6.31.
 */
pages_t writeback_due(struct machine *m);

/* writeback_next - [ns] when the next write of any device ends; NS_NEVER: none is under way. */
ns_t writeback_next(const struct machine *m);

/* writeback_wait_page - time passes until the folio at @slot is written. */
void writeback_wait_page(struct machine *m, uint32_t slot);

/* writeback_wait - time passes until the devices have written all that they were given. */
void writeback_wait(struct machine *m);

/* writeback_range - dirty pages [@first, @end) of a file, at most @max folios, are given to the
 * device in order.  Returns: folios given.  After: filemap_fdatawrite_range(), mm/filemap.c. */
pages_t writeback_range(struct machine *m, uint32_t mapping, pages_t first, pages_t end,
			pages_t max);

/* writeback_flusher - up to @max dirty pages of all files are given to the disk, oldest file
 * first; only those of group @memcg unless MEMCG_NONE.  Returns: pages given.
 * After: wakeup_flusher_threads(), fs/fs-writeback.c. */
pages_t writeback_flusher(struct machine *m, uint32_t memcg, pages_t max);

/* writeback_progress - time passes until @pages more are written, but no more than @most [ns].
 * After: congestion_wait(), v2.6.31; reclaim_throttle(), mm/vmscan.c, v6.18. */
void writeback_progress(struct machine *m, pages_t pages, ns_t most);

/* writeback_start_file - up to @max dirty pages of a file, in order.  Returns: pages given. */
pages_t writeback_start_file(struct machine *m, uint32_t mapping, pages_t max);

/* writeback_file - every dirty page of a file is written, and waited for.  After: fsync(2). */
void writeback_file(struct machine *m, uint32_t mapping);

/* writeback_told - EVENT_WAIT: since @since the clock has gone on for @rule's reason. */
void writeback_told(struct machine *m, uint32_t memcg, enum rule rule, ns_t since);

#endif
