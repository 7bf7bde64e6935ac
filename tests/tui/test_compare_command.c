/*
 * memcglab compare as a user meets it: what it shows and hides, its verdicts
 * over seeds, its statuses and formats, and the same figures in SQL.
 *
 * The runs are made once, in a folder of their own: 1 to 20 are cat-in-100m
 * on two kernels with ten seeds, 21 to 50 a scenario whose figures its seed
 * decides, with three values of one parameter, 51 to 53 with a fourth.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "cli.h"

static struct cli *cli;
static struct cli_folder folder;

/* A file of some pages, its seed says how many. */
static const char noise[] =
	"return scenario {\n"
	"  name = \"noise\", kernels = { \"unbatched\" },\n"
	"  params = { more = param.int { 0, min = 0, max = 1000 }, seed = param.seed { 1 } },\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"1G\", cpus = 1 }\n"
	"    local g = lab.group(\"g\")\n"
	"    return { t = lab.task(\"t\", { group = g }),\n"
	"             f = lab.file(\"f\", { size = \"64M\" }) }\n"
	"  end,\n"
	"  run = function(lab, p, w)\n"
	"    w.t:read(w.f, { bytes = 4096 * (100 + p.more + lab.rng:int(0, 9)), chunk = \"4K\" })\n"
	"  end,\n"
	"  metrics = {\n"
	"    got = metric { unit = \"pages\", from = function(r) return r.total.nr_charged end },\n"
	"  },\n"
	"}\n";

static void ends(int status, const char *line)
{
	cli_ends(cli, status, line);
}

static int runs_make(void **state)
{
	(void)state;
	cli = cli_open(&folder, "compare");
	if (cli == NULL)
		return -1;
	cli_write("noise.lua", noise);
	ends(0, "run cat-in-100m -k unbatched,batched -p file=512M --repeat 10 --quiet");
	ends(0, "run noise.lua --repeat 10 --quiet");
	ends(0, "run noise.lua -p more=2 --repeat 10 --quiet");
	ends(0, "run noise.lua -p more=200 --repeat 10 --quiet");
	ends(0, "run noise.lua -p more=300 --repeat 3 --quiet");
	return 0;
}

static int runs_remove(void **state)
{
	(void)state;
	return cli_close(cli, &folder);
}

static void says(const char *part)
{
	assert_true(cli_has(cli->out, part));
}

static json_t *json(void)
{
	json_error_t error;
	json_t *root = json_loads(cli->out, 0, &error);

	if (root == NULL)
		fail_msg("%s: %s", error.text, cli->out);
	return root;
}

/* The object of a metric; NULL if it is hidden. */
static json_t *metric(const json_t *root, const char *name)
{
	json_t *metrics = json_object_get(root, "metrics"), *row;
	size_t i;

	json_array_foreach(metrics, i, row)
	{
		if (strcmp(json_string_value(json_object_get(row, "metric")), name) == 0)
			return row;
	}
	return NULL;
}

static const char *word(const json_t *row, const char *member)
{
	const char *text = json_string_value(json_object_get(row, member));

	return text != NULL ? text : "-";
}

static double number(const json_t *row, const char *member)
{
	return json_number_value(json_object_get(row, member));
}

static void ten_seeds_of_two_kernels_are_exact(void **state)
{
	json_t *root, *row;
	size_t i;

	(void)state;
	ends(0, "compare 1 2 --all -F json");
	root = json();
	assert_int_equal(json_array_size(json_object_get(json_object_get(root, "a"), "seeds")), 10);
	json_array_foreach(json_object_get(root, "metrics"), i, row)
	{
		if (strcmp(word(row, "metric"), "wall") == 0)
			assert_string_equal(word(row, "verdict"), "host time");
		else if (!json_is_true(json_object_get(row, "exact")))
			fail_msg("%s is not exact", word(row, "metric"));
		assert_true(json_is_null(json_object_get(row, "p")));
	}
	row = metric(root, "over_scan");
	assert_string_equal(word(row, "verdict"), "B lower");
	assert_true(fabs(number(row, "a_mean") - 32 / 6.0) < 1e-9);
	assert_true(fabs(number(row, "b_mean") - 64 / 42.0) < 1e-9);
	assert_true(fabs(number(row, "diff") - (64 / 42.0 - 32 / 6.0)) < 1e-9);
	assert_int_equal(number(root, "tests"), 0);
	json_decref(root);
}

