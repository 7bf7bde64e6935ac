/*
 * lib.compile: what an object of a compile charges, how jobs share objects
 * out, and what is refused.
 */
#include "scripted.h"

#include <stdio.h>
#include <string.h>

enum { SCENARIO_MAX = 4096 };

/* A scenario whose setup and run have these bodies, with the library at hand. */
static void with_compile(struct scripted *s, const char *setup, const char *run)
{
	static char text[SCENARIO_MAX];

	snprintf(text, sizeof(text),
		 "local compile = require \"lib.compile\"\n"
		 "return scenario { name = \"x\", setup = function(lab) %s end,\n"
		 "run = function(lab, p, build) %s end }",
		 setup, run);
	scripted_init(s);
	s->lib_dir = "scripts";
	if (scripted_load(s, text))
		scripted_go(s, "v2.6.31");
}

static void prints(const char *setup, const char *run, const char *log)
{
	struct scripted s;

	with_compile(&s, setup, run);
	if (s.err)
		fail_msg("%s", s.diag.text);
	assert_string_equal(s.log, log);
	scripted_close(&s);
}

static void refuses(const char *setup, const char *part)
{
	struct scripted s;

	with_compile(&s, setup, "");
	scripted_says(&s, ERR_SCENARIO, part);
	/* At the line of the scenario, not somewhere in the library. */
	scripted_says(&s, ERR_SCENARIO, "x.lua:2: ");
	scripted_close(&s);
}

/*
 * Ten objects of the tree that the acquisitions of 2009 were fitted with:
 * 7,500.2 charges and 7,470.2 uncharges each, for 4 of 10 are linked by 773
 * pages; beside them the 1,540 pages of the programs, read once, which stay.
 */
static void an_object_charges_what_the_table_says(void **state)
{
	(void)state;
	prints("return compile.build(lab, { group = lab.group(\"g\") })",
	       "for i = 1, 10 do build.object(i) end\n"
	       "local t = lab.total()\n"
	       "print(t.nr_charged - 1540, t.nr_uncharged)",
	       "75002\t74702\n");
}

static void the_large_mapping_is_the_only_number_that_is_asked_for(void **state)
{
	(void)state;
	prints("return compile.build(lab, { group = lab.group(\"g\"),\n"
	       "tree = compile.tree { cc1 = 547 } })",
	       "for i = 1, 10 do build.object(i) end print(lab.total().nr_charged - 1540)",
	       "25002\n");
}

/* Four of ten objects are linked: the third, the fifth, the eighth and the tenth. */
static void a_part_of_a_process_comes_with_some_objects(void **state)
{
	(void)state;
	prints("return compile.build(lab, { group = lab.group(\"g\"), temporary = 1, kept = 1,\n"
	       "tree = { { name = \"ld\", ten = 4, anon = { 5 }, file = 0 } } })",
	       "local before = 0\n"
	       "for i = 1, 10 do\n"
	       "build.object(i)\n"
	       "local charged = lab.total().nr_charged\n"
	       "if charged - before > 2 then print(i, charged - before) end\n"
	       "before = charged\n"
	       "end",
	       "3\t7\n5\t7\n8\t7\n10\t7\n");
}

static void jobs_share_the_objects_out(void **state)
{
	(void)state;
	for (int jobs = 1; jobs <= 7; jobs += 3) {
		char run[256];

		snprintf(run, sizeof(run),
			 "lab.parallel(build.jobs(%d, 10))\n"
			 "print(lab.total().nr_charged, lab.total().nr_uncharged)",
			 jobs);
		prints("return compile.build(lab, { group = lab.group(\"g\"), temporary = 2,\n"
		       "kept = 3, cpus = 1,\n"
		       "tree = { { name = \"cc1\", ten = 10, anon = { 5 }, file = 0 } } })",
		       run, "100\t70\n");
	}
}

