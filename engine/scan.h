/*
 * How many pages of each list one pass looks at: pure arithmetic on list
 * sizes and statistics, no state of its own.
 */
#ifndef MEMCGLAB_ENGINE_SCAN_H
#define MEMCGLAB_ENGINE_SCAN_H

#include "event.h"
#include "era.h"

enum { SCAN_ANON, SCAN_FILE, NR_SCAN_TYPES };

/* The type of an evictable list. */
#define SCAN_TYPE(lru) ((lru) < LRU_INACTIVE_FILE ? SCAN_ANON : SCAN_FILE)

/*
 * How much of either type was listed or examined of late, and how much of
 * that was found in use.  rotated <= scanned (I7); scan_share halves both.
 */
struct scan_stat {
	uint64_t scanned[NR_SCAN_TYPES], rotated[NR_SCAN_TYPES];	/* [pages], recent */
};

/* Shares of anon and file of a target, in both forms that kernels have used. */
struct scan_share {
	uint64_t weight[NR_SCAN_TYPES];	/* ap and fp */
	uint64_t denominator;		/* ap + fp + 1, or 1 without swap */
	unsigned percent[NR_SCAN_TYPES];	/* of v2.6.31; file takes the rounding */
};

/* What a target depends on beside the list's own size. */
struct scan_rules {
	const struct scan_ops *balance;
	unsigned forced_min;		/* a value of AXIS_FORCED_MIN */
	pages_t cluster;		/* SWAP_CLUSTER_MAX */
	bool swap;			/* a swap slot is free and swapping is allowed */
	bool forced;			/* this reclaim may force a minimum: limit reclaim */
};

/**
 * struct scan_ops - a value of AXIS_BALANCE
 * @scale: the share of @t [pages] for lists of @type
 */
struct scan_ops {
	const char *name;
	pages_t (*scale)(pages_t t, unsigned type, const struct scan_share *share);
};

const struct scan_ops *scan_balance(unsigned value);

/**
 * scan_share_none - the shares without swap: all file
 * After: shrink_zone(), mm/vmscan.c:1520, v2.6.31; get_scan_count(), v3.1.
 */
void scan_share_none(struct scan_share *share);

/**
 * scan_share - shares of anon and file by recent use
 * @stat:       halved for a type whose scanned is above a quarter of its pages
 * @size:       inactive + active pages of either type [pages]
 * @swappiness: 0 to 200 (asserted); file gets 200 - swappiness
 * @least:      each of the two is one more, so that neither is nothing
 * After: get_scan_ratio(), mm/vmscan.c:1424, v2.6.31; without @least get_scan_count(), v3.5
 * (fe35004fbf9e).
 */
void scan_share(struct scan_stat *stat, const pages_t size[NR_SCAN_TYPES], int64_t swappiness,
		bool least, struct scan_share *share);

/**
 * scan_cost_weights - weights of anon and file by recorded costs
 * @swappiness: 0 to 200
 * After: calculate_pressure_balance(), mm/vmscan.c, v6.18.
 */
void scan_cost_weights(uint64_t anon_cost, uint64_t file_cost, int64_t swappiness,
		       uint64_t weight[NR_SCAN_TYPES]);

/**
 * scan_target - pages of one list to look at
 * @size:     of the list [pages]
 * @priority: 12 looks at 1/4096 of a list, 0 at all of it
 * The share is left out at priority 0 with swap.  Returns: [pages], 0 is possible.
 * After: shrink_zone(), v2.6.31; get_scan_count(), mm/vmscan.c:1787, v3.1 and v3.3:1899.
 */
pages_t scan_target(const struct scan_rules *rules, const struct scan_share *share, enum lru lru,
		    pages_t size, unsigned priority);

/* scan_is_forced - whether scan_target of these would be 0 without the forced minimum. */
bool scan_is_forced(const struct scan_rules *rules, const struct scan_share *share, enum lru lru,
		    pages_t size, unsigned priority);

/**
 * scan_batch - save up @target; release all that is saved once it reaches the cluster
 * Returns: pages to look at now [pages].  After: nr_scan_try_batch(), mm/vmscan.c:1500, v2.6.31.
 */
pages_t scan_batch(uint32_t *saved, pages_t target, pages_t cluster);

/* scan_isqrt - floor of the square root. */
uint64_t scan_isqrt(uint64_t n);

/* scan_inactive_ratio - active : inactive anon wanted for @pages; 1 below 1 GiB.
 * After: setup_per_zone_inactive_ratio(), mm/page_alloc.c:4533, v2.6.31. */
uint64_t scan_inactive_ratio(pages_t pages);

/* scan_anon_is_low - inactive * ratio < active.  After: calc_inactive_ratio(), v2.6.31. */
bool scan_anon_is_low(pages_t inactive, pages_t active);

/* scan_file_is_low - active > inactive.  After: mem_cgroup_inactive_file_is_low(), v2.6.31. */
bool scan_file_is_low(pages_t inactive, pages_t active);

#endif
