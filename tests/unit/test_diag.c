/*
 * Messages and exit statuses: an error keeps its code and words, each code
 * has the documented status, and the nearest name is found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "diag.h"

static void a_failure_keeps_its_code_and_words(void **state)
{
	struct diag diag = { .err = ERR_OK };

	(void)state;
	assert_int_equal(diag_fail(&diag, ERR_RANGE, "%s: %d is more than %d", "limit", 7, 5),
			 ERR_RANGE);
	assert_int_equal(diag.err, ERR_RANGE);
	assert_string_equal(diag.text, "limit: 7 is more than 5");
}

static void a_failure_needs_no_diag(void **state)
{
	(void)state;
	assert_int_equal(diag_fail(NULL, ERR_DB, "gone"), ERR_DB);
}

static void a_long_message_is_cut_and_terminated(void **state)
{
	static char words[2 * DIAG_TEXT_MAX];
	struct diag diag;

	(void)state;
	memset(words, 'x', sizeof(words) - 1);
	memset(&diag, 'y', sizeof(diag));
	diag_fail(&diag, ERR_USAGE, "%s", words);
	assert_int_equal(strlen(diag.text), DIAG_TEXT_MAX - 1);
}

static void a_later_failure_replaces_an_earlier_one(void **state)
{
	struct diag diag;

	(void)state;
	diag_fail(&diag, ERR_USAGE, "a long first message");
	diag_fail(&diag, ERR_NAME, "short");
	assert_int_equal(diag.err, ERR_NAME);
	assert_string_equal(diag.text, "short");
}

static void each_error_has_its_documented_status(void **state)
{
	static const struct { enum err err; int status; } rows[] = {
		{ ERR_OK, 0 }, { ERR_EXPECT, 1 }, { ERR_USAGE, 2 }, { ERR_RANGE, 2 },
		{ ERR_NAME, 2 }, { ERR_SCENARIO, 3 }, { ERR_DB, 4 }, { ERR_IMPORT, 5 },
		{ ERR_LIMIT, 6 }, { ERR_NOMEM, 6 }, { ERR_OUTPUT, 7 },
		{ ERR_INTERRUPTED, 130 }, { ERR_PIPE, 141 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(diag_status(rows[i].err), rows[i].status);
}

static const char *name_at(const void *ctx, size_t i)
{
	const char *const *names = ctx;

	return names[i];
}

static void the_nearest_name_has_the_fewest_edits(void **state)
{
	static const char *const names[] = {
		"v2.6.31", "v2.6.32", "v3.1", "v3.3", "batched", "unbatched", NULL,
	};

	(void)state;
	assert_string_equal(diag_nearest("v2.6.33", name_at, names), "v2.6.31");
	assert_string_equal(diag_nearest("v2.6.2", name_at, names), "v2.6.32");
	assert_string_equal(diag_nearest("batchd", name_at, names), "batched");
	assert_string_equal(diag_nearest("unbatch", name_at, names), "unbatched");
	assert_string_equal(diag_nearest("3.3", name_at, names), "v3.3");
	assert_string_equal(diag_nearest("", name_at, names), "v3.1");
}

static void the_first_of_equally_near_names_wins(void **state)
{
	static const char *const names[] = { "ab", "ac", "ad", NULL };

	(void)state;
	assert_string_equal(diag_nearest("ax", name_at, names), "ab");
	assert_string_equal(diag_nearest("ad", name_at, names), "ad");
}

static void without_names_none_is_nearest(void **state)
{
	static const char *const names[] = { NULL };

	(void)state;
	assert_null(diag_nearest("any", name_at, names));
}

static void a_very_long_word_is_compared_by_its_beginning(void **state)
{
	static const char *const names[] = { "short", "aaaaaaaaaaaaaaaaaaaa", NULL };
	static char word[5000];

	(void)state;
	memset(word, 'a', sizeof(word) - 1);
	assert_string_equal(diag_nearest(word, name_at, names), names[1]);
}

static const char *three(const void *ctx, size_t i)
{
	static const char *const names[] = { "at", "limit", "machine" };

	return i < *(const size_t *)ctx ? names[i] : NULL;
}

/* The nearest of names that are all unlike would only mislead. */
static void a_hint_is_a_near_name_or_all_there_are(void **state)
{
	char hint[DIAG_HINT_MAX];
	size_t all = 3, none = 0;

	(void)state;
	assert_string_equal(diag_hint("limti", three, &all, hint), "did you mean \"limit\"?");
	assert_string_equal(diag_hint("foo", three, &all, hint),
			    "there are \"at\", \"limit\", \"machine\"");
	assert_string_equal(diag_hint("foo", three, &none, hint), "there are none");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hint_is_a_near_name_or_all_there_are),
		cmocka_unit_test(a_failure_keeps_its_code_and_words),
		cmocka_unit_test(a_failure_needs_no_diag),
		cmocka_unit_test(a_long_message_is_cut_and_terminated),
		cmocka_unit_test(a_later_failure_replaces_an_earlier_one),
		cmocka_unit_test(each_error_has_its_documented_status),
		cmocka_unit_test(the_nearest_name_has_the_fewest_edits),
		cmocka_unit_test(the_first_of_equally_near_names_wins),
		cmocka_unit_test(without_names_none_is_nearest),
		cmocka_unit_test(a_very_long_word_is_compared_by_its_beginning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
