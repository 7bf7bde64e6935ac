/*
 * What becomes of the pages of a removed group: to v3.3 its parent is
 * charged for them, from v3.5 on it keeps the charge, from v3.19 on they
 * stay in the dead group.  Expected counts are derived in the tests.
 */
#include <string.h>

#include "rig.h"

enum { PAGES = 100 };

/* A parent without a limit, and a child whose task read PAGES pages and is gone. */
struct left {
	struct rig rig;
	uint32_t up, child, file, task;
};

static void left_open(struct left *l, const char *kernel, bool hierarchy)
{
	rig_open(&l->rig, kernel, 1);
	l->up = hierarchy ? rig_hierarchy(&l->rig, RIG_ROOT, "up", 0)
			  : rig_group(&l->rig, RIG_ROOT, "up", 0);
	l->child = rig_group(&l->rig, l->up, "child", 0);
	l->task = rig_task(&l->rig, l->child, 0);
	l->file = rig_file(&l->rig, PAGES);
	assert_int_equal(rig_read(&l->rig, l->task, l->file, 0, PAGES), OP_DONE);
	rig_apply(&l->rig, &(struct op){ .kind = OP_TASK_EXIT, .task = l->task });
}

static enum op_outcome left_remove(struct left *l)
{
	return rig_apply(&l->rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = l->child })
		.outcome;
}

/* The rule of the newest EVENT_REMOVE. */
static enum rule last_rule(const struct left *l)
{
	return rig_nth(&l->rig, EVENT_REMOVE, rig_count(&l->rig, EVENT_REMOVE) - 1)->rule;
}

static void to_v3_17_the_parent_owns_the_pages(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v2.6.33", "v3.1", "v3.3", "v3.5",
					       "v3.17" };
	struct run_memcg gone;
	struct left l;

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		left_open(&l, kernels[i], true);
		assert_int_equal(left_remove(&l), OP_DONE);
		assert_int_equal(last_rule(&l), RULE_REMOVE_MOVED);
		assert_false(run_memcg(l.rig.run, l.child, &gone));
		assert_int_equal(rig_memcg(&l.rig, l.up).charged, PAGES);
		assert_int_equal(rig_memcg(&l.rig, l.up).nr_dying, 0);
		rig_check(&l.rig, kernels[i]);
		rig_close(&l.rig);
	}
}

static void to_v3_3_the_parent_is_charged_also_without_a_hierarchy(void **state)
{
	struct left l;

	(void)state;
	left_open(&l, "v2.6.31", false);
	assert_int_equal(rig_memcg(&l.rig, l.up).usage, 0);
	assert_int_equal(left_remove(&l), OP_DONE);
	assert_int_equal(rig_memcg(&l.rig, l.up).usage, PAGES);
	assert_int_equal(rig_memcg(&l.rig, RIG_ROOT).charged, 0);
	rig_close(&l.rig);
}

static void from_v3_5_on_the_root_gets_them_if_no_parent_was_charged(void **state)
{
	struct left l;

	(void)state;
	left_open(&l, "v3.5", false);
	assert_int_equal(left_remove(&l), OP_DONE);
	assert_int_equal(rig_memcg(&l.rig, l.up).usage, 0);
	assert_int_equal(rig_memcg(&l.rig, RIG_ROOT).charged, PAGES);
	rig_check(&l.rig, "after the pages went to the root");
	rig_close(&l.rig);
}

/* The parent may hold 64 pages and holds 60 that cannot be freed: 4 of the 100 fit.  The child's
 * own cache is dropped instead, which is what force_empty does before its second try. */
static void a_full_parent_makes_the_child_reclaim_its_own_cache(void **state)
{
	uint32_t keeper, map;
	struct left l;

	(void)state;
	left_open(&l, "v2.6.31", false);
	keeper = rig_task(&l.rig, l.up, 0);
	map = rig_map(&l.rig, keeper, 60);
	rig_touch(&l.rig, keeper, map, 0, 60);
	assert_int_equal(rig_limit(&l.rig, l.up, 64), OP_DONE);
	assert_int_equal(left_remove(&l), OP_DONE);
	assert_int_equal(rig_memcg(&l.rig, l.up).usage, 64);
	rig_check(&l.rig, "after the parent was full");
	rig_close(&l.rig);
}

