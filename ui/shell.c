/*
 * Reads lines until one is whole, carries it out and tells what went wrong.
 *
 * Invariant: nothing is open in this process while a line works: its child
 * opens the store itself, so what a line does wrong ends with it.
 */
#include "shell.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "shell_state.h"
#include "shell_tab.h"

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* ---- reading ---- */

/* The first statement of an entry, or all of it.  Returns: its length. */
static size_t first_part(const char *text)
{
	enum shell_kind kind = shell_kind(text);

	return kind == SHELL_SQL || kind == SHELL_CHANGE ? shell_statement(text) : strlen(text);
}

/* What takes time that is worth telling. */
static bool is_work(enum shell_kind kind)
{
	return kind != SHELL_BLANK && kind != SHELL_DOT;
}

/* One after the other; the rest of a line whose first part failed is left undone. */
static enum err do_entry(struct shell *shell, const struct shell_source *source, char *text)
{
	enum err err = ERR_OK;

	while (err == ERR_OK && *text != '\0' && !shell->quit) {
		struct diag diag = { .err = ERR_OK };
		size_t n = first_part(text);
		char after = text[n];
		double begun = now_s();

		text[n] = '\0';
		err = shell_do(shell, text, &diag);
		if (shell->is_child)
			return ERR_OK;
		if (shell->timer && is_work(shell_kind(text)))
			fprintf(shell_out(shell), "%.3f s\n", now_s() - begun);
		if (err != ERR_OK)
			shell_tell(source, text, &diag);
		text[n] = after;
		text += n;
	}
	return err;
}

/* Appends a line to what is not whole yet.  Returns: false if there is no memory. */
static bool append(char **entry, const char *line)
{
	size_t old = *entry != NULL ? strlen(*entry) + 1 : 0, size = strlen(line) + 1;
	char *text = realloc(*entry, old + size);

	if (text == NULL)
		return false;
	if (old > 0)
		text[old - 1] = '\n';
	memcpy(text + old, line, size);
	*entry = text;
	return true;
}

/* Whether an error ends the lines of @source. */
static bool ends(const struct shell *shell, enum err err)
{
	return err != ERR_OK && (!shell->keep_going || err == ERR_PIPE);
}

enum err shell_read(struct shell *shell, struct shell_source *source)
{
	char *entry = NULL;
	enum err err = ERR_OK, first = ERR_OK;
	const char *line;

	while (!shell->quit && !ends(shell, err)) {
		err = ERR_OK;
		line = shell_source_line(source);
		if (line == NULL && entry == NULL)
			break;
		if (line != NULL && (!append(&entry, line) || shell_open(entry) != NULL))
			continue;
		err = do_entry(shell, source, entry);
		if (first == ERR_OK)
			first = err;
		free(entry);
		entry = NULL;
	}
	free(entry);
	return shell->is_child ? ERR_OK : first;
}

/* ---- typing ---- */

/* Typed lines are kept at once, in the file and for the arrow keys; but not what begins with a
 * blank: @first is the line that @line goes on with, or itself. */
static void keep_line(struct shell *shell, const char *first, const char *line)
{
	struct diag diag;

	if (line[0] == '\0' || first[0] == ' ' || first[0] == '\t')
		return;
	prompt_learn(shell_tty_prompt(shell->tty), line);
	if (shell->history[0] == '\0' || shell_history_add(shell->history, line, &diag) == ERR_OK)
		return;
	fprintf(stderr, "memcglab: the history is not kept: %s\n", diag.text);
	shell->history[0] = '\0';
}

/* The current run, or what is open. */
static void label_write(const struct shell *shell, const char *open, char *out, size_t size)
{
	if (open != NULL)
		snprintf(out, size, "%s ", open);
	else if (shell->run != 0)
		snprintf(out, size, "memcglab(%lld)> ", (long long)shell->run);
	else
		snprintf(out, size, "memcglab> ");
}

/* One line of the terminal.  Returns: NULL if there is none: *entry was dropped, or the shell is
 * left. */
static const char *type_line(struct shell *shell, char **entry)
{
	struct shell_tab_place place = { shell, *entry };
	const struct shell_tab tab = { &place, shell_tab_press };
	const char *line;
	char label[64];
	enum shell_key key;

	label_write(shell, *entry != NULL ? shell_open(*entry) : NULL, label, sizeof(label));
	key = shell_tty_line(shell->tty, label, &tab, &line);
	if (key == SHELL_LINE) {
		keep_line(shell, *entry != NULL ? *entry : line, line);
		return line;
	}
	free(*entry);
	*entry = NULL;
	shell->quit = key != SHELL_DROP;
	shell->ended = key == SHELL_ENDED;
	return NULL;
}

