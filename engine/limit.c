/*
 * Charges that reclaim, retry and kill; limits that shrink their group.
 * Follows mm/memcontrol.c of v2.6.31, v3.1, v3.3 and v6.18.
 */
#include "limit.h"

#include <assert.h>

#include "oom.h"
#include "policy.h"
#include "pressure.h"
#include "reclaim.h"
#include "reclaim_node.h"
#include "unmap.h"

/* A charge under way: for whom, and what was tried so far. */
struct attempt {
	uint32_t task, cpu, memcg;
	pages_t pages;
	bool kmem;		/* not one of the group's own: of the kernel, or another group's */
	bool idle;		/* nobody waits for it: it fails where a task would kill */
	bool restarts;		/* the access is made anew if somebody else was killed */
	bool drained;		/* the stocks were given back once already */
	bool doomed;		/* it was chosen itself and goes on trying (v6.18) */
	int64_t chosen_after;	/* rounds, then */
	int64_t retries, rounds;	/* fruitless tries left; refusals since it began anew */
};

/* Counts the refusal and tells of it.  Only a level with a limit refuses (asserted). */
static void emit_limit_hit(struct machine *m, const struct attempt *at, uint32_t over)
{
	const struct memcg *memcg = machine_memcg(m, over);
	bool memsw = m->memcgs.over_memsw;
	struct event event = {
		.kind = EVENT_LIMIT_HIT, .cpu = at->cpu, .memcg = at->memcg,
		.rule = memsw ? RULE_CHARGE_MEMSW : RULE_CHARGE_LIMIT,
	};

	assert(over && (memsw ? memcg->memsw.limit : memcg->counter.limit) < PAGES_UNLIMITED);
	m->host->totals.limit_hits++;
	machine_memcg(m, over)->limit_hits++;
	machine_memcg(m, over)->max_events++;
	if (!machine_wants(m, EVENT_LIMIT_HIT))
		return;
	event.n[HIT_AT] = over;
	event.n[HIT_USAGE] = (int64_t)(memsw ? memcg_memsw(memcg) : memcg->counter.usage);
	event.n[HIT_LIMIT] = (int64_t)(memsw ? memcg->memsw.limit : memcg->counter.limit);
	event.n[HIT_FAILCNT] = (int64_t)(memsw ? memcg->memsw.failcnt : memcg->counter.failcnt);
	event.n[HIT_PAGES] = (int64_t)at->pages;
	event.n[HIT_TASK] = at->task;
	machine_emit(m, &event);
}

/* The chosen task ends.  Returns: pages freed. */
static pages_t kill_task(struct machine *m, uint32_t over, uint32_t task)
{
	bool more = false;

	assert(m->task[task].alive);
	m->host->totals.oom_kills++;
	machine_memcg(m, over)->oom_kills++;
	return unmap_exit(m, task, &more);
}

/* The largest group with memory.oom.group between the victim's and the one out of memory. */
static uint32_t doomed_group(const struct machine *m, uint32_t over, uint32_t task)
{
	uint32_t id = m->task[task].memcg, found = MEMCG_NONE;

	assert(over && task);
	for (; id; id = machine_memcg(m, id)->parent) {
		if (machine_memcg(m, id)->oom_group)
			found = id;
		if (id == over)
			break;
	}
	return found;
}

/* The victim ends, and with it its whole group where that is wanted.  Returns: pages freed. */
static pages_t kill_victim(struct machine *m, uint32_t over, uint32_t victim)
{
	uint32_t group = doomed_group(m, over, victim), nr = m->block.region[REGION_TASK].used, i;
	pages_t freed = kill_task(m, over, victim);

	if (group) { /* the first victim is still there when the whole group is killed */
		machine_memcg(m, group)->oom_group_kills++;
		machine_memcg(m, over)->oom_kills++;
	}
	for (i = 1; group && i < nr; i++)
		if (m->task[i].alive && !oom_exempt(m, &m->task[i]) &&
		    memcg_in_subtree(&m->memcgs, m->task[i].memcg, group))
			freed += kill_task(m, over, i);
	return freed;
}