/* 4 pages of 10 us, and three times as long to wait: with two jobs the CPU is still idle. */
static void a_job_that_waits_leaves_its_cpu_to_others(void **state)
{
	static const char setup[] =
		"lab.machine { ram = \"64M\", cpus = 1,\n"
		"knobs = { fault_ns = 10000, hit_ns = 0, unmap_ns = 0, io_ns = 0 } }\n"
		"return compile.build(lab, { group = lab.group(\"g\"), page = 10000, busy = 25,\n"
		"temporary = 1, kept = 1,\n"
		"tree = { { name = \"cc1\", ten = 10, anon = { 3, 1 }, file = 0 } } })";

	(void)state;
	prints(setup, "lab.parallel(build.jobs(1, 2)) print(lab.total().sim_ns)", "360000\n");
	prints(setup, "lab.parallel(build.jobs(2, 2)) print(lab.total().sim_ns)", "220000\n");
}

/* Two builds in one run have files of their own. */
static void builds_with_names_do_not_share_files(void **state)
{
	(void)state;
	prints("local a = compile.build(lab, { group = lab.group(\"a\"), name = \"a-\" })\n"
	       "local b = compile.build(lab, { group = lab.group(\"b\"), name = \"b-\" })\n"
	       "return { a, b }",
	       "build[1].object(1)\n"
	       "local one = lab.total().nr_charged\n"
	       "build[2].object(1)\n"
	       "print(lab.total().nr_charged == 2 * one)",
	       "true\n");
}

static void what_is_no_build_is_refused_where_it_is_asked_for(void **state)
{
	(void)state;
	refuses("compile.build(lab, { group = lab.group(\"g\"), cpu = 4 })",
		"compile.build: there is no option \"cpu\"");
	refuses("compile.build(lab, {})", "compile.build: group is missing");
	refuses("compile.build(lab, { group = lab.group(\"g\"), busy = 0 })", "busy is from 1");
	refuses("compile.build(lab, { group = lab.group(\"g\"), busy = 101 })", "busy is from 1");
}

/* One row of 100 pages, half of them more or fewer: the sizes of objects run from 50 to 149. */
static void objects_differ_in_size_the_same_way_in_each_run(void **state)
{
	static const char setup[] =
		"return compile.build(lab, { group = lab.group(\"g\"), slots = true,\n"
		"spread = 50, temporary = 1, kept = 1,\n"
		"tree = { { name = \"cc1\", ten = 10, anon = { 100 }, file = 0 } } })";
	static const char run[] = "lab.parallel(build.jobs(%d, 100)) print(build.filled())";

	(void)state;
	/* 100 objects of 50 + i * 61803 % 100000 / 1000, in whole pages. */
	for (int jobs = 1; jobs <= 5; jobs += 4) {
		char text[128];

		snprintf(text, sizeof(text), run, jobs);
		prints(setup, text, "9956\n");
	}
}

static void slots_need_few_tasks_and_leave_nothing_behind(void **state)
{
	(void)state;
	prints("return compile.build(lab, { group = lab.group(\"g\"), slots = true, cpus = 1,\n"
	       "temporary = 2, kept = 3 })",
	       "lab.parallel(build.jobs(2, 10))\n"
	       "local t = lab.total()\n"
	       "print(t.nr_charged - t.nr_uncharged)\n"
	       "print(lab.task(\"next\"):alive(), build.filled())",
	       /* Programs and kept files; memory is gone, and 7,370.2 pages of it an object. */
	       "1570\ntrue\t73702\n");
}

/* Ten jobs that begin with 1 + i * 61803 % 100000 / 1000 % of an object have 5.05 of them. */
static void a_build_that_is_under_way_begins_in_the_middle_of_objects(void **state)
{
	(void)state;
	prints("return compile.build(lab, { group = lab.group(\"g\"), slots = true,\n"
	       "under_way = true, temporary = 1, kept = 1,\n"
	       "tree = { { name = \"cc1\", ten = 10, anon = { 1000 }, file = 0 } } })",
	       "lab.parallel(build.jobs(10, 10)) print(build.filled())", "5050\n");
}

/* 1,000 pages in four slices, and a half of each again, of what is there by then. */
static void memory_is_used_again_slice_by_slice(void **state)
{
	(void)state;
	prints("return compile.build(lab, { group = lab.group(\"g\"), slice = 250, again = 50,\n"
	       "temporary = 1, kept = 1,\n"
	       "tree = { { name = \"cc1\", ten = 10, anon = { 1000 }, file = 0 } } })",
	       "build.object(1)\n"
	       "local t = lab.total()\n"
	       "print(t.nr_charged, t.nr_accesses, t.nr_hits)",
	       "1002\t1502\t500\n");
}

