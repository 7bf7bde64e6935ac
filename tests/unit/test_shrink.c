/*
 * The order of pages: the oldest are taken first, pages that stay keep
 * their relative order, and pages moved over go to the head, oldest deepest.
 */
#include "rig.h"
#include "run_private.h"

enum { LIST_MAX = 4096 };

/* A group's list by page number, oldest first. */
struct listing {
	pages_t page[LIST_MAX];
	size_t nr;
};

static void list_pages(struct rig *rig, uint32_t group, enum lru lru, struct listing *out)
{
	struct machine *m = run_machine(rig->run);
	struct lru_walk walk;
	uint32_t slot;

	out->nr = 0;
	lru_walk_start(&m->memcgs.memcg[group].lruvec[0].list[lru], &walk);
	while ((slot = lru_walk_next(&m->lists, PLANE_GROUP, &walk)) != SLOT_NONE)
		page_identity(&m->pages, slot, &out->page[out->nr++]);
}

/* @nr pages of the list from @place are @first and its successors. */
static void check_run(const struct listing *list, size_t place, size_t nr, pages_t first)
{
	assert_true(place + nr <= list->nr);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(list->page[place + i], first + i);
}

static void the_oldest_pages_go_first(void **state)
{
	static struct listing list;

	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		uint32_t group, task, file;
		struct rig rig;

		rig_open(&rig, rig_kernels[k], 1);
		group = rig_group(&rig, RIG_ROOT, "g", 1000);
		task = rig_task(&rig, group, 0);
		file = rig_file(&rig, 4000);
		rig_read(&rig, task, file, 0, 2500);
		rig_drain(&rig, task);
		list_pages(&rig, group, LRU_INACTIVE_FILE, &list);
		assert_int_equal(list.nr, rig_memcg(&rig, group).charged);
		/* What stays are the newest, in the order of reading. */
		check_run(&list, 0, list.nr, 2500 - list.nr);
		rig_close(&rig);
	}
}

static void activated_pages_are_the_active_head_in_the_order_of_touch(void **state)
{
	static struct listing list;
	uint32_t group, task, file;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v2.6.31", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 100);
	rig_read(&rig, task, file, 0, 56);
	rig_read(&rig, task, file, 30, 10);
	rig_read(&rig, task, file, 10, 5);
	list_pages(&rig, group, LRU_ACTIVE_FILE, &list);
	assert_int_equal(list.nr, 15);
	check_run(&list, 0, 10, 30);
	check_run(&list, 10, 5, 10);
	list_pages(&rig, group, LRU_INACTIVE_FILE, &list);
	assert_int_equal(list.nr, 41);
	check_run(&list, 0, 10, 0);
	check_run(&list, 10, 15, 15);
	check_run(&list, 25, 16, 40);
	rig_close(&rig);
}

static void moving_over_keeps_the_order(void **state)
{
	static struct listing active, inactive;
	uint32_t group, task, file;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	group = rig_group(&rig, RIG_ROOT, "g", 2000);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 4000);
	rig_read(&rig, task, file, 0, 2000);
	rig_drain(&rig, task);
	rig_read(&rig, task, file, 0, 1900);
	rig_touch(&rig, task, rig_map(&rig, task, 1), 0, 1);
	list_pages(&rig, group, LRU_ACTIVE_FILE, &active);
	list_pages(&rig, group, LRU_INACTIVE_FILE, &inactive);
	/* 32 of the 100 inactive were freed, then 32 of the active moved over. */
	assert_int_equal(active.nr, 1868);
	assert_int_equal(inactive.nr, 100);
	check_run(&active, 0, 1868, 32);
	check_run(&inactive, 0, 68, 1932);
	check_run(&inactive, 68, 32, 0);
	rig_close(&rig);
}

