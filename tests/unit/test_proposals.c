/*
 * The kernels beside the released line: v2.6.25 with its flat groups and
 * two owner records, without the controller, and the per-group stock that
 * was proposed on 2009-08-28.
 */
#include <string.h>

#include "rig.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

/* 4(floor(NR_CPUS / 32) + 1): 4 pages for less than 32 CPUs, 4 more for each further 32. */
static void the_proposed_stock_grows_with_the_cpus_built_for(void **state)
{
	static const struct {
		const char *kernel;
		int64_t batch;
	} rows[] = {
		{ "v2.6.31+charge=rfc+nr_cpus=8", 4 },
		{ "v2.6.31+charge=rfc+nr_cpus=32", 8 },
		{ "v2.6.31+charge=rfc+nr_cpus=64", 12 },
		{ "v2.6.31+charge=rfc+nr_cpus=128", 20 },
		{ "v2.6.31+charge=rfc+nr_cpus=255", 32 },
		{ "v2.6.31+charge=rfc", 36 },
		{ "v2.6.31+charge=rfc+nr_cpus=512", 68 },
		{ "v2.6.31+charge=rfc+nr_cpus=4096", 516 },
		{ "v2.6.31", 32 },
	};
	struct era era;

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		assert_int_equal(era_find(rows[i].kernel, &era, NULL), ERR_OK);
		assert_int_equal(era.knobs.charge_batch, rows[i].batch);
		assert_true(era.runnable);
	}
	/* What sizes nothing is refused. */
	assert_int_equal(era_find("v3.1+nr_cpus=64", &era, NULL), ERR_USAGE);
}

/* Two groups in turn on one CPU: each keeps what is left of its own 36. */
static void each_group_has_a_proposed_stock_on_each_cpu(void **state)
{
	struct run_memcg a, b;
	struct rig rig;
	uint32_t group[2], task[3], file;

	(void)state;
	rig_open(&rig, "v2.6.31+charge=rfc", 2);
	file = rig_file(&rig, 1000);
	for (int i = 0; i < 2; i++) {
		group[i] = rig_group(&rig, RIG_ROOT, i ? "b" : "a", 1000);
		task[i] = rig_task(&rig, group[i], 0);
	}
	task[2] = rig_task(&rig, group[0], 1);
	for (uint64_t page = 0; page < 4; page++)
		rig_read(&rig, task[page % 2], file, page, 1);
	a = rig_memcg(&rig, group[0]);
	b = rig_memcg(&rig, group[1]);
	assert_int_equal(a.usage, 36);
	assert_int_equal(b.usage, 36);
	assert_int_equal(a.stock, 34);
	assert_int_equal(b.stock, 34);
	/* The other CPU has another stock for the same group. */
	rig_read(&rig, task[2], file, 4, 1);
	a = rig_memcg(&rig, group[0]);
	assert_int_equal(a.usage, 72);
	assert_int_equal(a.stock, 34 + 35);
	rig_check(&rig, "rfc");
	rig_close(&rig);
}

/* One stock a CPU is given back each time the other group charges: only the last has one. */
static void the_merged_stock_serves_one_group(void **state)
{
	struct rig rig;
	uint32_t group[2], task[2], file;

	(void)state;
	rig_open(&rig, "v2.6.33", 1);
	file = rig_file(&rig, 1000);
	for (int i = 0; i < 2; i++) {
		group[i] = rig_group(&rig, RIG_ROOT, i ? "b" : "a", 1000);
		task[i] = rig_task(&rig, group[i], 0);
	}
	for (uint64_t page = 0; page < 4; page++)
		rig_read(&rig, task[page % 2], file, page, 1);
	assert_int_equal(rig_memcg(&rig, group[0]).usage, 2);
	assert_int_equal(rig_memcg(&rig, group[1]).usage, 33);
	rig_close(&rig);
}

