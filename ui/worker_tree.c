/*
 * What keys do to the tree of groups: fold, focus, sort, choose a pane.  The
 * selection stays on its group whatever happens to the rows around it.
 *
 * Rows keep their place while the user looks: they are sorted when that is
 * asked for, and while a run plays at most twice a second.
 */
#include <stdio.h>
#include <string.h>

#include "group.h"
#include "lock_rows.h"
#include "tree.h"
#include "worker_acts.h"

enum { SORT_MS = 500 };

/* The run of the side whose tree is acted on. */
static const struct run *acted_run(const struct lab_process *p)
{
	return p->model.side[p->model.has_b && p->model.show == 2].run;
}

void worker_tree_begin(struct lab_process *p)
{
	if (!view_has_tree(p->view) || !acted_run(p))
		return;
	tree_select(&p->model, verdict_group(acted_run(p)));
}

/* Hides what is below; of a group with nothing to hide, the one above is selected. */
static void act_fold(struct lab_process *p, const char *text)
{
	struct tree_state *state = &p->model.tree;
	uint32_t id = tree_selected(&p->model);
	size_t rows = tree_rows(&p->model);
	struct run_memcg m;

	(void)text;
	if (!id || p->model.filter[0])
		return;
	if (!tree_is_folded(state, id)) {
		tree_fold(state, id, true);
		if (tree_rows(&p->model) < rows)
			return;
		tree_fold(state, id, false);
	}
	if (id != state->focus && run_memcg(acted_run(p), id, &m) && m.parent)
		tree_select(&p->model, m.parent);
}

static void act_unfold(struct lab_process *p, const char *text)
{
	(void)text;
	tree_fold(&p->model.tree, tree_selected(&p->model), false);
}

static void act_unfold_all(struct lab_process *p, const char *text)
{
	uint32_t id = tree_selected(&p->model);

	(void)text;
	memset(p->model.tree.fold, 0, sizeof(p->model.tree.fold));
	tree_select(&p->model, id);
}

/* The selected group becomes the top of the tree, unfolded and without a filter. */
static void act_focus(struct lab_process *p, const char *text)
{
	uint32_t id = tree_selected(&p->model);

	(void)text;
	p->model.filter[0] = '\0';
	p->model.tree.focus = id;
	tree_fold(&p->model.tree, id, false);
	tree_select(&p->model, id);
}

static void act_unfocus(struct lab_process *p, const char *text)
{
	uint32_t id = tree_selected(&p->model);

	(void)text;
	p->model.tree.focus = 0;
	tree_select(&p->model, id);
}

/* The column by its name; the one that is sorted by already turns round. */
static void act_sort(struct lab_process *p, const char *text)
{
	struct tree_state *state = &p->model.tree;
	enum tree_column column;

	if (!tree_column_find(text, &column)) {
		snprintf(p->model.message, sizeof(p->model.message),
			 "sort: no column \"%.60s\"; s lists them", text);
		return;
	}
	state->reverse = column == state->sort && !state->reverse;
	state->sort = column;
	tree_sort(&p->model);
}

static void act_reverse(struct lab_process *p, const char *text)
{
	(void)text;
	p->model.tree.reverse = !p->model.tree.reverse;
	tree_sort(&p->model);
}

static void act_form(struct lab_process *p, const char *text)
{
	(void)text;
	p->model.tree.form++;
}

/* The group by name, or the next one; from the tree of groups the selected one. */
void worker_group_act(struct lab_process *p, enum action action, const char *text)
{
	struct model *model = &p->model;
	uint32_t id = view_has_tree(p->view) ? tree_selected(model) : 0;
	struct run_memcg m;
	struct diag diag;

	if (!acted_run(p)) {
		snprintf(model->message, sizeof(model->message),
			 "no run is open: 7 lists runs and scenarios, Enter opens one");
		return;
	}
	if (text[0] && group_choose(model, text, &diag) != ERR_OK) {
		snprintf(model->message, sizeof(model->message), "%.200s", diag.text);
		return;
	}
	if (!text[0] && id && run_memcg(acted_run(p), id, &m))
		group_choose(model, m.path, NULL);
	else if (!text[0])
		group_step(model, action == ACT_GROUP ? 1 : -1);
	if (view_has_tree(p->view))
		tree_select(model, group_id(model, model->has_b && model->show == 2));
	/* Rows of another group: the selection begins at its newest. */
	if (p->view == VIEW_SCAN)
		model->selected = 0;
	snprintf(model->message, sizeof(model->message), "group %.100s: 1 its lists, 4 its calls",
		 group_name(model));
}

static const struct {
	enum action action;
	void (*act)(struct lab_process *p, const char *text);
} acts[] = {
	{ ACT_FOLD, act_fold },
	{ ACT_UNFOLD, act_unfold },
	{ ACT_UNFOLD_ALL, act_unfold_all },
	{ ACT_FOCUS, act_focus },
	{ ACT_CLEAR, act_unfocus },
	{ ACT_SORT, act_sort },
	{ ACT_REVERSE, act_reverse },
	{ ACT_FORM, act_form },
};

void worker_tree_act(struct lab_process *p, enum action action, const char *text)
{
	if (!acted_run(p))
		return;
	if (p->view == VIEW_LOCKS) {
		lock_rows_act(&p->model, action);
		return;
	}
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++)
		if (acts[i].action == action)
			acts[i].act(p, text);
}

void worker_tree_played(struct lab_process *p, uint64_t now_ms)
{
	if (!view_has_tree(p->view) || p->model.tree.sort == TREE_MADE || p->model.filter[0] ||
	    now_ms - p->sorted_ms < SORT_MS)
		return;
	p->sorted_ms = now_ms;
	tree_sort(&p->model);
}

/* In Runs alone: elsewhere v is the key of the view's own pane. */
void worker_compare_act(struct lab_process *p, enum action action, const char *text)
{
	struct compare_state *state = &p->model.compare_state;

	if (p->view != VIEW_RUNS)
		worker_tree_act(p, action, text);
	else if (!p->model.compare)
		snprintf(p->model.message, sizeof(p->model.message),
			 "nothing is compared: a and b choose two runs");
	else if (action == ACT_FORM)
		state->p = !state->p;
	else
		state->all = !state->all;
}
