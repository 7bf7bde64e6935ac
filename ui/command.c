/*
 * The table of verbs and what is made from it: look-up, usage, help.  A
 * word of the interface that this version does not have yet is refused as
 * such, so that nobody looks for a spelling mistake.
 */
#include "command.h"

#include <string.h>

#include "output.h"

#define OPTS_RUN                                                                              \
	(OPT_BIT(OPT_KERNEL) | OPT_BIT(OPT_PARAM) | OPT_BIT(OPT_SEED) | OPT_BIT(OPT_REPEAT) | \
	 OPT_BIT(OPT_TAG) | OPT_BIT(OPT_NOTE) | OPT_BIT(OPT_NO_DB) | OPT_BIT(OPT_EXPECT))
#define OPTS_PAGECG                                                                               \
	(OPT_BIT(OPT_MACHINE) | OPT_BIT(OPT_RANGES) | OPT_BIT(OPT_SECTIONS) | OPT_BIT(OPT_ARCH) | \
	 OPT_BIT(OPT_FLAT) | OPT_BIT(OPT_PAGE) | OPT_BIT(OPT_CPUS) | OPT_BIT(OPT_SWAP))

/* Limits of a scenario's Lua: nothing to a verb that loads none. */
#define OPTS_LUA (OPT_BIT(OPT_INSTR_LIMIT) | OPT_BIT(OPT_MEM_LIMIT))