/* Anonymous pages of a task that moved away cannot be dropped without swap. */
static void a_full_parent_and_pages_that_stay_are_busy(void **state)
{
	uint32_t keeper, map, mover;
	struct left l;

	(void)state;
	left_open(&l, "v2.6.31", false);
	keeper = rig_task(&l.rig, l.up, 0);
	map = rig_map(&l.rig, keeper, 60);
	rig_touch(&l.rig, keeper, map, 0, 60);
	rig_limit(&l.rig, l.up, 64);
	mover = rig_task(&l.rig, l.child, 0);
	map = rig_map(&l.rig, mover, 10);
	rig_touch(&l.rig, mover, map, 0, 10);
	rig_apply(&l.rig, &(struct op){ .kind = OP_TASK_MOVE, .task = mover, .object = RIG_ROOT });
	assert_int_equal(left_remove(&l), OP_BUSY);
	assert_int_equal(last_rule(&l), RULE_REMOVE_BUSY);
	assert_true(rig_memcg(&l.rig, l.child).online);
	/* 4 of the 10 went up, in the order of the lists, before the parent was full. */
	assert_int_equal(rig_memcg(&l.rig, l.child).usage, 6);
	rig_check(&l.rig, "after EBUSY");
	rig_close(&l.rig);
}

/* The root has no parent: what force_empty cannot reclaim there stays where it is. */
static void force_empty_of_the_root_moves_nothing(void **state)
{
	uint32_t group, task, file;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v2.6.31", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 20);
	rig_read(&rig, task, file, 0, 20);
	rig_apply(&rig, &(struct op){ .kind = OP_WRITE, .task = task, .object = file,
				      .length = 20 * PAGE_BYTES });
	rig_apply(&rig, &(struct op){ .kind = OP_TASK_EXIT, .task = task });
	rig_apply(&rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = group });
	assert_int_equal(rig_memcg(&rig, RIG_ROOT).charged, 20);
	rig_apply(&rig, &(struct op){ .kind = OP_FORCE_EMPTY, .object = RIG_ROOT });
	rig_check(&rig, "after force_empty of the root");
	rig_close(&rig);
}

static void from_v3_19_on_pages_stay_in_the_dying_group(void **state)
{
	static const char *const kernels[] = { "v3.19", "v6.1", "v6.18-v1", "v6.18" };
	struct run_memcg gone;
	struct left l;

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		left_open(&l, kernels[i], true);
		assert_int_equal(left_remove(&l), OP_DONE);
		assert_int_equal(last_rule(&l), RULE_REMOVE_DIES);
		assert_true(rig_memcg(&l.rig, l.child).dying);
		assert_false(rig_memcg(&l.rig, l.child).online);
		assert_int_equal(rig_memcg(&l.rig, l.child).charged, PAGES);
		assert_int_equal(rig_memcg(&l.rig, l.up).nr_dying, 1);
		assert_true(rig_memcg(&l.rig, l.up).usage >= PAGES);
		assert_int_equal(run_memcg_find(l.rig.run, "up/child"), 0);
		rig_check(&l.rig, kernels[i]);
		/* With its last page the group goes, at the next step. */
		rig_apply(&l.rig, &(struct op){ .kind = OP_FILE_DROP, .object = l.file });
		rig_apply(&l.rig, &(struct op){ .kind = OP_THINK });
		assert_false(run_memcg(l.rig.run, l.child, &gone));
		assert_int_equal(last_rule(&l), RULE_REMOVE_RELEASED);
		assert_int_equal(rig_memcg(&l.rig, l.up).nr_dying, 0);
		assert_int_equal(rig_group(&l.rig, l.up, "child", 0), l.child);
		rig_close(&l.rig);
	}
}

