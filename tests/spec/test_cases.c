/*
 * Reports from the field, set up small: protection shared by siblings, a
 * limit written below usage, swappiness 0 and 200, small groups that are not
 * scanned at first, and a stream beside a hot cache.
 */
#include <inttypes.h>
#include <string.h>

#include "rig.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"
#define EXACT_V2 "v6.18+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { MIB = 256, GIB = 1024 * MIB };	/* [pages] */

static void set_group(struct rig *rig, uint32_t group, const struct group_conf *conf)
{
	struct op op = { .kind = OP_GROUP_SET, .object = group, .group = *conf };

	assert_int_equal(rig_apply(rig, &op).outcome, OP_DONE);
}

/* Whether two sizes differ by no more than @percent of their sum's half and half again. */
static void check_close(pages_t pages, pages_t mib, unsigned percent, const char *what)
{
	pages_t want = mib * MIB, apart = pages > want ? pages - want : want - pages;

	if (apart > (pages + want) * percent / 100)
		fail_msg("%s: %" PRIu64 " pages, not near %" PRIu64 " MiB", what, pages, mib);
}

/* A (200M) > B (protected 50M) > C, D, E, F with 50M of cache in C, D and E; A > G. */
struct selftest {
	struct rig rig;
	uint32_t b, leaf[4], task, map;
};

static void protect(struct rig *rig, uint32_t group, bool hard, pages_t mib)
{
	struct group_conf conf = { .set = hard ? GROUP_MIN : GROUP_LOW };

	conf.min_pages = conf.low_pages = mib * MIB;
	set_group(rig, group, &conf);
}

static void selftest_open(struct selftest *t, const char *kernel, bool hard)
{
	static const char *const names[] = { "c", "d", "e", "f" };
	static const pages_t mib[] = { 75, 25, 0, 500 };
	struct rig *rig = &t->rig;
	uint32_t a, g;

	rig_open(rig, kernel, 1);
	a = rig_group(rig, RIG_ROOT, "a", 200 * MIB);
	t->b = rig_group(rig, a, "b", 0);
	protect(rig, t->b, hard, 50);
	for (size_t i = 0; i < NR(t->leaf); i++) {
		t->leaf[i] = rig_group(rig, t->b, names[i], 0);
		protect(rig, t->leaf[i], hard, mib[i]);
		if (mib[i] != 500)
			rig_read(rig, rig_task(rig, t->leaf[i], 0), rig_file(rig, 50 * MIB), 0,
				 50 * MIB);
	}
	g = rig_group(rig, a, "g", 0);
	t->task = rig_task(rig, g, 0);
	t->map = rig_map(rig, t->task, 200 * MIB);
}

static pages_t usage(struct selftest *t, uint32_t group)
{
	return rig_memcg(&t->rig, group).usage;
}

static void check_shares(struct selftest *t)
{
	check_close(usage(t, t->b), 50, 3, "B");
	check_close(usage(t, t->leaf[0]), 29, 15, "C");
	check_close(usage(t, t->leaf[1]), 21, 20, "D");
	assert_true(usage(t, t->leaf[2]) < 2 * MIB);
	assert_int_equal(usage(t, t->leaf[3]), 0);
}

static const char *const v2_kernels[] = { EXACT_V2, "v6.18" };

static void siblings_share_low_by_what_they_use(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR(v2_kernels); k++) {
		struct selftest t;

		selftest_open(&t, v2_kernels[k], false);
		assert_int_equal(rig_touch(&t.rig, t.task, t.map, 0, 148 * MIB), OP_DONE);
		check_shares(&t);
		/* Low gives way where there is nothing else; those who had it count that. */
		assert_int_equal(rig_touch(&t.rig, t.task, t.map, 148 * MIB, 22 * MIB), OP_DONE);
		check_close(usage(&t, t.b), 30, 3, "B");
		assert_true(rig_memcg(&t.rig, t.leaf[0]).low_events > 0);
		assert_true(rig_memcg(&t.rig, t.leaf[1]).low_events > 0);
		assert_int_equal(rig_memcg(&t.rig, t.leaf[3]).low_events, 0);
		assert_int_equal(rig_count(&t.rig, EVENT_OOM), 0);
		rig_check(&t.rig, v2_kernels[k]);
		rig_close(&t.rig);
	}
}

static void min_does_not_give_way(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR(v2_kernels); k++) {
		struct selftest t;

		selftest_open(&t, v2_kernels[k], true);
		assert_int_equal(rig_touch(&t.rig, t.task, t.map, 0, 148 * MIB), OP_DONE);
		check_shares(&t);
		assert_int_equal(rig_count(&t.rig, EVENT_OOM), 0);
		assert_int_equal(rig_touch(&t.rig, t.task, t.map, 148 * MIB, 22 * MIB), OP_KILLED);
		assert_int_equal(rig_nth(&t.rig, EVENT_OOM, 0)->n[OOM_VICTIM], t.task);
		check_close(usage(&t, t.b), 50, 3, "B");
		rig_check(&t.rig, v2_kernels[k]);
		rig_close(&t.rig);
	}
}

