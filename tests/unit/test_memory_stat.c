/*
 * memory.stat: which lines each kernel has, in which order, and that their
 * values are those of the group, of its subtree, of the root by its rule.
 */
#include "memory_stat.h"

#include <string.h>

#include "rig.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define LISTS "inactive_anon active_anon inactive_file active_file unevictable "
#define LIMITS "hierarchical_memory_limit hierarchical_memsw_limit "

/* The kernel's own lines, without those of the subtree; one not modelled has a '?' behind it. */
static void the_lines_are_those_of_the_kernel(void **state)
{
	static const struct { const char *kernel, *lines; } rows[] = {
		{ "v2.6.25", "cache rss active inactive " },
		{ "v2.6.31", "cache rss mapped_file pgpgin pgpgout " LISTS LIMITS },
		{ "v2.6.32", "cache rss mapped_file pgpgin pgpgout swap " LISTS LIMITS },
		{ "v2.6.33", "cache rss mapped_file pgpgin pgpgout swap " LISTS LIMITS },
		{ "v2.6.32+swap_account=off", "cache rss mapped_file pgpgin pgpgout " LISTS
					      "hierarchical_memory_limit " },
		{ "v3.3", "cache rss mapped_file pgpgin pgpgout swap pgfault pgmajfault " LISTS
			  LIMITS },
		{ "v3.5", "cache rss mapped_file swap pgpgin pgpgout pgfault pgmajfault " LISTS
			  LIMITS },
		{ "v3.5+stat=vfs", "cache rss mapped_file swap pgpgin pgpgout pgfault "
				   "pgmajfault " LISTS LIMITS },
		{ "v3.5+stat=dirty", "cache rss mapped_file dirty writeback swap pgpgin pgpgout "
				     "pgfault pgmajfault " LISTS LIMITS },
		{ "v3.17", "cache rss rss_huge? mapped_file writeback swap pgpgin pgpgout "
			   "pgfault pgmajfault " LISTS LIMITS },
		{ "v6.1", "cache rss rss_huge? shmem mapped_file dirty writeback "
			  "workingset_refault_anon workingset_refault_file swap pgpgin pgpgout "
			  "pgfault pgmajfault " LISTS LIMITS },
		{ "v6.18-v1", "cache rss rss_huge? shmem mapped_file dirty writeback "
			      "workingset_refault_anon workingset_refault_file swap swapcached "
			      "pgpgin pgpgout pgfault pgmajfault " LISTS LIMITS },
		{ "v6.18", "anon file kernel kernel_stack pagetables percpu? sock? shmem "
			   "file_mapped file_dirty file_writeback swapcached " LISTS "slab "
			   "workingset_refault_anon workingset_refault_file "
			   "workingset_activate_anon workingset_activate_file pgscan pgsteal "
			   "pgfault pgmajfault " },
		{ "v2.6.25+memcg=off", "" },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct memory_stat line;
		struct era era;
		char text[1024] = "", own[1024] = "";

		assert_int_equal(era_find(rows[i].kernel, &era, NULL), ERR_OK);
		for (uint32_t n = 0; memory_stat_name(&era, n, &line); n++) {
			char *to = strncmp(line.name, "total_", 6) ? text : own;
			const char *name = line.name + (to == own ? 6 : 0);

			strcat(strcat(to, name), line.modelled ? " " : "? ");
		}
		assert_string_equal(text, rows[i].lines);
		/* The subtree has the same lines, before the limits. */
		if (own[0])
			assert_memory_equal(own, text, strlen(own));
	}
}

static uint64_t value(struct rig *rig, uint32_t memcg, const char *name)
{
	struct memory_stat line;

	for (uint32_t i = 0; memory_stat_line(rig->run, memcg, i, &line); i++)
		if (!strcmp(line.name, name) && line.modelled)
			return line.value;
	fail_msg("%s: no such line", name);
	return 0;
}

/* A parent with 3 pages of memory and its child with 20 of a file, 5 of them dirty. */
struct family {
	struct rig rig;
	uint32_t parent, child;
};

static void family_open(struct family *f, const char *kernel)
{
	struct op write = { .kind = OP_WRITE, .length = 5 * PAGE_BYTES };
	uint32_t task, map;

	rig_open(&f->rig, kernel, 1);
	f->parent = rig_hierarchy(&f->rig, RIG_ROOT, "p", 1000);
	f->child = rig_hierarchy(&f->rig, f->parent, "c", 0);
	task = rig_task(&f->rig, f->parent, 0);
	map = rig_map(&f->rig, task, 3);
	rig_touch(&f->rig, task, map, 0, 3);
	write.task = rig_task(&f->rig, f->child, 0);
	write.object = rig_file(&f->rig, 20);
	rig_apply(&f->rig, &write);
	rig_read(&f->rig, write.task, write.object, 5, 15);
	rig_drain(&f->rig, task);
}

