/*
 * The priority loop and the rounds of a limit hit.  Follows mm/vmscan.c and
 * mm/memcontrol.c of v2.6.31 (A), v2.6.32 (A'), v3.1, v3.2 (B) and v3.3 (C);
 * which of them holds is looked up axis by axis.
 */
#include "reclaim.h"

#include <assert.h>

#include "pass.h"
#include "policy.h"
#include "reclaim_node.h"
#include "writeback.h"

/* The group that a pass works on: the target itself, or the next by the iterator. */
static uint32_t pass_group(struct machine *m, const struct reclaim *rc)
{
	if (machine_axis(m, AXIS_WALK) == WALK_ROOT_ZONE_PRIO)
		return memcg_iter_first(&m->memcgs, rc->target, rc->zone, rc->priority);
	return rc->target;
}

/* What the event of a priority loop names as the reason for its target. */
static enum rule walk_rule(const struct machine *m)
{
	return machine_axis(m, AXIS_WALK) == WALK_ROOT_ZONE_PRIO ? RULE_VICTIM_ITER
								 : RULE_VICTIM_CURSOR;
}

/* Whether a node holds pages of a group that could be freed. */
static bool node_has_pages(const struct machine *m, uint32_t id, uint32_t node)
{
	uint32_t first = zone_first(m, node), i;
	pages_t file = 0, anon = 0;

	for (i = first; i < first + m->host->node_zones; i++) {
		const pages_t *size = machine_lruvec(m, id, i)->size;

		file += size[LRU_INACTIVE_FILE] + size[LRU_ACTIVE_FILE];
		anon += size[LRU_INACTIVE_ANON] + size[LRU_ACTIVE_ANON];
	}
	return file || (anon && m->sc.swap_pages);
}

/*
 * The node whose zonelist reclaim for a limit takes.  After:
 * mem_cgroup_select_victim_node(), mm/memcontrol.c, v3.1.
 * MODEL: its set of nodes with pages is of now, not of 1,024 events ago.
 */
static uint32_t start_node(struct machine *m, uint32_t cpu, uint32_t target)
{
	struct memcg *memcg = machine_memcg(m, target);
	uint32_t i, node;

	if (m->sc.nodes == 1 || machine_axis(m, AXIS_VICTIM_NODE) == VICTIM_NODE_CURRENT)
		return machine_cpu_node(m, cpu);
	for (i = 0; i < m->sc.nodes; i++) {
		node = (memcg->victim_node + i) % m->sc.nodes;
		if (!node_has_pages(m, target, node))
			continue;
		memcg->victim_node = node + 1;
		return node;
	}
	return machine_cpu_node(m, cpu);
}

pages_t reclaim_try_to_free(struct machine *m, uint32_t cpu, uint32_t target)
{
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max, returned;
	struct reclaim rc = { .cpu = cpu, .target = target, .want = cluster };
	uint32_t node = start_node(m, cpu, target), i;
	int64_t priority;

	for (priority = machine_knobs(m)->def_priority; priority >= 0; priority--) {
		rc.priority = (unsigned)priority;
		for (i = 0; i < m->host->nr_zones; i++) {
			rc.zone = zone_nth(m, node, i);
			if (m->host->zone[rc.zone].present)
				pass_lists(m, &rc, pass_group(m, &rc));
		}
		if (rc.freed >= cluster)
			break;
		request_help_writers(m, &rc);
	}
	returned = rc.freed;
	if (rc.freed < cluster && machine_axis(m, AXIS_PARTIAL) == PARTIAL_ZERO)
		returned = 0;
	request_emit(m, &rc, walk_rule(m), returned);
	return returned;
}

/* Whether the cursor passes a group over: nothing of it could be freed. */
static bool skip_group(const struct machine *m, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);

	if (machine_axis(m, AXIS_SKIP) == SKIP_UNCHARGED)
		return memcg->charged == 0;
	if (memcg->size[LRU_INACTIVE_FILE] + memcg->size[LRU_ACTIVE_FILE])
		return false;
	return m->noswap || !m->sc.swap_pages ||
	       memcg->size[LRU_INACTIVE_ANON] + memcg->size[LRU_ACTIVE_ANON] == 0;
}

/* The walk is back at its start without success: unused stocks go back. */
static void drain_on_walk(struct machine *m, uint32_t cpu, uint32_t over)
{
	if (machine_axis(m, AXIS_DRAIN) != DRAIN_BY_CHARGE)
		charge_drain_stocks(m, cpu, over);
}

/*
 * To v3.2: a round ends once there is room, after one victim where a limit is
 * lowered, or when the cursor is at the group itself for the second time; how
 * many groups that makes depends on where it stood before.
 */
static pages_t limit_by_cursor(struct machine *m, uint32_t cpu, uint32_t over, bool shrink)
{
	bool stops = machine_axis(m, AXIS_SECOND_VISIT) == SECOND_VISIT_STOPS;
	pages_t total = 0, freed;
	int seen = 0;

	while (stops || seen < 2) {
		uint32_t victim = memcg_select_victim(&m->memcgs, over);

		if (victim == over) {
			seen++;
			drain_on_walk(m, cpu, over);
		}
		if (stops && seen >= 2)
			break;
		if (skip_group(m, victim))
			continue;
		freed = reclaim_try_to_free(m, cpu, victim);
		total += freed;
		if (shrink || charge_margin(m, over, 1))
			break;
	}
	return total;
}

/* v3.3: calls for the whole hierarchy, until there is room or two of them freed nothing. */
static pages_t limit_by_iterator(struct machine *m, uint32_t cpu, uint32_t over, bool shrink)
{
	pages_t total = 0;
	int64_t loop;

	for (loop = 0; loop < machine_knobs(m)->reclaim_loops; loop++) {
		if (loop)
			drain_on_walk(m, cpu, over);
		total += reclaim_try_to_free(m, cpu, over);
		if ((shrink && total) || charge_margin(m, over, 1) || (loop && !total))
			break;
	}
	return total;
}

static pages_t (*const limit_walk[])(struct machine *m, uint32_t cpu, uint32_t over,
				     bool shrink) = {
	[WALK_ROOT] = limit_by_cursor,
	[WALK_ROOT_ZONE_PRIO] = limit_by_iterator,
	[WALK_ROOT_NODE] = reclaim_by_node,
};

pages_t reclaim_limit(struct machine *m, uint32_t cpu, uint32_t over, bool shrink)
{
	assert(over != MEMCG_NONE);
	return limit_walk[machine_axis(m, AXIS_WALK)](m, cpu, over, shrink);
}
