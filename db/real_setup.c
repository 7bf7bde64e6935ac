/*
 * The machine of the records as the model has it: 2 CPUs, 24 GiB, no flush
 * of its own, and the groups, files, regions and tasks of one experiment.
 */
#include "real_drive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS = 2, RAM_GIB = 24, SWAP_MIB = 512, READAHEAD_PAGES = 32 };

/* A request to the disk under a swap file, as long as it takes to give it a few pages more: in
 * the recorded calls of the first phase a pass finds what the last but one has written. */
enum { SWAP_FILE_NS = 10000 };

/* Set-up is made of ops like everything else, by nobody in particular. */
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

/* What there is of swap goes by the experiment's name. */
static bool uses_swap(const struct real_experiment *exp, const char *begin)
{
	return strncmp(exp->name, begin, strlen(begin)) == 0;
}

/*
 * The machine of the records.  Times matter to dirty pages and to grace
 * periods: about what an access took there that hit, missed, was read ahead,
 * was written, and was written to the device (calibrated on the durations of
 * cyc_050, seq_100m, ra_o0_100m and dirty_seq, nothing that is compared).
 * Holes of a file are read from no device.
 */
static const struct {
	const char *name;
	int64_t value;
} knobs[] = {
	{ "readahead", READAHEAD_PAGES },
	/* No flush but those of the marks and of the record. */
	{ "flush_ns", 1000000000000000 },
	{ "fault_ns", 6000 },
	{ "io_ns", 0 },
	{ "hit_ns", 3500 },
	{ "readahead_ns", 1500 },
	{ "write_ns", 6000 },
	{ "write_queue", 65536 },
};

/* The model's own periodic flush is put off for ever: when one came is part of the record. */
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
	if (uses_swap(d->exp, "zram_") || uses_swap(d->exp, "swapfile_"))
		sc.swap_pages = ((bytes_t)SWAP_MIB << 20) / PAGE_BYTES;
	for (size_t i = 0; err == ERR_OK && i < sizeof(knobs) / sizeof(knobs[0]); i++)
		err = knob_set(&sc.era.knobs, knobs[i].name, knobs[i].value, d->diag);
	if (err == ERR_OK && uses_swap(d->exp, "swapfile_"))
		err = knob_set(&sc.era.knobs, "swap_ns", SWAP_FILE_NS, d->diag);
	if (err == ERR_OK)
		err = run_open(&sc, &d->run, d->diag);
	return err != ERR_OK ? err : run_add_sink(d->run, &d->count.sink, d->diag);
}

/* In the order of the records; each parent is there already. */
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
			       (group->oom_disable ? GROUP_OOM_DISABLE : 0) |
			       (group->has_soft ? GROUP_SOFT : 0);
		op.group.hierarchy = true;
		op.group.limit_pages = group->limit_pages;
		op.group.soft_pages = group->soft_pages;
		op.group.swappiness = group->swappiness;
		op.group.oom_disable = group->oom_disable;
		err = make(d, &op, group->name, &d->group[i]);
	}
	return err;
}

/* The first file's number is all that is needed to find the others: they follow each other. */
static enum err make_files(struct drive *d)
{
	enum err err = ERR_OK;
	uint32_t id;

	for (size_t i = 0; i < d->exp->nr_files && err == ERR_OK; i++) {
		bool large = strcmp(d->exp->file[i].fs, "lf") == 0;
		/* The third file system reads nothing ahead. */
		bool alone = strcmp(d->exp->file[i].fs, "nr") == 0;
		struct op op = { .kind = OP_FILE_NEW,
				 .flags = (large ? OPF_LARGE : 0) | (alone ? OPF_RANDOM : 0),
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
		bool anon = op->kind == REAL_ANON || op->kind == REAL_AUNI || op->kind == REAL_ADV;

		if (anon && pages[op->handle] < op->start + op->pages)
			pages[op->handle] = op->start + op->pages;
	}
	for (int r = 0; r < REAL_HANDLES && err == ERR_OK; r++) {
		struct op op = { .kind = OP_MAP_ANON, .task = d->task[who].id,
				 .length = pages[r] * PAGE_BYTES };

		if (pages[r])
			err = make(d, &op, "region", &d->task[who].region[r]);
	}
	return err;
}

/* A task outside every group is in the root. */
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

/* A number of groups may be 0, and a workload without any is possible. */
static enum err allocate(struct drive *d)
{
	const struct real_experiment *exp = d->exp;

	d->group = calloc(exp->nr_groups + 1, sizeof(*d->group));
	d->task = calloc(exp->nr_tasks, sizeof(*d->task));
	d->thread = calloc(exp->nr_tasks, sizeof(*d->thread));
	if (d->group == NULL || d->task == NULL || d->thread == NULL)
		return diag_fail(d->diag, ERR_NOMEM, "no memory for an experiment");
	return ERR_OK;
}

/* Ends with the figures at the start: making groups charges their parents. */
enum err real_drive_open(struct drive *d)
{
	enum err err = allocate(d);

	if (err == ERR_OK)
		err = open_machine(d);
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

/* Also for one that was opened halfway. */
void real_drive_close(struct drive *d)
{
	for (size_t i = 0; d->task != NULL && i < d->exp->nr_tasks; i++)
		real_draw_close(&d->task[i].draw);
	run_close(d->run);
	real_count_close(&d->count);
	free(d->group);
	free(d->task);
	free(d->thread);
}
