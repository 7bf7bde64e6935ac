/*
 * The shell without a terminal: -c, -f and standard input.  What lines
 * mean, where results go, how errors are told and what they end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli.h"
#include "output.h"

static struct cli *cli;
static struct cli_folder folder;

/* Short, with something printed and something to compute with. */
static const char small[] = "return scenario {\n"
			    "  name = \"small\", kernels = { \"unbatched\" },\n"
			    "  params = { file = param.size { \"1M\" } },\n"
			    "  setup = function(lab) lab.machine { ram = \"1G\" } end,\n"
			    "  run = function(lab, p)\n"
			    "    local t = lab.task(\"t\", { group = lab.group(\"g\") })\n"
			    "    print \"said once\"\n"
			    "    t:read(lab.file(\"f\", { size = p.file }), { bytes = p.file })\n"
			    "  end }\n";

static int folder_make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "shell");
	if (cli == NULL)
		return -1;
	cli_write("small.lua", small);
	return 0;
}

static int folder_remove(void **state)
{
	(void)state;
	return cli_close(cli, &folder);
}

/* Lines in a file, run by -f with more @options. */
static void shell(int status, const char *options, const char *lines)
{
	char command[256];

	cli_write("lines", lines);
	snprintf(command, sizeof(command), "shell -f lines %s", options);
	cli_run(cli, command);
	if (cli->status != status)
		fail_msg("status %d, not %d:\n%s\n%.500s", cli->status, status, lines, cli->err);
}

static void gives(const char *lines, const char *out)
{
	shell(0, "", lines);
	assert_string_equal(cli->out, out);
	assert_string_equal(cli->err, "");
}

static void commands_sql_and_lua_run_in_order(void **state)
{
	(void)state;
	shell(0, "--quiet",
	      "# a comment, and then a command\n"
	      "run small.lua -F jsonl -o /dev/null\n"
	      "select run, scenario\n"
	      "  from v_runs -- not yet;\n"
	      ";\n"
	      "= run.id, run.metrics.nr_charged\n"
	      "lua for i = 1, 2 do\n"
	      "  print(i * run.params.file)\n"
	      "end\n"
	      "show -F csv\n"
	      "! echo from outside\n");
	assert_int_equal(strncmp(cli->out,
				 "run  scenario\n  1  small\n1\t256\n1048576\n2097152\n"
				 "run,scenario,kernel",
				 60),
			 0);
	assert_true(cli_has(cli->out, "from outside\n"));
	assert_string_equal(cli->err, "");
}

static void text_file_and_standard_input_are_the_same(void **state)
{
	char *first;

	(void)state;
	gives("= 6 * 7\nselect 1 as a; select 2 as b;\n", "42\na\n1\nb\n2\n");
	first = strdup(cli->out);
	cli_run(cli, "shell -c '= 6 * 7\nselect 1 as a; select 2 as b;'");
	assert_int_equal(cli->status, 0);
	assert_string_equal(cli->out, first);
	cli_shell(cli, "\"$M\" shell <lines");
	assert_int_equal(cli->status, 0);
	assert_string_equal(cli->out, first);
	cli_shell(cli, "cat lines | \"$M\" shell");
	assert_int_equal(cli->status, 0);
	assert_string_equal(cli->out, first);
	free(first);
	cli_run(cli, "shell -c 'select 3'"); /* the end of lines ends a statement too */
	assert_string_equal(cli->out, "3\n3\n");
	cli_run(cli, "shell -c '= 1' -f lines");
	assert_int_equal(cli->status, 2);
	assert_true(cli_has(cli->err, "only one of them"));
	cli_run(cli, "shell -f nowhere");
	assert_int_equal(cli->status, 2);
	assert_true(cli_has(cli->err, "nowhere: No such file"));
}

static void the_first_error_ends_it_with_its_status(void **state)
{
	(void)state;
	shell(2, "", "= 1\nselect absent;\n= 2\n");
	assert_string_equal(cli->out, "1\n");
	assert_true(cli_has(cli->err, "memcglab: lines:2: sql: no such column: absent\n"
				      "  select absent;\n         ^\n"));
	shell(3, "", "= nil + 1\n");
	assert_true(cli_has(cli->err, "memcglab: lines:1: lua:1: attempt"));
	shell(1, "", "! exit 3\n= 1\n");
	assert_true(cli_has(cli->err, "! ended with status 3"));
	shell(4, "--db lines", "runs\n");
	shell(0, "", "\n\n# nothing\n");
}

static void told_to_keep_going_it_goes_on_and_keeps_the_first_status(void **state)
{
	(void)state;
	shell(3, "--keep-going", "= nil + 1\nrnu\n= 2\nselect 1\nfrom;\n= 3\n");
	assert_string_equal(cli->out, "2\n3\n");
	assert_true(cli_has(cli->err, "lines:1: lua:1:"));
	assert_true(cli_has(cli->err, "lines:2: no command \"rnu\""));
	assert_true(cli_has(cli->err, "lines:5: sql: near \";\": syntax error\n  from;\n      ^"));
}