/* Chooses by the era's score and kills.  Returns: the victim, 0 if there is none. */
static uint32_t kill_one(struct machine *m, const struct attempt *at, uint32_t over)
{
	struct oom_verdict verdict = oom_select(m, over);
	struct event event = {
		.kind = EVENT_OOM, .cpu = at->cpu, .memcg = at->memcg, .rule = verdict.rule,
	};

	event.n[OOM_AT] = over;
	event.n[OOM_VICTIM] = verdict.task;
	event.n[OOM_SCORE] = verdict.score;
	event.n[OOM_ROUNDS] = at->doomed ? at->chosen_after : at->rounds;
	if (verdict.task)
		event.n[OOM_FREED] = (int64_t)kill_victim(m, over, verdict.task);
	machine_emit(m, &event);
	return verdict.task;
}

/* A charge whose rounds all failed.  Returns: LIMIT_OK if it shall begin anew. */
static enum limit_result out_of_memory(struct machine *m, struct attempt *at, uint32_t over)
{
	uint32_t victim;

	assert(over && at->memcg);
	if (!at->doomed)
		machine_memcg(m, over)->oom_events++;
	if (machine_memcg(m, over)->oom_disable) {
		machine_memcg(m, over)->under_oom = true;
		return LIMIT_BLOCKED;
	}
	at->retries = machine_knobs(m)->reclaim_retries;
	if (machine_axis(m, AXIS_OOM_CHARGE) == OOM_CHARGE_DOOMED && !at->doomed &&
	    oom_select(m, over).task == at->task) {
		at->doomed = true;
		at->chosen_after = at->rounds;
		return LIMIT_OK;
	}
	victim = kill_one(m, at, over);
	if (!m->task[at->task].alive)
		return LIMIT_KILLED;
	if (!victim)
		return LIMIT_NOMEM;
	at->rounds = 0;
	return at->restarts || machine_axis(m, AXIS_OOM_CHARGE) != OOM_CHARGE_FAILS ? LIMIT_OK
										    : LIMIT_NOMEM;
}

/* Whether both limits of a group are one, so that what is swapped out is still too much. */
static bool memsw_is_minimum(const struct machine *m, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);

	return memcg->memsw.limit < PAGES_UNLIMITED && memcg->memsw.limit == memcg->counter.limit;
}

/* One round of reclaim for a limit.  @memsw: it was hit, or is lowered.  Returns: pages freed. */
static pages_t reclaim_for(struct machine *m, uint32_t cpu, uint32_t over, bool memsw, bool shrink)
{
	unsigned rule = machine_axis(m, AXIS_SWAP_ACCOUNT);
	pages_t freed;

	m->noswap = memsw;
	if (rule == SWAP_ACCOUNT_EQUAL || (!shrink && rule == SWAP_ACCOUNT_EQUAL_HIT))
		m->noswap |= memsw_is_minimum(m, over);
	freed = reclaim_limit(m, cpu, over, shrink);
	m->noswap = false;
	return freed;
}

/* Whether a refused charge, after a round of reclaim, is tried once more. */
static bool tries_again(struct machine *m, struct attempt *at, uint32_t over, pages_t freed)
{
	pages_t need = charge_unit(m, at->pages);

	if (machine_axis(m, AXIS_DRAIN) != DRAIN_BY_CHARGE)
		return freed || charge_margin(m, over, need) || at->retries-- > 0;
	if (charge_margin(m, over, need))
		return true;
	if (!at->drained) {
		charge_drain_stocks(m, at->cpu, over);
		at->drained = true;
		return true;
	}
	return freed || at->retries-- > 0;
}

enum limit_result limit_machine_oom(struct machine *m, uint32_t task)
{
	struct attempt at = { .task = task, .pages = 1 };
	uint32_t victim;

	at.cpu = m->task[task].cpu;
	at.memcg = machine_owner(m, task);
	victim = kill_one(m, &at, MEMCG_ROOT);
	if (victim)
		return victim == task || !m->task[task].alive ? LIMIT_KILLED : LIMIT_OK;
	machine_full(m, "the machine is out of memory: no page frame can be freed, and no task is "
			"left that may be killed");
	return LIMIT_NOMEM;
}

/* Charges pages at once, reclaiming and killing as the era does. */
static enum limit_result charge_hard(struct machine *m, struct attempt *at)
{
	enum limit_result result;
	pages_t freed;
	uint32_t over;
	ns_t since;

