/*
 * Row D of the examples of reclaim in a hierarchy, to the page: H without
 * pages above A and B, all clean once-read file pages, no swap, sizes
 * restored after every hit.  v6.18 without what its kernel memory, stale
 * statistics and shadow shrinker add.
 *
 * A hit is made by a task of H that touches one anonymous page, unmapped
 * after it.  Then each child reads as many new pages as it has lost.  Less
 * than a batch of 64 is free below H's limit then, so pages are charged one
 * by one and no stock is left.
 */
#include <inttypes.h>
#include <string.h>

#include "rig.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum { BATCH = 64, FILE_PAGES = 1 << 20 };

static const char *const kernels[] = {
	"v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off",
	"v6.18+kmem=off+stat_flush=exact+shadow_shrink=off",
};

struct child {
	uint32_t group, task, file;
	pages_t size, at;
};

struct family {
	struct rig rig;
	uint32_t h, h_task;
	struct child child[2];
};

static void read_on(struct family *f, struct child *child, pages_t nr)
{
	if (nr)
		assert_int_equal(rig_read(&f->rig, child->task, child->file, child->at, nr),
				 OP_DONE);
	child->at += nr;
}

/*
 * Whole batches first; what is left of A's last one is used up by a second
 * file, which is dropped when B has all but its own last pages.
 */
static void fill(struct family *f)
{
	struct child *a = &f->child[0], *b = &f->child[1];
	pages_t spare = (BATCH - a->size % BATCH) % BATCH;
	struct op drop = { .kind = OP_FILE_DROP, .object = rig_file(&f->rig, BATCH) };

	read_on(f, a, a->size);
	if (spare)
		rig_read(&f->rig, a->task, drop.object, 0, spare);
	read_on(f, b, b->size - b->size % BATCH);
	rig_apply(&f->rig, &drop);
	read_on(f, b, b->size % BATCH);
	rig_drain(&f->rig, f->h_task);
}

static void family_open(struct family *f, const char *kernel, pages_t a, pages_t b)
{
	const pages_t size[2] = { a, b };

	rig_open(&f->rig, kernel, 1);
	f->h = rig_group(&f->rig, RIG_ROOT, "h", a + b);
	f->h_task = rig_task(&f->rig, f->h, 0);
	for (int i = 0; i < 2; i++) {
		struct child *child = &f->child[i];

		child->size = size[i];
		child->at = 0;
		child->group = rig_group(&f->rig, f->h, i ? "b" : "a", 0);
		child->task = rig_task(&f->rig, child->group, 0);
		child->file = rig_file(&f->rig, FILE_PAGES);
	}
	fill(f);
}

