/*
 * Conditions on stored runs: each operator, each kind of column, the words of
 * a filter, and each error with its place.
 */
#include <stdio.h>
#include <string.h>

#include "choose.h"
#include "stored.h"

enum { TEXT = 256 };

/* The store of all tests: five runs, of which the last has not ended and has no figures. */
static struct stored st;

static void add_run(const struct db_run *wanted, double over_scan, int64_t peak, const char *hash)
{
	const struct db_metric metric[] = {
		{ .name = "over_scan", .unit = "x", .is_real = true, .real = over_scan },
		{ .name = "peak_usage_pages", .unit = "pages", .integer = peak },
		{ .name = "wait", .unit = "us", .is_real = true, .real = over_scan * 1000 },
		{ .name = "nr_scanned", .unit = "pages", .integer = peak * 10 },
		{ .name = "state_hash", .is_text = true, .text = "" },
	};
	struct db_metric copy[5];
	struct db_run run = *wanted;

	memcpy(copy, metric, sizeof(copy));
	snprintf(copy[4].text, sizeof(copy[4].text), "%s", hash);
	if (db_run_begin(st.db, &run, &st.diag) ||
	    (hash[0] && db_metrics_add(st.db, run.id, copy, 5, &st.diag)))
		fail_msg("%s", st.diag.text);
	if (hash[0])
		stored_end(&st, run.id, RUN_DONE);
}

static int fill(void **state)
{
	char text[STORED_TEXT_MAX];

	(void)state;
	stored_open(&st);
	add_run(&(struct db_run){ .scenario = "cat-in-100m",
				  .kernel = "v2.6.31",
				  .alias = "unbatched",
				  .seed = 7,
				  .tag = "base nightly",
				  .params = "{\"limit\":104857600,\"mode\":\"even\"}" },
		5.33, 25600, "00ff");
	add_run(&(struct db_run){ .scenario = "cat-in-100m",
				  .kernel = "v2.6.31+scan_batch=reclaim_stat",
				  .alias = "batched",
				  .seed = 7,
				  .note = "First batched baseline",
				  .params = "{\"limit\":104857600,\"mode\":\"odd\"}" },
		1.52, 25600, "11ff");
	add_run(&(struct db_run){ .scenario = "two-siblings",
				  .kernel = "v3.3",
				  .seed = UINT64_MAX - 1,
				  .tag = "baseline",
				  .params = "{\"limit\":209715200}" },
		2.0, 51200, "22ff");
	add_run(&(struct db_run){ .scenario = "100%_sure", .kernel = "v3.3+lru=double", .seed = 9 },
		8.0, 100, "33ff");
	add_run(&(struct db_run){ .scenario = "idle", .kernel = "v3.3", .seed = 10 }, 0, 0, "");
	stored_sql(&st,
		   "UPDATE run SET created = '2026-01-0' || id || 'T10:00:00Z',"
		   " wall_ns = id * 1000000000, steps = id * 10",
		   text);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	stored_close(&st);
	return 0;
}

static enum err keep_id(void *ctx, const struct db_run *run)
{
	char *out = ctx;

	snprintf(out + strlen(out), TEXT - strlen(out), "%s%lld", out[0] ? " " : "",
		 (long long)run->id);
	return ERR_OK;
}

/* The ids of the runs that @where picks, newest first. */
static const char *chosen(const char *where, const char *sort)
{
	static char ids[TEXT];
	const struct db_choice choice = { .where = where, .sort = sort, .brief = true };

	ids[0] = '\0';
	if (db_runs_chosen(st.db, &choice, keep_id, ids, &st.diag))
		fail_msg("%s: %s", where, st.diag.text);
	return ids;
}

#define CHOSEN(where, ids) assert_string_equal(chosen(where, NULL), ids)

static void no_condition_picks_all_newest_first(void **state)
{
	(void)state;
	CHOSEN(NULL, "5 4 3 2 1");
	CHOSEN("", "5 4 3 2 1");
	CHOSEN("  \n", "5 4 3 2 1");
}

static void the_condition_of_the_manual(void **state)
{
	(void)state;
	CHOSEN("over_scan < 2 and kernel = \"batched\"", "2");
}

static void the_words_of_the_filter_mean_the_same(void **state)
{
	(void)state;
	CHOSEN("scenario:cat kernel:batched tag:base metric.over_scan<2", "");
	CHOSEN("scenario:cat kernel:batched note:base metric.over_scan<2", "2");
	CHOSEN("scenario:cat kernel:unbatched tag:base metric.over_scan>2", "1");
}

