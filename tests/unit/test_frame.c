/*
 * Global reclaim on its edges: what kswapd leaves to a task that needs a
 * frame, when it rests, and the active anon that it ages on its way.
 */
#include "memcg.h"
#include "pass.h"
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum {
	FILE_PAGES = 20000, /* more than the 16384 frames of the machine */
	GROUP_PAGES = 200
};

/* A machine of 64 MiB, which never swaps by choice. */
static void small_open(struct rig *rig, const char *kernel, pages_t swap)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.swap_pages = swap;
	sc.era.knobs.swappiness = 0;
	sc.memory.nr_ranges = 1;
	sc.memory.range[0] = (struct pcg_range){ 0, (bytes_t)64 << 20 };
	rig_open_scenario(rig, &sc);
}

/* One group whose pages memory.low, or else memory.min, protects. */
static void host_open(struct rig *rig, bool min)
{
	struct memcg *memcg;
	uint32_t group;

	small_open(rig, "v6.18", 0);
	group = rig_group(rig, RIG_ROOT, "g", 0);
	memcg = machine_memcg(run_machine(rig->run), group);
	*(min ? &memcg->min : &memcg->low) = FILE_PAGES;
	rig_task(rig, group, 0);
}

/* Requests by @rule, and the pages that they freed. */
static size_t requests(const struct rig *rig, enum rule rule, int64_t *freed)
{
	size_t nr = 0;

	*freed = 0;
	for (size_t i = 0; i < rig->nr_events; i++) {
		if (rig->events[i].kind != EVENT_RECLAIM || rig->events[i].rule != rule)
			continue;
		*freed += rig->events[i].n[RECL_RECLAIMED];
		nr++;
	}
	return nr;
}

/* kswapd keeps off both; a direct reclaimer that freed nothing ignores low, not min. */
static void direct_reclaim_takes_what_low_protects_and_min_never(void **state)
{
	(void)state;
	for (int min = 0; min < 2; min++) {
		enum op_outcome outcome;
		struct rig rig;
		int64_t freed;

		host_open(&rig, min);
		outcome = rig_read(&rig, 1, rig_file(&rig, FILE_PAGES), 0, FILE_PAGES);
		assert_int_equal(outcome, min ? OP_KILLED : OP_DONE);
		assert_true(requests(&rig, RULE_KSWAPD, &freed) > 0);
		assert_int_equal(freed, 0);
		assert_true(requests(&rig, RULE_DIRECT, &freed) > 0);
		assert_true(min ? freed == 0 : freed > 3000);
		rig_check(&rig, "at the end");
		rig_close(&rig);
	}
}

/* All frames but a few hold pages that memory.min protects, so each task that needs one more dies.
 * Reclaim that frees a page, be it for a limit that is lowered, lets kswapd try again. */
static void kswapd_rests_after_sixteen_fruitless_runs(void **state)
{
	uint32_t limited;
	struct zone *zone;
	struct rig rig;
	int64_t freed;

	(void)state;
	host_open(&rig, true);
	zone = run_machine(rig.run)->host->zone;
	limited = rig_group(&rig, RIG_ROOT, "limited", 200);
	machine_memcg(run_machine(rig.run), limited)->min = 200;
	rig_read(&rig, rig_task(&rig, limited, 0), rig_file(&rig, 200), 0, 200);
	rig_read(&rig, 1, rig_file(&rig, FILE_PAGES), 0, FILE_PAGES);
	for (int i = 0; i < 40; i++)
		rig_read(&rig, rig_task(&rig, 2, 0), rig_file(&rig, 100), 0, 100);
	assert_int_equal(requests(&rig, RULE_KSWAPD, &freed), 16);
	assert_int_equal(zone->fruitless, 16);
	assert_int_equal(rig_limit(&rig, limited, 100), OP_DONE);
	assert_int_equal(zone->fruitless, 0);
	rig_close(&rig);
}

struct aged {
	struct rig rig;
	uint32_t group[2];
};

