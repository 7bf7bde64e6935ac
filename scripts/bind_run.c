/*
 * lab: the machine, its groups, tasks and files, and marks on the time line.
 *
 * A function that acts is called through enter(), which waits for the run to
 * be opened: a setup that begins with anything but lab.machine{} gets the
 * default machine.
 */
#include "bind.h"

#include <inttypes.h>
#include <string.h>

#include <lauxlib.h>

#include "actor.h"
#include "figures.h"
#include "guard.h"
#include "order.h"
#include "read.h"

/* Only setup and run have an actor whose turn it is. */
static void check_acting(lua_State *L, const char *name)
{
	const struct actor *actor = loaded_of(L)->current;

	/* The thread of an actor that has ended may be another's by now. */
	if (!actor || actor->ended || actor->co != L)
		host_raise(L, ERR_SCENARIO, "%s: only setup and run may act on the machine", name);
}

static int enter_again(lua_State *L, int status, lua_KContext ctx)
{
	const struct bind_function *function = (const struct bind_function *)ctx;

	(void)status;
	return function->call(L);
}

static int enter(lua_State *L)
{
	const struct bind_function *function = lua_touserdata(L, lua_upvalueindex(1));

	check_acting(L, function->name);
	if (!loaded_of(L)->run && !function->early)
		return actor_need_machine(L, enter_again, (lua_KContext)function);
	return function->call(L);
}

void bind_functions(lua_State *L, const struct bind_function *functions)
{
	for (; functions->name; functions++) {
		lua_pushlightuserdata(L, (void *)functions);
		lua_pushcclosure(L, enter, 1);
		lua_setfield(L, -2, functions->name);
	}
}

void bind_name(lua_State *L, int index, const char *what, char out[OP_NAME_MAX])
{
	const char *name;

	if (lua_type(L, index) != LUA_TSTRING)
		host_raise(L, ERR_SCENARIO, "%s: a text is expected, not a %s", what,
			   luaL_typename(L, index));
	name = lua_tostring(L, index);
	if (strlen(name) != lua_rawlen(L, index))
		host_raise(L, ERR_SCENARIO,
			   "%s: \"%.60s\" goes on behind a zero byte: leave it out", what, name);
	if (!*name || strlen(name) >= OP_NAME_MAX)
		host_raise(L, ERR_SCENARIO, "%s: \"%.80s\" is %s: 1 to %d bytes are accepted", what,
			   name, *name ? "too long" : "empty", OP_NAME_MAX - 1);
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			host_raise(L, ERR_SCENARIO, "%s: control characters are refused", what);
	strcpy(out, name);
}

/* lab.machine{} */

struct machine_options {
	int64_t ram, sections, cpus, page, swap, nodes;
	const char *ranges, *arch;
	bool flat, zones, huge_pages, locks;
};

enum { MACHINE_RAM, MACHINE_RANGES, MACHINE_SECTIONS, MACHINE_CPUS, MACHINE_PAGE, MACHINE_ARCH,
       MACHINE_FLAT, MACHINE_KNOBS, MACHINE_SWAP, MACHINE_ZONES, MACHINE_HUGE_PAGES,
       MACHINE_LOCKS, MACHINE_NODES };

#define MEMBER(field) .offset = offsetof(struct machine_options, field)
static const struct read_field machine_fields[] = {
	[MACHINE_RAM] = { .name = "ram", .kind = READ_SIZE, MEMBER(ram), .min = PAGE_BYTES,
			  .max = INT64_C(1) << 44 },
	[MACHINE_RANGES] = { .name = "ranges", .kind = READ_TEXT, MEMBER(ranges) },
	[MACHINE_SECTIONS] = { .name = "sections", .kind = READ_COUNT, MEMBER(sections), .min = 1,
			       .max = 1 << 20 },
	[MACHINE_CPUS] = { .name = "cpus", .kind = READ_COUNT, MEMBER(cpus), .min = 1,
			   .max = CPUS_MAX },
	[MACHINE_PAGE] = { .name = "page", .kind = READ_SIZE, MEMBER(page) },
	[MACHINE_ARCH] = { .name = "arch", .kind = READ_TEXT, MEMBER(arch) },
	[MACHINE_FLAT] = { .name = "flat", .kind = READ_BOOL, MEMBER(flat) },
	[MACHINE_KNOBS] = { .name = "knobs", .kind = READ_OTHER },
	[MACHINE_SWAP] = { .name = "swap", .kind = READ_SIZE, MEMBER(swap), .min = 0,
			   .max = INT64_C(1) << 43 },
	[MACHINE_ZONES] = { .name = "zones", .kind = READ_BOOL, MEMBER(zones) },
	[MACHINE_HUGE_PAGES] = { .name = "huge_pages", .kind = READ_BOOL, MEMBER(huge_pages) },
	[MACHINE_LOCKS] = { .name = "locks", .kind = READ_BOOL, MEMBER(locks) },
	[MACHINE_NODES] = { .name = "nodes", .kind = READ_COUNT, MEMBER(nodes), .min = 1,
			    .max = NODES_MAX },
	{ .name = "devices", .kind = READ_REFUSED,
	  .reason = "there is one disk and one swap: knobs io_ns, write_ns, swap_ns time them" },
	{ .name = NULL }
};
#undef MEMBER

