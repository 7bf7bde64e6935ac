/*
 * Out of memory in a group: whom the kernel would kill.
 */
#ifndef MEMCGLAB_ENGINE_OOM_H
#define MEMCGLAB_ENGINE_OOM_H

#include "machine.h"

struct oom_verdict {
	uint32_t task;		/* 0: nobody can be killed */
	int64_t score;
	enum rule rule;
};

/**
 * oom_select - the victim among live tasks in the subtree of @over
 * Highest score wins, the first on ties.
 * MODEL: no oom_adj, nice, capabilities or children; CPU time is not
 * modelled, so a task is only discounted for how long it has run.
 * After: select_bad_process(), badness(), mm/oom_kill.c, v2.6.31;
 * oom_badness(), v3.1.
 */
struct oom_verdict oom_select(const struct machine *m, uint32_t over);

#endif
