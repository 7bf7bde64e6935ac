/*
 * Limit reclaim of v6.18: one priority loop over the tree below the group
 * that is over its limit, judged by that group's flushed figures, with the
 * shadow shrinker after each group.  Follows do_try_to_free_pages(),
 * shrink_node_memcgs(), mm/vmscan.c:6393, 6004; do_shrink_slab(),
 * mm/shrinker.c; mem_cgroup_iter(), mm/memcontrol.c:1003.
 */
#include "reclaim_node.h"

#include <assert.h>

#include "pass.h"
#include "policy.h"
#include "protect.h"
#include "workingset.h"

enum {
	SHRINK_BATCH = 128,	/* nodes freed at once */
	NODES_SHIFT = 3		/* nodes allowed: an eighth of the group's pages */
};

/* The child of @up that was made next after @born; MEMCG_NONE: none. */
static uint32_t younger_child(const struct machine *m, uint32_t up, uint32_t born)
{
	uint32_t id, found = MEMCG_NONE;

	for (id = MEMCG_ROOT + 1; id <= memcg_max(&m->memcgs); id++) {
		const struct memcg *memcg = machine_memcg(m, id);

		if (!memcg_exists(memcg) || memcg->parent != up || memcg->born <= born)
			continue;
		if (!found || memcg->born < machine_memcg(m, found)->born)
			found = id;
	}
	return found;
}

/* Next group in pre-order below @root, siblings by creation; MEMCG_NONE after the last. */
static uint32_t tree_next(const struct machine *m, uint32_t root, uint32_t at)
{
	uint32_t id, up = at, born = 0;

	assert(at == MEMCG_NONE || memcg_in_subtree(&m->memcgs, at, root));
	if (at == MEMCG_NONE)
		return root;
	for (;;) {
		id = younger_child(m, up, born);
		if (id || up == root)
			return id;
		born = machine_memcg(m, up)->born;
		up = machine_memcg(m, up)->parent;
	}
}

/* The next group of a walk: by the shared position, or on from @prev. */
static uint32_t walk_next(struct machine *m, const struct reclaim *rc, uint32_t prev)
{
	uint32_t node = machine_node(m, rc->zone);
	uint32_t *position = &machine_memcg(m, rc->target)->walk_position[node];

	if (rc->full_walk)
		return tree_next(m, rc->target, prev);
	machine_memcg(m, rc->target)->walked = true;
	*position = tree_next(m, rc->target, *position);
	if (*position == MEMCG_NONE && prev == MEMCG_NONE)
		*position = tree_next(m, rc->target, MEMCG_NONE);
	return *position;
}

/* inactive * ratio < active, by the flushed figures of a bucket. */
static bool inactive_is_low(const struct machine *m, struct bucket of, unsigned type)
{
	enum lru inactive = type == SCAN_ANON ? LRU_INACTIVE_ANON : LRU_INACTIVE_FILE;

	return scan_anon_is_low(flushed_size(m, of, inactive),
				flushed_size(m, of, (enum lru)(inactive + 1)));
}

void reclaim_prepare(struct machine *m, struct reclaim *rc)
{
	struct bucket of = { rc->target, machine_node(m, rc->zone) };
	const uint64_t *seen = machine_memcg(m, rc->target)->seen_activate[of.node];
	unsigned type;

	for (type = 0; type < NR_SCAN_TYPES; type++)
		rc->may_deactivate[type] = rc->force_deactivate ||
					   flushed_activate(m, of, type) != seen[type] ||
					   inactive_is_low(m, of, type);
}

/*
 * The shadow shrinker, asked after each group's lists.  Half of the nodes
 * beyond the allowance are due, with part of what earlier calls left over;
 * they are freed by whole batches only, unless all of them are due.
 */
static void shrink_shadows(struct machine *m, const struct reclaim *rc, uint32_t id)
{
	struct memcg *memcg = machine_memcg(m, id);
	uint32_t allowed = (uint32_t)(flushed_local(m, id) >> NODES_SHIFT);
	struct event event = { .kind = EVENT_SHADOWS, .cpu = rc->cpu, .memcg = id };
	uint64_t surplus, delta, total, scanned = 0, freed = 0, deferred;

	if (machine_axis(m, AXIS_SHADOW_SHRINK) == SHADOW_SHRINK_OFF ||
	    memcg->nr_shadow_nodes <= allowed)
		return;
	surplus = memcg->nr_shadow_nodes - allowed;
	delta = surplus / 2;
	deferred = memcg->shadow_deferred;
	total = (deferred >> rc->priority) + delta;
	if (total > 2 * surplus)
		total = 2 * surplus;
	while (total >= SHRINK_BATCH || total >= surplus) {
		uint64_t batch = total < SHRINK_BATCH ? total : SHRINK_BATCH;

		freed += nodes_shrink(m, rc->cpu, id, (uint32_t)batch);
		total -= batch;
		scanned += batch;
		if (!batch)
			break;
	}
	memcg->shadow_deferred = deferred + delta > scanned ? deferred + delta - scanned : 0;
	if (memcg->shadow_deferred > 2 * surplus)
		memcg->shadow_deferred = 2 * surplus;
	event.n[SHADOWS_DUE] = (int64_t)surplus;
	event.n[SHADOWS_FREED] = (int64_t)freed;
	if (machine_wants(m, EVENT_SHADOWS))
		machine_emit(m, &event);
}

