/*
 * Pop-ups over a finished picture.  They are made of the table of actions
 * and of text that the terminal process holds, so they work while the lab
 * process is busy or gone.
 */
#include "overlay.h"

#include <stdio.h>
#include <string.h>

#include "layout.h"
#include "tree.h"

enum { HELP_W = 76, COLUMNS_W = 60, COLUMN_W = 9, KEYS_W = 13, NAME_W = 14, WORD_ROWS = 8 };

void log_add(struct log_ring *log, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *line = log->line[(log->n + LOG_LINES - 1) % LOG_LINES];
		size_t len = log->unfinished ? strlen(line) : 0;

		if (bytes[i] == '\n') {
			/* An empty line is one too. */
			log->n += !log->unfinished;
			if (!log->unfinished)
				log->line[(log->n + LOG_LINES - 1) % LOG_LINES][0] = '\0';
			log->unfinished = false;
			continue;
		}
		if (!log->unfinished || len + 1 >= LOG_BYTES) {
			line = log->line[log->n++ % LOG_LINES];
			len = 0;
			log->unfinished = true;
		}
		line[len] = bytes[i];
		line[len + 1] = '\0';
	}
}

/* An empty filter matches everything. */
static bool has_part(const char *text, const char *part)
{
	return part[0] == '\0' || strstr(text, part) != NULL;
}

const struct action_desc *overlay_help_at(enum view_id view, const char *filter, size_t i)
{
	for (size_t k = 0; k < action_count(); k++) {
		const struct action_desc *action = action_at(k);

		if (!(action->views & 1u << view) ||
		    !(has_part(action->name, filter) || has_part(action->doc, filter) ||
		      has_part(action->keys, filter)))
			continue;
		if (i-- == 0)
			return action;
	}
	return NULL;
}

/* A box in the middle, at most @w x @h, blank inside. */
static struct rect pop_up(struct canvas *c, int w, int h, const char *title, const char *right)
{
	struct rect r;

	r.w = w < c->w ? w : c->w;
	r.h = h < c->h - 1 ? h : c->h - 1;
	r.x = (c->w - r.w) / 2;
	r.y = (c->h - 1 - r.h) / 2;
	canvas_fill(c, r, ' ', ATTR_TEXT);
	canvas_box(c, r, title, right);
	c->cursor_x = c->cursor_y = -1;
	return layout_inside(r);
}

/* Keys, name and meaning of one action; the selected one carries the cursor. */
static void help_row(struct canvas *c, struct span at, const struct action_desc *action,
		     bool selected)
{
	struct span keys = { at.x + 1, at.y, KEYS_W, ATTR_KEY };

	if (selected) {
		canvas_text(c, (struct span){ at.x, at.y, 1, ATTR_SELECTED }, ">");
		c->cursor_x = at.x;
		c->cursor_y = at.y;
	}
	canvas_text(c, keys, action->keys);
	canvas_text(c, (struct span){ at.x + KEYS_W + 2, at.y, NAME_W, ATTR_TITLE }, action->name);
	canvas_text(c,
		    (struct span){ at.x + KEYS_W + NAME_W + 2, at.y, at.w - KEYS_W - NAME_W - 2,
				   selected ? ATTR_SELECTED : ATTR_TEXT },
		    action->doc);
}

void overlay_help(struct canvas *c, enum view_id view, const char *filter, size_t selected)
{
	char title[128], right[64] = "Enter performs   q closes";
	const struct action_desc *action;
	struct rect in;
	int n = 0, first, y = 0;

	while (overlay_help_at(view, filter, (size_t)n))
		n++;
	snprintf(title, sizeof(title), "keys in %s%s%s", view_at(view)->label,
		 filter[0] ? "  /" : "", filter);
	in = pop_up(c, HELP_W, (n > 0 ? n : 1) + 2, title, right);
	first = layout_window(n, (int)selected, in.h);
	for (; y < in.h; y++) {
		action = overlay_help_at(view, filter, (size_t)(first + y));
		if (!action)
			break;
		help_row(c, layout_row(in, y, ATTR_TEXT), action, first + y == (int)selected);
	}
	/* What does not fit is said in the lower edge. */
	if (n > in.h)
		canvas_printf(c, (struct span){ in.x + 2, in.y + in.h, in.w - 2, ATTR_DIM },
			      " %d of %d keys: Up Down move, typing filters ", in.h, n);
	else if (n == 0)
		canvas_text(c, layout_row(in, 0, ATTR_TEXT), " nothing matches");
}

