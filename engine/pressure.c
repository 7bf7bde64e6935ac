/*
 * Waits for memory, group by group.
 */
#include "pressure.h"

#include <assert.h>

void pressure_stalled(struct machine *m, uint32_t memcg, ns_t since)
{
	ns_t waited = m->host->now - since;

	assert(m->host->now >= since);
	for (; waited && memcg; memcg = machine_memcg(m, memcg)->parent)
		machine_memcg(m, memcg)->stall_ns += waited;
}
