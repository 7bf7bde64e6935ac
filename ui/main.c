/*
 * The program: reads the arguments, starts what they ask for, prints the
 * one message of a failure and gives the exit status.
 *
 * Nothing below this file and the shell prints to standard error or exits.
 */
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "dispatch.h"
#include "shell.h"

/* Without a command: the start screen for a person, usage for a script. */
static int without_command(const struct args *args, enum err *err, struct diag *diag)
{
	if (args->version) {
		printf("memcglab %s\n", lab_version());
	} else if (args->help) {
		command_usage(stdout);
	} else if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		*err = dispatch_tui(args, diag);
	} else {
		command_usage(stderr);
		return diag_status(ERR_USAGE);
	}
	return 0;
}

/* A reader that left wants no message, and what the shell has told is told already. */
static int finish(enum err err, const struct diag *diag)
{
	if (err != ERR_OK && err != ERR_PIPE && diag->text[0] != '\0')
		fprintf(stderr, "memcglab: %s\n", diag->text);
	return diag_status(err);
}

/* The shell is a verb of the program alone: it is above all others, and none of them is its. */
static enum err begin(const struct verb *verb, const struct args *args, bool *is_child,
		      struct diag *diag)
{
	const struct dispatch_place place = { .progress = true };
	struct dispatch_end end = { .is_child = false };
	enum err err;

	if (strcmp(verb->name, "shell") != 0 || args->help || args->version) {
		err = dispatch_verb(verb, args, &place, &end, diag);
		*is_child = end.is_child;
		return err;
	}
	err = command_check(verb, args, diag);
	return err == ERR_OK ? shell_run(args, is_child, diag) : err;
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
		err = dispatch_read(argc - word, argv + word, &args, &verb, &diag);
		if (err == ERR_OK)
			err = begin(verb, &args, &is_child, &diag);
	}
	if (is_child)
		return 0;
	if (err == ERR_OK)
		err = output_check(stdout, &diag);
	return err != ERR_OK ? finish(err, &diag) : status;
}
