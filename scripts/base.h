/*
 * Functions of Lua's base and libraries that the sandbox has in its own
 * form: in fixed order, without addresses in any text, and such that a
 * broken limit cannot be caught.
 */
#ifndef MEMCGLAB_SCRIPTS_BASE_H
#define MEMCGLAB_SCRIPTS_BASE_H

#include <lauxlib.h>

/* Globals; ends with a NULL name. */
extern const luaL_Reg base_functions[];

/* base_change - replace and remove functions of library @name, which is on top. */
void base_change(lua_State *L, const char *name);

/* base_lock_strings - the metatable of strings can be neither seen nor changed. */
void base_lock_strings(lua_State *L);

#endif
