/*
 * memcglab plot as a user meets it: what each kind shows, that every plot
 * says its unit, range and what a point stands for, that the same input
 * gives the same bytes, and what is refused.
 *
 * The runs are small: a file of 8 MiB through limits of 2 to 4 MiB.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli.h"

static struct cli *cli;
static struct cli_folder folder;
static char kept[CLI_TEXT_MAX];

static const char looper[] =
	"return scenario {\n"
	"  name = \"looper\", kernels = { \"unbatched\", \"batched\" },\n"
	"  params = { limit = param.size { \"2M\" }, warmup = param.steps { 300 },\n"
	"             seed = param.seed { 7 } },\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"1G\", cpus = 1 }\n"
	"    local g = lab.group(\"g\", { limit = p.limit })\n"
	"    return { t = lab.task(\"t\", { group = g }),\n"
	"             f = lab.file(\"f\", { size = \"8M\" }) }\n"
	"  end,\n"
	"  run = function(lab, p, w)\n"
	"    w.t:read(w.f, { bytes = \"8M\", chunk = \"16K\" })\n"
	"    lab.mark(\"half\", 5)\n"
	"    w.t:read(w.f, { bytes = \"8M\", chunk = \"16K\" })\n"
	"  end,\n"
	"  metrics = { nothing = metric { unit = \"x\", from = function(r) return nil end } },\n"
	"}\n";

/* Runs 1 and 2: A and B; 3 to 8: limits 2M to 4M in turn, A and B of each. */
static int folder_make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "plot");
	if (cli == NULL)
		return -1;
	cli_write("looper.lua", looper);
	cli_run(cli, "run looper.lua");
	if (cli->status != 0)
		fail_msg("%.500s", cli->err);
	cli_run(cli, "run looper.lua -p limit=3M --repeat 2");
	cli_run(cli, "run looper.lua -p limit=4M");
	return cli->status;
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

static void refuses(const char *words, const char *line)
{
	ends(2, line);
	assert_true(cli_has(cli->err, words));
}

/* Does the program that draws exist here? */
static bool has_gnuplot(void)
{
	cli_shell(cli, "command -v gnuplot");
	return cli->status == 0;
}

static void every_kind_says_unit_minimum_maximum_and_what_one_point_is(void **state)
{
	static const char *const lines[] = {
		"plot 1 2",
		"plot 1 2 --metric nr_to_scan",
		"plot 1 2 --metric nr_to_scan --kind histogram",
		"plot 1 2 --kind strip",
		"plot 1..8 --metric nr_scanned --kind sweep",
		"plot 1..8 --kind mrc",
		"plot 1 --metric half",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		ends(0, lines[i]);
		assert_true(cli_has(cli->out, "looper"));
		assert_true(cli_has(cli->out, ": min "));
		assert_true(cli_has(cli->out, ", max "));
		assert_true(cli_has(cli->out, "\none "));
		assert_in_range(cli_width(cli->out), 40, 80);
	}
	ends(0, "plot 1 2");
	assert_true(cli_has(cli->out, "usage [pages]: min "));
	assert_true(cli_has(cli->out, "model time [s]"));
}

static void two_runs_differ_in_marker_also_without_colour(void **state)
{
	(void)state;
	ends(0, "plot 1 2 --ascii");
	assert_true(cli_has(cli->out, "\n  o  A  run 1  v2.6.31 (unbatched)\n"));
	assert_true(cli_has(cli->out, "\n  x  B  run 2  "));
	assert_true(cli_has(cli->out, "\n  #  several of them\n"));
	ends(0, "plot 1 2 -o look.gp");
	cli_shell(cli, "grep -o 'pointtype [0-9]*' look.gp | sort -u | wc -l");
	assert_int_equal(atoi(cli->out), 2);
}

/* The numbers drawn are those that SQL gives. */
static void the_data_can_be_written_out_and_equal_a_query(void **state)
{
	(void)state;
	ends(0, "plot 1 --metric usage -F csv");
	snprintf(kept, sizeof(kept), "%s", strstr(cli->out, "\n"));
	cli_shell(cli,
		  "$M sql \"select 'A  run 1  v2.6.31 (unbatched)' as series, t_ns / 1e9 as x, "
		  "value as y, value as low, value as high from v_series where "
		  "run = 1 and memcg = 'g' and name = 'usage' order by t_ns\" -F csv");
	assert_true(cli_lines(cli->out) > 1);
	assert_string_equal(kept, strstr(cli->out, "\n"));
}

static void a_sweep_is_a_mean_over_seeds_by_the_parameter_that_differs(void **state)
{
	(void)state;
	ends(0, "plot 1..8 --metric nr_scanned --kind sweep");
	assert_true(cli_has(cli->out, "looper: nr_scanned by limit"));
	assert_true(cli_has(cli->out, "mean of up to 2 seeds, its bar the 95 % interval"));
	ends(0, "plot 1..8 --metric nr_scanned --kind sweep -F csv");
	assert_int_equal(cli_lines(cli->out), 1 + 3 * 2);
	assert_true(cli_has(cli->out, "2097152,"));
	assert_true(cli_has(cli->out, "3145728,"));
	assert_true(cli_has(cli->out, "4194304,"));
	snprintf(kept, sizeof(kept), "%s", cli->out);
	ends(0, "plot 1 --metric nr_scanned --by limit -F csv");
	assert_string_equal(cli->out, kept);
}

