/*
 * Numbers for people and rectangles for views: groups of three, suffixes
 * only where a column is narrow, ratios with a dash for "no such value",
 * and rectangles that never leave the one they were cut from.
 */
#include <string.h>

#include "fmt.h"
#include "layout.h"
#include "rig.h"

static void counts_are_grouped_by_blanks(void **state)
{
	char out[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(fmt_count(0, out), "0");
	assert_string_equal(fmt_count(999, out), "999");
	assert_string_equal(fmt_count(25535, out), "25 535");
	assert_string_equal(fmt_count(2147483648, out), "2 147 483 648");
	assert_string_equal(fmt_count(UINT64_MAX, out), "9 223 372 036 854 775 807");
}

static void a_narrow_column_gets_a_suffix_only_when_it_needs_one(void **state)
{
	char out[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(fmt_fit(999, 3, out), "999");
	assert_string_equal(fmt_fit(1000, 3, out), "1k");
	assert_string_equal(fmt_fit(1000, 4, out), "1000");
	assert_string_equal(fmt_fit(81925, 4, out), "81k");
	assert_string_equal(fmt_fit(81925, 5, out), "81925");
	assert_string_equal(fmt_fit(1234567, 4, out), "1.2M");
	assert_string_equal(fmt_fit(1999999, 3, out), "1M");
	assert_string_equal(fmt_fit(UINT64_MAX, 4, out), "18E");
}

static void every_number_fits_four_cells(void **state)
{
	char out[UNITS_TEXT_MAX];

	(void)state;
	for (uint64_t n = 1; n < UINT64_MAX / 7; n *= 7)
		assert_true(strlen(fmt_fit(n, 4, out)) <= 4);
}

static void a_clock_keeps_as_many_decimals_as_fit(void **state)
{
	char out[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(fmt_clock(3682646000, 8, out), "3.682646");
	assert_string_equal(fmt_clock(3682646000, 20, out), "3.682646");
	assert_string_equal(fmt_clock(107948201000, 8, out), "107.9482");
	assert_string_equal(fmt_clock(107948201000, 4, out), "107");
	assert_string_equal(fmt_clock(107948201000, 5, out), "107.9");
	assert_string_equal(fmt_clock(107948201000, 1, out), "107");
	assert_string_equal(fmt_clock(0, 3, out), "0.0");
}

static void sizes_have_three_digits_and_are_never_rounded_up(void **state)
{
	static const struct {
		pages_t pages;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 1, "4K" },
		{ 25600, "100M" },
		{ 25597, "99.9M" },
		{ 872, "3.40M" },
		{ 256, "1M" },
		{ 255, "1020K" },
		{ 262143, "1023M" },
		{ 262144, "1G" },
		{ 499122, "1.90G" },
		{ PAGES_UNLIMITED, "-" },
		{ PAGES_UNLIMITED - 1, "8191P" },
	};
	char text[UNITS_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(fmt_size(rows[i].pages, text), rows[i].text);
}

static void a_ratio_is_rounded_to_the_nearest(void **state)
{
	char out[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(fmt_ratio(192, 36, false, out), "5.33");
	assert_string_equal(fmt_ratio(192, 126, false, out), "1.52");
	assert_string_equal(fmt_ratio(32, 10, true, out), "3.2");
	assert_string_equal(fmt_ratio(32, 6, true, out), "5.3");
	assert_string_equal(fmt_ratio(99, 10, true, out), "9.9");
	assert_string_equal(fmt_ratio(996, 100, true, out), "10");
	assert_string_equal(fmt_ratio(32, 1, true, out), "32");
	assert_string_equal(fmt_ratio(32, 1, false, out), "32.00");
	assert_string_equal(fmt_ratio(5000, 1, true, out), "5k");
	assert_string_equal(fmt_ratio(2, 3, false, out), "0.67");
	assert_string_equal(fmt_ratio(0, 3, false, out), "0.00");
}

static void a_ratio_without_a_divisor_is_a_dash(void **state)
{
	char out[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(fmt_ratio(5, 0, false, out), "-");
	assert_string_equal(fmt_ratio(0, 0, true, out), "-");
	assert_string_equal(fmt_ratio(UINT64_MAX, 2, true, out), "-");
}

static void parts_add_up_to_the_whole(void **state)
{
	struct rect r = { 3, 5, 20, 10 }, top = layout_top(&r, 4), left = layout_left(&r, 7);

	(void)state;
	assert_int_equal(top.y, 5);
	assert_int_equal(top.h, 4);
	assert_int_equal(top.w, 20);
	assert_int_equal(left.x, 3);
	assert_int_equal(left.y, 9);
	assert_int_equal(left.w, 7);
	assert_int_equal(left.h, 6);
	assert_int_equal(r.x, 10);
	assert_int_equal(r.y, 9);
	assert_int_equal(r.w, 13);
	assert_int_equal(r.h, 6);
}

static void no_part_is_larger_than_what_it_is_cut_from(void **state)
{
	struct rect r = { 0, 0, 4, 3 }, top = layout_top(&r, 9), none = layout_top(&r, 1);

	(void)state;
	assert_int_equal(top.h, 3);
	assert_int_equal(r.h, 0);
	assert_int_equal(none.h, 0);
	assert_int_equal(layout_left(&r, -3).w, 0);
	assert_int_equal(r.w, 4);
}

static void a_box_leaves_its_inside(void **state)
{
	struct rect in = layout_inside((struct rect){ 2, 3, 10, 6 });

	(void)state;
	assert_int_equal(in.x, 3);
	assert_int_equal(in.y, 4);
	assert_int_equal(in.w, 8);
	assert_int_equal(in.h, 4);
	assert_int_equal(layout_inside((struct rect){ 0, 0, 1, 9 }).h, 0);
}

static void a_row_outside_its_rectangle_has_no_width(void **state)
{
	struct rect r = { 1, 2, 10, 3 };

	(void)state;
	assert_int_equal(layout_row(r, 2, ATTR_DIM).w, 10);
	assert_int_equal(layout_row(r, 2, ATTR_DIM).y, 4);
	assert_int_equal(layout_row(r, 3, ATTR_DIM).w, 0);
	assert_int_equal(layout_row(r, -1, ATTR_DIM).w, 0);
}

static void the_selected_row_is_always_in_the_window(void **state)
{
	(void)state;
	for (int n = 1; n < 40; n++)
		for (int room = 1; room < 20; room++)
			for (int selected = 0; selected < n; selected++) {
				int first = layout_window(n, selected, room);

				assert_true(first >= 0 && selected >= first);
				assert_true(selected < first + room);
				/* No row stays empty while there are more. */
				assert_true(first == 0 || first + room <= n);
			}
}

/* "op 81 928/81k" would read as more than all. */
static void a_total_is_never_shown_smaller_than_it_is(void **state)
{
	char out[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(fmt_fit_up(999, 3, out), "999");
	assert_string_equal(fmt_fit_up(3811, 3, out), "4k");
	assert_string_equal(fmt_fit_up(81928, 3, out), "82k");
	assert_string_equal(fmt_fit_up(82000, 3, out), "82k");
	assert_string_equal(fmt_fit_up(999001, 4, out), "1M");
	assert_string_equal(fmt_fit_up(999001, 5, out), "1000k");
}

static void a_fraction_is_shown_where_it_has_room(void **state)
{
	char out[UNITS_TEXT_MAX];

	(void)state;
	assert_string_equal(fmt_real(81920, 5, out), "81 920");
	assert_string_equal(fmt_real(-81920, 5, out), "-81 920");
	assert_string_equal(fmt_real(1.523809, 5, out), "1.5238");
	assert_string_equal(fmt_real(9999.25, 5, out), "9999.2");
	assert_string_equal(fmt_real(10000.75, 5, out), "10 001");
	assert_string_equal(fmt_real(-0.0000125, 3, out), "-1.25e-05");
	assert_string_equal(fmt_real(0, 3, out), "0");
	assert_string_equal(fmt_real(1e300, 3, out), "1e+300");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_total_is_never_shown_smaller_than_it_is),
		cmocka_unit_test(counts_are_grouped_by_blanks),
		cmocka_unit_test(a_fraction_is_shown_where_it_has_room),
		cmocka_unit_test(a_narrow_column_gets_a_suffix_only_when_it_needs_one),
		cmocka_unit_test(every_number_fits_four_cells),
		cmocka_unit_test(a_clock_keeps_as_many_decimals_as_fit),
		cmocka_unit_test(sizes_have_three_digits_and_are_never_rounded_up),
		cmocka_unit_test(a_ratio_is_rounded_to_the_nearest),
		cmocka_unit_test(a_ratio_without_a_divisor_is_a_dash),
		cmocka_unit_test(parts_add_up_to_the_whole),
		cmocka_unit_test(no_part_is_larger_than_what_it_is_cut_from),
		cmocka_unit_test(a_box_leaves_its_inside),
		cmocka_unit_test(a_row_outside_its_rectangle_has_no_width),
		cmocka_unit_test(the_selected_row_is_always_in_the_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
