/*
 * The line editor: every printable character is text, readline's keys edit,
 * Enter, Esc and Tab are the caller's, and nothing touches the environment.
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "prompt.h"
#include "rig.h"

static int open_prompt(void **state)
{
	struct prompt *prompt = NULL;
	struct diag diag;

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("INPUTRC", "/dev/null", 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	if (prompt_new(&prompt, &diag) != ERR_OK)
		return -1;
	*state = prompt;
	return 0;
}

static int close_prompt(void **state)
{
	prompt_free(*state);
	return 0;
}

static void type(struct prompt *prompt, const char *text)
{
	char key[2] = "";

	for (; *text; text++) {
		key[0] = *text;
		assert_int_equal(prompt_key(prompt, *text == ' ' ? "Space" : key), PROMPT_EDITED);
	}
}

static void every_printable_character_is_text(void **state)
{
	struct prompt *prompt = *state;
	char all[128];
	size_t n = 0;

	for (char ch = ' '; ch < 127; ch++)
		all[n++] = ch;
	all[n] = '\0';
	for (int history = 0; history < 2; history++) {
		prompt_start(prompt, "", history);
		type(prompt, all);
		assert_string_equal(prompt_text(prompt), all);
		assert_int_equal(prompt_cursor(prompt), n);
		prompt_stop(prompt);
	}
}

static void enter_escape_and_tab_are_left_to_the_caller(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "abc", true);
	assert_int_equal(prompt_key(prompt, "Enter"), PROMPT_ACCEPT);
	assert_int_equal(prompt_key(prompt, "Esc"), PROMPT_CANCEL);
	assert_int_equal(prompt_key(prompt, "Ctrl-C"), PROMPT_CANCEL);
	assert_int_equal(prompt_key(prompt, "Tab"), PROMPT_COMPLETE);
	assert_string_equal(prompt_text(prompt), "abc");
	assert_true(prompt_active(prompt));
	prompt_stop(prompt);
	assert_false(prompt_active(prompt));
	assert_string_equal(prompt_text(prompt), "");
}

static void editing_keys_move_and_delete(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "", false);
	type(prompt, "one two");
	prompt_key(prompt, "Left");
	prompt_key(prompt, "Left");
	assert_int_equal(prompt_cursor(prompt), 5);
	type(prompt, "X");
	assert_string_equal(prompt_text(prompt), "one tXwo");
	prompt_key(prompt, "Backspace");
	prompt_key(prompt, "Delete");
	assert_string_equal(prompt_text(prompt), "one to");
	prompt_key(prompt, "Home");
	assert_int_equal(prompt_cursor(prompt), 0);
	prompt_key(prompt, "End");
	prompt_key(prompt, "Ctrl-W");
	assert_string_equal(prompt_text(prompt), "one ");
	prompt_key(prompt, "Ctrl-A");
	prompt_key(prompt, "Ctrl-K");
	assert_string_equal(prompt_text(prompt), "");
	prompt_stop(prompt);
}

static void text_in_utf8_is_kept(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "", false);
	prompt_key(prompt, "\u00fc");
	prompt_key(prompt, "z");
	assert_string_equal(prompt_text(prompt), "\u00fcz");
	prompt_stop(prompt);
}

static void keys_that_edit_nothing_change_nothing(void **state)
{
	static const char *const keys[] = { "F1",        "F10",    "PgUp",   "PgDn",
					    "Shift-Tab", "Ctrl-D", "Ctrl-G", "Ctrl-L",
					    "Ctrl-S",    "Ctrl-Z", "Up",     "Down" };
	struct prompt *prompt = *state;

	prompt_start(prompt, "text", false);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(prompt_key(prompt, keys[i]), PROMPT_EDITED);
	assert_string_equal(prompt_text(prompt), "text");
	assert_true(prompt_active(prompt));
	prompt_stop(prompt);
}

static void the_end_of_input_does_not_close_an_empty_prompt(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "", true);
	prompt_key(prompt, "Ctrl-D");
	type(prompt, "on");
	assert_true(prompt_active(prompt));
	assert_string_equal(prompt_text(prompt), "on");
	prompt_stop(prompt);
}

static void up_brings_back_what_was_remembered(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "", true);
	type(prompt, "goto 42%");
	prompt_remember(prompt);
	prompt_remember(prompt);
	prompt_stop(prompt);
	prompt_start(prompt, "", true);
	type(prompt, "half");
	prompt_key(prompt, "Up");
	assert_string_equal(prompt_text(prompt), "goto 42%");
	prompt_key(prompt, "Up");
	assert_string_equal(prompt_text(prompt), "goto 42%");
	prompt_key(prompt, "Down");
	assert_string_equal(prompt_text(prompt), "half");
	prompt_stop(prompt);
	/* A prompt without history neither offers nor keeps. */
	prompt_start(prompt, "", false);
	prompt_key(prompt, "Up");
	assert_string_equal(prompt_text(prompt), "");
	type(prompt, "x");
	prompt_remember(prompt);
	prompt_stop(prompt);
	prompt_start(prompt, "", true);
	prompt_key(prompt, "Up");
	assert_string_equal(prompt_text(prompt), "goto 42%");
	prompt_stop(prompt);
}

static void a_text_can_be_put_in_and_replaced(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "first", false);
	assert_int_equal(prompt_cursor(prompt), 5);
	prompt_set(prompt, "goto ");
	type(prompt, "7");
	assert_string_equal(prompt_text(prompt), "goto 7");
	prompt_stop(prompt);
}

