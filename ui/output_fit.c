/*
 * Numbers are never cut: half a number is a wrong one.
 */
#define _DEFAULT_SOURCE /* struct winsize, TIOCGWINSZ */
#include "output_fit.h"

#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 12 };

size_t output_room(FILE *file)
{
	struct winsize size;
	int fd = fileno(file);

	if (fd < 0 || !isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

/* An empty text for NULL. */
static const char *cell_text(const struct output *out, size_t row, int column)
{
	const char *text = out->cell[row * (size_t)out->nr_columns + (size_t)column];

	return text != NULL ? text : "";
}

/* The widest of a column's cells and its name. */
static size_t column_width(const struct output *out, int c)
{
	size_t width = out->style.no_head ? 0 : output_cells(out->column[c]);

	for (size_t r = 0; r < out->nr_rows; r++)
		if (output_cells(cell_text(out, r, c)) > width)
			width = output_cells(cell_text(out, r, c));
	return width;
}

static size_t line_width(const struct output_fit *fit, size_t between, size_t around)
{
	size_t sum = around;

	for (int c = 0; c < fit->nr_columns; c++)
		sum += fit->width[c] + (c > 0 ? between : 0);
	return sum;
}

/* The same with every text as narrow as it may become. */
static size_t least_width(const struct output *out, const struct output_fit *fit, size_t between,
			  size_t around)
{
	struct output_fit least = *fit;

	for (int c = 0; c < least.nr_columns; c++)
		if (!out->right[c] && least.width[c] > NARROWEST)
			least.width[c] = NARROWEST;
	return line_width(&least, between, around);
}

/* The widest text that may lose a letter, -1: none. */
static int widest_text(const struct output *out, const struct output_fit *fit)
{
	int widest = -1;

	for (int c = 0; c < fit->nr_columns; c++)
		if (!out->right[c] && fit->width[c] > NARROWEST &&
		    (widest < 0 || fit->width[c] > fit->width[widest]))
			widest = c;
	return widest;
}

void output_fit(const struct output *out, size_t between, size_t around, struct output_fit *fit)
{
	fit->nr_columns = out->nr_columns;
	for (int c = 0; c < out->nr_columns; c++) {
		size_t wanted = c < OUTPUT_WIDTHS_MAX ? out->style.width[c] : 0;

		fit->width[c] = column_width(out, c);
		/* Narrower than its text only where something may be cut, and then it is told. */
		if (wanted > fit->width[c] || (wanted > 0 && out->room > 0 && !out->right[c]))
			fit->width[c] = wanted;
	}
	while (out->room > 0 && fit->nr_columns > 1 &&
	       least_width(out, fit, between, around) > out->room)
		fit->nr_columns--;
	while (out->room > 0 && line_width(fit, between, around) > out->room) {
		int c = widest_text(out, fit);

		if (c < 0)
			break;
		fit->width[c]--;
	}
	fit->left_out = out->nr_columns - fit->nr_columns;
}

/* @text up to @width cells, the last of them a mark. */
static void put_cut(FILE *file, const char *text, size_t width)
{
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	const char *end = text;

	for (size_t n = 0; *end != '\0'; end++) {
		n += ((unsigned char)*end & 0xC0) != 0x80;
		if (n == width)
			break;
	}
	fwrite(text, 1, (size_t)(end - text), file);
	fputs(utf8 ? "\u2026" : "~", file);
}

void output_fit_cell(const struct output *out, const char *text, size_t width, bool right, bool pad)
{
	size_t cells = output_cells(text);

	if (cells > width)
		put_cut(out->file, text, width);
	else if (right)
		fprintf(out->file, "%*s%s", (int)(width - cells), "", text);
	else
		fprintf(out->file, "%s%*s", text, pad ? (int)(width - cells) : 0, "");
}

/* How many cells are narrower than their text. */
static size_t count_cut(const struct output *out, const struct output_fit *fit)
{
	size_t cut = 0;

	for (int c = 0; c < fit->nr_columns; c++)
		for (size_t r = 0; r < out->nr_rows; r++)
			cut += output_cells(cell_text(out, r, c)) > fit->width[c];
	return cut;
}

void output_fit_note(const struct output *out, const struct output_fit *fit)
{
	size_t cut = count_cut(out, fit);

	if (cut == 0 && fit->left_out == 0)
		return;
	fprintf(out->file, "(%zu texts cut, %d columns left out: -F line or a pipe shows all)\n",
		cut, fit->left_out);
}
