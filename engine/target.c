/*
 * Targets of one pass.  To v3.3 a list's target is its size by priority and
 * share, perhaps saved up or forced; v6.18 first chooses a mode from the
 * figures of the group over its limit.
 */
#include "target.h"

#include <assert.h>

#include "policy.h"
#include "protect.h"
#include "swap.h"
#include "workingset.h"

enum { PERCENT = 100 };

/*
 * Whose swappiness a pass goes by.  cgroup v2 has one for all groups, and so
 * have the lists of a whole zone.
 */
static int64_t asked_swappiness(const struct machine *m, const struct reclaim *rc, uint32_t memcg)
{
	unsigned whose = machine_axis(m, AXIS_SWAPPINESS_OF);

	if (machine_axis(m, AXIS_CGROUP) == CGROUP_V2 || memcg == MEMCG_NONE)
		return machine_knobs(m)->swappiness;
	if (rc->global && whose != SWAPPINESS_OF_OWN)
		return machine_knobs(m)->swappiness;
	return machine_memcg(m, whose == SWAPPINESS_OF_TARGET ? rc->target : memcg)->swappiness;
}

/* Since v3.5 swappiness 0 means that anon is let alone, also at priority 0. */
static bool never_swaps(const struct machine *m, const struct reclaim *rc, uint32_t memcg)
{
	return machine_axis(m, AXIS_SWAPPINESS_0) == SWAPPINESS_0_NEVER &&
	       asked_swappiness(m, rc, memcg) == 0;
}

/*
 * So little file cache is left that dropping it could not reach the mark.  To
 * v3.16 that of the lists scanned counts, which is a group's where groups have
 * lists of their own.
 */
static bool cache_is_tiny(const struct machine *m, const struct reclaim *rc, pages_t listed)
{
	const struct zone *zone = &m->host->zone[rc->zone];

	if (machine_axis(m, AXIS_TINY_FILE) == TINY_FILE_ZONE)
		listed = zone->lruvec.size[LRU_INACTIVE_FILE] + zone->lruvec.size[LRU_ACTIVE_FILE];
	return rc->global && listed + zone->free <= zone->wmark[WMARK_HIGH];
}

/* Shares of anon and file by the lists' statistics, for limit and global reclaim. */
static void shares(const struct machine *m, const struct reclaim *rc, uint32_t memcg,
		   struct scan_share *share)
{
	struct lruvec *lruvec = machine_list_lruvec(m, (struct list_id){ memcg, rc->zone, 0 });
	const pages_t size[NR_SCAN_TYPES] = {
		lruvec->size[LRU_INACTIVE_ANON] + lruvec->size[LRU_ACTIVE_ANON],
		lruvec->size[LRU_INACTIVE_FILE] + lruvec->size[LRU_ACTIVE_FILE],
	};

	assert(rc->zone < m->host->nr_zones);
	if (cache_is_tiny(m, rc, size[SCAN_FILE])) {
		*share = (struct scan_share){ { 1, 0 }, 1, { PERCENT, 0 } };
		return;
	}
	if (!never_swaps(m, rc, memcg))
		scan_share(&lruvec->stat, size, asked_swappiness(m, rc, memcg),
			   machine_axis(m, AXIS_SWAPPINESS_0) == SWAPPINESS_0_SCANS, share);
}

/* Whether a target of zero may become the forced minimum. */
static bool may_force(const struct machine *m, const struct reclaim *rc, uint32_t memcg)
{
	if (!rc->global)
		return true;
	return rc->kswapd && (machine_axis(m, AXIS_FORCED_GLOBAL) == FORCED_GLOBAL_KSWAPD ||
			      m->host->zone[rc->zone].hopeless || machine_memcg(m, memcg)->dying);
}

static bool saves_up(const struct machine *m, const struct reclaim *rc)
{
	unsigned where = machine_axis(m, AXIS_SCAN_BATCH);

	return where == SCAN_BATCH_RECLAIM_STAT || (where == SCAN_BATCH_ZONE && rc->global);
}

static void targets_by_share(struct machine *m, const struct reclaim *rc, uint32_t memcg,
			     struct pass *pass)
{
	struct lruvec *lruvec = machine_list_lruvec(m, (struct list_id){ memcg, rc->zone, 0 });
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max;
	const struct scan_rules rules = {
		.balance = scan_balance(machine_axis(m, AXIS_BALANCE)),
		.forced_min = machine_axis(m, AXIS_FORCED_MIN),
		.cluster = cluster, .forced = may_force(m, rc, memcg),
		.swap = swap_may(m, memcg) && !never_swaps(m, rc, memcg),
	};
	struct scan_share share;
	int lru;

	scan_share_none(&share);
	if (swap_may(m, memcg))
		shares(m, rc, memcg, &share);
	for (lru = 0; lru < LRU_UNEVICTABLE; lru++) {
		pages_t size = lruvec->size[lru];
		pages_t t = scan_target(&rules, &share, (enum lru)lru, size, rc->priority);

		pass->rule[lru] = scan_is_forced(&rules, &share, (enum lru)lru, size, rc->priority)
					  ? RULE_SCAN_FORCED
					  : RULE_SCAN_DIRECT;
		if (saves_up(m, rc)) {
			pass->rule[lru] = RULE_SCAN_SAVED;
			t = scan_batch(&lruvec->saved[lru], t, cluster);
		}
		pass->todo[lru] = t;
	}
}

/* Weights of anon and file by what reclaim of either has cost the target. */
static void weights_by_cost(const struct machine *m, const struct reclaim *rc, int64_t swappiness,
			    uint64_t weight[NR_SCAN_TYPES])
{
	const uint64_t *cost = machine_memcg(m, rc->target)->cost[machine_node(m, rc->zone)];

	assert(swappiness >= 0);
	scan_cost_weights(cost[SCAN_ANON], cost[SCAN_FILE], swappiness, weight);
}

