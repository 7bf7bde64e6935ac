/*
 * A against B in the Runs view: pictures against the texts in
 * tests/tui/golden, and the words that none may lose.  The comparison is
 * made by hand, its verdicts are not.  MEMCGLAB_GOLDEN=write rewrites them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "golden.h"
#include "pictures.h"
#include "rig.h"

enum { SEEDS = 10, METRICS = 6, PARAMS = 3 };

static double figures[METRICS][2][SEEDS] = {
	{ { 5.333, 5.333, 5.333, 5.333, 5.333, 5.333, 5.333, 5.333, 5.333, 5.333 },
	  { 1.524, 1.524, 1.524, 1.524, 1.524, 1.524, 1.524, 1.524, 1.524, 1.524 } },
	{ { 81920, 81920, 81920, 81920, 81920, 81920, 81920, 81920, 81920, 81920 },
	  { 81984, 81920, 81952, 81984, 81921, 81940, 81990, 81925, 81936, 81968 } },
	{ { 2560, 2560, 2562, 2559, 2560, 2561, 2560, 2558, 2560, 2560 },
	  { 2561, 2560, 2562, 2560, 2561, 2563, 2560, 2559, 2562, 2562 } },
	{ { 12345678901, 12345678901, 12345678901, 12345678901, 12345678901, 12345678901,
	    12345678901, 12345678901, 12345678901, 12345678901 },
	  { 12345678902, 12345678902, 12345678902, 12345678902, 12345678902, 12345678902,
	    12345678902, 12345678902, 12345678902, 12345678902 } },
	{ { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 }, { 7, 7, 7, 7, 7, 7, 7, 7, 7, 7 } },
	{ { 1.21, 1.24, 1.18, 1.2, 1.22, 1.25, 1.19, 1.21, 1.2, 1.2 },
	  { 1.12, 1.14, 1.1, 1.11, 1.13, 1.1, 1.12, 1.13, 1.12, 1.13 } },
};
static int64_t ids[2][SEEDS];
static uint64_t seeds[SEEDS];
static struct compare_metric metrics[METRICS] = {
	{ .name = "over_scan", .unit = "x" }, { .name = "nr_scanned", .unit = "pages" },
	{ .name = "shrink_calls", .unit = "calls" }, { .name = "sim_ns", .unit = "ns" },
	{ .name = "oom_kills" }, { .name = "wall", .unit = "s", .host = true },
};
static struct compare_param params[PARAMS] = {
	{ "scenario", { "cat-in-100m", "cat-in-100m" }, true },
	{ "kernel", { "v2.6.31", "v2.6.31+scan_batch=reclaim_stat" }, false },
	{ "limit", { "104857600", "104857600" }, true },
};
static char note[] = "first batched baseline", file[] = "scenarios/cat-in-100m.lua", none[] = "";

static void side_fill(struct compare_side *side, int64_t id, const char *alias, size_t nr)
{
	*side = (struct compare_side){
		.run = { .id = id, .version = "0.4.0", .state = RUN_DONE, .file = file },
		.nr = nr,
		.id = ids[id == 53],
		.seed = seeds,
		.model = 12,
		.libraries = none,
	};
	snprintf(side->run.alias, sizeof(side->run.alias), "%s", alias);
	if (id == 53)
		side->run.note = note;
}

/* @nr seeds on each side.  It borrows all that it holds. */
static void compare_fill(struct compare *compare, size_t nr)
{
	*compare = (struct compare){
		.alpha = COMPARE_ALPHA, .comparable = true, .param = params, .nr_params = PARAMS,
		.nr_params_equal = PARAMS - 1, .metric = metrics, .nr_metrics = METRICS,
		.nr_same_seeds = nr,
	};
	for (size_t i = 0; i < SEEDS; i++)
		seeds[i] = i + 1;
	side_fill(&compare->side[0], 52, "unbatched", nr);
	side_fill(&compare->side[1], 53, "batched", nr);
	for (size_t i = 0; i < METRICS; i++) {
		struct compare_metric fresh = { .value = { figures[i][0], figures[i][1] },
						.host = metrics[i].host };

		memcpy(fresh.name, metrics[i].name, sizeof(fresh.name));
		memcpy(fresh.unit, metrics[i].unit, sizeof(fresh.unit));
		metrics[i] = fresh;
	}
	assert_int_equal(compare_judge(compare, NULL), ERR_OK);
}

