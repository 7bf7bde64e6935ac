/*
 * Only a move of charges races with counting, so what holds the page in its
 * group is light while none is under way.  Follows mm/memcontrol.c of
 * v2.6.31, v3.1 and v3.5.
 *
 * MODEL: a group's lock (move_lock=group) is waited for where locks are modelled;
 * a page's is not, as two CPUs seldom want the same page.  A group is
 * marked until its mover is done by its own clock, without its waits.
 */
#include "account.h"

#include <assert.h>

#include "idle.h"
#include "late_lock.h"
#include "policy.h"
#include "run_private.h"

bool account_counts(const struct machine *m, enum account_item item)
{
	static const uint8_t counted[][NR_ACCOUNT_ITEMS] = {
		[STAT_FILE] = { [ACCOUNT_MAPPED] = 1 },
		[STAT_VFS] = { [ACCOUNT_MAPPED] = 1 },
		[STAT_DIRTY] = { 1, 1, 1 },
		[STAT_WRITEBACK] = { [ACCOUNT_MAPPED] = 1, [ACCOUNT_WRITEBACK] = 1 },
	};

	assert(item < NR_ACCOUNT_ITEMS);
	return m->charges && counted[machine_axis(m, AXIS_STAT)][item];
}

/* The root's own pages, where they are not counted; no page, before there is another group. */
static bool is_skipped(const struct machine *m, uint32_t memcg)
{
	unsigned root = machine_axis(m, AXIS_ROOT_STAT);

	if (root == ROOT_STAT_LATE)
		return memcg_max(&m->memcgs) == MEMCG_ROOT;
	return root == ROOT_STAT_GLOBAL && memcg == MEMCG_ROOT;
}

/* Whether a bracket takes a lock. */
static bool takes_lock(const struct machine *m, uint32_t memcg)
{
	switch (machine_axis(m, AXIS_MOVE_LOCK)) {
	case MOVE_LOCK_PAGE:
		return true;
	case MOVE_LOCK_MARKED:
	case MOVE_LOCK_GROUP:
		return m->host->now < m->host->moving_until &&
		       m->host->now < machine_memcg(m, memcg)->moving_until;
	default:
		return false;
	}
}

static void pass(struct machine *m, int64_t ns)
{
	if (!machine_has_locks(m))
		return;
	m->host->now += (ns_t)ns;
	m->host->stat.stat_ns += (ns_t)ns;
}

/* Group @memcg's lock was held since @since by the step under way. */
static void hold(struct machine *m, uint32_t memcg, enum lock_site site, ns_t since)
{
	struct late_lock lock = { "&(&memcg->move_lock)->rlock", &m->host->move_class,
				  &machine_memcg(m, memcg)->move_lock };

	if (m->locks.noting && machine_axis(m, AXIS_MOVE_LOCK) == MOVE_LOCK_GROUP)
		late_lock_held(m, lock, site, since);
}

void account_page(struct machine *m, uint32_t slot, enum account_item item)
{
	uint32_t memcg = m->pages.slot[slot].word & PG_MEMCG;
	const struct knobs *knobs = machine_knobs(m);
	bool locked;
	ns_t since;

	if (!account_counts(m, item) || machine_memcg(m, memcg)->uncounted)
		return;
	if (is_skipped(m, memcg)) {
		m->host->stat.nr_root_skipped++;
		return;
	}
	since = m->host->now;
	locked = takes_lock(m, memcg);
	m->host->stat.nr_brackets += machine_axis(m, AXIS_MOVE_LOCK) != MOVE_LOCK_NONE;
	m->host->stat.nr_move_locked += locked;
	/* What a mapping takes is part of its fault. */
	if (item != ACCOUNT_MAPPED)
		pass(m, knobs->stat_ns + (locked ? knobs->move_lock_ns : 0));
	if (locked)
		hold(m, memcg, LOCK_SITE_STAT, since);
}

void account_moved(struct machine *m, uint32_t memcg)
{
	ns_t since = m->host->now;

	if (!machine_has_locks(m) || machine_axis(m, AXIS_MOVE_LOCK) != MOVE_LOCK_GROUP)
		return;
	m->host->now += (ns_t)machine_knobs(m)->move_lock_ns;
	hold(m, memcg, LOCK_SITE_MOVE, since);
	machine_memcg(m, memcg)->moving_until = m->host->moving_until = m->host->now;
}

static bool is_reworked(const struct machine *m)
{
	unsigned stat = machine_axis(m, AXIS_STAT);

	return stat == STAT_VFS || stat == STAT_DIRTY;
}

void account_rework(struct machine *m)
{
	if (is_reworked(m))
		pass(m, machine_knobs(m)->vfs_ns);
}

void account_moving(struct machine *m, uint32_t memcg)
{
	ns_t until = m->host->now + (ns_t)machine_knobs(m)->grace_ns;

	if (machine_axis(m, AXIS_MOVE_LOCK) < MOVE_LOCK_MARKED)
		return;
	machine_memcg(m, memcg)->moving_until = m->host->moving_until = until;
	if (machine_has_locks(m))
		idle_sleep(m, until - m->host->now);
}

pages_t account_root(pages_t all, pages_t others)
{
	return all > others ? all - others : 0;
}

void run_stat_counts(const struct run *run, struct run_stat_counts *out)
{
	*out = run_machine_const(run)->host->stat;
}

void run_stat_costs(const struct run *run, struct run_stat_costs *out)
{
	const struct machine *m = run_machine_const(run);
	const struct knobs *knobs = machine_knobs(m);
	bool counted = account_counts(m, ACCOUNT_DIRTY);

	*out = (struct run_stat_costs){ 0 };
	if (!machine_has_locks(m))
		return;
	out->write = (ns_t)knobs->inode_hold_ns;
	out->rework = is_reworked(m) ? (ns_t)knobs->vfs_ns : 0;
	out->count = counted ? (ns_t)knobs->stat_ns : 0;
	if (counted && machine_axis(m, AXIS_MOVE_LOCK) != MOVE_LOCK_NONE)
		out->locked = (ns_t)knobs->move_lock_ns;
}
