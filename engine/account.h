/*
 * Changes of pages that are counted for their group: which of them a kernel
 * counts, what keeps the page in its group meanwhile, what it takes.
 */
#ifndef MEMCGLAB_ENGINE_ACCOUNT_H
#define MEMCGLAB_ENGINE_ACCOUNT_H

#include "machine.h"

enum account_item { ACCOUNT_MAPPED, ACCOUNT_DIRTY, ACCOUNT_WRITEBACK, NR_ACCOUNT_ITEMS };

/**
 * account_page - the folio at @slot begins or ceases to be mapped, dirty or under writeback
 * Counts the bracket around flag and counter where the kernel has one, and
 * lets its time pass where locks are modelled.  The counters themselves
 * (memcg.mapped, .dirty, .writeback) are kept in every kernel, for the model.
 * After: mem_cgroup_begin_update_page_stat(), mm/memcontrol.c, v3.5;
 * linux-mm 2012-07-27, "Per-cgroup page stat accounting", 4/6 and 5/6.
 */
void account_page(struct machine *m, uint32_t slot, enum account_item item);

/* account_rework - a page gets dirty: what that takes more since its flag and its counters change
 * in one function.  After: the same, 2/6. */
void account_rework(struct machine *m);

/* account_moving - charges leave group @memcg: it is marked until a grace period is over, for
 * which the mover waits where locks are modelled. */
void account_moving(struct machine *m, uint32_t memcg);

/* account_moved - a page has left group @memcg, under the lock of the group: counting its pages
 * waits meanwhile.  After: mem_cgroup_move_account(), mm/memcontrol.c, v3.5. */
void account_moved(struct machine *m, uint32_t memcg);

/* account_counts - whether the kernel counts @item for its groups. */
bool account_counts(const struct machine *m, enum account_item item);

/**
 * account_root - what the root prints of a figure that is not counted for it
 * @all, @others: of the machine, of all groups below
 * Groups are read one after the other, so they can make more than all.
 * After: "Don't account root memcg page statistics", 6/8, linux-mm 2012-12-26.
 */
pages_t account_root(pages_t all, pages_t others);

#endif
