/*
 * Spending the targets of one pass, cluster by cluster, and the balance of
 * anon at its end.  Follows mm/vmscan.c of v2.6.31 (A), v2.6.32 (A'), v3.1,
 * v3.2 (B), v3.3 (C) and v6.18 (D).
 *
 * MODEL: no waiting for writeback between passes.
 */
#include "pass.h"

#include <assert.h>

#include "dirty.h"
#include "policy.h"
#include "shrink.h"
#include "swap.h"
#include "target.h"
#include "workingset.h"
#include "writeback.h"

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

	assert(memcg || rc->global);
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
			       scan_inactive_ratio(m->host->zone[rc->zone].present) <
		       size[LRU_ACTIVE_ANON];
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

	assert(asked->nr_to_scan > 0);
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

/* Whether inactive anon is too short, from v6.18 on by the flushed figures. */
static bool anon_is_short(const struct machine *m, const struct reclaim *rc, uint32_t memcg)
{
	struct bucket of = { memcg, machine_node(m, rc->zone) };

	if (machine_axis(m, AXIS_DEACTIVATE) == DEACTIVATE_TARGET)
		return scan_anon_is_low(flushed_size(m, of, LRU_INACTIVE_ANON),
					flushed_size(m, of, LRU_ACTIVE_ANON));
	return anon_is_low(m, rc, memcg);
}

/* At the end of a pass: whether some active anon moves over for the sake of balance. */
static bool anon_wants_aging(const struct machine *m, const struct reclaim *rc, uint32_t memcg)
{
	if (machine_axis(m, AXIS_ANON_AGING) == ANON_AGING_FREE ? !swap_free(m) : !m->sc.swap_pages)
		return false;
	return anon_is_short(m, rc, memcg);
}

/* A cluster of active anon moves over. */
static void age_anon(struct machine *m, struct reclaim *rc, uint32_t memcg)
{
	struct shrink sh = {
		.id = { memcg, rc->zone, LRU_ACTIVE_ANON },
		.nr_to_scan = (pages_t)machine_knobs(m)->swap_cluster_max,
		.rule = RULE_DEACTIVATE,
	};

	shrink_active(m, rc, &sh);
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

void pass_lists(struct machine *m, struct reclaim *rc, uint32_t memcg)
{
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max;
	struct pass pass = { .freed = 0 };
	int lru;

	assert(rc->priority <= (unsigned)machine_knobs(m)->def_priority);
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
	writeback_submit(m);
	if (anon_wants_aging(m, rc, memcg))
		age_anon(m, rc, memcg);
	if (!rc->kswapd)
		dirty_wait_writeout(m, rc->target);
}

/* Without swap there is nothing to be ready for; to v2.6.32 kswapd does not ask. */
void pass_age_anon(struct machine *m, struct reclaim *rc)
{
	bool all = machine_axis(m, AXIS_DEACTIVATE) == DEACTIVATE_TARGET;
	uint32_t id = MEMCG_NONE, last = MEMCG_NONE;

	assert(rc->kswapd);
	if (machine_axis(m, AXIS_ANON_AGING) == ANON_AGING_TOTAL && !m->sc.swap_pages)
		return;
	if (all && !anon_is_short(m, rc, MEMCG_ROOT))
		return;
	if (machine_axis(m, AXIS_LRU) != LRU_DOUBLE) {
		id = MEMCG_ROOT;
		last = memcg_max(&m->memcgs);
	}
	for (; id <= last; id++)
		if ((id == MEMCG_NONE || memcg_exists(machine_memcg(m, id))) &&
		    (all || anon_is_short(m, rc, id)))
			age_anon(m, rc, id);
}
