/*
 * Sweeps on the command line: every combination once, in as many processes
 * as wanted, with the same figures; what is refused before anything runs;
 * an interrupt and going on behind it; where one kernel overtakes another;
 * and the commands for other machines.
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
#include "command.h"
#include "terminal.h"

static struct cli *cli;
static struct cli_folder folder;

/*
 * One CPU charges n pages, each to two counters.  v2.6.32 walks them for each page: 2n walks and
 * n pages charged; v2.6.33 takes 32 at a time: 2 walks and 32 pages as long as n is 32 at most.
 * A cost of one a walk and two a page charged makes that 4n against 66, level at n = 16.5.
 */
static const char cost[] =
	"return scenario { name = \"cost\", kernels = { \"v2.6.32\", \"v2.6.33\" },\n"
	"  params = { pages = param.int { 8, min = 1, max = 24 },\n"
	"             vary = param.bool { false }, note = param.text { \"\" },\n"
	"             seed = param.seed { 1 } },\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"1G\", cpus = 1, locks = true }\n"
	"    return lab.task(\"t\", { group = lab.group(\"g\", { limit = \"512M\" }) })\n"
	"  end,\n"
	"  run = function(lab, p, t)\n"
	"    local extra = p.vary and lab.rng:int(0, 7) or 0\n"
	"    lab.mark(\"extra\", extra)\n"
	"    t:map(\"anon\", { pages = p.pages + extra }):touch { write = true }\n"
	"    print(\"printed\")\n"
	"  end,\n"
	"  metrics = {\n"
	"    cost = metric { unit = \"\", better = \"lower\", from = function(r)\n"
	"      return r.lock.counter.acquisitions + 2 * r.group.g.peak // 4096 end },\n"
	"    charged = metric { unit = \"pages\", from = function(r)\n"
	"      return r.total.nr_charged end },\n"
	"  } }\n";

/* Reads as long as it is told to; ends badly for one size. */
static const char reader[] =
	"return scenario { name = \"reader\", kernels = { \"unbatched\", \"batched\" },\n"
	"  params = { limit = param.size { \"10M\", min = \"1M\", max = \"64M\" },\n"
	"             file = param.size { \"32M\" }, wrong = param.size { \"0\" },\n"
	"             seed = param.seed { 7 } },\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"1G\", cpus = 1 }\n"
	"    if p.limit == p.wrong then error(\"not this one\") end\n"
	"    local g = lab.group(\"g\", { limit = p.limit })\n"
	"    return { t = lab.task(\"t\", { group = g }),\n"
	"             f = lab.file(\"f\", { size = p.file }) }\n"
	"  end,\n"
	"  run = function(lab, p, w) w.t:read(w.f, { bytes = p.file, chunk = \"128K\" }) end,\n"
	"  expect = function(t, r, p)\n"
	"    t.never(\"limit of 2M\", p.limit == 2097152)\n"
	"  end }\n";

static int folder_make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "sweep");
	if (cli == NULL)
		return -1;
	cli_write("cost.lua", cost);
	cli_write("reader.lua", reader);
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

static void says(const char *words, int status, const char *line)
{
	ends(status, line);
	assert_true(cli_has(status == 0 ? cli->out : cli->err, words));
}

/* The single value of a query. */
static void asks(const char *query, const char *value)
{
	char line[512], wanted[64];

	snprintf(line, sizeof(line), "sql '%s' -F csv", query);
	ends(0, line);
	snprintf(wanted, sizeof(wanted), "\n%s\n", value);
	if (strstr(cli->out, wanted) == NULL)
		fail_msg("%s: not %s but %.200s", query, value, cli->out);
}

static json_t *json(const char *line)
{
	json_error_t error;
	json_t *root;

	ends(0, line);
	root = json_loads(cli->out, 0, &error);
	if (root == NULL)
		fail_msg("%s: %s in %.300s", line, error.text, cli->out);
	return root;
}

/* ---- points ---- */

