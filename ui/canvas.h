/*
 * A grid of cells with text and attributes: what views draw into.  Pure
 * data: dumped as text, blitted to the terminal by screen.c, shared between
 * the lab process and the terminal process as plain bytes.
 */
#ifndef MEMCGLAB_UI_CANVAS_H
#define MEMCGLAB_UI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CANVAS_W_MAX = 400, CANVAS_H_MAX = 200 };

enum canvas_attr { /* roles, not colours: a theme maps them */
		   ATTR_TEXT,
		   ATTR_TITLE,
		   ATTR_DIM,
		   ATTR_A,
		   ATTR_B,
		   ATTR_BAR,
		   ATTR_KEY,
		   ATTR_SELECTED,
		   ATTR_GOOD,
		   ATTR_BAD,
		   ATTR_MARK,
		   NR_ATTRS
};

enum canvas_glyphs { GLYPHS_BRAILLE, GLYPHS_BLOCK, GLYPHS_ASCII, NR_GLYPHS };

struct canvas_cell {
	uint32_t ch; /* Unicode code point of width 1 */
	uint8_t attr;
};

struct canvas {
	int w, h;
	enum canvas_glyphs glyphs;
	int cursor_x, cursor_y;                               /* the selected row; -1 = hidden */
	struct canvas_cell cell[CANVAS_W_MAX * CANVAS_H_MAX]; /* row by row, w a row */
};

struct rect {
	int x, y, w, h;
};

/* Where text goes: @w cells from (x, y), in one role. */
struct span {
	int x, y, w;
	enum canvas_attr attr;
};

/* canvas_init - an empty grid; sizes are clamped to 1 … CANVAS_W_MAX, CANVAS_H_MAX. */
void canvas_init(struct canvas *c, int w, int h, enum canvas_glyphs glyphs);

/**
 * canvas_text - UTF-8 text into a span
 * What does not fit is cut, and the last cell says so with an ellipsis
 * (ASCII: ~).  Control characters and characters that are not one cell wide
 * become '?'; in ASCII mode each other character takes its ASCII form.
 * Parts outside the grid are dropped.  Returns: cells written.
 */
int canvas_text(struct canvas *c, struct span at, const char *text);
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int canvas_printf(struct canvas *c, struct span at, const char *fmt, ...);

/* canvas_right - the text flush right in its span. */
int canvas_right(struct canvas *c, struct span at, const char *text);

/* canvas_fill - each cell of the rectangle becomes @ch. */
void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum canvas_attr attr);

/* canvas_box - a frame with @title in its upper edge and @right flush right in it (either NULL). */
void canvas_box(struct canvas *c, struct rect r, const char *title, const char *right);

/* canvas_bar - horizontal bar filled to value/max, in eighths where glyphs allow. */
void canvas_bar(struct canvas *c, struct span at, uint64_t value, uint64_t max);

/* canvas_column - a column on its foot, @parts eighths of a cell high; ascii: whole cells. */
void canvas_column(struct canvas *c, struct rect at, uint64_t parts);

/* canvas_heat - one cell a value 0..@max; braille ⣀⣤⣶⣿, block ▁…█, ascii digits 0-7. */
void canvas_heat(struct canvas *c, struct span at, const uint64_t *value, uint64_t max);

/* canvas_copy - only the cells in use. */
void canvas_copy(struct canvas *to, const struct canvas *from);

/* canvas_dump - as UTF-8 text: h lines, trailing blanks cut.  Returns: false on a write error. */
bool canvas_dump(const struct canvas *c, FILE *out);

/* canvas_dump_ansi, canvas_dump_svg - the same with colours. */
bool canvas_dump_ansi(const struct canvas *c, FILE *out);
bool canvas_dump_svg(const struct canvas *c, FILE *out);

typedef bool canvas_dump_fn(const struct canvas *c, FILE *out);

/* canvas_dump_for - by the ending of a file's name: .txt, .ansi (.ans), .svg; NULL: no such. */
canvas_dump_fn *canvas_dump_for(const char *path);

#endif
