/*
 * The Dirty view: pictures of two groups that write, with dirty pages
 * counted and without, against the texts in tests/tui/golden, and the facts
 * that no picture may lose.  MEMCGLAB_GOLDEN=write rewrites them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dirty_state.h"
#include "golden.h"
#include "pictures.h"
#include "rig.h"
#include "rows.h"
#include "stat_counts.h"
#include "tree.h"

static const struct golden {
	const char *name;
	int w, h;
	enum canvas_glyphs glyphs;
	bool empty;
	unsigned form;
} goldens[] = {
	{ "dirty-full-80x24", 80, 24, GLYPHS_BRAILLE, false, 0 },
	{ "dirty-full-80x24-ascii", 80, 24, GLYPHS_ASCII, false, 0 },
	{ "dirty-full-80x24-rate", 80, 24, GLYPHS_BRAILLE, false, 1 },
	{ "dirty-full-100x40", 100, 40, GLYPHS_BLOCK, false, 0 },
	{ "dirty-full-160x48", 160, 48, GLYPHS_BRAILLE, false, 0 },
	{ "dirty-full-160x48-ascii", 160, 48, GLYPHS_ASCII, false, 1 },
	{ "dirty-full-50x16", 50, 16, GLYPHS_BLOCK, false, 0 },
	{ "dirty-80x24-empty", 80, 24, GLYPHS_BRAILLE, true, 0 },
	{ "dirty-160x48-empty", 160, 48, GLYPHS_ASCII, true, 0 },
};

static int open_dirty(void **state)
{
	*state = pictures_dirty();
	return 0;
}

static void every_picture_is_as_recorded(void **state)
{
	struct pictures *empty = pictures_empty();

	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++) {
		const struct golden *g = &goldens[i];
		struct pictures *p = g->empty ? empty : *state;
		char *got;

		pictures_begin(p);
		p->model.tree.form = g->form;
		got = pictures_draw(p, VIEW_DIRTY, g->w, g->h, g->glyphs);
		golden_picture(g->name, got, g->w, g->h);
	}
	pictures_close(empty);
}

/* 600 pages and 300: 2 400 K and 1 200 K, and their sum above them. */
static void figures_are_of_the_subtree(void **state)
{
	struct pictures *p = *state;
	struct run_dirty dirty;
	char *text;

	pictures_begin(p);
	run_dirty(p->run[0], 1, &dirty);
	assert_int_equal(dirty.dirty + dirty.writeback, 900);
	assert_true(dirty.limited && dirty.background * 2 <= dirty.limit + 1);
	text = pictures_draw(p, VIEW_DIRTY, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "v root                3 600 ");
	pictures_must_say(text, "v fio               3 600 ");
	pictures_must_say(text, "job0-3          2 400 ");
	pictures_must_say(text, "job4-7          1 200 ");
	free(text);
}

/* Only B's kernel counts, and pays for it: 900 pages, each once. */
static void the_side_that_counts_says_what_it_costs(void **state)
{
	struct pictures *p = *state;
	struct run_stat_counts counts;
	char *text;

	pictures_begin(p);
	run_stat_counts(p->run[1], &counts);
	assert_int_equal(counts.nr_brackets, 900);
	text = pictures_draw(p, VIEW_DIRTY, 160, 48, GLYPHS_ASCII);
	pictures_must_say(text, "B + counted for its group");
	pictures_must_say(text, "900 counted, 0 under a lock");
	assert_null(strstr(text, "A + counted"));
	pictures_must_say(text, "model only");
	p->model.show = 2;
	free(text);
	text = pictures_draw(p, VIEW_DIRTY, 160, 48, GLYPHS_ASCII);
	assert_null(strstr(text, "model only"));
	free(text);
}

/* The post's figures stand beside the model's with the labels of the check. */
static void the_post_is_compared_with_its_labels(void **state)
{
	struct pictures *p = *state;
	char *text;

	pictures_begin(p);
	text = pictures_draw(p, VIEW_DIRTY, 160, 48, GLYPHS_ASCII);
	pictures_must_say(
		text, " 334 678       325 219      -2.8 %       334 358       325 513      +0.1 % "
		      "implied");
	pictures_must_say(text, "predicted and inside its tolerance 2 of 2");
	pictures_must_say(text,
			  "lat_max_us                         26 203        17 224     -34.3 %"
			  "             -             -           - not modelled");
	free(text);
	snprintf(p->model.scenario, sizeof(p->model.scenario), "another");
	text = pictures_draw(p, VIEW_DIRTY, 160, 48, GLYPHS_ASCII);
	assert_null(strstr(text, "published"));
	free(text);
	snprintf(p->model.scenario, sizeof(p->model.scenario), "dirty-stat-2012");
}

static void rows_are_sorted_folded_and_filtered(void **state)
{
	struct pictures *p = *state;
	struct tree tree;
	char *text;

	pictures_begin(p);
	assert_int_equal(rows_count(&p->model, VIEW_DIRTY), 5);
	p->model.tree.sort = TREE_DIRTY;
	p->model.tree.reverse = true;
	tree_sort(&p->model);
	tree_open(&p->model, 0, &tree);
	assert_string_equal(tree.row[1].name, "system");
	assert_string_equal(tree.row[3].name, "job4-7");
	tree_close(&tree);
	snprintf(p->model.filter, sizeof(p->model.filter), "dirty>500");
	assert_int_equal(rows_count(&p->model, VIEW_DIRTY), 3);
	assert_int_equal(rows_filter_check(VIEW_DIRTY, p->model.filter, NULL), ERR_OK);
	text = pictures_draw(p, VIEW_DIRTY, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "/dirty>500");
	free(text);
	assert_int_equal(action_for_key(VIEW_DIRTY, "s"), ACT_SORT);
	assert_int_equal(action_for_key(VIEW_DIRTY, "v"), ACT_FORM);
	assert_int_equal(action_for_key(VIEW_DIRTY, "Space"), ACT_PLAY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_picture_is_as_recorded),
		cmocka_unit_test(figures_are_of_the_subtree),
		cmocka_unit_test(the_side_that_counts_says_what_it_costs),
		cmocka_unit_test(the_post_is_compared_with_its_labels),
		cmocka_unit_test(rows_are_sorted_folded_and_filtered),
	};

	return cmocka_run_group_tests(tests, open_dirty, pictures_close_state);
}
