/*
 * The rows of the tree of groups: order, depth, folds with the sums of what
 * they hide, focus, filter, sorting that holds still; and the history that
 * rates are taken from.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "rig.h"
#include "rows.h"
#include "tree.h"

/* Groups of a small machine: jobs (a, b) is hierarchical, plain (c) is not. */
struct forest {
	struct rig rig;
	struct model *model;
	struct history history;
	uint32_t jobs, a, b, plain, c;
};

static void open_forest(struct forest *f)
{
	memset(f, 0, sizeof(*f));
	rig_open(&f->rig, "v3.1", 1);
	f->model = calloc(1, sizeof(*f->model));
	assert_non_null(f->model);
	f->jobs = rig_hierarchy(&f->rig, RIG_ROOT, "jobs", 1000);
	f->a = rig_group(&f->rig, f->jobs, "a", 300);
	f->b = rig_group(&f->rig, f->jobs, "b", 0);
	f->plain = rig_group(&f->rig, RIG_ROOT, "plain", 500);
	f->c = rig_group(&f->rig, f->plain, "c", 400);
	model_side_init(&f->model->side[0], f->rig.run, 1, 100);
	f->model->side[0].history = &f->history;
	assert_int_equal(history_take(&f->history, f->rig.run, NULL), ERR_OK);
}

static void close_forest(struct forest *f)
{
	history_fini(&f->history);
	free(f->model);
	rig_close(&f->rig);
}

static void grow(struct forest *f, uint32_t group, pages_t pages)
{
	uint32_t task = rig_task(&f->rig, group, 0);

	rig_read(&f->rig, task, rig_file(&f->rig, pages), 0, pages);
}

/* The rows as "name:depth ...", a folded one with + and how many it hides. */
static void shows(struct forest *f, const char *wanted)
{
	struct tree tree;
	char got[1024] = "";

	tree_open(f->model, 0, &tree);
	for (size_t i = 0; i < tree.nr; i++) {
		size_t n = strlen(got);

		snprintf(got + n, sizeof(got) - n, "%s%s:%d", i ? " " : "", tree.row[i].name,
			 tree.row[i].depth);
		n = strlen(got);
		if (tree.row[i].folded)
			snprintf(got + n, sizeof(got) - n, "+%u", tree.row[i].hidden);
	}
	assert_int_equal(rows_count(f->model, VIEW_LIMITS), tree.nr);
	tree_close(&tree);
	assert_string_equal(got, wanted);
}

/* The row of a group, which must be shown. */
static struct tree_row row_of(struct forest *f, uint32_t id)
{
	struct tree_row row = { .id = 0 };
	struct tree tree;

	tree_open(f->model, 0, &tree);
	for (size_t i = 0; i < tree.nr; i++)
		if (tree.row[i].id == id)
			row = tree.row[i];
	tree_close(&tree);
	assert_int_equal(row.id, id);
	return row;
}

static void children_follow_their_parent_in_the_order_of_making(void **state)
{
	struct forest f;

	(void)state;
	open_forest(&f);
	shows(&f, "root:0 jobs:1 a:2 b:2 plain:1 c:2");
	close_forest(&f);
}

static void a_folded_row_shows_the_sum_of_what_it_hides(void **state)
{
	struct tree_row jobs, plain;
	struct forest f;

	(void)state;
	open_forest(&f);
	grow(&f, f.a, 350);
	grow(&f, f.b, 100);
	grow(&f, f.plain, 50);
	grow(&f, f.c, 420);
	jobs = row_of(&f, f.jobs);
	plain = row_of(&f, f.plain);
	assert_int_equal(jobs.failcnt, 0);
	tree_fold(&f.model->tree, f.jobs, true);
	tree_fold(&f.model->tree, f.plain, true);
	shows(&f, "root:0 jobs:1+2 plain:1+1");
	/* A hierarchy has counted its children already; without one they are added. */
	assert_int_equal(row_of(&f, f.jobs).usage, jobs.usage);
	assert_int_equal(row_of(&f, f.plain).usage, plain.usage + rig_memcg(&f.rig, f.c).usage);
	assert_true(rig_memcg(&f.rig, f.a).failcnt > 0);
	assert_int_equal(row_of(&f, f.jobs).failcnt, rig_memcg(&f.rig, f.a).failcnt);
	tree_fold(&f.model->tree, RIG_ROOT, true);
	shows(&f, "root:0+5");
	assert_int_equal(row_of(&f, RIG_ROOT).usage,
			 jobs.usage + plain.usage + rig_memcg(&f.rig, f.c).usage);
	tree_fold(&f.model->tree, RIG_ROOT, false);
	tree_fold(&f.model->tree, f.jobs, false);
	shows(&f, "root:0 jobs:1 a:2 b:2 plain:1+1");
	close_forest(&f);
}