/* The first @active pages of @map are on the active list, the others are not. */
static void set_active(struct rig *rig, uint32_t map, pages_t active)
{
	struct machine *m = run_machine(rig->run);

	for (pages_t i = 0; i < GROUP_PAGES; i++) {
		uint32_t slot = page_find(&m->pages, &m->pages.mapping[map], i);

		machine_unlist(m, slot);
		m->pages.slot[slot].word &= ~(uint32_t)PG_ACTIVE;
		m->pages.slot[slot].word |= i < active ? PG_ACTIVE : 0;
		machine_list(m, slot);
	}
}

/* Two groups of GROUP_PAGES pages of anon. */
static void aged_open(struct aged *a, const char *kernel, pages_t swap, const pages_t active[2])
{
	small_open(&a->rig, kernel, swap);
	for (int i = 0; i < 2; i++) {
		uint32_t task, map;

		a->group[i] = rig_group(&a->rig, RIG_ROOT, i ? "b" : "a", 0);
		task = rig_task(&a->rig, a->group[i], 0);
		map = rig_map(&a->rig, task, GROUP_PAGES);
		rig_touch(&a->rig, task, map, 0, GROUP_PAGES);
		rig_drain(&a->rig, task);
		set_active(&a->rig, map, active[i]);
	}
}

/*
 * To v3.2 the oldest cluster of the zone moves over, later one of each group
 * whose own inactive list is too short, from v6.18 on of every group if the
 * lists of all together are.  Only v2.6.31 does so without swap.
 */
