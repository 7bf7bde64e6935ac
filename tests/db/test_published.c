/*
 * The published tables as data, their judgement, and what the check of
 * fitted constants refuses.  No scenario runs here.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "published.h"
#include "stored.h"

static const struct published_run some_run = { .scenario = "s", .kernel = "k", .full = "" };

/* One table of @n rows, as small as it gets. */
static struct published_table table_of(const struct published_row *row, size_t n)
{
	return (struct published_table){ .name = "t", .title = "", .source = "", .date = "",
					 .row = row, .nr = n };
}

static void each_row_has_a_name_of_its_own(void **state)
{
	const struct published_set *set = published_all();

	(void)state;
	for (size_t t = 0; t < set->nr; t++)
		for (size_t a = 0; a < set->table[t].nr; a++)
			for (size_t b = 0; b < a; b++)
				assert_false(strcmp(set->table[t].row[a].row,
						    set->table[t].row[b].row) == 0 &&
					     strcmp(set->table[t].row[a].side,
						    set->table[t].row[b].side) == 0);
}

/* Sums over the figures as the posts print them: a digit that was copied wrong moves one. */
static void the_figures_are_those_of_the_posts(void **state)
{
	static const struct {
		const char *table;
		size_t nr;
		double sum;
	} sums[] = {
		{ "page_cgroup_2011", 2, 31457280.0 + 15728640.0 },
		{ "batched_scan_2009", 30, 7 * (25535 + 6) + 4 * (25531 + 32 + 25507 + 10) },
		{ "execl_2008", 19, 37029.6 + 4031.3 },
		{ "lock_sites_2009", 8, 2 * 1824383.0 + 2 * 11406.0 },
		{ "fault_loop_2009", 15, 156619152 + 82.78 + 211.06 },
		/* One figure is there twice, for files with a map and without. */
		{ "dirty_stat_2012", 21,
		  991480 + 247868.6 + 9527.3 + 2 + 43427.1 + 251.211 + 573.937 + 4 + 2 * 648696 },
		{ "lock_stat_2009", 26, 78485551 + 22368459.05 + 1676.699 },
		{ "memcg_lru_2011", 14, 491.332 + 1431.828 + 140829.4 + 5485.325 + 53720.3 },
	};

	(void)state;
	assert_int_equal(published_all()->nr, sizeof(sums) / sizeof(sums[0]));
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		const struct published_table *table = published_find(sums[i].table, NULL);
		double sum = 0;

		assert_non_null(table);
		assert_int_equal(table->nr, sums[i].nr);
		for (size_t r = 0; r < table->nr; r++)
			sum += table->row[r].value;
		if (fabs(sum - sums[i].sum) > 1e-6)
			fail_msg("%s: %.10g is not %.10g", table->name, sum, sums[i].sum);
	}
}

static double figure(const char *table, const char *row, const char *side)
{
	const struct published_table *found = published_find(table, NULL);

	for (size_t i = 0; i < found->nr; i++)
		if (strcmp(found->row[i].row, row) == 0 && strcmp(found->row[i].side, side) == 0)
			return found->row[i].value;
	fail_msg("%s: no row %s %s", table, row, side);
	return 0;
}

static void is_near(double value, double want, double within)
{
	if (fabs(value - want) > within)
		fail_msg("%.10g is not %.10g", value, want);
}

/* Example W14: four acquisitions a page, and the factors of the table of 2009. */
static void acquisitions_of_2009_are_four_a_page(void **state)
{
	const char *table = "lock_stat_2009";
	double before = figure(table, "acquisitions", "before");

	(void)state;
	is_near(before / 4, 11227392, 0);
	is_near(before / figure(table, "acquisitions", "after"), 11.347, 0.0005);
	is_near(figure(table, "contentions", "before") / figure(table, "contentions", "after"),
		159.95, 0.005);
}

