/*
 * The table of op kinds: how each is checked and executed.  An op's step
 * begins when its actor and its CPU are free: the actor at the end of its
 * latest step, the CPU as much earlier as that step's task slept.
 *
 * MODEL: a CPU serves one actor at a time, in that order, and a step is not
 * interrupted.  A step that slept several times has worked first and then
 * slept; with locks, only what it slept after its last acquisition leaves the
 * CPU idle.  Reads of several tasks do not queue at the device.
 */
#include "ops.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "advise.h"
#include "dirty.h"
#include "exec.h"
#include "high.h"
#include "immigrate.h"
#include "mlock.h"
#include "opened.h"
#include "ops_group.h"
#include "ops_lock.h"
#include "policy.h"
#include "process.h"
#include "remove.h"
#include "slab.h"
#include "soft.h"
#include "swap.h"
#include "thread_stack.h"
#include "unmap.h"
#include "workingset.h"
#include "writeback.h"

enum { NEEDS_TASK = 1, NEEDS_GROUP = 2, NEEDS_FILE = 4, NEEDS_MAP = 8, NEEDS_NAME = 16 };

struct op_row {
	const char *name;
	unsigned needs;
	enum err (*check)(const struct machine *m, const struct op *op, struct diag *diag);
	void (*step)(struct machine *m, struct op_progress *progress, struct op_result *res);
};

static uint32_t nr_used(const struct machine *m, enum region region)
{
	return m->block.region[region].used;
}

static void step_task_new(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	enum limit_result result;

	res->id = process_new(m, op->object, op->cpu, op->name);
	if (!res->id)
		return;
	m->task[res->id].oom_adj = (int32_t)op->value;
	process_begin(m, res->id);
	result = thread_stack_charge(m, res->id, res->id, (uint32_t)op->count);
	res->outcome = access_outcome(result);
}

static void step_task_move(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	if (!immigrate_task(m, progress->op.task, progress->op.object))
		res->outcome = OP_BUSY;
}

static void step_task_exit(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	bool more = true;

	progress->done_pages += unmap_exit(m, progress->op.task, &more);
	res->done_pages = progress->done_pages;
	res->outcome = more ? OP_MORE : OP_DONE;
}

static void mapping_new(struct machine *m, const struct op *op, bool anon, struct op_result *res)
{
	enum { TIB_SHIFT = 40 };
	const struct region_state *dir = &m->block.region[REGION_DIR];
	bytes_t bytes = (bytes_t)dir->max * LEAF_SLOTS * PAGE_BYTES;
	char what[160];

	res->id = page_mapping_new(&m->pages, op->name, op->length, anon);
	if (res->id != UINT32_MAX)
		return;
	snprintf(what, sizeof(what),
		 "no room for \"%.40s\": at most %d files and mappings, of %d TiB together",
		 op->name, MAPPINGS_MAX - 1, (int)(bytes >> TIB_SHIFT));
	machine_full(m, what);
}

static void step_file_new(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	mapping_new(m, &progress->op, false, res);
	if (res->id == UINT32_MAX)
		return;
	m->pages.mapping[res->id].shmem = (progress->op.flags & OPF_SHMEM) != 0;
	m->pages.mapping[res->id].no_ahead = (progress->op.flags & (OPF_RANDOM | OPF_SHMEM)) != 0;
	if (!(progress->op.flags & OPF_LARGE) || (progress->op.flags & OPF_SHMEM) ||
	    machine_axis(m, AXIS_FOLIOS) == FOLIOS_SINGLE)
		return;
	m->pages.mapping[res->id].large = true;
	m->pages.folios = true;
}

static void step_map_anon(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;

	mapping_new(m, op, true, res);
	if (res->id == UINT32_MAX)
		return;
	process_maps(m, op->task, res->id);
}

static void step_map_file(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	process_map_file(m, &progress->op, res);
}

