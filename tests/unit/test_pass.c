/*
 * One pass over a list, and passes over two zones: after how much the
 * kernels break off, whether what other zones freed counts, and whose turn
 * it is in each zone.  Lists are long enough for the target that is wanted
 * at the priority that is wanted.
 */
#include <inttypes.h>
#include <string.h>

#include "pass.h"
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define MIB ((bytes_t)1 << 20)
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { DMA, DMA32, NORMAL, CLUSTER = 32 };

struct one {
	struct rig rig;
	struct machine *m;
	uint32_t group, task, file;
};

static void one_open(struct one *one, const char *kernel)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.zones = true;
	sc.memory.nr_ranges = 2;
	sc.memory.range[0] = (struct pcg_range){ 16 * MIB, 2048 * MIB };
	sc.memory.range[1] = (struct pcg_range){ 4096 * MIB, 4608 * MIB };
	rig_open_scenario(&one->rig, &sc);
	one->m = run_machine(one->rig.run);
	one->group = rig_group(&one->rig, RIG_ROOT, "g", 0);
	one->task = rig_task(&one->rig, one->group, 0);
	one->file = rig_file(&one->rig, 1 << 20);
}

/* Pages go where frames are free: Normal first, unless it is said to be full. */
static void fill(struct one *one, uint32_t task, int zone, pages_t first, pages_t nr)
{
	pages_t normal = one->m->host->zone[NORMAL].free;

	if (zone != NORMAL)
		one->m->host->zone[NORMAL].free = 0;
	assert_int_equal(rig_read(&one->rig, task, one->file, first, nr), OP_DONE);
	rig_drain(&one->rig, task);
	if (zone != NORMAL)
		one->m->host->zone[NORMAL].free = normal;
}

/* One pass over DMA32.  Returns: how often the inactive file list was shrunk. */
static size_t pass(struct one *one, unsigned priority, pages_t freed_before, pages_t *freed)
{
	struct reclaim rc = {
		.target = one->group, .zone = one->m->per_node ? 0 : DMA32,
		.priority = priority, .want = CLUSTER, .freed = freed_before,
	};

	rig_forget(&one->rig);
	pass_lists(one->m, &rc, one->group);
	*freed = rc.freed - freed_before;
	return rig_count(&one->rig, EVENT_SHRINK);
}

static void a_pass_breaks_off_when_enough_was_freed(void **state)
{
	/* 64 pages are wanted at each of the priorities. */
	static const struct { const char *kernel; size_t at_11, at_12; } rows[] = {
		{ "v2.6.32", 2, 2 }, { "v2.6.31", 2, 2 },
		{ "v2.6.32+early_break=ge_cumulative", 1, 2 },
		{ "v3.1", 1, 2 }, { "v3.1+lru=per_memcg", 1, 2 }, { "v3.2", 1, 2 },
		{ "v3.3", 1, 2 },
		/* Where the first priority is no exception. */
		{ EXACT_V1, 1, 1 }, { "v3.3+early_break=ge_local_all", 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * NR(rows); i++) {
		unsigned priority = i % 2 ? 11 : 12;
		size_t want = i % 2 ? rows[i / 2].at_11 : rows[i / 2].at_12;
		pages_t freed;
		struct one one;

		one_open(&one, rows[i / 2].kernel);
		fill(&one, one.task, DMA32, 0, (pages_t)64 << priority);
		assert_int_equal(pass(&one, priority, 0, &freed), want);
		assert_int_equal(freed, want * CLUSTER);
		assert_int_equal(rig_nth(&one.rig, EVENT_SHRINK, 0)->n[SHRINK_TO_SCAN], CLUSTER);
		rig_close(&one.rig);
	}
}

struct second_zone {
	const char *kernel;
	pages_t before;		/* freed in the zone before */
	size_t shrinks;		/* of three that the target is good for */
	size_t held;		/* the same with a first cluster that cannot be freed */
};

/*
 * 96 pages are wanted at priority 11.  Where all passes count, 33 of the
 * zone before are enough after the first look here, whatever it brings;
 * where each counts for itself, it takes a cluster of one's own.
 */
static const struct second_zone second_zones[] = {
	{ "v2.6.31", 33, 1, 1 }, { "v2.6.31", 32, 1, 2 }, { "v2.6.31", 0, 2, 3 },
	{ "v2.6.32", 33, 1, 1 }, { "v2.6.32", 0, 2, 3 },
	{ "v2.6.32+early_break=ge_cumulative", 32, 1, 1 },
	{ "v2.6.32+early_break=ge_cumulative", 0, 1, 2 },
	{ "v3.1", 33, 1, 2 }, { "v3.1", 0, 1, 2 }, { "v3.2", 33, 1, 2 },
	{ "v3.3", 33, 1, 2 }, { "v3.3", 1000, 1, 2 },
	{ EXACT_V1, 33, 1, 2 },
};

/* A cluster of a file of its own, marked by a read and used through a mapping: not freed. */
static void use_cluster(struct one *one)
{
	uint32_t file = one->file;
	struct op map = { .kind = OP_MAP_FILE, .task = one->task, .name = "view" };

	map.object = one->file = rig_file(&one->rig, CLUSTER);
	fill(one, one->task, DMA32, 0, CLUSTER);
	assert_int_equal(rig_touch(&one->rig, one->task, rig_apply(&one->rig, &map).id, 0, CLUSTER),
			 OP_DONE);
	one->file = file;
}

static void what_other_zones_freed_counts_until_v2_6_33(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * NR(second_zones); i++) {
		const struct second_zone *row = &second_zones[i / 2];
		size_t want = i % 2 ? row->held : row->shrinks, shrinks;
		pages_t freed;
		struct one one;

		one_open(&one, row->kernel);
		if (i % 2)
			use_cluster(&one);
		fill(&one, one.task, DMA32, 0, ((pages_t)96 << 11) - i % 2 * CLUSTER);
		shrinks = pass(&one, 11, row->before, &freed);
		if (shrinks != want || freed != (want - i % 2) * CLUSTER)
			fail_msg("%s, %" PRIu64 " freed before%s: %zu shrinks, %" PRIu64
				 " pages freed, not %zu shrinks",
				 row->kernel, row->before, i % 2 ? ", a cluster in use" : "",
				 shrinks, freed, want);
		rig_close(&one.rig);
	}
}

