/*
 * After the run: results, metrics, expectations, comparison.
 */
#include "scripted.h"

#include <stdio.h>
#include <string.h>

/* A small group that is read through once, judged by @judge. */
static bool judged(struct scripted *s, const char *judge)
{
	static char text[4096];

	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", setup = function(lab)\n"
		 "local g = lab.group(\"jobs/cat\", { limit = \"1M\" })\n"
		 "local t = lab.task(\"cat\", { group = g })\n"
		 "t:map(\"anon\", { pages = 3 }):touch()\n"
		 "return { t, lab.file(\"f\", { size = \"4M\" }) } end,\n"
		 "run = function(lab, p, w) w[1]:read(w[2]) end,\n"
		 "%s }",
		 judge);
	return scripted_run(s, text);
}

static void judged_prints(const char *body, const char *log)
{
	char judge[1024];
	struct scripted s;

	snprintf(judge, sizeof(judge), "expect = function(t, r, p, kernel) %s end", body);
	if (!judged(&s, judge))
		fail_msg("%s", s.diag.text);
	assert_string_equal(s.log, log);
	scripted_close(&s);
}

static void judged_fails(const char *body, const char *part)
{
	char judge[1024];
	struct scripted s;

	snprintf(judge, sizeof(judge), "expect = function(t, r, p, kernel)\n%s end", body);
	if (judged(&s, judge))
		fail_msg("this went well: %s", body);
	scripted_says(&s, ERR_SCENARIO, "x.lua:8: ");
	scripted_says(&s, ERR_SCENARIO, part);
	scripted_says(&s, ERR_SCENARIO, "in expect of scenario \"x\"");
	scripted_close(&s);
}

static void groups_show_bytes_and_pages(void **state)
{
	(void)state;
	judged_prints("local g = r.group[\"jobs/cat\"]\n"
		      "print(g.limit, g.limit_pages, g.peak, g.peak_pages)\n"
		      "print(g.usage == g.usage_pages * 4096, g.charged_pages + g.stock_pages ==\n"
		      "g.usage_pages, g.failcnt > 0, g.active_anon, g.hierarchy)\n"
		      "print(r.group[\"\"].id, r.group.jobs.limit > 1 << 60)",
		      "1048576\t256\t1048576\t256\ntrue\ttrue\ttrue\t3\tfalse\n1\ttrue\n");
}

static void nodes_are_there_from_0_on(void **state)
{
	static const char text[] =
		"return scenario { name = \"x\", setup = function(lab)\n"
		"lab.machine { ram = \"64M\", cpus = 2, nodes = 2 }\n"
		"local g = lab.group(\"g\")\n"
		"return { lab.task(\"t\", { group = g, cpu = 1 }),\n"
		"lab.file(\"f\", { size = \"1M\" }), g } end,\n"
		"run = function(lab, p, w) w[1]:read(w[2]); lab.drain();\n"
		"print(w[3]:stat().node[0].inactive_file, w[3]:stat().node[1].inactive_file) end,\n"
		"expect = function(t, r)\n"
		"for n = 0, 1 do local g, all = r.group.g.node[n], r.node[n]\n"
		"print(g.inactive_file, all.inactive_file, all.present_pages - all.free_pages)\n"
		"end print(r.node[2]) end }";
	struct scripted s;

	(void)state;
	if (!scripted_run(&s, text))
		fail_msg("%s", s.diag.text);
	assert_string_equal(s.log, "0\t256\n0\t0\t0\n256\t256\t256\nnil\n");
	scripted_close(&s);
}

static void tasks_totals_and_scans_are_there(void **state)
{
	(void)state;
	judged_prints("local c = r.task.cat print(c.alive, c.rss, c.rss_pages, c.cpu, c.group)\n"
		      "print(r.total.nr_charged, r.total.nr_accesses)\n"
		      "print(r.scan.nr_reclaimed == r.total.nr_reclaimed, r.kernel)\n"
		      "local n = 0 for k in pairs(r.scan) do n = n + 1 end print(n)",
		      "true\t12288\t3\t0\tjobs/cat\n1027\t1027\ntrue\tv3.3\n7\n");
}

