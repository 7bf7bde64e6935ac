/*
 * Queues, charges and limit reclaim of v6.18: one batch of 31 for all lists,
 * charges of 64, deactivation by the target's figures, a walk over the tree
 * that reclaimers share, and how often it is tried before out of memory.
 */
#include <stdio.h>
#include <string.h>

#include "policy.h"
#include "reclaim_node.h"
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"
#define EXACT_V2 "v6.18+kmem=off+stat_flush=exact+shadow_shrink=off"

static const char *const kernels[] = { EXACT_V1, EXACT_V2 };

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

static void check_split(struct one *one, pages_t inactive, pages_t active, pages_t queued)
{
	struct run_memcg g = rig_memcg(&one->rig, one->group);

	assert_int_equal(g.size[LRU_INACTIVE_FILE], inactive);
	assert_int_equal(g.size[LRU_ACTIVE_FILE], active);
	assert_int_equal(g.queued, queued);
}

static void the_thirty_first_page_lists_all(void **state)
{
	static const struct { pages_t nr, listed, queued; } rows[] = {
		{ 1, 0, 1 }, { 30, 0, 30 }, { 31, 31, 0 }, { 32, 31, 1 }, { 42, 31, 11 },
		{ 62, 62, 0 }, { 100, 93, 7 },
	};

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		for (size_t i = 0; i < NR(rows); i++) {
			struct one one;

			one_open(&one, kernels[k], 0, 1);
			rig_read(&one.rig, one.task, one.file, 0, rows[i].nr);
			check_split(&one, rows[i].listed, 0, rows[i].queued);
			rig_drain(&one.rig, one.task);
			check_split(&one, rows[i].nr, 0, 0);
			rig_close(&one.rig);
		}
	}
}

static void all_lists_share_a_cpus_batch(void **state)
{
	struct run_memcg g;
	struct one one;
	uint32_t map;

	(void)state;
	one_open(&one, EXACT_V1, 0, 2);
	map = rig_map(&one.rig, one.task, 100);
	rig_read(&one.rig, one.task, one.file, 0, 20);
	rig_touch(&one.rig, one.task, map, 0, 10);
	/* The other CPU's page waits in a batch of its own. */
	rig_read(&one.rig, rig_task(&one.rig, one.group, 1), one.file, 500, 1);
	check_split(&one, 0, 0, 31);
	rig_touch(&one.rig, one.task, map, 10, 1);
	check_split(&one, 20, 0, 1);
	g = rig_memcg(&one.rig, one.group);
	/* New anonymous pages are inactive. */
	assert_int_equal(g.size[LRU_INACTIVE_ANON], 11);
	assert_int_equal(g.size[LRU_ACTIVE_ANON], 0);
	rig_close(&one.rig);
}

/* Reads page 0 by a task that has not read yet: a use of its own. */
static void use(struct one *one, uint32_t cpu)
{
	rig_read(&one->rig, rig_task(&one->rig, one->group, cpu), one->file, 0, 1);
}

static pages_t referenced(struct one *one, enum lru lru)
{
	struct run_cell cell;

	run_lru_cells(one->rig.run, one->group, lru, 1, &cell);
	return cell.referenced;
}

static void a_page_used_twice_in_the_batch_is_listed_as_active(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, 0, 2);
	use(&one, 0);
	use(&one, 0);
	rig_read(&one.rig, one.task, one.file, 1, 30);
	check_split(&one, 30, 1, 0);
	assert_int_equal(referenced(&one, LRU_ACTIVE_FILE), 0);
	assert_int_equal(referenced(&one, LRU_INACTIVE_FILE), 30);
	assert_int_equal(run_machine(one.rig.run)->memcgs.memcg[one.group].age[0], 1);
	rig_close(&one.rig);
}

/* What waits in one CPU's batch cannot be made active by another; its mark is cleared. */
static void another_cpu_cannot_reach_into_the_batch(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, 0, 2);
	use(&one, 0);
	use(&one, 1);
	rig_read(&one.rig, one.task, one.file, 1, 30);
	check_split(&one, 31, 0, 0);
	assert_int_equal(referenced(&one, LRU_INACTIVE_FILE), 30);
	rig_close(&one.rig);
}

static void activations_wait_for_thirty_one(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, 0, 2);
	rig_read(&one.rig, one.task, one.file, 0, 62);
	rig_read(&one.rig, one.task, one.file, 0, 30);
	check_split(&one, 62, 0, 0);
	assert_int_equal(referenced(&one, LRU_INACTIVE_FILE), 32);
	rig_read(&one.rig, one.task, one.file, 30, 1);
	check_split(&one, 31, 31, 0);
	rig_close(&one.rig);
}

