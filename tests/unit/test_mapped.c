/*
 * Faults of mapped files: what is read in with the page, what is mapped with
 * it, and what advice changes.  Windows are of 32 pages (128 KiB).
 */
#include "rig.h"
#include "run_private.h"
#include "shrink.h"

enum { WINDOW = 32, FILE_PAGES = 4096 };

struct mapped {
	struct rig rig;
	uint32_t group, task, file, view;
};

static void mapped_open(struct mapped *of, const char *kernel, uint32_t flags)
{
	struct op op = { .kind = OP_MAP_FILE, .flags = flags, .name = "view" };
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.era.knobs.readahead = WINDOW;
	rig_open_scenario(&of->rig, &sc);
	of->group = rig_group(&of->rig, RIG_ROOT, "g", 0);
	of->task = rig_task(&of->rig, of->group, 0);
	of->file = rig_file(&of->rig, FILE_PAGES);
	op.task = of->task;
	op.object = of->file;
	of->view = rig_apply(&of->rig, &op).id;
}

static void use(struct mapped *of, pages_t index)
{
	rig_apply(&of->rig, &(struct op){ .kind = OP_TOUCH,
					  .task = of->task,
					  .object = of->view,
					  .offset = index * PAGE_BYTES,
					  .length = PAGE_BYTES,
					  .flags = OPF_READ });
}

static uint32_t *word_of(struct mapped *of, pages_t index)
{
	struct machine *m = run_machine(of->rig.run);

	return &m->pages.slot[page_find(&m->pages, &m->pages.mapping[of->file], index)].word;
}

static void make_unused(struct mapped *of, pages_t index)
{
	*word_of(of, index) &= ~(uint32_t)PG_REFERENCED;
}

static bool is_active(struct mapped *of, pages_t index)
{
	return (*word_of(of, index) & PG_ACTIVE) != 0;
}

static pages_t cached(struct mapped *of)
{
	return rig_memcg(&of->rig, of->group).charged;
}

static pages_t mapped(struct mapped *of)
{
	return rig_memcg(&of->rig, of->group).mapped;
}

/* Pages 84 to 115: those at the ends are hits, their neighbours bring windows of their own. */
static void a_window_lies_around_the_faults_page(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v3.3", "v6.18" };

	(void)state;
	for (size_t k = 0; k < sizeof(kernels) / sizeof(kernels[0]); k++) {
		struct mapped of;

		mapped_open(&of, kernels[k], 0);
		use(&of, 100);
		assert_int_equal(cached(&of), WINDOW);
		use(&of, 84);
		use(&of, 115);
		assert_int_equal(cached(&of), WINDOW);
		use(&of, 83);
		/* Pages 67 to 98, of which 84 on are there. */
		assert_int_equal(cached(&of), WINDOW + 17);
		rig_close(&of.rig);
	}
}

/* A quarter of the window before its end a page is marked; met there, the next one is read. */
static void the_mark_of_a_window_brings_the_next(void **state)
{
	struct mapped of;

	(void)state;
	mapped_open(&of, "v3.3", 0);
	use(&of, 100);
	use(&of, 107);
	assert_int_equal(cached(&of), WINDOW);
	use(&of, 108);
	assert_int_equal(cached(&of), 2 * WINDOW);
	rig_close(&of.rig);
	/* v2.6.31 marks none. */
	mapped_open(&of, "v2.6.31", 0);
	use(&of, 100);
	for (pages_t i = 84; i < 116; i++)
		use(&of, i);
	assert_int_equal(cached(&of), WINDOW);
	rig_close(&of.rig);
}

/* Of the 16 pages from 96 on all are there but page 108, which is marked and left out. */
static void what_is_there_of_16_pages_is_mapped_at_once(void **state)
{
	struct mapped of;

	(void)state;
	mapped_open(&of, "v6.18", 0);
	use(&of, 100);
	assert_int_equal(mapped(&of), 15);
	rig_close(&of.rig);
	mapped_open(&of, "v3.3", 0);
	use(&of, 100);
	assert_int_equal(mapped(&of), 1);
	rig_close(&of.rig);
}