enum { USED = 294 };	/* 1204224 bytes */

/* A group whose task holds anonymous pages and no swap to put them. */
static uint32_t full_group(struct rig *rig, const char *kernel, uint32_t *task)
{
	uint32_t group;

	rig_open(rig, kernel, 1);
	group = rig_group(rig, RIG_ROOT, "g", 10 * MIB);
	*task = rig_task(rig, group, 0);
	rig_touch(rig, *task, rig_map(rig, *task, USED), 0, USED);
	rig_drain(rig, *task);
	return group;
}

static void a_limit_below_usage_is_busy_in_version_1(void **state)
{
	static const char *const kernels[] = {
		"v2.6.31", "v2.6.32", "v3.1", "v3.2", "v3.3", EXACT_V1, "v6.18-v1",
	};

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct run_memcg before, after;
		struct run_task figures;
		uint32_t group, task;
		struct rig rig;

		group = full_group(&rig, kernels[k], &task);
		before = rig_memcg(&rig, group);
		/* 1000 bytes are no whole page. */
		assert_int_equal(rig_limit(&rig, group, 1000 / PAGE_BYTES), OP_BUSY);
		after = rig_memcg(&rig, group);
		assert_int_equal(after.limit, 10 * MIB);
		assert_true(after.usage <= before.usage && after.charged == USED);
		assert_true(run_task(rig.run, task, &figures) && figures.alive);
		assert_int_equal(rig_count(&rig, EVENT_OOM), 0);
		rig_check(&rig, kernels[k]);
		rig_close(&rig);
	}
}

static void a_limit_below_usage_kills_in_version_2(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR(v2_kernels); k++) {
		struct run_task figures;
		uint32_t group, task;
		struct run_memcg g;
		struct rig rig;

		group = full_group(&rig, v2_kernels[k], &task);
		assert_int_equal(rig_limit(&rig, group, 0), OP_DONE);
		g = rig_memcg(&rig, group);
		assert_int_equal(g.limit, 0);
		assert_int_equal(g.charged, 0);
		/* The rest of a page of kernel objects and of a stock: nobody is to be killed. */
		assert_int_equal(g.usage, g.kmem + g.stock);
		assert_true(g.usage <= 2);
		assert_int_equal(g.oom_kills, 1);
		assert_true(run_task(rig.run, task, &figures));
		assert_false(figures.alive);
		rig_check(&rig, v2_kernels[k]);
		rig_close(&rig);
	}
}

/* Kernel memory of a child cannot be reclaimed and belongs to nobody who could be killed. */
static void usage_stays_above_where_nobody_can_be_killed(void **state)
{
	uint32_t group;
	struct run_memcg g;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 10 * MIB);
	rig_group(&rig, group, "child", 0);
	assert_int_equal(rig_limit(&rig, group, 0), OP_DONE);
	g = rig_memcg(&rig, group);
	assert_int_equal(g.limit, 0);
	assert_int_equal(g.usage, g.kmem);
	assert_true(g.usage > 0);
	assert_int_equal(g.oom_kills, 0);
	rig_check(&rig, "above a limit of nothing");
	rig_close(&rig);
}

/* A group of 64 MiB with swap beside it; its task wants half as much again. */
static enum op_outcome want_more(struct rig *rig, const char *kernel, int64_t swappiness,
				 struct run_totals *totals)
{
	struct group_conf conf = { .set = GROUP_SWAPPINESS, .swappiness = swappiness };
	struct scenario sc;
	uint32_t group, task;
	enum op_outcome outcome;

	rig_scenario(&sc, kernel, 1);
	sc.swap_pages = 128 * MIB;
	rig_open_scenario(rig, &sc);
	group = rig_group(rig, RIG_ROOT, "g", 64 * MIB);
	set_group(rig, group, &conf);
	task = rig_task(rig, group, 0);
	outcome = rig_touch(rig, task, rig_map(rig, task, 96 * MIB), 0, 96 * MIB);
	run_totals(rig->run, totals);
	assert_int_equal(rig_memcg(rig, group).peak, 64 * MIB);
	rig_check(rig, kernel);
	return outcome;
}

