/*
 * Read-only tables that know their names: reading an unknown one is an error
 * with the nearest name, or with the reason why there is no such thing (yet);
 * setting any is an error.
 */
#ifndef MEMCGLAB_SCRIPTS_GUARD_H
#define MEMCGLAB_SCRIPTS_GUARD_H

#include <stdbool.h>

#include <lua.h>

/* A name that a user may well try, and why it is not there. */
struct refusal {
	const char *name, *reason;
};

struct guard {
	const char *label;		/* "lab": how messages name the table */
	const struct refusal *refused;	/* ends with a NULL name; may be NULL */
	lua_CFunction absent;		/* for (table, name) that is not there; may be NULL */
};

/**
 * guard_push - push a read-only table that shows the one on top of the stack
 * @guard: kept; must live as long as the state
 * The shown table is popped; it gets a metatable and must not be changed
 * but by raw access.  Integer keys that are not there are nil.
 */
void guard_push(lua_State *L, const struct guard *guard);

/* guard_set - set @name of such a table at @index to the value on top, which is popped. */
void guard_set(lua_State *L, int index, const char *name);

/* guard_open - if the value at @index is such a table, push what it shows. */
bool guard_open(lua_State *L, int index);

/**
 * guard_unknown - raise the error about the unknown name at @key
 * @shown: index of the table that has the known names
 */
int guard_unknown(lua_State *L, const struct guard *guard, int shown, int key);

/* guard_refused - the reason for which @name is refused, NULL if it is not. */
const char *guard_refused(const struct refusal *refused, const char *name);

#endif
