/*
 * The face, see script.h: load, parameters, open, run.
 *
 * setup() and run() are one coroutine, the main actor.  It is started when
 * the run is opened and goes up to where the machine is needed; everything
 * that it does from there on are ops of the run.
 */
#include "script.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "actor.h"
#include "bind.h"
#include "loaded.h"
#include "sandbox.h"

struct script *loaded_of(lua_State *L)
{
	return host_of(L)->script;
}

void script_limits_defaults(struct script_limits *limits)
{
	*limits = (struct script_limits){ .instructions = 100000000, .memory = 256u << 20 };
}

/* What a guarded function is to do, and how it ended. */
struct job {
	struct script *script;
	struct chunk chunk;
	struct diag *diag;
	enum err err;
};

static int make_vocabulary(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);

	sandbox_init(&job->script->host);
	bind_scenario(job->script);
	bind_handles(L);
	bind_lab(L);
	lua_setfield(L, LUA_REGISTRYINDEX, "memcglab.lab");
	return 0;
}

static bool is_blank(const struct chunk *chunk)
{
	for (size_t i = 0; i < chunk->size; i++)
		if (!isspace((unsigned char)chunk->text[i]))
			return false;
	return true;
}

static int load_file(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	struct host *host = &job->script->host;

	job->err = host_load(host, L, &job->chunk, job->diag);
	if (!job->err)
		job->err = host_call(host, 0, job->diag);
	if (!job->err && !bind_scenario_marker(L, -1))
		job->err =
			diag_fail(job->diag, ERR_SCENARIO,
				  "%s:1: the file %s; a scenario's file ends with\n"
				  "  return scenario { name = \"x\", run = function(lab) … end }",
				  job->chunk.file,
				  is_blank(&job->chunk) ? "is empty" : "returns no scenario");
	return 0;
}

/* The lines of comment that a file opens with, without their dashes. */
static char *head_comment(const char *text, size_t size)
{
	char *out = malloc(size + 1), *to = out;
	const char *end = text + size;

	while (out && end - text >= 2 && text[0] == '-' && text[1] == '-') {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		const char *from = text + 2 + (text + 2 < end && text[2] == ' ');

		stop = stop ? stop : end;
		if (from < stop) {
			memcpy(to, from, (size_t)(stop - from));
			to += stop - from;
		}
		*to++ = '\n';
		text = stop < end ? stop + 1 : end;
	}
	if (out && to > out)
		to--; /* the last line's end */
	if (out)
		*to = '\0';
	return out;
}

static struct script *script_new(const struct chunk *chunk)
{
	struct script *script = calloc(1, sizeof(*script));

	if (!script)
		return NULL;
	script->seed = 1;
	for (int i = 0; i < NR_SCRIPT_FUNCTIONS; i++)
		script->function[i] = LUA_NOREF;
	script->comment = head_comment(chunk->text, chunk->size);
	if (script->comment)
		return script;
	free(script);
	return NULL;
}

enum err script_load(const struct script_file *file, const struct script_limits *limits,
		     const struct script_log *log, struct script **out, struct diag *diag)
{
	struct job job = { .chunk = { file->text, file->size, file->name }, .diag = diag };
	struct script_limits usual;
	struct diag own = { 0 };
	enum err err;

	*out = NULL;
	script_limits_defaults(&usual);
	if (!diag)
		job.diag = &own;
	job.script = script_new(&job.chunk);
	if (!job.script)
		return diag_fail(diag, ERR_NOMEM, "%s: no memory to load it", file->name);
	err = host_init(&job.script->host, limits ? limits : &usual, log, job.diag);
	job.script->host.script = job.script;
	job.script->host.library = file->library;
	job.script->host.nr_libraries = file->nr_libraries;
	job.script->host.closed = file->closed;
	if (file->lib_dir)
		job.script->host.lib_dir = strdup(file->lib_dir);
	if (file->lib_dir && !job.script->host.lib_dir)
		err = diag_fail(job.diag, ERR_NOMEM, "%s: no memory to load it", file->name);
	if (!err)
		err = host_guard(&job.script->host, make_vocabulary, &job, job.diag);
	if (!err)
		err = host_guard(&job.script->host, load_file, &job, job.diag);
	if (!err)
		err = job.err;
	if (err)
		script_free(job.script);
	else
		*out = job.script;
	return err;
}