static const struct verb verbs[] = {
	{ "run",
	  "SCENARIO",
	  "run a scenario on one or more kernels",
	  "Shows parameters, metrics and expectations side by side, A the first kernel, and\n"
	  "stores each run.  Expectations that fail change the status only with --expect.\n",
	  OPTS_RUN,
	  { "memcglab run cat-in-100m -k unbatched,batched",
	    "memcglab run cat-in-100m -p limit=200M --seed 9 -F json" },
	  1,
	  1,
	  true,
	  command_run,
	  0 },
	{ "tui",
	  "[SCENARIO|RUN]",
	  "the terminal program: lists, views, play and step",
	  "? in any view lists its keys.\n",
	  OPT_BIT(OPT_VIEW) | OPT_BIT(OPT_AB),
	  { "memcglab tui cat-in-100m", "memcglab tui latest --view scan" },
	  0,
	  1,
	  false,
	  NULL,
	  OPT_BIT(OPT_FORMAT) | OPT_BIT(OPT_OUTPUT) | OPT_BIT(OPT_TIME_LIMIT) },
	{ "shell",
	  "",
	  "commands, SQL and Lua, line by line",
	  "Words are commands as here, SQL begins with SELECT, WITH, EXPLAIN or VALUES and\n"
	  "ends with ;  Lua begins with = or lua.  .help there and memcglab help shell list\n"
	  "the rest.  Without -c or -f lines are read from the terminal or standard input.\n",
	  OPT_BIT(OPT_COMMAND) | OPT_BIT(OPT_FILE) | OPT_BIT(OPT_KEEP_GOING),
	  { "memcglab shell -c 'select * from v_runs;'", "memcglab shell -c '= 128 << 20'" },
	  0,
	  0,
	  false,
	  NULL,
	  0 },
	{ "screen",
	  "RUN",
	  "one frame of a stored run, without a terminal",
	  "The suffix of -o FILE says what is written: .txt text, .ansi with colours, .svg.\n"
	  "Without --group it is the group that reclaim took most from on both sides.\n",
	  OPT_BIT(OPT_VIEW) | OPT_BIT(OPT_AT) | OPT_BIT(OPT_SIZE) | OPT_BIT(OPT_GROUP),
	  { "memcglab screen latest --view scan",
	    "memcglab screen latest --view lru --at 1000 --size 100x30 -o lru.svg" },
	  1,
	  1,
	  false,
	  command_screen,
	  OPT_BIT(OPT_FORMAT) | OPTS_LUA },
	{ "scenario",
	  "list | show NAME | new NAME | check FILE...",
	  "list, describe, begin or check scenarios",
	  "new writes NAME.lua, a commented scenario that runs.  check loads each file,\n"
	  "dry-runs its set-up and prints problems as file:line: text, status 1 on any.\n",
	  0,
	  { "memcglab scenario show cat-in-100m", "memcglab scenario list -F json" },
	  1,
	  ARGS_MAX,
	  false,
	  command_scenario,
	  0 },
	{ "runs",
	  "",
	  "list the stored runs, newest first",
	  "",
	  OPT_BIT(OPT_LIMIT),
	  { "memcglab runs --limit 10", "memcglab runs -F json" },
	  0,
	  0,
	  false,
	  command_runs,
	  OPTS_LUA },
	{ "show",
	  "RUN",
	  "parameters, metrics, expectations and error of a run",
	  "",
	  0,
	  { "memcglab show latest", "memcglab show latest:cat-in-100m -F json" },
	  1,
	  1,
	  false,
	  command_show,
	  OPTS_LUA },
	{ "export",
	  "RUN",
	  "a stored run for other programs",
	  "-F json and csv give all that is stored of it, other formats a row for each\n"
	  "shrink call; --as prints the kernel's own lines, memory.stat those of --group.\n",
	  OPT_BIT(OPT_AS) | OPT_BIT(OPT_GROUP) | OPT_BIT(OPT_AT),
	  { "memcglab export latest --as scan-log", "memcglab export latest -F csv -o calls.csv" },
	  1,
	  1,
	  false,
	  command_export,
	  OPTS_LUA },
	{ "pagecg",
	  "",
	  "bytes that knowing the owner of pages costs each kernel",
	  "Without a map: 4G of RAM in 30 sections, 983040 frames.  bytes is the array made\n"
	  "at boot; word is in struct page, charged are records when all of RAM is charged\n"
	  "(with chunks, nodes and look-asides of a radix tree), swap the owners of slots.\n",
	  OPTS_PAGECG,
	  { "memcglab pagecg --ranges 0-3G,4G-4.75G", "memcglab pagecg --machine 64G -F json" },
	  0,
	  0,
	  false,
	  command_pagecg,
	  OPTS_LUA },
	{ "sql",
	  "'QUERY'",
	  "a read-only query on the store",
	  "Views: v_runs v_metrics v_series v_events v_scan v_expect v_marks v_taken v_lock\n"
	  "v_lock_site v_log v_published.\n",
	  0,
	  { "memcglab sql 'select * from v_runs'",
	    "memcglab sql 'select name, count(*) from v_metrics group by name' -F csv" },
	  1,
	  1,
	  false,
	  command_sql,
	  OPTS_LUA },
	{ "kernel",
	  "list | show NAME",
	  "the kernels, their axes and constants",
	  "A kernel may have axes replaced: v3.1+lru=per_memcg.\n",
	  0,
	  { "memcglab kernel show v2.6.31", "memcglab kernel list" },
	  1,
	  2,
	  false,
	  command_kernel,
	  OPTS_LUA },
	{ "real",
	  "list | run NAME | check [NAME...]",
	  "hold the model against what a real kernel counted",
	  "run predicts a recorded workload on v6.18-v1.  check compares all or some named,\n"
	  "counter by counter and eviction by eviction: status 1 if any is outside of the\n"
	  "recorded runs.  Of a record a prediction uses flush_at only: where statistics\n"
	  "were flushed.\n",
	  OPT_BIT(OPT_DIR),
	  { "memcglab real check cyc_110", "memcglab real run seq_100m -F csv" },
	  1,
	  ARGS_MAX,
	  true,
	  command_real,
	  OPTS_LUA },
	{ "published",
	  "list | show NAME | check [NAME]",
	  "the tables of the posts, held against the model",
	  "check runs the scenarios that rows name and prints each row: published, model,\n"
	  "error, label, tolerance, verdict.  Only derived and predicted rows inside their\n"
	  "tolerance count as reproduced; status 1 if one is not, or if a fitted constant\n"
	  "is not listed by the row it was fitted to.  NAME: a table, or a scenario.\n",
	  OPT_BIT(OPT_FULL) | OPT_BIT(OPT_NO_DB),
	  { "memcglab published check page_cgroup_2011", "memcglab published show memcg_lru_2011" },
	  1,
	  2,
	  true,
	  command_published,
	  0 },
	{ "help",
	  "[TOPIC]",
	  "help on a command or a topic",
	  "Topics: keys formats status files library, each command, and each metric.\n",
	  0,
	  { "memcglab help keys", "memcglab help run" },
	  0,
	  1,
	  false,
	  command_topic,
	  OPT_BIT(OPT_FORMAT) | OPTS_LUA },
	{ "apropos",
	  "WORD",
	  "all that has to do with a word",
	  "Looks at commands, options, topics, keys, kernels, scenarios and metrics.\n",
	  0,
	  { "memcglab apropos swap", "memcglab apropos scan -F csv" },
	  1,
	  1,
	  false,
	  command_apropos,
	  0 },
	{ "version",
	  "",
	  "the program's version",
	  "",
	  0,
	  { "memcglab version", "memcglab version -F json" },
	  0,
	  0,
	  false,
	  command_version,
	  OPTS_LUA },
};

enum { NR_VERBS = sizeof(verbs) / sizeof(verbs[0]) };

/* Words of the interface that later versions will have. */
static const char *const later[] = {
	"compare",  "explain", "rerun",  "verify",    "branch", "import",     "open",
	"size",  "plot",    "report", "live",   "quiz",       "note",
	"tag",   "baseline", "delete",  "prune",  "db",        "doctor", "completion",
};

enum { NR_LATER = sizeof(later) / sizeof(later[0]) };

size_t command_count(void)
{
	return NR_VERBS;
}

const struct verb *command_at(size_t i)
{
	return i < NR_VERBS ? &verbs[i] : NULL;
}

/* Names for the nearest; @ctx is one to leave out, or NULL. */
static const char *verb_name_at(const void *ctx, size_t i)
{
	for (size_t v = 0; v < NR_VERBS; v++)
		if (verbs[v].name != ctx && i-- == 0)
			return verbs[v].name;
	return NULL;
}

/* Two names are offered: one letter too many is often as near to one verb as to its plural. */
enum err command_find(const char *name, const struct verb **out, struct diag *diag)
{
	const char *nearest, *next;