/* The knobs' table is on top of the stack. */
static void read_knobs(lua_State *L, struct scenario *machine)
{
	struct diag diag = { 0 };
	const char **names;

	if (!lua_istable(L, -1))
		host_raise(L, ERR_SCENARIO, "knobs: a table is expected: { fault_ns = 800 }");
	names = order_names(L, -1);
	for (size_t i = 0; names[i]; i++) {
		int64_t value;

		lua_getfield(L, -2, names[i]);
		value = read_number(L, lua_gettop(L), READ_COUNT, names[i], NULL);
		lua_pop(L, 1);
		if (knob_set(&machine->era.knobs, names[i], value, &diag))
			host_raise(L, ERR_SCENARIO, "knobs: %s", diag.text);
	}
	lua_pop(L, 1);
}

/* Which memory there is: at most one of ram and ranges; sections may stand beside either. */
static enum err read_memory(const struct machine_options *options, uint32_t given,
			    struct pcg_machine *memory, struct diag *diag)
{
	bool has_ram = given & 1 << MACHINE_RAM, has_ranges = given & 1 << MACHINE_RANGES;
	enum err err = ERR_OK;

	if (has_ram && has_ranges)
		return diag_fail(diag, ERR_USAGE, "ranges: give ram or ranges, not both");
	if (given & 1 << MACHINE_ARCH)
		err = pcg_arch_find(options->arch, &memory->arch, diag);
	if (!err && (has_ram || has_ranges))
		memory->sections = 0;
	if (!err && has_ram)
		err = pcg_machine_ram(memory, (bytes_t)options->ram, diag);
	if (!err && has_ranges)
		err = pcg_machine_ranges(memory, options->ranges, diag);
	if (given & 1 << MACHINE_FLAT)
		memory->flat = options->flat;
	if (given & 1 << MACHINE_SECTIONS)
		memory->sections = (uint64_t)options->sections;
	return err ? err : pcg_machine_check(memory, diag);
}

/* Nothing is to be said when it is done. */
static int op_done(lua_State *L, int status, lua_KContext ctx)
{
	(void)L;
	(void)status;
	(void)ctx;
	return 0;
}

static int lab_machine(lua_State *L)
{
	static const struct read_table table = { "lab.machine", machine_fields, false };
	struct script *script = loaded_of(L);
	struct scenario *machine = &script->machine;
	struct machine_options options = { .page = PAGE_BYTES };
	struct diag diag = { 0 };
	uint32_t given;

	if (script->run || script->machine_told || machine->locks)
		return host_raise(L, ERR_SCENARIO, "lab.machine: %s",
				  script->machine_told ? "there is one machine; call it once"
						       : "call it before anything else in setup");
	given = read_table(L, 1, &table, NULL, &options);
	if (options.page != PAGE_BYTES)
		return host_raise(L, ERR_SCENARIO, "page: only pages of 4K are modelled");
	if (read_memory(&options, given, &machine->memory, &diag))
		return host_raise(L, ERR_SCENARIO, "%s", diag.text);
	if (given & 1 << MACHINE_CPUS)
		machine->cpus = (uint32_t)options.cpus;
	machine->swap_pages = units_pages((bytes_t)options.swap);
	if (given & 1 << MACHINE_NODES)
		machine->nodes = (uint32_t)options.nodes;
	machine->zones = options.zones;
	machine->huge_pages = options.huge_pages;
	machine->locks = options.locks;
	if (given & 1 << MACHINE_KNOBS) {
		lua_getfield(L, 1, "knobs");
		read_knobs(L, machine);
	}
	if (scenario_validate(machine, &diag))
		return host_raise(L, ERR_SCENARIO, "lab.machine: %s", diag.text);
	script->machine_told = true;
	/* It is opened by the first call that acts on it: lab.lock may still have a word. */
	return 0;
}

