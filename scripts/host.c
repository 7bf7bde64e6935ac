/*
 * The Lua state, see host.h.
 *
 * The count hook alone is not enough against endless loops: pcall would
 * swallow its error and go on.  So, once the budget is gone, the hook fires
 * at every instruction, and the sandbox's pcall passes the error on.  A
 * pattern match that takes for ever never comes back to the hook; only the
 * clock of the process that watches this one ends it.
 */
#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "words.h"

enum {
	HOOK_STEP = 1000,	/* instructions between two looks at the budget */
	TEXT_MAX = 900,		/* [bytes] of a message, before its source lines */
	FRAMES_MAX = 8,		/* frames shown */
	LEVELS_MAX = 100,	/* frames looked at; a deep recursion has many more */
	SPARE_BYTES = 65536	/* of the Lua state, to look at an error */
};

static const char error_type[] = "memcglab.error";

struct host *host_of(lua_State *L)
{
	return *(struct host **)lua_getextraspace(L);
}

static void *host_alloc(void *ctx, void *old, size_t old_size, size_t size)
{
	struct host *host = ctx;
	size_t had = old ? old_size : 0; /* else old_size is a type of Lua's */
	void *new;

	if (size == 0) {
		free(old);
		host->used -= had;
		return NULL;
	}
	if (size > had && host->used + (size - had) > host->limits.memory)
		return NULL;
	new = realloc(old, size);
	if (new)
		host->used += size - had;
	return new;
}

bool host_place(lua_State *L, struct place *out)
{
	struct host *host = host_of(L);
	lua_Debug ar;

	for (int level = 0; lua_getstack(L, level, &ar); level++) {
		lua_getinfo(L, "Sl", &ar);
		if (ar.currentline <= 0)
			continue;
		out->source = source_find(host->sources, ar.short_src, strlen(ar.short_src));
		out->line = ar.currentline;
		if (out->source)
			return true;
	}
	*out = (struct place){ 0 };
	return false;
}

/* Fires every HOOK_STEP instructions, or at each one when the budget is gone. */
static void budget_hook(lua_State *L, lua_Debug *ar)
{
	struct host *host = host_of(L);
	uint64_t limit = host->limits.instructions;

	(void)ar;
	host->spent += HOOK_STEP;
	if (!host->exhausted && host->spent < limit)
		return;
	if (!host->exhausted)
		host_place(L, &host->spent_at);
	host->exhausted = true;
	lua_sethook(L, budget_hook, LUA_MASKCOUNT, 1);
	host_raise(L, ERR_LIMIT, "the budget of instructions is gone");
}

static int error_tostring(lua_State *L)
{
	lua_getfield(L, 1, "file");
	lua_getfield(L, 1, "line");
	lua_getfield(L, 1, "text");
	if (lua_isnil(L, -3))
		return 1;
	lua_pushfstring(L, "%s:%d: %s", lua_tostring(L, -3), (int)lua_tointeger(L, -2),
			lua_tostring(L, -1));
	return 1;
}

static int init_state(lua_State *L)
{
	luaL_newmetatable(L, error_type);
	lua_pushcfunction(L, error_tostring);
	lua_setfield(L, -2, "__tostring");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	return 0;
}

enum err host_init(struct host *host, const struct script_limits *limits,
		   const struct script_log *log, struct diag *diag)
{
	*host = (struct host){ .limits = *limits };
	if (log)
		host->log = *log;
	host->L = lua_newstate(host_alloc, host);
	if (!host->L)
		return diag_fail(diag, ERR_LIMIT, "memory: %llu bytes are too few for a scenario",
				 (unsigned long long)limits->memory);
	*(struct host **)lua_getextraspace(host->L) = host;
	return host_guard(host, init_state, NULL, diag);
}

void host_fini(struct host *host)
{
	if (host->L)
		lua_close(host->L);
	source_free(host->sources);
	free(host->lib_dir);
	*host = (struct host){ 0 };
}

/* Push the error object. */
static void push_error(lua_State *L, const struct place *at, enum err err, const char *text)
{
	lua_createtable(L, 0, 4);
	lua_pushstring(L, err == ERR_LIMIT ? "limit" : "scenario");
	lua_setfield(L, -2, "kind");
	lua_pushstring(L, text);
	lua_setfield(L, -2, "text");
	if (at->source) {
		lua_pushstring(L, at->source->file);
		lua_setfield(L, -2, "file");
		lua_pushinteger(L, at->line);
		lua_setfield(L, -2, "line");
	}
	luaL_setmetatable(L, error_type);
}

/* lua_error does not return, but its declaration does not say so. */
static _Noreturn void throw(lua_State * L)
{
	lua_error(L);
	abort();
}

_Noreturn int host_raise(lua_State *L, enum err err, const char *fmt, ...)
{
	char text[TEXT_MAX];
	struct place at;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	host_place(L, &at);
	push_error(L, &at, err, text);
	throw(L);
}