static void the_array_of_page_cgroup_is_there(void **state)
{
	(void)state;
	judged_prints("local a = r.page_cgroup\n"
		      "print(a.bytes, a.entries, a.sections, a.record_bytes)",
		      "15728640\t983040\t30\t16\n");
}

static void unknown_results_are_refused_with_the_nearest_name(void **state)
{
	(void)state;
	judged_fails("print(r.total.nr_charegd)", "r.total has no \"nr_charegd\"; did you mean "
						  "\"nr_charged\"?");
	judged_fails("print(r.group[\"jobs/cta\"])", "did you mean \"jobs/cat\"?");
	judged_fails("print(r.group[\"jobs/cat\"].peek)", "did you mean \"peak\"?");
	judged_fails("print(r.task.cta)", "did you mean \"cat\"?");
	judged_fails("print(r.totl)", "r has no \"totl\"; did you mean \"total\"?");
	judged_fails("print(r.series)", "r.series: ");
	judged_fails("print(r.lock.counter)", "r.lock: locks are not modelled in this run");
	judged_fails("r.total.steps = 1", "r.total is read-only");
	judged_fails("r.group.x = 1", "r.group is read-only");
	judged_fails("t.nera(\"x\", 1, 1)", "t has no \"nera\"; did you mean \"near\"?");
}

static void amounts_stand_in_bytes_and_in_pages(void **state)
{
	(void)state;
	judged_prints(
		"local g = r.group[\"jobs/cat\"]\n"
		"for _, name in ipairs { \"usage\", \"limit\", \"peak\", \"kmem\", \"dirty\",\n"
		"\"writeback\", \"min\", \"low\", \"high\", \"soft\" } do\n"
		"assert(g[name] == g[name .. \"_pages\"] * 4096) end\n"
		"print(g.kmem, g.dirty, g.min, g.low, g.high > 1 << 60, g.soft > 1 << 60)\n"
		"print(g.low_events, g.high_events, g.max_events == g.limit_hits, g.swappiness)",
		"0\t0\t0\t0\ttrue\ttrue\n0\t0\ttrue\t60\n");
}

static void who_took_pages_from_whom_is_there(void **state)
{
	(void)state;
	judged_prints("local own = r.taken[\"jobs/cat\"]\n"
		      "print(own[\"jobs/cat\"] == r.total.nr_reclaimed, own[\"jobs/cat\"] > 0)\n"
		      "print(own.jobs, own[\"\"], r.taken.jobs[\"jobs/cat\"], r.taken[\"\"][\"\"])",
		      "true\ttrue\n0\t0\t0\t0\n");
	judged_fails("print(r.taken.job)", "r.taken has no \"job\"; did you mean \"jobs\"?");
	judged_fails("print(r.taken.jobs.job)", "did you mean \"jobs\"?");
	judged_fails("r.taken.jobs.jobs = 1", "read-only");
}

static void the_kernels_rules_are_there_by_axis(void **state)
{
	(void)state;
	judged_prints("print(r.axis.lru, r.axis.cgroup, r.axis.refault)", "per_memcg\tv1\toff\n");
	judged_fails("print(r.axis.lur)", "r.axis has no \"lur\"; did you mean \"lru\"?");
}

