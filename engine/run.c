/*
 * A run: actors in the order of their clocks, each op's steps one by one,
 * samples on time, the op log on the side.  Also plays a log.
 */
#include "run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "counter_lock.h"
#include "invariant.h"
#include "hash.h"
#include "ops_group.h"
#include "run_state.h"
#include "sample.h"

enum err run_open(const struct scenario *sc, struct run **out, struct diag *diag)
{
	enum err err = scenario_validate(sc, diag);
	struct run *run;

	*out = NULL;
	if (err)
		return err;
	run = calloc(1, sizeof(*run));
	if (!run)
		return diag_fail(diag, ERR_NOMEM, "no memory for a run");
	err = machine_open(&run->m, sc, diag);
	if (err) {
		free(run);
		return err;
	}
	counter_lock_open(&run->m);
	/* The script's draws are another stream than the machine's. */
	rng_seed(&run->script_rng, ~sc->seed);
	block_take(&run->m.block, REGION_ACTOR, 1);
	*out = run;
	return ERR_OK;
}

void run_close(struct run *run)
{
	if (!run)
		return;
	machine_close(&run->m);
	oplog_free(&run->log);
	free(run->actor);
	free(run->driven);
	free(run);
}

enum err run_add_sink(struct run *run, struct sink *sink, struct diag *diag)
{
	struct machine *m = &run->m;

	if (m->nr_sinks == SINKS_MAX)
		return diag_fail(diag, ERR_RANGE, "a run takes %d observers", SINKS_MAX);
	m->sink[m->nr_sinks++] = sink;
	m->wanted |= sink->mask;
	return ERR_OK;
}

/* The runtime part of actor @id; NULL without memory. */
static struct actor *actor_at(struct run *run, uint32_t id)
{
	while (id >= run->room_actors) {
		uint32_t room = run->room_actors ? 2 * run->room_actors : 16;
		struct actor *grown = realloc(run->actor, room * sizeof(*grown));
		uint32_t *driven;

		if (!grown)
			return NULL;
		memset(grown + run->room_actors, 0, (room - run->room_actors) * sizeof(*grown));
		run->actor = grown;
		driven = realloc(run->driven, room * sizeof(*driven));
		if (!driven)
			return NULL;
		run->driven = driven;
		run->room_actors = room;
	}
	if (id >= run->nr_actors)
		run->nr_actors = id + 1;
	return &run->actor[id];
}

/* Checks and logs an op; its steps follow.  What is refused leaves no trace in the log. */
static enum err begin_op(struct run *run, const struct op *op, struct diag *diag)
{
	enum err err = op_check(&run->m, op, diag);
	struct actor *actor;

	if (err)
		return err;
	actor = actor_at(run, op->actor);
	if (!actor)
		return diag_fail(diag, ERR_NOMEM, "no memory for another actor");
	memset(&actor->progress, 0, sizeof(actor->progress));
	actor->progress.op = *op;
	actor->busy = true;
	oplog_begin(&run->log, op);
	return ERR_OK;
}

/* Samples on time, and what failed meanwhile. */
static enum err after_step(struct run *run, struct diag *diag)
{
	struct machine *m = &run->m;

	run->sampled = m->host->totals.steps % (uint64_t)machine_knobs(m)->sample_steps == 0;
	if (run->sampled)
		sample_all(m);
	if (run->log.failed)
		return diag_fail(diag, ERR_NOMEM, "no memory for the op log");
	if (!m->diag.err)
		return ERR_OK;
	if (diag)
		*diag = m->diag;
	return m->diag.err;
}

/* One acquisition of a lock: the next of CPU @cpu.  Returns: whether its actor's step ends. */
static bool acquire_next(struct run *run, uint32_t cpu)
{
	struct machine *m = &run->m;
	uint32_t id = m->locks.cpu[cpu].actor;
	struct actor *actor = &run->actor[id];

	if (!locks_run(&m->locks, cpu))
		return false;
	actor->last.clock_ns = m->locks.cpu[cpu].next;
	/* A replay has read its next op by now, which may be for another CPU. */
	op_settle(m, id, &m->cpu[cpu], actor->last.clock_ns, m->locks.cpu[cpu].slept);
	actor->acquiring = false;
	return true;
}

/* Whether the next step of @actor has to wait for an acquisition that is due at @next. */
static bool waits_for_locks(const struct run *run, const struct actor *actor, ns_t next)
{
	const struct machine *m = &run->m;
	const struct op *op = &actor->progress.op;
	ns_t due = op_due(m, op);

	if (actor->acquiring || (op_on_cpu(op) && locks_pending(&m->locks, ops_cpu(m, op))))
		return true;
	/* Who joins another waits for its last step. */
	if (op->kind == OP_JOIN && (uint32_t)op->value < run->nr_actors &&
	    run->actor[op->value].acquiring)
		return true;
	if (op->kind == OP_JOIN && m->actor_clock[op->value] > due)
		due = m->actor_clock[op->value];
	return next <= due;
}

