/*
 * An access is asked for at one time and complete at a later one, if the
 * line has to come; what it does is done when it is complete.  So each CPU
 * has one event at most, and those that spin on a copy have none until
 * somebody writes.
 *
 * MODEL: every transfer takes as long, from whichever CPU and of however
 * many copies; caches never run out of room.
 */
#include "line.h"

#include <assert.h>
#include <string.h>

#include "lock.h"
#include "lock_tally.h"

enum { WORD_CPUS = 64 };

void lines_open(struct locks *locks, uint32_t nr, struct line_costs costs)
{
	uint32_t i;

	assert(!locks->line && !locks->block->region[REGION_LINE].used);
	block_take(locks->block, REGION_LINE, nr);
	locks->line = block_at(locks->block, REGION_LINE);
	locks->line_cpu = block_at(locks->block, REGION_LINE_CPU);
	block_take(locks->block, REGION_LINE_CPU, locks->cpus);
	locks->line_costs = costs;
	for (i = 0; i < nr; i++)
		locks->line[i].holder[0] = 1;
}

uint32_t line_new(struct locks *locks, uint32_t cpu)
{
	uint32_t id = block_take(locks->block, REGION_LINE, 1);

	if (id == UINT32_MAX)
		return LINE_NONE;
	locks->line[id].owner = cpu;
	locks->line[id].holder[cpu / WORD_CPUS] = 1ull << cpu % WORD_CPUS;
	return id;
}

static bool has_copy(const struct line *line, uint32_t cpu)
{
	return line->holder[cpu / WORD_CPUS] >> cpu % WORD_CPUS & 1;
}

/* Whether @cpu can go on at once; else it misses, and asked for the line. */
static bool ask(struct locks *locks, uint32_t cpu, const struct lock_note *note, uint32_t id,
		bool write)
{
	struct line *line = &locks->line[id];
	struct lock_cpu *at = &locks->cpu[cpu];

	assert(id != LINE_NONE);
	if (write ? line->owner == cpu : has_copy(line, cpu))
		return true;
	locks->stat[locks->lock[note->lock].class * locks->cpus + cpu].misses++;
	if (line->free_at < at->next)
		line->free_at = at->next;
	line->free_at += locks->line_costs.transfer;
	at->next = line->free_at;
	locks->line_cpu[cpu].asked = true;
	locks_replay(locks, cpu);
	return false;
}

static const struct lock_note *note_of(const struct locks *locks, uint32_t cpu)
{
	return &locks->note[cpu * LOCK_NOTES + locks->cpu[cpu].done];
}

bool line_spins(const struct locks *locks, uint32_t cpu)
{
	return locks->cpu[cpu].nr && locks->line_cpu[cpu].phase == LINE_SPINS;
}

/* Those that spin on a copy of the line which @by has just written read it again. */
static void wake_spinners(struct locks *locks, uint32_t by, uint32_t id)
{
	uint32_t i;

	for (i = 1; i < locks->cpus; i++) {
		uint32_t cpu = (by + i) % locks->cpus;
		struct line_cpu *spinner = &locks->line_cpu[cpu];

		if (!line_spins(locks, cpu) || spinner->asked ||
		    locks->lock[note_of(locks, cpu)->lock].word != id)
			continue;
		locks->cpu[cpu].next = locks->cpu[by].next;
		ask(locks, cpu, note_of(locks, cpu), id, false);
	}
}

/* @cpu has what it asked for, at its .next. */
static void arrive(struct locks *locks, uint32_t cpu, uint32_t id, bool write)
{
	struct line *line = &locks->line[id];

	locks->line_cpu[cpu].asked = false;
	if (!write) {
		line->owner = line->owner == cpu ? cpu : LINE_NONE;
		line->holder[cpu / WORD_CPUS] |= 1ull << cpu % WORD_CPUS;
		return;
	}
	memset(line->holder, 0, sizeof(line->holder));
	line->holder[cpu / WORD_CPUS] = 1ull << cpu % WORD_CPUS;
	line->owner = cpu;
	if (line->spinners)
		wake_spinners(locks, cpu, id);
}

/* Its ticket is taken.  Returns: whether it is the one that is served. */
static bool take_ticket(struct locks *locks, uint32_t cpu, const struct lock_note *note)
{
	struct lock *lock = &locks->lock[note->lock];
	struct lock_class *class = &locks->class[lock->class];
	struct line_cpu *on = &locks->line_cpu[cpu];

	on->ticket = lock->tail++;
	if (on->ticket == lock->head)
		return true;
	locks->line[lock->word].spinners++;
	on->waited = true;
	on->tried = locks->cpu[cpu].next;
	locks->stat[lock->class * locks->cpus + cpu].con_bounces += lock->last_cpu != cpu;
	lock_tally_site(&class->waiter, (enum lock_site)note->site);
	lock_tally_site(&class->holder, (enum lock_site)lock->last_site);
	return false;
}

