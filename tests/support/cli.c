/*
 * Runs the program through sh with its output in temporary files: files
 * cannot fill up and block as pipes do, whatever is written to which.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli.h"

enum { COMMAND_MAX = 8192 };

static void file_read(const char *path, char out[CLI_TEXT_MAX])
{
	FILE *file = fopen(path, "r");
	size_t n = 0;

	assert_non_null(file);
	n = fread(out, 1, CLI_TEXT_MAX - 1, file);
	out[n] = '\0';
	fclose(file);
	unlink(path);
}

static void temporary(char path[64])
{
	int fd;

	snprintf(path, 64, "%.40s/cli-XXXXXX",
		 getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
}

void cli_shell(struct cli *cli, const char *line)
{
	const char *program = getenv("MEMCGLAB");
	char out[64], err[64], command[COMMAND_MAX];
	int status;

	assert_non_null(program);
	temporary(out);
	temporary(err);
	snprintf(command, sizeof(command), "M='%s'; { %s\n} >'%s' 2>'%s' </dev/null", program, line,
		 out, err);
	status = system(command);
	assert_int_not_equal(status, -1);
	cli->status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
	file_read(out, cli->out);
	file_read(err, cli->err);
}

void cli_run(struct cli *cli, const char *line)
{
	char command[COMMAND_MAX];

	snprintf(command, sizeof(command), "\"$M\" %s", line);
	cli_shell(cli, command);
}

bool cli_has(const char *text, const char *part)
{
	if (strstr(text, part) != NULL)
		return true;
	print_error("no \"%s\" in: %.600s\n", part, text);
	return false;
}

size_t cli_lines(const char *text)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += *text == '\n';
	return n;
}

size_t cli_width(const char *text)
{
	size_t longest = 0, now = 0;

	for (; *text != '\0'; text++) {
		if (*text == '\n')
			now = 0;
		else if (((unsigned char)*text & 0xC0) != 0x80)
			now++;
		if (now > longest)
			longest = now;
	}
	return longest;
}

int cli_folder_enter(struct cli_folder *folder, const char *name)
{
	const char *parent = getenv("TMPDIR");
	char db[160];

	snprintf(folder->path, sizeof(folder->path), "%.80s/%s-XXXXXX", parent ? parent : "/tmp",
		 name);
	if (!getcwd(folder->home, sizeof(folder->home)) || !mkdtemp(folder->path) ||
	    chdir(folder->path) != 0)
		return -1;
	snprintf(db, sizeof(db), "%s/runs.db", folder->path);
	return setenv("MEMCGLAB_DB", db, 1);
}

int cli_folder_leave(struct cli_folder *folder)
{
	char command[160];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder->path);
	return chdir(folder->home) == 0 && system(command) == 0 ? 0 : -1;
}

static void check_status(const struct cli *cli, int status, const char *line)
{
	if (cli->status != status)
		fail_msg("%s: status %d, not %d: %.300s%.300s", line, cli->status, status, cli->err,
			 cli->err[0] == '\0' ? cli->out : "");
}

void cli_ends(struct cli *cli, int status, const char *line)
{
	cli_run(cli, line);
	check_status(cli, status, line);
}

void cli_shell_ends(struct cli *cli, int status, const char *line)
{
	cli_shell(cli, line);
	check_status(cli, status, line);
}

struct cli *cli_open(struct cli_folder *folder, const char *name)
{
	struct cli *cli = calloc(1, sizeof(*cli));

	if (cli != NULL && cli_folder_enter(folder, name) == 0)
		return cli;
	free(cli);
	return NULL;
}

int cli_close(struct cli *cli, struct cli_folder *folder)
{
	free(cli);
	return cli_folder_leave(folder);
}

void cli_write(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}
