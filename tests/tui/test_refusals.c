/*
 * What the command line refuses instead of guessing: values said twice,
 * options without effect, machines that cannot be; and the commands that end
 * before they are done: at the time limit, at a full disk, at a locked store.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli.h"
#include "command.h"

static struct cli *cli;
static struct cli_folder folder;

static int folder_make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "refusals");
	if (cli == NULL)
		return -1;
	return 0;
}

static int folder_remove(void **state)
{
	(void)state;
	return cli_close(cli, &folder);
}

static void ends(int status, const char *line)
{
	cli_ends(cli, status, line);
}

/* One message on one line, and nothing else. */
static void refuses(int status, const char *words, const char *line)
{
	ends(status, line);
	assert_int_equal(strncmp(cli->err, "memcglab: ", 10), 0);
	assert_int_equal(cli_lines(cli->err), 1);
	assert_string_equal(cli->out, "");
	assert_true(cli_has(cli->err, words));
}

/* ---- said twice ---- */

static void what_is_said_twice_is_refused_before_anything_runs(void **state)
{
	(void)state;
	refuses(2, "--param: limit is given twice", "run cat-in-100m -p limit=100M -p limit=200M");
	refuses(2, "--kernel is given twice", "run cat-in-100m -k v3.1 -k v3.3");
	refuses(2, "the seed is given twice", "run cat-in-100m --seed 5 -p seed=6");
	refuses(2, "the seed is given twice", "run cat-in-100m -p seed=5 --seed 5");
	refuses(2, "lru: the axis is given twice",
		"run cat-in-100m -k v3.1+lru=double+lru=per_memcg");
	refuses(2, "--db is given twice", "--db a.db runs --db b.db");
	refuses(2, "--page is given twice", "pagecg --page 4K --page 64K");
	refuses(2, "--as is given twice", "export 1 --as scan-log --as boot-log");
	assert_int_not_equal(access("runs.db", F_OK), 0);
}

static void names_that_are_missing_are_called_so(void **state)
{
	(void)state;
	refuses(2, "a name is missing", "run cat-in-100m -k ''");
	refuses(2, "a name is missing", "run cat-in-100m -k v3.1,");
	refuses(2, "without an axis behind it", "run cat-in-100m -k v3.1+");
}

static void numbers_that_do_not_fit_are_called_so(void **state)
{
	(void)state;
	refuses(2, "out of range (0 to 1000000)", "run cat-in-100m -p other=99999999999999999999");
	refuses(2, "is above 9223372036854775807", "run cat-in-100m --seed 18446744073709551615");
	refuses(2, "does not fit in 64 bits", "run cat-in-100m --seed 99999999999999999999");
	refuses(2, "--machine: \"99999999999999P\" does not fit",
		"pagecg --machine 99999999999999P");
	refuses(2, "--ranges: \"0-99999999999999P\" is too large",
		"pagecg --ranges 0-99999999999999P");
}

/* ---- without effect ---- */

static void options_without_effect_are_refused(void **state)
{
	(void)state;
	ends(0, "run cat-in-100m -p file=256M -k unbatched --quiet");
	refuses(2, "--as and --format are two forms", "export 1 --as scan-log -F json");
	refuses(2, "--as and --format are two forms", "-F csv export 1 --as boot-log");
	refuses(2, "--format means nothing to memcglab screen", "screen 1 -F csv");
	refuses(2, "--output means nothing to memcglab tui", "tui -o x.txt");
	refuses(2, "--time-limit means nothing to memcglab tui", "tui --time-limit 3s");
	refuses(2, "--format means nothing to memcglab help", "help keys -F json");
	refuses(2, "--instr-limit means nothing to memcglab sql", "sql 'select 1' --instr-limit 5");
	refuses(2, "only table can", "scenario new x -F csv");
	refuses(2, "only table and json can", "version -F csv");
	assert_int_not_equal(access("x.lua", F_OK), 0);
}

/* ---- machines ---- */

static void machines_that_cannot_be_are_refused(void **state)
{
	(void)state;
	refuses(2, "--sections: 99999999999999999 is out of range (1 to 524288 on x86-64)",
		"pagecg --sections 99999999999999999");
	refuses(2, "--sections: 65 is out of range (1 to 64 on x86)",
		"pagecg --arch x86 --sections 65");
	refuses(2, "--machine: up to 64G, but x86 can address 4G",
		"pagecg --arch x86 --machine 64G");
	refuses(2, "--ranges: up to 65G, but x86-pae",
		"pagecg --arch x86-pae --ranges 0-1G,64G-65G");
	refuses(2, "--flat: x86-64 has no FLATMEM", "pagecg --arch x86-64 --flat");
	refuses(2, "--flat: FLATMEM knows no sections", "pagecg --arch x86 --flat --sections 3");
	refuses(2, "--ranges: ", "pagecg --ranges 3G-1G");
	refuses(2, "--machine: ", "pagecg --machine 4097");
	ends(0, "pagecg --sections 524288 -F csv");
	assert_true(cli_has(cli->out, "v3.1,vanilla,32,549755813888,"));
}

