/*
 * What setup and run can do: the machine, groups, tasks, files, memory,
 * interleaving, marks and chance; and what is refused, by name and with the
 * reason.
 */
#include "scripted.h"

#include <stdio.h>
#include <string.h>

static uint64_t steps(const struct scripted *s)
{
	return run_steps(s->run);
}

static void run_text(struct scripted *s, const char *text)
{
	if (!scripted_run(s, text))
		fail_msg("%s", s->diag.text);
}

static void the_machine_is_as_lab_machine_says(void **state)
{
	const struct scenario *sc;
	struct scripted s;

	(void)state;
	run_text(&s, "return scenario { name = \"x\", setup = function(lab)\n"
		     "lab.machine { ram = \"2G\", cpus = 3, page = \"4K\", arch = \"x86-64\",\n"
		     "knobs = { fault_ns = 800, swappiness = 10 } } end }");
	sc = run_scenario(s.run);
	assert_string_equal(sc->name, "x");
	assert_int_equal(sc->cpus, 3);
	assert_int_equal(sc->memory.sections, 0);
	assert_int_equal(pcg_sections(&sc->memory), 16);
	assert_int_equal(sc->era.knobs.fault_ns, 800);
	assert_int_equal(sc->era.knobs.swappiness, 10);
	scripted_close(&s);
}

static void memory_can_be_given_as_ranges_or_sections(void **state)
{
	struct scripted s;

	(void)state;
	run_text(&s, "return scenario { name = \"x\", setup = function(lab)\n"
		     "lab.machine { ranges = \"0-3G,4G-4.75G\" } end }");
	assert_int_equal(pcg_sections(&run_scenario(s.run)->memory), 30);
	scripted_close(&s);
	run_text(&s, "return scenario { name = \"x\", setup = function(lab)\n"
		     "lab.machine { sections = 7 } end }");
	assert_int_equal(pcg_sections(&run_scenario(s.run)->memory), 7);
	scripted_close(&s);
}

static void a_setup_without_a_machine_gets_the_usual_one(void **state)
{
	struct scripted s;

	(void)state;
	run_text(&s,
		 "return scenario { name = \"x\", setup = function(lab) lab.group(\"a\") end }");
	assert_int_equal(run_scenario(s.run)->cpus, 2);
	assert_int_equal(pcg_sections(&run_scenario(s.run)->memory), 30);
	assert_int_equal(steps(&s), 1);
	scripted_close(&s);
}

