/*
 * Lines told apart by how they begin, see shell_line.h.
 *
 * EXPLAIN and DELETE are words of commands too: they are SQL when the word
 * behind them says so.
 */
#include "shell_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "eval.h"

/* A word that begins SQL, and the words one of which must follow; NULL: any. */
struct opening {
	const char *word;
	const char *follows;
	enum shell_kind kind;
};

static const struct opening openings[] = {
	{ "select", NULL, SHELL_SQL },
	{ "with", NULL, SHELL_SQL },
	{ "values", NULL, SHELL_SQL },
	{ "explain", "query select with values", SHELL_SQL },
	{ "insert", "into or", SHELL_CHANGE },
	{ "replace", "into", SHELL_CHANGE },
	{ "update", NULL, SHELL_CHANGE },
	{ "delete", "from", SHELL_CHANGE },
	{ "create", NULL, SHELL_CHANGE },
	{ "drop", NULL, SHELL_CHANGE },
	{ "alter", NULL, SHELL_CHANGE },
	{ "lua", NULL, SHELL_LUA },
};

enum { NR_OPENINGS = sizeof(openings) / sizeof(openings[0]) };

static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

static size_t word_length(const char *text)
{
	size_t n = 0;

	while (isalpha((unsigned char)text[n]))
		n++;
	return n;
}

static bool word_is(const char *text, size_t n, const char *word)
{
	return n == strlen(word) && strncasecmp(text, word, n) == 0;
}

/* Is the word at @text among those of @list, which blanks part? */
static bool word_among(const char *text, const char *list)
{
	size_t n = word_length(text);

	for (; n > 0 && *list != '\0'; list += strspn(list, " ")) {
		size_t length = strcspn(list, " ");

		if (length == n && strncasecmp(text, list, n) == 0)
			return true;
		list += length;
	}
	return false;
}

/* "select" may stand before a quote, a star or a bracket, but "select-me" is a word. */
static bool ends_word(char c)
{
	return c == '\0' || isspace((unsigned char)c) || strchr("*('\";", c) != NULL;
}

static enum shell_kind kind_of_word(const char *text)
{
	size_t n = word_length(text);
	const char *next = skip_blanks(text + n);

	for (size_t i = 0; i < NR_OPENINGS && ends_word(text[n]); i++)
		if (word_is(text, n, openings[i].word) &&
		    (openings[i].follows == NULL || word_among(next, openings[i].follows)))
			return openings[i].kind;
	return SHELL_WORDS;
}

enum shell_kind shell_kind(const char *text)
{
	static const struct {
		char first;
		enum shell_kind kind;
	} firsts[] = {
		{ '\0', SHELL_BLANK }, { '#', SHELL_BLANK }, { '.', SHELL_DOT },
		{ '!', SHELL_HOST },   { '=', SHELL_LUA },   { ';', SHELL_BLANK },
	};

	text = skip_blanks(text);
	if (strncmp(text, "--", 2) == 0)
		return SHELL_BLANK;
	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++)
		if (firsts[i].first == *text)
			return firsts[i].kind;
	return kind_of_word(text);
}

/* ---- SQL ---- */

/* Behind a comment or a quoted text that begins at @text; *open is what never ends. */
static const char *skip_quoted(const char *text, char *open)
{
	const char *end;

	if (strncmp(text, "--", 2) == 0)
		return text + strcspn(text, "\n");
	if (strncmp(text, "/*", 2) == 0) {
		end = strstr(text + 2, "*/");
		*open = end == NULL ? '*' : *open;
		return end == NULL ? text + strlen(text) : end + 2;
	}
	end = strchr(text + 1, *text == '[' ? ']' : *text);
	*open = end == NULL ? *text : *open;
	return end == NULL ? text + strlen(text) : end + 1;
}

static bool begins_quoted(const char *text)
{
	return strchr("'\"`[", *text) != NULL || strncmp(text, "--", 2) == 0 ||
	       strncmp(text, "/*", 2) == 0;
}

/* The end of the first statement: behind its semicolon, or the end of @text if there is none. */
static const char *statement_end(const char *text, char *open)
{
	*open = '\0';
	while (*text != '\0' && *text != ';')
		text = begins_quoted(text) ? skip_quoted(text, open) : text + 1;
	if (*text == ';')
		return text + 1;
	if (*open == '\0')
		*open = ';';
	return text;
}

size_t shell_statement(const char *text)
{
	char open;

	return (size_t)(statement_end(text, &open) - text);
}

static const char *open_sql(const char *text)
{
	char open;

	statement_end(text, &open);
	switch (open) {
	case '\0':
		return NULL;
	case '\'':
		return "'...>";
	case '"':
		return "\"...>";
	default:
		return open == '*' ? "/*...>" : "sql>";
	}
}

/* ---- words ---- */

/* One word from @from, copied to *to; the quote that it leaves open, else '\0'. */
static char take_word(const char **from, char **to)
{
	char quote = '\0';

	for (; **from != '\0' && (quote != '\0' || !isspace((unsigned char)**from)); (*from)++) {
		char c = **from;

		if (c == quote) {
			quote = '\0';
		} else if (quote == '\0' && (c == '\'' || c == '"')) {
			quote = c;
		} else {
			if (c == '\\' && quote != '\'' && (*from)[1] != '\0')
				c = *++*from;
			*(*to)++ = c;
		}
	}
	*(*to)++ = '\0';
	return quote;
}

enum err shell_split(const char *line, struct shell_words *out, struct diag *diag)
{
	const char *from = skip_blanks(line);
	char *to;

	memset(out, 0, sizeof(*out));
	to = out->text = malloc(strlen(line) + 2);
	if (to == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for a line");
	for (; *from != '\0'; from = skip_blanks(from)) {
		if (out->n == SHELL_WORDS_MAX - 1) {
			shell_words_free(out);
			return diag_fail(diag, ERR_USAGE, "more than %d words",
					 SHELL_WORDS_MAX - 1);
		}
		out->at[out->n] = (size_t)(from - line);
		out->word[out->n++] = to;
		take_word(&from, &to);
	}
	return ERR_OK;
}

void shell_words_free(struct shell_words *words)
{
	free(words->text);
	memset(words, 0, sizeof(*words));
}

static const char *open_words(const char *text)
{
	char *copy = malloc(strlen(text) + 2), *to = copy;
	char quote = '\0';

	for (text = skip_blanks(text); copy != NULL && *text != '\0'; text = skip_blanks(text))
		quote = take_word(&text, &to);
	free(copy);
	if (quote == '\0')
		return NULL;
	return quote == '\'' ? "'...>" : "\"...>";
}

/* ---- */

const char *shell_lua(const char *text, bool *chunk)
{
	text = skip_blanks(text);
	*chunk = *text != '=';
	return text + (*chunk ? 3 : 1);
}

static const char *open_lua(const char *text)
{
	bool chunk;

	text = shell_lua(text, &chunk);
	return eval_open(text, chunk) ? "lua>" : NULL;
}

const char *shell_open(const char *text)
{
	switch (shell_kind(text)) {
	case SHELL_SQL:
	case SHELL_CHANGE:
		return open_sql(text);
	case SHELL_LUA:
		return open_lua(text);
	case SHELL_WORDS:
	case SHELL_DOT:
		return open_words(text);
	default:
		return NULL;
	}
}
