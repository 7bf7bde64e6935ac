/*
 * Finds repeats in a stream of events of one kind: a steady reader makes the
 * same call over and over, with sequence number, time, step and one or two
 * counters growing evenly.  Such a stretch, also of several events in turn
 * (a period), becomes one row for each event of the period.
 *
 * Exact: what comes out, spelled out, is what went in, bit for bit.
 */
#ifndef MEMCGLAB_DB_REPEAT_H
#define MEMCGLAB_DB_REPEAT_H

#include "event.h"

enum {
	REPEAT_PERIOD_MAX = 16,
	REPEAT_PENDING_MAX = 4 * REPEAT_PERIOD_MAX,
	REPEAT_D = 3, /* the numbers that may grow: event.n[3] and n[7] */
	REPEAT_H = 7
};

struct repeat_delta {
	int64_t seq, t_ns, step, d, h;
};

/* @n events: the first as given, each next one further on by @delta. */
struct repeat_row {
	struct event first;
	uint32_t n;
	struct repeat_delta delta; /* zeroed if @n is 1 */
};

struct repeat_out {
	void *ctx;
	void (*row)(void *ctx, const struct repeat_row *row);
};

struct repeat_slot {
	struct repeat_row row; /* n = 0: empty */
	struct event last;
};

struct repeat {
	uint32_t n_max;  /* largest n of a row */
	unsigned period; /* 0: none found, events are pending */
	unsigned at;     /* slot of the next event */
	unsigned nr;     /* pending events */
	struct event pending[REPEAT_PENDING_MAX];
	struct repeat_slot slot[REPEAT_PERIOD_MAX];
};

/* repeat_init - @n_max: no row stands for more events than that; at least 3. */
void repeat_init(struct repeat *repeat, uint32_t n_max);

/* repeat_feed - take one event; rows that are complete go to @out. */
void repeat_feed(struct repeat *repeat, const struct event *event, const struct repeat_out *out);

/* repeat_flush - give out all that was taken; a period that was found stays found. */
void repeat_flush(struct repeat *repeat, const struct repeat_out *out);

#endif
