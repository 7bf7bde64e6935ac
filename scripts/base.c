/*
 * Changed base functions, see base.h.
 *
 * Metatables: __gc and __mode are refused because they would let the moment
 * of a garbage collection show; what setmetatable stores is a copy, so that
 * neither can be added later.
 */
#include "base.h"

#include <stdbool.h>
#include <string.h>

#include "host.h"
#include "order.h"

/*
 * Each pcall that catches an error walks what lies below it, so a recursion
 * through pcall would cost its square long before the budget notices.
 */
enum { PCALLS_MAX = 50 };

/* The text of a value.  Things without one are named by their type, never by address. */
static const char *push_text(lua_State *L, int index, size_t *length)
{
	index = lua_absindex(L, index);
	switch (lua_type(L, index)) {
	case LUA_TNIL:
	case LUA_TBOOLEAN:
	case LUA_TNUMBER:
	case LUA_TSTRING:
		return luaL_tolstring(L, index, length);
	default:
		break;
	}
	if (luaL_callmeta(L, index, "__tostring")) {
		if (lua_type(L, -1) != LUA_TSTRING)
			luaL_error(L, "'__tostring' must return a string");
	} else if (luaL_getmetafield(L, index, "__name") != LUA_TSTRING) {
		lua_pushstring(L, luaL_typename(L, index));
	}
	return lua_tolstring(L, -1, length);
}

static int base_tostring(lua_State *L)
{
	luaL_checkany(L, 1);
	push_text(L, 1, NULL);
	return 1;
}

static int base_print(lua_State *L)
{
	const struct script_log *log = &host_of(L)->log;
	int n = lua_gettop(L);
	luaL_Buffer line;

	luaL_buffinit(L, &line);
	for (int i = 1; i <= n; i++) {
		if (i > 1)
			luaL_addchar(&line, '\t');
		push_text(L, i, NULL);
		luaL_addvalue(&line);
	}
	luaL_pushresult(&line);
	if (log->line)
		log->line(log->ctx, lua_tostring(L, -1));
	return 0;
}

/*
 * A broken limit passes through every pcall.  When memory is short, the error
 * goes on as what it is: lua_error knows Lua's own message again.
 */
static int finish_pcall(lua_State *L, int status, lua_KContext skip)
{
	host_of(L)->pcalls--;
	if (status == LUA_OK || status == LUA_YIELD)
		return lua_gettop(L) - (int)skip;
	if (status == LUA_ERRMEM || host_of(L)->exhausted)
		return lua_error(L);
	lua_pushboolean(L, 0);
	lua_pushvalue(L, -2);
	return 2;
}

static int base_pcall(lua_State *L)
{
	int status;

	luaL_checkany(L, 1);
	if (host_of(L)->pcalls >= PCALLS_MAX)
		return host_raise(L, ERR_SCENARIO, "pcall: more than %d are nested", PCALLS_MAX);
	host_of(L)->pcalls++;
	lua_pushboolean(L, 1);
	lua_insert(L, 1);
	status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall);
	return finish_pcall(L, status, 0);
}

static int base_setmetatable(lua_State *L)
{
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_settop(L, 2);
	if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
		return host_raise(L, ERR_SCENARIO, "a metatable is set once and for all");
	lua_newtable(L);
	lua_pushvalue(L, 2);
	lua_setfield(L, 3, "__metatable"); /* what getmetatable shows */
	for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
		const char *name = lua_type(L, 4) == LUA_TSTRING ? lua_tostring(L, 4) : "";

		if (strncmp(name, "__", 2) != 0)
			continue;
		if (!strcmp(name, "__gc") || !strcmp(name, "__mode"))
			return host_raise(L, ERR_SCENARIO,
					  "%s is refused: a run must not depend on when garbage "
					  "is collected",
					  name);
		lua_pushvalue(L, 4);
		lua_pushvalue(L, 5);
		lua_rawset(L, 3);
	}
	lua_setmetatable(L, 1);
	lua_settop(L, 1);
	return 1;
}

static int base_getmetatable(lua_State *L)
{
	luaL_checkany(L, 1);
	if (luaL_getmetafield(L, 1, "__metatable") == LUA_TNIL)
		lua_pushnil(L);
	return 1;
}

/* Walks one conversion of a format; returns its letter, '\0' at the end. */
static char next_conversion(const char **format)
{
	const char *at = strchr(*format, '%');

	if (!at)
		return '\0';
	at++;
	at += strspn(at, "-+ #0123456789.");
	*format = *at ? at + 1 : at;
	return *at;
}

/* string.format without addresses: %p is refused, %s uses our tostring. */
static int base_format(lua_State *L)
{
	const char *format = luaL_checkstring(L, 1);
	int n = lua_gettop(L), argument = 1;
	char letter;

	while ((letter = next_conversion(&format)) != '\0') {
		if (letter == '%')
			continue;
		if (letter == 'p')
			return host_raise(L, ERR_SCENARIO,
					  "%%p is refused: addresses differ from run to run");
		argument++;
		if (letter == 's' && argument <= n && lua_type(L, argument) > LUA_TSTRING) {
			push_text(L, argument, NULL);
			lua_replace(L, argument);
		}
	}
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, n, 1);
	return 1;
}

const luaL_Reg base_functions[] = {
	{ "getmetatable", base_getmetatable },
	{ "next", order_next },
	{ "pairs", order_pairs },
	{ "pcall", base_pcall },
	{ "print", base_print },
	{ "setmetatable", base_setmetatable },
	{ "tostring", base_tostring },
	{ NULL, NULL }
};

static void remove_name(lua_State *L, const char *name)
{
	lua_pushnil(L);
	lua_setfield(L, -2, name);
}

static void change_string(lua_State *L)
{
	remove_name(L, "dump");
	lua_getfield(L, -1, "format");
	lua_pushcclosure(L, base_format, 1);
	lua_setfield(L, -2, "format");
}

static void change_table(lua_State *L)
{
	lua_pushcfunction(L, order_sort);
	lua_setfield(L, -2, "sort");
}

static void change_math(lua_State *L)
{
	remove_name(L, "random"); /* bind_rng puts the run's in its place */
	remove_name(L, "randomseed");
}

static const struct {
	const char *name;
	void (*change)(lua_State *L);
} changes[] = {
	{ "string", change_string },
	{ "table", change_table },
	{ "math", change_math },
};

void base_change(lua_State *L, const char *name)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++)
		if (!strcmp(changes[i].name, name))
			changes[i].change(L);
}

void base_lock_strings(lua_State *L)
{
	lua_pushliteral(L, "");
	lua_getmetatable(L, -1);
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_pop(L, 2);
}
