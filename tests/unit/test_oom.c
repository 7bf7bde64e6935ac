/*
 * Out of memory in a group: who is killed and with what score, and what
 * becomes of the charge that asked.
 */
#include "oom.h"

#include <string.h>

#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { LIMIT = 256 };

#define RUN_SECONDS(s) ((int64_t)(s)*1000000000)

struct group {
	struct rig rig;
	uint32_t id, small, large; /* tasks: small maps little, large maps much */
	uint32_t small_map, large_map;
};

/* Two tasks: one maps 200 pages and has 160 of them, the other maps 1000 and has 64. */
static void group_open(struct group *g, const char *kernel)
{
	rig_open(&g->rig, kernel, 1);
	g->id = rig_group(&g->rig, RIG_ROOT, "g", LIMIT);
	g->small = rig_task(&g->rig, g->id, 0);
	g->large = rig_task(&g->rig, g->id, 0);
	g->small_map = rig_map(&g->rig, g->small, 200);
	g->large_map = rig_map(&g->rig, g->large, 1000);
	assert_int_equal(rig_touch(&g->rig, g->small, g->small_map, 0, 160), OP_DONE);
	assert_int_equal(rig_touch(&g->rig, g->large, g->large_map, 0, 64), OP_DONE);
}

static bool alive(struct group *g, uint32_t id)
{
	struct run_task task;

	assert_true(run_task(g->rig.run, id, &task));
	return task.alive;
}

/* The one kill of @g was @victim's, with @score by @rule. */
static void check_kill(struct group *g, uint32_t victim, int64_t score, enum rule rule)
{
	const struct event *oom = rig_nth(&g->rig, EVENT_OOM, 0);

	assert_int_equal(rig_count(&g->rig, EVENT_OOM), 1);
	assert_int_equal(oom->n[OOM_AT], g->id);
	assert_int_equal(oom->n[OOM_VICTIM], victim);
	assert_int_equal(oom->n[OOM_SCORE], score);
	assert_int_equal(oom->rule, rule);
	assert_false(alive(g, victim));
	assert_int_equal(rig_memcg(&g->rig, g->id).oom_kills, 1);
	rig_check(&g->rig, "after a kill");
}

static void the_largest_address_space_dies_before_3_1(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v2.6.32" };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct group g;

		group_open(&g, kernels[k]);
		/* 32 pages of room are left; the page after them is one too many. */
		assert_int_equal(rig_touch(&g.rig, g.small, g.small_map, 160, 33), OP_DONE);
		check_kill(&g, g.large, 1000, RULE_OOM_BADNESS);
		assert_true(alive(&g, g.small));
		assert_int_equal(rig_nth(&g.rig, EVENT_OOM, 0)->n[OOM_FREED], 64);
		assert_int_equal(rig_memcg(&g.rig, g.id).usage, 193);
		rig_close(&g.rig);
	}
}

static void the_largest_resident_share_dies_from_3_1_on(void **state)
{
	static const char *const kernels[] = { "v3.1", "v3.1+lru=per_memcg", "v3.3" };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct group g;

		group_open(&g, kernels[k]);
		/* 160 of 256 pages are 625 thousandths. */
		assert_int_equal(rig_touch(&g.rig, g.large, g.large_map, 64, 33), OP_DONE);
		check_kill(&g, g.small, 625, RULE_OOM_RSS);
		assert_int_equal(rig_memcg(&g.rig, g.id).oom_events, 1);
		assert_true(alive(&g, g.large));
		rig_close(&g.rig);
	}
}

/* The whole limit is 1000 thousandths. */
static void the_charging_task_can_be_the_victim(void **state)
{
	static const struct {
		const char *kernel;
		int64_t score;
		enum rule rule;
	} rows[] = {
		{ "v2.6.31", 300, RULE_OOM_BADNESS },
		{ "v3.3", 1000, RULE_OOM_RSS },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct group g;
		uint32_t map;

		rig_open(&g.rig, rows[i].kernel, 1);
		g.id = rig_group(&g.rig, RIG_ROOT, "g", LIMIT);
		g.small = rig_task(&g.rig, g.id, 0);
		map = rig_map(&g.rig, g.small, 300);
		assert_int_equal(rig_touch(&g.rig, g.small, map, 0, 300), OP_KILLED);
		check_kill(&g, g.small, rows[i].score, rows[i].rule);
		assert_int_equal(rig_memcg(&g.rig, g.id).charged, 0);
		rig_close(&g.rig);
	}
}