static void kswapd_ages_active_anon_by_era(void **state)
{
	static const struct {
		const char *kernel;
		pages_t swap, active[2], moved[2];
	} rows[] = {
		{ "v2.6.31", 0, { 200, 200 }, { 32, 0 } },
		{ "v2.6.31", 1000, { 200, 200 }, { 32, 0 } },
		{ "v2.6.31", 1000, { 100, 100 }, { 0, 0 } },
		{ "v3.1", 0, { 200, 200 }, { 0, 0 } },
		{ "v3.1", 1000, { 200, 200 }, { 32, 0 } },
		{ "v3.3", 0, { 200, 200 }, { 0, 0 } },
		{ "v3.3", 1000, { 200, 200 }, { 32, 32 } },
		{ "v3.3", 1000, { 200, 20 }, { 32, 0 } },
		{ "v6.18-v1+stat_flush=exact", 0, { 200, 200 }, { 0, 0 } },
		{ "v6.18-v1+stat_flush=exact", 1000, { 200, 20 }, { 32, 20 } },
		{ "v6.18-v1+stat_flush=exact", 1000, { 200, 0 }, { 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct reclaim rc = { .target = MEMCG_ROOT,
				      .global = true,
				      .kswapd = true,
				      .priority = 12,
				      .want = 32 };
		struct aged a;

		aged_open(&a, rows[i].kernel, rows[i].swap, rows[i].active);
		pass_age_anon(run_machine(a.rig.run), &rc);
		for (int g = 0; g < 2; g++) {
			struct run_memcg memcg = rig_memcg(&a.rig, a.group[g]);

			if (memcg.size[LRU_ACTIVE_ANON] != rows[i].active[g] - rows[i].moved[g])
				fail_msg("%zu %s: group %d", i, rows[i].kernel, g);
			assert_int_equal(memcg.size[LRU_ACTIVE_ANON] +
						 memcg.size[LRU_INACTIVE_ANON],
					 GROUP_PAGES);
		}
		rig_close(&a.rig);
	}
}

/* Files fill the machine, kswapd frees at its first priority: anon is not scanned, but aged. */
static void files_that_wake_kswapd_age_anon(void **state)
{
	static const struct {
		const char *kernel;
		pages_t swap, active[2];
		int aged;
	} rows[] = {
		{ "v2.6.31", 0, { 200, 200 }, 0 },
		{ "v6.18-v1+stat_flush=exact", 1000, { 200, 20 }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct aged a;
		int64_t freed;

		aged_open(&a, rows[i].kernel, rows[i].swap, rows[i].active);
		rig_read(&a.rig, rig_task(&a.rig, RIG_ROOT, 0), rig_file(&a.rig, FILE_PAGES), 0,
			 FILE_PAGES);
		assert_true(requests(&a.rig, RULE_KSWAPD, &freed) > 0);
		/* All of the zone's oldest; all of a group whose own list is long enough. */
		assert_int_equal(rig_memcg(&a.rig, a.group[rows[i].aged]).size[LRU_ACTIVE_ANON], 0);
		rig_close(&a.rig);
	}
}

/* More than all of memory is modified, and nothing holds the writer back. */
static enum op_outcome write_unhindered(struct rig *rig, const char *kernel, int64_t write_ns)
{
	struct op op = { .kind = OP_WRITE, .length = FILE_PAGES * PAGE_BYTES };
	struct knobs *knobs;

	small_open(rig, kernel, 0);
	knobs = &run_machine(rig->run)->sc.era.knobs;
	knobs->write_ns = write_ns;
	knobs->dirty_bytes = knobs->dirty_background_bytes = (int64_t)1 << 40;
	op.task = rig_task(rig, RIG_ROOT, 0);
	op.object = rig_file(rig, FILE_PAGES);
	return rig_apply(rig, &op).outcome;
}

/* v3.1 writes in reclaim and naps for a disk that is congested, here too slow to save the task. */
static void direct_reclaim_naps_while_the_disk_is_congested(void **state)
{
	struct rig rig;

	(void)state;
	assert_int_equal(write_unhindered(&rig, "v3.1", 100000), OP_KILLED);
	assert_true(rig_count(&rig, EVENT_WAIT) > 0);
	assert_int_equal(rig_nth(&rig, EVENT_WAIT, 0)->rule, RULE_NAP);
	rig_close(&rig);
}

/*
 * Files that are all modified, nothing that holds writers back, and a disk
 * that takes 9 ms for a request of 128 pages: who frees nothing in v6.18 tries
 * again, up to 16 times, a tick apart.  With pages that cannot go it does not.
 */
static void a_machine_full_of_dirty_pages_waits_for_the_disk(void **state)
{
	struct knobs *knobs;
	struct op op;
	struct rig rig;
	int64_t freed;

	(void)state;
	assert_int_equal(write_unhindered(&rig, "v6.18", 70000), OP_DONE);
	knobs = &run_machine(rig.run)->sc.era.knobs;
	assert_true(rig_count(&rig, EVENT_WAIT) > 0);
	for (size_t i = 0; i < rig_count(&rig, EVENT_WAIT); i++) {
		assert_int_equal(rig_nth(&rig, EVENT_WAIT, i)->rule, RULE_NAP);
		assert_in_range(rig_nth(&rig, EVENT_WAIT, i)->n[WAIT_SLEPT], 1,
				NS_PER_SECOND / (uint64_t)knobs->hz);
	}
	rig_close(&rig);

	small_open(&rig, "v6.18", 0);
	op = (struct op){ .task = rig_task(&rig, RIG_ROOT, 0) };
	rig_touch(&rig, op.task, rig_map(&rig, op.task, FILE_PAGES), 0, FILE_PAGES);
	assert_int_equal(rig_count(&rig, EVENT_WAIT), 0);
	assert_int_equal(requests(&rig, RULE_DIRECT, &freed), 1);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(direct_reclaim_takes_what_low_protects_and_min_never),
		cmocka_unit_test(kswapd_rests_after_sixteen_fruitless_runs),
		cmocka_unit_test(kswapd_ages_active_anon_by_era),
		cmocka_unit_test(files_that_wake_kswapd_age_anon),
		cmocka_unit_test(direct_reclaim_naps_while_the_disk_is_congested),
		cmocka_unit_test(a_machine_full_of_dirty_pages_waits_for_the_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
