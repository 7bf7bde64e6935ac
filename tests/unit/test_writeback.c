/*
 * Dirty pages at the tail of an inactive list: who writes them, what becomes
 * of them, how often a short list of pages that cannot go is examined, and
 * where a page goes when its write ends.
 */
#include "rig.h"
#include "run_private.h"
#include "shrink.h"
#include "writeback.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"
#define EXACT_V2 "v6.18+kmem=off+stat_flush=exact+shadow_shrink=off"

/* A clean page in each cluster: where all were dirty, v6.18 would wake the flusher. */
enum { CLUSTER = 32, DIRTY = 31, CLEAN = 101 };

struct one {
	struct rig rig;
	struct machine *m;
	uint32_t group, task, file;
};

static uint32_t slot_of(struct one *one, pages_t index)
{
	return page_find(&one->m->pages, &one->m->pages.mapping[one->file], index);
}

static uint32_t *word_of(struct one *one, pages_t index)
{
	return &one->m->pages.slot[slot_of(one, index)].word;
}

/* @dirty modified pages, the oldest of the list, then clean ones of another file. */
static void one_open(struct one *one, const char *kernel, pages_t dirty, pages_t clean)
{
	struct op op = { .kind = OP_WRITE, .length = dirty * PAGE_BYTES };

	rig_open(&one->rig, kernel, 1);
	one->m = run_machine(one->rig.run);
	one->m->sc.era.knobs.write_ns = 1000000;
	one->group = rig_group(&one->rig, RIG_ROOT, "g", 0);
	op.task = one->task = rig_task(&one->rig, one->group, 0);
	op.object = one->file = rig_file(&one->rig, dirty);
	assert_int_equal(rig_apply(&one->rig, &op).outcome, OP_DONE);
	if (clean)
		rig_read(&one->rig, one->task, rig_file(&one->rig, clean), 0, clean);
	rig_drain(&one->rig, one->task);
	/* Not used since they were written. */
	for (pages_t i = 0; i < dirty; i++)
		*word_of(one, i) &= ~(uint32_t)PG_REFERENCED;
	assert_int_equal(rig_memcg(&one->rig, one->group).dirty, dirty);
	assert_int_equal(rig_memcg(&one->rig, one->group).size[LRU_INACTIVE_FILE], dirty + clean);
}

/* One call for a limit, or for the machine by kswapd. */
static pages_t shrink(struct one *one, pages_t nr, unsigned priority, bool kswapd)
{
	struct reclaim rc = {
		.target = one->group, .priority = priority, .want = CLUSTER,
		.global = kswapd, .kswapd = kswapd,
	};
	const struct shrink sh = {
		.id = { one->group, 0, LRU_INACTIVE_FILE }, .nr_to_scan = nr };

	return shrink_inactive(one->m, &rc, &sh);
}

/* Pages of the dirty file with all of @flags. */
static pages_t with_flags(struct one *one, pages_t nr, uint32_t flags)
{
	pages_t found = 0;

	for (pages_t i = 0; i < nr; i++)
		found += (*word_of(one, i) & flags) == flags;
	return found;
}

