/*
 * Two states.  Searching: events are pending; a period P is found when each
 * of the last P events is as far from the one P before it as that is from
 * the one P before that.  Following: every event is compared with what its
 * slot predicts; the first that differs ends the stretch.
 *
 *	pending   a b a' b' a'' b''     P = 2: a a' a'' evenly, b b' b'' evenly
 *	slots     [a n=3 +delta] [b n=3 +delta]
 */
#include "repeat.h"

#include <assert.h>
#include <string.h>

void repeat_init(struct repeat *repeat, uint32_t n_max)
{
	assert(n_max >= 3); /* so many are there when a period is found */
	memset(repeat, 0, sizeof(*repeat));
	repeat->n_max = n_max;
}

/* The members that may not change inside a repeat. */
static bool alike(const struct event *a, const struct event *b)
{
	return a->kind == b->kind && a->cpu == b->cpu && a->memcg == b->memcg &&
	       a->rule == b->rule && memcmp(a->n, b->n, REPEAT_D * sizeof(a->n[0])) == 0 &&
	       memcmp(a->n + REPEAT_D + 1, b->n + REPEAT_D + 1,
		      (REPEAT_H - REPEAT_D - 1) * sizeof(a->n[0])) == 0;
}

/* Unsigned, so that any two numbers have a difference and it adds up again. */
static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* How much further on the second event is, in all that may change inside a repeat. */
static struct repeat_delta delta_of(const struct event *from, const struct event *to)
{
	return (struct repeat_delta){
		.seq = minus((int64_t)to->seq, (int64_t)from->seq),
		.t_ns = minus((int64_t)to->t_ns, (int64_t)from->t_ns),
		.step = minus((int64_t)to->step, (int64_t)from->step),
		.d = minus(to->n[REPEAT_D], from->n[REPEAT_D]),
		.h = minus(to->n[REPEAT_H], from->n[REPEAT_H]),
	};
}

/* Is @event what comes @delta after @last? */
static bool follows(const struct event *last, const struct event *event,
		    const struct repeat_delta *delta)
{
	struct repeat_delta d;

	if (!alike(last, event))
		return false;
	d = delta_of(last, event);
	return memcmp(&d, delta, sizeof(d)) == 0;
}

/* An event that repeats nothing is a row that stands for itself. */
static void give_one(const struct event *event, const struct repeat_out *out)
{
	struct repeat_row row = { .first = *event, .n = 1 };

	out->row(out->ctx, &row);
}

/* Gives out the first @n pending events as they are. */
static void give_pending(struct repeat *repeat, unsigned n, const struct repeat_out *out)
{
	for (unsigned i = 0; i < n; i++)
		give_one(&repeat->pending[i], out);
	repeat->nr -= n;
	memmove(repeat->pending, repeat->pending + n, repeat->nr * sizeof(repeat->pending[0]));
}

/* Ends a stretch: each slot becomes a row.  Slots that were emptied by n_max give nothing. */
static void give_slots(struct repeat *repeat, const struct repeat_out *out)
{
	for (unsigned i = 0; i < repeat->period; i++) {
		struct repeat_slot *slot = &repeat->slot[i];

		if (slot->row.n == 1)
			give_one(&slot->row.first, out);
		else if (slot->row.n)
			out->row(out->ctx, &slot->row);
		slot->row.n = 0;
	}
}

/* Is the newest event as far from the one a period before as that is from its own? */
static bool evenly(const struct event *last, unsigned period)
{
	const struct event *middle = last - period, *first = middle - period;
	struct repeat_delta delta;

	/* Time alone tells most of those apart that do not repeat. */
	if (last->t_ns - middle->t_ns != middle->t_ns - first->t_ns || !alike(middle, last))
		return false;
	delta = delta_of(middle, last);
	return follows(first, middle, &delta);
}

/* The smallest period of the newest pending events, 0 if there is none. */
static unsigned find_period(const struct repeat *repeat)
{
	const struct event *newest = &repeat->pending[repeat->nr - 1];

	for (unsigned p = 1; p <= REPEAT_PERIOD_MAX && 3 * p <= repeat->nr; p++) {
		unsigned i = 0;

		while (i < p && evenly(newest - i, p))
			i++;
		if (i == p)
			return p;
	}
	return 0;
}

/* The newest 3 P pending events fill the slots; those before go out. */
static void start_following(struct repeat *repeat, unsigned period, const struct repeat_out *out)
{
	give_pending(repeat, repeat->nr - 3 * period, out);
	for (unsigned i = 0; i < period; i++) {
		struct repeat_slot *slot = &repeat->slot[i];

		slot->row.first = repeat->pending[i];
		slot->row.n = 3;
		slot->row.delta = delta_of(&repeat->pending[i], &repeat->pending[i + period]);
		slot->last = repeat->pending[i + 2 * period];
	}
	repeat->nr = 0;
	repeat->period = period;
	repeat->at = 0;
}

/* A slot that is full is given out with all others, and the stretch goes on in empty slots with
 * the same deltas: a million even calls are a thousand rows and no new search. */
static bool follow(struct repeat *repeat, const struct event *event, const struct repeat_out *out)
{
	struct repeat_slot *slot = &repeat->slot[repeat->at];

	if (!follows(&slot->last, event, &slot->row.delta))
		return false;
	if (slot->row.n >= repeat->n_max)
		give_slots(repeat, out);
	if (slot->row.n == 0)
		slot->row.first = *event;
	slot->row.n++;
	slot->last = *event;
	repeat->at = repeat->at + 1 < repeat->period ? repeat->at + 1 : 0;
	return true;
}

/* The order of rows is not the order of events; readers sort by seq, which each row can spell
 * out. */
void repeat_feed(struct repeat *repeat, const struct event *event, const struct repeat_out *out)
{
	unsigned period;

	if (repeat->period) {
		if (follow(repeat, event, out))
			return;
		give_slots(repeat, out);
		repeat->period = 0;
	}
	if (repeat->nr == REPEAT_PENDING_MAX)
		give_pending(repeat, REPEAT_PERIOD_MAX, out);
	repeat->pending[repeat->nr++] = *event;
	period = find_period(repeat);
	if (period)
		start_following(repeat, period, out);
}

void repeat_flush(struct repeat *repeat, const struct repeat_out *out)
{
	if (repeat->period)
		give_slots(repeat, out);
	give_pending(repeat, repeat->nr, out);
}
