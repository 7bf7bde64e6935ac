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

/* Words of the interface that move in time, which a later version has. */
static const char *const reserved[] = { "at",    "next",      "prev", "goto", "break",
					"rcontinue", "continue", "step", "back", "explain" };

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* ---- lines of each kind ---- */

/* One line's work in its child, and what it leaves here. */
static enum err do_verb(struct shell *shell, const struct verb *verb, const struct args *args,
			struct diag *diag)
{
	struct dispatch_place place;
	struct dispatch_end end;
	struct diag shown = { .err = ERR_OK };
	enum err err, err_shown;

	shell_place(shell, args, &place);
	err = dispatch_verb(verb, args, &place, &end, diag);
	if (end.is_child) {
		shell->is_child = shell->quit = true;
		return ERR_OK;
	}
	if (end.run_id != 0)
		shell->run = end.run_id;
	err_shown = shell_show(shell, &shown);
	if (err == ERR_OK && err_shown != ERR_OK)
		err = diag_fail(diag, err_shown, "%s", shown.text);
	return err;
}

enum err shell_sql(struct shell *shell, const char *text, struct diag *diag)
{
	const struct verb *sql = NULL;
	struct args args = shell->defaults;
	enum err err = command_find("sql", &sql, diag);

	args.arg[args.nr_args++] = text;
	return err == ERR_OK ? do_verb(shell, sql, &args, diag) : err;
}

static enum err do_change(struct shell *shell, const char *text, struct diag *diag)
{
	struct args args = shell->defaults;

	if (!shell->write)
		return diag_fail(diag, ERR_USAGE,
				 "sql: this would change the store\n  .write on allows it, until "
				 ".write off");
	args.arg[args.nr_args++] = text;
	return do_verb(shell, &shell_verb_change, &args, diag);
}

static enum err do_lua(struct shell *shell, const char *text, struct diag *diag)
{
	struct args args = shell->defaults;
	char id[32];

	args.arg[args.nr_args++] = text;
	snprintf(id, sizeof(id), "%lld", (long long)shell->run);
	if (shell->run != 0)
		args.arg[args.nr_args++] = id;
	return do_verb(shell, &shell_verb_lua, &args, diag);
}

/* A verb that takes a run takes the current one where none is named. */
static bool takes_run(const struct verb *verb)
{
	return strcmp(verb->args, "RUN") == 0 || strcmp(verb->args, "[SCENARIO|RUN]") == 0;
}

/* The run that was named is the current one from now on; a scenario's name is none. */
static void keep_run(struct shell *shell, const char *ref)
{
	struct lab_options options = dispatch_lab(&shell->defaults);
	struct db_run run;
	struct lab *lab = NULL;
	struct db *db;

	memset(&run, 0, sizeof(run));
	if (lab_open(&options, &lab, NULL) == ERR_OK && lab_db(lab, DB_READ, &db, NULL) == ERR_OK &&
	    db_run_find(db, ref, &run, NULL) == ERR_OK)
		shell->run = run.id;
	db_run_free(&run);
	lab_close(lab);
}

static enum err refuse_reserved(const char *word, struct diag *diag)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (strcmp(reserved[i], word) == 0)
			return diag_fail(diag, ERR_USAGE,
					 "%s: moving in time is not in this version yet\n  tui "
					 "opens the current run, where t goes to a step",
					 word);
	return ERR_OK;
}

/* Words that leave, in every shell that people come from. */
static bool is_farewell(const char *word)
{
	static const char *const words[] = { "quit", "exit" };

	return strcmp(word, words[0]) == 0 || strcmp(word, words[1]) == 0;
}

static enum err do_command(struct shell *shell, struct shell_words *words, struct diag *diag)
{
	struct args args = shell->defaults;
	const struct verb *verb = NULL;
	char id[32];
	enum err err = dispatch_read(words->n, words->word, &args, &verb, diag);

	if (err != ERR_OK)
		return err;
	if (strcmp(verb->name, "shell") == 0 && !args.help)
		return diag_fail(diag, ERR_USAGE, "shell: this is one\n  .read FILE runs lines");
	snprintf(id, sizeof(id), "%lld", (long long)shell->run);
	if (takes_run(verb) && args.nr_args == 0 && shell->run != 0 && args.ab == NULL)
		args.arg[args.nr_args++] = id;
	err = do_verb(shell, verb, &args, diag);
	if (err == ERR_OK && !shell->is_child && takes_run(verb) && args.nr_args == 1)
		keep_run(shell, args.arg[0]);
	return err;
}

static enum err do_words(struct shell *shell, const char *line, struct diag *diag)
{
	struct shell_words words;
	enum err err = shell_split(line, &words, diag);
	char *last;

	if (err != ERR_OK)
		return err;
	/* Who has just written SQL ends words so too. */
	last = words.word[words.n - 1];
	if (last[0] != '\0' && last[strlen(last) - 1] == ';')
		last[strlen(last) - 1] = '\0';
	if (strcmp(words.word[0], "?") == 0)
		words.word[0] = "help";
	err = refuse_reserved(words.word[0], diag);
	if (is_farewell(words.word[0]))
		shell->quit = true;
	else if (err == ERR_OK)
		err = do_command(shell, &words, diag);
	shell_words_free(&words);
	return err;
}

