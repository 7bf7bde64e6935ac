/*
 * Thresholds, throttling, the flusher.  Follows mm/page-writeback.c and
 * fs/fs-writeback.c of v3.5 and v6.18.
 *
 * MODEL: one rule for every kernel, of v3.2 and later.  Before it, a writer
 * was stopped only where free run and its disk's share of the limit were both
 * exceeded; it wrote pages itself, half more than it dirties between two
 * looks, and slept HZ / 10 at a time only while it had not written so many:
 * between free run and limit it sleeps here and did not there.  The disk's
 * rate is known and not estimated; one disk has all dirty pages, so its own
 * share of the limit is all of it; a group's domain is its own pages; the
 * flusher takes no time of a CPU.
 */
#include "dirty.h"

#include <assert.h>

#include "dirty_state.h"
#include "idle.h"
#include "policy.h"
#include "run_private.h"
#include "writeback.h"

enum {
	PERCENT = 100,
	FLUSH_DEPTH = 16384,		/* pages that the flusher queues: 128 requests */
	FIRST_LOOK = 32,		/* pages that a task dirties before it looks first */
	LOOK_MAX = 1 << 20,
	WRITEOUT_PART = 10		/* of the limit, that reclaim is allowed beyond it */
};

#define PAUSE_MAX_NS ((ns_t)200000000)	/* HZ / 5 */
#define WRITEOUT_NS ((ns_t)100000000)	/* HZ / 10 */
#define PAUSE_NS ((ns_t)10000000)	/* that a task which was slowed down sleeps at a time */

/* What is dirty of a domain, and how much may be. */
struct domain {
	struct dirty_limits limits;
	pages_t dirty;			/* under writeback too */
	uint32_t memcg;			/* MEMCG_NONE: the machine */
};

/* A limit in bytes, or else in percent of what there is. */
static pages_t threshold(int64_t bytes, int64_t ratio, pages_t avail, pages_t global)
{
	pages_t pages = units_pages((bytes_t)bytes);

	assert(avail <= global);
	if (!bytes)
		return (pages_t)ratio * avail / PERCENT;
	return global && avail < global ? pages * avail / global : pages;
}

struct dirty_limits dirty_limits_of(const struct knobs *knobs, pages_t avail, pages_t global)
{
	struct dirty_limits limits = {
		threshold(knobs->dirty_background_bytes, knobs->dirty_background_ratio, avail,
			  global),
		threshold(knobs->dirty_bytes, knobs->dirty_ratio, avail, global),
	};

	if (limits.background >= limits.limit)
		limits.background = limits.limit / 2;
	return limits;
}

pages_t dirty_freerun(struct dirty_limits limits)
{
	return (limits.background + limits.limit) / 2;
}

uint64_t dirty_position(struct dirty_limits limits, pages_t dirty)
{
	int64_t setpoint = (int64_t)(dirty_freerun(limits) + limits.limit) / 2, x, rate;

	if (dirty >= limits.limit)
		return 0;
	x = (setpoint - (int64_t)dirty) * DIRTY_RATE_ONE / (((int64_t)limits.limit - setpoint) | 1);
	rate = x * x / DIRTY_RATE_ONE * x / DIRTY_RATE_ONE + DIRTY_RATE_ONE;
	if (rate < 0)
		return 0;
	return rate > 2 * DIRTY_RATE_ONE ? 2 * DIRTY_RATE_ONE : (uint64_t)rate;
}

pages_t dirty_available(const struct machine *m)
{
	pages_t free = 0, reserve = 0, file = 0;
	uint32_t z;

	for (z = 0; z < m->host->nr_zones; z++) {
		const struct zone *zone = &m->host->zone[z];

		free += zone->free;
		reserve += zone->wmark[WMARK_HIGH];
		file += zone->lruvec.size[LRU_INACTIVE_FILE] + zone->lruvec.size[LRU_ACTIVE_FILE];
	}
	return (free > reserve ? free - reserve : 0) + file + 1;
}

