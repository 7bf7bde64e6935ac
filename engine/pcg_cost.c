/*
 * What each layout costs in all.  An array is paid at boot for every frame;
 * an object or a chunk with the first charge; a word of struct page for
 * every frame, charged or not.
 *
 * Each figure is arithmetic on sizes of structs; nothing is fitted.
 * MODEL: charged pages fill whole chunks from frame 0 on, as on a machine
 * whose memory is used up; frames that lie scattered need more chunks.
 *
 * After: mm/memcontrol.c (2.6.25 to 2.6.27), lib/radix-tree.c (2.6.25),
 * mm/page_cgroup.c (2.6.29 and later, swap_cgroup_swapon), and the radix
 * tree proposal of March 2008.
 */
#include "pcg_cost.h"

#include <assert.h>
#include <string.h>

enum {
	KMALLOC_MIN = 32,	/* the smallest object of the general caches */
	POINTER_64 = 8,
	POINTER_32 = 4,
	PAGE_64 = 56,		/* struct page without the controller's word */
	PAGE_32 = 32,
	TREE_TAGS = 2,		/* bitmaps of a node, a bit a slot each */
	LOOKASIDE_WORDS = 2	/* of a slot: chunk index and base */
};

static uint64_t word_of(enum pcg_arch arch)
{
	return arch == PCG_X86_64 ? POINTER_64 : POINTER_32;
}

/* The general caches are powers of two; a cache of its own packs words. */
static uint64_t object_bytes(const struct pcg_layout *layout, uint64_t record)
{
	uint64_t size = KMALLOC_MIN;

	if (!layout->kmalloc)
		return record;
	while (size < record)
		size *= 2;
	return size;
}

uint32_t pcg_chunk_order(uint64_t record_bytes, bytes_t page_bytes, uint32_t pageblock)
{
	uint32_t order = pageblock;

	assert(record_bytes > 0 && pageblock < 32);
	while (order > 0 && record_bytes << order > 2 * page_bytes)
		order--;
	return order;
}

/* A tree of one leaf has no node: the root points to it. */
uint64_t pcg_tree_nodes(uint64_t nr)
{
	uint64_t sum = 0;

	if (nr <= 1)
		return 0;
	do {
		nr = (nr + PCG_TREE_SLOTS - 1) / PCG_TREE_SLOTS;
		sum += nr;
	} while (nr > 1);
	return sum;
}

/* Height and count, two words for RCU, the slots, and the tags. */
uint64_t pcg_node_bytes(enum pcg_arch arch)
{
	uint64_t word = word_of(arch);

	return 2 * sizeof(uint32_t) + 2 * word + PCG_TREE_SLOTS * word +
	       TREE_TAGS * PCG_TREE_SLOTS / 8;
}

uint64_t pcg_swap_pages(uint64_t slots, uint32_t slot_bytes, bytes_t page_bytes)
{
	assert(slot_bytes > 0 && page_bytes >= slot_bytes);
	return slots ? slots / (page_bytes / slot_bytes) + 1 : 0;
}

/* Chunks of charged pages, the tree over them, and a look-aside on each CPU. */
static void cost_tree(const struct pcg_cost_ask *ask, uint64_t charged, bytes_t page,
		      struct pcg_cost *out)
{
	enum pcg_arch arch = ask->machine->arch;
	uint64_t word = word_of(arch), bits = 8 * word, record;
	/* The mask of CPUs that cached the chunk is a whole number of words. */
	uint64_t mask = (ask->nr_cpus + bits - 1) / bits * word;
	uint32_t pageblock = PCG_PAGEBLOCK_ORDER;

	record = pcg_record_bytes(ask->layout, arch);
	/* 32-bit x86 without PAE has large pages of 4 MiB. */
	if (arch == PCG_X86)
		pageblock++;
	out->chunk_order = pcg_chunk_order(record, page, pageblock);
	out->chunk_bytes = (record << out->chunk_order) + mask;
	out->nr_chunks = (charged + ((uint64_t)1 << out->chunk_order) - 1) >> out->chunk_order;
	out->chunks_bytes = out->nr_chunks * out->chunk_bytes;
	out->nr_nodes = pcg_tree_nodes(out->nr_chunks);
	out->nodes_bytes = out->nr_nodes * pcg_node_bytes(arch);
	out->lookaside_bytes = ask->nr_cpus * PCG_LOOKASIDE_SLOTS * LOOKASIDE_WORDS * word;
}

/* The pages of owners, and a pointer to each. */
static uint64_t cost_swap(const struct pcg_cost_ask *ask, bytes_t page)
{
	uint64_t pages;

	if (!ask->swap_bytes)
		return 0;
	pages = pcg_swap_pages(ask->swap_bytes / page, ask->slot_bytes, page);
	return pages * page + pages * word_of(ask->machine->arch);
}

void pcg_cost(const struct pcg_cost_ask *ask, struct pcg_cost *out)
{
	const struct pcg_machine *machine = ask->machine;
	const struct pcg_layout *layout = ask->layout;
	bytes_t page = machine->page_bytes ? machine->page_bytes : PAGE_BYTES;
	uint64_t all = pcg_ram_bytes(machine) / page;
	uint64_t charged = ask->charged < all ? ask->charged : all;
	uint64_t word = word_of(machine->arch);

	memset(out, 0, sizeof(*out));
	out->page_bytes = machine->arch == PCG_X86_64 ? PAGE_64 : PAGE_32;
	if (!layout)
		return;
	if (layout->word) {
		out->page_bytes += word;
		out->word_bytes = word * pcg_entries(machine);
	}
	out->array_bytes = pcg_array_bytes(layout, machine);
	if (layout->chunked) {
		cost_tree(ask, charged, page, out);
	} else if (!layout->array && pcg_record_bytes(layout, machine->arch)) {
		out->object_bytes = object_bytes(layout, pcg_record_bytes(layout, machine->arch));
		out->objects_bytes = out->object_bytes * charged;
	}
	out->swap_bytes = cost_swap(ask, page);
	out->total_bytes = out->word_bytes + out->array_bytes + out->objects_bytes +
			   out->chunks_bytes + out->nodes_bytes + out->lookaside_bytes +
			   out->swap_bytes;
}

double pcg_cost_percent(const struct pcg_cost *cost, const struct pcg_machine *machine)
{
	bytes_t ram = pcg_ram_bytes(machine);

	return ram ? 100.0 * (double)cost->total_bytes / (double)ram : 0;
}
