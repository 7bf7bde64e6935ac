/*
 * Kernel memory that goes back, and small objects, charged by bytes from a
 * CPU's byte stock.  Invariant: pages of kmem are those of the objects, of the stocks
 * and of what drained stocks left.  Follows obj_cgroup_charge() and
 * refill_obj_stock(), mm/memcontrol.c, v6.18.
 */
#include "charge.h"

#include <assert.h>

bool charge_take_bytes(struct machine *m, uint32_t cpu_id, uint32_t memcg, uint32_t bytes)
{
	struct cpu *cpu = &m->cpu[cpu_id];

	assert(memcg && bytes <= PAGE_BYTES);
	if (cpu->byte_memcg != memcg || cpu->byte_nr < bytes)
		return false;
	cpu->byte_nr -= bytes;
	return true;
}

void charge_give_bytes(struct machine *m, uint32_t cpu_id, uint32_t memcg, uint32_t bytes,
		       bool uncharge)
{
	struct cpu *cpu = &m->cpu[cpu_id];
	uint32_t pages;

	if (cpu->byte_memcg != memcg) {
		if (cpu->byte_memcg)
			charge_drain_bytes(m, cpu);
		cpu->byte_memcg = memcg;
		cpu->byte_nr = machine_memcg(m, memcg)->kmem_bytes_left;
		machine_memcg(m, memcg)->kmem_bytes_left = 0;
		uncharge = true;
	}
	cpu->byte_nr += bytes;
	if (!uncharge || cpu->byte_nr <= PAGE_BYTES)
		return;
	pages = cpu->byte_nr / PAGE_BYTES;
	cpu->byte_nr %= PAGE_BYTES;
	charge_kmem(m, memcg, -(int64_t)pages);
	charge_refill(m, cpu_id, memcg, pages);
}

void charge_free_page(struct machine *m, uint32_t cpu, uint32_t memcg, enum kmem_part part)
{
	assert(machine_memcg(m, memcg)->kmem_of[part] >= PAGE_BYTES);
	charge_kmem(m, memcg, -1);
	charge_part(m, memcg, part, -(int64_t)PAGE_BYTES);
	charge_refill(m, cpu, memcg, 1);
}

void charge_free_object(struct machine *m, uint32_t cpu, uint32_t memcg, enum kmem_part part,
			uint32_t bytes)
{
	assert(machine_memcg(m, memcg)->kmem_of[part] >= bytes);
	charge_part(m, memcg, part, -(int64_t)bytes);
	charge_give_bytes(m, cpu, memcg, bytes, true);
}

void charge_free_stacks(struct machine *m, uint32_t task)
{
	for (; m->task[task].stack > 0; m->task[task].stack--)
		charge_free_page(m, m->task[task].cpu, m->task[task].stack_memcg,
				 KMEM_KERNEL_STACK);
}

void charge_give_chains(struct machine *m, uint32_t cpu, uint32_t memcg, uint32_t nr)
{
	for (; nr > 0; nr--)
		charge_free_object(m, cpu, memcg, KMEM_ANON_VMA, ANON_CHAIN_BYTES);
}

bool charge_bytes(struct machine *m, uint32_t cpu, uint32_t memcg, uint32_t bytes)
{
	if (charge_take_bytes(m, cpu, memcg, bytes))
		return true;
	if (charge_pages(m, cpu, memcg, 1, false))
		return false;
	charge_kmem(m, memcg, 1);
	charge_give_bytes(m, cpu, memcg, PAGE_BYTES - bytes, false);
	return true;
}

enum { GROUP_OBJECTS = 20, GROUP_OBJECT_BYTES = 496 };

void charge_new_group(struct machine *m, uint32_t cpu, uint32_t memcg)
{
	struct memcg *group = machine_memcg(m, memcg);

	for (; group->nr_objects < GROUP_OBJECTS &&
	       charge_bytes(m, cpu, group->parent, GROUP_OBJECT_BYTES);
	     group->nr_objects++)
		charge_part(m, group->parent, KMEM_CHILD_GROUPS, GROUP_OBJECT_BYTES);
}

void charge_free_group(struct machine *m, uint32_t cpu, uint32_t memcg)
{
	struct memcg *group = machine_memcg(m, memcg);
	uint32_t owner = charge_kmem_owner(m, group->parent);

	for (; group->nr_objects > 0; group->nr_objects--)
		charge_free_object(m, cpu, owner, KMEM_CHILD_GROUPS, GROUP_OBJECT_BYTES);
}

void charge_yield_bytes(struct machine *m)
{
	uint32_t i;

	for (i = 0; i < m->sc.cpus; i++)
		if (m->cpu[i].byte_memcg)
			charge_drain_bytes(m, &m->cpu[i]);
}

uint32_t charge_kmem_owner(const struct machine *m, uint32_t memcg)
{
	while (machine_memcg(m, memcg)->dying)
		memcg = machine_memcg(m, memcg)->parent;
	return memcg;
}

void charge_free_buffers(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word, i;

	/* Of memory, and of pages of shmem, the flag means something else. */
	if ((word & (PG_BUFFERS | PG_ANON)) != PG_BUFFERS ||
	    m->pages.mapping[m->pages.leaf[slot >> LEAF_SHIFT].mapping].anon)
		return;
	for (i = 0; i < page_nr(&m->pages, slot); i++)
		charge_free_object(m, cpu, charge_kmem_owner(m, word & PG_MEMCG), KMEM_BUFFER_HEADS,
				   BUFFER_BYTES);
}