/* Run time counts in units of 1024 s; its fourth root divides the score. */
static void a_long_run_is_a_discount_before_3_1(void **state)
{
	static const struct {
		int64_t seconds, score;
	} rows[] = {
		{ 1023, 1000 },      { 1024, 1000 },          { 16 * 1024 - 10, 1000 },
		{ 16 * 1024, 500 },  { 81 * 1024 - 10, 500 }, { 81 * 1024, 333 },
		{ 256 * 1024, 250 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct op think = { .kind = OP_THINK, .value = RUN_SECONDS(rows[i].seconds) };
		struct group g;

		group_open(&g, "v2.6.31");
		rig_apply(&g.rig, &think);
		rig_touch(&g.rig, g.small, g.small_map, 160, 33);
		check_kill(&g, g.large, rows[i].score, RULE_OOM_BADNESS);
		rig_close(&g.rig);
	}
}

static uint32_t adjusted(struct group *g, int64_t adj, pages_t pages)
{
	struct op op = { .kind = OP_TASK_NEW, .object = g->id, .name = "task", .value = adj };
	uint32_t task = rig_apply(&g->rig, &op).id;

	assert_int_equal(rig_touch(&g->rig, task, rig_map(&g->rig, task, pages), 0, pages),
			 OP_DONE);
	return task;
}

/* Three tasks with 70, 80 and 90 pages; an adjustment decides instead of the size. */
static void an_adjustment_is_shifted_added_or_a_share(void **state)
{
	static const struct {
		const char *kernel;
		int64_t adj[3];
		int victim;
		int64_t score;
	} rows[] = {
		{ "v2.6.31", { 0, 0, 0 }, 2, 90 },
		{ "v2.6.31", { 2, 0, 0 }, 0, 280 }, /* 70 << 2 */
		{ "v2.6.31", { 0, 0, -1 }, 1, 80 }, /* 90 >> 1 is 45 */
		{ "v2.6.31", { 0, -17, -17 }, 0, 70 },
		{ "v3.3", { 0, 0, 0 }, 2, 351 }, /* thousandths of 256 */
		{ "v3.3", { 100, 0, 0 }, 0, 373 },
		{ "v3.3", { 0, -1000, -1000 }, 0, 273 },
		{ "v3.3", { 900, 950, 0 }, 0, 1000 },   /* both are 1000 at most: the first */
		{ "v3.3", { -999, -400, -999 }, 0, 1 }, /* all are 1 at least */
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint32_t task[3], last;
		struct group g;

		rig_open(&g.rig, rows[i].kernel, 1);
		g.id = rig_group(&g.rig, RIG_ROOT, "g", LIMIT);
		for (int t = 0; t < 3; t++)
			task[t] = adjusted(&g, rows[i].adj[t], 70 + 10 * (pages_t)t);
		last = adjusted(&g, rows[i].kernel[1] == '2' ? -17 : -1000, 10);
		rig_touch(&g.rig, last, rig_map(&g.rig, last, 7), 0, 7);
		check_kill(&g, task[rows[i].victim], rows[i].score,
			   rows[i].kernel[1] == '2' ? RULE_OOM_BADNESS : RULE_OOM_RSS);
		rig_close(&g.rig);
	}
}

/* Thousandths of what the group may hold: 4096 // 1000 pages each, and swap counts. */
static void in_6_18_an_adjustment_is_in_pages(void **state)
{
	static const struct {
		pages_t swap;
		int64_t adj;
		int victim;
	} rows[] = {
		{ 0, 99, 1 }, { 0, 101, 0 }, { 0, -1000, 1 }, { 4000, 49, 1 }, { 4000, 51, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct scenario sc;
		struct oom_verdict verdict;
		uint32_t task[2];
		struct group g;

		rig_scenario(&sc, "v6.18+kmem=off", 1);
		sc.swap_pages = rows[i].swap;
		rig_open_scenario(&g.rig, &sc);
		g.id = rig_group(&g.rig, RIG_ROOT, "g", 4096);
		task[0] = adjusted(&g, rows[i].adj, 600);
		task[1] = adjusted(&g, 0, 1000);
		verdict = oom_select(run_machine(g.rig.run), g.id);
		assert_int_equal(verdict.task, task[rows[i].victim]);
		rig_close(&g.rig);
	}
}

static void the_first_of_equals_dies(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		uint32_t task[3], map[3];
		struct group g;

		rig_open(&g.rig, rig_kernels[k], 1);
		g.id = rig_group(&g.rig, RIG_ROOT, "g", 96);
		for (int i = 0; i < 3; i++) {
			task[i] = rig_task(&g.rig, g.id, 0);
			map[i] = rig_map(&g.rig, task[i], 40);
			assert_int_equal(rig_touch(&g.rig, task[i], map[i], 0, 32), OP_DONE);
		}
		assert_int_equal(rig_touch(&g.rig, task[1], map[1], 32, 1), OP_DONE);
		assert_int_equal(rig_nth(&g.rig, EVENT_OOM, 0)->n[OOM_VICTIM], task[0]);
		assert_true(alive(&g, task[1]));
		assert_true(alive(&g, task[2]));
		rig_close(&g.rig);
	}
}

static void only_tasks_of_the_subtree_are_candidates(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		uint32_t outside, h, child, hog, task, map;
		struct group g;

		rig_open(&g.rig, rig_kernels[k], 1);
		outside = rig_task(&g.rig, rig_group(&g.rig, RIG_ROOT, "out", 0), 0);
		map = rig_map(&g.rig, outside, 5000);
		rig_touch(&g.rig, outside, map, 0, 3000);
		h = rig_hierarchy(&g.rig, RIG_ROOT, "h", 128);
		child = rig_hierarchy(&g.rig, h, "child", 0);
		task = rig_task(&g.rig, h, 0);
		hog = rig_task(&g.rig, child, 0);
		map = rig_map(&g.rig, hog, 200);
		assert_int_equal(rig_touch(&g.rig, hog, map, 0, 128), OP_DONE);
		/* The page that is one too many is a task's of H; the hog sits below it. */
		map = rig_map(&g.rig, task, 8);
		assert_int_equal(rig_touch(&g.rig, task, map, 0, 1), OP_DONE);
		assert_int_equal(rig_nth(&g.rig, EVENT_OOM, 0)->n[OOM_AT], h);
		assert_int_equal(rig_nth(&g.rig, EVENT_OOM, 0)->n[OOM_VICTIM], hog);
		assert_true(alive(&g, outside));
		assert_true(alive(&g, task));
		rig_close(&g.rig);
	}
}

