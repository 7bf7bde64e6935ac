/*
 * Where walks over a hierarchy stand: every place that the kernel keeps, at
 * every sample at which one of them has moved.
 */
#include "walk.h"

#include "levels.h"
#include "pcg.h"
#include "rig.h"
#include "run_private.h"

#define MIB ((bytes_t)1 << 20)

enum { LIMIT = 100 };	/* [pages] of the parent */

struct family {
	struct rig rig;
	uint32_t jobs, child[3], task[3], file;
};

/* Three children read files, one after the other; a sample after each step. */
static void family_open(struct family *f, const char *kernel, uint32_t nodes)
{
	static const char *const names[] = { "a", "b", "c" };
	struct scenario sc;

	rig_scenario(&sc, kernel, nodes);
	sc.nodes = nodes;
	sc.memory.nr_ranges = 1;
	sc.memory.range[0] = (struct pcg_range){ 0, nodes * 64 * MIB };
	sc.era.knobs.sample_steps = 1;
	rig_open_scenario(&f->rig, &sc);
	f->jobs = rig_hierarchy(&f->rig, RIG_ROOT, "jobs", LIMIT);
	for (uint32_t i = 0; i < 3; i++) {
		f->child[i] = rig_hierarchy(&f->rig, f->jobs, names[i], 0);
		f->task[i] = rig_task(&f->rig, f->child[i], i % nodes);
	}
	rig_forget(&f->rig);
}

static void read_all(struct family *f, uint32_t i, pages_t pages)
{
	assert_int_equal(rig_read(&f->rig, f->task[i], rig_file(&f->rig, pages), 0, pages),
			 OP_DONE);
}

static const struct event *newest(struct family *f)
{
	return rig_nth(&f->rig, EVENT_WALK, rig_count(&f->rig, EVENT_WALK) - 1);
}

/* Where the kernel is, the sample tells: each place by run_walk and by the newest events. */
static void told_is_what_is(struct family *f)
{
	size_t nr = rig_count(&f->rig, EVENT_WALK), places = 0;
	struct run_walk at;

	while (run_walk(f->rig.run, f->jobs, (uint32_t)places, &at))
		places++;
	assert_true(places > 0 && nr >= places);
	for (size_t i = 0; i < places; i++) {
		const struct event *event = rig_nth(&f->rig, EVENT_WALK, nr - places + i);

		assert_true(run_walk(f->rig.run, f->jobs, (uint32_t)i, &at));
		assert_int_equal(event->memcg, f->jobs);
		assert_int_equal(event->n[WALK_NODE], at.node);
		assert_int_equal(event->n[WALK_ZONE], at.zone);
		assert_int_equal(event->n[WALK_PRIORITY], at.priority);
		assert_int_equal(event->n[WALK_LAST], at.last);
		assert_int_equal(event->n[WALK_ROUNDS], at.rounds);
	}
}

/* v2.6.31 keeps the child that was scanned last, for all zones and priorities. */
static void one_cursor_stands_for_all(void **state)
{
	struct family f;
	struct run_walk at;

	(void)state;
	family_open(&f, "v2.6.31", 1);
	assert_true(run_walk(f.rig.run, f.jobs, 0, &at));
	assert_int_equal(at.last, 0);
	read_all(&f, 0, 2 * LIMIT);
	told_is_what_is(&f);
	assert_true(run_walk(f.rig.run, f.jobs, 0, &at));
	assert_int_equal(at.node, -1);
	assert_int_equal(at.zone, -1);
	assert_int_equal(at.priority, -1);
	assert_int_equal(at.last, rig_memcg(&f.rig, f.jobs).last_child);
	assert_false(run_walk(f.rig.run, f.jobs, 1, &at));
	rig_close(&f.rig);
}

/* Iterators of the parent that are not where they began. */
static uint32_t used(const struct family *f)
{
	const struct memcg *jobs = &run_machine(f->rig.run)->memcgs.memcg[f->jobs];
	uint32_t nr = 0;

	for (int i = 0; i < ALL_ZONES_MAX * PRIORITIES; i++)
		nr += jobs->iter[i / PRIORITIES][i % PRIORITIES].position ||
		      jobs->iter[i / PRIORITIES][i % PRIORITIES].generation;
	return nr;
}

/* v3.3 has an iterator for each zone and priority; the loop began at 12 and went further down.  One
 * that has not come to an end yet is told, too. */
