/*
 * Several NUMA nodes: whose RAM is where, where frames come from, who
 * reclaims where, and that lists, trees and figures are kept apart.
 */
#include <string.h>

#include "reclaim.h"
#include "rig.h"
#include "run_private.h"
#include "soft.h"
#include "workingset.h"
#include "zones.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define MIB ((bytes_t)1 << 20)

static const char *const kernels[] = { "v2.6.31", "v2.6.32", "v3.1", "v3.2", "v3.3", "v3.19",
				       "v6.1", "v6.18-v1", "v6.18" };

struct numa {
	struct rig rig;
	struct machine *m;
};

/* @nodes of 16 MiB, each with a CPU. */
static void host_open(struct numa *h, const char *kernel, uint32_t nodes)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, nodes);
	sc.nodes = nodes;
	sc.memory.nr_ranges = 1;
	sc.memory.range[0] = (struct pcg_range){ 0, nodes * 16 * MIB };
	rig_open_scenario(&h->rig, &sc);
	h->m = run_machine(h->rig.run);
}

static uint32_t task_on(struct numa *h, uint32_t group, uint32_t cpu)
{
	return rig_task(&h->rig, group, cpu);
}

static pages_t on_node(struct numa *h, uint32_t group, uint32_t node)
{
	return run_memcg_node(h->rig.run, group, node, LRU_INACTIVE_FILE);
}

/*
 * 0-3G and 4-5G on two nodes: 2 GiB each, so node 0 ends at 2 GiB and node 1
 * has 2-3G and 4-5G.  Only node 0 has DMA, only node 1 has Normal.
 */
static void nodes_have_equal_shares_of_ram_by_address(void **state)
{
	static const struct { uint32_t node; const char *name; pages_t present; } want[] = {
		{ 0, "DMA", 4096 },   { 0, "DMA32", 520192 }, { 0, "Normal", 0 },
		{ 1, "DMA", 0 },      { 1, "DMA32", 262144 }, { 1, "Normal", 262144 },
	};
	struct scenario sc;
	struct run_zone zone;
	struct rig rig;
	uint32_t i;

	(void)state;
	rig_scenario(&sc, "v3.1", 2);
	sc.nodes = 2;
	sc.zones = true;
	sc.memory.nr_ranges = 2;
	sc.memory.range[0] = (struct pcg_range){ 0, 3072 * MIB };
	sc.memory.range[1] = (struct pcg_range){ 4096 * MIB, 5120 * MIB };
	rig_open_scenario(&rig, &sc);
	for (i = 0; run_zone(rig.run, i, &zone); i++) {
		assert_true(i < NR(want));
		assert_int_equal(zone.node, want[i].node);
		assert_string_equal(zone.name, want[i].name);
		assert_int_equal(zone.present, want[i].present);
		/* min_free is shared out over all zones of all nodes: 2048 pages for 4 GiB. */
		assert_int_equal(zone.min, 2048 * want[i].present / 1048576);
	}
	assert_int_equal(i, NR(want));
	/* A reserve is for the zones above in the same node: (520192) / 256, (262144) / 256. */
	assert_int_equal(run_machine(rig.run)->host->zone[0].reserve[1], 2032);
	assert_int_equal(run_machine(rig.run)->host->zone[1].reserve[2], 0);
	assert_int_equal(run_machine(rig.run)->host->zone[4].reserve[2], 1024);
	rig_close(&rig);
}

static void a_zonelist_begins_at_home_and_goes_round(void **state)
{
	static const uint32_t want[3][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 } };
	struct numa h;

	(void)state;
	host_open(&h, "v3.3", 3);
	for (uint32_t node = 0; node < 3; node++)
		for (uint32_t i = 0; i < 3; i++)
			assert_int_equal(zone_nth(h.m, node, i), want[node][i]);
	rig_close(&h.rig);
}