/* Three figures by hand: 2,048 pages read twice in order through less: no page is found again. */
static void misses_by_limit_are_computed_from_accesses_and_hits(void **state)
{
	(void)state;
	ends(0, "plot 1 --kind mrc -F csv");
	assert_true(cli_has(cli->out, "2097152,1,1,1"));
	cli_shell(cli, "$M sql \"select distinct (a.value - h.value) * 1.0 / a.value as ratio from "
		       "v_metrics a join v_metrics h on a.run = h.run where a.name = 'nr_accesses' "
		       "and h.name = 'nr_hits'\" -F csv");
	assert_string_equal(cli->out, "ratio\n1.0\n");
}

static void warm_up_that_is_declared_is_shaded(void **state)
{
	(void)state;
	ends(0, "plot 1 --ascii");
	assert_true(cli_has(cli->out, "shaded: declared warm-up, to "));
	assert_true(cli_has(cli->out, ":::"));
	ends(0, "plot 1 -o warm.gp");
	cli_shell(cli, "grep 'set object 1 rectangle' warm.gp");
	assert_int_equal(cli->status, 0);
	ends(0, "run looper.lua -p warmup=0 -k unbatched");
	ends(0, "plot latest --ascii");
	assert_null(strstr(cli->out, "warm-up"));
	ends(3, "run looper.lua -p warmup=999999 --no-db");
	assert_true(cli_has(cli->err, "within its warm-up of 999999"));
	cli_write("warm.lua",
		  "return scenario { name = \"warm\", params = { warmup = param.int { 3 } },\n"
		  "  run = function() end }\n");
	ends(3, "run warm.lua --no-db");
	assert_true(cli_has(cli->err, "warmup = param.steps { 1000 }"));
}

static void what_cannot_be_answered_is_refused_with_the_reason(void **state)
{
	(void)state;
	refuses("run 1 (looper) models no locks", "plot 1 2 --kind locks");
	refuses("keeps no \"speed\" over time", "plot 1 --metric speed");
	refuses("is a word, not a number", "plot 1 2 --metric verdict --kind histogram");
	refuses("has no value in run 1", "plot 1 2 --metric nothing --kind histogram");
	refuses("one figure a run, not a course", "plot 1 --metric steps");
	refuses("no kind of plot \"pie\"", "plot 1 --kind pie");
	refuses("no samples of group \"nobody\"", "plot 1 --group nobody");
	refuses("ends in none of .svg .png .txt", "plot 1 -o x.pdf");
	refuses("do not differ in any parameter", "plot 1 2 --metric steps");
	refuses("did you mean", "plot 1 --kind serie");
}

static void the_same_runs_give_the_same_bytes(void **state)
{
	(void)state;
	if (!has_gnuplot())
		skip();
	ends(0, "plot 1 2 -o one.svg");
	ends(0, "plot 1 2 -o two.svg");
	cli_shell(cli, "cmp one.svg two.svg && grep -c '<text>' one.svg");
	assert_int_equal(cli->status, 0);
	assert_in_range(atoi(cli->out), 10, 100);
	cli_shell(cli, "grep '<title>looper: usage of g</title>' one.svg");
	assert_int_equal(cli->status, 0);
	cli_shell(cli, "$M plot 1 2 --kind strip -o s.png && head -c 8 s.png | od -An -c");
	assert_int_equal(cli->status, 0);
	assert_true(cli_has(cli->out, "P   N   G"));
}

/* An empty PATH is a machine without gnuplot. */
static void without_gnuplot_it_draws_text_and_says_what_to_install(void **state)
{
	(void)state;
	cli_shell(cli, "PATH=/nonexistent $M plot 1 2 -o none.svg");
	assert_int_equal(cli->status, 0);
	assert_true(
		cli_has(cli->err, "gnuplot is not installed (Debian: apt install gnuplot-nox)"));
	cli_shell(cli, "grep -c '<text' none.svg");
	assert_in_range(atoi(cli->out), 5, 100);
	cli_shell(cli, "PATH=/nonexistent $M plot 1 2 -o none.png");
	assert_int_equal(cli->status, 7);
	assert_true(cli_has(cli->out, "usage [pages]: min "));
	assert_true(cli_has(cli->err, "apt install gnuplot-nox"));
	cli_shell(cli, "ls none.png");
	assert_int_not_equal(cli->status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_says_unit_minimum_maximum_and_what_one_point_is),
		cmocka_unit_test(two_runs_differ_in_marker_also_without_colour),
		cmocka_unit_test(the_data_can_be_written_out_and_equal_a_query),
		cmocka_unit_test(a_sweep_is_a_mean_over_seeds_by_the_parameter_that_differs),
		cmocka_unit_test(misses_by_limit_are_computed_from_accesses_and_hits),
		cmocka_unit_test(what_cannot_be_answered_is_refused_with_the_reason),
		cmocka_unit_test(the_same_runs_give_the_same_bytes),
		cmocka_unit_test(without_gnuplot_it_draws_text_and_says_what_to_install),
		cmocka_unit_test(warm_up_that_is_declared_is_shaded),
	};

	return cmocka_run_group_tests_name("plot", tests, folder_make, folder_remove);
}
