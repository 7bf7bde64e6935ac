/*
 * Parameters: how they are declared, set from text, refused, and handed on.
 */
#include "scripted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char all_types[] =
	"-- First line.\n"
	"--\n"
	"-- Third line.\n"
	"local x = 1 -- no part of it\n"
	"return scenario { name = \"x\", title = \"All types\",\n"
	"  kernels = { \"v3.1\", \"batched\" },\n"
	"  params = {\n"
	"    zeta  = param.size { \"100M\", min = \"1M\", max = \"1G\", doc = \"a size\" },\n"
	"    wait  = param.time { \"3ms\", label = \"calibrated\" },\n"
	"    count = param.int { -3, min = -10, max = 26000 },\n"
	"    shape = param.choice { \"even\", { \"even\", \"one-big\" } },\n"
	"    sweep = param.list { { 1, 2, 4 } },\n"
	"    fast  = param.bool { true },\n"
	"    word  = param.text { \"hi \\\"you\\\"\" },\n"
	"    alpha = param.seed { 7 },\n"
	"  },\n"
	"  run = function(lab, p)\n"
	"    print(p.zeta, p.wait, p.count, p.shape, #p.sweep, p.sweep[3], p.fast, p.word,\n"
	"      p.alpha)\n"
	"    for i, n in ipairs(p.sweep) do print(i, n) end\n"
	"  end }\n";

static void load_all(struct scripted *s)
{
	scripted_init(s);
	if (!scripted_load(s, all_types))
		fail_msg("%s", s->diag.text);
}

static void a_file_says_its_name_title_comment_and_kernels(void **state)
{
	struct scripted s;

	(void)state;
	load_all(&s);
	assert_string_equal(script_name(s.script), "x");
	assert_string_equal(script_title(s.script), "All types");
	assert_string_equal(script_comment(s.script), "First line.\n\nThird line.");
	assert_int_equal(script_kernel_count(s.script), 2);
	assert_string_equal(script_kernel(s.script, 0), "v3.1");
	assert_string_equal(script_kernel(s.script, 1), "batched");
	scripted_close(&s);
}

static void parameters_keep_the_order_of_declaration(void **state)
{
	static const char *const names[] = {
		"zeta", "wait", "count", "shape", "sweep", "fast", "word", "alpha",
	};
	static const char *const types[] = {
		"size", "time", "int", "choice", "list", "bool", "text", "seed",
	};
	static const char *const values[] = {
		"100M", "3ms", "-3", "even", "1,2,4", "true", "hi \"you\"", "7",
	};
	struct scripted s;

	(void)state;
	load_all(&s);
	assert_int_equal(script_param_count(s.script), 8);
	for (size_t i = 0; i < 8; i++) {
		struct script_param param;

		script_param(s.script, i, &param);
		assert_string_equal(param.name, names[i]);
		assert_string_equal(param.type, types[i]);
		assert_string_equal(param.value, values[i]);
		assert_string_equal(param.def, values[i]);
	}
	scripted_close(&s);
}

static void range_choices_text_and_label_are_shown(void **state)
{
	struct script_param param;
	struct scripted s;

	(void)state;
	load_all(&s);
	script_param(s.script, 0, &param);
	assert_string_equal(param.min, "1M");
	assert_string_equal(param.max, "1G");
	assert_string_equal(param.doc, "a size");
	assert_string_equal(param.label, "");
	script_param(s.script, 1, &param);
	assert_string_equal(param.label, "calibrated");
	assert_string_equal(param.min, "");
	script_param(s.script, 3, &param);
	assert_string_equal(param.choices, "even|one-big");
	scripted_close(&s);
}

static void lua_gets_values_of_the_right_types(void **state)
{
	struct scripted s;

	(void)state;
	load_all(&s);
	assert_true(scripted_go(&s, "v3.3"));
	assert_string_equal(s.log, "104857600\t3000000\t-3\teven\t3\t4\ttrue\thi \"you\"\t7\n"
				   "1\t1\n2\t2\n3\t4\n");
	scripted_close(&s);
}

