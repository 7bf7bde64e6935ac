/*
 * r.spread: how unevenly a figure falls on groups, first in the example of
 * builds under one limit, as a user would write it.
 */
#include "scripted.h"

#include <stdio.h>

enum { TEXT_MAX = 4096 };

static const char example[] =
	"local work = require \"lib.compile\"\n"
	"return scenario {\n"
	"  name    = \"kbuild-groups\",\n"
	"  title   = \"N builds under one limit\",\n"
	"  kernels = { \"vanilla\", \"perlru\" },\n"
	"\n"
	"  params = {\n"
	"    groups = param.int    { 16, min = 1, max = 256, doc = \"number of builds\" },\n"
	"    jobs   = param.int    { 8,  min = 1, max = 64,  doc = \"compilers in each\" },\n"
	"    limit  = param.size   { \"1900M\", doc = \"limit of the common parent\" },\n"
	"    swap   = param.size   { \"500M\" },\n"
	"    shape  = param.choice { \"even\", { \"even\", \"one-big\" }, doc = "
	"\"share of the work\" },\n"
	"    seed   = param.seed   { 3 },\n"
	"  },\n"
	"\n"
	"  setup = function(lab, p)\n"
	"    lab.machine { ram = \"4G\", cpus = 4, swap = p.swap }\n"
	"    local parent = lab.group(\"jobs\", { limit = p.limit })\n"
	"    local builds = {}\n"
	"    for i = 1, p.groups do\n"
	"      local g = parent:group((\"kbuild-%%02d\"):format(i))\n"
	"      builds[i] = { group = g, units = work.units(p.shape, i, p.groups) }\n"
	"    end\n"
	"    return builds\n"
	"  end,\n"
	"\n"
	"  run = function(lab, p, builds)\n"
	"    local threads = {}\n"
	"    for _, b in ipairs(builds) do\n"
	"      for _ = 1, p.jobs do\n"
	"        threads[#threads + 1] = function()\n"
	"          local cc = lab.task(\"cc1\", { group = b.group })\n"
	"          for _ = 1, b.units do work.compile(lab, cc) end\n"
	"          cc:exit()\n"
	"        end\n"
	"      end\n"
	"    end\n"
	"    lab.parallel(threads)                        -- interleaved by the engine's clock\n"
	"  end,\n"
	"\n"
	"  metrics = {\n"
	"    majfaults = metric { unit = \"faults\", better = \"lower\",\n"
	"      from = function(r) return r.total.majfault end },\n"
	"    unfairness = metric { unit = \"ratio\", better = \"lower\", doc = \"most "
	"/ least hit group\",\n"
	"      from = function(r) return r.spread(\"jobs/*\", \"%s\") end },\n"
	"  },\n"
	"\n"
	"  compare = function(t, a, b)                    -- after both kernels ran\n"
	"    t.same(\"majfaults differ only by noise\", a.majfaults, b.majfaults, { "
	"label = \"published\" })\n"
	"  end,\n"
	"}\n";

/* The example with four builds of one job, the first as large as the others together. */
static struct script_metric unfairness(const char *figure)
{
	static char text[TEXT_MAX];
	struct script_metric metric;
	struct scripted s;

	snprintf(text, sizeof(text), example, figure);
	scripted_init(&s);
	s.lib_dir = "scripts";
	assert_true(scripted_load(&s, text));
	assert_int_equal(script_param_set(s.script, "groups", "4", &s.diag), ERR_OK);
	assert_int_equal(script_param_set(s.script, "jobs", "1", &s.diag), ERR_OK);
	assert_int_equal(script_param_set(s.script, "shape", "one-big", &s.diag), ERR_OK);
	if (!scripted_go(&s, "v3.1"))
		fail_msg("%s", s.diag.text);
	metric = scripted_metric(&s, "unfairness");
	scripted_close(&s);
	return metric;
}

/* 30 objects against 10.  Nothing is swapped, so of major faults there is no ratio. */
static void a_build_of_three_times_the_objects_charges_three_times_the_pages(void **state)
{
	struct script_metric metric = unfairness("nr_charged");

	(void)state;
	assert_true(metric.is_real);
	assert_true(metric.real > 2.999 && metric.real < 3.001);
	assert_true(unfairness("majfault").missing);
}

static bool judged(struct scripted *s, const char *body)
{
	static char text[TEXT_MAX];

	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", run = function(lab)\n"
		 "for name, pages in pairs { [\"jobs/a\"] = 64, [\"jobs/b\"] = 128,\n"
		 "[\"jobs/b/c\"] = 1024, other = 32 } do\n"
		 "local t = lab.task(name, { group = lab.group(name) })\n"
		 "t:map(\"anon\", { pages = pages }):touch { write = true } end end,\n"
		 "expect = function(t, r)\n%s end }",
		 body);
	return scripted_run(s, text);
}

static void a_star_stands_for_one_part_of_a_path(void **state)
{
	struct scripted s;

	(void)state;
	assert_true(judged(
		&s, "print(r.spread(\"jobs/*\", \"rss\"), r.spread(\"*/?\", \"rss_pages\"),\n"
		    "r.spread(\"jobs/b\", \"rss\"), r.spread(\"jobs/*/*\", \"rss\"),\n"
		    "r.spread(\"*\", \"rss\"), r.spread(\"jobs/*\", \"failcnt\"))"));
	/* Below jobs 128 to 64; itself it has nothing, so beside other there is no ratio. */
	assert_string_equal(s.log, "2.0\t2.0\t1.0\t1.0\tnil\tnil\n");
	scripted_close(&s);
}

static void refused(const char *body, const char *part)
{
	struct scripted s;

	if (judged(&s, body))
		fail_msg("this went well: %s", body);
	scripted_says(&s, ERR_SCENARIO, part);
	scripted_says(&s, ERR_SCENARIO, "x.lua:7: ");
	scripted_close(&s);
}

static void what_there_is_not_has_no_spread(void **state)
{
	(void)state;
	refused("r.spread(\"job/*\", \"rss\")", "r.spread: no group matches \"job/*\"");
	refused("r.spread(\"jobs/*\", \"rrs\")", "did you mean \"rss\"?");
	refused("r.spread(\"jobs/*\", \"hierarchy\")",
		"r.spread: \"hierarchy\" is not a number of a group");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_build_of_three_times_the_objects_charges_three_times_the_pages),
		cmocka_unit_test(a_star_stands_for_one_part_of_a_path),
		cmocka_unit_test(what_there_is_not_has_no_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
