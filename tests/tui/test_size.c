/*
 * memcglab size: the smallest value that meets a condition, worked out by
 * hand beside it; over seeds; and what is said where there is none.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "cli.h"

static struct cli *cli;
static struct cli_folder folder;

/*
 * A file of n pages is read through a group.  v2.6.32 charges each page for itself, so no charge
 * fails from a limit of n pages on; v2.6.33 takes 32 at a time, so it is n rounded up to 32.  For
 * "vary" each seed has an n of its own.
 */
static const char room[] =
	"return scenario { name = \"room\", kernels = { \"v2.6.32\", \"v2.6.33\" },\n"
	"  params = { pages = param.int { 100, min = 1 }, vary = param.bool { false },\n"
	"             limit = param.size { \"1M\", min = \"16K\" },\n"
	"             shape = param.choice { \"a\", { \"a\", \"b\" } },\n"
	"             seed = param.seed { 1 } },\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"1G\", cpus = 1 }\n"
	"    local n = p.pages + (p.vary and lab.rng:int(0, 63) or 0)\n"
	"    if p.limit == 65536 then error(\"not this one\") end\n"
	"    return { t = lab.task(\"t\", { group = lab.group(\"g\", { limit = p.limit }) }),\n"
	"             f = lab.file(\"f\", { size = n * 4096 }), n = n }\n"
	"  end,\n"
	"  run = function(lab, p, w) w.t:read(w.f, { bytes = w.n * 4096 }) end,\n"
	"  metrics = { charged = metric { unit = \"pages\", from = function(r)\n"
	"                return r.total.nr_charged end },\n"
	"              hits = metric { unit = \"\", from = function(r)\n"
	"                if r.total.failcnt > 0 then return r.total.failcnt end end } } }\n";

static int folder_make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "size");
	if (cli == NULL)
		return -1;
	cli_write("room.lua", room);
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

static void refused(int status, const char *words, const char *options)
{
	char line[256];

	snprintf(line, sizeof(line), "size room.lua %s", options);
	ends(status, line);
	assert_true(cli_has(cli->err, words));
}

static void the_smallest_limit_is_the_one_worked_out(void **state)
{
	(void)state;
	ends(0, "size room.lua --param limit --until 'failcnt = 0' --from 68K --to 64M");
	assert_true(cli_has(cli->out, "v2.6.32: from limit = 400K on it is met\n"));
	assert_true(cli_has(cli->out, "v2.6.33: from limit = 512K on it is met\n"));
	assert_true(cli_has(cli->out, "assumed: what meets it once goes on to as limit grows\n"));
	ends(0, "size room.lua --param limit --until 'failcnt = 0' --from 68K --to 64M "
		"-p pages=128 -F csv -j 2");
	assert_true(cli_has(cli->out, "kernel,seeds,runs,verdict,limit,least,mean,low,high\n"));
	assert_true(cli_has(cli->out, ",found,524288,524288,524288.000,,\n"));
	assert_int_equal(cli_lines(cli->out), 3);
}

/* What charges n pages with n given: the first count that meets it is the number itself. */
static void other_numbers_go_down_to_one(void **state)
{
	(void)state;
	ends(0, "size room.lua --param pages --until 'charged >= 77' --to 500 -k v2.6.32 -F csv");
	assert_true(cli_has(cli->out, "v2.6.32,1,"));
	assert_true(cli_has(cli->out, ",found,77,77,77.000,,\n"));
}

/* Each seed's n is what it charged when nothing was in its way. */
static void over_seeds_it_is_the_largest_with_an_interval_of_the_mean(void **state)
{
	double n[3], mean = 0, squares = 0, half, largest = 0, least = 1e9;
	char wanted[128];

	(void)state;
	ends(0, "run room.lua -k v2.6.32 -p vary=on --repeat 3 -F jsonl -p limit=64M");
	for (int i = 0; i < 3; i++) {
		const char *line = cli->out;
		json_t *root;

		for (int skip = 0; skip < i; skip++)
			line = strchr(line, '\n') + 1;
		root = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
		n[i] = 4096 * json_number_value(
				      json_object_get(json_object_get(root, "metrics"), "charged"));
		json_decref(root);
		mean += n[i] / 3;
		largest = fmax(largest, n[i]);
		least = fmin(least, n[i]);
	}
	for (int i = 0; i < 3; i++)
		squares += (n[i] - mean) * (n[i] - mean);
	half = 4.302652729749 * sqrt(squares / 6);
	assert_true(half > 0);
	ends(0, "size room.lua --param limit --until 'failcnt = 0' --from 68K --to 64M -k v2.6.32 "
		"-p vary=on --repeat 3 -F csv -j 2");
	snprintf(wanted, sizeof(wanted), ",found,%.0f,%.0f,%.3f,%.3f,%.3f\n", largest, least, mean,
		 mean - half, mean + half);
	assert_true(cli_has(cli->out, wanted));
}

