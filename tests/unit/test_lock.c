/*
 * Locks: who waits for whom and how long, what lock_stat counts of it, and
 * how often a charge acquires the lock of a counter.
 */
#include <string.h>

#include "charge.h"
#include "counter_lock.h"
#include "rig.h"
#include "run_private.h"

enum { HOLD = 100, BOUNCE = 30 };

/* A machine whose locks are taken by hand. */
struct bench {
	struct rig rig;
	struct locks *locks;
	uint32_t lock;
};

static void bench_open(struct bench *bench, const char *kernel, uint32_t cpus, ns_t bounce)
{
	struct scenario sc;
	uint32_t class;

	rig_scenario(&sc, kernel, cpus);
	sc.locks = true;
	rig_open_scenario(&bench->rig, &sc);
	bench->locks = &run_machine(bench->rig.run)->locks;
	class = lock_class_new(bench->locks, "test", HOLD, bounce, false);
	bench->lock = lock_new(bench->locks, class, 0, 1);
}

/* CPU @cpu comes to the lock at @when, and again @gap later for each further time. */
static void come(struct bench *bench, uint32_t cpu, ns_t when, unsigned times, ns_t gap)
{
	unsigned i;

	locks_begin(bench->locks, cpu, 0, when);
	for (i = 0; i < times; i++)
		lock_note(bench->locks, cpu, bench->lock,
			  i % 2 ? LOCK_SITE_UNCHARGE : LOCK_SITE_CHARGE, when + i * gap);
	assert_true(locks_end(bench->locks, cpu, when + (times - 1) * gap));
}

/* Carries all out.  Returns: how many there were; the order of time holds. */
static unsigned run_all(struct bench *bench)
{
	unsigned nr = 0;
	ns_t last = 0, next;
	uint32_t cpu;

	while ((next = locks_earliest(bench->locks, &cpu)) != LOCK_TIME_NEVER) {
		assert_true(next >= last);
		last = next;
		locks_run(bench->locks, cpu);
		nr++;
	}
	return nr;
}

static struct run_lock stat_of(struct bench *bench)
{
	struct run_lock out;

	assert_true(run_lock(bench->rig.run, 1, &out));
	assert_string_equal(out.name, "test");
	return out;
}

static void the_first_to_come_is_served_first(void **state)
{
	struct bench bench;
	struct run_lock got;

	(void)state;
	bench_open(&bench, "v2.6.31", 4, 0);
	come(&bench, 2, 20, 1, 0);
	come(&bench, 0, 0, 1, 0);
	come(&bench, 1, 10, 1, 0);
	assert_int_equal(run_all(&bench), 3);
	got = stat_of(&bench);
	/* CPU 1 waits 100 - 10, CPU 2 200 - 20. */
	assert_int_equal(got.sum.wait.nr, 2);
	assert_int_equal(got.sum.wait.total, 90 + 180);
	assert_int_equal(got.sum.wait.min, 90);
	assert_int_equal(got.sum.wait.max, 180);
	assert_int_equal(got.sum.hold.nr, 3);
	assert_int_equal(got.sum.hold.total, 3 * HOLD);
	assert_int_equal(got.sum.con_bounces, 2);
	assert_int_equal(got.sum.acq_bounces, 2);
	assert_int_equal(bench.locks->cpu[2].next, 300);
	rig_close(&bench.rig);
}

/* A step works 10 ns, takes the lock at once, and has it from 60 on until 200 once more; what it
 * says to have held since before its latest note began with that note. */
static void a_lock_is_held_for_what_a_step_did_under_it(void **state)
{
	struct bench bench;
	struct run_lock got;

	(void)state;
	bench_open(&bench, "v2.6.31", 2, 0);
	locks_begin(bench.locks, 0, 0, 0);
	lock_note(bench.locks, 0, bench.lock, LOCK_SITE_CHARGE, 10);
	lock_note_held(bench.locks, 0, (struct lock_span){ bench.lock, LOCK_SITE_WRITE, 60 }, 200);
	lock_note_held(bench.locks, 0, (struct lock_span){ bench.lock, LOCK_SITE_WRITE, 150 }, 230);
	assert_true(locks_end(bench.locks, 0, 240));
	assert_int_equal(run_all(&bench), 3);
	got = stat_of(&bench);
	assert_int_equal(got.sum.hold.total, 3 * HOLD + 140 + 30);
	assert_int_equal(got.sum.hold.max, HOLD + 140);
	assert_int_equal(bench.locks->cpu[0].next, 240 + 3 * HOLD);
	rig_close(&bench.rig);
}