static void every_combination_runs_once_on_each_kernel_with_each_seed(void **state)
{
	(void)state;
	ends(0, "run cost.lua --sweep pages=8,16 --sweep vary=off,on --repeat 3 --tag all");
	asks("select count(*) from run where state = \"done\" and tag = \"all\"", "24");
	asks("select count(*) from (select distinct params, kernel, seed from run)", "24");
	asks("select min(seed) || max(seed) from run", "13");
	/* Both kernels of a point are a pair. */
	asks("select count(*) from (select pair from run group by pair having count(*) = 2)", "12");
}

static void a_row_a_setting_and_kernel_has_mean_and_range(void **state)
{
	(void)state;
	ends(0, "run cost.lua --sweep pages=24,8 --sweep vary=off -k v2.6.32");
	assert_string_equal(cli->out, "pages  vary   kernel   seeds  cost  charged\n"
				      "24     false  v2.6.32      1  96    24\n"
				      "8      false  v2.6.32      1  32    8\n");
	ends(0, "run cost.lua --sweep pages=8,24 -k v2.6.33 -F csv --metric charged,nr_charged");
	assert_string_equal(cli->out, "pages,kernel,seeds,charged,charged_min,charged_max,"
				      "nr_charged,nr_charged_min,nr_charged_max\n"
				      "8,v2.6.33,1,8,8,8,8,8,8\n24,v2.6.33,1,24,24,24,24,24,24\n");
	ends(0, "run cost.lua --sweep pages=8 -p vary=on --repeat 9 -k v2.6.32 --metric charged");
	assert_true(cli_has(cli->out, " .. "));
}

/* Also where a scenario prints: its lines are in the log of each run. */
static void figures_do_not_depend_on_the_number_of_processes(void **state)
{
	static char one[CLI_TEXT_MAX];

	(void)state;
	ends(0, "run cost.lua --sweep pages=1..24+5 -p vary=on --repeat 4 -F csv --no-db -j 1");
	strcpy(one, cli->out);
	assert_int_equal(cli_lines(one), 11);
	ends(0, "run cost.lua --sweep pages=1..24+5 -p vary=on --repeat 4 -F csv --no-db -j 5");
	assert_string_equal(cli->out, one);
	assert_string_equal(cli->err, "");
	ends(0, "run cost.lua --sweep pages=1..24+5 -p vary=on --repeat 4 -F csv -j 3");
	assert_string_equal(cli->out, one);
	asks("select count(*) from v_log where text = \"printed\"", "40");
}

/* What is swept to one value is what -p sets. */
static void a_point_is_the_run_that_its_parameters_make(void **state)
{
	(void)state;
	ends(0, "run cost.lua --sweep pages=8,16 -p vary=on --seed 5 -k v2.6.33");
	ends(0, "run cost.lua -p pages=16 -p vary=on --seed 5 -k v2.6.33");
	asks("select count(distinct value) from v_metrics join v_runs using (run) "
	     "where name = \"state_hash\" and run > 1",
	     "1");
	asks("select count(distinct params) from run where id > 1", "1");
}

static void all_formats_hold_the_same_rows(void **state)
{
	static const char *const formats[] = { "table", "box",	"tsv",	"jsonl",
					       "line",	"quote", "html", "markdown" };
	char line[160];

	(void)state;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		snprintf(line, sizeof(line),
			 "run cost.lua --no-db --sweep pages=8,16 -k v2.6.32 -F %s", formats[i]);
		says("64", 0, line);
	}
}

static void json_is_one_object_with_axes_and_points(void **state)
{
	json_t *root = json("run cost.lua --sweep pages=8..24*2 --sweep note=a,b -F json");
	json_t *point = json_array_get(json_object_get(root, "points"), 3);

	(void)state;
	assert_int_equal(json_array_size(json_object_get(root, "points")), 8);
	assert_string_equal(json_string_value(json_object_get(root, "scenario")), "cost");
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(point, "params"), "pages")), 8);
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(point, "params"), "note")), "b");
	assert_string_equal(json_string_value(json_object_get(point, "kernel")), "v2.6.33");
	assert_int_equal(json_integer_value(json_array_get(json_object_get(point, "runs"), 0)), 4);
	assert_int_equal(json_array_size(json_object_get(root, "crossings")), 0); /* two axes */
	json_decref(root);
}