struct dirty_limits dirty_group(const struct machine *m, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);
	pages_t file = memcg->size[LRU_INACTIVE_FILE] + memcg->size[LRU_ACTIVE_FILE];
	pages_t dirty = memcg->dirty + memcg->writeback, all = m->host->dirty + m->host->writeback;
	pages_t global = dirty_available(m), headroom = PAGES_UNLIMITED, others;
	pages_t clean = file > dirty ? file - dirty : 0;

	for (; id; id = machine_memcg(m, id)->counter_parent) {
		const struct memcg *level = machine_memcg(m, id);
		pages_t most = level->counter.limit < level->high ? level->counter.limit
								  : level->high;
		pages_t room = most > level->counter.usage ? most - level->counter.usage : 0;

		headroom = room < headroom ? room : headroom;
	}
	/* The clean pages of others are what it could take beyond its own. */
	others = global > all ? global - all : 0;
	others -= clean < others ? clean : others;
	file += headroom < others ? headroom : others;
	return dirty_limits_of(machine_knobs(m), file < global ? file : global, global);
}

static struct domain machine_domain(const struct machine *m)
{
	pages_t avail = dirty_available(m);

	return (struct domain){ dirty_limits_of(machine_knobs(m), avail, avail),
				m->host->dirty + m->host->writeback, MEMCG_NONE };
}

static bool has_domain(const struct machine *m, uint32_t memcg)
{
	return memcg != MEMCG_ROOT && machine_axis(m, AXIS_CGROUP) == CGROUP_V2;
}

static struct domain group_domain(const struct machine *m, uint32_t id)
{
	const struct memcg *memcg = machine_memcg(m, id);

	return (struct domain){ dirty_group(m, id), memcg->dirty + memcg->writeback, id };
}

/* Pages that the flusher may still hand to the disk. */
static pages_t flush_room(const struct machine *m)
{
	return m->host->writeback < FLUSH_DEPTH ? FLUSH_DEPTH - m->host->writeback : 0;
}

/* What of a domain is above its background limit goes to the disk, as far as that queues it. */
static void flush_background(struct machine *m, const struct domain *domain)
{
	pages_t dirty = domain->memcg ? machine_memcg(m, domain->memcg)->dirty : m->host->dirty;
	pages_t room = flush_room(m);

	if (dirty <= domain->limits.background || !room)
		return;
	dirty -= domain->limits.background;
	writeback_flusher(m, domain->memcg, dirty < room ? dirty : room);
}

/* Files that have been dirty for long.  What the disk does not take now is looked for again. */
static void flush_old(struct machine *m)
{
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;
	bool all = true;

	if (!m->host->dirty || m->host->now < m->host->flusher_wake)
		return;
	for (i = 1; i < nr; i++) {
		const struct mapping *map = &m->pages.mapping[i];
		pages_t room = flush_room(m);

		if (!map->nr_dirty ||
		    m->host->now < map->dirtied_at + (ns_t)machine_knobs(m)->dirty_expire_ns)
			continue;
		if (room)
			writeback_start_file(m, i, room);
		all &= !map->nr_dirty;
	}
	if (all)
		m->host->flusher_wake = m->host->now + (ns_t)machine_knobs(m)->dirty_writeback_ns;
}

void dirty_flusher(struct machine *m)
{
	struct domain domain;
	uint32_t id;

	if (!m->host->dirty)
		return;
	domain = machine_domain(m);
	flush_background(m, &domain);
	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		if (!machine_memcg(m, id)->dirty || !has_domain(m, id))
			continue;
		domain = group_domain(m, id);
		flush_background(m, &domain);
	}
	flush_old(m);
}

void dirty_pass_time(struct machine *m, ns_t until)
{
	for (;;) {
		ns_t next;

		dirty_flusher(m);
		writeback_submit(m);
		next = writeback_next(m);
		if (m->host->dirty && m->host->flusher_wake > m->host->now &&
		    m->host->flusher_wake < next)
			next = m->host->flusher_wake;
		if (next > until)
			break;
		if (next > m->host->now)
			m->host->now = next;
		writeback_due(m);
	}
	if (until > m->host->now)
		m->host->now = until;
}

/* Pages that may be dirtied before the next look: fewer, the nearer the limit is. */
static pages_t look_after(const struct domain *domain)
{
	pages_t left = domain->limits.limit > domain->dirty ? domain->limits.limit - domain->dirty
							    : 0;
	pages_t look = 1;

	/* The square root, to a power of two. */
	while (look * look * 4 <= left && look < LOOK_MAX)
		look *= 2;
	return look;
}

