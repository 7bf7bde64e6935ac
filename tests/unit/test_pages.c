/*
 * Kinds of pages by kernel: executed, mapped several times, of tmpfs, locked;
 * whose mappings count; charges that move with a task.
 */
#include "rig.h"

#include <stdio.h>

enum { LIMIT = 64 };

static uint32_t map_file(struct rig *rig, uint32_t task, uint32_t file, uint32_t flags)
{
	struct op op = { .kind = OP_MAP_FILE, .task = task, .object = file, .flags = flags,
			 .name = "view" };

	return rig_apply(rig, &op).id;
}

static uint32_t file_of(struct rig *rig, pages_t pages, uint32_t flags)
{
	struct op op = { .kind = OP_FILE_NEW, .length = pages * PAGE_BYTES, .flags = flags,
			 .name = "file" };

	return rig_apply(rig, &op).id;
}

static struct op_result span_op(struct rig *rig, enum op_kind kind, uint32_t task, uint32_t object,
				pages_t nr)
{
	struct op op = { .kind = kind, .task = task, .object = object, .length = nr * PAGE_BYTES };

	return rig_apply(rig, &op);
}

/* The first @nr pages of a mapping are read. */
static void use(struct rig *rig, uint32_t task, uint32_t map, pages_t nr)
{
	rig_apply(rig, &(struct op){ .kind = OP_TOUCH, .task = task, .object = map,
				     .length = nr * PAGE_BYTES, .flags = OPF_READ });
}

/* A stream as long as the limit passes by; how many of 8 mapped pages does reclaim activate? */
static uint64_t activated(const char *kernel, uint32_t flags, uint32_t mappers)
{
	uint32_t group, task, text, stream, view = 0, i;
	struct run_memcg g;
	struct rig rig;

	rig_open(&rig, kernel, 1);
	group = rig_group(&rig, RIG_ROOT, "g", LIMIT);
	task = rig_task(&rig, group, 0);
	text = file_of(&rig, 8, 0);
	stream = rig_file(&rig, 4096);
	for (i = 0; i < mappers; i++) {
		uint32_t other = i ? rig_task(&rig, group, 0) : task;

		view = map_file(&rig, other, text, flags);
		use(&rig, other, view, 8);
	}
	rig_drain(&rig, task);
	rig_read(&rig, task, stream, 0, LIMIT + 32);
	rig_drain(&rig, task);
	g = rig_memcg(&rig, group);
	rig_check(&rig, "after the stream");
	rig_close(&rig);
	return g.nr_activated;
}

/* Met once since it was used: kept to v3.2, activated from v3.3 on if executed. */
static void executed_pages_are_activated_at_first_sight_since_v3_3(void **state)
{
	(void)state;
	assert_int_equal(activated("v3.1", OPF_EXEC, 1), 0);
	assert_int_equal(activated("v3.3", 0, 1), 0);
	assert_int_equal(activated("v3.3", OPF_EXEC, 1), 8);
	assert_int_equal(activated("v3.1+used_many=activated", OPF_EXEC, 1), 8);
}

static void pages_that_two_tasks_use_are_activated_since_v3_3(void **state)
{
	(void)state;
	assert_int_equal(activated("v3.1", 0, 2), 0);
	assert_int_equal(activated("v3.3", 0, 2), 8);
	assert_int_equal(activated("v3.3", OPF_SEQUENTIAL, 2), 0);
}

/* Advice of random use takes the accessed bits their worth since v6.3. */
static void random_use_counts_unless_the_kernel_says_it_does_not(void **state)
{
	(void)state;
	assert_int_equal(activated("v3.3", OPF_RANDOM, 2), 8);
	assert_int_equal(activated("v3.3+recency=hints", OPF_RANDOM, 2), 0);
}