void reclaim_group(struct machine *m, struct reclaim *rc, uint32_t memcg)
{
	pass_lists(m, rc, memcg);
	shrink_shadows(m, rc, memcg);
}

/* Whether memory.min, or memory.low unless it is the last resort, keeps a group out of it. */
static bool protected(struct machine *m, struct reclaim *rc, uint32_t id)
{
	struct memcg *memcg = machine_memcg(m, id);
	pages_t min, low;

	if (machine_axis(m, AXIS_CGROUP) != CGROUP_V2 || id == rc->target)
		return false;
	protect_of(m, rc->target, id, &min, &low);
	if (min && min >= memcg->counter.usage)
		return true;
	if (!low || low < memcg->counter.usage)
		return false;
	if (!rc->ignore_low) {
		rc->skipped_low = true;
		return true;
	}
	memcg->low_events++;
	return false;
}

/* All groups of the walk at one priority. */
void reclaim_tree(struct machine *m, struct reclaim *rc)
{
	uint32_t id = MEMCG_NONE;
	pages_t freed = rc->freed;

	reclaim_prepare(m, rc);
	while ((id = walk_next(m, rc, id)) != MEMCG_NONE) {
		if (protected(m, rc, id))
			continue;
		reclaim_group(m, rc, id);
		if (!rc->full_walk && rc->freed >= rc->want)
			break;
	}
	if (rc->freed > freed)
		m->host->zone[zone_first(m, machine_node(m, rc->zone))].fruitless = 0;
}

/* What the figures of the target are by now is what the next reclaim of it compares with. */
static void remember_activate(struct machine *m, uint32_t target)
{
	struct bucket of = { target, 0 };
	unsigned type;

	for (of.node = 0; of.node < m->sc.nodes; of.node++)
		for (type = 0; type < NR_SCAN_TYPES; type++)
			machine_memcg(m, target)->seen_activate[of.node][type] =
				flushed_activate(m, of, type);
}

/* Each priority visits all nodes, from that of the CPU on. */
static void priority_loop(struct machine *m, struct reclaim *rc)
{
	int64_t priority;
	uint32_t i;

	for (priority = machine_knobs(m)->def_priority; priority >= 0; priority--) {
		rc->priority = (unsigned)priority;
		for (i = 0; i < m->host->nr_zones; i += m->host->node_zones) {
			rc->zone = zone_nth(m, machine_cpu_node(m, rc->cpu), i);
			reclaim_tree(m, rc);
		}
		if (rc->freed >= rc->want)
			break;
		request_wake_flusher(m, rc);
	}
	remember_activate(m, rc->target);
}

void reclaim_descents(struct machine *m, struct reclaim *rc,
		      void (*descend)(struct machine *m, struct reclaim *rc))
{
	assert(!rc->full_walk && !rc->force_deactivate && !rc->ignore_low);
	descend(m, rc);
	if (!rc->freed) {
		rc->full_walk = true;
		descend(m, rc);
	}
	if (!rc->freed && rc->skipped_deactivate) {
		rc->force_deactivate = true;
		descend(m, rc);
	}
	if (!rc->freed && rc->skipped_low) {
		rc->force_deactivate = false;
		rc->ignore_low = true;
		descend(m, rc);
	}
}

pages_t reclaim_node(struct machine *m, uint32_t cpu, uint32_t target, pages_t want)
{
	pages_t cluster = (pages_t)machine_knobs(m)->swap_cluster_max;
	struct reclaim rc = {
		.cpu = cpu, .target = target, .want = want > cluster ? want : cluster };

	assert(m->per_node);
	nodes_grace(m);
	reclaim_descents(m, &rc, priority_loop);
	request_emit(m, &rc, RULE_VICTIM_TREE, rc.freed);
	return rc.freed;
}

pages_t reclaim_by_node(struct machine *m, uint32_t cpu, uint32_t over, bool shrink)
{
	(void)shrink;
	return reclaim_node(m, cpu, over, 1);
}