static void a_line_from_another_cpu_is_held_longer(void **state)
{
	struct bench bench;
	struct run_lock got;

	(void)state;
	bench_open(&bench, "v2.6.31", 2, BOUNCE);
	come(&bench, 0, 0, 2, 1000);
	come(&bench, 1, 5000, 2, 1000);
	run_all(&bench);
	got = stat_of(&bench);
	assert_int_equal(got.sum.acq_bounces, 1);
	assert_int_equal(got.sum.hold.total, 4 * HOLD + BOUNCE);
	assert_int_equal(got.sum.wait.nr, 0);
	assert_int_equal(got.sum.bucket[0], 4);
	rig_close(&bench.rig);
}

/* CPU 1 comes at 40 and has the lock when that is free and its line is there; CPU 0 wants it back
 * at 100 and waits for both too.  CPU 2 finds it free: its hold began with the attempt. */
static void the_line_comes_during_a_wait_or_during_a_hold(void **state)
{
	struct bench bench;
	struct run_lock got;

	(void)state;
	bench_open(&bench, "v2.6.31", 3, BOUNCE);
	come(&bench, 0, 0, 2, 0);
	come(&bench, 1, 40, 1, 0);
	come(&bench, 2, 5000, 1, 0);
	run_all(&bench);
	got = stat_of(&bench);
	assert_int_equal(got.sum.acq_bounces, 3);
	assert_int_equal(got.sum.wait.nr, 2);
	/* CPU 1 waits until 100 and for its line, CPU 0 until CPU 1 is done and for its own. */
	assert_int_equal(got.sum.wait.total, (HOLD - 40 + BOUNCE) + (HOLD + BOUNCE + BOUNCE));
	assert_int_equal(got.sum.hold.total, 4 * HOLD + BOUNCE);
	assert_int_equal(got.sum.hold.max, HOLD + BOUNCE);
	rig_close(&bench.rig);
}

/* Accounting 9, invariant 7: with one CPU nobody waits and no line moves. */
static void one_cpu_never_waits(void **state)
{
	struct bench bench;
	struct run_lock got;

	(void)state;
	bench_open(&bench, "v2.6.31", 1, BOUNCE);
	come(&bench, 0, 0, 100, 1);
	run_all(&bench);
	got = stat_of(&bench);
	assert_int_equal(got.sum.hold.nr, 100);
	assert_int_equal(got.sum.wait.nr + got.sum.con_bounces + got.sum.acq_bounces, 0);
	rig_close(&bench.rig);
}

static void the_waiter_and_whom_it_waits_for_are_named(void **state)
{
	struct bench bench;
	struct run_lock got;

	(void)state;
	bench_open(&bench, "v2.6.31", 3, 0);
	/* CPU 0 holds it for a charge, then for an uncharge; CPU 1 comes into the first, CPU 2
	 * into the second although CPU 1's turn is before it. */
	come(&bench, 0, 0, 2, 10);
	come(&bench, 1, 50, 1, 0);
	come(&bench, 2, 60, 1, 0);
	run_all(&bench);
	got = stat_of(&bench);
	assert_int_equal(got.sum.wait.nr, 3);
	assert_int_equal(got.waiter.nr, 2);
	assert_int_equal(got.waiter.site[0], LOCK_SITE_CHARGE);
	assert_int_equal(got.waiter.count[0], 2);
	assert_int_equal(got.waiter.site[1], LOCK_SITE_UNCHARGE);
	assert_int_equal(got.waiter.count[1], 1);
	assert_int_equal(got.holder.nr, 1);
	assert_int_equal(got.holder.count[0], 3);
	rig_close(&bench.rig);
}

