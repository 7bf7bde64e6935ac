/*
 * The lists of one group on each side: sizes against the limit, the
 * inactive list by position (head left, tail right), and below them why the
 * newest reclaim took what it took, from its own events.
 *
 * A strip shows for each part of the list how much of it was referenced and
 * how old it is; its scale stands at its right end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "explain.h"
#include "fmt.h"
#include "group.h"
#include "view_parts.h"

enum { PANE_ROWS = 12, WIDE_PANE_ROWS = 19, WIDE_PANE = 60, CELLS_MAX = 120, SCALE_W = 8 };

/* The order of the screen: what is reclaimed first stands first. */
static const struct {
	enum lru lru;
	const char *brief;
} list_rows[] = {
	{ LRU_INACTIVE_FILE, "inact_file" }, { LRU_ACTIVE_FILE, "act_file" },
	{ LRU_INACTIVE_ANON, "inact_anon" }, { LRU_ACTIVE_ANON, "act_anon" },
	{ LRU_UNEVICTABLE, "unevict" },
};

enum { NR_LIST_ROWS = sizeof(list_rows) / sizeof(list_rows[0]) };

struct pane {
	struct canvas *c;
	struct rect in; /* inside its box */
	int row;        /* the next one */
	const struct model_side *side;
	struct run_memcg m;
	bool wide;
};

/* The span of the next row of the pane, with a blank at both ends. */
static struct span next_row(struct pane *p, enum canvas_attr attr)
{
	struct span at = layout_row(p->in, p->row++, attr);

	at.x += 1;
	at.w -= at.w > 1 ? 2 : at.w;
	return at;
}

/* A full bar is the limit, or all pages of a group that has none. */
static pages_t full_bar(const struct run_memcg *m)
{
	pages_t sum = 0;

	for (int l = 0; l < NR_LRU; l++)
		sum += m->size[l];
	return m->limit < PAGES_UNLIMITED && m->limit > sum ? m->limit : sum;
}

/* One list: its name, its pages, a bar against the limit; wide panes add the saved scan. */
static void draw_list(struct pane *p, size_t i)
{
	enum lru lru = list_rows[i].lru;
	struct span at = next_row(p, ATTR_TEXT);
	int name_w = p->wide ? 14 : 10, size_w = p->wide ? 9 : 7, saved_w = p->wide ? 8 : 0;
	char text[UNITS_TEXT_MAX];

	canvas_text(p->c, (struct span){ at.x, at.y, name_w, ATTR_TEXT },
		    p->wide ? lru_name(lru) : list_rows[i].brief);
	fmt_count(p->m.size[lru], text);
	if ((int)strlen(text) > size_w)
		fmt_fit(p->m.size[lru], size_w, text);
	canvas_right(p->c, (struct span){ at.x + name_w, at.y, size_w, ATTR_TEXT }, text);
	canvas_bar(p->c,
		   (struct span){ at.x + name_w + size_w + 1, at.y,
				  at.w - name_w - size_w - 1 - saved_w, ATTR_BAR },
		   p->m.size[lru], full_bar(&p->m));
	if (p->wide)
		canvas_right(p->c, (struct span){ at.x + at.w - saved_w, at.y, saved_w, ATTR_TEXT },
			     lru == LRU_UNEVICTABLE ? "-" : fmt_fit(p->m.saved[lru], 6, text));
}

/* The inactive list with the most pages: the one that reclaim eats from. */
static size_t strip_list(const struct run_memcg *m)
{
	return m->size[LRU_INACTIVE_ANON] > m->size[LRU_INACTIVE_FILE] ? 2 : 0;
}

/* One heat strip with its name left and the value of its darkest cell right. */
static void draw_strip(struct pane *p, const char *name, const uint64_t *value, int n,
		       const char *scale)
{
	struct span at = next_row(p, ATTR_TEXT);
	uint64_t max = 0;

	for (int i = 0; i < n; i++)
		max = value[i] > max ? value[i] : max;
	canvas_text(p->c, (struct span){ at.x, at.y, 5, ATTR_TEXT }, name);
	canvas_heat(p->c, (struct span){ at.x + 5, at.y, n, ATTR_BAR }, value, max);
	canvas_text(p->c, (struct span){ at.x + 5 + n + 1, at.y, SCALE_W - 1, ATTR_DIM }, scale);
}

