/*
 * Follows kernel/res_counter.c of v2.6.31 (a lock a level, never held across
 * levels) and mm/page_counter.c of v3.19 (an atomic addition a level).
 */
#include "counter_lock.h"

#include <assert.h>

#include "policy.h"

/* Pages that one uncharge takes at most; see counter_window_pages. */
enum {
	BLOCK_PREEMPT = 8, BLOCK_VOLUNTARY = 1024, PAGEVEC_PAGES = 14, GATHER_FIRST = 8,
	GATHER_NEXT = 510, FREE_FOLIOS = 31
};

static uint32_t lock_of(uint32_t memcg, enum counter_kind kind)
{
	return memcg * NR_COUNTER_KINDS + (uint32_t)kind;
}

/* The reference counts follow the counters. */
static uint32_t reference_of(uint32_t memcg)
{
	return (MEMCG_MAX + 1) * NR_COUNTER_KINDS + memcg;
}

/*
 * Where the members of struct mem_cgroup lie that charges change: the
 * reference count, and usage and lock of both counters, which follow it.
 * After: struct cgroup_subsys_state, struct res_counter, struct mem_cgroup
 * of v2.6.31 and v2.6.32, x86-64 without lock debugging.
 * MODEL: those of v2.6.32 for every later res_counter; an atomic counter has
 * a line of its own.
 */
enum {
	CSS_BYTES = 32, COUNTER_LOCK_AT = 32, COUNTER_BYTES_LOCKED = 48, SOFT_LIMIT_BYTES = 8,
	GROUP_LINES = 3
};

static void place_counter(struct machine *m, uint32_t memcg, enum counter_kind kind)
{
	uint32_t soft = machine_axis(m, AXIS_SOFT_LIMIT) == SOFT_LIMIT_OFF ? 0 : SOFT_LIMIT_BYTES;
	uint32_t usage = CSS_BYTES + (uint32_t)kind * (COUNTER_BYTES_LOCKED + soft);
	struct lock *lock = &m->locks.lock[lock_of(memcg, kind)];

	lock->data = memcg * GROUP_LINES + usage / LINE_BYTES;
	lock->word = memcg * GROUP_LINES + (usage + COUNTER_LOCK_AT + soft) / LINE_BYTES;
	if (machine_axis(m, AXIS_COUNTER) == COUNTER_PAGES)
		lock->data = lock->word = memcg * GROUP_LINES + 1 + (uint32_t)kind;
}

/* Lines instead of holds that are known beforehand. */
static void open_lines(struct machine *m)
{
	const struct knobs *knobs = machine_knobs(m);
	const struct line_costs costs = { (ns_t)knobs->line_ns, (ns_t)knobs->lock_local_ns,
					  (ns_t)knobs->atomic_ns };
	uint32_t class = lock_class_new(&m->locks, "css->refcnt", 0, 0, true), id;

	assert(class == LOCK_CLASS_REFERENCE);
	lock_class_spread(&m->locks, class, 0, ~m->sc.seed + 1);
	lines_open(&m->locks, (MEMCG_MAX + 1) * GROUP_LINES, costs);
	id = lock_new(&m->locks, class, 0, MEMCG_MAX + 1);
	assert(id == reference_of(0));
	for (id = 0; id <= MEMCG_MAX; id++) {
		place_counter(m, id, COUNTER_MEM);
		place_counter(m, id, COUNTER_MEMSW);
		m->locks.lock[reference_of(id)].data = id * GROUP_LINES;
	}
}

void counter_lock_open(struct machine *m)
{
	const struct knobs *knobs = machine_knobs(m);
	bool atomic = machine_axis(m, AXIS_COUNTER) == COUNTER_PAGES;
	uint32_t class, first;

	if (!machine_has_locks(m))
		return;
	class = lock_class_new(&m->locks, atomic ? "page_counter" : "&counter->lock",
			       (ns_t)(atomic ? knobs->atomic_ns : knobs->lock_hold_ns),
			       (ns_t)(atomic ? knobs->line_ns : knobs->lock_bounce_ns), atomic);
	if (!atomic || knobs->lock_lines)
		lock_class_spread(&m->locks, class, (ns_t)knobs->lock_least_ns, ~m->sc.seed);
	first = lock_new(&m->locks, class, 0, (MEMCG_MAX + 1) * NR_COUNTER_KINDS);
	assert(first == 0);
	(void)first;
	if (knobs->lock_lines)
		open_lines(m);
}

static void note(struct machine *m, uint32_t memcg, enum counter_kind kind, enum lock_site site)
{
	lock_note(&m->locks, m->on_cpu, lock_of(memcg, kind), site, m->host->now);
}

static bool swap_accounted(const struct machine *m)
{
	return machine_axis(m, AXIS_SWAP_ACCOUNT) != SWAP_ACCOUNT_OFF &&
	       machine_axis(m, AXIS_CGROUP) == CGROUP_V1;
}

/*
 * The root's own pages are counted when its usage is read, from v2.6.32 on.
 * MODEL: a charge on no CPU's behalf (while an actor only lets time pass) takes no lock.
 */
static bool skipped(const struct machine *m, uint32_t memcg)
{
	return !machine_has_locks(m) || !m->locks.noting ||
	       (memcg == MEMCG_ROOT && machine_axis(m, AXIS_ROOT_CHARGED) == ROOT_CHARGED_NO);
}

