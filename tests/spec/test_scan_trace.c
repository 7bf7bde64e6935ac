/*
 * The trace of 2009 to the digit: cat of a large file in a limited group,
 * before and after batched scanning, and the same workload under other
 * limits and kernels.  Lines are "count/scan" of each call that shrinks the
 * inactive file list; a table of published and derived periods is the
 * standard, and a counts-only model of the rules checks what lies between.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"
#include "stream.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))

enum {
	OTHER = 61,		/* charged pages of cat and its shell, by the published trace */
	PAGEVEC = 14,
	PERIODS = 6,
	PERIOD_MAX = 64		/* no reclaim of these rows frees more */
};

#define A "v2.6.31"
#define A_BATCHED "v2.6.31+scan_batch=reclaim_stat"
#define A1 "v2.6.32"
#define B1 "v3.1"
#define B1_LRU "v3.1+lru=per_memcg"
#define C "v3.3"

/* A reader in a limited group, with others' pages and anonymous pages already there. */
struct cat {
	struct rig rig;
	uint32_t group, task, file;
	pages_t at;
};

static void cat_open(struct cat *cat, const char *kernel, pages_t limit, pages_t foreign)
{
	struct rig *rig = &cat->rig;
	uint32_t stranger;

	rig_open(rig, kernel, 1);
	cat->group = rig_group(rig, RIG_ROOT, "cat", limit);
	cat->task = rig_task(rig, cat->group, 0);
	cat->file = rig_file(rig, 4 * limit + 4096);
	cat->at = 0;
	/* Part of this CPU's add queue may be taken when the reader starts. */
	stranger = rig_task(rig, rig_group(rig, RIG_ROOT, "stranger", 0), 0);
	if (foreign)
		rig_read(rig, stranger, rig_file(rig, foreign), 0, foreign);
}

static void cat_other(struct cat *cat, pages_t nr)
{
	if (nr)
		rig_touch(&cat->rig, cat->task, rig_map(&cat->rig, cat->task, nr), 0, nr);
}

static void cat_read(struct cat *cat, pages_t nr)
{
	assert_int_equal(rig_read(&cat->rig, cat->task, cat->file, cat->at, nr), OP_DONE);
	cat->at += nr;
}

/* The lines of limit hit number @n from 0, as text. */
static void hit_lines(const struct rig *rig, size_t n, char out[RIG_TEXT_MAX])
{
	size_t len = 0, hit = 0;

	out[0] = '\0';
	for (size_t i = 0; i < rig->nr_events; i++) {
		const struct event *event = &rig->events[i];

		hit += event->kind == EVENT_LIMIT_HIT;
		if (event->kind != EVENT_SHRINK || hit != n + 1)
			continue;
		assert_int_equal(event->n[SHRINK_LIST], LRU_INACTIVE_FILE);
		len += (size_t)snprintf(out + len, RIG_TEXT_MAX - len, "%s%" PRId64 "/%" PRId64,
					len ? " " : "", event->n[SHRINK_SIZE],
					event->n[SHRINK_TO_SCAN]);
	}
}

struct period {
	const char *kernel;
	pages_t limit, other;
	const char *hit[2];	/* lines of one reclaim each; the second NULL if all are alike */
};

