/*
 * Dirty limits: the arithmetic of thresholds and of the rate at which one
 * may dirty pages, who sleeps because of them, and what the flusher writes
 * by itself.  And the disk: pages of one request are written together.
 */
#include "dirty.h"
#include "rig.h"
#include "run_private.h"
#include "writeback.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define SECOND INT64_C(1000000000)

enum { MIB_PAGES = 256, GIB_PAGES = 1024 * MIB_PAGES, SIZE = 8192 };

struct one {
	struct rig rig;
	struct machine *m;
	uint32_t group, task, file;
};

static void one_open(struct one *one, const char *kernel, pages_t limit)
{
	rig_open(&one->rig, kernel, 1);
	one->m = run_machine(one->rig.run);
	one->group = rig_group(&one->rig, RIG_ROOT, "g", limit);
	one->task = rig_task(&one->rig, one->group, 0);
	one->file = rig_file(&one->rig, SIZE);
}

static struct op_result act(struct one *one, enum op_kind kind, pages_t first, pages_t nr)
{
	struct op op = { .kind = kind, .task = one->task, .object = one->file,
			 .offset = first * PAGE_BYTES, .length = nr * PAGE_BYTES };

	return rig_apply(&one->rig, &op);
}

static void sleep_ns(struct one *one, int64_t ns)
{
	struct op op = { .kind = OP_THINK, .value = ns };

	rig_apply(&one->rig, &op);
}

/* W22: 24 GiB, all dirtyable: 2,457.6, 4,915.2 and 3,686.4 MiB. */
static void a_fifth_may_be_dirty_and_a_tenth_is_written(void **state)
{
	struct knobs knobs;
	struct dirty_limits limits;

	(void)state;
	knob_defaults(&knobs);
	limits = dirty_limits_of(&knobs, 24 * GIB_PAGES, 24 * GIB_PAGES);
	assert_int_equal(limits.background, 24576 * MIB_PAGES / 10);
	assert_int_equal(limits.limit, 49152 * MIB_PAGES / 10);
	assert_int_equal(dirty_freerun(limits), 36864 * MIB_PAGES / 10);
}

/* 32 MiB of a machine of 32 GiB: the background limit of 3.2 GiB makes room, half of the limit. */
static void a_limit_in_bytes_replaces_the_ratio(void **state)
{
	const pages_t all = 32 * GIB_PAGES;
	struct knobs knobs;
	struct dirty_limits limits;

	(void)state;
	knob_defaults(&knobs);
	knobs.dirty_bytes = 32 << 20;
	limits = dirty_limits_of(&knobs, all, all);
	assert_int_equal(limits.limit, 32 * MIB_PAGES);
	assert_int_equal(limits.background, 16 * MIB_PAGES);
	/* A group with a quarter of what can be dirty has a quarter of the bytes. */
	limits = dirty_limits_of(&knobs, all / 4, all);
	assert_int_equal(limits.limit, 8 * MIB_PAGES);
	knobs.dirty_background_bytes = 4 << 20;
	assert_int_equal(dirty_limits_of(&knobs, all, all).background, 4 * MIB_PAGES);
}

static void the_rate_falls_from_twice_to_nothing_between_free_run_and_limit(void **state)
{
	/* Free run 1500, middle 1750: x = (1750 - dirty) * 1024 / 251, rate = 1024 + x^3. */
	static const struct { pages_t dirty; uint64_t rate; } rows[] = {
		{ 1000, 2048 }, { 1500, 2033 }, { 1625, 1149 }, { 1750, 1024 },
		{ 1875, 899 }, { 1999, 27 }, { 2000, 0 }, { 9000, 0 },
	};
	const struct dirty_limits limits = { 1000, 2000 };

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_int_equal(dirty_position(limits, rows[i].dirty), rows[i].rate);
}

/* 117 us a page are 8,547 a second: a tick for each 67 dirty pages, and 200 ms at most. */
static void a_sleep_is_short_where_little_is_dirty(void **state)
{
	struct knobs knobs;

	(void)state;
	knob_defaults(&knobs);
	knobs.write_ns = 117000;
	assert_int_equal(dirty_pause_max(&knobs, 0), 1000000);
	assert_int_equal(dirty_pause_max(&knobs, 250), 4000000);
	assert_int_equal(dirty_pause_max(&knobs, 1000000), 200000000);
}