/* Tree nodes belong to the parent at once; the dead counter holds its pages alone. */
static void kernel_memory_of_a_dying_group_is_its_parents(void **state)
{
	struct run_memcg before, after, child;
	struct left l;

	(void)state;
	left_open(&l, "v6.18", true);
	before = rig_memcg(&l.rig, l.up);
	assert_int_equal(left_remove(&l), OP_DONE);
	after = rig_memcg(&l.rig, l.up);
	child = rig_memcg(&l.rig, l.child);
	assert_int_equal(child.kmem, 0);
	assert_int_equal(child.usage, PAGES);
	assert_int_equal(child.nr_nodes, 0);
	assert_true(before.kmem > 0);
	assert_int_equal(after.kmem, before.kmem);
	assert_int_equal(after.nr_nodes, before.nr_nodes + 3);
	rig_close(&l.rig);
}

/* A parent that dies waits for its dead child. */
static void a_dying_child_keeps_its_dying_parent(void **state)
{
	struct run_memcg gone;
	struct left l;

	(void)state;
	left_open(&l, "v6.18", true);
	assert_int_equal(left_remove(&l), OP_DONE);
	rig_apply(&l.rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = l.up });
	rig_apply(&l.rig, &(struct op){ .kind = OP_THINK });
	assert_true(rig_memcg(&l.rig, l.up).dying);
	assert_int_equal(rig_memcg(&l.rig, RIG_ROOT).nr_dying, 2);
	rig_apply(&l.rig, &(struct op){ .kind = OP_FILE_DROP, .object = l.file });
	rig_apply(&l.rig, &(struct op){ .kind = OP_THINK });
	assert_false(run_memcg(l.rig.run, l.up, &gone));
	assert_int_equal(rig_memcg(&l.rig, RIG_ROOT).nr_dying, 0);
	rig_check(&l.rig, "after both are gone");
	rig_close(&l.rig);
}

/* The first shrink of a group; NULL if there was none. */
static const struct event *first_shrink(const struct left *l, uint32_t memcg)
{
	for (size_t i = 0; i < rig_count(&l->rig, EVENT_SHRINK); i++)
		if (rig_nth(&l->rig, EVENT_SHRINK, i)->memcg == memcg)
			return rig_nth(&l->rig, EVENT_SHRINK, i);
	return NULL;
}

/* 100 >> 12 is nothing, but of a removed group a cluster is asked at any priority: the first
 * pass over it frees 32, at priority 12. */
static void what_is_left_of_a_dead_group_is_scanned_at_once(void **state)
{
	const struct event *shrink;
	uint32_t task, file;
	struct left l;

	(void)state;
	left_open(&l, "v6.18", true);
	assert_int_equal(left_remove(&l), OP_DONE);
	rig_limit(&l.rig, l.up, 300);
	task = rig_task(&l.rig, l.up, 0);
	file = rig_file(&l.rig, 400);
	rig_forget(&l.rig);
	rig_read(&l.rig, task, file, 0, 400);
	shrink = first_shrink(&l, l.child);
	assert_non_null(shrink);
	assert_int_equal(shrink->rule, RULE_SCAN_OFFLINE);
	assert_int_equal(shrink->n[SHRINK_PRIORITY], 12);
	assert_int_equal(shrink->n[SHRINK_TO_SCAN], 32);
	rig_close(&l.rig);
}

/* With swap the cluster is shared 60:140 between anon and file, and 32 * 140 / 200 = 22.4 is
 * rounded up for a removed group. */
static void the_share_of_a_dead_group_is_rounded_up(void **state)
{
	struct scenario sc;
	struct left l;

	(void)state;
	rig_scenario(&sc, "v6.18", 1);
	sc.swap_pages = 1000;
	rig_open_scenario(&l.rig, &sc);
	l.up = rig_group(&l.rig, RIG_ROOT, "up", 0);
	l.child = rig_group(&l.rig, l.up, "child", 0);
	l.task = rig_task(&l.rig, l.child, 0);
	l.file = rig_file(&l.rig, PAGES);
	rig_read(&l.rig, l.task, l.file, 0, PAGES);
	rig_apply(&l.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = l.task });
	left_remove(&l);
	rig_apply(&l.rig, &(struct op){ .kind = OP_RECLAIM, .object = l.up, .length = 8 << 12 });
	assert_int_equal(first_shrink(&l, l.child)->n[SHRINK_TO_SCAN], 23);
	rig_close(&l.rig);
}