/* The table of steady periods; B2 is not a kernel of this version. */
static const struct period periods[] = {
	{ A, 25600, OTHER, { "25535/6", NULL } },
	{ A1, 25600, OTHER, { "25531/32 25507/10", NULL } },
	{ B1, 25600, OTHER, { "25539/6 25533/12 25521/24", NULL } },
	{ A, 25600, 0, { "25596/6", NULL } },
	{ A1, 25600, 0, { "25592/32 25568/10", NULL } },
	{ B1, 25600, 0, { "25600/6 25594/12 25582/24", NULL } },
	{ A, 256, 0, { "252/1", NULL } },
	{ A1, 256, 0, { "248/32 224/25", NULL } },
	{ B1, 256, 0, { "252/32", NULL } },
	{ A, 4096, 0, { "4092/1", NULL } },
	{ A1, 4096, 0, { "4088/32 4064/25", NULL } },
	{ B1, 4096, 0, { "4092/32", NULL } },
	{ A, 16384, 0, { "16380/3", NULL } },
	{ A1, 16384, 0, { "16376/32 16352/24", NULL } },
	{ B1, 16384, 0,
	  { "16384/4 16380/7 16373/15 16358/31", "16383/3 16381/7 16374/15 16359/31" } },
	{ A, 51200, 0, { "51196/12", NULL } },
	{ A1, 51200, 0, { "51192/32 51168/4", NULL } },
	{ B1, 51200, 0, { "51192/12 51188/24", NULL } },
	{ A, 131072, 0, { "131068/31", NULL } },
	{ A1, 131072, 0, { "131064/32 131040/32", NULL } },
	{ B1, 131072, 0, { "131065/31 131041/32", NULL } },
	{ A, 262144, 0, { "262136/32 262112/31", NULL } },
	{ A1, 262144, 0, { "262136/32 262112/31", NULL } },
	{ B1, 262144, 0, { "262137/32 262112/31", NULL } },
	/* v2.6.33's early break with v2.6.32's batching */
	{ A1 "+early_break=ge_cumulative", 25600, OTHER, { "25535/32", NULL } },
};

/* Kernels that print what a row's kernel does. */
static const struct { const char *kernel, *same; } alike[] = {
	{ A1, A_BATCHED }, { B1, B1_LRU }, { B1, C },
};

/*
 * From the first reclaim on the lines repeat, in step with one of the
 * period's two reclaims.  Where the whole list is just a multiple of 4096,
 * whether the queue is empty at the first hit decides if priority 12 looks
 * at a page more, so there the period may begin one reclaim later.
 */
static void check_period(const struct period *row, const char *kernel, pages_t foreign)
{
	size_t length = row->hit[1] ? 2 : 1, phase = 0;
	size_t from = foreign && (row->limit - row->other) % 4096 == 0 ? 2 : 1;
	char lines[RIG_TEXT_MAX];
	struct cat cat;

	cat_open(&cat, kernel, row->limit, foreign);
	cat_other(&cat, row->other);
	cat_read(&cat, row->limit - row->other + PERIODS * PERIOD_MAX);
	assert_true(rig_count(&cat.rig, EVENT_LIMIT_HIT) >= PERIODS);
	hit_lines(&cat.rig, from, lines);
	if (row->hit[1] && !strcmp(lines, row->hit[1]))
		phase = 1;
	for (size_t i = 0; i + from < PERIODS; i++) {
		hit_lines(&cat.rig, i + from, lines);
		if (strcmp(lines, row->hit[(i + phase) % length]))
			fail_msg("%s, limit %" PRIu64 ", queue begun with %" PRIu64 ", hit %zu: %s",
				 kernel, row->limit, foreign, i + from + 1, lines);
	}
	rig_check(&cat.rig, kernel);
	rig_close(&cat.rig);
}

static void every_limit_of_the_table_has_its_period(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(periods); i++) {
		check_period(&periods[i], periods[i].kernel, 0);
		for (size_t j = 0; j < NR(alike); j++)
			if (!strcmp(alike[j].kernel, periods[i].kernel))
				check_period(&periods[i], alike[j].same, 0);
	}
}

static void a_queue_begun_by_others_does_not_change_the_period(void **state)
{
	(void)state;
	for (size_t i = 0; i < NR(periods); i++) {
		if (periods[i].limit > 25600)
			continue;
		for (pages_t foreign = 1; foreign < PAGEVEC; foreign++)
			check_period(&periods[i], periods[i].kernel, foreign);
	}
}

static void the_first_lines_are_the_published_ones(void **state)
{
	static const struct { const char *kernel, *lines; } rows[] = {
		{ A, "25536/6" }, { A_BATCHED, "25536/32 25507/10" }, { A1, "25536/32 25507/10" },
		{ B1, "25536/6 25533/12 25521/24" }, { C, "25536/6 25533/12 25521/24" },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		char lines[RIG_TEXT_MAX];
		struct cat cat;

		cat_open(&cat, rows[i].kernel, 25600, 0);
		cat_other(&cat, OTHER);
		cat_read(&cat, 25600 - OTHER);
		assert_int_equal(rig_count(&cat.rig, EVENT_SHRINK), 0);
		assert_int_equal(rig_memcg(&cat.rig, cat.group).usage, 25600);
		cat_read(&cat, 1);
		hit_lines(&cat.rig, 0, lines);
		assert_string_equal(lines, rows[i].lines);
		rig_close(&cat.rig);
	}
}