/* The letters above the strips: positions 0-9, A-Z, and again. */
static void draw_positions(struct pane *p, int n)
{
	static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct span at = next_row(p, ATTR_DIM);
	char text[CELLS_MAX + 1];

	for (int i = 0; i < n; i++)
		text[i] = letters[i % 36];
	text[n] = '\0';
	canvas_printf(p->c, at, "head %s tail", text);
}

/* The list by position in two strips: how much of each part was referenced, and its age. */
static void draw_strips(struct pane *p)
{
	const char *name = list_rows[strip_list(&p->m)].brief;
	enum lru lru = list_rows[strip_list(&p->m)].lru;
	int n = p->in.w - 2 - 5 - SCALE_W;
	struct run_cell cell[CELLS_MAX];
	uint64_t referenced[CELLS_MAX], age[CELLS_MAX], most = 0, oldest = 0;
	char text[UNITS_TEXT_MAX], scale[64];
	pages_t per_cell;

	n = n < 1 ? 1 : n > CELLS_MAX ? CELLS_MAX : n;
	memset(cell, 0, sizeof(cell));
	per_cell = run_lru_cells(p->side->run, p->m.id, lru, (size_t)n, cell);
	for (int i = 0; i < n; i++) {
		referenced[i] = cell[i].referenced;
		age[i] = cell[i].age_ns;
		most = referenced[i] > most ? referenced[i] : most;
		oldest = age[i] > oldest ? age[i] : oldest;
	}
	canvas_printf(p->c, next_row(p, ATTR_TEXT), "%s, one cell = %s page%s", name,
		      fmt_count(per_cell, text), per_cell == 1 ? "" : "s");
	draw_positions(p, n);
	snprintf(scale, sizeof(scale), "0-%sp", fmt_fit(most, 4, text));
	draw_strip(p, "ref", referenced, n, scale);
	snprintf(scale, sizeof(scale), "0-%ss", fmt_clock(oldest, 4, text));
	draw_strip(p, "age", age, n, scale);
}

/* The newest call on this group's lists; the pane below has the whole story. */
static void draw_last_shrink(struct pane *p)
{
	const struct model_shrink *s = model_shrink_of(p->side, p->m.id);
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX];

	if (!s)
		canvas_text(p->c, next_row(p, ATTR_DIM), "last shrink: none up to this step");
	else
		canvas_printf(p->c, next_row(p, ATTR_TEXT), "last shrink: asked %2s, isolated %s",
			      fmt_count(s->nr_to_scan, a), fmt_count(s->nr_taken, b));
}

/* What only a wide pane has room for: sums of the group since the start. */
static void draw_sums(struct pane *p)
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], d[UNITS_TEXT_MAX];
	const struct run_memcg *m = &p->m;

	canvas_printf(p->c, next_row(p, ATTR_TEXT), "charged      %s in, %s out, %s now",
		      fmt_count(m->nr_charged, a), fmt_count(m->nr_uncharged, b),
		      fmt_count(m->charged, d));
	canvas_printf(p->c, next_row(p, ATTR_TEXT), "scanned      %s of %s asked, over-scan %sx",
		      fmt_count(m->nr_scanned, a), fmt_count(m->nr_to_scan, b),
		      fmt_ratio(m->nr_scanned, m->nr_to_scan, false, d));
	canvas_printf(p->c, next_row(p, ATTR_TEXT), "reclaimed    %s   rotated %s   activated %s",
		      fmt_count(m->nr_reclaimed, a), fmt_count(m->nr_rotated, b),
		      fmt_count(m->nr_activated, d));
	canvas_printf(p->c, next_row(p, ATTR_TEXT),
		      "limit hits   %s   failcnt %s   queued pages %s", fmt_count(m->limit_hits, a),
		      fmt_count(m->failcnt, b), fmt_count(m->queued, d));
}

/* Which side, which kernel and which group; right, how full the group is.  "no limit" goes where
 * the path needs its room. */
