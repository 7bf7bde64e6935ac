/*
 * Pictures of each view, full and empty, at both sizes of the mock-ups,
 * against the texts in tests/tui/golden.  MEMCGLAB_GOLDEN=write rewrites
 * them; the difference is then reviewed.  Facts that no picture may lose are
 * tested by themselves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "pictures.h"
#include "rig.h"

struct golden {
	const char *name;
	enum view_id view;
	int w, h;
	bool full;
	enum canvas_glyphs glyphs;
};

static const struct golden goldens[] = {
	{ "lru-80x24", VIEW_LRU, 80, 24, true, GLYPHS_BRAILLE },
	{ "lru-80x24-ascii", VIEW_LRU, 80, 24, true, GLYPHS_ASCII },
	{ "lru-80x24-empty", VIEW_LRU, 80, 24, false, GLYPHS_BRAILLE },
	{ "lru-160x48", VIEW_LRU, 160, 48, true, GLYPHS_BRAILLE },
	{ "lru-160x48-empty", VIEW_LRU, 160, 48, false, GLYPHS_ASCII },
	{ "lru-50x16", VIEW_LRU, 50, 16, true, GLYPHS_BLOCK },
	{ "scan-80x24", VIEW_SCAN, 80, 24, true, GLYPHS_BRAILLE },
	{ "scan-80x24-ascii", VIEW_SCAN, 80, 24, true, GLYPHS_ASCII },
	{ "scan-80x24-empty", VIEW_SCAN, 80, 24, false, GLYPHS_BRAILLE },
	{ "scan-160x48", VIEW_SCAN, 160, 48, true, GLYPHS_BRAILLE },
	{ "scan-160x48-empty", VIEW_SCAN, 160, 48, false, GLYPHS_ASCII },
	{ "scan-50x16", VIEW_SCAN, 50, 16, true, GLYPHS_BLOCK },
	{ "pagecg-80x24", VIEW_PAGECG, 80, 24, true, GLYPHS_BRAILLE },
	{ "pagecg-80x24-ascii", VIEW_PAGECG, 80, 24, true, GLYPHS_ASCII },
	{ "pagecg-80x24-empty", VIEW_PAGECG, 80, 24, false, GLYPHS_BRAILLE },
	{ "pagecg-160x48", VIEW_PAGECG, 160, 48, true, GLYPHS_BRAILLE },
	{ "pagecg-160x48-empty", VIEW_PAGECG, 160, 48, false, GLYPHS_ASCII },
	{ "pagecg-50x16", VIEW_PAGECG, 50, 16, true, GLYPHS_BLOCK },
	{ "runs-80x24", VIEW_RUNS, 80, 24, true, GLYPHS_BRAILLE },
	{ "runs-80x24-ascii", VIEW_RUNS, 80, 24, true, GLYPHS_ASCII },
	{ "runs-80x24-empty", VIEW_RUNS, 80, 24, false, GLYPHS_BRAILLE },
	{ "runs-160x48", VIEW_RUNS, 160, 48, true, GLYPHS_BRAILLE },
	{ "runs-160x48-empty", VIEW_RUNS, 160, 48, false, GLYPHS_ASCII },
	{ "runs-50x16", VIEW_RUNS, 50, 16, true, GLYPHS_BLOCK },
	{ "limits-80x24", VIEW_LIMITS, 80, 24, true, GLYPHS_BRAILLE },
	{ "locks-80x24", VIEW_LOCKS, 80, 24, true, GLYPHS_BRAILLE },
	{ "dirty-80x24", VIEW_DIRTY, 80, 24, true, GLYPHS_BRAILLE },
};

static const struct {
	int w, h;
} sizes[] = { { 80, 24 }, { 160, 48 } };

/* One real run of each kernel serves all tests: drawing changes nothing. */
struct both {
	struct pictures *full, *empty;
};

static int open_both(void **state)
{
	struct both *both = calloc(1, sizeof(*both));

	assert_non_null(both);
	both->full = pictures_full(4);
	both->empty = pictures_empty();
	*state = both;
	return 0;
}

