/*
 * Charges and limits: usage may reach a limit and no more, the level that
 * refuses counts the failure, batches come first, and lowering a limit
 * reclaims or fails without a trace.
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

/* A limit of 100 pages: what is counted when it is full, and what one page more frees. */
static void usage_may_equal_the_limit_and_no_more(void **state)
{
	static const struct {
		const char *kernel;
		uint64_t failcnt_full, failcnt_hit; /* batches of 32 that fail count too */
		pages_t freed;
	} rows[] = {
		{ "v2.6.31", 0, 1, 32 },
		/* 1 + 3 + 6 + 12 + 24 saved: 46, so two rounds of 32 */
		{ "v2.6.31+scan_batch=reclaim_stat", 0, 1, 64 },
		{ "v2.6.32", 0, 1, 64 },
		{ "v3.1", 4, 6, 32 },
		{ "v3.1+lru=per_memcg", 4, 6, 32 },
		{ "v3.3", 4, 6, 32 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct run_memcg g;
		struct one one;

		one_open(&one, rows[i].kernel, 100, 1);
		rig_read(&one.rig, one.task, one.file, 0, 100);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.usage, 100);
		assert_int_equal(g.limit, 100);
		assert_int_equal(g.failcnt, rows[i].failcnt_full);
		assert_int_equal(g.limit_hits, 0);
		rig_read(&one.rig, one.task, one.file, 100, 1);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.limit_hits, 1);
		assert_int_equal(g.failcnt, rows[i].failcnt_hit);
		assert_int_equal(g.nr_reclaimed, rows[i].freed);
		assert_int_equal(g.usage, 101 - rows[i].freed);
		assert_int_equal(g.peak, 100);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

static void the_level_that_refuses_counts_the_failure(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		struct rig rig;
		uint32_t h, a, b, task, file;

		rig_open(&rig, rig_kernels[k], 1);
		h = rig_hierarchy(&rig, RIG_ROOT, "h", 300);
		a = rig_hierarchy(&rig, h, "a", 150);
		b = rig_hierarchy(&rig, h, "b", 250);
		file = rig_file(&rig, 1000);
		/* A reaches its own limit first. */
		task = rig_task(&rig, a, 0);
		rig_read(&rig, task, file, 0, 151);
		assert_int_equal(rig_count(&rig, EVENT_LIMIT_HIT), 1);
		assert_int_equal(rig_nth(&rig, EVENT_LIMIT_HIT, 0)->n[HIT_AT], a);
		assert_int_equal(rig_memcg(&rig, h).failcnt, 0);
		assert_true(rig_memcg(&rig, a).failcnt > 0);
		/* B is stopped by H before its own limit. */
		rig_forget(&rig);
		task = rig_task(&rig, b, 0);
		rig_read(&rig, task, file, 200, 249);
		assert_true(rig_count(&rig, EVENT_LIMIT_HIT) > 0);
		assert_int_equal(rig_nth(&rig, EVENT_LIMIT_HIT, 0)->n[HIT_AT], h);
		assert_int_equal(rig_nth(&rig, EVENT_LIMIT_HIT, 0)->n[HIT_LIMIT], 300);
		assert_true(rig_memcg(&rig, h).failcnt > 0);
		assert_true(rig_memcg(&rig, h).usage <= 300);
		rig_check(&rig, rig_kernels[k]);
		rig_close(&rig);
	}
}

/*
 * What another group of the hierarchy has in this CPU's stock is given back
 * during reclaim, and that is room enough: 31 pages of A's batch.
 */
