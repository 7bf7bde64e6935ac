/*
 * The vocabulary of a scenario's file: scenario{}, param.TYPE{}, metric{}.
 *
 * A declaration remembers its line and its number; scenario{} sorts by that
 * number, because a Lua table does not keep the order in which its keys were
 * written, and checks each one under the name that the table gives it.
 */
#include "bind.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "guard.h"
#include "kmem.h"
#include "order.h"
#include "sandbox.h"

enum { API_VERSION = 1 };

static const char decl_type[] = "memcglab.declaration";
static const char marker_type[] = "memcglab.scenario";

enum decl_kind { DECL_PARAM, DECL_METRIC };

/* Its first user value is the table that was written behind it. */
struct decl {
	enum decl_kind kind;
	enum param_type type;
	struct place at;
	lua_Integer serial;
};

static int push_decl(lua_State *L, enum decl_kind kind, enum param_type type)
{
	struct decl *decl;

	if (!lua_istable(L, 1))
		return host_raise(L, ERR_SCENARIO, "a declaration is written with braces: %s { … }",
				  kind == DECL_METRIC ? "metric" : param_type_name(type));
	decl = lua_newuserdatauv(L, sizeof(*decl), 1);
	decl->kind = kind;
	decl->type = type;
	host_place(L, &decl->at);
	lua_getfield(L, LUA_REGISTRYINDEX, decl_type);
	lua_rawgeti(L, -1, 1);
	decl->serial = lua_tointeger(L, -1) + 1;
	lua_pop(L, 1);
	lua_pushinteger(L, decl->serial);
	lua_rawseti(L, -2, 1);
	lua_setmetatable(L, -2);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	return 1;
}

static int declare_param(lua_State *L)
{
	return push_decl(L, DECL_PARAM, (enum param_type)lua_tointeger(L, lua_upvalueindex(1)));
}

static int declare_metric(lua_State *L)
{
	return push_decl(L, DECL_METRIC, NR_PARAM_TYPES);
}

/* One entry of params or metrics; the name lives in that table. */
struct entry {
	const char *name;
	struct decl *decl;
};

static int entry_compare(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->decl->serial != b->decl->serial)
		return a->decl->serial < b->decl->serial ? -1 : 1;
	return strcmp(a->name, b->name);
}

static bool is_identifier(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '_')
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_')
			return false;
	return true;
}

/* What a params or metrics table must hold. */
struct entry_rule {
	enum decl_kind kind;
	const char *table;		/* "params" */
	const char *advice;
};

static void check_entry(lua_State *L, const char *name, const struct entry_rule *rule,
			const struct place *at)
{
	const struct decl *decl = luaL_testudata(L, -1, decl_type);
	struct place there = decl ? decl->at : read_key_place(at, name);

	if (!is_identifier(name) || strlen(name) >= PARAM_NAME_MAX)
		host_raise_at(L, &there, ERR_SCENARIO,
			      "%s: \"%.80s\" is no name (letters, digits and _)", rule->table,
			      name);
	if (!decl || decl->kind != rule->kind)
		host_raise_at(L, &there, ERR_SCENARIO, "%s: write %s", name, rule->advice);
}

/* An entry without a name: said at its own line if it is a declaration. */
static void refuse_nameless(lua_State *L, int table, const struct entry_rule *rule,
			    const struct place *at)
{
	const struct decl *decl;

	lua_rawgeti(L, table, 1);
	decl = luaL_testudata(L, -1, decl_type);
	host_raise_at(L, decl ? &decl->at : at, ERR_SCENARIO,
		      "%s: every entry needs a name: name = %s", rule->table, rule->advice);
}

/* Pushes the sorted entries of the table on top of the stack, which stays below. */
static struct entry *sorted_entries(lua_State *L, const struct entry_rule *rule,
				    const struct place *at, size_t *nr)
{
	int table = lua_gettop(L);
	const char **names = order_names(L, table);
	struct entry *entries;
	size_t n = 0;

	if (lua_rawlen(L, table))
		refuse_nameless(L, table, rule, at);
	while (names[n])
		n++;
	entries = lua_newuserdatauv(L, (n + 1) * sizeof(*entries), 0);
	for (size_t i = 0; i < n; i++) {
		lua_pushstring(L, names[i]);
		lua_rawget(L, table);
		check_entry(L, names[i], rule, at);
		entries[i] = (struct entry){ names[i], lua_touserdata(L, -1) };
		lua_pop(L, 1);
	}
	qsort(entries, n, sizeof(*entries), entry_compare);
	*nr = n;
	return entries;
}

