/*
 * Verdicts on small runs whose end is known, and what a group's usage is
 * made of: on every kernel the parts add up to it.
 */
#include <string.h>

#include "levels.h"
#include "policy.h"
#include "rig.h"
#include "verdict.h"

/* A rig whose events are noted. */
struct trial {
	struct sink sink;
	struct verdict_facts facts;
	struct rig rig;
};

static enum err note(struct sink *sink, const struct event *event, struct diag *diag)
{
	(void)diag;
	verdict_note(&((struct trial *)sink)->facts, event);
	return ERR_OK;
}

static void open_trial(struct trial *t, const char *kernel)
{
	memset(t, 0, sizeof(*t));
	rig_open(&t->rig, kernel, 1);
	t->sink = (struct sink){ .name = "facts", .mask = VERDICT_EVENTS, .event = note };
	assert_int_equal(run_add_sink(t->rig.run, &t->sink, &t->rig.diag), ERR_OK);
}

/* The run ends in this verdict, and its line holds @part. */
static void ends_in(struct trial *t, enum verdict_kind kind, const char *part)
{
	struct verdict verdict;

	verdict_of(t->rig.run, &t->facts, &verdict);
	if (verdict.kind != kind || !strstr(verdict.text, part))
		fail_msg("\"%s\" instead of %s with \"%s\"", verdict.text, verdict_name(kind),
			 part);
	assert_ptr_equal(strstr(verdict.text, verdict_name(kind)), verdict.text);
	rig_close(&t->rig);
}

static uint32_t group_with(struct trial *t, const struct group_conf *conf)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = RIG_ROOT, .name = "g", .group = *conf };

	return rig_apply(&t->rig, &op).id;
}

static void a_run_that_met_no_limit_fits_without_pressure(void **state)
{
	struct trial t;
	uint32_t task;

	(void)state;
	open_trial(&t, "v3.3");
	task = rig_task(&t.rig, rig_group(&t.rig, RIG_ROOT, "g", 1000), 0);
	assert_int_equal(rig_read(&t.rig, task, rig_file(&t.rig, 500), 0, 500), OP_DONE);
	ends_in(&t, VERDICT_FITS, "fits: no pressure");
}

static void a_stream_fits_because_nothing_of_it_comes_back(void **state)
{
	struct trial t;
	uint32_t task;

	(void)state;
	open_trial(&t, "v6.18-v1");
	task = rig_task(&t.rig, rig_group(&t.rig, RIG_ROOT, "g", 1000), 0);
	assert_int_equal(rig_read(&t.rig, task, rig_file(&t.rig, 8000), 0, 8000), OP_DONE);
	ends_in(&t, VERDICT_FITS, "pages reclaimed, 0 came back");
}

static void a_kernel_without_shadows_is_counted_by_the_laboratory(void **state)
{
	struct trial t;
	uint32_t task;

	(void)state;
	open_trial(&t, "v3.3");
	task = rig_task(&t.rig, rig_group(&t.rig, RIG_ROOT, "g", 1000), 0);
	assert_int_equal(rig_read(&t.rig, task, rig_file(&t.rig, 8000), 0, 8000), OP_DONE);
	ends_in(&t, VERDICT_FITS, "pages reclaimed, 0 came back");
}

/* 400 pages in turn where 100 have room, beside 900 that cannot go. */
static void a_loop_over_more_than_is_left_thrashes(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v3.1", "v3.3", "v6.18-v1", "v6.18" };
	uint32_t task, file, map;
	struct trial t;

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		open_trial(&t, kernels[i]);
		task = rig_task(&t.rig, rig_group(&t.rig, RIG_ROOT, "g", 1000), 0);
		map = rig_map(&t.rig, task, 900);
		assert_int_equal(rig_touch(&t.rig, task, map, 0, 900), OP_DONE);
		file = rig_file(&t.rig, 400);
		for (int round = 0; round < 20; round++)
			assert_int_equal(rig_read(&t.rig, task, file, 0, 400), OP_DONE);
		ends_in(&t, VERDICT_THRASHES, " pages/s came back, ");
	}
}

