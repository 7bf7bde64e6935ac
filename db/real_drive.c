/*
 * Runs a recorded workload on the model.  Tasks with a quantum take turns in
 * the order of their lines and are one thread of the run; each free task is a
 * thread of its own, and with several the one whose clock is earliest makes
 * the next access.  MODEL: then their order is the model's, not the record's.
 *
 * A mark empties the queues of the task's CPU and flushes all statistics.
 * Other flushes come where the caller says that they were recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "real_count.h"
#include "real_draw.h"
#include "real_op.h"

enum { CPUS = 2, RAM_GIB = 24, LOOK_EVERY = 4096 };

struct actor_task {
	uint32_t id;			/* in the run */
	size_t thread;
	size_t op;			/* the next */
	uint64_t done, left;		/* accesses done of it, and left of this turn */
	struct real_draw draw;
	bool drawing, ended, blocked;
	uint32_t region[REAL_HANDLES];	/* id of each mapping, 0: none */
};

struct thread {
	ns_t clock;
	size_t turn;			/* the task whose turn it is */
	bool turns;			/* of several tasks */
};

struct drive {
	const struct real_experiment *exp;
	const struct real_flushes *flushes;	/* NULL: at the marks only */
	const struct real_watch *watch;
	struct run *run;
	struct real_count count;
	uint32_t *group;		/* css ids */
	struct actor_task *task;
	struct thread *thread;
	size_t nr_threads, who;
	size_t flush;			/* the next of flushes that is not over */
	bool armed;			/* the engine waits for it */
	unsigned looks;
	struct diag *diag;
};

typedef enum err step_fn(struct drive *d, const struct real_op *op, uint64_t max);

/* ---- ops ---- */

static bool stopped(struct drive *d)
{
	return ++d->looks % LOOK_EVERY == 0 && d->watch != NULL && d->watch->stop != NULL &&
	       d->watch->stop(d->watch->ctx);
}

/* Applies an op by the current thread; its clock follows. */
static enum err apply(struct drive *d, struct op *op, struct op_result *res)
{
	struct thread *thread = &d->thread[d->task[d->who].thread];
	enum err err;

	if (stopped(d))
		return diag_fail(d->diag, ERR_INTERRUPTED, "interrupted");
	op->actor = (uint32_t)d->task[d->who].thread;
	d->count.who = d->who;
	if (op->kind == OP_GROUP_SET)
		d->count.who = real_count_controller(&d->count);
	err = run_apply(d->run, op, res, d->diag);
	if (err == ERR_OK)
		thread->clock = res->clock_ns;
	return err;
}

static enum err make(struct drive *d, struct op *op, const char *name, uint32_t *id)
{
	struct op_result res = { .id = 0 };
	enum err err;

	snprintf(op->name, sizeof(op->name), "%s", name);
	err = run_apply(d->run, op, &res, d->diag);
	if (id != NULL)
		*id = res.id;
	return err;
}

static enum err flush(struct drive *d, uint64_t after)
{
	struct op op = { .kind = OP_FLUSH, .value = (int64_t)after };
	struct op_result res;

	return apply(d, &op, &res);
}

static void note(struct drive *d, const char *text)
{
	char *out = d->count.out->note;
	size_t len = strlen(out);

	if (strstr(out, text) == NULL)
		snprintf(out + len, REAL_TEXT_MAX - len, "%s%s", len ? "; " : "", text);
}

/* ---- flushes of the phase ---- */

/* The next flush of this phase; NULL if there is none. */
static const struct real_flush *next_flush(const struct drive *d)
{
	if (d->flushes == NULL || d->flush >= d->flushes->nr ||
	    d->flushes->flush[d->flush].no != d->count.no + 1)
		return NULL;
	return &d->flushes->flush[d->flush];
}

/* Flushes that are due happen; the next one is ordered. */
static enum err flush_follow(struct drive *d)
{
	const struct real_flush *at = next_flush(d);
	enum err err = ERR_OK;

	while (at != NULL && err == ERR_OK && d->count.added >= at->at) {
		if (!d->armed)
			err = flush(d, 0);
		d->armed = false;
		d->flush++;
		at = next_flush(d);
	}
	if (at == NULL || d->armed || err != ERR_OK)
		return err;
	d->armed = true;
	return flush(d, at->at - d->count.added);
}

/* Accesses that pass at most the flush that is ordered, if another follows it. */
static uint64_t flush_cut(const struct drive *d, uint64_t max)
{
	const struct real_flush *at = next_flush(d);

	if (at == NULL || d->flush + 1 >= d->flushes->nr || at[1].no != at->no)
		return max;
	return max < at->at - d->count.added ? max : at->at - d->count.added;
}