void script_free(struct script *script)
{
	if (!script)
		return;
	actor_free_all(script);
	host_fini(&script->host);
	free(script->comment);
	free(script->param);
	free(script->metric_decl);
	free(script->metric);
	free(script->expectation);
	free(script);
}

const char *script_name(const struct script *script)
{
	return script->host.scenario;
}

const char *script_title(const struct script *script)
{
	return script->title;
}

const char *script_comment(const struct script *script)
{
	return script->comment;
}

size_t script_kernel_count(const struct script *script)
{
	return script->nr_kernels;
}

const char *script_kernel(const struct script *script, size_t i)
{
	return script->kernel[i];
}

bool script_library(const struct script *script, size_t i, struct script_library *out)
{
	const struct source *source = script->host.sources;

	while (source && (!source->module || i-- > 0))
		source = source->next;
	if (source)
		*out = (struct script_library){ source->module, source->text, source->size };
	return source != NULL;
}

size_t script_param_count(const struct script *script)
{
	return script->nr_params;
}

void script_param(const struct script *script, size_t i, struct script_param *out)
{
	const struct param *param = &script->param[i];

	*out = (struct script_param){
		.name = param->name,
		.type = param_type_name(param->type),
		.doc = param->doc,
		.label = param->label,
		.choices = param->choices,
	};
	param_text(param, &param->value, out->value);
	param_text(param, &param->def, out->def);
	if (param->has_min)
		param_limit_text(param, param->min, out->min);
	if (param->has_max)
		param_limit_text(param, param->max, out->max);
}

static const char *param_name_at(const void *ctx, size_t i)
{
	const struct script *script = ctx;

	return i < script->nr_params ? script->param[i].name : NULL;
}

enum err loaded_no_param(const struct script *script, const char *name, struct diag *diag)
{
	char hint[DIAG_HINT_MAX];

	if (!param_name_at(script, 0))
		return diag_fail(diag, ERR_USAGE, "%s: scenario \"%s\" has no parameters", name,
				 script->host.scenario);
	return diag_fail(diag, ERR_USAGE, "%s: unknown parameter of scenario \"%s\"; %s", name,
			 script->host.scenario, diag_hint(name, param_name_at, script, hint));
}

enum err script_param_set(struct script *script, const char *name, const char *value,
			  struct diag *diag)
{
	enum err err;

	for (size_t i = 0; i < script->nr_params; i++) {
		struct param *param = &script->param[i];

		if (strcmp(param->name, name) != 0)
			continue;
		err = param_set(param, value, diag);
		if (!err && param->type == PARAM_SEED)
			script->seed = (uint64_t)param->value.integer;
		return err;
	}
	return loaded_no_param(script, name, diag);
}

enum err script_seed_set(struct script *script, uint64_t seed, struct diag *diag)
{
	if (seed > INT64_MAX)
		return diag_fail(diag, ERR_USAGE, "seed: %" PRIu64 " is above %" PRId64, seed,
				 INT64_MAX);
	script->seed = seed;
	for (size_t i = 0; i < script->nr_params; i++)
		if (script->param[i].type == PARAM_SEED)
			script->param[i].value.integer = (int64_t)seed;
	return ERR_OK;
}

uint64_t script_seed(const struct script *script)
{
	return script->seed;
}

char *script_params_json(const struct script *script)
{
	struct words words = { 0 };

	words_add(&words, "{");
	for (size_t i = 0; i < script->nr_params; i++) {
		words_add(&words, i ? "," : "");
		param_json(&script->param[i], &words);
	}
	words_add(&words, "}");
	if (words.lost)
		words_clear(&words);
	return words.text;
}

static int main_done(lua_State *L, int status, lua_KContext ctx)
{
	(void)L;
	(void)status;
	(void)ctx;
	return 0;
}

