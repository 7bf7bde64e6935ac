/*
 * The selected group in words: which limit binds, the way of a charge, where
 * the walk of its reclaim stands, what its usage is made of, the verdict;
 * and the matrix of who took pages from whom.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmt.h"
#include "kmem.h"
#include "view_limits.h"
#include "zones.h"

enum {
	TEXT_BYTES = 4096,
	NAME_W = 13,
	CELL_W = 9,
	PATH_CELLS = 44,
	SIDE_W = 12,
	DETAIL_ROWS = 6,
	PART_ROWS = 9
};

/* A text that grows; what does not fit is left out. */
struct text {
	char all[TEXT_BYTES];
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(struct text *text, const char *fmt, ...);

static void add(struct text *text, const char *fmt, ...)
{
	size_t n = strlen(text->all);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text->all + n, TEXT_BYTES - n, fmt, args);
	va_end(args);
}

/* ---- in words ---- */

/* Its own limits, and the level that refuses first. */
static void add_usage(const struct limits_pane *p, const struct run *run, struct text *text)
{
	struct levels_bind bind = levels_binds(run, p->m.id, false);
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], name[GROUP_PATH_MAX];

	add(text, "usage %s", fmt_size(p->m.usage, a));
	if (p->m.limit < PAGES_UNLIMITED)
		add(text, " of own limit %s", fmt_size(p->m.limit, a));
	if (p->m.soft < PAGES_UNLIMITED)
		add(text, ", soft %s", fmt_size(p->m.soft, a));
	if (bind.id == p->m.id)
		add(text, "; its own limit binds first (%s left)", fmt_size(bind.left, a));
	else if (bind.id)
		add(text, "; %s binds first (%s left)", limits_name(run, bind.id, name),
		    fmt_size(bind.left, a));
	else
		add(text, "; no level above it has a limit");
	if (p->m.min || p->m.low || p->m.high < PAGES_UNLIMITED)
		add(text, "; min %s, low %s, high %s", fmt_size(p->m.min, a), fmt_size(p->m.low, b),
		    fmt_size(p->m.high, name));
	add(text, "\n");
}

/* How much more would be refused, and what would bind without the first. */
static void add_failure(const struct limits_pane *p, const struct run *run, struct text *text)
{
	struct levels_bind bind = levels_binds(run, p->m.id, false);
	struct levels_bind next = levels_binds(run, p->m.id, true);
	pages_t own = p->m.limit > p->m.usage ? p->m.limit - p->m.usage : 0;
	char a[UNITS_TEXT_MAX], name[GROUP_PATH_MAX];

	if (!bind.id) {
		add(text, "would fail only when the machine has no memory left\n");
		return;
	}
	add(text, "would fail at +%s ", fmt_size(bind.left, a));
	if (bind.id != p->m.id) {
		limits_name(run, bind.id, name);
		add(text, "in any child of %s", name);
		if (p->m.limit < PAGES_UNLIMITED)
			add(text, ", at +%s here if %s had no limit", fmt_size(own, a), name);
	} else {
		add(text, "here");
		if (next.id)
			add(text, ", at +%s in any child of %s", fmt_size(next.left, a),
			    limits_name(run, next.id, name));
	}
	add(text, "\n");
}

/* From the group upwards; a path too long for a line names its ends. */
static void add_path(const struct limits_pane *p, const struct run *run, struct text *text)
{
	uint32_t level[LEVELS_MAX];
	size_t n = levels_of(run, p->m.id, level);
	char name[GROUP_PATH_MAX];
	int cells = 0;

	add(text, "charge path  ");
	for (size_t i = 0; i < n; i++) {
		limits_name(run, level[i], name);
		cells += (int)strlen(name) + 3;
		if (cells > PATH_CELLS && i + 1 < n) {
			add(text, " \u2192 \u2026");
			i = n - 2;
			cells = 0;
			continue;
		}
		add(text, "%s%s", i ? " \u2192 " : "", name);
	}
	add(text, "   %zu counter%s\n", n, n == 1 ? "" : "s");
}