/* Example W20: an index is the result over 43.0, times 10. */
static void an_index_is_its_result_over_the_baseline(void **state)
{
	static const char *const rows[] = { "1", "2", "3", "4", "5", "6" };

	(void)state;
	for (size_t i = 0; i < 6; i++)
		is_near(figure("execl_2008", rows[i], "result") / 43.0 * 10,
			figure("execl_2008", rows[i], "index"), 0.05);
}

/* Example W24: the rework costs 0.92 % of the speed, counting 1.92 % of what is left. */
static void the_speed_of_2012_is_lost_in_two_steps(void **state)
{
	const char *table = "dirty_stat_2012", *row = "write_kb_s";
	double before = figure(table, row, "before"), vfs = figure(table, row, "vfs");
	double after = figure(table, row, "after");

	(void)state;
	is_near(100 * (before - vfs) / before, 0.92, 0.005);
	is_near(100 * (vfs - after) / vfs, 1.92, 0.005);
	is_near(100 * (before - after) / before, 2.83, 0.005);
}

/* Example W29: the last row of the fault loop by its misses, and what one takes by rows 1 and 2;
 * time a fault is that of 8 CPUs in 60 s. */
static void the_last_fault_row_follows_from_its_misses(void **state)
{
	enum { CPUS = 8, SECONDS = 60 };
	const char *table = "fault_loop_2009", *us = "cpu_us_per_fault";
	const char *misses = "cache_misses_per_fault";
	double first = CPUS * SECONDS * 1e6 / figure(table, "1", "faults");
	double root = CPUS * SECONDS * 1e6 / figure(table, "2", "faults");
	double miss = (root - first) / (figure(table, "2", misses) - figure(table, "1", misses));
	size_t knob = 0;

	(void)state;
	is_near(first, figure(table, "1", us), 0.005);
	is_near(first, 11.953, 0.0005);
	is_near(miss, 0.2916, 0.00005);
	is_near(first + miss * (figure(table, "5", misses) - figure(table, "1", misses)), 14.00,
		0.005);
	/* The knob is that time. */
	while (strcmp(knob_at(knob)->name, "line_ns") != 0)
		knob++;
	is_near((double)knob_at(knob)->def, miss * 1000, 0.5);
}

static void a_row_is_modelled_if_and_only_if_it_has_a_run(void **state)
{
	const struct published_set *set = published_all();

	(void)state;
	for (size_t t = 0; t < set->nr; t++) {
		for (size_t r = 0; r < set->table[t].nr; r++) {
			const struct published_row *row = &set->table[t].row[r];

			assert_int_equal(row->run == NULL, row->label == PUBLISHED_NOT_MODELLED);
			assert_int_equal(row->run == NULL, row->metric == NULL);
			/* A dash has a reason, and a figure has none. */
			if ((row->run == NULL) != (published_why(&set->table[t], row) != NULL))
				fail_msg("%s %s: a reason", set->table[t].name, row->row);
			/* What was fitted to is calibrated, or not modelled. */
			if (row->label == PUBLISHED_CALIBRATED)
				assert_non_null(row->fits);
			if (row->label == PUBLISHED_DERIVED || row->label == PUBLISHED_PREDICTED)
				assert_null(row->fits);
		}
	}
}

