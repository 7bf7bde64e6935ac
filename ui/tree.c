/*
 * The tree is built from the run's list of groups by css id: nodes are
 * linked to their parents in the order wanted, summed from below, and read
 * out from the top.
 *
 * A group counts in its parent's usage only in a hierarchy; a folded row
 * adds what its hidden groups are charged elsewhere, so nothing is counted
 * twice and nothing is lost.
 */
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"

static const struct {
	const char *name, *doc;
} columns[NR_TREE_COLUMNS] = {
	[TREE_MADE] = { "made", "as the groups were made" },
	[TREE_GROUP] = { "group", "name, from a to z" },
	[TREE_USAGE] = { "usage", "[pages] charged" },
	[TREE_LIMIT] = { "limit", "[pages]" },
	[TREE_SOFT] = { "soft", "[pages] soft limit" },
	[TREE_LEFT] = { "left", "[pages] below the limit that binds first" },
	[TREE_FAIL] = { "fail", "charges that the limit refused" },
	[TREE_CHARGE] = { "charge", "[pages/s] charged in the subtree" },
	[TREE_RECLAIM] = { "reclaim", "[pages/s] taken from the subtree" },
	[TREE_REFAULT] = { "refault", "[pages] of the subtree that came back" },
	[TREE_PEAK] = { "peak", "[pages] largest usage" },
	[TREE_OOM] = { "oom", "tasks killed at its limit" },
	[TREE_DIRTY] = { "dirty", "[pages] of files in the subtree, modified" },
	[TREE_WRITEBACK] = { "writeback", "[pages] on their way to the disk" },
};

enum { ROOT = 1 };

/* A group on its way to a row; the figures of sum are of the whole subtree. */
struct node {
	bool there;
	struct run_memcg m;
	uint32_t first, last, next; /* children, and the next child of its parent */
	uint32_t below;             /* groups below it */
	struct {
		uint64_t fail, oom, refault, charged, reclaimed, dirtied, written;
		pages_t dirty, writeback;
		pages_t elsewhere; /* usage of groups below that it does not count */
	} sum;
};

struct builder {
	const struct model *model;
	const struct model_side *side;
	struct node *node; /* by css id */
	uint32_t max;      /* largest css id */
	bool has_rates;
	size_t base; /* moment from which rates count */
	struct tree *tree;
};

const char *tree_column_name(size_t i)
{
	return i < NR_TREE_COLUMNS ? columns[i].name : NULL;
}

const char *tree_column_doc(size_t i)
{
	return columns[i].doc;
}

bool tree_column_find(const char *name, enum tree_column *out)
{
	for (size_t i = 0; i < NR_TREE_COLUMNS; i++) {
		if (strcmp(columns[i].name, name) != 0)
			continue;
		*out = (enum tree_column)i;
		return true;
	}
	return false;
}

bool tree_is_folded(const struct tree_state *state, uint32_t id)
{
	return id < TREE_GROUPS && state->fold[id / TREE_FOLD_BITS] >> id % TREE_FOLD_BITS & 1;
}

void tree_fold(struct tree_state *state, uint32_t id, bool fold)
{
	uint32_t bit = (uint32_t)1 << id % TREE_FOLD_BITS;

	if (id >= TREE_GROUPS)
		return;
	if (fold)
		state->fold[id / TREE_FOLD_BITS] |= bit;
	else
		state->fold[id / TREE_FOLD_BITS] &= ~bit;
}

/* The last part of a path. */
static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path[0] ? path : "root";
}

/* ---- nodes ---- */

/* How much a count has grown since the base; a css id that was used again starts anew. */
static uint64_t growth(uint64_t now, uint64_t then)
{
	return now >= then ? now - then : now;
}

