/*
 * t, see expect.h: t.near, t.less, t.same, t.never, t.always, t.kernel.
 */
#include "expect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "guard.h"
#include "read.h"

/* How sure a wanted figure is; the published tables show it. */
static const char *const labels[] = {
	"derived", "predicted", "calibrated", "implied", "published",
};

struct options {
	const char *label;
	double rel, abs;
	bool has_tolerance;
};

static const struct read_field fields[] = {
	{ .name = "label", .kind = READ_TEXT, .offset = offsetof(struct options, label) },
	{ .name = "rel", .kind = READ_OTHER },
	{ .name = "abs", .kind = READ_OTHER },
	{ .name = NULL }
};

static const char *find_label(lua_State *L, const char *label)
{
	if (!*label)
		return "";
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		if (!strcmp(labels[i], label))
			return labels[i];
	host_raise(L, ERR_SCENARIO,
		   "label: \"%.80s\" is none of derived, predicted, calibrated, "
		   "implied, published",
		   label);
	return "";
}

static double read_tolerance(lua_State *L, int table, const char *key)
{
	double value;

	lua_pushstring(L, key);
	lua_rawget(L, table);
	value = lua_tonumber(L, -1);
	if (!lua_isnil(L, -1) && (lua_type(L, -1) != LUA_TNUMBER || !(value >= 0)))
		host_raise(L, ERR_SCENARIO, "%s: a tolerance is a number from 0 up", key);
	lua_pop(L, 1);
	return value;
}

static struct options read_options(lua_State *L, int index)
{
	static const struct read_table table = { "an expectation", fields, false };
	struct options options = { .label = "" };
	uint32_t given = read_table(L, index, &table, NULL, &options);

	options.label = find_label(L, options.label);
	if (given) {
		options.rel = read_tolerance(L, index, "rel");
		options.abs = read_tolerance(L, index, "abs");
	}
	options.has_tolerance = given & (2 | 4);
	return options;
}

/* A new record with the text at 1, the label, and the caller's line. */
static struct expectation *record(lua_State *L, const struct options *options)
{
	struct script *script = loaded_of(L);
	size_t size = (script->nr_expectations + 1) * sizeof(*script->expectation);
	struct expectation *list, *new;
	struct place at;

	if (lua_type(L, 1) != LUA_TSTRING)
		host_raise(L, ERR_SCENARIO,
			   "an expectation begins with a text that says what is "
			   "expected, not with a %s",
			   luaL_typename(L, 1));
	list = realloc(script->expectation, size);
	if (!list)
		host_raise(L, ERR_LIMIT, "no memory for one more expectation");
	script->expectation = list;
	new = &list[script->nr_expectations++];
	*new = (struct expectation){ .label = options->label };
	snprintf(new->text, sizeof(new->text), "%s", lua_tostring(L, 1));
	if (host_place(L, &at))
		snprintf(new->where, sizeof(new->where), "%s:%d", at.source->file, at.line);
	return new;
}

/* A figure to judge: a number, or nil for a metric that has no value. */
static bool read_figure(lua_State *L, int index, double *out)
{
	*out = 0;
	if (lua_isnil(L, index))
		return false;
	if (lua_type(L, index) != LUA_TNUMBER)
		host_raise(L, ERR_SCENARIO, "a number is expected, not a %s",
			   luaL_typename(L, index));
	*out = lua_tonumber(L, index);
	return !isnan(*out);
}

/* Records the two figures at 2 and 3; returns whether both are there. */
static struct expectation *record_figures(lua_State *L, const struct options *options, bool *both)
{
	struct expectation *new = record(L, options);

	new->has_value = read_figure(L, 2, &new->value);
	new->has_wanted = read_figure(L, 3, &new->wanted);
	*both = new->has_value &&new->has_wanted;
	return new;
}

static bool is_near(const struct expectation *e, const struct options *options)
{
	double relative = options->rel * fabs(e->wanted);
	double most = relative > options->abs ? relative : options->abs;

	return fabs(e->value - e->wanted) <= most;
}

static int say(lua_State *L, struct expectation *new, bool ok)
{
	new->ok = ok;
	lua_pushboolean(L, ok);
	return 1;
}

/* t.near(text, got, wanted, {rel, abs, label}) */
static int t_near(lua_State *L)
{
	struct expectation *new;
	struct options options;
	bool both;

	lua_settop(L, 4);
	options = read_options(L, 4);
	if (!options.has_tolerance)
		return host_raise(L, ERR_SCENARIO,
				  "t.near: how near? Say rel = 0.01 or abs = 2; "
				  "t.same wants equality");
	new = record_figures(L, &options, &both);
	return say(L, new, both && is_near(new, &options));
}

/* t.less(text, a, b, {label}): a < b */
static int t_less(lua_State *L)
{
	struct expectation *new;
	struct options options;
	bool both;

	lua_settop(L, 4);
	options = read_options(L, 4);
	new = record_figures(L, &options, &both);
	return say(L, new, both && new->value < new->wanted);
}

