/*
 * While a task sleeps its CPU is idle, and another task runs on it: for what
 * tasks sleep, from when on, and what a run without such neighbours shows of
 * it, which is nothing.
 */
#include <string.h>

#include "policy.h"
#include "rig.h"
#include "run_private.h"
#include "writeback.h"

/* Times as by default [ns]. */
enum { FAULT = 1000, IO = 40000, WRITE = 40000, NO_SWAP = -1, SIZE = 8192 };

struct pair {
	struct rig rig;
	struct machine *m;
	uint32_t group, task, other, file, map;	/* the other one has the mapping */
};

/* Two tasks on one CPU; the second one's ops are those of an actor of its own. */
static void pair_open(struct pair *p, const char *kernel, bool locks, int64_t swap_ns)
{
	struct op spawn = { .kind = OP_SPAWN, .value = 1 };
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.locks = locks;
	if (swap_ns != NO_SWAP) {
		sc.swap_pages = SIZE;
		sc.era.knobs.swap_ns = swap_ns;
	}
	rig_open_scenario(&p->rig, &sc);
	p->m = run_machine(p->rig.run);
	p->group = rig_group(&p->rig, RIG_ROOT, "g", 0);
	p->task = rig_task(&p->rig, p->group, 0);
	p->other = rig_task(&p->rig, p->group, 0);
	p->file = rig_file(&p->rig, SIZE);
	p->map = rig_map(&p->rig, p->other, SIZE);
	rig_apply(&p->rig, &spawn);
}

static ns_t act(struct pair *p, enum op_kind kind, pages_t first, pages_t nr)
{
	struct op op = { .kind = kind, .task = p->task, .object = p->file,
			 .offset = first * PAGE_BYTES, .length = nr * PAGE_BYTES };

	return rig_apply(&p->rig, &op).clock_ns;
}

/* The other task touches a new page.  Returns: when it has. */
static ns_t neighbour(struct pair *p, pages_t page)
{
	struct op op = { .kind = OP_TOUCH, .task = p->other, .object = p->map, .actor = 1,
			 .offset = page * PAGE_BYTES, .length = PAGE_BYTES };

	return rig_apply(&p->rig, &op).clock_ns;
}

/* A read takes 1 us of the CPU and 40 us of the disk; another task has the CPU after the first. */
static void a_task_that_waits_for_the_disk_leaves_its_cpu(void **state)
{
	struct pair p;

	(void)state;
	pair_open(&p, "v2.6.31", false, 0);
	assert_int_equal(act(&p, OP_READ, 0, 1), FAULT + IO);
	assert_int_equal(neighbour(&p, 0), 2 * FAULT);
	assert_int_equal(neighbour(&p, 1), 3 * FAULT);
	/* It goes on when its page is there, or when the CPU is free. */
	assert_int_equal(act(&p, OP_READ, 1, 1), FAULT + IO + FAULT + IO);
	assert_int_equal(neighbour(&p, 2), FAULT + IO + FAULT + FAULT);
	rig_check(&p.rig, "two tasks");
	rig_close(&p.rig);
}

/* Many pages of one step are taken together, if nobody wants to be told of each. */
static void a_run_of_pages_is_waited_for_as_one(void **state)
{
	struct pair p;

	(void)state;
	pair_open(&p, "v2.6.31", false, NO_SWAP);
	p.m->wanted &= ~(1u << EVENT_CACHE);
	assert_int_equal(act(&p, OP_READ, 0, 32), 32 * (FAULT + IO));
	assert_int_equal(p.m->cpu[0].slept, 32 * IO);
	assert_int_equal(neighbour(&p, 0), 32 * FAULT + FAULT);
	rig_close(&p.rig);
}

/* Fifty pages take the CPU for longer than the disk is waited for. */
static void who_wakes_up_waits_for_the_cpu(void **state)
{
	enum { PAGES = 50 };
	struct pair p;
	struct op touch = { .kind = OP_TOUCH, .actor = 1, .length = PAGES * PAGE_BYTES };

	(void)state;
	pair_open(&p, "v2.6.31", false, 0);
	assert_int_equal(act(&p, OP_READ, 0, 1), FAULT + IO);
	touch.task = p.other;
	touch.object = p.map;
	assert_int_equal(rig_apply(&p.rig, &touch).clock_ns, FAULT + PAGES * FAULT);
	assert_int_equal(act(&p, OP_READ, 1, 1), FAULT + PAGES * FAULT + FAULT + IO);
	rig_close(&p.rig);
}

/* Two pages in one step: with locks, the CPU was held to the charge of the second. */
static void only_sleep_after_the_last_lock_is_given_away(void **state)
{
	static const struct {
		bool locks;
		ns_t slept;
	} rows[] = { { false, 2 * IO }, { true, IO } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct pair p;
		ns_t end;

		pair_open(&p, "v2.6.31", rows[i].locks, 0);
		end = act(&p, OP_READ, 0, 2);
		assert_int_equal(p.m->cpu[0].slept, rows[i].slept);
		p.map = rig_map(&p.rig, p.other, SIZE);
		/* The mapping was made at the end, by the actor that read. */
		assert_int_equal(p.m->cpu[0].slept, 0);
		assert_true(neighbour(&p, 0) > end);
		end = act(&p, OP_READ, 2, 2);
		assert_true(neighbour(&p, 1) > end - rows[i].slept);
		assert_true(neighbour(&p, 2) < end);
		rig_check(&p.rig, "locks");
		rig_close(&p.rig);
	}
}

