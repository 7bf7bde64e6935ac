/*
 * Every byte that knowing the owner of pages costs: struct page with and
 * without the controller, arrays and records, chunks and nodes of the radix
 * tree with its look-aside, and the owners of swap slots.
 */
#ifndef MEMCGLAB_ENGINE_API_PCG_COST_H
#define MEMCGLAB_ENGINE_API_PCG_COST_H

#include "pcg.h"

enum {
	PCG_LOOKASIDE_SLOTS = 16,	/* of each CPU */
	PCG_PAGEBLOCK_ORDER = 9,	/* of pages of 4096 bytes: 2 MiB */
	PCG_TREE_SLOTS = 64		/* of a node: 6 bits of the index */
};

/**
 * pcg_chunk_order - pages whose records are one chunk of the radix tree, as a power of two
 * @pageblock: order of a pageblock, where the search begins
 * The largest that fits into two pages.
 */
uint32_t pcg_chunk_order(uint64_t record_bytes, bytes_t page_bytes, uint32_t pageblock);

/* pcg_tree_nodes - inner nodes over @nr leaves with indices from 0 to @nr - 1. */
uint64_t pcg_tree_nodes(uint64_t nr);

/* pcg_node_bytes - of one inner node. */
uint64_t pcg_node_bytes(enum pcg_arch arch);

/**
 * pcg_swap_pages - pages that keep the owners of swap slots
 * @slots:      of the swap device
 * @slot_bytes: 8 in v2.6.29 (a pointer), 2 since v2.6.30 (an id)
 * One more than is needed, as the kernel rounds.  Returns: 0 without swap.
 */
uint64_t pcg_swap_pages(uint64_t slots, uint32_t slot_bytes, bytes_t page_bytes);

struct pcg_cost_ask {
	const struct pcg_layout *layout;	/* NULL: no controller */
	const struct pcg_machine *machine;
	uint64_t charged;	/* [pages]; UINT64_MAX: all of RAM */
	uint32_t nr_cpus;	/* look-asides, and bits in the mask of a chunk */
	bytes_t swap_bytes;	/* 0: no swap, or it is not accounted */
	uint32_t slot_bytes;	/* see pcg_swap_pages */
};

struct pcg_cost {
	uint64_t page_bytes;		/* sizeof(struct page) */
	uint64_t word_bytes;		/* of it the controller's, over all frames */
	uint64_t array_bytes;		/* at boot, for every frame */
	uint64_t object_bytes;		/* one record, as its allocator rounds it; 0: no such */
	uint64_t objects_bytes;		/* of all charged pages */
	uint32_t chunk_order;		/* radix tree: all below are 0 for other layouts */
	uint64_t chunk_bytes, nr_chunks, chunks_bytes;
	uint64_t nr_nodes, nodes_bytes;
	uint64_t lookaside_bytes;	/* of all CPUs */
	uint64_t swap_bytes;		/* pages of owners, and the array that points to them */
	uint64_t total_bytes;		/* all but sizeof(struct page) */
};

/* pcg_cost - fill @out; every member, also those that are 0. */
void pcg_cost(const struct pcg_cost_ask *ask, struct pcg_cost *out);

/* pcg_cost_percent - its total, of the RAM of @machine. */
double pcg_cost_percent(const struct pcg_cost *cost, const struct pcg_machine *machine);

#endif