/* t.same(text, a, b, {label, rel, abs}): equal, or as near as a tolerance says */
static int t_same(lua_State *L)
{
	struct expectation *new;
	struct options options;
	bool both;

	lua_settop(L, 4);
	options = read_options(L, 4);
	if (lua_type(L, 2) != LUA_TNUMBER || lua_type(L, 3) != LUA_TNUMBER) {
		new = record(L, &options);
		return say(L, new, lua_rawequal(L, 2, 3) && !lua_isnil(L, 2));
	}
	new = record_figures(L, &options, &both);
	if (!options.has_tolerance)
		return say(L, new, lua_compare(L, 2, 3, LUA_OPEQ));
	return say(L, new, both && is_near(new, &options));
}

static int record_condition(lua_State *L, bool wanted)
{
	struct options options;

	lua_settop(L, 3);
	options = read_options(L, 3);
	if (!lua_isboolean(L, 2))
		return host_raise(L, ERR_SCENARIO,
				  "t.%s: a condition (true or false) is expected, not a %s",
				  wanted ? "always" : "never", luaL_typename(L, 2));
	return say(L, record(L, &options), lua_toboolean(L, 2) == wanted);
}

static int t_never(lua_State *L)
{
	return record_condition(L, false);
}

static int t_always(lua_State *L)
{
	return record_condition(L, true);
}

/* Do two spellings mean the same kernel? */
static bool means_kernel(const char *spelt, const struct era *era)
{
	struct diag diag = { 0 };
	struct era found;

	return !era_find(spelt, &found, &diag) && !strcmp(found.name, era->name);
}

/* t.kernel(name): is it the run's, by whatever name? */
static int t_kernel(lua_State *L)
{
	struct diag diag = { 0 };
	struct era found;

	if (era_find(luaL_checkstring(L, 1), &found, &diag))
		return host_raise(L, ERR_SCENARIO, "t.kernel: %s", diag.text);
	lua_pushboolean(L, !strcmp(found.name, loaded_of(L)->machine.era.name));
	return 1;
}

static const luaL_Reg functions[] = {
	{ "near", t_near },
	{ "less", t_less },
	{ "same", t_same },
	{ "never", t_never },
	{ "always", t_always },
	{ "kernel", t_kernel },
	{ NULL, NULL }
};

static const struct guard t_guard = { "t", NULL, NULL };

void expect_push(lua_State *L)
{
	luaL_newlib(L, functions);
	guard_push(L, &t_guard);
}

/* The next text in quotes in [*at, end); false if there is none before a comment. */
static bool next_literal(const char **at, const char *end, char out[ERA_NAME_MAX])
{
	const char *open = *at, *close;

	while (open < end && *open != '"' && *open != '\'' &&
	       !(open + 1 < end && open[0] == '-' && open[1] == '-'))
		open++;
	if (open >= end || *open == '-')
		return false;
	close = open + 1;
	while (close < end && *close != *open)
		close += *close == '\\' && close + 1 < end ? 2 : 1;
	*at = close < end ? close + 1 : end;
	out[0] = '\0';
	if (close < end && close - open - 1 < ERA_NAME_MAX)
		snprintf(out, ERA_NAME_MAX, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}

/* Is the text in quotes that ends before @end an operand of == or ~=? */
static bool is_compared(const char *begin, const char *end, const char *literal)
{
	const char *open = end - strlen(literal) - 2;

	while (open > begin && open[-1] == ' ')
		open--;
	return open > begin && open[-1] == '=';
}

/* The two first spellings of a kernel with which the lines of a function compare. */
struct spellings {
	const struct era *era;
	char first[ERA_NAME_MAX], second[ERA_NAME_MAX];
};

static void look_at_line(const struct source *source, int line, struct spellings *found)
{
	char literal[ERA_NAME_MAX];
	size_t length;
	const char *begin = source_line(source, line, &length), *at = begin;
	const char *end = at ? at + length : NULL;

	while (at && next_literal(&at, end, literal)) {
		if (!is_compared(begin, at, literal) || !means_kernel(literal, found->era) ||
		    !strcmp(literal, found->first))
			continue;
		strcpy(found->first[0] ? found->second : found->first, literal);
	}
}

void expect_kernel(lua_State *L, int index)
{
	struct script *script = loaded_of(L);
	struct spellings found = { .era = &script->machine.era };
	const struct source *source;
	struct place at;
	lua_Debug ar;

	lua_pushvalue(L, index);
	lua_getinfo(L, ">S", &ar);
	source = source_find(script->host.sources, ar.short_src, strlen(ar.short_src));
	for (int line = ar.linedefined; source && line <= ar.lastlinedefined; line++)
		look_at_line(source, line, &found);
	at = (struct place){ source, ar.linedefined };
	if (found.second[0])
		host_raise_at(L, &at, ERR_SCENARIO,
			      "kernel: \"%s\" and \"%s\" are the same kernel "
			      "here; use one spelling, or t.kernel(\"%s\")",
			      found.first, found.second, found.first);
	for (size_t i = 0; !found.first[0] && i < script->nr_kernels; i++)
		if (means_kernel(script->kernel[i], found.era))
			strcpy(found.first, script->kernel[i]);
	lua_pushstring(L, found.first[0] ? found.first : found.era->name);
}
