/*
 * Drawing into a grid of cells.  Pure: the same calls give the same cells
 * on any machine and in any locale, since no C library function decides
 * what is printable or how wide it is.
 *
 * Characters are chosen here for the glyph set of the canvas, so an ASCII
 * canvas never holds a byte outside 0x20-0x7e, whatever is drawn.
 */
#include "canvas.h"

#include <stdarg.h>
#include <string.h>

enum { ELLIPSIS = 0x2026, TEXT_MAX = 1024 };

/* How a glyph looks in ASCII.  What is not here looks like '?'. */
static const struct {
	uint32_t ch;
	char ascii;
} ascii_forms[] = {
	{ 0x2500, '-' },  { 0x2502, '|' }, { 0x250c, '+' }, { 0x2510, '+' }, { 0x2514, '+' },
	{ 0x2518, '+' },  { 0x251c, '|' }, { 0x2524, '|' }, { 0x254c, '-' }, { 0x2588, '#' },
	{ 0x2591, '.' },  { 0x258c, 'R' }, { 0x25c6, 'O' }, { 0x25cf, '*' }, { 0x25cb, 'o' },
	{ 0x25ce, '@' },  { 0x25b2, 'a' }, { 0x25b6, '>' }, { 0x2016, '=' }, { 0x2026, '~' },
	{ 0x2190, '<' },  { 0x2192, '>' }, { 0x2191, '^' }, { 0x2193, 'v' }, { 0x00b7, '.' },
	{ 0x2013, '-' },  { 0x2014, '-' }, { 0x2212, '-' }, { 0x00b1, '~' }, { 0x2018, '\'' },
	{ 0x25be, 'v' },  { 0x25b8, '>' }, { 0x25b4, '^' }, { 0x2508, '.' },
	{ 0x2019, '\'' }, { 0x201c, '"' }, { 0x201d, '"' }, { 0x00d7, 'x' }, { 0x00b5, 'u' },
};

static const uint32_t bar_parts[8] = { 0x2591, 0x258f, 0x258e, 0x258d,
				       0x258c, 0x258b, 0x258a, 0x2589 };

/* The steps of a heat strip, by glyph set. */
static const struct {
	int n;
	uint32_t ch[8];
} heat_steps[NR_GLYPHS] = {
	[GLYPHS_BRAILLE] = { 4, { 0x28c0, 0x28e4, 0x28f6, 0x28ff } },
	[GLYPHS_BLOCK] = { 8, { 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588 } },
	[GLYPHS_ASCII] = { 8, { '0', '1', '2', '3', '4', '5', '6', '7' } },
};

/* Sizes come from terminals and users: neither is trusted. */
static int clamp(int value, int min, int max)
{
	return value < min ? min : value > max ? max : value;
}

void canvas_init(struct canvas *c, int w, int h, enum canvas_glyphs glyphs)
{
	c->w = clamp(w, 1, CANVAS_W_MAX);
	c->h = clamp(h, 1, CANVAS_H_MAX);
	c->glyphs = glyphs;
	c->cursor_x = c->cursor_y = -1;
	canvas_fill(c, (struct rect){ 0, 0, c->w, c->h }, ' ', ATTR_TEXT);
}

/* One cell wide in every terminal we know: Latin, Greek, Cyrillic and the symbols we draw. */
static bool is_narrow(uint32_t ch)
{
	return (ch >= 0x20 && ch < 0x7f) || (ch >= 0xa0 && ch < 0x300 && ch != 0xad) ||
	       (ch >= 0x370 && ch < 0x483) || (ch >= 0x2010 && ch < 0x2028) ||
	       (ch >= 0x2190 && ch < 0x2200) || (ch >= 0x2200 && ch < 0x2300) ||
	       (ch >= 0x2500 && ch < 0x25fd) || (ch >= 0x2800 && ch < 0x2900) || ch == 0x2016;
}

/* What stands for @ch on this canvas: itself, its ASCII form, or a question mark. */
static uint32_t in_glyph_set(const struct canvas *c, uint32_t ch)
{
	if (!is_narrow(ch))
		return '?';
	if (c->glyphs != GLYPHS_ASCII || ch < 0x7f)
		return ch;
	for (size_t i = 0; i < sizeof(ascii_forms) / sizeof(ascii_forms[0]); i++)
		if (ascii_forms[i].ch == ch)
			return (uint32_t)ascii_forms[i].ascii;
	return '?';
}

/* The only place that writes a cell: clipping and glyph sets hold everywhere. */
static void put(struct canvas *c, int x, int y, uint32_t ch, enum canvas_attr attr)
{
	if (x < 0 || y < 0 || x >= c->w || y >= c->h)
		return;
	c->cell[y * c->w + x] = (struct canvas_cell){ in_glyph_set(c, ch), (uint8_t)attr };
}

/* The next code point of UTF-8 text; broken bytes give 0xfffd, one at a time. */
static uint32_t next_char(const char **text)
{
	const unsigned char *s = (const unsigned char *)*text;
	int more = *s >= 0xf0 && *s < 0xf8 ? 3 : *s >= 0xe0 ? 2 : *s >= 0xc2 ? 1 : 0;
	uint32_t ch = *s;

	*text += 1;
	if (*s < 0x80)
		return ch;
	if (more == 0 || *s >= 0xf8)
		return 0xfffd;
	ch = *s & (0x3fu >> more);
	for (int i = 1; i <= more; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0xfffd;
		ch = ch << 6 | (s[i] & 0x3fu);
	}
	*text += more;
	return ch;
}

