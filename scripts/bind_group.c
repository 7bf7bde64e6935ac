/*
 * Groups: lab.group(path, {…}), group:group, group:set, group:reclaim, group:force_empty,
 * group:stat, group:remove.
 * Which of the options a kernel has is known to the engine, which refuses the others.
 *
 * A path is walked from its first component each time an op has been done,
 * so what exists is always asked of the run, never remembered here.
 */
#include <inttypes.h>
#include <string.h>

#include <lauxlib.h>

#include "actor.h"
#include "bind.h"
#include "figures.h"
#include "read.h"

struct group_options {
	int64_t limit, swappiness, min, low, high, soft, memsw, swap_max, move_charge;
	bool hierarchy, oom_disable, oom_group, account;
};

#define MEMBER(field) .offset = offsetof(struct group_options, field)
static const struct read_field fields[] = {	/* the first rows are the bits of group_conf.set */
	{ .name = "limit", .kind = READ_SIZE, MEMBER(limit) },
	{ .name = "swappiness", .kind = READ_COUNT, MEMBER(swappiness), .min = 0, .max = 200 },
	{ .name = "hierarchy", .kind = READ_BOOL, MEMBER(hierarchy) },
	{ .name = "oom_disable", .kind = READ_BOOL, MEMBER(oom_disable) },
	{ .name = "min", .kind = READ_SIZE, MEMBER(min) },
	{ .name = "low", .kind = READ_SIZE, MEMBER(low) },
	{ .name = "high", .kind = READ_SIZE, MEMBER(high) },
	{ .name = "oom_group", .kind = READ_BOOL, MEMBER(oom_group) },
	{ .name = "soft", .kind = READ_SIZE, MEMBER(soft) },
	{ .name = "memsw", .kind = READ_SIZE, MEMBER(memsw) },
	{ .name = "swap_max", .kind = READ_SIZE, MEMBER(swap_max) },
	{ .name = "move_charge", .kind = READ_COUNT, MEMBER(move_charge), .min = 0, .max = 3 },
	{ .name = "account", .kind = READ_BOOL, MEMBER(account) },
	{ .name = NULL }
};
#undef MEMBER

/* The options at @index, which may be missing, as the engine takes them. */
static struct group_conf read_conf(lua_State *L, int index, const char *what)
{
	const struct read_table table = { what, fields, false };
	const struct era *era = &loaded_of(L)->machine.era;
	struct group_options options = { 0 };
	struct group_conf conf = { 0 };

	conf.set = read_table(L, index, &table, NULL, &options);
	conf.limit_pages = era_limit_pages(era, (bytes_t)options.limit);
	conf.min_pages = era_limit_pages(era, (bytes_t)options.min);
	conf.low_pages = era_limit_pages(era, (bytes_t)options.low);
	conf.high_pages = era_limit_pages(era, (bytes_t)options.high);
	conf.soft_pages = era_limit_pages(era, (bytes_t)options.soft);
	conf.memsw_pages = era_limit_pages(era, (bytes_t)options.memsw);
	conf.swap_max_pages = era_limit_pages(era, (bytes_t)options.swap_max);
	conf.move_charge = (uint32_t)options.move_charge;
	conf.oom_group = options.oom_group;
	conf.swappiness = options.swappiness;
	conf.hierarchy = options.hierarchy;
	conf.oom_disable = options.oom_disable;
	conf.account = options.account;
	return conf;
}

/* How far a path has been walked. */
struct walk {
	char full[GROUP_PATH_MAX];	/* path of @parent and what was found below it */
	const char *rest;		/* what is still to be made */
	uint32_t id;			/* of @full */
};

/* One component of a path, without its slash; raises if it is odd. */
static size_t component(lua_State *L, const char *path, const char *at)
{
	size_t length = strcspn(at, "/");

	if (!length || length >= OP_NAME_MAX || (length <= 2 && strspn(at, ".") >= length))
		host_raise(
			L, ERR_SCENARIO,
			"group \"%.200s\": a path is made of names between slashes: \"jobs/cat\"",
			path);
	return length;
}

/* Follow @walk->rest as far as groups exist. */
static void walk_existing(lua_State *L, const char *path, struct walk *walk)
{
	const struct run *run = loaded_of(L)->run;

	while (*walk->rest) {
		size_t length = component(L, path, walk->rest), used = strlen(walk->full);
		uint32_t id;

		if (used + length + 2 > sizeof(walk->full))
			host_raise(L, ERR_SCENARIO, "group \"%.80s…\": the path is too long", path);
		if (used)
			walk->full[used++] = '/';
		memcpy(walk->full + used, walk->rest, length);
		walk->full[used + length] = '\0';
		id = run_memcg_find(run, walk->full);
		if (!id)
			break;
		walk->id = id;
		walk->rest += length + (walk->rest[length] == '/');
	}
}

static int group_step(lua_State *L, int status, lua_KContext ctx);

