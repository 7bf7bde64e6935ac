/*
 * Statistics that CPUs gather: what memory.stat shows with stat_read=batch,
 * and that every other kernel shows all.
 */
#include "stat_batch.h"

#include <string.h>

#include "memory_stat.h"
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define BATCHED "v6.18-v1+stat_read=batch"

struct app {
	struct rig rig;
	struct machine *m;
	uint32_t group, task;
};

static void app_open(struct app *a, const char *kernel)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 2);
	sc.era.knobs.charge_batch = 32;
	sc.era.knobs.stock_slots = 1;
	sc.swap_pages = 1000;
	rig_open_scenario(&a->rig, &sc);
	a->m = run_machine(a->rig.run);
	a->group = rig_hierarchy(&a->rig, RIG_ROOT, "app", 0);
	a->task = rig_task(&a->rig, a->group, 0);
}

static uint64_t shown(struct app *a, uint32_t group, const char *name)
{
	struct memory_stat line;

	for (uint32_t i = 0; memory_stat_line(a->rig.run, group, i, &line); i++)
		if (!strcmp(line.name, name) && line.modelled)
			return line.value;
	fail_msg("%s: no such line", name);
	return 0;
}

/* More than 32 in v4.16: after 32 pages nothing is to be seen, with the 33rd all are. */
static void the_page_after_a_batch_shows_all(void **state)
{
	struct app a;
	uint32_t map;

	(void)state;
	app_open(&a, BATCHED);
	map = rig_map(&a.rig, a.task, 100);
	rig_touch(&a.rig, a.task, map, 0, 32);
	assert_int_equal(shown(&a, a.group, "rss"), 0);
	assert_int_equal(shown(&a, a.group, "pgpgin"), 0);
	assert_int_equal(rig_memcg(&a.rig, a.group).memory, 32);
	rig_touch(&a.rig, a.task, map, 32, 1);
	assert_int_equal(shown(&a, a.group, "rss"), 33 * PAGE_BYTES);
	assert_int_equal(shown(&a, a.group, "pgpgin"), 33);
	/* On lists they are counted exactly, as ever: in the queue of this CPU are none. */
	rig_drain(&a.rig, a.task);
	assert_int_equal(shown(&a, a.group, "inactive_anon"), 33 * PAGE_BYTES);
	rig_close(&a.rig);
}

/* Each CPU gathers for itself: 20 pages on each of two are nowhere to be seen. */
static void each_cpu_gathers_for_itself(void **state)
{
	struct app a;
	uint32_t other;

	(void)state;
	app_open(&a, BATCHED);
	other = rig_task(&a.rig, a.group, 1);
	rig_touch(&a.rig, a.task, rig_map(&a.rig, a.task, 20), 0, 20);
	rig_touch(&a.rig, other, rig_map(&a.rig, other, 20), 0, 20);
	assert_int_equal(shown(&a, a.group, "rss"), 0);
	assert_int_equal(stat_batch_held(a.m, a.group, BATCH_RSS), 40);
	rig_check(&a.rig, "two CPUs");
	rig_close(&a.rig);
}

/* What goes away is gathered too: the file shows memory that is not there any more. */
static void what_has_gone_is_shown_for_a_while(void **state)
{
	struct app a;
	uint32_t map;

	(void)state;
	app_open(&a, BATCHED);
	map = rig_map(&a.rig, a.task, 66);
	rig_touch(&a.rig, a.task, map, 0, 66);
	assert_int_equal(shown(&a, a.group, "rss"), 66 * PAGE_BYTES);
	rig_apply(&a.rig, &(struct op){ .kind = OP_MADVISE, .task = a.task, .object = map,
					.length = 32 * PAGE_BYTES, .value = MADVICE_DONTNEED });
	assert_int_equal(rig_memcg(&a.rig, a.group).memory, 34);
	assert_int_equal(shown(&a, a.group, "rss"), 66 * PAGE_BYTES);
	rig_apply(&a.rig, &(struct op){ .kind = OP_MADVISE, .task = a.task, .object = map,
					.offset = 32 * PAGE_BYTES, .length = PAGE_BYTES,
					.value = MADVICE_DONTNEED });
	assert_int_equal(shown(&a, a.group, "rss"), 33 * PAGE_BYTES);
	rig_close(&a.rig);
}

/* A subtree is the sum of its groups, each with what its own CPUs keep back. */
static void a_subtree_is_the_sum_of_what_is_shown(void **state)
{
	struct app a;
	uint32_t child, task;

	(void)state;
	app_open(&a, BATCHED);
	child = rig_hierarchy(&a.rig, a.group, "child", 0);
	task = rig_task(&a.rig, child, 0);
	rig_touch(&a.rig, task, rig_map(&a.rig, task, 40), 0, 40);
	rig_touch(&a.rig, a.task, rig_map(&a.rig, a.task, 10), 0, 10);
	assert_int_equal(shown(&a, child, "rss"), 33 * PAGE_BYTES);
	assert_int_equal(shown(&a, a.group, "total_rss"), 33 * PAGE_BYTES);
	rig_close(&a.rig);
}