static void only_derived_and_predicted_rows_count(void **state)
{
	static const struct published_row rows[] = {
		{ "a", "", "", 100, PUBLISHED_DERIVED, 0, &some_run, "m", NULL, 0, 0 },
		{ "b", "", "", 100, PUBLISHED_PREDICTED, 0.01, &some_run, "m", NULL, 0, 0 },
		{ "c", "", "", 100, PUBLISHED_PREDICTED, 0.01, &some_run, "m", NULL, 0, 0 },
		{ "d", "", "", 100, PUBLISHED_CALIBRATED, 0.01, &some_run, "m", "x", 0, 0 },
		{ "e", "", "", 100, PUBLISHED_IMPLIED, 0.01, &some_run, "m", NULL, 0, 0 },
		{ "f", "", "", 100, PUBLISHED_NOT_MODELLED, 0, NULL, NULL, NULL, 0, 0 },
		{ "g", "", "", 100, PUBLISHED_PREDICTED, 1, &some_run, "m", NULL, 0, 0 },
	};
	static const char *const verdicts[] = { "reproduced", "reproduced", "FAILS", "outside",
						"inside",     "-",          "FAILS" };
	static const double models[] = { 100, 101, 101.5, 105, 100, 0, 0 };
	const struct published_table table = table_of(rows, 7);
	struct published_result result[7] = { 0 };
	struct published_counts counts;

	(void)state;
	for (size_t i = 0; i < 7; i++)
		result[i] = (struct published_result){ .table = &table,
						       .row = &rows[i],
						       .has_model = i < 5,
						       .model = models[i],
						       .size = "full" };
	published_judge(result, 7);
	published_count(result, 7, &counts);
	for (size_t i = 0; i < 7; i++)
		assert_string_equal(published_verdict(&result[i]), verdicts[i]);
	/* The last has no figure, as if its metric were gone: that is no agreement. */
	assert_int_equal(counts.reproduced, 2);
	assert_int_equal(counts.failed, 2);
	assert_int_equal(counts.label[PUBLISHED_PREDICTED], 3);
	assert_int_equal(counts.label[PUBLISHED_NOT_MODELLED], 1);
	assert_true(fabs(result[2].error - 0.015) < 1e-12);
}

/* ---- fitted constants ---- */

enum { FITS_MAX = 40, NAMES_MAX = 1024 };

/* All calibrated knobs but line_ns, which is told as @first. */
static const char *fits_text(const char *first, char out[NAMES_MAX])
{
	size_t n = (size_t)snprintf(out, NAMES_MAX, "%s", first);

	for (size_t i = 0; i < knob_count(); i++)
		if (strcmp(knob_at(i)->status, "calibrated") == 0 &&
		    strcmp(knob_at(i)->name, "line_ns") != 0)
			n += (size_t)snprintf(out + n, NAMES_MAX - n, " %s", knob_at(i)->name);
	return out;
}

/* A row that lists every calibrated knob; @names holds the list. */
static struct published_row fitted_row(enum published_label label, char names[NAMES_MAX])
{
	struct published_row row = { "a", "", "", 1, label, 0, &some_run, "m", NULL, 0, 0 };

	row.fits = fits_text("line_ns", names);
	return row;
}

/* Every calibrated knob, as it is, fitted to one row; line_ns with @value. */
static enum err fits_of(const struct published_row *row, double value, struct diag *diag)
{
	const struct published_table table = table_of(row, 1);
	struct published_fit fits[FITS_MAX] = { { "line_ns", NULL, value, "t", "a", "" } };
	size_t n = 1;

	for (size_t i = 0; i < knob_count(); i++) {
		const struct knob_desc *knob = knob_at(i);

		if (strcmp(knob->status, "calibrated") != 0 || strcmp(knob->name, "line_ns") == 0)
			continue;
		assert_true(n < FITS_MAX);
		fits[n++] = (struct published_fit){ knob->name, NULL, (double)knob->def,
						    "t",	"a",  "" };
	}
	return published_fits(&(const struct published_set){ &table, 1, fits, n }, diag);
}

static void the_shipped_constants_are_owned_up_to(void **state)
{
	struct diag diag = { .err = ERR_OK };

	(void)state;
	if (published_fits(published_all(), &diag) != ERR_OK)
		fail_msg("%s", diag.text);
}

static void a_row_that_does_not_list_its_constant_is_refused(void **state)
{
	char names[NAMES_MAX];
	struct published_row row = fitted_row(PUBLISHED_CALIBRATED, names);
	struct diag diag = { .err = ERR_OK };

	(void)state;
	assert_int_equal(fits_of(&row, 292, &diag), ERR_OK);
	row.fits =
		fits_text("line_nsec line", names); /* neither longer nor shorter words will do */
	assert_int_equal(fits_of(&row, 292, &diag), ERR_EXPECT);
	assert_string_equal(diag.text, "line_ns was fitted to t a , and that row does not list it");
	row.fits = NULL;
	assert_int_equal(fits_of(&row, 292, &diag), ERR_EXPECT);
}

