/*
 * The add queues: 14 pages a list and CPU, shared by all groups, listed at
 * once when full, and drained where the kernel drains them.
 */
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

struct one {
	struct rig rig;
	uint32_t group, task, file;
};

static void one_open(struct one *one, const char *kernel, uint32_t cpus)
{
	rig_open(&one->rig, kernel, cpus);
	one->group = rig_group(&one->rig, RIG_ROOT, "g", 0);
	one->task = rig_task(&one->rig, one->group, 0);
	one->file = rig_file(&one->rig, 4096);
}

static pages_t listed(struct one *one, enum lru lru)
{
	return rig_memcg(&one->rig, one->group).size[lru];
}

static void check_split(struct one *one, pages_t nr_listed, pages_t nr_queued)
{
	struct run_memcg g = rig_memcg(&one->rig, one->group);

	assert_int_equal(g.size[LRU_INACTIVE_FILE], nr_listed);
	assert_int_equal(g.queued, nr_queued);
	/* Queued pages are charged and counted in usage. */
	assert_int_equal(g.charged, nr_listed + nr_queued);
	assert_int_equal(g.usage - g.stock, nr_listed + nr_queued);
}

static void the_fourteenth_page_lists_all(void **state)
{
	static const struct { pages_t nr, listed, queued; } rows[] = {
		{ 1, 0, 1 }, { 13, 0, 13 }, { 14, 14, 0 }, { 15, 14, 1 }, { 32, 28, 4 },
		{ 64, 56, 8 }, { 28, 28, 0 },
	};

	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		for (size_t i = 0; i < NR(rows); i++) {
			struct one one;

			one_open(&one, rig_kernels[k], 1);
			rig_read(&one.rig, one.task, one.file, 0, rows[i].nr);
			check_split(&one, rows[i].listed, rows[i].queued);
			rig_close(&one.rig);
		}
	}
}

static void each_list_has_a_queue_of_its_own(void **state)
{
	struct one one;
	uint32_t map;

	(void)state;
	one_open(&one, "v2.6.31", 1);
	map = rig_map(&one.rig, one.task, 100);
	rig_read(&one.rig, one.task, one.file, 0, 13);
	rig_touch(&one.rig, one.task, map, 0, 13);
	assert_int_equal(rig_memcg(&one.rig, one.group).queued, 26);
	/* New anonymous pages start on the active list. */
	rig_touch(&one.rig, one.task, map, 13, 1);
	assert_int_equal(listed(&one, LRU_ACTIVE_ANON), 14);
	assert_int_equal(listed(&one, LRU_INACTIVE_FILE), 0);
	rig_read(&one.rig, one.task, one.file, 13, 1);
	assert_int_equal(listed(&one, LRU_INACTIVE_FILE), 14);
	assert_int_equal(rig_memcg(&one.rig, one.group).queued, 0);
	rig_close(&one.rig);
}

static void each_cpu_has_queues_of_its_own(void **state)
{
	struct one one;
	uint32_t other;

	(void)state;
	one_open(&one, "v2.6.31", 2);
	other = rig_task(&one.rig, one.group, 1);
	rig_read(&one.rig, one.task, one.file, 0, 13);
	rig_read(&one.rig, other, one.file, 13, 13);
	check_split(&one, 0, 26);
	rig_read(&one.rig, other, one.file, 26, 1);
	check_split(&one, 14, 13);
	rig_close(&one.rig);
}

static void groups_share_the_queue_of_a_cpu(void **state)
{
	struct one one;
	uint32_t group, task;

	(void)state;
	one_open(&one, "v3.3", 1);
	group = rig_group(&one.rig, RIG_ROOT, "other", 0);
	task = rig_task(&one.rig, group, 0);
	rig_read(&one.rig, one.task, one.file, 0, 6);
	rig_read(&one.rig, task, one.file, 6, 7);
	check_split(&one, 0, 6);
	rig_read(&one.rig, one.task, one.file, 13, 1);
	check_split(&one, 7, 0);
	assert_int_equal(rig_memcg(&one.rig, group).size[LRU_INACTIVE_FILE], 7);
	rig_close(&one.rig);
}