/* Nobody of the group over its limit uses the pages, whoever else does. */
static void use_by_another_group_keeps_no_page(void **state)
{
	static const char *const kernels[] = { "v3.3", "v3.3+references=scanned",
					       "v3.3+references=target" };

	(void)state;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		uint32_t group, other, task, reader, text, stream;
		struct rig rig;

		rig_open(&rig, kernels[i], 1);
		group = rig_group(&rig, RIG_ROOT, "g", LIMIT);
		other = rig_group(&rig, RIG_ROOT, "other", 0);
		task = rig_task(&rig, group, 0);
		reader = rig_task(&rig, other, 0);
		text = file_of(&rig, 8, 0);
		stream = rig_file(&rig, 4096);
		rig_read(&rig, task, text, 0, 8);
		/* Two mappings, executed: activated if anybody asked them. */
		for (int n = 0; n < 2; n++)
			use(&rig, reader, map_file(&rig, reader, text, OPF_EXEC), 8);
		rig_drain(&rig, task);
		rig_read(&rig, task, stream, 0, LIMIT + 32);
		rig_drain(&rig, task);
		assert_int_equal(rig_memcg(&rig, group).nr_activated, 0);
		assert_int_equal(rig_memcg(&rig, group).mapped, 0);
		rig_check(&rig, "after the stream");
		rig_close(&rig);
	}
}

/* 40 executed pages are active, and the inactive list is short: how many of those that are taken
 * first move over?  Returns: the rest. */
static pages_t executed_left(const char *kernel)
{
	const struct event *first;
	uint32_t group, task, text, stream, view;
	pages_t left;
	struct rig rig;

	rig_open(&rig, kernel, 1);
	group = rig_group(&rig, RIG_ROOT, "g", LIMIT);
	task = rig_task(&rig, group, 0);
	text = file_of(&rig, 40, 0);
	stream = rig_file(&rig, 4096);
	rig_read(&rig, task, text, 0, 40);
	rig_drain(&rig, task);
	rig_read(&rig, task, text, 0, 40);
	view = map_file(&rig, task, text, OPF_EXEC);
	use(&rig, task, view, 40);
	rig_drain(&rig, task);
	assert_int_equal(rig_memcg(&rig, group).size[LRU_ACTIVE_FILE], 40);
	rig_read(&rig, task, stream, 0, 40);
	rig_drain(&rig, task);
	first = rig_nth(&rig, EVENT_DEACTIVATE, 0);
	assert_true(first->n[DEACT_TAKEN] > 0);
	left = (pages_t)(first->n[DEACT_TAKEN] - first->n[DEACT_DEACTIVATED]);
	rig_check(&rig, "after the stream");
	rig_close(&rig);
	return left;
}

static void executed_pages_stay_active_while_they_are_used(void **state)
{
	(void)state;
	assert_int_equal(executed_left("v3.1+exec=off"), 0);
	assert_int_equal(executed_left("v3.1"), 32);
	assert_int_equal(executed_left("v3.1+exec=not_anon"), 32);
	assert_int_equal(executed_left("v2.6.25"), 0);
}

static void pages_of_tmpfs_are_cache_on_the_anonymous_lists(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		uint32_t group, task, file;
		struct run_memcg g;
		struct rig rig;

		rig_open(&rig, rig_kernels[k], 1);
		group = rig_group(&rig, RIG_ROOT, "g", 0);
		task = rig_task(&rig, group, 0);
		file = file_of(&rig, 100, OPF_SHMEM);
		/* Holes bring nothing. */
		rig_read(&rig, task, file, 0, 100);
		assert_int_equal(rig_memcg(&rig, group).charged, 0);
		span_op(&rig, OP_WRITE, task, file, 30);
		rig_touch(&rig, task, map_file(&rig, task, file, 0), 30, 10);
		rig_drain(&rig, task);
		g = rig_memcg(&rig, group);
		assert_int_equal(g.shmem, 40);
		assert_int_equal(g.memory, 0);
		assert_int_equal(g.dirty, 0);
		assert_int_equal(g.size[LRU_INACTIVE_ANON] + g.size[LRU_ACTIVE_ANON], 40);
		/* Nothing can be dropped, and there is nothing to read ahead. */
		span_op(&rig, OP_FADVISE, task, file, 100);
		rig_apply(&rig, &(struct op){ .kind = OP_FADVISE, .task = task, .object = file,
					      .length = 100 * PAGE_BYTES,
					      .value = FADVICE_WILLNEED });
		g = rig_memcg(&rig, group);
		assert_int_equal(g.shmem, 40);
		assert_int_equal(g.charged, 40);
		rig_apply(&rig, &(struct op){ .kind = OP_FILE_DROP, .object = file });
		assert_int_equal(rig_memcg(&rig, group).charged, 0);
		rig_check(&rig, "without the file");
		rig_close(&rig);
	}
}

