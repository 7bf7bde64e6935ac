/*
 * What each group's figures were in the course of a whole run: a moment for
 * each of up to HISTORY_MOMENTS even parts of its steps, taken while it is
 * first made again.  It stays when the run is looked at from an earlier step.
 */
#ifndef MEMCGLAB_UI_HISTORY_H
#define MEMCGLAB_UI_HISTORY_H

#include "contention.h"
#include "run.h"

enum { HISTORY_MOMENTS = 160, HISTORY_LOCKS = 16 };

struct history_point {
	bool there; /* the group existed */
	pages_t usage, limit, soft;
	uint64_t nr_charged, nr_reclaimed, limit_hits;
	pages_t dirty, writeback; /* its own, of files */
	uint64_t nr_dirtied, nr_written;
};

struct history {
	size_t nr; /* moments taken, in order of time */
	ns_t t_ns[HISTORY_MOMENTS];
	uint64_t step[HISTORY_MOMENTS];
	ns_t waited[HISTORY_LOCKS][HISTORY_MOMENTS]; /* by class of locks, all CPUs so far */
	struct history_point *point; /* by css id, HISTORY_MOMENTS each; owned */
	uint32_t nr_groups;          /* css ids from 0 that there is room for */
};

/**
 * history_take - one more moment of @run, as it is now
 * A full history, or a moment that is not later than the last, is left as it is.
 * Returns: ERR_NOMEM.
 */
enum err history_take(struct history *history, const struct run *run, struct diag *diag);
void history_fini(struct history *history);

/* history_at - group @id at moment @i; all zero if it did not exist. */
struct history_point history_at(const struct history *history, size_t i, uint32_t id);

/* history_waiting - CPUs that waited for class @lock on average between two times, in thousandths;
 * 0 if no moment lies between them. */
uint64_t history_waiting(const struct history *history, uint32_t lock, ns_t from, ns_t to);

/* history_before - the latest moment not after @t_ns; 0 if there is none. */
size_t history_before(const struct history *history, ns_t t_ns);

/* history_since - the moment from which rates at @t_ns are taken: a sixteenth of the run before.
 * Returns: false if no time has passed since. */
bool history_since(const struct history *history, ns_t t_ns, size_t *out);

#endif
