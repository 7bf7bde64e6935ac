/*
 * Scan targets of v6.18: weights by cost, which mode holds, and how targets
 * are cut once enough was freed.  List sizes and costs are written straight
 * into a machine that is never run, so only the arithmetic is at work.
 */
#include "target.h"

#include <string.h>

#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"
#define EXACT_V2 "v6.18+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { SWAP = 100000 };

/* A group of a machine, with lists of the sizes given. */
struct sheet {
	struct rig rig;
	struct machine *m;
	uint32_t group;
	struct memcg *memcg;
};

static void sheet_open(struct sheet *s, const char *kernel, pages_t swap)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.swap_pages = swap;
	rig_open_scenario(&s->rig, &sc);
	s->group = rig_group(&s->rig, RIG_ROOT, "g", 0);
	s->m = run_machine(s->rig.run);
	s->memcg = machine_memcg(s->m, s->group);
}

static void set_sizes(struct memcg *memcg, const pages_t size[LRU_UNEVICTABLE])
{
	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++)
		memcg->size[lru] = memcg->lruvec[0].size[lru] = size[lru];
}

static void check_targets(struct sheet *s, const struct reclaim *rc,
			  const pages_t want[LRU_UNEVICTABLE])
{
	struct pass pass = { .freed = 0 };

	target_pass(s->m, rc, s->group, &pass);
	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++) {
		assert_int_equal(pass.todo[lru], want[lru]);
		assert_int_equal(pass.asked[lru], want[lru]);
	}
}

