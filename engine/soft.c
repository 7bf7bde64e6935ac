/*
 * The tree of excesses and the walk below its largest.  Follows
 * mm/memcontrol.c of v2.6.32, v3.1 and v3.3.
 *
 * MODEL: events are counted for a group, not for a group and CPU; the tree
 * is searched, not sorted.
 */
#include "soft.h"

#include "policy.h"

enum {
	EVENTS_PER_UPDATE = 1000,	/* v2.6.32 */
	THRESHOLD_EVENTS = 128,		/* v3.1 and later */
	SOFT_EVENTS = 1024,
	ROUNDS_MAX = 100,
	GROUPS_MAX = 2,
	ENOUGH_SHIFT = 2		/* a quarter of the excess is enough */
};

static pages_t excess_of(const struct machine *m, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);

	return memcg->counter.usage > memcg->soft ? memcg->counter.usage - memcg->soft : 0;
}

/* A group's place in the tree of a zone is made anew. */
static void insert(struct machine *m, uint32_t id, uint32_t zone)
{
	struct memcg *memcg = machine_memcg(m, id);

	memcg->soft_excess[zone] = excess_of(m, id);
	memcg->soft_order[zone] = ++m->host->soft_inserts;
}

static void update_upwards(struct machine *m, uint32_t id, uint32_t zone)
{
	for (; id; id = machine_memcg(m, id)->counter_parent)
		if (excess_of(m, id) || machine_memcg(m, id)->soft_excess[zone])
			insert(m, id, zone);
}

/* v2.6.32: a charge looks before it is counted itself, an uncharge after. */
static bool due_by_count(struct memcg *memcg, bool uncharge)
{
	bool due;

	memcg->soft_events += uncharge;
	due = memcg->soft_events > EVENTS_PER_UPDATE;
	if (due)
		memcg->soft_events = 0;
	memcg->soft_events += !uncharge;
	return due;
}

/* From v3.1 on: thresholds fire first, and the tree is looked at only then. */
static bool due_by_target(struct memcg *memcg)
{
	memcg->soft_events++;
	if (memcg->soft_events <= memcg->threshold_target)
		return false;
	memcg->threshold_target = memcg->soft_events + THRESHOLD_EVENTS;
	if (memcg->soft_events <= memcg->soft_target)
		return false;
	memcg->soft_target = memcg->soft_events + SOFT_EVENTS;
	return true;
}

void soft_event(struct machine *m, uint32_t id, uint32_t zone, bool uncharge)
{
	struct memcg *memcg = machine_memcg(m, id);
	unsigned how = machine_axis(m, AXIS_SOFT_LIMIT);
	bool due;

	if (!m->host->soft_used || how == SOFT_LIMIT_OFF)
		return;
	due = how == SOFT_LIMIT_COUNT ? due_by_count(memcg, uncharge) : due_by_target(memcg);
	if (due)
		update_upwards(m, id, m->per_node ? 0 : zone);
}

void soft_set(struct machine *m, uint32_t memcg, pages_t soft)
{
	machine_memcg(m, memcg)->soft = soft;
	m->host->soft_used = true;
}

/* The group with the largest excess but @not; the later insertion on ties. */
static uint32_t largest(const struct machine *m, uint32_t zone, uint32_t not)
{
	uint32_t best = MEMCG_NONE, id;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		const struct memcg *memcg = machine_memcg(m, id), *top = machine_memcg(m, best);

		if (!memcg->online || id == not || !memcg->soft_excess[zone] || !excess_of(m, id))
			continue;
		if (!best || memcg->soft_excess[zone] > top->soft_excess[zone] ||
		    (memcg->soft_excess[zone] == top->soft_excess[zone] &&
		     memcg->soft_order[zone] > top->soft_order[zone]))
			best = id;
	}
	return best;
}

/* The next member of a group's hierarchy.  Returns: whether the walk is at its start again. */
static bool next_member(struct machine *m, uint32_t root, uint32_t zone, uint32_t *victim)
{
	uint32_t before = *victim;

	if (machine_axis(m, AXIS_WALK) == WALK_ROOT) {
		*victim = memcg_select_victim(&m->memcgs, root);
		return *victim == root;
	}
	*victim = memcg_iter_first(&m->memcgs, root, zone, 0);
	return before != MEMCG_NONE && *victim <= before;
}

/* One group that exceeds its soft limit: its members, all of their lists, round by round. */
static pages_t reclaim_excess(struct machine *m, uint32_t cpu, uint32_t root, uint32_t zone)
{
	pages_t excess = excess_of(m, root), total = 0;
	uint32_t victim = MEMCG_NONE;
	int rounds = 0;

	for (;;) {
		struct reclaim rc = {
			.cpu = cpu, .target = root, .zone = zone,
			.want = (pages_t)machine_knobs(m)->swap_cluster_max,
		};

		if (next_member(m, root, zone, &victim) && ++rounds >= 2 &&
		    (!total || total >= excess >> ENOUGH_SHIFT || rounds > ROUNDS_MAX))
			break;
		if (!machine_memcg(m, victim)->charged)
			continue;
		reclaim_pass(m, &rc, victim);
		total += rc.freed;
		if (!excess_of(m, root))
			break;
	}
	return total;
}

pages_t soft_reclaim(struct machine *m, uint32_t cpu, uint32_t zone)
{
	uint32_t id, last = MEMCG_NONE;
	pages_t freed = 0;
	int tries = 0;

	if (!m->host->soft_used || machine_axis(m, AXIS_SOFT_LIMIT) == SOFT_LIMIT_OFF)
		return 0;
	zone = m->per_node ? 0 : zone;
	while (!freed && tries++ <= GROUPS_MAX + 1) {
		id = largest(m, zone, last);
		if (!id)
			break;
		m->by = MEMCG_ROOT;
		freed = reclaim_excess(m, cpu, id, zone);
		insert(m, id, zone);
		last = id;
	}
	return freed;
}