static void the_tree_can_be_one_mapping_a_process(void **state)
{
	(void)state;
	prints("",
	       "local a, b = compile.tree {}, compile.tree { whole = true }\n"
	       "print(#a[4].anon, #b[4].anon, b[4].anon[1])\n"
	       "print(compile.pages(a), compile.pages(b))",
	       "8\t1\t6038\n73702\t73702\n");
}

static void builds_can_run_the_same_programs(void **state)
{
	(void)state;
	prints("local a = compile.build(lab, { group = lab.group(\"a\"), name = \"a-\" })\n"
	       "local b = compile.build(lab, { group = lab.group(\"b\"), name = \"b-\",\n"
	       "programs = a.programs })\n"
	       "return { a, b }",
	       "build[1].object(1)\n"
	       "local one = lab.total().nr_charged\n"
	       "build[2].object(1)\n"
	       /* All that no object links is there: 1,400 pages, and one file that is. */
	       "print(2 * one - lab.total().nr_charged)",
	       "1400\n");
}

static void sources_are_read_by_each_object(void **state)
{
	(void)state;
	prints("return compile.build(lab, { group = lab.group(\"g\"), sources = 50,\n"
	       "includes = 70, temporary = 1, kept = 1,\n"
	       "tree = { { name = \"cc1\", ten = 10, anon = { 1 }, file = 0 } } })",
	       "for i = 1, 20 do build.object(i) end\n"
	       "print(lab.total().nr_accesses, lab.total().nr_charged)",
	       "1460\t110\n");
}

static void the_last_object_is_told(void **state)
{
	(void)state;
	prints("local calls = 0\n"
	       "local build = compile.build(lab, { group = lab.group(\"g\"), temporary = 1,\n"
	       "kept = 1, tree = { { name = \"cc1\", ten = 10, anon = { 5 }, file = 0 } },\n"
	       "last = function() calls = calls + 1 end })\n"
	       "return { build, function() return calls end }",
	       "lab.parallel(build[1].jobs(3, 10)) print(build[2]())", "1\n");
}

static void a_task_can_do_the_work_of_compilers_one_after_another(void **state)
{
	(void)state;
	prints("return lab.task(\"cc1\", { group = lab.group(\"g\") })",
	       "compile.compile(lab, build) compile.compile(lab, build)\n"
	       "print(lab.total().nr_charged, lab.total().nr_uncharged)",
	       "12076\t12076\n");
}

static void work_is_shared_evenly_or_one_build_has_half_of_it(void **state)
{
	(void)state;
	prints("",
	       "print(compile.units(\"even\", 1, 16), compile.units(\"one-big\", 1, 16),\n"
	       "compile.units(\"one-big\", 2, 16), compile.units(\"one-big\", 1, 1))",
	       "10\t150\t10\t10\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_object_charges_what_the_table_says),
		cmocka_unit_test(the_large_mapping_is_the_only_number_that_is_asked_for),
		cmocka_unit_test(a_part_of_a_process_comes_with_some_objects),
		cmocka_unit_test(jobs_share_the_objects_out),
		cmocka_unit_test(a_job_that_waits_leaves_its_cpu_to_others),
		cmocka_unit_test(builds_with_names_do_not_share_files),
		cmocka_unit_test(what_is_no_build_is_refused_where_it_is_asked_for),
		cmocka_unit_test(objects_differ_in_size_the_same_way_in_each_run),
		cmocka_unit_test(slots_need_few_tasks_and_leave_nothing_behind),
		cmocka_unit_test(a_build_that_is_under_way_begins_in_the_middle_of_objects),
		cmocka_unit_test(memory_is_used_again_slice_by_slice),
		cmocka_unit_test(the_tree_can_be_one_mapping_a_process),
		cmocka_unit_test(builds_can_run_the_same_programs),
		cmocka_unit_test(sources_are_read_by_each_object),
		cmocka_unit_test(the_last_object_is_told),
		cmocka_unit_test(a_task_can_do_the_work_of_compilers_one_after_another),
		cmocka_unit_test(work_is_shared_evenly_or_one_build_has_half_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
