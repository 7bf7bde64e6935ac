/*
 * Kernel memory by what it is: stacks of threads, objects that a scenario
 * declares, and that the parts are always the whole.
 */
#include "kmem.h"

#include <string.h>

#include "memory_stat.h"
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

struct app {
	struct rig rig;
	uint32_t group, task;
};

static void app_open(struct app *a, const char *kernel)
{
	rig_open(&a->rig, kernel, 2);
	a->group = rig_hierarchy(&a->rig, RIG_ROOT, "app", 0);
	a->task = rig_task(&a->rig, a->group, 0);
}

static bytes_t part(struct app *a, uint32_t group, enum kmem_part which)
{
	bytes_t bytes[NR_KMEM_PARTS], sum = 0;

	run_kmem(a->rig.run, group, bytes);
	for (int i = 0; i < NR_KMEM_PARTS; i++)
		sum += bytes[i];
	assert_int_equal(sum, rig_memcg(&a->rig, group).kmem * PAGE_BYTES);
	return bytes[which];
}

static struct op_result slab(struct app *a, uint32_t flags, uint64_t bytes, uint64_t count)
{
	return rig_apply(&a->rig, &(struct op){ .kind = OP_SLAB, .task = a->task, .flags = flags,
						.length = bytes, .count = count });
}

static uint32_t threads(struct app *a, uint64_t count)
{
	return rig_apply(&a->rig, &(struct op){ .kind = OP_TASK_NEW,
						.object = a->group,
						.count = count,
						.name = "threads" })
		.id;
}

/* THREAD_SIZE is 16 KiB on x86-64: four pages, each charged alone, so they come from a batch. */
static void the_group_that_clones_pays_for_the_stack(void **state)
{
	struct op fork = { .kind = OP_FORK, .name = "child" };
	struct app a;
	uint32_t child;
	pages_t usage;

	(void)state;
	app_open(&a, "v6.18-v1");
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 0);
	fork.task = a.task;
	child = rig_apply(&a.rig, &fork).id;
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 16384);
	assert_int_equal(rig_memcg(&a.rig, a.group).usage, 64);
	assert_int_equal(rig_memcg(&a.rig, a.group).stock, 60);
	/* The child moves, and its stack stays where it was charged. */
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_MOVE, .task = child, .object = RIG_ROOT });
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 16384);
	usage = rig_memcg(&a.rig, a.group).usage;
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = child });
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 0);
	/* Its pages went into the stock. */
	assert_int_equal(rig_memcg(&a.rig, a.group).usage, usage);
	assert_int_equal(rig_memcg(&a.rig, a.group).stock, 64);
	rig_check(&a.rig, "a child's end");
	rig_close(&a.rig);
}

static void who_comes_from_elsewhere_brings_its_stack(void **state)
{
	struct app a;
	uint32_t id;

	(void)state;
	app_open(&a, "v6.18");
	threads(&a, 0);
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 0);
	id = threads(&a, 5);
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 5 * 16384);
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = id });
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 0);
	rig_close(&a.rig);
}

static void stacks_are_charged_by_kernel(void **state)
{
	static const struct { const char *kernel; int64_t pages; bytes_t wanted; } rows[] = {
		{ "v3.19", 4, 0 },
		{ "v6.1", 4, 16384 },
		{ "v6.1", 2, 8192 },	/* THREAD_SIZE before v3.15 */
		{ "v6.18-v1+stack=uncharged", 4, 0 },
		{ "v6.18-v1+kmem=off", 4, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct scenario sc;
		struct app a;

		rig_scenario(&sc, rows[i].kernel, 2);
		sc.era.knobs.stack_pages = rows[i].pages;
		rig_open_scenario(&a.rig, &sc);
		a.group = rig_hierarchy(&a.rig, RIG_ROOT, "app", 0);
		a.task = rig_task(&a.rig, a.group, 0);
		threads(&a, 1);
		assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), rows[i].wanted);
		rig_close(&a.rig);
	}
}

/* Only whole stacks stay: of 20 pages 5 stacks, then a clone fails. */
static void a_clone_that_is_refused_leaves_no_part_of_a_stack(void **state)
{
	struct op op = { .kind = OP_GROUP_SET };
	struct op_result res;
	struct app a;

	(void)state;
	app_open(&a, "v6.18-v1");
	op.object = a.group;
	op.group = (struct group_conf){ .set = GROUP_LIMIT | GROUP_OOM_DISABLE, .limit_pages = 22,
					.oom_disable = true };
	rig_apply(&a.rig, &op);
	res = rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_NEW, .object = a.group, .count = 6,
					      .name = "threads" });
	assert_int_equal(res.outcome, OP_BLOCKED);
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 5 * 16384);
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = res.id });
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 0);
	rig_close(&a.rig);
}

