/*
 * The group tree: css ids, both ways of choosing the next victim, and
 * counters that charge every level or none.
 */
#include <string.h>

#include "machine.h"
#include "rig.h"

enum { H = 2, A, B };

/* H above A and B, hierarchical; and a flat group with a child. */
struct tree {
	struct machine m;
	struct memcgs *groups;
	uint32_t flat, flat_child;
};

static void tree_open(struct tree *t)
{
	struct scenario sc;
	struct diag diag;

	rig_scenario(&sc, "v3.3", 1);
	assert_int_equal(machine_open(&t->m, &sc, &diag), ERR_OK);
	t->groups = &t->m.memcgs;
	assert_int_equal(memcg_new(t->groups, MEMCG_ROOT, "h"), H);
	t->groups->memcg[H].hierarchy = true;
	assert_int_equal(memcg_new(t->groups, H, "a"), A);
	assert_int_equal(memcg_new(t->groups, H, "b"), B);
	t->flat = memcg_new(t->groups, MEMCG_ROOT, "flat");
	t->flat_child = memcg_new(t->groups, t->flat, "child");
}

static void tree_close(struct tree *t)
{
	machine_close(&t->m);
}

static void the_root_is_one_and_ids_follow_in_order(void **state)
{
	struct tree t;

	(void)state;
	tree_open(&t);
	assert_int_equal(t.flat, 5);
	assert_int_equal(t.flat_child, 6);
	assert_string_equal(t.groups->memcg[MEMCG_ROOT].path, "");
	assert_string_equal(t.groups->memcg[A].path, "h/a");
	assert_string_equal(t.groups->memcg[t.flat_child].path, "flat/child");
	assert_int_equal(memcg_max(t.groups), 6);
	tree_close(&t);
}

static void a_child_of_a_hierarchy_charges_it(void **state)
{
	struct tree t;

	(void)state;
	tree_open(&t);
	assert_true(t.groups->memcg[A].hierarchy);
	assert_int_equal(t.groups->memcg[A].counter_parent, H);
	assert_false(t.groups->memcg[t.flat_child].hierarchy);
	assert_int_equal(t.groups->memcg[t.flat_child].counter_parent, MEMCG_NONE);
	assert_true(memcg_in_subtree(t.groups, B, H));
	assert_true(memcg_in_subtree(t.groups, H, H));
	assert_false(memcg_in_subtree(t.groups, t.flat, H));
	assert_false(memcg_in_subtree(t.groups, H, A));
	assert_int_equal(memcg_count_subtree(t.groups, H), 3);
	assert_int_equal(memcg_count_subtree(t.groups, t.flat), 1);
	tree_close(&t);
}

static void the_cursor_goes_round_in_order_of_ids(void **state)
{
	static const uint32_t order[] = { H, A, B, H, A, B, H };
	struct tree t;

	(void)state;
	tree_open(&t);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		assert_int_equal(memcg_select_victim(t.groups, H), order[i]);
	tree_close(&t);
}

static void each_root_has_its_own_cursor(void **state)
{
	struct tree t;

	(void)state;
	tree_open(&t);
	assert_int_equal(memcg_select_victim(t.groups, H), H);
	assert_int_equal(memcg_select_victim(t.groups, A), A);
	assert_int_equal(memcg_select_victim(t.groups, A), A);
	assert_int_equal(memcg_select_victim(t.groups, t.flat), t.flat);
	assert_int_equal(memcg_select_victim(t.groups, t.flat), t.flat);
	assert_int_equal(memcg_select_victim(t.groups, H), A);
	tree_close(&t);
}

static void a_new_group_is_served_where_the_removed_one_was(void **state)
{
	struct tree t;

	(void)state;
	tree_open(&t);
	assert_int_equal(memcg_select_victim(t.groups, H), H);
	assert_int_equal(memcg_select_victim(t.groups, H), A);
	assert_int_equal(memcg_select_victim(t.groups, H), B);
	memcg_offline(t.groups, A);
	memcg_release(t.groups, A);
	assert_int_equal(memcg_select_victim(t.groups, H), H);
	assert_int_equal(memcg_select_victim(t.groups, H), B);
	assert_int_equal(memcg_new(t.groups, H, "c"), A);
	assert_int_equal(memcg_select_victim(t.groups, H), H);
	assert_int_equal(memcg_select_victim(t.groups, H), A);
	assert_int_equal(memcg_select_victim(t.groups, H), B);
	tree_close(&t);
}

