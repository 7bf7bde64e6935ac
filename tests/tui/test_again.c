/*
 * A stored run made again from the store alone: the files that it came from
 * are changed or gone by then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli.h"

static struct cli *cli;
static struct cli_folder folder;

static const char scenario[] =
	"local compile = require \"lib.compile\"\n"
	"assert(compile)\n"
	"return scenario { name = \"mine\", kernels = { \"v3.3\" },\n"
	"  params = { file = param.size { \"8M\" }, deep = param.bool { false },\n"
	"    shape = param.choice { \"even\", { \"even\", \"odd\" } },\n"
	"    list = param.list { { 1, 2 } }, seed = param.seed { 3 } },\n"
	"  run = function(lab, p)\n"
	"    local g = lab.group(\"g\", { limit = \"1M\" })\n"
	"    local t = lab.task(\"t\", { group = g })\n"
	"    local f = lab.file(\"f\", { size = p.file })\n"
	"    for i = 1, 8 do t:read(f, { bytes = p.file, chunk = \"16K\" }) end\n"
	"    print(p.deep, p.shape, #p.list, p.list[1], lab.rng:int(1, 1000000))\n"
	"  end }\n";

static int make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "memcglab-again");
	return cli != NULL ? 0 : -1;
}

static int drop(void **state)
{
	(void)state;
	return cli_close(cli, &folder);
}

static void ends(int status, const char *line)
{
	cli_shell_ends(cli, status, line);
}

/* Run 1 with nothing at its default, and then the file says something else. */
static int mine(void **state)
{
	(void)state;
	cli_shell(cli, "rm -f runs.db*");
	cli_write("mine.lua", scenario);
	cli_shell(cli, "$M run ./mine.lua -p file=4M -p deep=true -p shape=odd -p list=7,8,9 "
		       "--seed 11 --tag first");
	cli_write("mine.lua", "return {}\n");
	return cli->status;
}

static void a_run_is_run_again_when_its_file_is_another(void **state)
{
	(void)state;
	ends(0, "$M rerun 1 --tag again");
	assert_true(cli_has(cli->err, "run 2 came out as run 1: "));
	ends(0, "$M sql 'select a.text = b.text as same, (select tag from run where id = 2) as tag "
		"from log as a join log as b on a.nr = b.nr where a.run = 1 and b.run = 2' -F csv");
	assert_string_equal(cli->out, "same,tag\n1,again\n");
	ends(0, "$M sql 'select count(distinct params) as p, count(distinct seed) as s, "
		"count(distinct script) as t, count(*) as n from run' -F csv");
	assert_string_equal(cli->out, "p,s,t,n\n1,1,1,2\n");
	ends(0, "rm mine.lua; $M rerun latest -F json && $M verify latest");
	assert_true(cli_has(cli->out, "\"seed\":11"));
}

/* What its library says comes from the store as well: another text of it gives another run. */
static void a_library_comes_from_the_store(void **state)
{
	(void)state;
	ends(0, "sqlite3 runs.db \"update script set text = 'print(\\\"stored\\\") return {}' "
		"where id = (select script from library where run = 1)\"");
	ends(0, "$M rerun 1 -F csv >/dev/null && $M show latest");
	assert_true(cli_has(cli->out, "printed\nstored\n"));
	ends(3, "sqlite3 runs.db 'delete from library'; $M rerun 1");
	assert_true(cli_has(cli->err, "run 1 cannot be run again: "));
	assert_true(cli_has(cli->err, "require \"lib.compile\": its text was not stored"));
	ends(0, "$M sql 'select count(*) as n from run' -F csv");
	assert_string_equal(cli->out, "n\n2\n");
}

static void what_is_missing_is_named(void **state)
{
	(void)state;
	ends(2, "sqlite3 runs.db \"update run set params = json_remove(params, '$.file')\"; "
		"$M rerun 1");
	assert_true(cli_has(cli->err, "the store has no value of its parameter file"));
	ends(2, "sqlite3 runs.db 'update run set script = null'; $M rerun 1");
	assert_true(cli_has(cli->err, "its scenario's text is not stored"));
}

