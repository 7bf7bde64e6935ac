/*
 * The command line as a user meets it: statuses, messages, help, formats,
 * the files that it writes, and how a run is stopped.
 *
 * Each test works in a folder of its own with a store of its own, and on
 * small scenarios that it writes itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "cli.h"
#include "command.h"
#include "output.h"

static struct cli *cli;
static struct cli_folder folder;

/* A tenth of the post's sizes: some thousand steps. */
static const char small[] =
	"return scenario {\n"
	"  name = \"small\", title = \"A small one\", kernels = { \"unbatched\", \"batched\" },\n"
	"  params = { limit = param.size { \"10M\", min = \"1M\" },\n"
	"             file = param.size { \"32M\" }, seed = param.seed { 7 } },\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"1G\", cpus = 1 }\n"
	"    local g = lab.group(\"g\", { limit = p.limit })\n"
	"    return { t = lab.task(\"t\", { group = g }),\n"
	"             f = lab.file(\"f\", { size = p.file }) }\n"
	"  end,\n"
	"  run = function(lab, p, w) w.t:read(w.f, { bytes = p.file, chunk = \"128K\" }) end,\n"
	"  expect = function(t, r, p)\n"
	"    t.never(\"usage above limit\", r.group[\"g\"].peak > p.limit)\n"
	"    t.near(\"failures\", r.total.failcnt, p.limit < 2000000 and -1 or r.total.failcnt,\n"
	"      { rel = 0, label = \"predicted\" })\n"
	"  end,\n"
	"}\n";

static const char hangs[] =
	"return scenario { name = \"hangs\", run = function(lab)\n"
	"  local s = (\"a\"):rep(9000); s:find((\".-\"):rep(6) .. \"b\") end }\n";

static int folder_make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "cli");
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

/* ---- what each test says ---- */

static void ends(int status, const char *line)
{
	cli_ends(cli, status, line);
}

