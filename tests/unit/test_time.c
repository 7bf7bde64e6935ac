/*
 * Time passes for what a run does, by the knobs of time and by nothing
 * else: each of them moves the end of a run in which what it stands for
 * happens, and a run without costs takes no time.
 */
#include <string.h>

#include "policy.h"
#include "rig.h"

enum { SLOWER = 1000, PAGES = 64 };	/* [ns] added to a knob */

/* Where knobs are looked for; with locks, two CPUs share a group's counters. */
static const struct { const char *kernel; bool locks; int64_t swap_ns, lines; } machines[] = {
	{ "v2.6.31", true, 0, 0 },
	{ "v3.19", true, 0, 0 },
	{ "v3.5+stat=dirty", true, 0, 0 },
	{ "v2.6.31", false, SLOWER, 0 },
	{ "v2.6.32", true, 0, 1 },
	{ "v2.6.25+owner=radix+lookaside=prefetch", false, 0, 0 },
};

/* Between what is done, not of it: they change when something is looked at; and what is taken
 * while charges move, which test_statistics.c is about. */
static const char *const periods[] = { "flush_ns", "grace_ns", "dirty_expire_ns",
				       "dirty_writeback_ns", "move_lock_ns" };

static bool is_period(const char *name)
{
	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++)
		if (!strcmp(periods[i], name))
			return true;
	return false;
}

/* A page of a group that is not accounted, where the kernel can have one. */
static void pass_over(struct rig *rig, const struct scenario *sc)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = RIG_ROOT, .name = "free" };
	uint32_t task;

	if (sc->era.value[AXIS_SWAP_ACCOUNT] != SWAP_ACCOUNT_OFF)
		return;
	op.group.set = GROUP_ACCOUNT;
	task = rig_task(rig, rig_apply(rig, &op).id, 0);
	rig_touch(rig, task, rig_map(rig, task, 1), 0, 1);
}

/* Reads, hits, writes, swapping, reclaim, freeing, execs, on two CPUs in turns. */
static ns_t end_of(const struct scenario *sc)
{
	struct run_totals totals;
	uint32_t group, task[2], file, map, i;
	struct op op = { .kind = OP_WRITE, .length = PAGES * PAGE_BYTES };
	struct rig rig;

	rig_open_scenario(&rig, sc);
	group = rig_group(&rig, RIG_ROOT, "g", 5 * PAGES / 2);
	file = rig_file(&rig, 4 * PAGES);
	for (i = 0; i < 2; i++)
		task[i] = rig_task(&rig, group, i);
	map = rig_map(&rig, task[0], 3 * PAGES);
	for (i = 0; i < 3; i++)
		rig_touch(&rig, task[0], map, i * PAGES, PAGES);
	rig_touch(&rig, task[0], map, 0, PAGES);
	for (i = 0; i < 6; i++)
		rig_read(&rig, task[i % 2], file, i / 2 * PAGES, PAGES);
	op.task = task[0];
	op.object = rig_file(&rig, PAGES);
	rig_apply(&rig, &op);
	rig_apply(&rig, &(struct op){ .kind = OP_FSYNC, .task = task[0], .object = op.object });
	rig_touch(&rig, task[0], map, PAGES, PAGES);
	rig_unmap(&rig, task[0], map);
	rig_read(&rig, task[0], file, 0, 4 * PAGES);
	rig_apply(&rig, &(struct op){ .kind = OP_EXEC, .task = task[0], .offset = 3, .length = 3,
				      .count = 20 });
	pass_over(&rig, sc);
	run_totals(rig.run, &totals);
	rig_close(&rig);
	return totals.sim_ns;
}

static void scenario_of(struct scenario *sc, size_t machine)
{
	rig_scenario(sc, machines[machine].kernel, 2);
	sc->locks = machines[machine].locks;
	sc->swap_pages = 4 * PAGES;
	sc->era.knobs.swap_ns = machines[machine].swap_ns;
	/* Devices that take their time are read ahead. */
	sc->era.knobs.readahead = machines[machine].swap_ns ? 8 : 0;
	sc->era.knobs.lock_lines = machines[machine].lines;
}

static bool moves_a_run(const char *name)
{
	struct scenario sc;
	size_t i, knob;
	ns_t before;

	for (knob = 0; strcmp(knob_at(knob)->name, name) != 0; knob++)
		;
	for (i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		scenario_of(&sc, i);
		before = end_of(&sc);
		assert_int_equal(knob_set(&sc.era.knobs, name,
					  knob_get(&sc.era.knobs, knob) + SLOWER, NULL),
				 ERR_OK);
		if (end_of(&sc) != before)
			return true;
	}
	return false;
}

static void each_knob_of_time_moves_the_end_of_a_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < knob_count(); i++) {
		const struct knob_desc *knob = knob_at(i);

		if (strcmp(knob->unit, "ns") != 0 || is_period(knob->name))
			continue;
		if (!moves_a_run(knob->name))
			fail_msg("%s: nothing takes this time", knob->name);
	}
}

static void without_costs_no_time_passes(void **state)
{
	struct scenario sc;

	(void)state;
	scenario_of(&sc, 0);
	for (size_t i = 0; i < knob_count(); i++) {
		const struct knob_desc *knob = knob_at(i);

		if (strcmp(knob->unit, "ns") == 0 && !is_period(knob->name))
			assert_int_equal(knob_set(&sc.era.knobs, knob->name, knob->min, NULL),
					 ERR_OK);
	}
	/* An exec cannot take less than 1 ns. */
	assert_int_equal(end_of(&sc), 20);
}

/* What an unmapping frees, page by page, before each is uncharged. */
static void freeing_a_page_takes_time(void **state)
{
	struct run_totals totals;
	struct scenario sc;
	uint32_t task, map;
	struct rig rig;
	ns_t before;

	(void)state;
	rig_scenario(&sc, "v2.6.31", 1);
	sc.era.knobs.unmap_ns = SLOWER;
	rig_open_scenario(&rig, &sc);
	task = rig_task(&rig, RIG_ROOT, 0);
	map = rig_map(&rig, task, PAGES);
	rig_touch(&rig, task, map, 0, PAGES);
	run_totals(rig.run, &totals);
	before = totals.sim_ns;
	rig_unmap(&rig, task, map);
	run_totals(rig.run, &totals);
	assert_int_equal(totals.sim_ns - before, PAGES * SLOWER);
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_knob_of_time_moves_the_end_of_a_run),
		cmocka_unit_test(without_costs_no_time_passes),
		cmocka_unit_test(freeing_a_page_takes_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
