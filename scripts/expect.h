/*
 * t: expectations.  Each call records what was found beside what was wanted,
 * with its line; a wrong figure is a recorded "no", never an error.
 */
#ifndef MEMCGLAB_SCRIPTS_EXPECT_H
#define MEMCGLAB_SCRIPTS_EXPECT_H

#include "loaded.h"

/* expect_push - push the table t, whose records go to the script of @L. */
void expect_push(lua_State *L);

/**
 * expect_kernel - push the run's kernel as the function at @index spells it
 * Names and aliases mean the same, but Lua compares letters: of the texts in
 * the function's own lines the one that means this kernel is taken; without
 * any, the spelling of the scenario's list; without that, the canonical name.
 * Raises if the function uses two spellings (t.kernel(name) takes all).
 */
void expect_kernel(lua_State *L, int index);

#endif
