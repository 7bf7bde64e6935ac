/*
 * memory.min and memory.low of cgroup v2, and the arithmetic of memory.high.
 */
#ifndef MEMCGLAB_ENGINE_PROTECT_H
#define MEMCGLAB_ENGINE_PROTECT_H

#include "machine.h"

/* What the share of a parent's protection depends on [pages]. */
struct protect_in {
	pages_t usage, parent_usage, setting, parent_effective, siblings;
	bool recursive;		/* memory_recursiveprot: what siblings leave is shared too */
};

/**
 * protect_effective - a child's effective protection
 * @in: siblings is the sum of min(usage, setting) over all children
 * A claim is min(usage, setting).  Claims above what the parent has are cut in
 * proportion; what siblings do not claim is shared by usage beyond claims.
 * Returns: [pages], at most usage.
 * After: effective_protection(), mm/page_counter.c, v6.18.
 */
pages_t protect_effective(const struct protect_in *in);

/**
 * protect_size - the part of a list that protection leaves to be scanned
 * @size:       of the list [pages]
 * @usage:      of its group [pages]
 * @min, @low:  effective protection [pages]
 * @ignore_low: the last resort: only @min counts
 * Returns: [pages], 32 at least where anything is protected.
 * After: apply_proportional_protection(), mm/vmscan.c, v6.18.
 */
pages_t protect_size(pages_t size, pages_t usage, pages_t min, pages_t low, bool ignore_low);

/* protect_overage - how far usage is above high, as a share of high, in parts of 2^20. */
uint64_t protect_overage(pages_t usage, pages_t high);

/**
 * protect_delay - ticks to sleep for usage above memory.high
 * @overage: as protect_overage tells it
 * @debt:    pages charged above it since the last sleep
 * @batch:   pages charged at once, for which the full delay is
 * @hz:      ticks a second
 * Grows with the square of the overage and with @debt; two seconds at most.
 * After: calculate_high_delay(), mm/memcontrol.c:2116, v6.18.
 */
uint64_t protect_delay(uint64_t overage, pages_t debt, pages_t batch, uint64_t hz);

/* protect_of - effective min and low of @memcg under reclaim of @root (0 for @root itself, and
 * for a group without usage); the settings of @root's own children hold in full. */
void protect_of(const struct machine *m, uint32_t root, uint32_t memcg, pages_t *min,
		pages_t *low);

#endif
