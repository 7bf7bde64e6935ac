/*
 * What can be read of a machine's zones and nodes: free pages against
 * watermarks, and how many pages a group has on which node.
 */
#ifndef MEMCGLAB_ENGINE_API_ZONES_H
#define MEMCGLAB_ENGINE_API_ZONES_H

#include "run.h"

struct run_zone {
	uint32_t node;
	const char *name;		/* "DMA", "DMA32", "Normal" */
	pages_t present, free, min, low, high;
	pages_t size[NR_LRU];		/* listed pages of all groups */
	bool hopeless;			/* all_unreclaimable */
};

/* run_zone - zone @i, node by node, each from the lowest addresses up.  Returns: false past the
 * last. */
bool run_zone(const struct run *run, uint32_t i, struct run_zone *out);

/* run_memcg_node - listed pages of a group itself on @node. */
pages_t run_memcg_node(const struct run *run, uint32_t memcg, uint32_t node, enum lru lru);

#endif
