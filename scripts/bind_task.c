/*
 * What tasks do: read and write files, map memory, move, exit; and what
 * files can be asked for.
 *
 * An operation of a task that has been killed is no step: it returns false
 * and "killed", as the call that killed it did.
 */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include <lauxlib.h>

#include "actor.h"
#include "bind.h"
#include "read.h"

const struct refusal bind_task_refused[] = {
	{ "touch", "map memory first: heap = task:map(\"anon\", …), then heap:touch()" },
	{ NULL, NULL }
};

static bool is_alive(lua_State *L, uint32_t id)
{
	struct run_task task;

	return run_task(loaded_of(L)->run, id, &task) && task.alive;
}

static int outcome_known(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	return actor_outcome(L);
}

int bind_task_do(lua_State *L, const struct op *op)
{
	if (is_alive(L, op->task))
		return actor_do(L, op, outcome_known, 0);
	lua_pushboolean(L, 0);
	lua_pushliteral(L, "killed");
	return 2;
}

/* An op of the task at 1 on the file at 2; their handles are checked. */
static struct op file_op(lua_State *L, enum op_kind kind, const char *what)
{
	struct op op = { .kind = kind };

	op.task = bind_handle_at(L, 1, HANDLE_TASK, what)->id;
	op.object = bind_handle_at(L, 2, HANDLE_FILE, what)->id;
	return op;
}

static int task_read(lua_State *L)
{
	struct op op = file_op(L, OP_READ, "task:read");

	bind_span(L, 3, bind_handle_at(L, 2, HANDLE_FILE, "task:read")->bytes, &op);
	return bind_task_do(L, &op);
}

static int task_write(lua_State *L)
{
	struct op op = file_op(L, OP_WRITE, "task:write");

	bind_span(L, 3, bind_handle_at(L, 2, HANDLE_FILE, "task:write")->bytes, &op);
	return bind_task_do(L, &op);
}

static int task_fsync(lua_State *L)
{
	struct op op = file_op(L, OP_FSYNC, "task:fsync");

	return bind_task_do(L, &op);
}

/* task:open(file, { open, random, sequential }): anew, so nothing is known of what was read. */
static int task_open(lua_State *L)
{
	struct open_options {
		int64_t open;
		bool random, sequential;
	} options = { 0 };
	static const struct read_field fields[] = {
		{ .name = "open", .kind = READ_COUNT, .min = 0, .max = 1000,
		  .offset = offsetof(struct open_options, open) },
		{ .name = "random", .kind = READ_BOOL,
		  .offset = offsetof(struct open_options, random) },
		{ .name = "sequential", .kind = READ_BOOL,
		  .offset = offsetof(struct open_options, sequential) },
		{ .name = NULL }
	};
	static const struct read_table table = { "task:open", fields, false };
	struct op op = file_op(L, OP_OPEN, "task:open");

	lua_settop(L, 3);
	read_table(L, 3, &table, NULL, &options);
	op.handle = (uint32_t)options.open;
	op.flags = (options.random ? OPF_RANDOM : 0) | (options.sequential ? OPF_SEQUENTIAL : 0);
	return bind_task_do(L, &op);
}

/* task:advise(file, word, { pages, offset }) */
static int task_advise(lua_State *L)
{
	struct op op = file_op(L, OP_FADVISE, "task:advise");
	char word[OP_NAME_MAX];

	bind_name(L, 3, "task:advise", word);
	bind_span(L, 4, bind_handle_at(L, 2, HANDLE_FILE, "task:advise")->bytes, &op);
	for (op.value = 0; op.value < NR_FADVICES; op.value++)
		if (strcmp(fadvice_name((enum fadvice)op.value), word) == 0)
			return bind_task_do(L, &op);
	return host_raise(L, ERR_SCENARIO,
			  "task:advise: \"%s\" is none of normal, random, sequential, willneed, "
			  "noreuse, dontneed",
			  word);
}

static int task_map(lua_State *L)
{
	const struct handle *task = bind_handle_at(L, 1, HANDLE_TASK, "task:map");

	if (!is_alive(L, task->id))
		return host_raise(L, ERR_SCENARIO, "task:map: task \"%s\" has ended", task->name);
	return bind_map_make(L, task->id);
}

static int task_move(lua_State *L)
{
	struct op op = { .kind = OP_TASK_MOVE };

	op.task = bind_handle_at(L, 1, HANDLE_TASK, "task:move")->id;
	op.object = bind_handle_at(L, 2, HANDLE_GROUP, "task:move")->id;
	return bind_task_do(L, &op);
}

static int task_exit(lua_State *L)
{
	struct op op = { .kind = OP_TASK_EXIT };

	op.task = bind_handle_at(L, 1, HANDLE_TASK, "task:exit")->id;
	return bind_task_do(L, &op);
}

struct exec_options {
	int64_t count, anon, file;
};

#define MEMBER(field) .offset = offsetof(struct exec_options, field)
static const struct read_field exec_fields[] = {
	{ .name = "count", .kind = READ_COUNT, MEMBER(count), .min = 1, .max = 1 << 30 },
	{ .name = "anon", .kind = READ_COUNT, MEMBER(anon), .min = 0, .max = 1 << 16 },
	{ .name = "file", .kind = READ_COUNT, MEMBER(file), .min = 0, .max = 1 << 16 },
	{ .name = NULL }
};
#undef MEMBER

