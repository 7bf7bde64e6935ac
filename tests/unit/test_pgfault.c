/*
 * pgfault and swapcached of memory.stat: which accesses fault, how often one
 * is counted that has to wait for a device, for whom, and which pages have a
 * copy in swap.
 */
#include <string.h>

#include "inherited.h"
#include "memory_stat.h"
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { PAGES = 32, SWAP_NS = 100000 };

struct faulting {
	struct rig rig;
	uint32_t group, task, other;	/* @other: a task of the root */
};

static void open_rig(struct faulting *f, const char *kernel, int64_t swap_ns, pages_t limit)
{
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.swap_pages = 8 * PAGES;
	sc.era.knobs.swap_ns = swap_ns;
	sc.era.knobs.swap_readahead = 1;
	rig_open_scenario(&f->rig, &sc);
	f->group = rig_group(&f->rig, RIG_ROOT, "g", limit);
	f->task = rig_task(&f->rig, f->group, 0);
	f->other = rig_task(&f->rig, RIG_ROOT, 0);
}

static uint64_t value(struct faulting *f, uint32_t memcg, const char *name)
{
	struct memory_stat line;

	for (uint32_t i = 0; memory_stat_line(f->rig.run, memcg, i, &line); i++)
		if (strcmp(line.name, name) == 0) {
			assert_true(line.modelled && !line.why);
			return line.value;
		}
	fail_msg("%s: no such line", name);
	return 0;
}

static uint64_t faults(struct faulting *f)
{
	return value(f, f->group, "pgfault");
}

static void touch(struct faulting *f, uint32_t map, uint32_t flags, pages_t nr)
{
	struct op op = { .kind = OP_TOUCH, .task = f->task, .object = map, .flags = flags,
			 .length = nr * PAGE_BYTES };

	assert_int_equal(rig_apply(&f->rig, &op).outcome, OP_DONE);
}

static uint32_t view(struct faulting *f, uint32_t task, uint32_t file)
{
	struct op op = { .kind = OP_MAP_FILE, .task = task, .object = file, .name = "view" };

	return rig_apply(&f->rig, &op).id;
}

/* New memory is a fault a page, and no second one; read(2) is none; the root's own are its own. */
static void a_page_without_an_entry_is_a_fault(void **state)
{
	static const char *const kernels[] = { "v3.1", "v3.5", "v3.19", "v6.1", "v6.18-v1",
					       "v6.18" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct faulting f;
		uint32_t map;

		open_rig(&f, kernels[i], 0, 0);
		map = rig_map(&f.rig, f.task, PAGES);
		touch(&f, map, OPF_WRITE, PAGES);
		assert_int_equal(faults(&f), PAGES);
		touch(&f, map, OPF_WRITE, PAGES);
		assert_int_equal(faults(&f), PAGES);
		rig_read(&f.rig, f.task, rig_file(&f.rig, PAGES), 0, PAGES);
		assert_int_equal(faults(&f), PAGES);
		assert_int_equal(value(&f, f.group, "pgmajfault"), 0);
		rig_unmap(&f.rig, f.task, map);
		touch(&f, map, OPF_WRITE, 3);
		assert_int_equal(faults(&f), PAGES + 3);
		rig_close(&f.rig);
	}
}

/* What is cached already: a fault for each page, or for 16; what is not may count twice. */
static void a_fault_that_waits_counts_twice_until_v6_4(void **state)
{
	static const struct { const char *kernel; uint64_t cached, missing; } rows[] = {
		{ "v3.1", PAGES, 2 * PAGES },		{ "v3.17", PAGES, 2 * PAGES },
		{ "v3.19", PAGES / 16, 2 * PAGES },	{ "v6.1", PAGES / 16, 2 * PAGES },
		{ "v6.18-v1", PAGES / 16, PAGES },	{ "v6.18", PAGES / 16, PAGES },
		{ "v6.18+pgfault=attempts", PAGES / 16, 2 * PAGES },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint32_t cached, missing;
		struct faulting f;

		open_rig(&f, rows[i].kernel, 0, 0);
		cached = rig_file(&f.rig, PAGES);
		missing = rig_file(&f.rig, PAGES);
		rig_read(&f.rig, f.other, cached, 0, PAGES);
		touch(&f, view(&f, f.task, cached), OPF_READ, PAGES);
		if (faults(&f) != rows[i].cached)
			fail_msg("%s: %d faults", rows[i].kernel, (int)faults(&f));
		assert_int_equal(value(&f, f.group, "pgmajfault"), 0);
		touch(&f, view(&f, f.task, missing), OPF_READ, PAGES);
		if (faults(&f) != rows[i].cached + rows[i].missing)
			fail_msg("%s: %d faults in all", rows[i].kernel, (int)faults(&f));
		assert_int_equal(value(&f, f.group, "pgmajfault"), PAGES);
		rig_close(&f.rig);
	}
}

