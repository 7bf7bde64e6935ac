/*
 * A swap device that takes its time: pages stay in memory until they are
 * written, come back with their neighbours, and writes that are begun while a
 * window is read wait for its end.  And one that writes at once.
 */
#include "rig.h"
#include "rmap.h"
#include "run_private.h"
#include "shrink.h"
#include "swap.h"
#include "writeback.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { CLUSTER = 32, SLOW_NS = 1000000 };

struct one {
	struct rig rig;
	struct machine *m;
	uint32_t group, task, map;
};

/* @pages of memory, touched once and not in use any more. */
static void one_open(struct one *one, const char *kernel, int64_t swap_ns, pages_t pages)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.swap_pages = 10000;
	sc.era.knobs.swap_ns = swap_ns;
	rig_open_scenario(&one->rig, &sc);
	one->m = run_machine(one->rig.run);
	one->group = rig_group(&one->rig, RIG_ROOT, "g", 0);
	one->task = rig_task(&one->rig, one->group, 0);
	one->map = rig_map(&one->rig, one->task, pages);
	assert_int_equal(rig_touch(&one->rig, one->task, one->map, 0, pages), OP_DONE);
	rig_drain(&one->rig, one->task);
	for (pages_t i = 0; i < pages; i++)
		one->m->pages.slot[page_find(&one->m->pages, &one->m->pages.mapping[one->map], i)]
			.word &= ~(uint32_t)PG_YOUNG;
}

static uint32_t word_of(struct one *one, pages_t index)
{
	return one->m->pages
		.slot[page_find(&one->m->pages, &one->m->pages.mapping[one->map], index)]
		.word;
}

static pages_t shrink(struct one *one, pages_t nr)
{
	struct reclaim rc = { .target = one->group, .priority = 9, .want = CLUSTER };
	const struct shrink sh = { .id = { one->group, 0, LRU_INACTIVE_ANON }, .nr_to_scan = nr };
	pages_t freed = shrink_inactive(one->m, &rc, &sh);

	/* The end of a pass. */
	writeback_submit(one->m);
	return freed;
}

static struct run_task task_of(struct one *one)
{
	struct run_task task;

	assert_true(run_task(one->rig.run, one->task, &task));
	return task;
}

/* A cluster is written: each page costs 32 that were looked at in vain, and one more where it is
 * not free yet.  A quarter of 6,000 pages is more than that. */
static void a_page_that_is_written_costs_as_much_as_a_cluster(void **state)
{
	static const struct {
		int64_t ns;
		uint64_t cost;
	} rows[] = {
		{ 0, 32 * CLUSTER },
		{ SLOW_NS, 32 * CLUSTER + CLUSTER },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;

		one_open(&one, EXACT_V1, rows[i].ns, 6000);
		shrink(&one, CLUSTER);
		assert_int_equal(machine_memcg(one.m, one.group)->cost[0][SCAN_ANON], rows[i].cost);
		rig_close(&one.rig);
	}
}

/* Compressed memory frees at the first look; a disk writes first, and then it is at the tail. */
static void a_slow_device_frees_at_the_second_look(void **state)
{
	static const struct {
		int64_t ns;
		pages_t first, second;
	} rows[] = {
		{ 0, 32, 32 },
		{ SLOW_NS, 0, 32 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;

		one_open(&one, EXACT_V1, rows[i].ns, 100);
		assert_int_equal(shrink(&one, CLUSTER), rows[i].first);
		assert_int_equal(task_of(&one).rss, 68);
		assert_int_equal(task_of(&one).unmapped, rows[i].ns ? 32 : 0);
		assert_int_equal(rig_memcg(&one.rig, one.group).writeback, rows[i].ns ? 32 : 0);
		assert_int_equal(rig_memcg(&one.rig, one.group).swap, CLUSTER);
		writeback_wait(one.m);
		assert_int_equal(shrink(&one, CLUSTER), rows[i].second);
		/* The pages that were written are the ones that are freed. */
		assert_int_equal(rig_memcg(&one.rig, one.group).swap,
				 rows[i].ns ? CLUSTER : 2 * CLUSTER);
		rig_check(&one.rig, "written");
		rig_close(&one.rig);
	}
}

/* v6.18 shrink_inactive_list(): a page written costs as much as 32 that were looked at in vain;
 * the sum, 320, is below a quarter of the list and is not halved. */
static void a_page_written_costs_thirty_two_looks(void **state)
{
	struct memcg *memcg;
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, 0, 4000);
	memcg = machine_memcg(one.m, one.group);
	assert_int_equal(memcg->cost[0][SCAN_ANON], 0);
	assert_int_equal(shrink(&one, 10), 10);
	assert_int_equal(memcg->cost[0][SCAN_ANON], 10 * 32);
	rig_close(&one.rig);
}