/* The pair's first half has marks of its own, in a Lua state of its own. */
static void marks_are_there_with_their_last_value(void **state)
{
	static const char text[] =
		"return scenario { name = \"x\", params = { n = param.int { 1 } },\n"
		"run = function(lab, p) lab.mark(\"m\", 5) lab.mark(\"m\", -p.n)\n"
		"lab.mark(\"bare\") end,\n"
		"expect = function(t, r) print(r.mark.m, r.mark.bare) end,\n"
		"compare = function(t, a, b) print(a.mark.m, b.mark.m) print(a.mark.n) end }";
	struct scripted a, b;

	(void)state;
	scripted_init(&a);
	scripted_init(&b);
	assert_true(scripted_load(&a, text) && scripted_load(&b, text));
	assert_int_equal(script_param_set(b.script, "n", "2", &b.diag), ERR_OK);
	assert_true(scripted_go(&a, "v3.1") && scripted_go(&b, "v3.3"));
	assert_string_equal(a.log, "-1\t0\n");
	b.err = script_compare(a.script, b.script, &b.diag);
	assert_string_equal(b.log, "-2\t0\n-1\t-2\n");
	scripted_says(&b, ERR_SCENARIO, "x.lua:5: r.mark has no \"n\"");
	scripted_close(&a);
	scripted_close(&b);
}

static const char metrics[] =
	"metrics = {\n"
	"  zeta = metric { unit = \"x\", better = \"lower\", doc = \"first\",\n"
	"    from = function(r) return r.total.nr_charged / 2 end },\n"
	"  count = metric { from = function(r) return r.total.nr_charged end },\n"
	"  again = metric { from = function(r) return r.count + 1 end },\n"
	"  none = metric { from = function(r) return nil end },\n"
	"  nan = metric { from = function(r) return 0 / 0 end },\n"
	"  word = metric { from = function(r) return r.none == nil and \"nil\" or \"some\" end },\n"
	"}";

static void metrics_come_after_the_engines_in_order_of_declaration(void **state)
{
	static const char *const names[] = { "zeta", "count", "again", "none", "nan", "word" };
	struct script_metric metric;
	struct scripted s;
	size_t own;

	(void)state;
	if (!judged(&s, metrics))
		fail_msg("%s", s.diag.text);
	own = script_metric_count(s.script) - 6;
	assert_int_equal(own, run_totals_count() + 1);
	for (size_t i = 0; i < run_totals_count(); i++) {
		script_metric(s.script, i, &metric);
		assert_string_equal(metric.name, run_totals_at(i)->name);
		assert_false(metric.is_text || metric.is_real || metric.missing);
	}
	script_metric(s.script, own - 1, &metric);
	assert_string_equal(metric.name, "state_hash");
	assert_true(metric.is_text);
	assert_int_equal(strlen(metric.text), 32);
	assert_int_equal(strspn(metric.text, "0123456789abcdef"), 32);
	for (size_t i = 0; i < 6; i++) {
		script_metric(s.script, own + i, &metric);
		assert_string_equal(metric.name, names[i]);
	}
	scripted_close(&s);
}

static void metrics_are_integers_reals_texts_or_missing(void **state)
{
	struct script_metric metric;
	struct scripted s;

	(void)state;
	assert_true(judged(&s, metrics));
	metric = scripted_metric(&s, "zeta");
	assert_true(metric.is_real && metric.real > 513.4 && metric.real < 513.6);
	assert_string_equal(metric.unit, "x");
	assert_string_equal(metric.better, "lower");
	assert_string_equal(metric.doc, "first");
	metric = scripted_metric(&s, "count");
	assert_true(!metric.is_real && !metric.missing && metric.integer == 1027);
	assert_int_equal(scripted_metric(&s, "again").integer, 1028);
	assert_true(scripted_metric(&s, "none").missing);
	assert_true(scripted_metric(&s, "nan").missing);
	assert_string_equal(scripted_metric(&s, "word").text, "nil");
	scripted_close(&s);
}

static void judging_again_gives_the_same(void **state)
{
	struct scripted s;
	size_t n;

	(void)state;
	assert_true(judged(&s, metrics));
	n = script_metric_count(s.script);
	assert_int_equal(script_judge(s.script, &s.diag), ERR_OK);
	assert_int_equal(script_metric_count(s.script), n);
	assert_int_equal(scripted_metric(&s, "again").integer, 1028);
	scripted_close(&s);
}

