/*
 * Locks in scenarios: who waits for a lock of the scenario's own and how
 * long, the counters' lock and its hold time, and what r.lock tells of them.
 */
#include "scripted.h"

#include <stdio.h>

/* A scenario with this setup and run on @kernel, whose expect prints; it must go well. */
static void tells_on(const char *kernel, const char *setup, const char *run, const char *expect,
		     const char *log)
{
	struct scripted s;
	char text[4096];

	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", setup = function(lab)\n%s\nend,\n"
		 "run = function(lab, p, w)\n%s\nend,\n"
		 "expect = function(t, r)\n%s\nend }",
		 setup, run, expect);
	scripted_init(&s);
	if (!scripted_load(&s, text) || !scripted_go(&s, kernel))
		fail_msg("%s", s.diag.text);
	assert_string_equal(s.log, log);
	scripted_close(&s);
}

static void fails_with(const char *setup, const char *part)
{
	struct scripted s;
	char text[2048];

	snprintf(text, sizeof(text),
		 "return scenario { name = \"x\", setup = function(lab)\n%s\nend }", setup);
	scripted_init(&s);
	assert_true(scripted_load(&s, text));
	assert_false(scripted_go(&s, "v2.6.31"));
	scripted_says(&s, ERR_SCENARIO, "x.lua:2: ");
	scripted_says(&s, ERR_SCENARIO, part);
	scripted_close(&s);
}

/* Three CPUs, a lock held 100 ns (and 150 more when its line comes from another CPU, knob
 * lock_bounce_ns): taken at once by all they wait 0, 250 and 500 ns. */
static void a_lock_of_the_scenario_makes_its_takers_wait(void **state)
{
	(void)state;
	tells_on("v2.6.31",
		 "lab.machine { cpus = 3 }\n"
		 "local w = { lock = lab.lock(\"mine\", { hold = \"100ns\" }) }\n"
		 "for i = 1, 3 do w[i] = lab.task(\"t\" .. i, { cpu = i - 1 }) end\n"
		 "return w",
		 "lab.parallel(lab.map({ w[1], w[2], w[3] }, function(task)\n"
		 "task:lock(w.lock) end))",
		 "local l = r.lock.mine\n"
		 "print(l.acquisitions, l.contentions, l.con_bounces, l.acq_bounces)\n"
		 "print(l.waittime_min, l.waittime_max, l.waittime_total)\n"
		 "print(l.holdtime_min, l.holdtime_max, l.holdtime_total)\n"
		 "print(l.sites.waiters.scenario, l.sites.holders.scenario, l.waiting, l.atomic)",
		 "3\t2\t2\t2\n0.25\t0.5\t0.75\n0.1\t0.1\t0.3\n2\t2\t0\tfalse\n");
}

/* 10,000 acquisitions by one CPU, 50 ns of work after each: 10,000 * (100 + 50) ns, in three
 * steps of at most 4,096. */
static void a_lock_is_taken_as_often_as_asked_in_few_steps(void **state)
{
	(void)state;
	tells_on("v3.3",
		 "local l = lab.lock(\"mine\", { hold = 100 })\n"
		 "return { l, lab.task(\"t\") }",
		 "local before = lab.total().steps\n"
		 "w[2]:lock(w[1], { count = 10000, think = 50 })\n"
		 "print(lab.total().steps - before, lab.locks().mine.acquisitions)",
		 "local l = r.lock.mine\n"
		 "print(l.acquisitions, l.contentions, l.waittime_min, r.total.sim_ns)",
		 "3\t10000\n10000\t0\t0.0\t1500000\n");
}

/* The word counter stands for the class, whatever its kernel calls it. */
static void the_counters_lock_has_the_hold_time_that_was_said(void **state)
{
	static const char setup[] = "lab.machine { cpus = 1 }\n"
				    "lab.lock(\"counter\", { hold = \"430ns\" })\n"
				    "return lab.task(\"t\", { group = lab.group(\"g\") })";
	static const char run[] = "w:map(\"anon\", { pages = 10 }):touch { write = true }";

	(void)state;
	/* Memory, and memory with swap: two acquisitions a page. */
	tells_on("v2.6.31", setup, run,
		 "local l = r.lock.counter\n"
		 "print(l.acquisitions, l.holdtime_total, l == r.lock[\"&counter->lock\"])",
		 "20\t8.6\ttrue\n");
	/* v3.19 has no lock: an addition of 20 ns a counter, a batch of 32 for both. */
	tells_on("v3.19", setup, run,
		 "local l = r.lock.page_counter\n"
		 "print(l.acquisitions, l.holdtime_total, l.atomic, l == r.lock.counter)",
		 "2\t0.04\ttrue\ttrue\n");
}