/*
 * 40 pages of room: the first 36 are charged at once.  When they are used up
 * the next 36 do not fit and nothing less is tried, so pages 37 to 40 are
 * reclaimed for though each alone would fit.
 */
static void the_proposed_stock_has_no_second_way(void **state)
{
	struct run_memcg g;
	struct rig rig;
	uint32_t group, task, file;

	(void)state;
	rig_open(&rig, "v2.6.31+charge=rfc", 1);
	file = rig_file(&rig, 1000);
	group = rig_group(&rig, RIG_ROOT, "g", 40);
	task = rig_task(&rig, group, 0);
	rig_read(&rig, task, file, 0, 36);
	g = rig_memcg(&rig, group);
	assert_int_equal(g.usage, 36);
	assert_int_equal(g.stock, 0);
	assert_int_equal(g.limit_hits, 0);
	rig_read(&rig, task, file, 36, 1);
	g = rig_memcg(&rig, group);
	assert_int_equal(g.limit_hits, 1);
	/* A round of 32, then 4 + 36 fit. */
	assert_int_equal(g.nr_reclaimed, 32);
	assert_int_equal(g.usage, 40);
	assert_int_equal(g.stock, 35);
	rig_check(&rig, "rfc");
	rig_close(&rig);
}

/* 516 pages take sixteen rounds of 32; only a round that frees nothing uses up one of the five
 * retries. */
static void rounds_that_free_are_no_retries(void **state)
{
	struct rig rig;
	uint32_t group, task, file;

	(void)state;
	rig_open(&rig, "v2.6.31+charge=rfc+nr_cpus=4096", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 2000);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 4000);
	assert_int_equal(rig_read(&rig, task, file, 0, 4000), OP_DONE);
	assert_int_equal(rig_memcg(&rig, group).oom_kills, 0);
	assert_true(rig_memcg(&rig, group).failcnt > 4 * 15);
	rig_close(&rig);
}

/*
 * The merged stock is given back on every CPU whatever group it is of; the
 * proposed one only for the group that is over its limit, on all CPUs.
 */
static void a_limit_hit_gives_back_the_proposed_stock_of_its_own_group(void **state)
{
	struct rig rig;
	uint32_t full, other, task[3], file;

	(void)state;
	rig_open(&rig, "v2.6.31+charge=rfc", 2);
	file = rig_file(&rig, 1000);
	full = rig_group(&rig, RIG_ROOT, "full", 100);
	other = rig_group(&rig, RIG_ROOT, "other", 1000);
	task[0] = rig_task(&rig, full, 0);
	task[1] = rig_task(&rig, full, 1);
	task[2] = rig_task(&rig, other, 1);
	rig_read(&rig, task[1], file, 0, 1);
	rig_read(&rig, task[2], file, 1, 1);
	rig_read(&rig, task[0], file, 2, 36);
	assert_int_equal(rig_memcg(&rig, full).stock, 35);
	assert_int_equal(rig_memcg(&rig, other).stock, 35);
	/* 72 + 36 are too many: the 35 of the other CPU come back. */
	rig_read(&rig, task[0], file, 38, 1);
	assert_int_equal(rig_memcg(&rig, full).limit_hits, 1);
	assert_int_equal(rig_memcg(&rig, full).stock, 35);
	assert_int_equal(rig_memcg(&rig, other).stock, 35);
	rig_check(&rig, "rfc");
	rig_close(&rig);
}