static void step_drop(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	pages_t before = m->host->resident, first = units_pages(op->offset);
	pages_t end = (op->offset + op->length) / PAGE_BYTES;
	bool more;

	if (op->kind == OP_UNMAP || !op->length)
		more = unmap_drop(m, ops_cpu(m, op), op->object, true);
	else
		more = first < end && unmap_hole(m, ops_cpu(m, op), op->object, first, end);
	if (more)
		res->outcome = OP_MORE;
	progress->done_pages += before - m->host->resident;
	res->done_pages = progress->done_pages;
}

static void step_mark(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	struct event event = {
		.kind = EVENT_MARK, .cpu = progress->op.cpu, .text = progress->op.name,
	};

	(void)res;
	event.n[MARK_VALUE] = progress->op.value;
	machine_emit(m, &event);
}

static void step_drain(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	(void)res;
	pagevec_drain(m, ops_cpu(m, &progress->op));
}

static void step_fsync(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	(void)res;
	writeback_file(m, progress->op.object);
}

static void step_flush(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	(void)res;
	m->host->flush_after = (uint64_t)progress->op.value;
	if (progress->op.value)
		return;
	/* Seconds pass: grace periods end, and other work takes over the byte stocks. */
	nodes_settle(m);
	charge_yield_bytes(m);
	flush_all(m);
}

static void step_think(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	(void)res;
	dirty_pass_time(m, m->host->now + (ns_t)progress->op.value);
	nodes_grace(m);
}

static void step_spawn(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	res->id = block_take(&m->block, REGION_ACTOR, 1);
	if (res->id == UINT32_MAX) {
		machine_full(m, "too many parallel functions for this version");
		return;
	}
	assert(res->id == (uint32_t)progress->op.value);
	(void)progress;
	m->actor_clock[res->id] = m->host->now;
}

static void step_join(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	(void)res;
	if (m->actor_clock[progress->op.value] > m->host->now)
		m->host->now = m->actor_clock[progress->op.value];
}

/* oom_score_adj, which from v2.6.36 on took the place of oom_adj. */
static enum err check_task_new(const struct machine *m, const struct op *op, struct diag *diag)
{
	bool shift = machine_axis(m, AXIS_OOM_SCORE) == OOM_SCORE_BADNESS;
	int least = shift ? -17 : -1000, most = shift ? 15 : 1000;

	if (op->value < least || op->value > most)
		return diag_fail(diag, ERR_RANGE, "%s: %lld is not from %d to %d",
				 shift ? "oom_adj" : "oom_score_adj", (long long)op->value, least,
				 most);
	if (op->count > THREADS_MAX)
		return diag_fail(diag, ERR_RANGE, "threads: at most %d", (int)THREADS_MAX);
	return ERR_OK;
}

static enum err check_time(const struct machine *m, const struct op *op, struct diag *diag)
{
	(void)m;
	if (op->value < 0)
		return diag_fail(diag, ERR_RANGE, "%lld: time does not go backwards",
				 (long long)op->value);
	return ERR_OK;
}

static enum err check_actor(const struct machine *m, const struct op *op, struct diag *diag)
{
	uint32_t nr = nr_used(m, REGION_ACTOR);

	if (op->value < 0 || op->value > nr || (op->kind == OP_JOIN && op->value == nr))
		return diag_fail(diag, ERR_RANGE, "%lld: no such actor", (long long)op->value);
	return ERR_OK;
}

