/*
 * A line of Lua over a stored run: what it prints, what it can see, and
 * that it can change and reach nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "eval.h"

static const struct eval_field fields[] = {
	{ .name = "id", .type = EVAL_INTEGER, .integer = 52 },
	{ .name = "kernel", .type = EVAL_TEXT, .text = "v3.3" },
	{ .table = "metrics", .name = "over_scan", .type = EVAL_REAL, .real = 5.5 },
	{ .table = "metrics", .name = "nr_scanned", .type = EVAL_INTEGER, .integer = 32 },
	{ .table = "params", .name = "limit", .type = EVAL_INTEGER, .integer = 4096 },
};

static void add_line(void *ctx, const char *text)
{
	strcat(ctx, text);
	strcat(ctx, "\n");
}

static enum err evaluate(const char *text, size_t nr_fields, char *out, struct diag *diag)
{
	const struct eval eval = { text, true, fields, nr_fields };
	const struct script_log log = { out, add_line };
	const struct script_limits limits = { .instructions = 100000, .memory = 1 << 20 };

	out[0] = '\0';
	return eval_print(&eval, &limits, &log, diag);
}

static void prints(const char *text, const char *wanted)
{
	struct diag diag = { 0 };
	char out[1024];

	if (evaluate(text, 5, out, &diag) != ERR_OK)
		fail_msg("%s: %s", text, diag.text);
	assert_string_equal(out, wanted);
}

static void refuses(const char *text, size_t nr_fields, const char *words)
{
	struct diag diag = { 0 };
	char out[1024];

	if (evaluate(text, nr_fields, out, &diag) == ERR_OK)
		fail_msg("%s: gives %s", text, out);
	if (!strstr(diag.text, words) || strstr(diag.text, "called from shell"))
		fail_msg("%s: %s", text, diag.text);
}

static void values_are_printed_and_a_table_line_by_line(void **state)
{
	(void)state;
	prints("1 + 1", "2\n");
	prints(" run.metrics.over_scan / 2", "2.75\n");
	prints("1, 'a', nil", "1\ta\tnil\n");
	prints("nil", "nil\n");
	prints("", "");
	prints("run.metrics", "nr_scanned\t32\nover_scan\t5.5\n");
	prints("{ 3, 4 }", "1\t3\n2\t4\n");
	prints("run.kernel .. run.id", "v3.352\n");
	prints("run.params.limit // 4096", "1\n");
}

static void statements_run_too(void **state)
{
	(void)state;
	prints("for i = 1, 2 do print(i) end", "1\n2\n");
	prints("local n = 0\nfor _, v in pairs(run.metrics) do n = n + v end return n", "37.5\n");
}

static void nothing_can_be_changed_or_reached(void **state)
{
	(void)state;
	refuses("run.metrics.nr_scanned = 1", 5, "read-only");
	refuses("run.metrics.scanned", 5, "nr_scanned");
	refuses("x = 1", 5, "would be a new global");
	refuses("io.open('x')", 5, "io is not there");
	refuses("require 'lib.compile'", 5, "there is no scripts folder");
	refuses("lab", 5, "lab is not there");
}

static void errors_have_their_line_and_loops_end(void **state)
{
	(void)state;
	refuses("nil + 1", 5, "lua:1: attempt to perform arithmetic on a nil value");
	refuses("1 +* 2", 5, "lua:1: unexpected symbol");
	refuses("local x = 1\nerror('no')", 5, "lua:2: no");
	refuses("while true do end", 5, "instructions without a call of the engine");
	refuses("('x'):rep(1 << 24)", 5, "memory");
}

static void without_a_run_there_is_still_arithmetic(void **state)
{
	struct diag diag;
	char out[1024];

	(void)state;
	refuses("run.id", 0, "there is no current run yet");
	assert_int_equal(evaluate("2 ^ 3", 0, out, &diag), ERR_OK);
	assert_string_equal(out, "8.0\n");
}

static void only_a_beginning_is_open(void **state)
{
	(void)state;
	assert_true(eval_open("1 +", false));
	assert_true(eval_open("function() ", false));
	assert_true(eval_open("[[ text", false));
	assert_true(eval_open("if x then", true));
	assert_true(eval_open("x = [[ text", true));
	assert_false(eval_open("1 + 1", false));
	assert_false(eval_open("1 + 1", true));
	assert_false(eval_open("1 + )", false));
	assert_false(eval_open("local x = 1", true));
	assert_false(eval_open("local x =", false)); /* nothing makes an expression of it */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_printed_and_a_table_line_by_line),
		cmocka_unit_test(statements_run_too),
		cmocka_unit_test(nothing_can_be_changed_or_reached),
		cmocka_unit_test(errors_have_their_line_and_loops_end),
		cmocka_unit_test(without_a_run_there_is_still_arithmetic),
		cmocka_unit_test(only_a_beginning_is_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