static void errors_of_commands_mark_the_word_and_advise(void **state)
{
	(void)state;
	shell(2, "", "run small.lua --seed  many\n");
	assert_true(cli_has(cli->err, "\n  run small.lua --seed  many\n"
				      "                        ^\n"
				      "  help run shows what it takes\n"));
	shell(2, "", "  rnu small.lua\n");
	assert_true(cli_has(cli->err, "did you mean run or runs?"));
	assert_true(cli_has(cli->err, "\n    rnu small.lua\n    ^\n  help lists the commands\n"));
	shell(2, "", "runs --frob\n");
	assert_true(cli_has(cli->err, "\n  runs --frob\n       ^\n"));
	shell(2, "", ".mdoe csv\n");
	assert_true(cli_has(cli->err, "did you mean .mode?"));
	assert_true(cli_has(cli->err, ".help lists the dot commands"));
}

static void what_moves_in_time_is_reserved(void **state)
{
	static const char *const words[] = {
		"at 3", "next", "prev", "goto 42%", "break x", "rcontinue", "step 1", "back 1",
		"explain page 3",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		shell(2, "", words[i]);
		assert_true(cli_has(cli->err, "not in this version yet"));
	}
	gives("explain query plan select 1 as x;\n",
	      "id  parent  notused  detail\n 1       0        0  SCAN CONSTANT ROW\n");
}

static void sql_changes_nothing_until_it_may(void **state)
{
	(void)state;
	shell(0, "--quiet", "run small.lua -F csv -o /dev/null\n");
	shell(2, "", "update run set tag = 'x';\n");
	assert_true(cli_has(cli->err, ".write on allows it"));
	shell(2, "", "with a as (select 1) delete from run;\n");
	assert_true(cli_has(cli->err, "only reading"));
	gives(".write\n.write on\nupdate run set tag = 'x';\n.write off\nselect tag from v_runs;\n",
	      "off\n1 row changed\ntag\nx\n");
	shell(2, "", ".write on\ninsert into run(id) values ('x');\n");
	shell(2, "", ".write on\n.write off\ndelete from run;\n");
	gives("select count(*) as n from v_runs;\n", "n\n1\n");
}

static void modes_give_the_bytes_of_the_command_line(void **state)
{
	char lines[256], *wanted;

	(void)state;
	shell(0, "--quiet", "run small.lua -F csv -o /dev/null\n");
	for (size_t i = 0; output_format_name(i) != NULL; i++) {
		snprintf(lines, sizeof(lines), "sql \"select * from v_metrics\" -F %s",
			 output_format_name(i));
		cli_run(cli, lines);
		wanted = strdup(cli->out);
		snprintf(lines, sizeof(lines), ".mode %s\nselect * from v_metrics;\n",
			 output_format_name(i));
		gives(lines, wanted);
		cli_run(cli, "shell -c 'select * from v_metrics;' -F box");
		snprintf(lines, sizeof(lines), "sql \"select * from v_metrics\" -F %s\n",
			 output_format_name(i));
		gives(lines, wanted);
		free(wanted);
	}
	gives(".mode\n.mode quote\n.mode\n", "table\nquote\n");
	shell(2, "", ".mode tabel\n");
	assert_true(cli_has(cli->err, "did you mean table?"));
}

static void dot_commands_shape_results(void **state)
{
	(void)state;
	gives(".headers off\n.nullvalue none\nselect null, 1;\n.headers\n", "none  1\noff\n");
	gives(".width 6\nselect 'abc' as a, 1 as b;\n.width\nselect 'abc' as a, 1 as b;\n",
	      "a       b\nabc     1\na    b\nabc  1\n");
	shell(2, "", ".width 3,x\n");
	shell(2, "", ".headers maybe\n");
	assert_true(cli_has(cli->err, "\"maybe\" is not one of on|off"));
	shell(2, "", ".once\n");
	assert_true(cli_has(cli->err, "usage: .once FILE"));
	shell(2, "", ".quit now\n");
	assert_true(cli_has(cli->err, "one word too many"));
	shell(0, "", ".timer on\n= 1\n");
	assert_int_equal(strncmp(cli->out, "1\n0.", 4), 0);
	gives("= 1\n.quit\n= 2\n", "1\n");
	gives("= 1\nexit\n= 2\n", "1\n");
	gives("help .mode\n", ".mode [FORMAT]\n  format of results, as -F\n");
	shell(0, "", "? status\n");
	assert_true(cli_has(cli->out, "130  interrupted"));
	shell(2, "", "help .mdoe\n");
	shell(0, "", ".help\n");
	assert_true(cli_has(cli->out, ".nullvalue"));
	assert_in_range(cli_width(cli->out), 40, 80);
}