/* Pushes the table that was written behind @entry of the table at @table. */
static void push_written(lua_State *L, int table, const struct entry *entry)
{
	lua_pushstring(L, entry->name);
	lua_rawget(L, table);
	lua_getiuservalue(L, -1, 1);
	lua_remove(L, -2);
}

/* The params table is on top of the stack. */
static void read_params(struct script *script, lua_State *L, const struct place *at)
{
	static const struct entry_rule rule = {
		DECL_PARAM, "params", "param.size { \"100M\" }, param.int { 3 } and so on"
	};
	int table = lua_gettop(L);
	const struct entry *entries;
	bool seeded = false;
	size_t nr;

	entries = sorted_entries(L, &rule, at, &nr);
	script->param = calloc(nr + 1, sizeof(*script->param));
	if (!script->param)
		host_raise(L, ERR_LIMIT, "no memory for the parameters");
	for (size_t i = 0; i < nr; i++) {
		struct param *param = &script->param[i];

		strcpy(param->name, entries[i].name);
		param->type = entries[i].decl->type;
		push_written(L, table, &entries[i]);
		param_declare(L, -1, &entries[i].decl->at, param);
		lua_pop(L, 1);
		script->nr_params = i + 1;
		if (param->type != PARAM_SEED)
			continue;
		if (seeded)
			host_raise_at(L, &entries[i].decl->at, ERR_SCENARIO,
				      "%s: a scenario has one seed", param->name);
		seeded = true;
		script->seed = (uint64_t)param->value.integer;
	}
}

struct metric_options {
	const char *unit, *better, *doc;
};

static const struct read_field metric_fields[] = {
	{ .name = "unit", .kind = READ_TEXT, .offset = offsetof(struct metric_options, unit) },
	{ .name = "better", .kind = READ_TEXT, .offset = offsetof(struct metric_options, better) },
	{ .name = "doc", .kind = READ_TEXT, .offset = offsetof(struct metric_options, doc) },
	{ .name = "from", .kind = READ_OTHER },
	{ .name = NULL }
};

/* Names that r has already, beside those of the engine's totals, and the figures of the verdict
 * that every run ends in. */
static const char *const taken[] = {
	"scan", "total", "group", "taken", "task", "mark", "page_cgroup", "kernel", "axis", "lock",
	"series", "spread", "events", "state_hash",
	"verdict", "verdict_group", "usage_pages", "working_set_pages", "can_be_dropped_pages",
	"rss_pages", "cache_pages", "unevictable_pages", "kmem_pages", "stock_pages",
	"queued_pages", "dying_pages",
};

static bool is_taken(const char *name)
{
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!strcmp(taken[i], name))
			return true;
	for (size_t i = 0; i < run_totals_count(); i++)
		if (!strcmp(run_totals_at(i)->name, name))
			return true;
	for (int i = 0; i < NR_KMEM_PARTS; i++) {
		const char *part = kmem_part_name((enum kmem_part)i);

		if (!strncmp(part, name, strlen(part)) && !strcmp(name + strlen(part), "_bytes"))
			return true;
	}
	return false;
}