/* Of the two domains the one that slows the task down more. */
static struct domain tighter(const struct machine *m, uint32_t memcg)
{
	struct domain all = machine_domain(m), own;

	if (!has_domain(m, memcg))
		return all;
	own = group_domain(m, memcg);
	if (own.dirty <= dirty_freerun(own.limits))
		return all;
	if (all.dirty <= dirty_freerun(all.limits))
		return own;
	return dirty_position(own.limits, own.dirty) < dirty_position(all.limits, all.dirty) ? own
											     : all;
}

ns_t dirty_pause_max(const struct knobs *knobs, pages_t dirty)
{
	uint64_t hz = (uint64_t)knobs->hz, parts = 1, ticks;
	uint64_t rate = NS_PER_SECOND / (uint64_t)(knobs->write_ns ? knobs->write_ns : 1);

	/* About an eighth of the time that the disk takes for what is dirty. */
	while (parts < 1 + hz / 8)
		parts *= 2;
	ticks = dirty / (1 + rate / parts) + 1;
	return ticks * (NS_PER_SECOND / hz) < PAUSE_MAX_NS ? ticks * (NS_PER_SECOND / hz)
							   : PAUSE_MAX_NS;
}

/* One sleep, as long as the disk takes for what the task dirtied, the longer the less room. */
static void sleep_for(struct machine *m, struct task *task, pages_t dirty, uint64_t rate)
{
	ns_t cost = (ns_t)machine_knobs(m)->write_ns,
	     most = dirty_pause_max(machine_knobs(m), dirty), since = m->host->now;
	ns_t pause = rate ? task->dirtied * cost * DIRTY_RATE_ONE / rate : most;

	dirty_pass_time(m, since + (pause < most ? pause : most));
	idle_slept(m, since);
	task->dirtied = 0;
	task->dirty_pause = rate ? PAUSE_NS * rate / DIRTY_RATE_ONE / cost : 1;
	if (!task->dirty_pause)
		task->dirty_pause = 1;
}

static void balance(struct machine *m, struct task *task)
{
	ns_t since = m->host->now;

	for (;;) {
		struct domain domain = tighter(m, task->memcg);
		uint64_t rate;

		if (domain.dirty <= dirty_freerun(domain.limits)) {
			task->dirtied = 0;
			task->dirty_pause = look_after(&domain);
			break;
		}
		/* Where nothing is under way after the flusher's turn, waiting is in vain. */
		flush_background(m, &domain);
		if (!machine_knobs(m)->write_ns || !m->host->writeback)
			break;
		rate = dirty_position(domain.limits, domain.dirty);
		sleep_for(m, task, domain.dirty, rate);
		if (rate)
			break;
	}
	writeback_told(m, task->memcg, RULE_THROTTLE_DIRTY, since);
}

void dirty_balance(struct machine *m, uint32_t id)
{
	struct task *task = &m->task[id];

	assert(task->alive);
	if (!task->dirty_pause)
		task->dirty_pause = FIRST_LOOK;
	if (++task->dirtied >= task->dirty_pause)
		balance(m, task);
}

void dirty_wait_writeout(struct machine *m, uint32_t memcg)
{
	ns_t since = m->host->now;
	pages_t limit;

	if (!m->host->writeback || machine_axis(m, AXIS_WRITEOUT_WAIT) == WRITEOUT_WAIT_OFF)
		return;
	limit = machine_domain(m).limits.limit;
	limit += limit / WRITEOUT_PART;
	while (m->host->writeback > limit)
		writeback_progress(m, 1, WRITEOUT_NS);
	writeback_told(m, memcg, RULE_THROTTLE_WRITEOUT, since);
}

void run_dirty(const struct run *run, uint32_t memcg, struct run_dirty *out)
{
	const struct machine *m = run_machine_const(run);
	bool own = has_domain(m, memcg);
	struct domain domain = own ? group_domain(m, memcg) : machine_domain(m);

	*out = (struct run_dirty){ .limited = own || memcg == MEMCG_ROOT,
				   .background = domain.limits.background,
				   .limit = domain.limits.limit };
	for (uint32_t id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++) {
		if (!memcg_exists(machine_memcg(m, id)) || !memcg_in_subtree(&m->memcgs, id, memcg))
			continue;
		out->dirty += machine_memcg(m, id)->dirty;
		out->writeback += machine_memcg(m, id)->writeback;
	}
}