static void metric_fails(const char *metric, const char *part)
{
	char judge[512];
	struct scripted s;

	snprintf(judge, sizeof(judge), "metrics = {\n%s }", metric);
	if (judged(&s, judge))
		fail_msg("this was taken: %s", metric);
	scripted_says(&s, ERR_SCENARIO, "x.lua:8: ");
	scripted_says(&s, ERR_SCENARIO, part);
	scripted_close(&s);
}

static void wrong_metrics_are_refused(void **state)
{
	(void)state;
	metric_fails("a = metric { unit = \"x\" }", "a: a metric needs from = function(r)");
	metric_fails("a = metric { from = 5 }", "a: a metric needs from = function(r)");
	metric_fails("a = metric { form = print }",
		     "form: unknown key of metric; did you mean \"from\"?");
	metric_fails("a = metric { better = \"more\", from = print }",
		     "better: \"more\" is neither");
	metric_fails("a = 5", "a: write metric");
	metric_fails("metric { from = print }", "metrics: every entry needs a name");
	metric_fails("steps = metric { from = print }",
		     "steps: every run has a figure of this name");
	metric_fails("scan = metric { from = print }", "scan: every run has a figure of this name");
	metric_fails("a = metric { from = function() return true end }",
		     "a: a metric is a number or a text, not a boolean");
	metric_fails("a = metric { from = function(r) return r.b end }, "
		     "b = metric { from = function(r) return 1 end }",
		     "r.b: this metric is computed later");
}

static void an_expectation_keeps_what_was_found_and_wanted(void **state)
{
	struct script_expect e;
	struct scripted s;

	(void)state;
	assert_true(judged(&s,
			   "expect = function(t, r)\n"
			   "t.near(\"near\", 5.33, 5.3, { rel = 0.01, label = \"predicted\" })\n"
			   "t.near(\"far\", 5.4, 5.3, { rel = 0.01 })\n"
			   "t.near(\"abs\", 5.4, 5.3, { abs = 0.2, label = \"published\" })\n"
			   "t.less(\"less\", 1, 2) t.less(\"equal\", 2, 2)\n"
			   "t.same(\"same\", 2, 2.0) t.same(\"words\", \"a\", \"b\")\n"
			   "t.never(\"never\", 1 > 2) t.always(\"always\", 1 > 2)\n"
			   "t.near(\"nan\", 0 / 0, 1, { abs = 1e9 }) t.same(\"nil\", nil, nil)\n"
			   "end"));
	assert_int_equal(script_expect_count(s.script), 11);
	e = scripted_expect(&s, "near");
	assert_true(e.ok && e.has_value && e.has_wanted && e.value > 5.32 && e.wanted < 5.31);
	assert_string_equal(e.label, "predicted");
	assert_string_equal(e.where, "x.lua:8");
	assert_false(scripted_expect(&s, "far").ok);
	assert_string_equal(scripted_expect(&s, "far").label, "");
	assert_true(scripted_expect(&s, "abs").ok);
	assert_true(scripted_expect(&s, "less").ok);
	assert_false(scripted_expect(&s, "equal").ok);
	assert_true(scripted_expect(&s, "same").ok);
	assert_false(scripted_expect(&s, "words").ok);
	assert_true(scripted_expect(&s, "never").ok);
	assert_false(scripted_expect(&s, "never").has_value);
	assert_false(scripted_expect(&s, "always").ok);
	assert_false(scripted_expect(&s, "nan").ok);
	assert_false(scripted_expect(&s, "nil").ok);
	scripted_close(&s);
}

/* A figure at exactly the tolerance is near; the next one is not. */
static void tolerances_include_their_edge(void **state)
{
	struct scripted s;

	(void)state;
	assert_true(judged(
		&s,
		"expect = function(t)\n"
		"t.near(\"a\", 104, 100, { abs = 4 }) t.near(\"b\", 105, 100, { abs = 4 })\n"
		"t.near(\"c\", 75, 100, { rel = 0.25 }) t.near(\"d\", 74, 100, { rel = 0.25 })\n"
		"t.near(\"e\", -75, -100, { rel = 0.25 })\n"
		"t.near(\"f\", 106, 100, { rel = 0.01, abs = 6 })\n"
		"t.same(\"g\", 101, 100, { rel = 0.01 }) end"));
	assert_true(scripted_expect(&s, "a").ok);
	assert_false(scripted_expect(&s, "b").ok);
	assert_true(scripted_expect(&s, "c").ok);
	assert_false(scripted_expect(&s, "d").ok);
	assert_true(scripted_expect(&s, "e").ok);
	assert_true(scripted_expect(&s, "f").ok);
	assert_true(scripted_expect(&s, "g").ok);
	scripted_close(&s);
}