static void a_stock_of_the_hierarchy_is_room_in_the_end(void **state)
{
	static const struct { const char *kernel; size_t calls; } rows[] = {
		{ "v3.1", 0 }, { "v3.3", 2 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint32_t h, a, b, map;
		struct rig rig;

		rig_open(&rig, rows[i].kernel, 1);
		h = rig_hierarchy(&rig, RIG_ROOT, "h", 64);
		a = rig_task(&rig, rig_hierarchy(&rig, h, "a", 0), 0);
		b = rig_task(&rig, rig_hierarchy(&rig, h, "b", 0), 0);
		map = rig_map(&rig, b, 100);
		assert_int_equal(rig_touch(&rig, b, map, 0, 32), OP_DONE);
		assert_int_equal(rig_touch(&rig, a, rig_map(&rig, a, 1), 0, 1), OP_DONE);
		assert_int_equal(rig_memcg(&rig, h).usage, 64);
		assert_int_equal(rig_touch(&rig, b, map, 32, 1), OP_DONE);
		assert_int_equal(rig_memcg(&rig, h).usage, 34);
		assert_int_equal(rig_count(&rig, EVENT_OOM), 0);
		assert_int_equal(rig_count(&rig, EVENT_RECLAIM), rows[i].calls);
		rig_close(&rig);
	}
}

static void lowering_a_limit_shrinks_by_clusters(void **state)
{
	static const struct { const char *kernel; pages_t usage; size_t calls; } rows[] = {
		{ "v2.6.31", 488, 16 }, { "v3.1", 488, 16 }, { "v3.1+lru=per_memcg", 488, 16 },
		{ "v3.3", 488, 16 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const struct event *set;
		struct run_memcg g;
		struct one one;

		one_open(&one, rows[i].kernel, 1000, 1);
		rig_read(&one.rig, one.task, one.file, 0, 1000);
		rig_drain(&one.rig, one.task);
		rig_forget(&one.rig);
		assert_int_equal(rig_limit(&one.rig, one.group, 500), OP_DONE);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.limit, 500);
		assert_int_equal(g.usage, rows[i].usage);
		assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), rows[i].calls);
		set = rig_nth(&one.rig, EVENT_LIMIT_SET, 0);
		assert_int_equal(set->n[SET_OLD], 1000);
		assert_int_equal(set->n[SET_NEW], 500);
		assert_true(set->n[SET_DONE] != 0);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

static void a_limit_down_to_usage_needs_no_reclaim(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		struct one one;

		one_open(&one, rig_kernels[k], 320, 1);
		rig_read(&one.rig, one.task, one.file, 0, 256);
		rig_forget(&one.rig);
		assert_int_equal(rig_limit(&one.rig, one.group, 256), OP_DONE);
		assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), 0);
		assert_int_equal(rig_limit(&one.rig, one.group, 255), OP_DONE);
		assert_true(rig_count(&one.rig, EVENT_RECLAIM) > 0);
		assert_true(rig_memcg(&one.rig, one.group).usage <= 255);
		assert_int_equal(rig_limit(&one.rig, one.group, 1000), OP_DONE);
		assert_int_equal(rig_memcg(&one.rig, one.group).limit, 1000);
		rig_close(&one.rig);
	}
}

static void a_limit_that_cannot_be_lowered_stays(void **state)
{
	static const struct { const char *kernel; size_t calls; } rows[] = {
		{ "v2.6.31", 5 }, { "v2.6.32", 5 }, { "v3.1", 0 }, { "v3.3", 10 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const struct event *set;
		struct run_memcg g;
		struct one one;

		one_open(&one, rows[i].kernel, 256, 1);
		rig_touch(&one.rig, one.task, rig_map(&one.rig, one.task, 256), 0, 256);
		rig_forget(&one.rig);
		assert_int_equal(rig_limit(&one.rig, one.group, 255), OP_BUSY);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.limit, 256);
		assert_int_equal(g.usage, 256);
		assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), rows[i].calls);
		set = rig_nth(&one.rig, EVENT_LIMIT_SET, 0);
		assert_int_equal(set->rule, RULE_LIMIT_BUSY);
		assert_int_equal(set->n[SET_DONE], 0);
		rig_close(&one.rig);
	}
}

/* 199 pages in one step beside one of another CPU, which charged a batch for it: all 200 are there
 * before anybody is killed, as that CPU gives back what it holds in advance. */
static void another_cpus_stock_is_no_reason_to_kill(void **state)
{
	static const char *const kernels[] = { "v2.6.33", "v3.1", "v3.3", "v3.17", "v3.19",
					       "v6.1+kmem=off", "v6.18-v1+kmem=off",
					       "v6.18+kmem=off" };

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		uint32_t group, one, other;
		struct rig rig;

		rig_open(&rig, kernels[i], 2);
		group = rig_group(&rig, RIG_ROOT, "g", 200);
		other = rig_task(&rig, group, 1);
		rig_touch(&rig, other, rig_map(&rig, other, 1), 0, 1);
		assert_true(rig_memcg(&rig, group).stock >= 31);
		one = rig_task(&rig, group, 0);
		assert_int_equal(rig_touch(&rig, one, rig_map(&rig, one, 199), 0, 199), OP_DONE);
		assert_int_equal(rig_memcg(&rig, group).oom_kills, 0);
		assert_int_equal(rig_memcg(&rig, group).charged, 200);
		rig_close(&rig);
	}
}