static const struct op_row op_rows[NR_OP_KINDS] = {
	[OP_NONE] = { "none", 0, NULL, NULL },
	[OP_GROUP_NEW] = { "group_new", NEEDS_GROUP | NEEDS_NAME, ops_check_group_new,
			   ops_step_group_new },
	[OP_GROUP_SET] = { "group_set", NEEDS_GROUP, ops_check_group_set, ops_step_group_set },
	[OP_GROUP_REMOVE] = { "group_remove", NEEDS_GROUP, ops_check_group_remove,
			      ops_step_group_remove },
	[OP_TASK_NEW] = { "task_new", NEEDS_GROUP | NEEDS_NAME, check_task_new, step_task_new },
	[OP_TASK_MOVE] = { "task_move", NEEDS_TASK | NEEDS_GROUP, NULL, step_task_move },
	[OP_TASK_EXIT] = { "task_exit", NEEDS_TASK, NULL, step_task_exit },
	[OP_FILE_NEW] = { "file_new", NEEDS_NAME, NULL, step_file_new },
	[OP_FILE_DROP] = { "file_drop", NEEDS_FILE, access_check_span, step_drop },
	[OP_READ] = { "read", NEEDS_TASK | NEEDS_FILE, access_check_span, access_read },
	[OP_WRITE] = { "write", NEEDS_TASK | NEEDS_FILE, access_check_span, access_write },
	[OP_FSYNC] = { "fsync", NEEDS_TASK | NEEDS_FILE, NULL, step_fsync },
	[OP_MAP_ANON] = { "map_anon", NEEDS_TASK | NEEDS_NAME, NULL, step_map_anon },
	[OP_MAP_FILE] = { "map_file", NEEDS_TASK | NEEDS_FILE | NEEDS_NAME, NULL,
			  step_map_file },
	[OP_TOUCH] = { "touch", NEEDS_TASK | NEEDS_MAP, access_check_touch, access_touch },
	[OP_UNMAP] = { "unmap", NEEDS_TASK | NEEDS_MAP, access_check_touch, step_drop },
	[OP_DRAIN] = { "drain", 0, NULL, step_drain },
	[OP_RECLAIM] = { "reclaim", NEEDS_GROUP, ops_check_reclaim, ops_step_reclaim },
	[OP_FLUSH] = { "flush", 0, check_time, step_flush },
	[OP_MARK] = { "mark", NEEDS_NAME, NULL, step_mark },
	[OP_THINK] = { "think", 0, check_time, step_think },
	[OP_SPAWN] = { "spawn", 0, check_actor, step_spawn },
	[OP_FADVISE] = { "fadvise", NEEDS_TASK | NEEDS_FILE, advise_check_file, advise_file },
	[OP_OPEN] = { "open", NEEDS_TASK | NEEDS_FILE, NULL, advise_open },
	[OP_MLOCK] = { "mlock", NEEDS_TASK | NEEDS_MAP, access_check_touch, mlock_lock },
	[OP_MUNLOCK] = { "munlock", NEEDS_TASK | NEEDS_MAP, access_check_touch, mlock_unlock },
	[OP_MADVISE] = { "madvise", NEEDS_TASK | NEEDS_MAP, advise_check_memory, advise_memory },
	[OP_STAT_READ] = { "stat_read", NEEDS_GROUP, NULL, ops_step_stat_read },
	[OP_FORCE_EMPTY] = { "force_empty", NEEDS_GROUP, ops_check_force_empty,
			     ops_step_force_empty },
	[OP_EXEC] = { "exec", NEEDS_TASK, exec_check, exec_step },
	[OP_FORK] = { "fork", NEEDS_TASK | NEEDS_NAME, NULL, process_fork },
	[OP_SLAB] = { "slab", NEEDS_TASK, slab_check, slab_step },
	[OP_EXECVE] = { "execve", NEEDS_TASK | NEEDS_FILE | NEEDS_NAME, NULL, process_execve },
	[OP_JOIN] = { "join", 0, check_actor, step_join },
	[OP_LOCK_NEW] = { "lock_new", NEEDS_NAME, ops_check_lock_new, ops_step_lock_new },
	[OP_LOCK] = { "lock", NEEDS_TASK, ops_check_lock, ops_step_lock },
};

const char *op_kind_name(enum op_kind kind)
{
	assert(kind >= 0 && kind < NR_OP_KINDS);
	return op_rows[kind].name;
}

static bool is_file(const struct machine *m, uint32_t id)
{
	return id >= 1 && id < nr_used(m, REGION_MAPPING) && !m->pages.mapping[id].task;
}

static bool is_mapping(const struct machine *m, uint32_t id)
{
	return id >= 1 && id < nr_used(m, REGION_MAPPING) && m->pages.mapping[id].task;
}

