/*
 * What the kernel memory of a group is, to the byte: pages of its own, and
 * small objects, which share pages by way of the CPUs' byte stocks.
 */
#ifndef MEMCGLAB_ENGINE_API_KMEM_H
#define MEMCGLAB_ENGINE_API_KMEM_H

#include "units.h"

enum kmem_part {
	KMEM_PAGETABLES,	/* over anonymous memory: a page each */
	KMEM_KERNEL_STACK,	/* of threads that were made in the group */
	KMEM_TREE_NODES,	/* of the page cache, those that hold shadows only too */
	KMEM_ANON_VMA,		/* which task has which memory: anon_vma, anon_vma_chain */
	KMEM_BUFFER_HEADS,	/* of pages of files that were written */
	KMEM_CHILD_GROUPS,	/* structures of groups below it */
	KMEM_SLAB_OBJECTS,	/* what a scenario says that its tasks have allocated */
	NR_KMEM_OBJECTS,
	KMEM_BYTE_STOCK = NR_KMEM_OBJECTS,	/* charged, and held by a CPU for the next object */
	KMEM_REMAINDER,		/* charged, and held by nobody: what drained byte stocks left */
	NR_KMEM_PARTS
};

struct run;

/* kmem_part_name - as Lua, JSON and the screen have it: "kernel_stack". */
const char *kmem_part_name(enum kmem_part part);

/**
 * run_kmem - the parts of the kernel memory that is charged to a group and all that counts there
 * @memcg: css id
 * @bytes: receives them; their sum is run_memcg's kmem
 */
void run_kmem(const struct run *run, uint32_t memcg, bytes_t bytes[NR_KMEM_PARTS]);

#endif