static int close_both(void **state)
{
	struct both *both = *state;

	pictures_close(both->full);
	pictures_close(both->empty);
	free(both);
	return 0;
}

static void every_view_looks_as_recorded(void **state)
{
	struct both *both = *state;

	for (size_t i = 0; i < sizeof(goldens) / sizeof(goldens[0]); i++) {
		const struct golden *g = &goldens[i];
		struct pictures *p = g->full ? both->full : both->empty;

		golden_picture(g->name, pictures_draw(p, g->view, g->w, g->h, g->glyphs), g->w,
			       g->h);
	}
}

static void lru_names_its_lists_at_both_sizes(void **state)
{
	struct both *both = *state;

	for (size_t i = 0; i < 2; i++) {
		char *text =
			pictures_draw(both->full, VIEW_LRU, sizes[i].w, sizes[i].h, GLYPHS_ASCII);

		pictures_must_say(text, i == 0 ? "inact_file" : "inactive_file");
		pictures_must_say(text, "A unbatched  jobs/cat");
		pictures_must_say(text, "B batched  jobs/cat");
		pictures_must_say(text, "25 597p  99%");
		free(text);
	}
}

static void lru_explains_the_last_reclaim_of_each_side(void **state)
{
	struct both *both = *state;
	char *text = pictures_draw(both->full, VIEW_LRU, 80, 24, GLYPHS_ASCII);

	pictures_must_say(text, "25 535 >> 12 = 6  [S1 scan_direct]");
	pictures_must_say(text, "25 531 >> 12, 11, 10 = 6+12+24 = 42 saved, then run  [S2]");
	pictures_must_say(text, "asked 32+10, isolated 32+32, freed 32+32");
	pictures_must_say(text, "+ 1 > limit 25 600");
	free(text);
}

static void scan_shows_the_published_pattern_and_its_sums(void **state)
{
	struct both *both = *state;
	char *text = pictures_draw(both->full, VIEW_SCAN, 80, 24, GLYPHS_ASCII);

	pictures_must_say(text, "25535   12   6  32  32 5.3");
	pictures_must_say(text, "25531   10  32  32  32 1.0");
	pictures_must_say(text, "25507   10  10  32  32 3.2");
	pictures_must_say(text, "last 6 calls: asked 36, scanned 192");
	pictures_must_say(text, "last 6 calls: asked 126, scanned 192");
	pictures_must_say(text, "over-scan 5.33x   publ. 30/6 = 5");
	pictures_must_say(text, "over-scan 1.52x   publ. 64/42 = 1.5");
	free(text);
}

static void published_figures_stand_only_beside_what_they_are_about(void **state)
{
	struct both *both = *state;
	struct model *model = &both->full->model;
	char kernel[ERA_NAME_MAX];
	char *text;

	snprintf(model->scenario, sizeof(model->scenario), "two-siblings");
	text = pictures_draw(both->full, VIEW_SCAN, 80, 24, GLYPHS_ASCII);
	assert_null(strstr(text, "publ."));
	free(text);
	snprintf(model->scenario, sizeof(model->scenario), "cat-in-100m");
	memcpy(kernel, model->side[0].kernel, sizeof(kernel));
	snprintf(model->side[0].kernel, sizeof(kernel), "v2.6.32");
	text = pictures_draw(both->full, VIEW_SCAN, 80, 24, GLYPHS_ASCII);
	assert_null(strstr(text, "30/6"));
	pictures_must_say(text, "64/42");
	memcpy(model->side[0].kernel, kernel, sizeof(kernel));
	free(text);
}

static void pagecg_shows_the_published_sizes_with_nothing_open(void **state)
{
	struct both *both = *state;

	for (size_t i = 0; i < 2; i++) {
		char *text = pictures_draw(both->empty, VIEW_PAGECG, sizes[i].w, sizes[i].h,
					   GLYPHS_ASCII);

		pictures_must_say(text, "31 457 280");
		pictures_must_say(text, "15 728 640");
		pictures_must_say(text, "983 040");
		pictures_must_say(text, "published");
		free(text);
	}
}