/* Whose pages go next when the level that binds is hit. */
static void add_walk(const struct limits_pane *p, int side, struct text *text)
{
	const struct run *run = p->model->side[side].run;
	uint32_t root = levels_binds(run, p->m.id, false).id;
	struct levels_walk walk = levels_walk(run, root ? root : p->m.id);
	char name[GROUP_PATH_MAX], last[GROUP_PATH_MAX], next[GROUP_PATH_MAX];

	limits_name(run, root ? root : p->m.id, name);
	limits_name(run, walk.next, next);
	if (walk.alone)
		add(text, "reclaim %c    of %s alone: it has no hierarchy\n", 'A' + side, name);
	else if (walk.last)
		add(text, "reclaim %c    walks from %s%s: last visited %s, next %s\n", 'A' + side,
		    name, walk.many ? " (first priority)" : "", limits_name(run, walk.last, last),
		    next);
	else
		add(text, "reclaim %c    walks from %s%s: a round begins with %s\n", 'A' + side,
		    name, walk.many ? " (first priority)" : "", next);
}

/* Where each walk stands, if there are several: on a node, or in a zone at a priority. */
static void add_walks(const struct limits_pane *p, const struct run *run, struct text *text)
{
	uint32_t root = levels_binds(run, p->m.id, false).id, next;
	char last[GROUP_PATH_MAX], name[GROUP_PATH_MAX];
	struct run_zone zone;
	struct run_walk at;

	root = root ? root : p->m.id;
	if (!levels_walk_at(run, root, 1, &at, &next))
		return;
	for (uint32_t i = 0; levels_walk_at(run, root, i, &at, &next); i++) {
		add(text, "%snode %" PRId32, i ? ", " : "walks: ", at.node);
		if (at.zone >= 0 && run_zone(run, (uint32_t)at.zone, &zone))
			add(text, " %s priority %" PRId32, zone.name, at.priority);
		add(text, " last %s next %s", at.last ? limits_name(run, at.last, last) : "-",
		    limits_name(run, next, name));
	}
	add(text, "\n");
}

/* What the kernel memory is, to the byte. */
static void add_kmem(const struct run *run, uint32_t id, struct text *text)
{
	bytes_t bytes[NR_KMEM_PARTS];
	const char *before = "kmem = ";
	char number[UNITS_TEXT_MAX];

	run_kmem(run, id, bytes);
	for (int i = 0; i < NR_KMEM_PARTS; i++) {
		if (!bytes[i])
			continue;
		add(text, "%s%s %s", before, kmem_part_name((enum kmem_part)i),
		    fmt_count(bytes[i], number));
		before = " + ";
	}
	add(text, " bytes\n");
}

/* What the usage is made of, and the three numbers. */
static void add_parts(const struct limits_pane *p, const struct run *run, struct text *text)
{
	struct levels_parts parts;
	char a[UNITS_TEXT_MAX], b[UNITS_TEXT_MAX], c[UNITS_TEXT_MAX];

	levels_parts(run, p->m.id, &parts);
	add(text, "usage %sp = rss %s + cache %s", fmt_count(parts.usage, a),
	    fmt_count(parts.rss, b), fmt_count(parts.cache, c));
	if (parts.unevictable)
		add(text, " + locked %s", fmt_count(parts.unevictable, a));
	add(text, " + kmem %s + stock %s + queued %s\n", fmt_count(parts.kmem, a),
	    fmt_count(parts.stock, b), fmt_count(parts.queued, c));
	if (parts.kmem)
		add_kmem(run, p->m.id, text);
	if (parts.nr_dying)
		add(text, "of these %sp in %" PRIu32 " removed group%s that cannot go yet\n",
		    fmt_count(parts.dying, a), parts.nr_dying, parts.nr_dying > 1 ? "s" : "");
	add(text, "working set %sp   can be dropped %sp   usage %sp\n",
	    fmt_count(levels_working_set(&parts), a), fmt_count(levels_droppable(&parts), b),
	    fmt_count(parts.usage, c));
}