typedef enum err line_fn(struct shell *shell, const char *text, struct diag *diag);

static enum err do_nothing(struct shell *shell, const char *text, struct diag *diag)
{
	(void)shell;
	(void)text;
	(void)diag;
	return ERR_OK;
}

static line_fn *const kinds[] = {
	[SHELL_BLANK] = do_nothing, [SHELL_WORDS] = do_words, [SHELL_DOT] = shell_dot,
	[SHELL_SQL] = shell_sql,    [SHELL_CHANGE] = do_change, [SHELL_LUA] = do_lua,
	[SHELL_HOST] = shell_host,
};

/* ---- what went wrong ---- */

/* The word that a message quotes first, or the option it names, as it stands in @line. */
static const char *blamed(const char *line, const char *message, size_t *length)
{
	const char *from = strchr(message, '"');
	const char *to = from != NULL ? strchr(from + 1, '"') : NULL;
	const char *found = NULL;
	char word[128];

	*length = to != NULL ? (size_t)(to - from - 1) : 0;
	if (*length == 0 && (from = strstr(message, "--")) != NULL) {
		*length = 2 + strspn(from + 2, "abcdefghijklmnopqrstuvwxyz-");
		from--;
	}
	if (*length > 0 && *length < sizeof(word)) {
		memcpy(word, from + 1, *length);
		word[*length] = '\0';
		found = strstr(line, word);
	}
	return found;
}

/* The line with the word marked, then what helps: SQL and Lua show their place themselves. */
static void tell_words(const char *line, const struct diag *diag)
{
	size_t length;
	const char *word = blamed(line, diag->text, &length);
	struct shell_words words;
	const struct verb *verb = NULL;

	if (word != NULL && strchr(line, '\n') == NULL)
		fprintf(stderr, "  %s\n  %*s^\n", line, (int)(word - line), "");
	if (shell_split(line, &words, NULL) != ERR_OK)
		return;
	if (strchr(diag->text, '\n') == NULL && words.n > 0) {
		if (command_find(words.word[0], &verb, NULL) == ERR_OK)
			fprintf(stderr, "  help %s shows what it takes\n", verb->name);
		else
			fputs("  help lists the commands\n", stderr);
	}
	shell_words_free(&words);
}

static const char *advice(enum shell_kind kind)
{
	switch (kind) {
	case SHELL_SQL:
		return "  select name, sql from sqlite_master; lists what there is";
	case SHELL_DOT:
		return "  .help lists the dot commands";
	case SHELL_LUA:
		return "  = run shows what there is of the current run";
	default:
		return NULL;
	}
}

static void tell(struct shell *shell, const struct shell_source *source, const char *text,
		 const struct diag *diag)
{
	enum shell_kind kind = shell_kind(text);

	(void)shell;
	if (diag->err == ERR_PIPE || diag->text[0] == '\0')
		return;
	fflush(stdout);
	fputs("memcglab: ", stderr);
	if (source->name != NULL)
		fprintf(stderr, "%s:%zu: ", source->name, source->line);
	fprintf(stderr, "%s\n", diag->text);
	if (diag->err != ERR_USAGE && diag->err != ERR_NAME && diag->err != ERR_SCENARIO)
		return;
	if (kind == SHELL_WORDS && diag->err != ERR_SCENARIO)
		tell_words(text, diag);
	else if (advice(kind) != NULL)
		fprintf(stderr, "%s\n", advice(kind));
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
		err = kinds[shell_kind(text)](shell, text, &diag);
		if (shell->is_child)
			return ERR_OK;
		if (shell->timer && is_work(shell_kind(text)))
			fprintf(shell_out(shell), "%.3f s\n", now_s() - begun);
		if (err != ERR_OK)
			tell(shell, source, text, &diag);
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

/* ---- from beginning to end ---- */

/* What its lines take over from the shell: not what it was asked for itself. */
static void defaults(struct shell *shell, const struct args *args)
{
	shell->defaults = *args;
	shell->defaults.given = 0;
	shell->defaults.output = shell->defaults.command = shell->defaults.file = NULL;
	shell->keep_going = args->keep_going;
	shell->headers = shell->pager = true;
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

static void close_all(struct shell *shell)
{
	FILE *files[] = { shell->output, shell->once, shell->shown, shell->last };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i] != NULL)
			fclose(files[i]);
	free(shell);
}

enum err shell_run(const struct args *args, bool *is_child, struct diag *diag)
{
	struct shell *shell = calloc(1, sizeof(*shell));
	struct shell_source source;
	enum err err;

	if (shell == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the shell");
	defaults(shell, args);
	err = open_source(args, &source, diag);
	if (err == ERR_OK && args->output != NULL) {
		shell->output = fopen(args->output, "w");
		if (shell->output == NULL)
			err = diag_fail(diag, ERR_OUTPUT, "%s: %s", args->output, strerror(errno));
	}
	if (err == ERR_OK) {
		err = shell_read(shell, &source);
		shell_source_close(&source);
	}
	*is_child = shell->is_child;
	close_all(shell);
	return err;
}
