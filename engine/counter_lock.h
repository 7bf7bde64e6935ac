/*
 * The locks of counters: which acquisitions a walk up or down the levels of
 * a counter takes.  Where counters are atomic the same walk is counted as
 * additions to shared lines.
 */
#ifndef MEMCGLAB_ENGINE_COUNTER_LOCK_H
#define MEMCGLAB_ENGINE_COUNTER_LOCK_H

#include "machine.h"

/* Counters of a group; each is an instance of the class. */
enum counter_kind { COUNTER_MEM, COUNTER_MEMSW, NR_COUNTER_KINDS };

/* counter_lock_open - the classes, and an instance for each group there can be. */
void counter_lock_open(struct machine *m);

/**
 * counter_lock_charge - the acquisitions of the charge that counter_try just made
 * @refused: what it returned
 * Memory is charged before memory and swap together to v3.16, after it from
 * v3.17 on.  A refusal at level k takes k acquisitions and k - 1 to undo, or
 * k additions and k subtractions; the other counter is taken back at every
 * level if it came first.
 * After: res_counter_charge(), kernel/res_counter.c, v2.6.31;
 * page_counter_try_charge(), mm/page_counter.c, v3.19.
 */
void counter_lock_charge(struct machine *m, uint32_t memcg, uint32_t refused);

/* counter_lock_reference - a page's charge takes a reference of its group, or its uncharge drops
 * it, in kernels that count them by page; the root is not counted.  Noted with lock_lines only.
 * After: css_tryget(), css_put(), include/linux/cgroup.h, v2.6.32. */
void counter_lock_reference(struct machine *m, uint32_t memcg);

/* counter_lock_uncharge - charges that no page used are given back: one acquisition a level and
 * counter, without @memsw of memory only. */
void counter_lock_uncharge(struct machine *m, uint32_t memcg, bool memsw);

/* counter_lock_soft - it is looked whether levels are above their soft limits: one acquisition of
 * each.  After: res_counter_soft_limit_excess(), include/linux/res_counter.h, v2.6.32. */
void counter_lock_soft(struct machine *m, uint32_t memcg);

/* counter_lock_free - a page is freed: the same now, or put off to the window's end; without
 * @memsw it went to swap, and memory and swap together keep it. */
void counter_lock_free(struct machine *m, uint32_t memcg, bool memsw);

/* Where pages are uncharged together, if the kernel does so there. */
enum window_kind { WINDOW_UNMAP, WINDOW_TRUNCATE, WINDOW_RECLAIM, NR_WINDOWS };

/**
 * counter_window_open, counter_window_close - what is freed in between is uncharged together
 * They nest: the outermost end counts.  No step ends inside one.
 * After: mem_cgroup_uncharge_start(), mm/memcontrol.c, v2.6.33.
 */
void counter_window_open(struct machine *m, enum window_kind kind);
void counter_window_close(struct machine *m, enum window_kind kind);

/* counter_window_cut - what the window gathered is uncharged now; it stays open. */
void counter_window_cut(struct machine *m);

/* counter_window_is - whether the kernel has windows of this kind. */
bool counter_window_is(const struct machine *m, enum window_kind kind);

/* counter_window_pages - after how many pages a window is closed and another opened; @first: it
 * is the first of an unmapping. */
uint32_t counter_window_pages(const struct machine *m, enum window_kind kind, bool first);

#endif
