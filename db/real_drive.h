/*
 * What the files of the driver share: an experiment on its way through the
 * model.  real_drive.c turns tasks and their clocks, real_step.c does one
 * operation, real_flush.c ends phases and flushes, real_setup.c begins.
 */
#ifndef MEMCGLAB_DB_REAL_DRIVE_H
#define MEMCGLAB_DB_REAL_DRIVE_H

#include "real_count.h"
#include "real_draw.h"
#include "real_op.h"

/* A task on its way through its operations. */
struct drive_task {
	uint32_t id;			/* in the run */
	size_t thread;
	size_t op;			/* the next */
	uint64_t done, left;		/* accesses done of it, and left of this turn */
	struct real_draw draw;
	bool drawing, ended, blocked;
	uint32_t region[REAL_HANDLES];	/* id of each anonymous mapping, 0: none */
	uint32_t map[REAL_HANDLES][3];	/* of each mapped file: as it is, random, sequential */
};

/* Tasks with a quantum share a thread; each free one has its own, and its clock. */
struct drive_thread {
	ns_t clock;
	size_t turn;			/* the task whose turn it is */
};

struct drive {
	const struct real_experiment *exp;
	const struct real_flushes *flushes;	/* NULL: at the marks only */
	const struct real_watch *watch;
	struct run *run;
	struct real_count count;
	uint32_t *group;		/* css ids */
	struct drive_task *task;
	struct drive_thread *thread;	/* a thread's number is its actor's */
	size_t nr_threads, who;		/* the task that acts */
	size_t flush;			/* the next of flushes that is not over */
	bool armed;			/* the engine waits for it */
	uint64_t phase_accesses;	/* so far in this phase */
	uint64_t spread_over;		/* accesses over which flushes without place are spread */
	unsigned spread, spread_done;	/* how many, and how many were */
	unsigned looks;
	struct diag *diag;
};

/* real_drive_open - machine, groups, files, tasks, threads. */
enum err real_drive_open(struct drive *d);
void real_drive_close(struct drive *d);

/* real_drive_apply - an op by the task that acts; its thread's clock follows. */
enum err real_drive_apply(struct drive *d, struct op *op, struct op_result *res);

/* real_drive_note - add a remark on what was simplified, once. */
void real_drive_note(struct drive *d, const char *text);

/* real_drive_step - at most @max accesses of an operation, or all of one without accesses. */
enum err real_drive_step(struct drive *d, const struct real_op *op, uint64_t max);

/* real_drive_can - whether the model has an operation. */
bool real_drive_can(int kind);

/**
 * real_flush_begin - a phase begins: the flushes of its beginning
 * real_flush_cut - @max accesses, or fewer if a flush must come before
 * real_flush_follow - flushes that are due happen, the next one is ordered
 */
enum err real_flush_begin(struct drive *d);
uint64_t real_flush_cut(const struct drive *d, uint64_t max);
enum err real_flush_follow(struct drive *d);

/* real_phase_end - a mark or its like: counters, flush, the groups' figures. */
enum err real_phase_end(struct drive *d, const char *name);

#endif