/* One message, of our own form, with @words. */
static void refuses(int status, const char *words, const char *line)
{
	ends(status, line);
	assert_int_equal(strncmp(cli->err, "memcglab: ", 10), 0);
	assert_null(strstr(cli->err + 1, "\nmemcglab: "));
	assert_true(cli_has(cli->err, words));
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

static const char *text_at(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	assert_non_null(text);
	return text;
}

/* ---- usage and help ---- */

static void without_a_command_usage_goes_to_standard_error(void **state)
{
	(void)state;
	ends(2, "");
	assert_string_equal(cli->out, "");
	assert_true(cli_has(cli->err, "usage: memcglab"));
	for (size_t i = 0; command_at(i) != NULL; i++)
		assert_true(cli_has(cli->err, command_at(i)->name));
}

static void an_unknown_command_names_the_nearest_two(void **state)
{
	(void)state;
	refuses(2, "did you mean runs or run?", "runss");
	refuses(2, "did you mean", "frobnicate");
}

static void a_command_of_a_later_version_is_refused_as_such(void **state)
{
	(void)state;
	refuses(2, "not in this version yet", "branch 1");
	refuses(2, "not in this version yet", "quiz");
}

static void every_help_fits_a_terminal_and_ends_with_two_examples(void **state)
{
	char line[64];

	(void)state;
	for (size_t i = 0; command_at(i) != NULL; i++) {
		const struct verb *verb = command_at(i);
		char end[256];

		snprintf(line, sizeof(line), "%s --help", verb->name);
		ends(0, line);
		assert_string_equal(cli->err, "");
		assert_in_range(cli_width(cli->out), 1, 80);
		assert_in_range(cli_lines(cli->out), 1, 40);
		snprintf(end, sizeof(end), "examples:\n  %s\n  %s\n", verb->example[0],
			 verb->example[1]);
		assert_true(cli_has(cli->out, end));
		assert_string_equal(strstr(cli->out, end), end);
	}
	ends(0, "--help");
	assert_in_range(cli_width(cli->out), 1, 80);
	assert_in_range(cli_lines(cli->out), 1, 40);
}

static void short_and_long_help_and_the_topic_are_the_same(void **state)
{
	char *first;

	(void)state;
	ends(0, "run -h");
	first = strdup(cli->out);
	ends(0, "run --help");
	assert_string_equal(cli->out, first);
	ends(0, "help run");
	assert_string_equal(cli->out, first);
	free(first);
}

/* Every constant of time is told, with what it was fitted to. */
static void help_time_names_every_constant(void **state)
{
	(void)state;
	ends(0, "help time");
	assert_in_range(cli_width(cli->out), 1, 80);
	for (size_t i = 0; i < knob_count(); i++)
		if (strcmp(knob_at(i)->unit, "ns") == 0 && (!cli_has(cli->out, knob_at(i)->name) ||
							    !cli_has(cli->out, knob_at(i)->status)))
			fail_msg("%s is missing", knob_at(i)->name);
	assert_true(cli_has(cli->out, "line_ns                    292 ns   calibrated"));
	assert_true(cli_has(cli->out, "    fitted to fault_loop_2009: row 2, cpu_us_per_fault"));
	assert_true(cli_has(cli->out, "x                         5547      lock-contention-2009"));
}

static void the_examples_of_every_help_run(void **state)
{
	(void)state;
	ends(0, "run cat-in-100m -p file=256M");
	for (size_t i = 0; command_at(i) != NULL; i++)
		for (int e = 0; e < 2 && strcmp(command_at(i)->name, "tui") != 0; e++) {
			const char *example = command_at(i)->example[e];

			assert_int_equal(strncmp(example, "memcglab ", 9), 0);
			ends(0, example + 9);
		}
}

static void help_keys_lists_the_table_of_actions(void **state)
{
	(void)state;
	ends(0, "help keys");
	assert_true(cli_has(cli->out, "Space"));
	assert_true(cli_has(cli->out, "play"));
	refuses(2, "did you mean keys", "help kyes");
}

static void help_knows_metrics_and_where_they_are(void **state)
{
	(void)state;
	ends(0, "help nr_scanned");
	assert_true(cli_has(cli->out, "nr_scanned  in pages, lower is better\n"
				      "  of every run, counted by the engine\n"));
	ends(0, "help scan.over_scan");
	assert_true(cli_has(cli->out, "over_scan  in x, lower is better\n  cat-in-100m: "));
	ends(0, "help cat-in-100m.over_scan");
	assert_true(cli_has(cli->out, "  cat-in-100m: "));
	assert_int_equal(cli_lines(cli->out), 2);
	refuses(2, "no help on", "help charge-storm.over_scan");
	refuses(2, "no help on", "help scan.nonsense");
}

static void apropos_looks_everywhere(void **state)
{
	(void)state;
	ends(0, "apropos SWAP -F csv");
	assert_true(cli_has(cli->out, "option,--swap,"));
	assert_true(cli_has(cli->out, "metric,nr_swapped_out,"));
	assert_true(cli_has(cli->out, "\nscenario,"));
	ends(0, "apropos over_scan -F csv");
	assert_true(cli_has(cli->out, "metric,cat-in-100m.over_scan,"));
	ends(0, "apropos play -F csv");
	assert_true(cli_has(cli->out, "key,Space,"));
	ends(0, "apropos formats -F csv");
	assert_true(cli_has(cli->out, "topic,formats,"));
	ends(0, "apropos batched-scan -F csv");
	assert_true(cli_has(cli->out, "kernel,"));
	refuses(2, "nothing about \"xyzzy\"", "apropos xyzzy");
	refuses(2, "usage: memcglab apropos WORD", "apropos");
}

static void a_word_too_many_or_too_few_shows_the_usage(void **state)
{
	(void)state;
	refuses(2, "usage: memcglab run SCENARIO", "run");
	refuses(2, "\"b\" is one word too many", "run a b");
	refuses(2, "usage: memcglab kernel show NAME", "kernel show");
	refuses(2, "not one of list, show, new, check", "scenario lst");
}

/* ---- run ---- */

static void a_run_shows_both_kernels_side_by_side(void **state)
{
	(void)state;
	ends(0, "run small.lua");
	assert_true(cli_has(cli->out, "A  v2.6.31 (unbatched)"));
	assert_true(cli_has(cli->out, "B  v2.6.31+scan_batch=reclaim_stat (batched)"));
	assert_true(cli_has(cli->out, "nr_scanned"));
	assert_true(cli_has(cli->out, "A  last shrink calls"));
	assert_true(cli_has(cli->out, "all 4 expectations hold"));
	assert_true(cli_has(cli->out, "next: memcglab tui 1"));
	assert_string_equal(cli->err, "");
}

static void run_as_json_has_the_documented_fields(void **state)
{
	static const char *const totals[] = {
		"nr_charged",     "nr_uncharged", "nr_to_scan", "nr_scanned",
		"nr_taken",       "nr_reclaimed", "nr_rotated", "nr_activated",
		"nr_deactivated", "nr_refault",   "limit_hits", "failcnt",
		"oom_kills",      "steps",        "sim_ns",     "peak_usage_pages",
	};
	json_t *root = json("run small.lua -F json --seed 9 --tag t");
	const json_t *runs = json_object_get(root, "runs"), *run = json_array_get(runs, 1);
	const json_t *metrics = json_object_get(run, "metrics");
	const json_t *expect = json_array_get(json_object_get(run, "expect"), 1);

	(void)state;
	assert_int_equal(json_array_size(runs), 2);
	assert_int_equal(json_integer_value(json_object_get(run, "id")), 2);
	assert_int_equal(json_integer_value(json_object_get(run, "seed")), 9);
	assert_string_equal(text_at(run, "scenario"), "small");
	assert_string_equal(text_at(run, "kernel"), "v2.6.31+scan_batch=reclaim_stat");
	assert_string_equal(text_at(run, "alias"), "batched");
	assert_string_equal(text_at(run, "state"), "done");
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(run, "params"), "limit")),
		10 << 20);
	for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++)
		if (!json_is_integer(json_object_get(metrics, totals[i])))
			fail_msg("no metric %s", totals[i]);
	assert_int_equal(strspn(text_at(metrics, "state_hash"), "0123456789abcdef"), 32);
	assert_string_equal(text_at(expect, "text"), "failures");
	assert_string_equal(text_at(expect, "label"), "predicted");
	assert_true(json_is_true(json_object_get(expect, "ok")));
	assert_true(json_is_number(json_object_get(expect, "value")));
	assert_true(json_is_number(json_object_get(expect, "wanted")));
	json_decref(root);
}