/* Acquisitions that come before a step of @actor: those due by then, and all of its own and its
 * CPU's step before.  A replay is told the steps only, so this is where it makes them. */
static void acquire_before(struct run *run, struct actor *actor)
{
	struct machine *m = &run->m;
	uint32_t cpu;
	ns_t next;

	while (machine_has_locks(m)) {
		next = locks_earliest(&m->locks, &cpu);
		if (next == LOCK_TIME_NEVER || !waits_for_locks(run, actor, next))
			break;
		acquire_next(run, cpu);
	}
}

/* One step of the op that @id is busy with. */
static enum err step_op(struct run *run, uint32_t id, struct diag *diag)
{
	struct actor *actor = &run->actor[id];

	assert(actor->busy);
	acquire_before(run, actor);
	actor->acquiring = !op_step(&run->m, &actor->progress, &actor->last);
	actor->busy = actor->last.outcome == OP_MORE;
	oplog_step(&run->log, id);
	return after_step(run, diag);
}

enum err run_apply(struct run *run, const struct op *op, struct op_result *res, struct diag *diag)
{
	enum err err = begin_op(run, op, diag);

	while (!err && run->actor[op->actor].busy)
		err = step_op(run, op->actor, diag);
	if (!err && run->actor[op->actor].acquiring)
		acquire_before(run, &run->actor[op->actor]);
	if (!err && res)
		*res = run->actor[op->actor].last;
	return err;
}

enum err run_spawn(struct run *run, uint32_t parent, const struct workload *workload,
		   uint32_t *actor, struct diag *diag)
{
	struct op op = { .kind = OP_SPAWN, .actor = parent };
	struct actor *fresh;
	uint32_t id = 0;
	enum err err;

	if (parent != RUN_NO_ACTOR) {
		id = run->m.block.region[REGION_ACTOR].used;
		op.value = id;
		err = run_apply(run, &op, NULL, diag);
		if (err)
			return err;
		run->actor[parent].live_children++;
	}
	fresh = actor_at(run, id);
	if (!fresh)
		return diag_fail(diag, ERR_NOMEM, "no memory for another actor");
	if (fresh->driven)
		return diag_fail(diag, ERR_RANGE, "the first actor is there already");
	fresh->workload = *workload;
	fresh->driven = true;
	fresh->parent = parent;
	run->driven[run->nr_driven++] = id;
	*actor = id;
	return ERR_OK;
}

/* When actor @id can act: LOCK_TIME_NEVER while it waits, or its CPU acquires locks. */
static ns_t actor_due(const struct run *run, uint32_t id)
{
	const struct actor *actor = &run->actor[id];
	const struct op *op = &actor->progress.op;

	if (actor->waiting || actor->acquiring)
		return LOCK_TIME_NEVER;
	if (!actor->busy)
		return run->m.actor_clock[id];
	if (op_on_cpu(op) && locks_pending(&run->m.locks, ops_cpu(&run->m, op)))
		return LOCK_TIME_NEVER;
	return op_due(&run->m, op);
}

/* Of two actors that can act at the same time: @id has waited less long than @other. */
static bool is_behind(const ns_t *clock, uint32_t id, uint32_t other)
{
	ns_t mine = clock[id], its = clock[other];

	return mine == its ? id > other : mine > its;
}

/* The actor that acts next: it can earliest, then has waited longest, then the lowest id.
 * Returns: nr_actors if none can. */
static uint32_t pick_actor(const struct run *run, ns_t *due)
{
	const ns_t *clock = run->m.actor_clock;
	uint32_t best = run->nr_actors, i;

	*due = LOCK_TIME_NEVER;
	for (i = 0; i < run->nr_driven; i++) {
		uint32_t id = run->driven[i];
		ns_t at = actor_due(run, id);

		if (at == LOCK_TIME_NEVER || at > *due ||
		    (at == *due && is_behind(clock, id, best)))
			continue;
		best = id;
		*due = at;
	}
	return best;
}

static void forget_driven(struct run *run, uint32_t id)
{
	uint32_t i;

	for (i = 0; run->driven[i] != id; i++)
		assert(i < run->nr_driven);
	run->driven[i] = run->driven[--run->nr_driven];
}

/* The join is an op of the parent, which must not see its result in place of its own op's. */
static enum err end_actor(struct run *run, uint32_t id, struct diag *diag)
{
	struct actor *actor = &run->actor[id];
	struct op join = { .kind = OP_JOIN, .actor = actor->parent, .value = id };
	struct op_result last;
	enum err err;

