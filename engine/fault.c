/*
 * Accesses and what follows from them.  Invariant: a page is charged before
 * it is resident, and a failed charge leaves nothing behind.  Follows
 * v2.6.31 and v3.1 mm/memcontrol.c, mm/filemap.c, mm/memory.c, mm/swap.c.
 *
 * MODEL: a killed task ends at once; a page's read is complete before the
 * next page is looked up (the readahead window changes no list order).
 */
#include "fault.h"

#include <assert.h>

#include "oom.h"
#include "policy.h"
#include "workingset.h"

struct attempt {
	uint32_t task, cpu, memcg;
	bool kmem;		/* a page of kernel memory, not one of the group's own */
	bool restarts;		/* the access is made anew if somebody else was killed */
	bool drained;
	int64_t retries, rounds;
};

static void emit_limit_hit(struct machine *m, const struct attempt *at, uint32_t over)
{
	const struct counter *counter = &machine_memcg(m, over)->counter;
	struct event event = {
		.kind = EVENT_LIMIT_HIT, .cpu = at->cpu, .memcg = at->memcg,
		.rule = RULE_CHARGE_LIMIT,
	};

	m->host->totals.limit_hits++;
	machine_memcg(m, over)->limit_hits++;
	if (!machine_wants(m, EVENT_LIMIT_HIT))
		return;
	event.n[HIT_AT] = over;
	event.n[HIT_USAGE] = (int64_t)counter->usage;
	event.n[HIT_LIMIT] = (int64_t)counter->limit;
	event.n[HIT_FAILCNT] = (int64_t)counter->failcnt;
	event.n[HIT_PAGES] = 1;
	event.n[HIT_TASK] = at->task;
	machine_emit(m, &event);
}

/* Kills by the era's score.  Returns: the victim, 0 if there is none. */
static uint32_t kill_one(struct machine *m, const struct attempt *at, uint32_t over)
{
	struct oom_verdict verdict = oom_select(m, over);
	struct event event = {
		.kind = EVENT_OOM, .cpu = at->cpu, .memcg = at->memcg, .rule = verdict.rule,
	};

	event.n[OOM_AT] = over;
	event.n[OOM_VICTIM] = verdict.task;
	event.n[OOM_SCORE] = verdict.score;
	event.n[OOM_ROUNDS] = at->rounds;
	if (verdict.task) {
		m->host->totals.oom_kills++;
		machine_memcg(m, over)->oom_kills++;
		event.n[OOM_FREED] = (int64_t)fault_exit(m, verdict.task);
	}
	machine_emit(m, &event);
	return verdict.task;
}

/* A charge whose rounds all failed.  Returns: FAULT_DONE if it shall begin anew. */
static enum fault_result out_of_memory(struct machine *m, struct attempt *at, uint32_t over)
{
	uint32_t victim;

	if (machine_memcg(m, over)->oom_disable) {
		machine_memcg(m, over)->under_oom = true;
		return FAULT_BLOCKED;
	}
	victim = kill_one(m, at, over);
	if (victim == at->task)
		return FAULT_KILLED;
	if (!victim)
		return FAULT_NOMEM;
	at->retries = machine_knobs(m)->reclaim_retries;
	at->rounds = 0;
	return at->restarts || machine_axis(m, AXIS_OOM_CHARGE) == OOM_CHARGE_RETRIES ? FAULT_DONE
										  : FAULT_NOMEM;
}

/* Whether a refused charge, after a round of reclaim, is tried once more. */
static bool tries_again(struct machine *m, struct attempt *at, uint32_t over, pages_t freed)
{
	if (machine_axis(m, AXIS_CHARGE) != CHARGE_STOCK64)
		return freed || charge_margin(m, over) || at->retries-- > 0;
	if (charge_margin(m, over))
		return true;
	if (!at->drained) {
		charge_drain_stocks(m, at->cpu, over);
		at->drained = true;
		return true;
	}
	return freed || at->retries-- > 0;
}