/* Accounting 2.1: at most four sites, first come; later ones are not attributed. */
static void a_fifth_place_is_not_told_apart(void **state)
{
	struct bench bench;
	struct run_lock got;
	uint32_t cpu;

	(void)state;
	bench_open(&bench, "v2.6.31", 6, 0);
	come(&bench, 0, 0, 1, 0);
	for (cpu = 1; cpu < 6; cpu++) {
		locks_begin(bench.locks, cpu, 0, cpu);
		lock_note(bench.locks, cpu, bench.lock, (enum lock_site)(cpu - 1), cpu);
		locks_end(bench.locks, cpu, cpu);
	}
	run_all(&bench);
	got = stat_of(&bench);
	assert_int_equal(got.sum.wait.nr, 5);
	assert_int_equal(got.waiter.nr, LOCK_SITES);
	assert_int_equal(got.waiter.count[0] + got.waiter.count[1] + got.waiter.count[2] +
				 got.waiter.count[3],
			 4);
	rig_close(&bench.rig);
}

/* An acquisition that was carried out, for the slow way to find who held a lock. */
struct turn {
	uint32_t lock, cpu, site;
	ns_t start;
};

enum { TURNS = 3000, TURN_CPUS = 7, TURN_LOCKS = 3 };

/* The latest turn at the lock that had begun by @when. */
static const struct turn *slow_holder(const struct turn *turn, unsigned n, uint32_t lock, ns_t when)
{
	const struct turn *found = NULL;

	while (n--)
		if (turn[n].lock == lock && turn[n].start <= when &&
		    (!found || turn[n].start > found->start))
			found = &turn[n];
	assert_non_null(found);
	return found;
}

/* What a contention found is what a search through all turns before it finds. */
static void whoever_holds_the_lock_is_found_whichever_locks_he_took_since(void **state)
{
	static struct turn turn[TURNS];
	uint64_t bounces = 0, from[NR_LOCK_SITES] = { 0 };
	struct bench bench;
	struct run_lock got;
	uint32_t cpu, i;
	unsigned n;

	(void)state;
	bench_open(&bench, "v2.6.31", TURN_CPUS, BOUNCE);
	assert_int_equal(lock_new(bench.locks, bench.locks->lock[bench.lock].class, 0, 2),
			 bench.lock + 1);
	for (n = 0; n < TURNS; n++) {
		struct lock_cpu *at;
		ns_t arrival;

		for (cpu = 0; cpu < TURN_CPUS; cpu++) {
			ns_t now = bench.locks->cpu[cpu].next;

			if (locks_pending(bench.locks, cpu))
				continue;
			locks_begin(bench.locks, cpu, 0, now + (n * 37 + cpu * 11) % 90);
			for (i = 0; i < 1 + n % 3; i++)
				lock_note(bench.locks, cpu, bench.lock + (n + i) % TURN_LOCKS,
					  (enum lock_site)((n + i + cpu) % 4),
					  bench.locks->cpu[cpu].mark + i * (n % 5));
			locks_end(bench.locks, cpu, bench.locks->cpu[cpu].mark);
		}
		arrival = locks_earliest(bench.locks, &cpu);
		at = &bench.locks->cpu[cpu];
		turn[n].lock = bench.locks->note[cpu * LOCK_NOTES + at->done].lock;
		turn[n].cpu = cpu;
		if (bench.locks->lock[turn[n].lock].free_at > arrival) {
			const struct turn *by = slow_holder(turn, n, turn[n].lock, arrival);

			bounces += by->cpu != cpu;
			from[by->site]++;
		}
		locks_run(bench.locks, cpu);
		turn[n].start = at->start;
		turn[n].site = at->site;
	}
	got = stat_of(&bench);
	assert_true(bounces > TURNS / 4);
	assert_int_equal(got.sum.con_bounces, bounces);
	assert_int_equal(got.holder.nr, 4);
	for (i = 0; i < got.holder.nr; i++)
		assert_int_equal(got.holder.count[i], from[got.holder.site[i]]);
	rig_close(&bench.rig);
}

