/*
 * What groups, files and mappings can be asked for beyond reading and
 * touching: settings by kernel, writing, mapped files, hints, drains,
 * reclaim, and figures in the middle of a run.
 */
#include "scripted.h"

#include <stdio.h>
#include <string.h>

/* A scenario whose run(lab, p, w) has this body, on @kernel. */
static bool run_on(struct scripted *s, const char *kernel, const char *body)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", run = function(lab, p, w)\n%s\nend }", body);
	scripted_init(s);
	return scripted_load(s, text) && scripted_go(s, kernel);
}

static void prints_on(const char *kernel, const char *body, const char *log)
{
	struct scripted s;

	if (!run_on(&s, kernel, body))
		fail_msg("%s", s.diag.text);
	assert_string_equal(s.log, log);
	scripted_close(&s);
}

static void refused_on(const char *kernel, const char *body, const char *part)
{
	struct scripted s;

	if (run_on(&s, kernel, body))
		fail_msg("this went well on %s: %s", kernel, body);
	scripted_says(&s, ERR_SCENARIO, "x.lua:2: ");
	scripted_says(&s, ERR_SCENARIO, part);
	scripted_close(&s);
}

static void a_machine_has_swap_zones_and_huge_pages(void **state)
{
	const struct scenario *sc;
	struct scripted s;

	(void)state;
	assert_true(scripted_run(&s, "return scenario { name = \"x\", setup = function(lab)\n"
				     "lab.machine { swap = \"500M\", zones = true,\n"
				     "huge_pages = true } end }"));
	sc = run_scenario(s.run);
	assert_int_equal(sc->swap_pages, 500 << 8);
	assert_true(sc->zones);
	assert_true(sc->huge_pages);
	scripted_close(&s);
	assert_true(scripted_run(&s, "return scenario { name = \"x\", setup = function(lab)\n"
				     "lab.machine {} end }"));
	sc = run_scenario(s.run);
	assert_int_equal(sc->swap_pages, 0);
	assert_false(sc->zones || sc->huge_pages);
	scripted_close(&s);
}

static void kernel_memory_is_told_by_kind(void **state)
{
	(void)state;
	prints_on("v6.18-v1",
		  "local g = lab.group(\"a\")\n"
		  "local t = lab.task(\"t\", { group = g, threads = 2 })\n"
		  "t:slab { bytes = 92, count = 10 }\n"
		  "t:slab { bytes = 92, count = 4, free = true }\n"
		  "local k = g:stat().kmem_parts\n"
		  "print(k.kernel_stack, k.slab_objects, k.byte_stock)",
		  "32768\t600\t3496\n");
	refused_on("v6.18-v1", "lab.task(\"t\"):slab { count = 3 }", "how large is an object?");
	refused_on("v6.18-v1", "lab.task(\"t\"):slab { bytes = 4089 }",
		   "objects of 1 to 4088 bytes");
}

static void places_of_walks_are_told(void **state)
{
	(void)state;
	prints_on("v3.3",
		  "local g = lab.group(\"g\", { hierarchy = true, limit = 65536 })\n"
		  "local a = g:group(\"a\")\n"
		  "lab.task(\"t\", { group = a }):read(lab.file(\"f\", { size = 262144 }))\n"
		  "local w = g:stat().walks[1]\n"
		  "print(w.node, w.zone, w.priority, w.last, #a:stat().walks)",
		  "0\tNormal\t12\tg/a\t0\n");
}

static struct run_memcg memcg_of(const struct scripted *s, const char *path)
{
	struct run_memcg memcg;

	assert_true(run_memcg(s->run, run_memcg_find(s->run, path), &memcg));
	return memcg;
}

