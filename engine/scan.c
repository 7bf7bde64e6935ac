/*
 * Scan targets: shares of anon and file, priority shift, forced minimum,
 * saving up, and when an inactive list is too short.  Follows v2.6.31 to
 * v3.3 mm/vmscan.c and mm/memcontrol.c; all arithmetic is of integers and
 * rounds down.  Global reclaim's own terms (watermarks, tiny file cache)
 * are left out.
 */
#include "scan.h"

#include <assert.h>

#include "policy.h"

enum {
	PERCENT = 100,
	SWAPPINESS_MAX = 200,	/* weights of anon and file add up to it */
	DECAY_SHIFT = 2,	/* statistics are halved above a quarter of the pages */
	RATIO_PER_GIB = 10,
	GIB_PAGES_SHIFT = 18
};

static pages_t scale_percent(pages_t t, unsigned type, const struct scan_share *share)
{
	return t * share->percent[type] / PERCENT;
}

static pages_t scale_fraction(pages_t t, unsigned type, const struct scan_share *share)
{
	return t * share->weight[type] / share->denominator;
}

static const struct scan_ops balance_ops[] = {
	[BALANCE_PERCENT] = { "percent", scale_percent },
	[BALANCE_FRACTION] = { "fraction", scale_fraction },
	[BALANCE_COST] = { "cost", scale_fraction },
};

const struct scan_ops *scan_balance(unsigned value)
{
	assert(value < sizeof(balance_ops) / sizeof(balance_ops[0]));
	return &balance_ops[value];
}

void scan_share_none(struct scan_share *share)
{
	*share = (struct scan_share){ { 0, 1 }, 1, { 0, PERCENT } };
}

void scan_share(struct scan_stat *stat, const pages_t size[NR_SCAN_TYPES], int64_t swappiness,
		bool least, struct scan_share *share)
{
	uint64_t prio[NR_SCAN_TYPES];
	int type;

	assert(swappiness >= 0 && swappiness <= SWAPPINESS_MAX);
	prio[SCAN_ANON] = (uint64_t)swappiness + least;
	prio[SCAN_FILE] = (uint64_t)(SWAPPINESS_MAX - swappiness) + least;
	for (type = 0; type < NR_SCAN_TYPES; type++) {
		if (stat->scanned[type] > size[type] >> DECAY_SHIFT) {
			stat->scanned[type] /= 2;
			stat->rotated[type] /= 2;
		}
		share->weight[type] =
			prio[type] * (stat->scanned[type] + 1) / (stat->rotated[type] + 1);
	}
	share->denominator = share->weight[SCAN_ANON] + share->weight[SCAN_FILE] + 1;
	share->percent[SCAN_ANON] =
		(unsigned)(PERCENT * share->weight[SCAN_ANON] / share->denominator);
	share->percent[SCAN_FILE] = PERCENT - share->percent[SCAN_ANON];
}

void scan_cost_weights(uint64_t anon_cost, uint64_t file_cost, int64_t swappiness,
		       uint64_t weight[NR_SCAN_TYPES])
{
	uint64_t total = anon_cost + file_cost;
	uint64_t anon = total + anon_cost, file = total + file_cost, sum = anon + file;

	weight[SCAN_ANON] = (uint64_t)swappiness * (sum + 1) / (anon + 1);
	weight[SCAN_FILE] = (uint64_t)(SWAPPINESS_MAX - swappiness) * (sum + 1) / (file + 1);
}

pages_t scan_target(const struct scan_rules *rules, const struct scan_share *share, enum lru lru,
		    pages_t size, unsigned priority)
{
	unsigned type = SCAN_TYPE(lru);
	pages_t t = size;

	assert(lru < LRU_UNEVICTABLE);
	if (priority > 0 || !rules->swap) {
		t >>= priority;
		if (!t && rules->forced && rules->forced_min == FORCED_MIN_BEFORE)
			t = rules->cluster;
		t = rules->balance->scale(t, type, share);
	}
	if (!t && rules->forced && rules->forced_min == FORCED_MIN_AFTER)
		t = rules->balance->scale(rules->cluster, type, share);
	return t;
}

bool scan_is_forced(const struct scan_rules *rules, const struct scan_share *share, enum lru lru,
		    pages_t size, unsigned priority)
{
	struct scan_rules plain = *rules;

	plain.forced = false;
	return scan_target(&plain, share, lru, size, priority) !=
	       scan_target(rules, share, lru, size, priority);
}

pages_t scan_batch(uint32_t *saved, pages_t target, pages_t cluster)
{
	pages_t released = *saved + target;

	if (released < cluster) {
		*saved = (uint32_t)released;
		return 0;
	}
	*saved = 0;
	return released;
}

uint64_t scan_isqrt(uint64_t n)
{
	uint64_t root = 0, bit = (uint64_t)1 << 62;

	while (bit > n)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (n >= root + bit) {
			n -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return root;
}

uint64_t scan_inactive_ratio(pages_t pages)
{
	pages_t gib = pages >> GIB_PAGES_SHIFT;

	return gib ? scan_isqrt(RATIO_PER_GIB * gib) : 1;
}

bool scan_anon_is_low(pages_t inactive, pages_t active)
{
	return inactive * scan_inactive_ratio(inactive + active) < active;
}

bool scan_file_is_low(pages_t inactive, pages_t active)
{
	return active > inactive;
}