/* Example W15: v2.6.31 prints the sum of the CPUs' least and longest times. */
static void least_and_longest_times_are_added_up_over_cpus(void **state)
{
	struct bench bench;
	struct run_lock got;
	uint32_t cpu;

	(void)state;
	bench_open(&bench, "v2.6.31", 8, 0);
	for (cpu = 0; cpu < 8; cpu++) {
		struct lock_times *hold = &bench.locks->stat[bench.locks->cpus + cpu].hold;

		hold->min = 50;
		hold->max = 10000;
	}
	got = stat_of(&bench);
	assert_int_equal(got.hold_min_sum, 400);
	assert_int_equal(got.hold_max_sum, 80000);
	assert_int_equal(got.sum.hold.min, 50);
	assert_int_equal(got.sum.hold.max, 10000);
	rig_close(&bench.rig);
}

static uint64_t acquisitions(struct rig *rig)
{
	struct run_lock out;

	assert_true(run_lock(rig->run, 0, &out));
	return out.sum.hold.nr;
}

struct chain {
	struct rig rig;
	struct machine *m;
	uint32_t group[3], task;	/* the lowest first */
};

/* Three levels below the root, which is in no chain; without swap accounting unless @memsw. */
static void chain_open(struct chain *chain, bool memsw)
{
	struct scenario sc;

	rig_scenario(&sc, memsw ? "v2.6.31" : "v2.6.31+swap_account=off", 1);
	sc.locks = true;
	rig_open_scenario(&chain->rig, &sc);
	chain->m = run_machine(chain->rig.run);
	chain->group[2] = rig_hierarchy(&chain->rig, RIG_ROOT, "a", 0);
	chain->group[1] = rig_group(&chain->rig, chain->group[2], "b", 0);
	chain->group[0] = rig_group(&chain->rig, chain->group[1], "c", 0);
	chain->task = rig_task(&chain->rig, chain->group[0], 0);
}

/* Table 1.1: (1+s)d for a charge and (1+s)d for an uncharge; d = 3.  With s = 1: example W1. */
static void each_level_is_locked_for_a_charge_and_for_an_uncharge(void **state)
{
	struct chain chain;
	uint32_t map;
	unsigned s;

	(void)state;
	for (s = 0; s < 2; s++) {
		chain_open(&chain, s);
		map = rig_map(&chain.rig, chain.task, 1);
		rig_touch(&chain.rig, chain.task, map, 0, 1);
		assert_int_equal(acquisitions(&chain.rig), (1 + s) * 3);
		rig_unmap(&chain.rig, chain.task, map);
		assert_int_equal(acquisitions(&chain.rig), (1 + s) * 6);
		rig_close(&chain.rig);
	}
}

/* Example W2: failing at level 2 costs 2 acquisitions and 1 to undo; level 2 alone counts it. */
static void a_refusal_at_the_second_level_takes_three(void **state)
{
	struct chain chain;

	(void)state;
	chain_open(&chain, false);
	machine_memcg(chain.m, chain.group[1])->counter.limit = 0;
	locks_begin(&chain.m->locks, 0, 0, chain.m->host->now);
	assert_int_equal(charge_try(chain.m, 0, chain.group[0], 1, false), chain.group[1]);
	assert_int_equal(machine_memcg(chain.m, chain.group[1])->counter.failcnt, 1);
	assert_int_equal(machine_memcg(chain.m, chain.group[0])->counter.failcnt, 0);
	assert_int_equal(machine_memcg(chain.m, chain.group[2])->counter.failcnt, 0);
	assert_int_equal(machine_memcg(chain.m, chain.group[0])->counter.usage, 0);
	assert_int_equal(chain.m->locks.cpu[0].nr, 3);
	rig_close(&chain.rig);
}