static void only_differences_are_shown_and_the_hidden_are_counted(void **state)
{
	char hidden[64];
	json_t *root;

	(void)state;
	ends(0, "compare 1 2 --diff-only -F json");
	root = json();
	assert_null(metric(root, "nr_charged"));
	assert_non_null(metric(root, "over_scan"));
	assert_int_equal(json_array_size(json_object_get(root, "parameters")), 1);
	snprintf(hidden, sizeof(hidden), "%d equal metrics and %d equal parameters are hidden",
		 (int)number(json_object_get(root, "hidden"), "metrics"),
		 (int)number(json_object_get(root, "hidden"), "parameters"));
	json_decref(root);
	/* It is what one gets without asking. */
	ends(0, "compare 1 2");
	says("compare A #1 x10 with B #2 x10   differences only: ");
	says("kernel     unbatched  batched\n");
	says("exact  -  B lower\n");
	says("10 seeds on each side\n");
	says("exact: one value in every seed of a side");
	says(hidden);
	says("A and B were made by memcglab ");
	assert_null(strstr(cli->out, "nr_charged"));
	ends(0, "compare 1 2 --all");
	says("nr_charged");
	says("  104857600    104857600\n");
	assert_null(strstr(cli->out, "are hidden"));
}

static void what_the_seed_decides_is_tested(void **state)
{
	json_t *root, *row;

	(void)state;
	ends(0, "compare 21 31 --metric got -F json");
	root = json();
	row = metric(root, "got");
	assert_string_equal(word(row, "verdict"), "unclear");
	assert_true(number(row, "p") > 0.05 && number(row, "p_holm") == number(row, "p"));
	assert_true(number(row, "low") < 2 && number(row, "high") > 2);
	json_decref(root);
	/* Wholly apart: two of all 184,756 deals. */
	ends(0, "compare 21 41 --metric got -F json");
	root = json();
	row = metric(root, "got");
	assert_string_equal(word(row, "verdict"), "B higher");
	assert_true(fabs(number(row, "p") * 184756 - 2) < 1e-6);
	json_decref(root);
	ends(0, "compare 41 21 --metric got");
	says("p: Mann-Whitney, two-sided, exact; 95% interval: Welch on the means\n"
	     "unclear: p above alpha 0.05 after Holm's correction over 1 test\n");
	says("more       200  0\n");
	says("1.1e-05  B lower\n");
	/* A smaller alpha asks for more. */
	ends(0, "compare 21 41 --metric got --alpha 0.00001");
	says("1.1e-05  unclear\n");
}

static void below_nine_seeds_there_is_no_p(void **state)
{
	json_t *root, *row;

	(void)state;
	ends(0, "compare 21 51 --metric got -F json");
	root = json();
	row = metric(root, "got");
	assert_string_equal(word(row, "verdict"), "too few seeds");
	assert_true(json_is_null(json_object_get(row, "p")));
	assert_int_equal(number(row, "b_nr"), 3);
	json_decref(root);
	ends(0, "compare 21 51 --metric got");
	says("-  too few seeds\n");
	says("10 seeds of A, 3 of B\n");
	says("too few seeds: a verdict needs 9 or more on each side\n");
	assert_null(strstr(cli->out, "Mann-Whitney"));
}

/* Two seeds of one side, and a run with itself. */
static void what_is_one_side_is_compared_alone(void **state)
{
	(void)state;
	ends(0, "compare 21 22");
	says("compare A #21 with B #22   differences only: ");
	says("seed       1  2\n");
	ends(0, "compare 21 21 --exit-code");
	says("no metric differs\n");
	says("the same run twice, identical by design; use --repeat for spread\n");
	says("state hash: the same in 1 of 1 seeds that both have\n");
}

static void a_run_on_two_kernels_says_how_they_are_compared(void **state)
{
	(void)state;
	ends(0, "run noise.lua --no-db -k unbatched,batched");
	assert_null(strstr(cli->out, "memcglab compare"));
	ends(0, "run noise.lua -p more=7 -k unbatched,batched --repeat 2");
	says("      memcglab compare 54 55   what differs, over all seeds\n");
	ends(0, "compare 54 55");
	says("compare A #54 x2 with B #55 x2");
	ends(0, "sql 'select max(run) as n from v_runs' -F csv");
	assert_string_equal(cli->out, "n\n57\n");
}

static void the_status_says_what_was_found(void **state)
{
	(void)state;
	ends(1, "compare 1 2 --exit-code");
	assert_true(cli_has(cli->err, "metrics differ"));
	assert_true(cli->out[0] != '\0');
	ends(1, "compare 21 51 --metric got --exit-code");
	assert_true(cli_has(cli->err, "1 metric differs"));
	/* Neither chance nor this computer is a difference. */
	ends(0, "compare 21 31 --metric got,wall --exit-code");
	ends(2, "compare 1");
	ends(2, "compare 1 99");
	assert_true(cli_has(cli->err, "no run 99"));
	ends(2, "compare 1 2 --metric over_scam");
	assert_true(cli_has(cli->err, "neither side has a metric \"over_scam\"; "
				      "did you mean \"over_scan\"?"));
	ends(2, "compare 1 2 --alpha 5");
	assert_true(cli_has(cli->err, "--alpha: \"5\" is no share above 0 and below 1"));
	ends(2, "compare 1 2 --all --diff-only");
}