static void charges_come_in_batches_of_64_while_they_fit(void **state)
{
	struct run_memcg g;
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, 100, 1);
	rig_read(&one.rig, one.task, one.file, 0, 64);
	g = rig_memcg(&one.rig, one.group);
	assert_int_equal(g.usage, 64);
	assert_int_equal(g.stock, 0);
	/* 64 more do not fit: one by one, each after a failure. */
	rig_read(&one.rig, one.task, one.file, 64, 36);
	g = rig_memcg(&one.rig, one.group);
	assert_int_equal(g.usage, 100);
	assert_int_equal(g.failcnt, 36);
	assert_int_equal(g.limit_hits, 0);
	/* The batch fails, then the page: two failures and a call of reclaim. */
	rig_read(&one.rig, one.task, one.file, 100, 1);
	g = rig_memcg(&one.rig, one.group);
	assert_int_equal(g.failcnt, 38);
	assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), 1);
	rig_close(&one.rig);
}

/* Seven groups have a stock on one CPU; the eighth takes the place of one of them. */
static void a_cpu_keeps_stocks_for_seven_groups(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, 0, 1);
	for (int nr = 1; nr <= 9; nr++) {
		pages_t stock = 0, usage = 0;
		char name[16];
		uint32_t group;

		snprintf(name, sizeof(name), "g%d", nr);
		group = rig_group(&one.rig, RIG_ROOT, name, 0);
		rig_read(&one.rig, rig_task(&one.rig, group, 0), one.file, (pages_t)nr, 1);
		for (uint32_t id = 1; id <= run_memcg_max(one.rig.run); id++) {
			struct run_memcg g = rig_memcg(&one.rig, id);

			stock += id == RIG_ROOT ? 0 : g.stock;
			usage += id == RIG_ROOT ? 0 : g.usage;
		}
		assert_int_equal(stock, (nr < 7 ? nr : 7) * 63);
		assert_int_equal(usage, stock + (pages_t)nr);
	}
	rig_close(&one.rig);
}

/* Sizes are written into a machine that does not run. */
static void set_sizes(struct memcg *memcg, const pages_t size[LRU_UNEVICTABLE])
{
	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++)
		memcg->size[lru] = memcg->lruvec[0].size[lru] = size[lru];
}

static void active_lists_move_when_inactive_is_low_or_pages_were_missed(void **state)
{
	static const struct {
		pages_t size[LRU_UNEVICTABLE];
		bool anon, file;
	} rows[] = {
		{ { 50, 50, 50, 50 }, false, false },
		{ { 50, 51, 50, 51 }, true, true },
		/* File has a ratio too: 3 at 1 GiB. */
		{ { 0, 0, 65536, 196608 }, false, false },
		{ { 0, 0, 65535, 196609 }, false, true },
		{ { 65536, 196608, 0, 0 }, false, false },
		{ { 65535, 196609, 0, 0 }, true, false },
	};
	struct machine *m;
	struct one one;
	uint32_t child;

	(void)state;
	one_open(&one, EXACT_V1, 0, 1);
	child = rig_group(&one.rig, one.group, "c", 0);
	m = run_machine(one.rig.run);
	for (size_t i = 0; i < NR(rows); i++) {
		struct reclaim rc = { .target = one.group, .priority = 12 };

		/* The target's figures are those of its subtree. */
		set_sizes(machine_memcg(m, child), rows[i].size);
		reclaim_prepare(m, &rc);
		assert_int_equal(rc.may_deactivate[0], rows[i].anon);
		assert_int_equal(rc.may_deactivate[1], rows[i].file);
		machine_memcg(m, child)->node_activate[0][1]++;
		reclaim_prepare(m, &rc);
		assert_int_equal(rc.may_deactivate[0], rows[i].anon);
		assert_true(rc.may_deactivate[1]);
		/* Seen at the end of a call, they count no more. */
		machine_memcg(m, one.group)->seen_activate[0][1] =
			machine_memcg(m, child)->node_activate[0][1];
		reclaim_prepare(m, &rc);
		assert_int_equal(rc.may_deactivate[1], rows[i].file);
		rc.force_deactivate = true;
		reclaim_prepare(m, &rc);
		assert_true(rc.may_deactivate[0] && rc.may_deactivate[1]);
	}
	rig_close(&one.rig);
}