/* Stack: parent's css id, path, options, and after the first op: true. */
static int group_go_on(lua_State *L, bool first)
{
	uint32_t parent = (uint32_t)lua_tointeger(L, 1);
	const char *path = lua_tostring(L, 2);
	struct walk walk = { .rest = path, .id = parent };
	struct op op = { .kind = OP_GROUP_NEW };
	struct run_memcg memcg;
	size_t length;

	if (run_memcg(loaded_of(L)->run, parent, &memcg))
		memcpy(walk.full, memcg.path, sizeof(walk.full));
	walk_existing(L, path, &walk);
	if (!*walk.rest && first)
		return host_raise(L, ERR_SCENARIO, "group \"%s\": there is such a group already",
				  walk.full);
	if (!*walk.rest) {
		bind_handle_push(L, HANDLE_GROUP, walk.id,
				 strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
		return 1;
	}
	length = component(L, path, walk.rest);
	memcpy(op.name, walk.rest, length);
	op.object = walk.id;
	if (!walk.rest[length])
		op.group = read_conf(L, 3, "group");
	return actor_do(L, &op, group_step, 0);
}

static int group_step(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	return group_go_on(L, false);
}

int bind_group_make(lua_State *L, uint32_t parent, int index)
{
	size_t length;
	const char *path;

	lua_settop(L, index + 1);
	if (lua_type(L, index) != LUA_TSTRING)
		return host_raise(L, ERR_SCENARIO,
				  "group: a path is expected: \"jobs/cat\", "
				  "not a %s",
				  luaL_typename(L, index));
	path = lua_tolstring(L, index, &length);
	if (!length || strlen(path) != length || path[length - 1] == '/')
		component(L, path, "");
	read_conf(L, index + 1, "group"); /* refuse before anything is made */
	lua_pushinteger(L, parent);
	lua_insert(L, index);
	if (index > 1)
		lua_remove(L, 1); /* the handle */
	return group_go_on(L, true);
}

static int group_group(lua_State *L)
{
	const struct handle *group = bind_handle_at(L, 1, HANDLE_GROUP, "group:group");

	return bind_group_make(L, group->id, 2);
}

static int outcome_known(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	return actor_outcome(L);
}

static int group_set(lua_State *L)
{
	struct op op = { .kind = OP_GROUP_SET };

	op.object = bind_handle_at(L, 1, HANDLE_GROUP, "group:set")->id;
	op.group = read_conf(L, 2, "group:set");
	if (!op.group.set)
		return host_raise(L, ERR_SCENARIO,
				  "group:set: nothing to set; write group:set { limit = \"90M\" }");
	return actor_do(L, &op, outcome_known, 0);
}

/* Some pages were freed, but fewer than asked for. */
static int reclaim_known(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	lua_pushboolean(L, loaded_of(L)->current->last.outcome == OP_DONE);
	if (lua_toboolean(L, -1))
		return 1;
	lua_pushliteral(L, "EAGAIN");
	return 2;
}

static int group_reclaim(lua_State *L)
{
	struct op op = { .kind = OP_RECLAIM };

	op.object = bind_handle_at(L, 1, HANDLE_GROUP, "group:reclaim")->id;
	op.length = (uint64_t)read_number(L, 2, READ_SIZE, "group:reclaim", NULL);
	return actor_do(L, &op, reclaim_known, 0);
}

/* What r.group would show of it now; no step. */
static int group_stat(lua_State *L)
{
	const struct handle *group = bind_handle_at(L, 1, HANDLE_GROUP, "group:stat");
	struct run_memcg memcg;

	if (!run_memcg(loaded_of(L)->run, group->id, &memcg))
		return host_raise(L, ERR_SCENARIO, "group:stat: \"%s\" has been removed",
				  group->name);
	figures_push_group(L, loaded_of(L)->run, &memcg);
	return 1;
}

static int group_remove(lua_State *L)
{
	struct op op = { .kind = OP_GROUP_REMOVE };

	op.object = bind_handle_at(L, 1, HANDLE_GROUP, "group:remove")->id;
	return actor_do(L, &op, outcome_known, 0);
}

static int group_force_empty(lua_State *L)
{
	struct op op = { .kind = OP_FORCE_EMPTY };

	op.object = bind_handle_at(L, 1, HANDLE_GROUP, "group:force_empty")->id;
	return actor_do(L, &op, outcome_known, 0);
}

static int stat_known(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	lua_pushinteger(L, (lua_Integer)loaded_of(L)->current->last.done_pages);
	return 1;
}

/* group:read_stat(): counters that a read of memory.stat looks at */
static int group_read_stat(lua_State *L)
{
	struct op op = { .kind = OP_STAT_READ };

	op.object = bind_handle_at(L, 1, HANDLE_GROUP, "group:read_stat")->id;
	return actor_do(L, &op, stat_known, 0);
}

const struct bind_function bind_group_methods[] = {
	{ "group", group_group, false },
	{ "set", group_set, false },
	{ "reclaim", group_reclaim, false },
	{ "stat", group_stat, false },
	{ "read_stat", group_read_stat, false },
	{ "force_empty", group_force_empty, false },
	{ "remove", group_remove, false },
	{ NULL, NULL, false }
};
