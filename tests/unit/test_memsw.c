/*
 * The limit of memory and swap together (cgroup v1), and swap.max of v2.
 * Machines have 1,000 pages of swap; expected counts are derived in the
 * tests.
 */
#include <string.h>

#include "rig.h"

enum { SWAP = 1000 };

/* A group, a task in it and its anonymous memory. */
struct user {
	struct rig rig;
	uint32_t group, task, map;
};

static void user_open(struct user *u, const char *kernel, const struct group_conf *conf)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = RIG_ROOT, .name = "g", .group = *conf };
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.swap_pages = SWAP;
	rig_open_scenario(&u->rig, &sc);
	u->group = rig_apply(&u->rig, &op).id;
	u->task = rig_task(&u->rig, u->group, 0);
	u->map = rig_map(&u->rig, u->task, 4096);
}

static struct run_memcg figures(struct user *u)
{
	return rig_memcg(&u->rig, u->group);
}

static const char *const v1_kernels[] = { "v2.6.31", "v2.6.33", "v3.1", "v3.3", "v3.17", "v3.19",
					  "v6.1", "v6.18-v1" };

enum { NR_V1 = sizeof(v1_kernels) / sizeof(v1_kernels[0]) };

/* Swapping moves pages between the two halves of the sum; unmapping ends both. */
static void memsw_is_memory_and_what_is_in_swap_alone(void **state)
{
	const struct group_conf conf = { .set = GROUP_LIMIT, .limit_pages = 200 };
	struct user u;

	(void)state;
	for (int i = 0; i < NR_V1; i++) {
		struct run_memcg g;

		user_open(&u, v1_kernels[i], &conf);
		assert_int_equal(rig_touch(&u.rig, u.task, u.map, 0, 300), OP_DONE);
		g = figures(&u);
		assert_true(g.swap >= 100);
		assert_int_equal(g.memsw_usage, g.usage + g.swap);
		assert_true(g.memsw_usage >= 300);
		assert_true(g.memsw_peak >= g.memsw_usage);
		rig_check(&u.rig, v1_kernels[i]);
		/* Swapped in, written: no page is counted twice. */
		rig_touch(&u.rig, u.task, u.map, 0, 100);
		g = figures(&u);
		assert_int_equal(g.memsw_usage - g.stock - g.kmem, 300);
		rig_unmap(&u.rig, u.task, u.map);
		g = figures(&u);
		assert_int_equal(g.memsw_usage, g.usage);
		rig_close(&u.rig);
	}
}

/* 200 of memory, 300 of both, no cache: the 301st page can neither be charged nor swapped for. */
static void memsw_that_is_hit_does_not_swap(void **state)
{
	const struct group_conf conf = { .set = GROUP_LIMIT | GROUP_MEMSW, .limit_pages = 200,
					 .memsw_pages = 300 };
	struct user u;

	(void)state;
	for (int i = 0; i < NR_V1; i++) {
		struct run_totals all;
		struct run_memcg g;

		user_open(&u, v1_kernels[i], &conf);
		assert_int_not_equal(rig_touch(&u.rig, u.task, u.map, 0, 1000), OP_DONE);
		g = figures(&u);
		assert_true(g.oom_kills > 0);
		assert_true(g.memsw_failcnt > 0);
		assert_true(g.memsw_peak <= 300);
		assert_int_equal(g.memsw_usage, g.usage);
		/* Memory's limit swaps what the sum has room for, and a batch at most. */
		run_totals(u.rig.run, &all);
		assert_in_range(all.nr_swapped_out, 64, 100 + 64);
		rig_check(&u.rig, v1_kernels[i]);
		rig_close(&u.rig);
	}
}