static void the_iterator_goes_round_and_counts_its_rounds(void **state)
{
	static const struct { uint32_t id, generation; } draws[] = {
		{ H, 0 }, { A, 0 }, { B, 0 }, { H, 1 }, { A, 1 }, { B, 1 }, { H, 2 },
	};
	struct tree t;

	(void)state;
	tree_open(&t);
	for (size_t i = 0; i < sizeof(draws) / sizeof(draws[0]); i++) {
		assert_int_equal(memcg_iter_first(t.groups, H, 0, 12), draws[i].id);
		assert_int_equal(t.groups->memcg[H].iter[0][12].generation, draws[i].generation);
	}
	tree_close(&t);
}

static void each_priority_has_its_own_iterator(void **state)
{
	struct tree t;

	(void)state;
	tree_open(&t);
	assert_int_equal(memcg_iter_first(t.groups, H, 0, 12), H);
	assert_int_equal(memcg_iter_first(t.groups, H, 0, 12), A);
	assert_int_equal(memcg_iter_first(t.groups, H, 0, 11), H);
	assert_int_equal(memcg_iter_first(t.groups, H, 0, 12), B);
	assert_int_equal(memcg_iter_first(t.groups, H, 0, 11), A);
	assert_int_equal(memcg_iter_first(t.groups, H, 0, 0), H);
	tree_close(&t);
}

static void a_flat_group_iterates_over_itself(void **state)
{
	struct tree t;

	(void)state;
	tree_open(&t);
	for (int i = 0; i < 3; i++)
		assert_int_equal(memcg_iter_first(t.groups, t.flat, 0, 12), t.flat);
	tree_close(&t);
}

static void a_charge_reaches_every_level_and_may_fill_a_limit(void **state)
{
	struct tree t;

	(void)state;
	tree_open(&t);
	t.groups->memcg[H].counter.limit = 10;
	assert_int_equal(counter_try(t.groups, A, 4), MEMCG_NONE);
	assert_int_equal(counter_try(t.groups, B, 6), MEMCG_NONE);
	assert_int_equal(t.groups->memcg[A].counter.usage, 4);
	assert_int_equal(t.groups->memcg[B].counter.usage, 6);
	assert_int_equal(t.groups->memcg[H].counter.usage, 10);
	assert_int_equal(t.groups->memcg[H].counter.failcnt, 0);
	tree_close(&t);
}

static void a_refused_charge_leaves_no_level_charged(void **state)
{
	struct tree t;
	struct memcg *g;

	(void)state;
	tree_open(&t);
	g = t.groups->memcg;
	g[H].counter.limit = 10;
	g[B].counter.limit = 3;
	assert_int_equal(counter_try(t.groups, A, 10), MEMCG_NONE);
	assert_int_equal(counter_try(t.groups, A, 1), H);
	assert_int_equal(g[A].counter.usage, 10);
	assert_int_equal(g[H].counter.usage, 10);
	/* The level that refuses counts the failure, and it alone. */
	assert_int_equal(g[A].counter.failcnt, 0);
	assert_int_equal(g[H].counter.failcnt, 1);
	/* The lowest level is asked first. */
	assert_int_equal(counter_try(t.groups, B, 4), B);
	assert_int_equal(g[B].counter.failcnt, 1);
	assert_int_equal(g[H].counter.failcnt, 1);
	counter_uncharge(t.groups, A, 10);
	assert_int_equal(g[A].counter.usage, 0);
	assert_int_equal(g[H].counter.usage, 0);
	assert_int_equal(g[H].counter.max_usage, 10);
	tree_close(&t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_root_is_one_and_ids_follow_in_order),
		cmocka_unit_test(a_child_of_a_hierarchy_charges_it),
		cmocka_unit_test(the_cursor_goes_round_in_order_of_ids),
		cmocka_unit_test(each_root_has_its_own_cursor),
		cmocka_unit_test(a_new_group_is_served_where_the_removed_one_was),
		cmocka_unit_test(the_iterator_goes_round_and_counts_its_rounds),
		cmocka_unit_test(each_priority_has_its_own_iterator),
		cmocka_unit_test(a_flat_group_iterates_over_itself),
		cmocka_unit_test(a_charge_reaches_every_level_and_may_fill_a_limit),
		cmocka_unit_test(a_refused_charge_leaves_no_level_charged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
