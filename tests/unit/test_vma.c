/*
 * Advice about a part of a mapping, and a part that is locked: it holds there
 * and nowhere else, the mapping is parted and made one again, and what that
 * costs.
 */
#include "inherited.h"
#include "rig.h"
#include "rmap.h"
#include "run_private.h"
#include "shrink.h"
#include "vma.h"
#include "writeback.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { PAGES = 256, FIRST = 64, END = 72, CLUSTER = 32 };

struct one {
	struct rig rig;
	struct machine *m;
	uint32_t group, task, file, map;
};

static void advise(struct one *one, pages_t first, pages_t end, enum madvice advice)
{
	struct op op = { .kind = OP_MADVISE, .task = one->task, .object = one->map,
			 .offset = first * PAGE_BYTES, .length = (end - first) * PAGE_BYTES,
			 .value = advice };

	assert_int_equal(rig_apply(&one->rig, &op).outcome, OP_DONE);
	rig_check(&one->rig, "after advice");
}

/* A file that is mapped, or memory. */
static void one_open(struct one *one, const char *kernel, bool file)
{
	struct op op = { .kind = OP_MAP_FILE, .name = "f" };
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.swap_pages = 1000;
	sc.era.knobs.readahead = 32;
	rig_open_scenario(&one->rig, &sc);
	one->m = run_machine(one->rig.run);
	one->group = rig_group(&one->rig, RIG_ROOT, "g", 0);
	one->task = rig_task(&one->rig, one->group, 0);
	one->file = rig_file(&one->rig, PAGES);
	op.task = one->task;
	op.object = one->file;
	one->map = file ? rig_apply(&one->rig, &op).id : rig_map(&one->rig, one->task, PAGES);
}

static void read_page(struct one *one, pages_t index)
{
	struct op op = { .kind = OP_TOUCH, .task = one->task, .object = one->map,
			 .offset = index * PAGE_BYTES, .length = PAGE_BYTES, .flags = OPF_READ };

	assert_int_equal(rig_apply(&one->rig, &op).outcome, OP_DONE);
}

static pages_t resident(const struct one *one)
{
	return one->m->pages.mapping[one->file].nr_resident;
}

/* Entries that are there in [first, end). */
static pages_t mapped(const struct one *one, pages_t first, pages_t end)
{
	pages_t nr = 0;

	for (; first < end; first++)
		nr += (*rmap_entry(one->m, one->map, first) & PTE_PRESENT) != 0;
	return nr;
}

static const struct mapping *map_of(const struct one *one)
{
	return &one->m->pages.mapping[one->map];
}

/* MADV_RANDOM for eight pages: a fault there reads its page alone, one beside it a window. */
static void faults_read_by_the_advice_of_their_piece(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v3.3", "v6.18" };

	(void)state;
	for (size_t i = 0; i < NR(kernels); i++) {
		struct one one;

		one_open(&one, kernels[i], true);
		advise(&one, FIRST, END, MADVICE_RANDOM);
		assert_int_equal(vma_count(one.m, map_of(&one)), 3);
		read_page(&one, FIRST);
		assert_int_equal(resident(&one), 1);
		read_page(&one, END - 1);
		assert_int_equal(resident(&one), 2);
		read_page(&one, END + 60);
		assert_int_equal(resident(&one), 2 + 32);
		rig_close(&one.rig);
	}
}

/* A use is told to reclaim where the advice of its piece says so: v2.6.31 heeds MADV_SEQUENTIAL
 * alone, v6.18 MADV_RANDOM too. */
