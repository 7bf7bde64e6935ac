/*
 * Command line options: one table says of each its name, value, meaning
 * and where the value is kept.  A command names the options that it takes
 * as a set of bits; argp parses, help and refusals read the same table.
 */
#ifndef MEMCGLAB_UI_ARGS_H
#define MEMCGLAB_UI_ARGS_H

#include <stdbool.h>

#include "lab.h"

enum option_id {
	OPT_DB,
	OPT_FORMAT,
	OPT_OUTPUT,
	OPT_COLOR,
	OPT_ASCII,
	OPT_QUIET,
	OPT_TRACEBACK,
	OPT_TIME_LIMIT,
	OPT_INSTR_LIMIT,
	OPT_MEM_LIMIT,
	OPT_HELP,
	OPT_VERSION,
	OPT_KERNEL,
	OPT_PARAM,
	OPT_SEED,
	OPT_REPEAT,
	OPT_TAG,
	OPT_NOTE,
	OPT_NO_DB,
	OPT_EXPECT,
	OPT_VIEW,
	OPT_AT,
	OPT_GROUP,
	OPT_SIZE,
	OPT_AB,
	OPT_LIMIT,
	OPT_AS,
	OPT_MACHINE,
	OPT_RANGES,
	OPT_SECTIONS,
	OPT_ARCH,
	OPT_FLAT,
	OPT_PAGE,
	OPT_DIR,
	OPT_FULL,
	OPT_CPUS,
	OPT_SWAP,
	OPT_COMMAND,
	OPT_FILE,
	OPT_KEEP_GOING,
	OPT_WHERE,
	OPT_SORT,
	OPT_SWEEP,
	OPT_JOBS,
	OPT_RESUME,
	OPT_EMIT_JOBS,
	OPT_METRIC,
	OPT_DIFF_ONLY,
	OPT_ALL,
	OPT_ALPHA,
	OPT_EXIT_CODE,
	OPT_YES,
	OPT_KEEP,
	OPT_DRY_RUN,
	OPT_REMOVE,
	OPT_KIND,
	OPT_BY,
	OPT_UNTIL,
	OPT_FROM,
	OPT_TO,
	OPT_BUNDLE,
	NR_OPTIONS
};

#define OPT_BIT(id) ((uint64_t)1 << (id))
/* Those that every command takes. */
#define OPTS_GLOBAL (OPT_BIT(OPT_KERNEL) - 1)
/* Those of the global ones that stop what a scenario may use up. */
#define OPTS_LIMITS (OPT_BIT(OPT_TIME_LIMIT) | OPT_BIT(OPT_INSTR_LIMIT) | OPT_BIT(OPT_MEM_LIMIT))

enum { ARGS_MAX = 64, ARGS_PARAMS_MAX = 64, ARGS_SWEEPS_MAX = 8 };

struct args {
	uint64_t given; /* bit of each option that was there */
	const char *db, *format, *output, *color, *traceback;
	bool ascii, quiet, help, version;
	uint64_t time_limit_ns, instr_limit, mem_limit;
	const char *kernels, *tag, *note;
	struct lab_param param[ARGS_PARAMS_MAX];
	size_t nr_params;
	struct lab_param sweep[ARGS_SWEEPS_MAX];
	size_t nr_sweeps;
	const char *emit_jobs, *metric, *until, *from, *to;
	const char *bundle, *sized; /* sized: --param without a value */
	uint64_t seed, repeat, jobs;
	bool no_db, expect, resume;
	const char *view, *size, *group, *ab, *as;
	uint64_t at, limit;
	const char *machine, *ranges, *arch, *dir;
	uint64_t sections, page_bytes, cpus, swap_bytes;
	bool flat, full, keep_going;
	const char *command, *file;
	const char *where, *sort;
	const char *alpha;
	bool diff_only, all, exit_code;
	bool yes, dry_run, remove;
	uint64_t keep;
	const char *kind, *by;
	const char *arg[ARGS_MAX]; /* words that are no options */
	size_t nr_args;
};

struct option_desc {
	const char *name;  /* "seed" */
	char letter;       /* 0: none */
	const char *value; /* "N"; "a|b" lists what is accepted; NULL: takes none */
	const char *doc;
};

const struct option_desc *args_option(enum option_id id);
bool args_given(const struct args *args, enum option_id id);

/* args_pooled - several processes share the work; the time limit is that of each piece of it. */
bool args_pooled(const struct args *args);

/* args_defaults - nothing given, every option at its default. */
void args_defaults(struct args *args);

/**
 * args_global - the options before the command
 * @next: receives the index of the command's word, @argc if there is none
 * Returns: ERR_USAGE for an option that does not exist or has a bad value.
 */
enum err args_global(struct args *args, int argc, char **argv, int *next, struct diag *diag);

/**
 * args_parse - the options and words after the command
 * @argv:    begins with the command's own word; "NAME=VALUE" is parted in place
 * @options: bits of those that it takes, besides the global ones
 * Returns: as above, with the nearest name.
 */
enum err args_parse(struct args *args, int argc, char **argv, uint64_t options, struct diag *diag);

#endif