/* 192 bytes and a word for the owner: 20 of them are 4,000 bytes, the rest waits in the stock. */
static void an_object_costs_its_bytes_and_a_word(void **state)
{
	struct app a;

	(void)state;
	app_open(&a, "v6.18-v1");
	assert_int_equal(slab(&a, 0, 192, 20).done_pages, 20);
	assert_int_equal(part(&a, a.group, KMEM_SLAB_OBJECTS), 4000);
	assert_int_equal(part(&a, a.group, KMEM_BYTE_STOCK), 96);
	assert_int_equal(rig_memcg(&a.rig, a.group).kmem, 1);
	slab(&a, 0, 192, 1);
	assert_int_equal(part(&a, a.group, KMEM_BYTE_STOCK), 96 + 4096 - 200);
	assert_int_equal(rig_memcg(&a.rig, a.group).kmem, 2);
	/* Beyond a page the byte stock gives whole pages back. */
	slab(&a, OPF_FREE, 192, 21);
	assert_int_equal(part(&a, a.group, KMEM_SLAB_OBJECTS), 0);
	assert_int_equal(part(&a, a.group, KMEM_BYTE_STOCK), 4096);
	assert_int_equal(rig_memcg(&a.rig, a.group).kmem, 1);
	rig_close(&a.rig);
}

static void objects_that_cannot_be_are_refused(void **state)
{
	struct op op = { .kind = OP_SLAB, .length = 4088, .count = 1 };
	struct app a;
	struct op_result res;
	struct diag diag;

	(void)state;
	app_open(&a, "v6.18-v1");
	op.task = a.task;
	assert_int_equal(run_apply(a.rig.run, &op, &res, &diag), ERR_OK);
	op.length = 4089; /* more than a page with its owner */
	assert_int_equal(run_apply(a.rig.run, &op, &res, &diag), ERR_RANGE);
	op.length = 0;
	assert_int_equal(run_apply(a.rig.run, &op, &res, &diag), ERR_RANGE);
	op.length = 4088;
	op.flags = OPF_FREE;
	op.count = 2;
	assert_int_equal(run_apply(a.rig.run, &op, &res, &diag), ERR_RANGE);
	assert_string_equal(diag.text, "slab: 2 objects of 4088 bytes are not there");
	op.count = 1;
	assert_int_equal(run_apply(a.rig.run, &op, &res, &diag), ERR_OK);
	/* Ten of 8 bytes are 160 with their owners, and no more than ten. */
	slab(&a, 0, 8, 10);
	op.length = 8;
	op.count = 11;
	assert_int_equal(run_apply(a.rig.run, &op, &res, &diag), ERR_RANGE);
	op.count = 10;
	assert_int_equal(run_apply(a.rig.run, &op, &res, &diag), ERR_OK);
	rig_close(&a.rig);
}

/* A removed group's objects are its parent's, also those of tasks that had moved away. */
static void what_a_removed_group_had_is_its_parents(void **state)
{
	struct app a;
	uint32_t child, id;

	(void)state;
	app_open(&a, "v6.18-v1");
	child = rig_hierarchy(&a.rig, a.group, "child", 0);
	a.task = rig_task(&a.rig, child, 1);
	id = rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_NEW,
					     .object = child,
					     .count = 2,
					     .name = "threads" })
		     .id;
	slab(&a, 0, 1000, 3);
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_MOVE, .task = id, .object = a.group });
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = a.task });
	rig_apply(&a.rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = child });
	assert_int_equal(part(&a, a.group, KMEM_SLAB_OBJECTS), 3 * 1008);
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 2 * 16384);
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = id });
	assert_int_equal(part(&a, a.group, KMEM_KERNEL_STACK), 0);
	rig_check(&a.rig, "the group is gone");
	rig_close(&a.rig);
}

/* 20 objects of 496 bytes: three pages, which go back with the group. */
static void structures_of_a_group_go_back_with_it(void **state)
{
	struct app a;
	pages_t before;
	uint32_t child;

	(void)state;
	app_open(&a, "v6.18-v1");
	before = rig_memcg(&a.rig, a.group).kmem;
	child = rig_hierarchy(&a.rig, a.group, "child", 0);
	assert_int_equal(part(&a, a.group, KMEM_CHILD_GROUPS), 20 * 496);
	assert_int_equal(rig_memcg(&a.rig, a.group).kmem, before + 3);
	rig_apply(&a.rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = child });
	assert_int_equal(part(&a, a.group, KMEM_CHILD_GROUPS), 0);
	assert_in_range(rig_memcg(&a.rig, a.group).kmem, before, before + 1);
	rig_check(&a.rig, "the group is gone");
	rig_close(&a.rig);
}

