/*
 * Cache lines that CPUs share: who misses, how long a transfer takes, what
 * a waiting CPU reads again, and which lines a charge touches.
 */
#include <string.h>

#include "counter_lock.h"
#include "rig.h"
#include "run_private.h"

enum { TRANSFER = 300, HOLD = 10000, LOCAL = 40, ADD = 10, CPUS = 4 };

static void lines_scenario(struct scenario *sc, const char *kernel, uint32_t cpus)
{
	rig_scenario(sc, kernel, cpus);
	sc->locks = true;
	sc->era.knobs.lock_lines = 1;
	sc->era.knobs.line_ns = TRANSFER;
	sc->era.knobs.lock_local_ns = LOCAL;
	sc->era.knobs.atomic_ns = ADD;
	sc->era.knobs.fault_ns = 0;
}

/* A lock of a scenario's own, which CPU 0 made. */
struct bench {
	struct rig rig;
	struct locks *locks;
	uint32_t class, lock;
};

static void bench_open(struct bench *bench, uint32_t cpus)
{
	struct scenario sc;

	lines_scenario(&sc, "v2.6.32", cpus);
	rig_open_scenario(&bench->rig, &sc);
	bench->locks = &run_machine(bench->rig.run)->locks;
	bench->class = lock_class_new(bench->locks, "test", HOLD, 0, false);
	bench->lock = lock_new(bench->locks, bench->class, 0, 1);
	bench->locks->lock[bench->lock].word = line_new(bench->locks, 0);
	bench->locks->lock[bench->lock].data = LINE_NONE;
}

static void come(struct bench *bench, uint32_t cpu, ns_t when, unsigned times)
{
	locks_begin(bench->locks, cpu, 0, when);
	while (times--)
		lock_note(bench->locks, cpu, bench->lock,
			  times % 2 ? LOCK_SITE_CHARGE : LOCK_SITE_UNCHARGE, when);
	assert_true(locks_end(bench->locks, cpu, when));
}

static struct run_lock run_all(struct bench *bench)
{
	struct run_lock out;
	ns_t last = 0, next;
	uint32_t cpu;

	while ((next = locks_earliest(bench->locks, &cpu)) != LOCK_TIME_NEVER) {
		assert_true(next >= last);
		last = next;
		locks_run(bench->locks, cpu);
	}
	assert_true(run_lock(bench->rig.run, bench->class, &out));
	return out;
}

/* The maker has the line; whoever comes next waits for one transfer and no more. */
static void a_line_comes_once(void **state)
{
	struct bench bench;
	struct run_lock got;

	(void)state;
	bench_open(&bench, 2);
	come(&bench, 0, 0, 3);
	got = run_all(&bench);
	assert_int_equal(got.sum.misses, 0);
	assert_int_equal(bench.locks->cpu[0].next, 3 * HOLD);
	come(&bench, 1, 5 * HOLD, 3);
	got = run_all(&bench);
	assert_int_equal(got.sum.misses, 1);
	assert_int_equal(bench.locks->cpu[1].next, 8 * HOLD + TRANSFER);
	assert_int_equal(got.sum.acq_bounces, 1);
	assert_int_equal(got.sum.wait.nr, 0);
	/* The hold of one that did not wait begins where it came, with the transfer. */
	assert_int_equal(got.sum.hold.total, 6 * HOLD + TRANSFER);
	rig_close(&bench.rig);
}

/*
 * CPU 1 takes its ticket when the line came, at 310, and with it the line: CPU 0 misses when it
 * frees the lock, CPU 1 reads the line again, and misses once more to free it, as CPU 0 has a copy.
 */
static void a_waiter_takes_the_line_and_reads_it_again(void **state)
{
	struct bench bench;
	struct run_lock got;

	(void)state;
	bench_open(&bench, 2);
	come(&bench, 0, 0, 1);
	come(&bench, 1, 10, 1);
	got = run_all(&bench);
	assert_int_equal(got.sum.misses, 4);
	assert_int_equal(bench.locks->cpu[0].next, HOLD + TRANSFER);
	assert_int_equal(got.sum.wait.nr, 1);
	assert_int_equal(got.sum.wait.total, HOLD + 2 * TRANSFER - (TRANSFER + 10));
	assert_int_equal(bench.locks->cpu[1].next, 2 * HOLD + 3 * TRANSFER);
	assert_int_equal(got.sum.hold.total, 2 * HOLD + 2 * TRANSFER);
	assert_int_equal(got.sum.con_bounces, 1);
	rig_close(&bench.rig);
}

/*
 * A saturated lock, which all want for ever (accounting 3.1): each time it is freed, that is one
 * miss, and the N - 1 that wait read its line again.  Who frees it has the line for its next
 * ticket.
 */
static void each_waiter_reads_the_line_again_for_each_hand_over(void **state)
{
	enum { MANY = 100 };
	struct bench bench;
	struct run_lock few, many;
	uint32_t cpu;

	(void)state;
	bench_open(&bench, CPUS);
	for (cpu = 0; cpu < CPUS; cpu++)
		come(&bench, cpu, cpu, MANY);
	few = run_all(&bench);
	rig_close(&bench.rig);
	bench_open(&bench, CPUS);
	for (cpu = 0; cpu < CPUS; cpu++)
		come(&bench, cpu, cpu, 2 * MANY);
	many = run_all(&bench);
	rig_close(&bench.rig);
	assert_int_equal(many.sum.hold.nr - few.sum.hold.nr, CPUS * MANY);
	assert_int_equal(many.sum.misses - few.sum.misses, CPUS * MANY * CPUS);
	assert_int_equal(many.sum.wait.nr - few.sum.wait.nr, CPUS * MANY);
}

