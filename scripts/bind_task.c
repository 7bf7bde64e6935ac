/*
 * What tasks do: read files, map and touch anonymous memory, move, exit.
 *
 * An operation of a task that has been killed is no step: it returns false
 * and "killed", as the call that killed it did.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "actor.h"
#include "bind.h"
#include "read.h"

enum { CHUNK_BYTES = 128 << 10 };	/* of a step, unless said */

static const char no_write[] = "writing to files is not modelled yet (dirty pages, writeback)";

const struct refusal bind_task_refused[] = {
	{ "write", no_write },
	{ "lock", "locked pages are not modelled yet" },
	{ "touch", "map memory first: heap = task:map(\"anon\", …), then heap:touch()" },
	{ NULL, NULL }
};

static bool is_alive(lua_State *L, uint32_t id)
{
	struct run_task task;

	return run_task(loaded_of(L)->run, id, &task) && task.alive;
}

static int say_killed(lua_State *L)
{
	lua_pushboolean(L, 0);
	lua_pushliteral(L, "killed");
	return 2;
}

static int outcome_known(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	return actor_outcome(L);
}

/* Options of a read or touch: which bytes, in what order, in steps of what size. */
struct span_options {
	int64_t bytes, pages, offset, chunk, count;
	const char *pattern;
	bool write;
};

enum { SPAN_BYTES, SPAN_PAGES, SPAN_OFFSET, SPAN_CHUNK, SPAN_PATTERN, SPAN_COUNT, SPAN_S,
       SPAN_WRITE };

#define MEMBER(field) .offset = offsetof(struct span_options, field)
#define SPAN_FIELDS \
	[SPAN_BYTES] = { .name = "bytes", .kind = READ_SIZE, MEMBER(bytes), .min = 1, \
			 .max = INT64_MAX }, \
	[SPAN_PAGES] = { .name = "pages", .kind = READ_COUNT, MEMBER(pages), .min = 1, \
			 .max = INT64_MAX / PAGE_BYTES }, \
	[SPAN_OFFSET] = { .name = "offset", .kind = READ_SIZE, MEMBER(offset) }, \
	[SPAN_CHUNK] = { .name = "chunk", .kind = READ_SIZE, MEMBER(chunk), .min = 1, \
			 .max = INT64_MAX }, \
	[SPAN_PATTERN] = { .name = "pattern", .kind = READ_TEXT, MEMBER(pattern) }, \
	[SPAN_COUNT] = { .name = "count", .kind = READ_COUNT, MEMBER(count), .min = 1, \
			 .max = INT64_MAX }, \
	[SPAN_S] = { .name = "s", .kind = READ_OTHER }

static const struct read_field read_fields[] = {
	SPAN_FIELDS,
	[SPAN_WRITE] = { .name = "write", .kind = READ_REFUSED, .reason = no_write },
	{ .name = NULL }
};
static const struct read_field touch_fields[] = {
	SPAN_FIELDS,
	[SPAN_WRITE] = { .name = "write", .kind = READ_BOOL, MEMBER(write) },
	{ .name = NULL }
};
#undef MEMBER
#undef SPAN_FIELDS

static const struct { const char *word; enum op_pattern pattern; } patterns[] = {
	{ "seq", PATTERN_SEQ }, { "uniform", PATTERN_UNIFORM }, { "zipf", PATTERN_ZIPF },
};

static enum op_pattern find_pattern(lua_State *L, const char *word)
{
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		if (!strcmp(patterns[i].word, word))
			return patterns[i].pattern;
	host_raise(L, ERR_SCENARIO, "pattern: \"%.80s\" is none of seq, uniform, zipf", word);
	return PATTERN_SEQ;
}

