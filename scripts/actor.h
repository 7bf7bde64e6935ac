/*
 * A Lua function as a workload of the run.  A call of the engine stores an
 * op and yields; the run executes it and asks for the next, which resumes
 * the function with the outcome.
 */
#ifndef MEMCGLAB_SCRIPTS_ACTOR_H
#define MEMCGLAB_SCRIPTS_ACTOR_H

#include "loaded.h"
#include "workload.h"

enum actor_want {
	ACTOR_OP,		/* @op is to be executed */
	ACTOR_WAIT,		/* its children are to end */
	ACTOR_MACHINE		/* the run is to be opened first */
};

struct actor {
	struct script *script;
	uint32_t id;
	lua_State *co;
	int anchor;		/* registry reference of co */
	int nargs;		/* values on its stack for the first resume */
	bool ended;
	int pcalls;		/* nested while it is not running */
	enum actor_want want;
	struct op op;
	struct op_result last;
	ns_t clock_ns;
	struct actor *next;
};

/**
 * actor_new - an actor for the function on top of the stack of @L
 * @nargs: the function and so many arguments are on top; they are popped
 * The script owns it.
 */
struct actor *actor_new(struct script *script, lua_State *L, int nargs);
void actor_free_all(struct script *script);

/* actor_spawn - hand it to the run; @parent NULL for the main one.  Raises nothing. */
enum err actor_spawn(struct actor *actor, const struct actor *parent, struct diag *diag);

/**
 * actor_do - yield with an op; use as: return actor_do(L, &op, k, ctx)
 * @k continues when it is done; the outcome is in the current actor's last.
 */
int actor_do(lua_State *L, const struct op *op, lua_KFunction k, lua_KContext ctx);

/* actor_wait - yield until all children of the current actor have ended. */
int actor_wait(lua_State *L, lua_KFunction k, lua_KContext ctx);

/* actor_need_machine - yield until the run is open. */
int actor_need_machine(lua_State *L, lua_KFunction k, lua_KContext ctx);

/* actor_resume - let it go on until it wants something or ends. */
enum workload_state actor_resume(struct actor *actor, struct diag *diag);

/**
 * actor_outcome - push what a call says about its op: true, or false and a word
 * Returns: the number of values.
 */
int actor_outcome(lua_State *L);

#endif