/* Whether plenty of unused file pages lets anon alone. */
static bool trims_cache(const struct machine *m, const struct reclaim *rc)
{
	struct bucket of = { rc->target, machine_node(m, rc->zone) };

	return flushed_size(m, of, LRU_INACTIVE_FILE) >> rc->priority &&
	       !rc->may_deactivate[SCAN_FILE];
}

/* So little file cache that dropping it could not reach the marks, and anon that could go.  The
 * node's own figures, which no flush holds back. */
static bool file_is_tiny(const struct machine *m, const struct reclaim *rc)
{
	uint32_t first = zone_first(m, machine_node(m, rc->zone)), z;
	pages_t file = 0, anon = 0, marks = 0;

	for (z = first; z < first + m->host->node_zones; z++) {
		const struct zone *zone = &m->host->zone[z];

		file += zone->lruvec.size[LRU_INACTIVE_FILE] + zone->lruvec.size[LRU_ACTIVE_FILE];
		file += zone->free;
		anon += zone->lruvec.size[LRU_INACTIVE_ANON];
		marks += zone->wmark[WMARK_HIGH];
	}
	return file <= marks && !rc->may_deactivate[SCAN_ANON] && anon >> rc->priority;
}

/* What is left of a removed group is looked at even if its size asks for nothing. */
static pages_t offline_target(const struct machine *m, uint32_t memcg, enum lru lru)
{
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max;
	pages_t size = machine_lruvec(m, memcg, 0)->size[lru];

	if (!machine_memcg(m, memcg)->dying ||
	    machine_axis(m, AXIS_FORCED_MIN) != FORCED_MIN_OFFLINE)
		return 0;
	return size < cluster ? size : cluster;
}

static void targets_by_cost(struct machine *m, const struct reclaim *rc, uint32_t memcg_id,
			    struct pass *pass)
{
	const struct memcg *memcg = machine_memcg(m, memcg_id);
	int64_t swappiness = asked_swappiness(m, rc, memcg_id);
	uint64_t weight[NR_SCAN_TYPES] = { 0, 1 }, sum = 1;
	pages_t min = 0, low = 0;
	int lru;

	/* Swappiness 0 holds for limits; the whole machine swaps when the cache is all but gone. */
	if (swap_may(m, memcg_id) && (rc->global || swappiness)) {
		if (rc->priority == 0 && swappiness) {
			weight[SCAN_ANON] = 1;
		} else if (rc->global && file_is_tiny(m, rc)) {
			weight[SCAN_ANON] = 1;
			weight[SCAN_FILE] = 0;
		} else if (!trims_cache(m, rc)) {
			weights_by_cost(m, rc, swappiness, weight);
			sum = weight[SCAN_ANON] + weight[SCAN_FILE];
		}
	}
	if (machine_axis(m, AXIS_CGROUP) == CGROUP_V2)
		protect_of(m, rc->target, memcg_id, &min, &low);
	for (lru = 0; lru < LRU_UNEVICTABLE; lru++) {
		pages_t size = protect_size(machine_lruvec(m, memcg_id, rc->zone)->size[lru],
					    memcg->counter.usage, min, low, rc->ignore_low);

		pages_t asked = size >> rc->priority;

		pass->rule[lru] = RULE_SCAN_DIRECT;
		if (!asked && offline_target(m, memcg_id, (enum lru)lru)) {
			asked = offline_target(m, memcg_id, (enum lru)lru);
			pass->rule[lru] = RULE_SCAN_OFFLINE;
		}
		/* Rounding must not spare the last page of a removed group. */
		pass->todo[lru] =
			(asked * weight[SCAN_TYPE(lru)] + (memcg->dying ? sum - 1 : 0)) / sum;
	}
}

static void (*const target_policy[])(struct machine *m, const struct reclaim *rc,
				     uint32_t memcg, struct pass *pass) = {
	[BALANCE_PERCENT] = targets_by_share,
	[BALANCE_FRACTION] = targets_by_share,
	[BALANCE_COST] = targets_by_cost,
};

void target_pass(struct machine *m, const struct reclaim *rc, uint32_t memcg, struct pass *pass)
{
	int lru;

	target_policy[machine_axis(m, AXIS_BALANCE)](m, rc, memcg, pass);
	for (lru = 0; lru < LRU_UNEVICTABLE; lru++)
		pass->asked[lru] = pass->todo[lru];
}

bool target_rebalance(struct pass *pass)
{
	pages_t anon = pass->todo[LRU_INACTIVE_ANON] + pass->todo[LRU_ACTIVE_ANON];
	pages_t file = pass->todo[LRU_INACTIVE_FILE] + pass->todo[LRU_ACTIVE_FILE];
	enum lru small = file > anon ? LRU_INACTIVE_ANON : LRU_INACTIVE_FILE, lru;
	enum lru large = file > anon ? LRU_INACTIVE_FILE : LRU_INACTIVE_ANON;
	pages_t left = file > anon ? anon : file, percent;

	assert(pass->asked[LRU_INACTIVE_FILE] >= pass->todo[LRU_INACTIVE_FILE]);
	if (!anon || !file)
		return false;
	percent = left * PERCENT / (pass->asked[small] + pass->asked[small + 1] + 1);
	pass->todo[small] = pass->todo[small + 1] = 0;
	for (lru = large; lru <= large + 1; lru++) {
		pages_t done = pass->asked[lru] - pass->todo[lru];
		pages_t keep = pass->asked[lru] * (PERCENT - percent) / PERCENT;

		pass->todo[lru] = keep > done ? keep - done : 0;
	}
	return true;
}
