/*
 * The priority loop, one pass, and the rounds of a limit hit.  Follows
 * mm/vmscan.c and mm/memcontrol.c of v2.6.31 (A), v2.6.32 (A'), v3.1, v3.2
 * (B) and v3.3 (C); which of them holds is looked up axis by axis.
 *
 * MODEL: no waiting for writeback, whose time is not modelled.
 */
#include "reclaim.h"

#include <assert.h>

#include "policy.h"
#include "shrink.h"
#include "swap.h"
#include "target.h"
#include "workingset.h"

static bool break_gt_cumulative(const struct reclaim *rc, pages_t pass_freed, pages_t want)
{
	return rc->freed + pass_freed > want;
}

static bool break_ge_cumulative(const struct reclaim *rc, pages_t pass_freed, pages_t want)
{
	return rc->freed + pass_freed >= want;
}

static bool break_ge_local(const struct reclaim *rc, pages_t pass_freed, pages_t want)
{
	(void)rc;
	return pass_freed >= want;
}

static bool (*const early_break[])(const struct reclaim *rc, pages_t pass_freed, pages_t want) = {
	[EARLY_BREAK_GT_CUMULATIVE] = break_gt_cumulative,
	[EARLY_BREAK_GE_CUMULATIVE] = break_ge_cumulative,
	[EARLY_BREAK_GE_LOCAL] = break_ge_local,
	[EARLY_BREAK_GE_LOCAL_ALL] = break_ge_local,
};

/* The sizes by which an inactive list is judged too short. */
static const pages_t *low_scope(const struct machine *m, const struct reclaim *rc, uint32_t memcg)
{
	const struct list_id id = { .memcg = memcg, .zone = rc->zone };

	if (!rc->global && machine_axis(m, AXIS_LOW_SCOPE) == LOW_SCOPE_GROUP)
		return machine_memcg(m, memcg)->size;
	return machine_list_lruvec(m, id)->size;
}

/* Anon is judged by a ratio that grows with its pages, for a zone with the zone. */
static bool anon_is_low(const struct machine *m, const struct reclaim *rc, uint32_t memcg)
{
	const pages_t *size = low_scope(m, rc, memcg);

	if (memcg == MEMCG_NONE)
		return size[LRU_INACTIVE_ANON] *
		       scan_inactive_ratio(m->host->zone[rc->zone].present) < size[LRU_ACTIVE_ANON];
	return scan_anon_is_low(size[LRU_INACTIVE_ANON], size[LRU_ACTIVE_ANON]);
}

static bool active_is_too_long(const struct machine *m, const struct reclaim *rc, uint32_t memcg,
			       enum lru active)
{
	const pages_t *size = low_scope(m, rc, memcg);

	if (active == LRU_ACTIVE_FILE)
		return scan_file_is_low(size[LRU_INACTIVE_FILE], size[LRU_ACTIVE_FILE]);
	return anon_is_low(m, rc, memcg);
}

/* Whether an active list may be moved over, by its own length or by the target's figures. */
static bool may_deactivate(const struct machine *m, struct reclaim *rc, uint32_t memcg,
			   enum lru active)
{
	if (machine_axis(m, AXIS_DEACTIVATE) == DEACTIVATE_LOW)
		return active_is_too_long(m, rc, memcg, active);
	if (rc->may_deactivate[SCAN_TYPE(active)])
		return true;
	rc->skipped_deactivate = true;
	return false;
}

/* Spends part of a list's target.  Returns: pages freed. */
static pages_t visit(struct machine *m, struct reclaim *rc, const struct shrink *asked)
{
	struct shrink sh = *asked;

	if (sh.id.lru == LRU_INACTIVE_ANON || sh.id.lru == LRU_INACTIVE_FILE)
		return shrink_inactive(m, rc, &sh);
	if (may_deactivate(m, rc, sh.id.memcg, sh.id.lru)) {
		sh.rule = RULE_DEACTIVATE;
		shrink_active(m, rc, &sh);
		return 0;
	}
	if (machine_axis(m, AXIS_FALL_THROUGH) == FALL_THROUGH_OFF)
		return 0;
	sh.id.lru = (enum lru)(sh.id.lru - 1);
	sh.rule = RULE_SCAN_FALL_THROUGH;
	return shrink_inactive(m, rc, &sh);
}

/* Active anon alone does not keep a pass going. */
static bool pass_goes_on(const struct pass *pass)
{
	return pass->todo[LRU_INACTIVE_ANON] || pass->todo[LRU_INACTIVE_FILE] ||
	       pass->todo[LRU_ACTIVE_FILE];
}

/* At the end of a pass: whether some active anon moves over for the sake of balance. */
static bool anon_wants_aging(const struct machine *m, const struct reclaim *rc, uint32_t memcg)
{
	if (machine_axis(m, AXIS_ANON_AGING) == ANON_AGING_FREE ? !swap_free(m)
								 : !m->sc.swap_pages)
		return false;
	if (machine_axis(m, AXIS_DEACTIVATE) == DEACTIVATE_TARGET)
		return scan_anon_is_low(flushed_size(m, memcg, LRU_INACTIVE_ANON),
					flushed_size(m, memcg, LRU_ACTIVE_ANON));
	return anon_is_low(m, rc, memcg);
}