/* A group of 10 MiB reads 32 MiB once: it took all pages from itself. */
static void every_run_ends_in_a_verdict_and_says_who_took_pages(void **state)
{
	static const char *const parts[] = { "rss_pages",  "cache_pages", "unevictable_pages",
					     "kmem_pages", "stock_pages", "queued_pages" };
	json_t *root = json("run small.lua -k v6.18-v1 -F json");
	const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
	const json_t *metrics = json_object_get(run, "metrics");
	const json_t *taken = json_array_get(json_object_get(run, "taken"), 0);
	json_int_t sum = 0;

	(void)state;
	assert_true(cli_has(text_at(metrics, "verdict"), "fits: "));
	assert_string_equal(text_at(metrics, "verdict_group"), "g");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		sum += json_integer_value(json_object_get(metrics, parts[i]));
	assert_int_equal(json_integer_value(json_object_get(metrics, "usage_pages")), sum);
	assert_true(sum > 2000 && sum <= 2560);
	assert_true(json_is_integer(json_object_get(metrics, "working_set_pages")));
	assert_true(json_is_integer(json_object_get(metrics, "can_be_dropped_pages")));
	assert_string_equal(text_at(taken, "by"), "g");
	assert_string_equal(text_at(taken, "owner"), "g");
	assert_true(
		json_equal(json_object_get(taken, "nr"), json_object_get(metrics, "nr_reclaimed")));
	json_decref(root);
	ends(0, "show 1");
	assert_true(cli_has(cli->out, "   fits: "));
	assert_true(cli_has(cli->out, "   g: usage "));
	assert_true(cli_has(cli->out, "   usage = rss "));
	assert_true(cli_has(cli->out, "who took pages from whom\n"));
	ends(0, "sql \"select owner, nr > 0 from v_taken\" -F csv");
	assert_true(cli_has(cli->out, "g,1"));
	ends(0, "screen 1 --view limits --size 160x48");
	assert_true(cli_has(cli->out, "A who took pages from whom"));
}

/* An error of the scenario is not the end of the question how its groups stood. */
static void a_run_that_fails_has_its_verdict_too(void **state)
{
	(void)state;
	cli_write("half.lua",
		  "return scenario { name = \"half\", run = function(lab)\n"
		  "  local g = lab.group(\"g\", { limit = \"1M\" })\n"
		  "  lab.task(\"t\", { group = g }):read(lab.file(\"f\", { size = \"64K\" }))\n"
		  "  error(\"as planned\") end }\n");
	refuses(3, "as planned", "run half.lua -k v2.6.31");
	ends(0, "show latest");
	assert_true(cli_has(cli->out, "as planned"));
	assert_true(cli_has(cli->out, "   fits: no pressure\n"));
	assert_true(cli_has(cli->out, "   g: usage 16 pages"));
}

static void show_gives_one_element_of_what_run_gave(void **state)
{
	json_t *run = json("run small.lua -F json"), *show = json("show 1 -F json");
	json_t *list = json("runs -F json");
	json_t *first = json_array_get(json_object_get(run, "runs"), 0);
	json_t *listed = json_array_get(json_object_get(list, "runs"), 1);

	(void)state;
	assert_true(json_equal(first, show));
	assert_true(json_is_array(json_object_get(first, "taken")));
	json_object_del(first, "expect");
	json_object_del(first, "taken");
	json_object_del(first, "locks");
	json_object_del(first, "log");
	assert_true(json_equal(first, listed));
	json_decref(run);
	json_decref(show);
	json_decref(list);
}

static const char prints[] =
	"print('loaded')\n"
	"return scenario {\n"
	"  name = 'prints', kernels = { 'v3.1', 'v3.3' },\n"
	"  setup = function(lab) print('set up', 1)\n"
	"    return { t = lab.task('t', { group = lab.group('g') }),\n"
	"             f = lab.file('f', { size = '1M' }) } end,\n"
	"  run = function(lab, p, w) w.t:read(w.f, { bytes = '1M' }) print('read') end,\n"
	"  metrics = { none = metric { unit = 'x', from = function(r)\n"
	"    return r.scan.nr_scanned / r.scan.nr_to_scan end },\n"
	"    nothing = metric { from = function() return nil end } },\n"
	"  expect = function(t, r) print('judged') end }\n";

/* 0/0 is no value: a dash, null, and never a row that is not there. */
static void a_figure_without_a_value_is_a_dash_and_null(void **state)
{
	json_t *root, *metrics;

	(void)state;
	cli_write("prints.lua", prints);
	ends(0, "run prints.lua -k v3.1 --quiet");
	assert_true(cli_has(cli->out, "\nnone              x                 -\n"));
	root = json("run prints.lua -k v3.1 -F json --quiet");
	metrics = json_object_get(json_array_get(json_object_get(root, "runs"), 0), "metrics");
	assert_true(json_is_null(json_object_get(metrics, "none")));
	assert_true(json_is_null(json_object_get(metrics, "nothing")));
	json_decref(root);
	root = json("export 1 -F json");
	metrics = json_object_get(root, "metrics");
	assert_true(json_is_null(json_object_get(metrics, "none")));
	json_decref(root);
	ends(0,
	     "sql \"select count(*), sum(value is null) from v_metrics where run = 1 and name in "
	     "('none', 'nothing')\" -F csv");
	assert_true(cli_has(cli->out, "2,2"));
	ends(0, "show 1 -F csv");
	assert_true(cli_has(cli->out, ",none,x,,\n"));
}

