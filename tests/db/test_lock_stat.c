/*
 * Lock statistics as stored: the view in microseconds, what is read back, and
 * lock_stat's text in both of its versions.  The figures are those of the
 * post of 2009-08-28, so its text must come out, but for addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "export.h"
#include "golden.h"
#include "locks.h"
#include "stored.h"

enum { OUTPUT_MAX = 1 << 15 };

/* "Before" of the post: what it prints as minimum and maximum are sums over eight CPUs. */
static const struct run_lock counter = {
	.name = "&counter->lock",
	.waiter = { 2, { LOCK_SITE_CHARGE, LOCK_SITE_UNCHARGE }, { 999561, 824822 } },
	.holder = { 2, { LOCK_SITE_UNCHARGE, LOCK_SITE_CHARGE }, { 835597, 988786 } },
	.sum = { .con_bounces = 1793728, .acq_bounces = 24879507,
		 .wait = { 1824383, 110, 3000004, 1255869400 },
		 .hold = { 44909568, 56, 5000000, UINT64_C(19505982154) },
		 .bucket = { 43085185, 1700000, 124383 } },
	.wait_min_sum = 895, .wait_max_sum = 16599775, .hold_min_sum = 449,
	.hold_max_sum = 31183885,
};

/* More contentions, but no lock; a lock of which nothing was ever refused; one nobody took. */
static const struct run_lock added = { .name = "page_counter", .atomic = true,
				       .sum = { .wait = { 2000000, 1, 2, 3 },
						.hold = { 3000000, 1, 2, 3 } } };
static const struct run_lock quiet = {
	.name = "a lock whose name is longer than lock_stat's column",
	.sum = { .acq_bounces = 118290, .hold = { 8410227, 219, 40181, UINT64_C(2944310053) } },
	.hold_min_sum = 220, .hold_max_sum = 40182,
};
static const struct run_lock unused = { .name = "unused" };

static int64_t fill(struct stored *st)
{
	const struct run_lock all[] = { quiet, added, counter, unused };
	int64_t id;

	stored_open(st);
	id = stored_begin(st, "charge-storm");
	assert_int_equal(db_locks_add(st->db, id, all, 4, &st->diag), ERR_OK);
	stored_end(st, id, RUN_DONE);
	return id;
}

/* Times in microseconds, the true least and longest; additions are no locks. */
static void the_view_has_the_columns_of_lock_stat(void **state)
{
	char text[STORED_TEXT_MAX];
	struct stored st;

	(void)state;
	fill(&st);
	assert_string_equal(
		stored_sql(&st,
			   "SELECT run, class, con_bounces, contentions, waittime_min,"
			   " waittime_max, waittime_total, acq_bounces, acquisitions, holdtime_min,"
			   " holdtime_max, holdtime_total FROM v_lock ORDER BY contentions DESC"
			   " LIMIT 1",
			   text),
		"1|&counter->lock|1793728|1824383|0.11|3000.004|1255869.4|24879507|44909568|0.056|"
		"5000.0|19505982.154");
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM v_lock"), 3);
	assert_int_equal(stored_number(&st, "SELECT count(*) FROM lock WHERE atomic"), 1);
	assert_string_equal(stored_sql(&st,
				       "SELECT block, site, count FROM v_lock_site"
				       " ORDER BY block DESC, count DESC",
				       text),
			    "waiters|res_counter_charge|999561\n"
			    "waiters|res_counter_uncharge|824822\n"
			    "holders|res_counter_charge|988786\n"
			    "holders|res_counter_uncharge|835597");
	stored_close(&st);
}

struct seen {
	struct run_lock lock[8];
	size_t n, stop_at;
};

static enum err see(void *ctx, const struct run_lock *lock)
{
	struct seen *seen = ctx;

	seen->lock[seen->n++] = *lock;
	return seen->n == seen->stop_at ? ERR_EXPECT : ERR_OK;
}

static void what_is_read_is_what_was_stored_most_contentions_first(void **state)
{
	struct seen all = { .n = 0 }, two = { .stop_at = 2 };
	struct stored st;
	int64_t id;

	(void)state;
	id = fill(&st);
	assert_int_equal(db_locks(st.db, id, see, &all, &st.diag), ERR_OK);
	assert_int_equal(all.n, 4);
	assert_string_equal(all.lock[0].name, "page_counter");
	assert_true(all.lock[0].atomic);
	assert_memory_equal(&all.lock[1].sum, &counter.sum, sizeof(counter.sum));
	assert_int_equal(all.lock[1].wait_min_sum, 895);
	assert_int_equal(all.lock[1].hold_max_sum, 31183885);
	assert_memory_equal(&all.lock[1].waiter, &counter.waiter, sizeof(counter.waiter));
	assert_memory_equal(&all.lock[1].holder, &counter.holder, sizeof(counter.holder));
	assert_string_equal(all.lock[2].name, quiet.name);
	assert_int_equal(db_locks(st.db, id, see, &two, &st.diag), ERR_EXPECT);
	stored_reopen(&st, DB_READ);
	assert_int_equal(db_locks_add(st.db, id, &counter, 1, &st.diag), ERR_DB);
	stored_close(&st);
}

