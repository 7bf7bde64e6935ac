/*
 * A hit needs the same chunk index in the slot that the index selects; any
 * other chunk of that slot is evicted when a walk of the tree succeeds.
 * Chunks whose indices are 16 apart evict each other for ever.
 *
 * The first touch of a chunk fails, allocates it and inserts it, and does
 * not fill the slot: the next look-up walks the tree and does.
 * MODEL: outside of interrupts, where a walk would not fill the slot.
 *
 * After: linux-mm, 27 March 2008, patches 1/4 and 2/4 of radix-tree
 * page_cgroup v2.
 */
#include "lookaside.h"

#include <assert.h>

enum { SLOT_MASK = PCG_LOOKASIDE_SLOTS - 1, WORD_BITS = 64 };

bool lookaside_holds(const struct lookaside *cpu, uint64_t chunk)
{
	return cpu->chunk[chunk & SLOT_MASK] == chunk + 1;
}

/* Is the chunk in the tree?  Afterwards it is. */
static bool tree_test_and_set(struct lookaside_tree *tree, uint64_t chunk)
{
	uint64_t bit = (uint64_t)1 << chunk % WORD_BITS;
	bool there;

	if (!tree->bits)
		return true;
	assert(chunk < tree->nr_chunks);
	there = (tree->bits[chunk / WORD_BITS] & bit) != 0;
	tree->bits[chunk / WORD_BITS] |= bit;
	tree->nr_made += !there;
	return there;
}

/* Whoever was in the slot leaves it. */
static void fill(struct lookaside *cpu, uint64_t chunk)
{
	uint64_t *slot = &cpu->chunk[chunk & SLOT_MASK];

	cpu->nr_evictions += *slot != 0;
	*slot = chunk + 1;
}

enum lookaside_result lookaside_find(struct lookaside *cpu, struct lookaside_tree *tree,
				     uint64_t pfn)
{
	uint64_t chunk = pfn >> tree->order;

	if (cpu && lookaside_holds(cpu, chunk)) {
		cpu->nr_hits++;
		return LOOKASIDE_HIT;
	}
	if (cpu)
		cpu->nr_misses++;
	if (!tree_test_and_set(tree, chunk))
		return LOOKASIDE_MADE;
	if (cpu)
		fill(cpu, chunk);
	return LOOKASIDE_WALK;
}

/* A look-aside that still held a freed chunk would hand out freed memory. */
void lookaside_drop(struct lookaside *cpu, struct lookaside_tree *tree, uint64_t chunk)
{
	assert(chunk < tree->nr_chunks);
	if (lookaside_holds(cpu, chunk))
		cpu->chunk[chunk & SLOT_MASK] = 0;
	tree->bits[chunk / WORD_BITS] &= ~((uint64_t)1 << chunk % WORD_BITS);
}