static void the_published_trace_lasts_for_76800_pages(void **state)
{
	static const struct { const char *kernel, *first, *then; uint64_t freed; } rows[] = {
		{ A, "25536/6", "25535/6", 32 },
		{ A_BATCHED, "25536/32 25507/10", "25531/32 25507/10", 64 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		char lines[RIG_TEXT_MAX];
		struct cat cat;
		size_t hits;

		cat_open(&cat, rows[i].kernel, 25600, 0);
		cat_other(&cat, OTHER);
		cat_read(&cat, 76800);
		hits = rig_count(&cat.rig, EVENT_LIMIT_HIT);
		assert_int_equal(hits, (76800 - (25600 - OTHER) - 1) / rows[i].freed + 1);
		for (size_t hit = 0; hit < hits; hit++) {
			hit_lines(&cat.rig, hit, lines);
			assert_string_equal(lines, hit ? rows[i].then : rows[i].first);
		}
		rig_close(&cat.rig);
	}
}

/* Both traces say the same of what else was charged: 25535 + 4 = 25531 + 8 = 25600 - 61. */
static void the_count_tells_how_many_other_pages_there_are(void **state)
{
	static const pages_t others[] = { 1, 2, 13, 14, 60, 62, 500, 1000, 3000 };
	static const struct { const char *kernel; pages_t queued; } rows[] = {
		{ A, 4 }, { A_BATCHED, 8 },
	};

	(void)state;
	for (size_t i = 0; i < NR(others) * NR(rows); i++) {
		pages_t other = others[i / NR(rows)];
		const struct event *second;
		struct cat cat;

		cat_open(&cat, rows[i % NR(rows)].kernel, 25600, i % PAGEVEC);
		cat_other(&cat, other);
		cat_read(&cat, 25600 - other + 1);
		rig_forget(&cat.rig);
		cat_read(&cat, 64);
		second = rig_nth(&cat.rig, EVENT_SHRINK, 0);
		assert_int_equal(second->n[SHRINK_SIZE], 25600 - other - rows[i % NR(rows)].queued);
		rig_close(&cat.rig);
	}
}

static void check_against(struct rig *rig, const struct stream *s, const char *what)
{
	unsigned line = 0;

	for (size_t i = 0; i < rig->nr_events; i++) {
		const struct event *event = &rig->events[i];

		if (event->kind != EVENT_SHRINK || event->n[SHRINK_LIST] != LRU_INACTIVE_FILE)
			continue;
		if (line >= s->nr_lines || event->n[SHRINK_SIZE] != (int64_t)s->line[line].count ||
		    event->n[SHRINK_TO_SCAN] != (int64_t)s->line[line].scan)
			fail_msg("%s: line %u is %" PRId64 "/%" PRId64 ", not %" PRIu64 "/%" PRIu64,
				 what, line, event->n[SHRINK_SIZE], event->n[SHRINK_TO_SCAN],
				 s->line[line].count, s->line[line].scan);
		line++;
	}
	assert_int_equal(line, s->nr_lines);
	assert_int_equal(rig_count(rig, EVENT_LIMIT_HIT), s->hits);
	rig_check(rig, what);
}

static void any_limit_and_other_pages_follow_the_rules(void **state)
{
	static struct stream s;

	(void)state;
	for (unsigned i = 0; i < 120; i++) {
		const char *kernel = stream_kernels[i % 7].kernel;
		pages_t limit = 200 + i * 977 % 40000, other = i * 31 % 150;
		struct run_memcg g;
		struct cat cat;

		assert_non_null(kernel);
		stream_init(&s, kernel, limit, i % PAGEVEC);
		stream_other(&s, other);
		stream_read(&s, 0, limit + 3000);
		cat_open(&cat, kernel, limit, i % PAGEVEC);
		cat_other(&cat, other);
		cat_read(&cat, limit + 3000);
		check_against(&cat.rig, &s, kernel);
		g = rig_memcg(&cat.rig, cat.group);
		assert_int_equal(g.nr_charged - g.nr_uncharged, s.usage - s.stock[0]);
		assert_int_equal(g.nr_reclaimed, s.freed);
		assert_int_equal(g.size[LRU_INACTIVE_FILE], s.listed);
		assert_int_equal(g.usage, s.usage);
		rig_close(&cat.rig);
	}
}

/* Two tasks of one group read their own files in turn, on one CPU or on two. */
static void check_two_readers(const char *kernel, unsigned cpus, pages_t limit)
{
	static struct stream s;
	uint32_t group, task[2], file[2];
	pages_t at[2] = { 0, 0 };
	struct rig rig;

	stream_init(&s, kernel, limit, 0);
	rig_open(&rig, kernel, cpus);
	group = rig_group(&rig, RIG_ROOT, "both", limit);
	for (unsigned i = 0; i < 2; i++) {
		task[i] = rig_task(&rig, group, i % cpus);
		file[i] = rig_file(&rig, 4 * limit);
	}
	for (unsigned turn = 0; at[0] + at[1] < limit + 4000; turn++) {
		unsigned who = turn % 2;
		pages_t nr = 1 + turn * 7 % (who ? 19 : 45);

		assert_int_equal(rig_read(&rig, task[who], file[who], at[who], nr), OP_DONE);
		stream_read(&s, who % cpus, nr);
		at[who] += nr;
	}
	check_against(&rig, &s, kernel);
	rig_close(&rig);
}

static void two_readers_in_one_group_follow_the_rules(void **state)
{
	(void)state;
	for (const struct stream_rules *r = stream_kernels; r->kernel; r++) {
		check_two_readers(r->kernel, 1, 5000);
		check_two_readers(r->kernel, 2, 5000);
		check_two_readers(r->kernel, 2, 25600);
	}
}

/* The size of an op or of its steps is no event: only pages are. */
static void reading_in_pieces_changes_nothing(void **state)
{
	static const bytes_t chunks[] = { 0, 4096, 131072, 4096 * 33, 1000, 4097 };
	static struct stream s;

	(void)state;
	for (size_t i = 0; i < NR(chunks); i++) {
		struct op op = { .kind = OP_READ, .length = 3000 * PAGE_BYTES + 1 };
		struct cat cat;

		stream_init(&s, A_BATCHED, 1024, 0);
		stream_read(&s, 0, 3001);
		cat_open(&cat, A_BATCHED, 1024, 0);
		op.task = cat.task;
		op.object = cat.file;
		op.chunk = chunks[i];
		assert_int_equal(rig_apply(&cat.rig, &op).outcome, OP_DONE);
		check_against(&cat.rig, &s, A_BATCHED);
		assert_int_equal(rig_memcg(&cat.rig, cat.group).nr_charged, 3001);
		rig_close(&cat.rig);
	}
}

static void a_file_ends_where_it_ends(void **state)
{
	struct op file = { .kind = OP_FILE_NEW, .length = 100 * PAGE_BYTES + 1, .name = "odd" };
	struct op read = { .kind = OP_READ, .length = 100 * PAGE_BYTES + 1, .chunk = 131072 };
	struct rig rig;
	uint32_t group;

	(void)state;
	rig_open(&rig, A, 1);
	group = rig_group(&rig, RIG_ROOT, "cat", 64);
	read.task = rig_task(&rig, group, 0);
	read.object = rig_apply(&rig, &file).id;
	assert_int_equal(rig_apply(&rig, &read).outcome, OP_DONE);
	assert_int_equal(rig_memcg(&rig, group).nr_charged, 101);
	rig_check(&rig, "after the last page");
	rig_close(&rig);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_lines_are_the_published_ones),
		cmocka_unit_test(every_limit_of_the_table_has_its_period),
		cmocka_unit_test(a_queue_begun_by_others_does_not_change_the_period),
		cmocka_unit_test(the_published_trace_lasts_for_76800_pages),
		cmocka_unit_test(the_count_tells_how_many_other_pages_there_are),
		cmocka_unit_test(any_limit_and_other_pages_follow_the_rules),
		cmocka_unit_test(two_readers_in_one_group_follow_the_rules),
		cmocka_unit_test(reading_in_pieces_changes_nothing),
		cmocka_unit_test(a_file_ends_where_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
