/*
 * memcglab help and version.  The keys come from the table of actions, the
 * formats from the table of formats, the help of a verb from the table of
 * verbs: there is no second list to forget.
 */
#include <string.h>

#include "command.h"
#include "help_time.h"
#include "output.h"
#include "result.h"
#include "view.h"

/* The views in which a key means something; nothing for a key that works everywhere. */
static void views_format(unsigned views, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	if (views == ~0u)
		return;
	for (int v = 0; v < NR_VIEWS && n < size; v++)
		if ((views & 1u << v) != 0)
			n += (size_t)snprintf(out + n, size - n, " %s",
					      view_at((enum view_id)v)->name);
}

/* From the table that the key handler reads: what is listed here works, and nothing else does. */
static void topic_keys(FILE *out)
{
	fputs("keys of the TUI (with the word for the : prompt)\n\n", out);
	for (size_t i = 0; i < action_count(); i++) {
		const struct action_desc *action = action_at(i);
		char views[64];

		views_format(action->views, views, sizeof(views));
		fprintf(out, "%-16s %-13s %s%s%s%s\n", action->keys, action->name, action->doc,
			views[0] != '\0' ? " (in" : "", views, views[0] != '\0' ? ")" : "");
	}
}

/* The names come from the table of formats. */
static void topic_formats(FILE *out)
{
	fputs("formats of -F:", out);
	for (size_t i = 0; output_format_name(i) != NULL; i++)
		fprintf(out, " %s", output_format_name(i));
	fputs("\n\ntable is for people.  json is one object or array, jsonl one object a line;\n"
	      "field names do not change within a major version.  csv, tsv, quote and html\n"
	      "have a head line.  Nothing is ever cut off.\n",
	      out);
}

/* The numbers of diag_status(), in words. */
static void topic_status(FILE *out)
{
	fputs("status of the program\n\n"
	      "  0    done\n"
	      "  1    an expectation failed (run --expect), or scenario check found a problem\n"
	      "  2    usage: a bad option, value or name, or a file that is not there\n"
	      "  3    the scenario's own error\n"
	      "  4    the database\n"
	      "  6    a limit was reached: time, memory, instructions\n"
	      "  7    output cannot be written\n"
	      "  130  interrupted\n"
	      "  141  the reader closed the pipe, silently\n",
	      out);
}

/* Where things are looked for and kept, and which variables move them. */
static void topic_files(FILE *out)
{
	fputs("files and environment\n\n"
	      "  the store      --db FILE, else MEMCGLAB_DB,\n"
	      "                 else $XDG_DATA_HOME/memcglab/runs.db,\n"
	      "                 else ~/.local/share/memcglab/runs.db\n"
	      "  scenarios      a shipped one by name, any other by its path (x.lua)\n"
	      "  RUN            an id (52), latest, latest:SCENARIO or baseline:SCENARIO\n"
	      "  history        of the shell, for each store a file in\n"
	      "                 $XDG_STATE_HOME/memcglab, else ~/.local/state/memcglab\n"
	      "  PAGER          what the shell shows long results with (less)\n"
	      "  NO_COLOR       not empty: no colours, as --color never\n",
	      out);
}

/* What scenarios may require, with the calls that matter; the file's head says the rest. */
static void topic_library(FILE *out)
{
	fputs("libraries for scenarios: local compile = require \"lib.compile\"\n\n"
	      "  require \"lib.NAME\" reads scripts/lib/NAME.lua; a file put there is a library\n"
	      "  of one's own, in the same sandbox as the scenario, and returns a table\n\n"
	      "  lib.compile    a compile as its processes: make, sh, gcc, cc1, as, fixdep, ld\n"
	      "    compile.tree { cc1 = PAGES }            the kinds of processes of an object\n"
	      "    compile.build(lab, { group = g, ... })  in setup, returns a build; also name\n"
	      "                                            cpus page busy temporary kept tree\n"
	      "                                            slots slice again spread sources ...\n"
	      "      build.jobs(12, 150)                   make -j 12 of 150 objects, for\n"
	      "                                            lab.parallel\n"
	      "      build.object(i), build.process(kind)  one of them\n"
	      "    compile.compile(lab, task)              the memory of one cc1\n"
	      "    compile.units(shape, i, n)              \"even\" or \"one-big\": how many for\n"
	      "                                            build i of n\n\n"
	      "  lib.kbuild     builds of a kernel in groups, side by side\n\n"
	      "  lib.fio        writers as fio 2.0.8 makes them, with its generator and seeds\n"
	      "    fio.blocks { job = 1, blocks = N, map = true }  names its next block\n"
	      "    fio.write(lab, { task, file, next, count, think })  so many of 4 KiB\n\n"
	      "  lock-contention-2009, kbuild-4-2011, kbuild-16-2011, dirty-stat-2012 are built\n"
	      "  on them\n",
	      out);
}

static const struct {
	const char *name;
	void (*write)(FILE *out);
} topics[] = {
	{ "keys", topic_keys },
	{ "formats", topic_formats },
	{ "status", topic_status },
	{ "files", topic_files },
	{ "library", topic_library },
	{ "time", help_time },
};

enum { NR_TOPICS = sizeof(topics) / sizeof(topics[0]) };

/* Topics, then verbs. */
const char *command_topic_name(size_t i)
{
	if (i < NR_TOPICS)
		return topics[i].name;
	return command_at(i - NR_TOPICS) != NULL ? command_at(i - NR_TOPICS)->name : NULL;
}

/* Names for the nearest one. */
static const char *topic_name_at(const void *ctx, size_t i)
{
	(void)ctx;
	return command_topic_name(i);
}

/* A topic, else a verb, else the nearest of both. */
enum err command_topic(struct command *cmd, struct diag *diag)
{
	const char *name = cmd->args->nr_args > 0 ? cmd->args->arg[0] : NULL;
	const struct verb *verb = NULL;

	for (size_t i = 0; i < NR_TOPICS && name != NULL; i++)
		if (strcmp(topics[i].name, name) == 0) {
			topics[i].write(cmd->out);
			return output_check(cmd->out, diag);
		}
	if (name == NULL)
		command_usage(cmd->out);
	else if (command_find(name, &verb, NULL) == ERR_OK)
		command_help(verb, cmd->out);
	else if (!command_metric(cmd, name))
		return diag_fail(diag, ERR_USAGE, "no help on \"%s\": did you mean %s?", name,
				 diag_nearest(name, topic_name_at, NULL));
	return output_check(cmd->out, diag);
}

/* The same word that each stored run carries. */
enum err command_version(struct command *cmd, struct diag *diag)
{
	if (command_no_rows(cmd->args, true, diag) != ERR_OK)
		return ERR_USAGE;
	if (strcmp(cmd->args->format, "json") == 0)
		return result_dump(json_pack("{s:s}", "version", lab_version()), cmd->out, diag);
	fprintf(cmd->out, "memcglab %s\n", lab_version());
	return output_check(cmd->out, diag);
}