/* With reparents the child's pages are the parent's oldest: they are reclaimed first. */
static void reparented_pages_are_the_oldest_of_the_parent(void **state)
{
	uint32_t task, file;
	struct left l;

	(void)state;
	rig_open(&l.rig, "v6.18+removal=reparents", 1);
	l.up = rig_group(&l.rig, RIG_ROOT, "up", 0);
	task = rig_task(&l.rig, l.up, 0);
	file = rig_file(&l.rig, 200);
	rig_read(&l.rig, task, file, 0, 200);
	l.child = rig_group(&l.rig, l.up, "child", 0);
	l.task = rig_task(&l.rig, l.child, 0);
	l.file = rig_file(&l.rig, PAGES);
	rig_read(&l.rig, l.task, l.file, 0, PAGES);
	rig_apply(&l.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = l.task });
	assert_int_equal(left_remove(&l), OP_DONE);
	assert_int_equal(last_rule(&l), RULE_REMOVE_MOVED);
	assert_int_equal(rig_memcg(&l.rig, l.up).charged, 200 + PAGES);
	rig_check(&l.rig, "after reparenting");
	rig_forget(&l.rig);
	rig_apply(&l.rig, &(struct op){ .kind = OP_RECLAIM, .object = l.up, .length = 64 << 12 });
	assert_int_equal(rig_nth(&l.rig, EVENT_CACHE, 0)->n[CACHE_FILE], l.file);
	assert_int_equal(rig_nth(&l.rig, EVENT_CACHE, 0)->n[CACHE_ADDED], false);
	rig_close(&l.rig);
}

/* What force_empty cannot free goes to the parent; the root has none and keeps it. */
static void the_root_keeps_what_force_empty_leaves(void **state)
{
	uint32_t task, file;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v2.6.31+file_writeout=kswapd", 1);
	task = rig_task(&rig, RIG_ROOT, 0);
	file = rig_file(&rig, 100);
	rig_apply(&rig, &(struct op){ .kind = OP_WRITE, .task = task, .object = file,
				      .length = 5 * PAGE_BYTES });
	rig_apply(&rig, &(struct op){ .kind = OP_TASK_EXIT, .task = task });
	rig_apply(&rig, &(struct op){ .kind = OP_FORCE_EMPTY, .object = RIG_ROOT });
	assert_int_equal(rig_memcg(&rig, RIG_ROOT).charged, 5);
	assert_int_equal(rig_memcg(&rig, RIG_ROOT).dirty, 5);
	rig_check(&rig, "force_empty of the root");
	rig_close(&rig);
}

/*
 * Buffer heads of a page are its group's, whoever writes it: 5 pages of one
 * group written by another cost 5 * 112 bytes, which is one page of kernel
 * memory, in the first.  Once it is removed they are its parent's.
 */
