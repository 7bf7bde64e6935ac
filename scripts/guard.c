/*
 * Read-only tables, see guard.h.  The user holds an empty table whose
 * metatable points to the shown one; that one has a metatable of its own
 * for names that it lacks, so a name that is there costs no call.
 */
#include "guard.h"

#include <string.h>

#include <lauxlib.h>

#include "host.h"
#include "order.h"

static const char shown_key[] = "shown";

const char *guard_refused(const struct refusal *refused, const char *name)
{
	for (; refused && refused->name; refused++)
		if (!strcmp(refused->name, name))
			return refused->reason;
	return NULL;
}

int guard_unknown(lua_State *L, const struct guard *guard, int shown, int key)
{
	const char *name = lua_tostring(L, key);
	const char *reason = guard_refused(guard->refused, name);
	char hint[DIAG_HINT_MAX];

	if (reason)
		return host_raise(L, ERR_SCENARIO, "%s.%s: %s", guard->label, name, reason);
	return host_raise(L, ERR_NAME, "%s has no \"%s\"; %s", guard->label, name,
			  diag_hint(name, order_names_at, order_names(L, shown), hint));
}

/* __index of the shown table: (shown, key). */
static int missing(lua_State *L)
{
	const struct guard *guard = lua_touserdata(L, lua_upvalueindex(1));

	if (lua_type(L, 2) != LUA_TSTRING)
		return 0;
	if (guard->absent)
		return guard->absent(L);
	return guard_unknown(L, guard, 1, 2);
}

static int refuse_set(lua_State *L)
{
	const struct guard *guard = lua_touserdata(L, lua_upvalueindex(1));

	if (lua_type(L, 2) == LUA_TSTRING)
		return host_raise(L, ERR_SCENARIO, "%s.%s cannot be set: %s is read-only",
				  guard->label, lua_tostring(L, 2), guard->label);
	return host_raise(L, ERR_SCENARIO, "%s is read-only", guard->label);
}

static int shown_length(lua_State *L)
{
	lua_pushinteger(L, (lua_Integer)lua_rawlen(L, lua_upvalueindex(1)));
	return 1;
}

void guard_push(lua_State *L, const struct guard *guard)
{
	int shown = lua_gettop(L);

	lua_createtable(L, 0, 1); /* of the shown table */
	lua_pushlightuserdata(L, (void *)guard);
	lua_pushcclosure(L, missing, 1);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, shown);

	lua_createtable(L, 0, 0); /* what the user holds */
	lua_createtable(L, 0, 6);
	lua_pushvalue(L, shown);
	lua_setfield(L, -2, "__index");
	lua_pushvalue(L, shown);
	lua_setfield(L, -2, shown_key);
	lua_pushlightuserdata(L, (void *)guard);
	lua_pushcclosure(L, refuse_set, 1);
	lua_setfield(L, -2, "__newindex");
	lua_pushvalue(L, shown);
	lua_pushcclosure(L, shown_length, 1);
	lua_setfield(L, -2, "__len");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_pushstring(L, guard->label);
	lua_setfield(L, -2, "__name");
	lua_setmetatable(L, -2);
	lua_remove(L, shown);
}

void guard_set(lua_State *L, int index, const char *name)
{
	index = lua_absindex(L, index);
	if (guard_open(L, index)) {
		lua_pushstring(L, name);
		lua_pushvalue(L, -3);
		lua_rawset(L, -3);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

bool guard_open(lua_State *L, int index)
{
	index = lua_absindex(L, index);
	if (!lua_istable(L, index) || !lua_getmetatable(L, index))
		return false;
	lua_pushstring(L, shown_key);
	lua_rawget(L, -2);
	lua_remove(L, -2);
	if (lua_istable(L, -1))
		return true;
	lua_pop(L, 1);
	return false;
}