static void settings_of_groups_reach_the_engine(void **state)
{
	struct run_memcg memcg;
	struct scripted s;

	(void)state;
	assert_true(
		run_on(&s, "v6.18",
		       "local g = lab.group(\"g\", { limit = \"8M\", min = \"1M\", low = \"2M\",\n"
		       "high = \"4M\", oom_group = true })\n"
		       "lab.group(\"h\", { low = \"1M\" }):set { low = \"3M\", high = \"5M\" }"));
	memcg = memcg_of(&s, "g");
	assert_int_equal(memcg.limit, 2048);
	assert_int_equal(memcg.min, 256);
	assert_int_equal(memcg.low, 512);
	assert_int_equal(memcg.high, 1024);
	memcg = memcg_of(&s, "h");
	assert_int_equal(memcg.low, 768);
	assert_int_equal(memcg.high, 1280);
	assert_int_equal(memcg.limit, PAGES_UNLIMITED);
	scripted_close(&s);
	assert_true(run_on(&s, "v2.6.32", "lab.group(\"g\", { soft = \"1M\", swappiness = 7 })"));
	memcg = memcg_of(&s, "g");
	assert_int_equal(memcg.soft, 256);
	assert_int_equal(memcg.swappiness, 7);
	scripted_close(&s);
}

static void limits_are_rounded_as_the_kernel_rounds_them(void **state)
{
	static const char body[] = "local s = lab.group(\"g\", { limit = 12345 }):stat()\n"
				   "print(s.limit_pages, s.limit)";

	(void)state;
	prints_on("v3.3", body, "4\t16384\n");
	prints_on("v6.18", body, "3\t12288\n");
}

static void what_a_kernel_lacks_is_refused_with_the_reason(void **state)
{
	static const char *const v2[] = { "min = 1", "low = 1", "high = 1", "oom_group = true" };

	(void)state;
	for (size_t i = 0; i < sizeof(v2) / sizeof(v2[0]); i++) {
		char body[64];

		snprintf(body, sizeof(body), "lab.group(\"a/b\", { %s })", v2[i]);
		refused_on("v3.3", body, "need a kernel with cgroup v2");
		snprintf(body, sizeof(body), "lab.group(\"g\"):set { %s }", v2[i]);
		refused_on("v6.18-v1", body, "need a kernel with cgroup v2");
	}
	refused_on("v3.3", "lab.group(\"g\"):reclaim(\"1M\")", "needs a kernel with cgroup v2");
	refused_on("v2.6.31", "lab.group(\"g\", { soft = \"1M\" })", "has no soft limits");
	refused_on("v6.18", "lab.group(\"g\", { soft = \"1M\" })", "has no soft limits");
	refused_on("v6.18", "lab.group(\"g\", { oom_disable = true })", "cgroup v1");
	refused_on("v3.3", "lab.group(\"g\", { swappiness = 101 })", "not from 0 to 100");
	refused_on("v6.18", "lab.group(\"g\", { memsw = \"1M\" })", "memsw needs");
	refused_on("v3.3", "lab.group(\"g\", { memsw = \"1M\" })", "to less than memory");
	refused_on("v3.3", "lab.group(\"g\", { swap_max = \"1M\" })", "cgroup v2");
	refused_on("v6.18", "lab.group(\"g\", { account = true })", "account: ");
}

static void written_pages_are_dirty_until_they_are_written_out(void **state)
{
	(void)state;
	prints_on("v3.3",
		  "local g = lab.group(\"g\") local t = lab.task(\"t\", { group = g })\n"
		  "local f = lab.file(\"f\", { size = \"1M\" })\n"
		  "print(t:write(f, { offset = \"128K\", pages = 10 })) print(t:read(f))\n"
		  "print(g:stat().dirty_pages, g:stat().dirty, g:stat().charged_pages)\n"
		  "print(lab.total().nr_dirtied, lab.total().nr_written)\n"
		  "print(t:fsync(f)) print(g:stat().dirty_pages, g:stat().writeback_pages)\n"
		  "print(lab.total().nr_written) t:exit() print(t:write(f)) print(t:fsync(f))",
		  "true\ntrue\n10\t40960\t256\n10\t0\n"
		  "true\n0\t0\n10\nfalse\tkilled\nfalse\tkilled\n");
	scripted_refused("lab.task(\"t\"):write(5)", 1, "task:write: a file is expected");
	scripted_refused("lab.task(\"t\"):fsync()", 1, "task:fsync: a file is expected");
	scripted_refused("lab.task(\"t\"):write(lab.file(\"f\", { size = 9 }), { random = true })",
			 1, "random: unknown key of task:write");
	scripted_refused("lab.task(\"t\"):read(lab.file(\"f\", { size = 9 }), { write = true })", 1,
			 "write: a read does not write; task:write(file, …) does");
}