/* The same loop where there is room for it. */
static void with_room_for_the_loop_it_stops(void **state)
{
	struct trial t;
	uint32_t task, file, map;

	(void)state;
	open_trial(&t, "v6.18-v1+stat_flush=exact");
	task = rig_task(&t.rig, rig_group(&t.rig, RIG_ROOT, "g", 1500), 0);
	map = rig_map(&t.rig, task, 900);
	assert_int_equal(rig_touch(&t.rig, task, map, 0, 900), OP_DONE);
	file = rig_file(&t.rig, 400);
	for (int round = 0; round < 20; round++)
		assert_int_equal(rig_read(&t.rig, task, file, 0, 400), OP_DONE);
	ends_in(&t, VERDICT_FITS, "no pressure");
}

static void anonymous_memory_above_high_is_frozen(void **state)
{
	const struct group_conf conf = { .set = GROUP_HIGH, .high_pages = 3000 };
	struct trial t;
	uint32_t task, map;

	(void)state;
	open_trial(&t, "v6.18");
	task = rig_task(&t.rig, group_with(&t, &conf), 0);
	map = rig_map(&t.rig, task, 4000);
	assert_int_equal(rig_touch(&t.rig, task, map, 0, 4000), OP_DONE);
	ends_in(&t, VERDICT_FROZEN, "frozen at high, no way out: g, asleep for 9");
}

static void a_kill_names_the_victim_and_why(void **state)
{
	struct trial t;
	uint32_t task, map;

	(void)state;
	open_trial(&t, "v3.3");
	task = rig_task(&t.rig, rig_group(&t.rig, RIG_ROOT, "g", 100), 0);
	map = rig_map(&t.rig, task, 200);
	assert_int_equal(rig_touch(&t.rig, task, map, 0, 200), OP_KILLED);
	ends_in(&t, VERDICT_OOM, "OOM: task killed at g, oom_rss 1000; kills 1");
}

/* The task has left; its pages stay charged, and there is no swap. */
static void out_of_memory_with_nobody_to_kill_is_no_victim(void **state)
{
	struct op move = { .kind = OP_TASK_MOVE, .object = RIG_ROOT };
	struct trial t;
	uint32_t map, group;

	(void)state;
	open_trial(&t, "v6.18");
	group = rig_group(&t.rig, RIG_ROOT, "g", 1000);
	move.task = rig_task(&t.rig, group, 0);
	map = rig_map(&t.rig, move.task, 500);
	assert_int_equal(rig_touch(&t.rig, move.task, map, 0, 500), OP_DONE);
	rig_apply(&t.rig, &move);
	assert_int_equal(rig_limit(&t.rig, group, 100), OP_DONE);
	ends_in(&t, VERDICT_NO_VICTIM, "out of memory at g, nobody to kill; times 1");
}

static void a_limit_that_cannot_be_lowered_is_a_failure_without_oom(void **state)
{
	struct trial t;
	uint32_t task, map, group;

	(void)state;
	open_trial(&t, "v3.3");
	group = rig_group(&t.rig, RIG_ROOT, "g", 1000);
	task = rig_task(&t.rig, group, 0);
	map = rig_map(&t.rig, task, 500);
	assert_int_equal(rig_touch(&t.rig, task, map, 0, 500), OP_DONE);
	assert_int_equal(rig_limit(&t.rig, group, 100), OP_BUSY);
	ends_in(&t, VERDICT_FAILED, "g cannot shrink to 100p from 5");
}

