/*
 * How an error reads: file, line and three source lines, what was going on,
 * and the user's own frames; from Lua, from the interface, from the engine.
 */
#include "scripted.h"

#include <stdio.h>
#include <string.h>

static void fails_with(const char *text, const char *report)
{
	struct scripted s;

	if (scripted_run(&s, text))
		fail_msg("this went well: %s", text);
	assert_string_equal(s.diag.text, report);
	scripted_close(&s);
}

static void a_wrong_default_reads_as_in_the_manual(void **state)
{
	(void)state;
	fails_with(
		"return scenario {\n"
		"  name = \"x\",\n"
		"  params = {\n"
		"    limit = param.size { \"100Q\", min = \"1M\", doc = \"hard limit\" },\n"
		"    file  = param.size { \"10G\" },\n"
		"  },\n"
		"  run = function() end,\n"
		"}\n",
		"x.lua:4: limit: \"100Q\" is not a size (write 100M, 1.5G or a number of bytes)\n"
		"     3    params = {\n"
		"  >  4      limit = param.size { \"100Q\", min = \"1M\", doc = \"hard limit\" },\n"
		"     5      file  = param.size { \"10G\" },\n"
		"  in params of scenario \"x\"");
}

static void a_syntax_error_has_its_line(void **state)
{
	(void)state;
	fails_with("return scenario { name = \"x\" run = 1 }\n",
		   "x.lua:1: '}' expected near 'run'\n"
		   "  >  1  return scenario { name = \"x\" run = 1 }");
	fails_with("local a = 1\nlocal b = = 2\n", "x.lua:2: unexpected symbol near '='\n"
						   "     1  local a = 1\n"
						   "  >  2  local b = = 2");
}

static void an_error_of_lua_shows_the_frames_of_the_user(void **state)
{
	(void)state;
	fails_with("local function inner(n)\n"
		   "  return n.x\n"
		   "end\n"
		   "local function outer() return (inner()) end\n"
		   "return scenario { name = \"x\", run = function()\n"
		   "  outer()\n"
		   "end }\n",
		   "x.lua:2: attempt to index a nil value (local 'n')\n"
		   "     1  local function inner(n)\n"
		   "  >  2    return n.x\n"
		   "     3  end\n"
		   "  called from x.lua:4\n"
		   "  called from x.lua:6\n"
		   "  in run of scenario \"x\"");
}

static void frames_of_c_are_shown_when_asked_for(void **state)
{
	static const char text[] = "return scenario { name = \"x\", run = function()\n"
				   "(\"x\"):rep({}) end }";
	struct scripted s;

	(void)state;
	scripted_init(&s);
	assert_true(scripted_load(&s, text));
	assert_false(scripted_go(&s, "v3.3"));
	assert_null(strstr(s.diag.text, "called from"));
	scripted_close(&s);
	scripted_init(&s);
	s.limits.traceback_full = true;
	assert_true(scripted_load(&s, text));
	assert_false(scripted_go(&s, "v3.3"));
	scripted_says(&s, ERR_SCENARIO, "called from C, rep");
	scripted_says(&s, ERR_SCENARIO, "called from x.lua:2");
	scripted_close(&s);
}

static void an_error_of_the_interface_has_the_line_of_the_call(void **state)
{
	(void)state;
	fails_with(
		"return scenario { name = \"x\", setup = function(lab)\n"
		"  lab.machine {}\n"
		"  lab.group(\"jobs\", { limit = \"100Q\" })\n"
		"end }\n",
		"x.lua:3: limit: \"100Q\" is not a size (write 100M, 1.5G or a number of bytes)\n"
		"     2    lab.machine {}\n"
		"  >  3    lab.group(\"jobs\", { limit = \"100Q\" })\n"
		"     4  end }\n"
		"  in setup of scenario \"x\"");
}

static void an_unknown_key_has_its_own_line(void **state)
{
	(void)state;
	fails_with("return scenario { name = \"x\", run = function(lab)\n"
		   "  lab.group(\"jobs\", {\n"
		   "    swappiness = 10,\n"
		   "    limti = \"100M\",\n"
		   "  })\n"
		   "end }\n",
		   "x.lua:4: limti: unknown key of group; did you mean \"limit\"?\n"
		   "     3      swappiness = 10,\n"
		   "  >  4      limti = \"100M\",\n"
		   "     5    })\n"
		   "  in run of scenario \"x\"");
}

static void an_op_that_the_engine_refuses_has_the_line_of_the_call(void **state)
{
	(void)state;
	fails_with("return scenario { name = \"x\", run = function(lab)\n"
		   "  local g = lab.group(\"g\", { hierarchy = true })\n"
		   "  g:group(\"h\", { hierarchy = false })\n"
		   "end }\n",
		   "x.lua:3: hierarchy: a group below a hierarchical one is hierarchical too\n"
		   "     2    local g = lab.group(\"g\", { hierarchy = true })\n"
		   "  >  3    g:group(\"h\", { hierarchy = false })\n"
		   "     4  end }\n"
		   "  in run of scenario \"x\"");
}

static void an_error_in_a_parallel_function_ends_the_run(void **state)
{
	(void)state;
	scripted_refused("lab.parallel {\n"
			 "function() lab.think(\"1ms\") end,\n"
			 "function() error(\"child\") end }",
			 3, "child");
}