static void unmapping_and_exit_drain_this_cpu_only(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		struct op leave = { .kind = OP_TASK_EXIT };
		struct one one;
		uint32_t other;

		one_open(&one, rig_kernels[k], 2);
		other = rig_task(&one.rig, one.group, 1);
		rig_read(&one.rig, one.task, one.file, 0, 5);
		rig_read(&one.rig, other, one.file, 5, 6);
		check_split(&one, 0, 11);
		rig_drain(&one.rig, one.task);
		check_split(&one, 5, 6);
		leave.task = other;
		rig_apply(&one.rig, &leave);
		check_split(&one, 11, 0);
		rig_check(&one.rig, rig_kernels[k]);
		rig_close(&one.rig);
	}
}

static void reclaim_drains_after_its_line(void **state)
{
	struct one one;
	const struct event *shrink;

	(void)state;
	rig_open(&one.rig, "v2.6.31", 2);
	one.group = rig_group(&one.rig, RIG_ROOT, "g", 5000);
	one.task = rig_task(&one.rig, one.group, 0);
	one.file = rig_file(&one.rig, 6000);
	/* Nine pages wait on another CPU: reclaim on this one never sees them. */
	rig_read(&one.rig, rig_task(&one.rig, one.group, 1), one.file, 0, 9);
	rig_read(&one.rig, one.task, one.file, 9, 4991);
	check_split(&one, 356 * 14, 7 + 9);
	rig_read(&one.rig, one.task, one.file, 5000, 1);
	shrink = rig_nth(&one.rig, EVENT_SHRINK, 0);
	assert_int_equal(shrink->n[SHRINK_SIZE], 356 * 14);
	assert_int_equal(shrink->n[SHRINK_TAKEN], 32);
	check_split(&one, 356 * 14 + 7 - 32, 1 + 9);
	rig_close(&one.rig);
}

/* Pages of @lru whose referenced flag is set. */
static pages_t referenced(struct one *one, enum lru lru)
{
	struct run_cell cell;

	run_lru_cells(one->rig.run, one->group, lru, 1, &cell);
	return cell.referenced;
}

/*
 * One more touch of page 0, by a task that has read nothing yet: reading on
 * from where one's previous read ended is no touch.
 */
static void touch_first_page(struct one *one)
{
	rig_read(&one->rig, rig_task(&one->rig, one->group, 0), one->file, 0, 1);
}

static void a_second_touch_in_the_queue_is_ignored(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		struct one one;

		one_open(&one, rig_kernels[k], 1);
		touch_first_page(&one);
		touch_first_page(&one);
		rig_read(&one.rig, one.task, one.file, 1, 13);
		assert_int_equal(listed(&one, LRU_INACTIVE_FILE), 14);
		assert_int_equal(listed(&one, LRU_ACTIVE_FILE), 0);
		assert_int_equal(referenced(&one, LRU_INACTIVE_FILE), 14);
		/* It stayed referenced, so one more touch activates it now. */
		touch_first_page(&one);
		assert_int_equal(listed(&one, LRU_INACTIVE_FILE), 13);
		assert_int_equal(listed(&one, LRU_ACTIVE_FILE), 1);
		assert_int_equal(referenced(&one, LRU_ACTIVE_FILE), 0);
		/* An active page is marked and stays where it is. */
		touch_first_page(&one);
		touch_first_page(&one);
		assert_int_equal(listed(&one, LRU_ACTIVE_FILE), 1);
		assert_int_equal(referenced(&one, LRU_ACTIVE_FILE), 1);
		rig_check(&one.rig, rig_kernels[k]);
		rig_close(&one.rig);
	}
}

static void reading_on_within_a_page_is_one_touch(void **state)
{
	struct op op = { .kind = OP_READ, .length = 512 };
	struct one one;

	(void)state;
	one_open(&one, "v2.6.31", 1);
	rig_read(&one.rig, one.task, one.file, 100, 14);
	/* Eight reads of 512 bytes go on where the one before ended: no page is activated. */
	op.task = rig_task(&one.rig, one.group, 0);
	op.object = one.file;
	for (op.offset = 0; op.offset < 14 * PAGE_BYTES; op.offset += op.length)
		rig_apply(&one.rig, &op);
	assert_int_equal(listed(&one, LRU_INACTIVE_FILE), 28);
	/* Going back within a page is a second touch. */
	op.offset = 0;
	rig_apply(&one.rig, &op);
	assert_int_equal(listed(&one, LRU_ACTIVE_FILE), 1);
	op.offset = 0;
	rig_apply(&one.rig, &op);
	assert_int_equal(referenced(&one, LRU_ACTIVE_FILE), 1);
	rig_close(&one.rig);
}

