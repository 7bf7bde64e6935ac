/*
 * memory.min, memory.low and memory.high: the arithmetic of protection and
 * of the penalty, worked by hand; who is left out of reclaim, who is taken
 * as a last resort and counts it; and that the penalty is paid.
 */
#include <inttypes.h>
#include <string.h>

#include "protect.h"
#include "rig.h"
#include "run_private.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V2 "v6.18+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { MIB_PAGES = 256, LIST = 25000, USAGE = 25600, FIRST_PRIORITY = 12 };

static void protection_leaves_a_part_of_a_list(void **state)
{
	static const struct {
		pages_t min, low;
		bool ignore_low;
		pages_t size, target; /* at the first priority */
	} rows[] = {
		{ 0, 0, false, 25000, 6 },
		{ 0, 12800, false, 12501, 3 },
		/* low counts where it is more than min, unless it is ignored */
		{ 12800, 19200, false, 6251, 1 },
		{ 12800, 19200, true, 12501, 3 },
		{ 12800, 0, false, 12501, 3 },
		{ 12800, 6400, false, 12501, 3 },
		/* never less than a cluster, which no early priority scans */
		{ 0, 25599, false, 32, 0 },
		{ 0, 25599, true, 25000, 6 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		pages_t size =
			protect_size(LIST, USAGE, rows[i].min, rows[i].low, rows[i].ignore_low);

		assert_int_equal(size, rows[i].size);
		assert_int_equal(size >> FIRST_PRIORITY, rows[i].target);
	}
	/* Protection above usage shields no more than the usage would. */
	assert_int_equal(protect_size(1000, 500, 2000, 0, false), 32);
	/* 10000 * 900 // 1001 is 8991. */
	assert_int_equal(protect_size(10000, 1000, 900, 0, false), 1009);
}

static void effective_protection_is_shared_by_what_is_claimed(void **state)
{
	static const struct { struct protect_in in; pages_t effective; } rows[] = {
		/* claims above the parent's protection are cut alike: 800 * 1000 // 1500 */
		{ { 1000, 2000, 800, 1000, 1500, true }, 533 },
		{ { 1000, 2000, 800, 1000, 1500, false }, 533 },
		/* what the siblings leave goes by usage: 300 + 500 * 700 // 1500 */
		{ { 1000, 2000, 300, 1000, 500, true }, 533 },
		{ { 1000, 2000, 300, 1000, 500, false }, 300 },
		/* a claim is no more than the usage */
		{ { 100, 2000, 800, 1000, 600, true }, 100 },
		/* without a claim of its own a group gets part of what is left */
		{ { 400, 1200, 0, 1000, 200, true }, 320 },
		{ { 400, 1200, 0, 1000, 200, false }, 0 },
		/* claims of just the parent's protection leave nothing to share */
		{ { 1000, 2000, 700, 1000, 1000, true }, 700 },
		/* nothing above, nothing below */
		{ { 1000, 2000, 700, 0, 1000, true }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_int_equal(protect_effective(&rows[i].in), rows[i].effective);
}

static uint64_t delay(pages_t mib, pages_t high_mib, pages_t debt, uint64_t hz)
{
	return protect_delay(protect_overage(mib * MIB_PAGES, high_mib * MIB_PAGES), debt, 64, hz);
}

static void the_penalty_grows_with_the_square_of_the_overage(void **state)
{
	/* high 100 MiB, a full batch of debt, 1000 ticks a second. */
	static const struct { pages_t mib; uint64_t ticks; } rows[] = {
		{ 99, 0 }, { 100, 0 }, { 101, 6 }, { 102, 25 }, { 103, 57 }, { 105, 159 },
		{ 110, 639 }, { 115, 1439 }, { 117, 1849 }, { 118, 2000 }, { 200, 2000 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_int_equal(delay(rows[i].mib, 100, 64, 1000), rows[i].ticks);
	/* In proportion to the debt, and capped after that: 2073 ticks for a full batch. */
	assert_int_equal(delay(110, 100, 32, 1000), 319);
	assert_int_equal(delay(118, 100, 32, 1000), 1036);
	assert_int_equal(delay(118, 100, 128, 1000), 2000);
	/* With the batches of 5.4 a full delay is for 32 pages. */
	assert_int_equal(protect_delay(protect_overage(110, 100), 32, 32, 1000), 639);
	/* At 250 ticks a second: a quarter, rounded on its own. */
	assert_int_equal(delay(110, 100, 64, 250), 159);
	assert_int_equal(delay(200, 100, 64, 250), 500);
}

static void set_group(struct rig *rig, uint32_t group, const struct group_conf *conf)
{
	struct op op = { .kind = OP_GROUP_SET, .object = group, .group = *conf };

	assert_int_equal(rig_apply(rig, &op).outcome, OP_DONE);
}

/* A limited parent with two children that have read files, each of the protection given. */
struct family {
	struct rig rig;
	uint32_t parent, task, child[2];
};

static void family_open(struct family *f, pages_t limit, const struct group_conf conf[2],
			const pages_t pages[2])
{
	rig_open(&f->rig, EXACT_V2, 1);
	f->parent = rig_group(&f->rig, RIG_ROOT, "p", limit);
	f->task = rig_task(&f->rig, f->parent, 0);
	for (int i = 0; i < 2; i++) {
		f->child[i] = rig_group(&f->rig, f->parent, i ? "b" : "a", 0);
		set_group(&f->rig, f->child[i], &conf[i]);
		rig_read(&f->rig, rig_task(&f->rig, f->child[i], 0), rig_file(&f->rig, pages[i]), 0,
			 pages[i]);
		assert_int_equal(rig_memcg(&f->rig, f->child[i]).charged, pages[i]);
	}
}

/* memory.reclaim of the parent.  Returns: pages freed. */
static pages_t reclaim(struct family *f, pages_t pages)
{
	struct op op = {
		.kind = OP_RECLAIM, .object = f->parent, .length = pages * PAGE_BYTES };

	return rig_apply(&f->rig, &op).done_pages;
}

static uint64_t low_events(struct family *f, int child)
{
	return run_machine(f->rig.run)->memcgs.memcg[f->child[child]].low_events;
}

static void a_group_within_its_low_is_left_out_while_others_have_pages(void **state)
{
	static const struct group_conf conf[2] = {
		{ .set = GROUP_LOW, .low_pages = 6400 }, { .set = 0 } };
	static const pages_t pages[2] = { 6400, 6400 };
	struct family f;
	pages_t freed;

	(void)state;
	family_open(&f, 0, conf, pages);
	/*
	 * A quarter of what is left at a time: 250 take 1, 3, 6, 12, 24, 49, 98 and 193 pages, all
	 * of B; then 153 take 180, 108 take 175, 64 take 84, 43 take 82, and 32 three times 39.
	 */
	assert_int_equal(reclaim(&f, 1000), 1024);
	assert_int_equal(rig_memcg(&f.rig, f.child[0]).charged, 6400);
	assert_int_equal(low_events(&f, 0), 0);
	/* The rest of B goes; then A is taken too, as a last resort, which is counted. */
	freed = reclaim(&f, 6000);
	assert_in_range(freed, 6000, 6000 + 63);
	assert_int_equal(rig_memcg(&f.rig, f.child[1]).charged, 0);
	assert_int_equal(rig_memcg(&f.rig, f.child[0]).charged, 12800 - 1024 - freed);
	assert_true(low_events(&f, 0) > 0);
	assert_int_equal(low_events(&f, 1), 0);
	rig_check(&f.rig, "low");
	rig_close(&f.rig);
}

static void a_group_within_its_min_is_never_taken(void **state)
{
	static const struct group_conf conf[2] = {
		{ .set = GROUP_MIN, .min_pages = 6400 }, { .set = 0 } };
	static const pages_t pages[2] = { 6400, 6400 };
	struct family f;

	(void)state;
	family_open(&f, 0, conf, pages);
	assert_int_equal(reclaim(&f, 9000), 6400);
	assert_int_equal(rig_memcg(&f.rig, f.child[0]).charged, 6400);
	assert_int_equal(rig_memcg(&f.rig, f.child[1]).charged, 0);
	assert_int_equal(low_events(&f, 0), 0);
	rig_check(&f.rig, "min");
	rig_close(&f.rig);
}

static void a_groups_own_limit_is_not_softened_by_its_min(void **state)
{
	static const struct group_conf conf[2] = {
		{ .set = GROUP_MIN, .min_pages = 6400 }, { .set = 0 } };
	static const pages_t pages[2] = { 6400, 64 };
	struct family f;

	(void)state;
	family_open(&f, 0, conf, pages);
	assert_int_equal(rig_limit(&f.rig, f.child[0], 3200), OP_DONE);
	assert_true(rig_memcg(&f.rig, f.child[0]).usage <= 3200);
	assert_int_equal(rig_memcg(&f.rig, f.child[1]).charged, 64);
	rig_close(&f.rig);
}

/* The scan target of a half protected group is half of its neighbour's. */
static void a_partly_protected_group_is_scanned_less(void **state)
{
	static const struct group_conf conf[2] = {
		{ .set = GROUP_LOW, .low_pages = 16384 }, { .set = 0 } };
	static const pages_t pages[2] = { 32768, 32768 };
	const struct event *shrink;
	struct family f;

	(void)state;
	family_open(&f, 0, conf, pages);
	reclaim(&f, 12);
	/*
	 * The batch is not drained before the first shrink: 32768 = 1057 * 31 + 1, so one page of
	 * A was listed when B read, and B's last waits; 32768 * 16384 // 32769 are left out.
	 */
	shrink = rig_nth(&f.rig, EVENT_SHRINK, 0);
	assert_int_equal(shrink->memcg, f.child[0]);
	assert_int_equal(shrink->n[SHRINK_PRIORITY], FIRST_PRIORITY);
	assert_int_equal(shrink->n[SHRINK_TO_SCAN], (32768 - 16383) >> FIRST_PRIORITY);
	shrink = rig_nth(&f.rig, EVENT_SHRINK, 1);
	assert_int_equal(shrink->memcg, f.child[1]);
	assert_int_equal(shrink->n[SHRINK_TO_SCAN], 32768 >> FIRST_PRIORITY);
	rig_close(&f.rig);
}

/* The first batch of @pages above high is paid for with @ticks of sleep. */
static void check_sleep(pages_t usage, uint64_t ticks)
{
	static const struct group_conf high = { .set = GROUP_HIGH, .high_pages = 25600 };
	struct run_totals before, after;
	uint32_t group, task, map;
	struct rig rig;
	ns_t start;

	rig_open(&rig, EXACT_V2, 1);
	group = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, group, 0);
	map = rig_map(&rig, task, usage);
	assert_int_equal(rig_touch(&rig, task, map, 0, usage - 64), OP_DONE);
	set_group(&rig, group, &high);
	run_totals(rig.run, &before);
	start = run_now(rig.run);
	/* A batch of 64 is charged: the debt of one fault. */
	assert_int_equal(rig_touch(&rig, task, map, usage - 64, 1), OP_DONE);
	assert_int_equal(rig_memcg(&rig, group).usage, usage);
	run_totals(rig.run, &after);
	assert_int_equal(after.throttled_ns - before.throttled_ns, ticks * 1000000);
	assert_true(run_now(rig.run) - start >= ticks * 1000000);
	assert_int_equal(after.oom_kills, 0);
	rig_close(&rig);
}

static void a_charge_above_high_sleeps_but_not_for_ten_ticks(void **state)
{
	(void)state;
	check_sleep(25600, 0);
	check_sleep(25856, 0); /* 6 ticks are not slept */
	check_sleep(26112, 25);
	check_sleep(28160, 639);
	check_sleep(30208, 2000);
}

/* A task far above high gets on by a batch in two seconds, however large its next touch is. */
static void every_fault_above_high_pays_for_its_batch(void **state)
{
	enum { BATCHES = 10 };
	static const struct group_conf high = { .set = GROUP_HIGH, .high_pages = 25600 };
	struct run_totals totals;
	uint32_t group, task, map;
	struct rig rig;

	(void)state;
	rig_open(&rig, EXACT_V2, 1);
	group = rig_group(&rig, RIG_ROOT, "g", 0);
	task = rig_task(&rig, group, 0);
	map = rig_map(&rig, task, 40960);
	rig_touch(&rig, task, map, 0, 32000);
	set_group(&rig, group, &high);
	assert_int_equal(rig_touch(&rig, task, map, 32000, 64 * BATCHES), OP_DONE);
	run_totals(rig.run, &totals);
	assert_int_equal(totals.throttled_ns, (ns_t)BATCHES * 2 * 1000000000);
	assert_int_equal(rig_memcg(&rig, group).limit_hits, 0);
	rig_close(&rig);
}

/* e26733e0d0ec (5.8): the worst level above the task decides; before, only its own group did, which
 * has no high here. */
static void at_first_only_the_tasks_own_group_made_it_sleep(void **state)
{
	static const struct group_conf high = { .set = GROUP_HIGH, .high_pages = 25600 };
	static const struct { const char *kernel; bool sleeps; } rows[] = {
		{ EXACT_V2, true }, { EXACT_V2 "+high_scope=own", false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		uint32_t parent, task, map;
		struct run_totals totals;
		struct rig rig;

		rig_open(&rig, rows[i].kernel, 1);
		parent = rig_group(&rig, RIG_ROOT, "p", 0);
		task = rig_task(&rig, rig_group(&rig, parent, "c", 0), 0);
		map = rig_map(&rig, task, 32000);
		rig_touch(&rig, task, map, 0, 31900);
		set_group(&rig, parent, &high);
		assert_int_equal(rig_touch(&rig, task, map, 31900, 100), OP_DONE);
		run_totals(rig.run, &totals);
		assert_int_equal(totals.throttled_ns > 0, rows[i].sleeps);
		rig_close(&rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(protection_leaves_a_part_of_a_list),
		cmocka_unit_test(effective_protection_is_shared_by_what_is_claimed),
		cmocka_unit_test(the_penalty_grows_with_the_square_of_the_overage),
		cmocka_unit_test(a_group_within_its_low_is_left_out_while_others_have_pages),
		cmocka_unit_test(a_group_within_its_min_is_never_taken),
		cmocka_unit_test(a_groups_own_limit_is_not_softened_by_its_min),
		cmocka_unit_test(a_partly_protected_group_is_scanned_less),
		cmocka_unit_test(a_charge_above_high_sleeps_but_not_for_ten_ticks),
		cmocka_unit_test(at_first_only_the_tasks_own_group_made_it_sleep),
		cmocka_unit_test(every_fault_above_high_pays_for_its_batch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