/* v1 knows the machine's limits only, 800 MiB here; v2 a fifth of what the group can have. */
static void a_writer_of_v2_is_slowed_down_by_its_group_one_of_v1_is_not(void **state)
{
	static const struct { const char *kernel; bool sleeps; pages_t most; } rows[] = {
		{ "v6.18", true, 1250 }, { "v6.18-v1", false, 4096 }, { "v3.6", false, 4096 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct run_totals totals;
		struct one one;

		one_open(&one, rows[i].kernel, 5000);
		assert_int_equal(act(&one, OP_WRITE, 0, 4096).outcome, OP_DONE);
		run_totals(one.rig.run, &totals);
		assert_int_equal(totals.dirty_wait_ns > 0, rows[i].sleeps);
		assert_true(totals.peak_dirty_pages <= rows[i].most);
		assert_int_equal(rig_count(&one.rig, EVENT_WAIT) > 0, rows[i].sleeps);
		if (rows[i].sleeps)
			assert_int_equal(rig_nth(&one.rig, EVENT_WAIT, 0)->rule,
					 RULE_THROTTLE_DIRTY);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

/* Dirty for 30 s, and looked for every 5 s: clean after 35 s at the latest, not before 30. */
static void an_old_file_is_written_without_being_asked(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", 0);
	act(&one, OP_WRITE, 0, 100);
	sleep_ns(&one, 29 * SECOND);
	assert_int_equal(rig_memcg(&one.rig, one.group).dirty, 100);
	sleep_ns(&one, 7 * SECOND);
	assert_int_equal(rig_memcg(&one.rig, one.group).dirty, 0);
	assert_int_equal(rig_memcg(&one.rig, one.group).writeback, 0);
	rig_check(&one.rig, "clean");
	rig_close(&one.rig);
}

/* Above the background limit the flusher writes while the task does something else. */
static void above_the_background_limit_the_flusher_writes(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", 0);
	one.m->sc.era.knobs.dirty_background_bytes = 500 * PAGE_BYTES;
	act(&one, OP_WRITE, 0, 2000);
	assert_int_equal(rig_memcg(&one.rig, one.group).dirty, 2000);
	sleep_ns(&one, SECOND);
	assert_int_equal(rig_memcg(&one.rig, one.group).dirty, 500);
	rig_close(&one.rig);
}

/* 300 pages in a row are requests of 128, 128 and 44, which end one after the other. */
static void pages_of_one_request_are_written_together(void **state)
{
	static const struct { int64_t ms; pages_t left; } rows[] = {
		{ 127, 300 }, { 2, 172 }, { 126, 172 }, { 2, 44 }, { 41, 44 }, { 3, 0 },
	};
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", 0);
	one.m->sc.era.knobs.write_ns = 1000000;
	act(&one, OP_WRITE, 0, 300);
	assert_int_equal(writeback_flusher(one.m, MEMCG_NONE, 1000), 300);
	for (size_t i = 0; i < NR(rows); i++) {
		dirty_pass_time(one.m, one.m->host->now + (ns_t)rows[i].ms * 1000000);
		assert_int_equal(rig_memcg(&one.rig, one.group).writeback, rows[i].left);
	}
	rig_close(&one.rig);
}

/* Only the page that is in the way is waited for, not all that the disk has to do. */
static void a_page_under_writeback_is_waited_for_alone(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", 0);
	one.m->sc.era.knobs.write_ns = 1000000;
	act(&one, OP_WRITE, 0, 300);
	writeback_flusher(one.m, MEMCG_NONE, 1000);
	writeback_wait_page(one.m, page_find(&one.m->pages, &one.m->pages.mapping[one.file], 130));
	assert_int_equal(rig_memcg(&one.rig, one.group).writeback, 44);
	rig_close(&one.rig);
}

/* A file is not written again while its page is still being written. */
static void a_page_that_is_dirtied_under_writeback_waits_for_its_turn(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", 0);
	act(&one, OP_WRITE, 0, 1);
	assert_int_equal(writeback_flusher(one.m, MEMCG_NONE, 10), 1);
	act(&one, OP_WRITE, 0, 1);
	assert_int_equal(rig_memcg(&one.rig, one.group).dirty, 1);
	assert_int_equal(rig_memcg(&one.rig, one.group).writeback, 1);
	assert_int_equal(writeback_flusher(one.m, MEMCG_NONE, 10), 0);
	writeback_wait(one.m);
	assert_int_equal(writeback_flusher(one.m, MEMCG_NONE, 10), 1);
	rig_close(&one.rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fifth_may_be_dirty_and_a_tenth_is_written),
		cmocka_unit_test(a_limit_in_bytes_replaces_the_ratio),
		cmocka_unit_test(the_rate_falls_from_twice_to_nothing_between_free_run_and_limit),
		cmocka_unit_test(a_sleep_is_short_where_little_is_dirty),
		cmocka_unit_test(a_writer_of_v2_is_slowed_down_by_its_group_one_of_v1_is_not),
		cmocka_unit_test(an_old_file_is_written_without_being_asked),
		cmocka_unit_test(above_the_background_limit_the_flusher_writes),
		cmocka_unit_test(pages_of_one_request_are_written_together),
		cmocka_unit_test(a_page_under_writeback_is_waited_for_alone),
		cmocka_unit_test(a_page_that_is_dirtied_under_writeback_waits_for_its_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
