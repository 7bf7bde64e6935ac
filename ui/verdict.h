/*
 * The verdict on a run: did its groups fit into their limits, and if not,
 * how did it show?  Made of the run's own counts and of the few events that
 * name a victim or a refusal.
 */
#ifndef MEMCGLAB_UI_VERDICT_H
#define MEMCGLAB_UI_VERDICT_H

#include "run.h"

enum { VERDICT_TEXT_MAX = 128 };

enum verdict_kind { /* from harmless to final; the gravest that holds is told */
		    VERDICT_FITS,
		    VERDICT_THRASHES,  /* what was reclaimed is wanted back at once */
		    VERDICT_FROZEN,    /* its tasks sleep above memory.high */
		    VERDICT_FAILED,    /* refused or stuck, and nobody was killed */
		    VERDICT_NO_VICTIM, /* out of memory, and nobody could be killed */
		    VERDICT_OOM,       /* a task was killed */
		    NR_VERDICTS
};

/* What events told so far; zeroed at the start of a run. */
struct verdict_facts {
	uint64_t nr_no_victim, nr_refused;
	uint32_t oom_at, victim; /* of the newest kill */
	int64_t score;
	enum rule rule;
	uint32_t no_victim_at;
	uint32_t refused; /* whose limit was not written; its usage then, and what was asked */
	pages_t refused_usage, refused_limit;
};

#define VERDICT_EVENTS (1u << EVENT_OOM | 1u << EVENT_LIMIT_SET) /* for a sink's mask */

/* verdict_note - keep what @event says, if it is one of VERDICT_EVENTS. */
void verdict_note(struct verdict_facts *facts, const struct event *event);

struct verdict {
	enum verdict_kind kind;
	char text[VERDICT_TEXT_MAX]; /* begins with verdict_name(kind) */
};

void verdict_of(const struct run *run, const struct verdict_facts *facts, struct verdict *out);
const char *verdict_name(enum verdict_kind kind);

/* verdict_group - the group to show first: with a limit and the most scanned, else the largest. */
uint32_t verdict_group(const struct run *run);

#endif
