/*
 * The list of runs as a user meets it: chosen, sorted, described, taken away.
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

/* Four runs: unbatched and batched, of two sizes. */
static int make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "memcglab-runs");
	if (cli == NULL)
		return -1;
	cli_run(cli, "run cat-in-100m -p file=1G --tag base");
	if (cli->status == 0)
		cli_run(cli, "run cat-in-100m -p file=256M -p limit=64M --note 'a small one'");
	return cli->status;
}

static int drop(void **state)
{
	(void)state;
	return cli_close(cli, &folder);
}

static void ends(int status, const char *line)
{
	cli_ends(cli, status, line);
}

static void refuses(int status, const char *says, const char *line)
{
	ends(status, line);
	assert_true(cli_has(cli->err, says));
	assert_string_equal(cli->out, "");
}

/* The ids that `runs LINE` lists. */
static void lists(const char *ids, const char *line)
{
	char text[512], out[64] = "";

	snprintf(text, sizeof(text), "runs -F csv %s", line);
	ends(0, text);
	for (const char *row = strchr(cli->out, '\n'); row && row[1]; row = strchr(row + 1, '\n'))
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%.*s", out[0] ? " " : "",
			 (int)strcspn(row + 1, ","), row + 1);
	assert_string_equal(out, ids);
}

static void where_finds_runs_by_figures_and_columns(void **state)
{
	(void)state;
	lists("4 3 2 1", "");
	lists("4 2", "--where 'over_scan < 2 and kernel = \"batched\"'");
	lists("2", "--where 'scenario:cat kernel:batched tag:base metric.over_scan<2'");
	lists("4 3", "--where 'param.limit = 64M'");
	lists("3", "--where 'small kernel=unbatched'");
	lists("", "--where 'state = failed'");
}

static void sort_and_limit_choose_what_comes_first(void **state)
{
	(void)state;
	lists("4 2", "--sort over_scan --limit 2");
	lists("1 2", "--sort run --limit 2");
	lists("2 1 4 3", "--sort -param.limit");
	lists("4", "--limit 1");
}

/* All formats choose alike. */
static void every_format_lists_the_same_runs(void **state)
{
	(void)state;
	ends(0, "runs --where run=2 -F json");
	assert_true(cli_has(cli->out, "{\"runs\":[{\"id\":2,"));
	assert_true(cli_has(cli->out, "\"alias\":\"batched\""));
	assert_null(strstr(cli->out, "\"id\":4"));
	ends(0, "runs --where run=2 -F jsonl");
	assert_int_equal(cli_lines(cli->out), 1);
	assert_true(cli_has(cli->out, "{\"id\":2,"));
}

static void a_wrong_name_lists_near_ones_below_a_caret(void **state)
{
	(void)state;
	refuses(2, "no column or metric \"over_scam\" here; near: over_scan",
		"runs --where 'over_scam<2'");
	assert_true(cli_has(cli->err, "\n  over_scam<2\n  ^"));
	refuses(2, "no column or metric \"kernal\" here; near: kernel, ", "runs --sort kernal");
	refuses(2, "unknown option --where: did you mean", "show 1 --where run=1");
}

/* The shell has the same command, and its words. */
static void the_shell_chooses_alike(void **state)
{
	(void)state;
	cli_shell(cli, "echo \"runs -F csv --where 'over_scan < 2 and tag:base'\" | $M shell");
	assert_int_equal(cli->status, 0);
	assert_true(cli_has(cli->out, "\n2,cat-in-100m,"));
	assert_int_equal(cli_lines(cli->out), 2);
}

static void says(const char *wanted, const char *line)
{
	ends(0, line);
	assert_string_equal(cli->out, wanted);
}

static void notes_and_tags_are_set_shown_and_taken_away(void **state)
{
	(void)state;
	says("a small one\n", "note 4");
	says("", "note 4 first batched 'base line'");
	says("first batched base line\n", "note 4");
	lists("4", "--where 'note ~ batched'");
	says("", "note 4 ''");
	says("\n", "note 4");
	says("base\n", "tag 1");
	says("base x y\n", "tag 1 x y x");
	says("base y\n", "tag 1 x --remove");
	lists("2 1", "--where tag=base");
	says("\n", "tag 1 --remove");
	says("base\n", "tag 1 base");
	refuses(2, "no run 99", "tag 99 x");
	refuses(2, "--format means nothing to", "note 1 -F json");
}

