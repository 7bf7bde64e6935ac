/*
 * What a group is charged: memory, and memory and swap together.  A charge
 * goes up a hierarchy and is taken at every level or at none.
 */
#ifndef MEMCGLAB_ENGINE_COUNTER_H
#define MEMCGLAB_ENGINE_COUNTER_H

#include "units.h"

struct memcgs;

/* A res_counter [pages].  usage <= limit, except while a lower memory.max is enforced. */
struct counter {
	pages_t usage, limit, max_usage;
	uint64_t failcnt;	/* charges that this level refused */
};

/*
 * Memory and swap together, cgroup v1.  Its usage is that of memory and what
 * is in swap alone, so charges need not count it: a page that is swapped out
 * or comes back changes nothing of the sum.
 */
struct memsw {
	pages_t limit, peak;
	pages_t swapped;	/* pages of the subtree that are in swap and not in memory */
	pages_t leaked;		/* of charges that were given back for memory only */
	pages_t slots;		/* swap slots of the subtree, those of pages in memory too */
	pages_t swap_max;	/* of slots, cgroup v2 */
	uint64_t failcnt;
};

/**
 * counter_try - charge @n pages to @id and every level above it
 * Returns: MEMCG_NONE, or the css id of the level that refused; then nothing
 * is charged, that level's failcnt is one higher, that of memsw if over_memsw.
 * After: res_counter_charge(), kernel/res_counter.c, v2.6.31.
 */
uint32_t counter_try(struct memcgs *memcgs, uint32_t id, pages_t n);

/* counter_room - pages that @id and every level above it would still take. */
pages_t counter_room(const struct memcgs *memcgs, uint32_t id);

/**
 * counter_try_singly - up to @max pages one by one, each after @batch pages were refused
 * Where the batch is refused at one and the same level for each of them; nothing if it fits, or if
 * memory and swap together are limited.
 * Returns: pages charged; that level's failcnt is as much higher.
 */
pages_t counter_try_singly(struct memcgs *memcgs, uint32_t id, pages_t batch, pages_t max);

/* counter_uncharge - take @n pages off @id and every level above it, which hold them (asserted). */
void counter_uncharge(struct memcgs *memcgs, uint32_t id, pages_t n);

#endif
