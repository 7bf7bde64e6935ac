/*
 * The end of a group.  Invariant: a page has one owner that exists; what a
 * group and its parent hold together stays the same, whoever owns it.
 * Follows mm/memcontrol.c of v2.6.31, v3.1, v3.5, v3.19 and v6.18; for
 * removal=reparents lru_reparent_memcg(), mm/swap.c, of 2026.
 *
 * MODEL: a dead group is released between two steps, not by a worker.
 */
#include "remove.h"

#include <assert.h>

#include "charge.h"
#include "limit.h"
#include "policy.h"
#include "rmap.h"
#include "soft.h"
#include "stat_batch.h"
#include "swap.h"

/* Who gets the pages: from v3.5 on the root, where nobody else was charged for them. */
static uint32_t heir_of(const struct machine *m, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);

	assert(memcg->parent);
	if (machine_axis(m, AXIS_REMOVAL) == REMOVAL_CHARGES || memcg->counter_parent)
		return memcg->parent;
	return MEMCG_ROOT;
}

/* @n pages of a kind leave one group's statistics for another's. */
static void pass_on(struct machine *m, uint32_t from, uint32_t to, enum batch_item item, uint32_t n)
{
	if (!n)
		return;
	stat_batch_add(m, from, item, -(int64_t)n);
	stat_batch_add(m, to, item, n);
}

/* A page changes its owner, who is counted as charged for it; usage is the caller's. */
static void change_owner(struct machine *m, uint32_t slot, uint32_t to)
{
	uint32_t *word = &m->pages.slot[slot].word, nr = page_nr(&m->pages, slot), i;
	struct memcg *old = machine_memcg(m, *word & PG_MEMCG), *heir = machine_memcg(m, to);
	uint32_t dirty = (*word & PG_DIRTY) && !(*word & PG_ANON) ? nr : 0;
	uint32_t writeback = *word & PG_WRITEBACK ? nr : 0;
	bool memory = m->pages.mapping[m->pages.leaf[slot >> LEAF_SHIFT].mapping].anon;

	rmap_tally(m, slot, -1);
	old->charged -= nr;
	heir->charged += nr;
	old->nr_uncharged += nr;
	heir->nr_charged += nr;
	old->pgpgout++;
	heir->pgpgin++;
	stat_batch_add(m, *word & PG_MEMCG, BATCH_PGPGOUT, 1);
	stat_batch_add(m, to, BATCH_PGPGIN, 1);
	m->host->totals.nr_charged += nr;
	m->host->totals.nr_uncharged += nr;
	old->dirty -= dirty;
	heir->dirty += dirty;
	old->writeback -= writeback;
	heir->writeback += writeback;
	pass_on(m, *word & PG_MEMCG, to, BATCH_DIRTY, dirty);
	pass_on(m, *word & PG_MEMCG, to, BATCH_WRITEBACK, writeback);
	for (i = 0; i < nr; i++) {
		uint32_t *each = &m->pages.slot[slot + i].word;
		bool mapped = !memory && (*each & PG_MAPPED);

		old->mapped -= mapped;
		heir->mapped += mapped;
		pass_on(m, *each & PG_MEMCG, to, BATCH_MAPPED, mapped);
		*each = (*each & ~(uint32_t)PG_MEMCG) | to;
	}
	rmap_tally(m, slot, 1);
}

/* From v3.5 on a parent that is charged for its children keeps the charge as it is. */
static void pass_charge(struct machine *m, uint32_t from, uint32_t to, pages_t n)
{
	struct counter *up = &machine_memcg(m, to)->counter;

	machine_memcg(m, from)->counter.usage -= n;
	if (machine_memcg(m, from)->counter_parent)
		return;
	up->usage += n;
	if (up->usage > up->max_usage)
		up->max_usage = up->usage;
}

/* An isolated page changes its owner and is queued for its list. */
static void settle(struct machine *m, uint32_t cpu, uint32_t slot, uint32_t to)
{
	uint32_t *word = &m->pages.slot[slot].word, nr = page_nr(&m->pages, slot);
	uint32_t from = *word & PG_MEMCG, zone = machine_zone(m, slot);

	change_owner(m, slot, to);
	*word = page_with_pos(*word, POS_NONE);
	if (*word & PG_UNEVICTABLE)
		machine_list(m, slot);
	else if (nr > 1)
		pagevec_add_folio(m, cpu, slot);
	else
		pagevec_add(m, cpu, slot);
	if (machine_axis(m, AXIS_SOFT_LIMIT) != SOFT_LIMIT_TARGET)
		return;
	soft_event(m, to, zone, false);
	soft_event(m, from, zone, true);
}

void remove_page_to(struct machine *m, uint32_t cpu, uint32_t slot, uint32_t to)
{
	uint32_t from = m->pages.slot[slot].word & PG_MEMCG;

	machine_unlist(m, slot);
	counter_uncharge(&m->memcgs, from, page_nr(&m->pages, slot));
	settle(m, cpu, slot, to);
}