enum err op_check(const struct machine *m, const struct op *op, struct diag *diag)
{
	const struct op_row *row = op->kind < NR_OP_KINDS ? &op_rows[op->kind] : op_rows;

	if (!row->step)
		return diag_fail(diag, ERR_RANGE, "op: no such kind");
	if (op->cpu >= m->sc.cpus)
		return diag_fail(diag, ERR_RANGE, "cpu: %u is not from 0 to %u", op->cpu,
				 m->sc.cpus - 1);
	if (op->actor >= nr_used(m, REGION_ACTOR))
		return diag_fail(diag, ERR_RANGE, "op: no such actor");
	if ((row->needs & NEEDS_TASK) && (!op->task || op->task >= nr_used(m, REGION_TASK)))
		return diag_fail(diag, ERR_RANGE, "%s: no such task", row->name);
	if ((row->needs & NEEDS_TASK) && !m->task[op->task].alive)
		return diag_fail(diag, ERR_SCENARIO, "%s: task %s has ended", row->name,
				 m->task[op->task].name);
	if ((row->needs & NEEDS_GROUP) &&
	    (op->object < MEMCG_ROOT || op->object > memcg_max(&m->memcgs) ||
	     !machine_memcg(m, op->object)->online))
		return diag_fail(diag, ERR_RANGE, "%s: no such group", row->name);
	if (((row->needs & NEEDS_FILE) && !is_file(m, op->object)) ||
	    ((row->needs & NEEDS_MAP) && !is_mapping(m, op->object)))
		return diag_fail(diag, ERR_RANGE, "%s: no such %s", row->name,
				 row->needs & NEEDS_FILE ? "file" : "mapping");
	if ((row->needs & NEEDS_NAME) && !op->name[0])
		return diag_fail(diag, ERR_NAME, "%s: needs a name", row->name);
	return row->check ? row->check(m, op, diag) : ERR_OK;
}

bool op_on_cpu(const struct op *op)
{
	return op->kind != OP_THINK && op->kind != OP_SPAWN && op->kind != OP_JOIN;
}

/* The op's row runs on @cpu. */
static void run_row(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	struct cpu *cpu = &m->cpu[ops_cpu(m, op)];

	/* What only lets time pass leaves the locks of these to the next step on a CPU. */
	if (op_on_cpu(op) || !machine_has_locks(m)) {
		charge_deferred(m);
		remove_reap(m);
	}
	writeback_due(m);
	dirty_flusher(m);
	op_rows[op->kind].step(m, progress, res);
	high_settle(m, op->task, cpu, 0);
}

ns_t op_due(const struct machine *m, const struct op *op)
{
	const struct cpu *cpu = &m->cpu[ops_cpu(m, op)];
	ns_t due = m->actor_clock[op->actor], free = cpu->clock - cpu->slept;

	return op_on_cpu(op) && free > due ? free : due;
}

void op_settle(struct machine *m, uint32_t actor, struct cpu *cpu, ns_t end, ns_t slept)
{
	assert(slept <= end);
	m->actor_clock[actor] = end;
	if (cpu) {
		cpu->clock = end;
		cpu->slept = slept;
	}
	if (end > m->host->totals.sim_ns)
		m->host->totals.sim_ns = end;
}

bool op_step(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	uint32_t cpu = ops_cpu(m, op);
	bool on_cpu = op_on_cpu(op), locked = on_cpu && machine_has_locks(m);

	flush_due(m);
	m->on_cpu = cpu;
	m->host->now = op_due(m, op);
	m->host->idle_used |= on_cpu && m->host->now < m->cpu[cpu].clock;
	m->locks.slept = 0;
	m->host->totals.steps++;
	*res = (struct op_result){ .outcome = OP_DONE };
	if (locked)
		locks_begin(&m->locks, cpu, op->actor, m->host->now);
	run_row(m, progress, res);
	res->clock_ns = m->host->now;
	if (locked && locks_end(&m->locks, cpu, m->host->now))
		return false;
	op_settle(m, op->actor, on_cpu ? &m->cpu[cpu] : NULL, m->host->now, m->locks.slept);
	return true;
}