/* "tag" of a run without one is null wherever it is told. */
/* What `run` and the TUI call B is B in `show` too. */
static void the_second_run_of_a_pair_is_shown_as_b(void **state)
{
	(void)state;
	ends(0, "run small.lua");
	ends(0, "show 1");
	assert_true(cli_has(cli->out, "\nA  v2.6.31 (unbatched)  run 1"));
	assert_true(cli_width(cli->out) <= 80);
	ends(0, "show 2");
	assert_true(cli_has(cli->out, "\nB  v2.6.31+scan_batch=reclaim_stat (batched)  run 2"));
	assert_true(cli_has(cli->out, "metric            unit              B\n"));
	assert_true(cli_has(cli->out, "\nB     ok "));
}

static void no_tag_is_null_everywhere(void **state)
{
	static const char *const lines[] = { "show 1 -F json", "export 1 -F json" };

	(void)state;
	ends(0, "run small.lua -k batched");
	for (size_t i = 0; i < 2; i++) {
		json_t *root = json(lines[i]);

		assert_true(json_is_null(json_object_get(root, "tag")));
		json_decref(root);
	}
}

static void what_a_scenario_prints_is_kept_with_its_run(void **state)
{
	json_t *root, *log;

	(void)state;
	cli_write("prints.lua", prints);
	ends(0, "run prints.lua");
	assert_true(cli_has(cli->err, "set up\t1"));
	ends(0, "show 2");
	assert_true(cli_has(cli->out, "\nprinted\nloaded\nset up\t1\nread\njudged\n"));
	root = json("show 1 -F json");
	log = json_object_get(root, "log");
	assert_int_equal(json_array_size(log), 4);
	assert_string_equal(json_string_value(json_array_get(log, 3)), "judged");
	json_decref(root);
	ends(0, "sql 'select nr, text from v_log where run = 2' -F csv");
	assert_true(cli_has(cli->out, "1,loaded\n"));
	root = json("export 2 -F json");
	assert_int_equal(json_array_size(json_object_get(root, "log")), 4);
	json_decref(root);
	cli_write("fails.lua", "return scenario { name = 'fails', run = function(lab)\n"
			       "  print('before') error('it') end }\n");
	ends(3, "run fails.lua");
	ends(0, "show 3");
	assert_true(cli_has(cli->out, "\nprinted\nbefore\n"));
}

/* A scenario's own figure must not stand where every run has another of that name. */
static void the_names_of_every_runs_figures_are_taken(void **state)
{
	json_t *root = json("run small.lua -k v6.18 -F json");
	json_t *metrics =
		json_object_get(json_array_get(json_object_get(root, "runs"), 0), "metrics");
	const char *name;
	json_t *value;

	(void)state;
	assert_true(json_object_size(metrics) > 30);
	json_object_foreach(metrics, name, value) {
		char text[512];

		snprintf(text, sizeof(text),
			 "return scenario { name = 'x', run = function() end,\n"
			 "  metrics = { %s = metric { from = function() return 1 end } } }\n",
			 name);
		cli_write("x.lua", text);
		ends(1, "scenario check x.lua");
		assert_true(cli_has(cli->out, "every run has a figure of this name"));
	}
	json_decref(root);
}

