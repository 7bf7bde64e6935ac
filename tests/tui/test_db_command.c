/*
 * A store as a whole: merged from shards, backed up under a writer, checked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli.h"

static struct cli *cli;
static struct cli_folder folder;

/* All that a user can see of the runs, without their numbers. */
static const char seen[] =
	"select r.uuid, r.scenario, r.kernel, r.state, p.uuid, r.tag,"
	" (select count(*) || sum(e.call) || min(e.memcg) || sum(e.size) from v_scan e"
	"  where e.run = r.run),"
	" (select count(*) || group_concat(kind) || max(rule) from"
	"  (select * from v_events e where e.run = r.run order by seq)),"
	" (select count(*) || sum(value) from v_series s where s.run = r.run),"
	" (select count(*) || sum(length(text)) from v_files f where f.run = r.run),"
	" (select group_concat(name || coalesce(value, 0)) from v_metrics m where m.run = r.run),"
	" (select group_concat(text) from v_marks k where k.run = r.run),"
	" (select group_concat(hash) from v_keyframes k where k.run = r.run)"
	" from v_runs r join run x on x.id = r.run join v_runs p on p.run = x.pair order by 1;\n";

/* Two shards with runs of both, made apart, and a store that has a run of its own. */
static int make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "memcglab-db");
	if (cli == NULL)
		return -1;
	cli_write("see.sql", seen);
	cli_shell(cli,
		  "$M run cat-in-100m -p file=200M --quiet >/dev/null;"
		  "$M run cat-in-100m -p file=200M --db one.db --tag shard --quiet >/dev/null &&"
		  "$M run hot-and-scan --db two.db --quiet >/dev/null;"
		  "$M run oom-anon --db two.db --quiet > /dev/null;"
		  "$M run oom-anon --quiet > /dev/null && $M baseline set latest");
	return 0;
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

static void merging_twice_is_merging_once(void **state)
{
	(void)state;
	ends(0, "sha256sum one.db two.db > before; $M db merge one.db two.db");
	assert_true(cli_has(cli->out, "one.db: 2 runs added, 0 were here\ntwo.db: 4 runs added"));
	ends(0, "sqlite3 runs.db < see.sql > once; for i in 1 2 3 4 5 6 7 8; do $M verify $i || "
		"exit 9; done; $M db check");
	ends(0, "$M db merge two.db one.db && sqlite3 runs.db < see.sql | cmp - once");
	assert_true(cli_has(cli->out, "two.db: 0 runs added, 4 were here\n"));
	/* What each shard shows is shown here, and the shards are as they were. */
	ends(0, "for i in one two; do sqlite3 $i.db < see.sql > part; test -s part || exit 8; "
		"while read -r line; do grep -qxF -- \"$line\" once || exit 9; done < part; done; "
		"sha256sum -c before; ls *merge* 2>/dev/null && exit 7; true");
	ends(0, "sqlite3 runs.db 'select scenario, count(*) from baseline group by 1'");
	assert_string_equal(cli->out, "oom-anon|1\n");
}

static void what_is_no_store_is_refused_and_nothing_changed(void **state)
{
	(void)state;
	ends(0, "sqlite3 runs.db .dump | sha256sum > sum; echo no store > junk.db; "
		"sqlite3 other.db 'create table t (a)'; cp one.db newer.db; "
		"sqlite3 newer.db 'pragma user_version = 99'");
	ends(4, "$M db merge junk.db");
	assert_true(cli_has(cli->err, "junk.db is not a memcglab database"));
	ends(4, "$M db merge other.db");
	assert_true(cli_has(cli->err, "other.db is not a memcglab database"));
	ends(4, "$M db merge newer.db");
	assert_true(cli_has(cli->err, "newer.db has schema version 99, written by a newer"));
	ends(4, "$M db merge missing.db");
	ends(2, "$M db merge ./runs.db");
	assert_true(cli_has(cli->err, "is the store itself"));
	ends(0, "sqlite3 runs.db .dump | sha256sum | cmp - sum; ls *merge* 2>/dev/null && exit 7; "
		"true");
}

static void an_older_store_is_merged_and_stays_old(void **state)
{
	char line[1024];

	(void)state;
	snprintf(line, sizeof(line),
		 "sqlite3 old.db < %s/tests/db/schema_1.txt; sqlite3 old.db 'pragma "
		 "application_id = 1835231052; pragma user_version = 1' && $M db merge old.db --db "
		 "into.db && sqlite3 old.db 'pragma user_version' && ls *before* 2>/dev/null; "
		 "$M db check --db into.db",
		 folder.home);
	ends(0, line);
	assert_true(cli_has(cli->out, "old.db: 3 runs added, 0 were here\n1\n"));
	assert_true(cli_has(cli->out, "into.db is sound"));
}

/* Killed at whatever moment, the store has all runs of the file or none. */
static void a_kill_leaves_all_or_nothing(void **state)
{
	(void)state;
	ends(0, "for ms in 005 010 015 020 030 040 060 090; do rm -f k.db*; "
		"$M run oom-anon --db k.db --quiet >/dev/null || exit 9; "
		"timeout -s KILL 0.$ms $M db merge two.db --db k.db >/dev/null 2>&1; "
		"n=$(sqlite3 -cmd '.timeout 5000' k.db 'select count(*) from run'); "
		"test $n = 2 -o $n = 6 || exit 8; $M db check --db k.db || exit 7; done");
}

static void a_backup_is_sound_while_another_process_writes(void **state)
{
	(void)state;
	ends(0, "$M run cat-in-100m -p file=4G --quiet >/dev/null & "
		"for i in 1 2 3 4 5; do $M db backup copy$i.db || exit 9; done; wait; "
		"for i in 1 2 3 4 5; do $M db check --db copy$i.db || exit 8; done; "
		"$M verify 1 --db copy5.db");
	ends(2, "$M db backup copy1.db");
	assert_true(cli_has(cli->err, "copy1.db is there already"));
}

static void a_store_that_is_not_sound_is_said_to_be_so(void **state)
{
	(void)state;
	ends(0, "$M db check --db one.db");
	ends(4, "cp one.db bad.db; sqlite3 bad.db 'delete from oplog; insert into metric values "
		"(77, 0, \"x\", \"\", \"\", 1); delete from run where id = 2'; "
		"$M db check --db bad.db");
	assert_true(cli_has(cli->out, "metric: row "));
	assert_true(cli_has(cli->out, "refers to a run that is not there"));
	assert_true(cli_has(cli->out, "run 1 is done and has no op log"));
	assert_true(cli_has(cli->out, "rows of run 2, which is not there"));
}

static void words_are_checked(void **state)
{
	(void)state;
	ends(0, "$M db info -F json");
	assert_true(cli_has(cli->out, "\"schema\":4,\"runs\":"));
	ends(0, "$M db migrate");
	assert_true(cli_has(cli->out, "is of schema 4"));
	ends(2, "$M db chek");
	assert_true(cli_has(cli->err, "did you mean \"check\"?"));
	ends(2, "$M db merge");
	ends(2, "$M db backup");
	ends(2, "$M db check -F csv");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merging_twice_is_merging_once),
		cmocka_unit_test(what_is_no_store_is_refused_and_nothing_changed),
		cmocka_unit_test(an_older_store_is_merged_and_stays_old),
		cmocka_unit_test(a_kill_leaves_all_or_nothing),
		cmocka_unit_test(a_backup_is_sound_while_another_process_writes),
		cmocka_unit_test(a_store_that_is_not_sound_is_said_to_be_so),
		cmocka_unit_test(words_are_checked),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
