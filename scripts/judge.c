/*
 * After a run: its metrics, its expectations, and the comparison of two
 * runs.  The engine's own metrics come first, then the scenario's in the
 * order of their declaration, each of which can read those before it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "expect.h"
#include "figures.h"
#include "loaded.h"

/* What a guarded function is to do, and how it ended. */
struct judgement {
	struct script *script, *other;
	struct diag *diag;
	enum err err;
};

static void add_totals(struct script *script)
{
	struct run_totals totals;

	run_totals(script->run, &totals);
	for (size_t i = 0; i < run_totals_count(); i++) {
		const struct run_totals_desc *desc = run_totals_at(i);
		struct metric *metric = &script->metric[script->nr_metrics++];
		uint64_t value;

		memcpy(&value, (const char *)&totals + desc->offset, sizeof(value));
		metric->integer = (int64_t)value;
		snprintf(metric->name, sizeof(metric->name), "%s", desc->name);
		snprintf(metric->unit, sizeof(metric->unit), "%s", desc->unit);
		snprintf(metric->better, sizeof(metric->better), "%s", desc->better);
	}
}

static void add_hash(struct script *script)
{
	struct metric *metric = &script->metric[script->nr_metrics++];
	char hash[RUN_HASH_MAX];

	run_hash(script->run, hash);
	metric->is_text = true;
	snprintf(metric->name, sizeof(metric->name), "state_hash");
	snprintf(metric->text, sizeof(metric->text), "%s", hash);
}

/* The value on top of the stack; nil and what is no number at all are "no such value". */
static void read_value(lua_State *L, const struct metric_decl *decl, struct metric *metric)
{
	snprintf(metric->name, sizeof(metric->name), "%s", decl->name);
	snprintf(metric->unit, sizeof(metric->unit), "%s", decl->unit);
	snprintf(metric->better, sizeof(metric->better), "%s", decl->better);
	snprintf(metric->doc, sizeof(metric->doc), "%s", decl->doc);
	if (lua_isinteger(L, -1)) {
		metric->integer = lua_tointeger(L, -1);
	} else if (lua_type(L, -1) == LUA_TNUMBER) {
		metric->is_real = true;
		metric->real = lua_tonumber(L, -1);
		metric->missing = !isfinite(metric->real);
	} else if (lua_type(L, -1) == LUA_TSTRING) {
		metric->is_text = true;
		snprintf(metric->text, sizeof(metric->text), "%s", lua_tostring(L, -1));
	} else if (lua_isnil(L, -1)) {
		metric->missing = true;
	} else {
		host_raise_at(L, &decl->at, ERR_SCENARIO,
			      "%s: a metric is a number or a text, not a %s", decl->name,
			      luaL_typename(L, -1));
	}
}

/* Computes the scenario's metrics; the results stay on top of the stack. */
static enum err add_own(struct judgement *j, lua_State *L)
{
	struct script *script = j->script;
	int r = lua_gettop(L);

	script->host.phase = "metrics";
	for (size_t i = 0; i < script->nr_metric_decls; i++) {
		struct metric *metric = &script->metric[script->nr_metrics];
		enum err err;

		lua_rawgeti(L, LUA_REGISTRYINDEX, script->metric_decl[i].from);
		lua_pushvalue(L, r);
		err = host_call(&script->host, 1, j->diag);
		if (err)
			return err;
		read_value(L, &script->metric_decl[i], metric);
		script->nr_metrics++;
		figures_add_metric(L, r, metric);
		lua_settop(L, r);
	}
	return ERR_OK;
}

/* The results are on top of the stack. */
static enum err call_expect(struct judgement *j, lua_State *L)
{
	struct script *script = j->script;
	int r = lua_gettop(L), function;

	if (script->function[SCRIPT_EXPECT] == LUA_NOREF)
		return ERR_OK;
	script->host.phase = "expect";
	lua_rawgeti(L, LUA_REGISTRYINDEX, script->function[SCRIPT_EXPECT]);
	function = lua_gettop(L);
	expect_push(L);
	lua_pushvalue(L, r);
	lua_getfield(L, LUA_REGISTRYINDEX, "memcglab.p");
	expect_kernel(L, function);
	return host_call(&script->host, 4, j->diag);
}

