/*
 * The program as a user runs it: arguments in, status and what it said out.
 * The program is $MEMCGLAB; its store is the one in the environment.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_CLI_H
#define MEMCGLAB_TESTS_SUPPORT_CLI_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_TEXT_MAX = 1 << 20, CLI_ARGS_MAX = 32 };

struct cli {
	int status; /* exit status, or 1000 + signal */
	char out[CLI_TEXT_MAX], err[CLI_TEXT_MAX];
};

/**
 * cli_run - run the program and wait for it
 * @line: its arguments, parted by single blanks; a word in '...' may hold blanks
 * Fails the test if the program cannot be started.
 */
void cli_run(struct cli *cli, const char *line);

/* cli_shell - the same for a line of sh, in which $M is the program. */
void cli_shell(struct cli *cli, const char *line);

/* cli_ends, cli_shell_ends - the same, and the test fails if the status is not @status. */
void cli_ends(struct cli *cli, int status, const char *line);
void cli_shell_ends(struct cli *cli, int status, const char *line);

/* A folder of its own for a program of tests, to work in; the store is there too. */
struct cli_folder {
	char path[128], home[512]; /* home: where it came from */
};

/**
 * cli_folder_enter - make it, go there, and let the program keep its store in it
 * @name: what its own name begins with
 * Returns: 0, or -1 as cmocka's set-up functions do.  cli_folder_leave - back, and remove it.
 */
int cli_folder_enter(struct cli_folder *folder, const char *name);
int cli_folder_leave(struct cli_folder *folder);

/* cli_open - cli_folder_enter, and what holds outcomes; NULL if one failed.  cli_close - frees it;
 * returns as cli_folder_leave. */
struct cli *cli_open(struct cli_folder *folder, const char *name);
int cli_close(struct cli *cli, struct cli_folder *folder);

/* cli_write - a file in the folder that the tests are in. */
void cli_write(const char *name, const char *text);

/* cli_has - does @text hold @part?  Says what it holds instead if not. */
bool cli_has(const char *text, const char *part);

/* cli_lines - number of lines of @text; cli_width - cells of its longest. */
size_t cli_lines(const char *text);
size_t cli_width(const char *text);

#endif
