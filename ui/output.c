/*
 * Rows, written in a named format: the columns first, then row by row.  The
 * formats themselves are in output_format.c; here are the checks, the copy
 * of what must be kept until the end, and the look at the file after each row.
 *
 * Invariant: cell holds nr_rows * nr_columns strings, row by row, or NULL
 * for SQL's NULL; a format without keep has no cells.
 */
#include "output_fit.h"

#include <stdlib.h>
#include <string.h>

const char *output_format_name(size_t i)
{
	const struct format *format = output_format_at(i);

	return format != NULL ? format->name : NULL;
}

/* Names for the nearest one. */
static const char *format_name_at(const void *ctx, size_t i)
{
	(void)ctx;
	return output_format_name(i);
}

/* NULL if there is none. */
static const struct format *format_find(const char *name)
{
	size_t i = 0;

	while (output_format_at(i) != NULL && strcmp(output_format_at(i)->name, name) != 0)
		i++;
	return output_format_at(i);
}

/* Checked early, so that a command does not run for a minute before it refuses. */
enum err output_format_find(const char *name, struct diag *diag)
{
	if (format_find(name) != NULL)
		return ERR_OK;
	return diag_fail(diag, ERR_USAGE,
			 "no format \"%s\": did you mean %s? (help formats "
			 "lists all)",
			 name, diag_nearest(name, format_name_at, NULL));
}

enum err output_new(const struct output_style *style, FILE *file, struct output **out,
		    struct diag *diag)
{
	enum err err = output_format_find(style->format, diag);

	*out = NULL;
	if (err != ERR_OK)
		return err;
	*out = calloc(1, sizeof(**out));
	if (*out == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the output");
	(*out)->format = format_find(style->format);
	(*out)->style = *style;
	(*out)->file = file;
	(*out)->room = style->room != 0 ? style->room : output_room(file);
	return ERR_OK;
}

enum err output_table(const struct output_style *style, FILE *file, struct output **out,
		      struct diag *diag)
{
	struct output_style table = *style;

	table.format = "table";
	return output_new(&table, file, out, diag);
}

/* Rows that were never written are dropped. */
void output_free(struct output *out)
{
	if (out == NULL)
		return;
	for (int i = 0; i < out->nr_columns; i++)
		free(out->column[i]);
	for (size_t i = 0; i < out->nr_cells; i++)
		free(out->cell[i]);
	free(out->cell);
	free(out);
}

/* A column is right-aligned until a text turns up in it. */
enum err output_head(struct output *out, int n, const char *const *names, struct diag *diag)
{
	if (n > OUTPUT_COLUMNS_MAX)
		return diag_fail(diag, ERR_USAGE, "%d columns: at most %d can be written", n,
				 OUTPUT_COLUMNS_MAX);
	for (int i = 0; i < n; i++) {
		out->column[i] = strdup(names[i]);
		if (out->column[i] == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for the output");
		out->nr_columns++;
		out->right[i] = true;
	}
	if (out->format->head != NULL)
		out->format->head(out);
	return ERR_OK;
}

/* A line break inside a cell would break the table: it becomes a blank. */
static char *cell_copy(const char *value)
{
	char *text = strdup(value);

	for (char *p = text; p != NULL && *p != '\0'; p++)
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
	return text;
}

/* Cells are copied, since a row's values are valid only during the call. */
static bool row_keep(struct output *out, const char *const *values, const int *types)
{
	size_t want = out->nr_cells + (size_t)out->nr_columns;

	if (want > out->max_cells) {
		size_t max = want * 2;
		char **cell = realloc(out->cell, max * sizeof(*cell));

		if (cell == NULL)
			return false;
		out->cell = cell;
		out->max_cells = max;
	}
	for (int i = 0; i < out->nr_columns; i++) {
		char *text = values[i] != NULL ? cell_copy(values[i]) : NULL;

		if (text == NULL && values[i] != NULL)
			return false;
		out->cell[out->nr_cells++] = text;
		out->right[i] = out->right[i] &&
				(output_is_number(types[i]) || types[i] == OUTPUT_NULL);
	}
	return true;
}

/* The file is looked at after each row: a reader that left ends a long query at once. */
enum err output_row(struct output *out, int n, const char *const *values, const int *types,
		    struct diag *diag)
{
	const char *named[OUTPUT_COLUMNS_MAX];

	(void)n;
	if (out->style.null != NULL && !out->format->own_null) {
		for (int i = 0; i < out->nr_columns; i++)
			named[i] = values[i] != NULL ? values[i] : out->style.null;
		values = named;
	}
	if (!out->format->keep)
		out->format->row(out, values, types);
	else if (!row_keep(out, values, types))
		return diag_fail(diag, ERR_NOMEM, "no memory for the output");
	out->nr_rows++;
	return output_check(out->file, diag);
}

/* The shown file is read where it was left off and is then at its end again. */
void output_whole_rest(struct output_whole *whole, FILE *shown)
{
	char bytes[4096];
	size_t n;

	fflush(shown);
	if (fseek(shown, whole->from, SEEK_SET) != 0)
		return;
	while ((n = fread(bytes, 1, sizeof(bytes), shown)) > 0)
		fwrite(bytes, 1, n, whole->file);
	fseek(shown, 0, SEEK_END);
	whole->from = ftell(shown);
}

/* The table once more, into the file that is kept whole: there it has all the room it takes. */
static void end_whole(struct output *out, struct output_whole *whole)
{
	FILE *shown = out->file;
	size_t room = out->room;

	output_whole_rest(whole, shown);
	out->file = whole->file;
	out->room = 0;
	out->format->end(out);
	out->file = shown;
	out->room = room;
	out->format->end(out);
	fflush(shown);
	whole->from = ftell(shown);
}

/* Tables appear here as a whole. */
enum err output_end(struct output *out, struct diag *diag)
{
	if (out->format->end != NULL && out->format->keep && out->style.whole != NULL)
		end_whole(out, out->style.whole);
	else if (out->format->end != NULL)
		out->format->end(out);
	return output_check(out->file, diag);
}
