/*
 * The tree of groups with usage beside limit and the ancestor that binds
 * first, then panes about the selected group:
 *
 *	 cgroup (A)              usage   limit  binds at  0 ·· usage / limit ··  fail
 *	 ▾ root                      0       -  -         ░░░░░░░░░░░░░░░░░░░░     0
 *	 > ▾ jobs  !             1.86G   1.90G  itself    ███████████████████▌  1204
 *
 * One side has the whole width; where two trees fit, A stands left of B.
 * A narrow screen has one pane below the tree, and v shows the next.
 */
#include "view_limits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "fmt.h"
#include "tree.h"

enum {
	BOTH_W = 200, /* two trees side by side */
	WIDE_W = 150, /* all columns */
	USUAL_W = 76, /* a bar */
	PANES_W = 120,
	PANES_H = 40,
	PANE_ROWS = 14,
	BOX_ROWS = 8,
	TWO_BOXES_H = 30,
	TREE_ROWS_MIN = 5,
	NAME_ROOM = 14
};

enum field {
	FIELD_NAME,
	FIELD_USAGE,
	FIELD_LIMIT,
	FIELD_SOFT,
	FIELD_BINDS,
	FIELD_BAR,
	FIELD_FAIL,
	FIELD_CHARGE,
	FIELD_RECLAIM,
	FIELD_REFAULT,
	FIELD_PEAK,
	FIELD_OOM,
	NR_FIELDS
};

static const struct column fields[NR_FIELDS] = {
	[FIELD_NAME] = { "cgroup", false, TREE_GROUP, { -1, 24, 28 } },
	[FIELD_USAGE] = { "usage", true, TREE_USAGE, { 6, 6, 7 } },
	[FIELD_LIMIT] = { "limit", true, TREE_LIMIT, { 6, 7, 8 } },
	[FIELD_SOFT] = { "soft", true, TREE_SOFT, { 0, 0, 7 } },
	[FIELD_BINDS] = { "binds at", false, TREE_LEFT, { 9, 9, 11 } },
	[FIELD_BAR] = { "0 \u00b7\u00b7 usage / limit", false, NR_TREE_COLUMNS, { 0, -1, -1 } },
	[FIELD_FAIL] = { "fail", true, TREE_FAIL, { 5, 6, 8 } },
	[FIELD_CHARGE] = { "charge/s", true, TREE_CHARGE, { 0, 0, 10 } },
	[FIELD_RECLAIM] = { "reclaim/s", true, TREE_RECLAIM, { 0, 0, 10 } },
	[FIELD_REFAULT] = { "refaults", true, TREE_REFAULT, { 0, 0, 16 } },
	[FIELD_PEAK] = { "peak", true, TREE_PEAK, { 0, 0, 7 } },
	[FIELD_OOM] = { "OOM", true, TREE_OOM, { 0, 0, 5 } },
};

/* A tree being drawn. */
struct table {
	const struct model *model;
	struct canvas *c;
	struct rect r;
	int side;
	bool compared; /* the refaults of B stand beside those of A */
	struct tree tree, other;
	struct columns columns;
};

const char *limits_name(const struct run *run, uint32_t id, char out[GROUP_PATH_MAX])
{
	const char *slash;
	struct run_memcg m;

	if (!run_memcg(run, id, &m))
		snprintf(out, GROUP_PATH_MAX, "#%" PRIu32, id);
	else if (!m.path[0])
		snprintf(out, GROUP_PATH_MAX, "root");
	else {
		slash = strrchr(m.path, '/');
		snprintf(out, GROUP_PATH_MAX, "%s", slash ? slash + 1 : m.path);
	}
	return out;
}

/* Bytes of the first @cells characters of UTF-8 text. */
static size_t bytes_of(const char *text, int cells)
{
	size_t n = 0;

	while (text[n] && (cells > 0 || (text[n] & 0xc0) == 0x80)) {
		n++;
		cells -= (text[n] & 0xc0) != 0x80;
	}
	return n;
}