/* Example W3: memory is charged at 3 levels, memsw fails at the first, memory is taken back. */
static void a_refusal_of_memsw_takes_memory_back(void **state)
{
	struct chain chain;

	(void)state;
	chain_open(&chain, true);
	machine_memcg(chain.m, chain.group[0])->memsw.limit = 0;
	locks_begin(&chain.m->locks, 0, 0, chain.m->host->now);
	assert_int_equal(charge_try(chain.m, 0, chain.group[0], 1, false), chain.group[0]);
	assert_int_equal(chain.m->locks.cpu[0].nr, 7);
	assert_int_equal(machine_memcg(chain.m, chain.group[2])->counter.usage, 0);
	rig_close(&chain.rig);
}

/* Notes of a charge that level @k of three refuses, by its limit of memory or of both. */
static uint32_t notes_of_refusal(const char *kernel, int k, bool memsw)
{
	struct scenario sc;
	struct chain chain;
	struct memcg *memcg;
	uint32_t nr;

	rig_scenario(&sc, kernel, 1);
	sc.locks = true;
	rig_open_scenario(&chain.rig, &sc);
	chain.m = run_machine(chain.rig.run);
	chain.group[2] = rig_hierarchy(&chain.rig, RIG_ROOT, "a", 0);
	chain.group[1] = rig_group(&chain.rig, chain.group[2], "b", 0);
	chain.group[0] = rig_group(&chain.rig, chain.group[1], "c", 0);
	memcg = machine_memcg(chain.m, chain.group[k - 1]);
	if (memsw)
		memcg->memsw.limit = 0;
	else
		memcg->counter.limit = 0;
	locks_begin(&chain.m->locks, 0, 0, chain.m->host->now);
	/* As after reclaim: no batch is tried. */
	assert_int_equal(charge_try(chain.m, 0, chain.group[0], 1, true), chain.group[k - 1]);
	assert_int_equal(memcg->counter.failcnt + memcg->memsw.failcnt, 1);
	nr = chain.m->locks.cpu[0].nr;
	rig_close(&chain.rig);
	return nr;
}

/*
 * Accounting 1.1: failing at level k takes k up and k - 1 to undo; the counter that was charged
 * before it is charged and given back at every level.  Memory comes first to v3.16, memory and swap
 * from v3.17 on; an atomic counter is added to before it is compared.
 */
static void a_failed_charge_takes_2k_minus_1(void **state)
{
	static const struct {
		const char *kernel;
		bool memsw_first, atomic;
	} rows[] = {
		{ "v2.6.31", false, false }, { "v2.6.33", false, false }, { "v3.6", false, false },
		{ "v3.17", true, false },    { "v3.19", true, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int k = 1; k <= 3; k++)
			for (int memsw = 0; memsw < 2; memsw++) {
				uint32_t fails = (uint32_t)(2 * k - 1) + rows[i].atomic;
				bool alone = memsw == rows[i].memsw_first;

				assert_int_equal(notes_of_refusal(rows[i].kernel, k, memsw),
						 alone ? fails : 3 + fails + 3);
			}
}

/* A flat group under a kernel, and what its CPU acquired so far. */
struct flat {
	struct rig rig;
	uint32_t group, other, task, map;
};

static void flat_open(struct flat *flat, const char *kernel, pages_t limit, pages_t pages)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.locks = true;
	rig_open_scenario(&flat->rig, &sc);
	flat->group = rig_group(&flat->rig, RIG_ROOT, "g", limit);
	flat->other = rig_group(&flat->rig, RIG_ROOT, "h", 0);
	flat->task = rig_task(&flat->rig, flat->group, 0);
	flat->map = rig_map(&flat->rig, flat->task, pages);
}

/* Example W4: 33 charges are two refills of 32 pages, each of two counters. */
static void a_stock_is_refilled_under_the_locks(void **state)
{
	struct flat flat;

	(void)state;
	flat_open(&flat, "v2.6.33", 0, 33);
	rig_touch(&flat.rig, flat.task, flat.map, 0, 33);
	assert_int_equal(acquisitions(&flat.rig), 4);
	assert_int_equal(rig_memcg(&flat.rig, flat.group).usage, 64);
	assert_int_equal(rig_memcg(&flat.rig, flat.group).charged, 33);
	assert_int_equal(rig_memcg(&flat.rig, flat.group).stock, 31);
	rig_close(&flat.rig);
}