/* How the run stands at this step. */
static void side_verdict(const struct model_side *side, struct verdict *out)
{
	verdict_of(side->run, &side->facts, out);
}

/* A box whose title is the group's path; right in it how the run stands. */
static struct rect group_box(const struct limits_pane *p, struct rect r, const char *what)
{
	struct rect in = layout_inside(r);
	char title[GROUP_PATH_MAX + 64], path[GROUP_PATH_MAX], right[64];
	struct verdict verdict;

	side_verdict(&p->model->side[p->side], &verdict);
	snprintf(right, sizeof(right), "verdict: %s", verdict_name(verdict.kind));
	if (r.w < 2 * (int)sizeof(right) / 3)
		right[0] = '\0';
	limits_shorten(view_path(&p->m), r.w - (int)strlen(what) - (int)strlen(right) - 9, path);
	snprintf(title, sizeof(title), "%s%s", what, path);
	canvas_box(p->c, r, title, right[0] ? right : NULL);
	layout_left(&in, 1);
	in.w -= in.w > 0;
	return in;
}

/* How many of its own listed pages the group has on each NUMA node, where there are several. */
static void add_nodes(const struct limits_pane *p, const struct run *run, struct text *text)
{
	uint32_t nodes = run_scenario(run)->nodes;
	char pages[UNITS_TEXT_MAX];

	if (nodes < 2)
		return;
	add(text, "nodes       ");
	for (uint32_t node = 0; node < nodes; node++) {
		pages_t sum = 0;

		for (int lru = 0; lru < NR_LRU; lru++)
			sum += run_memcg_node(run, p->m.id, node, (enum lru)lru);
		add(text, " %s on %u%s", fmt_count(sum, pages), (unsigned)node,
		    node + 1 < nodes ? "," : "\n");
	}
}

/* The most telling lines first: a low pane shows those. */
void limits_detail(const struct limits_pane *p, struct rect r)
{
	const struct run *run = p->model->side[p->side].run;
	struct rect in = group_box(p, r, "");
	struct text *text = calloc(1, sizeof(*text));

	if (!text)
		return;
	add_usage(p, run, text);
	add_failure(p, run, text);
	add_path(p, run, text);
	add_walk(p, p->side, text);
	add_parts(p, run, text);
	add_nodes(p, run, text);
	add_walks(p, run, text);
	/* A low pane has room for one walk; c shows that of B. */
	if (p->model->has_b && p->model->show == 0 && p->model->side[1].run && in.h > DETAIL_ROWS)
		add_walk(p, 1, text);
	view_wrap(p->c, in, ATTR_TEXT, text->all);
	free(text);
}

/* ---- the verdict ---- */

/* A row of the parts: its name and a number for each side. */
struct part_row {
	const char *name;
	pages_t value[2];
};

static void draw_part(const struct limits_pane *p, struct span at, const struct part_row *row,
		      int sides)
{
	char text[UNITS_TEXT_MAX];

	canvas_text(p->c, at, row->name);
	for (int s = 0; s < sides; s++)
		canvas_right(p->c,
			     (struct span){ at.x + 20 + s * SIDE_W, at.y, SIDE_W - 1, at.attr },
			     fmt_count(row->value[s], text));
}

