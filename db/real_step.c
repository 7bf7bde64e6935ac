/*
 * What each operation of a workload does on the model: one table.  What has
 * no row is not modelled yet, and is reported so by name.
 */
#include "real_drive.h"

#include <stdio.h>
#include <string.h>

#define FLUSH_PERIOD_NS INT64_C(2000000000)	/* of the kernel's statistics */

typedef enum err step_fn(struct drive *d, const struct real_op *op, uint64_t max);

/* Somebody was killed: whoever is not alive any more ends the phase so. */
static enum err reap(struct drive *d)
{
	enum err err = ERR_OK;
	struct run_task task;

	d->count.killed = false;
	for (size_t i = 0; i < d->exp->nr_tasks && err == ERR_OK; i++) {
		if (d->task[i].ended || !run_task(d->run, d->task[i].id, &task) || task.alive)
			continue;
		d->task[i].ended = true;
		err = real_phase_end(d, "killed");
	}
	return err;
}

/* What became of accesses: done, or the task's end or wait. */
static enum err outcome(struct drive *d, const struct op_result *res, uint64_t done)
{
	struct drive_task *task = &d->task[d->who];

	task->done += done;
	task->left -= done < task->left ? done : task->left;
	d->phase_accesses += done;
	if (res->outcome == OP_BLOCKED)
		task->blocked = true;
	if (res->outcome == OP_NOMEM) {
		task->ended = true;
		real_drive_note(d, "a task ended because a charge failed");
	}
	return d->count.killed ? reap(d) : ERR_OK;
}

/* Files were made in the order of their records. */
static uint32_t file_id(const struct drive *d, const struct real_op *op)
{
	return d->count.first_file + (uint32_t)op->object;
}

/* ---- reads ---- */

