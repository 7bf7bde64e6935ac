/*
 * Conditions on a run that is in no store: the words of runs --where, asked
 * of one run after the other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "meets.h"

static const struct db_run row = {
	.scenario = "s", .kernel = "v2.6.31+scan_batch=reclaim_stat", .alias = "batched", .seed = 7
};

static struct db_metric metric[] = {
	{ .name = "over_scan", .unit = "x", .is_real = true, .real = 1.5 },
	{ .name = "failcnt", .integer = 3 },
	{ .name = "peak", .unit = "pages", .integer = 25600 },
	{ .name = "none", .missing = true },
	{ .name = "state_hash", .is_text = true, .text = "ab" },
};

static const struct db_facts facts = { &row, metric, sizeof(metric) / sizeof(metric[0]) };

static bool meets(const char *expr)
{
	struct diag diag = { .err = ERR_OK };
	struct db_meets *one;
	bool yes;

	if (db_meets_open(expr, &facts, &one, &diag) != ERR_OK ||
	    db_meets(one, &facts, &yes, &diag) != ERR_OK)
		fail_msg("%s: %s", expr, diag.text);
	db_meets_close(one);
	return yes;
}

static void a_run_is_asked_in_the_words_of_runs(void **state)
{
	(void)state;
	assert_true(meets("over_scan < 2 and failcnt = 3"));
	assert_false(meets("over_scan < 1.5"));
	assert_true(meets("over_scan <= 1.5"));
	assert_true(meets("over_scan > 9 or kernel = batched"));
	assert_false(meets("kernel = v2.6.31"));
	assert_true(meets("seed = 7"));
	assert_true(meets("state_hash = ab"));
}

static void what_a_run_lacks_is_neither_below_nor_above(void **state)
{
	(void)state;
	assert_false(meets("none < 1"));
	assert_false(meets("none >= 1"));
}

static void each_run_is_asked_for_itself(void **state)
{
	struct diag diag = { .err = ERR_OK };
	struct db_meets *one;
	bool yes;

	(void)state;
	assert_int_equal(db_meets_open("failcnt > 10", &facts, &one, &diag), ERR_OK);
	for (int64_t n = 8; n < 14; n++) {
		metric[1].integer = n;
		assert_int_equal(db_meets(one, &facts, &yes, &diag), ERR_OK);
		assert_int_equal(yes, n > 10);
	}
	metric[1].integer = 3;
	db_meets_close(one);
	db_meets_close(NULL);
}

static void refused(enum err err, const char *expr, const char *words)
{
	struct diag diag = { .err = ERR_OK };
	struct db_meets *one;

	assert_int_equal(db_meets_open(expr, &facts, &one, &diag), err);
	assert_null(one);
	if (strstr(diag.text, words) == NULL)
		fail_msg("%s: %s", expr, diag.text);
}

static void names_and_words_are_checked_when_it_is_read(void **state)
{
	(void)state;
	refused(ERR_NAME, "over_scna < 2", "over_scan");
	refused(ERR_USAGE, "over_scan < ", "over_scan");
	refused(ERR_USAGE, "", "empty");
	refused(ERR_USAGE, "over_scan < x", "x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_is_asked_in_the_words_of_runs),
		cmocka_unit_test(what_a_run_lacks_is_neither_below_nor_above),
		cmocka_unit_test(each_run_is_asked_for_itself),
		cmocka_unit_test(names_and_words_are_checked_when_it_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