static void a_focus_leaves_one_subtree(void **state)
{
	struct forest f;

	(void)state;
	open_forest(&f);
	f.model->tree.focus = f.jobs;
	shows(&f, "jobs:0 a:1 b:1");
	f.model->tree.focus = 999; /* no such group at this step */
	shows(&f, "root:0 jobs:1 a:2 b:2 plain:1 c:2");
	close_forest(&f);
}

static void a_filter_shows_matching_groups_with_their_paths_folded_or_not(void **state)
{
	struct forest f;
	struct diag diag;

	(void)state;
	open_forest(&f);
	grow(&f, f.a, 350);
	tree_fold(&f.model->tree, f.jobs, true);
	strcpy(f.model->filter, "fail>0");
	shows(&f, "jobs/a:0");
	strcpy(f.model->filter, "jobs limit<2000");
	shows(&f, "jobs:0 jobs/a:0");
	strcpy(f.model->filter, "group:plain/");
	shows(&f, "plain/c:0");
	strcpy(f.model->filter, "oom>0");
	shows(&f, "");
	assert_int_equal(tree_selected(f.model), 0);
	assert_int_equal(rows_filter_check(VIEW_LIMITS, "fail>0 usage<10 left<3", &diag), ERR_OK);
	assert_int_equal(rows_filter_check(VIEW_LIMITS, "fial>0", &diag), ERR_NAME);
	assert_non_null(strstr(diag.text, "\"fail\""));
	close_forest(&f);
}

static void sorting_is_among_siblings_and_turns_round(void **state)
{
	enum tree_column column;
	struct forest f;

	(void)state;
	open_forest(&f);
	grow(&f, f.b, 200);
	grow(&f, f.a, 100);
	grow(&f, f.plain, 450);
	assert_true(tree_column_find("usage", &f.model->tree.sort));
	tree_sort(f.model);
	shows(&f, "root:0 plain:1 c:2 jobs:1 b:2 a:2");
	f.model->tree.reverse = true;
	tree_sort(f.model);
	shows(&f, "root:0 jobs:1 a:2 b:2 plain:1 c:2");
	f.model->tree.reverse = false;
	f.model->tree.sort = TREE_GROUP;
	tree_sort(f.model);
	shows(&f, "root:0 jobs:1 a:2 b:2 plain:1 c:2");
	f.model->tree.sort = TREE_LEFT; /* most room first; c has 400 left, plain 50 */
	tree_sort(f.model);
	shows(&f, "root:0 jobs:1 b:2 a:2 plain:1 c:2");
	assert_false(tree_column_find("usag", &column));
	close_forest(&f);
}

static void rows_hold_still_until_they_are_sorted_again(void **state)
{
	struct forest f;

	(void)state;
	open_forest(&f);
	f.model->tree.sort = TREE_USAGE;
	grow(&f, f.b, 50);
	tree_sort(f.model);
	shows(&f, "root:0 jobs:1 b:2 a:2 plain:1 c:2");
	grow(&f, f.a, 200);
	rig_group(&f.rig, f.jobs, "new", 0);
	shows(&f, "root:0 jobs:1 b:2 a:2 new:2 plain:1 c:2");
	tree_sort(f.model);
	shows(&f, "root:0 jobs:1 a:2 b:2 new:2 plain:1 c:2");
	close_forest(&f);
}

static void the_selection_stays_on_its_group(void **state)
{
	struct forest f;

	(void)state;
	open_forest(&f);
	grow(&f, f.b, 200);
	tree_select(f.model, f.a);
	assert_int_equal(f.model->selected, 2);
	f.model->tree.sort = TREE_USAGE;
	tree_sort(f.model);
	assert_int_equal(f.model->selected, 3);
	assert_int_equal(tree_selected(f.model), f.a);
	/* A hidden group is found at the one that hides it. */
	tree_fold(&f.model->tree, f.jobs, true);
	tree_select(f.model, f.a);
	assert_int_equal(tree_selected(f.model), f.jobs);
	f.model->selected = 1000;
	assert_int_equal(tree_selected(f.model), f.c);
	close_forest(&f);
}

