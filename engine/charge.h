/*
 * Charging pages to a group and its ancestors, by era: one page at a time,
 * or 32 at once into the CPU's stock.
 */
#ifndef MEMCGLAB_ENGINE_CHARGE_H
#define MEMCGLAB_ENGINE_CHARGE_H

#include "machine.h"

/**
 * charge_try - one attempt to charge one page to @memcg from @cpu
 * @memcg: css id; pages are charged to it and to every level above that it counts for
 * @again: this charge was refused before and reclaim ran: no batch is tried
 * A stock of the group on @cpu is used first; that touches no counter.  Else a
 * batch is tried and what is over goes into the stock, else one page.
 * Returns: MEMCG_NONE when charged, else the css id of the level that refused.
 * After: __mem_cgroup_try_charge(), mm/memcontrol.c, v2.6.31 and v3.1.
 */
uint32_t charge_try(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n, bool again);

/**
 * charge_run - charge as many pages at once as no level and no stock can refuse
 * @max: pages wanted, at least 1
 * Not where locks are modelled, which each charge takes.  The state afterwards
 * is that of as many charge_try.  Returns: pages charged, 0 if the next one needs
 * charge_try.
 */
pages_t charge_run(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max);

/* charge_pages - charge_try without counting a page of the group's own: kernel memory. */
uint32_t charge_pages(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n, bool again);

/* charge_refill - @n charged pages go into the stock of @cpu; beyond a batch all of it goes back.
 * After: refill_stock(), mm/memcontrol.c, v3.1 and v6.18. */
void charge_refill(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n);

/* charge_kmem - kernel memory of @memcg and its ancestors grows by @pages (may be negative).
 * A share of usage only: usage itself is charged and given back apart. */
void charge_kmem(struct machine *m, uint32_t memcg, int64_t pages);

/* charge_part - @bytes of what @part says are @memcg's from now on (negative: are not any more).
 * Tells what kernel memory is, and charges nothing. */
static inline void charge_part(struct machine *m, uint32_t memcg, enum kmem_part part,
			       int64_t bytes)
{
	machine_memcg(m, memcg)->kmem_of[part] += (bytes_t)bytes;
}

/* kmem_parts - what run_kmem tells. */
void kmem_parts(const struct machine *m, uint32_t memcg, bytes_t bytes[NR_KMEM_PARTS]);

/* charge_free_page - a page of kernel memory of @memcg goes back, into the stock of @cpu. */
void charge_free_page(struct machine *m, uint32_t cpu, uint32_t memcg, enum kmem_part part);

/* charge_free_object - a small object of @memcg goes back, into the byte stock of @cpu. */
void charge_free_object(struct machine *m, uint32_t cpu, uint32_t memcg, enum kmem_part part,
			uint32_t bytes);

/* charge_free_stacks - @task has ended: its threads' stacks go back.
 * After: exit_task_stack_account(), kernel/fork.c, v6.18. */
void charge_free_stacks(struct machine *m, uint32_t task);

/* charge_new_group - the structures of group @memcg are charged to its parent, object by object,
 * as long as there is room.  charge_free_group - they go back when it is released, to who has
 * what was its parent's.  After: mem_cgroup_css_alloc(), __mem_cgroup_free(), v6.18. */
void charge_new_group(struct machine *m, uint32_t cpu, uint32_t memcg);
void charge_free_group(struct machine *m, uint32_t cpu, uint32_t memcg);

/* charge_give_chains - @nr records of which pages memory has are given back. */
void charge_give_chains(struct machine *m, uint32_t cpu, uint32_t memcg, uint32_t nr);

/**
 * charge_take_bytes - use the byte stock of @cpu
 * charge_give_bytes - put bytes into it; whole pages go on to the page stock if @uncharge
 * charge_drain_bytes - give it back
 * Returns: whether it held enough.
 * After: consume_obj_stock(), refill_obj_stock(), drain_obj_stock(), mm/memcontrol.c, v6.18.
 */
bool charge_take_bytes(struct machine *m, uint32_t cpu, uint32_t memcg, uint32_t bytes);

/* charge_bytes - bytes of a small object, from the byte stock or a page charged without reclaim.
 * Returns: whether there was room. */
bool charge_bytes(struct machine *m, uint32_t cpu, uint32_t memcg, uint32_t bytes);
void charge_give_bytes(struct machine *m, uint32_t cpu, uint32_t memcg, uint32_t bytes,
		       bool uncharge);
void charge_drain_bytes(struct machine *m, struct cpu *cpu);

/* charge_yield_bytes - the byte stocks of all CPUs are given back: others used them meanwhile. */
void charge_yield_bytes(struct machine *m);

/* charge_uncharge - give @n pages owned by @memcg back, at every level at once, never into a
 * stock.  The group must own as many (asserted). */
void charge_uncharge(struct machine *m, uint32_t memcg, pages_t n);

/**
 * charge_drain_stocks - unused stocks of groups in the hierarchy of @root are given back
 * With drain=every those of all groups.  That of @cpu at once, those of other
 * CPUs before the next step.
 * After: drain_all_stock_async(), mm/memcontrol.c, v3.1.
 */
void charge_drain_stocks(struct machine *m, uint32_t cpu, uint32_t root);

/* charge_deferred - the deferred drains of all CPUs: between two steps, where the kernel would
 * have run their work items. */
void charge_deferred(struct machine *m);

/* charge_uncharge_folio - the @n pages of one folio: one event of v1's pgpgout.  @swapped: memory
 * and swap together keep them. */
void charge_uncharge_folio(struct machine *m, uint32_t memcg, pages_t n, bool swapped);

/* charge_stock_at - stock number @i of @cpu, free or not; NULL past the last. */
struct stock *charge_stock_at(const struct machine *m, uint32_t cpu, uint32_t i);

/* charge_unit - the least that a charge of @n pages asks for: with charge=rfc a whole batch. */
pages_t charge_unit(const struct machine *m, pages_t n);

/* charge_margin - whether one more page fits into @memcg itself; its ancestors are not asked. */
bool charge_margin(const struct machine *m, uint32_t memcg, pages_t n);

/* charge_kmem_owner - whose kernel memory that of @memcg is: a dying group's is its nearest living
 * ancestor's.  After: current_obj_cgroup(), memcg_reparent_objcgs(), mm/memcontrol.c, v6.18. */
uint32_t charge_kmem_owner(const struct machine *m, uint32_t memcg);

/* charge_free_buffers - the folio at @slot goes: the buffer heads that it has are uncharged. */
void charge_free_buffers(struct machine *m, uint32_t cpu, uint32_t slot);

#endif
