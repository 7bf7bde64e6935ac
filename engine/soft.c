/*
 * The tree of excesses.  Follows mm/memcontrol.c of v2.6.32, v3.1 and v3.3.
 *
 * MODEL: events are counted for a group, not for a group and CPU; the tree
 * is searched, not sorted.
 */
#include "soft.h"

#include <assert.h>

#include "counter_lock.h"
#include "policy.h"

enum {
	EVENTS_PER_UPDATE = 1000,	/* v2.6.32 */
	THRESHOLD_EVENTS = 128,		/* v3.1 and later */
	SOFT_EVENTS = 1024
};

pages_t soft_excess(const struct machine *m, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);

	return memcg->counter.usage > memcg->soft ? memcg->counter.usage - memcg->soft : 0;
}

void soft_insert(struct machine *m, uint32_t id, uint32_t zone)
{
	struct memcg *memcg = machine_memcg(m, id);

	assert(zone < ALL_ZONES_MAX);
	memcg->soft_excess[zone] = soft_excess(m, id);
	memcg->soft_order[zone] = ++m->host->soft_inserts;
}

/* A group that falls within its limit is placed once more, with no excess: out of the tree. */
static void update_upwards(struct machine *m, uint32_t id, uint32_t zone)
{
	for (; id; id = machine_memcg(m, id)->counter_parent)
		if (soft_excess(m, id) || machine_memcg(m, id)->soft_excess[zone])
			soft_insert(m, id, zone);
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

uint32_t soft_tree(const struct machine *m, uint32_t zone)
{
	assert(zone < m->host->nr_zones);
	return m->per_node ? machine_node(m, zone) : zone;
}

void soft_event(struct machine *m, uint32_t id, uint32_t zone, bool uncharge)
{
	struct memcg *memcg = machine_memcg(m, id);
	unsigned how = machine_axis(m, AXIS_SOFT_LIMIT);
	bool due;

	/* Without a soft limit it is looked all the same, which only locks tell. */
	if ((!m->host->soft_used && !machine_has_locks(m)) || how == SOFT_LIMIT_OFF ||
	    memcg->uncounted)
		return;
	due = how == SOFT_LIMIT_COUNT ? due_by_count(memcg, uncharge) : due_by_target(memcg);
	if (!due)
		return;
	counter_lock_soft(m, id);
	update_upwards(m, id, soft_tree(m, zone));
}

void soft_set(struct machine *m, uint32_t memcg, pages_t soft)
{
	machine_memcg(m, memcg)->soft = soft;
	m->host->soft_used = true;
}

uint32_t soft_largest(const struct machine *m, uint32_t zone, uint32_t not )
{
	uint32_t best = MEMCG_NONE, id;

	assert(zone < ALL_ZONES_MAX);
	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		const struct memcg *memcg = machine_memcg(m, id), *top = machine_memcg(m, best);

		if (!memcg_exists(memcg) || id == not || !memcg->soft_excess[zone] ||
		    !soft_excess(m, id))
			continue;
		if (!best || memcg->soft_excess[zone] > top->soft_excess[zone] ||
		    (memcg->soft_excess[zone] == top->soft_excess[zone] &&
		     memcg->soft_order[zone] > top->soft_order[zone]))
			best = id;
	}
	return best;
}