/* The parts of the group's usage on each side, one below the other, then the three numbers. */
static void draw_parts(const struct limits_pane *p, struct rect r, const int side[2], int sides)
{
	struct part_row row[] = {
		{ "  rss", { 0, 0 } },          { "+ cache", { 0, 0 } },
		{ "+ locked", { 0, 0 } },       { "+ kmem", { 0, 0 } },
		{ "+ stock", { 0, 0 } },        { "+ queued", { 0, 0 } },
		{ "= usage", { 0, 0 } },        { "working set", { 0, 0 } },
		{ "can be dropped", { 0, 0 } },
	};

	for (int s = 0; s < sides; s++) {
		struct levels_parts parts;
		uint32_t id = run_memcg_find(p->model->side[side[s]].run, p->m.path);

		levels_parts(p->model->side[side[s]].run, id, &parts);
		row[0].value[s] = parts.rss;
		row[1].value[s] = parts.cache;
		row[2].value[s] = parts.unevictable;
		row[3].value[s] = parts.kmem;
		row[4].value[s] = parts.stock;
		row[5].value[s] = parts.queued;
		row[6].value[s] = parts.usage;
		row[7].value[s] = levels_working_set(&parts);
		row[8].value[s] = levels_droppable(&parts);
		canvas_printf(p->c,
			      (struct span){ r.x + 20 + s * SIDE_W + SIDE_W - 2, r.y, 1,
					     view_side_attr(side[s]) },
			      "%c", 'A' + side[s]);
	}
	canvas_text(p->c, (struct span){ r.x, r.y, 19, ATTR_DIM }, "pages");
	for (int i = 0; i < (int)(sizeof(row) / sizeof(row[0])); i++)
		draw_part(p, layout_row(r, i + 1, ATTR_TEXT), &row[i], sides);
}

/* Where there is no room for the table: in a line. */
static void draw_line(const struct limits_pane *p, struct rect r, int side)
{
	struct limits_pane other = *p;
	const struct run *run = p->model->side[side].run;
	struct text *text = calloc(1, sizeof(*text));

	if (text && run_memcg(run, run_memcg_find(run, p->m.path), &other.m)) {
		add_parts(&other, run, text);
		view_wrap(p->c, r, ATTR_TEXT, text->all);
	}
	free(text);
}

void limits_verdict(const struct limits_pane *p, struct rect r)
{
	bool both = p->model->has_b && p->model->show == 0 && p->model->side[1].run;
	const int side[2] = { both ? 0 : p->side, 1 };
	struct rect in = group_box(p, r, "what the usage is: ");
	bool table = in.h >= PART_ROWS + 4;
	struct verdict verdict;
	char line[VERDICT_TEXT_MAX + 8];

	for (int s = 0; s < (both ? 2 : 1); s++) {
		side_verdict(&p->model->side[side[s]], &verdict);
		snprintf(line, sizeof(line), "%c %s", 'A' + side[s], verdict.text);
		layout_top(&in, view_wrap(p->c, in, view_side_attr(side[s]), line));
		if (!table)
			draw_line(p, layout_top(&in, 2), side[s]);
	}
	layout_top(&in, in.h > PART_ROWS + 1 ? 1 : 0);
	if (table)
		draw_parts(p, in, side, both ? 2 : 1);
}

/* ---- who took pages from whom ---- */

enum { NAMES = 32 };

/* One edge of the matrix: the groups with most pages, the largest first. */
struct edge {
	uint32_t id[NAMES];
	uint64_t sum[NAMES];
	int nr;
	bool more; /* others are left out */
};

/* Adds to a group's sum; a small one falls out of a full edge. */
static void edge_add(struct edge *edge, uint32_t id, uint64_t n)
{
	int i = 0;

	while (i < edge->nr && edge->id[i] != id)
		i++;
	if (i == NAMES) {
		edge->more = true;
		i = NAMES - 1;
		if (edge->sum[i] >= n)
			return;
		edge->nr--;
	}
	if (i == edge->nr) {
		edge->id[i] = id;
		edge->sum[i] = 0;
		edge->nr++;
	}
	edge->sum[i] += n;
	for (; i > 0 && edge->sum[i] > edge->sum[i - 1]; i--) {
		uint32_t other = edge->id[i - 1];
		uint64_t sum = edge->sum[i - 1];

		edge->id[i - 1] = edge->id[i];
		edge->sum[i - 1] = edge->sum[i];
		edge->id[i] = other;
		edge->sum[i] = sum;
	}
}