/*
 * A read whose charge made the group kill another task fails before 3.1;
 * a fault is simply made again.  From 3.1 on the charge itself is retried.
 */
static void a_read_fails_where_the_charge_is_not_retried(void **state)
{
	static const struct {
		const char *kernel;
		enum op_outcome read;
	} rows[] = {
		{ "v2.6.31", OP_NOMEM },
		{ "v2.6.32", OP_NOMEM },
		{ "v3.1", OP_DONE },
		{ "v3.3", OP_DONE },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct group g;
		uint32_t reader, file;

		group_open(&g, rows[i].kernel);
		rig_touch(&g.rig, g.large, g.large_map, 64, 32);
		assert_int_equal(rig_memcg(&g.rig, g.id).usage, LIMIT);
		reader = rig_task(&g.rig, g.id, 0);
		file = rig_file(&g.rig, 10);
		assert_int_equal(rig_read(&g.rig, reader, file, 0, 1), rows[i].read);
		assert_int_equal(rig_count(&g.rig, EVENT_OOM), 1);
		assert_true(alive(&g, reader));
		/* There is room now, for everybody. */
		assert_int_equal(rig_read(&g.rig, reader, file, 0, 10), OP_DONE);
		rig_close(&g.rig);
	}
}

/*
 * Example E19 for v6.18, where the task that charges is the largest itself: it is chosen after 18
 * calls (one, the drain, 16 tries and the last), goes on for 17 more, and dies.
 */
static void a_charger_that_is_chosen_itself_was_chosen_after_18_calls(void **state)
{
	uint32_t group, task;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18-v1+kmem=off", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 100);
	task = rig_task(&rig, group, 0);
	assert_int_equal(rig_touch(&rig, task, rig_map(&rig, task, 101), 0, 101), OP_KILLED);
	assert_int_equal(rig_count(&rig, EVENT_OOM), 1);
	assert_int_equal(rig_nth(&rig, EVENT_OOM, 0)->n[OOM_ROUNDS], 18);
	assert_int_equal(rig_count(&rig, EVENT_RECLAIM), 18 + 17);
	rig_close(&rig);
}

/* A machine of 64 MiB, 16384 frames, and two groups without limits. */
static void small_machine(struct group *g, const char *kernel, int64_t oom_adj, pages_t small)
{
	struct op op = { .kind = OP_TASK_NEW, .name = "exempt", .value = oom_adj };
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.memory.nr_ranges = 1;
	sc.memory.range[0] = (struct pcg_range){ 0, (bytes_t)64 << 20 };
	rig_open_scenario(&g->rig, &sc);
	g->id = RIG_ROOT;
	op.object = rig_group(&g->rig, RIG_ROOT, "small", 0);
	g->small = rig_apply(&g->rig, &op).id;
	g->large = rig_task(&g->rig, rig_group(&g->rig, RIG_ROOT, "large", 0), 0);
	g->small_map = rig_map(&g->rig, g->small, small);
	g->large_map = rig_map(&g->rig, g->large, 10000);
}