	actor->ended = true;
	forget_driven(run, id);
	if (actor->parent == RUN_NO_ACTOR)
		return ERR_OK;
	last = run->actor[actor->parent].last;
	err = run_apply(run, &join, NULL, diag);
	run->actor[join.actor].last = last;
	if (--run->actor[join.actor].live_children == 0)
		run->actor[join.actor].waiting = false;
	return err;
}

/* Asks an idle actor for its next op. */
static enum err ask_actor(struct run *run, uint32_t id, struct diag *diag)
{
	struct workload workload = run->actor[id].workload;
	struct op_result last = run->actor[id].last;
	struct op op = { .kind = OP_NONE };

	switch (workload.next(workload.ctx, &last, &op, diag)) {
	case WORKLOAD_OP:
		op.actor = id;
		return begin_op(run, &op, diag);
	case WORKLOAD_WAIT:
		run->actor[id].waiting = run->actor[id].live_children > 0;
		return ERR_OK;
	case WORKLOAD_END:
		return end_actor(run, id, diag);
	case WORKLOAD_FAIL:
	default:
		return diag && diag->err ? diag->err : ERR_SCENARIO;
	}
}

/* What comes next in time: an acquisition or an actor's turn.  */
static enum err advance(struct run *run, struct diag *diag)
{
	uint32_t cpu = 0, id;
	ns_t due, next;

	id = pick_actor(run, &due);
	while (machine_has_locks(&run->m)) {
		next = locks_earliest(&run->m.locks, &cpu);
		if (next == LOCK_TIME_NEVER || next > due)
			break;
		/* Whose step ends may be the one to act now. */
		if (acquire_next(run, cpu))
			return ERR_OK;
	}
	if (id == run->nr_actors)
		return diag_fail(diag, ERR_SCENARIO, "every actor waits for another");
	return run->actor[id].busy ? step_op(run, id, diag) : ask_actor(run, id, diag);
}

enum err run_until(struct run *run, uint64_t step, bool *done, struct diag *diag)
{
	enum err err = ERR_OK;

	while (!err && run->nr_driven && run->m.host->totals.steps < step) {
		if (run->interrupted)
			return diag_fail(diag, ERR_INTERRUPTED, "interrupted");
		err = advance(run, diag);
	}
	if (done)
		*done = run->nr_driven == 0;
	return err;
}

enum err run_finish(struct run *run, struct diag *diag)
{
	struct machine *m = &run->m;
	enum err err = ERR_OK;
	size_t i;

	if (!run->sampled)
		sample_all(m);
	run->sampled = true;
	for (i = 0; i < m->nr_sinks; i++)
		if (m->sink[i]->finish && !err)
			err = m->sink[i]->finish(m->sink[i], diag);
	return err;
}

void run_interrupt(struct run *run)
{
	run->interrupted = 1;
}

uint64_t run_steps(const struct run *run)
{
	return run->m.host->totals.steps;
}

ns_t run_now(const struct run *run)
{
	return run->m.host->totals.sim_ns;
}

const struct scenario *run_scenario(const struct run *run)
{
	return &run->m.sc;
}

struct machine *run_machine(struct run *run)
{
	return &run->m;
}

const struct machine *run_machine_const(const struct run *run)
{
	return &run->m;
}

uint64_t run_random(struct run *run, uint64_t n)
{
	return rng_uniform(&run->script_rng, n);
}

void run_hash(const struct run *run, char out[RUN_HASH_MAX])
{
	hash_machine(&run->m, out);
}

enum err run_invariant(const struct run *run, struct diag *diag)
{
	return invariant_check(&run->m, diag);
}

const void *run_oplog(struct run *run, size_t *size)
{
	oplog_flush(&run->log);
	*size = run->log.size;
	return run->log.data;
}

enum err oplog_play(const struct oplog *log, struct run *run, uint64_t step, struct diag *diag)
{
	enum err err = ERR_OK;
	struct op op;

	while (!err && run->m.host->totals.steps < step) {
		if (run->interrupted)
			return diag_fail(diag, ERR_INTERRUPTED, "interrupted");
		if (run->play.steps) {
			if (run->play.actor >= run->nr_actors || !run->actor[run->play.actor].busy)
				return diag_fail(diag, ERR_DB,
						 "the op log of this run does not "
						 "fit its machine");
			run->play.steps--;
			err = step_op(run, run->play.actor, diag);
			continue;
		}
		switch (oplog_next(log, &run->play, &op)) {
		case OPLOG_OP:
			err = begin_op(run, &op, diag);
			break;
		case OPLOG_STEPS:
			break;
		case OPLOG_END:
			return ERR_OK;
		case OPLOG_DAMAGED:
		default:
			return diag_fail(diag, ERR_DB, "the op log of this run is damaged");
		}
	}
	return err;
}
