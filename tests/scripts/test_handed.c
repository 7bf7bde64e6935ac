/*
 * A scenario whose libraries are handed over with it requires these and no
 * file: what was stored is what runs.  And what a scenario has required can
 * be asked, in whichever function it did so.
 */
#include <string.h>

#include "scripted.h"

static const char text[] = "local part = require \"lib.part\"\n"
			   "return scenario { name = \"x\", run = function(lab)\n"
			   "  print(part, require \"lib.late\")\n"
			   "end }";

static const struct script_library handed[] = { { "lib.part", "return 'stored'", 15 },
						{ "lib.late", "return 'late'", 13 } };

/* @lib_dir is a folder that has neither. */
static bool load(struct scripted *s, const struct script_library *library, size_t nr)
{
	const struct script_file file = { text, strlen(text), "x.lua", "scripts", true, library,
					  nr };
	const struct script_log log = { 0 };

	scripted_init(s);
	s->err = script_load(&file, &s->limits, &log, &s->script, &s->diag);
	return s->err == ERR_OK;
}

static void what_is_handed_over_is_required(void **state)
{
	struct script_library out;
	struct scripted s;

	(void)state;
	assert_true(load(&s, handed, 2));
	assert_true(script_library(s.script, 0, &out));
	assert_string_equal(out.name, "lib.part");
	assert_string_equal(out.text, "return 'stored'");
	assert_false(script_library(s.script, 1, &out));
	assert_true(scripted_go(&s, "v3.3"));
	assert_true(script_library(s.script, 0, &out));
	assert_string_equal(out.name, "lib.late");
	assert_int_equal(out.size, 13);
	assert_true(script_library(s.script, 1, &out));
	assert_string_equal(out.name, "lib.part");
	assert_false(script_library(s.script, 2, &out));
	scripted_close(&s);
}

/* lib.compile lies in the folder, and is not read. */
static void no_file_is_read_instead(void **state)
{
	const struct script_library other = { "lib.other", "return 1", 8 };
	struct scripted s;

	(void)state;
	assert_false(load(&s, &other, 1));
	scripted_says(&s, ERR_SCENARIO,
		      "x.lua:1: require \"lib.part\": its text was not stored with the scenario");
	assert_false(load(&s, NULL, 0));
	scripted_says(&s, ERR_SCENARIO, "its text was not stored");
	assert_true(load(&s, handed, 1));
	assert_false(scripted_go(&s, "v3.3"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:3: require \"lib.late\": its text was not stored");
	scripted_close(&s);
}

static void a_stored_library_shows_its_place_in_errors(void **state)
{
	const struct script_library bad = { "lib.part", "\n\nreturn nil + 1", 16 };
	struct scripted s;

	(void)state;
	assert_false(load(&s, &bad, 1));
	scripted_says(&s, ERR_SCENARIO, "scripts/lib/part.lua:3: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_handed_over_is_required),
		cmocka_unit_test(no_file_is_read_instead),
		cmocka_unit_test(a_stored_library_shows_its_place_in_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
