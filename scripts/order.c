/*
 * Fixed order, see order.h.
 *
 * pairs takes the keys when it starts and leaves out those that are gone
 * when their turn comes.  Lua's table.sort picks its pivots by the clock
 * when a range is lopsided, so elements that compare equal could change
 * places from run to run: here is a merge sort instead.
 */
#include "order.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "guard.h"
#include "host.h"

struct key {
	bool is_name;
	lua_Integer number;
	const char *name;
	size_t length;
};

static int key_compare(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	size_t n = a->length < b->length ? a->length : b->length;
	int order;

	if (a->is_name != b->is_name)
		return a->is_name ? 1 : -1;
	if (!a->is_name)
		return a->number < b->number ? -1 : a->number > b->number;
	order = memcmp(a->name, b->name, n);
	if (order)
		return order;
	return a->length < b->length ? -1 : a->length > b->length;
}

/* Raises for a key without a place in the order. */
static void read_key(lua_State *L, int index, struct key *key)
{
	*key = (struct key){ .is_name = false };
	if (lua_isinteger(L, index)) {
		key->number = lua_tointeger(L, index);
	} else if (lua_type(L, index) == LUA_TSTRING) {
		key->is_name = true;
		key->name = lua_tolstring(L, index, &key->length);
	} else {
		host_raise(L, ERR_SCENARIO,
			   "a key of type %s has no fixed order: use integers or text as keys",
			   luaL_typename(L, index));
	}
}

/* Pushes the userdata that holds the sorted keys of the table at @table. */
static struct key *sorted_keys(lua_State *L, int table, size_t *nr)
{
	struct key *keys;
	size_t n = 0;

	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
		n++;
	keys = lua_newuserdatauv(L, (n + 1) * sizeof(*keys), 0);
	n = 0;
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
		read_key(L, -2, &keys[n++]);
	qsort(keys, n, sizeof(*keys), key_compare);
	*nr = n;
	return keys;
}

static void push_key(lua_State *L, const struct key *key)
{
	if (key->is_name)
		lua_pushlstring(L, key->name, key->length);
	else
		lua_pushinteger(L, key->number);
}

void order_keys(lua_State *L, int index)
{
	int table = lua_absindex(L, index);
	struct key *keys;
	size_t nr;

	keys = sorted_keys(L, table, &nr);
	lua_createtable(L, (int)nr, 0);
	for (size_t i = 0; i < nr; i++) {
		push_key(L, &keys[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_remove(L, -2);
}

const char **order_names(lua_State *L, int index)
{
	int table = lua_absindex(L, index);
	const char **names;
	struct key *keys;
	size_t nr, n = 0;

	keys = sorted_keys(L, table, &nr);
	names = lua_newuserdatauv(L, (nr + 1) * sizeof(*names), 0);
	for (size_t i = 0; i < nr; i++)
		if (keys[i].is_name)
			names[n++] = keys[i].name;
	names[n] = NULL;
	lua_remove(L, -2);
	return names;
}

const char *order_names_at(const void *names, size_t i)
{
	const char *const *at = names;

	return at[i];
}

/* Upvalues: the table, its keys, how many were given out. */
static int pairs_step(lua_State *L)
{
	lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));

	for (;;) {
		lua_settop(L, 0);
		lua_rawgeti(L, lua_upvalueindex(2), ++i);
		if (lua_isnil(L, 1))
			break;
		lua_pushvalue(L, 1);
		lua_rawget(L, lua_upvalueindex(1));
		if (!lua_isnil(L, 2))
			break;
	}
	lua_pushinteger(L, i);
	lua_replace(L, lua_upvalueindex(3));
	return lua_gettop(L);
}

int order_pairs(lua_State *L)
{
	luaL_checkany(L, 1);
	lua_settop(L, 1);
	if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
		lua_pushvalue(L, 1);
		lua_call(L, 1, 3);
		return 3;
	}
	if (!guard_open(L, 1)) {
		luaL_checktype(L, 1, LUA_TTABLE);
		lua_pushvalue(L, 1);
	}
	order_keys(L, 2);
	lua_pushinteger(L, 0);
	lua_pushcclosure(L, pairs_step, 3);
	return 1;
}

int order_next(lua_State *L)
{
	struct key best = { 0 }, after = { 0 }, key;
	bool found = false, first;

	lua_settop(L, 2);
	if (!guard_open(L, 1)) {
		luaL_checktype(L, 1, LUA_TTABLE);
		lua_pushvalue(L, 1);
	}
	first = lua_isnil(L, 2);
	if (!first)
		read_key(L, 2, &after);
	for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
		read_key(L, -2, &key);
		if ((!first && key_compare(&key, &after) <= 0) ||
		    (found && key_compare(&key, &best) >= 0))
			continue;
		best = key;
		found = true;
	}
	if (!found) {
		lua_pushnil(L);
		return 1;
	}
	push_key(L, &best);
	lua_pushvalue(L, -1);
	lua_rawget(L, 3);
	return 2;
}

/* In the order of the user's function at 2, or of <: does @b come before @a? */
static bool comes_before(lua_State *L, int b, int a)
{
	bool before;

	if (lua_isnil(L, 2))
		return lua_compare(L, b, a, LUA_OPLT);
	lua_pushvalue(L, 2);
	lua_pushvalue(L, b);
	lua_pushvalue(L, a);
	lua_call(L, 2, 1);
	before = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return before;
}

struct span { lua_Integer from, middle, to; };	/* [from, middle) and [middle, to) */

/* Merge two sorted neighbours of the table at @in into the one at @out. */
static void merge(lua_State *L, const struct span *span, int in, int out)
{
	lua_Integer a = span->from, b = span->middle;

	for (lua_Integer i = span->from; i < span->to; i++) {
		bool take_b = a >= span->middle;

		lua_rawgeti(L, in, a < span->middle ? a : b);
		if (!take_b && b < span->to) {
			lua_rawgeti(L, in, b);
			take_b = comes_before(L, lua_absindex(L, -1), lua_absindex(L, -2));
			lua_remove(L, take_b ? -2 : -1);
		}
		if (take_b)
			b++;
		else
			a++;
		lua_rawseti(L, out, i);
	}
}

int order_sort(lua_State *L)
{
	lua_Integer n = luaL_len(L, 1);
	int in = 3, out = 4;

	luaL_checktype(L, 1, LUA_TTABLE);
	if (!lua_isnoneornil(L, 2))
		luaL_checktype(L, 2, LUA_TFUNCTION);
	lua_settop(L, 2);
	lua_createtable(L, n < 1024 ? (int)n : 1024, 0);
	lua_createtable(L, n < 1024 ? (int)n : 1024, 0);
	for (lua_Integer i = 1; i <= n; i++) {
		lua_geti(L, 1, i);
		lua_rawseti(L, in, i);
	}
	for (lua_Integer width = 1; width < n; width *= 2) {
		for (lua_Integer at = 1; at <= n; at += 2 * width) {
			struct span span = { at, at + width, at + 2 * width };

			span.middle = span.middle > n ? n + 1 : span.middle;
			span.to = span.to > n ? n + 1 : span.to;
			merge(L, &span, in, out);
		}
		in = out;
		out = 7 - in;
	}
	for (lua_Integer i = 1; i <= n; i++) {
		lua_rawgeti(L, in, i);
		lua_seti(L, 1, i);
	}
	return 0;
}
