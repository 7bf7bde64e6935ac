/*
 * What scenarios can say: the vocabulary of the file, the lab that setup and
 * run get, the handles it gives out, and the run's chance.  Each bind_ file
 * adds its part to the Lua state.  These functions raise Lua errors; use them
 * under host_guard.
 */
#ifndef MEMCGLAB_SCRIPTS_BIND_H
#define MEMCGLAB_SCRIPTS_BIND_H

#include "guard.h"
#include "loaded.h"
#include "workload.h"

/* scenario, param and metric; bind_scenario_marker: is the value at @index what scenario gave? */
void bind_scenario(struct script *script);
bool bind_scenario_marker(lua_State *L, int index);

/* bind_params - push the parameters as the read-only table p. */
void bind_params(struct script *script, lua_State *L);

/*
 * A function that acts on the machine: checks that it may, and that the
 * machine is there, before @call runs.
 */
struct bind_function {
	const char *name;
	lua_CFunction call;
	bool early;			/* fine without a machine */
};

/* bind_functions - add the rows (ending with a NULL name) to the table on top. */
void bind_functions(lua_State *L, const struct bind_function *functions);

/* bind_lab - push the table lab. */
void bind_lab(lua_State *L);

/* bind_workload - add parallel, map, think and at to the table on top. */
void bind_workload(lua_State *L);

/* What lab gives out: a group, task, file, mapping or lock, by its id in the engine. */
enum handle_kind { HANDLE_GROUP, HANDLE_TASK, HANDLE_FILE, HANDLE_MAP, HANDLE_LOCK,
		   NR_HANDLE_KINDS };

struct handle {
	enum handle_kind kind;
	uint32_t id;
	uint32_t task;			/* of a mapping: whose it is */
	bool of_file;			/* a mapping of a file */
	bytes_t bytes;			/* of a file or mapping */
	char name[OP_NAME_MAX];
};

/* bind_handles - make the metatables of the handles. */
void bind_handles(lua_State *L);
struct handle *bind_handle_push(lua_State *L, enum handle_kind kind, uint32_t id,
				const char *name);

/* bind_handle_at - the handle at @index; raises unless it is a @kind of this run. */
struct handle *bind_handle_at(lua_State *L, int index, enum handle_kind kind, const char *what);

/**
 * bind_group_make - lab.group and group:group
 * @parent: css id; the path at @index is below it, the options follow it
 * Groups on the way to the last are made as needed.
 */
int bind_group_make(lua_State *L, uint32_t parent, int index);

/* lab.lock, lab.locks, task:lock */
int bind_lab_lock(lua_State *L);
int bind_lab_locks(lua_State *L);
int bind_task_lock(lua_State *L);

/* bind_map_make - task:map: what is mapped is at 2, the options at 3. */
int bind_map_make(lua_State *L, uint32_t task);

/* bind_map_do - do @op, which maps @bytes, and give the mapping; use as: return bind_map_do(…). */
int bind_map_do(lua_State *L, const struct op *op, bytes_t bytes);

/**
 * bind_span - complete a read, write or touch by its options
 * @index: of the options, the last argument
 * @size:  of the file or mapping [bytes]
 * @op:    its kind says which options there are
 */
void bind_span(lua_State *L, int index, bytes_t size, struct op *op);

/* bind_task_do - let op->task do @op and say how it ended; use as: return bind_task_do(…). */
int bind_task_do(lua_State *L, const struct op *op);

/* The methods of groups, tasks, files, mappings and locks; each ends with a NULL name. */
extern const struct bind_function bind_group_methods[], bind_task_methods[];
extern const struct bind_function bind_file_methods[], bind_map_methods[], bind_lock_methods[];
extern const struct refusal bind_task_refused[];

/* bind_name - the text at @index as a name for the engine; raises if it is too long or odd. */
void bind_name(lua_State *L, int index, const char *what, char out[OP_NAME_MAX]);

/* bind_rng - push lab.rng, and put math.random in its place. */
void bind_rng(lua_State *L);

#endif