static void each_comparison_of_numbers(void **state)
{
	(void)state;
	CHOSEN("over_scan = 2", "3");
	CHOSEN("over_scan == 2.0", "3");
	CHOSEN("over_scan:2", "3");
	CHOSEN("over_scan ~ 2", "3");
	CHOSEN("over_scan != 2", "4 2 1");
	CHOSEN("over_scan <> 2", "4 2 1");
	CHOSEN("over_scan < 2", "2");
	CHOSEN("over_scan <= 2", "3 2");
	CHOSEN("over_scan > 2", "4 1");
	CHOSEN("over_scan >= 2", "4 3 1");
	CHOSEN("over_scan<2", "2");
	CHOSEN("run = 3", "3");
	CHOSEN("id>=4", "5 4");
	CHOSEN("steps > 20", "5 4 3");
	CHOSEN("over_scan > 1e0", "4 3 2 1");
	CHOSEN("over_scan > -1", "4 3 2 1");
}

static void a_run_without_the_figure_is_neither_less_nor_more(void **state)
{
	(void)state;
	CHOSEN("over_scan < 100 or over_scan >= 100", "4 3 2 1");
	CHOSEN("not over_scan < 100", "5");
	CHOSEN("parent = 1 or parent != 1", "");
}

static void each_comparison_of_texts(void **state)
{
	(void)state;
	CHOSEN("scenario = idle", "5");
	CHOSEN("scenario = Idle", "");
	CHOSEN("scenario != 'cat-in-100m'", "5 4 3");
	CHOSEN("scenario ~ SIB", "3");
	CHOSEN("scenario:SIB", "3");
	CHOSEN("scenario like '%-in-%'", "2 1");
	CHOSEN("scenario not like \"%-in-%\"", "5 4 3");
	CHOSEN("scenario like idl_", "5");
	CHOSEN("scenario ~ '%_s'", "4"); /* no pattern */
	CHOSEN("note != ''", "2");
	CHOSEN("note = ''", "5 4 3 1");
	CHOSEN("state = running", "5");
	CHOSEN("metric.state_hash = '11ff'", "2");
	CHOSEN("state_hash ~ FF", "4 3 2 1");
	CHOSEN("state_hash != 11ff", "4 3 1");
}

static void quotes_are_doubled_inside_quotes_and_never_become_sql(void **state)
{
	(void)state;
	CHOSEN("note = 'it''s'", "");
	CHOSEN("note = \"a \"\"b\"\" c\"", "");
	CHOSEN("note = \"' or 1 = 1 --\"", "");
	CHOSEN("metric.over_scan < 2 and note ~ \"first batched\"", "2");
}

static void a_kernel_answers_to_its_name_and_its_alias(void **state)
{
	(void)state;
	CHOSEN("kernel = unbatched", "1");
	CHOSEN("kernel = v2.6.31", "1");
	CHOSEN("kernel = batched", "2");
	CHOSEN("kernel = v2.6.31+scan_batch=reclaim_stat", "2");
	CHOSEN("kernel != batched", "5 4 3 1");
	CHOSEN("kernel:scan_batch", "2");
	CHOSEN("kernel:batched", "2 1");
	CHOSEN("kernel not like '%batched'", "5 4 3");
	CHOSEN("alias = batched", "2");
}

static void a_tag_is_one_of_the_words_of_a_run(void **state)
{
	(void)state;
	CHOSEN("tag = base", "1");
	CHOSEN("tag = nightly", "1");
	CHOSEN("tag != base", "5 4 3 2");
	CHOSEN("tag:base", "3 1");
	CHOSEN("tag = ''", "5 4 2");
	CHOSEN("tag != ''", "3 1");
}

static void a_date_is_compared_as_far_as_it_is_written(void **state)
{
	(void)state;
	CHOSEN("created = 2026-01-03", "3");
	CHOSEN("created >= 2026-01-03", "5 4 3");
	CHOSEN("created <= 2026-01-03", "3 2 1");
	CHOSEN("created < 2026-01-03T10:00:00Z", "2 1");
	CHOSEN("created > 2026-01-03", "5 4");
	CHOSEN("created != 2026-01", "");
}

static void numbers_may_have_the_units_of_what_they_are_compared_with(void **state)
{
	(void)state;
	CHOSEN("peak_usage_pages = 100M", "2 1");
	CHOSEN("peak_usage_pages > 100M", "3");
	CHOSEN("peak_usage_pages = 25600", "2 1");
	CHOSEN("peak_usage_pages > 0.1875G", "3");
	CHOSEN("wait < 2ms", "2");
	CHOSEN("wait >= 5330", "4 1");
	CHOSEN("wall_ns >= 4s", "5 4");
	CHOSEN("wall < 1500ms", "1");
	CHOSEN("param.limit = 100M", "2 1");
	CHOSEN("param.limit > 104857600", "3");
	CHOSEN("param.mode = even", "1");
	CHOSEN("param.mode != even", "2");
	CHOSEN("steps < 1k", "5 4 3 2 1");
}