static void each_zone_and_priority_has_its_place(void **state)
{
	struct run_walk at;
	int32_t before = 99;
	struct family f;
	uint32_t nr = 0;

	(void)state;
	family_open(&f, "v3.3", 1);
	assert_false(run_walk(f.rig.run, f.jobs, 0, &at));
	assert_int_equal(memcg_iter_first(&run_machine(f.rig.run)->memcgs, f.jobs, 0, 12), f.jobs);
	assert_true(run_walk(f.rig.run, f.jobs, 0, &at));
	assert_int_equal(at.last, f.jobs);
	assert_int_equal(at.rounds, 0);
	read_all(&f, 0, 2 * LIMIT);
	read_all(&f, 1, 2 * LIMIT);
	told_is_what_is(&f);
	for (; run_walk(f.rig.run, f.jobs, nr, &at); nr++) {
		assert_int_equal(at.node, 0);
		assert_true(at.zone >= 0);
		assert_true(at.priority < before);
		before = at.priority;
		if (nr)
			continue;
		assert_int_equal(at.priority, 12);
		assert_int_equal(at.last, rig_memcg(&f.rig, f.jobs).walk_position);
	}
	assert_true(nr > 1);
	assert_int_equal(nr, used(&f));
	rig_close(&f.rig);
}

/* v6.18 has a position on each node. */
static void each_node_has_its_place(void **state)
{
	struct family f;
	struct run_walk at[2];

	(void)state;
	family_open(&f, "v6.18-v1", 2);
	read_all(&f, 1, 2 * LIMIT);
	told_is_what_is(&f);
	for (uint32_t i = 0; i < 2; i++) {
		assert_true(run_walk(f.rig.run, f.jobs, i, &at[i]));
		assert_int_equal(at[i].node, i);
		assert_int_equal(at[i].zone, -1);
		assert_int_equal(at[i].last,
				 run_machine(f.rig.run)->memcgs.memcg[f.jobs].walk_position[i]);
	}
	assert_false(run_walk(f.rig.run, f.jobs, 2, &at[0]));
	rig_close(&f.rig);
}

/* A sample tells of a group again only when a walk over it has moved. */
static void what_stands_still_is_told_once(void **state)
{
	struct family f;
	size_t nr;

	(void)state;
	family_open(&f, "v6.18-v1", 1);
	read_all(&f, 0, 10);
	assert_int_equal(rig_count(&f.rig, EVENT_WALK), 0);
	read_all(&f, 0, 2 * LIMIT);
	nr = rig_count(&f.rig, EVENT_WALK);
	assert_true(nr > 0);
	assert_int_equal(newest(&f)->step, run_steps(f.rig.run));
	rig_drain(&f.rig, f.task[0]);
	assert_int_equal(rig_count(&f.rig, EVENT_WALK), nr);
	rig_close(&f.rig);
}

static void a_group_without_a_hierarchy_has_none(void **state)
{
	struct run_walk at;
	struct rig rig;
	uint32_t lone, task;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	lone = rig_group(&rig, RIG_ROOT, "lone", LIMIT);
	task = rig_task(&rig, lone, 0);
	rig_read(&rig, task, rig_file(&rig, 2 * LIMIT), 0, 2 * LIMIT);
	assert_false(run_walk(rig.run, lone, 0, &at));
	assert_false(run_walk(rig.run, 99, 0, &at));
	rig_close(&rig);
}

/* Whose turn is next is told for each place: in the tree after the last, or the top again. */
static void the_next_of_each_place_is_known(void **state)
{
	struct family f;
	struct run_walk at;
	uint32_t next;

	(void)state;
	family_open(&f, "v6.18-v1", 2);
	assert_true(levels_walk_at(f.rig.run, f.jobs, 1, &at, &next));
	assert_int_equal(at.last, 0);
	assert_int_equal(next, f.jobs);
	read_all(&f, 0, 2 * LIMIT);
	assert_true(levels_walk_at(f.rig.run, f.jobs, 0, &at, &next));
	assert_int_equal(next, levels_walk(f.rig.run, f.jobs).next);
	assert_false(levels_walk_at(f.rig.run, f.jobs, 2, &at, &next));
	rig_close(&f.rig);
}

/* That places were told is no part of the state. */
static void telling_changes_no_state(void **state)
{
	char hash[2][RUN_HASH_MAX];

	(void)state;
	for (int64_t steps = 1; steps < 3; steps++) {
		struct scenario sc;
		struct rig rig;
		uint32_t jobs, task;

		rig_scenario(&sc, "v3.3", 1);
		sc.era.knobs.sample_steps = steps == 1 ? 1 : 1000000;
		rig_open_scenario(&rig, &sc);
		jobs = rig_hierarchy(&rig, RIG_ROOT, "jobs", LIMIT);
		task = rig_task(&rig, jobs, 0);
		rig_read(&rig, task, rig_file(&rig, 2 * LIMIT), 0, 2 * LIMIT);
		assert_int_equal(rig_count(&rig, EVENT_WALK) > 0, steps == 1);
		run_hash(rig.run, hash[steps - 1]);
		rig_close(&rig);
	}
	assert_string_equal(hash[0], hash[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_cursor_stands_for_all),
		cmocka_unit_test(each_zone_and_priority_has_its_place),
		cmocka_unit_test(each_node_has_its_place),
		cmocka_unit_test(what_stands_still_is_told_once),
		cmocka_unit_test(a_group_without_a_hierarchy_has_none),
		cmocka_unit_test(the_next_of_each_place_is_known),
		cmocka_unit_test(telling_changes_no_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
