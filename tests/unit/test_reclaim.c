/*
 * Limit reclaim: what each priority looks at, how often reclaim is tried
 * before out of memory, and the balance of active and inactive lists.  All
 * machines are without swap.
 */
#include "rig.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

struct one {
	struct rig rig;
	uint32_t group, task, file;
};

static void one_open(struct one *one, const char *kernel, pages_t limit, uint32_t cpus)
{
	rig_open(&one->rig, kernel, cpus);
	one->group = rig_group(&one->rig, RIG_ROOT, "g", limit);
	one->task = rig_task(&one->rig, one->group, 0);
	one->file = rig_file(&one->rig, 1 << 20);
}

/* Charge one page more, by an anonymous page that reclaim cannot see yet. */
static enum op_outcome push(struct one *one)
{
	return rig_touch(&one->rig, one->task, rig_map(&one->rig, one->task, 1), 0, 1);
}

/* File pages that fill the limit; the first @active of them are on the active list. */
static void fill(struct one *one, pages_t nr, pages_t active)
{
	struct run_memcg g;

	rig_read(&one->rig, one->task, one->file, 0, nr);
	rig_drain(&one->rig, one->task);
	if (active)
		rig_read(&one->rig, one->task, one->file, 0, active);
	g = rig_memcg(&one->rig, one->group);
	assert_int_equal(g.size[LRU_INACTIVE_FILE], nr - active);
	assert_int_equal(g.size[LRU_ACTIVE_FILE], active);
	assert_int_equal(g.usage, nr);
	assert_int_equal(rig_count(&one->rig, EVENT_LIMIT_HIT), 0);
}

static void an_active_lists_target_falls_through_to_the_inactive(void **state)
{
	static const char *const kernels[] = { "v2.6.31" };
	static const struct {
		pages_t size, to_scan;
	} shrinks[] = { { 20000, 4 }, { 19968, 2 } };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct run_memcg g;
		struct one one;

		one_open(&one, kernels[k], 29000, 1);
		fill(&one, 29000, 9000);
		assert_int_equal(push(&one), OP_DONE);
		assert_int_equal(rig_count(&one.rig, EVENT_SHRINK), 2);
		for (size_t i = 0; i < NR(shrinks); i++) {
			const struct event *e = rig_nth(&one.rig, EVENT_SHRINK, i);

			assert_int_equal(e->n[SHRINK_LIST], LRU_INACTIVE_FILE);
			assert_int_equal(e->n[SHRINK_PRIORITY], 12);
			assert_int_equal(e->n[SHRINK_SIZE], shrinks[i].size);
			assert_int_equal(e->n[SHRINK_TO_SCAN], shrinks[i].to_scan);
			assert_int_equal(e->n[SHRINK_SCANNED], 32);
			assert_int_equal(e->n[SHRINK_RECLAIMED], 32);
		}
		assert_int_equal(rig_nth(&one.rig, EVENT_SHRINK, 1)->rule, RULE_SCAN_FALL_THROUGH);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.size[LRU_ACTIVE_FILE], 9000);
		assert_int_equal(g.nr_scanned, 64);
		rig_close(&one.rig);
	}
}

static void later_kernels_drop_the_active_lists_target(void **state)
{
	static const char *const kernels[] = { "v3.1", "v3.1+lru=per_memcg", "v3.3" };
	/* 20000 >> 12, then what is left >> 11 and >> 10 */
	static const pages_t asked[] = { 4, 9, 19 };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct one one;

		one_open(&one, kernels[k], 29000, 1);
		fill(&one, 29000, 9000);
		assert_int_equal(push(&one), OP_DONE);
		assert_int_equal(rig_count(&one.rig, EVENT_SHRINK), NR(asked));
		for (size_t i = 0; i < NR(asked); i++) {
			const struct event *e = rig_nth(&one.rig, EVENT_SHRINK, i);

			assert_int_equal(e->n[SHRINK_PRIORITY], 12 - i);
			assert_int_equal(e->n[SHRINK_TO_SCAN], asked[i]);
			assert_int_equal(e->n[SHRINK_TAKEN], asked[i]);
		}
		assert_int_equal(rig_memcg(&one.rig, one.group).size[LRU_ACTIVE_FILE], 9000);
		assert_int_equal(rig_count(&one.rig, EVENT_DEACTIVATE), 0);
		rig_close(&one.rig);
	}
}

/*
 * 1900 active against 100 inactive: the active tail moves over as the
 * priority falls.  Twelve of the inactive wait in the add queue until the
 * first of these calls drains it.
 */