/* Swapped pages of a file go with it, and their slots; removal of the group hands them on. */
static void swapped_pages_of_tmpfs_outlive_their_group(void **state)
{
	struct scenario sc;
	uint32_t group, task, file;
	struct run_memcg root;
	struct rig rig;

	(void)state;
	rig_scenario(&sc, "v3.3", 1);
	sc.swap_pages = 1000;
	rig_open_scenario(&rig, &sc);
	group = rig_hierarchy(&rig, RIG_ROOT, "g", LIMIT);
	task = rig_task(&rig, group, 0);
	file = file_of(&rig, 200, OPF_SHMEM);
	span_op(&rig, OP_WRITE, task, file, 200);
	assert_true(rig_memcg(&rig, group).swap >= 200 - LIMIT);
	rig_check(&rig, "swapped");
	rig_apply(&rig, &(struct op){ .kind = OP_TASK_EXIT, .task = task });
	rig_apply(&rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = group });
	root = rig_memcg(&rig, RIG_ROOT);
	assert_int_equal(root.swap + root.shmem, 200);
	rig_check(&rig, "removed");
	rig_apply(&rig, &(struct op){ .kind = OP_FILE_DROP, .object = file });
	root = rig_memcg(&rig, RIG_ROOT);
	assert_int_equal(root.swap + root.shmem, 0);
	rig_check(&rig, "dropped");
	rig_close(&rig);
}

static void locked_pages_are_out_of_reclaims_sight(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		uint32_t group, task, file, text, view;
		struct rig rig;

		rig_open(&rig, rig_kernels[k], 2);
		group = rig_group(&rig, RIG_ROOT, "g", 80);
		task = rig_task(&rig, group, 0);
		text = file_of(&rig, 10, 0);
		file = rig_file(&rig, 4096);
		view = map_file(&rig, task, text, 0);
		assert_int_equal(span_op(&rig, OP_MLOCK, task, view, 10).outcome, OP_DONE);
		assert_int_equal(rig_memcg(&rig, group).size[LRU_UNEVICTABLE], 10);
		rig_read(&rig, task, file, 0, 2000);
		assert_int_equal(rig_memcg(&rig, group).size[LRU_UNEVICTABLE], 10);
		assert_int_equal(rig_memcg(&rig, group).mapped, 10);
		span_op(&rig, OP_MUNLOCK, task, view, 10);
		assert_int_equal(rig_memcg(&rig, group).size[LRU_UNEVICTABLE], 0);
		rig_check(&rig, "unlocked");
		rig_close(&rig);
	}
}

static void a_page_is_locked_while_any_mapping_locks_it(void **state)
{
	uint32_t group, task, text, view;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.3", 2);
	group = rig_group(&rig, RIG_ROOT, "g", LIMIT);
	task = rig_task(&rig, group, 0);
	text = file_of(&rig, 4, 0);
	view = map_file(&rig, task, text, 0);
	span_op(&rig, OP_MLOCK, task, view, 4);
	/* Locked again by another mapping, unlocked by the first: still locked. */
	span_op(&rig, OP_MLOCK, task, map_file(&rig, task, text, 0), 4);
	span_op(&rig, OP_MUNLOCK, task, view, 4);
	assert_int_equal(rig_memcg(&rig, group).size[LRU_UNEVICTABLE], 4);
	rig_apply(&rig, &(struct op){ .kind = OP_TASK_EXIT, .task = task });
	assert_int_equal(rig_memcg(&rig, group).size[LRU_UNEVICTABLE], 0);
	rig_check(&rig, "ended");
	rig_close(&rig);
}