/* program = task:exec(file): its memory goes, and the program is mapped. */
static int exec_file(lua_State *L)
{
	struct op op = file_op(L, OP_EXECVE, "task:exec");
	const struct handle *file = bind_handle_at(L, 2, HANDLE_FILE, "task:exec");

	memcpy(op.name, file->name, sizeof(op.name));
	return is_alive(L, op.task) ? bind_map_do(L, &op, file->bytes) : bind_task_do(L, &op);
}

/* task:exec{ count = 1000, anon = 30, file = 85 }: by the same program, so many times. */
static int task_exec(lua_State *L)
{
	static const struct read_table table = { "task:exec", exec_fields, false };
	struct exec_options options = { .count = 1 };
	struct op op = { .kind = OP_EXEC };

	if (lua_type(L, 2) == LUA_TUSERDATA)
		return exec_file(L);
	op.task = bind_handle_at(L, 1, HANDLE_TASK, "task:exec")->id;
	read_table(L, 2, &table, NULL, &options);
	op.count = (uint64_t)options.count;
	op.offset = (uint64_t)options.anon;
	op.length = (uint64_t)options.file;
	return bind_task_do(L, &op);
}

static int forked(lua_State *L, int status, lua_KContext ctx)
{
	const struct actor *actor = loaded_of(L)->current;

	(void)status;
	(void)ctx;
	if (!actor->last.id)
		return actor_outcome(L);
	bind_handle_push(L, HANDLE_TASK, actor->last.id, actor->op.name);
	return 1;
}

/* child = task:fork{ name = "child", cpu = 1 }: false and a word if there is no room for it. */
static int task_fork(lua_State *L)
{
	struct fork_options {
		int64_t cpu;
		const char *name;
	} options = { 0 };
	static const struct read_field fields[] = {
		{ .name = "cpu", .kind = READ_COUNT,
		  .offset = offsetof(struct fork_options, cpu) },
		{ .name = "name", .kind = READ_TEXT,
		  .offset = offsetof(struct fork_options, name) },
		{ .name = NULL }
	};
	static const struct read_table table = { "task:fork", fields, false };
	const struct handle *task = bind_handle_at(L, 1, HANDLE_TASK, "task:fork");
	struct op op = { .kind = OP_FORK, .task = task->id };
	struct run_task figures = { 0 };
	uint32_t given, cpus = loaded_of(L)->machine.cpus;

	lua_settop(L, 2);
	given = read_table(L, 2, &table, NULL, &options);
	if (options.cpu >= cpus)
		return host_raise(L, ERR_RANGE,
				  "cpu: %" PRId64 " is out of range (0 to %" PRIu32 ")",
				  options.cpu, cpus - 1);
	run_task(loaded_of(L)->run, op.task, &figures);
	op.cpu = given & 1 ? (uint32_t)options.cpu : figures.cpu;
	lua_pushstring(L, given & 2 ? options.name : task->name);
	bind_name(L, -1, "task:fork: name", op.name);
	return figures.alive ? actor_do(L, &op, forked, 0) : bind_task_do(L, &op);
}

/* task:slab{ bytes = 192, count = 1000, free = false }: kernel objects, in its group. */
static int task_slab(lua_State *L)
{
	struct slab_options {
		int64_t bytes, count;
		bool free;
	} options = { .count = 1 };
	static const struct read_field fields[] = {
		{ .name = "bytes", .kind = READ_COUNT, .min = 1, .max = PAGE_BYTES,
		  .offset = offsetof(struct slab_options, bytes) },
		{ .name = "count", .kind = READ_COUNT, .min = 0, .max = UINT32_MAX,
		  .offset = offsetof(struct slab_options, count) },
		{ .name = "free", .kind = READ_BOOL,
		  .offset = offsetof(struct slab_options, free) },
		{ .name = NULL }
	};
	static const struct read_table table = { "task:slab", fields, false };
	struct op op = { .kind = OP_SLAB };

	op.task = bind_handle_at(L, 1, HANDLE_TASK, "task:slab")->id;
	lua_settop(L, 2);
	if (!(read_table(L, 2, &table, NULL, &options) & 1))
		return host_raise(L, ERR_SCENARIO,
				  "task:slab: how large is an object? "
				  "task:slab { bytes = 192, count = 1000 }");
	op.length = (uint64_t)options.bytes;
	op.count = (uint64_t)options.count;
	op.flags = options.free ? OPF_FREE : 0;
	return bind_task_do(L, &op);
}

static int task_alive(lua_State *L)
{
	lua_pushboolean(L, is_alive(L, bind_handle_at(L, 1, HANDLE_TASK, "task:alive")->id));
	return 1;
}

/* file:drop{ pages, offset }: that part of it, else all of it. */
static int file_drop(lua_State *L)
{
	const struct handle *file = bind_handle_at(L, 1, HANDLE_FILE, "file:drop");
	struct op op = { .kind = OP_FILE_DROP, .object = file->id };

	if (!lua_isnoneornil(L, 2))
		bind_span(L, 2, file->bytes, &op);
	return actor_do(L, &op, outcome_known, 0);
}

const struct bind_function bind_task_methods[] = {
	{ "read", task_read, false },
	{ "write", task_write, false },
	{ "fsync", task_fsync, false },
	{ "lock", bind_task_lock, false },
	{ "open", task_open, false },
	{ "advise", task_advise, false },
	{ "map", task_map, false },
	{ "move", task_move, false },
	{ "exit", task_exit, false },
	{ "fork", task_fork, false },
	{ "exec", task_exec, false },
	{ "slab", task_slab, false },
	{ "alive", task_alive, false },
	{ NULL, NULL, false }
};

const struct bind_function bind_file_methods[] = {
	{ "drop", file_drop, false },
	{ NULL, NULL, false }
};
