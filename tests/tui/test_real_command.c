/*
 * memcglab real as a user meets it: statuses, the forms of its output, and
 * what it refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "cli.h"

static struct cli *cli;

static int cli_make(void **state)
{
	(void)state;
	cli = calloc(1, sizeof(*cli));
	return cli == NULL;
}

static int cli_drop(void **state)
{
	(void)state;
	free(cli);
	return 0;
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

static json_t *json(void)
{
	json_error_t error;
	json_t *root = json_loads(cli->out, 0, &error);

	if (root == NULL)
		fail_msg("%s: %s", error.text, cli->out);
	return root;
}

static void the_list_names_every_experiment(void **state)
{
	json_t *root;

	(void)state;
	ends(0, "real list -F json");
	root = json();
	assert_int_equal(json_array_size(root), 27);
	json_decref(root);
	ends(0, "real list");
	assert_true(cli_has(cli->out, "seq_100m"));
}

static void a_run_prints_the_predicted_counters(void **state)
{
	(void)state;
	ends(0, "real run seq_16m -F csv");
	assert_true(cli_has(cli->out, "no,phase,task,counter,predicted\n"));
	assert_true(cli_has(cli->out, "1,p1,w,added:a,65536\n"));
	assert_true(cli_has(cli->out, "1,p1,w,add_hash,fd127f3e4145bb25\n"));
}

static void a_check_that_holds_ends_with_0(void **state)
{
	unsigned inside = 0, counters = 1;
	const char *line;

	(void)state;
	ends(0, "real check cyc_110 cyc_050");
	line = strstr(cli->out, "\ncyc_110 ");
	assert_non_null(line);
	/* How many counters a record has grows with the model: all of them must be inside. */
	assert_int_equal(sscanf(line, " cyc_110 %u of %u counters", &inside, &counters), 2);
	assert_int_equal(inside, counters);
	assert_true(counters > 200);
	assert_true(cli_has(line, "counters inside, 4 of 4 orders of eviction the same\n"));
	assert_false(strstr(cli->out, "\n*") != NULL);
}

/* A record that nothing can meet: no page was read. */
static void a_check_that_does_not_hold_ends_with_1(void **state)
{
	char folder[] = "/tmp/real-XXXXXX", line[256];

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(line, sizeof(line),
		 "cd %s; printf 'exp e\\ng g -\\nf a o0 9\\nt w g 1 0 open:0:@a seq:0:0:9:1 "
		 "mark:m\\n' >experiments.txt",
		 folder);
	cli_shell(cli, line);
	snprintf(line, sizeof(line),
		 "cd %s; printf 'exp,rep,no,phase,task,added,del_hash,flush_at\\n"
		 "e,1,1,m,w,a=0 ,0,\\n' >phases.csv; printf 'exp,rep,no,mark,group\\n' >stat.csv",
		 folder);
	cli_shell(cli, line);
	snprintf(line, sizeof(line), "real check --dir %s", folder);
	ends(1, line);
	assert_true(cli_has(cli->out, "*  1 m         w     added:a"));
	assert_true(cli_has(cli->err, "not as recorded"));
	snprintf(line, sizeof(line), "rm -r %s", folder);
	cli_shell(cli, line);
}

static void json_has_a_row_a_counter_and_an_entry_an_order(void **state)
{
	static const char *const keys[] = { "experiment", "no",	    "phase", "task",
					    "counter",	  "min",    "median", "max",
					    "predicted",  "error" };
	static const char *const flags[] = { "del_match", "add_match", "match" };
	json_t *root, *rows, *evictions;

	(void)state;
	ends(0, "real check cyc_150 -F json");
	root = json();
	rows = json_object_get(root, "rows");
	evictions = json_object_get(root, "evictions");
	assert_int_equal(json_object_size(root), 2);
	assert_true(json_array_size(rows) > 100);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(json_object_get(json_array_get(rows, 0), keys[i]));
	assert_int_equal(json_object_size(json_array_get(rows, 0)), 10);
	assert_int_equal(json_array_size(evictions), 7);
	for (size_t i = 0; i < 7; i++)
		for (size_t k = 0; k < 3; k++)
			assert_true(json_is_true(
				json_object_get(json_array_get(evictions, i), flags[k])));
	json_decref(root);
}

static void rows_come_in_every_format(void **state)
{
	(void)state;
	ends(0, "real check cyc_050 -F csv");
	assert_true(cli_has(cli->out, "experiment,no,phase,task,counter,min,median,max,predicted,"
				      "error\n"));
	assert_true(cli_has(cli->out, "cyc_050,1,p1,w,added:a,8192,8192.0,8192,8192,0\n"));
}

static void what_makes_no_sense_is_refused(void **state)
{
	(void)state;
	refuses(2, "choose one of list, run, check", "real lst");
	refuses(2, "usage: memcglab real", "real");
	refuses(2, "usage: memcglab real run NAME", "real run");
	refuses(2, "did you mean seq_16m?", "real run seq_16");
	refuses(2, "no experiment \"x\"", "real check x");
	refuses(2, "experiments.txt: No such file", "real list --dir /nonexistent");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, cli_make, cli_drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_list_names_every_experiment),
		TEST(a_run_prints_the_predicted_counters),
		TEST(a_check_that_holds_ends_with_0),
		TEST(a_check_that_does_not_hold_ends_with_1),
		TEST(json_has_a_row_a_counter_and_an_entry_an_order),
		TEST(rows_come_in_every_format),
		TEST(what_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
