/*
 * First come first served: a lock is free from the end of the last hold that
 * was granted, so neither queues nor release events are needed.  A
 * tournament over the CPUs finds the earliest in steps of log2(CPUs).  A line
 * that has to come counts as wait for who waited, else as hold.
 * Follows kernel/lockdep.c and lib/spinlock_debug.c of v2.6.31.
 * MODEL: fair.  The debugging lock of that time is not, which shows in how
 * long is waited and not in how often.
 */
#include "lock.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "lock_tally.h"

static ns_t cpu_time(const struct locks *locks, uint32_t cpu)
{
	return cpu < locks->cpus && locks->cpu[cpu].nr ? locks->cpu[cpu].next : LOCK_TIME_NEVER;
}

/* After a change of @cpu's time: it meets the winner of each neighbouring part on its way up, and
 * of two with the same time the lower number wins. */
void locks_replay(struct locks *locks, uint32_t cpu)
{
	uint32_t node, winner = cpu;
	ns_t time = cpu_time(locks, cpu);

	assert(cpu < locks->cpus);
	for (node = locks->leaves + cpu; node > 1; node /= 2) {
		uint32_t beside = node ^ 1;
		uint32_t other = beside >= locks->leaves ? beside - locks->leaves
							 : locks->tree[beside];
		ns_t its = cpu_time(locks, other);

		if (its < time || (its == time && other < winner)) {
			winner = other;
			time = its;
		}
		locks->tree[node / 2] = winner;
	}
}

void locks_open(struct locks *locks, struct block *block, uint32_t cpus)
{
	uint32_t node;

	*locks = (struct locks){ .block = block, .cpus = cpus };
	locks->lock = block_at(block, REGION_LOCK);
	locks->class = block_at(block, REGION_LOCK_CLASS);
	locks->cpu = block_at(block, REGION_LOCK_CPU);
	locks->note = block_at(block, REGION_LOCK_NOTE);
	locks->stat = block_at(block, REGION_LOCK_STAT);
	locks->tree = block_at(block, REGION_LOCK_TREE);
	if (!cpus)
		return;
	for (locks->leaves = 2; locks->leaves < cpus;)
		locks->leaves *= 2;
	block_take(block, REGION_LOCK_CPU, cpus);
	for (node = 0; node < cpus; node++)
		locks->cpu[node].lock = locks->cpu[node].after_cpu = LOCK_NONE;
	block_take(block, REGION_LOCK_NOTE, cpus * LOCK_NOTES);
	block_take(block, REGION_LOCK_STAT, cpus * LOCK_CLASSES_MAX);
	block_take(block, REGION_LOCK_TREE, locks->leaves);
	/* Nobody comes to a lock yet: each match has its leftmost CPU for a winner. */
	for (node = locks->leaves - 1; node; node--)
		locks->tree[node] = 2 * node >= locks->leaves ? 2 * node - locks->leaves
							      : locks->tree[2 * node];
}

uint32_t lock_class_new(struct locks *locks, const char *name, ns_t hold, ns_t bounce, bool atomic)
{
	uint32_t id = block_take(locks->block, REGION_LOCK_CLASS, 1);
	struct lock_class *class = &locks->class[id];

	if (id == UINT32_MAX)
		return id;
	snprintf(class->name, sizeof(class->name), "%s", name);
	class->hold = class->least = hold;
	class->bounce = bounce;
	class->atomic = atomic;
	return id;
}

void lock_class_spread(struct locks *locks, uint32_t class, ns_t least, uint64_t seed)
{
	struct lock_class *of = &locks->class[class];

	assert(class < locks->block->region[REGION_LOCK_CLASS].used);
	of->least = least < of->hold ? least : of->hold;
	rng_seed(&of->rng, seed);
}

/* Means of each 32nd part of an exponential distribution with mean 1024. */
static const uint16_t exponential[] = {
	16,  49,  83,  119, 155, 193,  233, 274,  316,  361,  407,  456,  507,  561, 618,  678,
	742, 811, 884, 963, 1048, 1141, 1244, 1358, 1486, 1633, 1805, 2011, 2270, 2618, 3153, 4573
};

static ns_t draw_hold(struct lock_class *class)
{
	enum { PARTS = sizeof(exponential) / sizeof(exponential[0]), UNIT = 1024 };
	ns_t spread = class->hold - class->least;

	assert(class->least <= class->hold);
	if (!spread)
		return class->hold;
	return class->least + spread * exponential[rng_next(&class->rng) % PARTS] / UNIT;
}

/* Work before an acquisition varies as holds do not alone: without that, CPUs which once met at a
 * lock would come to it together for ever.  From half to one and a half of what was noted. */
static ns_t draw_work(struct locks *locks, const struct lock_note *note)
{
	struct lock_class *class = &locks->class[locks->lock[note->lock].class];

	if ((!locks->line && class->least == class->hold) || !note->before)
		return note->before;
	return note->before / 2 + rng_uniform(&class->rng, note->before);
}

uint32_t lock_new(struct locks *locks, uint32_t class, uint32_t cpu, uint32_t n)
{
	uint32_t first = block_take(locks->block, REGION_LOCK, n), i;

	for (i = 0; first != UINT32_MAX && i < n; i++)
		locks->lock[first + i] = (struct lock){
			.class = class, .last_cpu = cpu, .holder = cpu };
	return first;
}

void locks_begin(struct locks *locks, uint32_t cpu, uint32_t actor, ns_t now)
{
	struct lock_cpu *at = &locks->cpu[cpu];

	assert(!at->nr && !locks->noting);
	locks->noting = true;
	at->actor = actor;
	at->mark = at->next = now;
}