static void a_task_that_sleeps_at_its_limit_is_a_failure_without_oom(void **state)
{
	const struct group_conf conf = {
		.set = GROUP_LIMIT | GROUP_OOM_DISABLE,
		.limit_pages = 100,
		.oom_disable = true,
	};
	struct trial t;
	uint32_t task, map;

	(void)state;
	open_trial(&t, "v3.3");
	task = rig_task(&t.rig, group_with(&t, &conf), 0);
	map = rig_map(&t.rig, task, 200);
	assert_int_equal(rig_touch(&t.rig, task, map, 0, 200), OP_BLOCKED);
	ends_in(&t, VERDICT_FAILED, "a task sleeps at the limit of g");
}

static void a_long_path_keeps_both_ends(void **state)
{
	struct trial t;
	uint32_t task, map, up;

	(void)state;
	open_trial(&t, "v3.3");
	up = rig_group(&t.rig, RIG_ROOT, "a-slice-with-a-long-name", 0);
	up = rig_group(&t.rig, up, "and-a-scope-with-another", 100);
	task = rig_task(&t.rig, up, 0);
	map = rig_map(&t.rig, task, 200);
	assert_int_equal(rig_touch(&t.rig, task, map, 0, 200), OP_KILLED);
	ends_in(&t, VERDICT_OOM, "killed at a-slice-with-...-with-another, ");
}

/* ---- parts ---- */

/* At this moment the parts of every group add up. */
static void parts_add_up(struct rig *rig, const char *kernel)
{
	struct levels_parts parts;

	for (uint32_t id = 1; id <= run_memcg_max(rig->run); id++)
		if (levels_parts(rig->run, id, &parts) && levels_sum(&parts) != parts.usage)
			fail_msg("%s: group %u: usage %llu, parts %llu", kernel, id,
				 (unsigned long long)parts.usage,
				 (unsigned long long)levels_sum(&parts));
}

static void on_every_kernel_the_parts_are_the_usage(void **state)
{
	struct era era;

	(void)state;
	for (size_t k = 0; era_at(k, &era); k++) {
		uint32_t parent, child[2], task[2], file, map;
		struct rig rig;

		if (!era.runnable || era.value[AXIS_MEMCG] == MEMCG_OFF)
			continue;
		rig_open(&rig, era.name, 2);
		/* v2.6.25 has no hierarchy: each group has a limit of its own there. */
		parent = RIG_ROOT;
		if (era.value[AXIS_HIERARCHY] != HIERARCHY_NONE)
			parent = rig_hierarchy(&rig, RIG_ROOT, "jobs", 1500);
		file = rig_file(&rig, 3000);
		for (uint32_t i = 0; i < 2; i++) {
			child[i] = rig_group(&rig, parent, i ? "b" : "a",
					     i && parent != RIG_ROOT ? 0 : 900);
			task[i] = rig_task(&rig, child[i], i);
			map = rig_map(&rig, task[i], 200);
			assert_int_equal(rig_touch(&rig, task[i], map, 0, 200), OP_DONE);
			parts_add_up(&rig, era.name);
		}
		for (pages_t at = 0; at < 3000; at += 100) {
			rig_read(&rig, task[at / 100 % 2], file, at, 100);
			parts_add_up(&rig, era.name);
		}
		rig_close(&rig);
	}
}

static void the_three_numbers_follow_from_the_lists(void **state)
{
	struct levels_parts parts;
	struct rig rig;
	uint32_t group, task, file, map;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 10000);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 140);
	map = rig_map(&rig, task, 14);
	assert_int_equal(rig_touch(&rig, task, map, 0, 14), OP_DONE);
	assert_int_equal(rig_read(&rig, task, file, 0, 140), OP_DONE);
	rig_drain(&rig, task);
	assert_true(levels_parts(rig.run, group, &parts));
	assert_int_equal(parts.rss, 14);
	assert_int_equal(parts.cache, 140);
	assert_int_equal(levels_working_set(&parts), parts.usage - 140);
	assert_int_equal(levels_droppable(&parts), 140);
	/* Read again: active, so it counts as in use, and could still be dropped. */
	for (pages_t i = 0; i < 140; i++)
		assert_int_equal(rig_read(&rig, task, file, i, 1), OP_DONE);
	for (pages_t i = 0; i < 140; i++)
		assert_int_equal(rig_read(&rig, task, file, i, 1), OP_DONE);
	rig_drain(&rig, task);
	assert_true(levels_parts(rig.run, group, &parts));
	assert_int_equal(levels_working_set(&parts), parts.usage);
	assert_int_equal(levels_droppable(&parts), 140);
	assert_false(levels_parts(rig.run, 99, &parts));
	rig_close(&rig);
}