static void seeds_repeat_upwards_and_the_same_one_is_noted(void **state)
{
	json_t *root = json("run small.lua -k batched --repeat 3 -F json");
	const json_t *runs = json_object_get(root, "runs");

	(void)state;
	assert_int_equal(json_array_size(runs), 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(
			json_integer_value(json_object_get(json_array_get(runs, i), "seed")),
			7 + (int)i);
	json_decref(root);
	ends(0, "run small.lua -k batched --repeat 2");
	assert_true(cli_has(cli->out, "seeds 7 to 8"));
	ends(0, "run small.lua -k batched");
	assert_true(cli_has(cli->err, "identical by design, use --repeat for spread"));
	ends(0, "run small.lua -k batched --seed 77");
	assert_string_equal(cli->err, "");
}

static void failed_expectations_are_the_status_only_if_asked(void **state)
{
	(void)state;
	ends(0, "run small.lua -p limit=1M");
	assert_true(cli_has(cli->out, "FAIL"));
	assert_true(cli_has(cli->out, "2 of 4 expectations failed (the status says so only "
				      "with --expect)"));
	refuses(1, "2 of 4 expectations failed", "run small.lua -p limit=1M --seed 8 --expect");
	ends(0, "run small.lua --expect");
}

static void nothing_is_stored_if_so_asked(void **state)
{
	json_t *root = json("run small.lua --no-db -F json"), *list;

	(void)state;
	assert_int_equal(json_integer_value(json_object_get(
				 json_array_get(json_object_get(root, "runs"), 0), "id")),
			 0);
	assert_int_not_equal(access("runs.db", F_OK), 0);
	json_decref(root);
	list = json("runs -F json");
	assert_int_equal(json_array_size(json_object_get(list, "runs")), 0);
	json_decref(list);
}

static void bad_values_are_refused_before_anything_runs(void **state)
{
	(void)state;
	refuses(2, "limit: \"100Q\" is not a size", "run small.lua -p limit=100Q");
	refuses(2, "limit", "run small.lua -p limti=100M");
	refuses(2, "v2.6.9", "run small.lua -k v2.6.99");
	refuses(2, "scan_batch", "run small.lua -k v2.6.31+scan_btach=reclaim_stat");
	refuses(2, "cat-in-100m", "run cat-in-10m");
	refuses(2, "No such file", "run ./nothing.lua");
	refuses(2, "--repeat", "run small.lua --repeat 0");
	assert_int_not_equal(access("runs.db", F_OK), 0);
}

static void an_error_of_the_scenario_has_its_place_and_is_stored(void **state)
{
	(void)state;
	cli_write("bad.lua", "return scenario { name = \"bad\",\n"
			     "  run = function(lab) error(\"as planned\") end }\n");
	refuses(3, "bad.lua:2: as planned", "run bad.lua");
	ends(0, "show latest");
	assert_true(cli_has(cli->out, "failed"));
	assert_true(cli_has(cli->out, "as planned"));
}

/* ---- ending a run ---- */

static void the_time_limit_ends_what_lua_does_not_interrupt(void **state)
{
	(void)state;
	cli_write("hangs.lua", hangs);
	refuses(6, "time limit of 300ms reached", "run hangs.lua --time-limit 300ms");
	ends(0, "show latest");
	assert_true(cli_has(cli->out, "failed"));
	assert_true(cli_has(cli->out, "time limit of 300ms"));
}

/* Starts @line, waits for its row, sends @signal and waits for its end. */
static void stop_when_running(const char *line, const char *signal_name)
{
	char script[1024];

	snprintf(script, sizeof(script),
		 "\"$M\" %s & p=$!; n=0; while [ $n -lt 200 ]; do "
		 "\"$M\" sql \"select state from v_runs\" -F csv 2>/dev/null | "
		 "grep -q running && break; "
		 "sleep 0.05; n=$((n+1)); done; kill -%s $p; wait $p",
		 line, signal_name);
	cli_shell(cli, script);
}

static void an_interrupt_stores_the_run_as_interrupted(void **state)
{
	(void)state;
	stop_when_running("run small.lua -k batched -p file=1T", "TERM");
	assert_int_equal(cli->status, 130);
	assert_string_equal(cli->err, "memcglab: interrupted\n");
	ends(0, "runs -F csv");
	assert_true(cli_has(cli->out, ",interrupted,"));
	ends(0, "screen latest --ascii"); /* its steps so far can be looked at */
}

static void a_killed_command_leaves_no_running_process(void **state)
{
	(void)state;
	stop_when_running("run small.lua -k batched -p file=1T", "KILL");
	/* The command works in a child, which ends a moment after it. */
	for (int tries = 0; tries < 100; tries++) {
		ends(0, "runs -F csv");
		if (strstr(cli->out, ",abandoned,") != NULL)
			break;
	}
	assert_true(cli_has(cli->out, ",abandoned,"));
}

/* ---- output ---- */

static void every_format_writes_the_list_of_runs(void **state)
{
	char line[64];

	(void)state;
	ends(0, "run small.lua -k batched");
	for (size_t i = 0; output_format_name(i) != NULL; i++) {
		snprintf(line, sizeof(line), "runs -F %s", output_format_name(i));
		ends(0, line);
		assert_true(cli_has(cli->out, "v2.6.31+scan_batch=reclaim_stat"));
		snprintf(line, sizeof(line), "show 1 -F %s", output_format_name(i));
		ends(0, line);
		assert_true(cli_has(cli->out, "v2.6.31+scan_batch=reclaim_stat"));
	}
	refuses(2, "did you mean jsonl", "runs -F jsnl");
}

static void output_that_cannot_be_written_has_a_status_of_its_own(void **state)
{
	(void)state;
	refuses(7, "No such file or directory", "pagecg -o /nonexistent/file");
	refuses(7, "No space left", "pagecg -o /dev/full");
	cli_shell(cli, "\"$M\" pagecg >/dev/full");
	assert_int_equal(cli->status, 7);
}

static void a_failed_command_keeps_the_old_file(void **state)
{
	char text[8] = "";
	FILE *file;

	(void)state;
	cli_write("keep.txt", "old");
	refuses(2, "no run 99", "export 99 -o keep.txt");
	file = fopen("keep.txt", "r");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	assert_string_equal(text, "old");
	refuses(2, "no run 99", "export 99 -o new.txt");
	assert_int_not_equal(access("new.txt", F_OK), 0);
}

static void a_closed_pipe_ends_silently(void **state)
{
	(void)state;
	ends(0, "run small.lua -k unbatched -p file=512M");
	cli_shell(cli, "{ \"$M\" export 1 --as scan-log; echo \"status $?\" >&2; } | head -n 1");
	assert_int_equal(cli_lines(cli->out), 1);
	assert_string_equal(cli->err, "status 141\n");
	cli_shell(cli, "{ sleep 1; \"$M\" kernel show v3.1; echo \"status $?\" >&2; } | :");
	assert_string_equal(cli->err, "status 141\n");
}

/* ---- exports and screens ---- */

static void the_scan_log_equals_the_view_of_shrink_calls(void **state)
{
	char *log;

	(void)state;
	ends(0, "run small.lua -k batched");
	ends(0, "export latest --as scan-log");
	log = strdup(cli->out);
	ends(0, "sql 'select printf(\"shrink inactive %s count=%d scan=%d\", substr(list, 10), "
		"size, nr_to_scan) as line from v_scan order by call' -F tsv");
	for (const char *p = log; *p != '\0'; p = strchr(p, '\n') + 1) {
		char line[128];

		snprintf(line, sizeof(line), "%.*s\n", (int)strcspn(strchr(p, ']') + 2, "\n"),
			 strchr(p, ']') + 2);
		assert_true(cli_has(cli->out, line));
	}
	assert_int_equal(cli_lines(log) + 1, cli_lines(cli->out));
	free(log);
	ends(0, "export latest -F json");
	assert_true(cli_has(cli->out, "\"scan\""));
}

static void the_boot_log_is_the_kernels_own_line(void **state)
{
	(void)state;
	ends(0, "run small.lua -k v3.1,v3.3");
	ends(0, "export 1 --as boot-log");
	assert_string_equal(cli->out, "[    0.000000] allocated 8388608 bytes of page_cgroup\n");
	ends(0, "export 2 --as boot-log");
	assert_string_equal(cli->out, "[    0.000000] allocated 4194304 bytes of page_cgroup\n");
	refuses(2, "is not one of scan-log|boot-log|lock_stat|memory.stat", "export 1 --as dmesg");
}

/* Version 0.3 to v3.16, averages later; a run without locks is told so, not shown as no wait. */
static void lock_stat_is_the_kernels_own_table(void **state)
{
	(void)state;
	ends(0, "run charge-storm -k v2.6.31,v3.17 -p cpus=2 -p pages=128");
	ends(0, "export 1 --as lock_stat");
	assert_true(cli_has(cli->out, "lock_stat version 0.3\n-----"));
	assert_true(cli_has(cli->out, "\n                          &counter->lock: "));
	ends(0, "export 2 --as lock_stat");
	assert_true(cli_has(cli->out, "lock_stat version 0.4\n-----"));
	assert_true(cli_has(cli->out, " holdtime-total   holdtime-avg\n"));
	ends(0, "show 1");
	assert_true(cli_has(cli->out, "\nlocks\nclass           contentions  con-bounces "));
	ends(0, "show 1 -F json");
	assert_true(cli_has(cli->out, "\"locks\":[{\"class\":\"&counter->lock\","));
	ends(0, "run small.lua -k v3.3");
	refuses(2, "run 3 models no locks", "export 3 --as lock_stat");
}

/* Of the root unless a group is named, at the end unless a step is; names by kernel. */
static void memory_stat_is_the_kernels_own_file(void **state)
{
	(void)state;
	ends(0, "run small.lua -k v3.5+stat=dirty");
	ends(0, "run small.lua -k v6.18");
	ends(0, "export 1 --as memory.stat");
	assert_true(cli_has(cli->out, "cache 0\nrss 0\nmapped_file 0\ndirty 0\nwriteback 0\n"));
	assert_true(cli_has(cli->out, "\nhierarchical_memory_limit 9223372036854775807\n"));
	assert_true(cli_has(cli->out, "\npgfault 0\npgmajfault 0\n"));
	ends(0, "export 1 --as memory.stat --group g");
	assert_false(cli_has(cli->out, "cache 0\n"));
	ends(0, "export 1 --as memory.stat --group g --at 2");
	assert_true(cli_has(cli->out, "cache 0\n"));
	ends(0, "export 2 --as memory.stat --group g");
	assert_true(cli_has(cli->out, "\nfile_dirty 0\nfile_writeback 0\n"));
	refuses(2, "\"nosuch\" is no group of run 1", "export 1 --as memory.stat --group nosuch");
	refuses(2, "--at 99999999: run 1 has ", "export 1 --as memory.stat --at 99999999");
	refuses(2, "go with --as memory.stat", "export 1 --as lock_stat --group g");
	refuses(2, "go with --as memory.stat", "export 1 --at 7");
	ends(0, "kernel show v6.18");
	assert_true(cli_has(cli->out, "memory.stat (in brackets: not modelled)\n  anon file "));
	assert_true(cli_has(cli->out, "\n  sock              there is no network\n"));
}

static void a_screen_has_its_size_and_the_same_bytes_each_time(void **state)
{
	static const char *const views[] = { "lru", "scan", "pagecg", "runs" };
	char line[128], *first;

	(void)state;
	ends(0, "run small.lua");
	for (size_t i = 0; i < 4; i++) {
		snprintf(line, sizeof(line), "screen 1 --view %s --size 100x30 --at 200 --ascii",
			 views[i]);
		ends(0, line);
		assert_int_equal(cli_lines(cli->out), 30);
		assert_in_range(cli_width(cli->out), 1, 100);
		first = strdup(cli->out);
		ends(0, line);
		assert_string_equal(cli->out, first);
		free(first);
	}
	ends(0, "screen 2 -o x.svg");
	cli_shell(cli, "head -c 5 x.svg");
	assert_true(cli_has(cli->out, "<"));
}

static void a_screen_that_cannot_be_is_refused(void **state)
{
	(void)state;
	ends(0, "run small.lua -k batched");
	refuses(2, "--size", "screen 1 --size 80");
	refuses(2, "--size", "screen 1 --size 0x24");
	refuses(2, "--size", "screen 1 --size 999999999999x24");
	refuses(2, "did you mean lru", "screen 1 --view lr");
	refuses(2, "ends in none of .txt .ansi .svg", "screen 1 -o x.foo");
	refuses(2, "has 259 steps", "screen 1 --at 100000");
	refuses(2, "no run 7", "screen 7");
}

/* ---- scenarios, kernels, page_cgroup ---- */

/* The parent of two groups meets its limit, but its pages are theirs. */
static void a_screen_shows_the_same_group_on_both_sides(void **state)
{
	(void)state;
	ends(0, "run two-siblings");
	ends(0, "screen 1 --view lru --ascii");
	assert_true(cli_has(cli->out, "+ A vanilla  jobs/small"));
	assert_true(cli_has(cli->out, "+ B v3.3  jobs/small"));
	ends(0, "screen 1 --view scan --ascii --group jobs/big");
	assert_true(cli_has(cli->out, "+ A vanilla  jobs/big"));
	assert_true(cli_has(cli->out, "+ B v3.3  jobs/big"));
	assert_null(strstr(cli->out, "matches the filter"));
	refuses(2, "--group: no group \"jobs/bg\": did you mean jobs/big?",
		"screen 1 --group jobs/bg");
	ends(0, "run charge-limits -k v2.6.31,v3.3");
	ends(0, "screen latest --view lru --ascii");
	assert_true(cli_has(cli->out, "+ A unbatched  jobs/a"));
	assert_true(cli_has(cli->out, "+ B v3.3  jobs/a"));
}

static void a_new_scenario_runs_and_is_never_written_over(void **state)
{
	(void)state;
	ends(0, "scenario new mine");
	ends(0, "scenario check mine.lua");
	ends(0, "run mine --expect");
	refuses(2, "File exists", "scenario new mine");
	refuses(2, "usage", "scenario new Mine/x");
}

static void check_lists_problems_with_their_place(void **state)
{
	(void)state;
	cli_write("syntax.lua", "return scenario {\n  name = \"x\" run = 1 }\n");
	cli_write("setup.lua", "return scenario { name = \"y\", run = function() end,\n"
			       "  setup = function(lab) lab.machine { ram = \"4Q\" } end }\n");
	cli_write("empty.lua", "");
	refuses(1, "3 of 4 scenarios", "scenario check syntax.lua setup.lua empty.lua small.lua");
	assert_true(cli_has(cli->out, "syntax.lua:2: "));
	assert_true(cli_has(cli->out, "setup.lua:2: "));
	assert_true(cli_has(cli->out, "empty.lua:1: "));
	assert_null(strstr(cli->out, "small.lua"));
	refuses(2, "No such file", "scenario check missing.lua");
}

static void show_prints_each_parameter_from_its_declaration(void **state)
{
	(void)state;
	ends(0, "scenario show small.lua");
	assert_true(cli_has(cli->out, "A small one"));
	assert_true(cli_has(cli->out, "unbatched, batched"));
	assert_true(cli_has(cli->out, "limit  size  10M      1M"));
}

static void the_shipped_scenarios_are_listed_with_a_title(void **state)
{
	json_t *root = json("scenario list -F json");
	const json_t *list = json_object_get(root, "scenarios");

	(void)state;
	assert_in_range(json_array_size(list), 6, 100);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *title = text_at(json_array_get(list, i), "title");

		assert_int_not_equal(title[0], '\0');
		assert_null(strstr(title, "does not load"));
	}
	json_decref(root);
}