/* With cache to drop, reclaim for memsw drops it and leaves anonymous pages where they are. */
static void reclaim_for_memsw_drops_cache_only(void **state)
{
	/* Memory's limit is never in the way. */
	const struct group_conf conf = { .set = GROUP_LIMIT | GROUP_MEMSW, .limit_pages = 299,
					 .memsw_pages = 300 };
	const struct group_conf equal = { .set = GROUP_LIMIT | GROUP_MEMSW, .limit_pages = 300,
					  .memsw_pages = 300 };
	struct user u;

	(void)state;
	for (int i = 0; i < 2 * NR_V1; i++) {
		const char *kernel = v1_kernels[i / 2];
		uint32_t file;

		/* Below a limit of its own memory still swaps; the two equal: nothing does. */
		user_open(&u, kernel, i % 2 ? &equal : &conf);
		file = rig_file(&u.rig, 200);
		rig_touch(&u.rig, u.task, u.map, 0, 100);
		assert_int_equal(rig_read(&u.rig, u.task, file, 0, 200), OP_DONE);
		rig_touch(&u.rig, u.task, u.map, 100, 100);
		if (i % 2)
			assert_int_equal(figures(&u).swap, 0);
		assert_true(figures(&u).memsw_usage <= 300);
		rig_check(&u.rig, kernel);
		rig_close(&u.rig);
	}
}

/* v2.6.31 charges memory first: of two equal limits it is memory's that fails.  v3.19 charges
 * memsw first. */
static void which_counter_fails_first_is_the_kernels_choice(void **state)
{
	const struct group_conf conf = { .set = GROUP_LIMIT | GROUP_MEMSW, .limit_pages = 300,
					 .memsw_pages = 300 };
	struct user u;

	(void)state;
	user_open(&u, "v2.6.31", &conf);
	rig_touch(&u.rig, u.task, u.map, 0, 301);
	assert_int_equal(rig_nth(&u.rig, EVENT_LIMIT_HIT, 0)->rule, RULE_CHARGE_LIMIT);
	assert_int_equal(figures(&u).memsw_failcnt, 0);
	rig_close(&u.rig);
	user_open(&u, "v3.19", &conf);
	rig_touch(&u.rig, u.task, u.map, 0, 301);
	assert_int_equal(rig_nth(&u.rig, EVENT_LIMIT_HIT, 0)->rule, RULE_CHARGE_MEMSW);
	assert_int_equal(figures(&u).failcnt, 0);
	rig_close(&u.rig);
}

/* A page more than memsw leaves fails above: the child's charge is taken back at every level. */
static void a_refusal_of_memsw_leaves_nothing_charged(void **state)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = RIG_ROOT, .name = "up",
			 .group = { .set = GROUP_LIMIT | GROUP_MEMSW | GROUP_HIERARCHY,
				    .limit_pages = 50, .memsw_pages = 50, .hierarchy = true } };
	uint32_t up, child, task, map;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v2.6.31", 1);
	op.group.limit_pages = 50;
	up = rig_apply(&rig, &op).id;
	child = rig_group(&rig, up, "child", 0);
	task = rig_task(&rig, child, 0);
	map = rig_map(&rig, task, 64);
	rig_touch(&rig, task, map, 0, 64);
	assert_int_equal(rig_memcg(&rig, up).usage, 0);
	assert_int_equal(rig_memcg(&rig, child).usage, 0);
	rig_check(&rig, "after the kill");
	rig_close(&rig);
}

static enum op_outcome set(struct user *u, const struct group_conf *conf)
{
	return rig_apply(&u->rig,
			 &(struct op){ .kind = OP_GROUP_SET, .object = u->group, .group = *conf })
		.outcome;
}

/* 150 anonymous pages, of which 50 had to be swapped out, and a memsw limit of 100: cache can be
 * dropped for it, swapping is of no use, so the write fails and the old limit stays. */
static void a_memsw_limit_below_anon_and_swap_is_busy(void **state)
{
	const struct group_conf conf = { .set = GROUP_LIMIT, .limit_pages = 100 };
	const struct group_conf both = { .set = GROUP_MEMSW, .memsw_pages = 100 };
	struct user u;

	(void)state;
	for (int i = 0; i < NR_V1; i++) {
		user_open(&u, v1_kernels[i], &conf);
		rig_touch(&u.rig, u.task, u.map, 0, 150);
		assert_int_equal(set(&u, &both), OP_BUSY);
		assert_int_equal(figures(&u).memsw_limit, PAGES_UNLIMITED);
		assert_int_equal(rig_nth(&u.rig, EVENT_LIMIT_SET, 0)->rule, RULE_MEMSW_BUSY);
		rig_unmap(&u.rig, u.task, u.map);
		assert_int_equal(set(&u, &both), OP_DONE);
		assert_int_equal(figures(&u).memsw_limit, 100);
		rig_close(&u.rig);
	}
}