_Noreturn int host_raise_at(lua_State *L, const struct place *at, enum err err, const char *fmt,
			    ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	push_error(L, at, err, text);
	throw(L);
}

_Noreturn int host_raise_report(lua_State *L, const struct diag *diag)
{
	const struct place nowhere = { 0 };

	push_error(L, &nowhere, diag->err, diag->text);
	lua_pushboolean(L, 1);
	lua_setfield(L, -2, "whole");
	throw(L);
}

/* What is known about a failure, before it is put into words. */
struct failure {
	enum err err;
	bool whole;			/* the text is a report already */
	struct place at;
	char text[DIAG_TEXT_MAX];
};

/* Control characters could steer the user's terminal: they become '?'. */
static void keep_text(struct failure *failure, const char *text)
{
	char *to = failure->text;

	snprintf(failure->text, sizeof(failure->text), "%s", text);
	for (; *to; to++)
		if ((unsigned char)*to < 0x20 && *to != '\n')
			*to = *to == '\t' ? ' ' : '?';
}

/* Lua's own messages begin with "tag:line: "; take that apart. */
static void take_string(const struct host *host, const char *message, struct failure *failure)
{
	const struct source *source;

	for (source = host->sources; source; source = source->next) {
		size_t n = strlen(source->tag);
		char *rest;
		long line;

		if (strncmp(message, source->tag, n) || message[n] != ':')
			continue;
		line = strtol(message + n + 1, &rest, 10);
		if (line < 1 || rest[0] != ':' || rest[1] != ' ')
			continue;
		failure->at = (struct place){ source, (int)line };
		message = rest + 2;
		break;
	}
	keep_text(failure, message);
}

/*
 * The fields are read raw: the object may be the user's own.  Their names may
 * have to be allocated, so there must be some room even at the memory limit.
 */
static void take_table(struct host *host, lua_State *co, struct failure *failure)
{
	const struct source *source = host->sources;
	int table = lua_absindex(co, -1);
	bytes_t limit = host->limits.memory;

	host->limits.memory = limit + SPARE_BYTES;
	lua_checkstack(co, 6);
	lua_pushliteral(co, "text");
	lua_rawget(co, table);
	keep_text(failure, lua_type(co, -1) == LUA_TSTRING ? lua_tostring(co, -1)
							   : "(a table was raised as an error)");
	lua_pushliteral(co, "line");
	lua_rawget(co, table);
	lua_pushliteral(co, "file");
	lua_rawget(co, table);
	for (; source && lua_type(co, -1) == LUA_TSTRING; source = source->next)
		if (!strcmp(source->file, lua_tostring(co, -1)) && lua_isinteger(co, -2))
			failure->at = (struct place){ source, (int)lua_tointeger(co, -2) };
	lua_pushliteral(co, "whole");
	lua_rawget(co, table);
	failure->whole = lua_toboolean(co, -1);
	lua_pop(co, 4);
	host->limits.memory = limit;
}

static void take_limit(const struct host *host, bool memory, struct failure *failure)
{
	char most[UNITS_TEXT_MAX];

	failure->err = ERR_LIMIT;
	if (memory)
		snprintf(failure->text, sizeof(failure->text),
			 "more than %s of memory (the limit of a scenario's Lua state)",
			 units_format_size(host->limits.memory, most));
	else
		snprintf(failure->text, sizeof(failure->text),
			 "%s instructions without a call of the engine: does this loop end?",
			 units_format_count((int64_t)host->limits.instructions, most));
}

/* Reads the error object on top of @co, which nothing protects any more. */
static void take_error(struct host *host, lua_State *co, int status, struct failure *failure)
{
	if (status == LUA_ERRMEM) {
		take_limit(host, true, failure);
	} else if (host->exhausted) {
		take_limit(host, false, failure);
		failure->at = host->spent_at;
	} else if (lua_type(co, -1) == LUA_TSTRING) {
		take_string(host, lua_tostring(co, -1), failure);
	} else if (lua_type(co, -1) == LUA_TTABLE) {
		take_table(host, co, failure);
	} else {
		snprintf(failure->text, sizeof(failure->text), "(a %s was raised as an error)",
			 luaL_typename(co, -1));
	}
}

/* How many frames the report's first line stands for: up to the one at @at, or one. */
static int told_frames(lua_State *co, const struct place *at)
{
	lua_Debug ar;
	int user = 0;

	for (int level = 0; level < LEVELS_MAX && lua_getstack(co, level, &ar); level++) {
		lua_getinfo(co, "Sl", &ar);
		if (ar.currentline <= 0)
			continue;
		user++;
		if (ar.currentline == at->line && at->source &&
		    !strcmp(ar.short_src, at->source->tag))
			return user;
	}
	return 1;
}

/* One line a frame: the user's by default, all of them if asked for. */
static void add_frames(const struct host *host, lua_State *co, const struct place *at,
		       struct words *frames)
{
	bool all = host->limits.traceback_full;
	int told = all ? 0 : told_frames(co, at), shown = 0, level;
	lua_Debug ar;