/* A referenced flag that was not tested stays: one touch more brings the page back. */
static void a_moved_page_keeps_its_referenced_flag(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v3.1", "v3.3" };

	(void)state;
	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		static struct listing inactive;
		uint32_t group, task, file;
		pages_t active;
		struct rig rig;

		rig_open(&rig, kernels[k], 1);
		group = rig_group(&rig, RIG_ROOT, "g", 2000);
		task = rig_task(&rig, group, 0);
		file = rig_file(&rig, 4000);
		rig_read(&rig, task, file, 0, 2000);
		rig_drain(&rig, task);
		rig_read(&rig, task, file, 0, 1900);
		/* Referenced on the active list, by a third touch. */
		rig_read(&rig, task, file, 0, 100);
		rig_touch(&rig, task, rig_map(&rig, task, 1), 0, 1);
		active = rig_memcg(&rig, group).size[LRU_ACTIVE_FILE];
		list_pages(&rig, group, LRU_INACTIVE_FILE, &inactive);
		assert_in_range(inactive.page[inactive.nr - 1], 28, 99);
		rig_read(&rig, task, file, inactive.page[inactive.nr - 1], 1);
		assert_int_equal(rig_memcg(&rig, group).size[LRU_ACTIVE_FILE], active + 1);
		rig_close(&rig);
	}
}

/* Pages that another CPU holds are examined again and again, and stay in their order. */
static void kept_pages_keep_their_order(void **state)
{
	static struct listing list;
	uint32_t group, task, reader, file;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.3", 2);
	group = rig_group(&rig, RIG_ROOT, "g", 64);
	task = rig_task(&rig, group, 0);
	reader = rig_task(&rig, group, 1);
	file = rig_file(&rig, 100);
	rig_read(&rig, reader, file, 0, 14);
	rig_read(&rig, reader, file, 0, 13);
	list_pages(&rig, group, LRU_INACTIVE_FILE, &list);
	assert_int_equal(list.nr, 14);
	check_run(&list, 0, 14, 0);
	rig_touch(&rig, task, rig_map(&rig, task, 60), 0, 60);
	assert_true(rig_count(&rig, EVENT_LIMIT_HIT) > 0);
	assert_int_equal(rig_memcg(&rig, group).nr_reclaimed, 1);
	list_pages(&rig, group, LRU_INACTIVE_FILE, &list);
	assert_int_equal(list.nr, 13);
	/* Calls that look at a part of the list turn it round, and do no more. */
	for (size_t i = 0; i < list.nr; i++)
		assert_int_equal(list.page[(i + 1) % list.nr], (list.page[i] + 1) % list.nr);
	rig_close(&rig);
}

static void anonymous_pages_without_swap_are_never_scanned(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		static struct listing before, after;
		uint32_t group, task, file;
		struct rig rig;

		rig_open(&rig, rig_kernels[k], 1);
		group = rig_group(&rig, RIG_ROOT, "g", 500);
		task = rig_task(&rig, group, 0);
		file = rig_file(&rig, 4000);
		rig_touch(&rig, task, rig_map(&rig, task, 112), 0, 112);
		list_pages(&rig, group, LRU_ACTIVE_ANON, &before);
		assert_int_equal(before.nr, 112);
		rig_read(&rig, task, file, 0, 2000);
		list_pages(&rig, group, LRU_ACTIVE_ANON, &after);
		assert_int_equal(after.nr, 112);
		check_run(&after, 0, 112, 0);
		for (size_t i = 0; i < rig.nr_events; i++)
			if (rig.events[i].kind == EVENT_SHRINK)
				assert_int_equal(rig.events[i].n[SHRINK_LIST], LRU_INACTIVE_FILE);
		rig_close(&rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_pages_go_first),
		cmocka_unit_test(activated_pages_are_the_active_head_in_the_order_of_touch),
		cmocka_unit_test(moving_over_keeps_the_order),
		cmocka_unit_test(a_moved_page_keeps_its_referenced_flag),
		cmocka_unit_test(kept_pages_keep_their_order),
		cmocka_unit_test(anonymous_pages_without_swap_are_never_scanned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