static void pane_title(const struct pane *p, int side, char *title, char *right)
{
	int room = p->in.w - 6;
	const struct run_memcg *m = &p->m;
	char usage[UNITS_TEXT_MAX];

	fmt_count(m->usage, usage);
	snprintf(title, 256, "%c %s  %s", 'A' + side, view_side_name(p->side), view_path(m));
	if (m->limit < PAGES_UNLIMITED)
		/* Rounded down: 100% is said of a full group only. */
		snprintf(right, 64, "%sp %3d%%", usage,
			 m->limit ? (int)((double)m->usage * 100 / (double)m->limit) : 100);
	else
		snprintf(right, 64, "%sp%s", usage,
			 (int)(strlen(title) + strlen(usage)) + 10 > room ? "" : " no limit");
}

/* One side: five lists, two strips, the last shrink call; sums where there is room. */
static void draw_pane(const struct model *model, struct canvas *c, struct rect r, int side)
{
	struct pane p = { .c = c,
			  .in = layout_inside(r),
			  .side = &model->side[side],
			  .wide = r.w - 2 >= WIDE_PANE && r.h >= WIDE_PANE_ROWS };
	char title[256], right[64];

	if (!view_group(model, side, &p.m)) {
		view_no_group(model, side, c, r);
		return;
	}
	pane_title(&p, side, title, right);
	canvas_box(c, r, title, right);
	if (p.wide) {
		struct span at = next_row(&p, ATTR_DIM);

		canvas_text(c, at, "list              pages");
		canvas_right(c, at, "saved");
	}
	for (size_t i = 0; i < NR_LIST_ROWS; i++)
		draw_list(&p, i);
	p.row += p.wide;
	draw_strips(&p);
	p.row += p.wide;
	draw_last_shrink(&p);
	if (p.wide)
		draw_sums(&p);
}

/* As many lines of the explanation as there are rows, the most telling first; what does not fit
 * is scrolled to.  Returns: lines below the last one shown. */
static int draw_lines(const struct explain *text, struct canvas *c, struct rect r, int side,
		      int first)
{
	int most = text->n > r.h ? text->n - r.h : 0;

	first = first < 0 ? 0 : first > most ? most : first;
	for (int row = 0; first + row < text->n && row < r.h; row++)
		canvas_text(c,
			    layout_row(r, row, first + row == 0 ? view_side_attr(side) : ATTR_TEXT),
			    text->line[first + row]);
	return most - first;
}

/* The pane below: the newest reclaim of each side in words. */
static void draw_explain(const struct model *model, struct canvas *c, struct rect r)
{
	struct rect in = layout_inside(r), part;
	int side[2], n = view_sides(model, c, side);
	struct explain text;
	char right[64] = "from its events";
	int below = 0;

	if (r.h < 4)
		return;
	layout_left(&in, 1);
	for (int i = 0; i < n; i++) {
		bool first = i == 0 && n == 2;
		int rest;

		if (r.w >= 2 * WIDE_PANE)
			part = layout_left(&in, first ? (in.w + 1) / 2 : in.w);
		else
			part = layout_top(&in, first ? (in.h + 1) / 2 : in.h);
		part.w -= part.w > 0;
		explain_reclaim(&model->side[side[i]], (char)('A' + side[i]),
				group_id(model, side[i]), &text);
		rest = draw_lines(&text, c, part, side[i], model->selected);
		below = rest > below ? rest : below;
	}
	if (below > 0 || model->selected > 0)
		snprintf(right, sizeof(right), "Up Down: %d more line%s", below,
			 below == 1 ? "" : "s");
	canvas_box(c, r, "last reclaim: why these pages", right);
}

void view_draw_lru(const struct model *model, struct canvas *c, struct rect body)
{
	int side[2], n = view_sides(model, c, side), rows;
	struct rect panes;

	rows = body.h >= 36 && body.w / n - 2 >= WIDE_PANE ? WIDE_PANE_ROWS : PANE_ROWS;
	/* A rest too small for the explanation goes to the panes. */
	panes = layout_top(&body, body.h < rows + 4 ? body.h : rows);
	for (int i = 0; i < n; i++) {
		struct rect r = layout_left(&panes, i == n - 1 ? panes.w : panes.w / 2);

		draw_pane(model, c, r, side[i]);
	}
	draw_explain(model, c, body);
}
