/*
 * Kernel memory taken apart.  Invariant: the parts of a group sum to its
 * kernel memory, to the byte; invariant_charges.c sees to it.  Follows what
 * memory.stat tells of it, and nr_bytes of struct obj_cgroup and struct
 * obj_stock, mm/memcontrol.c, v6.18.
 */
#include "kmem.h"

#include <assert.h>
#include <string.h>

#include "charge.h"
#include "run_private.h"

static const char *const names[NR_KMEM_PARTS] = {
	[KMEM_PAGETABLES] = "pagetables",	[KMEM_KERNEL_STACK] = "kernel_stack",
	[KMEM_TREE_NODES] = "tree_nodes",	[KMEM_ANON_VMA] = "anon_vma",
	[KMEM_BUFFER_HEADS] = "buffer_heads",	[KMEM_CHILD_GROUPS] = "child_groups",
	[KMEM_SLAB_OBJECTS] = "slab_objects",	[KMEM_BYTE_STOCK] = "byte_stock",
	[KMEM_REMAINDER] = "remainder",
};

const char *kmem_part_name(enum kmem_part part)
{
	assert(part >= 0 && part < NR_KMEM_PARTS);
	return names[part];
}

/* Whether what is charged to @from counts in @level. */
static bool counts_in(const struct machine *m, uint32_t from, uint32_t level)
{
	while (from && from != level)
		from = machine_memcg(m, from)->counter_parent;
	return from == level;
}

void kmem_parts(const struct machine *m, uint32_t memcg, bytes_t bytes[NR_KMEM_PARTS])
{
	uint32_t id, i;

	memset(bytes, 0, NR_KMEM_PARTS * sizeof(*bytes));
	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		const struct memcg *of = machine_memcg(m, id);

		if (!memcg_exists(of) || !counts_in(m, id, memcg))
			continue;
		for (i = 0; i < NR_KMEM_OBJECTS; i++)
			bytes[i] += of->kmem_of[i];
		bytes[KMEM_REMAINDER] += of->kmem_bytes_left;
	}
	for (i = 0; i < m->sc.cpus; i++)
		if (m->cpu[i].byte_memcg && counts_in(m, m->cpu[i].byte_memcg, memcg))
			bytes[KMEM_BYTE_STOCK] += m->cpu[i].byte_nr;
}

void run_kmem(const struct run *run, uint32_t memcg, bytes_t bytes[NR_KMEM_PARTS])
{
	kmem_parts(run_machine_const(run), memcg, bytes);
}
