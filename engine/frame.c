/*
 * The allocator's side of global reclaim, and kswapd's.  Follows
 * mm/page_alloc.c and mm/vmscan.c of v2.6.31 (A), v2.6.32 (A'), v3.1 (B),
 * v3.3 (C) and v6.18 (D).
 *
 * MODEL: kswapd runs to completion at the moment of its wake-up, and gives
 * up after a round that freed nothing; a direct reclaimer does not compete.
 * It takes no naps, which would be sleep of the task that woke it.
 */
#include "frame.h"

#include <assert.h>

#include "pass.h"
#include "policy.h"
#include "pressure.h"
#include "reclaim_node.h"
#include "reclaim_soft.h"
#include "workingset.h"
#include "writeback.h"

enum {
	ENOUGH_FACTOR = 8,	/* times the high mark, to v2.6.32 */
	GAP_RATIO = 100,	/* of a zone: the headroom of v3.1 */
	DIRECT_ROUNDS = 16,
	FRUITLESS_MAX = 16	/* runs of kswapd that free nothing, then it rests (v6.18) */
};

/* Requests may take any zone, so zonelists begin with the highest. */
static uint32_t top_kind(const struct machine *m)
{
	return m->host->node_zones - 1;
}

/* The first of @nr zones of @node's zonelist above @mark.  Returns: whether there is one. */
static bool find_zone(const struct machine *m, uint32_t node, uint32_t nr, enum wmark mark,
		      uint32_t *zone)
{
	uint32_t i, z;

	for (i = 0; i < nr; i++) {
		z = zone_nth(m, node, i);
		if (!zone_ok(m, z, m->host->zone[z].wmark[mark], top_kind(m)))
			continue;
		*zone = z;
		return true;
	}
	return false;
}

/* One zone at one priority: its own lists, or every group's. */
static void global_pass(struct machine *m, struct reclaim *rc)
{
	uint32_t id;

	assert(rc->global && rc->zone < m->host->nr_zones);
	if (machine_axis(m, AXIS_LRU) == LRU_DOUBLE) {
		pass_lists(m, rc, MEMCG_NONE);
		return;
	}
	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		if (memcg_exists(machine_memcg(m, id)))
			pass_lists(m, rc, id);
}

/*
 * Whether kswapd leaves a zone alone on its way down: far above its high mark
 * to v2.6.32; from v3.1 on above it by a gap, the low mark or 1 % of the
 * zone, whichever is less.
 */
static bool enough(const struct machine *m, uint32_t zone, uint32_t class)
{
	const struct zone *z = &m->host->zone[zone];
	pages_t gap = (z->present + GAP_RATIO - 1) / GAP_RATIO;

	if (machine_axis(m, AXIS_KSWAPD_ENOUGH) == KSWAPD_ENOUGH_8HIGH)
		return zone_ok(m, zone, ENOUGH_FACTOR * z->wmark[WMARK_HIGH], class);
	if (gap > z->wmark[WMARK_LOW])
		gap = z->wmark[WMARK_LOW];
	return zone_ok(m, zone, z->wmark[WMARK_HIGH] + gap, class);
}

/* Empty zones always, hopeless ones but at the first priority, which looks again. */
static bool skips(const struct machine *m, const struct reclaim *rc, uint32_t zone)
{
	return !m->host->zone[zone].present ||
	       (m->host->zone[zone].hopeless &&
		rc->priority < (unsigned)machine_knobs(m)->def_priority);
}

/* kswapd: the node's highest zone that is short; active anon is aged on the way to it.  Returns:
 * whether there is one. */
static bool highest_short(struct machine *m, struct reclaim *rc, uint32_t node, uint32_t *end)
{
	uint32_t first = zone_first(m, node), z;

	for (z = first + m->host->node_zones; z-- > first;) {
		if (skips(m, rc, z))
			continue;
		rc->zone = z;
		pass_age_anon(m, rc);
		if (zone_ok(m, z, m->host->zone[z].wmark[WMARK_HIGH], 0))
			continue;
		*end = z;
		return true;
	}
	return false;
}

