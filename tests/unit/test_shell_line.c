/*
 * Lines of the shell: which kind each is, whether it is whole, and how it
 * is split into words.
 */
#include <string.h>

#include "rig.h"
#include "shell_line.h"

static void lines_are_told_apart_by_how_they_begin(void **state)
{
	static const struct {
		const char *line;
		enum shell_kind kind;
	} lines[] = {
		{ "", SHELL_BLANK },
		{ "  # words", SHELL_BLANK },
		{ "-- words", SHELL_BLANK },
		{ ";", SHELL_BLANK },
		{ "run x", SHELL_WORDS },
		{ "?", SHELL_WORDS },
		{ "selection", SHELL_WORDS },
		{ "select-me", SHELL_WORDS },
		{ "select 1", SHELL_SQL },
		{ " SELECT*from x", SHELL_SQL },
		{ "With a as (select 1)", SHELL_SQL },
		{ "values(1)", SHELL_SQL },
		{ "explain query plan select 1", SHELL_SQL },
		{ "EXPLAIN select 1", SHELL_SQL },
		{ "explain page 3", SHELL_WORDS },
		{ "explain", SHELL_WORDS },
		{ "delete from run", SHELL_CHANGE },
		{ "delete 3", SHELL_WORDS },
		{ "update run set tag = 'x'", SHELL_CHANGE },
		{ "insert into run values (1)", SHELL_CHANGE },
		{ "= 1", SHELL_LUA },
		{ "lua print(1)", SHELL_LUA },
		{ "luau", SHELL_WORDS },
		{ ".mode csv", SHELL_DOT },
		{ "! ls", SHELL_HOST },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (shell_kind(lines[i].line) != lines[i].kind)
			fail_msg("\"%s\" is of kind %d", lines[i].line, shell_kind(lines[i].line));
}

static void the_continuation_names_what_is_open(void **state)
{
	static const struct {
		const char *text, *open; /* NULL: whole */
	} texts[] = {
		{ "select 1", "sql>" },
		{ "select 1;", NULL },
		{ "select 1\n;", NULL },
		{ "select ';", "'...>" },
		{ "select \";", "\"...>" },
		{ "select ';';", NULL },
		{ "select 'it''s;", "'...>" },
		{ "select 1 -- ;", "sql>" },
		{ "select 1 -- ;\n;", NULL },
		{ "select 1 /* ; ", "/*...>" },
		{ "select 1 /* ; */;", NULL },
		{ "= 1 +", "lua>" },
		{ "= 1 + 1", NULL },
		{ "= )", NULL }, /* no line can complete it */
		{ "lua for i = 1, 3 do", "lua>" },
		{ "lua for i = 1, 3 do\nend", NULL },
		{ "lua local x = [[", "lua>" },
		{ "run 'a", "'...>" },
		{ "run \"a", "\"...>" },
		{ "run 'a'", NULL },
		{ "run it\\'s", NULL },
		{ ".read 'a", "'...>" },
		{ "! echo '", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *open = shell_open(texts[i].text);

		if ((open == NULL) != (texts[i].open == NULL) ||
		    (open != NULL && strcmp(open, texts[i].open) != 0))
			fail_msg("\"%s\" has \"%s\" open", texts[i].text, open ? open : "nothing");
	}
}

static void a_statement_ends_at_its_own_semicolon(void **state)
{
	(void)state;
	assert_int_equal(shell_statement("select 1; select 2;"), 9);
	assert_int_equal(shell_statement("select ';', \";\" /*;*/ --;\n; x"), 27);
	assert_int_equal(shell_statement("select 1"), 8);
}

static void words_are_quoted_as_in_a_shell(void **state)
{
	struct shell_words words;

	(void)state;
	assert_int_equal(shell_split("  run 'a  b'c \"d \\\" e\" f\\ g '' 'h", &words, NULL),
			 ERR_OK);
	assert_int_equal(words.n, 6);
	assert_string_equal(words.word[0], "run");
	assert_string_equal(words.word[1], "a  bc");
	assert_string_equal(words.word[2], "d \" e");
	assert_string_equal(words.word[3], "f g");
	assert_string_equal(words.word[4], "");
	assert_string_equal(words.word[5], "h");
	assert_int_equal(words.at[0], 2);
	assert_int_equal(words.at[1], 6);
	shell_words_free(&words);
	assert_int_equal(shell_split("", &words, NULL), ERR_OK);
	assert_int_equal(words.n, 0);
	shell_words_free(&words);
}

static void too_many_words_are_refused(void **state)
{
	struct shell_words words;
	struct diag diag;
	char line[2 * SHELL_WORDS_MAX + 1];

	(void)state;
	for (int i = 0; i < SHELL_WORDS_MAX; i++)
		memcpy(line + 2 * i, "a ", 3);
	assert_int_equal(shell_split(line, &words, &diag), ERR_USAGE);
	assert_string_equal(diag.text, "more than 63 words");
	line[2 * (SHELL_WORDS_MAX - 1)] = '\0';
	assert_int_equal(shell_split(line, &words, &diag), ERR_OK);
	assert_int_equal(words.n, SHELL_WORDS_MAX - 1);
	shell_words_free(&words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_told_apart_by_how_they_begin),
		cmocka_unit_test(the_continuation_names_what_is_open),
		cmocka_unit_test(a_statement_ends_at_its_own_semicolon),
		cmocka_unit_test(words_are_quoted_as_in_a_shell),
		cmocka_unit_test(too_many_words_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
