/*
 * One function a verdict, tried from the gravest on.  Each says in one line
 * what it saw.  The thresholds, and why they are where they are:
 *
 * A run thrashes if at least every second page that reclaim took came back
 * and at least every tenth access waited for such a page.  Below a half,
 * reclaim took mostly what nobody missed, which is its job.  A tenth, since
 * a device answers a hundred to a thousand times slower than memory: then
 * nearly all of the time is spent on reading what had been there already.
 * Fewer pages than one reclaim call takes say nothing about a run.
 *
 * It is frozen if its tasks slept above memory.high for at least half of the
 * time and a group is still above it: the sleeps did not help.
 */
#include "verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fmt.h"
#include "levels.h"

enum { CAME_BACK_PERCENT = 50, ACCESS_PERCENT = 10, ASLEEP_PERCENT = 50, BRIEF_MAX = 32 };

#define NS_PER_S UINT64_C(1000000000)

static const char *const names[NR_VERDICTS] = {
	[VERDICT_FITS] = "fits",     [VERDICT_THRASHES] = "thrashes",
	[VERDICT_FROZEN] = "frozen", [VERDICT_FAILED] = "failed without OOM",
	[VERDICT_OOM] = "OOM",       [VERDICT_NO_VICTIM] = "no victim",
};

const char *verdict_name(enum verdict_kind kind)
{
	return names[kind];
}

static void note_oom(struct verdict_facts *facts, const struct event *event)
{
	if (!event->n[OOM_VICTIM]) {
		facts->nr_no_victim++;
		facts->no_victim_at = (uint32_t)event->n[OOM_AT];
		return;
	}
	facts->oom_at = (uint32_t)event->n[OOM_AT];
	facts->victim = (uint32_t)event->n[OOM_VICTIM];
	facts->score = event->n[OOM_SCORE];
	facts->rule = event->rule;
}

void verdict_note(struct verdict_facts *facts, const struct event *event)
{
	if (event->kind == EVENT_OOM)
		note_oom(facts, event);
	if (event->kind != EVENT_LIMIT_SET || event->n[SET_DONE])
		return;
	facts->nr_refused++;
	facts->refused = event->memcg;
	facts->refused_usage = (pages_t)event->n[SET_USAGE];
	facts->refused_limit = (pages_t)event->n[SET_NEW];
}

/* A group's path for a line with more on it: a long one is shortened in the middle. */
static const char *brief(const struct run *run, uint32_t id, char out[BRIEF_MAX])
{
	struct run_memcg m;
	size_t n;

	if (!run_memcg(run, id, &m)) {
		snprintf(out, BRIEF_MAX, "removed group %" PRIu32, id);
		return out;
	}
	n = strlen(m.path);
	if (n < BRIEF_MAX)
		snprintf(out, BRIEF_MAX, "%.31s", n ? m.path : "root");
	else
		snprintf(out, BRIEF_MAX, "%.13s...%s", m.path, m.path + n - 13);
	return out;
}

/* @part of @whole in per cent, rounded down; 0 of nothing. */
static uint64_t percent(uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((double)part * 100 / (double)whole) : 0;
}

/* What one verdict is made from. */
struct evidence {
	const struct run *run;
	const struct verdict_facts *facts;
	struct run_totals totals;
	uint64_t came_back; /* pages that were read or swapped in again after reclaim took them */
};

static bool oom(const struct evidence *e, char out[VERDICT_TEXT_MAX])
{
	char at[BRIEF_MAX], kills[UNITS_TEXT_MAX];
	struct run_task task;

	if (!e->totals.oom_kills)
		return false;
	if (!e->facts->victim || !run_task(e->run, e->facts->victim, &task))
		snprintf(out, VERDICT_TEXT_MAX, "OOM: %s tasks killed",
			 fmt_count(e->totals.oom_kills, kills));
	else
		snprintf(out, VERDICT_TEXT_MAX, "OOM: %.24s killed at %s, %s %" PRId64 "; kills %s",
			 task.name, brief(e->run, e->facts->oom_at, at),
			 rule_at(e->facts->rule)->name, e->facts->score,
			 fmt_count(e->totals.oom_kills, kills));
	return true;
}

static bool no_victim(const struct evidence *e, char out[VERDICT_TEXT_MAX])
{
	char at[BRIEF_MAX], times[UNITS_TEXT_MAX];

	if (!e->facts->nr_no_victim)
		return false;
	snprintf(out, VERDICT_TEXT_MAX, "no victim: out of memory at %s, nobody to kill; times %s",
		 brief(e->run, e->facts->no_victim_at, at),
		 fmt_count(e->facts->nr_no_victim, times));
	return true;
}

