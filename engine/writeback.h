/*
 * Dirty pages and the device that they are written to.
 */
#ifndef MEMCGLAB_ENGINE_WRITEBACK_H
#define MEMCGLAB_ENGINE_WRITEBACK_H

#include "machine.h"

/* writeback_dirty - a resident page of a file is modified.  Dirty pages are counted for their
 * owner and their file, once. */
void writeback_dirty(struct machine *m, uint32_t slot);

/* writeback_clean - a dirty page is dropped, or is about to be written: neither dirty nor under
 * writeback any more.  Harmless for other pages. */
void writeback_clean(struct machine *m, uint32_t slot);

/* writeback_congested - the device has as much to do as it takes (knob write_queue); reclaim to
 * v3.1 starts no write then.  Never so for a device that writes at once. */
bool writeback_congested(const struct machine *m);

/**
 * writeback_start - a dirty page is given to the device
 * It ends write_ns [ns] after what was given before, or after now.  With
 * WRITES_MAX pages under way the caller waits for all of them first.
 * Returns: whether it is written already (a device that writes at once).
 * After: set_page_writeback(), v2.6.31.
 */
bool writeback_start(struct machine *m, uint32_t slot);

/**
 * writeback_due - what the device has written by now is clean
 * Pages that reclaim waits for go to the tail of their list.
 * After: end_page_writeback(), rotate_reclaimable_page(), mm/swap.c:104, v2.6.31.
 */
void writeback_due(struct machine *m);

/* writeback_wait - time passes until the device has written all that it was given, and that is
 * taken note of. */
void writeback_wait(struct machine *m);

/* writeback_flusher - up to @max dirty pages of all files are given to the device, oldest file
 * first.  After: wakeup_flusher_threads(), fs/fs-writeback.c. */
void writeback_flusher(struct machine *m, pages_t max);

/* writeback_progress - time passes until @pages more are written, but no more than @most [ns].
 * After: congestion_wait(), v2.6.31; reclaim_throttle(), mm/vmscan.c, v6.18. */
void writeback_progress(struct machine *m, pages_t pages, ns_t most);

/* writeback_file - every dirty page of a file is written, and waited for.  After: fsync(2). */
void writeback_file(struct machine *m, uint32_t mapping);

#endif