static enum err flush_begin(struct drive *d)
{
	d->armed = false;
	d->flush = 0;
	while (d->flushes != NULL && d->flush < d->flushes->nr &&
	       d->flushes->flush[d->flush].no < d->count.no + 1)
		d->flush++;
	return flush_follow(d);
}

/* ---- phases and tasks ---- */

/* Whether tasks go on while one of them waits at its mark. */
static bool parallel(const struct drive *d)
{
	return d->nr_threads > 1;
}

static enum err phase_end(struct drive *d, const char *name)
{
	bool recorded = parallel(d) && d->flushes != NULL;
	enum err err = real_count_phase(&d->count, name, d->diag);

	if (err == ERR_OK && (!recorded || d->armed))
		err = flush(d, 0);
	if (err == ERR_OK)
		err = flush_begin(d);
	return err != ERR_OK ? err : real_count_groups(&d->count, d->run, d->group, d->diag);
}

/* Somebody was killed: whoever is not alive any more ends its phase so. */
static enum err reap(struct drive *d)
{
	enum err err = ERR_OK;
	struct run_task task;

	d->count.killed = false;
	for (size_t i = 0; i < d->exp->nr_tasks && err == ERR_OK; i++) {
		if (d->task[i].ended || !run_task(d->run, d->task[i].id, &task) || task.alive)
			continue;
		d->task[i].ended = true;
		err = phase_end(d, "killed");
	}
	return err;
}

/* What became of an access: done, or the task's end or wait. */
static enum err outcome(struct drive *d, const struct op_result *res, uint64_t done)
{
	struct actor_task *task = &d->task[d->who];

	task->done += done;
	task->left -= done < task->left ? done : task->left;
	if (res->outcome == OP_BLOCKED)
		task->blocked = true;
	if (res->outcome == OP_NOMEM) {
		task->ended = true;
		note(d, "a task ended because a charge failed");
	}
	return d->count.killed ? reap(d) : ERR_OK;
}

/* ---- what each operation does ---- */

static enum err step_nothing(struct drive *d, const struct real_op *op, uint64_t max)
{
	(void)d;
	(void)op;
	(void)max;
	return ERR_OK;
}

/* Pages of one pass that come next, at most @max. */
static struct op next_span(const struct drive *d, const struct real_op *op, uint64_t max)
{
	uint64_t at = d->task[d->who].done % op->pages, n = op->pages - at;
	struct op out = { .task = d->task[d->who].id };

	out.offset = (op->start + at) * PAGE_BYTES;
	out.length = (n < max ? n : max) * PAGE_BYTES;
	out.chunk = PAGE_BYTES;
	return out;
}

static enum err step_read(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op read = next_span(d, op, max);
	struct op_result res;
	enum err err;
	uint64_t done;

	read.kind = OP_READ;
	read.object = d->count.first_file + (uint32_t)op->object;
	read.chunk = op->kind == REAL_SEQB ? op->chunk
					   : (op->chunk ? op->chunk : 1) * PAGE_BYTES;
	err = apply(d, &read, &res);
	if (err != ERR_OK)
		return err;
	done = res.outcome == OP_DONE ? read.length / PAGE_BYTES
	       : op->kind == REAL_SEQB ? res.done_pages * op->chunk / PAGE_BYTES
				       : res.done_pages;
	return outcome(d, &res, done);
}

/* The page that a random sequence gives next; the sequence begins with its operation. */
static enum err draw(struct drive *d, const struct real_op *op, uint64_t *page)
{
	struct actor_task *task = &d->task[d->who];
	enum err err = ERR_OK;

	if (!task->drawing)
		err = real_draw_open(&task->draw, op->seed, op->pages, op->exponent, d->diag);
	if (err != ERR_OK)
		return err;
	task->drawing = true;
	*page = real_draw_next(&task->draw);
	return ERR_OK;
}

/* One page at a time; the op is the same but for its place. */
static enum err step_drawn(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct actor_task *task = &d->task[d->who];
	bool file = op->kind == REAL_ZIPF || op->kind == REAL_UNI;
	struct op access = { .kind = file ? OP_READ : OP_TOUCH, .task = task->id,
			     .flags = file ? 0 : OPF_WRITE, .length = PAGE_BYTES };
	struct op_result res = { .outcome = OP_DONE };
	uint64_t end = task->done + max, page = 0;
	enum err err = ERR_OK;

	access.object = file ? d->count.first_file + (uint32_t)op->object
			     : task->region[op->handle];
	if (end > op->count)
		end = op->count;
	while (err == ERR_OK && task->done < end && !task->ended && !task->blocked) {
		err = draw(d, op, &page);
		access.offset = page * PAGE_BYTES;
		if (err == ERR_OK)
			err = apply(d, &access, &res);
		if (err == ERR_OK)
			err = outcome(d, &res, res.outcome == OP_DONE);
	}
	return err;
}