static void with_two_cpus_activation_waits_for_fourteen(void **state)
{
	static const struct { const char *kernel; bool queued; } rows[] = {
		{ "v2.6.31", false }, { "v2.6.32", false }, { "v3.1", true }, { "v3.3", true },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		pages_t at_once = rows[i].queued ? 0 : 13;
		struct one one;

		one_open(&one, rows[i].kernel, 2);
		rig_read(&one.rig, one.task, one.file, 0, 28);
		rig_read(&one.rig, one.task, one.file, 0, 13);
		assert_int_equal(listed(&one, LRU_ACTIVE_FILE), at_once);
		/* Cleared at once even where the move waits. */
		assert_int_equal(referenced(&one, LRU_INACTIVE_FILE), 15);
		rig_read(&one.rig, one.task, one.file, 13, 1);
		assert_int_equal(listed(&one, LRU_ACTIVE_FILE), 14);
		assert_int_equal(listed(&one, LRU_INACTIVE_FILE), 14);
		/* What waits is moved when the CPU drains, too. */
		rig_read(&one.rig, one.task, one.file, 14, 3);
		rig_drain(&one.rig, one.task);
		assert_int_equal(listed(&one, LRU_ACTIVE_FILE), 17);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

static void check_stat(const struct scan_stat *stat, enum lru lru, uint64_t scanned,
		       uint64_t rotated)
{
	assert_int_equal(stat->scanned[SCAN_TYPE(lru)], scanned);
	assert_int_equal(stat->rotated[SCAN_TYPE(lru)], rotated);
}

/* Listing a page counts as scanned, and as rotated if the list is an active one. */
static void listing_counts_in_the_statistics_of_group_and_zone(void **state)
{
	(void)state;
	for (size_t k = 0; rig_kernels[k]; k++) {
		const struct scan_stat *stat[2];
		struct machine *m;
		struct one one;
		uint32_t map;

		one_open(&one, rig_kernels[k], 1);
		m = run_machine(one.rig.run);
		map = rig_map(&one.rig, one.task, 100);
		rig_read(&one.rig, one.task, one.file, 0, 30);
		rig_touch(&one.rig, one.task, map, 0, 15);
		stat[0] = &m->memcgs.memcg[one.group].lruvec[0].stat;
		stat[1] = &m->host->zone[0].lruvec.stat;
		for (int i = 0; i < 2; i++) {
			check_stat(stat[i], LRU_INACTIVE_FILE, 28, 0);
			check_stat(stat[i], LRU_ACTIVE_ANON, 14, 14);
		}
		/* So does the move of a page that is touched twice. */
		rig_read(&one.rig, one.task, one.file, 0, 5);
		for (int i = 0; i < 2; i++)
			check_stat(stat[i], LRU_ACTIVE_FILE, 33, 5);
		rig_close(&one.rig);
	}
}

static void the_last_added_page_is_the_head(void **state)
{
	struct run_cell cell[2];
	struct one one;

	(void)state;
	one_open(&one, "v2.6.31", 1);
	rig_read(&one.rig, one.task, one.file, 0, 14);
	rig_read(&one.rig, one.task, one.file, 0, 7); /* the older half becomes active */
	rig_read(&one.rig, one.task, one.file, 100, 14);
	assert_int_equal(run_lru_cells(one.rig.run, one.group, LRU_INACTIVE_FILE, 2, cell), 11);
	/* Newest first: the mean age grows along the list. */
	assert_true(cell[0].age_ns < cell[1].age_ns);
	rig_close(&one.rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fourteenth_page_lists_all),
		cmocka_unit_test(each_list_has_a_queue_of_its_own),
		cmocka_unit_test(each_cpu_has_queues_of_its_own),
		cmocka_unit_test(groups_share_the_queue_of_a_cpu),
		cmocka_unit_test(unmapping_and_exit_drain_this_cpu_only),
		cmocka_unit_test(reclaim_drains_after_its_line),
		cmocka_unit_test(a_second_touch_in_the_queue_is_ignored),
		cmocka_unit_test(reading_on_within_a_page_is_one_touch),
		cmocka_unit_test(with_two_cpus_activation_waits_for_fourteen),
		cmocka_unit_test(listing_counts_in_the_statistics_of_group_and_zone),
		cmocka_unit_test(the_last_added_page_is_the_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
