/*
 * The grid of cells: clipping at its edges, the mark of a cut, widths,
 * glyph sets, boxes, bars and strips.
 */
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "rig.h"

static struct canvas *grid(int w, int h, enum canvas_glyphs glyphs)
{
	struct canvas *c = calloc(1, sizeof(*c));

	assert_non_null(c);
	canvas_init(c, w, h, glyphs);
	return c;
}

/* The grid as text is @wanted; the grid is freed. */
static void same(struct canvas *c, const char *wanted)
{
	char *text = pictures_dump(c, canvas_dump);

	assert_string_equal(text, wanted);
	free(text);
	free(c);
}

static struct span at(int x, int y, int w)
{
	return (struct span){ x, y, w, ATTR_TEXT };
}

static void a_new_grid_is_blank_and_dumps_its_lines(void **state)
{
	(void)state;
	same(grid(4, 3, GLYPHS_BLOCK), "\n\n\n");
}

static void sizes_are_clamped_to_what_a_grid_can_hold(void **state)
{
	struct canvas *c = grid(0, -5, GLYPHS_BLOCK);

	(void)state;
	assert_int_equal(c->w, 1);
	assert_int_equal(c->h, 1);
	canvas_init(c, 100000, 100000, GLYPHS_BLOCK);
	assert_int_equal(c->w, CANVAS_W_MAX);
	assert_int_equal(c->h, CANVAS_H_MAX);
	free(c);
}

static void text_that_fits_is_whole(void **state)
{
	struct canvas *c = grid(8, 1, GLYPHS_BLOCK);

	(void)state;
	assert_int_equal(canvas_text(c, at(1, 0, 4), "abcd"), 4);
	same(c, " abcd\n");
}

static void text_that_does_not_fit_says_so_in_its_last_cell(void **state)
{
	struct canvas *c = grid(8, 2, GLYPHS_BLOCK);

	(void)state;
	assert_int_equal(canvas_text(c, at(1, 0, 4), "abcde"), 4);
	assert_int_equal(canvas_text(c, at(5, 1, 40), "abcde"), 3);
	same(c, " abc\u2026\n     ab\u2026\n");
}

static void a_cut_in_ascii_is_marked_in_ascii(void **state)
{
	struct canvas *c = grid(3, 1, GLYPHS_ASCII);

	(void)state;
	canvas_text(c, at(0, 0, 3), "abcd");
	same(c, "ab~\n");
}

static void what_lies_outside_the_grid_is_dropped(void **state)
{
	struct canvas *c = grid(3, 2, GLYPHS_BLOCK);

	(void)state;
	assert_int_equal(canvas_text(c, at(3, 0, 5), "x"), 0);
	canvas_text(c, at(0, 2, 5), "x");
	canvas_text(c, at(0, -1, 5), "x");
	canvas_text(c, at(-1, 0, 2), "ab");
	canvas_text(c, at(0, 1, -4), "no");
	same(c, "b\n\n");
}

static void nothing_that_moves_a_cursor_gets_into_a_cell(void **state)
{
	struct canvas *c = grid(12, 1, GLYPHS_BLOCK);

	(void)state;
	canvas_text(c, at(0, 0, 12), "a\033[2Jb\tc\177\xc2\x85");
	same(c, "a?[2Jb?c??\n");
}

static void characters_of_another_width_and_broken_bytes_become_a_question_mark(void **state)
{
	struct canvas *c = grid(12, 1, GLYPHS_BLOCK);

	(void)state;
	/* A wide one, a combining one, a lone continuation byte, a cut sequence. */
	canvas_text(c, at(0, 0, 12),
		    "\u4e2d"
		    "e\u0301"
		    "\x80"
		    "\xe2\x94"
		    "\xffz");
	same(c, "?e???"
		"??z\n");
}

static void text_of_other_alphabets_stays_as_it_is(void **state)
{
	struct canvas *c = grid(12, 1, GLYPHS_BRAILLE);

	(void)state;
	canvas_text(c, at(0, 0, 12), "\u00fc\u03bb\u0436\u2500\u28ff");
	same(c, "\u00fc\u03bb\u0436\u2500\u28ff\n");
}

