/*
 * Runs a recorded workload on the model.  Tasks with a quantum take turns in
 * the order of their lines and are one thread of the run; each free task is a
 * thread of its own, and with several the one whose clock is earliest makes
 * the next access.  MODEL: then their order is the model's, not the record's.
 */
#include "real_drive.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_EVERY = 4096 };

/* ---- ops ---- */

/* Looking costs a system call, so it is done now and then. */
static bool stopped(struct drive *d)
{
	return ++d->looks % LOOK_EVERY == 0 && d->watch != NULL && d->watch->stop != NULL &&
	       d->watch->stop(d->watch->ctx);
}

/* The counters need to know who acts before the op runs; what a limit write reclaims is the
 * controller's. */
enum err real_drive_apply(struct drive *d, struct op *op, struct op_result *res)
{
	struct drive_thread *thread = &d->thread[d->task[d->who].thread];
	enum err err;

	if (stopped(d))
		return diag_fail(d->diag, ERR_INTERRUPTED, "interrupted");
	op->actor = (uint32_t)d->task[d->who].thread;
	d->count.who = d->who;
	d->count.tally[d->who].begun = true;
	if (op->kind == OP_GROUP_SET)
		d->count.who = real_count_controller(&d->count);
	err = run_apply(d->run, op, res, d->diag);
	if (err == ERR_OK)
		thread->clock = res->clock_ns;
	return err;
}

/* Remarks are for people and said once. */
void real_drive_note(struct drive *d, const char *text)
{
	char *out = d->count.out->note;
	size_t len = strlen(out);

	if (strstr(out, text) == NULL)
		snprintf(out + len, REAL_TEXT_MAX - len, "%s%s", len ? "; " : "", text);
}

/* ---- threads ---- */

/* NULL when all are done. */
static const struct real_op *current_op(const struct drive *d)
{
	const struct real_task *task = &d->exp->task[d->who];
	size_t next = d->task[d->who].op;

	return next < task->nr_ops ? &task->op[next] : NULL;
}

/* The process exits: its anonymous memory is freed, its pages of files stay. */
static enum err task_end(struct drive *d)
{
	struct op exit = { .kind = OP_TASK_EXIT, .task = d->task[d->who].id };
	struct op_result res;

	d->task[d->who].ended = true;
	return real_drive_apply(d, &exit, &res);
}

/* Up to @max accesses of a task: until its turn is over, it ends or is blocked. */
static enum err task_run(struct drive *d, uint64_t max)
{
	struct drive_task *task = &d->task[d->who];
	enum err err = ERR_OK;

	while (err == ERR_OK && task->left && max && !task->ended && !task->blocked) {
		const struct real_op *op = current_op(d);
		uint64_t before = task->done, n = task->left < max ? task->left : max;

		if (op == NULL)
			return task_end(d);
		if (!real_op_accesses(op->kind) || task->done < real_op_total(op))
			err = real_drive_step(d, op, real_flush_cut(d, n));
		/* Among several threads any operation is a turn of its own. */
		if (real_op_accesses(op->kind) || max != UINT64_MAX)
			max -= real_op_accesses(op->kind) ? task->done - before : max;
		if (err == ERR_OK)
			err = real_flush_follow(d);
		if (task->done < real_op_total(op) || task->blocked)
			continue;
		task->op++;
		task->done = 0;
		task->drawing = false;
		real_draw_close(&task->draw);
	}
	return err;
}

/* A free task has no turn that could end. */
static uint64_t quantum(const struct drive *d, size_t who)
{
	uint64_t n = d->exp->task[who].quantum;

	return n ? n : UINT64_MAX;
}

/* The turn passes to the next task that has not ended; one that is blocked keeps it. */
static bool turn_find(struct drive *d, struct drive_thread *thread)
{
	size_t nr = d->exp->nr_tasks;

	assert(nr > 0);
	for (size_t i = 0; i <= nr; i++) {
		struct drive_task *task = &d->task[thread->turn];
		bool own = &d->thread[task->thread] == thread;

		if (own && !task->ended && task->left)
			return !task->blocked;
		if (own)
			task->left = quantum(d, thread->turn);
		thread->turn = (thread->turn + 1) % nr;
	}
	return false;
}

