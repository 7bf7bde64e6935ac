/*
 * The environment, see sandbox.h.
 *
 * Left out on purpose: whatever reaches the host (io os debug package load*),
 * whatever could make a run differ from itself (collectgarbage, coroutine
 * beside the engine's own, math.randomseed), and rawset, which would write
 * through read-only tables.
 */
#include "sandbox.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "base.h"
#include "guard.h"
#include "order.h"

enum { LIBRARY_MAX = 1 << 20 };		/* [bytes] of a required file */

static const char names_key[] = "memcglab.names";
static const char loaded_key[] = "memcglab.loaded";

static const char no_host[] = "a scenario cannot reach files, clock or environment of the host";
static const char no_code[] = "code comes from the scenario's file and what it requires, only";
static const char no_state[] = "it would let a run differ from itself";
static const char no_write[] = "it would write through read-only tables";

static const struct refusal refused_globals[] = {
	{ "io", no_host },		{ "os", no_host },
	{ "debug", no_host },		{ "package", no_host },
	{ "load", no_code },		{ "loadfile", no_code },
	{ "loadstring", no_code },	{ "dofile", no_code },
	{ "collectgarbage", no_state },	{ "_G", no_state },
	{ "rawset", no_write },
	{ "xpcall", "use pcall; errors show their place by themselves" },
	{ "coroutine", "use lab.parallel: the engine's clock decides who is next" },
	{ "warn", "use print" },
	{ "lab", "it is handed to setup and run as their first argument" },
	{ NULL, NULL }
};

static const struct refusal refused_math[] = {
	{ "randomseed", "the seed of the run is set from outside (--seed, param.seed)" },
	{ NULL, NULL }
};

static const struct refusal refused_string[] = {
	{ "dump", no_code },
	{ NULL, NULL }
};

static const struct guard string_guard = { "string", refused_string, NULL };
static const struct guard table_guard = { "table", NULL, NULL };
static const struct guard math_guard = { "math", refused_math, NULL };
static const struct guard utf8_guard = { "utf8", NULL, NULL };

/* Taken over from Lua as they are. */
static const char *const kept[] = {
	"assert", "error", "ipairs", "rawequal", "rawget", "rawlen", "select", "tonumber", "type",
	NULL
};

static int unknown_global(lua_State *L)
{
	const char *name = luaL_tolstring(L, 2, NULL);
	const char *reason = guard_refused(refused_globals, name);
	char hint[DIAG_HINT_MAX];

	if (reason)
		return host_raise(L, ERR_SCENARIO, "%s is not there: %s", name, reason);
	return host_raise(L, ERR_NAME, "unknown name \"%s\"; %s", name,
			  diag_hint(name, order_names_at, order_names(L, 1), hint));
}

static int set_global(lua_State *L)
{
	return host_raise(L, ERR_SCENARIO, "\"%s\" would be a new global; write: local %s = …",
			  luaL_tolstring(L, 2, NULL), luaL_tolstring(L, 2, NULL));
}

/* "lib.compile" is fine; anything that could leave the folder is not. */
static bool is_module_name(const char *name)
{
	bool start = true;

	for (; *name; name++) {
		if (*name == '.' && start)
			return false;
		if (*name != '.' && *name != '_' && *name != '-' && !isalnum((unsigned char)*name))
			return false;
		start = *name == '.';
	}
	return !start;
}

/* Pushes the text of the file at @path, @shown in messages; raises if it cannot be read. */
static void push_file(lua_State *L, const char *name, const char *path, const char *shown)
{
	char *room = lua_newuserdatauv(L, LIBRARY_MAX + 1, 0);
	FILE *file = fopen(path, "rb");
	size_t got;

	if (!file) {
		host_raise(L, ERR_SCENARIO, "require \"%s\": %s: %s", name, shown, strerror(errno));
		return;
	}
	got = fread(room, 1, LIBRARY_MAX + 1, file);
	fclose(file);
	if (got > LIBRARY_MAX)
		host_raise(L, ERR_SCENARIO, "require \"%s\": %s is larger than 1 MiB", name, shown);
	lua_pushlstring(L, room, got);
	lua_remove(L, -2);
}

