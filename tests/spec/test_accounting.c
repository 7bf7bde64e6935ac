/*
 * Charging by era: how often a charge, an uncharge and a charge that fails
 * take the locks of counters, in every row of the model's table, and the
 * worked examples that are about it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contention.h"
#include "rig.h"

enum { DEPTH = 3, BLOCK = 8 };

/* A chain of groups below the root, the lowest first, and a task in it. */
struct chain {
	struct rig rig;
	uint32_t group[DEPTH], task;
};

static void chain_open(struct chain *chain, const char *kernel, int depth, uint32_t cpus)
{
	uint32_t parent = RIG_ROOT;
	struct scenario sc;
	char name[16];

	rig_scenario(&sc, kernel, cpus);
	sc.locks = true;
	rig_open_scenario(&chain->rig, &sc);
	for (int level = depth; level-- > 0;) {
		snprintf(name, sizeof(name), "g%d", level);
		parent = depth > 1 ? rig_hierarchy(&chain->rig, parent, name, 0)
				   : rig_group(&chain->rig, parent, name, 0);
		chain->group[level] = parent;
	}
	chain->task = rig_task(&chain->rig, chain->group[0], 0);
}

static uint64_t taken(struct rig *rig)
{
	struct run_lock lock;

	assert_true(run_lock(rig->run, 0, &lock));
	return lock.sum.hold.nr;
}

/* Table 1.1: acquisitions of 64 charges and of their uncharges in one unmapping.  From v3.1 on the
 * very first event looks at soft limits, which is one acquisition a level. */