static void the_machine_is_made_once_and_first(void **state)
{
	struct scripted s;

	(void)state;
	scripted_refused("lab.machine {}\n", 1, "lab.machine: call it before anything else");
	assert_false(scripted_run(&s, "return scenario { name = \"x\", setup = function(lab)\n"
				      "lab.machine {}\nlab.machine {} end }"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:3: lab.machine: there is one machine");
	scripted_close(&s);
}

static void setup_fails(const char *call, const char *part)
{
	struct scripted s;
	char text[512];

	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", setup = function(lab)\n%s end }", call);
	if (scripted_run(&s, text))
		fail_msg("this went well: %s", call);
	scripted_says(&s, ERR_SCENARIO, "x.lua:2: ");
	scripted_says(&s, ERR_SCENARIO, part);
	scripted_close(&s);
}

static void what_no_machine_has_is_refused_by_name(void **state)
{
	(void)state;
	setup_fails("lab.machine { swap = \"1Q\" }", "swap: \"1Q\" is not a size");
	setup_fails("lab.machine { zones = 3 }", "zones: a number is not true or false");
	setup_fails("lab.machine { nodes = 9 }", "nodes: ");
	setup_fails("lab.machine { devices = {} }", "devices: ");
	setup_fails("lab.machine { page = \"64K\" }", "page: only pages of 4K");
	setup_fails("lab.machine { cpus = 0 }", "cpus: 0 is out of range (1 to 512)");
	setup_fails("lab.machine { cpus = 513 }", "cpus: 513 is out of range");
	setup_fails("lab.machine { cpu = 1 }",
		    "cpu: unknown key of lab.machine; did you mean \"cpus\"?");
	setup_fails("lab.machine { ram = \"1G\", ranges = \"0-1G\" }",
		    "ranges: give ram or ranges");
	setup_fails("lab.machine { ranges = \"3G-1G\" }", "ranges: ");
	setup_fails("lab.machine { arch = \"x86_64\" }", "x86-64");
	setup_fails("lab.machine { knobs = { fault_nss = 1 } }", "fault_ns");
	setup_fails("lab.machine { knobs = { swappiness = 1000 } }", "swappiness");
	setup_fails("lab.machine \"4G\"", "lab.machine: a table of options is expected");
	setup_fails("lab.machine { \"4G\" }", "lab.machine: every option needs a name");
}

static void groups_on_the_way_are_made_as_needed(void **state)
{
	struct run_memcg memcg;
	struct scripted s;
	uint32_t id;

	(void)state;
	run_text(&s, "return scenario { name = \"x\", run = function(lab)\n"
		     "local a = lab.group(\"jobs/deep/a\", { limit = \"10M\", swappiness = 5 })\n"
		     "lab.group(\"jobs/b\") a:group(\"c/d\", { limit = 12345 })\n"
		     "print(a, pcall(lab.group, \"jobs/deep\")) end }");
	assert_int_equal(steps(&s), 6);
	id = run_memcg_find(s.run, "jobs/deep/a");
	assert_true(run_memcg(s.run, id, &memcg));
	assert_int_equal(memcg.limit, 2560);
	assert_true(run_memcg(s.run, run_memcg_find(s.run, "jobs/deep"), &memcg));
	assert_int_equal(memcg.limit, PAGES_UNLIMITED);
	assert_true(run_memcg(s.run, run_memcg_find(s.run, "jobs/deep/a/c/d"), &memcg));
	assert_int_equal(memcg.limit, 4);
	assert_string_equal(s.log,
			    "group \"a\"\tfalse\tx.lua:4: group \"jobs/deep\": there is such a "
			    "group already\n");
	scripted_close(&s);
}

static void hierarchy_is_off_unless_said_and_passed_on(void **state)
{
	struct run_memcg memcg;
	struct scripted s;

	(void)state;
	run_text(&s, "return scenario { name = \"x\", run = function(lab)\n"
		     "lab.group(\"flat/child\")\n"
		     "lab.group(\"tree\", { hierarchy = true }):group(\"child\")\n"
		     "end }");
	assert_true(run_memcg(s.run, run_memcg_find(s.run, "flat/child"), &memcg));
	assert_false(memcg.hierarchy);
	assert_true(run_memcg(s.run, run_memcg_find(s.run, "tree/child"), &memcg));
	assert_true(memcg.hierarchy);
	scripted_close(&s);
}

static void options_of_groups_not_modelled_are_refused_by_name(void **state)
{
	(void)state;
	scripted_refused("lab.group(\"a\", { account = 1 })", 1, "account: ");
	scripted_refused("lab.group(\"a\", { swappiness = 201 })", 1, "out of range (0 to 200)");
	scripted_refused("lab.group(\"a\", { limit = 1.5 })", 1,
			 "limit: 1.5 is a float; divide with //");
	scripted_refused("lab.group(\"a\", { limit = -1 })", 1, "limit: -1 is negative");
	scripted_refused("lab.group(\"a\", { limit = {} })", 1, "limit: a table is not a size");
	scripted_refused("lab.group(\"a\", { hierarchy = 1 })", 1,
			 "hierarchy: a number is not true");
}

static void odd_paths_are_refused(void **state)
{
	static const char *const paths[] = { "", "/", "/a", "a/", "a//b", ".", "a/..", "a\\0b" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		char body[64];

		snprintf(body, sizeof(body), "lab.group(\"%s\")", paths[i]);
		scripted_refused(body, 1, "group \"");
	}
	scripted_refused("lab.group((\"x\"):rep(64))", 1, "group \"");
	scripted_refused("lab.group((\"abc/\"):rep(70) .. \"d\")", 1, "the path is too long");
}

static void a_limit_is_set_or_says_ebusy(void **state)
{
	(void)state;
	scripted_prints("local g = lab.group(\"g\", { limit = \"1M\" })\n"
			"local t = lab.task(\"t\", { group = g })\n"
			"print(t:map(\"anon\", { pages = 64 }):touch())\n"
			"print(g:set { limit = \"128K\" })\n"
			"print(g:set { limit = \"512K\" })\n"
			"print(g:remove()) t:exit() print(g:remove())",
			"true\nfalse\tEBUSY\ntrue\nfalse\tEBUSY\ntrue\n");
	scripted_refused("lab.group(\"g\"):set {}", 1, "group:set: nothing to set");
}

static void tasks_read_files_in_steps_of_a_chunk(void **state)
{
	struct run_totals totals;
	struct scripted s;

	(void)state;
	run_text(&s, "return scenario { name = \"x\", run = function(lab)\n"
		     "local t, f = lab.task(\"t\"), lab.file(\"f\", { size = \"1M\" })\n"
		     "t:read(f) t:read(f, { chunk = \"1M\" })\n"
		     "t:read(f, { offset = \"512K\", bytes = \"256K\", chunk = \"100K\" })\n"
		     "t:read(f, { offset = 4095, bytes = 2 }) f:drop() end }");
	run_totals(s.run, &totals);
	assert_int_equal(steps(&s), 2 + 8 + 1 + 3 + 1 + 1);
	assert_int_equal(totals.nr_accesses, 256 + 256 + 64 + 2);
	assert_int_equal(totals.nr_charged, 256);
	assert_int_equal(totals.nr_uncharged, 256);
	scripted_close(&s);
}

static void random_patterns_draw_pages(void **state)
{
	struct run_totals totals;
	struct scripted s;

	(void)state;
	run_text(&s,
		 "return scenario { name = \"x\", run = function(lab)\n"
		 "local t, f = lab.task(\"t\"), lab.file(\"f\", { size = \"1M\" })\n"
		 "t:read(f, { pattern = \"uniform\", count = 100, chunk = \"1M\" })\n"
		 "t:read(f, { pattern = \"zipf\", count = 50, s = 1.2, chunk = \"1M\" }) end }");
	run_totals(s.run, &totals);
	assert_int_equal(totals.nr_accesses, 150);
	scripted_close(&s);
	scripted_refused(
		"lab.task(\"t\"):read(lab.file(\"f\", { size = 9 }), { pattern = \"zip\" })", 1,
		"pattern: \"zip\" is none of seq, uniform, zipf");
	scripted_refused(
		"lab.task(\"t\"):read(lab.file(\"f\", { size = 9 }), { pattern = \"zipf\" })", 1,
		"count: say how many pages");
	scripted_refused("lab.task(\"t\"):read(lab.file(\"f\", { size = 9 }), { count = 5 })", 1,
			 "count: goes with pattern");
	scripted_refused(
		"lab.task(\"t\"):read(lab.file(\"f\", { size = 9 }), { pattern = \"zipf\",\n"
		"count = 5, s = 1.23456 })",
		1, "three decimals");
}

static void reads_outside_of_a_file_are_refused(void **state)
{
	(void)state;
	scripted_refused("lab.task(\"t\"):read(lab.file(\"f\", { size = 10 }), { bytes = 11 })", 1,
			 "bytes: 11 from 0 on are more than the 10 there are");
	scripted_refused("lab.task(\"t\"):read(lab.file(\"f\", { size = 10 }), { offset = 10 })", 1,
			 "offset: 10 is not within the 10 bytes");
	scripted_refused("lab.task(\"t\"):read(lab.file(\"f\", { size = 10 }), { bytes = 0 })", 1,
			 "bytes: 0 is out of range");
	scripted_refused("lab.task(\"t\"):read(lab.file(\"f\", { size = 10 }), { chunk = 0 })", 1,
			 "chunk: 0 is out of range");
	scripted_refused("lab.task(\"t\"):read(5)", 1,
			 "task:read: a file is expected, not a number");
	scripted_refused("lab.task(\"t\"):read(lab.task(\"u\"))", 1, "a file is expected");
	scripted_refused("lab.file(\"f\")", 1, "lab.file: size is missing");
	scripted_refused("lab.file(\"f\", { size = 0 })", 1, "size: 0 is out of range");
}

static void anonymous_memory_is_mapped_touched_and_dropped(void **state)
{
	struct run_totals totals;
	struct scripted s;

	(void)state;
	run_text(&s, "return scenario { name = \"x\", run = function(lab)\n"
		     "local heap = lab.task(\"t\"):map(\"anon\", { bytes = \"256K\" })\n"
		     "heap:touch { pages = 10, write = true }\n"
		     "heap:touch { offset = \"40K\", pages = 2 } heap:touch() heap:drop()\n"
		     "print(heap) end }");
	run_totals(s.run, &totals);
	assert_int_equal(totals.nr_charged, 64);
	assert_int_equal(totals.nr_uncharged, 64);
	assert_string_equal(s.log, "mapping \"anon\"\n");
	scripted_close(&s);
	scripted_refused("lab.task(\"t\"):map(\"shmem\", { pages = 1 })", 1,
			 "\"shmem\" is not modelled");
	scripted_refused("lab.task(\"t\"):map(\"anon\")", 1, "give pages or bytes");
	scripted_refused("lab.task(\"t\"):map(\"anon\", { pages = 1, bytes = 1 })", 1,
			 "give pages or bytes");
	scripted_refused("lab.task(\"t\"):map(\"anon\", { pages = 4 }):touch { pages = 5 }", 1,
			 "are more than");
}

static void a_killed_task_does_nothing_more(void **state)
{
	struct scripted s;

	(void)state;
	run_text(&s, "return scenario { name = \"x\", run = function(lab)\n"
		     "local g = lab.group(\"g\", { limit = \"64K\" })\n"
		     "local t, f = lab.task(\"t\", { group = g }), lab.file(\"f\", { size = 1 })\n"
		     "local heap = t:map(\"anon\", { pages = 100 })\n"
		     "print(t:alive(), heap:touch()) print(t:alive(), heap:touch())\n"
		     "print(t:read(f)) print(t:exit()) print(t:move(g)) print(heap:drop())\n"
		     "print(pcall(t.map, t, \"anon\", { pages = 1 })) end }");
	assert_string_equal(s.log, "true\tfalse\tkilled\nfalse\tfalse\tkilled\nfalse\tkilled\n"
				   "false\tkilled\nfalse\tkilled\nfalse\tkilled\n"
				   "false\tx.lua:7: task:map: task \"t\" has ended\n");
	assert_int_equal(steps(&s), 5);
	scripted_close(&s);
}

static void a_task_stays_in_the_root_or_moves(void **state)
{
	struct run_task task;
	struct scripted s;

	(void)state;
	run_text(&s,
		 "return scenario { name = \"x\", run = function(lab)\n"
		 "local t = lab.task(\"t\", { cpu = 1 }) print(t:move(lab.group(\"a\"))) end }");
	assert_true(run_task(s.run, 1, &task));
	assert_int_equal(task.cpu, 1);
	assert_int_equal(task.memcg, run_memcg_find(s.run, "a"));
	scripted_close(&s);
	scripted_refused("lab.task(\"t\", { cpu = 2 })", 1, "cpu: 2 is out of range (0 to 1)");
	scripted_refused("lab.task(\"t\", { group = \"a\" })", 1, "group: a group is expected");
	scripted_refused("lab.task()", 1, "lab.task: name: a text is expected");
	scripted_refused("lab.task(\"\")", 1, "lab.task: name: ");
	scripted_refused("lab.task(\"t\"):lock()", 1, "task:lock: a lock is expected");
	scripted_refused("lab.task(\"t\").x = 1", 1, "a task cannot be given fields");
	scripted_refused("lab.task(\"t\"):red()", 1,
			 "a task has no \"red\"; did you mean \"read\"?");
	scripted_refused("lab.group(\"g\") lab.lock(\"counter\")", 1,
			 "lab.lock: call it right after lab.machine");
}

static void functions_in_parallel_go_by_clock_then_by_creation(void **state)
{
	(void)state;
	scripted_prints("local function tick(name, pause)\n"
			"  return function()\n"
			"    for i = 1, 3 do lab.think(pause) print(name, i) end\n"
			"  end\n"
			"end\n"
			"lab.parallel { tick(\"a\", \"3ms\"), tick(\"b\", \"2ms\"),\n"
			"  tick(\"c\", \"3ms\") }\n"
			"print(\"all\")",
			"b\t1\na\t1\nc\t1\nb\t2\na\t2\nb\t3\nc\t2\na\t3\nc\t3\nall\n");
}

static void parallel_functions_may_be_nested(void **state)
{
	(void)state;
	scripted_prints("lab.parallel { function()\n"
			"  lab.parallel { function() lab.think(5) print(\"in\") end }\n"
			"  print(\"mid\")\n"
			"end, function() lab.think(1) print(\"side\") end }\n"
			"lab.parallel {} print(\"out\")",
			"side\nin\nmid\nout\n");
	scripted_refused("lab.parallel { 5 }", 1, "entry 1 is a number, not a function");
	scripted_refused("lab.parallel(print)", 1, "a list of functions is expected");
}

static void map_hands_each_element_to_a_function(void **state)
{
	(void)state;
	scripted_prints("lab.parallel(lab.map({ \"x\", \"y\" }, function(name, i)\n"
			"lab.think(i) print(name, i) end))",
			"x\t1\ny\t2\n");
}

static void at_calls_a_function_when_its_time_has_come(void **state)
{
	(void)state;
	scripted_prints("lab.at(\"5ms\", function() print(\"five\") end)\n"
			"lab.at(\"1ms\", function() print(\"one\") end)\n"
			"for i = 1, 3 do lab.think(\"2ms\") print(2 * i) end",
			"one\n2\n4\nfive\n6\n");
	scripted_refused("lab.at(\"5\", print)", 1, "lab.at: \"5\" is not a time");
	scripted_refused("lab.at(\"5ms\")", 1, "lab.at: write lab.at");
}

static void the_engine_is_not_called_where_lua_cannot_wait(void **state)
{
	(void)state;
	scripted_refused("table.sort({ 2, 1 }, function() lab.think(1) end)", 1,
			 "the engine cannot be called from here");
}

static enum err keep_mark(struct sink *sink, const struct event *event, struct diag *diag)
{
	(void)diag;
	assert_string_equal(event->text, "here");
	assert_int_equal(event->n[MARK_VALUE], -7);
	sink->mask = 0; /* seen */
	return ERR_OK;
}

static void sinks_see_what_setup_does(void **state)
{
	struct sink sink = { .name = "marks", .mask = 1 << EVENT_MARK, .event = keep_mark };
	struct scripted s;
	struct era era;

	(void)state;
	scripted_init(&s);
	assert_true(scripted_load(&s, "return scenario { name = \"x\", setup = function(lab)\n"
				      "lab.mark(\"here\", -7) end }"));
	assert_int_equal(era_find("v3.1", &era, &s.diag), ERR_OK);
	assert_int_equal(script_open(s.script, &era, &s.run, &s.diag), ERR_OK);
	assert_int_equal(run_add_sink(s.run, &sink, &s.diag), ERR_OK);
	assert_int_equal(script_run(s.script, UINT64_MAX, NULL, &s.diag), ERR_OK);
	assert_int_equal(sink.mask, 0);
	scripted_close(&s);
	scripted_refused("lab.mark(\"here\", 0.5)", 1, "lab.mark: value: 0.5 is a float");
	scripted_refused("lab.mark(5)", 1, "lab.mark: text: ");
}

static void a_run_stops_at_a_step_and_goes_on(void **state)
{
	struct scripted s;
	struct era era;
	bool done;

	(void)state;
	scripted_init(&s);
	assert_true(scripted_load(&s, "return scenario { name = \"x\", run = function(lab)\n"
				      "for i = 1, 9 do lab.mark(\"m\") end end }"));
	assert_int_equal(era_find("v3.1", &era, &s.diag), ERR_OK);
	assert_int_equal(script_open(s.script, &era, &s.run, &s.diag), ERR_OK);
	assert_int_equal(script_run(s.script, 4, &done, &s.diag), ERR_OK);
	assert_int_equal(steps(&s), 4);
	assert_false(done);
	assert_int_equal(script_run(s.script, UINT64_MAX, &done, &s.diag), ERR_OK);
	assert_int_equal(steps(&s), 9);
	assert_true(done);
	assert_int_equal(script_run(s.script, UINT64_MAX, &done, &s.diag), ERR_OK);
	assert_true(done);
	scripted_close(&s);
}

static void setup_alone_can_be_run_to_check_a_file(void **state)
{
	struct scripted s;
	struct era era;

	(void)state;
	scripted_init(&s);
	assert_true(scripted_load(&s, "return scenario { name = \"x\", setup = function(lab)\n"
				      "lab.mark(\"one\") lab.mark(\"two\") end,\n"
				      "run = function(lab) error(\"never\") end }"));
	assert_int_equal(era_find("v3.1", &era, &s.diag), ERR_OK);
	assert_int_equal(script_open(s.script, &era, &s.run, &s.diag), ERR_OK);
	assert_int_equal(script_setup(s.script, &s.diag), ERR_OK);
	assert_int_equal(steps(&s), 2);
	scripted_close(&s);
}

static void chance_hangs_on_the_seed_alone(void **state)
{
	static const char text[] =
		"return scenario { name = \"x\", run = function(lab)\n"
		"local t = {} for i = 1, 50 do t[i] = i end\n"
		"print(table.concat(lab.rng:shuffle(t), \" \"), math.random(), math.random(6),\n"
		"math.random(-5, 5), lab.rng:int(1, 1 << 40), lab.rng:zipf(1000, 1.1)) end }";
	char first[SCRIPTED_LOG_MAX] = "";
	struct scripted s;

	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		scripted_init(&s);
		assert_true(scripted_load(&s, text));
		assert_int_equal(script_seed_set(s.script, seed / 2, &s.diag), ERR_OK);
		assert_true(scripted_go(&s, "v3.3"));
		if (seed == 3) /* the same seed as before, 1 */
			assert_string_equal(s.log, first);
		else
			assert_string_not_equal(s.log, first);
		strcpy(first, s.log);
		scripted_close(&s);
	}
}

