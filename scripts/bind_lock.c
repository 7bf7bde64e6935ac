/*
 * Locks in scenarios: lab.lock makes one, or says how long the counters'
 * own lock is held; task:lock takes one; lab.locks and r.lock show what
 * lock_stat counts, with times in microseconds.
 */
#include <string.h>

#include <lauxlib.h>

#include "actor.h"
#include "bind.h"
#include "contention.h"
#include "figures.h"
#include "read.h"

static const char counter_name[] = "counter";	/* the word for the lock of every counter */

struct lock_options {
	int64_t hold;
};

/* The counters' lock is the kernel's: only its hold time can be said, before anything is made. */
static int counter_lock(lua_State *L, bool held, int64_t hold)
{
	struct script *script = loaded_of(L);
	struct diag diag = { 0 };

	if (script->run)
		return host_raise(L, ERR_SCENARIO,
				  "lab.lock: call it right after lab.machine, before the first "
				  "group, task or file");
	script->machine.locks = true;
	/* What is said holds for every acquisition. */
	if (held && (knob_set(&script->machine.era.knobs, "lock_hold_ns", hold, &diag) ||
		     knob_set(&script->machine.era.knobs, "lock_least_ns", hold, &diag)))
		return host_raise(L, ERR_RANGE, "lab.lock: hold: %s", diag.text);
	return 0;
}

static int lock_made(lua_State *L, int status, lua_KContext ctx)
{
	const struct actor *actor = loaded_of(L)->current;

	(void)status;
	(void)ctx;
	bind_handle_push(L, HANDLE_LOCK, actor->last.id, actor->op.name);
	return 1;
}

static int own_lock(lua_State *L, int status, lua_KContext hold)
{
	struct op op = { .kind = OP_LOCK_NEW, .value = (int64_t)hold };

	(void)status;
	bind_name(L, 1, "lab.lock: name", op.name);
	return actor_do(L, &op, lock_made, 0);
}

/* lab.lock(name, {hold}) */
int bind_lab_lock(lua_State *L)
{
	static const struct read_field fields[] = {
		{ .name = "hold", .kind = READ_TIME,
		  .offset = offsetof(struct lock_options, hold), .min = 0, .max = 1000000000 },
		{ .name = NULL }
	};
	static const struct read_table table = { "lab.lock", fields, false };
	struct script *script = loaded_of(L);
	struct lock_options options = { script->machine.era.knobs.lock_hold_ns };
	char name[OP_NAME_MAX];
	uint32_t given;

	lua_settop(L, 2);
	bind_name(L, 1, "lab.lock: name", name);
	given = read_table(L, 2, &table, NULL, &options);
	if (strcmp(name, counter_name) == 0)
		return counter_lock(L, given & 1, options.hold);
	if (script->run)
		return own_lock(L, LUA_OK, (lua_KContext)options.hold);
	/* A machine that has a lock models locks. */
	script->machine.locks = true;
	return actor_need_machine(L, own_lock, (lua_KContext)options.hold);
}

/* task:lock(lock, {count, think}) */
int bind_task_lock(lua_State *L)
{
	struct take_options {
		int64_t count, think;
	} options = { 1, 0 };
	static const struct read_field fields[] = {
		{ .name = "count", .kind = READ_COUNT,
		  .offset = offsetof(struct take_options, count), .min = 1, .max = INT64_MAX },
		{ .name = "think", .kind = READ_TIME,
		  .offset = offsetof(struct take_options, think) },
		{ .name = NULL }
	};
	static const struct read_table table = { "task:lock", fields, false };
	struct op op = { .kind = OP_LOCK };

	op.task = bind_handle_at(L, 1, HANDLE_TASK, "task:lock")->id;
	op.object = bind_handle_at(L, 2, HANDLE_LOCK, "task:lock")->id;
	lua_settop(L, 3);
	read_table(L, 3, &table, NULL, &options);
	op.count = (uint64_t)options.count;
	op.value = options.think;
	return bind_task_do(L, &op);
}

const struct bind_function bind_lock_methods[] = { { NULL, NULL, false } };

/* lab.locks(): what r.lock would show now; no step */
int bind_lab_locks(lua_State *L)
{
	figures_push_locks(L, loaded_of(L)->run);
	return 1;
}

/* ---- r.lock ---- */

static int no_locks(lua_State *L)
{
	return host_raise(L, ERR_SCENARIO,
			  "r.lock: locks are not modelled in this run: lab.machine { locks = true "
			  "}, or lab.lock(…)");
}

static const struct guard locks_guard = { "r.lock", NULL, NULL };
static const struct guard none_guard = { "r.lock", NULL, no_locks };
static const struct guard lock_guard = { "r.lock[…]", NULL, NULL };
static const struct guard sites_guard = { "r.lock[…].sites", NULL, NULL };
static const struct guard places_guard = { "a table of call sites", NULL, NULL };

static void set_us(lua_State *L, const char *name, ns_t ns)
{
	lua_pushnumber(L, (double)ns / 1000);
	lua_setfield(L, -2, name);
}

/* Sets @name of the table on top: every place there is, 0 where nobody came from. */
static void set_places(lua_State *L, const char *name, const struct lock_sites *sites)
{
	lua_newtable(L);
	for (int site = 0; site < NR_LOCK_SITES; site++)
		figures_set_count(L, lock_site_name((enum lock_site)site), 0);
	for (uint32_t i = 0; i < sites->nr; i++)
		figures_set_count(L, lock_site_name(sites->site[i]), sites->count[i]);
	guard_push(L, &places_guard);
	lua_setfield(L, -2, name);
}

static void push_lock(lua_State *L, const struct run_lock *lock)
{
	const struct lock_stat *sum = &lock->sum;

	lua_newtable(L);
	figures_set_count(L, "con_bounces", sum->con_bounces);
	figures_set_count(L, "contentions", sum->wait.nr);
	set_us(L, "waittime_min", sum->wait.min);
	set_us(L, "waittime_max", sum->wait.max);
	set_us(L, "waittime_total", sum->wait.total);
	figures_set_count(L, "acq_bounces", sum->acq_bounces);
	figures_set_count(L, "acquisitions", sum->hold.nr);
	set_us(L, "holdtime_min", sum->hold.min);
	set_us(L, "holdtime_max", sum->hold.max);
	set_us(L, "holdtime_total", sum->hold.total);
	figures_set_count(L, "waiting", lock->waiting);
	figures_set_count(L, "misses", sum->misses);
	lua_pushboolean(L, lock->atomic);
	lua_setfield(L, -2, "atomic");
	lua_newtable(L);
	set_places(L, "waiters", &lock->waiter);
	set_places(L, "holders", &lock->holder);
	guard_push(L, &sites_guard);
	lua_setfield(L, -2, "sites");
	guard_push(L, &lock_guard);
}

void figures_push_locks(lua_State *L, const struct run *run)
{
	struct run_lock lock;
	uint32_t i = 0;

	lua_newtable(L);
	for (; run_lock(run, i, &lock); i++) {
		push_lock(L, &lock);
		/* The class of counters has its kernel's name, and one that every kernel has. */
		if (i == 0) {
			lua_pushvalue(L, -1);
			lua_setfield(L, -3, counter_name);
		}
		lua_setfield(L, -2, lock.name);
	}
	guard_push(L, i ? &locks_guard : &none_guard);
}
