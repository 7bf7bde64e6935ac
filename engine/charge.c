/*
 * Page by page (to v2.6.32) and by stock (v3.1).  Invariant: a group's
 * usage is the pages of its subtree plus unused stock.  Follows
 * mm/memcontrol.c of v2.6.31 and v3.1.
 *
 * MODEL: deferred drains run between two steps, whatever CPU they are for.
 */
#include "charge.h"

#include <assert.h>

#include "policy.h"

struct charge_ops {
	const char *name;
	uint32_t (*try)(struct machine *m, uint32_t cpu, uint32_t memcg, bool again);
	pages_t (*run)(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max);
};

static uint32_t try_page(struct machine *m, uint32_t cpu, uint32_t memcg, bool again)
{
	(void)cpu;
	(void)again;
	return counter_try(&m->memcgs, memcg, 1);
}

static void stock_drain(struct machine *m, struct cpu *cpu)
{
	if (cpu->stock_nr)
		counter_uncharge(&m->memcgs, cpu->stock_memcg, cpu->stock_nr);
	cpu->stock_nr = 0;
	cpu->stock_memcg = MEMCG_NONE;
	cpu->drain_stock = false;
}

static uint32_t try_stock(struct machine *m, uint32_t cpu_id, uint32_t memcg, bool again)
{
	struct cpu *cpu = &m->cpu[cpu_id];
	pages_t batch = (pages_t)machine_knobs(m)->charge_batch;

	if (cpu->stock_memcg == memcg && cpu->stock_nr) {
		cpu->stock_nr--;
		return MEMCG_NONE;
	}
	if (batch > 1 && !again && !counter_try(&m->memcgs, memcg, batch)) {
		if (cpu->stock_memcg != memcg)
			stock_drain(m, cpu);
		cpu->stock_memcg = memcg;
		cpu->stock_nr += (uint32_t)batch - 1;
		return MEMCG_NONE;
	}
	return counter_try(&m->memcgs, memcg, 1);
}

static pages_t run_page(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max)
{
	pages_t room = counter_room(&m->memcgs, memcg);

	(void)cpu;
	if (max > room)
		max = room;
	if (max && counter_try(&m->memcgs, memcg, max))
		assert(!"a charge within the room was refused");
	return max;
}

static pages_t run_stock(struct machine *m, uint32_t cpu_id, uint32_t memcg, pages_t max)
{
	struct cpu *cpu = &m->cpu[cpu_id];

	if (cpu->stock_memcg != memcg)
		return 0;
	if (max > cpu->stock_nr)
		max = cpu->stock_nr;
	cpu->stock_nr -= (uint32_t)max;
	return max;
}

static const struct charge_ops charge_ops[] = {
	[CHARGE_PAGE] = { "page", try_page, run_page },
	[CHARGE_STOCK32] = { "stock32", try_stock, run_stock },
};

static void count_charged(struct machine *m, uint32_t memcg, pages_t n)
{
	machine_memcg(m, memcg)->charged += n;
	machine_memcg(m, memcg)->nr_charged += n;
	m->host->totals.nr_charged += n;
}

uint32_t charge_try(struct machine *m, uint32_t cpu, uint32_t memcg, bool again)
{
	uint32_t refused = charge_ops[machine_axis(m, AXIS_CHARGE)].try(m, cpu, memcg, again);

	if (refused)
		return refused;
	count_charged(m, memcg, 1);
	return MEMCG_NONE;
}

pages_t charge_run(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max)
{
	pages_t n = charge_ops[machine_axis(m, AXIS_CHARGE)].run(m, cpu, memcg, max);

	count_charged(m, memcg, n);
	return n;
}

void charge_uncharge(struct machine *m, uint32_t memcg, pages_t n)
{
	struct memcg *owner = machine_memcg(m, memcg);

	assert(owner->charged >= n);
	counter_uncharge(&m->memcgs, memcg, n);
	owner->charged -= n;
	owner->nr_uncharged += n;
	m->host->totals.nr_uncharged += n;
}

void charge_drain_stocks(struct machine *m, uint32_t cpu, uint32_t root)
{
	bool hierarchy = machine_memcg(m, root)->hierarchy;
	uint32_t i;

	for (i = 0; i < m->sc.cpus; i++) {
		uint32_t owner = m->cpu[i].stock_memcg;

		if (!m->cpu[i].stock_nr || (owner != root && !hierarchy) ||
		    !memcg_in_subtree(&m->memcgs, owner, root))
			continue;
		if (i == cpu)
			stock_drain(m, &m->cpu[i]);
		else
			m->cpu[i].drain_stock = true;
	}
}

void charge_deferred(struct machine *m)
{
	uint32_t i;

	for (i = 0; i < m->sc.cpus; i++)
		if (m->cpu[i].drain_stock)
			stock_drain(m, &m->cpu[i]);
}

bool charge_margin(const struct machine *m, uint32_t memcg)
{
	const struct counter *counter = &machine_memcg(m, memcg)->counter;

	return counter->usage < counter->limit;
}