bool locks_end(struct locks *locks, uint32_t cpu, ns_t now)
{
	struct lock_cpu *at = &locks->cpu[cpu];

	locks->noting = false;
	if (!at->nr)
		return false;
	at->tail = now - at->mark;
	at->slept = locks->slept;
	assert(at->slept <= at->tail);
	at->done = 0;
	at->next += draw_work(locks, &locks->note[cpu * LOCK_NOTES]);
	locks_replay(locks, cpu);
	return true;
}

ns_t locks_earliest(const struct locks *locks, uint32_t *cpu)
{
	*cpu = locks->tree[1];
	return cpu_time(locks, *cpu);
}

uint32_t locks_waiting(const struct locks *locks, uint32_t class)
{
	uint32_t i, nr = 0, first;
	ns_t now = locks_earliest(locks, &first);

	for (i = 0; i < locks->cpus; i++) {
		const struct lock_cpu *at = &locks->cpu[i];
		bool waits = locks->line ? line_spins(locks, i) : at->start > now;

		nr += at->lock != LOCK_NONE && waits && locks->lock[at->lock].class == class;
	}
	return nr;
}

/*
 * Who holds lock @id at @when: the latest of its takers whose turn had begun
 * by then.  Arrivals come in the order of time, so the search goes on where
 * the last one ended and passes each taker once.  The bound is for steps of
 * more than LOCK_NOTES, which run ahead of that order.
 */
static uint32_t holder_at(const struct locks *locks, uint32_t id, ns_t when)
{
	struct lock *lock = &locks->lock[id];
	uint32_t i;

	for (i = 0; i < locks->cpus; i++) {
		const struct lock_cpu *at = &locks->cpu[lock->holder];

		if (at->lock != id || at->after_cpu == LOCK_NONE ||
		    locks->cpu[at->after_cpu].start > when)
			break;
		lock->holder = at->after_cpu;
	}
	return lock->holder;
}

/* @cpu is the next to have @lock, after whoever came last if it is not free by then. */
static void queue_up(struct locks *locks, uint32_t cpu, struct lock *lock, bool waits)
{
	if (!waits)
		lock->holder = cpu;
	else if (lock->last_cpu != cpu)
		locks->cpu[lock->last_cpu].after_cpu = cpu;
	locks->cpu[cpu].after_cpu = LOCK_NONE;
	lock->last_cpu = cpu;
}

static ns_t acquire(struct locks *locks, uint32_t cpu, const struct lock_note *note)
{
	struct lock *lock = &locks->lock[note->lock];
	struct lock_class *class = &locks->class[lock->class];
	struct lock_stat *stat = &locks->stat[lock->class * locks->cpus + cpu];
	struct lock_cpu *at = &locks->cpu[cpu];
	ns_t arrival = at->next, start = arrival, hold = draw_hold(class) + note->held;
	bool waits = lock->free_at > arrival;
	ns_t comes = lock->last_cpu != cpu ? class->bounce : 0;
	uint32_t holder;

	/* Its last acquisition is over: that lock's search must not begin before it any more. */
	if (at->lock != LOCK_NONE)
		holder_at(locks, at->lock, arrival);
	if (waits) {
		holder = holder_at(locks, note->lock, arrival);
		start = lock->free_at;
		stat->con_bounces += holder != cpu;
		lock_tally_site(&class->waiter, (enum lock_site)note->site);
		lock_tally_site(&class->holder, (enum lock_site)locks->cpu[holder].site);
		/* For who waits, its line comes before the lock is had. */
		lock_tally_time(&stat->wait, start + comes - arrival);
	}
	stat->acq_bounces += lock->last_cpu != cpu;
	stat->bucket[lock_tally_bucket(waits ? start + comes - arrival : 0)]++;
	/* Of who does not, the hold began with the attempt. */
	lock_tally_time(&stat->hold, waits ? hold : hold + comes);
	queue_up(locks, cpu, lock, waits);
	at->start = start;
	at->site = note->site;
	at->lock = note->lock;
	lock->free_at = start + comes + hold;
	return lock->free_at;
}

void lock_note_held(struct locks *locks, uint32_t cpu, struct lock_span span, ns_t now)
{
	struct lock_cpu *at = &locks->cpu[cpu];
	ns_t since = span.since > at->mark ? span.since : at->mark;
	struct lock_note note = { span.lock, span.site, since - at->mark, now - since };

	assert(locks->noting && now >= since);
	if (at->nr < LOCK_NOTES)
		locks->note[cpu * LOCK_NOTES + at->nr++] = note;
	else if (locks->line)
		line_hurry(locks, cpu, &note);
	else
		acquire(locks, cpu, &note);
	at->mark = now;
	locks->slept = 0;
}

void lock_note(struct locks *locks, uint32_t cpu, uint32_t lock, enum lock_site site, ns_t now)
{
	assert(now >= locks->cpu[cpu].mark);
	lock_note_held(locks, cpu, (struct lock_span){ lock, site, now }, now);
}

bool locks_run(struct locks *locks, uint32_t cpu)
{
	struct lock_cpu *at = &locks->cpu[cpu];
	const struct lock_note *note = &locks->note[cpu * LOCK_NOTES + at->done];

	assert(at->done < at->nr);
	if (!locks->line)
		at->next = acquire(locks, cpu, note);
	else if (!line_run(locks, cpu, note))
		return false;
	if (++at->done < at->nr) {
		at->next += draw_work(locks, &note[1]);
	} else {
		at->next += at->tail;
		at->nr = at->done = 0;
	}
	locks_replay(locks, cpu);
	return !at->nr;
}