static void draws_stay_in_their_range(void **state)
{
	(void)state;
	scripted_prints("local seen = {}\n"
			"for _ = 1, 2000 do\n"
			"  local n = lab.rng:int(-2, 2) assert(n >= -2 and n <= 2) seen[n] = true\n"
			"  local z = lab.rng:zipf(10, 0.8) assert(z >= 1 and z <= 10)\n"
			"  local f = math.random() assert(f >= 0 and f < 1)\n"
			"  assert(lab.rng:int(7, 7) == 7)\n"
			"end\n"
			"local n = 0 for _ in pairs(seen) do n = n + 1 end print(n)",
			"5\n");
	scripted_refused("lab.rng:int(2, 1)", 1, "no number from 2 to 1");
	scripted_refused("lab.rng:int(1, 2.5)", 1, "lab.rng:int: a whole number is expected");
	scripted_refused("math.random(0)", 1, "no number from 1 to 0");
	scripted_refused("lab.rng:zipf(0, 1)", 1, "lab.rng:zipf: n from 1 up");
}

/* Rank 1 of a zipf over 100 with s = 1 has 1 / H(100) = 19.3 % of the draws. */
static void zipf_draws_have_the_weight_of_their_rank(void **state)
{
	(void)state;
	scripted_prints("local n = { 0, 0, 0 }\n"
			"for _ = 1, 100000 do\n"
			"  local z = lab.rng:zipf(100, 1) if n[z] then n[z] = n[z] + 1 end\n"
			"end\n"
			"print(n[1] // 1000, n[2] // 1000, n[3] // 1000)",
			"19\t9\t6\n");
}

