/*
 * The counts-only model of a stream under a limit.  Follows the rules of
 * charging (stock of 32, one page where it does not fit), of the add queue
 * (14, drained by the reclaiming CPU after its line is printed) and of the
 * priority loop without swap: file gets the whole target.
 */
#include "stream.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { CLUSTER = 32, PAGEVEC = 14, FIRST_PRIORITY = 12 };

const struct stream_rules stream_kernels[] = {
	{ .kernel = "v2.6.31", .whole_rounds = true },
	{ .kernel = "v2.6.31+scan_batch=reclaim_stat", .batched = true, .whole_rounds = true },
	{ .kernel = "v2.6.32", .batched = true, .whole_rounds = true },
	{ .kernel = "v2.6.32+early_break=ge_cumulative", .batched = true, .whole_rounds = true,
	  .early_break = BREAK_GE_CUMULATIVE },
	{ .kernel = "v3.1", .early_break = BREAK_GE_LOCAL, .forced = true, .stock = true,
	  .drain_at_walk = true },
	{ .kernel = "v3.1+lru=per_memcg", .early_break = BREAK_GE_LOCAL, .forced = true,
	  .stock = true, .drain_at_walk = true },
	{ .kernel = "v3.3", .early_break = BREAK_GE_LOCAL, .forced = true, .stock = true },
	{ .kernel = NULL },
};

const struct stream_rules *stream_rules(const char *kernel)
{
	for (const struct stream_rules *r = stream_kernels; r->kernel; r++)
		if (!strcmp(r->kernel, kernel))
			return r;
	return NULL;
}

void stream_init(struct stream *s, const char *kernel, uint64_t limit, uint64_t foreign)
{
	memset(s, 0, sizeof(*s));
	s->rules = stream_rules(kernel);
	assert(s->rules && foreign < PAGEVEC);
	s->limit = limit;
	s->foreign[0] = foreign;
}

static void drain(struct stream *s, unsigned cpu)
{
	s->listed += s->queued[cpu];
	s->queued[cpu] = 0;
	s->foreign[cpu] = 0;
}

/* One call of the inactive list's shrinking.  Returns: pages freed. */
static uint64_t shrink(struct stream *s, unsigned cpu, uint64_t k)
{
	uint64_t round = s->rules->whole_rounds ? CLUSTER : k, freed = 0;

	assert(s->nr_lines < STREAM_LINES_MAX);
	s->line[s->nr_lines++] = (struct stream_line){ s->listed, k, s->hits };
	drain(s, cpu);
	do {
		uint64_t taken = s->listed < round ? s->listed : round;

		s->listed -= taken;
		s->usage -= taken;
		freed += taken;
		if (!taken)
			break;
	} while (freed < k);
	return freed;
}

static uint64_t target(struct stream *s, unsigned priority)
{
	uint64_t t = s->listed >> priority;

	if (!t && s->rules->forced)
		return CLUSTER;
	if (!s->rules->batched)
		return t;
	s->saved += t;
	if (s->saved < CLUSTER)
		return 0;
	t = s->saved;
	s->saved = 0;
	return t;
}

/* Whether a pass ends though targets are left; @all counts this pass and those before. */
static bool ends_early(const struct stream *s, uint64_t here, uint64_t all)
{
	switch (s->rules->early_break) {
	case BREAK_GT_CUMULATIVE:
		return all > CLUSTER;
	case BREAK_GE_CUMULATIVE:
		return all >= CLUSTER;
	case BREAK_GE_LOCAL:
		return here >= CLUSTER;
	}
	return false;
}

static void return_stock(struct stream *s, unsigned cpu)
{
	s->usage -= s->stock[cpu];
	s->stock[cpu] = 0;
	s->drain_later[cpu] = false;
}

static void reclaim(struct stream *s, unsigned cpu)
{
	uint64_t all = 0;

	s->hits++;
	if (s->rules->drain_at_walk) {
		return_stock(s, cpu);
		for (unsigned i = 0; i < STREAM_CPUS; i++)
			s->drain_later[i] |= i != cpu;
	}
	for (unsigned priority = FIRST_PRIORITY + 1; priority-- > 0 && all < CLUSTER;) {
		uint64_t todo = target(s, priority), here = 0;

		while (todo) {
			uint64_t k = todo < CLUSTER ? todo : CLUSTER;

			todo -= k;
			here += shrink(s, cpu, k);
			if (priority < FIRST_PRIORITY && ends_early(s, here, all + here))
				break;
		}
		all += here;
	}
	s->freed += all;
}

static void charge(struct stream *s, unsigned cpu)
{
	if (s->stock[cpu]) {
		s->stock[cpu]--;
		return;
	}
	if (s->rules->stock && s->usage + CLUSTER <= s->limit) {
		s->usage += CLUSTER;
		s->stock[cpu] = CLUSTER - 1;
		return;
	}
	while (s->usage + 1 > s->limit)
		reclaim(s, cpu);
	s->usage++;
}

void stream_other(struct stream *s, uint64_t nr)
{
	for (uint64_t i = 0; i < nr; i++) {
		assert(s->usage < s->limit || s->stock[0]);
		charge(s, 0);
	}
}

void stream_read(struct stream *s, unsigned cpu, uint64_t nr)
{
	for (unsigned i = 0; i < STREAM_CPUS; i++)
		if (s->drain_later[i])
			return_stock(s, i);
	for (uint64_t i = 0; i < nr; i++) {
		charge(s, cpu);
		s->queued[cpu]++;
		if (s->queued[cpu] + s->foreign[cpu] == PAGEVEC)
			drain(s, cpu);
	}
}