/* ---- refusals ---- */

static void refused(const char *words, const char *options)
{
	char line[256];

	snprintf(line, sizeof(line), "run cost.lua %s", options);
	says(words, 2, line);
	assert_int_equal(cli_lines(cli->err), 1);
	assert_string_equal(cli->out, "");
}

static void any_bad_value_is_refused_before_anything_runs(void **state)
{
	(void)state;
	refused("pages: \"25\" is out of range (1 to 24)", "--sweep pages=1..25+1");
	refused("pages: \"x\" is not", "--sweep pages=1,2,x");
	refused("page: unknown parameter of scenario \"cost\"", "--sweep page=1,2");
	refused("vary: \"maybe\" is not", "--sweep pages=1,2 --sweep vary=on,maybe");
	refused("seeds are varied by --repeat", "--sweep seed=1,2");
	refused("pages is given by -p and varied as well", "-p pages=3 --sweep pages=1,2");
	refused("--sweep: pages is given twice", "--sweep pages=1 --sweep pages=2");
	refused("--sweep: \"pages\" is not NAME=VALUES", "--sweep pages");
	refused("--jobs: from 1 to", "--sweep pages=1 -j 0");
	refused("no metric \"cots\" in scenario \"cost\"; did you mean \"cost\"?",
		"--sweep pages=1 --metric cots");
	refused("--metric chooses among those of a --sweep", "--metric cost");
	refused("--resume: nothing is stored", "--sweep pages=1 --no-db --resume");
	refused("more than 100000 runs", "--sweep pages=1..24+1 --repeat 99999");
	asks("select count(*) from run", "0");
}

static void a_point_that_fails_is_told_and_the_others_are_done(void **state)
{
	(void)state;
	says("1 of 3 points failed, the first so: reader.lua:7: not this one", 3,
	     "run reader.lua --sweep limit=2M..8M*2 -p wrong=4M -j 2");
	assert_int_equal(cli_lines(cli->out) > 4, 1);
	asks("select count(*) from run where state = \"done\"", "4");
	asks("select count(*) from run where state = \"failed\"", "1");
}

static void failed_expectations_are_the_status_if_wanted(void **state)
{
	(void)state;
	ends(0, "run reader.lua --sweep limit=2M..8M*2");
	says("2 of 6 expectations failed", 1, "run reader.lua --sweep limit=2M..8M*2 --expect");
}

static void the_time_limit_is_that_of_a_point(void **state)
{
	(void)state;
	says("1 of 2 points failed, the first so: time limit of 500ms reached", 6,
	     "run reader.lua -k batched --sweep file=1M,1T --time-limit 500ms -j 2");
	asks("select group_concat(state, \" \") from (select state from run order by state)",
	     "done failed");
}

/* ---- going on ---- */

static void resuming_does_what_is_not_stored_as_done(void **state)
{
	(void)state;
	ends(0, "run cost.lua --sweep pages=8,16 --repeat 2");
	ends(0, "run cost.lua --sweep pages=8,16,24 --repeat 3 --resume -F csv");
	assert_string_equal(cli->err, "4 of 9 points are stored as done\n");
	assert_int_equal(cli_lines(cli->out), 7); /* the stored ones have their rows too */
	assert_true(cli_has(cli->out, "8,v2.6.33,3,66,66,66,8,8,8\n"));
	asks("select count(*) from run", "18");
	ends(0, "run cost.lua --sweep pages=8,16,24 --repeat 3 --resume -j 2");
	asks("select count(*) from run", "18");
	/* Without it everything is done again. */
	ends(0, "run cost.lua --sweep pages=8 --repeat 3");
	asks("select count(*) from run", "24");
}