void counter_lock_reference(struct machine *m, uint32_t memcg)
{
	if (skipped(m, memcg) || !m->locks.line || memcg == MEMCG_ROOT ||
	    machine_axis(m, AXIS_GROUP_REF) != GROUP_REF_PAGE)
		return;
	lock_note(&m->locks, m->on_cpu, reference_of(memcg), LOCK_SITE_REFERENCE, m->host->now);
}

/* One counter of each level from @memcg to @refused, and back down from there. */
static void walk_up(struct machine *m, uint32_t memcg, uint32_t refused, enum counter_kind kind)
{
	uint32_t level;

	for (level = memcg; level; level = machine_memcg(m, level)->counter_parent) {
		note(m, level, kind, LOCK_SITE_CHARGE);
		if (level == refused)
			break;
	}
	for (level = memcg; refused && level != refused;
	     level = machine_memcg(m, level)->counter_parent)
		note(m, level, kind, LOCK_SITE_UNDO);
	/* An atomic counter is added to first and compared then. */
	if (refused && machine_axis(m, AXIS_COUNTER) == COUNTER_PAGES)
		note(m, refused, kind, LOCK_SITE_UNDO);
}

static void walk_down(struct machine *m, uint32_t memcg, enum counter_kind kind)
{
	uint32_t level;

	for (level = memcg; level; level = machine_memcg(m, level)->counter_parent)
		note(m, level, kind, LOCK_SITE_UNCHARGE);
}

void counter_lock_charge(struct machine *m, uint32_t memcg, uint32_t refused)
{
	bool over_memsw = m->memcgs.over_memsw, both = swap_accounted(m);
	enum counter_kind first = m->memcgs.memsw_first ? COUNTER_MEMSW : COUNTER_MEM;
	enum counter_kind second = first == COUNTER_MEM ? COUNTER_MEMSW : COUNTER_MEM;
	bool first_refused = refused && over_memsw == (first == COUNTER_MEMSW);

	if (skipped(m, memcg))
		return;
	if (!both) {
		walk_up(m, memcg, refused, COUNTER_MEM);
		return;
	}
	walk_up(m, memcg, first_refused ? refused : MEMCG_NONE, first);
	if (first_refused)
		return;
	walk_up(m, memcg, refused, second);
	if (refused)
		walk_down(m, memcg, first);
}

static void uncharge_now(struct machine *m, uint32_t memcg, bool memsw)
{
	walk_down(m, memcg, COUNTER_MEM);
	if (memsw && swap_accounted(m))
		walk_down(m, memcg, COUNTER_MEMSW);
}

void counter_lock_uncharge(struct machine *m, uint32_t memcg, bool memsw)
{
	if (!skipped(m, memcg))
		uncharge_now(m, memcg, memsw);
}

void counter_lock_soft(struct machine *m, uint32_t memcg)
{
	uint32_t level;

	if (skipped(m, memcg) || machine_axis(m, AXIS_COUNTER) == COUNTER_PAGES)
		return;
	for (level = memcg; level; level = machine_memcg(m, level)->counter_parent)
		note(m, level, COUNTER_MEM, LOCK_SITE_SOFT);
}

/* One uncharge for all pages that the window gathered. */
static void window_flush(struct machine *m)
{
	if (m->window.memcg)
		uncharge_now(m, m->window.memcg, m->window.memsw);
	m->window.memcg = MEMCG_NONE;
	m->window.memsw = false;
}

void counter_lock_free(struct machine *m, uint32_t memcg, bool memsw)
{
	struct uncharge_window *window = &m->window;

	if (skipped(m, memcg))
		return;
	if (!window->depth) {
		uncharge_now(m, memcg, memsw);
		return;
	}
	/* The first page says whose window it is; a list that is freed has one for each run. */
	if (window->memcg && window->memcg != memcg) {
		if (machine_axis(m, AXIS_UNCHARGE) < UNCHARGE_FREE) {
			uncharge_now(m, memcg, memsw);
			return;
		}
		window_flush(m);
	}
	window->memcg = memcg;
	window->memsw |= memsw;
}

bool counter_window_is(const struct machine *m, enum window_kind kind)
{
	static const uint8_t since[NR_WINDOWS] = {
		[WINDOW_UNMAP] = UNCHARGE_BLOCK, [WINDOW_TRUNCATE] = UNCHARGE_BLOCK,
		[WINDOW_RECLAIM] = UNCHARGE_RECLAIM,
	};

	return machine_has_locks(m) && machine_axis(m, AXIS_UNCHARGE) >= since[kind];
}

void counter_window_open(struct machine *m, enum window_kind kind)
{
	m->window.depth += counter_window_is(m, kind);
}

void counter_window_close(struct machine *m, enum window_kind kind)
{
	if (!counter_window_is(m, kind))
		return;
	assert(m->window.depth);
	if (--m->window.depth == 0)
		window_flush(m);
}

void counter_window_cut(struct machine *m)
{
	if (m->window.depth)
		window_flush(m);
}

uint32_t counter_window_pages(const struct machine *m, enum window_kind kind, bool first)
{
	unsigned rule = machine_axis(m, AXIS_UNCHARGE);

	if (rule == UNCHARGE_FOLIOS)
		return FREE_FOLIOS;
	if (kind == WINDOW_TRUNCATE)
		return PAGEVEC_PAGES;
	if (rule == UNCHARGE_BLOCK)
		return machine_knobs(m)->preempt ? BLOCK_PREEMPT : BLOCK_VOLUNTARY;
	if (rule == UNCHARGE_FREE)
		return first ? GATHER_FIRST : GATHER_NEXT;
	return UINT32_MAX;
}