static void uses_count_by_the_advice_of_their_piece(void **state)
{
	static const struct { const char *kernel; enum madvice advice; uint32_t nr; } rows[] = {
		{ "v2.6.31", MADVICE_SEQUENTIAL, 0 }, { "v2.6.31", MADVICE_RANDOM, 1 },
		{ EXACT_V1, MADVICE_SEQUENTIAL, 0 }, { EXACT_V1, MADVICE_RANDOM, 0 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * NR(rows); i++) {
		const struct reclaim rc = { .global = true, .priority = 9, .want = CLUSTER };
		struct one one;

		one_open(&one, rows[i / 2].kernel, i % 2);
		advise(&one, FIRST, END, rows[i / 2].advice);
		assert_int_equal(rig_touch(&one.rig, one.task, one.map, 0, PAGES), OP_DONE);
		for (pages_t page = FIRST - 1; page <= END; page++) {
			uint32_t nr = page >= FIRST && page < END ? rows[i / 2].nr : 1;

			assert_int_equal(rmap_uses(one.m, &rc, rmap_slot(one.m, one.map, page)).nr,
					 nr);
		}
		rig_close(&one.rig);
	}
}

/* A fault maps what is there of 16 pages, but not beyond its own piece. */
static void faults_map_around_within_their_piece(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, "v6.18", true);
	assert_int_equal(rig_read(&one.rig, one.task, one.file, 0, PAGES), OP_DONE);
	advise(&one, FIRST + 4, END, MADVICE_SEQUENTIAL);
	read_page(&one, FIRST + 5);
	assert_int_equal(mapped(&one, 0, PAGES), 4);
	assert_int_equal(mapped(&one, FIRST + 4, END), 4);
	/* Beside it: before the piece four of the 16, behind it eight. */
	read_page(&one, FIRST + 1);
	assert_int_equal(mapped(&one, 0, FIRST + 4), 4);
	read_page(&one, END);
	assert_int_equal(mapped(&one, END, PAGES), 8);
	rig_close(&one.rig);
}

/* Neighbours that are advised alike are one piece; the first page of a piece is its. */
static void pieces_part_and_join(void **state)
{
	static const struct {
		pages_t first, end;
		enum madvice advice;
		uint32_t pieces;
		enum map_advice at[5]; /* at 0, 10, 20, 30, PAGES - 1 */
	} rows[] = {
		{ 10,
		  20,
		  MADVICE_RANDOM,
		  3,
		  { MAP_NORMAL, MAP_RANDOM, MAP_NORMAL, MAP_NORMAL, MAP_NORMAL } },
		{ 20,
		  30,
		  MADVICE_RANDOM,
		  3,
		  { MAP_NORMAL, MAP_RANDOM, MAP_RANDOM, MAP_NORMAL, MAP_NORMAL } },
		{ 15,
		  25,
		  MADVICE_SEQUENTIAL,
		  5,
		  { MAP_NORMAL, MAP_RANDOM, MAP_SEQUENTIAL, MAP_NORMAL, MAP_NORMAL } },
		{ 0,
		  10,
		  MADVICE_RANDOM,
		  4,
		  { MAP_RANDOM, MAP_RANDOM, MAP_SEQUENTIAL, MAP_NORMAL, MAP_NORMAL } },
		{ 30,
		  PAGES,
		  MADVICE_SEQUENTIAL,
		  4,
		  { MAP_RANDOM, MAP_RANDOM, MAP_SEQUENTIAL, MAP_SEQUENTIAL, MAP_SEQUENTIAL } },
		{ 12,
		  12,
		  MADVICE_NORMAL,
		  4,
		  { MAP_RANDOM, MAP_RANDOM, MAP_SEQUENTIAL, MAP_SEQUENTIAL, MAP_SEQUENTIAL } },
		{ 5,
		  200,
		  MADVICE_SEQUENTIAL,
		  2,
		  { MAP_RANDOM, MAP_SEQUENTIAL, MAP_SEQUENTIAL, MAP_SEQUENTIAL, MAP_SEQUENTIAL } },
		{ 0,
		  PAGES,
		  MADVICE_RANDOM,
		  1,
		  { MAP_RANDOM, MAP_RANDOM, MAP_RANDOM, MAP_RANDOM, MAP_RANDOM } },
	};
	static const pages_t at[] = { 0, 10, 20, 30, PAGES - 1 };
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", false);
	for (size_t i = 0; i < NR(rows); i++) {
		advise(&one, rows[i].first, rows[i].end, rows[i].advice);
		assert_int_equal(vma_count(one.m, map_of(&one)), rows[i].pieces);
		for (size_t n = 0; n < NR(at); n++)
			assert_int_equal(vma_advice(one.m, map_of(&one), at[n]), rows[i].at[n]);
	}
	rig_close(&one.rig);
}