/* A page is charged once and pays once, whichever record names its owner. */
static void both_records_of_2008_charge_alike(void **state)
{
	static const char *const kernels[] = { "v2.6.25", "v2.6.25+owner=radix",
					       "v2.6.25+owner=slab40_27" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct run_memcg g;
		struct rig rig;
		uint32_t group, task, file, map;

		rig_open(&rig, kernels[i], 1);
		file = rig_file(&rig, 1000);
		group = rig_group(&rig, RIG_ROOT, "g", 200);
		task = rig_task(&rig, group, 0);
		rig_read(&rig, task, file, 0, 150);
		map = rig_map(&rig, task, 50);
		rig_touch(&rig, task, map, 0, 50);
		g = rig_memcg(&rig, group);
		assert_int_equal(g.usage, 200);
		assert_int_equal(g.failcnt, 0);
		rig_read(&rig, task, file, 150, 1);
		assert_int_equal(rig_memcg(&rig, group).failcnt, 1);
		rig_check(&rig, kernels[i]);
		rig_close(&rig);
	}
}

/* use_hierarchy came with v2.6.29: before it a parent is not charged for its children. */
static void groups_of_v2_6_25_are_flat(void **state)
{
	struct op op = { .kind = OP_GROUP_SET };
	struct op_result res;
	struct rig rig;
	uint32_t parent, child, task, file;

	(void)state;
	rig_open(&rig, "v2.6.25", 1);
	file = rig_file(&rig, 1000);
	parent = rig_group(&rig, RIG_ROOT, "p", 100);
	child = rig_group(&rig, parent, "c", PAGES_UNLIMITED);
	task = rig_task(&rig, child, 0);
	rig_read(&rig, task, file, 0, 300);
	assert_int_equal(rig_memcg(&rig, child).usage, 300);
	assert_int_equal(rig_memcg(&rig, parent).usage, 0);
	op.object = child;
	op.group.set = GROUP_HIERARCHY;
	op.group.hierarchy = true;
	assert_int_equal(run_apply(rig.run, &op, &res, &rig.diag), ERR_SCENARIO);
	assert_non_null(strstr(rig.diag.text, "use_hierarchy"));
	rig_close(&rig);
}

/* Without the controller groups are names: nothing is charged, counted, or limited. */
static void without_the_controller_nothing_is_charged(void **state)
{
	static const char *const kernels[] = { "v2.6.25+memcg=off", "v3.3+memcg=off",
					       "v6.18-v1+memcg=off" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct op op = { .kind = OP_GROUP_SET };
		struct run_totals totals;
		struct op_result res;
		struct rig rig;
		uint32_t group, task, file;

		rig_open(&rig, kernels[i], 1);
		file = rig_file(&rig, 1000);
		group = rig_group(&rig, RIG_ROOT, "g", PAGES_UNLIMITED);
		task = rig_task(&rig, group, 0);
		rig_read(&rig, task, file, 0, 300);
		assert_int_equal(rig_memcg(&rig, group).usage, 0);
		assert_int_equal(rig_memcg(&rig, RIG_ROOT).usage, 0);
		run_totals(rig.run, &totals);
		assert_int_equal(totals.nr_charged, 0);
		op.object = group;
		op.group.set = GROUP_LIMIT;
		op.group.limit_pages = 100;
		assert_int_equal(run_apply(rig.run, &op, &res, &rig.diag), ERR_SCENARIO);
		op = (struct op){ .kind = OP_FILE_DROP, .object = file };
		assert_int_equal(run_apply(rig.run, &op, &res, &rig.diag), ERR_OK);
		assert_int_equal(res.done_pages, 300);
		rig_check(&rig, kernels[i]);
		rig_close(&rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_proposed_stock_grows_with_the_cpus_built_for),
		cmocka_unit_test(each_group_has_a_proposed_stock_on_each_cpu),
		cmocka_unit_test(the_merged_stock_serves_one_group),
		cmocka_unit_test(the_proposed_stock_has_no_second_way),
		cmocka_unit_test(rounds_that_free_are_no_retries),
		cmocka_unit_test(a_limit_hit_gives_back_the_proposed_stock_of_its_own_group),
		cmocka_unit_test(both_records_of_2008_charge_alike),
		cmocka_unit_test(groups_of_v2_6_25_are_flat),
		cmocka_unit_test(without_the_controller_nothing_is_charged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