/* Whether a pass ends before its targets are spent. */
static bool ends_early(const struct machine *m, const struct reclaim *rc, struct pass *pass)
{
	bool all = machine_axis(m, AXIS_EARLY_BREAK) == EARLY_BREAK_GE_LOCAL_ALL;
	bool first = rc->priority >= (unsigned)machine_knobs(m)->def_priority;

	if (first && (!all || (rc->global && !rc->kswapd)))
		return false;
	if (!early_break[machine_axis(m, AXIS_EARLY_BREAK)](rc, pass->freed, rc->want))
		return false;
	return !all || !target_rebalance(pass);
}

void reclaim_pass(struct machine *m, struct reclaim *rc, uint32_t memcg)
{
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max;
	struct pass pass = { .freed = 0 };
	int lru;

	m->host->now += (ns_t)machine_knobs(m)->reclaim_ns;
	target_pass(m, rc, memcg, &pass);
	while (pass_goes_on(&pass)) {
		for (lru = 0; lru < LRU_UNEVICTABLE; lru++) {
			pages_t k = pass.todo[lru] < cluster ? pass.todo[lru] : cluster;
			struct shrink sh = { { memcg, rc->zone, (enum lru)lru }, k,
					     pass.rule[lru] };

			if (!k)
				continue;
			pass.todo[lru] -= k;
			pass.freed += visit(m, rc, &sh);
		}
		if (ends_early(m, rc, &pass))
			break;
	}
	rc->freed += pass.freed;
	if (anon_wants_aging(m, rc, memcg)) {
		struct shrink sh = { { memcg, rc->zone, LRU_ACTIVE_ANON }, cluster,
				     RULE_DEACTIVATE };

		shrink_active(m, rc, &sh);
	}
}

/* The group that a pass works on: the target itself, or the next by the iterator. */
static uint32_t pass_group(struct machine *m, const struct reclaim *rc)
{
	if (machine_axis(m, AXIS_WALK) == WALK_ROOT_ZONE_PRIO)
		return memcg_iter_first(&m->memcgs, rc->target, rc->zone, rc->priority);
	return rc->target;
}

static enum rule walk_rule(const struct machine *m)
{
	return machine_axis(m, AXIS_WALK) == WALK_ROOT_ZONE_PRIO ? RULE_VICTIM_ITER
								 : RULE_VICTIM_CURSOR;
}

void reclaim_emit(struct machine *m, const struct reclaim *rc, enum rule rule, pages_t returned)
{
	struct event event = {
		.kind = EVENT_RECLAIM, .cpu = rc->cpu, .memcg = rc->target, .rule = rule,
	};

	event.n[RECL_TARGET] = rc->target;
	event.n[RECL_PRIORITY] = rc->priority;
	event.n[RECL_SCANNED] = (int64_t)rc->scanned;
	event.n[RECL_RECLAIMED] = (int64_t)rc->freed;
	event.n[RECL_RETURNED] = (int64_t)returned;
	if (machine_wants(m, EVENT_RECLAIM))
		machine_emit(m, &event);
}

pages_t reclaim_try_to_free(struct machine *m, uint32_t cpu, uint32_t target)
{
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max, returned;
	struct reclaim rc = { .cpu = cpu, .target = target, .want = cluster };
	int64_t priority;

	for (priority = machine_knobs(m)->def_priority; priority >= 0; priority--) {
		rc.priority = (unsigned)priority;
		for (rc.zone = m->host->nr_zones; rc.zone-- > 0;)
			if (m->host->zone[rc.zone].present)
				reclaim_pass(m, &rc, pass_group(m, &rc));
		if (rc.freed >= cluster)
			break;
	}
	returned = rc.freed;
	if (rc.freed < cluster && machine_axis(m, AXIS_PARTIAL) == PARTIAL_ZERO)
		returned = 0;
	reclaim_emit(m, &rc, walk_rule(m), returned);
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
	return !m->sc.swap_pages ||
	       memcg->size[LRU_INACTIVE_ANON] + memcg->size[LRU_ACTIVE_ANON] == 0;
}

static pages_t limit_by_cursor(struct machine *m, uint32_t cpu, uint32_t over, bool shrink)
{
	bool stops = machine_axis(m, AXIS_SECOND_VISIT) == SECOND_VISIT_STOPS;
	pages_t total = 0, freed;
	int seen = 0;

	while (stops || seen < 2) {
		uint32_t victim = memcg_select_victim(&m->memcgs, over);

		if (victim == over) {
			seen++;
			charge_drain_stocks(m, cpu, over);
		}
		if (stops && seen >= 2)
			break;
		if (skip_group(m, victim))
			continue;
		freed = reclaim_try_to_free(m, cpu, victim);
		total += freed;
		if (shrink || charge_margin(m, over))
			break;
	}
	return total;
}

static pages_t limit_by_iterator(struct machine *m, uint32_t cpu, uint32_t over, bool shrink)
{
	pages_t total = 0;
	int64_t loop;

	for (loop = 0; loop < machine_knobs(m)->reclaim_loops; loop++) {
		if (loop)
			charge_drain_stocks(m, cpu, over);
		total += reclaim_try_to_free(m, cpu, over);
		if ((shrink && total) || charge_margin(m, over) || (loop && !total))
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