	if (at->task) {
		at->cpu = m->task[at->task].cpu;
		if (!at->memcg)
			at->memcg = machine_owner(m, at->task);
	}
	at->retries = machine_knobs(m)->reclaim_retries;
	at->rounds = 0;
	m->by = at->memcg;
	for (;;) {
		over = at->kmem ? charge_pages(m, at->cpu, at->memcg, at->pages, at->rounds > 0)
				: charge_try(m, at->cpu, at->memcg, at->pages, at->rounds > 0);
		if (!over)
			return LIMIT_OK;
		emit_limit_hit(m, at, over);
		at->rounds++;
		since = m->host->now;
		freed = reclaim_for(m, at->cpu, over, m->memcgs.over_memsw, false);
		pressure_stalled(m, at->memcg, since);
		if (tries_again(m, at, over, freed))
			continue;
		/* By now the other CPUs have given back what they were asked for. */
		charge_deferred(m);
		if (charge_margin(m, over, charge_unit(m, at->pages)))
			continue;
		result = at->idle ? LIMIT_NOMEM : out_of_memory(m, at, over);
		if (result)
			return result;
	}
}

enum limit_result limit_charge(struct machine *m, uint32_t task, uint32_t memcg, pages_t n,
			       bool restarts)
{
	struct attempt at = { .task = task, .memcg = memcg, .pages = n, .restarts = restarts };

	assert(m->task[task].alive);
	return charge_hard(m, &at);
}

/* A page for kernel memory, of whatever kind. */
static enum limit_result charge_page(struct machine *m, uint32_t task, uint32_t memcg)
{
	struct attempt at = { .task = task, .memcg = memcg, .pages = 1, .kmem = true };
	enum limit_result result;

	assert(m->task[task].alive && memcg);
	result = charge_hard(m, &at);
	if (result == LIMIT_OK)
		charge_kmem(m, memcg, 1);
	return result;
}

enum limit_result limit_charge_kmem(struct machine *m, uint32_t task, uint32_t memcg,
				    enum kmem_part part)
{
	enum limit_result result = charge_page(m, task, memcg);

	if (result == LIMIT_OK)
		charge_part(m, memcg, part, PAGE_BYTES);
	return result;
}

bool limit_charge_idle(struct machine *m, uint32_t cpu, uint32_t memcg, pages_t n)
{
	struct attempt at = {
		.cpu = cpu, .memcg = memcg, .pages = n, .kmem = true, .idle = true };

	assert(memcg && n > 0);
	return charge_hard(m, &at) == LIMIT_OK;
}

enum limit_result limit_charge_bytes(struct machine *m, uint32_t task, uint32_t memcg,
				     enum kmem_part part, uint32_t bytes)
{
	uint32_t cpu = m->task[task].cpu;
	enum limit_result result = LIMIT_OK;

	assert(bytes > 0 && bytes <= PAGE_BYTES);
	if (!charge_bytes(m, cpu, memcg, bytes)) {
		result = charge_page(m, task, memcg);
		if (result == LIMIT_OK)
			charge_give_bytes(m, cpu, memcg, PAGE_BYTES - bytes, false);
	}
	if (result == LIMIT_OK)
		charge_part(m, memcg, part, bytes);
	return result;
}

enum limit_result limit_charge_nodes(struct machine *m, uint32_t task, uint32_t mapping,
				     pages_t index)
{
	uint32_t memcg = m->task[task].memcg, made = 0, needed;
	enum limit_result result = LIMIT_OK;

	assert(!m->pages.mapping[mapping].file);
	if (machine_axis(m, AXIS_KMEM) == KMEM_OFF || m->pages.mapping[mapping].anon)
		return LIMIT_OK;
	/* Reclaim for one node may free another of the same tree. */
	while (result == LIMIT_OK && made < nodes_missing(m, mapping, index)) {
		result = limit_charge_bytes(m, task, memcg, KMEM_TREE_NODES, NODE_BYTES);
		made += result == LIMIT_OK;
	}
	/* What is not used after all goes back: xas_destroy(). */
	needed = result == LIMIT_OK ? nodes_missing(m, mapping, index) : 0;
	for (; made > needed; made--)
		charge_free_object(m, m->task[task].cpu, memcg, KMEM_TREE_NODES, NODE_BYTES);
	return result;
}

/* What a limit is held against: memory, or memory and swap. */
static pages_t usage_of(const struct machine *m, uint32_t id, bool memsw)
{
	const struct memcg *memcg = machine_memcg(m, id);

	return memsw ? memcg_memsw(memcg) : memcg->counter.usage;
}

