/*
 * The dot commands: a table of names, what they take and what they do.
 * Without its argument a setting prints its value.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "shell_state.h"

typedef enum err dot_fn(struct shell *shell, const char *word, struct diag *diag);

struct dot {
	struct shell_dot_desc desc;
	dot_fn *run;
	size_t flag; /* of struct shell, where run is NULL */
	bool needs;  /* its word */
};

/* ---- how results look ---- */

static enum err dot_mode(struct shell *shell, const char *word, struct diag *diag)
{
	enum err err = ERR_OK;

	if (word == NULL) {
		fprintf(shell_out(shell), "%s\n", shell->defaults.format);
		return ERR_OK;
	}
	err = output_format_find(word, diag);
	/* The name from the table: the word goes with its line. */
	for (size_t i = 0; err == ERR_OK && output_format_name(i) != NULL; i++)
		if (strcmp(output_format_name(i), word) == 0)
			shell->defaults.format = output_format_name(i);
	return err;
}

static enum err dot_width(struct shell *shell, const char *word, struct diag *diag)
{
	size_t width[OUTPUT_WIDTHS_MAX] = { 0 };
	const char *at = word != NULL ? word : "";

	for (size_t i = 0; *at != '\0'; i++) {
		char *end;
		unsigned long value = strtoul(at, &end, 10);

		if (*at < '0' || *at > '9' || (*end != ',' && *end != '\0') || value > 1000)
			return diag_fail(diag, ERR_USAGE,
					 ".width: \"%s\" is not N,N,... (0 to 1000 cells; 0: as "
					 "it takes)",
					 word);
		if (i == OUTPUT_WIDTHS_MAX)
			return diag_fail(diag, ERR_USAGE, ".width: at most %d columns",
					 OUTPUT_WIDTHS_MAX);
		width[i] = value;
		at = *end == ',' ? end + 1 : end;
	}
	memcpy(shell->style.width, width, sizeof(width));
	return ERR_OK;
}

static enum err dot_nullvalue(struct shell *shell, const char *word, struct diag *diag)
{
	if (strlen(word) >= sizeof(shell->null))
		return diag_fail(diag, ERR_USAGE, ".nullvalue: longer than %zu bytes",
				 sizeof(shell->null) - 1);
	strcpy(shell->null, word);
	shell->style.null = word[0] != '\0' ? shell->null : NULL;
	return ERR_OK;
}

/* ---- where they go ---- */

static enum err open_file(FILE **file, const char *name, const char *path, struct diag *diag)
{
	FILE *opened = fopen(path, "w");

	if (opened == NULL)
		return diag_fail(diag, ERR_OUTPUT, "%s: %s: %s", name, path, strerror(errno));
	if (*file != NULL)
		fclose(*file);
	*file = opened;
	return ERR_OK;
}

static enum err dot_output(struct shell *shell, const char *word, struct diag *diag)
{
	FILE *before = shell->output;

	if (word != NULL)
		return open_file(&shell->output, ".output", word, diag);
	shell->output = NULL;
	if (before != NULL && fclose(before) != 0)
		return diag_fail(diag, ERR_OUTPUT, ".output: %s", strerror(errno));
	return ERR_OK;
}

static enum err dot_once(struct shell *shell, const char *word, struct diag *diag)
{
	return open_file(&shell->once, ".once", word, diag);
}

static enum err dot_last(struct shell *shell, const char *word, struct diag *diag)
{
	(void)word;
	return shell_last(shell, diag);
}

/* What the scenario of the current run printed. */
static enum err dot_log(struct shell *shell, const char *word, struct diag *diag)
{
	char sql[128];

	(void)word;
	if (shell->run == 0)
		return diag_fail(diag, ERR_USAGE, ".log: there is no current run yet");
	snprintf(sql, sizeof(sql), "SELECT text FROM v_log WHERE run = %lld ORDER BY nr",
		 (long long)shell->run);
	return shell_sql(shell, sql, diag);
}

/* ---- lines ---- */

/* Its own errors are told where they happen; the line .read only fails with them. */
static enum err dot_read(struct shell *shell, const char *word, struct diag *diag)
{
	struct shell_source source;
	bool typing = shell->typing;
	enum err err;

	if (shell->depth == SHELL_DEPTH_MAX)
		return diag_fail(diag, ERR_USAGE, ".read: files read each other %d deep",
				 SHELL_DEPTH_MAX);
	err = shell_source_open(&source, word, diag);
	if (err != ERR_OK)
		return err;
	shell->depth++;
	err = shell_read(shell, &source);
	shell->depth--;
	shell->typing = typing;
	shell_source_close(&source);
	if (err != ERR_OK)
		diag->text[0] = '\0';
	return err;
}

enum { HISTORY_SHOWN = 20 };

static void print_line(void *ctx, const char *line)
{
	fprintf(ctx, "%s\n", line);
}

static enum err dot_history(struct shell *shell, const char *word, struct diag *diag)
{
	uint64_t max = HISTORY_SHOWN;

