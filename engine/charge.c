/*
 * Page by page (to v2.6.32) and by stock (v3.1).  Invariant: a group's usage is the pages of its
 * subtree plus unused stock.  Follows mm/memcontrol.c of v2.6.31 and v3.1.
 *
 * MODEL: deferred drains run between two steps, and before a limit gives up.
 */
#include "charge.h"

#include <assert.h>

#include "counter_lock.h"
#include "policy.h"
#include "stat_batch.h"
#include "stat_read.h"

/* How an era charges one page, and many at once where none can be refused. */
struct charge_ops {
	const char *name;
	uint32_t (*try)(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n, bool again);
	pages_t (*run)(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max);
};

/* One walk up the levels, and its locks.  Returns: the level that refused. */
static uint32_t charge_counter(struct machine *m, uint32_t memcg, pages_t n)
{
	uint32_t refused = counter_try(&m->memcgs, memcg, n);

	counter_lock_charge(m, memcg, refused);
	return refused;
}

/* The proposal of 2009 forgets that memory and swap together were charged too: they keep it. */
static void uncharge_counter(struct machine *m, uint32_t memcg, pages_t n)
{
	bool forgets = machine_axis(m, AXIS_DRAIN_MEMSW) == DRAIN_MEMSW_FORGOTTEN;
	uint32_t level;

	counter_uncharge(&m->memcgs, memcg, n);
	counter_lock_uncharge(m, memcg, !forgets);
	for (level = memcg; forgets && level; level = machine_memcg(m, level)->counter_parent)
		machine_memcg(m, level)->memsw.leaked += n;
}

static uint32_t try_page(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n, bool again)
{
	(void)cpu;
	(void)again;
	return charge_counter(m, memcg, n);
}

/* Uncharges what is left of a stock, at every level, and frees the slot. */
static void stock_drain(struct machine *m, struct stock *stock)
{
	if (stock->nr)
		uncharge_counter(m, stock->memcg, stock->nr);
	*stock = (struct stock){ 0 };
}

/* With charge=rfc every group has its own on every CPU. */
struct stock *charge_stock_at(const struct machine *m, uint32_t cpu, uint32_t i)
{
	assert(cpu < m->sc.cpus);
	if (machine_axis(m, AXIS_CHARGE) == CHARGE_RFC)
		return i <= memcg_max(&m->memcgs) ? &m->stock[cpu * (MEMCG_MAX + 1) + i] : NULL;
	return i < STOCK_SLOTS_MAX ? &m->cpu[cpu].stock[i] : NULL;
}

/* The stock that @cpu keeps for @memcg; NULL if it keeps none. */
static struct stock *stock_find(const struct machine *m, uint32_t cpu, uint32_t memcg)
{
	struct stock *stock;
	int64_t i;

	if (machine_axis(m, AXIS_CHARGE) == CHARGE_RFC) {
		stock = charge_stock_at(m, cpu, memcg);
		stock->memcg = memcg;
		return stock;
	}
	for (i = 0; i < machine_knobs(m)->stock_slots; i++)
		if (m->cpu[cpu].stock[i].memcg == memcg)
			return &m->cpu[cpu].stock[i];
	return NULL;
}

/* From v2.6.32 on the root's own pages take no counter's lock and no stock from anybody. */
static bool is_uncharged_root(const struct machine *m, uint32_t memcg)
{
	return memcg == MEMCG_ROOT && machine_axis(m, AXIS_ROOT_CHARGED) == ROOT_CHARGED_NO;
}

void charge_refill(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n)
{
	pages_t batch = (pages_t)machine_knobs(m)->charge_batch;
	struct stock *stock = stock_find(m, cpu, memcg);

	assert(memcg && n > 0);
	if (is_uncharged_root(m, memcg)) {
		uncharge_counter(m, memcg, n);
		return;
	}
	if (!stock) {
		stock = stock_find(m, cpu, MEMCG_NONE);
		if (!stock) {
			/* All taken: one of them, by chance where there are several. */
			uint64_t slots = (uint64_t)machine_knobs(m)->stock_slots;
			uint64_t i = slots > 1 ? rng_uniform(&m->host->rng, slots) : 0;

			stock = charge_stock_at(m, cpu, (uint32_t)i);
			stock_drain(m, stock);
		}
		stock->memcg = memcg;
	}
	stock->nr += (uint32_t)n;
	if (stock->nr > batch)
		stock_drain(m, stock);
}

