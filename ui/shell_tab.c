/*
 * Names from shell_complete.h in the prompt's line, or as a list.
 */
#include "shell_tab.h"

#include <stdlib.h>
#include <string.h>

#include "shell_complete.h"

enum { LISTED_MAX = 60, LINE_CELLS = 78 };

/* How many bytes all names have in common. */
static size_t common_length(const struct complete *c)
{
	size_t n = strlen(c->item[0].text);

	for (size_t i = 1; i < c->nr; i++) {
		size_t same = 0;

		while (same < n && c->item[i].text[same] == c->item[0].text[same])
			same++;
		n = same;
	}
	return n;
}

/* The first @n bytes of the first name in place of what is typed of it. */
static void put_name(const struct complete *c, size_t n, const char *behind, struct prompt *prompt)
{
	const char *from = c->item[0].text;
	char *text = malloc(2 * n + strlen(behind) + 1), *to = text;

	if (text == NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		if (c->escape && strchr(" '\"\\", from[i]) != NULL)
			*to++ = '\\';
		*to++ = from[i];
	}
	strcpy(to, behind);
	prompt_insert(prompt, c->typed, text);
	free(text);
}

/* Names side by side, or below each other where each has a note. */
static void list(const struct complete *c, FILE *show)
{
	size_t width = 0, column = 0;
	bool notes = false;

	for (size_t i = 0; i < c->nr; i++) {
		if (output_cells(c->item[i].text) > width)
			width = output_cells(c->item[i].text);
		notes = notes || c->item[i].note != NULL;
	}
	for (size_t i = 0; i < c->nr && i < LISTED_MAX; i++) {
		const char *note = c->item[i].note != NULL ? c->item[i].note : "";

		fprintf(show, "%-*s  ", (int)width, c->item[i].text);
		column += width + 2;
		if (notes)
			fprintf(show, "%.*s", width < 60 ? (int)(LINE_CELLS - width - 2) : 0, note);
		if (notes || column + width > LINE_CELLS || i + 1 == c->nr || i + 1 == LISTED_MAX) {
			fputc('\n', show);
			column = 0;
		}
	}
	if (c->nr > LISTED_MAX)
		fprintf(show, "(%zu more)\n", c->nr - LISTED_MAX);
}

/* The entry up to the cursor; malloc'ed. */
static char *text_before(const char *entry, const char *line, size_t cursor)
{
	size_t size = entry != NULL ? strlen(entry) + 1 : 0;
	char *text = malloc(size + cursor + 1);

	if (text == NULL)
		return NULL;
	if (entry != NULL)
		snprintf(text, size + 1, "%s\n", entry);
	memcpy(text + size, line, cursor);
	text[size + cursor] = '\0';
	return text;
}

void shell_tab_press(void *ctx, struct prompt *prompt, FILE *show)
{
	const struct shell_tab_place *place = ctx;
	const char *line = prompt_text(prompt);
	size_t cursor = prompt_cursor(prompt), n;
	struct lab_options lab = dispatch_lab(&place->shell->defaults);
	char *text = text_before(place->entry, line, cursor);
	struct complete c = { .lab = &lab,
			      .run = place->shell->run,
			      .text = text,
			      .rest = line + cursor };

	lab.log = (struct script_log){ NULL, NULL }; /* a scenario that prints is not asked to */
	if (text != NULL)
		complete_find(&c);
	n = c.nr > 0 ? common_length(&c) : 0;
	if (c.nr == 1)
		put_name(&c, n, c.behind, prompt);
	else if (n > 0 && n > strlen(c.prefix))
		put_name(&c, n, "", prompt);
	else if (c.nr > 1)
		list(&c, show);
	complete_free(&c);
	free(text);
}
