/*
 * Memory that a task has mapped: anonymous, or a file's.  A mapping is used
 * and given up by the task that made it, through its handle.
 */
#include <string.h>

#include <lauxlib.h>

#include "actor.h"
#include "bind.h"
#include "inherited.h"
#include "read.h"

static int map_made(lua_State *L, int status, lua_KContext ctx)
{
	const struct actor *actor = loaded_of(L)->current;
	struct handle *handle;

	(void)status;
	handle = bind_handle_push(L, HANDLE_MAP, actor->last.id, actor->op.name);
	handle->task = actor->op.task;
	handle->of_file = actor->op.kind != OP_MAP_ANON;
	handle->bytes = (bytes_t)ctx;
	return 1;
}

struct map_options {
	int64_t bytes, pages, open;
	bool random, sequential, exec;
};

#define MEMBER(field) .offset = offsetof(struct map_options, field)
static const struct read_field anon_fields[] = {
	{ .name = "bytes", .kind = READ_SIZE, MEMBER(bytes), .min = 1, .max = INT64_C(1) << 43 },
	{ .name = "pages", .kind = READ_COUNT, MEMBER(pages), .min = 1, .max = INT64_C(1) << 31 },
	{ .name = NULL }
};
static const struct read_field file_fields[] = {
	{ .name = "random", .kind = READ_BOOL, MEMBER(random) },
	{ .name = "sequential", .kind = READ_BOOL, MEMBER(sequential) },
	{ .name = "exec", .kind = READ_BOOL, MEMBER(exec) },
	{ .name = "open", .kind = READ_COUNT, MEMBER(open), .min = 0, .max = 1000 },
	{ .name = NULL }
};
#undef MEMBER

static int map_anon(lua_State *L, uint32_t task)
{
	static const struct read_table table = { "task:map", anon_fields, false };
	struct map_options options = { 0 };
	struct op op = { .kind = OP_MAP_ANON, .task = task };
	uint32_t given;

	bind_name(L, 2, "task:map", op.name);
	if (strcmp(op.name, "anon") != 0)
		return host_raise(L, ERR_SCENARIO,
				  "task:map: \"%s\" is not modelled yet; \"anon\" and files are",
				  op.name);
	given = read_table(L, 3, &table, NULL, &options);
	if (given != 1 && given != 2)
		return host_raise(L, ERR_SCENARIO,
				  "task:map: give pages or bytes: "
				  "task:map(\"anon\", { pages = 64 })");
	op.length = given == 1 ? (uint64_t)options.bytes : (uint64_t)options.pages * PAGE_BYTES;
	return actor_do(L, &op, map_made, (lua_KContext)op.length);
}

static int map_file(lua_State *L, uint32_t task)
{
	static const struct read_table table = { "task:map", file_fields, false };
	const struct handle *file = bind_handle_at(L, 2, HANDLE_FILE, "task:map");
	struct map_options options = { 0 };
	struct op op = { .kind = OP_MAP_FILE, .task = task, .object = file->id };

	memcpy(op.name, file->name, sizeof(op.name));
	read_table(L, 3, &table, NULL, &options);
	op.flags = (options.random ? OPF_RANDOM : 0) | (options.exec ? OPF_EXEC : 0) |
		   (options.sequential ? OPF_SEQUENTIAL : 0);
	op.handle = (uint32_t)options.open;
	return actor_do(L, &op, map_made, (lua_KContext)file->bytes);
}

int bind_map_do(lua_State *L, const struct op *op, bytes_t bytes)
{
	return actor_do(L, op, map_made, (lua_KContext)bytes);
}

int bind_map_make(lua_State *L, uint32_t task)
{
	lua_settop(L, 3);
	return lua_type(L, 2) == LUA_TUSERDATA ? map_file(L, task) : map_anon(L, task);
}

/* An op of the mapping at 1, by the task that made it. */
static struct op map_op(lua_State *L, enum op_kind kind, const char *what)
{
	const struct handle *map = bind_handle_at(L, 1, HANDLE_MAP, what);

	return (struct op){ .kind = kind, .task = map->task, .object = map->id };
}

static int map_touch(lua_State *L)
{
	const struct handle *map = bind_handle_at(L, 1, HANDLE_MAP, "heap:touch");
	struct op op = map_op(L, OP_TOUCH, "heap:touch");

	bind_span(L, 2, map->bytes, &op);
	return bind_task_do(L, &op);
}

/* heap:advise(word, { pages, offset }) */
static int map_advise(lua_State *L)
{
	const struct handle *map = bind_handle_at(L, 1, HANDLE_MAP, "heap:advise");
	struct op op = map_op(L, OP_MADVISE, "heap:advise");
	char word[OP_NAME_MAX];

	bind_name(L, 2, "heap:advise", word);
	bind_span(L, 3, map->bytes, &op);
	for (op.value = 0; op.value < NR_MADVICES; op.value++)
		if (strcmp(madvice_name((enum madvice)op.value), word) == 0)
			return bind_task_do(L, &op);
	return host_raise(L, ERR_SCENARIO,
			  "heap:advise: \"%s\" is none of normal, random, sequential, willneed, "
			  "dontneed, free, cold, pageout",
			  word);
}

static int map_lock(lua_State *L)
{
	struct op op = map_op(L, OP_MLOCK, "heap:lock");

	bind_span(L, 2, bind_handle_at(L, 1, HANDLE_MAP, "heap:lock")->bytes, &op);
	return bind_task_do(L, &op);
}

static int map_unlock(lua_State *L)
{
	struct op op = map_op(L, OP_MUNLOCK, "heap:unlock");

	bind_span(L, 2, bind_handle_at(L, 1, HANDLE_MAP, "heap:unlock")->bytes, &op);
	return bind_task_do(L, &op);
}

static int map_drop(lua_State *L)
{
	struct op op = map_op(L, OP_UNMAP, "heap:drop");

	return bind_task_do(L, &op);
}

/* heap:of(child): the same memory as the child has it. */
static int map_of(lua_State *L)
{
	const struct handle *map = bind_handle_at(L, 1, HANDLE_MAP, "heap:of");
	const struct handle *task = bind_handle_at(L, 2, HANDLE_TASK, "heap:of");
	uint32_t id = run_inherited(loaded_of(L)->run, task->id, map->id);
	struct handle *handle;

	if (!id)
		return host_raise(L, ERR_SCENARIO,
				  "heap:of: \"%s\" was not forked while its parent had \"%s\"",
				  task->name, map->name);
	handle = bind_handle_push(L, HANDLE_MAP, id, map->name);
	handle->task = task->id;
	handle->of_file = map->of_file;
	handle->bytes = map->bytes;
	return 1;
}

const struct bind_function bind_map_methods[] = {
	{ "touch", map_touch, false },
	{ "advise", map_advise, false },
	{ "lock", map_lock, false },
	{ "unlock", map_unlock, false },
	{ "drop", map_drop, false },
	{ "of", map_of, false },
	{ NULL, NULL, false }
};