/* The lock is its own: held from now on, if it waited, else since it came. */
static void begin_hold(struct locks *locks, uint32_t cpu, const struct lock_note *note)
{
	struct lock *lock = &locks->lock[note->lock];
	struct lock_stat *stat = &locks->stat[lock->class * locks->cpus + cpu];
	struct line_cpu *on = &locks->line_cpu[cpu];
	ns_t now = locks->cpu[cpu].next, wait = on->waited ? now - on->tried : 0;

	assert(on->ticket == lock->head);
	if (on->waited) {
		locks->line[lock->word].spinners--;
		lock_tally_time(&stat->wait, wait);
		on->since = now;
	}
	stat->bucket[lock_tally_bucket(wait)]++;
	stat->acq_bounces += lock->last_cpu != cpu;
	lock->last_cpu = cpu;
	lock->last_site = note->site;
	on->phase = lock->data == LINE_NONE ? LINE_FREES : LINE_DATA;
	locks->cpu[cpu].start = now;
	locks->cpu[cpu].next += locks->line_costs.lock;
	if (lock->data == LINE_NONE)
		locks->cpu[cpu].next = now + locks->class[lock->class].hold + note->held;
}

static void end_hold(struct locks *locks, uint32_t cpu, const struct lock_note *note)
{
	struct lock *lock = &locks->lock[note->lock];
	struct lock_stat *stat = &locks->stat[lock->class * locks->cpus + cpu];

	lock->head++;
	lock_tally_time(&stat->hold, locks->cpu[cpu].next - locks->line_cpu[cpu].since);
}

/* It came to the lock. */
static void begin(struct locks *locks, uint32_t cpu, const struct lock_note *note)
{
	struct line_cpu *on = &locks->line_cpu[cpu];

	on->since = locks->cpu[cpu].next;
	on->waited = false;
	on->phase = LINE_TICKET;
	if (note->site == LOCK_SITE_REFERENCE)
		on->phase = LINE_TESTS;
	else if (locks->class[locks->lock[note->lock].class].atomic)
		on->phase = LINE_ADDS;
	locks->cpu[cpu].lock = note->lock;
	locks->cpu[cpu].site = note->site;
}

/* Which line a phase accesses. */
static uint32_t line_of(const struct lock *lock, enum line_phase phase)
{
	return phase == LINE_TICKET || phase == LINE_SPINS || phase == LINE_FREES ? lock->word
										  : lock->data;
}

/* What the access of its phase does, which is complete: the next phase, and when it begins. */
static void complete(struct locks *locks, uint32_t cpu, const struct lock_note *note)
{
	const struct lock *lock = &locks->lock[note->lock];
	struct line_cpu *on = &locks->line_cpu[cpu];

	switch (on->phase) {
	case LINE_TICKET:
	case LINE_SPINS:
		if (on->phase == LINE_TICKET ? take_ticket(locks, cpu, note)
					     : on->ticket == lock->head) {
			begin_hold(locks, cpu, note);
			break;
		}
		on->phase = LINE_SPINS;
		locks->cpu[cpu].next = LOCK_TIME_NEVER;
		break;
	case LINE_DATA:
		on->phase = LINE_FREES;
		break;
	case LINE_TESTS:
		on->phase = LINE_ADDS;
		break;
	case LINE_FREES:
		end_hold(locks, cpu, note);
		on->phase = LINE_COMES;
		break;
	case LINE_ADDS:
		lock_tally_time(&locks->stat[lock->class * locks->cpus + cpu].hold,
				locks->line_costs.add);
		locks->cpu[cpu].next += locks->line_costs.add;
		on->phase = LINE_COMES;
		break;
	case LINE_COMES:
	default:
		assert(false);
	}
}

bool line_run(struct locks *locks, uint32_t cpu, const struct lock_note *note)
{
	const struct lock *lock = &locks->lock[note->lock];
	struct line_cpu *on = &locks->line_cpu[cpu];
	uint32_t id;
	bool write;

	if (on->phase == LINE_COMES)
		begin(locks, cpu, note);
	id = line_of(lock, on->phase);
	write = on->phase != LINE_SPINS && on->phase != LINE_TESTS;
	if (on->asked)
		arrive(locks, cpu, id, write);
	else if (!ask(locks, cpu, note, id, write))
		return false;
	complete(locks, cpu, note);
	if (on->phase != LINE_COMES)
		locks_replay(locks, cpu);
	return on->phase == LINE_COMES;
}

void line_hurry(struct locks *locks, uint32_t cpu, const struct lock_note *note)
{
	const struct lock *lock = &locks->lock[note->lock];
	struct lock_stat *stat = &locks->stat[lock->class * locks->cpus + cpu];

	if (locks->line[lock->data].owner != cpu)
		stat->misses++;
	arrive(locks, cpu, lock->data, true);
	lock_tally_time(&stat->hold, locks->line_costs.lock);
}