static char *printed(struct stored *st, int64_t id, const char *kernel)
{
	struct era era;
	char *text = calloc(1, OUTPUT_MAX);
	FILE *file = tmpfile();

	assert_non_null(text);
	assert_non_null(file);
	assert_int_equal(era_find(kernel, &era, NULL), ERR_OK);
	assert_int_equal(export_lock_stat(st->db, id, &era, file, &st->diag), ERR_OK);
	rewind(file);
	assert_true(fread(text, 1, OUTPUT_MAX, file) < OUTPUT_MAX);
	fclose(file);
	return text;
}

/* The line of the post, with its sums over CPUs. */
static void version_3_prints_the_table_of_the_post(void **state)
{
	static const char posted[] =
		"                          &counter->lock:       1793728        1824383           "
		"0.90       16599.78     1255869.40       24879507       44909568           0.45   "
		"    31183.89    19505982.15\n"
		"                          --------------\n"
		"                          &counter->lock         999561          "
		"[<ffffffff81099224>] res_counter_charge+0x94/0x140\n"
		"                          &counter->lock         824822          "
		"[<ffffffff8109911c>] res_counter_uncharge+0x3c/0xb0\n";
	struct stored st;
	int64_t id;
	char *text;

	(void)state;
	id = fill(&st);
	text = printed(&st, id, "v2.6.31");
	assert_non_null(strstr(text, posted));
	assert_null(strstr(text, "page_counter"));
	assert_null(strstr(text, "unused"));
	golden_check("tests/db/golden/lock_stat-0.3-sums.txt", text);
	free(text);
	/* With the patches both functions are shorter; other kernels' code is unknown. */
	text = printed(&st, id, "v2.6.31+charge=rfc");
	assert_non_null(strstr(text, " [<ffffffff810991bd>] res_counter_charge+0x4d/0x110\n"));
	assert_non_null(strstr(text, " [<ffffffff81099115>] res_counter_uncharge+0x35/0x90\n"));
	free(text);
	text = printed(&st, id, "v2.6.32");
	assert_non_null(strstr(text, " [<0000000000000000>] res_counter_charge+0x0/0x0\n"));
	free(text);
	text = printed(&st, id, "v2.6.33");
	golden_check("tests/db/golden/lock_stat-0.3-extremes.txt", text);
	free(text);
	stored_close(&st);
}

/* Averages after each total; the one of no wait at all is 0. */
static void version_4_has_averages(void **state)
{
	struct stored st;
	int64_t id;
	char *text;

	(void)state;
	id = fill(&st);
	text = printed(&st, id, "v3.17");
	assert_non_null(strstr(text, "    1255869.40           0.69 "));
	assert_non_null(strstr(text, "   19505982.15           0.43\n"));
	assert_non_null(
		strstr(text, "          0.00           0.00           0.00           0.00 "));
	golden_check("tests/db/golden/lock_stat-0.4.txt", text);
	free(text);
	stored_close(&st);
}

static void exports_hold_them(void **state)
{
	char *text = calloc(1, OUTPUT_MAX);
	FILE *file = tmpfile();
	const json_t *row;
	struct stored st;
	json_t *run;

	(void)state;
	fill(&st);
	assert_int_equal(export_json(st.db, 1, file, &st.diag), ERR_OK);
	rewind(file);
	assert_true(fread(text, 1, OUTPUT_MAX, file) < OUTPUT_MAX);
	fclose(file);
	run = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(run);
	assert_int_equal(json_array_size(json_object_get(run, "locks")), 3);
	assert_int_equal(json_array_size(json_object_get(run, "lock_sites")), 4);
	row = json_array_get(json_object_get(run, "locks"), 0);
	assert_string_equal(json_string_value(json_object_get(row, "class")), "&counter->lock");
	assert_int_equal(json_integer_value(json_object_get(row, "contentions")), 1824383);
	json_decref(run);
	free(text);
	stored_close(&st);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_view_has_the_columns_of_lock_stat),
		cmocka_unit_test(what_is_read_is_what_was_stored_most_contentions_first),
		cmocka_unit_test(version_3_prints_the_table_of_the_post),
		cmocka_unit_test(version_4_has_averages),
		cmocka_unit_test(exports_hold_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