	for (level = 0; level < LEVELS_MAX && lua_getstack(co, level, &ar); level++) {
		lua_getinfo(co, "Sln", &ar);
		if (!all && (ar.currentline <= 0 || told-- > 0))
			continue;
		if (++shown > FRAMES_MAX)
			continue;
		if (ar.currentline > 0)
			words_add(frames, "\n  called from %s:%d", ar.short_src, ar.currentline);
		else
			words_add(frames, "\n  called from C, %s", ar.name ? ar.name : "?");
	}
	if (shown > FRAMES_MAX)
		words_add(frames, "\n  and from %s%d more", level == LEVELS_MAX ? "at least " : "",
			  shown - FRAMES_MAX);
}

static enum err report(struct host *host, lua_State *co, int status, struct diag *diag)
{
	struct failure failure = { .err = ERR_SCENARIO };
	struct words frames = { 0 };
	enum err err;

	take_error(host, co, status, &failure);
	if (failure.whole)
		return diag_fail(diag, failure.err, "%s", failure.text);
	if (!failure.at.source)
		host_place(co, &failure.at);
	add_frames(host, co, &failure.at, &frames);
	err = source_report(&(struct source_report){
		.err = failure.err,
		.at = failure.at,
		.text = failure.text,
		.frames = frames.text ? frames.text : "",
		.phase = host->phase,
		.scenario = host->scenario,
	}, diag);
	words_clear(&frames);
	return err;
}

enum err host_guard(struct host *host, lua_CFunction f, void *arg, struct diag *diag)
{
	lua_State *L = host->L;
	enum err err = ERR_OK;
	int status;

	lua_pushcfunction(L, f);
	lua_pushlightuserdata(L, arg);
	status = lua_pcall(L, 1, 0, 0);
	if (status != LUA_OK) {
		err = report(host, L, status, diag);
		lua_settop(L, 0);
	}
	return err;
}

/* Where the Lua begins, as Lua's own program sees it: behind a byte order mark, and behind a first
 * line that names a program.  Its newline stays, so that lines keep their numbers. */
static size_t first_line(const struct chunk *chunk)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t at = 0;

	if (chunk->size >= 3 && memcmp(chunk->text, mark, 3) == 0)
		at = 3;
	if (at < chunk->size && chunk->text[at] == '#')
		while (at < chunk->size && chunk->text[at] != '\n')
			at++;
	return at;
}

enum err host_load(struct host *host, lua_State *L, const struct chunk *chunk, struct diag *diag)
{
	struct source *source = source_add(&host->sources, chunk->file, chunk->text, chunk->size);
	char name[SOURCE_TAG_MAX + 1];
	size_t begin;
	int status;

	if (!source)
		return diag_fail(diag, ERR_NOMEM, "%s: no memory for its text", chunk->file);
	if (chunk->size && chunk->text[0] == LUA_SIGNATURE[0])
		return diag_fail(diag, ERR_SCENARIO,
				 "%s:1: this is a compiled Lua chunk; a scenario is a text file",
				 chunk->file);
	snprintf(name, sizeof(name), "@%s", source->tag);
	begin = first_line(chunk);
	status = luaL_loadbufferx(L, chunk->text + begin, chunk->size - begin, name, "t");
	if (status != LUA_OK) {
		enum err err = report(host, L, status, diag);

		lua_pop(L, 1);
		return err;
	}
	lua_getfield(L, LUA_REGISTRYINDEX, "memcglab.env");
	lua_setupvalue(L, -2, 1);
	return ERR_OK;
}

enum host_end host_resume(struct host *host, lua_State *co, int *nargs, struct diag *diag)
{
	int nres = 0;
	int status;

	host->spent = 0;
	lua_sethook(co, budget_hook, LUA_MASKCOUNT, HOOK_STEP);
	status = lua_resume(co, host->L, *nargs, &nres);
	*nargs = nres;
	if (status == LUA_OK)
		return HOST_DONE;
	if (status == LUA_YIELD)
		return HOST_YIELDED;
	report(host, co, status, diag);
	return HOST_FAILED;
}

enum err host_call(struct host *host, int nargs, struct diag *diag)
{
	lua_State *L = host->L;
	lua_State *co = lua_newthread(L);
	enum host_end end;

	lua_insert(L, -nargs - 2);
	luaL_checkstack(co, nargs + 1, NULL);
	lua_xmove(L, co, nargs + 1);
	host->pcalls = 0;
	end = host_resume(host, co, &nargs, diag);
	if (end == HOST_DONE) {
		lua_settop(co, nargs ? 1 : 0);
		if (!nargs)
			lua_pushnil(co);
		lua_xmove(co, L, 1);
		lua_remove(L, -2); /* the thread */
		return ERR_OK;
	}
	lua_pop(L, 1);
	if (end == HOST_YIELDED)
		return diag_fail(diag, ERR_SCENARIO, "%s: only setup and run may act",
				 host->scenario);
	return diag ? diag->err : ERR_SCENARIO;
}