static void each_era_charges_and_uncharges_as_often_as_the_table_says(void **state)
{
	enum { PAGES = 64 };
	static const struct {
		const char *kernel;
		int depth;
		uint64_t charge, uncharge;
		bool atomic;
	} rows[] = {
		{ "v2.6.25", 1, PAGES, PAGES, false },
		{ "v2.6.31", 1, 2 * PAGES, 2 * PAGES, false },
		{ "v2.6.31", 3, 6 * PAGES, 6 * PAGES, false },
		{ "v2.6.31+swap_account=off", 3, 3 * PAGES, 3 * PAGES, false },
		{ "v2.6.32", 3, 6 * PAGES, 6 * PAGES, false },
		/* B = 4 up to 31 CPUs; windows of 8 pages. */
		{ "v2.6.31+charge=rfc+nr_cpus=8", 3, 6 * PAGES / 4, 6 * PAGES / BLOCK, false },
		{ "v2.6.33", 1, 2 * PAGES / 32, 2 * PAGES / BLOCK, false },
		{ "v2.6.33", 3, 6 * PAGES / 32, 6 * PAGES / BLOCK, false },
		{ "v3.1", 3, 6 * PAGES / 32 + 3, 6, false },
		{ "v3.6", 3, 6 * PAGES / 32 + 3, 6, false },
		/* Lists of 8 pages, then of up to 510. */
		{ "v3.17", 3, 6 * PAGES / 32 + 3, 6 * 2, false },
		{ "v3.19", 3, 6 * PAGES / 32, 6 * 2, true },
		{ "v3.19+swap_account=off", 3, 3 * PAGES / 32, 3 * 2, true },
		/* The root's counter is the uppermost level; 64 at once; s = 0 with cgroup v2. */
		{ "v6.1+kmem=off", 2, 6 * PAGES / 64, 6 * 2, true },
		{ "v6.18+kmem=off", 2, 3 * PAGES / 64, 3 * 3, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct run_lock lock;
		struct chain chain;
		uint64_t charge, uncharge;
		uint32_t map;

		chain_open(&chain, rows[i].kernel, rows[i].depth, 1);
		map = rig_map(&chain.rig, chain.task, PAGES);
		rig_touch(&chain.rig, chain.task, map, 0, PAGES);
		charge = taken(&chain.rig);
		rig_unmap(&chain.rig, chain.task, map);
		uncharge = taken(&chain.rig) - charge;
		run_lock(chain.rig.run, 0, &lock);
		if (charge != rows[i].charge || uncharge != rows[i].uncharge ||
		    lock.atomic != rows[i].atomic)
			fail_msg("%s, %d levels: %d and %d", rows[i].kernel, rows[i].depth,
				 (int)charge, (int)uncharge);
		rig_close(&chain.rig);
	}
}

/* Example W12: pages that the proposal of 2009 charges at once, by the CPUs it is built for. */
static void the_batch_of_the_proposal_grows_with_cpus(void **state)
{
	static const struct { const char *cpus; int64_t pages; } rows[] = {
		{ "8", 4 }, { "64", 12 }, { "255", 32 }, { "256", 36 }, { "512", 68 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char name[ERA_NAME_MAX];
		struct era era;

		snprintf(name, sizeof(name), "v2.6.31+charge=rfc+nr_cpus=%s", rows[i].cpus);
		assert_int_equal(era_find(name, &era, NULL), ERR_OK);
		assert_int_equal(era.knobs.charge_batch, rows[i].pages);
	}
}

/* Acquisitions of a task that touches @nr mappings of @pages pages each, and ends. */
static uint64_t life(const char *kernel, uint32_t nr, pages_t pages)
{
	struct op op = { .kind = OP_TASK_EXIT };
	struct chain chain;
	uint64_t all;

	chain_open(&chain, kernel, 1, 1);
	while (nr--)
		rig_touch(&chain.rig, chain.task, rig_map(&chain.rig, chain.task, pages), 0, pages);
	op.task = chain.task;
	assert_int_equal(rig_apply(&chain.rig, &op).outcome, OP_DONE);
	all = taken(&chain.rig);
	rig_close(&chain.rig);
	return all;
}

/* Example W13: how many times less often the lock is taken is 2 / (1/B + 1/U). */
static void batches_of_both_kinds_make_the_ratio(void **state)
{
	static const struct {
		const char *before, *after;
		uint32_t nr;
		pages_t pages;
		double b, u;
	} rows[] = {
		{ "v2.6.32", "v2.6.33", 1, 256, 32, 8 },
		{ "v2.6.32", "v2.6.33+uncharge=page", 1, 256, 32, 1 },
		/* Mappings of 20 pages in three windows each. */
		{ "v2.6.31", "v2.6.31+charge=rfc", 36, 20, 36, 20.0 / 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double ratio = (double)life(rows[i].before, rows[i].nr, rows[i].pages) /
			       (double)life(rows[i].after, rows[i].nr, rows[i].pages);

		assert_true(fabs(ratio - 2 / (1 / rows[i].b + 1 / rows[i].u)) < 0.005);
	}
	assert_true(fabs(2 / (1 / 32.0 + 1 / 8.0) - 12.80) < 0.005);
	assert_true(fabs(2 / (1 / 36.0 + 1 / 6.7) - 11.30) < 0.005);
	assert_true(fabs(2 / (1 / 32.0 + 1 / 1.0) - 1.94) < 0.005);
}

/* References of a page: one if it is cached, one if it is mapped. */
static int references(struct rig *rig, uint32_t group)
{
	struct run_memcg memcg = rig_memcg(rig, group);

	return (int)(memcg.charged + memcg.mapped);
}

static uint32_t view_of(struct rig *rig, uint32_t task, uint32_t file)
{
	struct op op = { .kind = OP_MAP_FILE, .task = task, .object = file, .name = "view" };
	uint32_t map = rig_apply(rig, &op).id;

	rig_touch(rig, task, map, 0, 1);
	return map;
}

/*
 * Examples W18 and W17: a page is read, mapped, unmapped and truncated: 1, 2, 1, 0 references, one
 * charge, one uncharge.  Who maps it besides takes and drops one at once: no counter is locked.
 */
static void mapping_a_cached_page_charges_nothing(void **state)
{
	struct op drop = { .kind = OP_FILE_DROP };
	uint32_t file, map, other;
	struct chain chain;

	(void)state;
	chain_open(&chain, "v2.6.25", 1, 1);
	file = rig_file(&chain.rig, 1);
	rig_read(&chain.rig, chain.task, file, 0, 1);
	assert_int_equal(references(&chain.rig, chain.group[0]), 1);
	map = view_of(&chain.rig, chain.task, file);
	assert_int_equal(references(&chain.rig, chain.group[0]), 2);
	assert_int_equal(taken(&chain.rig), 1);
	other = rig_task(&chain.rig, chain.group[0], 0);
	rig_unmap(&chain.rig, other, view_of(&chain.rig, other, file));
	assert_int_equal(references(&chain.rig, chain.group[0]), 2);
	assert_int_equal(taken(&chain.rig), 1);
	rig_unmap(&chain.rig, chain.task, map);
	assert_int_equal(references(&chain.rig, chain.group[0]), 1);
	drop.object = file;
	rig_apply(&chain.rig, &drop);
	assert_int_equal(references(&chain.rig, chain.group[0]), 0);
	assert_int_equal(taken(&chain.rig), 2);
	assert_int_equal(rig_memcg(&chain.rig, chain.group[0]).nr_charged, 1);
	assert_int_equal(rig_memcg(&chain.rig, chain.group[0]).nr_uncharged, 1);
	rig_close(&chain.rig);
}

/* 1.6: a group's levels are looked at after more than 1000 charges and uncharges (v2.6.32). */
static void soft_limits_lock_each_level_every_1001_events(void **state)
{
	static const struct { const char *kernel; uint64_t looks; } rows[] = {
		{ "v2.6.31", 0 }, { "v2.6.32", 1 }, { "v3.19", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct chain chain;
		uint64_t before;
		uint32_t map;

		chain_open(&chain, rows[i].kernel, DEPTH, 1);
		map = rig_map(&chain.rig, chain.task, 1100);
		rig_touch(&chain.rig, chain.task, map, 0, 960);
		before = taken(&chain.rig);
		rig_touch(&chain.rig, chain.task, map, 960, 64);
		before = taken(&chain.rig) - before;
		assert_int_equal(before, (i == 2 ? 2u : 64u) * 2 * DEPTH + rows[i].looks * DEPTH);
		rig_close(&chain.rig);
	}
}

static void set_limit(struct chain *chain, pages_t limit)
{
	struct op op = { .kind = OP_GROUP_SET, .object = chain->group[0] };

	op.group.set = GROUP_LIMIT;
	op.group.limit_pages = limit;
	assert_int_equal(rig_apply(&chain->rig, &op).outcome, OP_DONE);
}

/* 1.7: reclaim uncharges a page at a time up to v3.5, what one pass freed from v3.6 on. */
static void reclaim_uncharges_in_windows_from_v3_6_on(void **state)
{
	enum { FULL = 128 };
	static const struct { const char *kernel; uint64_t uncharge; } rows[] = {
		{ "v2.6.33", 2 * 32 }, { "v3.5", 2 * 32 }, { "v3.6", 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct chain chain;
		uint64_t before;
		uint32_t file;

		chain_open(&chain, rows[i].kernel, 1, 1);
		set_limit(&chain, FULL);
		file = rig_file(&chain.rig, FULL + 1);
		rig_read(&chain.rig, chain.task, file, 0, FULL);
		before = taken(&chain.rig);
		rig_read(&chain.rig, chain.task, file, FULL, 1);
		before = taken(&chain.rig) - before;
		/* A batch in vain, a page in vain, and the page that fits in the end. */
		if (before != rows[i].uncharge + 1 + 1 + 2)
			fail_msg("%s: %d", rows[i].kernel, (int)before);
		rig_close(&chain.rig);
	}
}

/* 1.8: seven groups have a stock on a CPU; for the eighth one of them is drained. */
static void an_eighth_group_drains_one_of_seven_stocks(void **state)
{
	struct chain chain;
	uint64_t nr = 0;
	uint32_t groups = 0;
	char name[16];

	(void)state;
	chain_open(&chain, "v6.18+kmem=off", 1, 1);
	for (; groups < 8; groups++) {
		uint32_t task;

		snprintf(name, sizeof(name), "s%u", groups);
		task = rig_task(&chain.rig, rig_group(&chain.rig, RIG_ROOT, name, 0), 0);
		rig_touch(&chain.rig, task, rig_map(&chain.rig, task, 1), 0, 1);
		/* Two levels: the group and the root; a drain gives back at both. */
		nr += groups < 7 ? 2 : 4;
		assert_int_equal(taken(&chain.rig), nr);
	}
	rig_close(&chain.rig);
}

/* 1.7: the proposal's drain gives memory back and forgets memory and swap together. */
static void the_proposal_leaks_memsw_when_it_drains(void **state)
{
	static const struct { const char *kernel; pages_t leaked; } rows[] = {
		{ "v2.6.31+charge=rfc+nr_cpus=8", 3 },
		{ "v2.6.31+charge=rfc+nr_cpus=8+drain_memsw=returned", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct op op = { .kind = OP_FORCE_EMPTY };
		struct run_memcg memcg;
		struct chain chain;

		chain_open(&chain, rows[i].kernel, 1, 1);
		rig_read(&chain.rig, chain.task, rig_file(&chain.rig, 5), 0, 5);
		assert_int_equal(rig_memcg(&chain.rig, chain.group[0]).stock, 3);
		rig_apply(&chain.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = chain.task });
		op.object = chain.group[0];
		rig_apply(&chain.rig, &op);
		memcg = rig_memcg(&chain.rig, chain.group[0]);
		assert_int_equal(memcg.usage, 0);
		assert_int_equal(memcg.memsw_usage, rows[i].leaked);
		rig_close(&chain.rig);
	}
}

/* Invariant 12: a task in the root takes no counter lock and leaves a group's stock alone. */
static void the_root_is_not_charged(void **state)
{
	static const struct { const char *kernel; bool charged; } rows[] = {
		{ "v2.6.31", true }, { "v2.6.32", false },   { "v2.6.33", false },
		{ "v3.1", false },   { "v3.3", false },	     { "v3.17", false },
		{ "v3.19", false },  { "v6.18-v1", false },  { "v6.18", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t group, outside, inside, file;
		uint64_t before;
		pages_t stock;
		struct scenario sc;
		struct rig rig;

		rig_scenario(&sc, rows[i].kernel, 1);
		sc.locks = true;
		rig_open_scenario(&rig, &sc);
		group = rig_group(&rig, RIG_ROOT, "g", 0);
		outside = rig_task(&rig, RIG_ROOT, 0);
		inside = rig_task(&rig, group, 0);
		file = rig_file(&rig, 1000);
		rig_read(&rig, inside, file, 0, 1);
		stock = rig_memcg(&rig, group).stock;
		before = taken(&rig);
		rig_read(&rig, outside, file, 100, 100);
		if ((taken(&rig) > before) != rows[i].charged)
			fail_msg("%s: %" PRIu64 " acquisitions for pages of the root",
				 rows[i].kernel, taken(&rig) - before);
		assert_int_equal(rig_memcg(&rig, group).stock, stock);
		assert_int_equal(rig_memcg(&rig, RIG_ROOT).stock, 0);
		rig_close(&rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_era_charges_and_uncharges_as_often_as_the_table_says),
		cmocka_unit_test(the_batch_of_the_proposal_grows_with_cpus),
		cmocka_unit_test(batches_of_both_kinds_make_the_ratio),
		cmocka_unit_test(mapping_a_cached_page_charges_nothing),
		cmocka_unit_test(soft_limits_lock_each_level_every_1001_events),
		cmocka_unit_test(reclaim_uncharges_in_windows_from_v3_6_on),
		cmocka_unit_test(an_eighth_group_drains_one_of_seven_stocks),
		cmocka_unit_test(the_root_is_not_charged),
		cmocka_unit_test(the_proposal_leaks_memsw_when_it_drains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