/* Charges one page, reclaiming and killing as the era does. */
static enum fault_result charge(struct machine *m, struct attempt *at)
{
	enum fault_result result;
	uint32_t over;

	at->cpu = m->task[at->task].cpu;
	at->memcg = m->task[at->task].memcg;
	at->retries = machine_knobs(m)->reclaim_retries;
	at->rounds = 0;
	for (;;) {
		over = at->kmem ? charge_pages(m, at->cpu, at->memcg, at->rounds > 0)
				: charge_try(m, at->cpu, at->memcg, at->rounds > 0);
		if (!over)
			return FAULT_DONE;
		emit_limit_hit(m, at, over);
		at->rounds++;
		if (tries_again(m, at, over, reclaim_limit(m, at->cpu, over, false)))
			continue;
		result = out_of_memory(m, at, over);
		if (result)
			return result;
	}
}

/* Charges one tree node: from the byte stock, without reclaim, then with it. */
static enum fault_result charge_node(struct machine *m, uint32_t task)
{
	struct attempt at = { .task = task, .kmem = true };
	uint32_t cpu = m->task[task].cpu, memcg = m->task[task].memcg;
	enum fault_result result;

	if (charge_take_bytes(m, cpu, memcg, NODE_BYTES))
		return FAULT_DONE;
	if (charge_pages(m, cpu, memcg, false)) {
		result = charge(m, &at);
		if (result)
			return result;
	}
	charge_kmem(m, memcg, 1);
	charge_give_bytes(m, cpu, memcg, PAGE_BYTES - NODE_BYTES, false);
	return FAULT_DONE;
}

/* Charges the tree nodes that a page of a file needs. */
static enum fault_result charge_nodes(struct machine *m, uint32_t task, uint32_t mapping,
				      pages_t index)
{
	enum fault_result result = FAULT_DONE;
	uint32_t made = 0;

	if (machine_axis(m, AXIS_KMEM) == KMEM_OFF || m->pages.mapping[mapping].anon)
		return FAULT_DONE;
	/* Reclaim for one node may free another of the same tree. */
	while (result == FAULT_DONE && made < nodes_missing(m, mapping, index)) {
		result = charge_node(m, task);
		made++;
	}
	return result;
}

/* Makes a charged page resident and queues it.  Returns: whether there was room. */
static bool place(struct machine *m, uint32_t task, uint32_t mapping, pages_t index,
		  uint32_t flags)
{
	uint32_t memcg = m->task[task].memcg;
	struct slot old = m->pages.slot[page_find(&m->pages, &m->pages.mapping[mapping], index)];
	uint32_t slot = page_insert(&m->pages, mapping, index, flags | memcg);

	if (slot == SLOT_NONE)
		return false;
	m->host->resident++;
	m->host->now += (ns_t)machine_knobs(m)->fault_ns;
	if (m->has_nodes && !(flags & PG_ANON))
		nodes_store(m, memcg, slot, (old.word & PG_SHADOW) != 0);
	if (old.word & PG_SHADOW)
		m->pages.slot[slot].word |= workingset_refault(m, memcg, old);
	pagevec_add(m, m->task[task].cpu, slot);
	if (!(flags & PG_ANON))
		machine_emit_cache(m, mapping, index, true);
	if (m->host->flush_after && --m->host->flush_after == 0)
		flush_all(m);
	return true;
}

/* Charges and queues a new page. */
static enum fault_result birth(struct machine *m, uint32_t task, uint32_t mapping, pages_t index,
			       uint32_t flags)
{
	struct attempt at = { .task = task, .restarts = (flags & PG_ANON) != 0 };
	enum fault_result result;

	if (m->host->resident >= m->ram_pages) {
		machine_full(m, "every page frame of the machine is in use, and reclaim for the "
			     "whole machine is not in this version: give the groups limits");
		return FAULT_NOMEM;
	}
	result = charge(m, &at);
	if (result)
		return result;
	result = charge_nodes(m, task, mapping, index);
	if (result == FAULT_DONE && !place(m, task, mapping, index, flags)) {
		machine_full(m, "pages are too scattered: this version's limit of page leaves");
		result = FAULT_NOMEM;
	}
	if (result)
		charge_uncharge(m, m->task[task].memcg, 1);
	return result;
}