static void a_low_inactive_list_is_refilled_from_the_active(void **state)
{
	static const struct { pages_t priority, asked; } moves[] = {
		{ 10, 1 }, { 9, 3 }, { 8, 7 }, { 7, 14 }, { 6, 29 },
	};
	const struct event *shrink;
	struct run_memcg g;
	struct one one;

	(void)state;
	one_open(&one, "v2.6.31", 2000, 1);
	rig_read(&one.rig, one.task, one.file, 0, 2000);
	rig_read(&one.rig, one.task, one.file, 0, 1900);
	assert_int_equal(rig_memcg(&one.rig, one.group).queued, 2000 % 14);
	assert_int_equal(push(&one), OP_DONE);
	assert_int_equal(rig_count(&one.rig, EVENT_DEACTIVATE), NR(moves));
	for (size_t i = 0; i < NR(moves); i++) {
		const struct event *e = rig_nth(&one.rig, EVENT_DEACTIVATE, i);

		assert_int_equal(e->n[DEACT_LIST], LRU_ACTIVE_FILE);
		assert_int_equal(e->n[DEACT_PRIORITY], moves[i].priority);
		assert_int_equal(e->n[DEACT_TO_SCAN], moves[i].asked);
		assert_int_equal(e->n[DEACT_TAKEN], moves[i].asked);
		assert_int_equal(e->n[DEACT_DEACTIVATED], moves[i].asked);
	}
	assert_int_equal(rig_count(&one.rig, EVENT_SHRINK), 1);
	shrink = rig_nth(&one.rig, EVENT_SHRINK, 0);
	assert_int_equal(shrink->n[SHRINK_PRIORITY], 6);
	assert_int_equal(shrink->n[SHRINK_SIZE], 125);
	assert_int_equal(shrink->n[SHRINK_RECLAIMED], 32);
	g = rig_memcg(&one.rig, one.group);
	assert_int_equal(g.size[LRU_ACTIVE_FILE], 1846);
	assert_int_equal(g.size[LRU_INACTIVE_FILE], 122);
	rig_close(&one.rig);
}

static void the_forced_minimum_moves_a_cluster_at_once(void **state)
{
	static const char *const kernels[] = { "v3.1", "v3.1+lru=per_memcg", "v3.3" };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct run_memcg g;
		struct one one;

		one_open(&one, kernels[k], 2000, 1);
		fill(&one, 2000, 1900);
		assert_int_equal(push(&one), OP_DONE);
		assert_int_equal(rig_count(&one.rig, EVENT_SHRINK), 1);
		assert_int_equal(rig_nth(&one.rig, EVENT_SHRINK, 0)->n[SHRINK_PRIORITY], 12);
		assert_int_equal(rig_nth(&one.rig, EVENT_SHRINK, 0)->n[SHRINK_TO_SCAN], 32);
		assert_int_equal(rig_nth(&one.rig, EVENT_SHRINK, 0)->rule, RULE_SCAN_FORCED);
		assert_int_equal(rig_nth(&one.rig, EVENT_DEACTIVATE, 0)->n[DEACT_TAKEN], 32);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.size[LRU_ACTIVE_FILE], 1868);
		assert_int_equal(g.size[LRU_INACTIVE_FILE], 100);
		rig_close(&one.rig);
	}
}

static void a_scan_names_the_rule_that_sized_it(void **state)
{
	static const struct { const char *kernel; enum rule rule; } rows[] = {
		{ "v2.6.31", RULE_SCAN_DIRECT }, { "v2.6.32", RULE_SCAN_SAVED },
		{ "v2.6.31+scan_batch=reclaim_stat", RULE_SCAN_SAVED },
		{ "v3.1", RULE_SCAN_DIRECT }, { "v3.3", RULE_SCAN_DIRECT },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;

		one_open(&one, rows[i].kernel, 10000, 1);
		fill(&one, 10000, 0);
		assert_int_equal(push(&one), OP_DONE);
		assert_int_equal(rig_nth(&one.rig, EVENT_SHRINK, 0)->rule, rows[i].rule);
		rig_close(&one.rig);
	}
}