enum { TREE_PAGES = 4200 };

/* One walk at priority 12, where each list gives one page.  @order: groups shrunk, as letters. */
static void walk(struct one *one, pages_t want, bool full, char order[RIG_TEXT_MAX])
{
	struct machine *m = run_machine(one->rig.run);
	struct reclaim rc = {
		.target = one->group, .priority = 12, .want = want, .full_walk = full };
	size_t nr = 0;

	rig_forget(&one->rig);
	reclaim_tree(m, &rc);
	for (size_t i = 0; i < one->rig.nr_events; i++) {
		struct run_memcg g;

		if (one->rig.events[i].kind != EVENT_SHRINK)
			continue;
		g = rig_memcg(&one->rig, one->rig.events[i].memcg);
		order[nr++] = g.path[strlen(g.path) - 1];
	}
	order[nr] = '\0';
}

static uint32_t tree_group(struct one *one, uint32_t parent, const char *name)
{
	uint32_t group = rig_group(&one->rig, parent, name, 0);

	rig_read(&one->rig, rig_task(&one->rig, group, 0), rig_file(&one->rig, TREE_PAGES), 0,
		 TREE_PAGES);
	return group;
}

static void reclaimers_share_a_walk_over_the_tree(void **state)
{
	char order[RIG_TEXT_MAX];
	struct one one;
	uint32_t a;

	(void)state;
	one_open(&one, EXACT_V1, 0, 1);
	a = tree_group(&one, one.group, "a");
	tree_group(&one, one.group, "b");
	/* Children come after their parent and before its siblings, whenever they were made. */
	tree_group(&one, a, "x");
	tree_group(&one, a, "y");
	walk(&one, 100, true, order);
	assert_string_equal(order, "axyb");
	walk(&one, 2, false, order);
	assert_string_equal(order, "ax");
	/* On from there, to the end of the tree at most. */
	walk(&one, 100, false, order);
	assert_string_equal(order, "yb");
	walk(&one, 1, false, order);
	assert_string_equal(order, "a");
	/* A full walk neither uses nor moves the shared position. */
	walk(&one, 1, true, order);
	assert_string_equal(order, "axyb");
	walk(&one, 1, false, order);
	assert_string_equal(order, "x");
	walk(&one, 100, false, order);
	assert_string_equal(order, "yb");
	walk(&one, 100, false, order);
	assert_string_equal(order, "axyb");
	rig_close(&one.rig);
}

/* A number that is used again does not move a group before its older siblings. */
static void siblings_are_walked_in_order_of_creation(void **state)
{
	struct op op = { .kind = OP_GROUP_REMOVE };
	char order[RIG_TEXT_MAX];
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1, 0, 1);
	op.object = rig_group(&one.rig, one.group, "a", 0);
	tree_group(&one, one.group, "b");
	assert_int_equal(rig_apply(&one.rig, &op).outcome, OP_DONE);
	assert_int_equal(tree_group(&one, one.group, "c"), op.object);
	walk(&one, 100, true, order);
	assert_string_equal(order, "bc");
	rig_close(&one.rig);
}

/*
 * Anonymous pages without swap: one call before the stocks are drained and
 * 17 after it; the larger of two tasks is killed, and the charge goes on.
 */
static void out_of_memory_comes_after_eighteen_calls(void **state)
{
	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		uint32_t victim, map;
		struct run_task task;
		size_t calls = 0;
		struct one one;

		one_open(&one, kernels[k], 256, 1);
		victim = rig_task(&one.rig, one.group, 0);
		rig_touch(&one.rig, victim, rig_map(&one.rig, victim, 200), 0, 200);
		map = rig_map(&one.rig, one.task, 57);
		rig_touch(&one.rig, one.task, map, 0, 56);
		rig_drain(&one.rig, one.task);
		assert_int_equal(rig_memcg(&one.rig, one.group).usage, 256);
		rig_forget(&one.rig);
		assert_int_equal(rig_touch(&one.rig, one.task, map, 56, 1), OP_DONE);
		for (size_t i = 0; i < one.rig.nr_events; i++) {
			if (one.rig.events[i].kind == EVENT_OOM)
				break;
			calls += one.rig.events[i].kind == EVENT_RECLAIM;
		}
		assert_int_equal(calls, 18);
		assert_int_equal(rig_count(&one.rig, EVENT_RECLAIM), 18);
		assert_int_equal(rig_nth(&one.rig, EVENT_OOM, 0)->n[OOM_VICTIM], victim);
		assert_true(run_task(one.rig.run, one.task, &task) && task.alive);
		assert_int_equal(task.rss, 57);
		rig_check(&one.rig, kernels[k]);
		rig_close(&one.rig);
	}
}

