/*
 * The words of a condition on runs: names, values, quotes, operators; and
 * the one form of an error, with the place.
 */
#include "where_words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SHOWN_MAX = 200 };

/* Longest first, so that "<=" is not taken for "<". */
static const struct {
	const char *text;
	enum where_op op;
} operators[] = {
	{ "<=", OP_AT_MOST }, { ">=", OP_AT_LEAST }, { "!=", OP_UNEQUAL }, { "<>", OP_UNEQUAL },
	{ "==", OP_EQUAL },   { "=", OP_EQUAL },     { "<", OP_LESS },     { ">", OP_MORE },
	{ "~", OP_HAS },      { ":", OP_HAS },
};

/* One line that says it all, then the condition and a caret; of UTF-8 the first bytes count. */
enum err where_bad(struct where_parser *p, const char *place, enum err err, const char *fmt, ...)
{
	char what[DIAG_TEXT_MAX / 2], shown[SHOWN_MAX + 1];
	const char *from = place - p->expr > SHOWN_MAX / 2 ? place - SHOWN_MAX / 2 : p->expr;
	int column = 0;
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	while (((unsigned char)*from & 0xc0) == 0x80)
		from++;
	snprintf(shown, sizeof(shown), "%s", from);
	for (char *c = shown; *c; c++)
		*c = iscntrl((unsigned char)*c) ? ' ' : *c;
	for (const char *c = from; c < place; c++)
		column += ((unsigned char)*c & 0xc0) != 0x80;
	return diag_fail(p->diag, err, "%s\n  %s\n  %*s^", what, shown, column, "");
}

void where_blanks(struct where_parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

bool where_is_operator(const char *at)
{
	return *at != '\0' && (strchr("<>=:~", *at) != NULL || (at[0] == '!' && at[1] == '='));
}

/* What ends a name or a word; a value goes on over operators: kernel=v3.1+lru=per_memcg. */
bool where_ends(const char *at, bool is_value)
{
	return *at == '\0' || isspace((unsigned char)*at) || strchr("()\"'", *at) != NULL ||
	       (!is_value && where_is_operator(at));
}

/* In quotes, of which two stand for one. */
static enum err read_quoted(struct where_parser *p, char out[WHERE_WORD_MAX])
{
	const char *begin = p->at;
	char quote = *p->at++;
	size_t n = 0;

	for (; *p->at && (*p->at != quote || p->at[1] == quote); p->at++) {
		p->at += *p->at == quote;
		if (n + 1 < WHERE_WORD_MAX)
			out[n++] = *p->at;
	}
	out[n] = '\0';
	if (*p->at != quote)
		return where_bad(p, begin, ERR_USAGE, "the quote %c is not closed", quote);
	p->at++;
	return n + 1 < WHERE_WORD_MAX ? ERR_OK
				      : where_bad(p, begin, ERR_USAGE, "this text is too long");
}

/* A word, or what stands in quotes; nothing if there is neither. */
enum err where_word(struct where_parser *p, bool is_value, char out[WHERE_WORD_MAX])
{
	const char *begin = p->at;
	size_t n;

	out[0] = '\0';
	if (*p->at == '"' || *p->at == '\'')
		return read_quoted(p, out);
	while (!where_ends(p->at, is_value))
		p->at++;
	n = (size_t)(p->at - begin);
	if (n >= WHERE_WORD_MAX)
		return where_bad(p, begin, ERR_USAGE, "this word is too long");
	memcpy(out, begin, n);
	out[n] = '\0';
	return ERR_OK;
}

/* Takes @word, in any case, if it comes next and ends there. */
bool where_take(struct where_parser *p, const char *word)
{
	size_t n = strlen(word);

	where_blanks(p);
	if (strncasecmp(p->at, word, n) != 0 || !where_ends(p->at + n, false) ||
	    where_is_operator(p->at + n))
		return false;
	p->at += n;
	return true;
}

/* The operator that comes next.  "not like" is one. */
enum where_op where_operator(struct where_parser *p)
{
	const char *begin = p->at;
	bool inverse;

	where_blanks(p);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (strncmp(p->at, operators[i].text, strlen(operators[i].text)) == 0) {
			p->at += strlen(operators[i].text);
			return operators[i].op;
		}
	inverse = where_take(p, "not");
	if (where_take(p, "like"))
		return inverse ? OP_UNLIKE : OP_LIKE;
	p->at = begin;
	return OP_NONE;
}