static void a_large_seed_is_large(void **state)
{
	(void)state;
	CHOSEN("seed = 18446744073709551614", "3");
	CHOSEN("seed > 9", "5 3");
	CHOSEN("seed <= 9", "4 2 1");
	CHOSEN("seed != 7", "5 4 3");
	CHOSEN("seed < 18446744073709551614", "5 4 2 1");
}

static void and_is_stronger_than_or_and_parentheses_are_stronger(void **state)
{
	(void)state;
	CHOSEN("run = 1 or run = 2 and over_scan > 2", "1");
	CHOSEN("(run = 1 or run = 2) and over_scan < 2", "2");
	CHOSEN("run = 1 or run = 2 over_scan > 2", "1");
	CHOSEN("not run = 1 and not (run = 2 or run = 3)", "5 4");
	CHOSEN("not not run = 1", "1");
	CHOSEN("NOT run = 1 AND run < 3 OR run = 5", "5 2");
	CHOSEN("((((run=4))))", "4");
}

static void a_word_alone_is_looked_for_where_there_are_words(void **state)
{
	(void)state;
	CHOSEN("batched", "2 1");
	CHOSEN("FIRST", "2");
	CHOSEN("\"first batched\"", "2");
	CHOSEN("nightly", "1");
	CHOSEN("running", "5");
	CHOSEN("cat not first", "1");
	CHOSEN("\"lru=double\"", "4");
}

static void the_beginning_of_a_name_is_enough_if_it_is_the_only_one(void **state)
{
	(void)state;
	CHOSEN("over < 2", "2");
	CHOSEN("metric.pe = 100M", "2 1");
	CHOSEN("ker = batched", "2");
	assert_string_equal(chosen("param.mo=even", NULL), "1");
}

static void any_column_or_metric_sorts(void **state)
{
	(void)state;
	assert_string_equal(chosen(NULL, "over_scan"), "2 3 1 4 5");
	assert_string_equal(chosen(NULL, "-over_scan"), "4 1 3 2 5");
	assert_string_equal(chosen("run < 4", "created"), "1 2 3");
	assert_string_equal(chosen(NULL, "-wall"), "5 4 3 2 1");
	assert_string_equal(chosen(NULL, "scenario"), "4 2 1 5 3");
	assert_string_equal(chosen("kernel:batched", "param.mode"), "1 2");
}

/* What is said, and that the caret stands below @place. */
static void refused(const char *where, enum err err, const char *said, const char *place)
{
	const struct db_choice choice = { .where = where };
	const char *line, *caret;
	char ids[TEXT] = "";

	assert_int_equal(db_runs_chosen(st.db, &choice, keep_id, ids, &st.diag), err);
	if (!strstr(st.diag.text, said))
		fail_msg("%s: \"%s\" is not in \"%s\"", where, said, st.diag.text);
	line = strchr(st.diag.text, '\n');
	assert_non_null(line);
	caret = strchr(line + 1, '\n');
	assert_non_null(caret);
	/* Two bytes of one character are one column. */
	assert_int_equal(strspn(caret + 1, " ") - 2,
			 strlen(where) - strlen(place) - (strstr(where, "\xc3") != NULL));
	assert_string_equal(strchr(caret, '^'), "^");
	assert_memory_equal(where + strlen(where) - strlen(place), place, strlen(place));
}

static void a_wrong_name_is_one_error_with_near_names_and_the_place(void **state)
{
	(void)state;
	refused("over_scam < 2", ERR_NAME,
		"no column or metric \"over_scam\" here; near: over_scan", "over_scam < 2");
	refused("seed = 7 and kernal:x", ERR_NAME, "near: kernel, ", "kernal:x");
	refused("metric.over_scam<2", ERR_NAME, "near: metric.over_scan, ", "metric.over_scam<2");
	refused("param.limits=1", ERR_NAME, "near: param.limit, param.mode", "param.limits=1");
	refused("s = 7", ERR_NAME, "no column or metric \"s\"", "s = 7");
	refused("\xc3\xa4 or nosuch=1", ERR_NAME, "\"nosuch\"", "nosuch=1");
}