/* A charge that leaves any level above its memory.high is to be paid for. */
static void note_high(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n)
{
	uint32_t id;

	for (id = memcg; id; id = machine_memcg(m, id)->parent) {
		if (machine_memcg(m, id)->counter.usage <= machine_memcg(m, id)->high)
			continue;
		m->cpu[cpu].debt += n;
		return;
	}
}

/* The stock, else a whole batch, else one page.  A batch that is refused counts as a failure of
 * its level, as the kernel's counter does, though the single page may fit then. */
static uint32_t try_stock(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n, bool again)
{
	struct stock *stock = stock_find(m, cpu, memcg);
	pages_t batch = (pages_t)machine_knobs(m)->charge_batch;
	uint32_t refused;

	if (stock && stock->nr >= n) {
		stock->nr -= (uint32_t)n;
		return MEMCG_NONE;
	}
	if (batch > n && !again && !charge_counter(m, memcg, batch)) {
		charge_refill(m, cpu, memcg, batch - n);
		note_high(m, cpu, memcg, batch);
		return MEMCG_NONE;
	}
	refused = charge_counter(m, memcg, n);
	if (!refused)
		note_high(m, cpu, memcg, n);
	return refused;
}

pages_t charge_unit(const struct machine *m, pages_t n)
{
	pages_t batch = (pages_t)machine_knobs(m)->charge_batch;

	return machine_axis(m, AXIS_CHARGE) == CHARGE_RFC && batch > n ? batch : n;
}

/* The proposal of 2009 has no second way: what is reclaimed for is the whole batch. */
static uint32_t try_group_stock(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n,
				bool again)
{
	struct stock *stock = stock_find(m, cpu, memcg);
	pages_t batch = charge_unit(m, n);
	uint32_t refused;

	(void)again;
	if (stock->nr >= n) {
		stock->nr -= (uint32_t)n;
		return MEMCG_NONE;
	}
	refused = charge_counter(m, memcg, batch);
	if (!refused && batch > n)
		charge_refill(m, cpu, memcg, batch - n);
	return refused;
}

/* As much as every level has room for. */
static pages_t run_page(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max)
{
	pages_t room = counter_room(&m->memcgs, memcg);

	(void)cpu;
	if (max > room)
		max = room;
	if (max) {
		uint32_t refused = charge_counter(m, memcg, max);

		assert(refused == MEMCG_NONE);
		(void)refused;
	}
	return max;
}

/* What the stock of 2009 holds; filling it anew is left to try_group_stock. */
static pages_t run_stock(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max)
{
	struct stock *stock = stock_find(m, cpu, memcg);

	if (!stock)
		return 0;
	if (max > stock->nr)
		max = stock->nr;
	stock->nr -= (uint32_t)max;
	return max;
}

/* Whether a charge would have to be paid for. */
static bool has_high(const struct machine *m, uint32_t memcg)
{
	for (; memcg; memcg = machine_memcg(m, memcg)->parent)
		if (machine_memcg(m, memcg)->high < PAGES_UNLIMITED)
			return true;
	return false;
}

/* What the stock holds, or else pages that each get in alone where a batch is refused. */
static pages_t run_single(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max)
{
	pages_t n = run_stock(m, cpu, memcg, max);

	if (n || has_high(m, memcg))
		return n;
	return counter_try_singly(&m->memcgs, memcg, (pages_t)machine_knobs(m)->charge_batch, max);
}

static uint32_t try_nothing(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n, bool again)
{
	(void)m;
	(void)cpu;
	(void)n;
	(void)again;
	(void)memcg;
	return MEMCG_NONE;
}

