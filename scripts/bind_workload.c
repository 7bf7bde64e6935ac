/*
 * Interleaving: lab.parallel, lab.at, lab.map, lab.think.  Each function
 * becomes a workload of its own; the run decides by clock, then by creation,
 * whose turn it is.
 */
#include <inttypes.h>
#include <lauxlib.h>

#include "actor.h"
#include "bind.h"
#include "read.h"

static int nothing(lua_State *L, int status, lua_KContext ctx)
{
	(void)L;
	(void)status;
	(void)ctx;
	return 0;
}

/* Hands the function on top of the stack, with @nargs arguments, to the run. */
static void spawn(lua_State *L, int nargs)
{
	struct script *script = loaded_of(L);
	struct actor *actor = actor_new(script, L, nargs);
	struct diag diag = { 0 };

	if (actor_spawn(actor, script->current, &diag))
		host_raise(L, ERR_SCENARIO, "lab.parallel: %s", diag.text);
}

static int lab_parallel(lua_State *L)
{
	lua_Integer n;

	if (!lua_istable(L, 1))
		return host_raise(L, ERR_SCENARIO,
				  "lab.parallel: a list of functions is expected, "
				  "not a %s",
				  luaL_typename(L, 1));
	n = (lua_Integer)lua_rawlen(L, 1);
	for (lua_Integer i = 1; i <= n; i++, lua_pop(L, 1))
		if (lua_rawgeti(L, 1, i) != LUA_TFUNCTION)
			return host_raise(L, ERR_SCENARIO,
					  "lab.parallel: entry %d is a %s, not a "
					  "function",
					  (int)i, luaL_typename(L, -1));
	if (n == 0)
		return 0;
	for (lua_Integer i = 1; i <= n; i++) {
		lua_rawgeti(L, 1, i);
		spawn(L, 0);
	}
	return actor_wait(L, nothing, 0);
}

/* What lab.map makes of one element: upvalues are the function, the element, its index. */
static int call_mapped(lua_State *L)
{
	lua_settop(L, 0);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_pushvalue(L, lua_upvalueindex(2));
	lua_pushvalue(L, lua_upvalueindex(3));
	lua_callk(L, 2, 0, 0, nothing);
	return 0;
}

static int lab_map(lua_State *L)
{
	lua_Integer n;

	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checktype(L, 2, LUA_TFUNCTION);
	n = luaL_len(L, 1);
	lua_newtable(L);
	for (lua_Integer i = 1; i <= n; i++) {
		lua_pushvalue(L, 2);
		lua_geti(L, 1, i);
		lua_pushinteger(L, i);
		lua_pushcclosure(L, call_mapped, 3);
		lua_rawseti(L, -2, i);
	}
	return 1;
}

static int lab_think(lua_State *L)
{
	struct op op = { .kind = OP_THINK };

	op.value = read_number(L, 1, READ_TIME, "lab.think", NULL);
	return actor_do(L, &op, nothing, 0);
}

static int call_late(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	lua_settop(L, 1);
	lua_callk(L, 0, 0, 0, nothing);
	return 0;
}

/* The body of what lab.at starts: wait for the time at 2, then call the function at 1. */
static int wait_and_call(lua_State *L)
{
	struct op op = { .kind = OP_THINK };
	int64_t at = lua_tointeger(L, 2);
	int64_t now = (int64_t)loaded_of(L)->current->clock_ns;

	op.value = at > now ? at - now : 0;
	return actor_do(L, &op, call_late, 0);
}

static int lab_at(lua_State *L)
{
	int64_t at = read_number(L, 1, READ_TIME, "lab.at", NULL);

	if (!lua_isfunction(L, 2))
		return host_raise(L, ERR_SCENARIO,
				  "lab.at: write lab.at(\"3ms\", function() … end)");
	lua_pushcfunction(L, wait_and_call);
	lua_pushvalue(L, 2);
	lua_pushinteger(L, at);
	spawn(L, 2);
	return 0;
}

static const struct bind_function functions[] = {
	{ "parallel", lab_parallel, false },
	{ "map", lab_map, true },
	{ "think", lab_think, false },
	{ "at", lab_at, false },
	{ NULL, NULL, false }
};

void bind_workload(lua_State *L)
{
	bind_functions(L, functions);
}
