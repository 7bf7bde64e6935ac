/*
 * Reclaim and sleep above memory.high.  Follows
 * mem_cgroup_handle_over_high(), mm/memcontrol.c of v6.18.
 */
#include "high.h"

#include <assert.h>

#include "idle.h"
#include "policy.h"
#include "pressure.h"
#include "protect.h"
#include "reclaim_node.h"

enum {
	DELAY_IGNORED = 100,		/* shorter than a hundredth of a second */
	DELAY_RETRIES = 16
};

/* Reclaims in each level above its high.  Returns: pages freed. */
static pages_t reclaim_high(struct machine *m, uint32_t task, pages_t want)
{
	uint32_t id = m->task[task].memcg;
	pages_t freed = 0;

	for (; id; id = machine_memcg(m, id)->parent) {
		struct memcg *memcg = machine_memcg(m, id);

		if (memcg->counter.usage <= memcg->high)
			continue;
		memcg->high_events++;
		freed += reclaim_node(m, m->task[task].cpu, id, want);
	}
	return freed;
}

/* The level that is furthest above its high decides how long the task sleeps; at first only the
 * task's own group did. */
static uint64_t worst_overage(const struct machine *m, uint32_t id)
{
	bool own = machine_axis(m, AXIS_HIGH_SCOPE) == HIGH_SCOPE_OWN;
	uint64_t worst = 0;

	for (; id; id = own ? MEMCG_NONE : machine_memcg(m, id)->parent) {
		uint64_t over = protect_overage(machine_memcg(m, id)->counter.usage,
						machine_memcg(m, id)->high);

		worst = over > worst ? over : worst;
	}
	return worst;
}

/*
 * First the whole debt is asked for, then a cluster at a time until the delay
 * is too short to matter or 16 rounds freed nothing; what is due then is slept.
 */
static void pay(struct machine *m, uint32_t task)
{
	uint64_t hz = (uint64_t)machine_knobs(m)->hz, ticks, over;
	pages_t batch = (pages_t)machine_knobs(m)->charge_batch;
	pages_t debt = m->task[task].debt, want = debt, freed;
	int retries = DELAY_RETRIES;
	ns_t since;

	assert(debt > 0);
	m->task[task].debt = 0;
	m->by = m->task[task].memcg;
	since = m->host->now;
	for (;;) {
		freed = reclaim_high(m, task, want);
		over = worst_overage(m, m->task[task].memcg);
		ticks = protect_delay(over, debt, batch, hz);
		if (ticks <= hz / DELAY_IGNORED) {
			pressure_stalled(m, m->by, since);
			return;
		}
		if (!freed && retries-- <= 0)
			break;
		want = (pages_t)machine_knobs(m)->swap_cluster_max;
	}
	m->host->totals.throttled_ns += ticks * (NS_PER_SECOND / hz);
	idle_sleep(m, ticks * (NS_PER_SECOND / hz));
	pressure_stalled(m, m->by, since);
}

void high_settle(struct machine *m, uint32_t task, struct cpu *cpu, pages_t spared)
{
	if (cpu->debt <= spared)
		return;
	if (task && m->task[task].alive) {
		m->task[task].debt += cpu->debt;
		cpu->debt = 0;
		pay(m, task);
	}
	cpu->debt = 0;
}