static void what_is_no_condition_is_refused_at_its_place(void **state)
{
	char deep[200] = "";

	(void)state;
	refused("over_scan <", ERR_USAGE, "a value is missing behind over_scan", "");
	refused("seed<many", ERR_USAGE, "seed: \"many\" is not a number", "many");
	refused("over_scan < 0x2", ERR_USAGE, "\"0x2\" is not a number", "0x2");
	refused("over_scan < nan", ERR_USAGE, "\"nan\" is not a number", "nan");
	refused("peak_usage_pages < 3ms", ERR_USAGE, "\"3ms\" is not a number", "3ms");
	refused("wait < 100M", ERR_USAGE, "\"100M\" is not a number", "100M");
	refused("seed like 7", ERR_USAGE, "seed is a number: like is for texts", "7");
	refused("kernel < 3", ERR_USAGE, "kernel is text", "kernel < 3");
	refused("note = 'open", ERR_USAGE, "the quote ' is not closed", "'open");
	refused("(run = 1", ERR_USAGE, "this parenthesis is not closed", "(run = 1");
	refused("run = 1)", ERR_USAGE, "nothing was opened that this closes", ")");
	refused("run = 1 and", ERR_USAGE, "a condition is missing here", "");
	refused("or run = 1", ERR_USAGE, "a condition is missing here", "or run = 1");
	refused("run = 1 and  or", ERR_USAGE, "a condition is missing here", "or");
	refused("()", ERR_USAGE, "a condition is missing here", ")");
	refused("not", ERR_USAGE, "a condition is missing here", "");
	refused("< 2", ERR_USAGE, "a name is missing before this", "< 2");
	memset(deep, '(', sizeof(deep) - 1);
	refused(deep, ERR_USAGE, "this goes too deep", deep + 50);
}

static void what_is_too_long_is_refused(void **state)
{
	static char text[1200];
	const struct db_choice choice = { .where = text };
	char ids[TEXT] = "";

	(void)state;
	memset(text, 'x', 1001);
	assert_int_equal(db_runs_chosen(st.db, &choice, keep_id, ids, &st.diag), ERR_USAGE);
	assert_non_null(strstr(st.diag.text, "more than 1000 bytes"));
	text[1000] = '\0';
	refused(text, ERR_USAGE, "this word is too long", text);
	text[0] = '\0';
	for (int i = 0; i < 240; i++)
		strcat(text, "a b ");
	text[959] = '\0';
	assert_int_equal(db_runs_chosen(st.db, &choice, keep_id, ids, &st.diag), ERR_USAGE);
	assert_non_null(strstr(st.diag.text, "this condition is too long"));
}

static void a_word_that_may_become_a_comparison_is_waited_for(void **state)
{
	(void)state;
	assert_true(db_where_pending(st.db, "over"));
	assert_true(db_where_pending(st.db, "cat sta"));
	assert_true(db_where_pending(st.db, "metric.over_scan"));
	assert_true(db_where_pending(st.db, "run = 1 and (over"));
	assert_false(db_where_pending(st.db, "over "));
	assert_false(db_where_pending(st.db, "tag:ker"));
	assert_false(db_where_pending(st.db, "batched"));
	assert_false(db_where_pending(st.db, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_condition_picks_all_newest_first),
		cmocka_unit_test(the_condition_of_the_manual),
		cmocka_unit_test(the_words_of_the_filter_mean_the_same),
		cmocka_unit_test(each_comparison_of_numbers),
		cmocka_unit_test(a_run_without_the_figure_is_neither_less_nor_more),
		cmocka_unit_test(each_comparison_of_texts),
		cmocka_unit_test(quotes_are_doubled_inside_quotes_and_never_become_sql),
		cmocka_unit_test(a_kernel_answers_to_its_name_and_its_alias),
		cmocka_unit_test(a_tag_is_one_of_the_words_of_a_run),
		cmocka_unit_test(a_date_is_compared_as_far_as_it_is_written),
		cmocka_unit_test(numbers_may_have_the_units_of_what_they_are_compared_with),
		cmocka_unit_test(a_large_seed_is_large),
		cmocka_unit_test(and_is_stronger_than_or_and_parentheses_are_stronger),
		cmocka_unit_test(a_word_alone_is_looked_for_where_there_are_words),
		cmocka_unit_test(the_beginning_of_a_name_is_enough_if_it_is_the_only_one),
		cmocka_unit_test(any_column_or_metric_sorts),
		cmocka_unit_test(a_wrong_name_is_one_error_with_near_names_and_the_place),
		cmocka_unit_test(what_is_no_condition_is_refused_at_its_place),
		cmocka_unit_test(what_is_too_long_is_refused),
		cmocka_unit_test(a_word_that_may_become_a_comparison_is_waited_for),
	};

	return cmocka_run_group_tests(tests, fill, drop);
}