static void results_go_where_they_are_sent(void **state)
{
	(void)state;
	gives(".once one\n= 1\n= 2\n.output two\n= 3\n.mode\n= 4\n.output\n= 5\n! cat one two\n",
	      "2\n5\n1\n3\ntable\n4\n");
	shell(0, "-o three", "= 6\n= 7\n");
	assert_string_equal(cli->out, "");
	gives("! cat three\n", "6\n7\n");
	shell(7, "", ".output nowhere/x\n");
	shell(7, "-o nowhere/x", "= 1\n");
	/* Nothing is cut in a file or a pipe, however long. */
	shell(0, "", "select printf('%.2000c', 'x') as long;\n");
	assert_int_equal(cli_width(cli->out), 2000);
}

static void files_of_lines_are_read(void **state)
{
	(void)state;
	cli_write("more", "= 2\n= 3\n");
	cli_write("bad", "= 4\nselect x;\n= 5\n");
	cli_write("self", ".read self\n");
	gives("= 1\n.read more\n= 4\n", "1\n2\n3\n4\n");
	shell(2, "", ".read bad\n= 6\n");
	assert_string_equal(cli->out, "4\n");
	assert_true(cli_has(cli->err, "memcglab: bad:2: sql: no such column: x"));
	shell(2, "", ".read nowhere\n");
	shell(2, "", ".read self\n");
	assert_true(cli_has(cli->err, "files read each other"));
	cli_write("leave", ".quit\n");
	gives(".read leave\n= 1\n", "");
}

static void the_newest_or_named_run_is_the_current_one(void **state)
{
	(void)state;
	shell(2, "", "show\n");
	assert_true(cli_has(cli->err, "usage: memcglab show RUN"));
	shell(3, "", "= run.id\n");
	assert_true(cli_has(cli->err, "there is no current run yet"));
	shell(2, "", ".log\n");
	shell(0, "--quiet",
	      "run small.lua --repeat 3 -F csv -o /dev/null\n= run.id\n"
	      "show 2 -F csv -o /dev/null\n= run.id, run.seed\nexport --as boot-log\n.log\n");
	assert_int_equal(strncmp(cli->out, "3\n2\t2\n[", 6), 0);
	assert_true(cli_has(cli->out, "text\nsaid once\n"));
}

static void lines_of_a_script_are_not_read_by_what_it_starts(void **state)
{
	(void)state;
	cli_write("lines", "! cat\n= 1\nhelp status -o /dev/null\n= 2\n");
	cli_shell(cli, "\"$M\" shell <lines");
	assert_string_equal(cli->out, "1\n2\n");
}

/* S9: a store that is asked 200 times leaves no process and loses no line. */
static void many_lines_are_all_carried_out_once(void **state)
{
	char lines[4096] = "";
	size_t n = 0;

	(void)state;
	for (int i = 0; i < 200; i++)
		n += (size_t)snprintf(lines + n, sizeof(lines) - n, "select %d;\n", i);
	cli_write("lines", lines);
	cli_shell(cli, "\"$M\" shell -F csv <lines | grep -v '^[0-9]*$' | wc -l");
	assert_string_equal(cli->out, "0\n");
	cli_shell(cli, "\"$M\" shell -F csv <lines | wc -l");
	assert_string_equal(cli->out, "400\n");
}

static void a_reader_that_leaves_ends_it_silently(void **state)
{
	(void)state;
	cli_write("lines", "select value from generate_series(1, 3);\n");
	cli_shell(cli, "{ \"$M\" shell --keep-going -c 'runs\n= 1\nhelp\nhelp keys\nhelp keys'; "
		       "echo $? >status; } | true; cat status");
	assert_string_equal(cli->err, "");
	assert_true(cli_has("0\n141\n", cli->out));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(commands_sql_and_lua_run_in_order),
		TEST(text_file_and_standard_input_are_the_same),
		TEST(the_first_error_ends_it_with_its_status),
		TEST(told_to_keep_going_it_goes_on_and_keeps_the_first_status),
		TEST(errors_of_commands_mark_the_word_and_advise),
		TEST(what_moves_in_time_is_reserved),
		TEST(sql_changes_nothing_until_it_may),
		TEST(modes_give_the_bytes_of_the_command_line),
		TEST(dot_commands_shape_results),
		TEST(results_go_where_they_are_sent),
		TEST(files_of_lines_are_read),
		TEST(the_newest_or_named_run_is_the_current_one),
		TEST(lines_of_a_script_are_not_read_by_what_it_starts),
		TEST(many_lines_are_all_carried_out_once),
		TEST(a_reader_that_leaves_ends_it_silently),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
