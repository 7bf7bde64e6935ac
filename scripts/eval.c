/*
 * Lua of one line, see eval.h.
 *
 * An expression is a chunk behind "return ", as in Lua's own program, so
 * what can be read so is read so first.
 */
#include "eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "guard.h"
#include "host.h"
#include "sandbox.h"

static int no_run(lua_State *L);

static const struct guard run_guard = { "run", NULL, NULL };
static const struct guard none_guard = { "run", NULL, no_run };
static const struct guard table_guard = { "run.…", NULL, NULL };

/* In Lua, since the sandbox's own pairs and print know the order and the form. */
static const char printer[] =
	"local function show(value)\n"
	"  if type(value) ~= 'table' then return print(value) end\n"
	"  for key, item in pairs(value) do print(key, item) end\n"
	"end\n"
	"return function(...)\n"
	"  local n, list = select('#', ...), { ... }\n"
	"  if n == 1 then return show(list[1]) end\n"
	"  if n > 1 then print(...) end\n"
	"end\n";

static int no_run(lua_State *L)
{
	return host_raise(L, ERR_SCENARIO,
			  "there is no current run yet: run a scenario, or show a stored one");
}

/* The chunk that @text is, @whole or behind "return"; malloc'ed, NULL: no memory. */
static char *chunk_of(lua_State *L, const char *text, bool whole)
{
	size_t size = strlen(text) + sizeof("return ");
	char *chunk = malloc(size);

	if (!chunk)
		return NULL;
	snprintf(chunk, size, "return %s", text);
	if (whole && luaL_loadbufferx(L, chunk, strlen(chunk), "=lua", "t") != LUA_OK)
		snprintf(chunk, size, "%s", text);
	lua_settop(L, 0);
	return chunk;
}

/* Lua says of a text that ends too early where it was: at its end. */
bool eval_open(const char *text, bool whole)
{
	static const char mark[] = "<eof>";
	lua_State *L = luaL_newstate();
	char *chunk = L ? chunk_of(L, text, whole) : NULL;
	bool open = false;

	if (chunk && luaL_loadbufferx(L, chunk, strlen(chunk), "=lua", "t") == LUA_ERRSYNTAX) {
		size_t size;
		const char *message = lua_tolstring(L, -1, &size);

		open = size >= sizeof(mark) - 1 &&
		       !strcmp(message + size - (sizeof(mark) - 1), mark);
	}
	free(chunk);
	if (L)
		lua_close(L);
	return open;
}

/* What a guarded function is to do, and how it ended. */
struct job {
	struct host *host;
	const struct eval *eval;
	const char *chunk;
	struct diag *diag;
	enum err err;
};

static void push_field(lua_State *L, const struct eval_field *field)
{
	if (field->type == EVAL_INTEGER)
		lua_pushinteger(L, field->integer);
	else if (field->type == EVAL_REAL)
		lua_pushnumber(L, field->real);
	else
		lua_pushstring(L, field->text);
}

static bool same_table(const struct eval_field *a, const struct eval_field *b)
{
	return a->table && b->table && !strcmp(a->table, b->table);
}

/* The fields of one table follow each other: it is closed behind the last. */
static void push_run(lua_State *L, const struct eval *eval)
{
	lua_newtable(L);
	for (size_t i = 0; i < eval->nr_fields; i++) {
		const struct eval_field *field = &eval->field[i];
		bool first = i == 0 || !same_table(field, field - 1);
		bool last = i + 1 == eval->nr_fields || !same_table(field, field + 1);

		if (field->table && first)
			lua_newtable(L);
		push_field(L, field);
		lua_setfield(L, -2, field->name);
		if (field->table && last) {
			guard_push(L, &table_guard);
			lua_setfield(L, -2, field->table);
		}
	}
	guard_push(L, eval->nr_fields ? &run_guard : &none_guard);
}

/* The frame of the printer's is no news to anybody. */
static void cut_frames(struct diag *diag)
{
	char *frame = diag ? strstr(diag->text, "\n  called from shell:") : NULL;

	if (frame)
		*frame = '\0';
}

/* The printer gets what the chunk gives; both run as the user's code does, within the budget. */
static int evaluate(lua_State *L)
{
	struct job *job = lua_touserdata(L, 1);
	const struct chunk own = { printer, sizeof(printer) - 1, "shell" };
	const struct chunk user = { job->chunk, strlen(job->chunk), "lua" };
	const struct chunk both = { "local print, chunk = ... return print(chunk())", 46, "shell" };

	sandbox_init(job->host);
	push_run(L, job->eval);
	sandbox_add(job->host, "run");
	job->err = host_load(job->host, L, &both, job->diag);
	if (!job->err)
		job->err = host_load(job->host, L, &own, job->diag);
	if (!job->err)
		job->err = host_call(job->host, 0, job->diag);
	if (!job->err)
		job->err = host_load(job->host, L, &user, job->diag);
	if (!job->err)
		job->err = host_call(job->host, 2, job->diag);
	return 0;
}

enum err eval_print(const struct eval *eval, const struct script_limits *limits,
		    const struct script_log *log, struct diag *diag)
{
	struct script_limits usual;
	struct host host;
	struct job job = { .host = &host, .eval = eval, .diag = diag };
	char *chunk = NULL;
	lua_State *bare = luaL_newstate();
	enum err err;

	if (bare) {
		chunk = chunk_of(bare, eval->text, eval->chunk);
		lua_close(bare);
	}
	if (!chunk)
		return diag_fail(diag, ERR_NOMEM, "no memory for a line of Lua");
	job.chunk = chunk;
	script_limits_defaults(&usual);
	err = host_init(&host, limits ? limits : &usual, log, diag);
	if (!err)
		err = host_guard(&host, evaluate, &job, diag);
	host_fini(&host);
	free(chunk);
	err = err ? err : job.err;
	if (err)
		cut_frames(diag);
	return err;
}
