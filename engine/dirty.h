/*
 * Limits of dirty memory: of the machine and of groups of cgroup v2.  Who
 * dirties too much sleeps; the flusher writes before that.
 */
#ifndef MEMCGLAB_ENGINE_DIRTY_H
#define MEMCGLAB_ENGINE_DIRTY_H

#include "machine.h"

/* From @background on the flusher writes; at @limit writers stand still. */
struct dirty_limits {
	pages_t background, limit;
};

/**
 * dirty_limits_of - the two limits of a domain
 * @avail:  dirtyable pages of the domain
 * @global: of the machine; a group's share of a limit in bytes is its share of these
 * A background limit that is not below the limit becomes half of it.
 * After: domain_dirty_limits(), mm/page-writeback.c, v3.5 and v6.18.
 */
struct dirty_limits dirty_limits_of(const struct knobs *knobs, pages_t avail, pages_t global);

/* dirty_freerun - [pages] up to which nobody sleeps: halfway between the limits. */
pages_t dirty_freerun(struct dirty_limits limits);

enum { DIRTY_RATE_ONE = 1024 };

/**
 * dirty_position - the part of the disk's rate at which one may dirty pages
 * Falls with the third power of the distance from the middle between free
 * run and limit; there it is DIRTY_RATE_ONE, at the limit 0, at most twice one.
 * After: pos_ratio_polynom(), mm/page-writeback.c, v3.5 and v6.18.
 */
uint64_t dirty_position(struct dirty_limits limits, pages_t dirty);

/* dirty_pause_max - [ns] that a writer sleeps at once, so short that the disk does not run out
 * of the @dirty pages meanwhile.  After: wb_max_pause(), mm/page-writeback.c, v6.18. */
ns_t dirty_pause_max(const struct knobs *knobs, pages_t dirty);

/* dirty_available - dirtyable pages of the machine: free ones beyond the reserves, and those of
 * files.  After: global_dirtyable_memory(), mm/page-writeback.c, v3.5. */
pages_t dirty_available(const struct machine *m);

/* dirty_group - the limits of group @id of cgroup v2, by what it has of files and may still take.
 * After: mdtc_calc_avail(), mem_cgroup_wb_stats(), v6.18. */
struct dirty_limits dirty_group(const struct machine *m, uint32_t id);

/**
 * dirty_flusher - the flusher does what is due now
 * Above a background limit it gives dirty pages to the disk, as many as that
 * queues; files that were dirty for dirty_expire_ns when it looks too.
 * After: wb_workfn(), fs/fs-writeback.c, v6.18.
 */
void dirty_flusher(struct machine *m);

/* dirty_pass_time - the clock goes on to @until [ns], disk and flusher with it. */
void dirty_pass_time(struct machine *m, ns_t until);

/**
 * dirty_balance - task @id has dirtied a page: now and then it looks whether it must sleep
 * EVENT_WAIT tells how long it did.
 * After: balance_dirty_pages(), mm/page-writeback.c, v3.5 and v6.18.
 */
void dirty_balance(struct machine *m, uint32_t id);

/**
 * dirty_wait_writeout - a pass of reclaim for group @memcg has ended
 * Time passes while more is under writeback than the machine's dirty limit
 * and a tenth of it.  EVENT_WAIT tells how much.
 * After: throttle_vm_writeout(), mm/page-writeback.c, v2.6.31 to v5.15.
 */
void dirty_wait_writeout(struct machine *m, uint32_t memcg);

#endif