/* lab.group(path, {…}) */
static int lab_group(lua_State *L)
{
	return bind_group_make(L, 1, 1);
}

/* lab.task(name, {group, cpu, oom_score_adj, threads}): threads that it clones in its group. */

static int task_made(lua_State *L, int status, lua_KContext ctx)
{
	const struct actor *actor = loaded_of(L)->current;

	(void)status;
	(void)ctx;
	bind_handle_push(L, HANDLE_TASK, actor->last.id, actor->op.name);
	return 1;
}

struct task_options {
	int64_t cpu, oom_score_adj, oom_adj, threads;
};

#define MEMBER(field) .offset = offsetof(struct task_options, field)
static const struct read_field task_fields[] = {
	{ .name = "cpu", .kind = READ_COUNT, MEMBER(cpu) },
	{ .name = "oom_score_adj", .kind = READ_COUNT, MEMBER(oom_score_adj), .min = -1000,
	  .max = 1000 },
	{ .name = "oom_adj", .kind = READ_COUNT, MEMBER(oom_adj), .min = -17, .max = 15 },
	{ .name = "group", .kind = READ_OTHER },
	{ .name = "threads", .kind = READ_COUNT, MEMBER(threads), .max = 1 << 16 },
	{ .name = NULL }
};
#undef MEMBER

static int lab_task(lua_State *L)
{
	const struct script *script = loaded_of(L);
	bool shift = strcmp(era_value_name(&script->machine.era, AXIS_OOM_SCORE), "badness") == 0;
	static const struct read_table table = { "lab.task", task_fields, false };
	struct task_options options = { 0 };
	struct op op = { .kind = OP_TASK_NEW, .object = 1 };

	lua_settop(L, 2);
	bind_name(L, 1, "lab.task: name", op.name);
	read_table(L, 2, &table, NULL, &options);
	if (options.cpu >= script->machine.cpus)
		return host_raise(L, ERR_RANGE,
				  "cpu: %" PRId64 " is out of range (0 to %" PRIu32 ")",
				  options.cpu, script->machine.cpus - 1);
	if (shift ? options.oom_score_adj : options.oom_adj)
		return host_raise(L, ERR_SCENARIO, "lab.task: this kernel has no %s but %s",
				  shift ? "oom_score_adj" : "oom_adj",
				  shift ? "oom_adj" : "oom_score_adj");
	op.cpu = (uint32_t)options.cpu;
	op.count = (uint64_t)options.threads;
	op.value = shift ? options.oom_adj : options.oom_score_adj;
	if (lua_istable(L, 2) && lua_getfield(L, 2, "group") != LUA_TNIL)
		op.object = bind_handle_at(L, -1, HANDLE_GROUP, "group")->id;
	lua_settop(L, 2);
	return actor_do(L, &op, task_made, 0);
}

/* lab.file(name, {size, sparse, large}) */

static int file_made(lua_State *L, int status, lua_KContext ctx)
{
	const struct actor *actor = loaded_of(L)->current;
	struct handle *handle;

	(void)status;
	(void)ctx;
	handle = bind_handle_push(L, HANDLE_FILE, actor->last.id, actor->op.name);
	handle->bytes = actor->op.length;
	return 1;
}