static void weights_follow_the_costs(void **state)
{
	static const struct {
		uint64_t cost[2];
		int64_t swappiness;
		uint64_t anon, file;
	} rows[] = {
		{ { 0, 0 }, 60, 60, 140 },     { { 1000, 0 }, 60, 89, 419 },
		{ { 0, 1000 }, 60, 179, 209 }, { { 300, 900 }, 60, 143, 239 },
		{ { 300, 900 }, 0, 0, 342 },   { { 300, 900 }, 100, 239, 171 },
		{ { 300, 900 }, 200, 479, 0 }, { { 0, 0 }, 200, 200, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint64_t weight[2];

		scan_cost_weights(rows[i].cost[0], rows[i].cost[1], rows[i].swappiness, weight);
		assert_int_equal(weight[SCAN_ANON], rows[i].anon);
		assert_int_equal(weight[SCAN_FILE], rows[i].file);
	}
}

static void without_swap_only_file_is_scanned_by_size_and_priority(void **state)
{
	static const struct {
		pages_t size[LRU_UNEVICTABLE];
		unsigned priority;
		pages_t want[LRU_UNEVICTABLE];
	} rows[] = {
		/* no forced minimum for a group that is alive */
		{ { 0, 0, 100, 0 }, 12, { 0, 0, 0, 0 } },
		{ { 0, 0, 4095, 4096 }, 12, { 0, 0, 0, 1 } },
		{ { 50000, 0, 0, 0 }, 0, { 0, 0, 0, 0 } },
		{ { 50000, 777, 300, 20 }, 0, { 0, 0, 300, 20 } },
		{ { 8000, 0, 25535, 0 }, 12, { 0, 0, 6, 0 } },
		{ { 8000, 0, 25533, 9000 }, 11, { 0, 0, 12, 4 } },
	};
	struct sheet s;

	(void)state;
	sheet_open(&s, EXACT_V1, 0);
	for (size_t i = 0; i < NR(rows); i++) {
		struct reclaim rc = { .target = s.group, .priority = rows[i].priority, .want = 32 };

		set_sizes(s.memcg, rows[i].size);
		check_targets(&s, &rc, rows[i].want);
		rc.may_deactivate[SCAN_ANON] = rc.may_deactivate[SCAN_FILE] = true;
		check_targets(&s, &rc, rows[i].want);
	}
	rig_close(&s.rig);
}

/* Costs of 1000 for anon give 89 and 419 of 508. */
static void with_swap_the_first_mode_that_fits_holds(void **state)
{
	static const pages_t size[LRU_UNEVICTABLE] = { 20000, 10000, 20000, 5000 };
	static const struct {
		int64_t swappiness;
		unsigned priority;
		bool file_may_deactivate;
		pages_t want[LRU_UNEVICTABLE];
	} rows[] = {
		/* by cost: 625, 312, 625 and 156, shared out */
		{ 60, 5, true, { 109, 54, 515, 128 } },
		/* plenty of inactive file, and nothing says that it was missed */
		{ 60, 5, false, { 0, 0, 625, 156 } },
		/* the last priority looks at all, at both types alike */
		{ 60, 0, false, { 20000, 10000, 20000, 5000 } },
		{ 60, 0, true, { 20000, 10000, 20000, 5000 } },
		/* a group that is not to swap */
		{ 0, 5, true, { 0, 0, 625, 156 } },
		{ 0, 0, true, { 0, 0, 20000, 5000 } },
		/* no inactive file left by this priority: 20000 >> 15 */
		{ 60, 15, false, { 0, 0, 0, 0 } },
	};
	struct sheet s;

	(void)state;
	sheet_open(&s, EXACT_V1, SWAP);
	set_sizes(s.memcg, size);
	s.memcg->cost[0][SCAN_ANON] = 1000;
	for (size_t i = 0; i < NR(rows); i++) {
		struct reclaim rc = { .target = s.group, .priority = rows[i].priority, .want = 32 };

		s.memcg->swappiness = rows[i].swappiness;
		rc.may_deactivate[SCAN_FILE] = rows[i].file_may_deactivate;
		check_targets(&s, &rc, rows[i].want);
	}
	/* With every slot taken it is as if there were no swap. */
	s.memcg->swappiness = 60;
	s.m->host->swap_used = SWAP;
	check_targets(&s, &(struct reclaim){ .target = s.group, .priority = 0, .want = 32 },
		      (const pages_t[LRU_UNEVICTABLE]){ 0, 0, 20000, 5000 });
	rig_close(&s.rig);
}

/* Costs are the target's, sizes and swappiness the scanned group's. */
static void a_child_is_scanned_by_its_targets_costs(void **state)
{
	static const pages_t size[LRU_UNEVICTABLE] = { 20000, 0, 20000, 0 };
	struct reclaim rc = { .target = RIG_ROOT, .priority = 5, .want = 32 };
	struct sheet s;

	(void)state;
	sheet_open(&s, EXACT_V1, SWAP);
	set_sizes(s.memcg, size);
	rc.may_deactivate[SCAN_FILE] = true;
	s.memcg->cost[0][SCAN_FILE] = 77777;
	machine_memcg(s.m, RIG_ROOT)->cost[0][SCAN_ANON] = 1000;
	check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 109, 0, 515, 0 });
	s.memcg->swappiness = 0;
	check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 0, 0, 625, 0 });
	rig_close(&s.rig);
}

static void version_2_has_one_swappiness_for_all_groups(void **state)
{
	static const pages_t size[LRU_UNEVICTABLE] = { 20000, 0, 20000, 0 };
	struct sheet s;

	(void)state;
	sheet_open(&s, EXACT_V2, SWAP);
	set_sizes(s.memcg, size);
	s.memcg->swappiness = 0;
	s.memcg->counter.usage = 40000;
	for (int may = 0; may < 2; may++) {
		struct reclaim rc = { .target = s.group, .priority = 5, .want = 32 };

		rc.may_deactivate[SCAN_FILE] = may;
		/* 625 * 60 // 200 and 625 * 140 // 200 */
		check_targets(&s, &rc, may ? (const pages_t[LRU_UNEVICTABLE]){ 187, 0, 437, 0 }
					   : (const pages_t[LRU_UNEVICTABLE]){ 0, 0, 625, 0 });
		if (!may)
			continue;
		/* Equal weights at 100; at 200 only anon has any. */
		s.m->sc.era.knobs.swappiness = 100;
		check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 312, 0, 312, 0 });
		s.m->sc.era.knobs.swappiness = 200;
		check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 625, 0, 0, 0 });
	}
	rig_close(&s.rig);
}