/* An actor that lets time pass has no CPU, so it must not push another one's step ahead. */
static void who_waits_waits_for_another_cpu(void **state)
{
	(void)state;
	tells_on("v2.6.31",
		 "lab.machine { cpus = 8, locks = true }\n"
		 "local g, w = lab.group(\"g\"), {}\n"
		 "for i = 1, 8 do w[i] = lab.task(\"t\" .. i, { cpu = i - 1, group = g }) end\n"
		 "return w",
		 "lab.parallel(lab.map(w, function(task)\n"
		 "local heap = task:map(\"anon\", { pages = 64 })\n"
		 "for _ = 1, 4 do heap:touch { write = true } lab.think(\"6us\") heap:drop() end\n"
		 "end))",
		 "local l = r.lock.counter\n"
		 "print(l.acquisitions, l.contentions > 2000, l.contentions == l.con_bounces)",
		 "8192\ttrue\ttrue\n");
}

static void what_cannot_be_a_lock_is_refused(void **state)
{
	(void)state;
	fails_with("lab.lock(\"a\") lab.lock(\"a\")", "a: there is a lock of that name");
	fails_with("lab.lock(\"a\", { hold = -1 })", "hold: ");
	fails_with("lab.lock(\"counter\", { hold = \"1s\" })", "lab.lock: hold: lock_hold_ns");
	fails_with("lab.lock(\"counter\") lab.machine {}", "call it before anything else");
	fails_with("lab.machine {} lab.machine {}", "there is one machine; call it once");
	fails_with("lab.machine {} lab.group(\"g\") lab.lock(\"a\")",
		   "locks are not modelled in this run");
	fails_with("lab.task(\"t\"):lock(lab.lock(\"a\"))", "locks are not modelled in this run");
	fails_with("local l = lab.lock(\"a\") lab.task(\"t\"):lock(l, { count = 0 })", "count: ");
	fails_with("lab.lock(\"a\").x = 1", "a lock cannot be given fields");
}

/*
 * Ten pages leave the group, each under its lock for 1 us, after a grace
 * period of 6 ms; a writer of another CPU comes 500 ns later to count a page
 * of that group dirty, for 1.33 us under the lock.  It waits 500 ns for the
 * first page, the second page 1.33 us for it: 11 holds of 11.33 us in all.
 */
static void who_counts_waits_for_who_moves(void **state)
{
	(void)state;
	tells_on("v3.5+stat=dirty",
		 "lab.machine { cpus = 2, locks = true, knobs = { hit_ns = 0, vfs_ns = 0,\n"
		 "inode_hold_ns = 0, stat_ns = 330, move_lock_ns = 1000, grace_ns = 6000000,\n"
		 "lock_hold_ns = 0, lock_least_ns = 0, lock_bounce_ns = 0 } }\n"
		 "local g = lab.group(\"g\")\n"
		 "local w = { lab.task(\"mover\", { group = g, cpu = 0 }),\n"
		 "lab.task(\"writer\", { group = g, cpu = 1 }), lab.file(\"f\", { size = "
		 "\"64K\" }) }\n"
		 "w.to = lab.group(\"to\", { move_charge = 1 })\n"
		 "w[1]:map(\"anon\", { pages = 10 }):touch { write = true }\n"
		 "w[2]:read(w[3]); lab.drain(); lab.think(\"1s\") return w",
		 "lab.parallel { function() w[1]:move(w.to) end, function()\n"
		 "lab.think(6000500) w[2]:write(w[3], { bytes = \"4K\" }) end }",
		 "local l = r.lock[\"&(&memcg->move_lock)->rlock\"]\n"
		 "print(l.acquisitions, l.contentions, l.con_bounces)\n"
		 "print(l.waittime_min, l.waittime_max, l.waittime_total)\n"
		 "print(l.holdtime_min, l.holdtime_max, l.holdtime_total)\n"
		 "print(l.sites.waiters.mem_cgroup_move_account,\n"
		 "l.sites.waiters.__mem_cgroup_begin_update_page_stat, r.group.g.dirty_pages)",
		 "11\t2\t2\n0.5\t1.33\t1.83\n1.0\t1.33\t11.33\n1\t1\t1\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lock_of_the_scenario_makes_its_takers_wait),
		cmocka_unit_test(a_lock_is_taken_as_often_as_asked_in_few_steps),
		cmocka_unit_test(the_counters_lock_has_the_hold_time_that_was_said),
		cmocka_unit_test(who_waits_waits_for_another_cpu),
		cmocka_unit_test(what_cannot_be_a_lock_is_refused),
		cmocka_unit_test(who_counts_waits_for_who_moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