/* The exponent in thousandths, the only number that may have a fraction. */
static int64_t read_exponent(lua_State *L, int table)
{
	double exponent, thousandths;

	lua_pushliteral(L, "s");
	lua_rawget(L, table);
	exponent = lua_tonumber(L, -1);
	thousandths = nearbyint(exponent * 1000);
	if (!lua_isnumber(L, -1) || !(exponent > 0 && exponent <= 10) ||
	    fabs(exponent * 1000 - thousandths) > 1e-6)
		host_raise(L, ERR_SCENARIO,
			   "s: the zipf exponent is a number up to 10 with three decimals");
	lua_pop(L, 1);
	return (int64_t)thousandths;
}

/* Pages are drawn at random: how many, and how. */
static void read_random(lua_State *L, uint32_t given, const struct span_options *options,
			struct op *op)
{
	if (!(given & 1 << SPAN_COUNT))
		host_raise(L, ERR_SCENARIO, "count: say how many pages to draw: count = 1000");
	if (op->offset % PAGE_BYTES)
		host_raise(L, ERR_SCENARIO, "offset: random pages begin at a whole page");
	op->count = (uint64_t)options->count;
	if (op->pattern == PATTERN_ZIPF)
		op->value = given & 1 << SPAN_S ? read_exponent(L, 3) : 1000;
}

/* Reads the options at 3 into @op, for an object of @size bytes. */
static void read_span(lua_State *L, const struct read_table *table, bytes_t size, struct op *op)
{
	struct span_options options = { .chunk = CHUNK_BYTES, .pattern = "seq" };
	uint32_t given;

	lua_settop(L, 3);
	given = read_table(L, 3, table, NULL, &options);
	if (given & 1 << SPAN_BYTES && given & 1 << SPAN_PAGES)
		host_raise(L, ERR_SCENARIO, "pages: give bytes or pages, not both");
	if (given & 1 << SPAN_PAGES)
		options.bytes = options.pages * PAGE_BYTES;
	op->offset = (uint64_t)options.offset;
	if (op->offset >= size)
		host_raise(L, ERR_RANGE, "offset: %" PRIu64 " is not within the %" PRIu64 " bytes",
			   op->offset, size);
	if (!options.bytes)
		options.bytes = (int64_t)(size - op->offset);
	op->length = (uint64_t)options.bytes;
	if (op->length > size - op->offset)
		host_raise(L, ERR_RANGE,
			   "bytes: %" PRIu64 " from %" PRIu64 " on are more than "
			   "the %" PRIu64 " there are",
			   op->length, op->offset, size);
	op->chunk = (uint64_t)options.chunk;
	op->pattern = find_pattern(L, options.pattern);
	if (op->pattern != PATTERN_SEQ)
		read_random(L, given, &options, op);
	else if (given & (1 << SPAN_COUNT | 1 << SPAN_S))
		host_raise(L, ERR_SCENARIO, "count: goes with pattern = \"uniform\" or \"zipf\"");
	if (options.write)
		op->flags |= OPF_WRITE;
}

static int task_read(lua_State *L)
{
	static const struct read_table table = { "task:read", read_fields, false };
	const struct handle *task = bind_handle_at(L, 1, HANDLE_TASK, "task:read");
	const struct handle *file = bind_handle_at(L, 2, HANDLE_FILE, "task:read");
	struct op op = { .kind = OP_READ, .task = task->id, .object = file->id };

	read_span(L, &table, file->bytes, &op);
	return is_alive(L, task->id) ? actor_do(L, &op, outcome_known, 0) : say_killed(L);
}

/* task:map("anon", {pages|bytes}) */

static int map_made(lua_State *L, int status, lua_KContext ctx)
{
	const struct actor *actor = loaded_of(L)->current;
	struct handle *handle;

	(void)status;
	(void)ctx;
	handle = bind_handle_push(L, HANDLE_MAP, actor->last.id, actor->op.name);
	handle->task = actor->op.task;
	handle->bytes = actor->op.length;
	return 1;
}

static const struct read_field map_fields[] = {
	{ .name = "bytes", .kind = READ_SIZE, .offset = offsetof(struct span_options, bytes),
	  .min = 1, .max = INT64_C(1) << 43 },
	{ .name = "pages", .kind = READ_COUNT, .offset = offsetof(struct span_options, pages),
	  .min = 1, .max = INT64_C(1) << 31 },
	{ .name = NULL }
};