/* How wide a text is: one cell for each code point, since put() lets no other width in. */
static int text_cells(const char *text)
{
	int n = 0;

	for (; *text; n++)
		next_char(&text);
	return n;
}

int canvas_text(struct canvas *c, struct span at, const char *text)
{
	int room = at.x >= c->w ? 0 : clamp(at.w, 0, c->w - at.x);
	int cells = text_cells(text), shown = cells < room ? cells : room;

	for (int i = 0; i < shown; i++) {
		uint32_t ch = next_char(&text);

		if (i == shown - 1 && cells > room)
			ch = ELLIPSIS;
		put(c, at.x + i, at.y, ch, at.attr);
	}
	return shown;
}

int canvas_printf(struct canvas *c, struct span at, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return canvas_text(c, at, text);
}

int canvas_right(struct canvas *c, struct span at, const char *text)
{
	int cells = text_cells(text);

	if (cells < at.w) {
		at.x += at.w - cells;
		at.w = cells;
	}
	return canvas_text(c, at, text);
}

void canvas_fill(struct canvas *c, struct rect r, uint32_t ch, enum canvas_attr attr)
{
	for (int y = r.y; y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			put(c, x, y, ch, attr);
}

void canvas_box(struct canvas *c, struct rect r, const char *title, const char *right)
{
	int last_x = r.x + r.w - 1, last_y = r.y + r.h - 1;
	int room = r.w - 4, right_cells = right ? text_cells(right) : 0;

	if (r.w < 2 || r.h < 2)
		return;
	canvas_fill(c, (struct rect){ r.x + 1, r.y, r.w - 2, 1 }, 0x2500, ATTR_DIM);
	canvas_fill(c, (struct rect){ r.x + 1, last_y, r.w - 2, 1 }, 0x2500, ATTR_DIM);
	canvas_fill(c, (struct rect){ r.x, r.y + 1, 1, r.h - 2 }, 0x2502, ATTR_DIM);
	canvas_fill(c, (struct rect){ last_x, r.y + 1, 1, r.h - 2 }, 0x2502, ATTR_DIM);
	put(c, r.x, r.y, 0x250c, ATTR_DIM);
	put(c, last_x, r.y, 0x2510, ATTR_DIM);
	put(c, r.x, last_y, 0x2514, ATTR_DIM);
	put(c, last_x, last_y, 0x2518, ATTR_DIM);
	/* Figures stand right and are never cut in favour of the title. */
	if (right_cells > 0 && right_cells <= room) {
		struct span at = { last_x - 1 - right_cells, r.y, right_cells, ATTR_TEXT };

		put(c, at.x - 1, r.y, ' ', ATTR_TEXT);
		put(c, last_x - 1, r.y, ' ', ATTR_TEXT);
		canvas_text(c, at, right);
		room -= right_cells + 3;
	}
	if (title && room > 0) {
		int n = canvas_text(c, (struct span){ r.x + 2, r.y, room, ATTR_TITLE }, title);

		put(c, r.x + 1, r.y, ' ', ATTR_TEXT);
		put(c, r.x + 2 + n, r.y, ' ', ATTR_TEXT);
	}
}

void canvas_bar(struct canvas *c, struct span at, uint64_t value, uint64_t max)
{
	uint64_t eighths;

	while (max > UINT64_MAX / 8 / CANVAS_W_MAX) {
		max >>= 1;
		value >>= 1;
	}
	if (value > max)
		value = max;
	at.w = clamp(at.w, 0, CANVAS_W_MAX);
	eighths = max == 0 ? 0 : value * 8 * (uint64_t)at.w / max;
	for (int i = 0; i < at.w; i++) {
		uint64_t here = eighths > (uint64_t)i * 8 ? eighths - (uint64_t)i * 8 : 0;
		uint32_t ch = here >= 8 ? 0x2588 : bar_parts[here];

		if (c->glyphs == GLYPHS_ASCII && here < 8)
			ch = here >= 4 ? '#' : '.';
		put(c, at.x + i, at.y, ch, at.attr);
	}
}

void canvas_heat(struct canvas *c, struct span at, const uint64_t *value, uint64_t max)
{
	uint64_t steps = (uint64_t)heat_steps[c->glyphs].n;
	int shift = 0;

	while (max >> shift > UINT64_MAX / 16)
		shift++;
	for (int i = 0; i < at.w; i++) {
		uint64_t v = (value[i] < max ? value[i] : max) >> shift;
		uint64_t step = v * steps / ((max >> shift) + 1);

		put(c, at.x + i, at.y, heat_steps[c->glyphs].ch[step], at.attr);
	}
}

void canvas_column(struct canvas *c, struct rect at, uint64_t parts)
{
	enum { EIGHTHS = 8 };

	for (int y = at.h - 1; y >= 0 && parts > 0; y--) {
		struct span cell = { at.x, at.y + y, 1, ATTR_BAR };
		uint64_t part = parts < EIGHTHS ? parts - 1 : EIGHTHS - 1;

		if (c->glyphs == GLYPHS_ASCII)
			canvas_text(c, cell, "#");
		else
			canvas_heat(c, cell, &part, EIGHTHS - 1);
		parts = parts > EIGHTHS ? parts - EIGHTHS : 0;
	}
}

void canvas_copy(struct canvas *to, const struct canvas *from)
{
	to->w = from->w;
	to->h = from->h;
	to->glyphs = from->glyphs;
	to->cursor_x = from->cursor_x;
	to->cursor_y = from->cursor_y;
	memcpy(to->cell, from->cell, (size_t)(from->w * from->h) * sizeof(from->cell[0]));
}
