/*
 * Lua functions as workloads, see actor.h.  Which function goes on is
 * decided by the run alone: by clock, then by creation.
 */
#include "actor.h"

#include <stdlib.h>

#include <lauxlib.h>

struct actor *actor_new(struct script *script, lua_State *L, int nargs)
{
	struct actor *actor = calloc(1, sizeof(*actor));

	if (!actor) {
		host_raise(L, ERR_LIMIT, "no memory for one more actor");
		return NULL;
	}
	actor->script = script;
	actor->anchor = LUA_NOREF;
	actor->next = script->actors;
	script->actors = actor; /* owned from here on, whatever is raised */
	actor->co = lua_newthread(L);
	actor->anchor = luaL_ref(L, LUA_REGISTRYINDEX);
	luaL_checkstack(actor->co, nargs + 1, NULL);
	lua_xmove(L, actor->co, nargs + 1);
	actor->nargs = nargs;
	return actor;
}

void actor_free_all(struct script *script)
{
	while (script->actors) {
		struct actor *next = script->actors->next;

		free(script->actors);
		script->actors = next;
	}
	script->current = NULL;
}

static enum workload_state actor_next(void *ctx, const struct op_result *last, struct op *op,
				      struct diag *diag)
{
	struct actor *actor = ctx;
	enum workload_state state;

	actor->last = *last;
	if (last->clock_ns > actor->clock_ns)
		actor->clock_ns = last->clock_ns;
	state = actor_resume(actor, diag);
	if (state == WORKLOAD_OP)
		*op = actor->op;
	return state;
}

enum err actor_spawn(struct actor *actor, const struct actor *parent, struct diag *diag)
{
	struct workload workload = { .ctx = actor, .next = actor_next };

	if (parent)
		actor->clock_ns = parent->clock_ns;
	return run_spawn(actor->script->run, parent ? parent->id : RUN_NO_ACTOR, &workload,
			 &actor->id, diag);
}

enum workload_state actor_resume(struct actor *actor, struct diag *diag)
{
	struct script *script = actor->script;
	int nargs = actor->nargs;
	enum host_end end;

	if (actor->ended)
		return WORKLOAD_END;
	script->current = actor;
	actor->nargs = 0;
	script->host.pcalls = actor->pcalls;
	end = host_resume(&script->host, actor->co, &nargs, diag);
	actor->pcalls = script->host.pcalls;
	if (end == HOST_YIELDED)
		return actor->want == ACTOR_OP ? WORKLOAD_OP : WORKLOAD_WAIT;
	actor->ended = true;
	if (end == HOST_FAILED) {
		script->failed = true;
		return WORKLOAD_FAIL;
	}
	luaL_unref(script->host.L, LUA_REGISTRYINDEX, actor->anchor);
	actor->anchor = LUA_NOREF;
	return WORKLOAD_END;
}

/* Inside a comparison, a sort or a metamethod there is C code that cannot wait. */
static int yield(lua_State *L, enum actor_want want, lua_KFunction k, lua_KContext ctx)
{
	if (!lua_isyieldable(L))
		return host_raise(L, ERR_SCENARIO,
				  "the engine cannot be called from here (inside of a "
				  "metamethod, an iterator or table.sort)");
	loaded_of(L)->current->want = want;
	return lua_yieldk(L, 0, ctx, k);
}

int actor_do(lua_State *L, const struct op *op, lua_KFunction k, lua_KContext ctx)
{
	struct actor *actor = loaded_of(L)->current;

	actor->op = *op;
	actor->op.actor = actor->id;
	return yield(L, ACTOR_OP, k, ctx);
}

int actor_wait(lua_State *L, lua_KFunction k, lua_KContext ctx)
{
	return yield(L, ACTOR_WAIT, k, ctx);
}

int actor_need_machine(lua_State *L, lua_KFunction k, lua_KContext ctx)
{
	return yield(L, ACTOR_MACHINE, k, ctx);
}

static const char *const outcome_words[] = {
	[OP_KILLED] = "killed",
	[OP_NOMEM] = "ENOMEM",
	[OP_BUSY] = "EBUSY",
	[OP_BLOCKED] = "blocked",
};

int actor_outcome(lua_State *L)
{
	enum op_outcome outcome = loaded_of(L)->current->last.outcome;

	if (outcome == OP_DONE || outcome == OP_MORE) {
		lua_pushboolean(L, 1);
		return 1;
	}
	lua_pushboolean(L, 0);
	lua_pushstring(L, outcome_words[outcome]);
	return 2;
}