static pages_t run_nothing(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max)
{
	(void)m;
	(void)cpu;
	(void)memcg;
	return max;
}

/* Without the controller pages are the machine's, which the root stands for. */
static const struct charge_ops charge_off = { "off", try_nothing, run_nothing };

static const struct charge_ops charge_ops[] = {
	[CHARGE_PAGE] = { "page", try_page, run_page },
	[CHARGE_STOCK32] = { "stock32", try_stock, run_single },
	[CHARGE_RFC] = { "rfc", try_group_stock, run_stock },
	[CHARGE_STOCK64] = { "stock64", try_stock, run_single },
	[CHARGE_STOCK64_SLOTS] = { "stock64x7", try_stock, run_single },
};

/* Whether pages of @memcg are counted at all. */
static bool is_counted(const struct machine *m, uint32_t memcg)
{
	return m->charges && !machine_memcg(m, memcg)->uncounted;
}

static const struct charge_ops *charge_policy(const struct machine *m, uint32_t memcg)
{
	if (!is_counted(m, memcg))
		return &charge_off;
	if (is_uncharged_root(m, memcg))
		return &charge_ops[CHARGE_PAGE];
	return &charge_ops[machine_axis(m, AXIS_CHARGE)];
}

/* What the controller adds to the time of a page, with the uncharge that is to come. */
static ns_t charge_time(const struct machine *m, uint32_t memcg)
{
	if (!is_counted(m, memcg))
		return (ns_t)machine_knobs(m)->skip_ns;
	return (ns_t)(machine_knobs(m)->owner_ns +
		      (memcg != MEMCG_ROOT ? machine_knobs(m)->member_ns : 0));
}

static void count_charged(struct machine *m, uint32_t memcg, pages_t n)
{
	machine_memcg(m, memcg)->charged += n;
	if (m->charges)
		m->host->now += n * charge_time(m, memcg);
	if (!is_counted(m, memcg))
		return;
	machine_memcg(m, memcg)->nr_charged += n;
	machine_memcg(m, memcg)->pgpgin += n;
	m->host->totals.nr_charged += n;
}

uint32_t charge_pages(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n, bool again)
{
	uint32_t refused;

	if (is_counted(m, memcg))
		counter_lock_reference(m, memcg);
	refused = charge_policy(m, memcg)->try(m, cpu, memcg, n, again);
	if (refused)
		counter_lock_reference(m, memcg);
	return refused;
}

uint32_t charge_try(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n, bool again)
{
	uint32_t refused = charge_pages(m, cpu, memcg, n, again);

	if (!refused) {
		count_charged(m, memcg, n);
		machine_memcg(m, memcg)->pgpgin -= is_counted(m, memcg) ? n - 1 : 0;
		stat_batch_add(m, memcg, BATCH_PGPGIN, 1);
		stat_read_changed(m, memcg, cpu);
	}
	return refused;
}

pages_t charge_run(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t max)
{
	pages_t n = charge_policy(m, memcg)->run(m, cpu, memcg, max);

	/* Each page is a charge of its own: only where nobody counts them they go together. */
	assert(!machine_has_locks(m));
	count_charged(m, memcg, n);
	stat_batch_run(m, memcg, BATCH_PGPGIN, n);
	if (n)
		stat_read_changed(m, memcg, cpu);
	return n;
}

/* @memsw: the pages do not go to swap. */
static void uncharge_freed(struct machine *m, uint32_t memcg, pages_t n, bool memsw)
{
	struct memcg *owner = machine_memcg(m, memcg);

	assert(owner->charged >= n);
	owner->charged -= n;
	if (m->charges && owner->uncounted)
		m->host->now += n * (ns_t)machine_knobs(m)->skip_ns;
	if (!is_counted(m, memcg))
		return;
	counter_uncharge(&m->memcgs, memcg, n);
	counter_lock_free(m, memcg, memsw);
	counter_lock_reference(m, memcg);
	owner->nr_uncharged += n;
	owner->pgpgout += n;
	m->host->totals.nr_uncharged += n;
}