/* kswapd at one priority, zones from the lowest up.  Returns: whether all are above their marks. */
static bool balance_zones(struct machine *m, struct reclaim *rc, uint32_t end)
{
	bool gap = machine_axis(m, AXIS_KSWAPD_ENOUGH) == KSWAPD_ENOUGH_GAP, balanced = true;
	uint32_t first = zone_first(m, machine_node(m, end)), kind = end - first;

	assert(rc->kswapd && end < m->host->nr_zones);
	for (rc->zone = first; rc->zone <= end; rc->zone++) {
		struct zone *zone = &m->host->zone[rc->zone];

		if (skips(m, rc, rc->zone))
			continue;
		/* To v2.6.32 a zone is judged before its pass, later after it. */
		if (!gap && !zone_ok(m, rc->zone, zone->wmark[WMARK_HIGH], kind))
			balanced = false;
		rc->freed += reclaim_soft(m, rc->cpu, rc->zone);
		if (!enough(m, rc->zone, kind))
			global_pass(m, rc);
		if (gap && !zone_ok(m, rc->zone, zone->wmark[WMARK_HIGH], kind))
			balanced = false;
		if (!zone_reclaimable(m, rc->zone))
			zone->hopeless = true;
	}
	return balanced;
}

/* One descent of kswapd.  Returns: whether it is done. */
static bool kswapd_round(struct machine *m, struct reclaim *rc, uint32_t node)
{
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max;
	bool balanced = true;
	int64_t priority;
	uint32_t end;

	for (priority = machine_knobs(m)->def_priority; priority >= 0; priority--) {
		rc->priority = (unsigned)priority;
		if (!highest_short(m, rc, node, &end))
			return true;
		balanced = balance_zones(m, rc, end);
		if (balanced || rc->freed >= cluster)
			break;
	}
	return balanced;
}

/*
 * kswapd of v6.18: every group of the node, until one zone is above its high mark.
 * It goes deeper only where a priority freed nothing or looked at less than
 * it wants; it never gets to priority 0.
 */
static void kswapd_node(struct machine *m, struct reclaim *rc, uint32_t node)
{
	int64_t priority = machine_knobs(m)->def_priority;
	uint32_t first = zone_first(m, node), nr = m->host->node_zones, z;

	rc->want = 0;
	rc->zone = first;
	rc->full_walk = true;
	for (z = first; z < first + nr; z++)
		rc->want += m->host->zone[z].wmark[WMARK_HIGH] >
					    (pages_t)machine_knobs(m)->swap_cluster_max
				    ? m->host->zone[z].wmark[WMARK_HIGH]
				    : (pages_t)machine_knobs(m)->swap_cluster_max;
	while (priority >= 1 && !find_zone(m, node, nr, WMARK_HIGH, &z)) {
		pages_t freed = rc->freed;
		uint64_t scanned = rc->scanned;

		rc->priority = (unsigned)priority;
		pass_age_anon(m, rc);
		rc->freed += reclaim_soft(m, rc->cpu, first);
		reclaim_tree(m, rc);
		if (rc->scanned - scanned < rc->want || rc->freed == freed)
			priority--;
	}
}

/* Runs when no zone is above its low mark, again while a descent helped but was not enough. */
static void kswapd(struct machine *m, uint32_t cpu, uint32_t node)
{
	bool infinite = machine_axis(m, AXIS_KSWAPD_ENOUGH) == KSWAPD_ENOUGH_GAP;
	struct zone *zone = &m->host->zone[zone_first(m, node)];
	struct reclaim rc;

	if (zone->fruitless == FRUITLESS_MAX)
		return;
	do {
		rc = (struct reclaim){
			.cpu = cpu, .target = MEMCG_ROOT, .global = true, .kswapd = true,
			.want = infinite ? PAGES_UNLIMITED
					 : (pages_t)machine_knobs(m)->swap_cluster_max };
		if (m->per_node) {
			kswapd_node(m, &rc, node);
			if (!rc.freed)
				zone->fruitless++;
			break;
		}
	} while (!kswapd_round(m, &rc, node) && rc.freed);
	request_emit(m, &rc, RULE_KSWAPD, rc.freed);
}

/* One zone of direct reclaim; from v3.1 on soft limits come first. */
static void direct_pass(struct machine *m, struct reclaim *rc)
{
	if (machine_axis(m, AXIS_SOFT_LIMIT) == SOFT_LIMIT_TARGET)
		rc->freed += reclaim_soft(m, rc->cpu, rc->zone);
	global_pass(m, rc);
}

