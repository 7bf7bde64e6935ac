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

/* Units have numbers; unit 0 of groups, tasks, mappings, leaves and chunks stands for none. */
enum region {
	REGION_HOST,		/* one struct host */
	REGION_CPU,
	REGION_MEMCG,		/* index = css id */
	REGION_TASK,		/* index = task id */
	REGION_OPEN,		/* files opened by tasks */
	REGION_MAPPING,		/* files, anonymous mappings, mappings of files: one numbering */
	REGION_ACTOR,		/* clocks of actors [ns] */
	REGION_WRITEBACK,	/* pages on their way to the device */
	REGION_STOCK,		/* stocks of all groups, CPU by CPU, with charge=rfc */
	REGION_GATHERED,	/* statistics by CPU, group and item, with stat_read=batch */
	REGION_TAKEN,		/* who took pages from whom */
	REGION_DIR,		/* leaf numbers of mappings */
	REGION_LEAF_INFO,	/* which pages a leaf covers */
	REGION_LEAF,		/* 512 page slots each */
	REGION_LEAF_NODES,	/* tree nodes of a leaf, with refault=on or kmem=nodes */
	REGION_UPPER,		/* upper tree nodes */
	REGION_PTE,		/* page table entries of mappings of files, a byte each */
	REGION_VMA,		/* pieces of mappings that are advised in parts, from 1 */
	REGION_ENTRY,		/* slots that those of forked memory hold */
	REGION_GONE,		/* beside each leaf number: which of its pages were evicted */
	REGION_ORDER,		/* order of the folio that a page is part of, by slot */
	REGION_NODE,		/* NUMA node of a page, by slot, with several nodes */
	REGION_ZONE_STAMP,	/* place on the zone's list by slot, with lru=double */
	REGION_LOCK,		/* with locks modelled: one struct lock each */
	REGION_LOCK_CLASS,
	REGION_LOCK_CPU,
	REGION_LOCK_NOTE,	/* LOCK_NOTES a CPU */
	REGION_LOCK_STAT,	/* by class and CPU */
	REGION_LOCK_TREE,
	REGION_LINE,		/* cache lines that CPUs share, with lock_lines */
	REGION_LINE_CPU,
	REGION_CHUNK_INFO,
	REGION_CHUNK,		/* 1,024 list entries each */
	NR_REGIONS
};

struct region_state {
	uint32_t unit;		/* [bytes] */
	uint32_t used, max;	/* [units]; used only grows */
	size_t offset;		/* [bytes] from the block's start */
};

struct block {
	unsigned char *base;	/* of the reserved addresses; never moves */
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

/**
 * block_at - where a region begins
 * The address holds for the block's life: a region grows in place, so
 * pointers into it stay good across block_take.
 */
void *block_at(const struct block *block, enum region region);

/**
 * block_take - @n more units at the end of a region, all bytes zero
 * Never moves what is there.  Returns: index of the first, UINT32_MAX if
 * the region's maximum would be passed (then nothing is taken).
 */
uint32_t block_take(struct block *block, enum region region, uint32_t n);

/* block_used - [bytes] of the block in use. */
size_t block_used(const struct block *block);

#endif
