/*
 * Facts that a run reports.  An event is of fixed size: when, what, where,
 * why (its rule) and eight numbers, named by the row of its kind.  A sample
 * is the state of one group at a moment.  A sink receives both.
 */
#ifndef MEMCGLAB_ENGINE_API_EVENT_H
#define MEMCGLAB_ENGINE_API_EVENT_H

#include <stdbool.h>

#include "diag.h"
#include "rule.h"
#include "units.h"

enum lru {			/* always visited in this order */
	LRU_INACTIVE_ANON,
	LRU_ACTIVE_ANON,
	LRU_INACTIVE_FILE,
	LRU_ACTIVE_FILE,
	LRU_UNEVICTABLE,
	NR_LRU
};

enum event_kind {
	EVENT_SHRINK,		/* one call that shrank an inactive list of a group */
	EVENT_DEACTIVATE,	/* one call that moved an active list's tail */
	EVENT_LIMIT_HIT,	/* a charge was refused and reclaim begins */
	EVENT_RECLAIM,		/* one priority loop over one target ended */
	EVENT_PAGE,		/* a decision about one page: many; wanted by explain only */
	EVENT_CACHE,		/* a page entered or left the page cache: many */
	EVENT_SHADOWS,		/* the shadow shrinker was asked */
	EVENT_WAIT,		/* somebody slept because of dirty pages or writeback */
	EVENT_OOM,
	EVENT_LIMIT_SET,
	EVENT_REMOVE,		/* a group was removed, or its last page is gone */
	EVENT_MARK,
	EVENT_WALK,		/* with a sample: where a walk over a group's hierarchy stands */
	NR_EVENT_KINDS
};

enum {
	EVENT_NUMBERS = 8,
	SAMPLE_NAME_MAX = 64
};

/* Indices into event.n, by kind. */
enum {
	SHRINK_LIST, SHRINK_SIZE, SHRINK_PRIORITY, SHRINK_TO_SCAN, SHRINK_TAKEN,
	SHRINK_SCANNED, SHRINK_RECLAIMED, SHRINK_CALL
};
enum { DEACT_LIST, DEACT_SIZE, DEACT_PRIORITY, DEACT_TO_SCAN, DEACT_TAKEN, DEACT_DEACTIVATED };
enum { HIT_AT, HIT_USAGE, HIT_LIMIT, HIT_FAILCNT, HIT_PAGES, HIT_TASK };
enum { RECL_TARGET, RECL_PRIORITY, RECL_SCANNED, RECL_RECLAIMED, RECL_RETURNED };
enum { PAGE_FILE, PAGE_INDEX, PAGE_LIST, PAGE_REFERENCED, PAGE_DIRTY, PAGE_OUTCOME };
enum { CACHE_FILE, CACHE_INDEX, CACHE_ADDED, CACHE_PAGES };
enum { SHADOWS_DUE, SHADOWS_FREED };
enum { WAIT_SLEPT, WAIT_TASK, WAIT_DIRTY, WAIT_WRITEBACK, WAIT_LIMIT };
enum { OOM_AT, OOM_VICTIM, OOM_SCORE, OOM_FREED, OOM_ROUNDS };
enum { SET_OLD, SET_NEW, SET_USAGE, SET_DONE };
enum { REMOVE_BEFORE, REMOVE_LEFT, REMOVE_DYING };
enum { MARK_VALUE, MARK_ID };
enum { WALK_NODE, WALK_ZONE, WALK_PRIORITY, WALK_LAST, WALK_ROUNDS };

struct event {
	ns_t t_ns;
	uint64_t seq;		/* counts all events of the run, from 1 */
	uint64_t step;		/* during which it happened, from 1 */
	enum event_kind kind;
	uint32_t cpu;
	uint32_t memcg;		/* the group it happened in; 0 if none */
	enum rule rule;
	int64_t n[EVENT_NUMBERS];
	const char *text;	/* of a mark; NULL otherwise; valid during the call */
};

/* Row of the table of kinds: how the numbers of an event are called and stored. */
struct event_desc {
	const char *name;		/* "shrink" */
	const char *doc;
	const char *number[EVENT_NUMBERS + 1];	/* names of n[], ends with NULL */
	const char *unit[EVENT_NUMBERS];
	bool stored;			/* the recorder keeps it */
};

const struct event_desc *event_at(enum event_kind kind);
const char *lru_name(enum lru lru);	/* "inactive_anon" … "unevictable" */

/* State of one group at the end of a step.  Counts go on growing over the run. */
struct sample {
	ns_t t_ns;
	uint64_t step;
	uint32_t memcg;
	pages_t usage, limit;
	uint64_t failcnt;
	pages_t size[NR_LRU];
	uint64_t nr_scanned, nr_reclaimed;	/* so far */
};

struct sample_desc {
	const char *name;	/* "usage", "inactive_file" … */
	const char *unit;
	size_t offset;		/* of a uint64_t in struct sample */
};

size_t sample_desc_count(void);
const struct sample_desc *sample_desc_at(size_t i);
uint64_t sample_value(const struct sample *sample, size_t i);

/**
 * struct sink - an observer; embed it as the first member
 * @mask: bit k set: events of kind k are wanted
 * Each function may be NULL.  One that fails stops the run with its error.
 */
struct sink {
	const char *name;
	uint32_t mask;
	enum err (*event)(struct sink *sink, const struct event *event, struct diag *diag);
	enum err (*sample)(struct sink *sink, const struct sample *sample, struct diag *diag);
	enum err (*finish)(struct sink *sink, struct diag *diag);
};

#endif