/* A page is written in 40 us; fsync waits for all of that. */
static void a_task_that_waits_for_a_write_leaves_its_cpu(void **state)
{
	struct pair p;
	ns_t from;

	(void)state;
	pair_open(&p, "v2.6.31", false, 0);
	from = act(&p, OP_WRITE, 0, 1);
	assert_int_equal(act(&p, OP_FSYNC, 0, 1), from + WRITE);
	assert_int_equal(p.m->cpu[0].slept, WRITE);
	assert_int_equal(neighbour(&p, 0), from + FAULT);
	/* A nap that ends before the write does is slept too. */
	act(&p, OP_WRITE, 1, 1);
	p.m->host->now = run_now(p.rig.run);
	assert_int_equal(writeback_start_file(p.m, p.file, 1), 1);
	p.m->locks.slept = 0;
	writeback_progress(p.m, 1, WRITE / 4);
	assert_int_equal(p.m->locks.slept, WRITE / 4);
	rig_close(&p.rig);
}

/* A swap device is waited for; what is compressed in memory the CPU unpacks by itself. */
static void reading_from_compressed_memory_keeps_the_cpu(void **state)
{
	static const struct {
		int64_t swap_ns;
		ns_t slept;
	} rows[] = { { 0, 0 }, { WRITE, IO } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct op touch = { .kind = OP_TOUCH, .actor = 1, .length = PAGE_BYTES };
		struct op think = { .kind = OP_THINK, .actor = 1, .value = 1000000000 };
		struct pair p;

		pair_open(&p, "v2.6.31", false, rows[i].swap_ns);
		rig_limit(&p.rig, p.group, 100);
		rig_touch(&p.rig, p.other, p.map, 0, 200);
		rig_limit(&p.rig, p.group, 1000);
		rig_apply(&p.rig, &think);
		touch.task = p.other;
		touch.object = p.map;
		rig_apply(&p.rig, &touch);
		assert_int_equal(rig_memcg(&p.rig, p.group).majfault, 1);
		assert_int_equal(p.m->cpu[0].slept, rows[i].slept);
		rig_close(&p.rig);
	}
}

/* Whoever is above memory.high, or has too much dirty memory, sleeps for that and for all of it. */
static void a_task_that_is_slowed_down_leaves_its_cpu(void **state)
{
	struct op high = { .kind = OP_GROUP_SET };
	struct run_totals totals;
	struct pair p;

	(void)state;
	pair_open(&p, "v6.18", false, NO_SWAP);
	rig_touch(&p.rig, p.other, p.map, 0, 4096);
	high.object = p.group;
	high.group.set = GROUP_HIGH;
	high.group.high_pages = 2048;
	rig_apply(&p.rig, &high);
	rig_touch(&p.rig, p.other, p.map, 4096, 64);
	run_totals(p.rig.run, &totals);
	assert_true(totals.throttled_ns > 0);
	assert_int_equal(p.m->cpu[0].slept, totals.throttled_ns);
	rig_close(&p.rig);

	pair_open(&p, "v6.18", false, 0);
	rig_limit(&p.rig, p.group, 5000);
	act(&p, OP_WRITE, 0, 4096);
	run_totals(p.rig.run, &totals);
	assert_true(totals.dirty_wait_ns > 0);
	assert_int_equal(p.m->cpu[0].slept, totals.dirty_wait_ns);
	rig_close(&p.rig);
}

/* Once another task has run meanwhile, how long the CPU is idle is part of the state. */
static void without_neighbours_nothing_of_it_shows(void **state)
{
	char with[RUN_HASH_MAX], without[RUN_HASH_MAX];
	struct pair p;

	(void)state;
	pair_open(&p, "v2.6.31", false, 0);
	for (int i = 0; i < 2; i++) {
		ns_t slept;

		act(&p, OP_READ, (pages_t)i, 1);
		slept = p.m->cpu[0].slept;
		assert_int_equal(slept, IO);
		run_hash(p.rig.run, with);
		p.m->cpu[0].slept = 0;
		run_hash(p.rig.run, without);
		p.m->cpu[0].slept = slept;
		assert_int_equal(strcmp(with, without) == 0, i == 0);
		neighbour(&p, (pages_t)i);
	}
	rig_close(&p.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_that_waits_for_the_disk_leaves_its_cpu),
		cmocka_unit_test(a_run_of_pages_is_waited_for_as_one),
		cmocka_unit_test(who_wakes_up_waits_for_the_cpu),
		cmocka_unit_test(only_sleep_after_the_last_lock_is_given_away),
		cmocka_unit_test(a_task_that_waits_for_a_write_leaves_its_cpu),
		cmocka_unit_test(reading_from_compressed_memory_keeps_the_cpu),
		cmocka_unit_test(a_task_that_is_slowed_down_leaves_its_cpu),
		cmocka_unit_test(without_neighbours_nothing_of_it_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