/* A task's pages are on its CPU's node, page by page and in runs. */
static void pages_come_from_the_node_of_the_cpu(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct numa h;
		uint32_t group, task[2], file, map;

		host_open(&h, kernels[k], 2);
		group = rig_group(&h.rig, RIG_ROOT, "g", PAGES_UNLIMITED);
		file = rig_file(&h.rig, 3000);
		for (uint32_t i = 0; i < 2; i++)
			task[i] = task_on(&h, group, i);
		rig_read(&h.rig, task[0], file, 0, 1000);
		rig_read(&h.rig, task[1], file, 1000, 500);
		map = rig_map(&h.rig, task[1], 100);
		rig_touch(&h.rig, task[1], map, 0, 100);
		for (uint32_t i = 0; i < 2; i++)
			rig_drain(&h.rig, task[i]);
		assert_int_equal(on_node(&h, group, 0), 1000);
		assert_int_equal(on_node(&h, group, 1), 500);
		assert_int_equal(run_memcg_node(h.rig.run, group, 0, LRU_ACTIVE_ANON) +
					 run_memcg_node(h.rig.run, group, 0, LRU_INACTIVE_ANON),
				 0);
		assert_int_equal(run_memcg_node(h.rig.run, group, 1, LRU_ACTIVE_ANON) +
					 run_memcg_node(h.rig.run, group, 1, LRU_INACTIVE_ANON),
				 100);
		rig_check(&h.rig, kernels[k]);
		rig_close(&h.rig);
	}
}

/* 16 MiB are 4096 pages: node 0 gives down to its low mark, then node 1 does; nobody is woken. */
static void a_full_node_falls_back_on_the_next(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct run_zone zone[2];
		struct numa h;
		uint32_t group, task, file;

		host_open(&h, kernels[k], 2);
		group = rig_group(&h.rig, RIG_ROOT, "g", PAGES_UNLIMITED);
		task = task_on(&h, group, 0);
		file = rig_file(&h.rig, 6000);
		rig_read(&h.rig, task, file, 0, 6000);
		run_zone(h.rig.run, 0, &zone[0]);
		run_zone(h.rig.run, 1, &zone[1]);
		assert_in_range(zone[0].free, zone[0].low, zone[0].low + 3);
		assert_int_equal(zone[0].free + zone[1].free, 8192 - 6000);
		assert_int_equal(rig_memcg(&h.rig, group).nr_reclaimed, 0);
		rig_check(&h.rig, kernels[k]);
		rig_close(&h.rig);
	}
}

/* When no node is above its low mark each node's kswapd works up to the high mark of its own. */
static void each_node_has_a_kswapd(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct run_zone zone;
		size_t kswapds = 0;
		struct numa h;
		uint32_t group, task, file;

		host_open(&h, kernels[k], 2);
		group = rig_group(&h.rig, RIG_ROOT, "g", PAGES_UNLIMITED);
		task = task_on(&h, group, 0);
		file = rig_file(&h.rig, 20000);
		for (pages_t at = 0; at < 20000 && !kswapds; at += 10) {
			rig_read(&h.rig, task, file, at, 10);
			for (size_t i = 0; i < rig_count(&h.rig, EVENT_RECLAIM); i++)
				kswapds += rig_nth(&h.rig, EVENT_RECLAIM, i)->rule == RULE_KSWAPD;
		}
		assert_int_equal(kswapds, 2);
		for (uint32_t i = 0; i < 2; i++) {
			run_zone(h.rig.run, i, &zone);
			/* The ten pages of the read that woke it may be gone again. */
			assert_true(zone.free + 10 > zone.high);
		}
		rig_check(&h.rig, kernels[k]);
		rig_close(&h.rig);
	}
}

/*
 * A limit of 1000, 500 pages on each node, and a hit from CPU 0.  v2.6.31
 * begins at home and frees 32 there, then looks at the other node at the
 * same priority.  Which node was first shows in the order of the shrinks.
 */