/* The row of a kernel in what pagecg says; borrowed from @root. */
static json_t *pagecg_row(json_t *root, const char *kernel)
{
	json_t *rows = json_object_get(root, "rows"), *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		if (strcmp(json_string_value(json_object_get(row, "kernel")), kernel) == 0)
			return row;
	}
	fail_msg("no row of %s", kernel);
	return NULL;
}

static long long pagecg_number(json_t *root, const char *kernel, const char *name)
{
	return json_integer_value(json_object_get(pagecg_row(root, kernel), name));
}

/* The parts of accounting.md 4 for 4 GiB, 64 CPUs and 1 GiB of swap. */
static void pagecg_knows_every_byte(void **state)
{
	json_t *root = json("pagecg --machine 4G --cpus 64 --swap 1G -F json");

	(void)state;
	assert_int_equal(pagecg_number(root, "v2.6.25", "page_bytes"), 64);
	assert_int_equal(pagecg_number(root, "v2.6.25", "total_bytes"), 72 << 20);
	assert_int_equal(pagecg_number(root, "v2.6.25", "swap_bytes"), 0);
	assert_int_equal(pagecg_number(root, "v2.6.25+memcg=off", "page_bytes"), 56);
	assert_int_equal(pagecg_number(root, "v2.6.25+memcg=off", "total_bytes"), 0);
	assert_int_equal(pagecg_number(root, "v2.6.25+owner=radix", "chunks_bytes"), 50397184);
	assert_int_equal(pagecg_number(root, "v2.6.25+owner=radix", "nodes_bytes"), 72312);
	assert_int_equal(pagecg_number(root, "v2.6.25+owner=radix", "lookaside_bytes"), 16384);
	assert_int_equal(pagecg_number(root, "v2.6.31", "swap_bytes"), 129 * 4096 + 129 * 8);
	assert_int_equal(pagecg_number(root, "v6.18", "word_bytes"), 8 << 20);
	assert_int_equal(pagecg_number(root, "v6.18", "swap_bytes"), 129 * 4096 + 129 * 8);
	json_decref(root);
}