void charge_uncharge(struct machine *m, uint32_t memcg, pages_t n)
{
	uncharge_freed(m, memcg, n, true);
	stat_batch_run(m, memcg, BATCH_PGPGOUT, n);
}

void charge_uncharge_folio(struct machine *m, uint32_t memcg, pages_t n, bool swapped)
{
	uncharge_freed(m, memcg, n, !swapped);
	machine_memcg(m, memcg)->pgpgout -= is_counted(m, memcg) ? n - 1 : 0;
	stat_batch_add(m, memcg, BATCH_PGPGOUT, 1);
}

/* Whether a stock of @owner is given back when @root is short. */
static bool drains_with(const struct machine *m, uint32_t owner, uint32_t root)
{
	unsigned drain = machine_axis(m, AXIS_DRAIN);

	return owner == root || drain == DRAIN_EVERY ||
	       (drain != DRAIN_VICTIM && machine_memcg(m, root)->hierarchy &&
		memcg_in_subtree(&m->memcgs, owner, root));
}

/* Gives back the stocks of @cpu that belong to the hierarchy of @root. */
static void drain_cpu(struct machine *m, uint32_t cpu, uint32_t root)
{
	uint32_t bytes = m->cpu[cpu].byte_memcg, i;
	struct stock *stock;

	if (bytes && drains_with(m, bytes, root))
		charge_drain_bytes(m, &m->cpu[cpu]);
	for (i = 0; (stock = charge_stock_at(m, cpu, i)) != NULL; i++)
		if (stock->nr && drains_with(m, stock->memcg, root))
			stock_drain(m, stock);
}

void charge_drain_stocks(struct machine *m, uint32_t cpu, uint32_t root)
{
	uint32_t i;

	assert(cpu < m->sc.cpus && root);
	drain_cpu(m, cpu, root);
	/* The proposal has no second way, so it cannot wait for what other CPUs hold. */
	for (i = 0; i < m->sc.cpus; i++)
		if (i != cpu && machine_axis(m, AXIS_DRAIN) == DRAIN_VICTIM)
			drain_cpu(m, i, root);
		else if (i != cpu)
			m->cpu[i].drain_root = root;
}

void charge_deferred(struct machine *m)
{
	uint32_t i;

	assert(m->sc.cpus > 0);
	for (i = 0; i < m->sc.cpus; i++) {
		if (!m->cpu[i].drain_root)
			continue;
		drain_cpu(m, i, m->cpu[i].drain_root);
		m->cpu[i].drain_root = MEMCG_NONE;
	}
}

bool charge_margin(const struct machine *m, uint32_t memcg, pages_t n)
{
	const struct memcg *of = machine_memcg(m, memcg);

	assert(memcg);
	return of->counter.usage + n <= of->counter.limit && memcg_memsw(of) + n <= of->memsw.limit;
}

void charge_kmem(struct machine *m, uint32_t memcg, int64_t pages)
{
	for (; memcg; memcg = machine_memcg(m, memcg)->counter_parent)
		machine_memcg(m, memcg)->kmem += (pages_t)pages;
}

void charge_drain_bytes(struct machine *m, struct cpu *cpu)
{
	uint32_t pages = cpu->byte_nr / PAGE_BYTES;

	if (pages)
		charge_kmem(m, cpu->byte_memcg, -(int64_t)pages);
	/* Since bytes and pages have stocks of their own, whole pages are not put by. */
	if (pages && machine_axis(m, AXIS_CHARGE) == CHARGE_STOCK64_SLOTS)
		uncharge_counter(m, cpu->byte_memcg, pages);
	else if (pages)
		charge_refill(m, (uint32_t)(cpu - m->cpu), cpu->byte_memcg, pages);
	machine_memcg(m, cpu->byte_memcg)->kmem_bytes_left += cpu->byte_nr % PAGE_BYTES;
	cpu->byte_memcg = MEMCG_NONE;
	cpu->byte_nr = 0;
}