static enum err step_touch(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op touch = next_span(d, op, max);
	struct op_result res;
	enum err err;

	touch.kind = OP_TOUCH;
	touch.object = d->task[d->who].region[op->handle];
	touch.flags = op->writes ? OPF_WRITE : 0;
	err = apply(d, &touch, &res);
	return err != ERR_OK ? err : outcome(d, &res, res.done_pages);
}

static enum err step_sleep(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op think = { .kind = OP_THINK, .value = op->value * 1000000 };
	struct op_result res;

	(void)max;
	return apply(d, &think, &res);
}

static enum err step_mark(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op drain = { .kind = OP_DRAIN, .task = d->task[d->who].id };
	struct op_result res;
	enum err err = apply(d, &drain, &res);

	(void)max;
	return err != ERR_OK ? err : phase_end(d, op->word);
}

/* Whoever sleeps at its limit tries again, not before now. */
static enum err wake(struct drive *d)
{
	size_t by = d->who;
	enum err err = ERR_OK;

	for (size_t i = 0; i < d->exp->nr_tasks && err == ERR_OK; i++) {
		struct op join = { .kind = OP_JOIN, .value = (int64_t)d->task[by].thread };
		struct op_result res;

		if (!d->task[i].blocked)
			continue;
		d->task[i].blocked = false;
		d->who = i;
		err = apply(d, &join, &res);
	}
	d->who = by;
	return err;
}

/* The controller writes on CPU 0. */
static enum err step_limit(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op set = { .kind = OP_GROUP_SET, .object = d->group[op->object] };
	struct op_result res;
	enum err err;

	(void)max;
	set.group.set = GROUP_LIMIT;
	set.group.limit_pages = (pages_t)op->value;
	err = apply(d, &set, &res);
	if (err == ERR_OK && res.outcome == OP_BUSY)
		note(d, "a limit was refused");
	return err != ERR_OK ? err : wake(d);
}

/* What the model can do; the rest is reported by name. */
static step_fn *const steps[NR_REAL_OPS] = {
	[REAL_OPEN] = step_nothing,
	[REAL_SEQ] = step_read,
	[REAL_SEQB] = step_read,
	[REAL_UNI] = step_drawn,
	[REAL_ZIPF] = step_drawn,
	[REAL_ANON] = step_touch,
	[REAL_AUNI] = step_drawn,
	[REAL_SLEEP] = step_sleep,
	[REAL_MARK] = step_mark,
	[REAL_LIMIT] = step_limit,
};

/* ---- threads ---- */

/* NULL when all are done. */
static const struct real_op *current_op(const struct drive *d)
{
	const struct real_task *task = &d->exp->task[d->who];
	size_t next = d->task[d->who].op;

	return next < task->nr_ops ? &task->op[next] : NULL;
}

static enum err task_end(struct drive *d)
{
	struct op exit = { .kind = OP_TASK_EXIT, .task = d->task[d->who].id };
	struct op_result res;

	d->task[d->who].ended = true;
	return apply(d, &exit, &res);
}

/* Up to @max accesses of a task: until its turn is over, it ends or is blocked. */
static enum err task_run(struct drive *d, uint64_t max)
{
	struct actor_task *task = &d->task[d->who];
	enum err err = ERR_OK;

	while (err == ERR_OK && task->left && max && !task->ended && !task->blocked) {
		const struct real_op *op = current_op(d);
		uint64_t before = task->done, n = task->left < max ? task->left : max;

		if (op == NULL)
			return task_end(d);
		if (!real_op_accesses(op->kind) || task->done < real_op_total(op))
			err = steps[op->kind](d, op, flush_cut(d, n));
		/* Among several threads any operation is a turn of its own. */
		if (real_op_accesses(op->kind) || max != UINT64_MAX)
			max -= real_op_accesses(op->kind) ? task->done - before : max;
		if (err == ERR_OK)
			err = flush_follow(d);
		if (task->done < real_op_total(op) || task->blocked)
			continue;
		task->op++;
		task->done = 0;
		task->drawing = false;
		real_draw_close(&task->draw);
	}
	return err;
}

static uint64_t quantum(const struct drive *d, size_t who)
{
	uint64_t n = d->exp->task[who].quantum;

	return n ? n : UINT64_MAX;
}

