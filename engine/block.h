/*
 * The one block of memory that holds a machine's whole state.  Address
 * space is reserved once and committed by use; regions inside hold arrays
 * that only grow, linked by indices, so the block can be copied, hashed and
 * moved.  Nothing is freed before the block is.
 */
#ifndef MEMCGLAB_ENGINE_BLOCK_H
#define MEMCGLAB_ENGINE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum region {
	REGION_HOST,
	REGION_CPU,
	REGION_MEMCG,
	REGION_TASK,
	REGION_OPEN,		/* files opened by tasks */
	REGION_MAPPING,
	REGION_ACTOR,
	REGION_WRITEBACK,	/* pages on their way to the device */
	REGION_TAKEN,		/* who took pages from whom */
	REGION_DIR,		/* leaf numbers of mappings */
	REGION_LEAF_INFO,
	REGION_LEAF,
	REGION_LEAF_NODES,	/* tree nodes of a leaf, with refault=on or kmem=nodes */
	REGION_UPPER,		/* upper tree nodes */
	REGION_ZONE_STAMP,
	REGION_CHUNK_INFO,
	REGION_CHUNK,
	NR_REGIONS
};

struct region_state {
	uint32_t unit;		/* [bytes] */
	uint32_t used, max;	/* [units] */
	size_t offset;		/* [bytes] from the block's start */
};

struct block {
	unsigned char *base;
	size_t reserved;	/* [bytes] */
	struct region_state region[NR_REGIONS];
};

/**
 * block_open - reserve address space
 * @unit, @max: of each region
 * Returns: false if the host refuses.
 */
bool block_open(struct block *block, const uint32_t unit[NR_REGIONS],
		const uint32_t max[NR_REGIONS]);
void block_close(struct block *block);

/* block_at - where a region begins. */
void *block_at(const struct block *block, enum region region);

/* block_take - @n more zeroed units.  Returns: index of the first, UINT32_MAX if full. */
uint32_t block_take(struct block *block, enum region region, uint32_t n);

/* block_used - [bytes] of the block in use. */
size_t block_used(const struct block *block);

#endif