/* Stack: lab, p, and what setup returned. */
static int call_run(lua_State *L, int status, lua_KContext ctx)
{
	struct script *script = loaded_of(L);

	lua_settop(L, 3);
	if (!script->run)
		return actor_need_machine(L, call_run, 0);
	if (script->only_setup || script->function[SCRIPT_RUN] == LUA_NOREF)
		return 0;
	script->host.phase = "run";
	lua_rawgeti(L, LUA_REGISTRYINDEX, script->function[SCRIPT_RUN]);
	lua_insert(L, 1);
	lua_callk(L, 3, 0, 0, main_done);
	return main_done(L, status, ctx);
}

/* The body of the main actor.  Stack: lab, p. */
static int main_body(lua_State *L)
{
	struct script *script = loaded_of(L);

	if (script->function[SCRIPT_SETUP] == LUA_NOREF)
		return call_run(L, LUA_OK, 0);
	script->host.phase = "setup";
	lua_rawgeti(L, LUA_REGISTRYINDEX, script->function[SCRIPT_SETUP]);
	lua_pushvalue(L, 1);
	lua_pushvalue(L, 2);
	lua_callk(L, 2, 1, 0, call_run);
	return call_run(L, LUA_OK, 0);
}

static int make_main(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);

	lua_pushcfunction(L, main_body);
	lua_getfield(L, LUA_REGISTRYINDEX, "memcglab.lab");
	bind_params(job->script, L);
	lua_pushvalue(L, -1);
	lua_setfield(L, LUA_REGISTRYINDEX, "memcglab.p");
	actor_new(job->script, L, 2);
	return 0;
}

enum err script_open(struct script *script, const struct era *kernel, struct run **out,
		     struct diag *diag)
{
	struct job job = { .script = script };
	struct scenario *machine = &script->machine;
	enum err err;

	*out = NULL;
	if (script->run)
		return diag_fail(diag, ERR_USAGE, "%s: it is open already", script->host.scenario);
	scenario_defaults(machine);
	strcpy(machine->name, script->host.scenario);
	machine->era = *kernel;
	machine->seed = script->seed;
	actor_free_all(script);
	err = host_guard(&script->host, make_main, &job, diag);
	if (err)
		return err;
	if (actor_resume(script->actors, diag) == WORKLOAD_FAIL)
		return diag ? diag->err : ERR_SCENARIO;
	err = run_open(machine, &script->run, diag);
	*out = script->run;
	return err;
}

/* An op that the engine refused: say at which line it stands. */
static enum err refused_op(struct script *script, const struct diag *words, struct diag *diag)
{
	struct source_report report = {
		.err = ERR_SCENARIO,
		.text = words->text,
		.frames = "",
		.phase = script->host.phase,
		.scenario = script->host.scenario,
	};

	host_place(script->current->co, &report.at);
	return source_report(&report, diag);
}

static bool is_refusal(enum err err)
{
	return err == ERR_RANGE || err == ERR_NAME || err == ERR_USAGE || err == ERR_SCENARIO;
}

enum err script_run(struct script *script, uint64_t step, bool *done, struct diag *diag)
{
	struct actor *main = script->actors;
	struct diag words = { 0 };
	bool ended = script->finished;
	enum err err = ERR_OK;

	if (!script->run)
		return diag_fail(diag, ERR_USAGE, "%s: it is not open", script->host.scenario);
	if (!script->started)
		err = actor_spawn(main, NULL, &words);
	script->started = true;
	if (!err && !ended)
		err = run_until(script->run, step, &ended, &words);
	script->finished = !err && ended;
	if (done)
		*done = script->finished;
	if (!err)
		return ERR_OK;
	if (is_refusal(err) && !script->failed && !script->current->ended)
		return refused_op(script, &words, diag);
	return diag_fail(diag, err, "%s", words.text);
}

enum err script_setup(struct script *script, struct diag *diag)
{
	script->only_setup = true;
	return script_run(script, UINT64_MAX, NULL, diag);
}
