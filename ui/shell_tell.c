/*
 * Tells what went wrong: where, in which word, and what helps.
 */
#include <string.h>

#include "shell_state.h"

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

void shell_tell(const struct shell_source *source, const char *text, const struct diag *diag)
{
	enum shell_kind kind = shell_kind(text);

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