static void a_side_without_a_run_has_no_rows(void **state)
{
	struct model *model = calloc(1, sizeof(*model));

	(void)state;
	assert_non_null(model);
	assert_int_equal(tree_rows(model), 0);
	assert_int_equal(tree_selected(model), 0);
	tree_select(model, 7);
	tree_sort(model);
	assert_int_equal(model->selected, 0);
	free(model);
}

/* ---- rates and history ---- */

static void rates_are_pages_of_the_subtree_over_the_time_since_the_base(void **state)
{
	struct forest f;
	double seconds;
	uint64_t pages;

	(void)state;
	open_forest(&f);
	assert_false(row_of(&f, f.jobs).has_rates);
	grow(&f, f.a, 400);
	assert_true(row_of(&f, f.jobs).has_rates);
	seconds = (double)run_now(f.rig.run) / 1e9;
	pages = rig_memcg(&f.rig, f.a).nr_charged;
	assert_int_equal(row_of(&f, f.jobs).charge_rate, (uint64_t)((double)pages / seconds + 0.5));
	pages = rig_memcg(&f.rig, f.a).nr_reclaimed;
	assert_true(pages > 0);
	assert_int_equal(row_of(&f, f.a).reclaim_rate, (uint64_t)((double)pages / seconds + 0.5));
	assert_int_equal(row_of(&f, f.plain).reclaim_rate, 0);
	/* Only what came after the base counts. */
	assert_int_equal(history_take(&f.history, f.rig.run, NULL), ERR_OK);
	grow(&f, f.c, 10);
	assert_int_equal(history_take(&f.history, f.rig.run, NULL), ERR_OK);
	assert_int_equal(row_of(&f, f.a).charge_rate, 0);
	assert_true(row_of(&f, f.c).charge_rate > 0);
	close_forest(&f);
}

static void a_history_keeps_moments_in_order_and_no_more_than_it_can(void **state)
{
	struct forest f;
	struct history_point point;
	uint32_t task, file;

	(void)state;
	open_forest(&f);
	assert_int_equal(history_take(&f.history, f.rig.run, NULL), ERR_OK);
	assert_int_equal(f.history.nr, 1); /* no step since: not a new moment */
	task = rig_task(&f.rig, f.b, 0);
	file = rig_file(&f.rig, 1000);
	for (pages_t i = 0; i < 300; i++) {
		rig_read(&f.rig, task, file, i, 1);
		assert_int_equal(history_take(&f.history, f.rig.run, NULL), ERR_OK);
	}
	assert_int_equal(f.history.nr, HISTORY_MOMENTS);
	point = history_at(&f.history, 100, f.b);
	assert_true(point.there && point.usage >= 100 && point.usage <= 132);
	assert_int_equal(point.limit, PAGES_UNLIMITED);
	assert_int_equal(history_at(&f.history, 0, f.b).usage, 0);
	assert_false(history_at(&f.history, HISTORY_MOMENTS, f.b).there);
	assert_false(history_at(&f.history, 0, 4000).there);
	assert_int_equal(history_before(&f.history, f.history.t_ns[70]), 70);
	assert_int_equal(history_before(&f.history, f.history.t_ns[70] - 1), 69);
	assert_int_equal(history_before(&f.history, 0), 0);
	assert_int_equal(history_before(NULL, 5), 0);
	close_forest(&f);
}

static void a_history_knows_groups_that_came_later(void **state)
{
	struct forest f;
	uint32_t late;

	(void)state;
	open_forest(&f);
	late = rig_group(&f.rig, RIG_ROOT, "late", 77);
	assert_int_equal(history_take(&f.history, f.rig.run, NULL), ERR_OK);
	assert_false(history_at(&f.history, 0, late).there);
	assert_true(history_at(&f.history, 1, late).there);
	assert_int_equal(history_at(&f.history, 1, late).limit, 77);
	close_forest(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_follow_their_parent_in_the_order_of_making),
		cmocka_unit_test(a_folded_row_shows_the_sum_of_what_it_hides),
		cmocka_unit_test(a_focus_leaves_one_subtree),
		cmocka_unit_test(a_filter_shows_matching_groups_with_their_paths_folded_or_not),
		cmocka_unit_test(sorting_is_among_siblings_and_turns_round),
		cmocka_unit_test(rows_hold_still_until_they_are_sorted_again),
		cmocka_unit_test(the_selection_stays_on_its_group),
		cmocka_unit_test(a_side_without_a_run_has_no_rows),
		cmocka_unit_test(rates_are_pages_of_the_subtree_over_the_time_since_the_base),
		cmocka_unit_test(a_history_keeps_moments_in_order_and_no_more_than_it_can),
		cmocka_unit_test(a_history_knows_groups_that_came_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