static void a_row_that_was_fitted_to_may_not_say_predicted(void **state)
{
	char names[NAMES_MAX];
	struct published_row row = fitted_row(PUBLISHED_PREDICTED, names);
	struct diag diag = { .err = ERR_OK };

	(void)state;
	assert_int_equal(fits_of(&row, 292, &diag), ERR_EXPECT);
	assert_string_equal(diag.text, "line_ns was fitted to t a , which says predicted");
	row.label = PUBLISHED_DERIVED;
	assert_int_equal(fits_of(&row, 292, &diag), ERR_EXPECT);
}

static void a_knob_has_the_value_that_was_fitted(void **state)
{
	char names[NAMES_MAX];
	struct published_row row = fitted_row(PUBLISHED_CALIBRATED, names);
	struct diag diag = { .err = ERR_OK };

	(void)state;
	assert_int_equal(fits_of(&row, 300, &diag), ERR_EXPECT);
	assert_string_equal(diag.text, "line_ns is 292, but 300 was fitted to t a ");
}

static void a_calibrated_knob_that_no_row_lists_is_refused(void **state)
{
	const struct published_set set = { NULL, 0, NULL, 0 };
	struct diag diag = { .err = ERR_OK };

	(void)state;
	assert_int_equal(published_fits(&set, &diag), ERR_EXPECT);
	assert_string_equal(diag.text, "knob lock_hold_ns is calibrated, and no row lists it");
}

/* ---- the store ---- */

static void results_are_kept_and_replaced(void **state)
{
	static const struct published_row rows[] = {
		{ "a", "x", "s", 4, PUBLISHED_PREDICTED, 0.5, &some_run, "m", NULL, 0, 0 },
		{ "b", "x", "s", 4, PUBLISHED_NOT_MODELLED, 0, NULL, NULL, NULL, 0, 0 },
	};
	const struct published_table table = table_of(rows, 2);
	struct published_result result[2] = {
		{ .table = &table, .row = &rows[0], .has_model = true, .model = 5, .size = "1/10" },
		{ .table = &table, .row = &rows[1], .size = "-" },
	};
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	stored_open(&st);
	for (int i = 0; i < 2; i++) {
		result[0].model = 5 + i;
		published_judge(result, 2);
		assert_int_equal(published_store(st.db, result, 2, &st.diag), ERR_OK);
	}
	assert_string_equal(stored_sql(&st, "SELECT * FROM v_published ORDER BY row", text),
			    "t|a|x|s|4.0|6.0|0.5|predicted|0.5|1|1/10\n"
			    "t|b|x|s|4.0|-|-|not modelled|-|-|-");
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_has_a_name_of_its_own),
		cmocka_unit_test(the_figures_are_those_of_the_posts),
		cmocka_unit_test(acquisitions_of_2009_are_four_a_page),
		cmocka_unit_test(an_index_is_its_result_over_the_baseline),
		cmocka_unit_test(the_speed_of_2012_is_lost_in_two_steps),
		cmocka_unit_test(the_last_fault_row_follows_from_its_misses),
		cmocka_unit_test(a_row_is_modelled_if_and_only_if_it_has_a_run),
		cmocka_unit_test(only_derived_and_predicted_rows_count),
		cmocka_unit_test(the_shipped_constants_are_owned_up_to),
		cmocka_unit_test(a_row_that_does_not_list_its_constant_is_refused),
		cmocka_unit_test(a_row_that_was_fitted_to_may_not_say_predicted),
		cmocka_unit_test(a_knob_has_the_value_that_was_fitted),
		cmocka_unit_test(a_calibrated_knob_that_no_row_lists_is_refused),
		cmocka_unit_test(results_are_kept_and_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
