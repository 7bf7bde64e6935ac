/*
 * Text that grows, see words.h.  The buffer doubles, so adding n characters
 * one by one costs n steps.
 */
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool reserve(struct words *words, size_t more)
{
	size_t size = words->size ? words->size : 128;
	char *text;

	while (size - words->used <= more) /* one more for the final zero */
		size *= 2;
	if (size == words->size)
		return true;
	text = realloc(words->text, size);
	if (!text) {
		words->lost = true;
		return false;
	}
	words->text = text;
	words->size = size;
	return true;
}

void words_add(struct words *words, const char *fmt, ...)
{
	va_list args;
	int need;

	va_start(args, fmt);
	need = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (need < 0 || !reserve(words, (size_t)need))
		return;
	va_start(args, fmt);
	vsnprintf(words->text + words->used, (size_t)need + 1, fmt, args);
	va_end(args);
	words->used += (size_t)need;
}

void words_add_json(struct words *words, const char *text)
{
	words_add(words, "\"");
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			words_add(words, "\\%c", c);
		else if (c < 0x20)
			words_add(words, "\\u%04x", c);
		else
			words_add(words, "%c", c);
	}
	words_add(words, "\"");
}

void words_clear(struct words *words)
{
	free(words->text);
	*words = (struct words){ 0 };
}