/* Groups A and B charge one page in turns, four in all. */
static uint64_t in_turns(const char *kernel)
{
	struct flat flat;
	uint32_t task, map, i;
	uint64_t got;

	flat_open(&flat, kernel, 0, 2);
	task = rig_task(&flat.rig, flat.other, 0);
	map = rig_map(&flat.rig, task, 2);
	for (i = 0; i < 2; i++) {
		rig_touch(&flat.rig, flat.task, flat.map, i, 1);
		rig_touch(&flat.rig, task, map, i, 1);
	}
	got = acquisitions(&flat.rig);
	rig_close(&flat.rig);
	return got;
}

/* Examples W5 and W7: one slot thrashes, 2+4+4+4 where one by one is 8; seven slots do not, and
 * with d = 2 and no memsw they take 2+2 additions. */
static void groups_in_turns_thrash_a_single_slot(void **state)
{
	(void)state;
	assert_int_equal(in_turns("v2.6.33"), 14);
	assert_int_equal(in_turns("v2.6.32"), 8);
	assert_int_equal(in_turns("v6.18"), 4);
	/* Example W6: with a stock for each group the second page of each is there already. */
	assert_int_equal(in_turns("v2.6.31+charge=rfc"), 4);
}

/* Example W8: 32 pages in one batch, then a failed batch and a single one for each. */
static void near_the_limit_each_charge_tries_a_batch_in_vain(void **state)
{
	struct flat flat;

	(void)state;
	flat_open(&flat, "v2.6.33", 40, 41);
	rig_touch(&flat.rig, flat.task, flat.map, 0, 32);
	assert_int_equal(acquisitions(&flat.rig), 2);
	rig_touch(&flat.rig, flat.task, flat.map, 32, 8);
	assert_int_equal(acquisitions(&flat.rig), 26);
	assert_int_equal(rig_memcg(&flat.rig, flat.group).failcnt, 8);
	rig_touch(&flat.rig, flat.task, flat.map, 40, 1);
	assert_true(rig_memcg(&flat.rig, flat.group).failcnt >= 10);
	rig_close(&flat.rig);
}

/* Acquisitions of a task's exit, with anonymous mappings of so many pages, all touched. */
static uint64_t exit_of(const char *kernel, int64_t preempt, pages_t first, pages_t second)
{
	struct scenario sc;
	struct rig rig;
	uint32_t task, map;
	uint64_t before;
	struct op op = { .kind = OP_TASK_EXIT };

	rig_scenario(&sc, kernel, 1);
	sc.locks = true;
	sc.era.knobs.preempt = preempt;
	rig_open_scenario(&rig, &sc);
	task = rig_task(&rig, rig_group(&rig, RIG_ROOT, "g", 0), 0);
	map = rig_map(&rig, task, first);
	rig_touch(&rig, task, map, 0, first);
	if (second) {
		map = rig_map(&rig, task, second);
		rig_touch(&rig, task, map, 0, second);
	}
	before = acquisitions(&rig);
	op.task = task;
	assert_int_equal(rig_apply(&rig, &op).outcome, OP_DONE);
	before = acquisitions(&rig) - before;
	rig_close(&rig);
	return before;
}

/* Examples W9 and W10: blocks of 8 pages, or of 1024; what is left of a block carries over to
 * the next mapping, but a window ends with its mapping. */
static void an_exit_uncharges_in_blocks(void **state)
{
	(void)state;
	assert_int_equal(exit_of("v2.6.33", 1, 20, 0), 6);
	assert_int_equal(exit_of("v2.6.33", 0, 20, 0), 2);
	assert_int_equal(exit_of("v2.6.33", 1, 3, 20), 8);
	/* 3, then 5, 8 and 1; from a block of its own the second would be 8 and 6. */
	assert_int_equal(exit_of("v2.6.33", 1, 3, 14), 8);
	assert_int_equal(exit_of("v2.6.31", 1, 20, 0), 40);
	/* One window a mapping; then a list of 8 pages and one of 12. */
	assert_int_equal(exit_of("v3.1", 1, 3, 20), 4);
	assert_int_equal(exit_of("v3.17", 1, 3, 20), 4);
}