/* All zones of the zonelist, or its nodes, at one priority. */
static void direct_priority(struct machine *m, struct reclaim *rc)
{
	uint32_t step = m->per_node ? m->host->node_zones : 1, i;

	for (i = 0; i < m->host->nr_zones; i += step) {
		rc->zone = zone_nth(m, machine_cpu_node(m, rc->cpu), i);
		if (m->per_node) {
			rc->freed += reclaim_soft(m, rc->cpu, rc->zone);
			reclaim_tree(m, rc);
		} else if (!skips(m, rc, rc->zone)) {
			direct_pass(m, rc);
		}
	}
}

/* One descent of direct reclaim. */
static void direct_descend(struct machine *m, struct reclaim *rc)
{
	int64_t priority;

	assert(rc->global && !rc->kswapd);
	for (priority = machine_knobs(m)->def_priority; priority >= 0; priority--) {
		rc->priority = (unsigned)priority;
		direct_priority(m, rc);
		if (rc->freed >= rc->want)
			break;
		request_help_writers(m, rc);
	}
}

/*
 * Whether a task tries again though it freed nothing: from v6.1 on while a zone
 * would be above its mark if all went that can.  After: should_reclaim_retry(),
 * mm/page_alloc.c, v6.18.
 * MODEL: before that a zone would have to be less than hopeless, and kswapd,
 * which ran first, has seen to it that none is.
 */
static bool has_hope(const struct machine *m)
{
	uint32_t z;

	if (machine_axis(m, AXIS_KSWAPD_ENOUGH) != KSWAPD_ENOUGH_ONE_ZONE)
		return false;
	for (z = 0; z < m->host->nr_zones; z++) {
		const struct zone *zone = &m->host->zone[z];

		if (zone->free + zone_reclaimable_pages(m, z) >
		    zone->wmark[WMARK_MIN] + zone->reserve[top_kind(m)])
			return true;
	}
	return false;
}

/*
 * Before another try: a tick of sleep if more than half of what can go waits
 * for the device.  After: reclaim_throttle(), VMSCAN_THROTTLE_NOPROGRESS.
 * MODEL: once a try, not at priority 1 of each of its descents.
 */
static void rest(struct machine *m)
{
	ns_t since = m->host->now;
	pages_t reclaimable = 0;
	uint32_t z;

	for (z = 0; z < m->host->nr_zones; z++)
		reclaimable += zone_reclaimable_pages(m, z);
	if (2 * (m->host->dirty + m->host->writeback) <= reclaimable)
		return;
	writeback_progress(m, 1, NS_PER_SECOND / (ns_t)machine_knobs(m)->hz);
	writeback_told(m, MEMCG_ROOT, RULE_NAP, since);
}

/* Direct reclaim for the whole machine.  Returns: pages freed. */
static pages_t direct(struct machine *m, uint32_t cpu)
{
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max;
	struct reclaim rc = { .cpu = cpu, .target = MEMCG_ROOT, .global = true, .want = cluster };
	ns_t since = m->host->now;

	if (m->per_node)
		reclaim_descents(m, &rc, direct_descend);
	else
		direct_descend(m, &rc);
	pressure_stalled(m, m->by, since);
	request_emit(m, &rc, RULE_DIRECT, rc.freed);
	return rc.freed;
}

/* Every node on the list has its own, which all wake. */
static void wake_kswapds(struct machine *m, uint32_t cpu, uint32_t home)
{
	uint32_t node;

	for (node = 0; node < m->sc.nodes; node++)
		kswapd(m, cpu, (home + node) % m->sc.nodes);
}

bool frame_take(struct machine *m, uint32_t cpu, pages_t n, uint32_t *zone)
{
	uint32_t home = machine_cpu_node(m, cpu), all = m->host->nr_zones;
	int round;

	assert(m->host->nr_zones > 0);
	if (!find_zone(m, home, all, WMARK_LOW, zone)) {
		wake_kswapds(m, cpu, home);
		for (round = 0; !find_zone(m, home, all, WMARK_MIN, zone); round++) {
			if (round == DIRECT_ROUNDS)
				return false;
			if (direct(m, cpu))
				continue;
			if (!has_hope(m))
				return false;
			rest(m);
			/* Below the mark it does not go to sleep. */
			wake_kswapds(m, cpu, home);
		}
	}
	if (m->host->zone[*zone].free < n)
		return false;
	m->host->zone[*zone].free -= n;
	return true;
}

pages_t frames_at_once(const struct machine *m, uint32_t zone_id)
{
	const struct zone *zone = &m->host->zone[zone_id];
	pages_t kept = zone->wmark[WMARK_LOW] + 2;

	return zone->free > kept ? zone->free - kept : 0;
}
