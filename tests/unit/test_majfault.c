/*
 * Major faults: those that had to wait for a device.  A page of a mapped
 * file that is missing, and memory that is in swap; not new memory, not
 * what another fault or read(2) has brought in already.
 */
#include "rig.h"

enum { PAGES = 64, LIMIT = 96, SWAP_NS = 100000 };

struct faulting {
	struct rig rig;
	uint32_t group, task, other;
};

static void open_rig(struct faulting *f, const char *kernel, int64_t swap_ns)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.swap_pages = 4 * PAGES;
	sc.era.knobs.swap_ns = swap_ns;
	rig_open_scenario(&f->rig, &sc);
	f->group = rig_group(&f->rig, RIG_ROOT, "g", LIMIT);
	f->task = rig_task(&f->rig, f->group, 0);
	f->other = rig_task(&f->rig, RIG_ROOT, 0);
}

static uint64_t majfault(struct faulting *f)
{
	struct run_totals totals;

	run_totals(f->rig.run, &totals);
	assert_int_equal(totals.majfault, rig_memcg(&f->rig, f->group).majfault +
						  rig_memcg(&f->rig, RIG_ROOT).majfault);
	return totals.majfault;
}

static uint32_t map_file(struct faulting *f, uint32_t task, uint32_t file)
{
	struct op op = { .kind = OP_MAP_FILE, .task = task, .object = file, .name = "view" };

	return rig_apply(&f->rig, &op).id;
}

static void a_missing_page_of_a_mapped_file_is_one_for_the_group_that_faults(void **state)
{
	struct faulting f;
	uint32_t file, view;

	(void)state;
	open_rig(&f, "v3.1", 0);
	file = rig_file(&f.rig, PAGES);
	/* Half of it is read by somebody else, and that is no fault. */
	rig_read(&f.rig, f.other, file, 0, PAGES / 2);
	assert_int_equal(majfault(&f), 0);
	view = map_file(&f, f.task, file);
	rig_touch(&f.rig, f.task, view, 0, PAGES);
	assert_int_equal(majfault(&f), PAGES / 2);
	assert_int_equal(rig_memcg(&f.rig, f.group).majfault, PAGES / 2);
	/* Mapped by now, and cached for whoever comes. */
	rig_touch(&f.rig, f.task, view, 0, PAGES);
	rig_touch(&f.rig, f.other, map_file(&f, f.other, file), 0, PAGES);
	assert_int_equal(majfault(&f), PAGES / 2);
	rig_close(&f.rig);
}

static void new_memory_is_none_and_memory_in_swap_is_one(void **state)
{
	static const int64_t swap_ns[] = { 0, SWAP_NS };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct run_totals totals;
		struct faulting f;
		uint32_t map;

		open_rig(&f, "v3.1", swap_ns[i]);
		map = rig_map(&f.rig, f.task, 2 * PAGES);
		rig_touch(&f.rig, f.task, map, 0, 2 * PAGES);
		assert_int_equal(majfault(&f), 0);
		rig_touch(&f.rig, f.task, map, 0, 2 * PAGES);
		run_totals(f.rig.run, &totals);
		assert_true(totals.nr_swapped_in > 0);
		/* One for each page, or one for a window of up to 8. */
		if (swap_ns[i])
			assert_true(majfault(&f) * 8 >= totals.nr_swapped_in &&
				    majfault(&f) < totals.nr_swapped_in);
		else
			assert_int_equal(majfault(&f), totals.nr_swapped_in);
		rig_close(&f.rig);
	}
}

static void pages_of_tmpfs_are_major_only_when_they_come_from_swap(void **state)
{
	struct op op = { .kind = OP_FILE_NEW, .length = 2 * PAGES * PAGE_BYTES,
			 .flags = OPF_SHMEM, .name = "shm" };
	struct run_totals totals;
	struct faulting f;
	uint32_t file, view;

	(void)state;
	open_rig(&f, "v3.1", 0);
	file = rig_apply(&f.rig, &op).id;
	view = map_file(&f, f.task, file);
	rig_touch(&f.rig, f.task, view, 0, 2 * PAGES);
	assert_int_equal(majfault(&f), 0);
	rig_touch(&f.rig, f.task, view, 0, 2 * PAGES);
	run_totals(f.rig.run, &totals);
	assert_true(totals.nr_swapped_in > 0);
	assert_int_equal(majfault(&f), totals.nr_swapped_in);
	rig_close(&f.rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_missing_page_of_a_mapped_file_is_one_for_the_group_that_faults),
		cmocka_unit_test(new_memory_is_none_and_memory_in_swap_is_one),
		cmocka_unit_test(pages_of_tmpfs_are_major_only_when_they_come_from_swap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