/* First come, first served: tickets, as lock_stat and the model's other lock have it. */
static void tickets_are_served_in_their_order(void **state)
{
	struct bench bench;
	uint32_t cpu;

	(void)state;
	bench_open(&bench, CPUS);
	for (cpu = CPUS; cpu-- > 0;)
		come(&bench, cpu, (CPUS - cpu) * 2 * TRANSFER, 1);
	run_all(&bench);
	for (cpu = 1; cpu < CPUS; cpu++)
		assert_true(bench.locks->cpu[cpu].next < bench.locks->cpu[cpu - 1].next);
	rig_close(&bench.rig);
}

/* Misses on lines of counters and of references, of a page that CPU 1 charges or frees. */
struct page_misses {
	uint64_t counters, references;
	ns_t time;
};

static struct page_misses misses_of(const char *kernel, bool root)
{
	struct run_lock counters, references;
	struct scenario sc;
	struct rig rig;
	uint32_t task, map;
	ns_t begin;

	lines_scenario(&sc, kernel, 2);
	rig_open_scenario(&rig, &sc);
	task = rig_task(&rig, root ? RIG_ROOT : rig_group(&rig, RIG_ROOT, "g", 0), 1);
	map = rig_map(&rig, task, 1);
	begin = run_now(rig.run);
	rig_touch(&rig, task, map, 0, 1);
	assert_true(run_lock(rig.run, LOCK_CLASS_COUNTER, &counters));
	assert_true(run_lock(rig.run, LOCK_CLASS_REFERENCE, &references));
	begin = run_now(rig.run) - begin;
	rig_check(&rig, kernel);
	rig_close(&rig);
	return (struct page_misses){ counters.sum.misses, references.sum.misses, begin };
}

/*
 * Everything is CPU 0's at first.  A reference is read, then changed: two transfers of line 0.
 * Usage of memory lies on it too, its lock on line 1 together with usage of memory and swap, whose
 * lock begins line 2; before soft limits that lay on line 1.
 */
static void a_charge_touches_the_lines_of_its_group(void **state)
{
	static const struct { const char *kernel; bool root; struct page_misses want; } rows[] = {
		{ "v2.6.32", false, { 2, 2, 4 * TRANSFER + 2 * LOCAL + ADD } },
		{ "v2.6.31", false, { 1, 2, 3 * TRANSFER + 2 * LOCAL + ADD } },
		{ "v2.6.32+swap_account=off", false, { 1, 2, 3 * TRANSFER + LOCAL + ADD } },
		{ "v2.6.32", true, { 0, 0, 0 } },
		/* The root is charged, and not referenced. */
		{ "v2.6.31", true, { 2, 0, 2 * TRANSFER + 2 * LOCAL } },
		/* References by page are gone; the first event looks at soft limits. */
		{ "v3.1", false, { 3, 0, 3 * TRANSFER + 3 * LOCAL } },
		/* An atomic counter each, of memory and of memory and swap. */
		{ "v3.19", false, { 2, 0, 2 * TRANSFER + 2 * ADD } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct page_misses got = misses_of(rows[i].kernel, rows[i].root);

		if (memcmp(&got, &rows[i].want, sizeof(got)) != 0)
			fail_msg("%s %s: %d and %d misses, %d ns", rows[i].kernel,
				 rows[i].root ? "root" : "group", (int)got.counters,
				 (int)got.references, (int)got.time);
	}
}

/* Two CPUs in one group; how often the lock is taken is told by charges, not by its cost. */
static void run_twins(const char *kernel, int64_t lines, struct run_lock *out, char *hash)
{
	struct scenario sc;
	struct rig rig;
	uint32_t group, task[2], map[2], i, turn;

	lines_scenario(&sc, kernel, 2);
	sc.era.knobs.lock_lines = lines;
	rig_open_scenario(&rig, &sc);
	group = rig_group(&rig, RIG_ROOT, "g", 300);
	for (i = 0; i < 2; i++) {
		task[i] = rig_task(&rig, group, i);
		map[i] = rig_map(&rig, task[i], 200);
	}
	for (turn = 0; turn < 5; turn++)
		for (i = 0; i < 2; i++)
			rig_read(&rig, task[i], rig_file(&rig, 64), 0, 64);
	for (i = 0; i < 2; i++) {
		rig_touch(&rig, task[i], map[i], 0, 100);
		rig_unmap(&rig, task[i], map[i]);
	}
	assert_true(run_lock(rig.run, LOCK_CLASS_COUNTER, out));
	run_hash(rig.run, hash);
	rig_check(&rig, kernel);
	rig_close(&rig);
}

static void only_time_depends_on_lines(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v2.6.33", "v3.17", "v3.19", "v6.18-v1" };

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		struct run_lock held, lines, again;
		char hash[3][RUN_HASH_MAX];

		run_twins(kernels[i], 0, &held, hash[0]);
		run_twins(kernels[i], 1, &lines, hash[1]);
		run_twins(kernels[i], 1, &again, hash[2]);
		assert_int_equal(held.sum.hold.nr, lines.sum.hold.nr);
		assert_int_equal(held.sum.misses, 0);
		assert_true(lines.sum.misses > 0);
		assert_string_not_equal(hash[0], hash[1]);
		assert_string_equal(hash[1], hash[2]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_comes_once),
		cmocka_unit_test(a_waiter_takes_the_line_and_reads_it_again),
		cmocka_unit_test(each_waiter_reads_the_line_again_for_each_hand_over),
		cmocka_unit_test(tickets_are_served_in_their_order),
		cmocka_unit_test(a_charge_touches_the_lines_of_its_group),
		cmocka_unit_test(only_time_depends_on_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
