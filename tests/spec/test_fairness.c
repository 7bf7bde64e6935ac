/*
 * Who loses pages in a hierarchy: H without pages above A and B, all clean
 * once-read file pages, no swap, one zone, sizes restored before every hit.
 *
 * A hit is made by a task of H that touches one anonymous page, which is
 * not charged yet while reclaim runs and is unmapped after it.  Then each
 * child's own reader brings in as many new pages as its group has lost; a
 * stranger's charge on the same CPU returns what a refill left in the stock,
 * and munmap lists what is left in the add queue.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { HITS_MAX = 16, FILE_PAGES = 1 << 20 };

struct child {
	uint32_t group, task, file;
	pages_t size, at;
};

struct family {
	struct rig rig;
	uint32_t h, h_task;
	struct child child[2], stranger;
};

/* Read @nr pages not read before into @child's group, leaving nothing in stock or queue. */
static void refill(struct family *f, struct child *child, pages_t nr)
{
	if (nr) {
		assert_int_equal(rig_read(&f->rig, child->task, child->file, child->at, nr),
				 OP_DONE);
		child->at += nr;
	}
	/* The CPU's one stock is the stranger's now. */
	assert_int_equal(rig_read(&f->rig, f->stranger.task, f->stranger.file, f->stranger.at++, 1),
			 OP_DONE);
	rig_drain(&f->rig, f->h_task);
}

static void child_init(struct family *f, struct child *child, uint32_t group, pages_t size)
{
	child->group = group;
	child->size = size;
	child->at = 0;
	child->task = rig_task(&f->rig, group, 0);
	child->file = rig_file(&f->rig, FILE_PAGES);
}

static void family_open(struct family *f, const char *kernel, pages_t a, pages_t b)
{
	uint32_t group;

	rig_open(&f->rig, kernel, 1);
	f->h = rig_hierarchy(&f->rig, RIG_ROOT, "h", a + b);
	f->h_task = rig_task(&f->rig, f->h, 0);
	group = rig_hierarchy(&f->rig, f->h, "a", 0);
	child_init(f, &f->child[0], group, a);
	group = rig_hierarchy(&f->rig, f->h, "b", 0);
	child_init(f, &f->child[1], group, b);
	assert_int_equal(f->h, 2);
	assert_int_equal(f->child[0].group, 3);
	assert_int_equal(f->child[1].group, 4);
	child_init(f, &f->stranger, rig_group(&f->rig, RIG_ROOT, "stranger", 0), 0);
	for (unsigned i = 0; i < 2; i++)
		refill(f, &f->child[i], f->child[i].size);
}

/* What the example takes for granted before every hit. */
static void check_restored(struct family *f)
{
	struct run_memcg h = rig_memcg(&f->rig, f->h);

	assert_int_equal(h.usage, h.limit);
	assert_int_equal(h.stock, 0);
	assert_int_equal(h.charged, 0);
	for (unsigned i = 0; i < 2; i++) {
		struct run_memcg g = rig_memcg(&f->rig, f->child[i].group);

		assert_int_equal(g.size[LRU_INACTIVE_FILE], f->child[i].size);
		assert_int_equal(g.usage, f->child[i].size);
		assert_int_equal(g.queued, 0);
		assert_int_equal(g.stock, 0);
	}
}

/* One hit of H's limit; @lost receives what A and B lose.  Sizes are restored after it. */
static void hit(struct family *f, pages_t lost[2])
{
	uint32_t map;

	check_restored(f);
	rig_forget(&f->rig);
	map = rig_map(&f->rig, f->h_task, 1);
	assert_int_equal(rig_touch(&f->rig, f->h_task, map, 0, 1), OP_DONE);
	assert_int_equal(rig_count(&f->rig, EVENT_LIMIT_HIT), 1);
	assert_int_equal(rig_nth(&f->rig, EVENT_LIMIT_HIT, 0)->n[HIT_AT], f->h);
	rig_unmap(&f->rig, f->h_task, map);
	for (unsigned i = 0; i < 2; i++)
		lost[i] = f->child[i].size -
			  rig_memcg(&f->rig, f->child[i].group).size[LRU_INACTIVE_FILE];
	rig_check(&f->rig, "after a hit");
	for (unsigned i = 0; i < 2; i++)
		refill(f, &f->child[i], lost[i]);
	assert_int_equal(rig_count(&f->rig, EVENT_LIMIT_HIT), 1);
}

struct sequence {
	const char *kernel;
	pages_t a, b;
	unsigned nr;
	pages_t lost[HITS_MAX][2];
};

static const struct sequence sequences[] = {
	/* plain alternation; priorities 12 to 9 look at 3 + 6 + 12 + 24 */
	{ "v3.1", 12800, 12800, 8, {
		{ 45, 0 }, { 0, 45 }, { 45, 0 }, { 0, 45 }, { 45, 0 }, { 0, 45 }, { 45, 0 },
		{ 0, 45 } } },
	/* the small one is forced to a cluster at the first priority */
	{ "v3.1", 25000, 600, 6, {
		{ 42, 0 }, { 0, 32 }, { 42, 0 }, { 0, 32 }, { 42, 0 }, { 0, 32 } } },
	/* the lists are not the walk: the same under the LRU axis of 3.3 */
	{ "v3.1+lru=per_memcg", 12800, 12800, 4, {
		{ 45, 0 }, { 0, 45 }, { 45, 0 }, { 0, 45 } } },
	{ "v3.1+lru=per_memcg", 25000, 600, 4, {
		{ 42, 0 }, { 0, 32 }, { 42, 0 }, { 0, 32 } } },
	/*
	 * An iterator for each priority: the first hit spends all 13 on the
	 * empty H; every third finds 12 to 9 at H again and takes 32 from
	 * whom the next lower one names: 8 gives A, then B, then comes round
	 * to H, so that 7 gives A.
	 */
	{ "v3.3", 12800, 12800, 12, {
		{ 45, 0 }, { 0, 45 }, { 32, 0 }, { 45, 0 }, { 0, 45 }, { 0, 32 }, { 45, 0 },
		{ 0, 45 }, { 32, 0 }, { 45, 0 }, { 0, 45 }, { 32, 0 } } },
	{ "v3.3", 25000, 600, 8, {
		{ 42, 0 }, { 0, 32 }, { 0, 32 }, { 6, 32 }, { 0, 32 }, { 44, 0 }, { 6, 32 },
		{ 0, 32 } } },
};

