/*
 * Handles: what lab gives out for groups, tasks, files, mappings, locks.  They
 * hold an id of the engine, never a pointer into it.  Methods are looked up
 * in a read-only table per kind.
 */
#include <string.h>

#include <lauxlib.h>

#include "bind.h"
#include "guard.h"

struct handle_type {
	const char *type;			/* of the metatable */
	struct guard guard;
	const struct bind_function *methods;
};

static const struct handle_type types[NR_HANDLE_KINDS] = {
	[HANDLE_GROUP] = { "memcglab.group", { "a group", NULL, NULL }, bind_group_methods },
	[HANDLE_TASK] = { "memcglab.task", { "a task", bind_task_refused, NULL },
			  bind_task_methods },
	[HANDLE_FILE] = { "memcglab.file", { "a file", NULL, NULL }, bind_file_methods },
	[HANDLE_MAP] = { "memcglab.map", { "a mapping", NULL, NULL }, bind_map_methods },
	[HANDLE_LOCK] = { "memcglab.lock", { "a lock", NULL, NULL }, bind_lock_methods },
};

struct handle *bind_handle_push(lua_State *L, enum handle_kind kind, uint32_t id, const char *name)
{
	struct handle *handle = lua_newuserdatauv(L, sizeof(*handle), 0);

	memset(handle, 0, sizeof(*handle));
	handle->kind = kind;
	handle->id = id;
	strncpy(handle->name, name, sizeof(handle->name) - 1);
	luaL_setmetatable(L, types[kind].type);
	return handle;
}

struct handle *bind_handle_at(lua_State *L, int index, enum handle_kind kind, const char *what)
{
	struct handle *handle = luaL_testudata(L, index, types[kind].type);

	if (!handle)
		host_raise(L, ERR_SCENARIO, "%s: %s is expected, not a %s%s", what,
			   types[kind].guard.label, luaL_typename(L, index),
			   lua_isnoneornil(L, index) ? " (with a colon, task:read(…)?)" : "");
	return handle;
}

/* (handle, key): a method by name. */
static int handle_index(lua_State *L)
{
	const struct handle_type *type = lua_touserdata(L, lua_upvalueindex(1));

	if (lua_type(L, 2) != LUA_TSTRING)
		return 0;
	lua_pushvalue(L, 2);
	if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL)
		return 1;
	lua_pushvalue(L, lua_upvalueindex(2));
	return guard_unknown(L, &type->guard, lua_gettop(L), 2);
}

static int handle_set(lua_State *L)
{
	const struct handle_type *type = lua_touserdata(L, lua_upvalueindex(1));

	return host_raise(L, ERR_SCENARIO, "%s cannot be given fields; keep them in a table",
			  type->guard.label);
}

static int handle_text(lua_State *L)
{
	const struct handle_type *type = lua_touserdata(L, lua_upvalueindex(1));
	const struct handle *handle = luaL_checkudata(L, 1, type->type);

	lua_pushfstring(L, "%s \"%s\"", type->guard.label + 2, handle->name);
	return 1;
}

static void push_with_type(lua_State *L, const struct handle_type *type, lua_CFunction function)
{
	lua_pushlightuserdata(L, (void *)type);
	lua_pushcclosure(L, function, 1);
}

void bind_handles(lua_State *L)
{
	for (int kind = 0; kind < NR_HANDLE_KINDS; kind++) {
		const struct handle_type *type = &types[kind];

		luaL_newmetatable(L, type->type);
		lua_pushlightuserdata(L, (void *)type);
		lua_newtable(L);
		bind_functions(L, type->methods);
		lua_pushcclosure(L, handle_index, 2);
		lua_setfield(L, -2, "__index");
		push_with_type(L, type, handle_set);
		lua_setfield(L, -2, "__newindex");
		push_with_type(L, type, handle_text);
		lua_setfield(L, -2, "__tostring");
		lua_pushboolean(L, 0);
		lua_setfield(L, -2, "__metatable");
		lua_pop(L, 1);
	}
}