/* A long exit takes many steps, and a step ends with a window only. */
static void a_long_exit_loses_no_uncharge(void **state)
{
	(void)state;
	assert_int_equal(exit_of("v2.6.31", 1, 6038, 0), 2 * 6038);
	/* Every 1001 events soft limits are looked at besides. */
	assert_int_equal(exit_of("v2.6.33", 1, 6038, 0), 2 * 755 + 6038 / 1001);
}

/* Example W11: 100 cached pages go in 8 page vectors of 14. */
static void a_truncation_uncharges_in_page_vectors(void **state)
{
	struct op op = { .kind = OP_FILE_DROP };
	struct flat flat;
	uint64_t before;

	(void)state;
	flat_open(&flat, "v2.6.33", 0, 1);
	op.object = rig_file(&flat.rig, 100);
	rig_read(&flat.rig, flat.task, op.object, 0, 100);
	before = acquisitions(&flat.rig);
	assert_int_equal(rig_apply(&flat.rig, &op).outcome, OP_DONE);
	assert_int_equal(acquisitions(&flat.rig) - before, 16);
	rig_close(&flat.rig);
}

/* Accounting 9, invariant 12: from v2.6.32 on the root's own pages take no lock. */
static void the_root_is_not_locked(void **state)
{
	struct flat flat;
	uint32_t task, map;

	(void)state;
	flat_open(&flat, "v2.6.32", 0, 1);
	task = rig_task(&flat.rig, RIG_ROOT, 0);
	map = rig_map(&flat.rig, task, 100);
	rig_touch(&flat.rig, task, map, 0, 100);
	rig_unmap(&flat.rig, task, map);
	assert_int_equal(acquisitions(&flat.rig), 0);
	rig_close(&flat.rig);
	flat_open(&flat, "v2.6.31", 0, 1);
	task = rig_task(&flat.rig, RIG_ROOT, 0);
	map = rig_map(&flat.rig, task, 100);
	rig_touch(&flat.rig, task, map, 0, 100);
	assert_int_equal(acquisitions(&flat.rig), 200);
	rig_close(&flat.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_to_come_is_served_first),
		cmocka_unit_test(a_lock_is_held_for_what_a_step_did_under_it),
		cmocka_unit_test(a_line_from_another_cpu_is_held_longer),
		cmocka_unit_test(the_line_comes_during_a_wait_or_during_a_hold),
		cmocka_unit_test(one_cpu_never_waits),
		cmocka_unit_test(the_waiter_and_whom_it_waits_for_are_named),
		cmocka_unit_test(a_fifth_place_is_not_told_apart),
		cmocka_unit_test(
			whoever_holds_the_lock_is_found_whichever_locks_he_took_since),
		cmocka_unit_test(least_and_longest_times_are_added_up_over_cpus),
		cmocka_unit_test(each_level_is_locked_for_a_charge_and_for_an_uncharge),
		cmocka_unit_test(a_refusal_at_the_second_level_takes_three),
		cmocka_unit_test(a_refusal_of_memsw_takes_memory_back),
		cmocka_unit_test(a_failed_charge_takes_2k_minus_1),
		cmocka_unit_test(a_stock_is_refilled_under_the_locks),
		cmocka_unit_test(groups_in_turns_thrash_a_single_slot),
		cmocka_unit_test(near_the_limit_each_charge_tries_a_batch_in_vain),
		cmocka_unit_test(the_root_is_not_locked),
		cmocka_unit_test(an_exit_uncharges_in_blocks),
		cmocka_unit_test(a_long_exit_loses_no_uncharge),
		cmocka_unit_test(a_truncation_uncharges_in_page_vectors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