static void every_stored_state_is_verified(void **state)
{
	(void)state;
	ends(0, "$M verify 1");
	assert_true(cli_has(cli->out, "run 1 (done) verified: "));
	ends(0, "$M verify 1 -F json");
	assert_true(cli_has(cli->out, "\"same\":true"));
	ends(0, "test $(sqlite3 runs.db 'select count(*) from keyframe') -ge 2");
}

static void the_first_state_that_differs_is_named(void **state)
{
	(void)state;
	ends(1,
	     "sqlite3 runs.db \"update keyframe set hash = replace(hash, '0', '1') where step >= "
	     "(select max(step) from keyframe)\"; $M verify 1");
	assert_true(cli_has(cli->out, "is the first that does\nstored  "));
	assert_true(cli_has(cli->err, "run 1: the states differ from step "));
	ends(1, "sqlite3 runs.db \"update keyframe set hash = 'x' where step = "
		"(select min(step) from keyframe)\"; $M verify 1");
	assert_true(cli_has(cli->out, "run 1 differs: state 1 of "));
	ends(1, "$M rerun 1 >/dev/null");
	assert_true(cli_has(cli->err, "run 2 differs from run 1 from step "));
}

static void a_run_of_another_model_is_said_to_be_one(void **state)
{
	(void)state;
	ends(0, "sqlite3 runs.db 'update program set model = 99999'; $M verify 1");
	assert_true(cli_has(cli->out, "made by model revision 99999, this is revision "));
	ends(0, "sqlite3 runs.db 'delete from program'; $M verify 1");
	assert_true(cli_has(cli->out, "made before model revisions were stored"));
}

/* Of an earlier schema: the figure of its end is all there is. */
static void a_run_without_keyframes_is_verified_by_its_end(void **state)
{
	(void)state;
	ends(0, "sqlite3 runs.db 'delete from keyframe'; $M verify 1");
	assert_true(cli_has(cli->out, "1 stored states are equal"));
	ends(1, "sqlite3 runs.db \"update metric set value = 'abc' where name = 'state_hash'\"; "
		"$M verify 1");
	ends(2, "sqlite3 runs.db \"delete from metric where name = 'state_hash'\"; $M verify 1");
	assert_true(cli_has(cli->err, "no hash of a state of it is stored"));
}

static void operations_that_are_not_those_of_then_are_noticed(void **state)
{
	(void)state;
	ends(4, "sqlite3 runs.db 'update oplog set data = substr(data, 1, length(data) - 9)'; "
		"$M verify 1");
	ends(2, "sqlite3 runs.db 'delete from oplog'; $M verify 1");
	assert_true(cli_has(cli->err, "run 1 "));
}

static void a_run_that_failed_is_verified_as_far_as_it_came(void **state)
{
	(void)state;
	cli_write("bad.lua", "return scenario { name = \"bad\", run = function(lab)\n"
			     "  local t = lab.task(\"t\")\n"
			     "  t:read(lab.file(\"f\", { size = \"1M\" }), { bytes = \"1M\" })\n"
			     "  error(\"enough\")\n"
			     "end }\n");
	ends(3, "$M run ./bad.lua");
	ends(0, "$M verify latest");
	assert_true(cli_has(cli->out, "(failed) verified: 1 stored states are equal"));
	ends(3, "rm bad.lua; $M rerun latest");
	assert_true(cli_has(cli->err, "enough"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_run_is_run_again_when_its_file_is_another, mine),
		cmocka_unit_test_setup(a_library_comes_from_the_store, mine),
		cmocka_unit_test_setup(what_is_missing_is_named, mine),
		cmocka_unit_test_setup(every_stored_state_is_verified, mine),
		cmocka_unit_test_setup(the_first_state_that_differs_is_named, mine),
		cmocka_unit_test_setup(a_run_of_another_model_is_said_to_be_one, mine),
		cmocka_unit_test_setup(a_run_without_keyframes_is_verified_by_its_end, mine),
		cmocka_unit_test_setup(operations_that_are_not_those_of_then_are_noticed, mine),
		cmocka_unit_test_setup(a_run_that_failed_is_verified_as_far_as_it_came, mine),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