static void v1_has_the_group_and_its_subtree_apart(void **state)
{
	struct family f;

	(void)state;
	family_open(&f, "v3.5+stat=dirty");
	assert_int_equal(value(&f.rig, f.parent, "rss"), 3 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.parent, "cache"), 0);
	assert_int_equal(value(&f.rig, f.parent, "total_cache"), 20 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.parent, "total_rss"), 3 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.child, "dirty"), 5 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.parent, "dirty"), 0);
	assert_int_equal(value(&f.rig, f.parent, "total_dirty"), 5 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.child, "writeback"), 0);
	/* Events are counts. */
	assert_int_equal(value(&f.rig, f.child, "pgpgin"), 20);
	assert_int_equal(value(&f.rig, f.child, "pgpgout"), 0);
	assert_int_equal(value(&f.rig, f.parent, "total_pgpgin"), 23);
	/* Charged and not uncharged is what there is (invariant 10). */
	assert_int_equal(value(&f.rig, f.child, "pgpgin") * PAGE_BYTES,
			 value(&f.rig, f.child, "cache") + value(&f.rig, f.child, "rss"));
	/* Written pages are inactive like read ones. */
	assert_int_equal(value(&f.rig, f.child, "inactive_file") +
				 value(&f.rig, f.child, "active_file"),
			 20 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.child, "hierarchical_memory_limit"), 1000 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.child, "hierarchical_memsw_limit"), INT64_MAX);
	/* The tightest of all levels counts, wherever it is. */
	assert_int_equal(rig_limit(&f.rig, f.child, 500), OP_DONE);
	assert_int_equal(value(&f.rig, f.child, "hierarchical_memory_limit"), 500 * PAGE_BYTES);
	rig_close(&f.rig);
}

static void v2_has_the_subtree(void **state)
{
	struct family f;

	(void)state;
	family_open(&f, "v6.18");
	assert_int_equal(value(&f.rig, f.parent, "anon"), 3 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.parent, "file"), 20 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.parent, "file_dirty"), 5 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.child, "anon"), 0);
	assert_int_equal(value(&f.rig, f.child, "file"), 20 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, RIG_ROOT, "file"), 20 * PAGE_BYTES);
	assert_int_equal(value(&f.rig, f.parent, "kernel"),
			 rig_memcg(&f.rig, f.parent).kmem * PAGE_BYTES);
	rig_close(&f.rig);
}

static void unlimited_is_as_the_counter_has_it(void **state)
{
	struct family f;

	(void)state;
	family_open(&f, "v6.18-v1");
	assert_true(value(&f.rig, f.child, "hierarchical_memsw_limit") == 9223372036854771712u);
	rig_close(&f.rig);
}

static void active_and_inactive_add_both_kinds_up(void **state)
{
	struct rig rig;
	uint32_t g, task, map;

	(void)state;
	rig_open(&rig, "v2.6.25", 1);
	g = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, g, 0);
	map = rig_map(&rig, task, 3);
	rig_touch(&rig, task, map, 0, 3);
	rig_read(&rig, task, rig_file(&rig, 20), 0, 20);
	rig_drain(&rig, task);
	assert_int_equal(value(&rig, g, "active"), 3 * PAGE_BYTES);
	assert_int_equal(value(&rig, g, "inactive"), 20 * PAGE_BYTES);
	rig_close(&rig);
}

/* W25's rule on the file: the root's dirty pages are what the groups leave of the machine's. */
static void the_root_says_the_same_whatever_it_is_counted_by(void **state)
{
	static const char *const kernels[] = { "v3.5+stat=dirty",
					       "v3.5+stat=dirty+root_stat=global",
					       "v3.5+stat=dirty+root_stat=late" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct op write = { .kind = OP_WRITE, .length = 7 * PAGE_BYTES };
		struct family f;

		family_open(&f, kernels[i]);
		write.task = rig_task(&f.rig, RIG_ROOT, 0);
		write.object = rig_file(&f.rig, 7);
		rig_apply(&f.rig, &write);
		assert_int_equal(value(&f.rig, RIG_ROOT, "dirty"), 7 * PAGE_BYTES);
		assert_int_equal(value(&f.rig, RIG_ROOT, "writeback"), 0);
		assert_int_equal(value(&f.rig, f.child, "dirty"), 5 * PAGE_BYTES);
		rig_close(&f.rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lines_are_those_of_the_kernel),
		cmocka_unit_test(v1_has_the_group_and_its_subtree_apart),
		cmocka_unit_test(v2_has_the_subtree),
		cmocka_unit_test(unlimited_is_as_the_counter_has_it),
		cmocka_unit_test(active_and_inactive_add_both_kinds_up),
		cmocka_unit_test(the_root_says_the_same_whatever_it_is_counted_by),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