/* Digits of two columns without a blank between them are one wrong number. */
static void the_largest_machine_has_its_columns_apart(void **state)
{
	struct both *both = *state;
	char *text = pictures_draw(both->full, VIEW_PAGECG, 160, 48, GLYPHS_ASCII);
	const char *first;

	pictures_must_say(text, " 268 435 456 10 737 418 240 10 737 418 240 ");
	first = strstr(text, "| 1G ");
	assert_non_null(first);
	assert_non_null(strstr(first, "| 4G "));
	free(text);
}

static void a_record_is_told_to_the_last_word_at_80x24(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v3.1", "v3.3" };
	struct both *both = *state;
	struct model *model = &both->full->model;
	char kept[ERA_NAME_MAX];

	memcpy(kept, model->side[0].kernel, sizeof(kept));
	for (size_t i = 0; i < 3; i++) {
		char *text;

		snprintf(model->side[0].kernel, sizeof(kept), "%s", kernels[i]);
		text = pictures_draw(both->full, VIEW_PAGECG, 80, 24, GLYPHS_ASCII);
		assert_null(strchr(text, '~'));
		pictures_must_say(text, "| mem_cgroup |  8 who pays");
		free(text);
	}
	memcpy(model->side[0].kernel, kept, sizeof(kept));
}

static void a_run_alone_has_dashes_for_b(void **state)
{
	struct both *both = *state;
	char *text;

	both->full->model.has_b = false;
	text = pictures_draw(both->full, VIEW_PAGECG, 80, 24, GLYPHS_ASCII);
	both->full->model.has_b = true;
	pictures_must_say(text, "39 321 600              -       -  0.92     -  derived");
	free(text);
}

static void an_over_scan_of_two_digits_stands_apart(void **state)
{
	struct both *both = *state;
	struct model_side *side = &both->full->model.side[0];
	struct model_shrink *s = &side->shrink[(side->nr_shrink - 1) % MODEL_SHRINKS], kept = *s;
	char *text;

	s->nr_to_scan = 1;
	text = pictures_draw(both->full, VIEW_SCAN, 80, 24, GLYPHS_ASCII);
	*s = kept;
	pictures_must_say(text, "   1  32  32  32|");
	free(text);
}

static void a_pane_without_calls_says_why(void **state)
{
	struct both *both = *state;
	struct model *model = &both->full->model;
	char *text;

	snprintf(model->group, sizeof(model->group), "jobs");
	model->has_group = true;
	text = pictures_draw(both->full, VIEW_SCAN, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "+ A unbatched  jobs -");
	pictures_must_say(text, "None of the latest 256 shrink calls");
	assert_null(strstr(text, "matches the filter"));
	free(text);
	snprintf(model->group, sizeof(model->group), "nosuch");
	text = pictures_draw(both->full, VIEW_LRU, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "There is no group nosuch at this");
	free(text);
	model->has_group = false;
	snprintf(model->filter, sizeof(model->filter), "ask<1");
	text = pictures_draw(both->full, VIEW_SCAN, 80, 24, GLYPHS_ASCII);
	model->filter[0] = '\0';
	pictures_must_say(text, "No shrink call matches the filter.");
	free(text);
}

static void the_head_line_has_no_total_below_the_step(void **state)
{
	struct both *both = *state;
	struct model *model = &both->full->model;
	uint64_t step = model->step, total = model->steps_total;
	char *text;

	model->step = model->steps_total = 3811;
	text = pictures_draw(both->full, VIEW_LRU, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "op 3 811/3 811");
	free(text);
	model->step = model->steps_total = 81928;
	text = pictures_draw(both->full, VIEW_LRU, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "op 81 928/82k");
	free(text);
	model->step = step;
	model->steps_total = total;
}

static void the_explanation_scrolls_to_its_last_line(void **state)
{
	struct both *both = *state;
	char *text = pictures_draw(both->full, VIEW_LRU, 80, 24, GLYPHS_ASCII);

	pictures_must_say(text, "more lines +");
	assert_null(strstr(text, "after "));
	free(text);
	both->full->model.selected = 1000;
	text = pictures_draw(both->full, VIEW_LRU, 80, 24, GLYPHS_ASCII);
	both->full->model.selected = 0;
	pictures_must_say(text, "Up Down: 0 more lines");
	pictures_must_say(text, "isolated 32, freed 32 of 25 507  [S2]");
	free(text);
}