static void a_line_never_grows_beyond_its_limit(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "", false);
	for (int i = 0; i < 3 * PROMPT_TEXT_MAX; i++)
		prompt_key(prompt, "x");
	assert_true(strlen(prompt_text(prompt)) < PROMPT_TEXT_MAX);
	prompt_stop(prompt);
}

static void the_environment_keeps_its_size(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "", true);
	type(prompt, "abc");
	prompt_stop(prompt);
	assert_null(getenv("LINES"));
	assert_null(getenv("COLUMNS"));
}

/* As the shell does: bytes of a terminal, whose keys come in many forms. */
static void bytes_of_a_terminal_edit_too(void **state)
{
	static const char *const home[] = { "\033[H", "\033OH", "\033[1~", "\001" };
	static const char *const left[] = { "\033[D", "\033OD", "\002" };
	struct prompt *prompt = *state;

	for (size_t i = 0; i < sizeof(home) / sizeof(home[0]); i++) {
		prompt_start(prompt, "", true);
		prompt_feed(prompt, "bc d\xc3\xa9", 6);
		prompt_feed(prompt, home[i], strlen(home[i]));
		prompt_feed(prompt, "a", 1);
		prompt_feed(prompt, "\033[1;5C", 6); /* a word on */
		prompt_feed(prompt, left[i % 3], strlen(left[i % 3]));
		prompt_feed(prompt, "X", 1);
		assert_string_equal(prompt_text(prompt), "abXc d\xc3\xa9");
		assert_int_equal(prompt_cursor(prompt), 3);
		prompt_stop(prompt);
	}
}

static void a_search_shows_what_it_looks_for_and_ends_with_what_it_found(void **state)
{
	struct prompt *prompt = *state;

	prompt_learn(prompt, "seek and find");
	prompt_learn(prompt, "another");
	prompt_start(prompt, "", true);
	assert_string_equal(prompt_message(prompt), "");
	prompt_feed(prompt, "\022", 1);
	prompt_feed(prompt, "fin", 3);
	assert_non_null(strstr(prompt_message(prompt), "`fin'"));
	prompt_settle(prompt);
	assert_string_equal(prompt_message(prompt), "");
	assert_string_equal(prompt_text(prompt), "seek and find");
	prompt_settle(prompt); /* without a search it does nothing */
	prompt_feed(prompt, "!", 1);
	assert_non_null(strstr(prompt_text(prompt), "!"));
	prompt_stop(prompt);
}

static void a_line_is_in_the_history_once(void **state)
{
	struct prompt *prompt = *state;

	prompt_learn(prompt, "once");
	prompt_learn(prompt, "twice");
	prompt_learn(prompt, "once");
	prompt_start(prompt, "", true);
	prompt_feed(prompt, "\033[A", 3);
	assert_string_equal(prompt_text(prompt), "once");
	prompt_feed(prompt, "\033OA", 3);
	assert_string_equal(prompt_text(prompt), "twice");
	prompt_feed(prompt, "\033[A", 3);
	assert_string_not_equal(prompt_text(prompt), "once");
	prompt_stop(prompt);
}

static void a_word_is_put_in_place_of_its_beginning(void **state)
{
	struct prompt *prompt = *state;

	prompt_start(prompt, "run ca -k", true);
	for (int i = 0; i < 3; i++)
		prompt_key(prompt, "Left");
	prompt_insert(prompt, 2, "cat-in-100m ");
	assert_string_equal(prompt_text(prompt), "run cat-in-100m  -k");
	assert_int_equal(prompt_cursor(prompt), 16);
	prompt_stop(prompt);
}

static void a_longer_limit_holds_for_pasted_text(void **state)
{
	struct prompt *prompt = *state;
	char text[1000];

	memset(text, 'x', sizeof(text));
	prompt_limit(prompt, 3000);
	prompt_start(prompt, "", true);
	for (int i = 0; i < 2; i++)
		prompt_feed(prompt, text, sizeof(text));
	assert_int_equal(strlen(prompt_text(prompt)), 2000);
	for (int i = 0; i < 3; i++)
		prompt_feed(prompt, text, sizeof(text));
	assert_in_range(strlen(prompt_text(prompt)), 1, 2999);
	prompt_stop(prompt);
	prompt_limit(prompt, PROMPT_TEXT_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_printable_character_is_text),
		cmocka_unit_test(enter_escape_and_tab_are_left_to_the_caller),
		cmocka_unit_test(editing_keys_move_and_delete),
		cmocka_unit_test(text_in_utf8_is_kept),
		cmocka_unit_test(keys_that_edit_nothing_change_nothing),
		cmocka_unit_test(the_end_of_input_does_not_close_an_empty_prompt),
		cmocka_unit_test(up_brings_back_what_was_remembered),
		cmocka_unit_test(a_text_can_be_put_in_and_replaced),
		cmocka_unit_test(a_line_never_grows_beyond_its_limit),
		cmocka_unit_test(the_environment_keeps_its_size),
		cmocka_unit_test(bytes_of_a_terminal_edit_too),
		cmocka_unit_test(a_search_shows_what_it_looks_for_and_ends_with_what_it_found),
		cmocka_unit_test(a_line_is_in_the_history_once),
		cmocka_unit_test(a_word_is_put_in_place_of_its_beginning),
		cmocka_unit_test(a_longer_limit_holds_for_pasted_text),
	};

	return cmocka_run_group_tests(tests, open_prompt, close_prompt);
}