/* Takes the oldest page off a list and queues it as @to's. */
static void move_page(struct machine *m, uint32_t cpu, struct list_id list, uint32_t to)
{
	bool charged = machine_axis(m, AXIS_REMOVAL) == REMOVAL_CHARGES;
	uint32_t slot, from = list.memcg;

	if (!machine_isolate(m, list, 1, &slot)) {
		/* Reclaim for the parent took the last one. */
		if (charged)
			counter_uncharge(&m->memcgs, to, 1);
		return;
	}
	if (charged)
		counter_uncharge(&m->memcgs, from, page_nr(&m->pages, slot));
	else
		pass_charge(m, from, to, page_nr(&m->pages, slot));
	settle(m, cpu, slot, to);
}

/* Size of the oldest entry of a list [pages]; 0: it is empty. */
static pages_t oldest_size(const struct machine *m, struct list_id list)
{
	const struct lru_list *of = &machine_list_lruvec(m, list)->list[list.lru];
	struct lru_walk walk;
	uint32_t slot;

	lru_walk_start(of, &walk);
	slot = lru_walk_next(&m->lists, PLANE_GROUP, &walk);
	return slot == SLOT_NONE ? 0 : page_nr(&m->pages, slot);
}

/* All pages of one list.  Returns: false if the parent refused one. */
static bool move_list(struct machine *m, uint32_t cpu, struct list_id list)
{
	uint32_t to = heir_of(m, list.memcg);
	pages_t nr;

	while ((nr = oldest_size(m, list)) > 0) {
		if (machine_axis(m, AXIS_REMOVAL) == REMOVAL_CHARGES &&
		    !limit_charge_idle(m, cpu, to, nr))
			return false;
		move_page(m, cpu, list, to);
	}
	return true;
}

static bool move_lists(struct machine *m, uint32_t cpu, uint32_t id)
{
	struct list_id list = { .memcg = id };
	uint32_t step = m->per_node ? m->host->node_zones : 1, i;
	int lru;

	for (i = 0; i < m->sc.cpus; i++)
		pagevec_drain(m, i);
	charge_drain_stocks(m, cpu, id);
	charge_deferred(m);
	for (list.zone = 0; list.zone < m->host->nr_zones; list.zone += step)
		for (lru = 0; lru < NR_LRU; lru++) {
			list.lru = (enum lru)lru;
			if (!move_list(m, cpu, list))
				return false;
		}
	return true;
}

static void queue_change_owner(struct machine *m, const struct pagevec *vec, uint32_t from,
			       uint32_t to)
{
	uint32_t i;

	for (i = 0; i < vec->nr; i++)
		if (vec->slot[i] != SLOT_NONE &&
		    (m->pages.slot[vec->slot[i]].word & PG_MEMCG) == from)
			change_owner(m, vec->slot[i], to);
}

/* Pages that wait in add queues change hands where they are. */
static void queued_change_owner(struct machine *m, uint32_t from, uint32_t to)
{
	uint32_t cpu;
	int q;

	for (cpu = 0; cpu < m->sc.cpus; cpu++)
		for (q = 0; q < NR_LRU; q++)
			queue_change_owner(m, &m->cpu[cpu].add[q], from, to);
	machine_memcg(m, to)->queued += machine_memcg(m, from)->queued;
	machine_memcg(m, from)->queued = 0;
}

/* The parent's list goes on behind the child's, which is therefore reclaimed first. */
static void join_list(struct machine *m, struct list_id list, uint32_t to)
{
	struct lruvec *old = machine_lruvec(m, list.memcg, list.zone);
	struct lruvec *heir = machine_lruvec(m, to, list.zone);
	enum lru lru = list.lru;
	struct lru_walk walk;
	bool room = true;
	uint32_t slot;

	lru_walk_start(&old->list[lru], &walk);
	while ((slot = lru_walk_next(&m->lists, PLANE_GROUP, &walk)) != SLOT_NONE)
		change_owner(m, slot, to);
	while (room && lru_pop_run(&m->lists, &heir->list[lru], PLANE_GROUP, 1, &slot))
		room = lru_add(&m->lists, &old->list[lru], PLANE_GROUP, slot);
	if (!room)
		machine_full(m, "the lists are full: this version's limit of list entries");
	heir->list[lru] = old->list[lru];
	old->list[lru] = (struct lru_list){ 0 };
	heir->size[lru] += old->size[lru];
	machine_memcg(m, to)->size[lru] += old->size[lru];
	machine_memcg(m, list.memcg)->size[lru] -= old->size[lru];
	old->size[lru] = 0;
}