const char *limits_shorten(const char *text, int w, char out[GROUP_PATH_MAX])
{
	int cells = 0, head = (w - 1) / 2, tail = w - 1 - head;

	for (const char *s = text; *s; s++)
		cells += (*s & 0xc0) != 0x80;
	if (cells <= w)
		snprintf(out, GROUP_PATH_MAX, "%s", text);
	else if (w < 3)
		snprintf(out, GROUP_PATH_MAX, "%.*s", (int)bytes_of(text, w), text);
	else
		snprintf(out, GROUP_PATH_MAX, "%.*s\u2026%s", (int)bytes_of(text, head), text,
			 text + bytes_of(text, cells - tail));
	return out;
}

/* ---- the columns ---- */

static void head_text(const struct table *t, enum field field, char out[256])
{
	const char *mark = columns_mark(&t->columns, field, &t->model->tree);
	bool has_bar = t->columns.w[FIELD_BAR] > 0;

	/* The filter stands over the bars, the widest column; without them by the name. */
	if (field == FIELD_NAME)
		snprintf(out, 256, " cgroup (%c)%s%s%s", 'A' + t->side, mark,
			 t->model->filter[0] && !has_bar ? " /" : "",
			 has_bar ? "" : t->model->filter);
	else if (field == FIELD_BAR && t->model->filter[0])
		snprintf(out, 256, "/%s", t->model->filter);
	else if (field == FIELD_REFAULT && t->compared)
		snprintf(out, 256, "refaults A / B%s", mark);
	else
		snprintf(out, 256, "%s%s", fields[field].head, mark);
}

static void draw_head(struct table *t)
{
	struct span row = { .y = t->r.y, .attr = ATTR_DIM };
	char text[256];

	for (int f = 0; f < NR_FIELDS; f++) {
		head_text(t, (enum field)f, text);
		columns_cell(&t->columns, t->c, f, row, text);
	}
}

/* Refaults of the same group on the other side. */
static void refault_text(const struct table *t, const struct tree_row *row, char out[64])
{
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX] = "-";

	fmt_fit(row->refaults, t->compared ? 6 : 16, a);
	for (size_t i = 0; t->compared && i < t->other.nr; i++)
		if (t->other.row[i].id == row->id)
			fmt_fit(t->other.row[i].refaults, 6, b);
	snprintf(out, 64, t->compared ? "%s / %s" : "%s", a, b);
}

/* A count in groups of three where that fits. */
static const char *count_text(uint64_t count, int w, char out[64])
{
	fmt_count(count, out);
	return (int)strlen(out) <= w ? out : fmt_fit(count, w, out);
}

/* A figure of a row as the text of its column. */
static const char *field_text(const struct table *t, const struct tree_row *row, enum field field,
			      char out[64])
{
	int w = t->columns.w[field];

	switch (field) {
	case FIELD_USAGE:
		return fmt_size(row->usage, out);
	case FIELD_LIMIT:
		return fmt_size(row->limit, out);
	case FIELD_SOFT:
		return fmt_size(row->soft, out);
	case FIELD_FAIL:
		return count_text(row->failcnt, w, out);
	case FIELD_CHARGE:
		return row->has_rates ? count_text(row->charge_rate, w, out) : "-";
	case FIELD_RECLAIM:
		return row->has_rates ? count_text(row->reclaim_rate, w, out) : "-";
	case FIELD_REFAULT:
		refault_text(t, row, out);
		return out;
	case FIELD_PEAK:
		return fmt_size(row->peak, out);
	default:
		return fmt_fit(row->oom_kills, w, out);
	}
}

/* ---- the rows ---- */

/* A full bar: its own limit, else that of the level that binds, else the machine's memory. */
static pages_t full_bar(const struct table *t, const struct tree_row *row)
{
	const struct run *run = t->model->side[t->side].run;
	struct run_memcg m;

	if (row->limit < PAGES_UNLIMITED)
		return row->limit;
	if (row->bind.id && run_memcg(run, row->bind.id, &m))
		return m.limit;
	return pcg_ram_bytes(&run_scenario(run)->memory) / PAGE_BYTES;
}