static void runs_says_how_to_begin_when_there_are_none(void **state)
{
	struct both *both = *state;
	char *text = pictures_draw(both->empty, VIEW_RUNS, 80, 24, GLYPHS_ASCII);

	pictures_must_say(text, "no runs yet");
	for (size_t i = 0; i < both->empty->model.nr_scenario_rows; i++) {
		pictures_must_say(text, both->empty->model.scenario_row[i].name);
		pictures_must_say(text, both->empty->model.scenario_row[i].title);
	}
	pictures_must_say(text, "Enter open or run");
	pictures_must_say(text, "? help");
	pictures_must_say(text, "q quit");
	free(text);
}

static void a_selected_failed_run_shows_its_error(void **state)
{
	struct both *both = *state;
	char *text;

	both->full->model.selected = 3;
	text = pictures_draw(both->full, VIEW_RUNS, 80, 24, GLYPHS_ASCII);
	both->full->model.selected = 0;
	pictures_must_say(text, "#50 failed: scenarios/cat-in-100m.lua:7: limit:");
	free(text);
}

static void no_list_hides_rows_without_saying_so(void **state)
{
	struct pictures *many = pictures_full(PICTURES_RUN_ROWS);
	char *text = pictures_draw(many, VIEW_RUNS, 80, 24, GLYPHS_ASCII);

	(void)state;
	pictures_must_say(text, "more below");
	free(text);
	many->model.selected = PICTURES_RUN_ROWS - 1;
	text = pictures_draw(many, VIEW_RUNS, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "more above");
	pictures_must_say(text, ">    14 cat-in-100m");
	free(text);
	pictures_close(many);
}

static void below_80x24_one_side_is_shown_and_it_can_be_chosen(void **state)
{
	struct both *both = *state;
	char *text = pictures_draw(both->full, VIEW_LRU, 79, 24, GLYPHS_ASCII);

	pictures_must_say(text, "A unbatched  jobs/cat");
	assert_null(strstr(text, "B batched  jobs/cat"));
	free(text);
	both->full->model.show = 2;
	text = pictures_draw(both->full, VIEW_LRU, 50, 16, GLYPHS_ASCII);
	both->full->model.show = 0;
	pictures_must_say(text, "B batched  jobs/cat");
	assert_null(strstr(text, "A unbatched  jobs/cat"));
	free(text);
}

static void a_failure_fills_a_panel_over_the_last_good_picture(void **state)
{
	struct both *both = *state;
	struct model *model = &both->full->model;
	char *text;

	snprintf(model->panel, sizeof(model->panel),
		 "scenarios/x.lua:9: limit: \"100Q\" is not a "
		 "size\n     8    params = {\n  >  9      limit = 1\n    10    },");
	text = pictures_draw(both->full, VIEW_LRU, 80, 24, GLYPHS_ASCII);
	model->panel[0] = '\0';
	pictures_must_say(text, "scenarios/x.lua:9: limit: \"100Q\"");
	pictures_must_say(text, "  >  9      limit = 1");
	pictures_must_say(text, "R run again");
	pictures_must_say(text, "memcglab cat-in-100m");
	free(text);
}

static void the_filter_stands_in_the_title_and_leaves_out_rows(void **state)
{
	struct both *both = *state;
	struct model *model = &both->full->model;
	char *text;

	snprintf(model->filter, sizeof(model->filter), "kernel:unbatched");
	model->nr_run_rows -= 2; /* as the lab leaves out rows of the list of runs */
	text = pictures_draw(both->full, VIEW_RUNS, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "runs 2 of 4  /kernel:unbatched");
	assert_null(strstr(text, " 50 cat-in-100m"));
	model->nr_run_rows += 2;
	free(text);
	snprintf(model->filter, sizeof(model->filter), "ask<20");
	text = pictures_draw(both->full, VIEW_SCAN, 80, 24, GLYPHS_ASCII);
	pictures_must_say(text, "/ask<20");
	assert_null(strstr(text, "25531   10  32"));
	pictures_must_say(text, "25507   10  10");
	free(text);
	model->filter[0] = '\0';
}

