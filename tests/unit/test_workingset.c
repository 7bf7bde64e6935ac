/*
 * Refault distance and reclaim costs of v6.18: what an evicted page leaves
 * behind, which pages that return were missed, and how costs fade.
 */
#include "nodes.h"
#include "rig.h"
#include "run_private.h"
#include "workingset.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { SWAP = 100000, AGE = 100 };

/* A parent and its child, in a machine with or without swap. */
struct pair {
	struct rig rig;
	struct machine *m;
	uint32_t parent, child;
};

static void pair_open(struct pair *p, pages_t swap)
{
	struct scenario sc;

	rig_scenario(&sc, EXACT, 1);
	sc.swap_pages = swap;
	rig_open_scenario(&p->rig, &sc);
	p->parent = rig_group(&p->rig, RIG_ROOT, "p", 0);
	p->child = rig_group(&p->rig, p->parent, "c", 0);
	p->m = run_machine(p->rig.run);
}

static void set_sizes(struct memcg *memcg, const pages_t size[LRU_UNEVICTABLE])
{
	for (int lru = 0; lru < LRU_UNEVICTABLE; lru++)
		memcg->size[lru] = size[lru];
}

static void an_evicted_page_leaves_its_groups_age(void **state)
{
	uint32_t word, task, file, slot;
	struct memcg *parent, *child;
	struct pair p;

	(void)state;
	pair_open(&p, 0);
	parent = machine_memcg(p.m, p.parent);
	child = machine_memcg(p.m, p.child);
	task = rig_task(&p.rig, p.child, 0);
	file = rig_file(&p.rig, 10);
	rig_read(&p.rig, task, file, 0, 1);
	slot = page_find(&p.m->pages, &p.m->pages.mapping[file], 0);
	child->age[0] = 7;
	parent->age[0] = AGE;
	/* Reclaim of the parent takes a page of the child: it is the parent that ages. */
	assert_int_equal(workingset_shadow(p.m, p.parent, slot, &word), AGE);
	assert_true(word & PG_SHADOW);
	assert_int_equal(word & PG_MEMCG, p.parent);
	assert_false(word & PG_WORKINGSET);
	assert_int_equal(parent->age[0], AGE + 1);
	assert_int_equal(child->age[0], 7);
	assert_int_equal(machine_memcg(p.m, RIG_ROOT)->age[0], 1);
	/* Reclaim of the child ages every level above it too. */
	p.m->pages.slot[slot].word |= PG_WORKINGSET;
	assert_int_equal(workingset_shadow(p.m, p.child, slot, &word), 7);
	assert_true(word & PG_WORKINGSET);
	assert_int_equal(child->age[0], 8);
	assert_int_equal(parent->age[0], AGE + 2);
	rig_close(&p.rig);
}

