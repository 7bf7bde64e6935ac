/*
 * Values of a parameter as lists and ranges say them, and how they are
 * refused.
 */
#include "scripted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values.h"

static const char declared[] =
	"return scenario { name = \"x\", params = {\n"
	"    limit = param.size { \"100M\", min = \"1M\", max = \"1G\" },\n"
	"    wait  = param.time { \"3ms\" },\n"
	"    count = param.int { -3, min = -10, max = 26000 },\n"
	"    free  = param.int { 0 },\n"
	"    shape = param.choice { \"even\", { \"even\", \"one-big\" } },\n"
	"    sweep = param.list { { 1, 2, 4 } },\n"
	"    fast  = param.bool { true },\n"
	"    word  = param.text { \"hi\" },\n"
	"    alpha = param.seed { 7 } },\n"
	"  run = function() end }\n";

static struct scripted s;

static int load(void **state)
{
	(void)state;
	scripted_init(&s);
	return scripted_load(&s, declared) ? 0 : -1;
}

static int unload(void **state)
{
	(void)state;
	scripted_close(&s);
	return 0;
}

/* The values that @spec means, parted by blanks. */
static void means(const char *name, const char *spec, const char *wanted)
{
	char got[1024] = "";
	struct values values;

	if (values_read(s.script, name, spec, &values, &s.diag) != ERR_OK)
		fail_msg("%s=%s: %s", name, spec, s.diag.text);
	for (size_t i = 0; i < values.nr; i++) {
		strcat(got, i > 0 ? " " : "");
		strcat(got, values.one[i].text);
	}
	assert_string_equal(got, wanted);
	values_fini(&values);
}

static void refused(const char *name, const char *spec, const char *words)
{
	struct values values;

	assert_int_equal(values_read(s.script, name, spec, &values, &s.diag), ERR_USAGE);
	if (strstr(s.diag.text, words) == NULL)
		fail_msg("%s=%s: %s", name, spec, s.diag.text);
	values_fini(&values);
}

static void a_list_keeps_its_order(void **state)
{
	(void)state;
	means("limit", "64M,16M,1G", "64M 16M 1G");
	means("count", "4", "4");
	means("shape", "one-big,even", "one-big even");
	means("fast", "false,true", "false true");
	means("word", "a..b,c", "a..b c");
}

static void a_factor_multiplies_up_to_the_end(void **state)
{
	(void)state;
	means("limit", "16M..1G*2", "16M 32M 64M 128M 256M 512M 1G");
	means("limit", "16M..100M*2", "16M 32M 64M");
	means("count", "1..1000*10", "1 10 100 1000");
	means("limit", "7M..7M*2", "7M");
}

/* 1, 1.5, 2.25, 3.375, 5.0625, 7.59, 11.39: rounded, and no value twice. */
static void a_factor_that_is_no_whole_number_rounds_and_always_grows(void **state)
{
	(void)state;
	means("count", "1..12*1.5", "1 2 3 5 8 11");
	means("count", "1..3*1.01", "1 2 3");
}

static void a_step_adds_up_to_the_end(void **state)
{
	(void)state;
	means("limit", "16M..64M+16M", "16M 32M 48M 64M");
	means("limit", "1M..2M+300K", "1M 1324K 1624K 1924K");
	means("wait", "1ms..3ms+1ms", "1ms 2ms 3ms");
	means("count", "-2..2+2", "-2 0 2");
	means("free", "9223372036854775805..9223372036854775807+2",
	      "9223372036854775805 9223372036854775807");
	means("free", "4611686018427387904..9223372036854775807*2", "4611686018427387904");
}

static void lists_and_ranges_mix(void **state)
{
	(void)state;
	means("count", "1,2,4..16*2,20..24+2", "1 2 4 8 16 20 22 24");
}

static void numbers_come_with_their_text(void **state)
{
	char text[VALUES_TEXT_MAX];
	struct values values;

	(void)state;
	assert_int_equal(values_read(s.script, "limit", "16M..32M*2", &values, &s.diag), ERR_OK);
	assert_true(values.numeric);
	assert_int_equal(values.one[1].number, 32 << 20);
	values_fini(&values);
	assert_int_equal(values_read(s.script, "shape", "even", &values, &s.diag), ERR_OK);
	assert_false(values.numeric);
	values_fini(&values);
	assert_string_equal(values_text(s.script, "limit", 5 << 20, text), "5M");
	assert_string_equal(values_text(s.script, "wait", 1500, text), "1500ns");
	assert_string_equal(values_text(s.script, "shape", 1, text), "");
}

static void what_is_no_value_is_refused_in_the_words_of_the_parameter(void **state)
{
	(void)state;
	refused("limit", "16M,100Q", "limit: \"100Q\" is not a size");
	refused("limit", "16M..2G*2", "limit: \"2G\" is out of range (1M to 1G)");
	refused("limit", "1K..1G*2", "limit: \"1K\" is out of range (1M to 1G)");
	refused("shape", "odd", "one of even|one-big");
	refused("count", "", "count: \"\" is not");
	refused("count", "1,,2", "count: \"\" is not");
	refused("limti", "1M",
		"limti: unknown parameter of scenario \"x\"; did you mean \"limit\"");
}

static void ranges_that_make_no_sense_are_refused(void **state)
{
	(void)state;
	refused("limit", "16M..1G", "has no step: write A..B*F or A..B+S");
	refused("limit", "64M..16M*2", "ends before it begins");
	refused("limit", "16M..64M*1", "write a number above 1");
	refused("limit", "16M..64M*x", "write a number above 1");
	refused("limit", "16M..64M*", "write a number above 1");
	refused("limit", "16M..64M+0", "write one above 0");
	refused("limit", "16M..64M+x", "write one above 0");
	refused("count", "0..8*2", "cannot grow by a factor");
	refused("count", "-4..8*2", "cannot grow by a factor");
	refused("free", "1..1000000+1", "more than 4096 values");
}

static void a_value_is_there_once(void **state)
{
	(void)state;
	refused("limit", "16M,32M,16384K", "limit: 16M is there twice");
	refused("count", "4,1..8*2", "count: 4 is there twice");
}

static void seeds_and_lists_are_not_swept(void **state)
{
	(void)state;
	refused("alpha", "1,2", "seeds are varied by --repeat");
	refused("sweep", "1,2", "a list is one value");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_keeps_its_order),
		cmocka_unit_test(a_factor_multiplies_up_to_the_end),
		cmocka_unit_test(a_factor_that_is_no_whole_number_rounds_and_always_grows),
		cmocka_unit_test(a_step_adds_up_to_the_end),
		cmocka_unit_test(lists_and_ranges_mix),
		cmocka_unit_test(numbers_come_with_their_text),
		cmocka_unit_test(what_is_no_value_is_refused_in_the_words_of_the_parameter),
		cmocka_unit_test(ranges_that_make_no_sense_are_refused),
		cmocka_unit_test(a_value_is_there_once),
		cmocka_unit_test(seeds_and_lists_are_not_swept),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