/* Opening a number again begins anew; what was mapped by it stays as it was mapped. */
static enum err step_open(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op open = { .kind = OP_OPEN, .task = d->task[d->who].id, .object = file_id(d, op),
			   .handle = (uint32_t)op->handle };
	struct drive_task *task = &d->task[d->who];
	struct op_result res;

	(void)max;
	memset(task->map[op->handle], 0, sizeof(task->map[op->handle]));
	open.flags = (op->random ? OPF_RANDOM : 0u) | (op->sequential ? OPF_SEQUENTIAL : 0u);
	return real_drive_apply(d, &open, &res);
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

/* The op's chunk is one call of read(2).  An op that did not end counts the calls that did, and
 * four of them may be one access. */
static enum err step_file(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op read = next_span(d, op, max);
	struct op_result res;
	enum err err;
	uint64_t done;

	read.kind = op->kind == REAL_WRITE ? OP_WRITE : OP_READ;
	read.object = file_id(d, op);
	read.handle = (uint32_t)op->handle;
	read.flags = op->kind == REAL_NC ? OPF_DONTCACHE : 0;
	if (op->chunk)
		read.chunk = op->kind == REAL_SEQB ? op->chunk : op->chunk * PAGE_BYTES;
	err = real_drive_apply(d, &read, &res);
	if (err != ERR_OK)
		return err;
	done = res.done_pages;
	if (res.outcome == OP_DONE)
		done = read.length / PAGE_BYTES;
	else if (op->kind == REAL_SEQB)
		done = done * op->chunk / PAGE_BYTES;
	return outcome(d, &res, done);
}

/* ---- random accesses ---- */

/* The page that a random sequence gives next; the sequence begins with its operation. */
static enum err draw(struct drive *d, const struct real_op *op, uint64_t *page)
{
	struct drive_task *task = &d->task[d->who];
	enum err err = ERR_OK;

	if (!task->drawing)
		err = real_draw_open(&task->draw, op->seed, op->pages, op->exponent, d->diag);
	if (err != ERR_OK)
		return err;
	task->drawing = true;
	*page = real_draw_next(&task->draw);
	return ERR_OK;
}

/* The same access again and again but for its place. */
static enum err step_drawn(struct drive *d, const struct real_op *op, struct op *access,
			   uint64_t max)
{
	struct drive_task *task = &d->task[d->who];
	struct op_result res = { .outcome = OP_DONE };
	uint64_t left = op->count - task->done, page = 0;
	enum err err = ERR_OK;

	access->task = task->id;
	access->length = PAGE_BYTES;
	for (uint64_t i = 0; i < (left < max ? left : max); i++) {
		err = draw(d, op, &page);
		access->offset = page * PAGE_BYTES;
		if (err == ERR_OK)
			err = real_drive_apply(d, access, &res);
		if (err == ERR_OK)
			err = outcome(d, &res, res.outcome == OP_DONE);
		if (err != ERR_OK || task->ended || task->blocked)
			break;
	}
	return err;
}

/* One page a call. */
static enum err step_read_drawn(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op read = { .kind = OP_READ, .object = file_id(d, op),
			   .handle = (uint32_t)op->handle };

	return step_drawn(d, op, &read, max);
}

/* Of a region; a random access to memory always writes. */
static enum err step_write_drawn(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op touch = { .kind = OP_TOUCH, .flags = OPF_WRITE,
			    .object = d->task[d->who].region[op->handle] };

	return step_drawn(d, op, &touch, max);
}

/* ---- memory ---- */

/* A run of pages of a mapping. */
static enum err touch_span(struct drive *d, struct op *touch, uint32_t map)
{
	struct op_result res;
	enum err err;

	touch->kind = OP_TOUCH;
	touch->object = map;
	err = real_drive_apply(d, touch, &res);
	return err != ERR_OK ? err : outcome(d, &res, res.done_pages);
}

/* The region was mapped at the start, as large as it is ever used. */
static enum err step_anon(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op touch = next_span(d, op, max);

	touch.flags = op->writes ? OPF_WRITE : OPF_READ;
	return touch_span(d, &touch, d->task[d->who].region[op->handle]);
}

/* The file as the operation maps it, from its first use to the task's end. */
static enum err file_map(struct drive *d, const struct real_op *op, uint32_t *id)
{
	struct drive_task *task = &d->task[d->who];
	uint32_t *map = &task->map[op->handle][op->random ? 1 : op->sequential ? 2 : 0];
	struct op make = { .kind = OP_MAP_FILE, .task = task->id, .object = file_id(d, op),
			   .handle = (uint32_t)op->handle,
			   .flags = op->random ? OPF_RANDOM : op->sequential ? OPF_SEQUENTIAL : 0 };
	struct op_result res = { .id = 0 };
	enum err err = ERR_OK;

	snprintf(make.name, sizeof(make.name), "%s", d->exp->file[op->object].name);
	if (*map == 0) {
		err = real_drive_apply(d, &make, &res);
		*map = res.id;
	}
	*id = *map;
	return err;
}

/* One byte a page: a minor or major fault, or nothing but an accessed bit. */
static enum err step_mapped(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op touch = next_span(d, op, max);
	uint32_t map;
	enum err err = file_map(d, op, &map);

	return err != ERR_OK ? err : touch_span(d, &touch, map);
}

/* The same in random order. */
static enum err step_mapped_drawn(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op touch = { .kind = OP_TOUCH };
	enum err err = file_map(d, op, &touch.object);

	return err != ERR_OK ? err : step_drawn(d, op, &touch, max);
}

/* ---- what is no access ---- */

/* The task waits until the file is clean. */
static enum err step_fsync(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op fsync = { .kind = OP_FSYNC, .task = d->task[d->who].id,
			    .object = file_id(d, op) };
	struct op_result res;

	(void)max;
	return real_drive_apply(d, &fsync, &res);
}

/* posix_fadvise.  A range that is written as none is the whole file, as for the kernel. */
static enum err step_fadvise(struct drive *d, const struct real_op *op, uint64_t max)
{
	pages_t end = d->exp->file[op->object].extent, first = op->start < end ? op->start : end;
	struct op advise = { .kind = OP_FADVISE, .task = d->task[d->who].id,
			     .object = file_id(d, op), .handle = (uint32_t)op->handle,
			     .offset = first * PAGE_BYTES, .value = op->value };
	struct op_result res;

	(void)max;
	advise.length = (end - first) * PAGE_BYTES;
	if (op->pages && op->pages < end - first)
		advise.length = op->pages * PAGE_BYTES;
	return real_drive_apply(d, &advise, &res);
}

/* What was read ahead for advice may have cost a task its life. */
static enum err finish(struct drive *d, const struct op_result *res)
{
	d->task[d->who].blocked |= res->outcome == OP_BLOCKED;
	return d->count.killed ? reap(d) : ERR_OK;
}

/* madvise on a region; populating it is touching all of it. */
static enum err step_madvise(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op advise = { .kind = OP_MADVISE, .task = d->task[d->who].id,
			     .object = d->task[d->who].region[op->handle],
			     .offset = op->start * PAGE_BYTES, .length = op->pages * PAGE_BYTES,
			     .value = op->value };
	struct op_result res;
	enum err err;

	(void)max;
	if (op->value == MADVICE_NONE)
		return ERR_OK;
	if (op->value > MADVICE_NONE) {
		advise.kind = OP_TOUCH;
		advise.flags = op->value == MADVICE_WRITE ? OPF_WRITE : OPF_READ;
		advise.value = 0;
	}
	err = real_drive_apply(d, &advise, &res);
	return err != ERR_OK ? err : finish(d, &res);
}

/* Others go on meanwhile; alone, nothing happens. */
static enum err step_sleep(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op think = { .kind = OP_THINK, .value = op->value * 1000000 };
	struct op_result res;

	(void)max;
	return real_drive_apply(d, &think, &res);
}

/* The task empties its CPU's queues, and waits for a flush: seconds in which the devices write
 * what they have.  Among several threads the others go on meanwhile, so there it takes no time. */
static enum err step_mark(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op drain = { .kind = OP_DRAIN, .task = d->task[d->who].id };
	struct op wait = { .kind = OP_THINK, .value = FLUSH_PERIOD_NS };
	struct op_result res;
	enum err err = real_drive_apply(d, &drain, &res);

	(void)max;
	if (err == ERR_OK && d->nr_threads == 1)
		err = real_drive_apply(d, &wait, &res);
	return err != ERR_OK ? err : real_phase_end(d, op->word);
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
		err = real_drive_apply(d, &join, &res);
	}
	d->who = by;
	return err;
}