static struct op_result move(struct rig *rig, uint32_t task, uint32_t to)
{
	return rig_apply(rig, &(struct op){ .kind = OP_TASK_MOVE, .task = task, .object = to });
}

static uint32_t group_that_asks(struct rig *rig, const char *name, uint32_t bits, pages_t limit)
{
	struct op op = { .kind = OP_GROUP_NEW, .object = RIG_ROOT };

	snprintf(op.name, sizeof(op.name), "%s", name);
	op.group.set = GROUP_MOVE_CHARGE | (limit ? GROUP_LIMIT : 0);
	op.group.move_charge = bits;
	op.group.limit_pages = limit;
	return rig_apply(rig, &op).id;
}

static void charges_go_with_a_task_where_they_are_asked_for(void **state)
{
	static const struct { uint32_t bits; pages_t memory, file; } cases[] = {
		{ 0, 0, 0 }, { 1, 20, 0 }, { 2, 0, 5 }, { 3, 20, 5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t from, to, task, file;
		struct run_memcg g;
		struct rig rig;

		rig_open(&rig, "v3.3", 2);
		from = rig_group(&rig, RIG_ROOT, "from", 0);
		to = group_that_asks(&rig, "to", cases[i].bits, 0);
		task = rig_task(&rig, from, 0);
		file = rig_file(&rig, 10);
		rig_touch(&rig, task, rig_map(&rig, task, 20), 0, 20);
		rig_read(&rig, task, file, 0, 10);
		use(&rig, task, map_file(&rig, task, file, 0), 5);
		assert_int_equal(move(&rig, task, to).outcome, OP_DONE);
		g = rig_memcg(&rig, to);
		assert_int_equal(g.memory, cases[i].memory);
		assert_int_equal(g.charged, cases[i].memory + cases[i].file);
		assert_int_equal(g.mapped, cases[i].file);
		assert_int_equal(rig_memcg(&rig, from).charged, 30 - g.charged);
		rig_check(&rig, "moved");
		rig_close(&rig);
	}
}

static void a_task_stays_where_its_charges_find_no_room(void **state)
{
	uint32_t from, to, task;
	struct run_task now;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	from = rig_group(&rig, RIG_ROOT, "from", 0);
	to = group_that_asks(&rig, "to", 1, 10);
	task = rig_task(&rig, from, 0);
	rig_touch(&rig, task, rig_map(&rig, task, 20), 0, 20);
	assert_int_equal(move(&rig, task, to).outcome, OP_BUSY);
	assert_true(run_task(rig.run, task, &now));
	assert_int_equal(now.memcg, from);
	assert_int_equal(rig_memcg(&rig, from).charged, 20);
	assert_int_equal(rig_memcg(&rig, to).usage, 0);
	rig_check(&rig, "refused");
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(executed_pages_are_activated_at_first_sight_since_v3_3),
		cmocka_unit_test(pages_that_two_tasks_use_are_activated_since_v3_3),
		cmocka_unit_test(random_use_counts_unless_the_kernel_says_it_does_not),
		cmocka_unit_test(use_by_another_group_keeps_no_page),
		cmocka_unit_test(executed_pages_stay_active_while_they_are_used),
		cmocka_unit_test(pages_of_tmpfs_are_cache_on_the_anonymous_lists),
		cmocka_unit_test(swapped_pages_of_tmpfs_outlive_their_group),
		cmocka_unit_test(locked_pages_are_out_of_reclaims_sight),
		cmocka_unit_test(a_page_is_locked_while_any_mapping_locks_it),
		cmocka_unit_test(charges_go_with_a_task_where_they_are_asked_for),
		cmocka_unit_test(a_task_stays_where_its_charges_find_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
