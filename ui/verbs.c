/*
 * The table of verbs, in the order in which usage lists them, and the words
 * that later versions will have.
 */
#include "verbs.h"

#define OPTS_SWEEP                                                                               \
	(OPT_BIT(OPT_SWEEP) | OPT_BIT(OPT_JOBS) | OPT_BIT(OPT_RESUME) | OPT_BIT(OPT_EMIT_JOBS) | \
	 OPT_BIT(OPT_METRIC))
#define OPTS_RUN                                                                              \
	(OPT_BIT(OPT_KERNEL) | OPT_BIT(OPT_PARAM) | OPT_BIT(OPT_SEED) | OPT_BIT(OPT_REPEAT) | \
	 OPT_BIT(OPT_TAG) | OPT_BIT(OPT_NOTE) | OPT_BIT(OPT_NO_DB) | OPT_BIT(OPT_EXPECT) |    \
	 OPTS_SWEEP)
#define OPTS_PAGECG                                                                               \
	(OPT_BIT(OPT_MACHINE) | OPT_BIT(OPT_RANGES) | OPT_BIT(OPT_SECTIONS) | OPT_BIT(OPT_ARCH) | \
	 OPT_BIT(OPT_FLAT) | OPT_BIT(OPT_PAGE) | OPT_BIT(OPT_CPUS) | OPT_BIT(OPT_SWAP))

/* Limits of a scenario's Lua: nothing to a verb that loads none. */
#define OPTS_LUA (OPT_BIT(OPT_INSTR_LIMIT) | OPT_BIT(OPT_MEM_LIMIT))