/* The turn passes to the next task that has not ended; one that is blocked keeps it. */
static bool turn_find(struct drive *d, struct thread *thread)
{
	size_t nr = d->exp->nr_tasks;

	for (size_t i = 0; i <= nr; i++) {
		struct actor_task *task = &d->task[thread->turn];
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

static enum err run_threads(struct drive *d)
{
	enum err err = flush_begin(d);
	size_t i, nr_able;

	while (err == ERR_OK && (i = thread_pick(d, &nr_able)) < d->nr_threads) {
		d->who = d->thread[i].turn;
		err = task_run(d, nr_able > 1 ? 1 : UINT64_MAX);
	}
	for (i = 0; i < d->exp->nr_tasks && err == ERR_OK; i++) {
		if (!d->task[i].ended)
			note(d, "a task is blocked at the end");
	}
	return err != ERR_OK ? err : phase_end(d, "exit");
}

/* ---- set-up ---- */

static enum err open_machine(struct drive *d)
{
	struct scenario sc;
	enum err err;

	scenario_defaults(&sc);
	snprintf(sc.name, sizeof(sc.name), "%s", d->exp->name);
	sc.cpus = CPUS;
	err = pcg_machine_ram(&sc.memory, (bytes_t)RAM_GIB << 30, d->diag);
	if (err == ERR_OK)
		err = era_find(REAL_KERNEL, &sc.era, d->diag);
	/* No flush but those of the marks and of the record. */
	if (err == ERR_OK)
		err = knob_set(&sc.era.knobs, "flush_ns", 1000000000000000, d->diag);
	if (err == ERR_OK)
		err = run_open(&sc, &d->run, d->diag);
	return err != ERR_OK ? err : run_add_sink(d->run, &d->count.sink, d->diag);
}

static enum err make_groups(struct drive *d)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < d->exp->nr_groups && err == ERR_OK; i++) {
		const struct real_group *group = &d->exp->group[i];
		struct op op = { .kind = OP_GROUP_NEW, .object = 1 };

		if (group->parent >= 0)
			op.object = d->group[group->parent];
		op.group.set = GROUP_HIERARCHY | (group->has_limit ? GROUP_LIMIT : 0) |
			       (group->has_swappiness ? GROUP_SWAPPINESS : 0) |
			       (group->oom_disable ? GROUP_OOM_DISABLE : 0);
		op.group.hierarchy = true;
		op.group.limit_pages = group->limit_pages;
		op.group.swappiness = group->swappiness;
		op.group.oom_disable = group->oom_disable;
		err = make(d, &op, group->name, &d->group[i]);
		if (group->has_soft)
			note(d, "soft limits are left out");
	}
	return err;
}

static enum err make_files(struct drive *d)
{
	enum err err = ERR_OK;
	uint32_t id;

	for (size_t i = 0; i < d->exp->nr_files && err == ERR_OK; i++) {
		struct op op = { .kind = OP_FILE_NEW,
				 .length = d->exp->file[i].extent * PAGE_BYTES };

		err = make(d, &op, d->exp->file[i].name, &id);
		if (i == 0)
			d->count.first_file = id;
	}
	return err;
}

/* Each region as large as it is ever used. */
static enum err make_regions(struct drive *d, size_t who)
{
	const struct real_task *task = &d->exp->task[who];
	uint64_t pages[REAL_HANDLES] = { 0 };
	enum err err = ERR_OK;

	for (size_t i = 0; i < task->nr_ops; i++) {
		const struct real_op *op = &task->op[i];
		bool anon = op->kind == REAL_ANON || op->kind == REAL_AUNI;

		if (anon && pages[op->handle] < op->pages)
			pages[op->handle] = op->pages;
	}
	for (int r = 0; r < REAL_HANDLES && err == ERR_OK; r++) {
		struct op op = { .kind = OP_MAP_ANON, .task = d->task[who].id,
				 .length = pages[r] * PAGE_BYTES };

		if (pages[r])
			err = make(d, &op, "region", &d->task[who].region[r]);
	}
	return err;
}

static enum err make_tasks(struct drive *d)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < d->exp->nr_tasks && err == ERR_OK; i++) {
		const struct real_task *task = &d->exp->task[i];
		struct op op = { .kind = OP_TASK_NEW, .object = 1, .cpu = task->cpu };

		if (task->group >= 0)
			op.object = d->group[task->group];
		err = make(d, &op, task->name, &d->task[i].id);
		if (err == ERR_OK)
			err = make_regions(d, i);
	}
	return err;
}

