/*
 * The cache lines that counters, their locks and references of groups lie
 * on, as CPUs pass them around.  A CPU without a copy misses: the line takes
 * its time to come, and one transfer of a line follows the other.  A write
 * takes all other copies away, and whoever spins on the line reads it again.
 *
 * This is another cost model of locks, for kernels without lock debugging:
 * holds and waits are what the transfers make of them.
 * After: __ticket_spin_lock(), arch/x86/include/asm/spinlock.h, v2.6.32.
 */
#ifndef MEMCGLAB_ENGINE_LINE_H
#define MEMCGLAB_ENGINE_LINE_H

#include <stdbool.h>

#include "units.h"

struct locks;
struct lock_note;

enum { LINE_BYTES = 64, LINE_WORDS = 8 };	/* a word for 64 CPUs */

#define LINE_NONE UINT32_MAX

struct line {
	uint64_t holder[LINE_WORDS];	/* CPUs that have a copy */
	uint32_t owner;			/* the only one, which may write; LINE_NONE: it is shared */
	uint32_t spinners;		/* CPUs that wait for a lock on it */
	ns_t free_at;			/* [ns] end of the last transfer */
};

/* How far a CPU is with its acquisition. */
enum line_phase {
	LINE_COMES,	/* not begun */
	LINE_TICKET,	/* takes a ticket */
	LINE_SPINS,	/* another ticket is served; it has a copy, or asked for one */
	LINE_DATA,	/* changes what the lock protects */
	LINE_FREES,	/* serves the next ticket */
	LINE_TESTS,	/* reads the flags beside a reference count */
	LINE_ADDS	/* adds to a counter without a lock */
};

struct line_cpu {
	enum line_phase phase;
	uint32_t ticket;
	bool asked, waited;	/* a transfer to it is under way; its ticket had to wait */
	ns_t tried, since;	/* [ns] when that began; hold's begin */
};

struct line_costs {
	ns_t transfer, lock, add;	/* [ns] a line comes; work under a lock; one addition */
};

/* lines_open - @nr of them, which CPU 0 has; what costs what. */
void lines_open(struct locks *locks, uint32_t nr, struct line_costs costs);

/* line_new - one more line, which @cpu has.  Returns: its number, LINE_NONE if too many. */
uint32_t line_new(struct locks *locks, uint32_t cpu);

/**
 * line_run - go on with the acquisition @note of @cpu, whose time has come
 * A note of LOCK_SITE_REFERENCE is a group's reference taken or dropped: its flags are read, then
 * its count is changed by a locked instruction, which waits for the read.  A plain store does not:
 * it asks for the line together with the load before it.
 * Returns: whether it is done, at the CPU's .next; else .next is when it goes on.
 */
bool line_run(struct locks *locks, uint32_t cpu, const struct lock_note *note);

/* line_hurry - an acquisition for which there is no room: its transfers take no time. */
void line_hurry(struct locks *locks, uint32_t cpu, const struct lock_note *note);

/* line_spins - whether @cpu waits for a lock. */
bool line_spins(const struct locks *locks, uint32_t cpu);

#endif
