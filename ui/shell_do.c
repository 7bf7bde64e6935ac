/*
 * Carries out one line: each kind of line becomes a verb with arguments,
 * which works in a child.
 */
#include <string.h>

#include "shell_state.h"

/* Words of the interface that move in time, which a later version has. */
static const char *const reserved[] = { "at",    "next",      "prev", "goto", "break",
					"rcontinue", "continue", "step", "back", "explain" };

/* One line's work in its child, and what it leaves here. */
static enum err do_verb(struct shell *shell, const struct verb *verb, const struct args *args,
			struct diag *diag)
{
	struct dispatch_place place;
	struct dispatch_end end;
	struct diag shown = { .err = ERR_OK };
	enum err err, err_shown;
	bool asks = verb->asks && !args->yes && !args->dry_run;
	bool screen = (verb->run == NULL || asks) && shell->tty != NULL;

	shell_place(shell, args, &place);
	if (screen)
		shell_tty_lend(shell->tty, true);
	err = dispatch_verb(verb, args, &place, &end, diag);
	if (end.is_child) {
		shell->is_child = shell->quit = true;
		return ERR_OK;
	}
	if (screen)
		shell_tty_lend(shell->tty, false);
	if (end.run_id != 0)
		shell->run = end.run_id;
	if (end.ended)
		shell->quit = shell->ended = true;
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

/* help .mode: the dot commands are the shell's own. */
static bool help_dot(struct shell *shell, const struct shell_words *words)
{
	const struct shell_dot_desc *dot;

	if (words->n != 2 || strcmp(words->word[0], "help") != 0 || words->word[1][0] != '.')
		return false;
	for (size_t i = 0; (dot = shell_dot_at(i)) != NULL; i++)
		if (strcmp(dot->name, words->word[1]) == 0) {
			fprintf(shell_out(shell), "%s %s\n  %s\n", dot->name, dot->args, dot->doc);
			return true;
		}
	return false;
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
	else if (err == ERR_OK && !help_dot(shell, &words))
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

enum err shell_do(struct shell *shell, const char *text, struct diag *diag)
{
	return kinds[shell_kind(text)](shell, text, diag);
}