static void reclaim_for_a_limit_begins_at_home_or_takes_turns(void **state)
{
	static const struct {
		const char *kernel;
		uint32_t first[4]; /* node of the first shrink in each of four hits */
	} rows[] = {
		{ "v2.6.31", { 0, 0, 0, 0 } }, { "v2.6.32", { 0, 0, 0, 0 } },
		{ "v3.1", { 0, 1, 0, 1 } },    { "v3.2", { 0, 1, 0, 1 } },
		{ "v3.3", { 0, 1, 0, 1 } },    { "v6.18-v1", { 0, 0, 0, 0 } },
	};

	(void)state;
	for (size_t k = 0; k < NR(rows); k++) {
		struct numa h;
		uint32_t group, task[2], file;

		host_open(&h, rows[k].kernel, 2);
		group = rig_group(&h.rig, RIG_ROOT, "g", PAGES_UNLIMITED);
		file = rig_file(&h.rig, 4000);
		for (uint32_t i = 0; i < 2; i++)
			task[i] = task_on(&h, group, i);
		for (uint32_t i = 0; i < 2; i++) {
			rig_read(&h.rig, task[i], file, 1000 * i, 560);
			rig_drain(&h.rig, task[i]);
		}
		for (int hit = 0; hit < 4; hit++) {
			pages_t before[2] = { on_node(&h, group, 0), on_node(&h, group, 1) };
			const struct event *event;

			rig_forget(&h.rig);
			h.m->by = group;
			reclaim_limit(h.m, 0, group, true);
			assert_true(rig_count(&h.rig, EVENT_SHRINK) > 0);
			event = rig_nth(&h.rig, EVENT_SHRINK, 0);
			assert_int_equal(event->n[SHRINK_SIZE], before[rows[k].first[hit]]);
			/* They differ, or the test says nothing. */
			if (before[0] == before[1])
				rig_read(&h.rig, task[0], file, 3000, 1 + (pages_t)hit);
		}
		rig_check(&h.rig, rows[k].kernel);
		rig_close(&h.rig);
	}
}

/* A group whose pages are all on node 1 is looked for there, whoever charges. */
static void nodes_without_pages_of_the_group_have_no_turn(void **state)
{
	struct numa h;
	uint32_t group, task, file;

	(void)state;
	host_open(&h, "v3.1", 3);
	group = rig_group(&h.rig, RIG_ROOT, "g", PAGES_UNLIMITED);
	file = rig_file(&h.rig, 500);
	task = task_on(&h, group, 1);
	rig_read(&h.rig, task, file, 0, 500);
	rig_drain(&h.rig, task);
	for (int hit = 0; hit < 3; hit++) {
		reclaim_limit(h.m, 0, group, true);
		assert_int_equal(machine_memcg(h.m, group)->victim_node, 1 + 1);
	}
	rig_close(&h.rig);
}

/* v6.18: an eviction ages the bucket of the page's node, and is compared with that one's age. */
static void ages_and_costs_are_kept_for_each_node(void **state)
{
	struct bucket one = { 0, 1 }, zero = { 0, 0 };
	struct memcg *memcg;
	struct slot shadow;
	struct numa h;
	uint32_t group, task, file, slot, word, age;

	(void)state;
	host_open(&h, "v6.18-v1+stat_flush=exact", 2);
	group = rig_group(&h.rig, RIG_ROOT, "g", PAGES_UNLIMITED);
	zero.memcg = one.memcg = group;
	memcg = machine_memcg(h.m, group);
	file = rig_file(&h.rig, 500);
	task = task_on(&h, group, 1);
	rig_read(&h.rig, task, file, 0, 100);
	rig_drain(&h.rig, task);
	slot = page_find(&h.m->pages, &h.m->pages.mapping[file], 0);
	age = workingset_shadow(h.m, group, slot, &word);
	assert_int_equal(age, 0);
	assert_int_equal(memcg->age[1], 1);
	assert_int_equal(memcg->age[0], 0);
	assert_int_equal(page_zone(word), 1);
	/* Node 0 may age as it likes: the distance is 1 and there is room for none but that. */
	workingset_age(h.m, zero, 1000);
	shadow = (struct slot){ age, word };
	assert_int_equal(flushed_size(h.m, one, LRU_INACTIVE_FILE), 100);
	assert_int_equal(flushed_size(h.m, zero, LRU_INACTIVE_FILE), 0);
	memcg->lruvec[1].size[LRU_ACTIVE_FILE] = 1;
	assert_int_equal(workingset_refault(h.m, zero, shadow, SCAN_FILE, 1), PG_ACTIVE);
	memcg->lruvec[1].size[LRU_ACTIVE_FILE] = 0;
	/* The page that returned to node 0 aged it, and is an activation there. */
	assert_int_equal(memcg->age[0], 1001);
	assert_int_equal(flushed_activate(h.m, zero, SCAN_FILE), 1);
	assert_int_equal(flushed_activate(h.m, one, SCAN_FILE), 0);
	workingset_cost(h.m, one, SCAN_FILE, 7);
	assert_int_equal(memcg->cost[1][SCAN_FILE], 7);
	assert_int_equal(memcg->cost[0][SCAN_FILE], 0);
	rig_close(&h.rig);
}

