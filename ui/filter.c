/*
 * One filter is read word by word and judged against one row of cells; the
 * row also says which columns there are.  Case is ignored in text.
 */
#include "filter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX_BYTES = 128 };

enum operator{ OP_WORD, OP_HAS, OP_EQUAL, OP_LESS, OP_MORE, OP_AT_MOST, OP_AT_LEAST };

struct term {
	enum operator op;
	char name[WORD_MAX_BYTES]; /* a plain word stands here too */
	const char *value;         /* behind the operator, in @name's memory */
};

struct columns {
	const struct filter_cell *row;
	size_t n;
};

/* Longest first, so that "<=" is not taken for "<". */
static const struct {
	const char *text;
	enum operator op;
} operators[] = {
	{ "<=", OP_AT_MOST }, { ">=", OP_AT_LEAST }, { "<", OP_LESS },
	{ ">", OP_MORE },     { "=", OP_EQUAL },     { ":", OP_HAS },
};

/* Splits "seed>3" in place: @name ends where the operator begins, @value points behind it. */
static void split_term(struct term *term)
{
	char *at = term->name + strcspn(term->name, "<>=:");

	term->op = OP_WORD;
	term->value = "";
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		size_t n = strlen(operators[i].text);

		if (strncmp(at, operators[i].text, n) != 0)
			continue;
		*at = '\0';
		term->op = operators[i].op;
		term->value = at + n;
		return;
	}
}

/* Takes the next word off @filter.  Returns: false at the end. */
static bool next_term(const char **filter, struct term *term)
{
	size_t n;

	*filter += strspn(*filter, " ");
	n = strcspn(*filter, " ");
	if (n == 0)
		return false;
	if (n >= sizeof(term->name))
		n = sizeof(term->name) - 1;
	memcpy(term->name, *filter, n);
	term->name[n] = '\0';
	*filter += n;
	split_term(term);
	return true;
}

/* Is @part somewhere in @text, whatever the case of either?  An empty part always is. */
static bool contains(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; strlen(text) >= n; text++) {
		size_t i = 0;

		while (i < n && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
			i++;
		if (i == n)
			return true;
	}
	return false;
}

/* The column called @name, or the only one that begins so; else NULL. */
static const struct filter_cell *column(const struct columns *columns, const char *name)
{
	const struct filter_cell *found = NULL;
	size_t len = strlen(name), nr = 0;

	for (size_t i = 0; i < columns->n; i++) {
		if (strcmp(columns->row[i].name, name) == 0)
			return &columns->row[i];
		if (len == 0 || strncmp(columns->row[i].name, name, len) != 0)
			continue;
		found = &columns->row[i];
		nr++;
	}
	return nr == 1 ? found : NULL;
}

/* A number and nothing after it; what strtod reads halfway is no number here. */
static bool read_number(const char *text, double *number)
{
	char *end;

	*number = strtod(text, &end);
	return end != text && *end == '\0';
}

/* A comparison of two numbers; ":" and "=" both ask for equality. */
static bool holds(enum operator op, double have, double want)
{
	switch (op) {
	case OP_LESS:
		return have < want;
	case OP_MORE:
		return have > want;
	case OP_AT_MOST:
		return have <= want;
	case OP_AT_LEAST:
		return have >= want;
	default:
		return have >= want && have <= want;
	}
}

/* One term against the row.  Its column exists: filter_check has seen to it. */
static bool term_match(const struct term *term, const struct columns *columns)
{
	const struct filter_cell *cell;
	double want;

	if (term->op == OP_WORD) {
		for (size_t i = 0; i < columns->n; i++)
			if (columns->row[i].text && contains(columns->row[i].text, term->name))
				return true;
		return false;
	}
	cell = column(columns, term->name);
	if (cell->text)
		return term->op == OP_EQUAL ? strcmp(cell->text, term->value) == 0
					    : contains(cell->text, term->value);
	return read_number(term->value, &want) && holds(term->op, cell->number, want);
}

/* The names of the columns one by one, for the search of the nearest. */
static const char *name_at(const void *ctx, size_t i)
{
	const struct columns *columns = ctx;

	return i < columns->n ? columns->row[i].name : NULL;
}

enum err filter_check(const char *filter, const struct filter_cell *row, size_t n,
		      struct diag *diag)
{
	struct columns columns = { row, n };
	struct term term;
	double number;

	while (next_term(&filter, &term)) {
		const struct filter_cell *cell = column(&columns, term.name);

		if (term.op == OP_WORD)
			continue;
		if (!cell)
			return diag_fail(diag, ERR_NAME,
					 "no column \"%s\" here; the nearest is \"%s\"", term.name,
					 diag_nearest(term.name, name_at, &columns));
		if (cell->text && term.op > OP_EQUAL)
			return diag_fail(diag, ERR_USAGE, "%s is text: write %s:PART or %s=TEXT",
					 term.name, term.name, term.name);
		if (!cell->text && !read_number(term.value, &number))
			return diag_fail(diag, ERR_USAGE, "%s: \"%s\" is not a number", term.name,
					 term.value);
	}
	return ERR_OK;
}

bool filter_pending(const char *filter, const struct filter_cell *row, size_t n)
{
	const char *last = strrchr(filter, ' ');
	size_t len;

	last = last ? last + 1 : filter;
	len = strlen(last);
	for (size_t i = 0; i < n && len > 0; i++)
		if (!row[i].text && strncmp(row[i].name, last, len) == 0)
			return true;
	return false;
}

bool filter_match(const char *filter, const struct filter_cell *row, size_t n)
{
	struct columns columns = { row, n };
	struct term term;

	if (filter_check(filter, row, n, NULL) != ERR_OK)
		return true;
	while (next_term(&filter, &term))
		if (!term_match(&term, &columns))
			return false;
	return true;
}