/* A read of many pages is as many changes of one page: 33 and 33 of 80 are added. */
static void a_long_read_is_a_change_a_page(void **state)
{
	struct app a;

	(void)state;
	app_open(&a, BATCHED);
	rig_read(&a.rig, a.task, rig_file(&a.rig, 80), 0, 80);
	assert_int_equal(rig_memcg(&a.rig, a.group).charged, 80);
	assert_int_equal(shown(&a, a.group, "cache"), 66 * PAGE_BYTES);
	assert_int_equal(shown(&a, a.group, "pgpgin"), 66);
	/* The same at once, where nobody wants to be told of each page. */
	stat_batch_run(a.m, a.group, BATCH_SWAP, 80);
	assert_int_equal(stat_batch_held(a.m, a.group, BATCH_SWAP), 80 - 66);
	stat_batch_run(a.m, a.group, BATCH_SWAP, 33 - 14);
	assert_int_equal(stat_batch_held(a.m, a.group, BATCH_SWAP), 0);
	rig_close(&a.rig);
}

/* Written, mapped, swapped: each kind for itself. */
static void each_item_has_its_own_batch(void **state)
{
	struct op write = { .kind = OP_WRITE, .length = 40 * PAGE_BYTES };
	struct op op = { .kind = OP_MADVISE, .value = MADVICE_PAGEOUT, .length = 40 * PAGE_BYTES };
	struct op shm = { .kind = OP_FILE_NEW, .length = 10 * PAGE_BYTES, .flags = OPF_SHMEM,
			  .name = "shm" };
	struct app a;

	(void)state;
	app_open(&a, BATCHED);
	write.task = op.task = a.task;
	write.object = rig_file(&a.rig, 40);
	rig_apply(&a.rig, &write);
	assert_int_equal(shown(&a, a.group, "dirty"), 33 * PAGE_BYTES);
	op.object = rig_map(&a.rig, a.task, 40);
	rig_touch(&a.rig, a.task, op.object, 0, 40);
	rig_drain(&a.rig, a.task);
	rig_apply(&a.rig, &op);
	assert_int_equal(rig_memcg(&a.rig, a.group).swap, 40);
	assert_int_equal(shown(&a, a.group, "swap"), 33 * PAGE_BYTES);
	write.object = rig_apply(&a.rig, &shm).id;
	write.length = 10 * PAGE_BYTES;
	rig_apply(&a.rig, &write);
	assert_int_equal(shown(&a, a.group, "shmem"), 0);
	assert_int_equal(stat_batch_held(a.m, a.group, BATCH_SHMEM), 10);
	assert_int_equal(stat_batch_held(a.m, a.group, BATCH_CACHE), 40 + 10 - 33);
	rig_close(&a.rig);
}

/* A number that is used again begins with nothing. */
static void a_later_group_of_the_same_number_begins_with_nothing(void **state)
{
	struct app a;
	uint32_t again;

	(void)state;
	app_open(&a, BATCHED);
	rig_touch(&a.rig, a.task, rig_map(&a.rig, a.task, 10), 0, 10);
	rig_apply(&a.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = a.task });
	rig_apply(&a.rig, &(struct op){ .kind = OP_GROUP_REMOVE, .object = a.group });
	again = rig_hierarchy(&a.rig, RIG_ROOT, "again", 0);
	assert_int_equal(again, a.group);
	for (int item = 0; item < NR_BATCH_ITEMS; item++)
		assert_int_equal(stat_batch_held(a.m, again, (enum batch_item)item), 0);
	rig_close(&a.rig);
}

static void other_kernels_show_all(void **state)
{
	static const char *const kernels[] = { "v3.3", "v3.19", "v6.1", "v6.18-v1",
					       "v6.18-v1+stat_read=sum" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct app a;

		app_open(&a, kernels[i]);
		rig_touch(&a.rig, a.task, rig_map(&a.rig, a.task, 1), 0, 1);
		assert_int_equal(shown(&a, a.group, "rss"), PAGE_BYTES);
		assert_int_equal(stat_batch_held(a.m, a.group, BATCH_RSS), 0);
		rig_close(&a.rig);
	}
}

/* The same life ends in another state where something is kept back. */
static void what_is_kept_back_is_state(void **state)
{
	char hash[2][RUN_HASH_MAX];

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct app a;

		app_open(&a, i ? BATCHED : "v6.18-v1");
		rig_touch(&a.rig, a.task, rig_map(&a.rig, a.task, 1), 0, 1);
		run_hash(a.rig.run, hash[i]);
		rig_close(&a.rig);
	}
	assert_string_not_equal(hash[0], hash[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_after_a_batch_shows_all),
		cmocka_unit_test(each_cpu_gathers_for_itself),
		cmocka_unit_test(what_has_gone_is_shown_for_a_while),
		cmocka_unit_test(a_subtree_is_the_sum_of_what_is_shown),
		cmocka_unit_test(a_long_read_is_a_change_a_page),
		cmocka_unit_test(each_item_has_its_own_batch),
		cmocka_unit_test(a_later_group_of_the_same_number_begins_with_nothing),
		cmocka_unit_test(other_kernels_show_all),
		cmocka_unit_test(what_is_kept_back_is_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