/* Machine-wide, so little file cache that all of it and what is free are below the marks. */
static void a_tiny_file_cache_leaves_only_anon(void **state)
{
	static const pages_t size[LRU_UNEVICTABLE] = { 20000, 0, 700, 0 };
	struct reclaim rc = {
		.target = RIG_ROOT, .global = true, .kswapd = true, .priority = 5, .want = 32 };
	pages_t high;
	struct sheet s;

	(void)state;
	sheet_open(&s, EXACT_V1, SWAP);
	set_sizes(s.memcg, size);
	memcpy(s.m->host->zone[0].lruvec.size, size, sizeof(size));
	rc.may_deactivate[SCAN_FILE] = true;
	high = s.m->host->zone[0].wmark[WMARK_HIGH];
	s.m->host->zone[0].free = high - 700;
	check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 625, 0, 0, 0 });
	/* One page more is not tiny: 625 * 60 // 200, 21 * 140 // 200. */
	s.m->host->zone[0].free = high - 699;
	check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 187, 0, 14, 0 });
	/* Nor is it when anon was missed, or has nothing inactive to give. */
	s.m->host->zone[0].free = 0;
	rc.may_deactivate[SCAN_ANON] = true;
	check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 187, 0, 14, 0 });
	rc.may_deactivate[SCAN_ANON] = false;
	rc.priority = 15;
	check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 0, 0, 0, 0 });
	/* Limit reclaim does not care. */
	rc.global = rc.kswapd = false;
	rc.priority = 5;
	check_targets(&s, &rc, (const pages_t[LRU_UNEVICTABLE]){ 187, 0, 14, 0 });
	rig_close(&s.rig);
}

static void what_is_left_is_cut_in_the_smaller_types_proportion(void **state)
{
	static const struct {
		struct pass pass;
		bool goes_on;
		pages_t want[LRU_UNEVICTABLE];
	} rows[] = {
		/* anon has 86 of 150 left: 56 %, so file keeps 44 %, less what was done */
		{ { .asked = { 100, 50, 400, 200 }, .todo = { 68, 18, 368, 168 } },
		  true,
		  { 0, 0, 144, 56 } },
		/* file is the smaller: 10 of 42 left, 23 %; of 400 and 100, 77 % */
		{ { .asked = { 400, 100, 42, 0 }, .todo = { 368, 68, 10, 0 } },
		  true,
		  { 276, 45, 0, 0 } },
		/* as much of both: file gives way; 50 * 100 // 101 is 49 */
		{ { .asked = { 100, 0, 100, 0 }, .todo = { 50, 0, 50, 0 } }, true, { 1, 0, 0, 0 } },
		/* done already: nothing below zero */
		{ { .asked = { 64, 0, 100, 0 }, .todo = { 60, 0, 64, 0 } }, true, { 0, 0, 0, 0 } },
		{ { .asked = { 64, 0, 100, 0 }, .todo = { 0, 0, 68, 0 } }, false, { 0, 0, 68, 0 } },
		{ { .asked = { 64, 32, 32, 0 }, .todo = { 32, 0, 0, 0 } }, false, { 32, 0, 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct pass pass = rows[i].pass;

		assert_int_equal(target_rebalance(&pass), rows[i].goes_on);
		for (int lru = 0; lru < LRU_UNEVICTABLE; lru++)
			assert_int_equal(pass.todo[lru], rows[i].want[lru]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_follow_the_costs),
		cmocka_unit_test(without_swap_only_file_is_scanned_by_size_and_priority),
		cmocka_unit_test(with_swap_the_first_mode_that_fits_holds),
		cmocka_unit_test(a_child_is_scanned_by_its_targets_costs),
		cmocka_unit_test(version_2_has_one_swappiness_for_all_groups),
		cmocka_unit_test(a_tiny_file_cache_leaves_only_anon),
		cmocka_unit_test(what_is_left_is_cut_in_the_smaller_types_proportion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