	*out = NULL;
	for (size_t i = 0; i < NR_VERBS && *out == NULL; i++)
		if (strcmp(verbs[i].name, name) == 0)
			*out = &verbs[i];
	if (*out != NULL)
		return ERR_OK;
	for (size_t i = 0; i < NR_LATER; i++)
		if (strcmp(later[i], name) == 0)
			return diag_fail(diag, ERR_USAGE, "%s: not in this version yet", name);
	nearest = diag_nearest(name, verb_name_at, NULL);
	next = diag_nearest(name, verb_name_at, nearest);
	return diag_fail(diag, ERR_USAGE,
			 "no command \"%s\": did you mean %s or %s? "
			 "(memcglab help lists all)",
			 name, nearest, next);
}

/* What a verb takes no notice of is refused: nobody should believe that it did something. */
static enum err check_unused(const struct verb *verb, const struct args *args, struct diag *diag)
{
	for (int id = 0; id < NR_OPTIONS; id++)
		if ((verb->unused & args->given & OPT_BIT(id)) != 0)
			return diag_fail(diag, ERR_USAGE, "--%s means nothing to memcglab %s",
					 args_option((enum option_id)id)->name, verb->name);
	return ERR_OK;
}

/* All that can be refused before anything is opened: it costs nothing and leaves no empty file. */
enum err command_check(const struct verb *verb, const struct args *args, struct diag *diag)
{
	if (args->nr_args < verb->min_args)
		return diag_fail(diag, ERR_USAGE, "usage: memcglab %s %s (see memcglab %s --help)",
				 verb->name, verb->args, verb->name);
	if (args->nr_args > verb->max_args)
		return diag_fail(diag, ERR_USAGE, "\"%s\" is one word too many: memcglab %s%s%s",
				 args->arg[verb->max_args], verb->name,
				 verb->args[0] != '\0' ? " " : "", verb->args);
	if (check_unused(verb, args, diag) != ERR_OK)
		return ERR_USAGE;
	return output_format_find(args->format, diag);
}

/* For results that are no rows. */
enum err command_no_rows(const struct args *args, bool json, struct diag *diag)
{
	if (strcmp(args->format, "table") == 0 || (json && strcmp(args->format, "json") == 0))
		return ERR_OK;
	return diag_fail(diag, ERR_USAGE, "--format: \"%s\" cannot show this, only table%s can",
			 args->format, json ? " and json" : "");
}

/* What a newcomer sees first; it fits a terminal of 80 columns and 24 rows. */
void command_usage(FILE *out)
{
	fputs("memcglab: a laboratory for how Linux memory control groups charge and reclaim\n\n"
	      "usage: memcglab [GLOBAL OPTIONS] COMMAND [OPTIONS] [ARGUMENTS]\n\n",
	      out);
	for (size_t i = 0; i < NR_VERBS; i++)
		fprintf(out, "  %-9s %s\n", verbs[i].name, verbs[i].doc);
	fputs("\nmemcglab COMMAND --help shows the options of one; memcglab help TOPIC tells of\n"
	      "keys, formats, status, files, library and time.  memcglab alone opens the TUI.\n\n"
	      "example:\n"
	      "  memcglab run cat-in-100m\n",
	      out);
}

/* One option: "  -k, --kernel KERNEL,...   text". */
static void option_help(enum option_id id, FILE *out)
{
	const struct option_desc *desc = args_option(id);
	char left[64];

	snprintf(left, sizeof(left), "%s%s--%s%s%s",
		 desc->letter != 0 ? (char[]){ '-', desc->letter, '\0' } : "   ",
		 desc->letter != 0 ? ", " : " ", desc->name, desc->value != NULL ? " " : "",
		 desc->value != NULL ? desc->value : "");
	fprintf(out, "  %-29s %s\n", left, desc->doc);
}

/* Limits are shown only where there is something that they limit. */
void command_help(const struct verb *verb, FILE *out)
{
	uint64_t shown = verb->options | OPT_BIT(OPT_DB) | OPT_BIT(OPT_FORMAT) |
			 OPT_BIT(OPT_OUTPUT) | OPT_BIT(OPT_QUIET) | OPT_BIT(OPT_HELP);

	shown |= OPTS_LIMITS;
	if (verb->options & OPT_BIT(OPT_VIEW))
		shown |= OPT_BIT(OPT_ASCII);
	shown &= ~verb->unused;
	fprintf(out, "usage: memcglab %s [OPTIONS]%s%s\n\n%s\n%s\noptions:\n", verb->name,
		verb->args[0] != '\0' ? " " : "", verb->args, verb->doc, verb->more);
	for (int id = OPT_KERNEL; id < NR_OPTIONS; id++)
		if ((shown & OPT_BIT(id)) != 0)
			option_help((enum option_id)id, out);
	for (int id = 0; id < OPT_KERNEL; id++)
		if ((shown & OPT_BIT(id)) != 0)
			option_help((enum option_id)id, out);
	fprintf(out, "\nexamples:\n  %s\n  %s\n", verb->example[0], verb->example[1]);
}