static void every_character_has_an_ascii_form(void **state)
{
	struct canvas *c = grid(12, 1, GLYPHS_ASCII);

	(void)state;
	canvas_text(c, at(0, 0, 12), "\u2502\u250c\u2500\u2588\u2591\u25cf\u25cb\u2016\u00fc");
	same(c, "|+-#.*o=?\n");
}

static void right_text_ends_at_the_end_of_its_span(void **state)
{
	struct canvas *c = grid(8, 2, GLYPHS_BLOCK);

	(void)state;
	canvas_right(c, at(1, 0, 6), "ab");
	canvas_right(c, at(1, 1, 3), "abcdef");
	same(c, "     ab\n ab\u2026\n");
}

static void a_box_has_its_title_left_and_its_figures_right(void **state)
{
	struct canvas *c = grid(20, 3, GLYPHS_ASCII);

	(void)state;
	canvas_box(c, (struct rect){ 0, 0, 20, 3 }, "title", "12p");
	same(c, "+ title ------ 12p +\n|                  |\n+------------------+\n");
}

static void a_box_cuts_its_title_before_its_figures(void **state)
{
	struct canvas *c = grid(16, 2, GLYPHS_ASCII);

	(void)state;
	canvas_box(c, (struct rect){ 0, 0, 16, 2 }, "a long title", "123p");
	same(c, "+ a lo~ - 123p +\n+--------------+\n");
}

static void a_box_of_less_than_two_by_two_is_nothing(void **state)
{
	struct canvas *c = grid(4, 2, GLYPHS_ASCII);

	(void)state;
	canvas_box(c, (struct rect){ 0, 0, 1, 2 }, "t", NULL);
	canvas_box(c, (struct rect){ 0, 0, 4, 1 }, "t", NULL);
	same(c, "\n\n");
}

static void a_bar_is_filled_in_eighths(void **state)
{
	struct canvas *c = grid(4, 4, GLYPHS_BLOCK);

	(void)state;
	canvas_bar(c, at(0, 0, 4), 0, 32);
	canvas_bar(c, at(0, 1, 4), 9, 32);
	canvas_bar(c, at(0, 2, 4), 32, 32);
	canvas_bar(c, at(0, 3, 4), 99, 32);
	same(c, "\u2591\u2591\u2591\u2591\n\u2588\u258f\u2591\u2591\n\u2588\u2588\u2588\u2588\n"
		"\u2588\u2588\u2588\u2588\n");
}

static void an_ascii_bar_rounds_to_whole_cells(void **state)
{
	struct canvas *c = grid(4, 3, GLYPHS_ASCII);

	(void)state;
	canvas_bar(c, at(0, 0, 4), 11, 32);
	canvas_bar(c, at(0, 1, 4), 12, 32);
	canvas_bar(c, at(0, 2, 4), 5, 0);
	same(c, "#...\n##..\n....\n");
}

static void the_largest_numbers_do_not_overflow_a_bar(void **state)
{
	struct canvas *c = grid(4, 2, GLYPHS_ASCII);

	(void)state;
	canvas_bar(c, at(0, 0, 4), UINT64_MAX, UINT64_MAX);
	canvas_bar(c, at(0, 1, 4), UINT64_MAX / 2, UINT64_MAX);
	same(c, "####\n##..\n");
}

static void a_strip_maps_zero_to_its_lowest_and_the_maximum_to_its_highest_step(void **state)
{
	static const uint64_t value[4] = { 0, 1, 2, 3 }, large[2] = { 0, UINT64_MAX };
	struct canvas *c = grid(4, 4, GLYPHS_BRAILLE);

	(void)state;
	canvas_heat(c, at(0, 0, 4), value, 3);
	c->glyphs = GLYPHS_BLOCK;
	canvas_heat(c, at(0, 1, 4), value, 3);
	c->glyphs = GLYPHS_ASCII;
	canvas_heat(c, at(0, 2, 4), value, 7);
	canvas_heat(c, at(0, 3, 2), large, UINT64_MAX);
	same(c, "\u28c0\u28e4\u28f6\u28ff\n\u2581\u2583\u2585\u2587\n0123\n07\n");
}