static void read_node(struct builder *b, uint32_t id)
{
	struct node *node = &b->node[id];
	struct history_point then = { .there = false };

	node->there = run_memcg(b->side->run, id, &node->m);
	if (!node->there)
		return;
	if (b->has_rates)
		then = history_at(b->side->history, b->base, id);
	node->sum.fail = node->m.failcnt;
	node->sum.oom = node->m.oom_kills;
	node->sum.refault = node->m.nr_refault_file + node->m.nr_refault_anon;
	node->sum.charged = growth(node->m.nr_charged, then.nr_charged);
	node->sum.reclaimed = growth(node->m.nr_reclaimed, then.nr_reclaimed);
	node->sum.dirtied = growth(node->m.nr_dirtied, then.nr_dirtied);
	node->sum.written = growth(node->m.nr_written, then.nr_written);
	node->sum.dirty = node->m.dirty;
	node->sum.writeback = node->m.writeback;
}

/* Appends a group to the children of its parent. */
static void link_node(struct builder *b, uint32_t id)
{
	uint32_t up = b->node[id].there ? b->node[id].m.parent : 0;

	if (!up || up > b->max)
		return;
	if (b->node[up].last)
		b->node[b->node[up].last].next = id;
	else
		b->node[up].first = id;
	b->node[up].last = id;
}

/* From below: what a node's subtree comes to.  As deep as a path has parts. */
static void sum_up(struct builder *b, uint32_t id)
{
	struct node *node = &b->node[id];

	for (uint32_t c = node->first; c; c = b->node[c].next) {
		const struct node *child = &b->node[c];

		sum_up(b, c);
		node->below += 1 + child->below;
		node->sum.fail += child->sum.fail;
		node->sum.oom += child->sum.oom;
		node->sum.refault += child->sum.refault;
		node->sum.charged += child->sum.charged;
		node->sum.reclaimed += child->sum.reclaimed;
		node->sum.dirtied += child->sum.dirtied;
		node->sum.written += child->sum.written;
		node->sum.dirty += child->sum.dirty;
		node->sum.writeback += child->sum.writeback;
		node->sum.elsewhere += child->sum.elsewhere;
		if (!node->m.hierarchy)
			node->sum.elsewhere += child->m.usage;
	}
}

/* All groups, linked first in the order of the last sort, then as they were made. */
static bool build(struct builder *b)
{
	const struct tree_state *state = &b->model->tree;
	bool *linked;

	b->max = run_memcg_max(b->side->run);
	b->has_rates = history_since(b->side->history, run_now(b->side->run), &b->base);
	b->node = calloc((size_t)b->max + 1, sizeof(*b->node));
	linked = calloc((size_t)b->max + 1, sizeof(*linked));
	if (b->node && linked) {
		for (uint32_t id = ROOT; id <= b->max; id++)
			read_node(b, id);
		for (size_t i = 0; i < state->nr_order; i++) {
			if (state->order[i] > b->max || linked[state->order[i]])
				continue;
			link_node(b, state->order[i]);
			linked[state->order[i]] = true;
		}
		for (uint32_t id = ROOT; id <= b->max; id++)
			if (!linked[id])
				link_node(b, id);
		sum_up(b, ROOT);
	}
	free(linked);
	return b->node && b->max >= ROOT;
}

/* ---- rows ---- */

/* Pages a second since the base of the rates. */
static uint64_t rate(const struct builder *b, uint64_t pages)
{
	ns_t since = run_now(b->side->run) - b->side->history->t_ns[b->base];

	return since ? (uint64_t)((double)pages * 1e9 / (double)since + 0.5) : 0;
}

static void make_row(const struct builder *b, uint32_t id, int depth, struct tree_row *row)
{
	const struct node *node = &b->node[id];
	bool folded = node->first && tree_is_folded(&b->model->tree, id);

	memset(row, 0, sizeof(*row));
	row->id = id;
	row->depth = depth;
	row->parent = node->first != 0;
	row->folded = folded;
	row->hidden = folded ? node->below : 0;
	snprintf(row->name, sizeof(row->name), "%.100s%s", last_part(node->m.path),
		 node->m.dying ? " (removed)" : "");
	row->usage = node->m.usage + (folded ? node->sum.elsewhere : 0);
	row->limit = node->m.limit;
	row->soft = node->m.soft;
	row->peak = node->m.peak;
	row->failcnt = folded ? node->sum.fail : node->m.failcnt;
	row->oom_kills = folded ? node->sum.oom : node->m.oom_kills;
	row->refaults = node->sum.refault;
	row->dirty = node->sum.dirty;
	row->writeback = node->sum.writeback;
	row->has_rates = b->has_rates;
	row->dirty_rate = b->has_rates ? rate(b, node->sum.dirtied) : 0;
	row->written_rate = b->has_rates ? rate(b, node->sum.written) : 0;
	row->charge_rate = b->has_rates ? rate(b, node->sum.charged) : 0;
	row->reclaim_rate = b->has_rates ? rate(b, node->sum.reclaimed) : 0;
	row->bind = levels_binds(b->side->run, id, false);
}