/* Nothing but anonymous pages: rounds of reclaim fail until the task is killed. */
static void out_of_memory_comes_after_six_failing_rounds(void **state)
{
	static const struct {
		const char *kernel;
		size_t calls;     /* of the priority loop */
		uint64_t failcnt; /* a failed batch of 32 comes first, from 3.1 on */
	} rows[] = {
		{ "v2.6.31", 12, 6 },
		{ "v2.6.31+scan_batch=reclaim_stat", 12, 6 },
		{ "v2.6.32", 6, 6 },
		/* a group that cannot be reclaimed is not even tried */
		{ "v3.1", 0, 7 },
		{ "v3.1+lru=per_memcg", 0, 7 },
		{ "v3.3", 12, 7 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct run_memcg g;
		struct run_task task;
		struct one one;
		uint64_t failcnt;
		uint32_t map;

		one_open(&one, rows[i].kernel, 256, 1);
		map = rig_map(&one.rig, one.task, 300);
		assert_int_equal(rig_touch(&one.rig, one.task, map, 0, 256), OP_DONE);
		assert_int_equal(rig_count(&one.rig, EVENT_LIMIT_HIT), 0);
		failcnt = rig_memcg(&one.rig, one.group).failcnt;
		assert_int_equal(failcnt, 0);
		assert_int_equal(rig_touch(&one.rig, one.task, map, 256, 1), OP_KILLED);
		assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), rows[i].calls);
		assert_int_equal(rig_count(&one.rig, EVENT_OOM), 1);
		assert_int_equal(rig_nth(&one.rig, EVENT_OOM, 0)->n[OOM_AT], one.group);
		assert_int_equal(rig_nth(&one.rig, EVENT_OOM, 0)->n[OOM_VICTIM], one.task);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.failcnt, rows[i].failcnt);
		assert_int_equal(g.oom_kills, 1);
		assert_int_equal(g.charged, 0);
		assert_true(run_task(one.rig.run, one.task, &task));
		assert_false(task.alive);
		assert_int_equal(task.rss, 0);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

/*
 * File pages that wait in another CPU's activate queue are held by it:
 * listed, so the group is tried, but never freed.
 */
static void held_pages_are_tried_and_kept(void **state)
{
	static const struct { const char *kernel; size_t calls; } rows[] = {
		{ "v3.1", 6 }, { "v3.1+lru=per_memcg", 6 }, { "v3.3", 12 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;
		uint32_t reader, stranger;

		one_open(&one, rows[i].kernel, 256, 2);
		reader = rig_task(&one.rig, one.group, 1);
		rig_read(&one.rig, reader, one.file, 0, 14);
		rig_read(&one.rig, reader, one.file, 0, 13);
		/* A stranger's charge there returns what is left in that CPU's stock. */
		stranger = rig_task(&one.rig, rig_group(&one.rig, RIG_ROOT, "stranger", 0), 1);
		rig_read(&one.rig, stranger, one.file, 100, 1);
		assert_int_equal(rig_memcg(&one.rig, one.group).usage, 14);
		/* The one page of 14 that is free to go makes room; then nothing does. */
		while (rig_memcg(&one.rig, one.group).nr_reclaimed == 0)
			assert_int_equal(push(&one), OP_DONE);
		assert_int_equal(rig_memcg(&one.rig, one.group).nr_reclaimed, 1);
		rig_forget(&one.rig);
		assert_int_equal(push(&one), OP_KILLED);
		assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), rows[i].calls);
		assert_int_equal(rig_memcg(&one.rig, one.group).nr_reclaimed, 1);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

/* One file page on its list is 1 >> 0: nothing to scan before the last priority. */
static void the_last_priority_looks_at_the_whole_list(void **state)
{
	const struct event *shrink;
	struct one one;
	uint32_t map;

	(void)state;
	one_open(&one, "v2.6.31", 64, 1);
	map = rig_map(&one.rig, one.task, 100);
	rig_touch(&one.rig, one.task, map, 0, 63);
	rig_read(&one.rig, one.task, one.file, 0, 1);
	rig_drain(&one.rig, one.task);
	assert_int_equal(rig_touch(&one.rig, one.task, map, 63, 1), OP_DONE);
	assert_int_equal(rig_count(&one.rig, EVENT_SHRINK), 1);
	shrink = rig_nth(&one.rig, EVENT_SHRINK, 0);
	assert_int_equal(shrink->n[SHRINK_PRIORITY], 0);
	assert_int_equal(shrink->n[SHRINK_TO_SCAN], 1);
	assert_int_equal(shrink->n[SHRINK_RECLAIMED], 1);
	/* Less than a cluster counts as nothing, but the group is below its limit. */
	assert_int_equal(rig_nth(&one.rig, EVENT_RECLAIM, 0)->n[RECL_RECLAIMED], 1);
	assert_int_equal(rig_nth(&one.rig, EVENT_RECLAIM, 0)->n[RECL_RETURNED], 0);
	rig_close(&one.rig);
}

/* The same with saved scans: six rounds save up six pages, and the page is never looked at. */
static void saved_scans_can_starve_a_tiny_group(void **state)
{
	static const char *const kernels[] = { "v2.6.32" };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct one one;
		uint32_t map;

		one_open(&one, kernels[k], 64, 1);
		map = rig_map(&one.rig, one.task, 100);
		rig_touch(&one.rig, one.task, map, 0, 63);
		rig_read(&one.rig, one.task, one.file, 0, 1);
		rig_drain(&one.rig, one.task);
		assert_int_equal(rig_touch(&one.rig, one.task, map, 63, 1), OP_KILLED);
		assert_int_equal(rig_count(&one.rig, EVENT_SHRINK), 0);
		assert_int_equal(rig_memcg(&one.rig, one.group).saved[LRU_INACTIVE_FILE], 6);
		rig_close(&one.rig);
	}
}