/* The victim is who has most in memory; of equals it is the last. */
static void the_last_of_the_largest_is_killed(void **state)
{
	static const struct { pages_t rss[3]; uint32_t victim; } rows[] = {
		{ { 1000, 900, 660 }, 0 }, { { 900, 1000, 660 }, 1 }, { { 660, 900, 1000 }, 2 },
		{ { 850, 850, 850 }, 2 }, { { 1000, 1000, 550 }, 1 },
		/* Pages count, not thousandths of the limit, in which these are alike. */
		{ { 1001, 1000, 549 }, 0 }, { { 1000, 1001, 549 }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const pages_t *rss = rows[i].rss;
		uint32_t task[3];
		struct one one;

		one_open(&one, EXACT_V1, rss[0] + rss[1] + rss[2], 1);
		for (int t = 0; t < 3; t++) {
			task[t] = rig_task(&one.rig, one.group, 0);
			rig_touch(&one.rig, task[t], rig_map(&one.rig, task[t], rss[t]), 0, rss[t]);
		}
		rig_read(&one.rig, one.task, one.file, 0, 1);
		assert_int_equal(rig_count(&one.rig, EVENT_OOM), 1);
		assert_int_equal(rig_nth(&one.rig, EVENT_OOM, 0)->n[OOM_VICTIM],
				 task[rows[i].victim]);
		rig_close(&one.rig);
	}
}

/* A group whose tree nodes hold shadows only, but for those of its last 256 pages. */
static struct machine *shadows_open(struct one *one)
{
	struct machine *m;

	one_open(one, "v6.18-v1+shadow_shrink=off", 256, 1);
	rig_read(&one->rig, one->task, one->file, 0, 64000);
	m = run_machine(one->rig.run);
	m->sc.era.value[AXIS_SHADOW_SHRINK] = SHADOW_SHRINK_ON;
	assert_true(machine_memcg(m, one->group)->nr_shadow_nodes > 900);
	return m;
}

/* do_shrink_slab(): half of the surplus is due, in batches of 128, the rest is put off. */
static void shadow_nodes_are_freed_by_whole_batches(void **state)
{
	static const struct { uint32_t surplus; int64_t freed, put_off; } rows[] = {
		{ 1, 0, 0 }, { 255, 0, 127 }, { 256, 128, 0 }, { 257, 128, 0 },
		{ 511, 128, 127 }, { 512, 256, 0 }, { 900, 384, 66 },
	};
	struct reclaim rc = { .want = 32 };

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const struct event *event;
		struct memcg *memcg;
		struct machine *m;
		struct one one;

		m = shadows_open(&one);
		memcg = machine_memcg(m, one.group);
		rc.target = one.group;
		rc.priority = 12;
		memcg->flush.local = (memcg->nr_shadow_nodes - rows[i].surplus) * 8 + 7;
		rig_forget(&one.rig);
		reclaim_group(m, &rc, one.group);
		event = rig_nth(&one.rig, EVENT_SHADOWS, 0);
		assert_int_equal(event->n[SHADOWS_DUE], rows[i].surplus);
		assert_int_equal(event->n[SHADOWS_FREED], rows[i].freed);
		assert_int_equal(memcg->shadow_deferred, rows[i].put_off);
		rig_close(&one.rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_thirty_first_page_lists_all),
		cmocka_unit_test(all_lists_share_a_cpus_batch),
		cmocka_unit_test(a_page_used_twice_in_the_batch_is_listed_as_active),
		cmocka_unit_test(another_cpu_cannot_reach_into_the_batch),
		cmocka_unit_test(activations_wait_for_thirty_one),
		cmocka_unit_test(charges_come_in_batches_of_64_while_they_fit),
		cmocka_unit_test(a_cpu_keeps_stocks_for_seven_groups),
		cmocka_unit_test(active_lists_move_when_inactive_is_low_or_pages_were_missed),
		cmocka_unit_test(reclaimers_share_a_walk_over_the_tree),
		cmocka_unit_test(siblings_are_walked_in_order_of_creation),
		cmocka_unit_test(out_of_memory_comes_after_eighteen_calls),
		cmocka_unit_test(the_last_of_the_largest_is_killed),
		cmocka_unit_test(shadow_nodes_are_freed_by_whole_batches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
