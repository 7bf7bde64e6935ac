/*
 * Scores of tasks by era: virtual size over run time (v2.6.31), share of
 * the limit that is resident in thousandths (v3.1).  The root stands for the
 * whole machine, which is what it may hold.  MODEL: no bonus for root's tasks.
 */
#include "oom.h"

#include <assert.h>

#include "anon_vma.h"
#include "policy.h"
#include "scan.h"

enum {
	SCORE_MAX = 1000,
	RUN_TIME_SHIFT = 10,	/* run time counts in units of 1024 seconds */
	NS_PER_S = 1000000000,
	ADJ_NEVER = -1000,	/* OOM_SCORE_ADJ_MIN */
	ADJ_NEVER_BADNESS = -17	/* OOM_DISABLE */
};

bool oom_exempt(const struct machine *m, const struct task *task)
{
	return task->oom_adj == (machine_axis(m, AXIS_OOM_SCORE) == OOM_SCORE_BADNESS
					 ? ADJ_NEVER_BADNESS
					 : ADJ_NEVER);
}

/* Large and young tasks first: size counts less the longer a task has run. */
static int64_t score_badness(const struct machine *m, const struct task *task, uint32_t over)
{
	uint64_t points = task->total_vm;
	uint64_t run = (m->host->now - task->started) / NS_PER_S >> RUN_TIME_SHIFT;

	(void)over;
	if (run > 0)
		points /= scan_isqrt(scan_isqrt(run));
	if (task->oom_adj > 0)
		points = (points ? points : 1) << task->oom_adj;
	else
		points >>= -task->oom_adj;
	return (int64_t)points;
}

/* Entries for swap in a task's tables of memory that was forked, less the slots of it that are on
 * the task's account. */
static pages_t forked_swap(const struct machine *m, const struct task *task)
{
	uint32_t nr = m->block.region[REGION_MAPPING].used, id = (uint32_t)(task - m->task), i;
	pages_t more = 0, index;

	for (i = task->first_map; i && i < nr; i++) {
		const struct mapping *map = &m->pages.mapping[i];

		if (map->task != id || !map->forked.root)
			continue;
		for (index = 0; index < map->nr_pages; index++) {
			uint32_t slot = page_find(&m->pages, map, index);

			more -= (m->pages.slot[slot].word & (PG_SWAPPED | PG_SWAP_CACHE)) != 0;
			if (map->forked.store)
				continue;
			slot = anon_vma_slot(m, i, index);
			more += (m->pages.slot[slot].word & (PG_SWAPPED | PG_SWAP_CACHE)) != 0;
		}
	}
	return more;
}

/* Pages that killing a task would free, in memory and in swap: of what it shares, too. */
static pages_t footprint(const struct machine *m, const struct task *task)
{
	return task->rss + task->swap + task->tables + forked_swap(m, task);
}

/* Page frames of the machine, and its swap. */
static pages_t machine_capacity(const struct machine *m)
{
	pages_t sum = m->sc.swap_pages;
	uint32_t z;

	for (z = 0; z < m->host->nr_zones; z++)
		sum += m->host->zone[z].present;
	return sum;
}

/* What the group may hold, in memory and in swap. */
static pages_t capacity(const struct machine *m, const struct memcg *memcg)
{
	pages_t swap = memcg->memsw.swap_max;

	if (memcg == machine_memcg(m, MEMCG_ROOT))
		return machine_capacity(m);
	if (machine_axis(m, AXIS_CGROUP) == CGROUP_V1)
		swap = memcg->memsw.limit - memcg->counter.limit;
	return memcg->counter.limit + (swap < m->sc.swap_pages ? swap : m->sc.swap_pages);
}

static int64_t score_pages(const struct machine *m, const struct task *task, uint32_t over)
{
	pages_t whole = capacity(m, machine_memcg(m, over));

	assert(over);
	return (int64_t)footprint(m, task) + task->oom_adj * (int64_t)(whole / SCORE_MAX);
}

/* Share of the limit, at least 1: a task without pages can still be chosen. */
static int64_t score_rss(const struct machine *m, const struct task *task, uint32_t over)
{
	const struct memcg *memcg = machine_memcg(m, over);
	pages_t limit = over == MEMCG_ROOT ? machine_capacity(m)
					   : memcg->counter.limit + m->sc.swap_pages;
	int64_t points;

	assert(over);
	if (limit > memcg->memsw.limit)
		limit = memcg->memsw.limit;
	points = (int64_t)(SCORE_MAX * footprint(m, task) / (limit ? limit : 1)) + task->oom_adj;
	if (points < 1)
		return 1;
	return points > SCORE_MAX ? SCORE_MAX : points;
}

static const struct oom_policy {
	enum rule rule;
	bool last;		/* wins on ties */
	int64_t (*score)(const struct machine *m, const struct task *task, uint32_t over);
} oom_policy[] = {
	[OOM_SCORE_BADNESS] = { RULE_OOM_BADNESS, false, score_badness },
	[OOM_SCORE_RSS] = { RULE_OOM_RSS, false, score_rss },
	[OOM_SCORE_PAGES] = { RULE_OOM_PAGES, true, score_pages },
};

struct oom_verdict oom_select(const struct machine *m, uint32_t over)
{
	const struct oom_policy *policy = &oom_policy[machine_axis(m, AXIS_OOM_SCORE)];
	struct oom_verdict best = { .rule = RULE_OOM_NONE };
	uint32_t id, nr = m->block.region[REGION_TASK].used;

	assert(over);
	for (id = 1; id < nr; id++) {
		const struct task *task = &m->task[id];
		int64_t score;

		if (!task->alive || oom_exempt(m, task) ||
		    !memcg_in_subtree(&m->memcgs, task->memcg, over))
			continue;
		score = policy->score(m, task, over);
		if (!best.task || score > best.score || (policy->last && score == best.score))
			best = (struct oom_verdict){ id, score, policy->rule };
	}
	return best;
}