/* Before it is written a page is only mapped again, and its slot is stale then. */
static void a_page_that_is_used_while_it_is_written_is_written_again(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, SLOW_NS, 100);
	shrink(&one, 10);
	rig_touch(&one.rig, one.task, one.map, 0, 5);
	assert_true(word_of(&one, 0) & PG_SWAP_CACHE);
	assert_true(word_of(&one, 0) & PG_DIRTY);
	writeback_wait(one.m);
	assert_true(swap_needs_write(one.m,
				     page_find(&one.m->pages, &one.m->pages.mapping[one.map], 0)));
	/* One that is used later gives its slot back. */
	rig_touch(&one.rig, one.task, one.map, 5, 5);
	assert_false(word_of(&one, 5) & (PG_SWAP_CACHE | PG_DIRTY));
	assert_int_equal(one.m->host->swap_used, 5);
	assert_int_equal(task_of(&one).unmapped, 0);
	rig_check(&one.rig, "used");
	rig_close(&one.rig);
}

/* A fresh mapping is read by eights; each further window is as large while the last was used. */
static void swapped_pages_come_back_eight_at_a_time(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, SLOW_NS, 64);
	shrink(&one, CLUSTER);
	shrink(&one, CLUSTER);
	writeback_wait(one.m);
	assert_int_equal(shrink(&one, CLUSTER) + shrink(&one, CLUSTER), 64);
	for (pages_t at = 0; at < 64; at++) {
		struct run_totals totals;

		rig_touch(&one.rig, one.task, one.map, at, 1);
		run_totals(one.rig.run, &totals);
		assert_int_equal(totals.nr_swapped_in, (at / 8 + 1) * 8);
	}
	rig_check(&one.rig, "back");
	rig_close(&one.rig);
}

/* Windows by what is known of the last: E.g. 4 hits are 6 pages, which is 8. */
static void a_window_follows_the_hits_of_the_last_one(void **state)
{
	static const struct {
		pages_t last, at;
		uint32_t window, hits;
		pages_t first, end;
	} rows[] = {
		{ 0, 0, 0, 0, 0, 8 },     /* fresh */
		{ 10, 11, 1, 0, 11, 13 }, /* beside the last: two, forwards */
		{ 10, 9, 1, 0, 8, 10 },   /* and backwards */
		{ 10, 40, 1, 0, 40, 41 }, /* elsewhere: alone */
		{ 10, 40, 8, 0, 39, 43 }, /* but no less than half of the last */
		{ 10, 11, 8, 1, 11, 15 }, { 10, 11, 8, 3, 11, 19 },
		{ 10, 11, 8, 7, 11, 19 }, { 98, 99, 8, 7, 99, 100 }, /* the mapping ends */
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct mapping *map;
		pages_t first, end;
		struct one one;

		one_open(&one, EXACT_V1, SLOW_NS, 100);
		map = &one.m->pages.mapping[one.map];
		map->ahead.index = rows[i].last;
		map->ahead.window = rows[i].window;
		map->ahead.hits = rows[i].hits;
		swap_window(one.m, one.map, rows[i].at, &first, &end);
		assert_int_equal(first, rows[i].first);
		assert_int_equal(end, rows[i].end);
		rig_close(&one.rig);
	}
}

