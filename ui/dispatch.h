/*
 * One command from its words to its end: the verb is looked up, its
 * options are read and checked, its work is done in a process of its own.
 * The program starts one so, the shell one after another.
 *
 * Both processes come back: the child with end->is_child, everything told
 * to its parent, and nothing left to do but to return from main.
 */
#ifndef MEMCGLAB_UI_DISPATCH_H
#define MEMCGLAB_UI_DISPATCH_H

#include "command.h"

/* Where a command's results go; zeroed is what the program itself wants. */
struct dispatch_place {
	FILE *out;                 /* NULL: standard output, unless -o names a file */
	struct output_style style; /* of rows; the format is that of the arguments */
	bool progress;             /* a progress line may be drawn, if notes go to a terminal */
	const sigset_t *mask;      /* signals that the child blocks; NULL: those of its parent */
};

struct dispatch_end {
	bool is_child;
	bool ended;     /* a signal asked this process to end too */
	int64_t run_id; /* the run that it began last, 0 if none */
};

/**
 * dispatch_read - the verb that a line of words means, and its arguments
 * @argv: begins with the verb's word; kept and changed
 * @args: has the values of what is not given
 * Returns: ERR_USAGE; *verb is set as soon as there is one.
 */
enum err dispatch_read(int argc, char **argv, struct args *args, const struct verb **verb,
		       struct diag *diag);

/**
 * dispatch_verb - do it, or print its help
 * A verb without a function is the TUI: in the shell in a child that gets the terminal.
 */
enum err dispatch_verb(const struct verb *verb, const struct args *args,
		       const struct dispatch_place *place, struct dispatch_end *end,
		       struct diag *diag);

/* dispatch_tui - the terminal program, in this process. */
enum err dispatch_tui(const struct args *args, struct diag *diag);

/* dispatch_lab - the arguments as the lab wants them. */
struct lab_options dispatch_lab(const struct args *args);

#endif