static void the_record_of_parameters_is_json_in_order(void **state)
{
	struct scripted s;
	char *json;

	(void)state;
	load_all(&s);
	json = script_params_json(s.script);
	assert_string_equal(json, "{\"zeta\":104857600,\"wait\":3000000,\"count\":-3,"
				  "\"shape\":\"even\",\"sweep\":[1,2,4],\"fast\":true,"
				  "\"word\":\"hi \\\"you\\\"\",\"alpha\":7}");
	free(json);
	scripted_close(&s);
}

static void values_are_set_from_text(void **state)
{
	static const char *const pairs[][2] = {
		{ "zeta", "1.5M" }, { "wait", "430ns" }, { "count", "26_000" },
		{ "shape", "one-big" },
		{ "sweep", "8,16" }, { "fast", "no" }, { "word", "" }, { "alpha", "9" },
	};
	struct scripted s;

	(void)state;
	load_all(&s);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (script_param_set(s.script, pairs[i][0], pairs[i][1], &s.diag))
			fail_msg("%s", s.diag.text);
	assert_int_equal(script_seed(s.script), 9);
	assert_true(scripted_go(&s, "v3.3"));
	assert_string_equal(s.log,
			    "1572864\t430\t26000\tone-big\t2\tnil\tfalse\t\t9\n1\t8\n2\t16\n");
	scripted_close(&s);
}

/* What is shown as a value can be set as one, exactly. */
static void a_value_shown_is_read_again(void **state)
{
	static const char *const sizes[] = { "104857601", "1M", "1025K", "1G", "1048577" };
	struct scripted s;

	(void)state;
	load_all(&s);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct script_param param;

		assert_int_equal(script_param_set(s.script, "zeta", sizes[i], &s.diag), ERR_OK);
		script_param(s.script, 0, &param);
		assert_string_equal(param.value, sizes[i]);
	}
	scripted_close(&s);
}

static void wrong_values_are_refused_with_what_is_accepted(void **state)
{
	static const char *const rows[][3] = {
		{ "zeta", "100Q",
		  "zeta: \"100Q\" is not a size (write 100M, 1.5G or a number of bytes)" },
		{ "zeta", "1K", "zeta: \"1K\" is out of range (1M to 1G)" },
		{ "zeta", "2G", "zeta: \"2G\" is out of range (1M to 1G)" },
		{ "zeta", "-1", "is not a size" },
		{ "zeta", "99999999999999999999",
		  "zeta: \"99999999999999999999\" is out of range (1M to 1G)" },
		{ "count", "-99999999999999999999", "out of range (-10 to 26000)" },
		{ "alpha", "18446744073709551615", "does not fit in 63 bits" },
		{ "wait", "3", "wait: \"3\" is not a time" },
		{ "count", "1.5", "count: \"1.5\" is not a whole number" },
		{ "count", "-11", "out of range (-10 to 26000)" },
		{ "shape", "odd", "shape: \"odd\" is not one of even|one-big" },
		{ "shape", "even|one-big", "is not one of" },
		{ "shape", "", "is not one of" },
		{ "sweep", "1,,2", "sweep: \"1,,2\" is not a list" },
		{ "sweep", "1,2x", "is not a list" },
		{ "fast", "maybe", "fast: \"maybe\" is not true or false" },
		{ "alpha", "-1", "alpha: \"-1\" is negative" },
		{ "alpha", "x", "alpha: \"x\" is not a whole number" },
		{ "limti", "1", "limti: unknown parameter of scenario \"x\"; did you mean" },
		{ "coutn", "1", "did you mean \"count\"?" },
	};
	struct scripted s;

	(void)state;
	load_all(&s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *before = script_params_json(s.script), *after;

		s.err = script_param_set(s.script, rows[i][0], rows[i][1], &s.diag);
		scripted_says(&s, ERR_USAGE, rows[i][2]);
		after = script_params_json(s.script);
		assert_string_equal(before, after);
		free(before);
		free(after);
	}
	scripted_close(&s);
}