static void another_text_kernel_or_parameter_is_another_point(void **state)
{
	(void)state;
	ends(0, "run cost.lua --sweep pages=8 --resume");
	ends(0, "run cost.lua --sweep pages=8 -k v2.6.32 --resume");
	asks("select count(*) from run", "2");
	ends(0, "run cost.lua --sweep pages=8 -k v2.6.31 --resume");
	ends(0, "run cost.lua --sweep pages=8 -p note=x -k v2.6.31 --resume");
	ends(0, "run cost.lua --sweep pages=8 --seed 2 -k v2.6.31 --resume");
	asks("select count(*) from run", "5");
	cli_shell(cli, "echo '-- changed' >> cost.lua");
	ends(0, "run cost.lua --sweep pages=8 -k v2.6.32 --resume");
	asks("select count(*) from run", "6");
	/* What another model came to is no answer of this one's. */
	cli_shell_ends(cli, 0, "sqlite3 runs.db 'update program set model = model - 1'");
	ends(0, "run cost.lua --sweep pages=8 -k v2.6.32 --resume");
	asks("select count(*) from run", "7");
}

/* The kernel that is there is made again to be compared with, and not stored again. */
static void half_a_pair_is_completed(void **state)
{
	(void)state;
	ends(0, "run cost.lua --sweep pages=8 -k v2.6.32");
	ends(0, "run cost.lua --sweep pages=8,16 --resume");
	asks("select group_concat(kernel || \"/\" || pair, \" \") from (select * from run "
	     "order by id)",
	     "v2.6.32/1 v2.6.33/1 v2.6.32/3 v2.6.33/3");
}

/* Starts @line, waits until @count runs are done and one runs, and sends @signal. */
static void stop_at(const char *line, int count, const char *signal_name)
{
	char script[1024];

	snprintf(script, sizeof(script),
		 "\"$M\" %s & p=$!; n=0; while [ $n -lt 400 ]; do "
		 "[ \"$(\"$M\" sql \"select (select count(*) from run where state = 'done') >= %d "
		 "and exists (select * from run where state = 'running')\" -F csv "
		 "2>/dev/null | tail -1)\" = 1 ] && break; "
		 "sleep 0.02; n=$((n+1)); done; kill -%s $p; wait $p",
		 line, count, signal_name);
	cli_shell(cli, script);
}

static const char long_sweep[] = "run reader.lua -k batched --sweep limit=2M..5M+1M -j 2 "
				 "--sweep file=1M,2G";

static void an_interrupt_keeps_what_is_done_and_resume_does_the_rest(void **state)
{
	char line[160];

	(void)state;
	stop_at(long_sweep, 2, "TERM");
	assert_int_equal(cli->status, 130);
	assert_true(cli_has(cli->err, "memcglab: interrupted: "));
	assert_true(cli_has(cli->err, " of 8 points are done, --resume does the rest\n"));
	asks("select count(*) from run where state in (\"running\", \"failed\", \"abandoned\")",
	     "0");
	asks("select count(*) > 0 from run where state = \"interrupted\"", "1");
	snprintf(line, sizeof(line), "%s --resume", long_sweep);
	ends(0, line);
	asks("select count(*) from run where state = \"done\"", "8");
	asks("select count(*) from (select distinct params from run where state = \"done\")", "8");
}

/* Nobody can say goodbye: what ran is abandoned, and done again. */
static void a_killed_sweep_is_resumed_too(void **state)
{
	char line[160];

	(void)state;
	stop_at(long_sweep, 2, "KILL");
	snprintf(line, sizeof(line), "%s --resume", long_sweep);
	ends(0, line);
	asks("select count(*) from run where state = \"done\"", "8");
	asks("select count(*) from (select distinct params from run where state = \"done\")", "8");
	asks("select count(*) from run where state = \"running\"", "0");
}

/* ---- crossings ---- */

static void b_overtakes_a_where_it_was_worked_out_to(void **state)
{
	(void)state;
	says("\ncost: B overtakes A at pages = 16.5 (between 16 and 24; one seed, so no "
	     "interval)\n",
	     0, "run cost.lua --sweep pages=24,8,16");
	says("\ncost: B overtakes A at pages = 16.5 (between 16 and 24; the same in all 3 "
	     "seeds)\n",
	     0, "run cost.lua --sweep pages=8..24+8 --repeat 3");
	says("\ncost: B is never ahead of A\n", 0, "run cost.lua --sweep pages=8,16");
	says("\ncost: B is ahead of A from the first value on\n", 0,
	     "run cost.lua --sweep pages=20,24");
	says("\ncharged: A and B are equal at every value\n", 0, "run cost.lua --sweep pages=8,16");
}