	if (word != NULL && !units_parse(UNIT_COUNT, word, &max))
		return diag_fail(diag, ERR_USAGE, ".history: \"%s\" is not %s", word,
				 units_accepted(UNIT_COUNT));
	shell_history_each(shell->history, max, print_line, shell_out(shell));
	return ERR_OK;
}

static enum err dot_quit(struct shell *shell, const char *word, struct diag *diag)
{
	(void)word;
	(void)diag;
	shell->quit = true;
	return ERR_OK;
}

static enum err dot_help(struct shell *shell, const char *word, struct diag *diag);

#define FLAG(member) offsetof(struct shell, member)

static const struct dot dots[] = {
	{ { ".mode", "[FORMAT]", "format of results, as -F" }, dot_mode, 0, false },
	{ { ".headers", "[on|off]", "names above columns" }, NULL, FLAG(headers), false },
	{ { ".width", "[N,N...]", "cells of columns; alone: as they take" }, dot_width, 0, false },
	{ { ".nullvalue", "TEXT", "what stands for a value that is not there" },
	  dot_nullvalue,
	  0,
	  true },
	{ { ".output", "[FILE]", "results go there; alone: back to standard output" },
	  dot_output,
	  0,
	  false },
	{ { ".once", "FILE", "the next result goes there" }, dot_once, 0, true },
	{ { ".pager", "[on|off]", "$PAGER for what is taller than the screen" },
	  NULL,
	  FLAG(pager),
	  false },
	{ { ".last", "", "all of the last result, nothing cut" }, dot_last, 0, false },
	{ { ".read", "FILE", "run the lines of a file" }, dot_read, 0, true },
	{ { ".timer", "[on|off]", "say how long each line took" }, NULL, FLAG(timer), false },
	{ { ".history", "[N]", "the last lines that were typed" }, dot_history, 0, false },
	{ { ".write", "[on|off]", "let SQL change the store" }, NULL, FLAG(write), false },
	{ { ".log", "", "what the current run's scenario printed" }, dot_log, 0, false },
	{ { ".help", "", "these" }, dot_help, 0, false },
	{ { ".quit", "", "leave; so does Ctrl-D" }, dot_quit, 0, false },
};

enum { NR_DOTS = sizeof(dots) / sizeof(dots[0]) };

const struct shell_dot_desc *shell_dot_at(size_t i)
{
	return i < NR_DOTS ? &dots[i].desc : NULL;
}

static enum err dot_help(struct shell *shell, const char *word, struct diag *diag)
{
	FILE *out = shell_out(shell);

	(void)word;
	for (size_t i = 0; i < NR_DOTS; i++)
		fprintf(out, "%-10s %-9s %s\n", dots[i].desc.name, dots[i].desc.args,
			dots[i].desc.doc);
	fputs("! COMMAND            a line of the host's own shell\n", out);
	return output_check(out, diag);
}

/* Names for the nearest one. */
static const char *dot_name_at(const void *ctx, size_t i)
{
	(void)ctx;
	return i < NR_DOTS ? dots[i].desc.name : NULL;
}

static enum err dot_flag(struct shell *shell, const struct dot *dot, const char *word,
			 struct diag *diag)
{
	bool *flag = (bool *)((char *)shell + dot->flag);

	if (word == NULL)
		fprintf(shell_out(shell), "%s\n", *flag ? "on" : "off");
	else if (strcmp(word, "on") == 0 || strcmp(word, "off") == 0)
		*flag = word[1] == 'n';
	else
		return diag_fail(diag, ERR_USAGE, "%s: \"%s\" is not one of on|off", dot->desc.name,
				 word);
	return ERR_OK;
}

static enum err dot_run(struct shell *shell, const struct shell_words *words, struct diag *diag)
{
	const char *word = words->n > 1 ? words->word[1] : NULL;
	const struct dot *dot = NULL;

	for (size_t i = 0; i < NR_DOTS; i++)
		if (strcmp(dots[i].desc.name, words->word[0]) == 0)
			dot = &dots[i];
	if (dot == NULL)
		return diag_fail(diag, ERR_USAGE, "no dot command \"%s\": did you mean %s?",
				 words->word[0], diag_nearest(words->word[0], dot_name_at, NULL));
	if (words->n > (dot->desc.args[0] != '\0' ? 2 : 1))
		return diag_fail(diag, ERR_USAGE, "\"%s\" is one word too many: %s %s",
				 words->word[words->n - 1], dot->desc.name, dot->desc.args);
	if (word == NULL && dot->needs)
		return diag_fail(diag, ERR_USAGE, "usage: %s %s", dot->desc.name, dot->desc.args);
	return dot->run != NULL ? dot->run(shell, word, diag) : dot_flag(shell, dot, word, diag);
}

enum err shell_dot(struct shell *shell, const char *line, struct diag *diag)
{
	struct shell_words words;
	enum err err = shell_split(line, &words, diag);

	if (err != ERR_OK)
		return err;
	err = dot_run(shell, &words, diag);
	shell_words_free(&words);
	return err;
}