static void a_scenario_without_parameters_says_so(void **state)
{
	struct scripted s;

	(void)state;
	scripted_init(&s);
	assert_true(scripted_load(&s, "return scenario { name = \"x\", run = function() end }"));
	s.err = script_param_set(s.script, "a", "1", &s.diag);
	scripted_says(&s, ERR_USAGE, "a: scenario \"x\" has no parameters");
	assert_int_equal(script_seed(s.script), 1);
	scripted_close(&s);
}

static void the_seed_is_the_parameter_of_that_type(void **state)
{
	struct script_param param;
	struct scripted s;

	(void)state;
	load_all(&s);
	assert_int_equal(script_seed(s.script), 7);
	assert_int_equal(script_seed_set(s.script, 12, &s.diag), ERR_OK);
	assert_int_equal(script_seed(s.script), 12);
	script_param(s.script, 7, &param);
	assert_string_equal(param.value, "12");
	s.err = script_seed_set(s.script, UINT64_MAX, &s.diag);
	scripted_says(&s, ERR_USAGE, "seed: ");
	scripted_close(&s);
}

static void declared(const char *declaration, const char *part)
{
	char text[512];
	struct scripted s;

	scripted_init(&s);
	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", params = {\n  %s,\n}, "
		 "run = function() end }",
		 declaration);
	if (scripted_load(&s, text))
		fail_msg("this was taken: %s", declaration);
	scripted_says(&s, ERR_SCENARIO, "x.lua:2: ");
	scripted_says(&s, ERR_SCENARIO, part);
	scripted_says(&s, ERR_SCENARIO, "in params of scenario \"x\"");
}

static void wrong_declarations_are_refused_at_their_line(void **state)
{
	(void)state;
	declared("a = param.size { \"1Z\" }", "a: \"1Z\" is not a size");
	declared("a = param.size { 1.5 }", "a: 1.5 is a float; divide with //");
	declared("a = param.size { min = 1 }", "a: param.size needs a default first");
	declared("a = param.size { \"1M\", min = \"2M\" }",
		 "a: \"1M\" is out of range (at least 2M)");
	declared("a = param.size { \"1M\", max = \"1K\" }", "(at most 1K)");
	declared("a = param.int { 1, min = \"x\" }", "min: \"x\" is not a whole number");
	declared("a = param.int { 1, mni = 0 }",
		 "mni: unknown key of a parameter; did you mean \"min\"?");
	declared("a = param.int { 1, 2 }", "a: param.int takes one default");
	declared("a = param.int { {} }", "a: \"a table\" is not a whole number");
	declared("a = param.int { 1, doc = 5 }", "doc: a number is not a text");
	declared("a = param.choice { \"c\", { \"a\", \"b\" } }", "a: \"c\" is not one of a|b");
	declared("a = param.choice { \"c\" }", "needs a list of words");
	declared("a = param.bool { \"maybe\" }", "is not true or false");
	declared("a = param.list { { 1, \"x\" } }", "is not a list");
	declared("a = param.list { 5.5 }", "float");
	declared("a = 100", "a: write param.size");
	declared("a = metric { from = print }", "a: write param.size");
	declared("param.int { 1 }", "params: every entry needs a name");
	declared("[\"a b\"] = param.int { 1 }", "\"a b\" is no name");
	declared("a = param.seed { 1 }, b = param.seed { 2 }", "b: a scenario has one seed");
}

static void refused_scenario(const char *text, const char *part)
{
	struct scripted s;

	scripted_init(&s);
	if (scripted_load(&s, text))
		fail_msg("this was taken: %s", text);
	scripted_says(&s, ERR_SCENARIO, part);
}