/* n = pages + extra with an extra of the seed's own, the same on both kernels: level at 16.5 -
 * extra.  Of three seeds the extras are known by least, most and mean of what was charged. */
static void the_interval_over_paired_seeds_is_students(void **state)
{
	json_t *root = json("run cost.lua --sweep pages=8,16,24 -p vary=on --repeat 3 --seed 4 "
			    "-F json");
	json_t *point = json_array_get(json_object_get(root, "points"), 0);
	json_t *charged = json_object_get(json_object_get(point, "metrics"), "charged");
	json_t *crossing = json_array_get(json_object_get(root, "crossings"), 0);
	double mean = json_real_value(json_object_get(charged, "mean")) - 8;
	double least = json_real_value(json_object_get(charged, "min")) - 8;
	double most = json_real_value(json_object_get(charged, "max")) - 8;
	double middle = 3 * mean - least - most, half;

	(void)state;
	half = sqrt(((least - mean) * (least - mean) + (middle - mean) * (middle - mean) +
		     (most - mean) * (most - mean)) /
		    6) *
	       4.302652729749;
	assert_true(most > least);
	assert_string_equal(json_string_value(json_object_get(crossing, "metric")), "cost");
	assert_true(fabs(json_real_value(json_object_get(crossing, "at")) - (16.5 - mean)) < 1e-9);
	assert_true(fabs(json_real_value(json_object_get(crossing, "low")) - (16.5 - mean - half)) <
		    1e-6);
	assert_true(fabs(json_real_value(json_object_get(crossing, "high")) -
			 (16.5 - mean + half)) < 1e-6);
	json_decref(root);
}

/* ---- progress ---- */

static void a_terminal_shows_done_rate_and_time_left(void **state)
{
	(void)state;
	terminal_run(100, 24, "",
		     "run cat-in-100m -k batched --sweep limit=1M..60M+1M -p file=400M --no-db");
	terminal_wait("/60 points, ");
	terminal_wait(" points/s, ");
	terminal_wait(" left");
	terminal_keys("C-c");
	terminal_wait("memcglab: interrupted: ");
	terminal_left(130);
}

/* ---- jobs ---- */

static const char emit[] =
	"run reader.lua -k batched -p file=1G --sweep limit=2M..4M+1M --repeat 2 --emit-jobs ";

/* In the shell, the program that is tested is the one that jobs name. */
#define AS_JOBS "PATH=$(dirname \"$M\"):$PATH; "

/* Runs that are done in all stores below jobs/, and those of the store that has most. */
#define COUNT_DONE                                                                       \
	"for f in jobs/*.db; do \"$M\" sql --db $f -F csv "                              \
	"\"select count(*) from run where state = 'done'\" | tail -1; done | sort -n | " \
	"uniq -c | awk '{print $1 \"x\" $2}'"

static void jobs_are_a_command_a_point_with_a_store_each(void **state)
{
	char line[256];

	(void)state;
	snprintf(line, sizeof(line), "%s jobs/", emit);
	ends(0, line);
	assert_true(cli_has(cli->out, "6 commands in jobs/jobs, each with a store of its own\n"));
	cli_shell(cli, "head -2 jobs/jobs");
	assert_string_equal(cli->out,
			    "memcglab run reader.lua -k batched -p file=1G --sweep limit=2M "
			    "--seed 7 --db jobs/1.db --resume --quiet\n"
			    "memcglab run reader.lua -k batched -p file=1G --sweep limit=2M "
			    "--seed 8 --db jobs/2.db --resume --quiet\n");
	asks("select count(*) from run", "0");
	cli_shell(cli, AS_JOBS "sh jobs/jobs >/dev/null && sh jobs/jobs >/dev/null; " COUNT_DONE);
	assert_string_equal(cli->out, "6x1\n"); /* twice, and done once */
}

