/*
 * The Limits view: pictures of a tree of builds on two kernels, full and
 * empty, against the texts in tests/tui/golden, and the facts that no
 * picture may lose.  MEMCGLAB_GOLDEN=write rewrites the pictures.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "overlay.h"
#include "pictures.h"
#include "rig.h"
#include "tree.h"

static const struct golden {
	const char *name;
	int w, h;
	enum canvas_glyphs glyphs;
	bool empty;
	unsigned form;
} goldens[] = {
	{ "limits-tree-80x24", 80, 24, GLYPHS_BRAILLE, false, 0 },
	{ "limits-tree-80x24-ascii", 80, 24, GLYPHS_ASCII, false, 0 },
	{ "limits-tree-80x24-plot", 80, 24, GLYPHS_BRAILLE, false, 1 },
	{ "limits-tree-80x24-taken", 80, 24, GLYPHS_BRAILLE, false, 2 },
	{ "limits-tree-80x24-parts", 80, 24, GLYPHS_BRAILLE, false, 3 },
	{ "limits-tree-100x40", 100, 40, GLYPHS_BLOCK, false, 0 },
	{ "limits-tree-160x48", 160, 48, GLYPHS_BRAILLE, false, 0 },
	{ "limits-tree-160x48-ascii", 160, 48, GLYPHS_ASCII, false, 0 },
	{ "limits-tree-240x60", 240, 60, GLYPHS_BLOCK, false, 0 },
	{ "limits-tree-50x16", 50, 16, GLYPHS_BLOCK, false, 0 },
	{ "limits-80x24-empty", 80, 24, GLYPHS_BRAILLE, true, 0 },
	{ "limits-160x48-empty", 160, 48, GLYPHS_ASCII, true, 0 },
};

static int open_tree(void **state)
{
	struct pictures *p = pictures_tree();

	tree_select(&p->model, run_memcg_find(p->run[0], "jobs/kbuild-04"));
	*state = p;
	return 0;
}

static char *draw(struct pictures *p, int w, int h, enum canvas_glyphs glyphs)
{
	return pictures_draw(p, VIEW_LIMITS, w, h, glyphs);
}

static void check_golden(struct pictures *p, const struct golden *g)
{
	char *got;

	p->model.tree.form = g->form;
	got = draw(p, g->w, g->h, g->glyphs);
	p->model.tree.form = 0;
	golden_picture(g->name, got, g->w, g->h);
}

static void every_picture_is_as_recorded(void **state)
{
	struct pictures *empty = pictures_empty();

	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++)
		check_golden(goldens[i].empty ? empty : *state, &goldens[i]);
	pictures_close(empty);
}

/* T16: all of it in one row, at the smallest size and at the largest. */
static void one_row_has_usage_limit_and_who_binds_first(void **state)
{
	char *text = draw(*state, 80, 24, GLYPHS_ASCII);

	pictures_must_say(text, ">   kbuild-04          3.40M   3.51M jobs ");
	pictures_must_say(text, "v jobs  !              49.9M     50M itself ");
	pictures_must_say(text, "jobs binds first (64K left)");
	pictures_must_say(text, "would fail at +64K in any child of jobs, at +112K here");
	free(text);
	text = draw(*state, 160, 48, GLYPHS_ASCII);
	pictures_must_say(text, "3.40M    3.51M   2.63M jobs ");
	free(text);
}

static void the_charge_path_and_the_walk_are_named(void **state)
{
	char *text = draw(*state, 160, 48, GLYPHS_ASCII);

	pictures_must_say(text, "charge path  kbuild-04 > jobs   2 counters");
	pictures_must_say(text,
			  "reclaim A    walks from jobs: last visited kbuild-09, next kbuild-10");
	pictures_must_say(text,
			  "reclaim B    walks from jobs: last visited kbuild-09, next kbuild-10");
	free(text);
}

static void the_parts_stand_beside_the_three_numbers(void **state)
{
	char *text = draw(*state, 80, 24, GLYPHS_ASCII);

	pictures_must_say(text, "usage 872p = rss 200 + cache 672 + kmem 0 + stock 0 + queued 0");
	pictures_must_say(text, "working set 200p   can be dropped 672p   usage 872p");
	pictures_must_say(text, "verdict: fits");
	free(text);
}

static void the_matrix_says_who_took_from_whom(void **state)
{
	struct pictures *p = *state;
	char *text;

	p->model.tree.form = 2;
	text = draw(p, 80, 24, GLYPHS_ASCII);
	p->model.tree.form = 0;
	pictures_must_say(text, "A who took pages from whom");
	pictures_must_say(text, "kbuild-04         1216        0");
	pictures_must_say(text, "largest shown; v_taken in sql has all");
	free(text);
}

static void the_plot_has_unit_range_and_the_meaning_of_a_column(void **state)
{
	char *text = draw(*state, 160, 48, GLYPHS_ASCII);

	pictures_must_say(text, "a column is 0.0172 s; min 864K, max 3.51M");
	pictures_must_say(text, "usage over time, jobs/kbuild-04");
	free(text);
}