static void swappiness_0_means_never_since_3_5(void **state)
{
	static const struct { const char *kernel; bool never; } rows[] = {
		{ "v2.6.31", false }, { "v2.6.32", false }, { "v3.1", false }, { "v3.2", false },
		{ "v3.3", false }, { "v3.5", true }, { EXACT_V1, true }, { "v6.18-v1", true },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct run_totals totals;
		enum op_outcome outcome;
		struct rig rig;

		outcome = want_more(&rig, rows[i].kernel, 0, &totals);
		if (rows[i].never != (outcome == OP_KILLED) ||
		    rows[i].never == (totals.nr_swapped_out > 0))
			fail_msg("%s: outcome %d, %" PRIu64 " pages swapped out", rows[i].kernel,
				 (int)outcome, totals.nr_swapped_out);
		rig_close(&rig);
		/* One is not nothing. */
		assert_int_equal(want_more(&rig, rows[i].kernel, 1, &totals), OP_DONE);
		assert_true(totals.nr_swapped_out >= 32 * MIB);
		rig_close(&rig);
	}
}

/* Machine-wide 0: the cache goes first; when next to none is left, anon is swapped after all. */
static void global_swappiness_0_swaps_when_the_cache_is_gone(void **state)
{
	struct scenario sc;
	struct run_totals totals;
	uint32_t task, map;
	struct rig rig;

	(void)state;
	rig_scenario(&sc, EXACT_V2, 1);
	sc.era.knobs.swappiness = 0;
	sc.swap_pages = 128 * MIB;
	sc.memory.nr_ranges = 1;
	sc.memory.range[0] = (struct pcg_range){ 0, (bytes_t)64 << 20 };
	rig_open_scenario(&rig, &sc);
	task = rig_task(&rig, rig_group(&rig, RIG_ROOT, "g", 0), 0);
	map = rig_map(&rig, task, 96 * MIB);
	rig_touch(&rig, task, map, 0, 32 * MIB);
	rig_read(&rig, task, rig_file(&rig, GIB), 0, GIB);
	run_totals(rig.run, &totals);
	assert_int_equal(totals.nr_swapped_out, 0);
	assert_true(totals.nr_reclaimed > GIB - 64 * MIB);
	assert_int_equal(rig_touch(&rig, task, map, 32 * MIB, 64 * MIB), OP_DONE);
	run_totals(rig.run, &totals);
	assert_true(totals.nr_swapped_out > 32 * MIB);
	rig_close(&rig);
}

/* Half of the group is cache read twice; then anon goes round over more than the limit. */
static pages_t cache_left(int64_t swappiness)
{
	struct scenario sc;
	struct run_totals totals;
	struct run_memcg g;
	uint32_t group, task, file, map;
	struct rig rig;

	rig_scenario(&sc, EXACT_V2, 1);
	sc.era.knobs.swappiness = swappiness;
	sc.swap_pages = 256 * MIB;
	rig_open_scenario(&rig, &sc);
	group = rig_group(&rig, RIG_ROOT, "g", 64 * MIB);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 32 * MIB);
	rig_read(&rig, task, file, 0, 32 * MIB);
	rig_drain(&rig, task);
	rig_read(&rig, task, file, 0, 32 * MIB);
	map = rig_map(&rig, task, 64 * MIB);
	for (int pass = 0; pass < 3; pass++)
		rig_touch(&rig, task, map, 0, 64 * MIB);
	run_totals(rig.run, &totals);
	assert_true(totals.nr_swapped_out > 32 * MIB);
	g = rig_memcg(&rig, group);
	rig_close(&rig);
	return g.size[LRU_INACTIVE_FILE] + g.size[LRU_ACTIVE_FILE];
}

static void swappiness_200_keeps_the_cache(void **state)
{
	pages_t at_60, at_100;

	(void)state;
	/* But for the few calls in which fresh anon pages are kept down to the last priority. */
	assert_in_range(cache_left(200), 31 * MIB, 32 * MIB);
	at_100 = cache_left(100);
	at_60 = cache_left(60);
	if (at_60 > at_100 || at_100 > 24 * MIB)
		fail_msg("%" PRIu64 " pages left at 60, %" PRIu64 " at 100", at_60, at_100);
}

