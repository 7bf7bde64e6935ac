/*
 * Reservation and growth of the state block.  After: nothing in the kernel;
 * fresh anonymous memory is zero, so a unit is zero when first taken.
 */
#define _DEFAULT_SOURCE		/* MAP_ANONYMOUS, MAP_NORESERVE */
#include "block.h"

#include <assert.h>
#include <sys/mman.h>

enum { BLOCK_ALIGN = 4096 };

bool block_open(struct block *block, const uint32_t unit[NR_REGIONS],
		const uint32_t max[NR_REGIONS])
{
	size_t size = 0;
	void *base;
	int i;

	for (i = 0; i < NR_REGIONS; i++) {
		struct region_state *region = &block->region[i];

		*region = (struct region_state){ unit[i], 0, max[i], size };
		size += (size_t)unit[i] * max[i];
		size = (size + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
	}
	base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		    -1, 0);
	if (base == MAP_FAILED)
		return false;
	block->base = base;
	block->reserved = size;
	return true;
}

void block_close(struct block *block)
{
	if (block->base)
		munmap(block->base, block->reserved);
	block->base = NULL;
}

void *block_at(const struct block *block, enum region region)
{
	assert(block->base);
	return block->base + block->region[region].offset;
}

uint32_t block_take(struct block *block, enum region region, uint32_t n)
{
	struct region_state *r = &block->region[region];
	uint32_t first = r->used;

	if (n > r->max - r->used)
		return UINT32_MAX;
	r->used += n;
	return first;
}

size_t block_used(const struct block *block)
{
	size_t used = 0;
	int i;

	for (i = 0; i < NR_REGIONS; i++)
		used += (size_t)block->region[i].unit * block->region[i].used;
	return used;
}
