/*
 * Pages of files that are read again after reclaim took them, counted in
 * every kernel, with shadows or without: what was read into memory less
 * what was read for the first time.
 */
#include "rig.h"

enum { LIMIT = 600, PAGES = 1000 };

/* A group of LIMIT pages and a file of PAGES. */
struct reader {
	struct rig rig;
	uint32_t group, task, file;
};

static void reader_open(struct reader *r, const char *kernel)
{
	rig_open(&r->rig, kernel, 1);
	r->group = rig_group(&r->rig, RIG_ROOT, "g", LIMIT);
	r->task = rig_task(&r->rig, r->group, 0);
	r->file = rig_file(&r->rig, PAGES);
}

static struct run_totals totals(const struct reader *r)
{
	struct run_totals all;

	run_totals(r->rig.run, &all);
	return all;
}

static void a_file_read_over_and_over_comes_back_whole(void **state)
{
	struct reader r;

	(void)state;
	for (int k = 0; rig_kernels[k]; k++) {
		reader_open(&r, rig_kernels[k]);
		rig_read(&r.rig, r.task, r.file, 0, PAGES);
		assert_int_equal(totals(&r).nr_reread, 0);
		rig_read(&r.rig, r.task, r.file, 0, PAGES);
		rig_read(&r.rig, r.task, r.file, 0, PAGES);
		assert_int_equal(totals(&r).nr_reread,
				 totals(&r).nr_accesses - totals(&r).nr_hits - PAGES);
		assert_true(totals(&r).nr_reread >= PAGES);
		assert_int_equal(rig_memcg(&r.rig, r.group).nr_reread, totals(&r).nr_reread);
		rig_close(&r.rig);
	}
}

/* 50,000 draws of 1,000 pages leave none out; single pages come and go in leaves that stay. */
static void single_pages_are_known_again(void **state)
{
	struct op op = { .kind = OP_READ,
			 .pattern = PATTERN_UNIFORM,
			 .count = 50000,
			 .length = (uint64_t)PAGES * PAGE_BYTES };
	struct reader r;

	(void)state;
	for (int k = 0; rig_kernels[k]; k++) {
		reader_open(&r, rig_kernels[k]);
		op.task = r.task;
		op.object = r.file;
		rig_apply(&r.rig, &op);
		assert_int_equal(totals(&r).nr_reread,
				 totals(&r).nr_accesses - totals(&r).nr_hits - PAGES);
		rig_close(&r.rig);
	}
}

/* Truncated, given up by its owner or written anew: nothing of that is read again. */
static void what_reclaim_did_not_take_does_not_count(void **state)
{
	struct reader r;

	(void)state;
	for (int k = 0; rig_kernels[k]; k++) {
		reader_open(&r, rig_kernels[k]);
		rig_read(&r.rig, r.task, r.file, 0, PAGES);
		rig_apply(&r.rig, &(struct op){ .kind = OP_FILE_DROP, .object = r.file });
		rig_read(&r.rig, r.task, r.file, 0, LIMIT / 2);
		rig_apply(&r.rig, &(struct op){ .kind = OP_FADVISE,
						.task = r.task,
						.object = r.file,
						.length = (uint64_t)PAGES * PAGE_BYTES });
		rig_read(&r.rig, r.task, r.file, 0, LIMIT / 2);
		assert_int_equal(totals(&r).nr_reread, 0);
		rig_close(&r.rig);
	}
}

/* Shadows that no shrinker takes are known to the page. */
static void pages_with_shadows_are_known_too(void **state)
{
	struct reader r;

	(void)state;
	reader_open(&r, "v6.18+shadow_shrink=off");
	rig_read(&r.rig, r.task, r.file, 0, PAGES);
	rig_read(&r.rig, r.task, r.file, 0, 300);
	assert_int_equal(rig_memcg(&r.rig, r.group).nr_refault_file, 300);
	assert_int_equal(totals(&r).nr_reread, 300);
	rig_close(&r.rig);
}

/* A leaf that went leaves a bit for 16 pages: the 15 beside one that was taken count as well. */
static void of_a_leaf_that_went_sixteen_pages_are_known_together(void **state)
{
	static const struct {
		pages_t page, reread;
	} rows[] = { { 0, 1 }, { 15, 1 }, { 16, 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct reader r;
		uint32_t other;

		reader_open(&r, "v3.3");
		other = rig_file(&r.rig, PAGES);
		rig_read(&r.rig, r.task, r.file, 0, 1);
		rig_read(&r.rig, r.task, other, 0, PAGES);
		rig_read(&r.rig, r.task, r.file, rows[i].page, 1);
		assert_int_equal(totals(&r).nr_reread, rows[i].reread);
		rig_close(&r.rig);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_read_over_and_over_comes_back_whole),
		cmocka_unit_test(single_pages_are_known_again),
		cmocka_unit_test(what_reclaim_did_not_take_does_not_count),
		cmocka_unit_test(pages_with_shadows_are_known_too),
		cmocka_unit_test(of_a_leaf_that_went_sixteen_pages_are_known_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