static void page_cgroup_sizes_follow_the_map(void **state)
{
	json_t *root = json("pagecg -F json");

	(void)state;
	assert_int_equal(json_integer_value(json_object_get(root, "sections")), 30);
	assert_int_equal(json_integer_value(json_object_get(root, "entries")), 983040);
	json_decref(root);
	root = json("pagecg --machine 1G -F json");
	assert_int_equal(json_integer_value(json_object_get(root, "sections")), 8);
	json_decref(root);
	root = json("pagecg --arch x86 --flat --ranges 0-512M,1G-1.25G -F json");
	assert_int_equal(json_integer_value(json_object_get(root, "entries")), 327680);
	json_decref(root);
	refuses(2, "--cpus: 1 to 4096", "pagecg --cpus 0");
	refuses(2, "give one", "pagecg --machine 1G --ranges 0-1G");
	refuses(2, "--page", "pagecg --page 3K");
	refuses(2, "--sections", "pagecg --sections 0");
	refuses(2, "not one of x86-64", "pagecg --arch arm");
	refuses(2, "overlaps", "pagecg --ranges 0-2G,1G-3G");
}

static void a_kernel_shows_axes_constants_and_rules(void **state)
{
	json_t *root = json("kernel show perlru -F json");

	(void)state;
	assert_string_equal(text_at(root, "kernel"), "v3.1+lru=per_memcg");
	assert_string_equal(text_at(json_object_get(root, "axes"), "lru"), "per_memcg");
	json_decref(root);
	ends(0, "kernel show v3.1");
	assert_true(cli_has(cli->out, "  * double"));
	assert_true(cli_has(cli->out, "swap_cluster_max"));
	assert_true(cli_has(cli->out, "mm/vmscan.c"));
	ends(0, "kernel list");
	assert_true(cli_has(cli->out, "v6.18-v1"));
	refuses(2, "v3.3", "kernel show v3.33");
}

