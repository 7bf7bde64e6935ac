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

void counter_lock_charge(struct machine *m, uint32_t memcg, uint32_t refused,
			 enum counter_kind kind)
{
	uint32_t level;

	if (!machine_has_locks(m))
		return;
	for (level = memcg; level; level = machine_memcg(m, level)->counter_parent) {
		note(m, level, kind, LOCK_SITE_CHARGE);
		if (level == refused)
			break;
	}
	for (level = memcg; refused && level != refused;
	     level = machine_memcg(m, level)->counter_parent)
		note(m, level, kind, LOCK_SITE_UNDO);
}

void counter_lock_uncharge(struct machine *m, uint32_t memcg, enum counter_kind kind)
{
	uint32_t level;

	if (!machine_has_locks(m))
		return;
	for (level = memcg; level; level = machine_memcg(m, level)->counter_parent)
		note(m, level, kind, LOCK_SITE_UNCHARGE);
}
