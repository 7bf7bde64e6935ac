/*
 * Per CPU, group and item: what memory.stat does not show yet.  Invariant:
 * never more than charge_batch, up or down.  Follows MEMCG_CHARGE_BATCH in
 * include/linux/memcontrol.h, v4.16, where it is that of the stock, too.
 *
 * MODEL: from 4.16 to 5.1, where what a subtree has is the sum of its groups;
 * later a CPU added to all groups above at once.
 */
#include "stat_batch.h"

#include <assert.h>

static int16_t *held(const struct machine *m, uint32_t cpu, uint32_t memcg, enum batch_item item)
{
	assert(cpu < m->sc.cpus && memcg && memcg <= MEMCG_MAX);
	return &m->gathered[(cpu * (MEMCG_MAX + 1) + memcg) * NR_BATCH_ITEMS + item];
}

void stat_batch_gather(struct machine *m, uint32_t memcg, enum batch_item item, int64_t change)
{
	int64_t batch = machine_knobs(m)->charge_batch, now;
	int16_t *of = held(m, m->on_cpu, memcg, item);

	assert(stat_batched(m));
	now = *of + change;
	*of = now > batch || now < -batch ? 0 : (int16_t)now;
}

void stat_batch_run(struct machine *m, uint32_t memcg, enum batch_item item, uint64_t n)
{
	int64_t batch = machine_knobs(m)->charge_batch, now;
	int16_t *of;

	if (!stat_batched(m))
		return;
	of = held(m, m->on_cpu, memcg, item);
	now = *of + (int64_t)n;
	*of = (int16_t)(now > batch ? now % (batch + 1) : now);
}

int64_t stat_batch_held(const struct machine *m, uint32_t memcg, enum batch_item item)
{
	int64_t sum = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < m->sc.cpus && stat_batched(m); cpu++)
		sum += *held(m, cpu, memcg, item);
	return sum;
}

void stat_batch_forget(struct machine *m, uint32_t memcg)
{
	uint32_t cpu;
	int item;

	for (cpu = 0; cpu < m->sc.cpus && stat_batched(m); cpu++)
		for (item = 0; item < NR_BATCH_ITEMS; item++)
			*held(m, cpu, memcg, (enum batch_item)item) = 0;
}
