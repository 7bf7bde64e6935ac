/*
 * The walk below the group with the largest excess.  Follows
 * mem_cgroup_soft_limit_reclaim(), mm/memcontrol.c of v2.6.32, v3.1, v3.3.
 */
#include "reclaim_soft.h"

#include <assert.h>

#include "pass.h"
#include "policy.h"
#include "soft.h"

enum {
	ROUNDS_MAX = 100,
	GROUPS_MAX = 2,
	ENOUGH_SHIFT = 2		/* a quarter of the excess is enough */
};

/* The next member of a group's hierarchy.  Returns: whether the walk is at its start again. */
static bool next_member(struct machine *m, uint32_t root, uint32_t zone, uint32_t *victim)
{
	uint32_t before = *victim;

	if (machine_axis(m, AXIS_WALK) == WALK_ROOT) {
		*victim = memcg_select_victim(&m->memcgs, root);
		return *victim == root;
	}
	*victim = memcg_iter_first(&m->memcgs, root, soft_tree(m, zone), 0);
	return before != MEMCG_NONE && *victim <= before;
}

/* One group that exceeds its soft limit: its members, all of their lists, round by round. */
static pages_t reclaim_excess(struct machine *m, uint32_t cpu, uint32_t root, uint32_t zone)
{
	pages_t excess = soft_excess(m, root), total = 0;
	uint32_t victim = MEMCG_NONE;
	int rounds = 0;

	assert(soft_excess(m, root) > 0);
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
		pass_lists(m, &rc, victim);
		total += rc.freed;
		if (!soft_excess(m, root))
			break;
	}
	return total;
}

pages_t reclaim_soft(struct machine *m, uint32_t cpu, uint32_t zone)
{
	uint32_t tree = soft_tree(m, zone), id, last = MEMCG_NONE;
	pages_t freed = 0;
	int tries = 0;

	if (!m->host->soft_used || machine_axis(m, AXIS_SOFT_LIMIT) == SOFT_LIMIT_OFF)
		return 0;
	while (!freed && tries++ <= GROUPS_MAX) {
		id = soft_largest(m, tree, last);
		if (!id)
			break;
		m->by = MEMCG_ROOT;
		freed = reclaim_excess(m, cpu, id, zone);
		soft_insert(m, id, tree);
		last = id;
	}
	return freed;
}
