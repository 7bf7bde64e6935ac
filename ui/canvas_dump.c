/*
 * A canvas as bytes: plain UTF-8 text, text with terminal colours, and SVG.
 * The same canvas gives the same bytes.  A canvas has h lines; trailing
 * blanks of a line are cut, so a text holds only what is seen.
 */
#include <string.h>

#include "canvas.h"
#include "theme.h"

enum { UTF8_MAX = 5, CELL_PX_W = 8, CELL_PX_H = 17 };

/* Returns: bytes written into @out, without the ending 0 that follows them. */
static int to_utf8(uint32_t ch, char out[UTF8_MAX])
{
	int n = 0;

	if (ch < 0x80) {
		out[n++] = (char)ch;
	} else if (ch < 0x800) {
		out[n++] = (char)(0xc0 | ch >> 6);
	} else if (ch < 0x10000) {
		out[n++] = (char)(0xe0 | ch >> 12);
		out[n++] = (char)(0x80 | (ch >> 6 & 0x3f));
	} else {
		out[n++] = (char)(0xf0 | ch >> 18);
		out[n++] = (char)(0x80 | (ch >> 12 & 0x3f));
		out[n++] = (char)(0x80 | (ch >> 6 & 0x3f));
	}
	if (ch >= 0x80)
		out[n++] = (char)(0x80 | (ch & 0x3f));
	out[n] = '\0';
	return n;
}

/* One code point in UTF-8.  Write errors stay in the stream until the dump ends. */
static void put_char(uint32_t ch, FILE *out)
{
	char text[UTF8_MAX] = "";
	int n = to_utf8(ch, text);

	fwrite(text, 1, (size_t)n, out);
}

static const struct canvas_cell *row_at(const struct canvas *c, int y)
{
	return &c->cell[y * c->w];
}

/* Cells up to the last that is not a plain blank. */
static int row_width(const struct canvas *c, int y)
{
	int w = c->w;

	while (w > 0 && row_at(c, y)[w - 1].ch == ' ')
		w--;
	return w;
}

bool canvas_dump(const struct canvas *c, FILE *out)
{
	for (int y = 0; y < c->h; y++) {
		for (int x = 0; x < row_width(c, y); x++)
			put_char(row_at(c, y)[x].ch, out);
		fputc('\n', out);
	}
	return fflush(out) == 0 && !ferror(out);
}

/* Select graphic rendition: everything off, then what the role wants. */
static void ansi_role(enum canvas_attr attr, FILE *out)
{
	const struct theme_role *role = theme_role(attr);

	fputs("\033[0", out);
	fputs(role->bold ? ";1" : "", out);
	fputs(role->dim ? ";2" : "", out);
	fputs(role->underline ? ";4" : "", out);
	fputs(role->reverse ? ";7" : "", out);
	if (role->colour >= 0)
		fprintf(out, ";%d", 30 + role->colour);
	fputc('m', out);
}

bool canvas_dump_ansi(const struct canvas *c, FILE *out)
{
	for (int y = 0; y < c->h; y++) {
		int now = ATTR_TEXT;

		for (int x = 0; x < row_width(c, y); x++) {
			const struct canvas_cell *cell = &row_at(c, y)[x];

			if (cell->attr != now)
				ansi_role((enum canvas_attr)cell->attr, out);
			now = cell->attr;
			put_char(cell->ch, out);
		}
		fputs(now != ATTR_TEXT ? "\033[0m\n" : "\n", out);
	}
	return fflush(out) == 0 && !ferror(out);
}

/* Markup characters are escaped; all others are themselves. */
static void svg_char(uint32_t ch, FILE *out)
{
	switch (ch) {
	case '<':
		fputs("&lt;", out);
		break;
	case '&':
		fputs("&amp;", out);
		break;
	case ' ':
		fputs("\xc2\xa0", out); /* no viewer folds these */
		break;
	default:
		put_char(ch, out);
	}
}

/* Cells of one role from @x on as one <text>; returns the first cell after them. */
static int svg_run(const struct canvas *c, int x, int y, FILE *out)
{
	const struct canvas_cell *row = row_at(c, y);
	const struct theme_role *role = theme_role((enum canvas_attr)row[x].attr);
	int end = x + 1;

	while (end < row_width(c, y) && row[end].attr == row[x].attr)
		end++;
	if (role->reverse)
		fprintf(out,
			"<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#d8d8d8\"/>\n",
			x * CELL_PX_W, y * CELL_PX_H, (end - x) * CELL_PX_W, CELL_PX_H);
	fprintf(out, "<text x=\"%d\" y=\"%d\" fill=\"%s\"%s textLength=\"%d\">", x * CELL_PX_W,
		y * CELL_PX_H + 13, role->svg, role->bold ? " font-weight=\"bold\"" : "",
		(end - x) * CELL_PX_W);
	for (; x < end; x++)
		svg_char(row[x].ch, out);
	fputs("</text>\n", out);
	return end;
}

bool canvas_dump_svg(const struct canvas *c, FILE *out)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"font-family=\"monospace\" font-size=\"13\">\n",
		c->w * CELL_PX_W, c->h * CELL_PX_H);
	fputs("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", out);
	for (int y = 0; y < c->h; y++)
		for (int x = 0; x < row_width(c, y);)
			x = svg_run(c, x, y, out);
	fputs("</svg>\n", out);
	return fflush(out) == 0 && !ferror(out);
}

/* The ending of a file's name chooses what is written; case matters, as in all file names. */
static const struct {
	const char *ending;
	canvas_dump_fn *dump;
} kinds[] = {
	{ ".txt", canvas_dump },
	{ ".ansi", canvas_dump_ansi },
	{ ".ans", canvas_dump_ansi },
	{ ".svg", canvas_dump_svg },
};

canvas_dump_fn *canvas_dump_for(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t m = strlen(kinds[i].ending);

		if (n > m && strcmp(path + n - m, kinds[i].ending) == 0)
			return kinds[i].dump;
	}
	return NULL;
}