/* Usage on the scale, and where the soft limit lies on it. */
static void draw_bar(const struct table *t, const struct tree_row *row, int y)
{
	struct span at = columns_span(&t->columns, FIELD_BAR, y, ATTR_BAR);
	pages_t full = full_bar(t, row);

	if (at.w < 1)
		return;
	canvas_bar(t->c, at, row->usage, full);
	if (row->soft < full)
		canvas_fill(t->c,
			    (struct rect){ at.x + (int)((double)row->soft * at.w / (double)full), y,
					   1, 1 },
			    '|', ATTR_MARK);
}

/* Arrow and name, indented by depth; behind a folded one how many rows it stands for. */
static void draw_name(const struct table *t, const struct tree_row *row, struct span at,
		      bool selected)
{
	const struct model_side *side = &t->model->side[t->side];
	int deepest = at.w > NAME_ROOM ? at.w - NAME_ROOM : 0, indent = 2 * row->depth;
	const char *arrow = !row->parent ? " " : row->folded ? "\u25b8" : "\u25be";
	bool refused = side->nr_hits && side->last.memcg == row->id;
	char name[GROUP_PATH_MAX], behind[32] = "", deep[16] = "";

	/* A tree too deep for its column says the depth instead of showing it. */
	if (indent > deepest) {
		indent = deepest;
		snprintf(deep, sizeof(deep), "%d ", row->depth);
	}
	if (row->hidden)
		snprintf(behind, sizeof(behind), " (%" PRIu32 ")", row->hidden);
	if (refused)
		strcat(behind, "  !");
	if (selected) {
		t->c->cursor_x = at.x + (indent > 1 ? indent - 1 : 0);
		t->c->cursor_y = at.y;
		canvas_text(t->c, (struct span){ t->c->cursor_x, at.y, 1, at.attr }, ">");
	}
	at.x += indent + 1;
	at.w -= indent + 1;
	limits_shorten(row->name, at.w - 2 - (int)strlen(behind) - (int)strlen(deep), name);
	canvas_printf(t->c, at, "%s%s %s%s", deep, arrow, name, behind);
}

static void draw_row(const struct table *t, const struct tree_row *row, int y, bool selected)
{
	const struct run *run = t->model->side[t->side].run;
	enum canvas_attr attr = selected ? ATTR_SELECTED : ATTR_TEXT;
	char text[GROUP_PATH_MAX], name[GROUP_PATH_MAX];

	draw_name(t, row, columns_span(&t->columns, FIELD_NAME, y, attr), selected);
	draw_bar(t, row, y);
	for (int f = FIELD_USAGE; f < NR_FIELDS; f++) {
		struct span at = columns_span(&t->columns, f, y, attr);

		if (f == FIELD_BAR || at.w < 1)
			continue;
		if (f != FIELD_BINDS) {
			canvas_right(t->c, at, field_text(t, row, (enum field)f, text));
			continue;
		}
		if (row->bind.id && row->bind.id != row->id)
			limits_shorten(limits_name(run, row->bind.id, name), at.w, text);
		canvas_text(t->c, at,
			    row->bind.id == 0         ? "-"
			    : row->bind.id == row->id ? "itself"
						      : text);
	}
}

/* What an empty tree says, and which key helps. */
static void draw_empty(const struct table *t)
{
	const struct model *model = t->model;

	view_empty(t->c, t->r, t->side == 0 ? "A" : "B",
		   !model->side[t->side].run
			   ? "No run is open on this side. 7 lists runs and scenarios: Enter opens "
			     "one, a and b choose a side."
			   : "No group matches the filter. Esc clears it.");
}

/* How many rows there is no room for, and where they are. */
static void draw_rest(const struct table *t, struct span at, int above, int below)
{
	if (above > 0 && below > 0)
		canvas_printf(t->c, at, "%d more above, %d below", above, below);
	else
		canvas_printf(t->c, at, "%d more %s", above + below, above > 0 ? "above" : "below");
}