/* The table of the declaration is on top of the stack. */
static void read_metric(lua_State *L, struct metric_decl *metric)
{
	static const struct read_table table = { "metric", metric_fields, false };
	struct metric_options options = { "", "", "" };

	read_table(L, -1, &table, &metric->at, &options);
	if (is_taken(metric->name))
		host_raise_at(L, &metric->at, ERR_SCENARIO,
			      "%s: every run has a figure of this name; take another",
			      metric->name);
	if (*options.better && strcmp(options.better, "lower") && strcmp(options.better, "higher"))
		host_raise_at(L, &metric->at, ERR_SCENARIO,
			      "better: \"%s\" is neither \"lower\" nor \"higher\"", options.better);
	snprintf(metric->unit, sizeof(metric->unit), "%s", options.unit);
	snprintf(metric->better, sizeof(metric->better), "%s", options.better);
	snprintf(metric->doc, sizeof(metric->doc), "%s", options.doc);
	lua_pushliteral(L, "from");
	if (lua_rawget(L, -2) != LUA_TFUNCTION)
		host_raise_at(L, &metric->at, ERR_SCENARIO,
			      "%s: a metric needs from = function(r) return … end", metric->name);
	metric->from = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* The metrics table is on top of the stack. */
static void read_metrics(struct script *script, lua_State *L, const struct place *at)
{
	static const struct entry_rule rule = {
		DECL_METRIC, "metrics", "metric { unit = \"x\", from = function(r) … end }"
	};
	int table = lua_gettop(L);
	const struct entry *entries;
	size_t nr;

	entries = sorted_entries(L, &rule, at, &nr);
	script->metric_decl = calloc(nr + 1, sizeof(*script->metric_decl));
	if (!script->metric_decl)
		host_raise(L, ERR_LIMIT, "no memory for the metrics");
	for (size_t i = 0; i < nr; i++) {
		struct metric_decl *metric = &script->metric_decl[i];

		strcpy(metric->name, entries[i].name);
		metric->at = entries[i].decl->at;
		push_written(L, table, &entries[i]);
		read_metric(L, metric);
		lua_pop(L, 1);
		script->nr_metric_decls = i + 1;
	}
}

/* The list of kernels is on top of the stack. */
static void read_kernels(struct script *script, lua_State *L, const struct place *at)
{
	struct place there = read_key_place(at, "kernels");
	struct diag diag = { 0 };
	struct era era;

	for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++, lua_pop(L, 1)) {
		if (i > SCRIPT_KERNELS_MAX || lua_type(L, -1) != LUA_TSTRING ||
		    lua_rawlen(L, -1) >= ERA_NAME_MAX)
			host_raise_at(L, &there, ERR_SCENARIO,
				      "kernels: a list of at most %d kernel names is expected",
				      SCRIPT_KERNELS_MAX);
		if (era_find(lua_tostring(L, -1), &era, &diag))
			host_raise_at(L, &there, ERR_SCENARIO, "kernels: %s", diag.text);
		strcpy(script->kernel[script->nr_kernels++], lua_tostring(L, -1));
	}
	lua_pop(L, 1);
	if (!script->nr_kernels)
		host_raise_at(L, &there, ERR_SCENARIO, "kernels: the list is empty");
}

struct scenario_options {
	const char *name, *title;
	int64_t api;
};

static const struct read_field scenario_fields[] = {
	{ .name = "name", .kind = READ_TEXT, .offset = offsetof(struct scenario_options, name) },
	{ .name = "title", .kind = READ_TEXT, .offset = offsetof(struct scenario_options, title) },
	{ .name = "api", .kind = READ_COUNT, .offset = offsetof(struct scenario_options, api) },
	{ .name = "kernels", .kind = READ_OTHER },
	{ .name = "params", .kind = READ_OTHER },
	{ .name = "setup", .kind = READ_OTHER },
	{ .name = "run", .kind = READ_OTHER },
	{ .name = "metrics", .kind = READ_OTHER },
	{ .name = "expect", .kind = READ_OTHER },
	{ .name = "compare", .kind = READ_OTHER },
	{ .name = "watch", .kind = READ_REFUSED,
	  .reason = "not supported yet: there are no keyframes to look at" },
	{ .name = NULL }
};

static const struct {
	const char *key;
	enum script_function function;
	const char *shape;
} functions[] = {
	{ "setup", SCRIPT_SETUP, "function(lab, p) … end" },
	{ "run", SCRIPT_RUN, "function(lab, p, w) … end" },
	{ "expect", SCRIPT_EXPECT, "function(t, r, p, kernel) … end" },
	{ "compare", SCRIPT_COMPARE, "function(t, a, b) … end" },
};

static void read_functions(struct script *script, lua_State *L, const struct place *at)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		struct place there = read_key_place(at, functions[i].key);

		lua_pushstring(L, functions[i].key);
		lua_rawget(L, 1);
		if (lua_isnil(L, -1)) {
			lua_pop(L, 1);
			continue;
		}
		if (!lua_isfunction(L, -1))
			host_raise_at(L, &there, ERR_SCENARIO, "%s: write %s = %s",
				      functions[i].key, functions[i].key, functions[i].shape);
		script->function[functions[i].function] = luaL_ref(L, LUA_REGISTRYINDEX);
	}
}

/* Reads the member @key of the scenario's table, which must be a table if it is there. */
static void read_part(lua_State *L, const char *key, const struct place *at,
		      void (*read)(struct script *, lua_State *, const struct place *))
{
	struct script *script = loaded_of(L);
	struct place there = read_key_place(at, key);
	int top = lua_gettop(L);

	lua_pushstring(L, key);
	lua_rawget(L, 1);
	script->host.phase = key;
	if (!lua_isnil(L, -1)) {
		if (!lua_istable(L, -1))
			host_raise_at(L, &there, ERR_SCENARIO, "%s: a table { … } is expected",
				      key);
		read(script, L, at);
	}
	script->host.phase = NULL;
	lua_settop(L, top);
}