static void a_random_hint_reads_nothing_ahead(void **state)
{
	struct run_totals totals;
	struct scripted s;
	uint64_t charged[2];

	(void)state;
	for (int random = 0; random < 2; random++) {
		char text[512];

		snprintf(text, sizeof(text),
			 "return scenario { name = \"x\", setup = function(lab)\n"
			 "lab.machine { knobs = { readahead = 32 } }\n"
			 "lab.task(\"t\"):read(lab.file(\"f\", { size = \"1M\" }),\n"
			 "{ pages = 1, random = %s }) end }",
			 random ? "true" : "false");
		assert_true(scripted_run(&s, text));
		run_totals(s.run, &totals);
		charged[random] = totals.nr_charged;
		scripted_close(&s);
	}
	assert_true(charged[0] > 1);
	assert_int_equal(charged[1], 1);
}

/* Large folios are listed at once, single pages wait in the CPU's queue. */
static void a_file_can_take_large_folios(void **state)
{
	static const char *const kernels[] = { "v6.18", "v3.3" };
	static const char *const words[] = { "false", "true" };

	(void)state;
	for (int i = 0; i < 4; i++) {
		char text[512];
		struct scripted s;

		snprintf(text, sizeof(text),
			 "return scenario { name = \"x\", setup = function(lab)\n"
			 "lab.machine { knobs = { readahead = 32 } }\n"
			 "local g = lab.group(\"g\")\n"
			 "lab.task(\"t\", { group = g }):read(lab.file(\"f\",\n"
			 "{ size = \"16M\", large = %s }), { bytes = \"9M\" })\n"
			 "print(g:stat().queued_pages > 0) end }",
			 words[i % 2]);
		scripted_init(&s);
		assert_true(scripted_load(&s, text));
		if (!scripted_go(&s, kernels[i / 2]))
			fail_msg("%s", s.diag.text);
		assert_string_equal(s.log, i == 1 ? "false\n" : "true\n");
		scripted_close(&s);
	}
}

static void what_dontcache_brings_in_goes_at_once(void **state)
{
	(void)state;
	prints_on("v6.18",
		  "local g = lab.group(\"g\") local t = lab.task(\"t\", { group = g })\n"
		  "local f = lab.file(\"f\", { size = \"1M\" })\n"
		  "t:read(f, { pages = 8 }) t:read(f, { dontcache = true })\n"
		  "print(g:stat().charged_pages, lab.total().nr_charged, lab.total().nr_hits)",
		  "8\t256\t8\n");
}

static void files_are_mapped_touched_and_given_up(void **state)
{
	(void)state;
	prints_on("v3.3",
		  "local g = lab.group(\"g\") local t = lab.task(\"t\", { group = g })\n"
		  "local f = lab.file(\"data\", { size = 40000 })\n"
		  "local m = t:map(f) print(m, m:touch { pages = 3 }) print(m:touch())\n"
		  "print(g:stat().charged_pages, lab.total().nr_hits) print(m:drop())\n"
		  "print(g:stat().charged_pages, g:stat().inactive_anon, g:stat().active_anon)\n"
		  "t:exit() print(m:touch()) print(m:drop())",
		  "mapping \"data\"\ttrue\ntrue\n10\t3\ntrue\n10\t0\t0\n"
		  "false\tkilled\nfalse\tkilled\n");
	scripted_refused("lab.task(\"t\"):map(lab.file(\"f\", { size = 9 }), { pages = 1 })", 1,
			 "pages: unknown key of task:map");
	scripted_refused("lab.task(\"t\"):map(lab.task(\"u\"))", 1, "a file is expected");
	scripted_refused("local t = lab.task(\"t\") t:exit()\nt:map(lab.file(\"f\", { size = 9 }))",
			 2, "task \"t\" has ended");
}

/* A page that was used since the last look is kept once, unless its use does not count: that of
 * a mapping used at random does not from v6.3 on. */
static void use_of_a_random_mapping_does_not_count(void **state)
{
	static const char *const options[] = { "", ", { random = true }" };
	uint64_t rotated[2];

	(void)state;
	for (int random = 0; random < 2; random++) {
		char body[512];
		struct scripted s;

		snprintf(body, sizeof(body),
			 "local g = lab.group(\"g\", { limit = \"256K\" })\n"
			 "local t = lab.task(\"t\", { group = g })\n"
			 "t:map(lab.file(\"f\", { size = \"1M\" })%s):touch()",
			 options[random]);
		assert_true(run_on(&s, "v3.3+recency=hints", body));
		rotated[random] = memcg_of(&s, "g").nr_rotated;
		scripted_close(&s);
	}
	assert_true(rotated[0] > 0);
	assert_int_equal(rotated[1], 0);
}