/* The controller writes, on CPU 0. */
static enum err step_limit(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op set = { .kind = OP_GROUP_SET, .object = d->group[op->object] };
	struct op_result res;
	enum err err;

	(void)max;
	set.group.set = GROUP_LIMIT;
	set.group.limit_pages = (pages_t)op->value;
	err = real_drive_apply(d, &set, &res);
	if (err == ERR_OK && res.outcome == OP_BUSY)
		real_drive_note(d, "a limit was refused");
	return err != ERR_OK ? err : wake(d);
}

static enum err step_force_empty(struct drive *d, const struct real_op *op, uint64_t max)
{
	struct op empty = { .kind = OP_FORCE_EMPTY, .object = d->group[op->object] };
	struct op_result res;
	enum err err;

	(void)max;
	err = real_drive_apply(d, &empty, &res);
	return err != ERR_OK ? err : wake(d);
}

static step_fn *const steps[NR_REAL_OPS] = {
	[REAL_OPEN] = step_open,
	[REAL_SEQ] = step_file,
	[REAL_SEQB] = step_file,
	[REAL_NC] = step_file,
	[REAL_UNI] = step_read_drawn,
	[REAL_ZIPF] = step_read_drawn,
	[REAL_MSEQ] = step_mapped,
	[REAL_MZIPF] = step_mapped_drawn,
	[REAL_ANON] = step_anon,
	[REAL_AUNI] = step_write_drawn,
	[REAL_WRITE] = step_file,
	[REAL_FSYNC] = step_fsync,
	[REAL_FADV] = step_fadvise,
	[REAL_ADV] = step_madvise,
	[REAL_SLEEP] = step_sleep,
	[REAL_MARK] = step_mark,
	[REAL_LIMIT] = step_limit,
	[REAL_FORCE_EMPTY] = step_force_empty,
};

/* Only called for what has a row. */
enum err real_drive_step(struct drive *d, const struct real_op *op, uint64_t max)
{
	return steps[op->kind](d, op, max);
}

/* Without running anything. */
bool real_drive_can(int kind)
{
	return steps[kind] != NULL;
}