/* A page used twice while it waits in this CPU's add queue will be listed as active. */
static bool touch_queued(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	if (machine_axis(m, AXIS_TOUCH_QUEUED) == TOUCH_QUEUED_IGNORED)
		return false;
	if (page_pos(*word) == POS_QUEUED && pagevec_holds(m, cpu, slot))
		*word |= PG_ACTIVE;
	return true;
}

void fault_touch(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	if (!(*word & PG_REFERENCED)) {
		*word |= PG_REFERENCED;
		return;
	}
	/* Active ones have nothing to gain; queued ones stay referenced or become active. */
	if (*word & (PG_ACTIVE | PG_UNEVICTABLE))
		return;
	if (page_pos(*word) != POS_LISTED && !touch_queued(m, cpu, slot))
		return;
	*word &= ~(uint32_t)PG_REFERENCED;
	if (page_pos(*word) == POS_LISTED)
		pagevec_activate(m, cpu, slot);
	if (machine_axis(m, AXIS_REFAULT) == REFAULT_ON)
		workingset_age(m, *word & PG_MEMCG, 1);
}

enum fault_result fault_read(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			     bool touch)
{
	const struct mapping *map = &m->pages.mapping[file];
	uint32_t slot = page_find(&m->pages, map, index);
	enum fault_result result;

	m->host->totals.nr_accesses++;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
	} else {
		result = birth(m, task, file, index, 0);
		if (result)
			return result;
		m->host->now += (ns_t)machine_knobs(m)->io_ns;
		slot = page_find(&m->pages, map, index);
	}
	if (touch)
		fault_touch(m, m->task[task].cpu, slot);
	return FAULT_DONE;
}

pages_t fault_read_run(struct machine *m, uint32_t task_id, uint32_t file, pages_t index,
		       pages_t nr)
{
	const struct mapping *map = &m->pages.mapping[file];
	const struct task *task = &m->task[task_id];
	uint32_t slot = page_find(&m->pages, map, index);
	pages_t frames = m->ram_pages - m->host->resident;
	bool watched = m->host->flush_after != 0 || machine_wants(m, EVENT_CACHE);

	/* What is told or timed page by page goes the long way; so does what makes tree nodes. */
	if (watched || (m->pages.slot[slot].word & PG_SHADOW))
		return 0;
	if (m->has_nodes && nodes_room(m, file, index) < nr)
		nr = nodes_room(m, file, index);
	if (!nr || (m->pages.slot[slot].word & PG_RESIDENT) || !frames)
		return 0;
	nr = page_missing(&m->pages, map, index, nr < frames ? nr : frames);
	nr = charge_run(m, task->cpu, task->memcg, nr);
	if (!nr)
		return 0;
	/* A page's first use by read(2) marks it referenced, wherever it is by then. */
	slot = page_insert_run(&m->pages, file, index, (uint32_t)nr,
			       PG_REFERENCED | task->memcg);
	if (slot == SLOT_NONE) {
		charge_uncharge(m, task->memcg, nr);
		return 0;
	}
	m->host->resident += nr;
	if (m->has_nodes)
		nodes_store_run(m, slot, (uint32_t)nr);
	m->host->totals.nr_accesses += nr;
	m->host->now += nr * (ns_t)(machine_knobs(m)->fault_ns + machine_knobs(m)->io_ns);
	pagevec_add_run(m, task->cpu, slot, (uint32_t)nr);
	return nr;
}

enum fault_result fault_anon(struct machine *m, uint32_t task, uint32_t mapping, pages_t index)
{
	uint32_t slot = page_find(&m->pages, &m->pages.mapping[mapping], index);
	uint32_t flags = PG_ANON | PG_MAPPED | PG_YOUNG;
	enum fault_result result;

