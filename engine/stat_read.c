/*
 * Counters looked at for one read of a group's statistics.
 */
#include "stat_read.h"

#include <assert.h>
#include <string.h>

#include "policy.h"

enum { STAT_ITEMS = 70 };	/* of memory.stat, about: a983b5ebee57 */

/* CPUs on which a group has changed; none of them has afterwards. */
static uint64_t take_changed(struct memcg *memcg)
{
	uint64_t changed = 0;
	size_t i;

	for (i = 0; i < sizeof(memcg->stat_cpus) / sizeof(memcg->stat_cpus[0]); i++)
		for (; memcg->stat_cpus[i]; memcg->stat_cpus[i] &= memcg->stat_cpus[i] - 1)
			changed++;
	return changed;
}

uint64_t stat_read(struct machine *m, uint32_t memcg)
{
	unsigned how = machine_axis(m, AXIS_STAT_READ);
	uint64_t looks = how == STAT_READ_TREE;
	uint32_t id;

	assert(memcg_exists(machine_memcg(m, memcg)));
	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		if (!memcg_exists(machine_memcg(m, id)) || !memcg_in_subtree(&m->memcgs, id, memcg))
			continue;
		if (how == STAT_READ_TREE)
			looks += take_changed(machine_memcg(m, id));
		else
			looks += how == STAT_READ_SUM ? m->sc.cpus : 1;
	}
	return looks * STAT_ITEMS;
}