/* A number of a row by column; TREE_GROUP has a text instead. */
static double number_of(const struct tree_row *row, enum tree_column column)
{
	const double numbers[NR_TREE_COLUMNS] = {
		[TREE_MADE] = (double)row->id,
		[TREE_USAGE] = (double)row->usage,
		[TREE_LIMIT] = (double)row->limit,
		[TREE_SOFT] = (double)row->soft,
		[TREE_LEFT] = (double)(row->bind.id ? row->bind.left : PAGES_UNLIMITED),
		[TREE_FAIL] = (double)row->failcnt,
		[TREE_CHARGE] = (double)row->charge_rate,
		[TREE_RECLAIM] = (double)row->reclaim_rate,
		[TREE_REFAULT] = (double)row->refaults,
		[TREE_PEAK] = (double)row->peak,
		[TREE_OOM] = (double)row->oom_kills,
		[TREE_DIRTY] = (double)row->dirty,
		[TREE_WRITEBACK] = (double)row->writeback,
	};

	return numbers[column];
}

static void row_cells(const struct tree_row *row, struct filter_cell cell[NR_TREE_COLUMNS])
{
	for (int c = 0; c < NR_TREE_COLUMNS; c++)
		cell[c] = (struct filter_cell){ columns[c].name, c == TREE_GROUP ? row->name : NULL,
						number_of(row, (enum tree_column)c) };
}

enum err tree_filter_check(const char *filter, struct diag *diag)
{
	static const struct tree_row no_row;
	struct filter_cell cell[NR_TREE_COLUMNS];

	row_cells(&no_row, cell);
	return filter_check(filter, cell, NR_TREE_COLUMNS, diag);
}

bool tree_filter_pending(const char *filter)
{
	static const struct tree_row no_row;
	struct filter_cell cell[NR_TREE_COLUMNS];

	row_cells(&no_row, cell);
	return filter_pending(filter, cell, NR_TREE_COLUMNS);
}

/* While filtering each group stands for itself, with its whole path, folded or not. */
static void emit_matching(struct builder *b, uint32_t id)
{
	struct tree_row *row = &b->tree->row[b->tree->nr];
	struct filter_cell cell[NR_TREE_COLUMNS];
	struct node *node = &b->node[id];

	make_row(b, id, 0, row);
	if (row->folded) {
		row->usage = node->m.usage;
		row->failcnt = node->m.failcnt;
		row->oom_kills = node->m.oom_kills;
	}
	row->parent = row->folded = false;
	row->hidden = 0;
	if (node->m.path[0])
		memcpy(row->name, node->m.path, sizeof(row->name));
	row_cells(row, cell);
	b->tree->nr += filter_match(b->model->filter, cell, NR_TREE_COLUMNS);
	for (uint32_t c = node->first; c; c = b->node[c].next)
		emit_matching(b, c);
}

static void emit(struct builder *b, uint32_t id, int depth)
{
	struct tree_row *row = &b->tree->row[b->tree->nr++];

	make_row(b, id, depth, row);
	if (row->folded)
		return;
	for (uint32_t c = b->node[id].first; c; c = b->node[c].next)
		emit(b, c, depth + 1);
}