/* Errors are told and forgotten: whoever types goes on. */
static enum err type_lines(struct shell *shell, struct diag *diag)
{
	const struct shell_source terminal = { .name = NULL, .fd = -1 };
	char *entry = NULL;

	printf("memcglab %s: help lists commands, .help the dot commands, Ctrl-D leaves\n",
	       lab_version());
	while (!shell->quit) {
		const char *line = type_line(shell, &entry);

		if (line == NULL || !append(&entry, line) || shell_open(entry) != NULL)
			continue;
		do_entry(shell, &terminal, entry);
		free(entry);
		entry = NULL;
	}
	free(entry);
	if (shell->ended && !shell->is_child)
		return diag_fail(diag, ERR_INTERRUPTED, "ended by a signal");
	return ERR_OK;
}

static void learn_line(void *ctx, const char *line)
{
	prompt_learn(ctx, line);
}

static enum err open_terminal(struct shell *shell, struct diag *diag)
{
	enum err err = shell_tty_open(&shell->tty, &shell->mask, diag);

	if (err != ERR_OK)
		return err;
	shell->typing = true;
	shell_history_each(shell->history, SHELL_HISTORY_MAX, learn_line,
			   shell_tty_prompt(shell->tty));
	return ERR_OK;
}

/* ---- from beginning to end ---- */

/* Without a place for the history there is none; that is no reason not to begin. */
static void find_history(struct shell *shell)
{
	char db[DB_PATH_MAX] = "";

	if (shell->defaults.db != NULL)
		snprintf(db, sizeof(db), "%s", shell->defaults.db);
	else if (db_default_path(db, NULL) != ERR_OK)
		return;
	if (shell_history_path(db, shell->history, NULL) != ERR_OK)
		shell->history[0] = '\0';
}

/* What its lines take over from the shell: not what it was asked for itself. */
static void defaults(struct shell *shell, const struct args *args)
{
	shell->defaults = *args;
	shell->defaults.given = 0;
	shell->defaults.output = shell->defaults.command = shell->defaults.file = NULL;
	shell->keep_going = args->keep_going;
	shell->headers = shell->pager = true;
	find_history(shell);
	sigprocmask(SIG_SETMASK, NULL, &shell->mask);
}

static enum err open_source(const struct args *args, struct shell_source *source, struct diag *diag)
{
	if (args->command != NULL && args->file != NULL)
		return diag_fail(diag, ERR_USAGE, "-c TEXT and -f FILE: only one of them");
	if (args->command != NULL)
		return shell_source_text(source, "-c", args->command, diag);
	return shell_source_open(source, args->file, diag);
}

/* A child of a line leaves the terminal alone: it is the shell's. */
static void close_all(struct shell *shell)
{
	FILE *files[] = { shell->output, shell->once, shell->shown, shell->last };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i] != NULL)
			fclose(files[i]);
	if (shell->is_child)
		shell_tty_drop(shell->tty);
	else
		shell_tty_close(shell->tty);
	free(shell);
}

/* Lines of -c, -f or standard input. */
static enum err read_lines(struct shell *shell, const struct args *args, struct diag *diag)
{
	struct shell_source source;
	enum err err = open_source(args, &source, diag);

	if (err != ERR_OK)
		return err;
	err = shell_read(shell, &source);
	shell_source_close(&source);
	return err;
}

/* Somebody types, and looks at what comes. */
static bool is_typed(const struct args *args)
{
	return args->command == NULL && args->file == NULL && isatty(STDIN_FILENO) &&
	       isatty(STDOUT_FILENO);
}

enum err shell_run(const struct args *args, bool *is_child, struct diag *diag)
{
	struct shell *shell = calloc(1, sizeof(*shell));
	enum err err = ERR_OK;

	if (shell == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the shell");
	defaults(shell, args);
	if (args->output != NULL) {
		shell->output = fopen(args->output, "w");
		if (shell->output == NULL)
			err = diag_fail(diag, ERR_OUTPUT, "%s: %s", args->output, strerror(errno));
	}
	if (err == ERR_OK && is_typed(args)) {
		err = open_terminal(shell, diag);
		if (err == ERR_OK)
			err = type_lines(shell, diag);
	} else if (err == ERR_OK) {
		err = read_lines(shell, args, diag);
	}
	*is_child = shell->is_child;
	close_all(shell);
	return err;
}
