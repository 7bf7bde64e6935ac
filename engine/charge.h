/*
 * Charging pages to a group and its ancestors, by era: one page at a time,
 * or 32 at once into the CPU's stock.
 */
#ifndef MEMCGLAB_ENGINE_CHARGE_H
#define MEMCGLAB_ENGINE_CHARGE_H

#include "machine.h"

/**
 * charge_try - one attempt to charge one page to @memcg from @cpu
 * @again: this charge was refused before and reclaim ran: no batch is tried
 * Returns: MEMCG_NONE when charged, else the css id of the level that refused.
 * After: __mem_cgroup_try_charge(), mm/memcontrol.c, v2.6.31 and v3.1.
 */
uint32_t charge_try(struct machine *m, uint32_t cpu, uint32_t memcg, bool again);

/**
 * charge_run - charge as many pages at once as no level and no stock can refuse
 * @max: pages wanted, at least 1
 * The state afterwards is that of as many charge_try.  Returns: pages
 * charged, 0 if the next one needs charge_try.
 */
pages_t charge_run(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max);

/* charge_uncharge - give @n pages owned by @memcg back, at every level at once. */
void charge_uncharge(struct machine *m, uint32_t memcg, pages_t n);

/**
 * charge_drain_stocks - unused stocks of groups in the hierarchy of @root are given back
 * That of @cpu at once, those of other CPUs before their next step.
 * After: drain_all_stock_async(), mm/memcontrol.c, v3.1.
 */
void charge_drain_stocks(struct machine *m, uint32_t cpu, uint32_t root);

/* charge_deferred - the deferred drains of all CPUs: between two steps. */
void charge_deferred(struct machine *m);

/* charge_margin - whether one more page fits into @memcg itself. */
bool charge_margin(const struct machine *m, uint32_t memcg);

#endif
