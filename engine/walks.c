/*
 * Readers of memcg.last_child, .iter and .walk_position; nothing here moves
 * them.  Follows mem_cgroup_hierarchical_reclaim(), v2.6.31, and
 * mem_cgroup_iter(), v3.3 and v6.18, mm/memcontrol.c, whose iterators are.
 */
#include "walks.h"

#include <assert.h>

#include "policy.h"
#include "run_private.h"

static const struct run_walk anywhere = { .node = -1, .zone = -1, .priority = -1 };

/* Of a zone and a priority: the @i-th that was used, zones in order, the gentlest first. */
static bool iter_at(const struct machine *m, const struct memcg *memcg, uint32_t i,
		    struct run_walk *out)
{
	uint32_t zone;
	int priority;

	for (zone = 0; zone < m->host->nr_zones; zone++) {
		for (priority = PRIORITIES - 1; priority >= 0; priority--) {
			const struct memcg_iter *iter = &memcg->iter[zone][priority];

			if ((!iter->position && !iter->generation) || i-- > 0)
				continue;
			*out = (struct run_walk){ (int32_t)machine_node(m, zone), (int32_t)zone,
						  priority, iter->position, iter->generation };
			return true;
		}
	}
	return false;
}

bool walks_at(const struct machine *m, uint32_t id, uint32_t i, struct run_walk *out)
{
	const struct memcg *memcg = machine_memcg(m, id);
	unsigned walk = machine_axis(m, AXIS_WALK);

	assert(memcg_exists(memcg));
	if (!memcg->hierarchy)
		return false;
	if (walk == WALK_ROOT_ZONE_PRIO)
		return iter_at(m, memcg, i, out);
	if (i >= (walk == WALK_ROOT_NODE ? m->sc.nodes : 1))
		return false;
	*out = anywhere;
	out->last = memcg->last_child;
	if (walk == WALK_ROOT_NODE) {
		out->node = (int32_t)i;
		out->last = memcg->walk_position[i];
	}
	return true;
}

void walks_tell(struct machine *m, uint32_t memcg)
{
	struct event event = { .kind = EVENT_WALK, .memcg = memcg };
	struct run_walk at;
	uint32_t i;

	if (!machine_memcg(m, memcg)->walked)
		return;
	machine_memcg(m, memcg)->walked = false;
	for (i = 0; machine_wants(m, EVENT_WALK) && walks_at(m, memcg, i, &at); i++) {
		event.n[WALK_NODE] = at.node;
		event.n[WALK_ZONE] = at.zone;
		event.n[WALK_PRIORITY] = at.priority;
		event.n[WALK_LAST] = at.last;
		event.n[WALK_ROUNDS] = at.rounds;
		machine_emit(m, &event);
	}
}

bool run_walk(const struct run *run, uint32_t memcg, uint32_t i, struct run_walk *out)
{
	const struct machine *m = run_machine_const(run);

	if (memcg < MEMCG_ROOT || memcg > memcg_max(&m->memcgs) ||
	    !memcg_exists(machine_memcg(m, memcg)))
		return false;
	return walks_at(m, memcg, i, out);
}
