/*
 * The limits of a scenario: instructions between two engine calls, memory of
 * the Lua state, depth of calls.  Each ends with the line and ERR_LIMIT, and
 * no pcall holds it up.
 */
#include "scripted.h"

#include <stdio.h>
#include <string.h>

static void limited(struct scripted *s, const char *body)
{
	char text[1024];

	scripted_init(s);
	s->limits.instructions = 200000;
	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", run = function(lab) %s\nend }\n", body);
	if (scripted_load(s, text))
		scripted_go(s, "v3.3");
}

static void ends_in_limit(const char *body, const char *place, const char *words)
{
	struct scripted s;

	limited(&s, body);
	scripted_says(&s, ERR_LIMIT, place);
	scripted_says(&s, ERR_LIMIT, words);
	scripted_close(&s);
}

static void an_endless_loop_ends_with_its_line(void **state)
{
	(void)state;
	ends_in_limit("\nwhile true do end", "x.lua:2: ", "200 000 instructions");
	ends_in_limit("\n\nrepeat until false", "x.lua:3: ", "in run of scenario \"x\"");
}

static void pcall_does_not_hold_up_the_end(void **state)
{
	(void)state;
	ends_in_limit("\nwhile true do pcall(function() while true do end end) end",
		      "x.lua:2: ", "200 000 instructions");
	ends_in_limit("while true do pcall(pcall, pcall, function() while true do end end) end",
		      "x.lua:1: ", "instructions");
	ends_in_limit("local function f() pcall(f) while true do pcall(f) end end f()",
		      "x.lua:1: ", "instructions");
	ends_in_limit("local t = setmetatable({}, { __index = function() while true do end end })\n"
		      "while true do pcall(function() return t.x end) end",
		      "x.lua:1: ", "instructions");
}

static void a_loop_while_the_file_is_loaded_ends_too(void **state)
{
	struct scripted s;

	(void)state;
	scripted_init(&s);
	s.limits.instructions = 100000;
	assert_false(scripted_load(&s, "\nwhile true do end"));
	scripted_says(&s, ERR_LIMIT, "x.lua:2: 100 000 instructions");
}

static void each_engine_call_renews_the_budget(void **state)
{
	struct scripted s;

	(void)state;
	limited(&s, "for i = 1, 20 do for j = 1, 40000 do end lab.think(1) end");
	assert_int_equal(s.err, ERR_OK);
	assert_int_equal(scripted_metric(&s, "steps").integer, 20);
	scripted_close(&s);
}

static void a_loop_in_a_metric_ends(void **state)
{
	struct scripted s;

	(void)state;
	scripted_init(&s);
	s.limits.instructions = 100000;
	assert_true(scripted_load(&s, "return scenario { name = \"x\", metrics = { m = metric {\n"
				      "from = function(r) while true do end end } } }"));
	assert_false(scripted_go(&s, "v3.3"));
	scripted_says(&s, ERR_LIMIT, "x.lua:2: ");
	scripted_says(&s, ERR_LIMIT, "in metrics of scenario");
	scripted_close(&s);
}

static void a_string_of_a_gigabyte_ends_with_its_line(void **state)
{
	struct scripted s;

	(void)state;
	assert_false(scripted_body(&s, "\nlocal s = (\"x\"):rep(1 << 30)"));
	scripted_says(&s, ERR_LIMIT, "x.lua:2: more than 256M of memory");
	scripted_close(&s);
}

static void pcall_does_not_catch_the_memory_limit(void **state)
{
	struct scripted s;

	(void)state;
	assert_false(scripted_body(&s, "while true do\n"
				       "pcall(function() return (\"x\"):rep(1 << 29) end) end"));
	scripted_says(&s, ERR_LIMIT, "x.lua:2: more than 256M");
	scripted_close(&s);
}

static void pcalls_nest_fifty_deep_and_no_deeper(void **state)
{
	(void)state;
	scripted_prints("local function f(n) if n > 0 then assert(pcall(f, n - 1)) end end\n"
			"print(pcall(f, 49))\n"
			"print((tostring(select(2, pcall(f, 50))):match(\"pcall: .*\")))",
			"true\npcall: more than 50 are nested\n");
	scripted_prints("lab.parallel(lab.map({ 40, 40 }, function(n)\n"
			"local function f(i) if i > 0 then assert(pcall(f, i - 1)) else\n"
			"lab.think(1) end end f(n) end)) print(\"done\")",
			"done\n");
}

static void a_table_that_grows_for_ever_ends(void **state)
{
	struct scripted s;

	(void)state;
	scripted_init(&s);
	s.limits.memory = 4 << 20;
	assert_false(scripted_load(&s, "local t = {}\nfor i = 1, 1 << 40 do t[i] = { i } end"));
	scripted_says(&s, ERR_LIMIT, "x.lua:2: more than 4M of memory");
}

static void a_memory_limit_too_small_for_anything_is_said(void **state)
{
	(void)state;
	for (bytes_t memory = 0; memory < 60000; memory += 1777) {
		struct scripted s;

		scripted_init(&s);
		s.limits.memory = memory;
		if (scripted_load(&s, "return scenario { name = \"x\", run = function() end }")) {
			scripted_go(&s, "v3.3");
			scripted_close(&s);
		}
		assert_true(s.err == ERR_OK || s.err == ERR_LIMIT);
	}
}

static void endless_recursion_ends_with_few_frames(void **state)
{
	struct scripted s;
	size_t lines = 0;

	(void)state;
	assert_false(scripted_body(&s, "local function f(n) return 1 + f(n) end\nf(1)"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:1: stack overflow");
	for (const char *c = s.diag.text; *c; c++)
		lines += *c == '\n';
	assert_in_range(lines, 3, 14);
	scripted_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_endless_loop_ends_with_its_line),
		cmocka_unit_test(pcall_does_not_hold_up_the_end),
		cmocka_unit_test(a_loop_while_the_file_is_loaded_ends_too),
		cmocka_unit_test(each_engine_call_renews_the_budget),
		cmocka_unit_test(a_loop_in_a_metric_ends),
		cmocka_unit_test(a_string_of_a_gigabyte_ends_with_its_line),
		cmocka_unit_test(pcall_does_not_catch_the_memory_limit),
		cmocka_unit_test(pcalls_nest_fifty_deep_and_no_deeper),
		cmocka_unit_test(a_table_that_grows_for_ever_ends),
		cmocka_unit_test(a_memory_limit_too_small_for_anything_is_said),
		cmocka_unit_test(endless_recursion_ends_with_few_frames),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
