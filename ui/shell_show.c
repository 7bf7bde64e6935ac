/*
 * Where results go: standard output, a file of .output or .once, or, at a
 * terminal, a file that is shown when the line has ended, so that it can be
 * paged and the whole of it kept for .last.
 */
#define _DEFAULT_SOURCE /* struct winsize, TIOCGWINSZ */
#include "shell_state.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

FILE *shell_out(const struct shell *shell)
{
	if (shell->once != NULL)
		return shell->once;
	return shell->output != NULL ? shell->output : stdout;
}

/* Formats for people: only they are cut, and only they are paged. */
static bool is_for_people(const char *format)
{
	static const char *const formats[] = { "table", "box", "line" };

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(formats[i], format) == 0)
			return true;
	return false;
}

/* Zero where it is not known. */
static struct winsize window(void)
{
	struct winsize size;

	memset(&size, 0, sizeof(size));
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		memset(&size, 0, sizeof(size));
	return size;
}

/* Emptied before each use; NULL: there can be none, and the terminal gets it directly. */
static FILE *emptied(FILE **file)
{
	if (*file == NULL)
		*file = tmpfile();
	if (*file == NULL)
		return NULL;
	rewind(*file);
	return ftruncate(fileno(*file), 0) == 0 ? *file : NULL;
}

void shell_place(struct shell *shell, const struct args *args, struct dispatch_place *place)
{
	memset(place, 0, sizeof(*place));
	place->style = shell->style;
	place->style.no_head = !shell->headers;
	place->progress = shell->typing;
	place->mask = &shell->mask;
	fflush(NULL); /* what waits here must not be written by the child too */
	if (shell->once != NULL || shell->output != NULL) {
		place->out = shell_out(shell);
		return;
	}
	if (!shell->typing || args->output != NULL || !is_for_people(args->format))
		return;
	if (emptied(&shell->shown) == NULL || emptied(&shell->last) == NULL)
		return;
	place->out = shell->shown;
	place->style.room = window().ws_col;
	place->style.whole = &shell->whole;
	shell->whole = (struct output_whole){ shell->last, 0 };
}

/* ---- the pager ---- */

/* A process of the host; this one waits for it and keeps out of what keys mean to it. */
static enum err host_run(struct shell *shell, const char *line, int input, struct diag *diag)
{
	int status = 0;
	pid_t pid;

	if (shell->tty != NULL)
		shell_tty_lend(shell->tty, true);
	pid = fork();
	if (pid < 0)
		return diag_fail(diag, ERR_NOMEM, "no process: %s", strerror(errno));
	if (pid == 0) {
		sigprocmask(SIG_SETMASK, &shell->mask, NULL);
		signal(SIGPIPE, SIG_DFL);
		if (input >= 0)
			dup2(input, STDIN_FILENO);
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (shell->tty != NULL)
		shell_tty_lend(shell->tty, false);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return ERR_OK;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
		return diag_fail(diag, ERR_INTERRUPTED, "interrupted");
	return diag_fail(diag, ERR_EXPECT, "! ended with status %d",
			 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Screen lines: a long one takes several. */
static size_t count_lines(const char *text, size_t size, size_t columns)
{
	size_t lines = 0, cells = 0;

	for (size_t i = 0; i < size; i++) {
		cells += ((unsigned char)text[i] & 0xC0) != 0x80;
		if (text[i] != '\n')
			continue;
		lines += columns > 0 && cells > 1 ? (cells - 2) / columns + 1 : 1;
		cells = 0;
	}
	return lines;
}

/* All of a file; malloc'ed, NULL: no memory. */
static char *slurp(FILE *file, size_t *size)
{
	off_t end = lseek(fileno(file), 0, SEEK_END);
	char *text = malloc(end > 0 ? (size_t)end : 1);
	ssize_t n = 1;

	lseek(fileno(file), 0, SEEK_SET);
	*size = 0;
	while (text != NULL && n > 0 && *size < (size_t)end) {
		n = read(fileno(file), text + *size, (size_t)end - *size);
		*size += n > 0 ? (size_t)n : 0;
	}
	return text;
}

/* less is asked to leave short texts on the screen, unless the user says else. */
static enum err page(struct shell *shell, FILE *file, struct diag *diag)
{
	const char *pager = getenv("PAGER");
	enum err err;

	lseek(fileno(file), 0, SEEK_SET);
	setenv("LESS", "FRX", 0);
	err = host_run(shell, pager != NULL && pager[0] != '\0' ? pager : "less", fileno(file),
		       diag);
	/* A pager that was left in the middle has not failed. */
	return err == ERR_NOMEM ? err : ERR_OK;
}

/* Paged if it is taller than the screen, else printed. */
static enum err show_file(struct shell *shell, FILE *file, struct diag *diag)
{
	struct winsize size = window();
	size_t bytes;
	char *text = slurp(file, &bytes);
	enum err err = ERR_OK;

	if (text == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the output");
	if (shell->pager && size.ws_row > 0 &&
	    count_lines(text, bytes, size.ws_col) >= size.ws_row) {
		err = page(shell, file, diag);
	} else {
		fwrite(text, 1, bytes, stdout);
		fflush(stdout);
	}
	free(text);
	return err;
}

enum err shell_show(struct shell *shell, struct diag *diag)
{
	enum err err = ERR_OK;

	if (shell->once != NULL) {
		if (fclose(shell->once) != 0)
			err = diag_fail(diag, ERR_OUTPUT, ".once: %s", strerror(errno));
		shell->once = NULL;
	} else if (shell->whole.file != NULL) {
		err = show_file(shell, shell->shown, diag);
	}
	shell->whole.file = NULL;
	return err;
}

enum err shell_last(struct shell *shell, struct diag *diag)
{
	if (shell->last == NULL)
		return diag_fail(diag, ERR_USAGE,
				 ".last: there is none: only what a terminal shows is kept");
	return show_file(shell, shell->last, diag);
}

/* Lines of a script are not for its commands to read. */
enum err shell_host(struct shell *shell, const char *line, struct diag *diag)
{
	FILE *none = NULL;
	enum err err;

	while (*line == ' ' || *line == '!')
		line++;
	if (!shell->typing)
		none = fopen("/dev/null", "r");
	fflush(NULL);
	err = host_run(shell, line, none != NULL ? fileno(none) : -1, diag);
	if (none != NULL)
		fclose(none);
	return err;
}