static void dirty_pages_cannot_be_dropped(void **state)
{
	struct op op = { .kind = OP_WRITE, .length = 140 * PAGE_BYTES };
	struct levels_parts parts;
	struct rig rig;
	uint32_t group;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 10000);
	op.task = rig_task(&rig, group, 0);
	op.object = rig_file(&rig, 140);
	rig_apply(&rig, &op);
	rig_drain(&rig, op.task);
	assert_true(levels_parts(rig.run, group, &parts));
	assert_int_equal(parts.cache, 140);
	assert_int_equal(levels_droppable(&parts), 0);
	rig_close(&rig);
}

/* ---- levels ---- */

static void the_level_with_the_least_left_binds_and_the_lower_of_equals(void **state)
{
	struct levels_bind bind;
	uint32_t jobs, a, b, path[LEVELS_MAX];
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	jobs = rig_hierarchy(&rig, RIG_ROOT, "jobs", 1000);
	a = rig_group(&rig, jobs, "a", 500);
	b = rig_group(&rig, jobs, "b", 1000);
	bind = levels_binds(rig.run, a, false);
	assert_true(bind.id == a && bind.left == 500);
	bind = levels_binds(rig.run, a, true);
	assert_true(bind.id == jobs && bind.left == 1000);
	bind = levels_binds(rig.run, b, false);
	assert_true(bind.id == b);
	assert_int_equal(rig_read(&rig, rig_task(&rig, a, 0), rig_file(&rig, 400), 0, 400),
			 OP_DONE);
	rig_read(&rig, rig_task(&rig, b, 0), rig_file(&rig, 520), 0, 520);
	bind = levels_binds(rig.run, a, false);
	assert_int_equal(bind.id, jobs);
	assert_int_equal(bind.left, 1000 - rig_memcg(&rig, jobs).usage);
	/* The root counts nothing of a hierarchy below it before v2. */
	assert_int_equal(levels_of(rig.run, a, path), 2);
	assert_true(path[0] == a && path[1] == jobs);
	assert_int_equal(levels_binds(rig.run, RIG_ROOT, false).id, 0);
	rig_close(&rig);
	rig_open(&rig, "v6.18", 1);
	a = rig_group(&rig, rig_group(&rig, RIG_ROOT, "jobs", 10), "a", 0);
	assert_int_equal(levels_of(rig.run, a, path), 3);
	rig_close(&rig);
}

static void the_walk_says_who_was_last_and_who_is_next(void **state)
{
	uint32_t jobs, a, b, task, lone;
	struct levels_walk walk;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.1", 1);
	jobs = rig_hierarchy(&rig, RIG_ROOT, "jobs", 300);
	a = rig_group(&rig, jobs, "a", 0);
	b = rig_group(&rig, jobs, "b", 0);
	lone = rig_group(&rig, RIG_ROOT, "lone", 100);
	walk = levels_walk(rig.run, jobs);
	assert_true(!walk.alone && walk.last == 0 && walk.next == jobs);
	task = rig_task(&rig, a, 0);
	assert_int_equal(rig_read(&rig, task, rig_file(&rig, 400), 0, 301), OP_DONE);
	walk = levels_walk(rig.run, jobs);
	assert_int_equal(walk.last, rig_memcg(&rig, jobs).last_child);
	assert_int_equal(walk.next, walk.last == jobs ? a : walk.last == a ? b : jobs);
	assert_true(levels_walk(rig.run, lone).alone);
	assert_true(levels_within(rig.run, a, jobs) && !levels_within(rig.run, lone, jobs));
	rig_close(&rig);
}

