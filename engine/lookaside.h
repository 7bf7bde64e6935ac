/*
 * The per-CPU look-aside in front of the radix tree of page_cgroup chunks,
 * as proposed in March 2008: direct mapped, 16 entries, told by chunk.
 */
#ifndef MEMCGLAB_ENGINE_LOOKASIDE_H
#define MEMCGLAB_ENGINE_LOOKASIDE_H

#include <stdbool.h>

#include "pcg_cost.h"

/* One CPU's.  Zeroed, it is empty; it holds no pointer, so a copy is the same look-aside. */
struct lookaside {
	uint64_t chunk[PCG_LOOKASIDE_SLOTS];	/* index + 1; 0: empty */
	uint64_t nr_hits, nr_misses, nr_evictions;
};

/* Which chunks of the tree exist: a bit each, the caller's memory. */
struct lookaside_tree {
	uint64_t *bits;		/* NULL: all of them */
	uint64_t nr_chunks;
	uint32_t order;		/* of a chunk [pages, as a power of two] */
	uint64_t nr_made;	/* chunks that a first touch allocated */
};

enum lookaside_result {
	LOOKASIDE_HIT,		/* no walk of the tree */
	LOOKASIDE_WALK,		/* the tree had it, and the slot is filled */
	LOOKASIDE_MADE		/* the chunk was made; the slot is not filled */
};

/**
 * lookaside_find - the page_cgroup of page frame @pfn, made if it is not there
 * @cpu: NULL: no look-aside, every look-up walks the tree (patch 1/4 alone)
 */
enum lookaside_result lookaside_find(struct lookaside *cpu, struct lookaside_tree *tree,
				     uint64_t pfn);

/* lookaside_drop - a chunk is freed: its entry goes, if @cpu has it; the tree forgets it. */
void lookaside_drop(struct lookaside *cpu, struct lookaside_tree *tree, uint64_t chunk);

/* lookaside_holds - is the chunk in its slot? */
bool lookaside_holds(const struct lookaside *cpu, uint64_t chunk);

#endif