static void a_strip_of_nothing_is_flat(void **state)
{
	static const uint64_t value[3] = { 0, 0, 0 };
	struct canvas *c = grid(3, 1, GLYPHS_ASCII);

	(void)state;
	canvas_heat(c, at(0, 0, 3), value, 0);
	same(c, "000\n");
}

static void a_copy_is_equal_and_independent(void **state)
{
	struct canvas *c = grid(5, 2, GLYPHS_ASCII), *copy = grid(1, 1, GLYPHS_BLOCK);

	(void)state;
	canvas_text(c, at(0, 1, 5), "abc");
	c->cursor_y = 1;
	canvas_copy(copy, c);
	canvas_text(c, at(0, 1, 5), "xyz");
	assert_int_equal(copy->cursor_y, 1);
	assert_int_equal(copy->glyphs, GLYPHS_ASCII);
	same(copy, "\nabc\n");
	free(c);
}

static void a_role_shows_in_ansi_and_ends_with_its_line(void **state)
{
	struct canvas *c = grid(4, 1, GLYPHS_ASCII);
	char *text;

	(void)state;
	canvas_text(c, (struct span){ 0, 0, 1, ATTR_SELECTED }, "a");
	canvas_text(c, (struct span){ 1, 0, 1, ATTR_BAD }, "b");
	text = pictures_dump(c, canvas_dump_ansi);
	assert_string_equal(text, "\033[0;7ma\033[0;1;31mb\033[0m\n");
	free(text);
	free(c);
}

static void svg_escapes_what_is_markup(void **state)
{
	struct canvas *c = grid(8, 1, GLYPHS_ASCII);
	char *text;

	(void)state;
	canvas_text(c, at(0, 0, 8), "a<b>&c");
	text = pictures_dump(c, canvas_dump_svg);
	assert_non_null(strstr(text, ">a&lt;b>&amp;c</text>"));
	free(text);
	free(c);
}

static void a_full_device_is_reported(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct canvas *c = grid(8, 1, GLYPHS_ASCII);

	(void)state;
	assert_non_null(full);
	canvas_text(c, at(0, 0, 8), "text");
	assert_false(canvas_dump(c, full));
	fclose(full);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_grid_is_blank_and_dumps_its_lines),
		cmocka_unit_test(sizes_are_clamped_to_what_a_grid_can_hold),
		cmocka_unit_test(text_that_fits_is_whole),
		cmocka_unit_test(text_that_does_not_fit_says_so_in_its_last_cell),
		cmocka_unit_test(a_cut_in_ascii_is_marked_in_ascii),
		cmocka_unit_test(what_lies_outside_the_grid_is_dropped),
		cmocka_unit_test(nothing_that_moves_a_cursor_gets_into_a_cell),
		cmocka_unit_test(
			characters_of_another_width_and_broken_bytes_become_a_question_mark),
		cmocka_unit_test(text_of_other_alphabets_stays_as_it_is),
		cmocka_unit_test(every_character_has_an_ascii_form),
		cmocka_unit_test(right_text_ends_at_the_end_of_its_span),
		cmocka_unit_test(a_box_has_its_title_left_and_its_figures_right),
		cmocka_unit_test(a_box_cuts_its_title_before_its_figures),
		cmocka_unit_test(a_box_of_less_than_two_by_two_is_nothing),
		cmocka_unit_test(a_bar_is_filled_in_eighths),
		cmocka_unit_test(an_ascii_bar_rounds_to_whole_cells),
		cmocka_unit_test(the_largest_numbers_do_not_overflow_a_bar),
		cmocka_unit_test(
			a_strip_maps_zero_to_its_lowest_and_the_maximum_to_its_highest_step),
		cmocka_unit_test(a_strip_of_nothing_is_flat),
		cmocka_unit_test(a_copy_is_equal_and_independent),
		cmocka_unit_test(a_role_shows_in_ansi_and_ends_with_its_line),
		cmocka_unit_test(svg_escapes_what_is_markup),
		cmocka_unit_test(a_full_device_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
