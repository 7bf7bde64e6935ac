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

/* counter_lock_new - @memcg is new and made on @cpu: its counters' lines are there. */
void counter_lock_new(struct machine *m, uint32_t memcg, uint32_t cpu);

/**
 * counter_lock_charge - the acquisitions of the charge that counter_try just made
 * @refused: what it returned
 * Memory is charged before memory and swap together to v3.16, after it from
 * v3.17 on.  A refusal at level k takes k acquisitions and k - 1 to undo, and
 * the other counter is taken back at every level if it came first.
 * After: res_counter_charge(), kernel/res_counter.c, v2.6.31.
 */
void counter_lock_charge(struct machine *m, uint32_t memcg, uint32_t refused);

/* counter_lock_uncharge - one acquisition a level; of memsw too, unless pages went to swap. */
void counter_lock_uncharge(struct machine *m, uint32_t memcg, bool memsw);

#endif