static void drains_list_what_cpus_have_queued(void **state)
{
	struct scripted s;

	(void)state;
	prints_on("v3.3",
		  "local g = lab.group(\"g\") local a = lab.task(\"a\", { group = g })\n"
		  "local b = lab.task(\"b\", { group = g, cpu = 1 })\n"
		  "local f = lab.file(\"f\", { size = \"1M\" })\n"
		  "a:read(f, { pages = 5 }) b:read(f, { pages = 3, offset = \"64K\" })\n"
		  "print(g:stat().queued_pages, g:stat().inactive_file)\n"
		  "lab.drain(b) print(g:stat().queued_pages, g:stat().inactive_file)\n"
		  "lab.drain() print(g:stat().queued_pages, g:stat().inactive_file)\n",
		  "8\t0\n5\t3\n0\t8\n");
	assert_true(run_on(&s, "v3.3", "lab.drain() lab.flush()"));
	assert_int_equal(run_steps(s.run), 2 + 1); /* one drain for each CPU */
	scripted_close(&s);
	scripted_refused("lab.drain(5)", 1, "lab.drain: a task is expected");
}

/* Reclaim of v6.18 goes by figures that are up to two seconds old, unless they are flushed. */
static void a_flush_makes_figures_count(void **state)
{
	static const char *const flush[] = { "", "lab.flush()" };
	uint64_t moved[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		char body[512];
		struct scripted s;

		snprintf(body, sizeof(body),
			 "local g = lab.group(\"g\", { limit = \"4M\" })\n"
			 "local t = lab.task(\"t\", { group = g })\n"
			 "local f = lab.file(\"f\", { size = \"3M\" }) t:read(f) t:read(f)\n"
			 "lab.drain() %s t:read(lab.file(\"h\", { size = \"2M\" }))",
			 flush[i]);
		assert_true(run_on(&s, "v6.18", body));
		moved[i] = memcg_of(&s, "g").nr_deactivated;
		scripted_close(&s);
	}
	assert_int_equal(moved[0], 0);
	assert_true(moved[1] > 0);
}

static void reclaim_on_demand_says_whether_it_was_enough(void **state)
{
	(void)state;
	prints_on("v6.18",
		  "local g = lab.group(\"g\") local t = lab.task(\"t\", { group = g })\n"
		  "t:read(lab.file(\"f\", { size = \"1M\" })) lab.drain()\n"
		  "print(g:reclaim(\"256K\")) print(g:stat().nr_reclaimed >= 64)\n"
		  "print(g:reclaim(\"100M\")) print(g:stat().charged_pages)",
		  "true\ntrue\nfalse\tEAGAIN\n0\n");
	refused_on("v6.18", "lab.group(\"g\"):reclaim()", "group:reclaim: ");
	refused_on("v6.18", "lab.group(\"g\"):reclaim(\"1Q\")",
		   "group:reclaim: \"1Q\" is not a size");
}

static void figures_can_be_read_in_the_middle(void **state)
{
	struct scripted s;

	(void)state;
	assert_true(
		run_on(&s, "v3.3",
		       "local g = lab.group(\"g\", { limit = \"1M\" }) local before = g:stat()\n"
		       "lab.task(\"t\", { group = g }):read(lab.file(\"f\", { size = \"2M\" }))\n"
		       "print(before.nr_charged, g:stat().nr_charged, g:stat().limit_pages)\n"
		       "print(lab.total().nr_charged, lab.total().oom_kills)"));
	assert_string_equal(s.log, "0\t512\t256\n512\t0\n");
	assert_int_equal(run_steps(s.run), 3 + 16); /* none for a look */
	scripted_close(&s);
	refused_on("v3.3", "print(lab.group(\"g\"):stat().usge)", "did you mean \"usage\"?");
	refused_on("v3.3", "lab.group(\"g\"):stat().usage = 1", "is read-only");
	refused_on("v3.3", "local g = lab.group(\"g\") g:remove() g:stat()",
		   "group:stat: \"g\" has been removed");
	refused_on("v3.3", "print(lab.total().swapped)", "r.total has no \"swapped\"");
}