static void wrong_expectations_are_errors(void **state)
{
	(void)state;
	judged_fails("t.near(\"x\", 1, 2)", "t.near: how near?");
	judged_fails("t.near(\"x\", 1, 2, { label = \"guess\", rel = 1 })",
		     "label: \"guess\" is none of");
	judged_fails("t.near(\"x\", 1, 2, { rle = 1 })", "rle: unknown key of an expectation");
	judged_fails("t.near(\"x\", 1, 2, { rel = -1 })", "rel: a tolerance is a number from 0 up");
	judged_fails("t.near(\"x\", \"a\", 2, { rel = 1 })", "a number is expected, not a string");
	judged_fails("t.near(1, 1, 2, { rel = 1 })", "begins with a text");
	judged_fails("t.never(\"x\", 5)", "t.never: a condition (true or false) is expected");
	judged_fails("t.kernel(\"v9\")", "t.kernel: ");
}

/* What @body of expect prints on @kernel; the scenario's list is "unbatched", "batched". */
static void kernel_prints(const char *kernel, const char *body, const char *log)
{
	struct scripted s;
	char text[1024];

	scripted_init(&s);
	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", run = function() end,\n"
		 "kernels = { \"unbatched\", \"batched\" },\n"
		 "expect = function(t, r, p, kernel) %s end }",
		 body);
	assert_true(scripted_load(&s, text));
	if (!scripted_go(&s, kernel))
		fail_msg("%s", s.diag.text);
	assert_string_equal(s.log, log);
	scripted_close(&s);
}

static void a_kernel_is_compared_by_name_or_by_alias(void **state)
{
	static const char *const kernels[] = { "unbatched", "v2.6.31" };
	static const char *const batched[] = { "batched", "v2.6.31+scan_batch=reclaim_stat" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		kernel_prints(kernels[i], "print(kernel == \"unbatched\")", "true\n");
		kernel_prints(kernels[i], "print(kernel == 'v2.6.31')", "true\n");
		kernel_prints(kernels[i], "print(kernel == \"batched\")", "false\n");
		kernel_prints(kernels[i], "print(t.kernel(\"unbatched\"), t.kernel(\"v2.6.31\"))",
			      "true\ttrue\n");
		kernel_prints(batched[i], "print(kernel == \"batched\", kernel == \"unbatched\")",
			      "true\tfalse\n");
		kernel_prints(
			batched[i],
			"print(kernel == \"v2.6.31+scan_batch=reclaim_stat\", kernel == \"v3.3\")",
			"true\tfalse\n");
	}
}

static void a_kernel_that_is_not_compared_is_spelt_as_in_the_list(void **state)
{
	(void)state;
	kernel_prints("v2.6.31", "print(kernel, r.kernel)", "unbatched\tv2.6.31\n");
	kernel_prints("v3.3", "print(kernel)", "v3.3\n");
	kernel_prints("vanilla", "print(kernel)", "v3.1\n");
	kernel_prints("v2.6.31", "-- not \"v2.6.31\"\nprint(kernel)", "unbatched\n");
}

static void two_spellings_of_one_kernel_are_an_error(void **state)
{
	struct scripted s;

	(void)state;
	scripted_init(&s);
	assert_true(scripted_load(&s, "return scenario { name = \"x\", run = function() end,\n"
				      "expect = function(t, r, p, k)\n"
				      "print(k == \"unbatched\", k == \"v2.6.31\") end }"));
	assert_false(scripted_go(&s, "v2.6.31"));
	scripted_says(&s, ERR_SCENARIO,
		      "x.lua:2: kernel: \"unbatched\" and \"v2.6.31\" are the same");
	scripted_close(&s);
}