/* ---- the store ---- */

static void sql_reads_and_never_writes(void **state)
{
	(void)state;
	ends(0, "run small.lua -k batched");
	ends(0, "sql 'select run, state from v_runs' -F csv");
	assert_string_equal(cli->out, "run,state\n1,done\n");
	refuses(2, "sql", "sql 'selec 1'");
	ends(2, "sql 'create table t (a)'");
	ends(2, "sql 'pragma user_version = 7'");
	ends(0, "runs");
}

static void a_store_that_is_none_is_a_database_error(void **state)
{
	(void)state;
	cli_write("junk.db", "this is no database, however long it may be made to look ......");
	refuses(4, "junk.db", "--db junk.db runs");
	refuses(4, "junk.db", "--db junk.db run small.lua");
	refuses(4, "nowhere", "--db nowhere/x.db runs");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, folder_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_a_command_usage_goes_to_standard_error),
		TEST(an_unknown_command_names_the_nearest_two),
		TEST(a_command_of_a_later_version_is_refused_as_such),
		TEST(every_help_fits_a_terminal_and_ends_with_two_examples),
		TEST(short_and_long_help_and_the_topic_are_the_same),
		TEST(help_time_names_every_constant),
		TEST(the_examples_of_every_help_run),
		TEST(help_keys_lists_the_table_of_actions),
		TEST(help_knows_metrics_and_where_they_are),
		TEST(apropos_looks_everywhere),
		TEST(a_word_too_many_or_too_few_shows_the_usage),
		TEST(a_run_shows_both_kernels_side_by_side),
		TEST(run_as_json_has_the_documented_fields),
		TEST(every_run_ends_in_a_verdict_and_says_who_took_pages),
		TEST(a_run_that_fails_has_its_verdict_too),
		TEST(show_gives_one_element_of_what_run_gave),
		TEST(a_figure_without_a_value_is_a_dash_and_null),
		TEST(the_second_run_of_a_pair_is_shown_as_b),
		TEST(no_tag_is_null_everywhere),
		TEST(what_a_scenario_prints_is_kept_with_its_run),
		TEST(the_names_of_every_runs_figures_are_taken),
		TEST(seeds_repeat_upwards_and_the_same_one_is_noted),
		TEST(failed_expectations_are_the_status_only_if_asked),
		TEST(nothing_is_stored_if_so_asked),
		TEST(bad_values_are_refused_before_anything_runs),
		TEST(an_error_of_the_scenario_has_its_place_and_is_stored),
		TEST(the_time_limit_ends_what_lua_does_not_interrupt),
		TEST(an_interrupt_stores_the_run_as_interrupted),
		TEST(a_killed_command_leaves_no_running_process),
		TEST(every_format_writes_the_list_of_runs),
		TEST(output_that_cannot_be_written_has_a_status_of_its_own),
		TEST(a_failed_command_keeps_the_old_file),
		TEST(a_closed_pipe_ends_silently),
		TEST(the_scan_log_equals_the_view_of_shrink_calls),
		TEST(the_boot_log_is_the_kernels_own_line),
		TEST(lock_stat_is_the_kernels_own_table),
		TEST(memory_stat_is_the_kernels_own_file),
		TEST(a_screen_has_its_size_and_the_same_bytes_each_time),
		TEST(a_screen_that_cannot_be_is_refused),
		TEST(a_screen_shows_the_same_group_on_both_sides),
		TEST(a_new_scenario_runs_and_is_never_written_over),
		TEST(check_lists_problems_with_their_place),
		TEST(show_prints_each_parameter_from_its_declaration),
		TEST(the_shipped_scenarios_are_listed_with_a_title),
		TEST(pagecg_knows_every_byte),
		TEST(page_cgroup_sizes_follow_the_map),
		TEST(a_kernel_shows_axes_constants_and_rules),
		TEST(sql_reads_and_never_writes),
		TEST(a_store_that_is_none_is_a_database_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