void tree_open(const struct model *model, int side, struct tree *tree)
{
	struct builder b = { .model = model, .side = &model->side[side], .tree = tree };
	uint32_t top = model->tree.focus;

	memset(tree, 0, sizeof(*tree));
	if (!b.side->run)
		return;
	/* Without rows there is nothing to emit, whatever was short of memory. */
	if (build(&b))
		tree->row = calloc((size_t)b.max + 1, sizeof(*tree->row));
	/* A group that does not exist at this step cannot be looked into. */
	if (tree->row && (!top || top > b.max || !b.node[top].there))
		top = ROOT;
	if (tree->row && model->filter[0])
		emit_matching(&b, top);
	else if (tree->row)
		emit(&b, top, 0);
	free(b.node);
}

void tree_close(struct tree *tree)
{
	free(tree->row);
	memset(tree, 0, sizeof(*tree));
}

/* ---- selection and order ---- */

/* The side whose tree keys act on: A unless B alone is shown. */
static int acting_side(const struct model *model)
{
	return model->has_b && model->show == 2 ? 1 : 0;
}

size_t tree_rows(const struct model *model)
{
	struct tree tree;
	size_t n;

	tree_open(model, acting_side(model), &tree);
	n = tree.nr;
	tree_close(&tree);
	return n;
}

uint32_t tree_selected(const struct model *model)
{
	struct tree tree;
	uint32_t id = 0;

	tree_open(model, acting_side(model), &tree);
	if (tree.nr) {
		size_t row = model->selected < 0 ? 0 : (size_t)model->selected;

		id = tree.row[row < tree.nr ? row : tree.nr - 1].id;
	}
	tree_close(&tree);
	return id;
}

void tree_select(struct model *model, uint32_t id)
{
	const struct run *run = model->side[acting_side(model)].run;
	struct run_memcg m;
	struct tree tree;
	bool found = false;

	tree_open(model, acting_side(model), &tree);
	while (!found && id) {
		for (size_t i = 0; i < tree.nr && !found; i++) {
			if (tree.row[i].id != id)
				continue;
			model->selected = (int)i;
			found = true;
		}
		id = run && run_memcg(run, id, &m) ? m.parent : 0;
	}
	if (!found)
		model->selected = 0;
	tree_close(&tree);
}

/* What qsort sees of a row. */
struct sorted {
	uint32_t id;
	double number;
	char path[GROUP_PATH_MAX];
	int direction;
};

/* Large numbers first, texts from a; equals as they were made. */
static int by_column(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	if (order == 0)
		order = (x->number < y->number) - (x->number > y->number);
	if (order == 0)
		return (x->id > y->id) - (x->id < y->id);
	return order * x->direction;
}

/* All groups of the tree, folded or not, as they are to be sorted.  Returns: how many. */
static size_t collect(const struct model *model, struct sorted *out)
{
	struct model *all = malloc(sizeof(*all));
	const struct tree_state *state = &model->tree;
	struct tree tree = { 0, NULL };
	size_t n = 0;

	if (!all)
		return 0;
	*all = *model;
	all->filter[0] = '\0';
	memset(&all->tree, 0, sizeof(all->tree));
	tree_open(all, acting_side(model), &tree);
	for (; n < tree.nr && n < TREE_GROUPS; n++) {
		out[n] = (struct sorted){ .id = tree.row[n].id,
					  .direction = state->reverse ? -1 : 1,
					  .number = number_of(&tree.row[n], state->sort) };
		if (state->sort == TREE_GROUP)
			memcpy(out[n].path, tree.row[n].name, sizeof(out[n].path));
		if (state->sort == TREE_MADE)
			out[n].number = -out[n].number;
	}
	tree_close(&tree);
	free(all);
	return n;
}

void tree_sort(struct model *model)
{
	struct sorted *sorted = calloc(TREE_GROUPS, sizeof(*sorted));
	uint32_t selected = tree_selected(model);
	size_t n = sorted ? collect(model, sorted) : 0;

	if (n)
		qsort(sorted, n, sizeof(*sorted), by_column);
	for (size_t i = 0; i < n; i++)
		model->tree.order[i] = sorted[i].id;
	model->tree.nr_order = n;
	free(sorted);
	tree_select(model, selected);
}