static void acting_is_for_setup_and_run(void **state)
{
	struct scripted s;

	(void)state;
	assert_false(scripted_run(&s, "local l\nreturn scenario { name = \"x\",\n"
				      "run = function(lab) l = lab end,\n"
				      "expect = function() l.mark(\"late\") end }"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:4: mark: only setup and run may act on the machine");
	scripted_close(&s);
	assert_false(scripted_run(&s, "return scenario { name = \"x\", run = print,\n"
				      "metrics = { m = metric { from = function()\n"
				      "return math.random() end } } }"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:3: random: only setup and run may act");
	scripted_close(&s);
}

static void setup_hands_its_result_to_run(void **state)
{
	struct scripted s;

	(void)state;
	run_text(&s, "return scenario { name = \"x\", setup = function(lab, p)\n"
		     "return { group = lab.group(\"g\") } end,\n"
		     "run = function(lab, p, w) print(w.group) end }");
	assert_string_equal(s.log, "group \"g\"\n");
	scripted_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_is_as_lab_machine_says),
		cmocka_unit_test(memory_can_be_given_as_ranges_or_sections),
		cmocka_unit_test(a_setup_without_a_machine_gets_the_usual_one),
		cmocka_unit_test(the_machine_is_made_once_and_first),
		cmocka_unit_test(what_no_machine_has_is_refused_by_name),
		cmocka_unit_test(groups_on_the_way_are_made_as_needed),
		cmocka_unit_test(hierarchy_is_off_unless_said_and_passed_on),
		cmocka_unit_test(options_of_groups_not_modelled_are_refused_by_name),
		cmocka_unit_test(odd_paths_are_refused),
		cmocka_unit_test(a_limit_is_set_or_says_ebusy),
		cmocka_unit_test(tasks_read_files_in_steps_of_a_chunk),
		cmocka_unit_test(random_patterns_draw_pages),
		cmocka_unit_test(reads_outside_of_a_file_are_refused),
		cmocka_unit_test(anonymous_memory_is_mapped_touched_and_dropped),
		cmocka_unit_test(a_killed_task_does_nothing_more),
		cmocka_unit_test(a_task_stays_in_the_root_or_moves),
		cmocka_unit_test(functions_in_parallel_go_by_clock_then_by_creation),
		cmocka_unit_test(parallel_functions_may_be_nested),
		cmocka_unit_test(map_hands_each_element_to_a_function),
		cmocka_unit_test(at_calls_a_function_when_its_time_has_come),
		cmocka_unit_test(the_engine_is_not_called_where_lua_cannot_wait),
		cmocka_unit_test(sinks_see_what_setup_does),
		cmocka_unit_test(a_run_stops_at_a_step_and_goes_on),
		cmocka_unit_test(setup_alone_can_be_run_to_check_a_file),
		cmocka_unit_test(chance_hangs_on_the_seed_alone),
		cmocka_unit_test(draws_stay_in_their_range),
		cmocka_unit_test(zipf_draws_have_the_weight_of_their_rank),
		cmocka_unit_test(acting_is_for_setup_and_run),
		cmocka_unit_test(setup_hands_its_result_to_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
