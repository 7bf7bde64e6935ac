/*
 * Source texts and error reports, see source.h.  A report shows the line in
 * question with one neighbour on each side; long lines are cut at a column
 * and control characters are shown as '?', so that a hostile file cannot
 * send escape sequences to the terminal through its own error message.
 */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

enum {
	SHOWN_MAX = 92,		/* [bytes] of a source line */
	TAG_TAIL = 50,		/* [bytes] of a long file name that a tag keeps */
	KEY_LINES = 60		/* lines that a table of options may span */
};

/* Lua copies a chunk name of less than SOURCE_TAG_MAX bytes unchanged. */
static void make_tag(struct source *source)
{
	size_t length = strlen(source->file);

	if (length < SOURCE_TAG_MAX - 1)
		memcpy(source->tag, source->file, length + 1);
	else
		snprintf(source->tag, sizeof(source->tag), "...%s",
			 source->file + length - TAG_TAIL);
}

/* Each option that a scenario gives is looked for by its line, so that is found at once. */
static bool index_lines(struct source *source)
{
	const char *end = source->text + source->size, *at = source->text;
	size_t most = 1;

	for (size_t i = 0; i < source->size; i++)
		most += source->text[i] == '\n';
	source->line = malloc(most * sizeof(*source->line));
	if (!source->line)
		return false;
	while (at && at < end) {
		source->line[source->nr_lines++] = (size_t)(at - source->text);
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	return true;
}

struct source *source_add(struct source **list, const char *file, const char *text, size_t size)
{
	struct source *source = calloc(1, sizeof(*source));

	if (!source)
		return NULL;
	source->file = strdup(file);
	source->text = malloc(size + 1);
	if (!source->file || !source->text) {
		source_free(source);
		return NULL;
	}
	memcpy(source->text, text, size);
	source->text[size] = '\0';
	source->size = size;
	if (!index_lines(source)) {
		source_free(source);
		return NULL;
	}
	make_tag(source);
	source->next = *list;
	*list = source;
	return source;
}

void source_free(struct source *list)
{
	while (list) {
		struct source *next = list->next;

		free(list->file);
		free(list->module);
		free(list->text);
		free(list->line);
		free(list);
		list = next;
	}
}

const struct source *source_find(const struct source *list, const char *tag, size_t length)
{
	for (; list; list = list->next)
		if (strlen(list->tag) == length && !memcmp(list->tag, tag, length))
			return list;
	return NULL;
}

const char *source_line(const struct source *source, int line, size_t *length)
{
	const char *end = source->text + source->size, *at, *stop;

	if (line < 1 || (size_t)line > source->nr_lines)
		return NULL;
	at = source->text + source->line[line - 1];
	stop = memchr(at, '\n', (size_t)(end - at));
	*length = (size_t)((stop ? stop : end) - at);
	return at;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Does the text at @at, @length bytes, hold "key =" or "key="? */
static bool assigns(const char *at, size_t length, const char *key)
{
	size_t n = strlen(key);

	for (size_t i = 0; n && i + n < length; i++) {
		size_t after = i + n;

		if (memcmp(at + i, key, n) || (i && is_word(at[i - 1])))
			continue;
		while (after < length && at[after] == ' ')
			after++;
		if (after < length && at[after] == '=' &&
		    (after + 1 == length || at[after + 1] != '='))
			return true;
	}
	return false;
}

int source_find_key(const struct source *source, int from, const char *key)
{
	for (int line = from; line < from + KEY_LINES; line++) {
		size_t length;
		const char *at = source_line(source, line, &length);

		if (!at)
			break;
		if (assigns(at, length, key))
			return line;
	}
	return from;
}

/* Cut inside no UTF-8 sequence: step back over its continuation bytes. */
static size_t shown_length(const char *at, size_t length)
{
	if (length <= SHOWN_MAX)
		return length;
	length = SHOWN_MAX;
	while (length && ((unsigned char)at[length] & 0xc0) == 0x80)
		length--;
	return length;
}

static void add_line(struct words *words, const struct place *at, int line)
{
	char shown[SHOWN_MAX + 1];
	size_t length;
	const char *text = source_line(at->source, line, &length);

	if (!text)
		return;
	length = shown_length(text, length);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		shown[i] = text[i];
		if (c == '\t')
			shown[i] = ' ';
		else if (c < 0x20 || c == 0x7f)
			shown[i] = '?';
	}
	while (length && shown[length - 1] == ' ')
		length--;
	words_add(words, "\n  %c%3d  %.*s", line == at->line ? '>' : ' ', line, (int)length, shown);
}

enum err source_report(const struct source_report *report, struct diag *diag)
{
	const struct place *at = &report->at;
	struct words words = { 0 };
	enum err err;

	if (at->source && at->line > 0)
		words_add(&words, "%s:%d: ", at->source->file, at->line);
	else if (at->source)
		words_add(&words, "%s: ", at->source->file);
	words_add(&words, "%s", report->text);
	for (int i = -1; at->source && at->line > 0 && i <= 1; i++)
		add_line(&words, at, at->line + i);
	words_add(&words, "%s", report->frames);
	if (report->phase && *report->scenario)
		words_add(&words, "\n  in %s of scenario \"%s\"", report->phase, report->scenario);
	err = diag_fail(diag, report->err, "%s", words.text ? words.text : report->text);
	words_clear(&words);
	return err;
}