static void wrong_shapes_of_a_scenario_are_refused(void **state)
{
	(void)state;
	refused_scenario("return scenario { run = print }", "x.lua:1: name: a scenario needs one");
	refused_scenario("return scenario { name = 5, run = print }",
			 "name: a number is not a text");
	refused_scenario("return scenario { name = \"a b\", run = print }",
			 "name: \"a b\" is no name");
	refused_scenario("return scenario {\n name = \"x\",\n rnu = print }",
			 "x.lua:3: rnu: unknown key of scenario; did you mean \"run\"?");
	refused_scenario("return scenario {\n name = \"x\",\n run = 5 }",
			 "x.lua:3: run: write run = function(lab, p, w)");
	refused_scenario("return scenario { name = \"x\", watch = print, run = print }",
			 "watch: not supported yet");
	refused_scenario(
		"return scenario {\n name = \"x\", run = print,\n kernels = { \"v2.6.99\" } }",
		"x.lua:3: kernels: ");
	refused_scenario("return scenario { name = \"x\", run = print, kernels = {} }",
			 "kernels: the list is empty");
	refused_scenario("return scenario { name = \"x\", run = print, kernels = \"v3.1\" }",
			 "kernels: a table");
	refused_scenario("return scenario { name = \"x\", run = print, api = 2 }",
			 "api: this program knows version 1, not 2");
	refused_scenario("return scenario \"x\"", "with braces");
	refused_scenario("return scenario { name = \"x\", params = { a = param.float { 1 } } }",
			 "x.lua:1: param has no \"float\"");
	refused_scenario("scenario { name = \"x\", run = print }\n"
			 "return scenario { name = \"y\", run = print }",
			 "x.lua:2: a file holds one scenario");
}

static void version_one_of_the_language_may_be_stated(void **state)
{
	struct scripted s;

	(void)state;
	assert_true(scripted_run(&s, "return scenario { name = \"x\", api = 1, run = print }"));
	scripted_close(&s);
}

static void parameters_are_read_only_in_lua(void **state)
{
	static const char *const bodies[][2] = {
		{ "p.limit = 1", "p is read-only" },
		{ "p.list[1] = 9", "read-only" },
		{ "print(p.limti)", "p has no \"limti\"; did you mean \"limit\"?" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		struct scripted s;
		char text[512];

		snprintf(text, sizeof(text),
			 "return scenario { name = \"x\", params = {\n"
			 "limit = param.size { \"1M\" }, list = param.list { { 1, 2 } } },\n"
			 "run = function(lab, p) %s end }",
			 bodies[i][0]);
		assert_false(scripted_run(&s, text));
		scripted_says(&s, ERR_SCENARIO, "x.lua:3: ");
		scripted_says(&s, ERR_SCENARIO, bodies[i][1]);
		scripted_close(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_says_its_name_title_comment_and_kernels),
		cmocka_unit_test(parameters_keep_the_order_of_declaration),
		cmocka_unit_test(range_choices_text_and_label_are_shown),
		cmocka_unit_test(lua_gets_values_of_the_right_types),
		cmocka_unit_test(the_record_of_parameters_is_json_in_order),
		cmocka_unit_test(values_are_set_from_text),
		cmocka_unit_test(a_value_shown_is_read_again),
		cmocka_unit_test(wrong_values_are_refused_with_what_is_accepted),
		cmocka_unit_test(a_scenario_without_parameters_says_so),
		cmocka_unit_test(the_seed_is_the_parameter_of_that_type),
		cmocka_unit_test(wrong_declarations_are_refused_at_their_line),
		cmocka_unit_test(wrong_shapes_of_a_scenario_are_refused),
		cmocka_unit_test(version_one_of_the_language_may_be_stated),
		cmocka_unit_test(parameters_are_read_only_in_lua),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