static const struct golden {
	const char *name;
	int w, h;
	enum canvas_glyphs glyphs;
	size_t seeds;
	bool comparable;
	struct compare_state state;
} goldens[] = {
	{ "runs-compare-80x24", 80, 24, GLYPHS_BRAILLE, 10, true, { false, false } },
	{ "runs-compare-80x24-p", 80, 24, GLYPHS_BRAILLE, 10, true, { false, true } },
	{ "runs-compare-80x24-all-ascii", 80, 24, GLYPHS_ASCII, 10, true, { true, false } },
	{ "runs-compare-80x24-few", 80, 24, GLYPHS_BRAILLE, 8, false, { false, false } },
	{ "runs-compare-160x48", 160, 48, GLYPHS_BRAILLE, 10, true, { false, false } },
	{ "runs-compare-160x48-ascii", 160, 48, GLYPHS_ASCII, 1, true, { true, false } },
	{ "runs-compare-50x16", 50, 16, GLYPHS_BLOCK, 10, true, { false, false } },
};

static char *draw(struct pictures *p, const struct compare *compare, int w, int h)
{
	pictures_begin(p);
	p->model.compare = compare;
	return pictures_draw(p, VIEW_RUNS, w, h, GLYPHS_BRAILLE);
}

static int open_full(void **state)
{
	*state = pictures_full(4);
	return 0;
}

static void every_picture_is_as_recorded(void **state)
{
	struct pictures *p = *state;
	struct compare compare;

	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++) {
		const struct golden *g = &goldens[i];

		compare_fill(&compare, g->seeds);
		compare.comparable = g->comparable;
		pictures_begin(p);
		p->model.compare = &compare;
		p->model.compare_state = g->state;
		golden_picture(g->name, pictures_draw(p, VIEW_RUNS, g->w, g->h, g->glyphs), g->w,
			       g->h);
	}
	p->model.compare = NULL;
	p->model.compare_state = (struct compare_state){ false, false };
}

static void equal_metrics_are_hidden_until_they_are_asked_for(void **state)
{
	struct pictures *p = *state;
	struct compare compare;
	char *text;

	compare_fill(&compare, SEEDS);
	text = draw(p, &compare, 160, 48);
	pictures_must_say(text, "diff only: 5 of 6 metrics, 1 of 3 parameters");
	pictures_must_say(text, "1 equal metrics and 2 equal parameters are hidden");
	assert_null(strstr(text, "oom_kills"));
	free(text);
	p->model.compare_state.all = true;
	text = draw(p, &compare, 160, 48);
	pictures_must_say(text, "oom_kills");
	free(text);
	p->model.compare_state.all = false;
}

static void verdicts_stand_whole_whatever_the_width(void **state)
{
	static const int sizes[][2] = { { 80, 24 }, { 100, 30 }, { 160, 48 }, { 50, 30 } };
	struct pictures *p = *state;
	struct compare compare;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char *text;

		compare_fill(&compare, SEEDS);
		text = draw(p, &compare, sizes[i][0], sizes[i][1]);
		pictures_must_say(text, "B lower ");
		pictures_must_say(text, "B higher ");
		pictures_must_say(text, "unclear ");
		pictures_must_say(text, "host time ");
		free(text);
		compare_fill(&compare, 3);
		text = draw(p, &compare, sizes[i][0], sizes[i][1]);
		pictures_must_say(text, " too few seeds ");
		assert_null(strstr(text, "e-0"));
		free(text);
	}
}

/* The scenarios come back when the selection leaves the runs. */
static void scenarios_are_below_the_last_run(void **state)
{
	struct pictures *p = *state;
	struct compare compare;
	char *text;

	compare_fill(&compare, SEEDS);
	text = draw(p, &compare, 80, 24);
	assert_null(strstr(text, "Enter runs one"));
	free(text);
	pictures_begin(p);
	p->model.compare = &compare;
	p->model.selected = 4;
	text = pictures_draw(p, VIEW_RUNS, 80, 24, GLYPHS_BRAILLE);
	pictures_must_say(text, "Enter runs one");
	free(text);
	p->model.compare = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_picture_is_as_recorded),
		cmocka_unit_test(equal_metrics_are_hidden_until_they_are_asked_for),
		cmocka_unit_test(verdicts_stand_whole_whatever_the_width),
		cmocka_unit_test(scenarios_are_below_the_last_run),
	};

	return cmocka_run_group_tests(tests, open_full, pictures_close_state);
}