/* From a slow device memory comes back in a fault that is taken again; from a fast one at once. */
static void memory_in_swap_is_waited_for_if_its_device_is_slow(void **state)
{
	static const struct { const char *kernel; int64_t swap_ns; uint64_t each; } rows[] = {
		{ "v3.1", SWAP_NS, 2 }, { "v3.1", 0, 1 }, { "v6.18-v1", SWAP_NS, 1 },
		{ "v6.18-v1", 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct faulting f;
		uint64_t before, major;
		uint32_t map;

		open_rig(&f, rows[i].kernel, rows[i].swap_ns, 2 * PAGES);
		map = rig_map(&f.rig, f.task, 3 * PAGES);
		touch(&f, map, OPF_WRITE, 3 * PAGES);
		before = faults(&f);
		assert_int_equal(before, 3 * PAGES);
		touch(&f, map, OPF_WRITE, PAGES / 2);
		major = value(&f, f.group, "pgmajfault");
		assert_true(major > PAGES / 4);
		/* Every page of these had gone, or was in the swap cache alone. */
		assert_int_equal(faults(&f) - before, PAGES / 2 + major * (rows[i].each - 1));
		rig_close(&f.rig);
	}
}

/* A write to a clean page of a file asks the file first; tmpfs has nobody to ask. */
static void a_write_to_a_clean_page_of_a_file_faults(void **state)
{
	struct op new = { .kind = OP_FILE_NEW, .length = 4 * PAGE_BYTES, .flags = OPF_SHMEM,
			  .name = "shm" };
	struct op sync = { .kind = OP_FSYNC };
	struct faulting f;
	uint32_t map;

	(void)state;
	open_rig(&f, "v6.18-v1", 0, 0);
	sync.task = f.task;
	sync.object = rig_file(&f.rig, 4);
	rig_read(&f.rig, f.other, sync.object, 0, 4);
	map = view(&f, f.task, sync.object);
	touch(&f, map, OPF_READ, 4);
	assert_int_equal(faults(&f), 1);
	touch(&f, map, OPF_WRITE, 4);
	assert_int_equal(faults(&f), 1 + 4);
	touch(&f, map, OPF_WRITE, 4);
	assert_int_equal(faults(&f), 1 + 4);
	rig_apply(&f.rig, &sync);
	touch(&f, map, OPF_READ, 4);
	assert_int_equal(faults(&f), 1 + 4);
	touch(&f, map, OPF_WRITE, 3);
	assert_int_equal(faults(&f), 1 + 4 + 3);
	map = view(&f, f.task, rig_apply(&f.rig, &new).id);
	touch(&f, map, OPF_READ, 4);
	assert_int_equal(faults(&f), 8 + 4);
	touch(&f, map, OPF_WRITE, 4);
	assert_int_equal(faults(&f), 8 + 4);
	rig_close(&f.rig);
}

/* After a fork both sides fault when they write, once a page; who reads what is there does not. */
static void a_write_to_shared_memory_faults_on_both_sides(void **state)
{
	struct op fork = { .kind = OP_FORK, .name = "child" };
	struct faulting f;
	uint32_t map, child;

	(void)state;
	open_rig(&f, "v6.18-v1", 0, 0);
	map = rig_map(&f.rig, f.task, 8);
	touch(&f, map, OPF_WRITE, 8);
	fork.task = f.task;
	child = rig_apply(&f.rig, &fork).id;
	assert_int_equal(faults(&f), 8);
	touch(&f, map, OPF_READ, 8);
	assert_int_equal(faults(&f), 8);
	rig_touch(&f.rig, child, run_inherited(f.rig.run, child, map), 0, 3);
	assert_int_equal(faults(&f), 8 + 3);
	touch(&f, map, OPF_WRITE, 8);
	assert_int_equal(faults(&f), 8 + 3 + 8);
	touch(&f, map, OPF_WRITE, 8);
	assert_int_equal(faults(&f), 8 + 3 + 8);
	rig_close(&f.rig);
}

/* From v4.16 to v5.1 a CPU adds its events up and tells of them 33 at a time. */
static void a_cpu_gathers_faults_where_it_gathers_events(void **state)
{
	struct faulting f;
	uint32_t map;

	(void)state;
	open_rig(&f, "v3.19+stat_read=batch", 0, 0);
	map = rig_map(&f.rig, f.task, 80);
	touch(&f, map, OPF_WRITE, 32);
	assert_int_equal(faults(&f), 0);
	touch(&f, map, OPF_WRITE, 80);
	assert_int_equal(faults(&f), 66);
	touch(&f, view(&f, f.task, rig_file(&f.rig, 36)), OPF_READ, 36);
	assert_int_equal(value(&f, f.group, "pgmajfault"), 33);
	rig_close(&f.rig);
}

/* The fault that kills counts too, and the group has it where its task is gone. */
static void a_fault_that_fails_is_one(void **state)
{
	struct scenario sc;
	struct faulting f;
	uint32_t map;

	(void)state;
	rig_scenario(&sc, "v3.1", 1);
	rig_open_scenario(&f.rig, &sc);
	f.group = rig_group(&f.rig, RIG_ROOT, "g", 10);
	f.task = rig_task(&f.rig, f.group, 0);
	map = rig_map(&f.rig, f.task, 20);
	assert_int_equal(rig_touch(&f.rig, f.task, map, 0, 20), OP_KILLED);
	assert_int_equal(faults(&f), 11);
	rig_close(&f.rig);
}

/* v1 has the group's own and those of its subtree, v2 those of the subtree. */
static void faults_are_the_groups_own_or_the_subtrees(void **state)
{
	static const struct { const char *kernel; uint64_t parent; const char *all; } rows[] = {
		{ "v3.1", 5, "total_pgfault" },
		{ "v6.18-v1", 5, "total_pgfault" },
		{ "v6.18", 5 + 7, "pgfault" },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint32_t parent, child, task[2];
		struct faulting f;

		open_rig(&f, rows[i].kernel, 0, 0);
		parent = rig_hierarchy(&f.rig, RIG_ROOT, "p", 0);
		child = rig_hierarchy(&f.rig, parent, "c", 0);
		task[0] = rig_task(&f.rig, parent, 0);
		task[1] = rig_task(&f.rig, child, 0);
		rig_touch(&f.rig, task[0], rig_map(&f.rig, task[0], 5), 0, 5);
		rig_touch(&f.rig, task[1], rig_map(&f.rig, task[1], 7), 0, 7);
		assert_int_equal(value(&f, child, "pgfault"), 7);
		assert_int_equal(value(&f, parent, "pgfault"), rows[i].parent);
		assert_int_equal(value(&f, parent, rows[i].all), 5 + 7);
		/* A task takes none with it. */
		rig_apply(&f.rig, &(struct op){ .kind = OP_TASK_MOVE, .task = task[1],
						.object = parent });
		assert_int_equal(value(&f, child, "pgfault"), 7);
		rig_close(&f.rig);
	}
}

/* Resident pages with a copy in swap, counted from their flags; of these, those of @memcg. */
static pages_t cached_in_swap(struct faulting *f, uint32_t memcg)
{
	const struct machine *m = run_machine(f->rig.run);
	pages_t nr = 0;

	for (uint32_t slot = LEAF_SLOTS; slot < m->block.region[REGION_LEAF].used << LEAF_SHIFT;
	     slot++) {
		uint32_t word = m->pages.slot[slot].word;

		nr += (word & PG_RESIDENT) && page_in_swap_cache(word) &&
		      (word & PG_MEMCG) == memcg;
	}
	return nr;
}

/* Memory that reading brought back keeps its copy until it is written to, freed or swapped. */
static void swapcached_is_what_has_a_copy_in_swap(void **state)
{
	struct faulting f;
	pages_t most = 0;
	uint32_t map;

	(void)state;
	open_rig(&f, "v6.18-v1", SWAP_NS, 2 * PAGES);
	map = rig_map(&f.rig, f.task, 3 * PAGES);
	touch(&f, map, OPF_WRITE, 3 * PAGES);
	for (uint32_t n = 0; n < 40; n++) {
		pages_t want;

		touch(&f, map, n % 3 ? OPF_READ : OPF_WRITE, n % 5 * PAGES / 2 + 5);
		want = cached_in_swap(&f, f.group);
		assert_int_equal(value(&f, f.group, "swapcached"), want * PAGE_BYTES);
		most = want > most ? want : most;
	}
	assert_true(most > PAGES / 4);
	rig_unmap(&f.rig, f.task, map);
	assert_int_equal(value(&f, f.group, "swapcached"), 0);
	rig_close(&f.rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_without_an_entry_is_a_fault),
		cmocka_unit_test(a_fault_that_waits_counts_twice_until_v6_4),
		cmocka_unit_test(memory_in_swap_is_waited_for_if_its_device_is_slow),
		cmocka_unit_test(a_write_to_a_clean_page_of_a_file_faults),
		cmocka_unit_test(a_write_to_shared_memory_faults_on_both_sides),
		cmocka_unit_test(a_cpu_gathers_faults_where_it_gathers_events),
		cmocka_unit_test(a_fault_that_fails_is_one),
		cmocka_unit_test(faults_are_the_groups_own_or_the_subtrees),
		cmocka_unit_test(swapcached_is_what_has_a_copy_in_swap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