static void a_part_of_a_file_can_be_dropped(void **state)
{
	(void)state;
	prints_on("v6.18",
		  "local g = lab.group(\"g\") local t = lab.task(\"t\", { group = g })\n"
		  "local f = lab.file(\"f\", { size = \"1M\" }) t:read(f) lab.drain(t)\n"
		  "f:drop { offset = \"64K\", pages = 10 } print(g:stat().cache // 4096)\n"
		  "f:drop { offset = 6000, bytes = 4096 } print(g:stat().cache // 4096)\n"
		  "f:drop() print(g:stat().cache // 4096)",
		  /* A hole within two pages frees neither. */
		  "246\n246\n0\n");
	refused_on("v6.18", "lab.file(\"f\", { size = \"1M\" }):drop { offset = \"2M\" }", "");
}

static void children_have_what_their_parent_has(void **state)
{
	static const char family[] =
		"local g, other = lab.group(\"g\"), lab.group(\"other\")\n"
		"local t = lab.task(\"t\", { group = g })\n"
		"local heap = t:map(\"anon\", { pages = 100 }) heap:touch { write = true }\n"
		"local child = t:fork { name = \"child\", cpu = 0 } child:move(other)\n";
	char body[1024];

	(void)state;
	snprintf(
		body, sizeof(body),
		"%sprint(child, heap:of(child)) heap:of(child):touch { pages = 30, write = true }\n"
		"print(g:stat().rss, other:stat().rss) t:exit()\n"
		"print(g:stat().rss, other:stat().rss) child:exit() print(child:fork())",
		family);
	prints_on("v6.18", body,
		  "task \"child\"\tmapping \"anon\"\n"
		  "409600\t122880\n286720\t122880\nfalse\tkilled\n");
	/* Another program: what was there goes, and its file is mapped. */
	snprintf(body, sizeof(body),
		 "%slocal program = t:exec(lab.file(\"sh\", { size = \"1M\" })) program:touch()\n"
		 "child:exit() print(program, g:stat().rss, g:stat().mapped)",
		 family);
	prints_on("v3.3", body, "mapping \"sh\"\t0\t1048576\n");
	refused_on("v3.3", "lab.task(\"t\"):fork { cpu = 9 }", "cpu: 9 is out of range");
	refused_on("v3.3",
		   "local t = lab.task(\"t\") local m = t:map(\"anon\", { pages = 1 }) m:of(t)",
		   "\"t\" was not forked while its parent had \"anon\"");
	refused_on("v3.3",
		   "local t = lab.task(\"t\") local m = t:map(\"anon\", { pages = 1 }) "
		   "t:exec(lab.file(\"f\", { size = \"1M\" })) m:touch()",
		   "task t runs another program now");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_has_swap_zones_and_huge_pages),
		cmocka_unit_test(kernel_memory_is_told_by_kind),
		cmocka_unit_test(places_of_walks_are_told),
		cmocka_unit_test(settings_of_groups_reach_the_engine),
		cmocka_unit_test(limits_are_rounded_as_the_kernel_rounds_them),
		cmocka_unit_test(what_a_kernel_lacks_is_refused_with_the_reason),
		cmocka_unit_test(written_pages_are_dirty_until_they_are_written_out),
		cmocka_unit_test(a_random_hint_reads_nothing_ahead),
		cmocka_unit_test(a_file_can_take_large_folios),
		cmocka_unit_test(what_dontcache_brings_in_goes_at_once),
		cmocka_unit_test(files_are_mapped_touched_and_given_up),
		cmocka_unit_test(use_of_a_random_mapping_does_not_count),
		cmocka_unit_test(drains_list_what_cpus_have_queued),
		cmocka_unit_test(a_flush_makes_figures_count),
		cmocka_unit_test(reclaim_on_demand_says_whether_it_was_enough),
		cmocka_unit_test(figures_can_be_read_in_the_middle),
		cmocka_unit_test(a_part_of_a_file_can_be_dropped),
		cmocka_unit_test(children_have_what_their_parent_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