/* The thread that acts next: the earliest clock, then the first; nr_threads: none can. */
static size_t thread_pick(struct drive *d, size_t *nr_able)
{
	size_t best = d->nr_threads;

	*nr_able = 0;
	for (size_t i = 0; i < d->nr_threads; i++) {
		if (!turn_find(d, &d->thread[i]))
			continue;
		++*nr_able;
		if (best == d->nr_threads || d->thread[i].clock < d->thread[best].clock)
			best = i;
	}
	return best;
}

/* With one thread an operation is done in one piece as far as turns and flushes allow; with
 * several every access is a turn of its own, so that clocks decide. */
static enum err run_threads(struct drive *d)
{
	enum err err = real_flush_begin(d);
	size_t i, nr_able;

	for (i = 0; i < d->exp->nr_tasks; i++)
		d->task[i].left = quantum(d, i);
	while (err == ERR_OK && (i = thread_pick(d, &nr_able)) < d->nr_threads) {
		d->who = d->thread[i].turn;
		err = task_run(d, nr_able > 1 ? 1 : UINT64_MAX);
	}
	for (i = 0; i < d->exp->nr_tasks && err == ERR_OK; i++) {
		if (!d->task[i].ended)
			real_drive_note(d, "a task is blocked at the end");
	}
	return err != ERR_OK ? err : real_phase_end(d, "exit");
}

/* What is missing is said before anything runs; half a prediction would be taken for a whole. */
enum err real_predict(const struct real_experiment *exp, const struct real_flushes *flushes,
		      const struct real_watch *watch, struct real_prediction *out,
		      struct diag *diag)
{
	struct drive d = { .exp = exp, .flushes = flushes, .watch = watch, .diag = diag };
	char missing[REAL_TEXT_MAX];
	enum err err;

	memset(out, 0, sizeof(*out));
	if (real_missing(exp, missing))
		return diag_fail(diag, ERR_IMPORT, "%s: not modelled yet: %s", exp->name, missing);
	err = real_count_open(&d.count, exp, out, diag);
	if (err == ERR_OK)
		err = real_drive_open(&d);
	if (err == ERR_OK)
		err = run_threads(&d);
	if (real_free_running(exp))
		real_drive_note(&d, "free-running tasks: their order is the model's");
	real_drive_close(&d);
	if (err != ERR_OK)
		real_prediction_free(out);
	return err;
}

/* Zeroed memory is fine. */
void real_prediction_free(struct real_prediction *prediction)
{
	free(prediction->figures.figure);
	free(prediction->trail.eviction);
	memset(prediction, 0, sizeof(*prediction));
}

/* ---- what is missing ---- */

/* One free task beside others is enough: it may act at any moment of theirs. */
bool real_free_running(const struct real_experiment *exp)
{
	size_t nr_free = 0;

	for (size_t i = 0; i < exp->nr_tasks; i++)
		nr_free += exp->task[i].quantum == 0;
	return nr_free > 0 && exp->nr_tasks > 1;
}

/* Each thing once, in the order in which it was met. */
static void miss(char *out, const char *what)
{
	size_t len = strlen(out);

	if (strstr(out, what) == NULL)
		snprintf(out + len, REAL_TEXT_MAX - len, "%s%s", len ? ", " : "", what);
}

/* Everything that would be left out is looked for in the whole experiment, without running it. */
bool real_missing(const struct real_experiment *exp, char *out)
{
	out[0] = '\0';
	for (size_t t = 0; t < exp->nr_tasks; t++) {
		const struct real_task *task = &exp->task[t];

		for (size_t i = 0; i < task->nr_ops; i++)
			if (!real_drive_can(task->op[i].kind))
				miss(out, real_op_name(task->op[i].kind));
	}
	return out[0] != '\0';
}