static void a_small_list_is_not_scanned_at_the_first_priorities(void **state)
{
	static const struct { const char *kernel; pages_t pages; int first; } rows[] = {
		/* size >> 12 is nothing below 16 MiB */
		{ "v2.6.31", 4096, 12 }, { "v2.6.31", 4095, 11 }, { "v2.6.31", 1000, 9 },
		/* saved up to a cluster: 512 MiB for the first, 64 MiB by the fourth */
		{ "v2.6.32", 131072, 12 }, { "v2.6.32", 131071, 11 }, { "v2.6.32", 16384, 9 },
		{ "v2.6.32", 4096, 7 },
		/* What is saved up makes 36 MiB of that: 2 + 4 + 9 + 18 pages. */
		{ "v2.6.32", 9216, 9 }, { "v2.6.32", 9215, 8 },
		/* the forced minimum */
		{ "v3.1", 100, 12 }, { "v3.2", 100, 12 }, { "v3.3", 100, 12 },
		/* none again, once groups' lists are all there is */
		{ EXACT_V1, 4096, 12 }, { EXACT_V1, 4095, 11 }, { EXACT_V1, 100, 6 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const struct event *shrink;
		uint32_t task;
		struct rig rig;

		rig_open(&rig, rows[i].kernel, 1);
		task = rig_task(&rig, rig_group(&rig, RIG_ROOT, "g", rows[i].pages), 0);
		rig_read(&rig, task, rig_file(&rig, rows[i].pages), 0, rows[i].pages);
		rig_drain(&rig, task);
		rig_touch(&rig, task, rig_map(&rig, task, 1), 0, 1);
		shrink = rig_nth(&rig, EVENT_SHRINK, 0);
		if (shrink->n[SHRINK_PRIORITY] != rows[i].first)
			fail_msg("%s, %" PRIu64 " pages: first shrunk at priority %" PRId64,
				 rows[i].kernel, rows[i].pages, shrink->n[SHRINK_PRIORITY]);
		assert_int_equal(shrink->n[SHRINK_SIZE], rows[i].pages);
		rig_close(&rig);
	}
}

/*
 * P (100M) above A, which reads a file again and again, and B, which streams.
 * Returns: pages that A had to read again in the second half; @hot: what it has at last.
 */
static uint64_t misses_beside_a_stream(const char *kernel, pages_t size, pages_t *hot)
{
	enum { ROUNDS = 40, CHUNK = 5 * MIB };
	uint32_t p, a, b, a_task, a_file, b_task, b_file;
	uint64_t half = 0;
	struct run_memcg g;
	struct rig rig;

	rig_open(&rig, kernel, 1);
	p = rig_hierarchy(&rig, RIG_ROOT, "p", 100 * MIB);
	a = rig_hierarchy(&rig, p, "a", 0);
	b = rig_hierarchy(&rig, p, "b", 0);
	a_task = rig_task(&rig, a, 0);
	b_task = rig_task(&rig, b, 0);
	a_file = rig_file(&rig, size);
	b_file = rig_file(&rig, 4 * GIB);
	for (int round = 0; round < ROUNDS; round++) {
		for (pages_t at = 0; at < size; at += CHUNK) {
			rig_read(&rig, a_task, a_file, at, CHUNK);
			rig_read(&rig, b_task, b_file, (pages_t)round * size + at, CHUNK);
		}
		if (round == ROUNDS / 2)
			half = rig_memcg(&rig, a).nr_charged;
		rig_forget(&rig);
	}
	g = rig_memcg(&rig, a);
	*hot = g.size[LRU_INACTIVE_FILE] + g.size[LRU_ACTIVE_FILE];
	rig_check(&rig, kernel);
	rig_close(&rig);
	return g.nr_charged - half;
}

static void a_stream_beside_a_hot_cache(void **state)
{
	static const struct { const char *kernel; pages_t mib; bool keeps; } rows[] = {
		{ "v3.1", 50, false }, { "v3.2", 50, false }, { "v3.3", 50, false },
		{ "v3.3", 40, false }, { EXACT_V1, 50, true },
		/* Kernel memory takes its part; what was low once is so until the next flush. */
		{ "v6.18-v1", 40, true }, { "v6.18", 40, true },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		pages_t hot;
		uint64_t misses = misses_beside_a_stream(rows[i].kernel, rows[i].mib * MIB, &hot);

		if (rows[i].keeps != (misses == 0))
			fail_msg("%s: %" PRIu64 " misses, %" PRIu64 " pages of the hot file stay",
				 rows[i].kernel, misses, hot);
		if (rows[i].keeps)
			check_close(hot, rows[i].mib, 1, rows[i].kernel);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(siblings_share_low_by_what_they_use),
		cmocka_unit_test(min_does_not_give_way),
		cmocka_unit_test(a_limit_below_usage_is_busy_in_version_1),
		cmocka_unit_test(a_limit_below_usage_kills_in_version_2),
		cmocka_unit_test(usage_stays_above_where_nobody_can_be_killed),
		cmocka_unit_test(swappiness_0_means_never_since_3_5),
		cmocka_unit_test(global_swappiness_0_swaps_when_the_cache_is_gone),
		cmocka_unit_test(swappiness_200_keeps_the_cache),
		cmocka_unit_test(a_small_list_is_not_scanned_at_the_first_priorities),
		cmocka_unit_test(a_stream_beside_a_hot_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