/* ---- ended before the end ---- */

static void a_query_without_end_meets_the_time_limit(void **state)
{
	(void)state;
	ends(0, "runs");
	refuses(6, "time limit of 300ms reached",
		"sql 'with recursive c(x) as (select 1 union all select x + 1 from c) "
		"select count(*) from c' --time-limit 300ms");
	for (size_t i = 0; command_at(i) != NULL; i++) {
		char line[64];

		if (command_at(i)->run == NULL)
			continue;
		snprintf(line, sizeof(line), "%s --help", command_at(i)->name);
		ends(0, line);
		assert_true(cli_has(cli->out, "--time-limit"));
	}
}

static void an_interrupt_ends_a_query_at_once(void **state)
{
	(void)state;
	cli_shell(cli, "timeout --preserve-status -s TERM -k 4 1.5 \"$M\" sql 'with recursive "
		       "c(x) as (select 1 union all select x + 1 from c) select count(*) from c'");
	assert_int_equal(cli->status, 130);
	assert_string_equal(cli->err, "memcglab: interrupted\n");
}

static void a_file_is_never_attached(void **state)
{
	(void)state;
	ends(0, "run cat-in-100m -p file=256M -k unbatched --quiet");
	refuses(2, "only reading is allowed", "sql \"attach 'runs.db' as x\"");
	refuses(2, "only reading is allowed", "sql \"attach 'none.db' as x\"");
	assert_int_not_equal(access("none.db", F_OK), 0);
}

/* A file that may not grow stands for a disk that is full. */
static void a_run_that_cannot_be_stored_is_failed_with_the_reason(void **state)
{
	static const int blocks[] = { 500, 600, 700 };
	char line[256];

	(void)state;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		unlink("runs.db");
		ends(0, "runs");
		snprintf(line, sizeof(line),
			 "trap '' XFSZ; ulimit -f %d; \"$M\" run cat-in-100m -k unbatched "
			 "-p file=50G --quiet",
			 blocks[i]);
		cli_shell(cli, line);
		assert_int_equal(cli->status, 4);
		ends(0, "sql 'select state, error like \"database %\" from run order by id desc "
			"limit 1' -F tsv");
		assert_true(cli_has(cli->out, "failed\t1\n"));
	}
}

/* ---- what is accepted instead ---- */

static void refusals_of_a_scenario_name_what_is_accepted(void **state)
{
	static const struct {
		const char *body, *words;
	} cases[] = {
		{ "run = function(lab) lab.foo() end",
		  "lab has no \"foo\"; there are \"at\", \"axis\"," },
		{ "run = function(lab) lab.mrk('x') end", "did you mean \"mark\"?" },
		{ "run = function(lab) lab.mark('a\\0b') end",
		  "\"a\" goes on behind a zero byte: leave it out" },
		{ "run = function(lab) lab.mark('') end", "is empty: 1 to 63 bytes are accepted" },
		{ "setup = function(lab) for i = 1, 5000 do lab.group('g' .. i) end end,\n"
		  "run = function() end",
		  "no room for group \"g4095\": at most 4094 groups at a time, "
		  "paths of at most 255 bytes" },
		{ "api = '1', run = function() end", "api: a number is expected: api = 1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[512];

		snprintf(text, sizeof(text), "return scenario { name = 'x',\n%s }\n",
			 cases[i].body);
		cli_write("x.lua", text);
		ends(3, "run x.lua --no-db");
		assert_true(cli_has(cli->err, cases[i].words));
	}
}

/* As Lua's own program takes them; lines keep their numbers. */
static void a_byte_order_mark_and_a_first_line_for_the_shell_are_skipped(void **state)
{
	(void)state;
	cli_write("mark.lua", "\xef\xbb\xbf"
			      "return scenario { name = 'x', run = function() end }\n");
	ends(0, "run mark.lua --no-db");
	cli_write("line.lua", "#!/usr/bin/lua\nreturn scenario { name = 'x', run = print(}\n");
	ends(3, "run line.lua --no-db");
	assert_true(cli_has(cli->err, "line.lua:2: "));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_said_twice_is_refused_before_anything_runs),
		TEST(names_that_are_missing_are_called_so),
		TEST(numbers_that_do_not_fit_are_called_so),
		TEST(options_without_effect_are_refused),
		TEST(machines_that_cannot_be_are_refused),
		TEST(a_query_without_end_meets_the_time_limit),
		TEST(an_interrupt_ends_a_query_at_once),
		TEST(a_file_is_never_attached),
		TEST(refusals_of_a_scenario_name_what_is_accepted),
		TEST(a_byte_order_mark_and_a_first_line_for_the_shell_are_skipped),
		TEST(a_run_that_cannot_be_stored_is_failed_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