/*
 * Shrinks until usage is within @limit.  To v3.3 each try that does not get
 * below the lowest usage so far costs one of a number of tries; v6.18 gives
 * up after the first round that frees nothing.
 */
static bool shrink_to(struct machine *m, uint32_t cpu, uint32_t id, pages_t limit, bool memsw)
{
	bool counted = machine_axis(m, AXIS_WALK) != WALK_ROOT_NODE;
	int64_t tries =
		machine_knobs(m)->reclaim_retries * (int64_t)memcg_count_subtree(&m->memcgs, id);
	pages_t lowest = usage_of(m, id, memsw);

	if (!counted && lowest > limit)
		charge_drain_stocks(m, cpu, id);
	while (usage_of(m, id, memsw) > limit && tries > 0) {
		pages_t freed = reclaim_for(m, cpu, id, memsw, true);

		charge_deferred(m);
		if (!counted)
			tries = freed ? tries : 0;
		else if (usage_of(m, id, memsw) >= lowest)
			tries--;
		else
			lowest = usage_of(m, id, memsw);
	}
	/* With no try left the limit is not written, even if the last one was enough. */
	return tries > 0 && usage_of(m, id, memsw) <= limit;
}

/*
 * memory.max of cgroup v2 holds at once; the group is reclaimed and, when
 * that no longer helps, killed until it is within it or nobody is left.
 */
static void enforce_max(struct machine *m, uint32_t cpu, uint32_t id)
{
	struct attempt at = { .cpu = cpu, .memcg = id, .pages = 1 };
	const struct counter *counter = &machine_memcg(m, id)->counter;
	int64_t retries = machine_knobs(m)->reclaim_retries;

	if (counter->usage > counter->limit)
		charge_drain_stocks(m, cpu, id);
	while (counter->usage > counter->limit) {
		if (retries) {
			if (!reclaim_node(m, cpu, id, counter->usage - counter->limit))
				retries--;
			charge_deferred(m);
			continue;
		}
		machine_memcg(m, id)->oom_events++;
		if (!kill_one(m, &at, id))
			break;
	}
}

bool limit_set(struct machine *m, uint32_t cpu, uint32_t id, pages_t limit)
{
	struct memcg *memcg = machine_memcg(m, id);
	struct event event = { .kind = EVENT_LIMIT_SET, .cpu = cpu, .memcg = id };

	assert(id > MEMCG_ROOT && machine_memcg(m, id)->online);
	event.n[SET_OLD] = (int64_t)memcg->counter.limit;
	m->by = id;
	if (machine_axis(m, AXIS_CGROUP) == CGROUP_V2) {
		memcg->counter.limit = limit;
		enforce_max(m, cpu, id);
		event.n[SET_DONE] = true;
	} else {
		event.n[SET_DONE] = shrink_to(m, cpu, id, limit, false);
	}
	event.n[SET_NEW] = (int64_t)limit;
	event.n[SET_USAGE] = (int64_t)memcg->counter.usage;
	event.rule = event.n[SET_DONE] ? RULE_LIMIT_SET : RULE_LIMIT_BUSY;
	if (event.n[SET_DONE])
		memcg->counter.limit = limit;
	machine_emit(m, &event);
	return event.n[SET_DONE];
}

bool limit_set_memsw(struct machine *m, uint32_t cpu, uint32_t id, pages_t limit)
{
	struct memcg *memcg = machine_memcg(m, id);
	struct event event = { .kind = EVENT_LIMIT_SET, .cpu = cpu, .memcg = id };

	assert(id > MEMCG_ROOT && limit >= memcg->counter.limit);
	event.n[SET_OLD] = (int64_t)memcg->memsw.limit;
	m->by = id;
	event.n[SET_DONE] = shrink_to(m, cpu, id, limit, true);
	event.n[SET_NEW] = (int64_t)limit;
	event.n[SET_USAGE] = (int64_t)memcg_memsw(memcg);
	event.rule = event.n[SET_DONE] ? RULE_MEMSW_SET : RULE_MEMSW_BUSY;
	if (event.n[SET_DONE])
		memcg->memsw.limit = limit;
	machine_emit(m, &event);
	return event.n[SET_DONE];
}