/*
 * One page used and freed: a batch of 64 was charged, of which a page went and came for bytes, one
 * for a page table and one for the page, which is uncharged at once: 63 are left.  v6.1 puts the
 * page of bytes into the stock, v6.18 uncharges it.
 */
static void whole_pages_of_bytes_are_uncharged_since_stocks_are_two(void **state)
{
	static const struct { const char *kernel; pages_t usage; } rows[] = {
		{ "v6.1", 63 }, { "v6.18-v1", 62 }, { "v6.18", 62 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t group, task, map;
		struct rig rig;

		rig_open(&rig, rows[i].kernel, 1);
		group = rig_group(&rig, RIG_ROOT, "g", 0);
		task = rig_task(&rig, group, 0);
		map = rig_map(&rig, task, 1);
		rig_touch(&rig, task, map, 0, 1);
		rig_apply(&rig, &(struct op){ .kind = OP_TASK_EXIT, .task = task });
		rig_apply(&rig, &(struct op){ .kind = OP_FLUSH });
		assert_int_equal(rig_memcg(&rig, group).kmem, 0);
		assert_int_equal(rig_memcg(&rig, group).usage, rows[i].usage);
		rig_check(&rig, rows[i].kernel);
		rig_close(&rig);
	}
}

/*
 * Pages that are read in a row get in alone where a batch is refused, as one
 * by one: same failcnt, peaks and state in a hierarchy whose upper limit, or
 * whose lower one, comes first.
 */
static void single_pages_in_a_row_are_as_one_by_one(void **state)
{
	static const char *const kernels[] = { "v2.6.33", "v3.1", "v3.3", "v3.19", "v6.1",
					       "v6.18-v1", "v6.18" };
	static const pages_t limits[][2] = { { 400, 0 }, { 400, 390 }, { 400, 450 }, { 0, 333 } };

	(void)state;
	for (size_t i = 0; i < NR(kernels) * NR(limits); i++) {
		const pages_t *limit = limits[i / NR(kernels)];
		struct run_memcg seen[2][2];

		for (int singly = 0; singly < 2; singly++) {
			uint32_t parent, child, task, file;
			pages_t step = singly ? 1 : 100, page;
			struct rig rig;

			rig_open(&rig, kernels[i % NR(kernels)], 1);
			parent = rig_hierarchy(&rig, RIG_ROOT, "p", limit[0]);
			child = rig_hierarchy(&rig, parent, "c", limit[1]);
			task = rig_task(&rig, child, 0);
			file = rig_file(&rig, 2000);
			for (page = 0; page < 2000; page += step)
				rig_read(&rig, task, file, page, step);
			seen[singly][0] = rig_memcg(&rig, parent);
			seen[singly][1] = rig_memcg(&rig, child);
			rig_close(&rig);
		}
		for (int level = 0; level < 2; level++) {
			assert_int_equal(seen[0][level].failcnt, seen[1][level].failcnt);
			assert_int_equal(seen[0][level].peak, seen[1][level].peak);
			assert_int_equal(seen[0][level].usage, seen[1][level].usage);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_cpus_stock_is_no_reason_to_kill),
		cmocka_unit_test(whole_pages_of_bytes_are_uncharged_since_stocks_are_two),
		cmocka_unit_test(usage_may_equal_the_limit_and_no_more),
		cmocka_unit_test(the_level_that_refuses_counts_the_failure),
		cmocka_unit_test(a_stock_of_the_hierarchy_is_room_in_the_end),
		cmocka_unit_test(lowering_a_limit_shrinks_by_clusters),
		cmocka_unit_test(a_limit_down_to_usage_needs_no_reclaim),
		cmocka_unit_test(single_pages_in_a_row_are_as_one_by_one),
		cmocka_unit_test(a_limit_that_cannot_be_lowered_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