static void runs_are_counted_and_stored_with_a_tag(void **state)
{
	int runs = 0, stored = 0;

	(void)state;
	ends(0, "size room.lua --param pages --until 'charged > 9' --to 99 -k v2.6.32 -F csv");
	assert_int_equal(sscanf(strchr(cli->out, '\n') + 1, "v2.6.32,1,%d,", &runs), 1);
	ends(0, "sql \"select count(*) from run where tag = 'size' and state = 'done'\" -F csv");
	assert_int_equal(sscanf(strchr(cli->out, '\n') + 1, "%d", &stored), 1);
	assert_true(runs >= 2 + 3 && runs <= 2 + 7);
	assert_int_equal(runs, stored);
	ends(0, "size room.lua --param pages --until 'charged > 9' --to 99 --no-db -F csv -j 3");
	ends(0, "sql \"select count(*) from run\" -F csv");
	assert_int_equal(sscanf(strchr(cli->out, '\n') + 1, "%d", &runs), 1);
	assert_int_equal(runs, stored);
}

/* The words are those of runs --where: and, or, not, kernels, columns. */
static void the_condition_is_that_of_runs(void **state)
{
	(void)state;
	ends(0, "size room.lua --param pages --until "
		"'charged > 9 and (kernel = v2.6.33 or charged > 19)' --to 99 -F csv");
	assert_true(cli_has(cli->out, ",found,20,"));
	assert_true(cli_has(cli->out, ",found,10,"));
	refused(2, "no column or metric \"chrged\"", "--param pages --until 'chrged > 9' --to 99");
	refused(2, "empty", "--param pages --until '' --to 99");
	ends(0, "sql \"select count(*) from run where tag is null or tag <> 'size'\" -F csv");
	assert_true(cli_has(cli->out, "\n0\n"));
}

static void ends_that_bracket_nothing_are_status_1(void **state)
{
	(void)state;
	refused(1, "v2.6.32: pages: 10 meets it already, the smallest may lie below",
		"--param pages --until 'charged > 9' --from 10 --to 99 -k v2.6.32");
	assert_true(cli_has(cli->out, "already"));
	refused(1, "v2.6.32: pages: neither 1 nor 9 meets it",
		"--param pages --until 'charged > 9' --to 9 -k v2.6.32");
	refused(1, "v2.6.32: pages: 1 meets it and 99 does not, against what is assumed",
		"--param pages --until 'charged < 9' --to 99 -k v2.6.32");
	/* A metric that a run lacks is neither above nor below anything. */
	refused(1, "neither 1M nor 64M meets it",
		"--param limit --until 'hits < 9' --from 1M --to 64M -k v2.6.32");
}

static void what_makes_no_sense_is_refused_before_anything_runs(void **state)
{
	(void)state;
	refused(2, "size needs --param NAME", "--until 'failcnt = 0'");
	refused(2, "size needs --until EXPR", "--param limit");
	refused(2, "limit: no such end of its range is declared, give --to",
		"--param limit --until 'failcnt = 0'");
	refused(2, "limit: \"1K\" is out of range (at least 16K)",
		"--param limit --until 'failcnt = 0' --from 1K --to 1G");
	refused(2, "--from must be below --to",
		"--param limit --until 'failcnt = 0' --from 1G --to 1G");
	refused(2, "--to: one value", "--param pages --until 'failcnt = 0' --to 1..9+1");
	refused(2, "shape: no number, but of type choice", "--param shape --until 'failcnt = 0'");
	refused(2, "seeds are varied by --repeat", "--param seed --until 'failcnt = 0'");
	refused(2, "limt: unknown parameter", "--param limt --until 'failcnt = 0'");
	refused(2, "limit is given by -p and looked for as well",
		"--param limit -p limit=1M --until 'failcnt = 0' --to 1G");
	ends(2, "run room.lua --param limit");
	assert_true(cli_has(cli->err, "--param: \"limit\" is not NAME=VALUE"));
	ends(0, "sql \"select count(*) from run\" -F csv");
	assert_true(cli_has(cli->out, "\n0\n"));
}

static void a_run_that_fails_ends_it_and_says_where(void **state)
{
	(void)state;
	refused(3, "limit = 64K: room.lua:9: not this one",
		"--param limit --until 'failcnt = 0' --from 64K --to 1G");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_smallest_limit_is_the_one_worked_out),
		TEST(other_numbers_go_down_to_one),
		TEST(over_seeds_it_is_the_largest_with_an_interval_of_the_mean),
		TEST(runs_are_counted_and_stored_with_a_tag),
		TEST(the_condition_is_that_of_runs),
		TEST(ends_that_bracket_nothing_are_status_1),
		TEST(what_makes_no_sense_is_refused_before_anything_runs),
		TEST(a_run_that_fails_ends_it_and_says_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
