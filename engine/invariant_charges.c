/*
 * The laws of model/accounting.md section 9 that can be seen from outside
 * one step, by their numbers there: A1 the parts of kernel memory, A2 a level
 * against its children, A5 and A6 what lock_stat counts, A10 charges less
 * uncharges; and swapcached.
 */
#include "invariant_charges.h"

#include "charge.h"
#include "policy.h"
#include "stat_batch.h"

/* A level holds at least what its hierarchical children do. */
static enum err check_children(const struct machine *m, uint32_t id, struct diag *diag)
{
	pages_t below = 0;
	uint32_t i;

	for (i = MEMCG_ROOT; i <= memcg_max(&m->memcgs); i++)
		if (memcg_exists(machine_memcg(m, i)) && machine_memcg(m, i)->counter_parent == id)
			below += machine_memcg(m, i)->counter.usage;
	if (machine_memcg(m, id)->counter.usage < below)
		return diag_fail(diag, ERR_RANGE, "A2: %s: usage is below that of its children",
				 machine_memcg(m, id)->path);
	return ERR_OK;
}

/* Each event is a page where no folio is larger. */
static enum err check_events(const struct machine *m, uint32_t id, struct diag *diag)
{
	const struct memcg *memcg = machine_memcg(m, id);

	if (!m->charges || memcg->uncounted || m->pages.folios)
		return ERR_OK;
	if (memcg->pgpgin - memcg->pgpgout != memcg->charged)
		return diag_fail(diag, ERR_RANGE,
				 "A10: %s: %llu charges, %llu uncharges, %llu pages", memcg->path,
				 (unsigned long long)memcg->pgpgin,
				 (unsigned long long)memcg->pgpgout,
				 (unsigned long long)memcg->charged);
	return ERR_OK;
}

/* Kernel memory is its parts, to the byte, and tree nodes are those that there are. */
static enum err check_kmem(const struct machine *m, uint32_t id, struct diag *diag)
{
	const struct memcg *memcg = machine_memcg(m, id);
	bytes_t bytes[NR_KMEM_PARTS], sum = 0;
	int i;

	kmem_parts(m, id, bytes);
	for (i = 0; i < NR_KMEM_PARTS; i++)
		sum += bytes[i];
	if (sum != memcg->kmem * PAGE_BYTES)
		return diag_fail(diag, ERR_RANGE, "A1: %s: %llu bytes of kernel memory, parts %llu",
				 memcg->path, (unsigned long long)memcg->kmem * PAGE_BYTES,
				 (unsigned long long)sum);
	if (machine_axis(m, AXIS_KMEM) == KMEM_NODES &&
	    memcg->kmem_of[KMEM_TREE_NODES] != (bytes_t)memcg->nr_nodes * NODE_BYTES)
		return diag_fail(diag, ERR_RANGE, "A1: %s: %u tree nodes, but %llu bytes of them",
				 memcg->path, memcg->nr_nodes,
				 (unsigned long long)memcg->kmem_of[KMEM_TREE_NODES]);
	return ERR_OK;
}

/* No CPU keeps back more than a batch. */
static enum err check_gathered(const struct machine *m, uint32_t id, struct diag *diag)
{
	int64_t most = machine_knobs(m)->charge_batch * (int64_t)m->sc.cpus;
	int item;

	for (item = 0; item < NR_BATCH_ITEMS; item++) {
		int64_t held = stat_batch_held(m, id, (enum batch_item)item);

		if (held > most || held < -most)
			return diag_fail(diag, ERR_RANGE, "A1: %s: CPUs keep back %lld of item %d",
					 machine_memcg(m, id)->path, (long long)held, item);
	}
	return ERR_OK;
}

static uint64_t sum_of(const struct lock_sites *sites)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < sites->nr; i++)
		sum += sites->count[i];
	return sum;
}

/* Both blocks of call sites name every contention, unless a fifth site came. */
static enum err check_class(const struct locks *locks, uint32_t class, struct diag *diag)
{
	const struct lock_class *of = &locks->class[class];
	const struct lock_stat *stat = &locks->stat[class * locks->cpus];
	uint64_t waits = 0, under_way = 0, waiters = sum_of(&of->waiter);
	uint32_t cpu;

	for (cpu = 0; cpu < locks->cpus; cpu++) {
		/* Where lines are followed a lock may be waited for, or held, right now. */
		uint64_t now = locks->line != NULL;

		under_way += now;
		waits += stat[cpu].wait.nr;
		if (stat[cpu].con_bounces > stat[cpu].wait.nr + now ||
		    stat[cpu].wait.nr > stat[cpu].hold.nr + now ||
		    stat[cpu].acq_bounces > stat[cpu].hold.nr + now)
			return diag_fail(diag, ERR_RANGE, "A6: %s: CPU %u has more bounces than %s",
					 of->name, cpu, "contentions or acquisitions");
	}
	if (waiters < waits || waiters > waits + under_way) {
		if (of->waiter.nr < LOCK_SITES)
			return diag_fail(diag, ERR_RANGE, "A5: %s: %llu contentions, %llu at sites",
					 of->name, (unsigned long long)waits,
					 (unsigned long long)waiters);
	}
	if (sum_of(&of->holder) != waiters && of->waiter.nr < LOCK_SITES &&
	    of->holder.nr < LOCK_SITES)
		return diag_fail(diag, ERR_RANGE, "A5: %s: its blocks of sites differ", of->name);
	return ERR_OK;
}

/* The pages that have a copy in swap are counted for their owners. */
static enum err check_swap_cache(const struct machine *m, struct diag *diag)
{
	uint32_t slot, end = m->block.region[REGION_LEAF].used << LEAF_SHIFT, id;
	pages_t pages = 0, counted = 0;

	for (slot = LEAF_SLOTS; m->sc.swap_pages && slot < end; slot++) {
		uint32_t word = m->pages.slot[slot].word;

		pages += (word & PG_RESIDENT) && page_in_swap_cache(word);
	}
	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		counted += machine_memcg(m, id)->swapcached;
	if (pages != counted)
		return diag_fail(diag, ERR_RANGE, "%llu pages are in the swap cache, %llu counted",
				 (unsigned long long)pages, (unsigned long long)counted);
	return ERR_OK;
}

enum err invariant_charges(const struct machine *m, struct diag *diag)
{
	enum err err = check_swap_cache(m, diag);
	uint32_t i;

	for (i = MEMCG_ROOT; !err && i <= memcg_max(&m->memcgs); i++) {
		if (!memcg_exists(machine_memcg(m, i)))
			continue;
		err = check_children(m, i, diag);
		if (!err)
			err = check_kmem(m, i, diag);
		if (!err)
			err = check_gathered(m, i, diag);
		if (!err)
			err = check_events(m, i, diag);
	}
	for (i = 0; !err && machine_has_locks(m) && i < m->block.region[REGION_LOCK_CLASS].used;
	     i++)
		err = check_class(&m->locks, i, diag);
	return err;
}
