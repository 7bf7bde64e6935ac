/*
 * The state of the shell, and what its files do for each other: shell.c
 * reads lines, shell_do.c carries them out, shell_dot.c has the dot
 * commands, shell_show.c the places of results, shell_verbs.c SQL that
 * writes and Lua, shell_tell.c the words for what went wrong.
 */
#ifndef MEMCGLAB_UI_SHELL_STATE_H
#define MEMCGLAB_UI_SHELL_STATE_H

#include "dispatch.h"
#include "shell_history.h"
#include "shell_line.h"
#include "shell_source.h"
#include "shell_tty.h"

enum { SHELL_NULL_MAX = 64, SHELL_DEPTH_MAX = 8 };

struct shell {
	struct args defaults;      /* of each line: the shell's own options, and .mode */
	struct output_style style; /* .width .nullvalue */
	char null[SHELL_NULL_MAX];
	FILE *output, *once; /* .output, .once; NULL: standard output */
	bool headers, pager, timer, write, keep_going;
	bool typing; /* lines come from a terminal and results go to one */
	bool quit, is_child;
	int64_t run;               /* the current one, 0: none */
	FILE *shown, *last;        /* what a terminal gets, and the same uncut */
	struct output_whole whole; /* of the line that is going on */
	sigset_t mask;             /* of the shell's children */
	int depth;                 /* of .read */
	struct shell_tty *tty;     /* NULL: nobody types */
	bool ended;                /* a signal came for the shell itself */
	char history[SHELL_HISTORY_PATH_MAX]; /* the file of typed lines; "": there is none */
};

/* shell_read - carry out the lines of @source.  Returns: the first error that ended it. */
enum err shell_read(struct shell *shell, struct shell_source *source);

/* shell_do - carry out one line, of whatever kind.  Returns: its error. */
enum err shell_do(struct shell *shell, const char *text, struct diag *diag);

/* shell_tell - what went wrong in @text, and what helps. */
void shell_tell(const struct shell_source *source, const char *text, const struct diag *diag);

/* shell_sql - a query as a line of its own */
enum err shell_sql(struct shell *shell, const char *text, struct diag *diag);

/* shell_dot - a dot command.  Returns: ERR_USAGE and what it does. */
enum err shell_dot(struct shell *shell, const char *line, struct diag *diag);

/* What dot commands there are. */
struct shell_dot_desc {
	const char *name, *args, *doc; /* ".mode", "FORMAT" */
};
const struct shell_dot_desc *shell_dot_at(size_t i); /* NULL past the last */

/**
 * shell_place - where the results of the next line go
 * @args: of the line: its format decides whether a terminal may cut it
 */
void shell_place(struct shell *shell, const struct args *args, struct dispatch_place *place);
/* shell_show - what a terminal was kept waiting for; closes a file of .once. */
enum err shell_show(struct shell *shell, struct diag *diag);
/* shell_last - all of the last result that went to a terminal. */
enum err shell_last(struct shell *shell, struct diag *diag);
/* shell_host - a line of the host's own shell. */
enum err shell_host(struct shell *shell, const char *line, struct diag *diag);
/* shell_out - where dot commands print. */
FILE *shell_out(const struct shell *shell);

/* The verbs of lines that are no commands of the program; their word is the line's text. */
extern const struct verb shell_verb_change, shell_verb_lua;

#endif