static void c_shows_the_other_side_and_a_wide_screen_both(void **state)
{
	struct pictures *p = *state;
	char *text;

	p->model.show = 2;
	text = draw(p, 80, 24, GLYPHS_ASCII);
	p->model.show = 0;
	pictures_must_say(text, "cgroup (B)");
	assert_null(strstr(text, "cgroup (A)"));
	free(text);
	text = draw(p, 240, 60, GLYPHS_ASCII);
	pictures_must_say(text, "cgroup (A)");
	pictures_must_say(text, "cgroup (B)");
	free(text);
}

static void the_head_marks_the_column_and_the_filter(void **state)
{
	struct pictures *p = *state;
	char *text;

	p->model.tree.sort = TREE_FAIL;
	tree_sort(&p->model);
	text = draw(p, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "failv");
	free(text);
	p->model.tree.reverse = true;
	strcpy(p->model.filter, "fail>0");
	text = draw(p, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "fail^");
	pictures_must_say(text, "  /fail>0");
	pictures_must_say(text, "jobs/kbuild-04");
	assert_null(strstr(text, "kbuild-05  "));
	free(text);
	memset(&p->model.tree, 0, sizeof(p->model.tree));
	p->model.filter[0] = '\0';
	tree_select(&p->model, run_memcg_find(p->run[0], "jobs/kbuild-04"));
}

static void a_folded_row_says_how_many_it_hides(void **state)
{
	struct pictures *p = *state;
	uint32_t jobs = run_memcg_find(p->run[0], "jobs");
	char *text;

	tree_fold(&p->model.tree, jobs, true);
	text = draw(p, 80, 24, GLYPHS_ASCII);
	tree_fold(&p->model.tree, jobs, false);
	pictures_must_say(text, "> jobs (14)  !         49.9M     50M itself");
	pictures_must_say(text, "17 440"); /* failcnt of jobs and of the build with a limit */
	free(text);
}

static void a_long_name_loses_its_middle_and_a_deep_tree_keeps_its_names(void **state)
{
	struct pictures *p = pictures_empty();
	uint32_t up = RIG_ROOT;
	struct rig rig;
	char *text;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	rig_group(&rig, RIG_ROOT, "kubepods-burstable-pod0123456789abcdef.slice", 0);
	for (int depth = 1; depth <= 50; depth++)
		up = rig_group(&rig, up, "n", 0);
	model_side_init(&p->model.side[0], rig.run, 1, 10);
	tree_select(&p->model, up);
	text = draw(p, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "50   n");
	free(text);
	tree_select(&p->model, RIG_ROOT);
	text = draw(p, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "kubepods-~def.slice");
	free(text);
	rig_close(&rig);
	pictures_close(p);
}

static void five_hundred_random_sizes_and_states_are_filled_exactly(void **state)
{
	struct pictures *p = *state;
	unsigned seed = 20110912;

	for (int i = 0; i < 500; i++) {
		int draw_of[6], w, h;
		char *text;

		for (int k = 0; k < 6; k++) {
			seed = seed * 1103515245u + 12345u;
			draw_of[k] = (int)(seed >> 16 & 0x7fff);
		}
		w = 1 + draw_of[0] % 300;
		h = 1 + draw_of[1] % 100;
		p->model.show = draw_of[2] % 3;
		p->model.selected = draw_of[3] % 25;
		p->model.tree.form = (unsigned)draw_of[4];
		p->model.tree.focus = draw_of[5] % 3 ? 0 : 2;
		text = draw(p, w, h, (enum canvas_glyphs)(i % NR_GLYPHS));
		if (pictures_lines(text) != h || pictures_width(text) > w)
			fail_msg("draw %d: %dx%d", i, w, h);
		overlay_columns(&p->canvas, (size_t)(i % NR_TREE_COLUMNS));
		free(text);
	}
}

static void the_list_of_columns_names_each_with_its_meaning(void **state)
{
	struct pictures *p = *state;
	char *text;

	free(draw(p, 80, 24, GLYPHS_ASCII));
	overlay_columns(&p->canvas, TREE_FAIL);
	text = pictures_dump(&p->canvas, canvas_dump);
	for (size_t i = 0; i < NR_TREE_COLUMNS; i++) {
		pictures_must_say(text, tree_column_name(i));
		pictures_must_say(text, tree_column_doc(i));
	}
	pictures_must_say(text, ">fail ");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_picture_is_as_recorded),
		cmocka_unit_test(one_row_has_usage_limit_and_who_binds_first),
		cmocka_unit_test(the_charge_path_and_the_walk_are_named),
		cmocka_unit_test(the_parts_stand_beside_the_three_numbers),
		cmocka_unit_test(the_matrix_says_who_took_from_whom),
		cmocka_unit_test(the_plot_has_unit_range_and_the_meaning_of_a_column),
		cmocka_unit_test(c_shows_the_other_side_and_a_wide_screen_both),
		cmocka_unit_test(the_head_marks_the_column_and_the_filter),
		cmocka_unit_test(a_folded_row_says_how_many_it_hides),
		cmocka_unit_test(a_long_name_loses_its_middle_and_a_deep_tree_keeps_its_names),
		cmocka_unit_test(the_list_of_columns_names_each_with_its_meaning),
		cmocka_unit_test(five_hundred_random_sizes_and_states_are_filled_exactly),
	};

	return cmocka_run_group_tests(tests, open_tree, pictures_close_state);
}