static int task_map(lua_State *L)
{
	static const struct read_table table = { "task:map", map_fields, false };
	const struct handle *task = bind_handle_at(L, 1, HANDLE_TASK, "task:map");
	struct span_options options = { 0 };
	struct op op = { .kind = OP_MAP_ANON, .task = task->id };
	uint32_t given;

	lua_settop(L, 3);
	bind_name(L, 2, "task:map", op.name);
	if (strcmp(op.name, "anon") != 0)
		return host_raise(L, ERR_SCENARIO,
				  "task:map: \"%s\" is not modelled yet; \"anon\" is", op.name);
	given = read_table(L, 3, &table, NULL, &options);
	if (given != 1 && given != 2)
		return host_raise(L, ERR_SCENARIO,
				  "task:map: give pages or bytes: "
				  "task:map(\"anon\", { pages = 64 })");
	op.length = given == 1 ? (uint64_t)options.bytes : (uint64_t)options.pages * PAGE_BYTES;
	if (!is_alive(L, task->id))
		return host_raise(L, ERR_SCENARIO, "task:map: task \"%s\" has ended", task->name);
	return actor_do(L, &op, map_made, 0);
}

static int task_move(lua_State *L)
{
	const struct handle *task = bind_handle_at(L, 1, HANDLE_TASK, "task:move");
	struct op op = { .kind = OP_TASK_MOVE, .task = task->id };

	op.object = bind_handle_at(L, 2, HANDLE_GROUP, "task:move")->id;
	return is_alive(L, task->id) ? actor_do(L, &op, outcome_known, 0) : say_killed(L);
}

static int task_exit(lua_State *L)
{
	const struct handle *task = bind_handle_at(L, 1, HANDLE_TASK, "task:exit");
	struct op op = { .kind = OP_TASK_EXIT, .task = task->id };

	return is_alive(L, task->id) ? actor_do(L, &op, outcome_known, 0) : say_killed(L);
}

static int task_alive(lua_State *L)
{
	lua_pushboolean(L, is_alive(L, bind_handle_at(L, 1, HANDLE_TASK, "task:alive")->id));
	return 1;
}

static int map_touch(lua_State *L)
{
	static const struct read_table table = { "heap:touch", touch_fields, false };
	const struct handle *map = bind_handle_at(L, 1, HANDLE_MAP, "heap:touch");
	struct op op = { .kind = OP_TOUCH, .task = map->task, .object = map->id };

	lua_settop(L, 2);
	lua_pushvalue(L, 2); /* read_span looks for the options at 3 */
	read_span(L, &table, map->bytes, &op);
	return is_alive(L, map->task) ? actor_do(L, &op, outcome_known, 0) : say_killed(L);
}

static int map_drop(lua_State *L)
{
	const struct handle *map = bind_handle_at(L, 1, HANDLE_MAP, "heap:drop");
	struct op op = { .kind = OP_UNMAP, .task = map->task, .object = map->id };

	return is_alive(L, map->task) ? actor_do(L, &op, outcome_known, 0) : say_killed(L);
}

static int file_drop(lua_State *L)
{
	struct op op = { .kind = OP_FILE_DROP };

	op.object = bind_handle_at(L, 1, HANDLE_FILE, "file:drop")->id;
	return actor_do(L, &op, outcome_known, 0);
}

const struct bind_function bind_task_methods[] = {
	{ "read", task_read, false },
	{ "map", task_map, false },
	{ "move", task_move, false },
	{ "exit", task_exit, false },
	{ "alive", task_alive, false },
	{ NULL, NULL, false }
};

const struct bind_function bind_map_methods[] = {
	{ "touch", map_touch, false },
	{ "drop", map_drop, false },
	{ NULL, NULL, false }
};

const struct bind_function bind_file_methods[] = {
	{ "drop", file_drop, false },
	{ NULL, NULL, false }
};