/* The 101st fault in a row that misses reads its page alone. */
static void faults_that_only_miss_stop_reading_around(void **state)
{
	struct mapped of;

	(void)state;
	mapped_open(&of, "v3.3", 0);
	for (pages_t i = 0; i < 100; i++)
		use(&of, 16 + i * 40);
	assert_int_equal(cached(&of), 100 * WINDOW);
	use(&of, 4050);
	assert_int_equal(cached(&of), 100 * WINDOW + 1);
	rig_close(&of.rig);
}

static void advice_says_what_faults_read(void **state)
{
	struct mapped of;

	(void)state;
	mapped_open(&of, "v6.18", OPF_RANDOM);
	use(&of, 100);
	assert_int_equal(cached(&of), 1);
	rig_close(&of.rig);
	/* Behind the page only; not at the file's start nor after a read, so alone: a window. */
	mapped_open(&of, "v6.18", OPF_SEQUENTIAL);
	use(&of, 0);
	assert_int_equal(cached(&of), WINDOW);
	rig_close(&of.rig);
}

/* As many as the device takes at once, where the kernel bounds it. */
static void what_will_be_needed_is_read_at_once(void **state)
{
	struct op advise = { .kind = OP_FADVISE,
			     .length = 1000 * PAGE_BYTES,
			     .value = FADVICE_WILLNEED };
	struct mapped of;

	(void)state;
	mapped_open(&of, "v6.18", 0);
	advise.task = of.task;
	advise.object = of.file;
	rig_apply(&of.rig, &advise);
	assert_int_equal(cached(&of), 320);
	rig_close(&of.rig);
	mapped_open(&of, "v3.3", 0);
	rig_apply(&of.rig, &advise);
	assert_int_equal(cached(&of), 1000);
	rig_close(&of.rig);
}

/* Written through the mapping: dirty, and read first. */
static void a_write_makes_the_page_dirty(void **state)
{
	struct mapped of;

	(void)state;
	mapped_open(&of, "v6.18", OPF_RANDOM);
	rig_touch(&of.rig, of.task, of.view, 7, 3);
	assert_int_equal(rig_memcg(&of.rig, of.group).dirty, 3);
	assert_int_equal(mapped(&of), 3);
	rig_check(&of.rig, "written");
	rig_close(&of.rig);
}

/* Used through two mappings since the last look, and once before: v3.3 and later activate it. */
static void a_page_that_two_use_is_activated_from_v3_3_on(void **state)
{
	static const struct {
		const char *kernel;
		bool both, activated;
	} rows[] = {
		{ "v3.1", true, false },    { "v3.3", true, true },       { "v3.3", false, false },
		{ "v6.18-v1", true, true }, { "v6.18-v1", false, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reclaim rc = { .priority = 12, .want = WINDOW };
		struct op op = { .kind = OP_MAP_FILE, .name = "second" };
		struct mapped of, second;

		mapped_open(&of, rows[i].kernel, 0);
		op.task = rig_task(&of.rig, of.group, 0);
		op.object = of.file;
		rig_read(&of.rig, of.task, of.file, 0, 1);
		second = of;
		second.task = op.task;
		second.view = rig_apply(&of.rig, &op).id;
		rig_drain(&of.rig, of.task);
		make_unused(&of, 0);
		use(&of, 0);
		if (rows[i].both)
			rig_apply(&of.rig, &(struct op){ .kind = OP_TOUCH,
							 .task = second.task,
							 .object = second.view,
							 .flags = OPF_READ,
							 .length = PAGE_BYTES });
		rc.target = of.group;
		shrink_inactive(run_machine(of.rig.run), &rc,
				&(struct shrink){ .id = { of.group, 0, LRU_INACTIVE_FILE },
						  .nr_to_scan = WINDOW });
		if (is_active(&of, 0) != rows[i].activated)
			fail_msg("row %zu, %s", i, rows[i].kernel);
		rig_close(&of.rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_lies_around_the_faults_page),
		cmocka_unit_test(the_mark_of_a_window_brings_the_next),
		cmocka_unit_test(what_is_there_of_16_pages_is_mapped_at_once),
		cmocka_unit_test(faults_that_only_miss_stop_reading_around),
		cmocka_unit_test(advice_says_what_faults_read),
		cmocka_unit_test(what_will_be_needed_is_read_at_once),
		cmocka_unit_test(a_write_makes_the_page_dirty),
		cmocka_unit_test(a_page_that_two_use_is_activated_from_v3_3_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