static void each_zone_and_priority_has_its_own_iterator(void **state)
{
	struct memcgs *groups;
	uint32_t h, a, b;
	struct one one;

	(void)state;
	one_open(&one, "v3.3");
	groups = &one.m->memcgs;
	h = rig_hierarchy(&one.rig, RIG_ROOT, "h", 0);
	a = rig_hierarchy(&one.rig, h, "a", 0);
	b = rig_hierarchy(&one.rig, h, "b", 0);
	for (uint32_t round = 0; round < 2; round++) {
		assert_int_equal(memcg_iter_first(groups, h, NORMAL, 12), h);
		assert_int_equal(groups->memcg[h].iter[NORMAL][12].generation, round);
		assert_int_equal(memcg_iter_first(groups, h, NORMAL, 12), a);
		assert_int_equal(memcg_iter_first(groups, h, NORMAL, 12), b);
		assert_int_equal(groups->memcg[h].iter[NORMAL][12].generation, round);
	}
	assert_int_equal(memcg_iter_first(groups, h, DMA32, 12), h);
	assert_int_equal(memcg_iter_first(groups, h, NORMAL, 11), h);
	assert_int_equal(memcg_iter_first(groups, h, DMA32, 12), a);
	assert_int_equal(memcg_iter_first(groups, h, NORMAL, 12), h);
	assert_int_equal(memcg_iter_first(groups, h, DMA, 12), h);
	assert_int_equal(groups->memcg[h].iter[DMA32][12].generation, 0);
	rig_close(&one.rig);
}

/* Pages of each child in each zone. */
struct spread {
	pages_t normal[2], dma32[2];
};

static struct spread spread_of(const struct one *one, const uint32_t child[2])
{
	struct spread t;

	for (int i = 0; i < 2; i++) {
		const struct lruvec *lruvec = machine_memcg(one->m, child[i])->lruvec;

		t.normal[i] = lruvec[NORMAL].size[LRU_INACTIVE_FILE];
		t.dma32[i] = lruvec[DMA32].size[LRU_INACTIVE_FILE];
	}
	return t;
}

/*
 * H is empty; A and B have 8192 file pages in each of two zones.  Iterators
 * stand at H first: the first call of the first hit passes all priorities
 * in vain.  Then 12 to 9 take 2, 3, 7 and 15 in each zone from A, the next
 * hit from B; then it is H's turn there, and 8 goes on with A: 8165 >> 8.
 */
static void two_zones_are_walked_side_by_side(void **state)
{
	static const struct { size_t calls; pages_t a, b; } hits[] = {
		{ 2, 27, 0 }, { 1, 0, 27 }, { 1, 31, 0 },
	};
	uint32_t h, child[2], pusher, map, next = 0;
	struct one one;

	(void)state;
	one_open(&one, "v3.3");
	h = rig_hierarchy(&one.rig, RIG_ROOT, "h", 32768);
	pusher = rig_task(&one.rig, h, 0);
	map = rig_map(&one.rig, pusher, 1000);
	for (pages_t i = 0; i < 2; i++) {
		uint32_t task;

		child[i] = rig_hierarchy(&one.rig, h, i ? "b" : "a", 0);
		task = rig_task(&one.rig, child[i], 0);
		fill(&one, task, NORMAL, i * 16384, 8192);
		fill(&one, task, DMA32, i * 16384 + 8192, 8192);
	}
	for (size_t i = 0; i < NR(hits); i++) {
		struct spread before = spread_of(&one, child), after;

		rig_forget(&one.rig);
		while (!rig_count(&one.rig, EVENT_LIMIT_HIT))
			rig_touch(&one.rig, pusher, map, next++, 1);
		after = spread_of(&one, child);
		assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), hits[i].calls);
		assert_int_equal(before.normal[0] - after.normal[0], hits[i].a);
		assert_int_equal(before.dma32[0] - after.dma32[0], hits[i].a);
		assert_int_equal(before.normal[1] - after.normal[1], hits[i].b);
		assert_int_equal(before.dma32[1] - after.dma32[1], hits[i].b);
	}
	rig_close(&one.rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pass_breaks_off_when_enough_was_freed),
		cmocka_unit_test(what_other_zones_freed_counts_until_v2_6_33),
		cmocka_unit_test(each_zone_and_priority_has_its_own_iterator),
		cmocka_unit_test(two_zones_are_walked_side_by_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