/* MODEL: sparse files are read at the same cost as others; the word is kept for what it says. */
static int lab_file(lua_State *L)
{
	struct file_options {
		int64_t size;
		bool sparse, large, shmem, ahead;
	} options = { .ahead = true };
	static const struct read_field fields[] = {
		{ .name = "size", .kind = READ_SIZE, .min = 1, .max = INT64_C(1) << 43,
		  .offset = offsetof(struct file_options, size) },
		{ .name = "sparse", .kind = READ_BOOL,
		  .offset = offsetof(struct file_options, sparse) },
		{ .name = "large", .kind = READ_BOOL,
		  .offset = offsetof(struct file_options, large) },
		{ .name = "shmem", .kind = READ_BOOL,
		  .offset = offsetof(struct file_options, shmem) },
		{ .name = "ahead", .kind = READ_BOOL,
		  .offset = offsetof(struct file_options, ahead) },
		{ .name = NULL }
	};
	static const struct read_table table = { "lab.file", fields, false };
	struct op op = { .kind = OP_FILE_NEW };

	lua_settop(L, 2);
	bind_name(L, 1, "lab.file: name", op.name);
	if (!(read_table(L, 2, &table, NULL, &options) & 1))
		return host_raise(L, ERR_SCENARIO, "lab.file: size is missing: { size = \"10G\" }");
	op.length = (uint64_t)options.size;
	op.flags = (options.large ? OPF_LARGE : 0) | (options.shmem ? OPF_SHMEM : 0) |
		   (options.ahead ? 0 : OPF_RANDOM);
	return actor_do(L, &op, file_made, 0);
}

/* lab.mark(text, value) */

static int lab_mark(lua_State *L)
{
	struct op op = { .kind = OP_MARK };

	lua_settop(L, 2);
	bind_name(L, 1, "lab.mark: text", op.name);
	if (!lua_isnil(L, 2))
		op.value = read_number(L, 2, READ_COUNT, "lab.mark: value", NULL);
	figures_keep_mark(L, op.name, op.value);
	return actor_do(L, &op, op_done, 0);
}

/* lab.total(): what r.total would show now; no step */
static int lab_total(lua_State *L)
{
	figures_push_totals(L, loaded_of(L)->run);
	return 1;
}

/* lab.drain(task), lab.drain(): one CPU's queues, or those of all in turn */

static int drain_next(lua_State *L, int status, lua_KContext ctx)
{
	struct op op = { .kind = OP_DRAIN };

	(void)status;
	op.cpu = (uint32_t)ctx;
	if (op.cpu == loaded_of(L)->machine.cpus)
		return 0;
	return actor_do(L, &op, drain_next, ctx + 1);
}

static int lab_drain(lua_State *L)
{
	struct op op = { .kind = OP_DRAIN };

	if (lua_isnoneornil(L, 1))
		return drain_next(L, LUA_OK, 0);
	op.task = bind_handle_at(L, 1, HANDLE_TASK, "lab.drain")->id;
	return actor_do(L, &op, op_done, 0);
}

/* lab.flush(): the groups' statistics are what they are now, whatever was counted late */
static int lab_flush(lua_State *L)
{
	struct op op = { .kind = OP_FLUSH };

	return actor_do(L, &op, op_done, 0);
}

/* lab.axis(NAME): the word of one of the kernel's rules, as in r.axis; no step */
static int lab_axis(lua_State *L)
{
	const char *name = luaL_checkstring(L, 1);

	for (int axis = 0; axis < NR_AXES; axis++)
		if (strcmp(axis_at((enum axis)axis)->name, name) == 0) {
			lua_pushstring(L,
				       era_value_name(&loaded_of(L)->machine.era, (enum axis)axis));
			return 1;
		}
	return host_raise(L, ERR_SCENARIO, "lab.axis: no axis \"%.40s\"; see kernel show", name);
}

static const struct bind_function functions[] = {
	{ "machine", lab_machine, true },
	{ "group", lab_group, false },
	{ "task", lab_task, false },
	{ "file", lab_file, false },
	{ "mark", lab_mark, false },
	{ "drain", lab_drain, false },
	{ "flush", lab_flush, false },
	{ "total", lab_total, false },
	{ "lock", bind_lab_lock, true },
	{ "locks", bind_lab_locks, false },
	{ "axis", lab_axis, false },
	{ NULL, NULL, false }
};

static const struct refusal refused[] = {
	{ "swap", "a device is a matter of the machine: lab.machine { swap = \"500M\" }" },
	{ "now", "there is no clock; lab.at and lab.think take times" },
	{ NULL, NULL }
};

static const struct guard lab_guard = { "lab", refused, NULL };

void bind_lab(lua_State *L)
{
	lua_newtable(L);
	bind_functions(L, functions);
	bind_workload(L);
	bind_rng(L);
	lua_setfield(L, -2, "rng");
	guard_push(L, &lab_guard);
}
