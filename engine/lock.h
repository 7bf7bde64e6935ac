/*
 * Locks of the simulated kernel, and the CPUs that wait for them.  A step
 * notes its acquisitions; they are carried out afterwards in the order of
 * time over all CPUs, first come first served, and counted the way
 * lock_stat counts.  Follows kernel/lockdep.c of v2.6.31.
 * MODEL: what a step changes is changed at its start; waiting shifts the
 * times of what follows, not the order inside the step.
 */
#ifndef MEMCGLAB_ENGINE_LOCK_H
#define MEMCGLAB_ENGINE_LOCK_H

#include "block.h"
#include "contention.h"
#include "line.h"
#include "rng.h"

enum {
	LOCK_CLASSES_MAX = 16,	/* of this version */
	LOCK_CLASS_COUNTER = 0,	/* the first; with lines references; those of a scenario follow */
	LOCK_CLASS_REFERENCE = 1,
	LOCKS_MAX = 1 << 20,
	LOCK_NOTES = 4096	/* acquisitions that one step can note */
};

#define LOCK_TIME_NEVER UINT64_MAX
#define LOCK_NONE UINT32_MAX

/* Locks of one kind share statistics and costs. */
struct lock_class {
	char name[LOCK_NAME_MAX];
	ns_t hold, bounce;	/* [ns] held on average; more if the line comes from another CPU */
	ns_t least;		/* [ns] shortest hold; @hold: all are alike, else exponential */
	struct rng rng;		/* draws of holds */
	bool atomic;		/* one addition to a shared line, no lock: not in lock_stat */
	struct lock_sites waiter, holder;
};

/* One instance.  Free from @free_at on; @last_cpu begins as its maker's.  @holder is behind the
 * time of arrivals: takers after it are found by their after_cpu. */
struct lock {
	uint32_t class, last_cpu, holder;
	ns_t free_at;
	/* Where its lines are followed: that of its word, of what it protects; tickets. */
	uint32_t word, data, head, tail, last_site;
};

/* An acquisition that is still to be carried out. */
struct lock_note {
	uint32_t lock;
	uint32_t site;		/* enum lock_site */
	ns_t before;		/* [ns] of work since the acquisition before it */
	ns_t held;		/* [ns] that it is held beyond its class's hold */
};

/* A CPU between two acquisitions of its step. */
struct lock_cpu {
	uint32_t nr, done;	/* notes of its step; of these, carried out */
	uint32_t actor;		/* whose step it is */
	ns_t mark;		/* the step's own clock at its latest note */
	ns_t next;		/* when it comes to the next note */
	ns_t tail;		/* [ns] after the last one, ... */
	ns_t slept;		/* [ns] of which the step slept */
	ns_t start;		/* of its latest acquisition */
	uint32_t lock, site;	/* which it was, from where; LOCK_NONE: it took none yet */
	uint32_t after_cpu;	/* who has that lock next; LOCK_NONE: nobody came yet */
};

struct locks {
	struct block *block;
	struct lock *lock;
	struct lock_class *class;
	struct lock_cpu *cpu;
	struct lock_note *note;		/* LOCK_NOTES for each CPU */
	struct lock_stat *stat;		/* by class and CPU */
	uint32_t *tree;			/* winners of a tournament for the earliest CPU */
	uint32_t cpus, leaves;		/* leaves: a power of two; 0: locks are not modelled */
	struct line *line;		/* NULL: a lock costs what its class says, see line.h */
	struct line_cpu *line_cpu;
	struct line_costs line_costs;
	ns_t slept;			/* [ns] by the step under way, since its latest note */
	bool noting;			/* between locks_begin and locks_end */
};

/* locks_open - @cpus of them; 0: locks are not modelled, and nothing below may be called. */
void locks_open(struct locks *locks, struct block *block, uint32_t cpus);

/* lock_class_new - Returns: its number, UINT32_MAX if there are too many. */
uint32_t lock_class_new(struct locks *locks, const char *name, ns_t hold, ns_t bounce,
			bool atomic);

/* lock_new - @n locks of a class, made by @cpu.  Returns: the first, UINT32_MAX if too many. */
uint32_t lock_new(struct locks *locks, uint32_t class, uint32_t cpu, uint32_t n);

/* lock_class_spread - holds of a class are exponential beyond the shortest, @least [ns]. */
void lock_class_spread(struct locks *locks, uint32_t class, ns_t least, uint64_t seed);

/* locks_begin - a step of @actor begins on @cpu, which has no notes left, at @now. */
void locks_begin(struct locks *locks, uint32_t cpu, uint32_t actor, ns_t now);

/* lock_note - the step on @cpu takes and releases @lock when its own clock shows @now.
 * Past LOCK_NOTES it does so at once, before those of other CPUs that are due. */
void lock_note(struct locks *locks, uint32_t cpu, uint32_t lock, enum lock_site site, ns_t now);

/* What a step did under a lock: from @since [ns] of its own clock on. */
struct lock_span {
	uint32_t lock;
	enum lock_site site;
	ns_t since;
};

/* lock_note_held - the step on @cpu has held a lock since @span.since, and releases it at @now.
 * Acquisitions that it noted meanwhile come before this one. */
void lock_note_held(struct locks *locks, uint32_t cpu, struct lock_span span, ns_t now);

/* locks_crowded - whether a step on @cpu had better end soon. */
static inline bool locks_crowded(const struct locks *locks, uint32_t cpu)
{
	return locks->cpu[cpu].nr >= LOCK_NOTES / 2;
}

/* locks_end - the step on @cpu ends at @now.  Returns: whether it has notes. */
bool locks_end(struct locks *locks, uint32_t cpu, ns_t now);

static inline bool locks_pending(const struct locks *locks, uint32_t cpu)
{
	return locks->leaves && locks->cpu[cpu].nr;
}

/* locks_replay - the time of @cpu's next acquisition has changed. */
void locks_replay(struct locks *locks, uint32_t cpu);

/* locks_waiting - CPUs that were granted a lock of @class and whose turn has not come. */
uint32_t locks_waiting(const struct locks *locks, uint32_t class);

/* locks_earliest - the CPU that comes to a lock next, and when; LOCK_TIME_NEVER: none. */
ns_t locks_earliest(const struct locks *locks, uint32_t *cpu);

/**
 * locks_run - carry out the next acquisition of @cpu, which is the earliest
 * Returns: whether it was the last one of its step, which then ends at
 * .cpu[@cpu].next.
 */
bool locks_run(struct locks *locks, uint32_t cpu);

#endif
