/*
 * memory.reclaim and memory.force_empty: the same loop of tries around one
 * call of the era's reclaim.
 */
#include "control.h"

#include <assert.h>

#include "charge.h"
#include "reclaim.h"
#include "reclaim_node.h"

enum { RECLAIM_PARTS = 4 };	/* of what is left, asked for at once */

pages_t control_reclaim(struct machine *m, uint32_t cpu, uint32_t id, pages_t want)
{
	int64_t retries = machine_knobs(m)->reclaim_retries;
	pages_t done = 0;

	assert(m->per_node);
	m->by = id;
	while (done < want) {
		pages_t freed = reclaim_node(m, cpu, id, (want - done) / RECLAIM_PARTS);

		done += freed;
		if (!freed && !retries--)
			break;
	}
	return done;
}

pages_t control_force_empty(struct machine *m, uint32_t cpu, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);
	int64_t retries = machine_knobs(m)->reclaim_retries;
	pages_t done = 0;
	uint32_t i;

	assert(memcg->online);
	if (!m->per_node && (memcg->nr_tasks || memcg->nr_children))
		return 0;
	m->by = id;
	for (i = 0; i < m->sc.cpus; i++)
		pagevec_drain(m, i);
	charge_drain_stocks(m, cpu, id);
	charge_deferred(m);
	while (memcg->counter.usage && retries > 0) {
		pages_t freed = m->per_node ? reclaim_node(m, cpu, id, 1)
					    : reclaim_try_to_free(m, cpu, id);

		done += freed;
		retries -= !freed;
	}
	return done;
}
