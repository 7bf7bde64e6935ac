/*
 * Which rows a list shows.  The columns that a filter can name are the
 * arrays below, one for each kind of row, named as on the screen.
 */
#include "rows.h"

#include "explain.h"
#include "filter.h"
#include "group.h"
#include "lock_rows.h"
#include "tree.h"

enum { SCENARIO_CELLS = 2, SHRINK_CELLS = 9 };

/* Runs are filtered by the lab.  A filter that asks for columns of runs leaves no scenario; plain
 * words search both. */
static bool scenario_shown(const struct model *model, size_t i)
{
	const struct model_scenario_row *row = &model->scenario_row[i];
	struct filter_cell cell[SCENARIO_CELLS] = { { "scenario", row->name, 0 },
						    { "title", row->title, 0 } };

	if (filter_check(model->filter, cell, SCENARIO_CELLS, NULL) != ERR_OK)
		return false;
	return filter_match(model->filter, cell, SCENARIO_CELLS);
}

size_t rows_runs(const struct model *model)
{
	return model->nr_run_rows;
}

size_t rows_scenarios(const struct model *model)
{
	size_t n = 0;

	for (size_t i = 0; i < model->nr_scenario_rows; i++)
		n += scenario_shown(model, i);
	return n;
}

bool rows_pick(const struct model *model, size_t i, struct rows_pick *out)
{
	*out = (struct rows_pick){ NULL, NULL };
	if (i < model->nr_run_rows) {
		out->run = &model->run_row[i];
		return true;
	}
	i -= model->nr_run_rows;
	for (size_t k = 0; k < model->nr_scenario_rows; k++) {
		if (!scenario_shown(model, k) || i-- > 0)
			continue;
		out->scenario = &model->scenario_row[k];
		return true;
	}
	return false;
}

/* A shrink call as cells; the heads of the Scan view are beginnings of these names. */
static void shrink_cells(const struct model_shrink *s, struct filter_cell cell[SHRINK_CELLS])
{
	cell[0] = (struct filter_cell){ "call", NULL, (double)s->call };
	cell[1] = (struct filter_cell){ "list", lru_name(s->list), 0 };
	cell[2] = (struct filter_cell){ "count", NULL, (double)s->size };
	cell[3] = (struct filter_cell){ "priority", NULL, (double)s->priority };
	cell[4] = (struct filter_cell){ "asked", NULL, (double)s->nr_to_scan };
	cell[5] = (struct filter_cell){ "isolated", NULL, (double)s->nr_taken };
	cell[6] = (struct filter_cell){ "scanned", NULL, (double)s->nr_scanned };
	cell[7] = (struct filter_cell){ "reclaimed", NULL, (double)s->nr_reclaimed };
	cell[8] = (struct filter_cell){ "step", NULL, (double)s->step };
}

size_t rows_shrinks(const struct model *model, int side, uint32_t memcg, uint64_t *out, size_t max)
{
	const struct model_side *s = &model->side[side];
	const struct model_shrink *shrink;
	struct filter_cell cell[SHRINK_CELLS];
	size_t n = 0;

	for (uint64_t call = s->nr_shrink; n < max; call--) {
		shrink = model_shrink(s, call);
		if (!shrink)
			break;
		shrink_cells(shrink, cell);
		if (shrink->memcg == memcg && filter_match(model->filter, cell, SHRINK_CELLS))
			out[n++] = call;
	}
	return n;
}

/* The longer one of the explanations of both sides. */
static size_t explain_lines(const struct model *model)
{
	struct explain text;
	int most = 0;

	for (int side = 0; side < 2; side++) {
		explain_reclaim(&model->side[side], (char)('A' + side), group_id(model, side),
				&text);
		most = text.n > most ? text.n : most;
	}
	return (size_t)most;
}

size_t rows_count(const struct model *model, enum view_id view)
{
	uint64_t call[MODEL_SHRINKS];
	size_t a, b;

	if (view == VIEW_RUNS)
		return rows_runs(model) + rows_scenarios(model);
	if (view_has_tree(view))
		return tree_rows(model);
	if (view == VIEW_LRU)
		return explain_lines(model);
	if (view == VIEW_LOCKS)
		return lock_rows_count(model);
	if (view != VIEW_SCAN)
		return 0;
	a = rows_shrinks(model, 0, group_id(model, 0), call, MODEL_SHRINKS);
	b = model->has_b ? rows_shrinks(model, 1, group_id(model, 1), call, MODEL_SHRINKS) : 0;
	return a > b ? a : b;
}

enum err rows_filter_check(enum view_id view, const char *filter, struct diag *diag)
{
	const struct model_shrink no_shrink = { .list = LRU_INACTIVE_FILE };
	struct filter_cell cell[SHRINK_CELLS];

	if (view_has_tree(view))
		return tree_filter_check(filter, diag);
	if (view == VIEW_LOCKS)
		return lock_rows_filter_check(filter, diag);
	if (view == VIEW_SCAN) {
		shrink_cells(&no_shrink, cell);
		return filter_check(filter, cell, SHRINK_CELLS, diag);
	}
	return ERR_OK;
}

bool rows_filter_pending(enum view_id view, const char *filter)
{
	const struct model_shrink no_shrink = { .list = LRU_INACTIVE_FILE };
	struct filter_cell cell[SHRINK_CELLS];

	if (view_has_tree(view))
		return tree_filter_pending(filter);
	if (view == VIEW_LOCKS)
		return lock_rows_filter_pending(filter);
	if (view == VIEW_SCAN) {
		shrink_cells(&no_shrink, cell);
		return filter_pending(filter, cell, SHRINK_CELLS);
	}
	return false;
}