/* Tasks with a quantum share a thread; each thread is an actor of the run. */
static enum err make_threads(struct drive *d)
{
	size_t turns = SIZE_MAX;
	enum err err = ERR_OK;

	for (size_t i = 0; i < d->exp->nr_tasks && err == ERR_OK; i++) {
		bool shares = d->exp->task[i].quantum != 0;
		struct op spawn = { .kind = OP_SPAWN, .value = (int64_t)d->nr_threads };

		d->task[i].left = quantum(d, i);
		d->task[i].thread = shares && turns != SIZE_MAX ? turns : d->nr_threads;
		if (d->task[i].thread < d->nr_threads)
			continue;
		if (shares)
			turns = d->nr_threads;
		d->thread[d->nr_threads].turn = i;
		if (d->nr_threads++ > 0)
			err = run_apply(d->run, &spawn, NULL, d->diag);
	}
	return err;
}

static enum err setup(struct drive *d)
{
	enum err err = open_machine(d);

	if (err == ERR_OK)
		err = make_groups(d);
	if (err == ERR_OK)
		err = make_files(d);
	if (err == ERR_OK)
		err = make_tasks(d);
	if (err == ERR_OK)
		err = make_threads(d);
	return err != ERR_OK ? err : real_count_groups(&d->count, d->run, d->group, d->diag);
}

static void drive_close(struct drive *d)
{
	for (size_t i = 0; d->task != NULL && i < d->exp->nr_tasks; i++)
		real_draw_close(&d->task[i].draw);
	run_close(d->run);
	real_count_close(&d->count);
	free(d->group);
	free(d->task);
	free(d->thread);
}

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
	d.group = calloc(exp->nr_groups + 1, sizeof(*d.group));
	d.task = calloc(exp->nr_tasks, sizeof(*d.task));
	d.thread = calloc(exp->nr_tasks, sizeof(*d.thread));
	if (err == ERR_OK && (d.group == NULL || d.task == NULL || d.thread == NULL))
		err = diag_fail(diag, ERR_NOMEM, "no memory for an experiment");
	if (err == ERR_OK)
		err = setup(&d);
	if (err == ERR_OK)
		err = run_threads(&d);
	if (real_free_running(exp))
		note(&d, "free-running tasks: their order is the model's");
	drive_close(&d);
	if (err != ERR_OK)
		real_prediction_free(out);
	return err;
}

void real_prediction_free(struct real_prediction *prediction)
{
	free(prediction->figures.figure);
	free(prediction->trail.eviction);
	memset(prediction, 0, sizeof(*prediction));
}

/* ---- what is missing ---- */

bool real_free_running(const struct real_experiment *exp)
{
	size_t nr_free = 0;

	for (size_t i = 0; i < exp->nr_tasks; i++)
		nr_free += exp->task[i].quantum == 0;
	return nr_free > 0 && exp->nr_tasks > 1;
}

static void miss(char *out, const char *what)
{
	size_t len = strlen(out);

	if (strstr(out, what) == NULL)
		snprintf(out + len, REAL_TEXT_MAX - len, "%s%s", len ? ", " : "", what);
}

/* What of a task's reads depends on how its files were opened. */
static void miss_readahead(const struct real_experiment *exp, const struct real_task *task,
			   char *out)
{
	bool random[REAL_HANDLES] = { false };

	for (size_t i = 0; i < task->nr_ops; i++) {
		const struct real_op *op = &task->op[i];
		const char *fs = exp->nr_files ? exp->file[op->object].fs : "nr";

		if (op->kind == REAL_OPEN)
			random[op->handle] = op->random;
		if (steps[op->kind] != step_read && op->kind != REAL_UNI && op->kind != REAL_ZIPF)
			continue;
		if (!random[op->handle] && strcmp(fs, "nr") != 0)
			miss(out, strcmp(fs, "lf") == 0 ? "large folios" : "readahead");
	}
}

bool real_missing(const struct real_experiment *exp, char *out)
{
	bool swap = strncmp(exp->name, "zram_", 5) == 0 || strncmp(exp->name, "swapfile_", 9) == 0;

	out[0] = '\0';
	for (size_t t = 0; t < exp->nr_tasks; t++) {
		const struct real_task *task = &exp->task[t];

		for (size_t i = 0; i < task->nr_ops; i++) {
			if (steps[task->op[i].kind] == NULL)
				miss(out, real_op_name(task->op[i].kind));
			if (task->op[i].kind == REAL_ANON && !task->op[i].writes)
				miss(out, "reads of anonymous memory");
		}
		miss_readahead(exp, task, out);
	}
	if (swap)
		miss(out, "swap");
	return out[0] != '\0';
}
