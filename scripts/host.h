/*
 * The Lua state of one scenario: its memory cap, its budget of
 * instructions, where an error happened and how it reads.
 *
 * All code of the user runs in coroutines, so a failed one still has its
 * stack when the error is looked at.  C code of ours that touches the state
 * outside of them runs under host_guard, which turns a refused allocation
 * into an error instead of an abort.
 */
#ifndef MEMCGLAB_SCRIPTS_HOST_H
#define MEMCGLAB_SCRIPTS_HOST_H

#include <lua.h>

#include "script.h"
#include "source.h"

struct host {
	lua_State *L;
	struct source *sources;
	struct script_limits limits;
	struct script_log log;
	bytes_t used;			/* [bytes] allocated by Lua now */
	uint64_t spent;			/* instructions since the last resume */
	bool exhausted;			/* the budget is gone: nothing may go on */
	struct place spent_at;		/* where it went */
	int pcalls;			/* nested in the running coroutine */
	char *lib_dir;			/* of require; NULL: nothing can be required */
	const struct script_library *library;	/* texts to require instead, if closed */
	size_t nr_libraries;
	bool closed;
	const char *phase;		/* "setup"; NULL outside of all */
	char scenario[SCENARIO_NAME_MAX];
	void *script;			/* whose state this is */
};

/**
 * host_init - an empty state
 * @limits: copied
 * @log:    copied; NULL: print goes nowhere
 * Returns: ERR_LIMIT if the memory limit is too small for any state.
 */
enum err host_init(struct host *host, const struct script_limits *limits,
		   const struct script_log *log, struct diag *diag);
void host_fini(struct host *host);
struct host *host_of(lua_State *L);

/**
 * host_guard - call @f with @arg as light userdata, in protected mode
 * Returns: what went wrong in @f as an error; its own failures @f keeps in @arg.
 */
enum err host_guard(struct host *host, lua_CFunction f, void *arg, struct diag *diag);

/* host_place - the innermost frame of the user's code.  Returns: false if there is none. */
bool host_place(lua_State *L, struct place *out);

/*
 * host_raise - a Lua error at the user's line: a table with kind, file, line, text
 * These never return; they have a value so that one can write return host_raise(…).
 */
_Noreturn int host_raise(lua_State *L, enum err err, const char *fmt, ...);
_Noreturn int host_raise_at(lua_State *L, const struct place *at, enum err err, const char *fmt,
			    ...);

/* host_raise_report - raise what a report says, which has its place and lines already. */
_Noreturn int host_raise_report(lua_State *L, const struct diag *diag);

struct chunk {
	const char *text;
	size_t size;
	const char *file;		/* how the user names it */
};

/* host_load - compile @chunk and push it on @L as a function of the sandbox. */
enum err host_load(struct host *host, lua_State *L, const struct chunk *chunk,
		   struct diag *diag);

enum host_end { HOST_DONE, HOST_YIELDED, HOST_FAILED };

/**
 * host_resume - run a coroutine until it ends, yields or fails; renews the budget
 * @nargs: values on its stack; then receives the number of results
 */
enum host_end host_resume(struct host *host, lua_State *co, int *nargs, struct diag *diag);

/**
 * host_call - call a function of the user that must not yield
 * @nargs: the function and so many arguments are on top of the main stack
 * Leaves one result there, or nothing if it failed.  To be used under host_guard.
 */
enum err host_call(struct host *host, int nargs, struct diag *diag);

#endif
