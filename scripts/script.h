/*
 * Scenarios in Lua: load one in the sandbox, read and set its parameters,
 * run it against a struct run, compute its metrics, judge its expectations.
 *
 * One struct script holds one loaded scenario; for each kernel of a
 * comparison a fresh script is loaded (so no Lua state leaks from A to B),
 * and script_compare judges the pair by the results of both.
 */
#ifndef MEMCGLAB_SCRIPTS_SCRIPT_H
#define MEMCGLAB_SCRIPTS_SCRIPT_H

#include "run.h"

struct script;

struct script_limits {
	uint64_t instructions;		/* VM instructions between two engine calls */
	bytes_t memory;			/* of the Lua state */
	bool traceback_full;
};
void script_limits_defaults(struct script_limits *limits);	/* 100M, 256M, user frames */

/* Words that the scenario printed. */
struct script_log {
	void *ctx;
	void (*line)(void *ctx, const char *text);
};

/* A file that a scenario required: "lib.compile", and its text. */
struct script_library {
	const char *name, *text;
	size_t size;
};

/**
 * struct script_file - what is loaded
 * @text: the whole file; @size bytes
 * @name: how the user names it: "scenarios/x.lua"
 * @lib_dir: folder of the files that require may load, e.g. "scripts" ("lib.compile"
 *        is scripts/lib/compile.lua); NULL: nothing can be required
 * @closed: require knows the @nr_libraries of @library and no folder; they stay where they are
 *        until script_free
 */
struct script_file {
	const char *text;
	size_t size;
	const char *name, *lib_dir;
	bool closed;
	const struct script_library *library;
	size_t nr_libraries;
};

/**
 * script_load - load, and check the returned table; nothing runs yet
 * @file: copied
 * @limits: NULL: script_limits_defaults
 * @log: NULL: print goes nowhere
 * Returns: ERR_SCENARIO for syntax and shape errors (file:line, three source
 * lines), ERR_LIMIT for the budgets.  *out is NULL then.
 */
enum err script_load(const struct script_file *file, const struct script_limits *limits,
		     const struct script_log *log, struct script **out, struct diag *diag);
void script_free(struct script *script);

const char *script_name(const struct script *script);
const char *script_title(const struct script *script);		/* "" if none */
const char *script_comment(const struct script *script);	/* the head comment, "" if none */
size_t script_kernel_count(const struct script *script);	/* its default kernels */
const char *script_kernel(const struct script *script, size_t i);

/* script_library - required file number @i, the latest first.  Returns: false past the last. */
bool script_library(const struct script *script, size_t i, struct script_library *out);

struct script_param {
	const char *name, *type, *doc, *label;	/* type: int size time seed … */
	char value[128], def[128], min[64], max[64];	/* as text; "" if none */
	const char *choices;			/* "even|one-big", "" if none */
};
size_t script_param_count(const struct script *script);
void script_param(const struct script *script, size_t i, struct script_param *out);

/**
 * script_param_set - from "NAME=VALUE"'s two halves
 * Returns: ERR_USAGE: unknown name (nearest is named), wrong type or range
 * (what is accepted is named): `limit: "100Q" is not a size (write …)`.
 * The run's seed is the parameter of type seed if there is one.
 */
enum err script_param_set(struct script *script, const char *name, const char *value,
			  struct diag *diag);
enum err script_seed_set(struct script *script, uint64_t seed, struct diag *diag);
uint64_t script_seed(const struct script *script);
char *script_params_json(const struct script *script);	/* malloc'ed; the caller frees it */

/**
 * script_open - set-up: calls setup() up to and with its ops, on @kernel
 * @out: the run, opened as lab.machine{} said; the caller adds sinks before
 *       script_run.  Owned by the caller, who closes it after script_free.
 * Ops made in setup() are executed when script_run starts, so sinks see them.
 */
enum err script_open(struct script *script, const struct era *kernel, struct run **out,
		     struct diag *diag);

/**
 * script_run - run() to its end or to @step steps
 * Returns: ERR_SCENARIO with file:line for errors of the script, ERR_LIMIT,
 * ERR_INTERRUPTED, what the run returned.
 */
enum err script_run(struct script *script, uint64_t step, bool *done, struct diag *diag);

/* script_setup - instead of script_run: the ops of setup() only, to check a scenario. */
enum err script_setup(struct script *script, struct diag *diag);

struct script_metric {
	const char *name, *unit, *better, *doc;
	bool is_text, is_real, missing;	/* missing: nil, "no such value" */
	int64_t integer;
	double real;
	const char *text;
};
/* script_metric_decl - a metric that the file declares: its name, unit, better and doc. */
size_t script_metric_decl_count(const struct script *script);
void script_metric_decl(const struct script *script, size_t i, struct script_metric *out);

struct script_expect {
	const char *text;
	const char *label;		/* derived predicted calibrated implied published "" */
	bool ok, has_value, has_wanted;
	double value, wanted;
	const char *where;		/* file:line */
};

/* script_judge - metrics (the engine's own first, then the scenario's) and expect(). */
enum err script_judge(struct script *script, struct diag *diag);
size_t script_metric_count(const struct script *script);
void script_metric(const struct script *script, size_t i, struct script_metric *out);
size_t script_expect_count(const struct script *script);
void script_expect(const struct script *script, size_t i, struct script_expect *out);

/* script_compare - compare(t, a, b) of @b's scenario; results join @b's expectations. */
enum err script_compare(struct script *a, struct script *b, struct diag *diag);

#endif