/* Text with its escape sequences taken out. */
static char *without_escapes(const char *text)
{
	char *plain = calloc(1, strlen(text) + 1), *to = plain;

	assert_non_null(plain);
	while (*text)
		if (*text == '\033')
			text += strcspn(text, "m") + 1;
		else
			*to++ = *text++;
	return plain;
}

static void the_text_is_the_same_with_and_without_colour(void **state)
{
	struct both *both = *state;

	for (int v = 0; v < NR_VIEWS; v++) {
		char *text = pictures_draw(both->full, (enum view_id)v, 80, 24, GLYPHS_BRAILLE);
		char *ansi = pictures_dump(&both->full->canvas, canvas_dump_ansi);
		char *plain = without_escapes(ansi);

		assert_non_null(strchr(ansi, '\033'));
		assert_string_equal(plain, text);
		free(text);
		free(ansi);
		free(plain);
	}
}

static void an_ascii_picture_holds_no_other_byte(void **state)
{
	struct both *both = *state;

	for (int i = 0; i < NR_VIEWS * 4; i++) {
		struct pictures *p = i % 2 ? both->full : both->empty;
		char *text = pictures_draw(p, (enum view_id)(i / 4), sizes[i / 2 % 2].w,
					   sizes[i / 2 % 2].h, GLYPHS_ASCII);

		for (const char *s = text; *s; s++)
			if (*s != '\n' && (*s < 0x20 || *s > 0x7e))
				fail_msg("view %d: byte %#x", i / 4, (unsigned char)*s);
		free(text);
	}
}

static void the_same_model_gives_the_same_svg(void **state)
{
	struct both *both = *state;
	char *text = pictures_draw(both->full, VIEW_SCAN, 80, 24, GLYPHS_BRAILLE), *svg[2];

	free(text);
	for (int i = 0; i < 2; i++)
		svg[i] = pictures_dump(&both->full->canvas, canvas_dump_svg);
	assert_string_equal(svg[0], svg[1]);
	assert_ptr_equal(strstr(svg[0], "<svg "), svg[0]);
	pictures_must_say(svg[0], "width=\"640\" height=\"408\"");
	pictures_must_say(svg[0], "</svg>\n");
	free(svg[0]);
	free(svg[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_view_looks_as_recorded),
		cmocka_unit_test(lru_names_its_lists_at_both_sizes),
		cmocka_unit_test(lru_explains_the_last_reclaim_of_each_side),
		cmocka_unit_test(scan_shows_the_published_pattern_and_its_sums),
		cmocka_unit_test(published_figures_stand_only_beside_what_they_are_about),
		cmocka_unit_test(pagecg_shows_the_published_sizes_with_nothing_open),
		cmocka_unit_test(the_largest_machine_has_its_columns_apart),
		cmocka_unit_test(a_record_is_told_to_the_last_word_at_80x24),
		cmocka_unit_test(a_run_alone_has_dashes_for_b),
		cmocka_unit_test(an_over_scan_of_two_digits_stands_apart),
		cmocka_unit_test(a_pane_without_calls_says_why),
		cmocka_unit_test(the_head_line_has_no_total_below_the_step),
		cmocka_unit_test(the_explanation_scrolls_to_its_last_line),
		cmocka_unit_test(runs_says_how_to_begin_when_there_are_none),
		cmocka_unit_test(a_selected_failed_run_shows_its_error),
		cmocka_unit_test(no_list_hides_rows_without_saying_so),
		cmocka_unit_test(below_80x24_one_side_is_shown_and_it_can_be_chosen),
		cmocka_unit_test(a_failure_fills_a_panel_over_the_last_good_picture),
		cmocka_unit_test(the_filter_stands_in_the_title_and_leaves_out_rows),
		cmocka_unit_test(the_text_is_the_same_with_and_without_colour),
		cmocka_unit_test(an_ascii_picture_holds_no_other_byte),
		cmocka_unit_test(the_same_model_gives_the_same_svg),
	};

	return cmocka_run_group_tests(tests, open_both, close_both);
}