static void read_names(struct script *script, lua_State *L, const struct place *at)
{
	static const struct read_table table = { "scenario", scenario_fields, false };
	struct scenario_options options = { NULL, "", API_VERSION };
	struct place there;

	read_table(L, 1, &table, at, &options);
	if (!options.name) {
		host_raise_at(L, at, ERR_SCENARIO, "name: a scenario needs one: name = \"…\"");
		return;
	}
	there = read_key_place(at, "name");
	if (!*options.name || strlen(options.name) >= SCENARIO_NAME_MAX ||
	    options.name[strspn(options.name, "abcdefghijklmnopqrstuvwxyz0123456789-_.")])
		host_raise_at(L, &there, ERR_SCENARIO,
			      "name: \"%.80s\" is no name (a-z, 0-9, - _ . and less than %d)",
			      options.name, SCENARIO_NAME_MAX);
	lua_getfield(L, 1, "api");
	if (lua_type(L, -1) == LUA_TSTRING)
		host_raise_at(L, at, ERR_SCENARIO, "api: a number is expected: api = %d",
			      API_VERSION);
	lua_pop(L, 1);
	if (options.api != API_VERSION)
		host_raise_at(L, at, ERR_SCENARIO,
			      "api: this program knows version %d, not %" PRId64, API_VERSION,
			      options.api);
	strcpy(script->host.scenario, options.name);
	snprintf(script->title, sizeof(script->title), "%s", options.title);
}

static bool does_nothing(const struct script *script)
{
	for (int i = 0; i < NR_SCRIPT_FUNCTIONS; i++)
		if (script->function[i] != LUA_NOREF)
			return false;
	return !script->nr_metric_decls;
}

static int call_scenario(lua_State *L)
{
	struct script *script = loaded_of(L);
	struct place at;

	host_place(L, &at);
	if (script->defined)
		return host_raise(L, ERR_SCENARIO, "a file holds one scenario");
	if (!lua_istable(L, 1))
		return host_raise(L, ERR_SCENARIO,
				  "write: return scenario { name = \"…\", … } with braces");
	lua_settop(L, 1);
	read_names(script, L, &at);
	read_functions(script, L, &at);
	read_part(L, "kernels", &at, read_kernels);
	read_part(L, "params", &at, read_params);
	read_part(L, "metrics", &at, read_metrics);
	if (does_nothing(script))
		return host_raise_at(L, &at, ERR_SCENARIO,
				     "scenario \"%s\" does nothing yet: give "
				     "it run = function(lab, p) … end",
				     script->host.scenario);
	script->defined = true;
	lua_newuserdatauv(L, 0, 0);
	luaL_setmetatable(L, marker_type);
	return 1;
}

bool bind_scenario_marker(lua_State *L, int index)
{
	return luaL_testudata(L, index, marker_type) != NULL;
}

static const struct guard param_guard = { "param", NULL, NULL };

static void new_type(lua_State *L, const char *type)
{
	luaL_newmetatable(L, type);
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_pop(L, 1);
}

void bind_scenario(struct script *script)
{
	lua_State *L = script->host.L;

	new_type(L, decl_type);
	new_type(L, marker_type);
	lua_createtable(L, 0, NR_PARAM_TYPES);
	for (int type = 0; type < NR_PARAM_TYPES; type++) {
		lua_pushinteger(L, type);
		lua_pushcclosure(L, declare_param, 1);
		lua_setfield(L, -2, param_type_name((enum param_type)type));
	}
	guard_push(L, &param_guard);
	sandbox_add(&script->host, "param");
	lua_pushcfunction(L, declare_metric);
	sandbox_add(&script->host, "metric");
	lua_pushcfunction(L, call_scenario);
	sandbox_add(&script->host, "scenario");
}

static const struct guard p_guard = { "p", NULL, NULL };

void bind_params(struct script *script, lua_State *L)
{
	lua_createtable(L, 0, (int)script->nr_params);
	for (size_t i = 0; i < script->nr_params; i++) {
		lua_pushstring(L, script->param[i].name);
		param_push(L, &script->param[i]);
		lua_rawset(L, -3);
	}
	guard_push(L, &p_guard);
}