static void dirty_pages_are_written_kept_or_activated_by_era(void **state)
{
	static const struct { const char *kernel; bool writes, marks, activates; } rows[] = {
		{ "v2.6.31", true, true, false }, { "v2.6.32", true, true, false },
		{ "v3.1", true, true, false },
		{ "v3.2", false, true, false }, { "v3.3", false, true, false },
		{ EXACT_V1, false, true, true }, { EXACT_V2, false, true, true },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct run_memcg g;
		struct one one;

		one_open(&one, rows[i].kernel, DIRTY, CLEAN);
		assert_int_equal(shrink(&one, CLUSTER, 12, false), 1);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.writeback, rows[i].writes ? DIRTY : 0);
		assert_int_equal(g.dirty, rows[i].writes ? 0 : DIRTY);
		assert_int_equal(with_flags(&one, DIRTY, PG_RECLAIM), rows[i].marks ? DIRTY : 0);
		assert_int_equal(g.size[LRU_ACTIVE_FILE], rows[i].activates ? DIRTY : 0);
		assert_int_equal(g.size[LRU_INACTIVE_FILE],
				 CLEAN - 1 + (rows[i].activates ? 0 : DIRTY));
		/* Kept at the head: the clean ones go first now. */
		assert_int_equal(shrink(&one, CLUSTER, 12, false), CLUSTER);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

static void kswapd_of_v3_2_writes_from_priority_9_on(void **state)
{
	static const struct { const char *kernel; unsigned priority; bool writes; } rows[] = {
		{ "v3.2", 10, false }, { "v3.2", 9, true }, { "v3.3", 10, false },
		{ "v3.3", 9, true }, { "v3.1", 12, true }, { EXACT_V1, 9, false },
		{ EXACT_V1, 1, false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;

		one_open(&one, rows[i].kernel, DIRTY, CLEAN);
		assert_int_equal(shrink(&one, CLUSTER, rows[i].priority, true), 1);
		assert_int_equal(rig_memcg(&one.rig, one.group).writeback,
				 rows[i].writes ? DIRTY : 0);
		rig_close(&one.rig);
	}
}

/* A page that was used since it was listed is kept for now, and its mark is cleared. */
static void a_used_dirty_page_is_not_written_yet(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v2.6.32", "v3.1" };

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct one one;

		one_open(&one, kernels[k], CLUSTER, 0);
		*word_of(&one, 5) |= PG_REFERENCED;
		assert_int_equal(shrink(&one, CLUSTER, 12, false), 0);
		assert_int_equal(rig_memcg(&one.rig, one.group).writeback, CLUSTER - 1);
		assert_true(*word_of(&one, 5) & PG_DIRTY);
		assert_false(*word_of(&one, 5) & PG_REFERENCED);
		rig_close(&one.rig);
	}
}

/* Ten pages that may not be written: rounds of a cluster try them until as many as asked. */
static void a_short_list_is_examined_again_and_again_to_v2_6_33(void **state)
{
	static const struct { const char *kernel; pages_t asked; int64_t scanned; } rows[] = {
		{ "v2.6.31", 32, 40 }, { "v2.6.32", 32, 40 }, { "v2.6.31", 10, 10 },
		{ "v2.6.31", 11, 20 }, { "v3.1", 32, 10 }, { "v3.1", 6, 6 }, { "v3.3", 32, 10 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;

		one_open(&one, rows[i].kernel, 10, 0);
		/* The device takes no more. */
		one.m->sc.era.knobs.write_queue = 0;
		assert_int_equal(shrink(&one, rows[i].asked, 12, false), 0);
		assert_int_equal(rig_nth(&one.rig, EVENT_SHRINK, 0)->n[SHRINK_SCANNED],
				 rows[i].scanned);
		assert_int_equal(rig_memcg(&one.rig, one.group).dirty, 10);
		rig_close(&one.rig);
	}
}

/* Whether the first page of the dirty file is the next that reclaim of the group takes. */
static bool first_is_tail(struct one *one)
{
	struct lru_walk walk;

	lru_walk_start(&machine_memcg(one->m, one->group)->lruvec[0].list[LRU_INACTIVE_FILE],
		       &walk);
	return lru_walk_next(&one->m->lists, PLANE_GROUP, &walk) == slot_of(one, 0);
}

/* Reclaim waits for the page: when it is clean it goes to the tail, but not of v2.6.32's groups. */
static void a_written_page_goes_to_the_tail(void **state)
{
	/* Asked for one page, a round of v2.6.32 takes 31 clean ones with it. */
	static const struct { const char *kernel; bool rotates; pages_t freed; } rows[] = {
		{ "v2.6.31", false, 31 }, { "v2.6.32", false, 31 },
		{ "v2.6.32+rotate_group=on", true, 31 },
		{ "v3.1", true, 0 }, { "v3.1+rotate_group=off", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;

		one_open(&one, rows[i].kernel, 1, CLEAN);
		assert_true(first_is_tail(&one));
		assert_int_equal(shrink(&one, 1, 12, false), rows[i].freed);
		assert_false(first_is_tail(&one));
		assert_int_equal(with_flags(&one, 1, PG_RECLAIM), 1);
		writeback_wait(one.m);
		assert_int_equal(rig_memcg(&one.rig, one.group).writeback, 0);
		assert_int_equal(with_flags(&one, 1, PG_RECLAIM), 0);
		assert_int_equal(first_is_tail(&one), rows[i].rotates);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

/* Two looks at pages that nobody has written yet: the second waits from v3.6 on, but not in v2
 * and not for the whole machine. */
static void a_marked_page_under_writeback_is_waited_for_from_v3_6_on(void **state)
{
	static const struct { const char *kernel; bool kswapd; pages_t freed; } rows[] = {
		{ "v3.5", false, 0 }, { "v3.6", false, CLUSTER }, { "v3.6", true, 0 },
		{ "v3.5+writeback_wait=marked", false, CLUSTER },
		{ EXACT_V1, false, CLUSTER }, { EXACT_V2, false, 0 },
		{ EXACT_V1 "+writeback_wait=none", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct one one;

		one_open(&one, rows[i].kernel, CLUSTER, 0);
		assert_int_equal(writeback_flusher(one.m, MEMCG_NONE, CLUSTER), CLUSTER);
		assert_int_equal(shrink(&one, CLUSTER, 12, rows[i].kswapd), 0);
		/* What v6.18 has activated is old again. */
		for (pages_t p = 0; p < CLUSTER; p++) {
			machine_unlist(one.m, slot_of(&one, p));
			*word_of(&one, p) &= ~(uint32_t)PG_ACTIVE;
			machine_list(one.m, slot_of(&one, p));
		}
		assert_int_equal(shrink(&one, CLUSTER, 12, rows[i].kswapd), rows[i].freed);
		assert_int_equal(rig_count(&one.rig, EVENT_WAIT), rows[i].freed ? 1 : 0);
		rig_check(&one.rig, rows[i].kernel);
		rig_close(&one.rig);
	}
}

/* A cluster of nothing but dirty pages: whether the flusher is woken, and waited for. */
static void dirty_pages_alone_wake_the_flusher_by_era(void **state)
{
	static const struct { const char *kernel; bool wakes, waits; } rows[] = {
		{ EXACT_V1, true, true }, { EXACT_V2, true, false },
		{ EXACT_V1 "+flusher=dirty_v2", false, false },
		{ EXACT_V2 "+flusher=dirty_v2", true, false },
		{ EXACT_V1 "+flusher=scanned", false, false }, { "v3.6", false, false },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct run_memcg g;
		struct one one;

		one_open(&one, rows[i].kernel, CLUSTER, 0);
		shrink(&one, CLUSTER, 12, false);
		g = rig_memcg(&one.rig, one.group);
		assert_int_equal(g.dirty, rows[i].wakes ? 0 : CLUSTER);
		assert_int_equal(g.writeback, rows[i].wakes && !rows[i].waits ? CLUSTER : 0);
		assert_int_equal(rig_count(&one.rig, EVENT_WAIT), rows[i].waits ? 1 : 0);
		rig_close(&one.rig);
	}
}

/* 1,000 pages: 16 tree nodes and one above of 592 bytes are 3 pages; 112 bytes a written page
 * more are 122,064 bytes, 30 pages.  What goes gives them back. */
static void a_written_page_has_a_buffer_head_that_is_charged(void **state)
{
	static const struct { enum op_kind kind; pages_t kmem; } rows[] = {
		{ OP_READ, 3 }, { OP_WRITE, 30 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct op op = { .kind = rows[i].kind, .length = 1000 * PAGE_BYTES };
		struct op drop = { .kind = OP_FILE_DROP }, flush = { .kind = OP_FLUSH };
		struct rig rig;
		uint32_t group;

		rig_open(&rig, "v6.18-v1", 1);
		group = rig_group(&rig, RIG_ROOT, "g", 0);
		op.task = rig_task(&rig, group, 0);
		op.object = drop.object = rig_file(&rig, 1000);
		rig_apply(&rig, &op);
		/* A second time nothing is charged. */
		rig_apply(&rig, &op);
		assert_int_equal(rig_memcg(&rig, group).kmem, rows[i].kmem);
		rig_apply(&rig, &drop);
		rig_apply(&rig, &flush);
		assert_true(rig_memcg(&rig, group).kmem <= 1);
		rig_check(&rig, "dropped");
		rig_close(&rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(dirty_pages_are_written_kept_or_activated_by_era),
		cmocka_unit_test(kswapd_of_v3_2_writes_from_priority_9_on),
		cmocka_unit_test(a_used_dirty_page_is_not_written_yet),
		cmocka_unit_test(a_short_list_is_examined_again_and_again_to_v2_6_33),
		cmocka_unit_test(a_written_page_goes_to_the_tail),
		cmocka_unit_test(a_marked_page_under_writeback_is_waited_for_from_v3_6_on),
		cmocka_unit_test(dirty_pages_alone_wake_the_flusher_by_era),
		cmocka_unit_test(a_written_page_has_a_buffer_head_that_is_charged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