/* A task that sleeps at its limit now, or a limit that could not be lowered. */
static bool failed(const struct evidence *e, char out[VERDICT_TEXT_MAX])
{
	char at[BRIEF_MAX], want[UNITS_TEXT_MAX], have[UNITS_TEXT_MAX];
	struct run_memcg m;

	for (uint32_t id = 1; id <= run_memcg_max(e->run); id++) {
		if (!run_memcg(e->run, id, &m) || !m.under_oom)
			continue;
		snprintf(out, VERDICT_TEXT_MAX,
			 "failed without OOM: a task sleeps at the limit of %s",
			 brief(e->run, id, at));
		return true;
	}
	if (!e->facts->nr_refused)
		return false;
	snprintf(out, VERDICT_TEXT_MAX, "failed without OOM: %s cannot shrink to %sp from %sp",
		 brief(e->run, e->facts->refused, at), fmt_count(e->facts->refused_limit, want),
		 fmt_count(e->facts->refused_usage, have));
	return true;
}

/* The group that is furthest above its memory.high; 0: none is. */
static uint32_t above_high(const struct run *run)
{
	uint32_t found = 0;
	pages_t most = 0;
	struct run_memcg m;

	for (uint32_t id = 1; id <= run_memcg_max(run); id++) {
		if (!run_memcg(run, id, &m) || m.usage <= m.high || m.usage - m.high <= most)
			continue;
		most = m.usage - m.high;
		found = id;
	}
	return found;
}

static bool frozen(const struct evidence *e, char out[VERDICT_TEXT_MAX])
{
	uint64_t asleep = percent(e->totals.throttled_ns, e->totals.sim_ns);
	uint32_t id = above_high(e->run);
	struct levels_parts parts;
	char at[BRIEF_MAX];

	if (!id || asleep < ASLEEP_PERCENT)
		return false;
	levels_parts(e->run, id, &parts);
	snprintf(out, VERDICT_TEXT_MAX,
		 "frozen at high%s: %s, asleep for %" PRIu64 "%% of the time",
		 levels_droppable(&parts) ? "" : ", no way out", brief(e->run, id, at), asleep);
	return true;
}

static bool thrashes(const struct evidence *e, char out[VERDICT_TEXT_MAX])
{
	uint64_t cluster = (uint64_t)run_scenario(e->run)->era.knobs.swap_cluster_max;
	uint64_t back = percent(e->came_back, e->totals.nr_reclaimed);
	uint64_t accesses = percent(e->came_back, e->totals.nr_accesses);
	double seconds = (double)e->totals.sim_ns / (double)NS_PER_S;
	char rate[UNITS_TEXT_MAX];

	if (e->came_back < cluster || back < CAME_BACK_PERCENT || accesses < ACCESS_PERCENT)
		return false;
	fmt_count(seconds > 0 ? (uint64_t)((double)e->came_back / seconds) : 0, rate);
	snprintf(out, VERDICT_TEXT_MAX,
		 "thrashes: %s pages/s came back, %d%% of the reclaimed, %d%% of the accesses",
		 rate, (int)back, (int)accesses);
	return true;
}

/* Nothing of the above. */
static bool fits(const struct evidence *e, char out[VERDICT_TEXT_MAX])
{
	char pages[UNITS_TEXT_MAX], back[UNITS_TEXT_MAX];
	bool waited = false;
	struct run_memcg m;

	for (uint32_t id = 1; id <= run_memcg_max(e->run); id++)
		waited |= run_memcg(e->run, id, &m) && m.stall_ns;
	fmt_count(e->totals.nr_reclaimed, pages);
	fmt_count(e->came_back, back);
	if (!e->totals.nr_scanned && !e->totals.limit_hits)
		snprintf(out, VERDICT_TEXT_MAX, "fits: no pressure");
	else
		snprintf(out, VERDICT_TEXT_MAX, "fits: %s%s pages reclaimed, %s came back",
			 waited ? "" : "no pressure, ", pages, back);
	return true;
}

static bool (*const verdicts[NR_VERDICTS])(const struct evidence *e, char out[VERDICT_TEXT_MAX]) = {
	[VERDICT_FITS] = fits,     [VERDICT_THRASHES] = thrashes,   [VERDICT_FROZEN] = frozen,
	[VERDICT_FAILED] = failed, [VERDICT_NO_VICTIM] = no_victim, [VERDICT_OOM] = oom,
};

void verdict_of(const struct run *run, const struct verdict_facts *facts, struct verdict *out)
{
	struct evidence e = { .run = run, .facts = facts };
	int kind = NR_VERDICTS - 1;

	run_totals(run, &e.totals);
	/* The laboratory's own counts, as kernels without shadows have none of their own. */
	e.came_back = e.totals.nr_reread + e.totals.nr_swapped_in;
	while (!verdicts[kind](&e, out->text))
		kind--;
	out->kind = (enum verdict_kind)kind;
}

uint32_t verdict_group(const struct run *run)
{
	uint64_t most[2] = { 0, 0 };
	uint32_t best = 0;
	struct run_memcg m;

	/* More shrink work first, then more pages; a group without a limit only if none has one. */
	for (uint32_t id = 1; id <= run_memcg_max(run); id++) {
		uint64_t key[2];

		if (!run_memcg(run, id, &m))
			continue;
		key[0] = m.limit < PAGES_UNLIMITED ? 1 + m.nr_to_scan : 0;
		key[1] = 1 + m.charged;
		if (key[0] > most[0] || (key[0] == most[0] && key[1] > most[1])) {
			best = id;
			memcpy(most, key, sizeof(most));
		}
	}
	return best;
}