/*
 * A pass sends its request off at its end, or when 256 pages are in it.
 * While a window is read, behind a small read 31 such requests are gathered.
 */
static void requests_are_held_back_behind_a_small_read(void **state)
{
	static const struct {
		bool plugged, reads;
		uint32_t open;
	} rows[] = {
		{ false, false, 44 },
		{ true, false, 44 },
		{ true, true, 9000 - 31 * 256 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;

		one_open(&one, EXACT_V1, SLOW_NS, 9000);
		one.m->host->plugged = rows[i].plugged;
		one.m->host->plug_reads = rows[i].reads;
		for (pages_t at = 0; at < (rows[i].reads ? 9000 : 300); at++) {
			const struct mapping *map = &one.m->pages.mapping[one.map];
			uint32_t slot = page_find(&one.m->pages, map, at);

			rmap_unmap(one.m, slot);
			swap_write(one.m, slot);
			if (at + 1 == 31 * 256)
				assert_int_equal(one.m->host->device[DEVICE_SWAP].open, at + 1);
		}
		/* What follows the flush is behind no read any more. */
		assert_int_equal(one.m->host->device[DEVICE_SWAP].open,
				 rows[i].reads ? rows[i].open % 256 : rows[i].open);
		writeback_submit(one.m);
		assert_int_equal(one.m->host->device[DEVICE_SWAP].open > 0, rows[i].plugged);
		one.m->host->plugged = false;
		writeback_wait(one.m);
		assert_int_equal(rig_memcg(&one.rig, one.group).writeback, 0);
		rig_check(&one.rig, "written");
		rig_close(&one.rig);
	}
}

/* A task that ends takes its slots along, whatever its pages are doing. */
static void a_task_that_ends_frees_its_slots(void **state)
{
	struct op op = { .kind = OP_TASK_EXIT };
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, SLOW_NS, 200);
	shrink(&one, CLUSTER);
	writeback_wait(one.m);
	shrink(&one, 16);
	shrink(&one, CLUSTER);
	op.task = one.task;
	rig_apply(&one.rig, &op);
	assert_int_equal(one.m->host->swap_used, 0);
	writeback_wait(one.m);
	rig_check(&one.rig, "ended");
	rig_close(&one.rig);
}

/* With room for 40 pages a window of 64 pushes out what it is read for. */
static void a_window_larger_than_the_group_still_brings_its_page(void **state)
{
	static const char *const kernels[] = { EXACT_V1, "v2.6.32" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct one one;

		one_open(&one, kernels[i], SLOW_NS, 256);
		one.m->sc.era.knobs.swap_readahead = 64;
		assert_int_equal(rig_limit(&one.rig, one.group, 40), OP_DONE);
		for (pages_t at = 0; at < 256; at++)
			assert_int_equal(rig_touch(&one.rig, one.task, one.map, at, 1), OP_DONE);
		assert_true(rig_memcg(&one.rig, one.group).usage <= 40);
		rig_check(&one.rig, kernels[i]);
		rig_close(&one.rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_that_is_written_costs_as_much_as_a_cluster),
		cmocka_unit_test(a_slow_device_frees_at_the_second_look),
		cmocka_unit_test(a_page_written_costs_thirty_two_looks),
		cmocka_unit_test(a_page_that_is_used_while_it_is_written_is_written_again),
		cmocka_unit_test(swapped_pages_come_back_eight_at_a_time),
		cmocka_unit_test(a_window_follows_the_hits_of_the_last_one),
		cmocka_unit_test(requests_are_held_back_behind_a_small_read),
		cmocka_unit_test(a_task_that_ends_frees_its_slots),
		cmocka_unit_test(a_window_larger_than_the_group_still_brings_its_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