/* Lists, queues and costs are the parent's at once; nothing is charged or moved one by one. */
static void reparent_lists(struct machine *m, uint32_t id)
{
	struct memcg *memcg = machine_memcg(m, id), *up = machine_memcg(m, memcg->parent);
	struct list_id list = { .memcg = id };
	pages_t nr = memcg->charged;
	uint32_t node;
	int i;

	assert(m->per_node);
	for (; list.zone < m->host->nr_zones; list.zone += m->host->node_zones)
		for (i = 0; i < NR_LRU; i++) {
			list.lru = (enum lru)i;
			join_list(m, list, memcg->parent);
		}
	queued_change_owner(m, id, memcg->parent);
	for (i = 0; i < NR_SCAN_TYPES; i++)
		for (node = 0; node < m->sc.nodes; node++)
			up->cost[node][i] += memcg->cost[node][i];
	pass_charge(m, id, memcg->parent, nr);
}

bool remove_pages_up(struct machine *m, uint32_t cpu, uint32_t id)
{
	if (id == MEMCG_ROOT)
		return true;
	switch (machine_axis(m, AXIS_REMOVAL)) {
	case REMOVAL_CHARGES:
		if (move_lists(m, cpu, id))
			return true;
		/* The parent is full: this group is reclaimed, and what is left tried once more. */
		control_force_empty(m, cpu, id);
		return move_lists(m, cpu, id);
	case REMOVAL_UNCHARGES:
		return move_lists(m, cpu, id);
	default:
		return true;
	}
}

static void emit_remove(struct machine *m, uint32_t cpu, uint32_t id, pages_t before,
			enum rule rule)
{
	struct event event = { .kind = EVENT_REMOVE, .cpu = cpu, .memcg = id, .rule = rule };
	const struct memcg *memcg = machine_memcg(m, id);

	event.n[REMOVE_BEFORE] = (int64_t)before;
	event.n[REMOVE_LEFT] = (int64_t)memcg->charged;
	event.n[REMOVE_DYING] = machine_memcg(m, memcg->parent)->nr_dying;
	machine_emit(m, &event);
}

/*
 * Pages, objects and bytes are the parent's, whose counter has
 * them already.  The dead counter forgets them, as nobody uncharges it.
 */
static void hand_kmem_up(struct machine *m, uint32_t id)
{
	struct memcg *memcg = machine_memcg(m, id), *up = machine_memcg(m, memcg->parent);
	uint32_t task;
	int i;

	nodes_reparent(m, id, memcg->parent);
	if (!memcg->kmem && !memcg->kmem_bytes_left)
		return;
	page_kmem_reparent(&m->pages, id, memcg->parent);
	for (task = 1; task < m->block.region[REGION_TASK].used; task++)
		if (m->task[task].stack_memcg == id)
			m->task[task].stack_memcg = memcg->parent;
	for (i = 0; i < NR_KMEM_OBJECTS; i++) {
		up->kmem_of[i] += memcg->kmem_of[i];
		memcg->kmem_of[i] = 0;
	}
	up->kmem_bytes_left += memcg->kmem_bytes_left;
	memcg->counter.usage -= memcg->kmem;
	memcg->kmem = memcg->kmem_bytes_left = 0;
}

bool remove_group(struct machine *m, uint32_t cpu, uint32_t id)
{
	struct memcg *memcg = machine_memcg(m, id);
	pages_t before = memcg->charged;
	enum rule rule = RULE_REMOVE_MOVED;

	assert(memcg->online && !memcg->nr_tasks && !memcg->nr_children);
	charge_drain_stocks(m, cpu, id);
	charge_deferred(m);
	if (machine_axis(m, AXIS_REMOVAL) == REMOVAL_REPARENTS)
		reparent_lists(m, id);
	else if (!remove_pages_up(m, cpu, id)) {
		emit_remove(m, cpu, id, before, RULE_REMOVE_BUSY);
		return false;
	}
	hand_kmem_up(m, id);
	swap_rehome(m, id, memcg->parent);
	memcg_offline(&m->memcgs, id);
	if (memcg->charged || memcg->nr_dying) {
		m->host->dying = true;
		rule = RULE_REMOVE_DIES;
	} else {
		stat_batch_forget(m, id);
		charge_free_group(m, cpu, id);
		memcg_release(&m->memcgs, id);
	}
	emit_remove(m, cpu, id, before, rule);
	return true;
}

/* A child is never younger in css id only; parents that wait for it go in the next round. */
static bool reap_one(struct machine *m)
{
	uint32_t id;

	m->host->dying = false;
	for (id = MEMCG_ROOT + 1; id <= memcg_max(&m->memcgs); id++) {
		const struct memcg *memcg = machine_memcg(m, id);

		if (!memcg->dying)
			continue;
		m->host->dying = true;
		if (memcg->charged || memcg->nr_dying)
			continue;
		/* A stock keeps its group, so none is left when the number is free again. */
		charge_drain_stocks(m, 0, id);
		charge_deferred(m);
		stat_batch_forget(m, id);
		charge_free_group(m, 0, id);
		memcg_release(&m->memcgs, id);
		emit_remove(m, 0, id, 0, RULE_REMOVE_RELEASED);
		return true;
	}
	return false;
}

void remove_reap(struct machine *m)
{
	while (m->host->dying && reap_one(m))
		continue;
}
