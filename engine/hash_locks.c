/*
 * Locks field by field: acquisitions that are still to be made, statistics,
 * who holds what, and with lock_lines where the lines are.
 */
#include "hash_locks.h"

static void put_times(struct hasher *h, const struct lock_times *times)
{
	const uint64_t n[] = { times->nr, times->min, times->max, times->total };

	for (size_t i = 0; i < 4; i++)
		hasher_put(h, n[i]);
}

static void put_sites(struct hasher *h, const struct lock_sites *sites)
{
	for (uint32_t i = 0; i < sites->nr; i++) {
		hasher_put(h, sites->site[i]);
		hasher_put(h, sites->count[i]);
	}
}

/* The acquisitions that a CPU still has to make, and its latest one. */
static void put_lock_cpu(struct hasher *h, const struct machine *m, uint32_t cpu)
{
	const struct locks *locks = &m->locks;
	const struct lock_cpu *at = &locks->cpu[cpu];

	hasher_put(h, (uint64_t)at->nr << 32 | at->done);
	hasher_put(h, (uint64_t)at->actor << 32 | at->after_cpu);
	hasher_put(h, (uint64_t)at->site << 32 | at->lock);
	hasher_put(h, at->next);
	hasher_put(h, at->tail);
	hasher_put(h, at->start);
	if (m->host->idle_used)
		hasher_put(h, at->slept);
	for (uint32_t i = at->done; i < at->nr; i++) {
		const struct lock_note *note = &locks->note[cpu * LOCK_NOTES + i];

		hasher_put(h, (uint64_t)note->lock << 32 | note->site);
		hasher_put(h, note->before ^ note->held << 32);
	}
}

/* Lines that ever came to somebody, and how far CPUs are with theirs. */
static void put_lines(struct hasher *h, const struct machine *m)
{
	const struct locks *locks = &m->locks;
	uint32_t i, word;

	for (i = 0; locks->line && i < m->block.region[REGION_LINE].used; i++) {
		const struct line *line = &locks->line[i];

		if (!line->free_at)
			continue;
		hasher_put(h, (uint64_t)i << 32 | line->owner);
		hasher_put(h, line->free_at);
		for (word = 0; word < LINE_WORDS; word++)
			hasher_put(h, line->holder[word]);
	}
	for (i = 0; locks->line && i < locks->cpus; i++) {
		const struct line_cpu *on = &locks->line_cpu[i];

		hasher_put(h, (uint64_t)on->phase << 32 | (uint64_t)on->asked << 1 | on->waited);
		hasher_put(h, on->ticket);
		hasher_put(h, on->tried);
		hasher_put(h, on->since);
	}
	for (i = 0; locks->line && i < LOCK_CLASSES_MAX * locks->cpus; i++)
		hasher_put(h, locks->stat[i].misses);
}

void hash_locks(struct hasher *h, const struct machine *m)
{
	const struct locks *locks = &m->locks;
	uint32_t i, nr = locks->block->region[REGION_LOCK_CLASS].used;

	for (i = 0; i < locks->cpus; i++)
		put_lock_cpu(h, m, i);
	for (i = 0; i < nr; i++) {
		hasher_put(h, locks->class[i].rng.s[0]);
		put_sites(h, &locks->class[i].waiter);
		put_sites(h, &locks->class[i].holder);
	}
	for (i = 0; i < nr * locks->cpus; i++) {
		hasher_put(h, locks->stat[i].con_bounces ^ locks->stat[i].acq_bounces << 32);
		put_times(h, &locks->stat[i].wait);
		put_times(h, &locks->stat[i].hold);
	}
	for (i = 0; i < locks->block->region[REGION_LOCK].used; i++) {
		hasher_put(h, (uint64_t)locks->lock[i].class << 32 | locks->lock[i].last_cpu);
		hasher_put(h, (uint64_t)locks->lock[i].holder);
		hasher_put(h, locks->lock[i].free_at);
		if (locks->line)
			hasher_put(h, (uint64_t)locks->lock[i].head << 32 | locks->lock[i].tail);
	}
	put_lines(h, m);
}
