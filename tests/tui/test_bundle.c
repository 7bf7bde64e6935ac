/*
 * A run as one file: from one store into another, and every way in which the
 * file can be wrong.  What a bundle holds is tested in tests/db/test_bundle.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cli.h"

static struct cli *cli;
static struct cli_folder folder;

/* Two runs; the second one's file is run.mcrun. */
static int make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "memcglab-bundle");
	if (cli == NULL)
		return -1;
	cli_shell(cli, "$M run cat-in-100m -p file=200M --quiet >/dev/null && "
		       "$M export 2 --bundle run.mcrun");
	return cli->status;
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

static void a_run_goes_from_store_to_store(void **state)
{
	(void)state;
	ends(0, "$M open run.mcrun --db other.db");
	assert_true(cli_has(cli->out, "run 1: cat-in-100m on v2.6.31+scan_batch=reclaim_stat, "));
	assert_true(cli_has(cli->out, "it is in the store now; "));
	ends(0, "$M open run.mcrun --db other.db");
	assert_true(cli_has(cli->out, "it was in the store already; "));
	/* All figures, shrink calls and texts are those of the run there. */
	ends(0, "$M export 2 --as scan-log > a; $M export 1 --as scan-log --db other.db | cmp - a");
	ends(0, "$M sql 'select name, value from v_metrics where run = 2' -F csv > a; "
		"$M sql 'select name, value from v_metrics' -F csv --db other.db | cmp - a");
	ends(0, "$M verify 1 --db other.db && $M rerun 1 --db other.db --quiet > /dev/null");
	ends(0, "ls -d \"${TMPDIR:-/tmp}\"/memcglab-bundle-*/run.db 2>/dev/null; true");
	assert_string_equal(cli->out, "");
}

static void a_file_that_is_wrong_changes_nothing(void **state)
{
	(void)state;
	ends(0, "$M db info --db other.db > before");
	ends(0, "cp run.mcrun x.mcrun; printf 'x' | dd of=x.mcrun bs=1 seek=3000 conv=notrunc "
		"2>/dev/null");
	ends(4, "$M open x.mcrun --db other.db");
	ends(4, "head -c 5000 run.mcrun > x.mcrun; $M open x.mcrun --db other.db");
	ends(4, "echo no bundle > x.mcrun; $M open x.mcrun --db other.db");
	ends(4, "$M open missing.mcrun --db other.db");
	ends(0, "$M db info --db other.db | cmp - before");
}

static void what_makes_no_sense_is_refused(void **state)
{
	(void)state;
	ends(2, "$M export 2 --bundle a.mcrun --as scan-log");
	assert_true(cli_has(cli->err, "--bundle is a form and a file of its own"));
	ends(2, "$M export 9 --bundle a.mcrun");
	ends(7, "$M export 2 --bundle /nowhere/a.mcrun");
	ends(1, "test -e a.mcrun");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_goes_from_store_to_store),
		cmocka_unit_test(a_file_that_is_wrong_changes_nothing),
		cmocka_unit_test(what_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