static int judge(lua_State *L)
{
	struct judgement *j = lua_touserdata(L, 1);
	struct script *script = j->script;

	add_totals(script);
	add_hash(script);
	script->own_metrics = script->nr_metrics;
	figures_push(L, script);
	j->err = add_own(j, L);
	if (!j->err)
		j->err = call_expect(j, L);
	return 0;
}

/* A run that ends while it warms up has no figure that means anything. */
static enum err check_warm_up(const struct script *script, struct diag *diag)
{
	for (size_t i = 0; i < script->nr_params; i++) {
		int64_t steps = script->param[i].value.integer;

		if (script->param[i].type == PARAM_STEPS &&
		    (uint64_t)steps > run_steps(script->run))
			return diag_fail(
				diag, ERR_SCENARIO,
				"%s: the run ended after %llu steps, within its warm-up of "
				"%lld",
				script->host.scenario, (unsigned long long)run_steps(script->run),
				(long long)steps);
	}
	return ERR_OK;
}

enum err script_judge(struct script *script, struct diag *diag)
{
	struct diag own = { 0 };
	struct judgement j = { .script = script, .diag = diag ? diag : &own };
	size_t most = run_totals_count() + 1 + script->nr_metric_decls;
	enum err err;

	if (!script->run)
		return diag_fail(diag, ERR_SCENARIO, "%s: there is no run to judge",
				 script->host.scenario);
	err = check_warm_up(script, diag);
	if (err)
		return err;
	free(script->metric);
	script->metric = calloc(most, sizeof(*script->metric));
	if (!script->metric)
		return diag_fail(diag, ERR_NOMEM, "no memory for the metrics");
	script->nr_metrics = 0;
	script->nr_expectations = 0;
	err = host_guard(&script->host, judge, &j, j.diag);
	script->host.phase = NULL;
	return err ? err : j.err;
}

static int compare(lua_State *L)
{
	struct judgement *j = lua_touserdata(L, 1);
	struct script *script = j->script;

	script->host.phase = "compare";
	lua_rawgeti(L, LUA_REGISTRYINDEX, script->function[SCRIPT_COMPARE]);
	expect_push(L);
	figures_push(L, j->other);
	figures_push(L, script);
	j->err = host_call(&script->host, 3, j->diag);
	return 0;
}

enum err script_compare(struct script *a, struct script *b, struct diag *diag)
{
	struct diag own = { 0 };
	struct judgement j = { .script = b, .other = a, .diag = diag ? diag : &own };
	enum err err;

	if (b->function[SCRIPT_COMPARE] == LUA_NOREF)
		return ERR_OK;
	if (!a->run || !b->run)
		return diag_fail(diag, ERR_SCENARIO, "%s: two runs are needed to compare",
				 b->host.scenario);
	err = host_guard(&b->host, compare, &j, j.diag);
	b->host.phase = NULL;
	return err ? err : j.err;
}

size_t script_metric_count(const struct script *script)
{
	return script->nr_metrics;
}

void script_metric(const struct script *script, size_t i, struct script_metric *out)
{
	const struct metric *metric = &script->metric[i];

	*out = (struct script_metric){
		.name = metric->name,
		.unit = metric->unit,
		.better = metric->better,
		.doc = metric->doc,
		.is_text = metric->is_text,
		.is_real = metric->is_real,
		.missing = metric->missing,
		.integer = metric->integer,
		.real = metric->real,
		.text = metric->text,
	};
}

size_t script_metric_decl_count(const struct script *script)
{
	return script->nr_metric_decls;
}

void script_metric_decl(const struct script *script, size_t i, struct script_metric *out)
{
	const struct metric_decl *decl = &script->metric_decl[i];

	*out = (struct script_metric){ .name = decl->name,
				       .unit = decl->unit,
				       .better = decl->better,
				       .doc = decl->doc };
}

size_t script_expect_count(const struct script *script)
{
	return script->nr_expectations;
}

void script_expect(const struct script *script, size_t i, struct script_expect *out)
{
	const struct expectation *e = &script->expectation[i];

	*out = (struct script_expect){
		.text = e->text,
		.label = e->label,
		.ok = e->ok,
		.has_value = e->has_value,
		.has_wanted = e->has_wanted,
		.value = e->value,
		.wanted = e->wanted,
		.where = e->where,
	};
}