static void words_of_a_job_are_quoted_for_sh(void **state)
{
	(void)state;
	ends(0, "run cost.lua --sweep 'note=x,a$b' --sweep pages=8 -k v2.6.32 --emit-jobs list");
	cli_shell(cli, AS_JOBS "sh list >/dev/null && "
			       "\"$M\" sql --db list-2.db -F csv "
			       "\"select json_extract(params, '\\$.note') from run\" | tail -1");
	assert_string_equal(cli->out, "a$b\n");
}

/* Two shards by GNU parallel; one is killed with all its processes while a point runs. */
static const char shards[] =
	AS_JOBS "head -3 jobs/jobs > a; tail -3 jobs/jobs > b; "
		"setsid parallel --will-cite -j 1 < b > /dev/null 2>&1 & p=$!; "
		"n=0; while [ $n -lt 300 ]; do "
		"[ \"$(\"$M\" sql --db jobs/5.db \"select count(*) from run\" -F csv "
		"2>/dev/null | tail -1)\" = 1 ] && break; sleep 0.02; n=$((n+1)); done; "
		"ps -o pid= -s $p | xargs kill -KILL; wait $p; "
		"parallel --will-cite -j 1 < a > /dev/null && "
		"parallel --will-cite -j 1 < b > /dev/null && " COUNT_DONE;

static void shards_run(void)
{
	char line[256];

	cli_shell(cli, "command -v parallel && command -v setsid && command -v ps");
	if (cli->status != 0)
		skip();
	snprintf(line, sizeof(line), "%s jobs", emit);
	ends(0, "run reader.lua --sweep file=1M --emit-jobs jobs/ --quiet");
	ends(0, line);
	cli_shell(cli, shards);
	assert_int_equal(cli->status, 0);
}

static void a_killed_shard_goes_on_where_it_was(void **state)
{
	(void)state;
	shards_run();
	assert_string_equal(cli->out, "6x1\n");
	cli_shell(cli, "for f in jobs/*.db; do \"$M\" sql --db $f -F csv \"select count(*) from "
		       "run where state in ('running', 'failed')\" | tail -1; done | sort -u");
	assert_string_equal(cli->out, "0\n");
}

static void merged_shards_have_every_point_exactly_once(void **state)
{
	const struct verb *verb;

	(void)state;
	if (command_find("db", &verb, NULL) != ERR_OK)
		skip();
	shards_run();
	cli_shell(cli, "\"$M\" db merge jobs/*.db && \"$M\" db merge jobs/*.db");
	assert_int_equal(cli->status, 0);
	asks("select count(*) from run where state = \"done\"", "6");
	asks("select count(*) from (select distinct params, seed from run where state = \"done\")",
	     "6");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_combination_runs_once_on_each_kernel_with_each_seed),
		TEST(a_row_a_setting_and_kernel_has_mean_and_range),
		TEST(figures_do_not_depend_on_the_number_of_processes),
		TEST(a_point_is_the_run_that_its_parameters_make),
		TEST(all_formats_hold_the_same_rows),
		TEST(json_is_one_object_with_axes_and_points),
		TEST(any_bad_value_is_refused_before_anything_runs),
		TEST(a_point_that_fails_is_told_and_the_others_are_done),
		TEST(failed_expectations_are_the_status_if_wanted),
		TEST(the_time_limit_is_that_of_a_point),
		TEST(resuming_does_what_is_not_stored_as_done),
		TEST(another_text_kernel_or_parameter_is_another_point),
		TEST(half_a_pair_is_completed),
		TEST(an_interrupt_keeps_what_is_done_and_resume_does_the_rest),
		TEST(a_killed_sweep_is_resumed_too),
		TEST(b_overtakes_a_where_it_was_worked_out_to),
		TEST(the_interval_over_paired_seeds_is_students),
		TEST(a_terminal_shows_done_rate_and_time_left),
		TEST(jobs_are_a_command_a_point_with_a_store_each),
		TEST(words_of_a_job_are_quoted_for_sh),
		TEST(a_killed_shard_goes_on_where_it_was),
		TEST(merged_shards_have_every_point_exactly_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
