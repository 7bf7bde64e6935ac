/*
 * The program: reads the arguments, starts what they ask for, prints the
 * one message of a failure and gives the exit status.
 *
 * A verb works in a child process; this one waits, passes on an interrupt
 * and ends it at the time limit.  Nothing
 * below this file prints to standard error or exits.
 */
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "output_file.h"
#include "tui.h"

/* What a scenario prints, beside the result, never in it. */
static void print_line(void *ctx, const char *text)
{
	fprintf(ctx, "%s\n", text);
}

/* The arguments as the lab wants them. */
static struct lab_options lab_options(const struct args *args)
{
	struct lab_options options = {
		.db_path = args->db,
		.no_db = args->no_db,
		.limits = { .instructions = args->instr_limit,
			    .memory = args->mem_limit,
			    .traceback_full = strcmp(args->traceback, "full") == 0 },
	};

	if (!args->quiet)
		options.log = (struct script_log){ stderr, print_line };
	return options;
}

struct colour {
	const char *name;
	enum color mode;
};

static const struct colour colours[] = {
	{ "auto", COLOR_AUTO },
	{ "always", COLOR_ALWAYS },
	{ "never", COLOR_NEVER },
};

/* Colours, glyphs and the first view; everything else the TUI finds itself. */
static enum err run_tui(const struct args *args, struct diag *diag)
{
	struct lab_options lab = lab_options(args);
	struct tui_options options = { .lab = &lab, .ab = args->ab, .ascii = args->ascii };

	lab.log = (struct script_log){ NULL, NULL }; /* its log pane, never the terminal */
	options.target = args->nr_args > 0 ? args->arg[0] : NULL;
	for (size_t i = 0; i < 3; i++)
		if (strcmp(colours[i].name, args->color) == 0)
			options.mode = colours[i].mode;
	if (args->view != NULL && !view_find(args->view, &options.view))
		return diag_fail(diag, ERR_USAGE, "--view: no view \"%s\"", args->view);
	return tui_run(&options, diag);
}

/* A store that was brought up to date has left a copy of itself: whose it is should be known. */
static void note_migration(const struct command *cmd)
{
	const char *kept = cmd->lab != NULL ? lab_backup(cmd->lab) : "";

	if (kept[0] != '\0' && cmd->notes != NULL)
		fprintf(cmd->notes,
			"memcglab: the store was of an older schema and is up to date now; it is "
			"kept as it was in %s\n",
			kept);
}

/* The verb itself, in whichever process. */
static enum err execute(const struct verb *verb, const struct args *args, const struct child *child,
			struct diag *diag)
{
	struct lab_options options = lab_options(args);
	struct command cmd = { .args = args, .child = child };
	struct output_file file;
	enum err err = output_file_open(args->output, &file, diag);

	if (err != ERR_OK)
		return err;
	cmd.out = file.file;
	cmd.notes = args->quiet ? NULL : stderr;
	cmd.progress = !args->quiet && isatty(STDERR_FILENO);
	err = lab_open(&options, &cmd.lab, diag);
	if (err == ERR_OK)
		err = verb->run(&cmd, diag);
	note_migration(&cmd);
	lab_close(cmd.lab);
	return output_file_close(&file, err, diag);
}

/* The child died in the middle of a run: its row must not say "running". */
static void store_death(const struct args *args, const struct child_end *end,
			const struct diag *diag)
{
	struct lab_options options = lab_options(args);
	struct lab *lab;

	if (!end->died || end->run_id == 0 || lab_open(&options, &lab, NULL) != ERR_OK)
		return;
	lab_failed(lab, end->run_id, end->interrupted ? RUN_INTERRUPTED : RUN_FAILED, diag->text,
		   NULL);
	lab_close(lab);
}

/* Both processes come back from here: the child with everything told to its parent, and main
 * gives it status 0. */
static enum err execute_in_child(const struct verb *verb, const struct args *args, bool *is_child,
				 struct diag *diag)
{
	struct child child;
	struct child_end end;
	enum err err = child_fork(&child, diag);

	if (err != ERR_OK)
		return err;
	*is_child = child.pid == 0;
	if (!*is_child) {
		err = child_wait(&child, args->time_limit_ns, &end, diag);
		store_death(args, &end, diag);
		return err;
	}
	diag->err = ERR_OK;
	if (!verb->polls)
		child_stoppable(&child);
	execute(verb, args, &child, diag);
	child_report(&child, diag);
	return ERR_OK;
}

/* Help before checks: "run --help" has no scenario and must not complain of it. */
static enum err dispatch(const struct verb *verb, const struct args *args, bool *is_child,
			 struct diag *diag)
{
	enum err err;

	if (args->help)
		command_help(verb, stdout);
	else if (args->version)
		printf("memcglab %s\n", lab_version());
	if (args->help || args->version)
		return ERR_OK;
	err = command_check(verb, args, diag);
	if (err != ERR_OK)
		return err;
	if (verb->run == NULL)
		return run_tui(args, diag);
	return execute_in_child(verb, args, is_child, diag);
}

/* Without a command: the start screen for a person, usage for a script. */
static int without_command(const struct args *args, enum err *err, struct diag *diag)
{
	if (args->version) {
		printf("memcglab %s\n", lab_version());
	} else if (args->help) {
		command_usage(stdout);
	} else if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		*err = run_tui(args, diag);
	} else {
		command_usage(stderr);
		return diag_status(ERR_USAGE);
	}
	return 0;
}

/* The one place that prints a failure. A reader that left wants no message either. */
static int finish(enum err err, const struct diag *diag)
{
	if (err != ERR_OK && err != ERR_PIPE)
		fprintf(stderr, "memcglab: %s\n", diag->text);
	return diag_status(err);
}

/* Read the options, find the verb, do it, say how it went. */
int main(int argc, char **argv)
{
	struct diag diag = { .err = ERR_OK };
	const struct verb *verb = NULL;
	bool is_child = false;
	struct args args;
	int word = argc, status = 0;
	enum err err;

	signal(SIGPIPE, SIG_IGN); /* a write that fails says so: status 141 */
	setlocale(LC_CTYPE, "");
	args_defaults(&args);
	err = args_global(&args, argc, argv, &word, &diag);
	if (err == ERR_OK && word >= argc) {
		status = without_command(&args, &err, &diag);
	} else if (err == ERR_OK) {
		err = command_find(argv[word], &verb, &diag);
		if (err == ERR_OK)
			err = args_parse(&args, argc - word, argv + word, verb->options, &diag);
		if (err == ERR_OK)
			err = dispatch(verb, &args, &is_child, &diag);
	}
	if (is_child)
		return 0;
	if (err == ERR_OK)
		err = output_check(stdout, &diag);
	return err != ERR_OK ? finish(err, &diag) : status;
}
