/*
 * The plot of one or two series: where values land, what the edge says, and
 * that neither series hides the other.
 */
#include <stdlib.h>
#include <string.h>

#include "pictures.h"
#include "plot.h"
#include "rig.h"

enum { W = 40, H = 7 };

static struct plot_series *series(uint32_t marker, const uint64_t *value, size_t n)
{
	struct plot_series *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	memcpy(s->value, value, n * sizeof(*value));
	s->n = n;
	s->marker = marker;
	return s;
}

/* The plot as text, drawn W x H; the caller frees it. */
static char *draw(const struct plot *plot)
{
	struct canvas *c = calloc(1, sizeof(*c));
	char *text;

	assert_non_null(c);
	canvas_init(c, W, H, GLYPHS_ASCII);
	plot_draw(c, (struct rect){ 0, 0, W, H }, plot);
	text = pictures_dump(c, canvas_dump);
	free(c);
	return text;
}

/* Row @y of @text, ended with 0 in place of its newline. */
static const char *row(char *text, int y)
{
	for (; y > 0; y--)
		text = strchr(text, '\n') + 1;
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static int count(const char *text, char ch)
{
	int n = 0;

	for (; *text; text++)
		n += *text == ch;
	return n;
}

static void the_largest_value_is_on_the_first_row_and_zero_on_the_last(void **state)
{
	static const uint64_t value[3] = { 0, 50, 100 };
	struct plot_series *s = series('*', value, 3);
	struct plot plot = { 1, s, 0 };
	char *text = draw(&plot);

	(void)state;
	assert_non_null(strstr(text, "  100|"));
	assert_non_null(strstr(text, "    0+"));
	assert_int_equal(count(row(text, 0), '*'), 1);
	free(text);
	text = draw(&plot);
	assert_int_equal(count(row(text, 5), '*'), 1);
	free(text);
	free(s);
}

static void the_newest_value_is_the_rightmost(void **state)
{
	static const uint64_t value[2] = { 1, 9 };
	struct plot_series *s = series('*', value, 2);
	struct plot plot = { 1, s, 0 };
	char *text = draw(&plot);
	const char *first = row(text, 0);

	(void)state;
	assert_int_equal(first[strlen(first) - 1], '*');
	free(text);
	free(s);
}

static void the_last_row_says_what_a_column_is_and_the_range(void **state)
{
	static const uint64_t value[2] = { 6, 32 };
	struct plot_series *s = series('*', value, 2);
	struct plot plot = { 1, s, 0 };
	struct canvas *c = calloc(1, sizeof(*c));
	char *text;

	(void)state;
	assert_non_null(c);
	canvas_init(c, 80, H, GLYPHS_ASCII);
	plot_draw(c, (struct rect){ 0, 0, 80, H }, &plot);
	text = pictures_dump(c, canvas_dump);
	assert_non_null(strstr(text, "last 2 calls"));
	assert_non_null(strstr(text, "cells = 1 call"));
	assert_non_null(strstr(text, "min 6 max 32 pages"));
	free(text);
	free(c);
	free(s);
}

static void two_series_that_meet_show_a_marker_of_their_own(void **state)
{
	static const uint64_t a[2] = { 10, 10 }, b[2] = { 10, 2 };
	struct plot_series *both = calloc(2, sizeof(*both)), *s;
	struct plot plot = { 2, both, 0 };
	char *text;

	(void)state;
	assert_non_null(both);
	s = series(0x25cb, a, 2);
	both[0] = *s;
	free(s);
	s = series(0x25cf, b, 2);
	both[1] = *s;
	free(s);
	text = draw(&plot);
	assert_int_equal(count(text, '@'), 1);
	assert_int_equal(count(text, '*'), 1);
	/* One more o stands in no word of the first rows. */
	assert_int_equal(count(row(text, 0), 'o'), 1);
	free(text);
	free(both);
}

static void the_dashed_line_stands_at_its_level(void **state)
{
	static const uint64_t value[1] = { 8 };
	struct plot_series *s = series('*', value, 1);
	struct plot plot = { 1, s, 32 };
	char *text = draw(&plot);

	(void)state;
	assert_ptr_equal(strstr(text, "   32|-----"), text);
	free(text);
	free(s);
}

static void values_of_both_series_on_one_row_are_both_named(void **state)
{
	static const uint64_t a[1] = { 6 }, b[1] = { 8 };
	struct plot_series *both = calloc(2, sizeof(*both)), *s;
	struct plot plot = { 2, both, 100 };
	char *text;

	(void)state;
	assert_non_null(both);
	s = series('a', a, 1);
	both[0] = *s;
	free(s);
	s = series('b', b, 1);
	both[1] = *s;
	free(s);
	text = draw(&plot);
	assert_non_null(strstr(text, "  6,8+") ? text : strstr(text, "6,8|"));
	free(text);
	free(both);
}

static void no_values_and_no_room_draw_nothing_wrong(void **state)
{
	struct plot_series *s = calloc(1, sizeof(*s));
	struct plot plot = { 1, s, 0 };
	struct canvas *c = calloc(1, sizeof(*c));
	char *text;

	(void)state;
	assert_non_null(s);
	assert_non_null(c);
	text = draw(&plot);
	assert_non_null(strstr(text, "last 0 calls"));
	free(text);
	canvas_init(c, 9, 2, GLYPHS_ASCII);
	plot_draw(c, (struct rect){ 0, 0, 9, 2 }, &plot);
	text = pictures_dump(c, canvas_dump);
	assert_string_equal(text, "\n\n");
	free(text);
	free(c);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_value_is_on_the_first_row_and_zero_on_the_last),
		cmocka_unit_test(the_newest_value_is_the_rightmost),
		cmocka_unit_test(the_last_row_says_what_a_column_is_and_the_range),
		cmocka_unit_test(two_series_that_meet_show_a_marker_of_their_own),
		cmocka_unit_test(the_dashed_line_stands_at_its_level),
		cmocka_unit_test(values_of_both_series_on_one_row_are_both_named),
		cmocka_unit_test(no_values_and_no_room_draw_nothing_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