static void check_sequence(const struct sequence *seq)
{
	struct family f;

	family_open(&f, seq->kernel, seq->a, seq->b);
	for (unsigned i = 0; i < seq->nr; i++) {
		pages_t lost[2];

		hit(&f, lost);
		if (lost[0] != seq->lost[i][0] || lost[1] != seq->lost[i][1])
			fail_msg("%s, A %" PRIu64 ", B %" PRIu64 ": hit %u frees (%" PRIu64
				 ",%" PRIu64 "), not (%" PRIu64 ",%" PRIu64 ")",
				 seq->kernel, seq->a, seq->b, i + 1, lost[0], lost[1],
				 seq->lost[i][0], seq->lost[i][1]);
	}
	rig_close(&f.rig);
}

static void each_hit_takes_what_the_kernels_rules_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(sequences); i++)
		check_sequence(&sequences[i]);
}

/* The priority loops of one hit as "group:priority:freed …". */
static void loops(const struct rig *rig, char out[RIG_TEXT_MAX])
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < rig->nr_events; i++) {
		const struct event *event = &rig->events[i];

		if (event->kind != EVENT_SHRINK)
			continue;
		len += (size_t)snprintf(out + len, RIG_TEXT_MAX - len,
					"%s%" PRIu32 ":%" PRId64 ":%" PRId64, len ? " " : "",
					event->memcg, event->n[SHRINK_PRIORITY],
					event->n[SHRINK_RECLAIMED]);
	}
}

/* Shrinks of one hit of 3.3, as group:priority:freed; H has none, its lists are empty. */
static void each_priority_of_3_3_has_its_own_iterator(void **state)
{
	static const char *const hits[] = {
		"3:12:3 3:11:6 3:10:12 3:9:24",
		"4:12:3 4:11:6 4:10:12 4:9:24",
		"3:8:32",
		"3:12:3 3:11:6 3:10:12 3:9:24",
		"4:12:3 4:11:6 4:10:12 4:9:24",
		"4:8:32",
	};
	struct family f;

	(void)state;
	family_open(&f, "v3.3", 12800, 12800);
	for (size_t i = 0; i < NR(hits); i++) {
		char text[RIG_TEXT_MAX];
		pages_t lost[2];

		hit(&f, lost);
		loops(&f.rig, text);
		/* An empty list may be shrunk for nothing (the forced minimum); it frees 0. */
		if (i != 0 && i % 3 != 2)
			assert_string_equal(text, hits[i]);
		else
			assert_non_null(strstr(text, hits[i]));
	}
	rig_close(&f.rig);
}

/* The first hit on a fresh hierarchy with an empty root runs two priority loops. */
static void the_first_hit_of_3_3_wastes_all_priorities(void **state)
{
	struct family f;
	pages_t lost[2];

	(void)state;
	family_open(&f, "v3.3", 12800, 12800);
	hit(&f, lost);
	assert_int_equal(rig_count(&f.rig, EVENT_RECLAIM), 2);
	assert_int_equal(rig_nth(&f.rig, EVENT_RECLAIM, 0)->n[RECL_RECLAIMED], 0);
	assert_int_equal(rig_nth(&f.rig, EVENT_RECLAIM, 1)->n[RECL_RECLAIMED], 45);
	hit(&f, lost);
	assert_int_equal(rig_count(&f.rig, EVENT_RECLAIM), 1);
	hit(&f, lost);
	assert_int_equal(rig_count(&f.rig, EVENT_RECLAIM), 1);
	assert_int_equal(rig_nth(&f.rig, EVENT_RECLAIM, 0)->n[RECL_RECLAIMED], 32);
	rig_close(&f.rig);
}

/* The same workload before per-priority iterators takes its turns in every kernel. */
static void a_cursor_serves_the_children_in_turn(void **state)
{
	static const char *const kernels[] = {
		"v2.6.31", "v2.6.31+scan_batch=reclaim_stat", "v2.6.32", "v3.1",
	};

	(void)state;
	for (size_t k = 0; k < NR(kernels); k++) {
		struct family f;

		family_open(&f, kernels[k], 9000, 9000);
		for (unsigned i = 0; i < 6; i++) {
			pages_t lost[2];

			hit(&f, lost);
			assert_true(lost[i % 2] >= 32);
			assert_int_equal(lost[1 - i % 2], 0);
			/* H has no pages, so it is passed over and not tried. */
			assert_int_equal(rig_count(&f.rig, EVENT_RECLAIM), 1);
		}
		rig_close(&f.rig);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_hit_takes_what_the_kernels_rules_say),
		cmocka_unit_test(each_priority_of_3_3_has_its_own_iterator),
		cmocka_unit_test(the_first_hit_of_3_3_wastes_all_priorities),
		cmocka_unit_test(a_cursor_serves_the_children_in_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