static void buffer_heads_are_paid_for_by_the_page_s_group(void **state)
{
	uint32_t up, reader, writer, task[2], file;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v6.18-v1", 1);
	up = rig_group(&rig, RIG_ROOT, "up", 0);
	reader = rig_group(&rig, up, "reader", 0);
	writer = rig_group(&rig, RIG_ROOT, "writer", 0);
	task[0] = rig_task(&rig, reader, 0);
	task[1] = rig_task(&rig, writer, 0);
	file = rig_file(&rig, 5);
	rig_read(&rig, task[0], file, 0, 5);
	assert_int_equal(rig_memcg(&rig, reader).kmem, 1);
	rig_apply(&rig, &(struct op){ .kind = OP_WRITE, .task = task[1], .object = file,
				      .length = 5 * PAGE_BYTES });
	/* A tree node of 576 bytes and 560 of buffer heads share the page that was charged. */
	assert_int_equal(rig_memcg(&rig, reader).kmem, 1);
	assert_int_equal(rig_memcg(&rig, writer).kmem, 0);
	rig_apply(&rig, &(struct op){ .kind = OP_TASK_EXIT, .task = task[0] });
	rig_apply(&rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = reader });
	rig_apply(&rig, &(struct op){ .kind = OP_FSYNC, .task = task[1], .object = file });
	rig_apply(&rig, &(struct op){ .kind = OP_FILE_DROP, .object = file });
	/* Its own 20 structures of 496 bytes take three pages; the fourth is back. */
	assert_int_equal(rig_memcg(&rig, up).kmem, 3);
	assert_int_equal(rig_memcg(&rig, writer).kmem, 0);
	rig_check(&rig, "buffers of a removed group");
	rig_close(&rig);
}

/*
 * A page of shmem in swap cache has no buffer heads to give back, though it
 * carries the flag that says so of other files: kernel memory stays at 0.
 */
static void pages_of_shmem_have_no_buffer_heads(void **state)
{
	struct op op = { .kind = OP_FILE_NEW, .length = 200 * PAGE_BYTES, .name = "shm",
			 .flags = OPF_SHMEM };
	uint32_t group, task, file, map;
	struct scenario sc;
	struct rig rig;

	(void)state;
	rig_scenario(&sc, "v3.1", 1);
	sc.swap_pages = 1000;
	sc.era.knobs.swap_ns = 40000;
	rig_open_scenario(&rig, &sc);
	file = rig_apply(&rig, &op).id;
	group = rig_group(&rig, RIG_ROOT, "g", 100);
	task = rig_task(&rig, group, 0);
	rig_apply(&rig, &(struct op){ .kind = OP_WRITE, .task = task, .object = file,
				      .length = 200 * PAGE_BYTES });
	/* Those that were swapped come back, keep their slots, and go a second time. */
	map = rig_apply(&rig, &(struct op){ .kind = OP_MAP_FILE, .task = task, .object = file,
					    .name = "m" }).id;
	for (int i = 0; i < 3; i++)
		rig_apply(&rig, &(struct op){ .kind = OP_TOUCH, .task = task, .object = map,
					      .length = 200 * PAGE_BYTES });
	assert_int_equal(rig_memcg(&rig, group).kmem, 0);
	rig_apply(&rig, &(struct op){ .kind = OP_FILE_DROP, .object = file });
	assert_int_equal(rig_memcg(&rig, group).charged, 0);
	assert_int_equal(rig_memcg(&rig, group).kmem, 0);
	rig_check(&rig, "shmem dropped");
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(to_v3_17_the_parent_owns_the_pages),
		cmocka_unit_test(to_v3_3_the_parent_is_charged_also_without_a_hierarchy),
		cmocka_unit_test(from_v3_5_on_the_root_gets_them_if_no_parent_was_charged),
		cmocka_unit_test(a_full_parent_makes_the_child_reclaim_its_own_cache),
		cmocka_unit_test(a_full_parent_and_pages_that_stay_are_busy),
		cmocka_unit_test(force_empty_of_the_root_moves_nothing),
		cmocka_unit_test(from_v3_19_on_pages_stay_in_the_dying_group),
		cmocka_unit_test(kernel_memory_of_a_dying_group_is_its_parents),
		cmocka_unit_test(a_dying_child_keeps_its_dying_parent),
		cmocka_unit_test(what_is_left_of_a_dead_group_is_scanned_at_once),
		cmocka_unit_test(the_share_of_a_dead_group_is_rounded_up),
		cmocka_unit_test(reparented_pages_are_the_oldest_of_the_parent),
		cmocka_unit_test(the_root_keeps_what_force_empty_leaves),
		cmocka_unit_test(buffer_heads_are_paid_for_by_the_page_s_group),
		cmocka_unit_test(pages_of_shmem_have_no_buffer_heads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