/* A page evicted at age 100 returns when the age is 150: 50 pages came between. */
static void a_page_that_returns_within_the_active_list_is_active(void **state)
{
	static const struct { pages_t active; bool missed; } rows[] = {
		{ 60, true }, { 50, true }, { 49, false }, { 0, false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const pages_t size[LRU_UNEVICTABLE] = { 1000, 1000, 1000, rows[i].active };
		struct slot shadow = { .stamp = AGE };
		struct memcg *child;
		struct pair p;
		uint32_t flags;

		pair_open(&p, 0);
		child = machine_memcg(p.m, p.child);
		shadow.word = PG_SHADOW | p.child;
		set_sizes(child, size);
		child->age[0] = AGE + 50;
		flags = workingset_refault(p.m, (struct bucket){ p.child, 0 }, shadow, SCAN_FILE,
					   1);
		assert_int_equal(flags, rows[i].missed ? PG_ACTIVE : 0);
		assert_int_equal(child->age[0], AGE + 50 + rows[i].missed);
		assert_int_equal(child->nr_refault[SCAN_FILE], 1);
		assert_int_equal(child->nr_refault_activate[SCAN_FILE], rows[i].missed);
		assert_int_equal(child->nr_refault[SCAN_ANON], 0);
		rig_close(&p.rig);
	}
}

/* Room: active file; of the other type also what swap could make room from. */
static void the_room_depends_on_type_and_swap(void **state)
{
	static const pages_t size[LRU_UNEVICTABLE] = { 4000, 300, 20, 10 };
	static const struct { pages_t swap; unsigned type; pages_t room; } rows[] = {
		{ 0, SCAN_FILE, 10 },
		{ SWAP, SCAN_FILE, 10 + 300 + 4000 },
		{ SWAP, SCAN_ANON, 10 + 20 + 300 },
		{ 0, SCAN_ANON, 10 + 20 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * NR(rows); i++) {
		pages_t distance = rows[i / 2].room + i % 2;
		struct slot shadow = { .stamp = AGE };
		struct pair p;
		uint32_t flags;

		pair_open(&p, rows[i / 2].swap);
		/* The parent was reclaimed: its whole subtree counts, the child faults. */
		shadow.word = PG_SHADOW | p.parent;
		set_sizes(machine_memcg(p.m, p.child), size);
		machine_memcg(p.m, p.parent)->age[0] = AGE + distance;
		flags = workingset_refault(p.m, (struct bucket){ p.child, 0 }, shadow,
					   rows[i / 2].type, 1);
		assert_int_equal(flags, i % 2 ? 0 : PG_ACTIVE);
		assert_int_equal(machine_memcg(p.m, p.child)->nr_refault[rows[i / 2].type], 1);
		assert_int_equal(machine_memcg(p.m, p.child)->age[0], i % 2 ? 0 : 1);
		rig_close(&p.rig);
	}
}

static void a_page_of_the_workingset_is_dear(void **state)
{
	static const pages_t size[LRU_UNEVICTABLE] = { 4000, 4000, 4000, 4000 };
	struct slot shadow = { .stamp = AGE };
	struct pair p;

	(void)state;
	pair_open(&p, 0);
	shadow.word = PG_SHADOW | PG_WORKINGSET | p.child;
	set_sizes(machine_memcg(p.m, p.child), size);
	machine_memcg(p.m, p.child)->age[0] = AGE + 5;
	assert_int_equal(workingset_refault(p.m, (struct bucket){ p.child, 0 }, shadow, SCAN_FILE,
					    1),
			 PG_ACTIVE | PG_WORKINGSET);
	assert_int_equal(machine_memcg(p.m, p.child)->cost[0][SCAN_FILE], 32);
	assert_int_equal(machine_memcg(p.m, p.parent)->cost[0][SCAN_FILE], 32);
	assert_int_equal(machine_memcg(p.m, p.parent)->cost[0][SCAN_ANON], 0);
	rig_close(&p.rig);
}

/* 4000 pages in the child, 40000 more in the parent itself. */
static void costs_are_halved_above_a_quarter_of_the_pages(void **state)
{
	static const pages_t size[LRU_UNEVICTABLE] = { 1000, 1000, 1000, 1000 };
	static const pages_t more[LRU_UNEVICTABLE] = { 10000, 10000, 10000, 10000 };
	struct memcg *child, *parent;
	struct pair p;

	(void)state;
	pair_open(&p, 0);
	child = machine_memcg(p.m, p.child);
	parent = machine_memcg(p.m, p.parent);
	set_sizes(child, size);
	set_sizes(parent, more);
	workingset_cost(p.m, (struct bucket){ p.child, 0 }, SCAN_ANON, 400);
	workingset_cost(p.m, (struct bucket){ p.child, 0 }, SCAN_FILE, 600);
	assert_int_equal(child->cost[0][SCAN_ANON], 400);
	assert_int_equal(child->cost[0][SCAN_FILE], 600);
	workingset_cost(p.m, (struct bucket){ p.child, 0 }, SCAN_FILE, 1);
	assert_int_equal(child->cost[0][SCAN_ANON], 200);
	assert_int_equal(child->cost[0][SCAN_FILE], 300);
	assert_int_equal(parent->cost[0][SCAN_ANON], 400);
	assert_int_equal(parent->cost[0][SCAN_FILE], 601);
	/* A level's own cost is not its children's. */
	workingset_cost(p.m, (struct bucket){ p.parent, 0 }, SCAN_ANON, 9999);
	assert_int_equal(child->cost[0][SCAN_ANON], 200);
	assert_int_equal(parent->cost[0][SCAN_ANON], 10399);
	workingset_cost(p.m, (struct bucket){ p.parent, 0 }, SCAN_ANON, 1);
	assert_int_equal(parent->cost[0][SCAN_ANON], 5200);
	assert_int_equal(parent->cost[0][SCAN_FILE], 300);
	rig_close(&p.rig);
}

/*
 * The whole way: @hot active pages, 1000 - @hot inactive ones, one page more.
 * Priorities 9 to 5 evict 1, 3, 7, 14 and 28 of about 947: 53, the oldest
 * first, which is then read again.
 */
static void check_return(pages_t hot, bool missed)
{
	uint32_t group, task, hot_file, stream;
	struct run_memcg g;
	struct rig rig;

	rig_open(&rig, EXACT, 1);
	group = rig_group(&rig, RIG_ROOT, "g", 1000);
	task = rig_task(&rig, group, 0);
	hot_file = rig_file(&rig, 1000);
	stream = rig_file(&rig, 2000);
	rig_read(&rig, task, hot_file, 0, hot);
	rig_drain(&rig, task);
	rig_read(&rig, task, hot_file, 0, hot);
	rig_read(&rig, task, stream, 0, 1000 - hot);
	rig_drain(&rig, task);
	rig_read(&rig, task, stream, 1000 - hot, 1);
	g = rig_memcg(&rig, group);
	assert_int_equal(g.nr_reclaimed, 53);
	assert_int_equal(g.size[LRU_ACTIVE_FILE], hot);
	assert_int_equal(g.nr_refault_file, 0);
	rig_read(&rig, task, stream, 0, 1);
	rig_drain(&rig, task);
	g = rig_memcg(&rig, group);
	assert_int_equal(g.nr_refault_file, 1);
	assert_int_equal(g.nr_refault_activate, missed);
	assert_int_equal(g.size[LRU_ACTIVE_FILE], hot + missed);
	rig_check(&rig, "a page returns");
	rig_close(&rig);
}

static void a_page_read_again_soon_enough_becomes_active(void **state)
{
	(void)state;
	check_return(54, true);
	check_return(53, true);
	check_return(52, false);
}

/*
 * A file's first page alone hangs in the head, without a node; so does its
 * shadow.  With a further page the tree gets a node for it, which holds
 * nothing but that shadow until a page joins it.
 */
static void a_shadow_in_the_head_gets_a_node_when_the_tree_grows(void **state)
{
	uint32_t group, task, file;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18-v1", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 1000);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 200);
	rig_read(&rig, task, file, 0, 1);
	rig_apply(&rig, &(struct op){ .kind = OP_FORCE_EMPTY, .object = group });
	assert_int_equal(rig_memcg(&rig, group).charged, 0);
	assert_int_equal(rig_memcg(&rig, group).nr_nodes, 0);
	assert_int_equal(rig_memcg(&rig, group).nr_shadow_nodes, 0);
	rig_read(&rig, task, file, 100, 1);
	/* Two lowest ones and one above them. */
	assert_int_equal(rig_memcg(&rig, group).nr_nodes, 3);
	assert_int_equal(rig_memcg(&rig, group).nr_shadow_nodes, 1);
	rig_read(&rig, task, file, 1, 1);
	assert_int_equal(rig_memcg(&rig, group).nr_nodes, 3);
	assert_int_equal(rig_memcg(&rig, group).nr_shadow_nodes, 0);
	rig_close(&rig);
}

/*
 * 200 pages have 4 lowest nodes and one above: 5 x 592 = 2960 bytes of the page
 * that CPU 1 charged.  CPU 1 drops them all, so they are in its byte stock again
 * after the grace period, and a stock of no more than a page keeps it.
 */
static void freed_nodes_are_given_back_by_the_cpu_that_freed_them(void **state)
{
	uint32_t group, task, file;
	struct machine *m;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18-v1", 2);
	m = run_machine(rig.run);
	group = rig_group(&rig, RIG_ROOT, "g", 1000);
	task = rig_task(&rig, group, 1);
	file = rig_file(&rig, 200);
	rig_read(&rig, task, file, 0, 200);
	assert_int_equal(m->cpu[1].byte_nr, 4096 - 5 * 592);
	rig_apply(&rig, &(struct op){ .kind = OP_FADVISE, .task = task, .object = file,
				      .length = 200 * PAGE_BYTES, .value = FADVICE_DONTNEED });
	assert_int_equal(m->cpu[1].byte_nr, 4096 - 5 * 592);
	nodes_settle(m);
	assert_int_equal(rig_memcg(&rig, group).nr_nodes, 0);
	assert_int_equal(m->cpu[1].byte_nr, 4096);
	assert_int_equal(m->cpu[0].byte_nr, 0);
	assert_int_equal(rig_memcg(&rig, group).kmem, 1);
	rig_close(&rig);
}

/* Two files of 65 pages have two lowest nodes and one above them each. */
static void a_grace_period_covers_what_was_freed_before_it_began(void **state)
{
	uint32_t group, task, file[3];
	struct machine *m;
	struct rig rig;
	int i;

	(void)state;
	rig_open(&rig, "v6.18-v1", 1);
	m = run_machine(rig.run);
	group = rig_group(&rig, RIG_ROOT, "g", 1000);
	task = rig_task(&rig, group, 0);
	for (i = 0; i < 3; i++) {
		file[i] = rig_file(&rig, 65);
		rig_read(&rig, task, file[i], 0, 65);
	}
	assert_int_equal(rig_memcg(&rig, group).nr_nodes, 9);
	for (i = 0; i < 2; i++) {
		rig_apply(&rig, &(struct op){ .kind = OP_FADVISE, .object = file[i], .task = task,
					      .length = 65 * PAGE_BYTES });
	}
	/* The first node begins the period, which ends between one and two ticks of 4 ms. */
	assert_int_equal(m->host->grace_until, m->host->now + 6000000);
	m->host->now += 6000000 - 1;
	nodes_grace(m);
	assert_int_equal(rig_memcg(&rig, group).nr_nodes, 9);
	m->host->now++;
	nodes_grace(m);
	assert_int_equal(rig_memcg(&rig, group).nr_nodes, 8);
	assert_int_equal(m->host->grace_until, m->host->now + 6000000);
	m->host->now += 6000000;
	nodes_grace(m);
	assert_int_equal(rig_memcg(&rig, group).nr_nodes, 3);
	assert_int_equal(m->host->grace_until, 0);
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_evicted_page_leaves_its_groups_age),
		cmocka_unit_test(a_page_that_returns_within_the_active_list_is_active),
		cmocka_unit_test(the_room_depends_on_type_and_swap),
		cmocka_unit_test(a_page_of_the_workingset_is_dear),
		cmocka_unit_test(costs_are_halved_above_a_quarter_of_the_pages),
		cmocka_unit_test(a_page_read_again_soon_enough_becomes_active),
		cmocka_unit_test(a_shadow_in_the_head_gets_a_node_when_the_tree_grows),
		cmocka_unit_test(freed_nodes_are_given_back_by_the_cpu_that_freed_them),
		cmocka_unit_test(a_grace_period_covers_what_was_freed_before_it_began),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