/* The same from the texts that were handed over with the scenario. */
static void push_handed(lua_State *L, const char *name)
{
	const struct host *host = host_of(L);

	for (size_t i = 0; i < host->nr_libraries; i++) {
		const struct script_library *library = &host->library[i];

		if (strcmp(library->name, name) == 0) {
			lua_pushlstring(L, library->text, library->size);
			return;
		}
	}
	host_raise(L, ERR_SCENARIO, "require \"%s\": its text was not stored with the scenario",
		   name);
}

/* A library is named scripts/lib/NAME.lua in messages, in whatever @folder it lies. */
static void push_path(lua_State *L, const char *folder, const char *name)
{
	lua_pushfstring(L, "%s/", folder);
	luaL_gsub(L, name, ".", "/");
	lua_pushliteral(L, ".lua");
	lua_concat(L, 3);
}

static int base_require(lua_State *L)
{
	struct host *host = host_of(L);
	const char *name = luaL_checkstring(L, 1);
	struct diag diag = { 0 };
	const char *text;
	size_t size;

	lua_settop(L, 1);
	luaL_getsubtable(L, LUA_REGISTRYINDEX, loaded_key);
	if (lua_getfield(L, 2, name) != LUA_TNIL)
		return 1;
	if (!is_module_name(name))
		return host_raise(L, ERR_SCENARIO,
				  "require \"%s\": write \"lib.name\" for scripts/lib/name.lua",
				  name);
	if (!host->lib_dir && !host->closed)
		return host_raise(L, ERR_SCENARIO, "require \"%s\": there is no scripts folder",
				  name);
	push_path(L, host->lib_dir ? host->lib_dir : "scripts", name);
	push_path(L, "scripts", name);
	if (host->closed)
		push_handed(L, name);
	else
		push_file(L, name, lua_tostring(L, 4), lua_tostring(L, 5));
	text = lua_tolstring(L, 6, &size);
	if (host_load(host, L, &(struct chunk){ text, size, lua_tostring(L, 5) }, &diag))
		return host_raise_report(L, &diag);
	host->sources->module = strdup(name);
	if (!host->sources->module)
		return host_raise(L, ERR_NOMEM, "no memory for \"%s\"", name);
	lua_call(L, 0, 1);
	if (lua_isnil(L, -1)) {
		lua_pop(L, 1);
		lua_pushboolean(L, 1);
	}
	lua_pushvalue(L, -1);
	lua_setfield(L, 2, name);
	return 1;
}

static void add_library(struct host *host, const char *name, lua_CFunction open,
			const struct guard *guard)
{
	luaL_requiref(host->L, name, open, 0);
	base_change(host->L, name);
	guard_push(host->L, guard);
	sandbox_add(host, name);
}

void sandbox_add(struct host *host, const char *name)
{
	lua_State *L = host->L;

	lua_getfield(L, LUA_REGISTRYINDEX, names_key);
	lua_pushstring(L, name);
	lua_pushvalue(L, -3);
	lua_rawset(L, -3);
	lua_pop(L, 2);
}

/* The environment shows the table of names, as a guard does, with its own words. */
static void make_environment(lua_State *L)
{
	lua_newtable(L);
	lua_newtable(L);
	lua_pushcfunction(L, unknown_global);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_pushvalue(L, -1);
	lua_setfield(L, LUA_REGISTRYINDEX, names_key);

	lua_newtable(L);
	lua_newtable(L);
	lua_pushvalue(L, -3);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, set_global);
	lua_setfield(L, -2, "__newindex");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
	lua_setfield(L, LUA_REGISTRYINDEX, "memcglab.env");
	lua_pop(L, 1);
}

void sandbox_init(struct host *host)
{
	lua_State *L = host->L;

	make_environment(L);
	luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
	for (size_t i = 0; kept[i]; i++) {
		lua_getfield(L, -1, kept[i]);
		sandbox_add(host, kept[i]);
	}
	lua_pop(L, 1);
	for (size_t i = 0; base_functions[i].name; i++) {
		lua_pushcfunction(L, base_functions[i].func);
		sandbox_add(host, base_functions[i].name);
	}
	lua_pushcfunction(L, base_require);
	sandbox_add(host, "require");
	add_library(host, LUA_STRLIBNAME, luaopen_string, &string_guard);
	add_library(host, LUA_TABLIBNAME, luaopen_table, &table_guard);
	add_library(host, LUA_MATHLIBNAME, luaopen_math, &math_guard);
	add_library(host, LUA_UTF8LIBNAME, luaopen_utf8, &utf8_guard);
	base_lock_strings(L);
}
