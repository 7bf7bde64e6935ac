/*
 * Follows kernel/res_counter.c of v2.6.31 (a lock a level, never held across
 * levels) and mm/page_counter.c of v3.19 (an atomic addition a level).
 */
#include "counter_lock.h"

#include <assert.h>

#include "policy.h"

static uint32_t lock_of(uint32_t memcg, enum counter_kind kind)
{
	return memcg * NR_COUNTER_KINDS + (uint32_t)kind;
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
	first = lock_new(&m->locks, class, 0, (MEMCG_MAX + 1) * NR_COUNTER_KINDS);
	assert(first == 0);
	(void)first;
}

void counter_lock_new(struct machine *m, uint32_t memcg, uint32_t cpu)
{
	int kind;

	assert(memcg);
	for (kind = 0; machine_has_locks(m) && kind < NR_COUNTER_KINDS; kind++)
		lock_reset(&m->locks, lock_of(memcg, (enum counter_kind)kind), cpu);
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

/* The root's own pages are counted when its usage is read, from v2.6.32 on. */
static bool skipped(const struct machine *m, uint32_t memcg)
{
	return !machine_has_locks(m) ||
	       (memcg == MEMCG_ROOT && machine_axis(m, AXIS_ROOT_LISTED) == ROOT_LISTED_COUNTS);
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

void counter_lock_uncharge(struct machine *m, uint32_t memcg, bool memsw)
{
	if (skipped(m, memcg))
		return;
	walk_down(m, memcg, COUNTER_MEM);
	if (memsw && swap_accounted(m))
		walk_down(m, memcg, COUNTER_MEMSW);
}