/* 10000 pages and, from v2.6.36 on, 20 tables: 610 thousandths of 16384 frames; with v6.18 the
 * pages themselves.  The other group's task needed a frame and gets it. */
static void without_frames_the_largest_of_all_tasks_dies(void **state)
{
	static const struct {
		const char *kernel;
		int64_t score;
		enum rule rule;
	} rows[] = {
		{ "v2.6.31", 10000, RULE_OOM_BADNESS }, { "v3.1", 610, RULE_OOM_RSS },
		{ "v3.3", 610, RULE_OOM_RSS },          { "v6.18-v1", 10020, RULE_OOM_PAGES },
		{ "v6.18", 10020, RULE_OOM_PAGES },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct group g;

		small_machine(&g, rows[i].kernel, 0, 9000);
		assert_int_equal(rig_touch(&g.rig, g.large, g.large_map, 0, 10000), OP_DONE);
		assert_int_equal(rig_touch(&g.rig, g.small, g.small_map, 0, 9000), OP_DONE);
		check_kill(&g, g.large, rows[i].score, rows[i].rule);
		assert_true(alive(&g, g.small));
		rig_close(&g.rig);
	}
}

/* Its own demand may be what kills a task; of those that may not be killed nobody dies. */
static void without_frames_a_task_may_die_of_its_own_demand(void **state)
{
	struct op_result res = { .outcome = OP_DONE };
	struct op touch = { .kind = OP_TOUCH, .length = 20000 * PAGE_BYTES };
	struct group g;

	(void)state;
	small_machine(&g, "v3.3", 0, 20000);
	assert_int_equal(rig_touch(&g.rig, g.small, g.small_map, 0, 20000), OP_KILLED);
	assert_false(alive(&g, g.small));
	rig_close(&g.rig);
	small_machine(&g, "v3.3", -1000, 20000);
	touch.task = g.small;
	touch.object = g.small_map;
	assert_int_not_equal(run_apply(g.rig.run, &touch, &res, &g.rig.diag), ERR_OK);
	assert_non_null(strstr(g.rig.diag.text, "no task is left that may be killed"));
	rig_close(&g.rig);
}

/* memory.oom.group kills all of the group but who has an adjustment of -1000. */
static void a_whole_group_dies_but_for_who_is_exempt(void **state)
{
	struct op op = { .kind = OP_TASK_NEW, .name = "t" };
	uint32_t task[3], group;
	struct run_task last;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18+kmem=off", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 100);
	machine_memcg(run_machine(rig.run), group)->oom_group = true;
	op.object = group;
	for (int i = 0; i < 3; i++) {
		op.value = i == 2 ? -1000 : 0;
		task[i] = rig_apply(&rig, &op).id;
	}
	assert_int_equal(rig_touch(&rig, task[0], rig_map(&rig, task[0], 200), 0, 200), OP_KILLED);
	for (int i = 0; i < 3; i++) {
		assert_true(run_task(rig.run, task[i], &last));
		assert_int_equal(last.alive, i == 2);
	}
	assert_int_equal(rig_memcg(&rig, group).oom_group_kills, 1);
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_charger_that_is_chosen_itself_was_chosen_after_18_calls),
		cmocka_unit_test(the_largest_address_space_dies_before_3_1),
		cmocka_unit_test(the_largest_resident_share_dies_from_3_1_on),
		cmocka_unit_test(the_charging_task_can_be_the_victim),
		cmocka_unit_test(a_long_run_is_a_discount_before_3_1),
		cmocka_unit_test(an_adjustment_is_shifted_added_or_a_share),
		cmocka_unit_test(in_6_18_an_adjustment_is_in_pages),
		cmocka_unit_test(the_first_of_equals_dies),
		cmocka_unit_test(only_tasks_of_the_subtree_are_candidates),
		cmocka_unit_test(a_whole_group_dies_but_for_who_is_exempt),
		cmocka_unit_test(without_frames_the_largest_of_all_tasks_dies),
		cmocka_unit_test(without_frames_a_task_may_die_of_its_own_demand),
		cmocka_unit_test(a_read_fails_where_the_charge_is_not_retried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