void overlay_columns(struct canvas *c, size_t selected)
{
	struct rect in = pop_up(c, COLUMNS_W, NR_TREE_COLUMNS + 2, "sort by",
				"Enter sorts   again reverses");
	int first = layout_window(NR_TREE_COLUMNS, (int)selected, in.h);

	for (int y = 0; y < in.h && first + y < NR_TREE_COLUMNS; y++) {
		size_t i = (size_t)(first + y);
		struct span at = layout_row(in, y, i == selected ? ATTR_SELECTED : ATTR_TEXT);

		if (i == selected) {
			canvas_text(c, (struct span){ at.x, at.y, 1, ATTR_SELECTED }, ">");
			c->cursor_x = at.x;
			c->cursor_y = at.y;
		}
		canvas_text(c, (struct span){ at.x + 1, at.y, COLUMN_W, at.attr },
			    tree_column_name(i));
		canvas_text(
			c, (struct span){ at.x + COLUMN_W + 2, at.y, at.w - COLUMN_W - 2, at.attr },
			tree_column_doc(i));
	}
}

void overlay_log(struct canvas *c, const struct log_ring *log)
{
	struct rect in = pop_up(c, c->w, c->h - 1, "log: what scenarios printed", "q closes");
	size_t kept = log->n < LOG_LINES ? log->n : LOG_LINES;
	size_t shown = kept < (size_t)in.h ? kept : (size_t)in.h;

	if (kept == 0)
		canvas_text(c, layout_row(in, 0, ATTR_DIM),
			    " nothing yet: print(...) in a scenario writes here");
	for (size_t i = 0; i < shown; i++)
		canvas_text(c, layout_row(in, (int)i, ATTR_TEXT),
			    log->line[(log->n - shown + i) % LOG_LINES]);
}

const struct action_desc *overlay_word(enum view_id view, const char *text, size_t i)
{
	size_t n = strcspn(text, " ");

	for (size_t k = 0; k < action_count(); k++) {
		const struct action_desc *action = action_at(k);

		if (!(action->views & 1u << view) || strncmp(action->name, text, n) != 0)
			continue;
		if (i-- == 0)
			return action;
	}
	return NULL;
}

void overlay_words(struct canvas *c, enum view_id view, const char *text)
{
	const struct action_desc *action;
	int n = 0;

	while (n < WORD_ROWS && overlay_word(view, text, (size_t)n))
		n++;
	for (int i = 0; i < n; i++) {
		struct rect row = { 0, c->h - 1 - n + i, c->w, 1 };

		action = overlay_word(view, text, (size_t)i);
		canvas_fill(c, row, ' ', ATTR_TEXT);
		help_row(c, layout_row(row, 0, ATTR_TEXT), action, false);
	}
	if (overlay_word(view, text, WORD_ROWS))
		canvas_right(c, (struct span){ 0, c->h - 2, c->w, ATTR_DIM }, " more: type on ");
}

/* The last line belongs to prompts and messages while they are there. */
static void clear_last(struct canvas *c)
{
	canvas_fill(c, (struct rect){ 0, c->h - 1, c->w, 1 }, ' ', ATTR_TEXT);
}

/* Cells of the first @n bytes of UTF-8 text. */
static int cells(const char *text, size_t n)
{
	int count = 0;

	for (size_t i = 0; i < n && text[i]; i++)
		count += (text[i] & 0xc0) != 0x80;
	return count;
}

void overlay_prompt(struct canvas *c, const char *label, const char *text, size_t cursor,
		    const char *error)
{
	int label_w = cells(label, strlen(label)), at = cells(text, cursor);
	int room = c->w - label_w - 1, skip = at > room ? at - room : 0;
	int y = c->h - 1, shown;

	clear_last(c);
	canvas_text(c, (struct span){ 0, y, label_w, ATTR_KEY }, label);
	/* A long line scrolls so that the cursor stays in sight. */
	for (int i = 0; i < skip; i++)
		do
			text++;
		while ((*text & 0xc0) == 0x80);
	shown = canvas_text(c, (struct span){ label_w, y, room, ATTR_TEXT }, text);
	/* An error that has no room behind the text stands above it. */
	if (cells(error, strlen(error)) <= room - shown - 2 || y == 0)
		canvas_printf(c,
			      (struct span){ label_w + shown + 2, y, room - shown - 2, ATTR_BAD },
			      "%s", error);
	else
		canvas_printf(c, (struct span){ 0, y - 1, c->w, ATTR_BAD }, " %-*s", c->w, error);
	c->cursor_x = label_w + at - skip;
	c->cursor_y = y;
}

void overlay_message(struct canvas *c, const char *text)
{
	clear_last(c);
	canvas_printf(c, (struct span){ 0, c->h - 1, c->w, ATTR_MARK }, " %s", text);
}