/* Cuts an edge to @room names. */
static void edge_cut(struct edge *edge, int room)
{
	edge->more |= edge->nr > room;
	edge->nr = edge->nr > room ? room : edge->nr;
}

/* A cell of the matrix. */
static uint64_t taken_nr(const struct run *run, uint32_t by, uint32_t owner)
{
	uint32_t b, o;
	uint64_t n;

	for (uint32_t i = 0; run_taken(run, i, &b, &o, &n); i++)
		if (b == by && o == owner)
			return n;
	return 0;
}

/* One row: the taker and a number for each owner; the selected group's are marked. */
static void draw_taker(const struct limits_pane *p, struct span at, uint32_t by,
		       const struct edge *owners)
{
	const struct run *run = p->model->side[p->side].run;
	char name[GROUP_PATH_MAX], text[GROUP_PATH_MAX];

	at.attr = by == p->m.id ? ATTR_SELECTED : ATTR_TEXT;
	limits_shorten(limits_name(run, by, name), NAME_W, text);
	canvas_text(p->c, (struct span){ at.x, at.y, NAME_W, at.attr }, text);
	for (int i = 0; i < owners->nr; i++) {
		uint64_t n = taken_nr(run, by, owners->id[i]);

		canvas_right(p->c,
			     (struct span){ at.x + NAME_W + i * CELL_W, at.y, CELL_W,
					    owners->id[i] == p->m.id ? ATTR_SELECTED : at.attr },
			     fmt_fit(n, CELL_W - 1, text));
	}
}

static void draw_matrix(const struct limits_pane *p, struct rect in, const struct edge *takers,
			const struct edge *owners)
{
	const struct run *run = p->model->side[p->side].run;
	char name[GROUP_PATH_MAX], text[GROUP_PATH_MAX];

	canvas_text(p->c, (struct span){ in.x, in.y, NAME_W, ATTR_DIM }, "took \\ from");
	for (int i = 0; i < owners->nr; i++) {
		limits_shorten(limits_name(run, owners->id[i], name), CELL_W - 1, text);
		canvas_right(p->c,
			     (struct span){ in.x + NAME_W + i * CELL_W, in.y, CELL_W, ATTR_DIM },
			     text);
	}
	for (int i = 0; i < takers->nr; i++)
		draw_taker(p, layout_row(in, i + 1, ATTR_TEXT), takers->id[i], owners);
	if (takers->more || owners->more)
		canvas_text(p->c, layout_row(in, in.h - 1, ATTR_DIM),
			    "largest shown; v_taken in sql has all");
}

void limits_taken(const struct limits_pane *p, struct rect r)
{
	const struct run *run = p->model->side[p->side].run;
	struct rect in = layout_inside(r);
	struct edge takers = { .nr = 0 }, owners = { .nr = 0 };
	uint32_t by, owner;
	uint64_t n;
	char title[64];

	snprintf(title, sizeof(title), "%c who took pages from whom", 'A' + p->side);
	for (uint32_t i = 0; run_taken(run, i, &by, &owner, &n); i++) {
		edge_add(&takers, by, n);
		edge_add(&owners, owner, n);
	}
	if (!takers.nr) {
		view_empty(p->c, r, title,
			   "Reclaim took no page up to this step. Space plays on, $ goes to the "
			   "last step.");
		return;
	}
	canvas_box(p->c, r, title, r.w > 60 ? "pages; row: whose charge" : NULL);
	layout_left(&in, 1);
	edge_cut(&owners, (in.w - NAME_W) / CELL_W);
	/* The last row is for saying that something is left out. */
	if (takers.nr > in.h - 1 || owners.more)
		edge_cut(&takers, in.h - 2);
	draw_matrix(p, in, &takers, &owners);
}
