/*
 * r.spread(pattern, name): how many times as much of a figure the group with
 * most of it has as the group with least, of those whose paths match.  "*"
 * stands for anything within one part of a path, as the shell has it.
 * Without any of it somewhere there is no ratio, and no value.
 */
#include "figures.h"

#include <fnmatch.h>

#include <lauxlib.h>

#include "guard.h"
#include "host.h"

/* The figure @name of the group on top of the stack, which is popped. */
static lua_Number figure(lua_State *L, const char *name)
{
	lua_Number value;

	lua_getfield(L, -1, name);
	if (lua_type(L, -1) != LUA_TNUMBER)
		host_raise(L, ERR_SCENARIO, "r.spread: \"%s\" is not a number of a group", name);
	value = lua_tonumber(L, -1);
	lua_pop(L, 2);
	return value;
}

static int spread(lua_State *L)
{
	const char *pattern = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
	lua_Number least = 0, most = 0;
	bool found = false;
	int groups;

	if (!guard_open(L, lua_upvalueindex(1)))
		return 0;
	groups = lua_gettop(L);
	for (lua_pushnil(L); lua_next(L, groups);) {
		lua_Number value;

		if (fnmatch(pattern, lua_tostring(L, -2), FNM_PATHNAME) != 0) {
			lua_pop(L, 1);
			continue;
		}
		value = figure(L, name);
		least = !found || value < least ? value : least;
		most = !found || value > most ? value : most;
		found = true;
	}
	if (!found)
		return host_raise(L, ERR_SCENARIO, "r.spread: no group matches \"%s\"", pattern);
	if (least > 0)
		lua_pushnumber(L, most / least);
	else
		lua_pushnil(L);
	return 1;
}

void figures_push_spread(lua_State *L, int groups)
{
	lua_pushvalue(L, groups);
	lua_pushcclosure(L, spread, 1);
}
