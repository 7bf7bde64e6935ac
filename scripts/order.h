/*
 * The keys of a Lua table in a fixed order: integers ascending, then strings
 * bytewise.  Lua's own order hangs on addresses and would leak into results.
 */
#ifndef MEMCGLAB_SCRIPTS_ORDER_H
#define MEMCGLAB_SCRIPTS_ORDER_H

#include <lua.h>

/**
 * order_keys - push the list of the keys of the table at @index
 * Raises an error for a key that is neither integer nor string.
 */
void order_keys(lua_State *L, int index);

/**
 * order_names - the string keys of the table at @index, sorted, NULL at the end
 * Pushes what owns the array; the strings live as long as the table holds them.
 */
const char **order_names(lua_State *L, int index);

/* order_names_at - for diag_nearest: name @i of an array of order_names. */
const char *order_names_at(const void *names, size_t i);

/* order_pairs, order_next - pairs and next of the sandbox. */
int order_pairs(lua_State *L);
int order_next(lua_State *L);

/* order_sort - table.sort of the sandbox: stable, so equal elements keep their order. */
int order_sort(lua_State *L);

#endif