static void two_runs_are_compared_by_their_results(void **state)
{
	static const char text[] =
		"return scenario { name = \"x\", run = function(lab) lab.group(\"g\") end,\n"
		"metrics = { m = metric { from = function(r) return r.page_cgroup.bytes end } },\n"
		"expect = function(t) t.always(\"own\", true) end,\n"
		"compare = function(t, a, b)\n"
		"t.same(\"half\", a.m, 2 * b.m, { label = \"published\" })\n"
		"t.same(\"names\", a.kernel .. b.kernel, \"v3.1v3.3\")\n"
		"t.same(\"groups\", a.group.g.usage, b.group.g.usage) end }";
	struct scripted a, b;

	(void)state;
	scripted_init(&a);
	scripted_init(&b);
	assert_true(scripted_load(&a, text) && scripted_go(&a, "v3.1"));
	assert_true(scripted_load(&b, text) && scripted_go(&b, "v3.3"));
	assert_int_equal(script_compare(a.script, b.script, &b.diag), ERR_OK);
	assert_int_equal(script_expect_count(a.script), 1);
	assert_int_equal(script_expect_count(b.script), 4);
	assert_true(scripted_expect(&b, "half").ok);
	assert_string_equal(scripted_expect(&b, "half").where, "x.lua:5");
	assert_true(scripted_expect(&b, "names").ok);
	assert_true(scripted_expect(&b, "groups").ok);
	scripted_close(&a);
	scripted_close(&b);
}

static void an_error_in_compare_says_so(void **state)
{
	static const char text[] = "return scenario { name = \"x\", run = function() end,\n"
				   "compare = function(t, a, b) print(a.mm) end }";
	struct scripted a, b;

	(void)state;
	scripted_init(&a);
	scripted_init(&b);
	assert_true(scripted_load(&a, text) && scripted_go(&a, "v3.1"));
	assert_true(scripted_load(&b, text) && scripted_go(&b, "v3.3"));
	b.err = script_compare(a.script, b.script, &b.diag);
	scripted_says(&b, ERR_SCENARIO, "x.lua:2: r has no \"mm\"");
	scripted_says(&b, ERR_SCENARIO, "in compare of scenario \"x\"");
	scripted_close(&a);
	scripted_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_show_bytes_and_pages),
		cmocka_unit_test(nodes_are_there_from_0_on),
		cmocka_unit_test(tasks_totals_and_scans_are_there),
		cmocka_unit_test(amounts_stand_in_bytes_and_in_pages),
		cmocka_unit_test(who_took_pages_from_whom_is_there),
		cmocka_unit_test(the_kernels_rules_are_there_by_axis),
		cmocka_unit_test(marks_are_there_with_their_last_value),
		cmocka_unit_test(the_array_of_page_cgroup_is_there),
		cmocka_unit_test(unknown_results_are_refused_with_the_nearest_name),
		cmocka_unit_test(metrics_come_after_the_engines_in_order_of_declaration),
		cmocka_unit_test(metrics_are_integers_reals_texts_or_missing),
		cmocka_unit_test(judging_again_gives_the_same),
		cmocka_unit_test(wrong_metrics_are_refused),
		cmocka_unit_test(an_expectation_keeps_what_was_found_and_wanted),
		cmocka_unit_test(tolerances_include_their_edge),
		cmocka_unit_test(wrong_expectations_are_errors),
		cmocka_unit_test(a_kernel_is_compared_by_name_or_by_alias),
		cmocka_unit_test(a_kernel_that_is_not_compared_is_spelt_as_in_the_list),
		cmocka_unit_test(two_spellings_of_one_kernel_are_an_error),
		cmocka_unit_test(two_runs_are_compared_by_their_results),
		cmocka_unit_test(an_error_in_compare_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