static void an_error_caught_has_kind_file_line_and_text(void **state)
{
	(void)state;
	scripted_prints("\nlocal ok, e = pcall(lab.group, 3)\n"
			"print(ok, e.kind, e.file, e.line)\nprint(e.text)\nprint(e)",
			"false\tscenario\tx.lua\t2\n"
			"group: a path is expected: \"jobs/cat\", not a number\n"
			"x.lua:2: group: a path is expected: \"jobs/cat\", not a number\n");
}

static void an_error_raised_again_keeps_its_place(void **state)
{
	(void)state;
	scripted_refused("\nlocal ok, e = pcall(lab.group, 3)\n\nerror(e)", 2,
			 "a path is expected");
	scripted_refused("\nerror(\"word\", 0)", 2, "word");
	scripted_refused("error({ text = \"mine\" })", 1, "mine");
	scripted_refused("error(setmetatable({}, {}))", 1, "a table was raised");
	scripted_refused("error()", 1, "a nil was raised");
	scripted_refused("error(print)", 1, "a function was raised");
}

static void a_message_cannot_steer_the_terminal(void **state)
{
	struct scripted s;

	(void)state;
	assert_false(scripted_body(&s, "-- \033[2J\nerror(\"a\\27[31mb\\7c\")"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:2: a?[31mb?c");
	assert_null(strchr(s.diag.text, '\033'));
	assert_null(strchr(s.diag.text, '\007'));
	scripted_close(&s);
}

static void a_long_line_is_cut_between_characters(void **state)
{
	char body[512] = "error(\"";
	struct scripted s;
	const char *shown;

	(void)state;
	for (int i = 0; i < 100; i++)
		strcat(body, "é");
	strcat(body, "\")");
	assert_false(scripted_body(&s, body));
	shown = strstr(s.diag.text, "  >  1  ");
	assert_non_null(shown);
	assert_in_range(strcspn(shown, "\n"), 90, 102);
	assert_int_equal((unsigned char)shown[strcspn(shown, "\n") - 1], 0xa9);
	scripted_close(&s);
}

static void a_long_message_is_cut(void **state)
{
	struct scripted s;

	(void)state;
	assert_false(scripted_body(&s, "error((\"word \"):rep(100000))"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:1: word word");
	assert_true(strlen(s.diag.text) < DIAG_TEXT_MAX);
	scripted_close(&s);
}

static void a_long_file_name_is_shown_in_full(void **state)
{
	static const char name[] =
		"a/folder/with/a/rather/long/name/for/the/messages/of/lua/which/cut/it/x.lua";
	static const char *const texts[] = { "\nlocal = 1", "\nerror(\"word\")", "\nos.exit()" };
	struct script *script;
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct script_file file = { .text = texts[i],
			.size = strlen(texts[i]), .name = name };
		char place[128];

		assert_int_equal(script_load(&file, NULL, NULL, &script, &diag), ERR_SCENARIO);
		assert_null(script);
		snprintf(place, sizeof(place), "%s:2: ", name);
		assert_non_null(strstr(diag.text, place));
	}
}

static void an_empty_or_minimal_file_gets_an_explanation(void **state)
{
	(void)state;
	fails_with("", "x.lua:1: the file is empty; a scenario's file ends with\n"
		       "  return scenario { name = \"x\", run = function(lab) … end }");
	fails_with("\n  \n", "x.lua:1: the file is empty; a scenario's file ends with\n"
			     "  return scenario { name = \"x\", run = function(lab) … end }");
	fails_with("-- later",
		   "x.lua:1: the file returns no scenario; a scenario's file ends with\n"
		   "  return scenario { name = \"x\", run = function(lab) … end }");
	fails_with("return { name = \"x\" }",
		   "x.lua:1: the file returns no scenario; a scenario's file ends with\n"
		   "  return scenario { name = \"x\", run = function(lab) … end }");
	fails_with(
		"return scenario { name = \"x\" }",
		"x.lua:1: scenario \"x\" does nothing yet: give it run = function(lab, p) … end\n"
		"  >  1  return scenario { name = \"x\" }");
}

static void the_smallest_scenario_runs(void **state)
{
	struct scripted s;

	(void)state;
	assert_true(scripted_run(&s, "return scenario { name = \"x\", run = function(lab) end }"));
	assert_string_equal(script_name(s.script), "x");
	assert_string_equal(script_title(s.script), "");
	assert_string_equal(script_comment(s.script), "");
	assert_int_equal(script_kernel_count(s.script), 0);
	assert_int_equal(script_param_count(s.script), 0);
	scripted_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrong_default_reads_as_in_the_manual),
		cmocka_unit_test(a_syntax_error_has_its_line),
		cmocka_unit_test(an_error_of_lua_shows_the_frames_of_the_user),
		cmocka_unit_test(frames_of_c_are_shown_when_asked_for),
		cmocka_unit_test(an_error_of_the_interface_has_the_line_of_the_call),
		cmocka_unit_test(an_unknown_key_has_its_own_line),
		cmocka_unit_test(an_op_that_the_engine_refuses_has_the_line_of_the_call),
		cmocka_unit_test(an_error_in_a_parallel_function_ends_the_run),
		cmocka_unit_test(an_error_caught_has_kind_file_line_and_text),
		cmocka_unit_test(an_error_raised_again_keeps_its_place),
		cmocka_unit_test(a_message_cannot_steer_the_terminal),
		cmocka_unit_test(a_long_line_is_cut_between_characters),
		cmocka_unit_test(a_long_message_is_cut),
		cmocka_unit_test(a_long_file_name_is_shown_in_full),
		cmocka_unit_test(an_empty_or_minimal_file_gets_an_explanation),
		cmocka_unit_test(the_smallest_scenario_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