/* Where a page is and whose turn it is are part of the state's name. */
static void the_hash_covers_nodes(void **state)
{
	char before[RUN_HASH_MAX], after[RUN_HASH_MAX];
	struct numa h;
	uint32_t group, task, file, slot;

	(void)state;
	host_open(&h, "v3.1", 2);
	group = rig_group(&h.rig, RIG_ROOT, "g", PAGES_UNLIMITED);
	file = rig_file(&h.rig, 50);
	task = task_on(&h, group, 0);
	rig_read(&h.rig, task, file, 0, 50);
	rig_drain(&h.rig, task);
	run_hash(h.rig.run, before);
	slot = page_find(&h.m->pages, &h.m->pages.mapping[file], 7);
	h.m->pages.node[slot] = 1;
	run_hash(h.rig.run, after);
	assert_string_not_equal(before, after);
	h.m->pages.node[slot] = 0;
	machine_memcg(h.m, group)->victim_node = 1;
	run_hash(h.rig.run, after);
	assert_string_not_equal(before, after);
	machine_memcg(h.m, group)->victim_node = 0;
	run_hash(h.rig.run, after);
	assert_string_equal(before, after);
	rig_close(&h.rig);
}

/* The tree of soft limits: one for each zone to v3.3, one for each node in v6.18. */
static void soft_limits_have_a_tree_for_each_zone_or_node(void **state)
{
	struct scenario sc;
	struct rig rig;

	(void)state;
	rig_scenario(&sc, "v3.1", 2);
	sc.nodes = 2;
	sc.zones = true;
	rig_open_scenario(&rig, &sc);
	for (uint32_t zone = 0; zone < 6; zone++)
		assert_int_equal(soft_tree(run_machine(rig.run), zone), zone);
	rig_close(&rig);
	assert_int_equal(era_find("v6.18-v1", &sc.era, NULL), ERR_OK);
	rig_open_scenario(&rig, &sc);
	for (uint32_t zone = 0; zone < 6; zone++)
		assert_int_equal(soft_tree(run_machine(rig.run), zone), zone / 3);
	rig_close(&rig);
}

static void more_nodes_than_four_are_refused(void **state)
{
	struct scenario sc;
	struct diag diag;

	(void)state;
	rig_scenario(&sc, "v3.1", 2);
	for (sc.nodes = 1; sc.nodes <= 4; sc.nodes++)
		assert_int_equal(scenario_validate(&sc, &diag), ERR_OK);
	assert_int_equal(scenario_validate(&sc, &diag), ERR_RANGE);
	assert_non_null(strstr(diag.text, "nodes"));
	sc.nodes = 0;
	assert_int_equal(scenario_validate(&sc, &diag), ERR_RANGE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_have_equal_shares_of_ram_by_address),
		cmocka_unit_test(a_zonelist_begins_at_home_and_goes_round),
		cmocka_unit_test(pages_come_from_the_node_of_the_cpu),
		cmocka_unit_test(a_full_node_falls_back_on_the_next),
		cmocka_unit_test(each_node_has_a_kswapd),
		cmocka_unit_test(reclaim_for_a_limit_begins_at_home_or_takes_turns),
		cmocka_unit_test(nodes_without_pages_of_the_group_have_no_turn),
		cmocka_unit_test(ages_and_costs_are_kept_for_each_node),
		cmocka_unit_test(the_hash_covers_nodes),
		cmocka_unit_test(soft_limits_have_a_tree_for_each_zone_or_node),
		cmocka_unit_test(more_nodes_than_four_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