/* The rows around the selected one; how many are left out is said in the last. */
static void draw_table(struct table *t)
{
	struct rect rows = t->r;
	int n, first, selected = t->model->selected;
	bool cut;

	layout_top(&rows, 1);
	if (t->tree.nr == 0 || rows.h < 1) {
		draw_empty(t);
		return;
	}
	draw_head(t);
	n = (int)t->tree.nr;
	selected = selected < 0 ? 0 : selected >= n ? n - 1 : selected;
	cut = n > rows.h && rows.h > 1;
	rows.h -= cut;
	first = layout_window(n, selected, rows.h);
	for (int y = 0; y < rows.h && first + y < n; y++)
		draw_row(t, &t->tree.row[first + y], rows.y + y, first + y == selected);
	if (cut)
		draw_rest(t, (struct span){ rows.x + 3, rows.y + rows.h, rows.w - 3, ATTR_DIM },
			  first, n - first - rows.h);
}

/* One side's tree in @r.  Returns: css id of the selected group. */
static uint32_t draw_tree(const struct model *model, struct canvas *c, struct rect r, int side)
{
	bool compared = model->has_b && model->show == 0 && c->w < BOTH_W;
	struct table t = { .model = model, .c = c, .r = r, .side = side, .compared = compared };
	uint32_t id = 0;

	t.columns.column = fields;
	t.columns.nr = NR_FIELDS;
	tree_open(model, side, &t.tree);
	if (compared)
		tree_open(model, 1, &t.other);
	columns_place(&t.columns, r, r.w >= WIDE_W ? 2 : r.w >= USUAL_W);
	draw_table(&t);
	if (t.tree.nr) {
		size_t row = model->selected < 0 ? 0 : (size_t)model->selected;

		id = t.tree.row[row < t.tree.nr ? row : t.tree.nr - 1].id;
	}
	tree_close(&t.tree);
	tree_close(&t.other);
	return id;
}

/* ---- the panes ---- */

static void (*const forms[])(const struct limits_pane *p, struct rect r) = {
	limits_detail,
	limits_plot,
	limits_taken,
	limits_verdict,
};

enum { NR_FORMS = sizeof(forms) / sizeof(forms[0]) };

/* All of them where there is room, else one by one: v shows the next. */
static void draw_panes(const struct limits_pane *p, struct rect r)
{
	bool all = r.w >= PANES_W && r.h >= 2 * PANE_ROWS;
	struct rect upper = layout_top(&r, all ? PANE_ROWS : r.h > BOX_ROWS ? r.h - BOX_ROWS : 0);
	unsigned form = p->model->tree.form % NR_FORMS;

	if (all) {
		limits_plot(p, layout_left(&upper, upper.w / 2));
		limits_detail(p, upper);
		limits_taken(p, layout_left(&r, r.w / 2));
		limits_verdict(p, r);
	} else if (upper.h > 0) {
		/* The detail stays; the others take turns above it. */
		forms[form ? form : 1](p, upper);
		limits_detail(p, r);
	} else {
		forms[form](p, r);
	}
}

/* How many of @h rows the panes get. */
static int pane_rows(const struct canvas *c, int h)
{
	if (c->w >= PANES_W && h >= PANES_H)
		return 2 * PANE_ROWS + 2;
	if (h >= TWO_BOXES_H)
		return BOX_ROWS + 10;
	return h >= BOX_ROWS + TREE_ROWS_MIN + 1 ? BOX_ROWS : h - TREE_ROWS_MIN - 1;
}

void view_draw_limits(const struct model *model, struct canvas *c, struct rect body)
{
	bool both = model->has_b && model->show == 0 && c->w >= BOTH_W;
	struct limits_pane p = { .model = model, .c = c };
	struct rect trees = layout_top(&body, body.h - pane_rows(c, body.h));
	uint32_t id;

	p.side = model->has_b && model->show == 2 ? 1 : 0;
	if (!model->side[p.side].run) {
		trees.h += body.h;
		body.h = 0;
	}
	if (both) {
		struct rect left = layout_left(&trees, trees.w - trees.w / 2);

		draw_tree(model, c, trees, 1); /* first, since the cursor stays in the last one */
		trees = left;
	}
	id = draw_tree(model, c, trees, p.side);
	if (model->side[p.side].run && run_memcg(model->side[p.side].run, id ? id : 1, &p.m))
		draw_panes(&p, body);
}