/* The records of memory go back to who paid for them, wherever its task has gone since. */
static void records_are_given_back_to_who_paid(void **state)
{
	struct app a;
	uint32_t other, map;

	(void)state;
	app_open(&a, "v6.18-v1");
	other = rig_hierarchy(&a.rig, RIG_ROOT, "other", 0);
	map = rig_map(&a.rig, a.task, 1024);
	rig_touch(&a.rig, a.task, map, 0, 1);
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_MOVE, .task = a.task, .object = other });
	rig_touch(&a.rig, a.task, map, 512, 1);
	assert_int_equal(part(&a, a.group, KMEM_ANON_VMA), 184);
	assert_int_equal(part(&a, other, KMEM_PAGETABLES), 4096);
	assert_int_equal(part(&a, other, KMEM_ANON_VMA), 0);
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = a.task });
	assert_int_equal(part(&a, a.group, KMEM_ANON_VMA), 0);
	assert_int_equal(part(&a, other, KMEM_PAGETABLES), 0);
	rig_check(&a.rig, "the task has ended");
	rig_close(&a.rig);
}

/* Page 4096 of a file needs nodes on three levels.  The byte stock holds one more, and no page is
 * left for the second: none of them stays. */
static void nodes_of_a_page_that_is_refused_go_back(void **state)
{
	struct op op = { .kind = OP_GROUP_SET };
	struct app a;
	uint32_t file;

	(void)state;
	app_open(&a, "v6.18-v1");
	slab(&a, 0, 4096 - 700 - 8, 1);
	assert_int_equal(part(&a, a.group, KMEM_BYTE_STOCK), 700);
	op.object = a.group;
	op.group = (struct group_conf){ .set = GROUP_LIMIT | GROUP_OOM_DISABLE, .limit_pages = 2,
					.oom_disable = true };
	rig_apply(&a.rig, &op);
	/* A limit drains the byte stock of the CPU: it is filled as before. */
	slab(&a, OPF_FREE, 4096 - 700 - 8, 1);
	slab(&a, 0, 4096 - 700 - 8, 1);
	assert_int_equal(part(&a, a.group, KMEM_BYTE_STOCK), 700);
	assert_int_equal(rig_memcg(&a.rig, a.group).kmem, 1);
	file = rig_file(&a.rig, 5000);
	assert_int_equal(rig_read(&a.rig, a.task, file, 4096, 1), OP_BLOCKED);
	assert_int_equal(part(&a, a.group, KMEM_TREE_NODES), 0);
	assert_int_equal(rig_memcg(&a.rig, a.group).kmem, 1);
	rig_check(&a.rig, "a read that was refused");
	rig_close(&a.rig);
}

static uint64_t line_of(struct app *a, const char *name)
{
	struct memory_stat line;

	for (uint32_t i = 0; memory_stat_line(a->rig.run, a->group, i, &line); i++)
		if (!strcmp(line.name, name) && line.modelled)
			return line.value;
	fail_msg("%s: no such line", name);
	return 0;
}

/* Slab is all small objects: 5 nodes for 257 pages of a file, a mapping's record, and three. */
static void memory_stat_of_v2_tells_it_by_kind(void **state)
{
	struct app a;

	(void)state;
	app_open(&a, "v6.18");
	threads(&a, 2);
	rig_touch(&a.rig, a.task, rig_map(&a.rig, a.task, 600), 0, 600);
	rig_read(&a.rig, a.task, rig_file(&a.rig, 256), 0, 256);
	slab(&a, 0, 92, 3);
	assert_int_equal(line_of(&a, "kernel_stack"), 2 * 16384);
	assert_int_equal(line_of(&a, "pagetables"), 2 * 4096);
	assert_int_equal(line_of(&a, "slab"), 5 * 592 + 184 + 3 * 100);
	assert_int_equal(line_of(&a, "kernel"), rig_memcg(&a.rig, a.group).kmem * PAGE_BYTES);
	rig_close(&a.rig);
}

static void parts_have_names(void **state)
{
	(void)state;
	assert_string_equal(kmem_part_name(KMEM_PAGETABLES), "pagetables");
	assert_string_equal(kmem_part_name(KMEM_REMAINDER), "remainder");
	for (int i = 0; i < NR_KMEM_PARTS; i++)
		for (int k = 0; k < i; k++)
			assert_string_not_equal(kmem_part_name((enum kmem_part)i),
						kmem_part_name((enum kmem_part)k));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_group_that_clones_pays_for_the_stack),
		cmocka_unit_test(who_comes_from_elsewhere_brings_its_stack),
		cmocka_unit_test(stacks_are_charged_by_kernel),
		cmocka_unit_test(a_clone_that_is_refused_leaves_no_part_of_a_stack),
		cmocka_unit_test(an_object_costs_its_bytes_and_a_word),
		cmocka_unit_test(objects_that_cannot_be_are_refused),
		cmocka_unit_test(what_a_removed_group_had_is_its_parents),
		cmocka_unit_test(structures_of_a_group_go_back_with_it),
		cmocka_unit_test(records_are_given_back_to_who_paid),
		cmocka_unit_test(nodes_of_a_page_that_is_refused_go_back),
		cmocka_unit_test(memory_stat_of_v2_tells_it_by_kind),
		cmocka_unit_test(parts_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
