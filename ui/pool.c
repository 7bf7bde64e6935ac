/*
 * Work in several processes, see pool.h.  One loop waits for all their
 * pipes, looks for an interrupt and keeps their deadlines.
 */
#include "pool.h"

#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS ((ns_t)1000000)
/* Between an interrupt and the kill; less than the command itself is given by whoever waits for
 * it, so that there is time left to say how each piece ended. */
#define GRACE_NS (1200 * NS_PER_MS)

enum { LOOK_MS = 50 }; /* between two looks for an interrupt */

struct worker_slot {
	struct child child;
	struct child_watch watch;
	struct child_end end;
	struct diag diag;
	size_t item;
	bool busy;
};

struct pool_state {
	const struct pool *pool;
	struct worker_slot *slot; /* pool->workers of them */
	size_t next, nr, busy;
	bool stopped; /* nothing more is begun */
	bool interrupted;
	enum err err;
	struct diag *diag;
};

/* Time for deadlines only; it never reaches a result. */
static ns_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ns_t)ts.tv_sec * 1000 * NS_PER_MS + (ns_t)ts.tv_nsec;
}

/* The first error is the one that counts. */
static void stop(struct pool_state *state, enum err err)
{
	state->stopped = true;
	if (state->err == ERR_OK)
		state->err = err;
}

/* A process without a way back: what the command has open or still to write is not its own. */
static void work(const struct pool *pool, size_t item, const struct child *child)
{
	struct diag diag = { .err = ERR_OK };

	pool->work(pool->ctx, item, child, &diag);
	child_report(child, &diag);
	_exit(0);
}

static void slot_begin(struct pool_state *state, struct worker_slot *slot)
{
	const struct pool *pool = state->pool;
	ns_t now = now_ns();
	enum err err;

	*slot = (struct worker_slot){ .item = state->next };
	err = child_fork(&slot->child, state->diag);
	if (err != ERR_OK) {
		stop(state, err);
		return;
	}
	if (slot->child.pid == 0)
		work(pool, slot->item, &slot->child);
	slot->watch = (struct child_watch){
		.child = &slot->child,
		.end = &slot->end,
		.diag = &slot->diag,
		.deadline = pool->limit_ns < UINT64_MAX - now ? now + pool->limit_ns : UINT64_MAX,
	};
	slot->busy = true;
	state->next++;
	state->busy++;
}

static void slots_fill(struct pool_state *state)
{
	for (size_t i = 0; i < state->pool->workers; i++)
		if (!state->slot[i].busy && !state->stopped && state->next < state->nr)
			slot_begin(state, &state->slot[i]);
}

static void slot_end(struct pool_state *state, struct worker_slot *slot)
{
	const struct pool *pool = state->pool;
	struct pool_result result = {
		.end = &slot->end, .diag = &slot->diag,
	};
	enum err err;

	child_reap(&slot->watch, pool->limit_ns);
	result.told = slot->watch.told;
	result.told_bytes = slot->watch.told_bytes;
	err = pool->ended(pool->ctx, slot->item, &result, state->diag);
	if (err != ERR_OK)
		stop(state, err);
	free(slot->watch.told);
	slot->busy = false;
	state->busy--;
}

/* Each message wakes the loop once, so no talkative piece keeps the others waiting. */
static void wait_for_news(struct pool_state *state)
{
	struct pollfd p[POOL_WORKERS_MAX];
	size_t workers = state->pool->workers;

	for (size_t i = 0; i < workers; i++)
		p[i] = (struct pollfd){
			.fd = state->slot[i].busy ? state->slot[i].child.fd : -1,
			.events = POLLIN,
		};
	if (poll(p, (nfds_t)workers, LOOK_MS) <= 0)
		return;
	for (size_t i = 0; i < workers; i++)
		if (p[i].revents != 0 && !child_take(&state->slot[i].watch))
			slot_end(state, &state->slot[i]);
}

/* All pieces are asked to end; those that had the signal from the terminal itself do so once. */
static void interrupt(struct pool_state *state)
{
	ns_t deadline = now_ns() + GRACE_NS;

	state->interrupted = true;
	stop(state, diag_fail(state->diag, ERR_INTERRUPTED, "interrupted"));
	for (size_t i = 0; i < state->pool->workers; i++) {
		struct worker_slot *slot = &state->slot[i];

		if (!slot->busy)
			continue;
		slot->end.interrupted = true;
		kill(slot->child.pid, SIGINT);
		if (deadline < slot->watch.deadline)
			slot->watch.deadline = deadline;
	}
}

static void kill_late(struct pool_state *state)
{
	ns_t now = now_ns();

	for (size_t i = 0; i < state->pool->workers; i++) {
		struct worker_slot *slot = &state->slot[i];

		if (!slot->busy || slot->watch.expired || now < slot->watch.deadline)
			continue;
		slot->watch.expired = true;
		kill(slot->child.pid, SIGKILL);
	}
}

enum err pool_run(const struct pool *pool, size_t nr, struct diag *diag)
{
	struct pool_state state = { .pool = pool, .nr = nr, .diag = diag };

	assert(pool->workers >= 1 && pool->workers <= POOL_WORKERS_MAX);
	state.slot = calloc(pool->workers, sizeof(*state.slot));
	if (state.slot == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for %zu processes", pool->workers);
	for (;;) {
		if (!state.interrupted && child_interrupted())
			interrupt(&state);
		slots_fill(&state);
		if (state.busy == 0)
			break;
		wait_for_news(&state);
		kill_late(&state);
		if (pool->tick != NULL)
			pool->tick(pool->ctx);
	}
	free(state.slot);
	return state.err;
}