/* 200 anonymous pages, both limits 300, memory's is lowered to 100.  v2.6.31 swaps nothing for a
 * group whose limits are one; later kernels do, as the two will differ. */
static void a_lowered_limit_swaps_from_v3_1_on_also_where_both_were_one(void **state)
{
	const struct group_conf equal = { .set = GROUP_LIMIT | GROUP_MEMSW, .limit_pages = 300,
					  .memsw_pages = 300 };
	struct user u;

	(void)state;
	for (int i = 0; i < NR_V1; i++) {
		user_open(&u, v1_kernels[i], &equal);
		assert_int_equal(rig_touch(&u.rig, u.task, u.map, 0, 200), OP_DONE);
		assert_int_equal(rig_limit(&u.rig, u.group, 100), i < 2 ? OP_BUSY : OP_DONE);
		assert_int_equal(figures(&u).swap > 0, i >= 2);
		rig_close(&u.rig);
	}
}

/* Raised or lowered, both limits of one write end as asked, whichever has to go first. */
static void both_limits_move_in_the_order_that_is_valid(void **state)
{
	const struct group_conf small = { .set = GROUP_LIMIT | GROUP_MEMSW, .limit_pages = 100,
					  .memsw_pages = 120 };
	const struct group_conf large = { .set = GROUP_LIMIT | GROUP_MEMSW, .limit_pages = 500,
					  .memsw_pages = 600 };
	const struct group_conf wrong = { .set = GROUP_LIMIT, .limit_pages = 601 };
	struct op op = { .kind = OP_GROUP_SET, .group = wrong };
	struct op_result res;
	struct diag diag;
	struct user u;

	(void)state;
	user_open(&u, "v3.3", &small);
	assert_int_equal(set(&u, &large), OP_DONE);
	assert_int_equal(figures(&u).limit, 500);
	assert_int_equal(figures(&u).memsw_limit, 600);
	op.object = u.group;
	assert_int_equal(run_apply(u.rig.run, &op, &res, &diag), ERR_SCENARIO);
	assert_non_null(strstr(diag.text, "EINVAL"));
	assert_int_equal(set(&u, &small), OP_DONE);
	assert_int_equal(figures(&u).limit, 100);
	assert_int_equal(figures(&u).memsw_limit, 120);
	rig_close(&u.rig);
}

/* v2: 40 slots are all it may take, so of 100 pages above the limit no more than 40 get away. */
static void swap_max_bounds_the_slots_of_a_group(void **state)
{
	const struct group_conf conf = { .set = GROUP_LIMIT | GROUP_SWAP_MAX, .limit_pages = 200,
					 .swap_max_pages = 40 };
	struct user u;

	(void)state;
	user_open(&u, "v6.18", &conf);
	assert_int_equal(rig_touch(&u.rig, u.task, u.map, 0, 230), OP_DONE);
	assert_in_range(figures(&u).swap_usage, 30, 40);
	assert_int_not_equal(rig_touch(&u.rig, u.task, u.map, 0, 300), OP_DONE);
	assert_int_equal(figures(&u).oom_kills, 1);
	rig_check(&u.rig, "after swap.max");
	rig_close(&u.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memsw_is_memory_and_what_is_in_swap_alone),
		cmocka_unit_test(memsw_that_is_hit_does_not_swap),
		cmocka_unit_test(reclaim_for_memsw_drops_cache_only),
		cmocka_unit_test(which_counter_fails_first_is_the_kernels_choice),
		cmocka_unit_test(a_refusal_of_memsw_leaves_nothing_charged),
		cmocka_unit_test(a_memsw_limit_below_anon_and_swap_is_busy),
		cmocka_unit_test(a_lowered_limit_swaps_from_v3_1_on_also_where_both_were_one),
		cmocka_unit_test(both_limits_move_in_the_order_that_is_valid),
		cmocka_unit_test(swap_max_bounds_the_slots_of_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