/* What the examples take for granted before every hit. */
static void check_restored(struct family *f)
{
	struct run_memcg h = rig_memcg(&f->rig, f->h);

	assert_int_equal(h.usage, h.limit);
	assert_int_equal(h.charged, 0);
	for (int i = 0; i < 2; i++) {
		struct run_memcg g = rig_memcg(&f->rig, f->child[i].group);

		assert_int_equal(g.size[LRU_INACTIVE_FILE], f->child[i].size);
		assert_int_equal(g.usage, f->child[i].size);
		assert_int_equal(g.queued, 0);
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
	assert_int_equal(rig_count(&f->rig, EVENT_RECLAIM), 1);
	rig_unmap(&f->rig, f->h_task, map);
	for (int i = 0; i < 2; i++)
		lost[i] = f->child[i].size -
			  rig_memcg(&f->rig, f->child[i].group).size[LRU_INACTIVE_FILE];
	rig_check(&f->rig, "after a hit");
	for (int i = 0; i < 2; i++)
		read_on(f, &f->child[i], lost[i]);
	rig_drain(&f->rig, f->h_task);
	assert_int_equal(rig_count(&f->rig, EVENT_LIMIT_HIT), 1);
}

struct example {
	pages_t size[2];
	pages_t first[2], later[2];	/* lost in the first hit, and in each one after it */
};

static const struct example examples[] = {
	/* H, A and B at priorities 12, 11 and 10: 3, 6 and 12 from each */
	{ { 12800, 12800 }, { 21, 21 }, { 21, 21 } },
	/* 6, 12 and 24 from A; then 12 goes on after A, with B, whose 600 >> 10 is nothing */
	{ { 25000, 600 }, { 42, 0 }, { 36, 0 } },
};

static void each_hit_takes_what_the_shared_walk_says(void **state)
{
	enum { HITS = 12 };

	(void)state;
	for (size_t i = 0; i < NR(examples) * NR(kernels); i++) {
		const struct example *example = &examples[i / NR(kernels)];
		struct family f;

		family_open(&f, kernels[i % NR(kernels)], example->size[0], example->size[1]);
		for (int nr = 0; nr < HITS; nr++) {
			const pages_t *want = nr ? example->later : example->first;
			pages_t lost[2];

			hit(&f, lost);
			if (lost[0] != want[0] || lost[1] != want[1])
				fail_msg("%s: hit %d takes %" PRIu64 " from A and %" PRIu64
					 " from B, not %" PRIu64 " and %" PRIu64,
					 kernels[i % NR(kernels)], nr + 1, lost[0], lost[1],
					 want[0], want[1]);
		}
		rig_close(&f.rig);
	}
}

/* The shrinks of a hit as group:priority:asked. */
static void the_first_hit_descends_three_priorities(void **state)
{
	static const struct { int child, priority, asked; } shrinks[] = {
		{ 0, 12, 3 }, { 1, 12, 3 }, { 0, 11, 6 }, { 1, 11, 6 }, { 0, 10, 12 },
		{ 1, 10, 12 },
	};
	struct family f;
	uint32_t map;

	(void)state;
	family_open(&f, kernels[0], 12800, 12800);
	rig_forget(&f.rig);
	map = rig_map(&f.rig, f.h_task, 1);
	rig_touch(&f.rig, f.h_task, map, 0, 1);
	assert_int_equal(rig_count(&f.rig, EVENT_SHRINK), NR(shrinks));
	for (size_t i = 0; i < NR(shrinks); i++) {
		const struct event *shrink = rig_nth(&f.rig, EVENT_SHRINK, i);

		assert_int_equal(shrink->memcg, f.child[shrinks[i].child].group);
		assert_int_equal(shrink->n[SHRINK_PRIORITY], shrinks[i].priority);
		assert_int_equal(shrink->n[SHRINK_TO_SCAN], shrinks[i].asked);
		assert_int_equal(shrink->n[SHRINK_RECLAIMED], shrinks[i].asked);
	}
	rig_close(&f.rig);
}

struct period {
	pages_t limit, other;
	const char *lines;	/* of every reclaim after the first */
};

/* The steady periods of one streaming reader under a limit, count/scan of each shrink. */
static const struct period periods[] = {
	{ 25600, 61, "25528/6 25533/12 25521/24" },
	{ 25600, 0, "25589/6 25594/12 25582/24" },
	{ 256, 0, "233/1 255/3 252/7 245/15 230/28" },
	{ 4096, 0, "4070/1 4095/3 4092/7 4085/15 4070/31" },
	{ 16384, 0, "16359/3 16381/7 16374/15 16359/31" },
	{ 51200, 0, "51195/12 51188/24" },
	{ 131072, 0, "131071/31 131041/32" },
	{ 262144, 0, "262143/32" },
};

/*
 * From the first reclaim on the lines repeat.  Where a whole list is just
 * 256 << k pages, whether the batch is empty at the first hit decides if a
 * priority looks at a page more, so there it may be one reclaim later.
 */
static void check_period(const struct period *row, const char *kernel, pages_t foreign)
{
	enum { PERIODS = 8 };
	bool edge = foreign && (row->limit - row->other) % 256 == 0;
	uint32_t group, task, file, stranger;
	char lines[RIG_TEXT_MAX];
	pages_t at;
	struct rig rig;

	rig_open(&rig, kernel, 1);
	group = rig_group(&rig, RIG_ROOT, "cat", row->limit);
	task = rig_task(&rig, group, 0);
	file = rig_file(&rig, 2 * row->limit + 4096);
	/* Part of this CPU's batch may be taken when the reader starts. */
	stranger = rig_task(&rig, rig_group(&rig, RIG_ROOT, "stranger", 0), 0);
	if (foreign)
		rig_read(&rig, stranger, rig_file(&rig, foreign), 0, foreign);
	if (row->other)
		rig_touch(&rig, task, rig_map(&rig, task, row->other), 0, row->other);
	at = row->limit - row->other;
	rig_read(&rig, task, file, 0, at);
	assert_int_equal(rig_count(&rig, EVENT_LIMIT_HIT), 0);
	for (int hit = 0; hit < PERIODS; hit++) {
		rig_forget(&rig);
		while (!rig_count(&rig, EVENT_LIMIT_HIT))
			rig_read(&rig, task, file, at++, 1);
		rig_scans(&rig, lines);
		if (hit > edge && strcmp(lines, row->lines))
			fail_msg("%s, limit %" PRIu64 ", batch begun with %" PRIu64 ", hit %d: %s",
				 kernel, row->limit, foreign, hit + 1, lines);
	}
	rig_check(&rig, kernel);
	rig_close(&rig);
}

static void a_stream_under_any_limit_has_its_period(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(periods) * NR(kernels); i++)
		check_period(&periods[i / NR(kernels)], kernels[i % NR(kernels)], 0);
}

static void a_batch_begun_by_others_does_not_change_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < 5; i++)
		for (pages_t foreign = 1; foreign <= 30; foreign++)
			check_period(&periods[i], kernels[0], foreign);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_hit_takes_what_the_shared_walk_says),
		cmocka_unit_test(the_first_hit_descends_three_priorities),
		cmocka_unit_test(a_stream_under_any_limit_has_its_period),
		cmocka_unit_test(a_batch_begun_by_others_does_not_change_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