const struct verb verbs_table[] = {
	{
		.name = "run",
		.args = "SCENARIO",
		.doc = "run a scenario on one or more kernels",
		.more =
			"Shows parameters, metrics and expectations side by side, A the first\n"
			"kernel, and stores each run.  Expectations that fail change the status\n"
			"only with --expect.  --sweep NAME=VALUES runs every combination of\n"
			"values and seeds, a process a point, and shows a row a point: the mean\n"
			"over seeds and its range.\n",
		.options = OPTS_RUN,
		.example = {
			"memcglab run cat-in-100m -k unbatched,batched",
			"memcglab run cat-in-100m --sweep limit=16M..64M*2 -j 2 --repeat 3",
		},
		.min_args = 1,
		.max_args = 1,
		.polls = true,
		.run = command_run,
	},
	{
		.name = "tui",
		.args = "[SCENARIO|RUN]",
		.doc = "the terminal program: lists, views, play and step",
		.more = "? in any view lists its keys.\n",
		.options = OPT_BIT(OPT_VIEW) | OPT_BIT(OPT_AB),
		.example = { "memcglab tui cat-in-100m", "memcglab tui latest --view scan" },
		.max_args = 1,
		.unused = OPT_BIT(OPT_FORMAT) | OPT_BIT(OPT_OUTPUT) | OPT_BIT(OPT_TIME_LIMIT),
	},
	{
		.name = "shell",
		.args = "",
		.doc = "commands, SQL and Lua, line by line",
		.more =
			"Words are commands as here, SQL begins with SELECT, WITH, EXPLAIN or\n"
			"VALUES and ends with ;  Lua begins with = or lua.  .help there and\n"
			"memcglab help shell list the rest.  Without -c or -f lines are read\n"
			"from the terminal or standard input.\n",
		.options = OPT_BIT(OPT_COMMAND) | OPT_BIT(OPT_FILE) | OPT_BIT(OPT_KEEP_GOING),
		.example = {
			"memcglab shell -c 'select * from v_runs;'",
			"memcglab shell -c '= 128 << 20'",
		},
	},
	{
		.name = "screen",
		.args = "RUN",
		.doc = "one frame of a stored run, without a terminal",
		.more =
			"The suffix of -o FILE says what is written: .txt text, .ansi with\n"
			"colours, .svg.  Without --group it is the group that reclaim took most\n"
			"from on both sides.\n",
		.options = OPT_BIT(OPT_VIEW) | OPT_BIT(OPT_AT) | OPT_BIT(OPT_SIZE) |
			   OPT_BIT(OPT_GROUP),
		.example = {
			"memcglab screen latest --view scan",
			"memcglab screen latest --view lru --at 1000 --size 100x30 -o lru.svg",
		},
		.min_args = 1,
		.max_args = 1,
		.run = command_screen,
		.unused = OPT_BIT(OPT_FORMAT) | OPTS_LUA,
	},
	{
		.name = "scenario",
		.args = "list | show NAME | new NAME | check FILE...",
		.doc = "list, describe, begin or check scenarios",
		.more =
			"new writes NAME.lua, a commented scenario that runs.  check loads each\n"
			"file, dry-runs its set-up and prints problems as file:line: text,\n"
			"status 1 on any.\n",
		.example = {
			"memcglab scenario show cat-in-100m",
			"memcglab scenario list -F json",
		},
		.min_args = 1,
		.max_args = ARGS_MAX,
		.run = command_scenario,
	},
	{
		.name = "runs",
		.args = "",
		.doc = "list the stored runs, newest first",
		.more =
			"--where takes columns of v_runs, metrics and param.NAME with = != < <= >\n"
			">= ~ (has a part) like, and, or, not; words alone and NAME:PART as in\n"
			"the filter of the Runs view; units as in 100M and 3ms.\n",
		.options = OPT_BIT(OPT_WHERE) | OPT_BIT(OPT_SORT) | OPT_BIT(OPT_LIMIT),
		.example = {
			"memcglab runs --where 'over_scan < 2 and kernel = \"batched\"'",
			"memcglab runs --sort -over_scan --limit 10 -F json",
		},
		.run = command_runs,
		.unused = OPTS_LUA,
	},
	{
		.name = "show",
		.args = "RUN",
		.doc = "parameters, metrics, expectations and error of a run",
		.more = "",
		.example = { "memcglab show latest", "memcglab show latest:cat-in-100m -F json" },
		.min_args = 1,
		.max_args = 1,
		.run = command_show,
		.unused = OPTS_LUA,
	},
	{
		.name = "compare",
		.args = "A B",
		.doc = "what differs between two runs, or over their seeds",
		.more =
			"A side is a run with all seeds of it: same scenario, parameters, kernel\n"
			"and program.  From 9 seeds a side metrics are judged: exact where each\n"
			"side has one value, else by Mann-Whitney and Holm.  Status 3 if the\n"
			"programs that made A and B differ.\n",
		.options = OPT_BIT(OPT_DIFF_ONLY) | OPT_BIT(OPT_ALL) | OPT_BIT(OPT_METRIC) |
			   OPT_BIT(OPT_ALPHA) | OPT_BIT(OPT_EXIT_CODE),
		.example = { "memcglab compare 1 2", "memcglab compare 1 latest --all -F json" },
		.min_args = 2,
		.max_args = 2,
		.run = command_compare,
		.unused = OPTS_LUA,
	},
	{
		.name = "export",
		.args = "RUN",
		.doc = "a stored run for other programs",
		.more =
			"-F json and csv give all that is stored of it, other formats a row for\n"
			"each shrink call; --as prints the kernel's own lines, memory.stat\n"
			"those of --group; --bundle is the run itself as one file, for open.\n",
		.options = OPT_BIT(OPT_AS) | OPT_BIT(OPT_GROUP) | OPT_BIT(OPT_AT) |
			   OPT_BIT(OPT_BUNDLE),
		.example = {
			"memcglab export latest --as scan-log",
			"memcglab export latest -F csv -o calls.csv",
		},
		.min_args = 1,
		.max_args = 1,
		.run = command_export,
		.unused = OPTS_LUA,
	},
	{
		.name = "note",
		.args = "RUN [TEXT...]",
		.doc = "a note to a run",
		.more = "Without TEXT it is shown; an empty one ('') removes it.\n",
		.example = {
			"memcglab note latest 'first batched baseline'",
			"memcglab note latest",
		},
		.min_args = 1,
		.max_args = ARGS_MAX,
		.run = command_note,
		.unused = OPT_BIT(OPT_FORMAT) | OPTS_LUA,
		.minor = true,
	},
	{
		.name = "tag",
		.args = "RUN [TAG...]",
		.doc = "words to find a run by",
		.more = "Adds tags and shows all that the run has; --remove takes them away.\n",
		.options = OPT_BIT(OPT_REMOVE),
		.example = {
			"memcglab tag latest base nightly",
			"memcglab tag latest --remove nightly",
		},
		.min_args = 1,
		.max_args = ARGS_MAX,
		.run = command_tag,
		.unused = OPT_BIT(OPT_FORMAT) | OPTS_LUA,
		.minor = true,
	},
	{
		.name = "baseline",
		.args = "set RUN | show [SCENARIO] | clear SCENARIO",
		.doc = "the run of a scenario that others are held against",
		.more =
			"A scenario has one; baseline:SCENARIO names it wherever a RUN may stand.\n"
			"prune keeps it.\n",
		.example = {
			"memcglab baseline set latest:cat-in-100m",
			"memcglab show baseline:cat-in-100m",
		},
		.min_args = 1,
		.max_args = 2,
		.run = command_baseline,
		.unused = OPTS_LUA,
		.minor = true,
	},
	{
		.name = "delete",
		.args = "RUN...",
		.doc = "runs and all that is stored of them",
		.more =
			"Lists them and asks; where there is no terminal it needs --yes.  A run\n"
			"that is going on is never deleted.\n",
		.options = OPT_BIT(OPT_YES),
		.example = {
			"memcglab delete latest --yes",
			"memcglab delete latest latest:cat-in-100m --yes",
		},
		.min_args = 1,
		.max_args = ARGS_MAX,
		.run = command_delete,
		.unused = OPTS_LUA,
		.minor = true,
		.asks = true,
	},
	{
		.name = "prune",
		.args = "",
		.doc = "delete old runs that nobody marked",
		.more =
			"The newest N stay, and baselines, runs with a tag or a note, and what is\n"
			"running.  Lists the others and asks; without a terminal it needs --yes.\n",
		.options = OPT_BIT(OPT_KEEP) | OPT_BIT(OPT_DRY_RUN) | OPT_BIT(OPT_YES),
		.example = {
			"memcglab prune --keep 100 --dry-run",
			"memcglab prune --keep 100 --yes",
		},
		.run = command_prune,
		.unused = OPTS_LUA,
		.minor = true,
		.asks = true,
	},
	{
		.name = "report",
		.args = "RUN...",
		.doc = "runs as one HTML page, to hand on",
		.more =
			"What was run, metrics side by side, expectations, verdicts over seeds of\n"
			"the first two, plots with their data, how to make it again.  One file,\n"
			"no script; the same runs give the same bytes.  RUN is also A..B.\n",
		.options = OPT_BIT(OPT_GROUP),
		.example = {
			"memcglab report 1 2 -o report.html",
			"memcglab report latest -o latest.html",
		},
		.min_args = 1,
		.max_args = ARGS_MAX,
		.whole = true,
		.run = command_report,
		.unused = OPT_BIT(OPT_FORMAT) | OPTS_LUA,
	},
	{
		.name = "plot",
		.args = "RUN...",
		.doc = "a metric of runs as a plot: text, SVG, PNG",
		.more =
			"A figure of a group over time, of shrink calls, of marks, a stored\n"
			"metric over a parameter (--by) with intervals over seeds; --kind locks:\n"
			"waits; strip: a list from head to tail over time; mrc: misses by limit.\n"
			"-o FILE.svg .png .txt, .gp: the script for gnuplot; -F csv: the data.\n"
			"RUN is also A..B, with --by alone all that differ in it only.\n",
		.options = OPT_BIT(OPT_METRIC) | OPT_BIT(OPT_KIND) | OPT_BIT(OPT_BY) |
			   OPT_BIT(OPT_GROUP),
		.example = {
			"memcglab plot latest --metric usage -o usage.svg",
			"memcglab plot 1 2 --metric nr_to_scan --kind histogram",
		},
		.min_args = 1,
		.max_args = ARGS_MAX,
		.whole = true,
		.run = command_plot,
		.unused = OPTS_LUA,
	},
	{
		.name = "size",
		.args = "SCENARIO",
		.doc = "the smallest value of a parameter that meets a condition",
		.more =
			"By bisection, for each kernel and seed, down to a page, assuming that\n"
			"what meets the condition once does so for all larger values; a run\n"
			"without the figure never meets it.  Shows the value that meets it in\n"
			"every seed, the least of theirs, their mean and its interval.  Status 1\n"
			"if the smallest is not within --from and --to.\n"
			"--param NAME is what is looked for, -p NAME=VALUE sets others.\n",
		.options = OPT_BIT(OPT_PARAM) | OPT_BIT(OPT_UNTIL) | OPT_BIT(OPT_FROM) |
			   OPT_BIT(OPT_TO) | OPT_BIT(OPT_KERNEL) | OPT_BIT(OPT_SEED) |
			   OPT_BIT(OPT_REPEAT) | OPT_BIT(OPT_JOBS) | OPT_BIT(OPT_TAG) |
			   OPT_BIT(OPT_NOTE) | OPT_BIT(OPT_NO_DB),
		.example = {
			"memcglab size cat-in-100m -p file=9M --param limit --until failcnt=0 "
			"--to 1G",
			"memcglab size cat-in-100m --param file --until 'failcnt>9' --from 1M "
			"--to 1G",
		},
		.min_args = 1,
		.max_args = 1,
		.polls = true,
		.run = command_size,
	},
	{
		.name = "pagecg",
		.args = "",
		.doc = "bytes that knowing the owner of pages costs each kernel",
		.more =
			"Without a map: 4G of RAM in 30 sections, 983040 frames.  bytes is the\n"
			"array made at boot; word is in struct page, charged are records when\n"
			"all of RAM is charged (with chunks, nodes and look-asides of a radix\n"
			"tree), swap the owners of slots.\n",
		.options = OPTS_PAGECG,
		.example = {
			"memcglab pagecg --ranges 0-3G,4G-4.75G",
			"memcglab pagecg --machine 64G -F json",
		},
		.run = command_pagecg,
		.unused = OPTS_LUA,
	},
	{
		.name = "sql",
		.args = "'QUERY'",
		.doc = "a read-only query on the store",
		.more =
			"Views: v_runs v_metrics v_series v_events v_scan v_expect v_marks\n"
			"v_taken v_lock v_lock_site v_files v_keyframes v_log v_published;\n"
			"v_compare of two runs (where a = 1 and b = 2), as compare has it.\n",
		.example = {
			"memcglab sql 'select * from v_runs'",
			"memcglab sql 'select name, count(*) from v_metrics group by name' -F csv",
		},
		.min_args = 1,
		.max_args = 1,
		.run = command_sql,
		.unused = OPTS_LUA,
	},
	{
		.name = "kernel",
		.args = "list | show NAME",
		.doc = "the kernels, their axes and constants",
		.more = "A kernel may have axes replaced: v3.1+lru=per_memcg.\n",
		.example = { "memcglab kernel show v2.6.31", "memcglab kernel list" },
		.min_args = 1,
		.max_args = 2,
		.run = command_kernel,
		.unused = OPTS_LUA,
	},
	{
		.name = "real",
		.args = "list | run NAME | check [NAME...]",
		.doc = "hold the model against what a real kernel counted",
		.more =
			"run predicts a recorded workload on v6.18-v1.  check compares all or\n"
			"some named, counter by counter and eviction by eviction: status 1 if\n"
			"any is outside of the recorded runs.  Of a record a prediction uses\n"
			"flush_at only: where statistics were flushed.\n",
		.options = OPT_BIT(OPT_DIR),
		.example = { "memcglab real check cyc_110", "memcglab real run seq_100m -F csv" },
		.min_args = 1,
		.max_args = ARGS_MAX,
		.polls = true,
		.run = command_real,
		.unused = OPTS_LUA,
	},
	{
		.name = "published",
		.args = "list | show NAME | check [NAME]",
		.doc = "the tables of the posts, held against the model",
		.more =
			"check runs the scenarios that rows name and prints each row:\n"
			"published, model, error, label, tolerance, verdict.  Only derived and\n"
			"predicted rows inside their tolerance count as reproduced; status 1 if\n"
			"one is not, or if a fitted constant is not listed by the row it was\n"
			"fitted to.  NAME: a table, or a scenario.\n",
		.options = OPT_BIT(OPT_FULL) | OPT_BIT(OPT_NO_DB),
		.example = {
			"memcglab published check page_cgroup_2011",
			"memcglab published show memcg_lru_2011",
		},
		.min_args = 1,
		.max_args = 2,
		.polls = true,
		.run = command_published,
	},
	{
		.name = "help",
		.args = "[TOPIC]",
		.doc = "help on a command or a topic",
		.more =
			"Topics: keys formats status files library, each command, and each\n"
			"metric.\n",
		.example = { "memcglab help keys", "memcglab help run" },
		.max_args = 1,
		.run = command_topic,
		.unused = OPT_BIT(OPT_FORMAT) | OPTS_LUA,
	},
	{
		.name = "apropos",
		.args = "WORD",
		.doc = "all that has to do with a word",
		.more =
			"Looks at commands, options, topics, keys, kernels, scenarios and\n"
			"metrics.\n",
		.example = { "memcglab apropos swap", "memcglab apropos scan -F csv" },
		.min_args = 1,
		.max_args = 1,
		.run = command_apropos,
	},
	{
		.name = "rerun",
		.args = "RUN",
		.doc = "run a stored run again, from the store alone",
		.more =
			"The texts of its scenario and libraries, its parameters, seed and kernel\n"
			"are those of then, whatever the files say now.  The new run is held\n"
			"against the stored states of the old one: status 1 if they differ.\n",
		.options = OPT_BIT(OPT_TAG) | OPT_BIT(OPT_NOTE),
		.example = { "memcglab rerun latest", "memcglab rerun 52 --tag again" },
		.min_args = 1,
		.max_args = 1,
		.polls = true,
		.run = command_rerun,
		.minor = true,
	},
	{
		.name = "verify",
		.args = "RUN",
		.doc = "replay a stored run and compare each stored state",
		.more =
			"Status 1 if one differs; the first that does is named.  A run that\n"
			"failed or was interrupted is verified as far as it came.\n",
		.example = { "memcglab verify latest", "memcglab verify 52 -F json" },
		.min_args = 1,
		.max_args = 1,
		.run = command_verify,
		.minor = true,
		.unused = OPTS_LUA,
	},
	{
		.name = "db",
		.args = "info|check|migrate|backup FILE|merge FILE...",
		.doc = "look after the store of runs",
		.more =
			"backup is safe while others write.  merge brings over the runs of other\n"
			"stores that are not here yet, with all that belongs to them: merging\n"
			"twice is merging once.  check: status 4 if anything is wrong.\n",
		.example = {
			"memcglab db backup runs-copy.db",
			"memcglab db merge runs-copy.db",
		},
		.min_args = 1,
		.max_args = ARGS_MAX,
		.run = command_db,
		.minor = true,
		.unused = OPTS_LUA,
	},
	{
		.name = "open",
		.args = "FILE.mcrun",
		.doc = "check a run that is one file, and bring it into the store",
		.more = "It is replayed: status 1 if its states differ, 4 if a byte does.\n",
		.example = { "memcglab export latest --bundle x.mcrun", "memcglab open x.mcrun" },
		.min_args = 1,
		.max_args = 1,
		.run = command_open,
		.minor = true,
		.unused = OPTS_LUA,
	},
	{
		.name = "version",
		.args = "",
		.doc = "the program's version",
		.more = "",
		.example = { "memcglab version", "memcglab version -F json" },
		.run = command_version,
		.unused = OPTS_LUA,
	},
	{ .name = NULL },
};

/* Words of the interface that later versions will have. */
const char *const verbs_later[] = {
	"explain", "branch", "import", "live", "quiz", "doctor", "completion", NULL,
};