/* Each piece more of memory that has pages: a record of 72 bytes, given back when it is none. */
static void pieces_of_memory_have_records(void **state)
{
	struct one one;
	uint32_t bytes, child;

	(void)state;
	one_open(&one, "v6.18-v1", false);
	assert_int_equal(rig_touch(&one.rig, one.task, one.map, 0, PAGES), OP_DONE);
	bytes = one.m->cpu[0].byte_nr;
	advise(&one, 10, 20, MADVICE_RANDOM);
	assert_int_equal(bytes - one.m->cpu[0].byte_nr, 2 * 72);
	advise(&one, 20, 30, MADVICE_RANDOM);
	assert_int_equal(bytes - one.m->cpu[0].byte_nr, 2 * 72);
	/* A child has for each of the three pieces its parent's and its own. */
	child = rig_apply(&one.rig, &(struct op){ .kind = OP_FORK, .task = one.task, .name = "c" })
			.id;
	assert_int_equal(bytes - one.m->cpu[0].byte_nr, 2 * 72 + 5 * 72 + 184);
	assert_int_equal(
		vma_advice(one.m, &one.m->pages.mapping[run_inherited(one.rig.run, child, one.map)],
			   25),
		MAP_RANDOM);
	rig_apply(&one.rig, &(struct op){ .kind = OP_TASK_EXIT, .task = child });
	advise(&one, 0, PAGES, MADVICE_NORMAL);
	assert_int_equal(bytes, one.m->cpu[0].byte_nr);
	rig_close(&one.rig);
	/* Memory that has no page yet has no records either; its first page brings them. */
	one_open(&one, "v6.18-v1", false);
	advise(&one, 10, 20, MADVICE_RANDOM);
	assert_int_equal(one.m->cpu[0].byte_nr, 0);
	assert_int_equal(rig_touch(&one.rig, one.task, one.map, 0, 1), OP_DONE);
	assert_int_equal(PAGE_BYTES - one.m->cpu[0].byte_nr, 2 * 72 + 184);
	rig_close(&one.rig);
}

static void swap_all(struct one *one)
{
	struct reclaim rc = { .target = one->group, .priority = 9, .want = CLUSTER };

	rig_drain(&one->rig, one->task);
	for (pages_t i = 0; i < PAGES; i++)
		one->m->pages.slot[rmap_slot(one->m, one->map, i)].word &= ~(uint32_t)PG_YOUNG;
	for (int i = 0; i < 4 * PAGES / CLUSTER; i++) {
		const struct shrink sh = {
			.id = { one->group, 0, LRU_INACTIVE_ANON }, .nr_to_scan = CLUSTER };

		shrink_inactive(one->m, &rc, &sh);
		writeback_submit(one->m);
		rig_apply(&one->rig, &(struct op){ .kind = OP_THINK, .value = 1000000000 });
		rig_drain(&one->rig, one->task);
	}
	assert_int_equal(rig_memcg(&one->rig, one->group).memory, 0);
}