/* v3.3: the first hit finds an empty parent at the first priority, so the child is next there. */
static void the_iterators_walk_is_told_for_the_first_priority(void **state)
{
	uint32_t jobs, a, b, task;
	struct levels_walk walk;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	jobs = rig_hierarchy(&rig, RIG_ROOT, "jobs", 300);
	a = rig_group(&rig, jobs, "a", 0);
	b = rig_group(&rig, jobs, "b", 0);
	walk = levels_walk(rig.run, jobs);
	assert_true(walk.many && !walk.alone && walk.last == 0 && walk.next == jobs);
	task = rig_task(&rig, a, 0);
	assert_int_equal(rig_read(&rig, task, rig_file(&rig, 400), 0, 301), OP_DONE);
	walk = levels_walk(rig.run, jobs);
	assert_int_equal(walk.last, rig_memcg(&rig, jobs).walk_position);
	assert_true(walk.last != 0);
	assert_int_equal(walk.next, walk.last == jobs ? a : walk.last == a ? b : jobs);
	rig_close(&rig);
}

static void the_tree_walk_goes_on_with_the_child_then_the_sibling(void **state)
{
	uint32_t jobs, a, b, below, task;
	struct levels_walk walk;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18", 1);
	jobs = rig_group(&rig, RIG_ROOT, "jobs", 600);
	a = rig_group(&rig, jobs, "a", 0);
	b = rig_group(&rig, jobs, "b", 0);
	below = rig_group(&rig, a, "below", 0);
	task = rig_task(&rig, below, 0);
	assert_int_equal(levels_walk(rig.run, jobs).next, jobs);
	for (int i = 0; i < 6; i++) {
		const uint32_t after[][2] = { { 0, jobs },
					      { jobs, a },
					      { a, below },
					      { below, b },
					      { b, jobs } };
		bool known = false;

		assert_int_equal(rig_read(&rig, task, rig_file(&rig, 700), 0, 700), OP_DONE);
		walk = levels_walk(rig.run, jobs);
		for (size_t k = 0; k < 5; k++)
			known |= after[k][0] == walk.last && after[k][1] == walk.next;
		assert_true(known);
	}
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_that_met_no_limit_fits_without_pressure),
		cmocka_unit_test(a_stream_fits_because_nothing_of_it_comes_back),
		cmocka_unit_test(a_kernel_without_shadows_is_counted_by_the_laboratory),
		cmocka_unit_test(a_loop_over_more_than_is_left_thrashes),
		cmocka_unit_test(with_room_for_the_loop_it_stops),
		cmocka_unit_test(anonymous_memory_above_high_is_frozen),
		cmocka_unit_test(a_kill_names_the_victim_and_why),
		cmocka_unit_test(out_of_memory_with_nobody_to_kill_is_no_victim),
		cmocka_unit_test(a_limit_that_cannot_be_lowered_is_a_failure_without_oom),
		cmocka_unit_test(a_task_that_sleeps_at_its_limit_is_a_failure_without_oom),
		cmocka_unit_test(a_long_path_keeps_both_ends),
		cmocka_unit_test(on_every_kernel_the_parts_are_the_usage),
		cmocka_unit_test(the_three_numbers_follow_from_the_lists),
		cmocka_unit_test(dirty_pages_cannot_be_dropped),
		cmocka_unit_test(the_level_with_the_least_left_binds_and_the_lower_of_equals),
		cmocka_unit_test(the_walk_says_who_was_last_and_who_is_next),
		cmocka_unit_test(the_iterators_walk_is_told_for_the_first_priority),
		cmocka_unit_test(the_tree_walk_goes_on_with_the_child_then_the_sibling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