static void a_baseline_is_set_shown_used_and_cleared(void **state)
{
	(void)state;
	refuses(2, "no baseline of it was set (memcglab baseline set RUN)",
		"show baseline:cat-in-100m");
	says("baseline:cat-in-100m is run 2\n", "baseline set 2");
	ends(0, "baseline show -F csv");
	assert_true(cli_has(cli->out, "scenario,run,kernel,seed,created\ncat-in-100m,2,v2.6.31+"));
	says("scenario,run,kernel,seed,created\n", "baseline show nosuch -F csv");
	ends(0, "show baseline:cat-in-100m");
	assert_true(cli_has(cli->out, "run 2  done"));
	lists("2", "--where baseline=1");
	says("", "baseline clear 1");
	refuses(2, "cat-in-100m has no baseline", "baseline clear cat-in-100m");
	refuses(2, "baseline set: which run?", "baseline set");
	refuses(2, "the nearest is show", "baseline shew");
}

/* Of the four runs one has a tag; later ones are made here. */
static void prune_says_what_would_go_and_spares_what_is_marked(void **state)
{
	(void)state;
	ends(0, "note 3 keep me");
	for (int i = 0; i < 3; i++)
		ends(0, "run cat-in-100m -p file=128M -k batched");
	refuses(2, "--keep N says how many", "prune --dry-run");
	ends(0, "prune --keep 1 --dry-run -F csv");
	assert_int_equal(cli_lines(cli->out), 4);
	assert_true(cli_has(cli->out, "\n4,cat-in-100m,"));
	assert_true(cli_has(cli->out, "\n6,cat-in-100m,"));
	assert_string_equal(cli->err, "3 runs would go\n");
	lists("7 6 5 4 3 2 1", "");
	ends(2, "prune --keep 1");
	assert_true(cli_has(cli->err,
			    "delete 3 runs: there is no terminal to ask on, so it needs --yes"));
	lists("7 6 5 4 3 2 1", "");
	ends(0, "prune --keep 1 --yes");
	assert_string_equal(cli->err, "3 runs deleted\n");
	lists("7 3 2 1", "");
	ends(0, "prune --keep 1");
	ends(0, "note 3 ''");
}

static void delete_takes_all_or_none_and_needs_yes_without_a_terminal(void **state)
{
	(void)state;
	ends(2, "delete 3 7");
	assert_true(cli_has(cli->err, "it needs --yes"));
	ends(2, "delete 3 99 --yes");
	assert_true(cli_has(cli->err, "no run 99"));
	lists("7 3 2 1", "");
	cli_shell(cli, "echo delete 3 | $M shell");
	assert_int_equal(cli->status, 2);
	assert_true(cli_has(cli->err, "it needs --yes"));
	ends(0, "delete 3 latest 3 --yes");
	assert_string_equal(cli->err, "2 runs deleted\n");
	lists("2 1", "");
	cli_shell(cli, "echo delete 2 --yes | $M shell");
	assert_int_equal(cli->status, 0);
	lists("1", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_finds_runs_by_figures_and_columns),
		cmocka_unit_test(sort_and_limit_choose_what_comes_first),
		cmocka_unit_test(every_format_lists_the_same_runs),
		cmocka_unit_test(a_wrong_name_lists_near_ones_below_a_caret),
		cmocka_unit_test(the_shell_chooses_alike),
		cmocka_unit_test(notes_and_tags_are_set_shown_and_taken_away),
		cmocka_unit_test(a_baseline_is_set_shown_used_and_cleared),
		cmocka_unit_test(prune_says_what_would_go_and_spares_what_is_marked),
		cmocka_unit_test(delete_takes_all_or_none_and_needs_yes_without_a_terminal),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
