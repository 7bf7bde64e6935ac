/*
 * Out of memory in a group: whom the kernel would kill.
 */
#ifndef MEMCGLAB_ENGINE_OOM_H
#define MEMCGLAB_ENGINE_OOM_H

#include "machine.h"

/* Whom, and why: what EVENT_OOM tells. */
struct oom_verdict {
	uint32_t task;		/* 0: nobody can be killed */
	int64_t score;		/* of that task, in the units of its rule */
	enum rule rule;		/* RULE_OOM_BADNESS, _RSS, _PAGES or _NONE */
};

/* oom_exempt - whether a task's adjustment keeps it from ever being killed: -1000, to v2.6.35
 * (oom_score=badness) -17. */
bool oom_exempt(const struct machine *m, const struct task *task);

/**
 * oom_select - the victim among live tasks in the subtree of @over
 * @over: css id of the level that is out of memory
 * v2.6.31: virtual size [pages] over the fourth root of run time; v3.1: share
 * of the limit of @over in thousandths, 1 to 1000; v6.18: pages in memory,
 * swap and page tables.  Highest score wins; the first on ties, in v6.18 the
 * last.  Nothing changes here: the caller kills.
 * A task's adjustment shifts the score of v2.6.31 by so many bits, is added
 * in v3.1, and in v6.18 in thousandths of what the group may hold.
 * MODEL: no nice, capabilities or children; CPU time is not modelled, so a
 * task is only discounted for how long it has run.
 * After: select_bad_process(), badness(), mm/oom_kill.c, v2.6.31;
 * oom_badness(), v3.1 and v6.18.
 */
struct oom_verdict oom_select(const struct machine *m, uint32_t over);

#endif