static void a_whole_cluster_counts_as_progress(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, "v2.6.31", 1000, 1);
	fill(&one, 1000, 0);
	assert_int_equal(push(&one), OP_DONE);
	assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), 1);
	assert_int_equal(rig_nth(&one.rig, EVENT_RECLAIM, 0)->n[RECL_RECLAIMED], 32);
	assert_int_equal(rig_nth(&one.rig, EVENT_RECLAIM, 0)->n[RECL_RETURNED], 32);
	rig_close(&one.rig);
}

/* All pages active: a pass moves a cluster over, the next one frees it. */
static void a_group_of_active_pages_is_reclaimed(void **state)
{
	static const char *const kernels[] = { "v3.1", "v3.1+lru=per_memcg", "v3.3" };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct run_memcg g;
		struct one one;

		one_open(&one, kernels[k], 2000, 1);
		fill(&one, 2000, 2000);
		assert_int_equal(push(&one), OP_DONE);
		assert_int_equal(rig_count(&one.rig, EVENT_DEACTIVATE), 2);
		assert_int_equal(rig_nth(&one.rig, EVENT_DEACTIVATE, 0)->n[DEACT_PRIORITY], 12);
		assert_int_equal(rig_nth(&one.rig, EVENT_DEACTIVATE, 1)->n[DEACT_PRIORITY], 11);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.nr_reclaimed, 32);
		assert_int_equal(g.size[LRU_ACTIVE_FILE], 1936);
		assert_int_equal(g.size[LRU_INACTIVE_FILE], 32);
		rig_close(&one.rig);
	}
}

static void a_group_that_may_not_kill_blocks_its_task(void **state)
{
	static const char *const kernels[] = { "v3.1", "v3.3" };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct op op = {
			.kind = OP_GROUP_SET,
			.group = { .set = GROUP_OOM_DISABLE, .oom_disable = true },
		};
		struct run_task task;
		struct one one;
		uint32_t map;

		one_open(&one, kernels[k], 64, 1);
		op.object = one.group;
		assert_int_equal(rig_apply(&one.rig, &op).outcome, OP_DONE);
		map = rig_map(&one.rig, one.task, 100);
		assert_int_equal(rig_touch(&one.rig, one.task, map, 0, 100), OP_BLOCKED);
		assert_true(run_task(one.rig.run, one.task, &task));
		assert_true(task.alive);
		assert_int_equal(task.rss, 64);
		assert_true(rig_memcg(&one.rig, one.group).under_oom);
		rig_close(&one.rig);
	}
}

static void another_groups_lists_are_left_alone(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		struct run_memcg before, after;
		struct one one;
		uint32_t other;

		one_open(&one, rig_kernels[k], 200, 1);
		other = rig_group(&one.rig, RIG_ROOT, "other", 500);
		rig_read(&one.rig, rig_task(&one.rig, other, 0), one.file, 5000, 420);
		before = rig_memcg(&one.rig, other);
		rig_read(&one.rig, one.task, one.file, 0, 1000);
		after = rig_memcg(&one.rig, other);
		assert_true(rig_count(&one.rig, EVENT_LIMIT_HIT) > 10);
		assert_memory_equal(before.size, after.size, sizeof(before.size));
		assert_int_equal(after.nr_scanned, 0);
		assert_int_equal(after.charged, 420);
		rig_close(&one.rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_active_lists_target_falls_through_to_the_inactive),
		cmocka_unit_test(later_kernels_drop_the_active_lists_target),
		cmocka_unit_test(a_low_inactive_list_is_refilled_from_the_active),
		cmocka_unit_test(the_forced_minimum_moves_a_cluster_at_once),
		cmocka_unit_test(a_scan_names_the_rule_that_sized_it),
		cmocka_unit_test(out_of_memory_comes_after_six_failing_rounds),
		cmocka_unit_test(held_pages_are_tried_and_kept),
		cmocka_unit_test(the_last_priority_looks_at_the_whole_list),
		cmocka_unit_test(saved_scans_can_starve_a_tiny_group),
		cmocka_unit_test(a_whole_cluster_counts_as_progress),
		cmocka_unit_test(a_group_of_active_pages_is_reclaimed),
		cmocka_unit_test(a_group_that_may_not_kill_blocks_its_task),
		cmocka_unit_test(another_groups_lists_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
