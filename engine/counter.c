/*
 * Charges up a hierarchy.  Invariant: what a level refuses is taken back from
 * the levels below it.  Follows kernel/res_counter.c and mm/memcontrol.c of
 * v2.6.31, and try_charge_memcg(), mm/memcontrol.c, v6.18.
 * The locks that this takes are in counter_lock.c.
 */
#include <assert.h>

#include "memcg.h"

/* The first level whose memsw limit is below what it would hold with @n pages more. */
static uint32_t memsw_refuses(struct memcgs *memcgs, uint32_t id, pages_t n)
{
	for (; id; id = memcgs->memcg[id].counter_parent) {
		struct memcg *memcg = &memcgs->memcg[id];

		if (memcg_memsw(memcg) + n <= memcg->memsw.limit)
			continue;
		memcg->memsw.failcnt++;
		break;
	}
	memcgs->over_memsw = id != MEMCG_NONE;
	return id;
}

static void counter_undo(struct memcgs *memcgs, uint32_t id, uint32_t end, pages_t n)
{
	for (; id != end; id = memcgs->memcg[id].counter_parent)
		memcgs->memcg[id].counter.usage -= n;
}

/* Memory alone. */
static uint32_t memory_try(struct memcgs *memcgs, uint32_t id, pages_t n)
{
	uint32_t level;

	for (level = id; level; level = memcgs->memcg[level].counter_parent) {
		struct counter *counter = &memcgs->memcg[level].counter;

		if (counter->usage + n > counter->limit) {
			counter->failcnt++;
			counter_undo(memcgs, id, level, n);
			return level;
		}
		counter->usage += n;
		if (counter->usage > counter->max_usage)
			counter->max_usage = counter->usage;
	}
	return MEMCG_NONE;
}

/* Both are charged: the peaks of their sum. */
static void memsw_peaks(struct memcgs *memcgs, uint32_t id)
{
	for (; id; id = memcgs->memcg[id].counter_parent) {
		struct memcg *memcg = &memcgs->memcg[id];

		if (memcg_memsw(memcg) > memcg->memsw.peak)
			memcg->memsw.peak = memcg_memsw(memcg);
	}
}

uint32_t counter_try(struct memcgs *memcgs, uint32_t id, pages_t n)
{
	uint32_t level;

	memcgs->over_memsw = false;
	level = memcgs->memsw_first ? memsw_refuses(memcgs, id, n) : MEMCG_NONE;
	if (!level)
		level = memory_try(memcgs, id, n);
	/* Charged after memory, whose usage has the pages already. */
	if (!level && !memcgs->memsw_first) {
		level = memsw_refuses(memcgs, id, 0);
		if (level)
			counter_undo(memcgs, id, MEMCG_NONE, n);
	}
	if (!level)
		memsw_peaks(memcgs, id);
	return level;
}

pages_t counter_room(const struct memcgs *memcgs, uint32_t id)
{
	pages_t room = PAGES_UNLIMITED;

	for (; id; id = memcgs->memcg[id].counter_parent) {
		const struct memcg *memcg = &memcgs->memcg[id];
		pages_t left = memcg->counter.limit - memcg->counter.usage;
		pages_t both = memcg->memsw.limit - memcg_memsw(memcg);

		if (memcg->counter.usage >= memcg->counter.limit ||
		    memcg_memsw(memcg) >= memcg->memsw.limit)
			return 0;
		left = both < left ? both : left;
		room = left < room ? left : room;
	}
	return room;
}

pages_t counter_try_singly(struct memcgs *memcgs, uint32_t id, pages_t batch, pages_t max)
{
	uint32_t refusing = MEMCG_NONE, level;

	for (level = id; level; level = memcgs->memcg[level].counter_parent) {
		const struct memcg *memcg = &memcgs->memcg[level];
		pages_t limit = memcg->counter.limit, usage = memcg->counter.usage, room;

		if (memcg->memsw.limit < PAGES_UNLIMITED || usage > limit)
			return 0;
		if (!refusing && usage + batch > limit)
			refusing = level;
		/* Below that level the batch goes in, and has to for the last page too. */
		room = refusing ? limit - usage : limit - usage - batch + 1;
		max = room < max ? room : max;
	}
	if (!refusing || !max)
		return 0;
	memcgs->memcg[refusing].counter.failcnt += max;
	/* Each refused batch was counted for a moment below the level that refused it. */
	for (level = id; level != refusing; level = memcgs->memcg[level].counter_parent) {
		struct counter *counter = &memcgs->memcg[level].counter;

		if (counter->usage + max - 1 + batch > counter->max_usage)
			counter->max_usage = counter->usage + max - 1 + batch;
	}
	level = memory_try(memcgs, id, max);
	assert(level == MEMCG_NONE);
	memsw_peaks(memcgs, id);
	return max;
}

void counter_uncharge(struct memcgs *memcgs, uint32_t id, pages_t n)
{
	for (; id; id = memcgs->memcg[id].counter_parent) {
		assert(memcgs->memcg[id].counter.usage >= n);
		memcgs->memcg[id].counter.usage -= n;
	}
}