/* Eight pages are read around a swapped page, but not beyond its piece. */
static void windows_of_swap_stay_in_their_piece(void **state)
{
	static const struct { pages_t first, end, at, nr; } rows[] = {
		{ 0, PAGES, 66, 8 }, { 64, 68, 66, 4 }, { 64, 80, 66, 7 }, { 50, 68, 66, 5 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct scenario sc;
		struct one one = { .group = 0 };

		rig_scenario(&sc, EXACT_V1, 1);
		sc.swap_pages = 1000;
		sc.era.knobs.swap_ns = 1000;
		rig_open_scenario(&one.rig, &sc);
		one.m = run_machine(one.rig.run);
		one.group = rig_group(&one.rig, RIG_ROOT, "g", 0);
		one.task = rig_task(&one.rig, one.group, 0);
		one.map = rig_map(&one.rig, one.task, PAGES);
		assert_int_equal(rig_touch(&one.rig, one.task, one.map, 0, PAGES), OP_DONE);
		advise(&one, rows[i].first, rows[i].end, MADVICE_SEQUENTIAL);
		swap_all(&one);
		/* From three pages before it on. */
		read_page(&one, rows[i].at);
		assert_int_equal(rig_memcg(&one.rig, one.group).memory, rows[i].nr);
		rig_close(&one.rig);
	}
}

static void lock(struct one *one, enum op_kind kind, pages_t first, pages_t end)
{
	struct op op = { .kind = kind, .task = one->task, .object = one->map,
			 .offset = first * PAGE_BYTES, .length = (end - first) * PAGE_BYTES };

	assert_int_equal(rig_apply(&one->rig, &op).outcome, OP_DONE);
	rig_check(&one->rig, "after a lock");
}

static pages_t unevictable(struct one *one)
{
	return rig_memcg(&one->rig, one->group).size[LRU_UNEVICTABLE];
}

/* mlock(2) of eight pages parts the mapping in three; what lies beside them is as before. */
static void a_lock_holds_for_its_pages_alone(void **state)
{
	static const char *const kernels[] = { "v2.6.31", "v3.3", "v6.18-v1", "v6.18" };

	(void)state;
	for (size_t i = 0; i < 2 * NR(kernels); i++) {
		struct one one;

		one_open(&one, kernels[i / 2], i % 2);
		lock(&one, OP_MLOCK, FIRST, END);
		assert_int_equal(vma_count(one.m, map_of(&one)), 3);
		assert_false(vma_locked(one.m, map_of(&one), FIRST - 1));
		assert_true(vma_locked(one.m, map_of(&one), FIRST));
		assert_true(vma_locked(one.m, map_of(&one), END - 1));
		assert_false(vma_locked(one.m, map_of(&one), END));
		assert_int_equal(unevictable(&one), END - FIRST);
		/* Pages that come later are on the usual lists. */
		assert_int_equal(rig_touch(&one.rig, one.task, one.map, 0, PAGES), OP_DONE);
		rig_check(&one.rig, "all of it was touched");
		rig_drain(&one.rig, one.task);
		assert_int_equal(unevictable(&one), END - FIRST);
		rig_close(&one.rig);
	}
}

/* A hole in what is locked: five pieces, and one again when all is unlocked. */
static void unlocking_a_part_leaves_the_rest_locked(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", false);
	lock(&one, OP_MLOCK, FIRST, END);
	lock(&one, OP_MUNLOCK, FIRST + 2, END - 2);
	assert_int_equal(vma_count(one.m, map_of(&one)), 5);
	assert_int_equal(unevictable(&one), 4);
	lock(&one, OP_MLOCK, FIRST + 2, END - 2);
	assert_int_equal(vma_count(one.m, map_of(&one)), 3);
	lock(&one, OP_MUNLOCK, 0, PAGES);
	assert_int_equal(vma_count(one.m, map_of(&one)), 1);
	assert_int_equal(unevictable(&one), 0);
	/* All of it is locked without being parted. */
	lock(&one, OP_MLOCK, 0, PAGES);
	assert_int_equal(vma_count(one.m, map_of(&one)), 1);
	assert_true(map_of(&one)->locked);
	lock(&one, OP_MUNLOCK, 0, FIRST);
	assert_int_equal(vma_count(one.m, map_of(&one)), 2);
	assert_int_equal(unevictable(&one), PAGES - FIRST);
	rig_close(&one.rig);
}

/* A piece is of one kind: advised and locked are told apart, and joined only where both agree. */
static void a_piece_is_advised_and_locked(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", true);
	advise(&one, FIRST, END, MADVICE_RANDOM);
	lock(&one, OP_MLOCK, FIRST + 4, END + 4);
	assert_int_equal(vma_count(one.m, map_of(&one)), 5);
	assert_int_equal(vma_advice(one.m, map_of(&one), FIRST + 4), MAP_RANDOM);
	assert_int_equal(vma_advice(one.m, map_of(&one), END), MAP_NORMAL);
	assert_true(vma_locked(one.m, map_of(&one), END));
	advise(&one, FIRST, END, MADVICE_NORMAL);
	assert_int_equal(vma_count(one.m, map_of(&one)), 3);
	assert_true(vma_locks(one.m, map_of(&one), 0, FIRST + 5));
	assert_false(vma_locks(one.m, map_of(&one), 0, FIRST + 4));
	assert_false(vma_locks(one.m, map_of(&one), END + 4, PAGES));
	rig_close(&one.rig);
}

/* A chain of 72 bytes for each piece more, back with the piece. */
static void a_lock_that_parts_memory_costs_records(void **state)
{
	struct one one;
	uint32_t bytes;

	(void)state;
	one_open(&one, "v6.18-v1", false);
	assert_int_equal(rig_touch(&one.rig, one.task, one.map, 0, PAGES), OP_DONE);
	bytes = one.m->cpu[0].byte_nr;
	lock(&one, OP_MLOCK, FIRST, END);
	assert_int_equal(bytes - one.m->cpu[0].byte_nr, 2 * 72);
	lock(&one, OP_MUNLOCK, FIRST, END);
	assert_int_equal(one.m->cpu[0].byte_nr, bytes);
	rig_close(&one.rig);
}

/* MADV_DONTNEED is refused where pages are locked, and done beside them. */
static void advice_is_refused_where_pages_are_locked(void **state)
{
	struct op op = { .kind = OP_MADVISE, .value = MADVICE_DONTNEED };
	struct op_result res;
	struct diag diag;
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", false);
	assert_int_equal(rig_touch(&one.rig, one.task, one.map, 0, PAGES), OP_DONE);
	lock(&one, OP_MLOCK, FIRST, END);
	op.task = one.task;
	op.object = one.map;
	op.length = (FIRST + 1) * PAGE_BYTES;
	assert_int_equal(run_apply(one.rig.run, &op, &res, &diag), ERR_SCENARIO);
	op.length = FIRST * PAGE_BYTES;
	assert_int_equal(run_apply(one.rig.run, &op, &res, &diag), ERR_OK);
	assert_int_equal(res.done_pages, FIRST);
	op.length = (PAGES + 1) * PAGE_BYTES;
	assert_int_equal(run_apply(one.rig.run, &op, &res, &diag), ERR_RANGE);
	rig_close(&one.rig);
}

/* A child has the pieces that are advised; nothing of it is locked. */
static void a_child_has_nothing_locked(void **state)
{
	struct op op = { .kind = OP_FORK, .name = "child" };
	const struct mapping *copy;
	uint32_t child;
	struct one one;

	(void)state;
	one_open(&one, "v6.18-v1", false);
	assert_int_equal(rig_touch(&one.rig, one.task, one.map, 0, PAGES), OP_DONE);
	lock(&one, OP_MLOCK, FIRST, END);
	advise(&one, 0, 2, MADVICE_RANDOM);
	op.task = one.task;
	child = rig_apply(&one.rig, &op).id;
	copy = &one.m->pages.mapping[run_inherited(one.rig.run, child, one.map)];
	assert_int_equal(vma_count(one.m, copy), 2);
	assert_false(vma_locks(one.m, copy, 0, PAGES));
	assert_int_equal(vma_advice(one.m, copy, 1), MAP_RANDOM);
	assert_int_equal(unevictable(&one), END - FIRST);
	rig_check(&one.rig, "forked");
	rig_close(&one.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_read_by_the_advice_of_their_piece),
		cmocka_unit_test(uses_count_by_the_advice_of_their_piece),
		cmocka_unit_test(faults_map_around_within_their_piece),
		cmocka_unit_test(pieces_part_and_join),
		cmocka_unit_test(pieces_of_memory_have_records),
		cmocka_unit_test(windows_of_swap_stay_in_their_piece),
		cmocka_unit_test(a_lock_holds_for_its_pages_alone),
		cmocka_unit_test(unlocking_a_part_leaves_the_rest_locked),
		cmocka_unit_test(a_piece_is_advised_and_locked),
		cmocka_unit_test(a_lock_that_parts_memory_costs_records),
		cmocka_unit_test(advice_is_refused_where_pages_are_locked),
		cmocka_unit_test(a_child_has_nothing_locked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