	m->host->totals.nr_accesses++;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
		m->pages.slot[slot].word |= PG_YOUNG;
		return FAULT_DONE;
	}
	if (machine_axis(m, AXIS_NEW_ANON) == NEW_ANON_ACTIVE)
		flags |= PG_ACTIVE;
	result = birth(m, task, mapping, index, flags);
	if (result == FAULT_DONE)
		m->task[task].rss++;
	return result;
}

static void free_page(struct machine *m, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word;

	if (page_pos(word) == POS_QUEUED || (word & PG_HELD))
		pagevec_forget(m, slot);
	if (page_pos(word) == POS_LISTED)
		machine_unlist(m, slot);
	if (!(word & PG_ANON)) {
		pages_t index;
		uint32_t mapping = page_identity(&m->pages, slot, &index);

		machine_emit_cache(m, mapping, index, false);
		if (m->has_nodes)
			nodes_delete(m, slot, false);
	}
	page_remove(&m->pages, slot);
	m->host->resident--;
	charge_uncharge(m, word & PG_MEMCG, 1);
}

static void free_shadow(struct machine *m, uint32_t slot)
{
	nodes_delete(m, slot, true);
	page_forget(&m->pages, slot);
}

void fault_drop(struct machine *m, uint32_t cpu, uint32_t mapping)
{
	struct mapping *map = &m->pages.mapping[mapping];
	uint32_t i;

	if (map->anon)
		m->task[map->task].rss -= map->nr_resident;
	pagevec_drain(m, cpu);
	for (i = 0; i < map->nr_leaves && map->nr_resident + map->nr_shadow; i++) {
		uint32_t leaf = m->pages.dir[map->dir + i], place;

		/* The leaf goes away with its last page, and its slots read as empty then. */
		for (place = 0; leaf && place < LEAF_SLOTS; place++) {
			uint32_t slot = (leaf << LEAF_SHIFT) + place;

			if (m->pages.slot[slot].word & PG_RESIDENT)
				free_page(m, slot);
			else if (m->pages.slot[slot].word & PG_SHADOW)
				free_shadow(m, slot);
		}
	}
	assert(map->nr_resident == 0);
}

pages_t fault_exit(struct machine *m, uint32_t task_id)
{
	struct task *task = &m->task[task_id];
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;
	pages_t before = m->host->resident;

	pagevec_drain(m, task->cpu);
	for (i = 1; i < nr; i++)
		if (m->pages.mapping[i].anon && m->pages.mapping[i].task == task_id)
			fault_drop(m, task->cpu, i);
	task->alive = false;
	task->total_vm = 0;
	machine_memcg(m, task->memcg)->nr_tasks--;
	return before - m->host->resident;
}

bool fault_limit(struct machine *m, uint32_t cpu, uint32_t id, pages_t limit)
{
	struct memcg *memcg = machine_memcg(m, id);
	struct event event = { .kind = EVENT_LIMIT_SET, .cpu = cpu, .memcg = id };
	int64_t tries = machine_knobs(m)->reclaim_retries *
			(int64_t)memcg_count_subtree(&m->memcgs, id);
	pages_t lowest = memcg->counter.usage;

	event.n[SET_OLD] = (int64_t)memcg->counter.limit;
	while (memcg->counter.usage > limit && tries > 0) {
		reclaim_limit(m, cpu, id, true);
		if (memcg->counter.usage >= lowest)
			tries--;
		else
			lowest = memcg->counter.usage;
	}
	event.n[SET_NEW] = (int64_t)limit;
	event.n[SET_USAGE] = (int64_t)memcg->counter.usage;
	/* With no try left the limit is not written, even if the last one was enough. */
	event.n[SET_DONE] = tries > 0 && memcg->counter.usage <= limit;
	event.rule = event.n[SET_DONE] ? RULE_LIMIT_SET : RULE_LIMIT_BUSY;
	if (event.n[SET_DONE])
		memcg->counter.limit = limit;
	machine_emit(m, &event);
	return event.n[SET_DONE];
}