static void other_programs_are_told_in_words_and_status(void **state)
{
	(void)state;
	ends(0, "run noise.lua -p more=400 --quiet");
	ends(0, "run noise.lua -p more=400 --quiet");
	cli_shell(cli, "printf '.write on\ndelete from program where run > 57;\n"
		       "update run set version = %s where run.id = 59;\n' \"'0.0.9'\" | $M shell");
	assert_int_equal(cli->status, 0);
	ends(3, "compare 58 59 --exit-code");
	assert_true(cli_has(cli->err, "A was made by memcglab 0.1.0 and B by memcglab 0.0.9"));
	says("NOT COMPARABLE: A was made by memcglab 0.1.0, B by memcglab 0.0.9; "
	     "a difference may be the program's\n");
	ends(3, "compare 58 59 -F json");
	says("\"comparable\":false");
}

static void every_format_has_what_differs(void **state)
{
	static const char *const formats[] = { "table", "box",      "csv",  "tsv",  "json",
					       "jsonl", "markdown", "line", "html", "quote" };
	char line[128];

	(void)state;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		snprintf(line, sizeof(line), "compare 1 2 -F %s", formats[i]);
		ends(0, line);
		says("over_scan");
		says("B lower");
		assert_null(strstr(cli->out, "nr_charged"));
	}
	ends(0, "compare 1 2 --metric over_scan,failcnt -F csv");
	assert_int_equal(cli_lines(cli->out), 3);
	says("metric,a,b,diff,verdict,unit,exact,a_nr,a_mean,a_sd,b_nr,b_mean,b_sd,low,high,p,"
	     "p_holm,why\nover_scan,1,2,-3.80952380952381,B lower,x,1,10,");
}

/* Numbers are equal however they are written. */
static void must_equal(const json_t *row, const json_t *other)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)row, name, value)
	{
		const json_t *same = json_object_get(other, name);

		if (json_is_number(value) ? json_number_value(value) != json_number_value(same)
					  : !json_equal(value, same))
			fail_msg("%s of %s is not the same", name, word(row, "metric"));
	}
	assert_int_equal(json_object_size(row), json_object_size(other));
}

static void sql_gives_the_figures_of_compare(void **state)
{
	static const char *const pairs[][2] = { { "1", "2" }, { "21", "41" }, { "51", "21" } };
	char line[256], *rows, *at, *other;

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		snprintf(line, sizeof(line), "compare %s %s --all -F jsonl", pairs[i][0],
			 pairs[i][1]);
		ends(0, line);
		rows = strdup(cli->out);
		assert_non_null(rows);
		snprintf(line, sizeof(line),
			 "sql 'select * from v_compare where a=%s and b=%s' -F jsonl", pairs[i][0],
			 pairs[i][1]);
		ends(0, line);
		assert_true(cli_lines(cli->out) > 20);
		assert_int_equal(cli_lines(cli->out), cli_lines(rows));
		other = cli->out;
		for (at = rows; *at != '\0'; at = strchr(at, '\n') + 1) {
			json_t *row = json_loads(at, JSON_DISABLE_EOF_CHECK, NULL);
			json_t *same = json_loads(other, JSON_DISABLE_EOF_CHECK, NULL);

			assert_true(row != NULL && same != NULL);
			must_equal(row, same);
			json_decref(row);
			json_decref(same);
			other = strchr(other, '\n') + 1;
		}
		free(rows);
	}
	/* In the shell too, and beside other views. */
	cli_shell(cli, "printf 'select r.run, round(c.diff, 2) from v_runs as r join v_compare as c"
		       " on c.a = 1 and c.b = r.run\nwhere c.metric = %s and r.run < 4;\n'"
		       " \"'over_scan'\" | $M shell");
	assert_int_equal(cli->status, 0);
	says("  1               0.0\n  2             -3.81\n  3               0.0\n");
	ends(0, "sql 'select count(*) as n from v_compare where a = 1 and b = 99' -F csv");
	assert_string_equal(cli->out, "n\n0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_seeds_of_two_kernels_are_exact),
		cmocka_unit_test(only_differences_are_shown_and_the_hidden_are_counted),
		cmocka_unit_test(what_the_seed_decides_is_tested),
		cmocka_unit_test(below_nine_seeds_there_is_no_p),
		cmocka_unit_test(what_is_one_side_is_compared_alone),
		cmocka_unit_test(a_run_on_two_kernels_says_how_they_are_compared),
		cmocka_unit_test(the_status_says_what_was_found),
		cmocka_unit_test(other_programs_are_told_in_words_and_status),
		cmocka_unit_test(every_format_has_what_differs),
		cmocka_unit_test(sql_gives_the_figures_of_compare),
	};

	return cmocka_run_group_tests(tests, runs_make, runs_remove);
}
