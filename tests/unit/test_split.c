/*
 * Large folios that a hole or advice cuts: into what they come apart, where
 * the parts are listed, and what keeps them whole.
 */
#include "rig.h"
#include "rmap.h"
#include "run_private.h"
#include "split.h"

#define NR(table) (sizeof(table) / sizeof((table)[0]))
#define EXACT_V1 "v6.18-v1+kmem=off+stat_flush=exact+shadow_shrink=off"

enum { PAGES = 512, ORDER = 5, FOLIO = 32 };

struct one {
	struct rig rig;
	struct machine *m;
	uint32_t group, task, file, map;
	pages_t at;		/* first page of a folio of 32 */
};

static uint32_t slot_of(const struct one *one, pages_t index)
{
	return page_find(&one->m->pages, &one->m->pages.mapping[one->file], index);
}

static unsigned order_of(const struct one *one, pages_t index)
{
	return one->m->pages.order[slot_of(one, index)];
}

/* A file with large folios that was read once, in order. */
static void one_open(struct one *one, const char *kernel)
{
	struct op file = { .kind = OP_FILE_NEW, .name = "f", .length = PAGES * PAGE_BYTES,
			   .flags = OPF_LARGE };
	struct op map = { .kind = OP_MAP_FILE, .name = "f" };
	struct scenario sc;

	rig_scenario(&sc, kernel, 1);
	sc.era.knobs.readahead = FOLIO;
	rig_open_scenario(&one->rig, &sc);
	one->m = run_machine(one->rig.run);
	one->group = rig_group(&one->rig, RIG_ROOT, "g", 0);
	one->task = map.task = rig_task(&one->rig, one->group, 0);
	one->file = map.object = rig_apply(&one->rig, &file).id;
	one->map = rig_apply(&one->rig, &map).id;
	for (pages_t i = 0; i < PAGES; i++)
		assert_int_equal(rig_read(&one->rig, one->task, one->file, i, 1), OP_DONE);
	rig_drain(&one->rig, one->task);
	for (one->at = FOLIO; order_of(one, one->at) != ORDER; one->at += FOLIO)
		assert_true(one->at + FOLIO < PAGES);
}

static void drop(struct one *one, pages_t first, pages_t nr)
{
	struct op op = { .kind = OP_FILE_DROP, .object = one->file,
			 .offset = first * PAGE_BYTES, .length = nr * PAGE_BYTES };

	assert_int_equal(rig_apply(&one->rig, &op).outcome, OP_DONE);
	rig_check(&one->rig, "after a hole");
}

static void advise(struct one *one, pages_t first, pages_t nr, enum madvice advice)
{
	struct op op = { .kind = OP_MADVISE, .task = one->task, .object = one->map,
			 .offset = first * PAGE_BYTES, .length = nr * PAGE_BYTES,
			 .value = advice };

	assert_int_equal(rig_apply(&one->rig, &op).outcome, OP_DONE);
	rig_check(&one->rig, "after advice");
}

/* Pages of a mapping are read, so that they stay clean. */
static void look(struct one *one, uint32_t task, uint32_t map, pages_t first, pages_t nr)
{
	struct op op = { .kind = OP_TOUCH, .task = task, .object = map,
			 .offset = first * PAGE_BYTES, .length = nr * PAGE_BYTES,
			 .flags = OPF_READ };

	assert_int_equal(rig_apply(&one->rig, &op).outcome, OP_DONE);
}

/* The folios of what was one, as orders one after the other; "-" is a page that is not there. */
static void folios_are(const struct one *one, const char *want)
{
	char have[2 * FOLIO + 1] = "";
	pages_t i;
	size_t n = 0;

	for (i = 0; i < FOLIO; i += (pages_t)1 << order_of(one, one->at + i)) {
		bool there = one->m->pages.slot[slot_of(one, one->at + i)].word & PG_RESIDENT;

		have[n++] = there ? (char)('0' + order_of(one, one->at + i)) : '-';
	}
	have[n] = '\0';
	assert_string_equal(have, want);
}

/* Halves down to the first page of the hole, then those of the half where it ends. */
static void a_hole_leaves_halves(void **state)
{
	static const struct { pages_t first, nr, left; const char *folios; } rows[] = {
		/* The whole of it: no split. */
		{ 0, 32, 0, "--------------------------------" },
		/* Page 8 alone: 4+4+(0..7 is 3)… of order 3, the hole, 0, 1, 2, 4. */
		{ 8, 1, 31, "3-0124" },
		{ 0, 1, 31, "-01234" },
		{ 31, 1, 31, "43210-" },
		/* Up to the end: one cut. */
		{ 16, 16, 16, "4----------------" },
		{ 20, 12, 20, "42------------" },
		/* From the start on: split at its first page, then at page 4, which begins 2. */
		{ 0, 4, 28, "----00134" },
		/* Within: first cut at 5, then at 12, which begins half of 8 to 15. */
		{ 5, 7, 25, "20-------0014" },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		struct run_memcg before, after;
		struct one one;
		unsigned next;

		one_open(&one, EXACT_V1);
		before = rig_memcg(&one.rig, one.group);
		next = order_of(&one, one.at + FOLIO);
		drop(&one, one.at + rows[i].first, rows[i].nr);
		folios_are(&one, rows[i].folios);
		assert_int_equal(order_of(&one, one.at + FOLIO), next);
		after = rig_memcg(&one.rig, one.group);
		assert_int_equal(before.charged - after.charged, FOLIO - rows[i].left);
		rig_close(&one.rig);
	}
}

/* A hole over several folios cuts the first and the last alone. */
static void a_hole_spares_what_lies_beside_it(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1);
	one.at += 2 * FOLIO;
	drop(&one, one.at - FOLIO - 16, 3 * FOLIO);
	folios_are(&one, "--------------------------------");
	one.at -= 2 * FOLIO;
	folios_are(&one, "4----------------");
	one.at += 3 * FOLIO;
	/* Where it ends is split down to that page, though a half began there. */
	folios_are(&one, "----------------00123");
	rig_close(&one.rig);
}

/* What is dirty, or in somebody's hands, stays as it is; its entries in page tables go. */
static void what_is_held_stays_whole(void **state)
{
	static const uint32_t flags[] = { PG_HELD, PG_MLOCKED };
	struct one one;

	(void)state;
	for (size_t i = 0; i <= NR(flags); i++) {
		struct op write = { .kind = OP_WRITE, .length = PAGE_BYTES };
		uint32_t *word;

		one_open(&one, EXACT_V1);
		word = &one.m->pages.slot[slot_of(&one, one.at)].word;
		write.task = one.task;
		write.object = one.file;
		write.offset = (one.at + 20) * PAGE_BYTES;
		if (i == NR(flags))
			rig_apply(&one.rig, &write);
		else
			*word |= flags[i];
		assert_false(split_folio(one.m, 0, slot_of(&one, one.at), SPLIT_PAGES));
		assert_int_equal(order_of(&one, one.at), ORDER);
		if (i < NR(flags)) {
			*word &= ~flags[i];
			assert_true(split_folio(one.m, 0, slot_of(&one, one.at), SPLIT_PAGES));
			rig_close(&one.rig);
			continue;
		}
		look(&one, one.task, one.map, one.at, 1);
		drop(&one, one.at + 8, 8);
		folios_are(&one, "5");
		assert_int_equal(*rmap_entry(one.m, one.map, one.at), 0);
		rig_close(&one.rig);
	}
}

/* From the tail on: the folio's first page, then the others from the last to the second. */
static void parts_are_listed_beside_the_first(void **state)
{
	/* Halves of 16, 8, 4, 2 and 1 around page 8. */
	static const pages_t others[] = { 16, 12, 10, 9, 8 };
	const struct lru_list *list;
	struct lru_walk walk;
	struct one one;
	pages_t index = 0;
	uint32_t slot;

	(void)state;
	one_open(&one, EXACT_V1);
	assert_true(split_folio(one.m, 0, slot_of(&one, one.at + 8), SPLIT_HALVES));
	list = &machine_memcg(one.m, one.group)->lruvec[0].list[LRU_INACTIVE_FILE];
	lru_walk_start(list, &walk);
	do
		slot = lru_walk_next(&one.m->lists, PLANE_GROUP, &walk);
	while (slot != SLOT_NONE && slot != slot_of(&one, one.at));
	for (size_t i = 0; i < NR(others); i++) {
		slot = lru_walk_next(&one.m->lists, PLANE_GROUP, &walk);
		page_identity(&one.m->pages, slot, &index);
		assert_int_equal(index, one.at + others[i]);
	}
	rig_check(&one.rig, "after a split");
	rig_close(&one.rig);
}

/* Parts keep use, list and owner of the whole, but not the mark of a window. */
static void parts_are_like_the_whole(void **state)
{
	struct one one;
	uint32_t *word;

	(void)state;
	one_open(&one, EXACT_V1);
	word = &one.m->pages.slot[slot_of(&one, one.at)].word;
	*word |= PG_REFERENCED | PG_WORKINGSET | PG_READAHEAD;
	assert_true(split_folio(one.m, 0, slot_of(&one, one.at), SPLIT_PAGES));
	assert_true(*word & PG_READAHEAD);
	for (pages_t i = 1; i < FOLIO; i++)
		assert_int_equal(one.m->pages.slot[slot_of(&one, one.at + i)].word,
				 *word & ~(uint32_t)PG_READAHEAD);
	rig_close(&one.rig);
}

/* Advice that ends within a folio splits it into pages, which nobody maps then, and so the advice
 * itself does not meet them.  A folio that others map too is left alone. */
static void advice_splits_what_it_cuts(void **state)
{
	static const enum madvice advice[] = { MADVICE_COLD, MADVICE_PAGEOUT };

	(void)state;
	for (size_t i = 0; i < 2 * NR(advice); i++) {
		struct op map = { .kind = OP_MAP_FILE, .name = "f" };
		struct run_memcg before, after;
		struct one one;
		uint32_t other;

		one_open(&one, EXACT_V1);
		map.task = rig_task(&one.rig, one.group, 0);
		map.object = one.file;
		other = rig_apply(&one.rig, &map).id;
		look(&one, one.task, one.map, 0, PAGES);
		if (i % 2)
			look(&one, map.task, other, one.at + FOLIO - 1, 1);
		before = rig_memcg(&one.rig, one.group);
		advise(&one, one.at + 8, FOLIO - 8, advice[i / 2]);
		after = rig_memcg(&one.rig, one.group);
		folios_are(&one, i % 2 ? "5" : "00000000000000000000000000000000");
		assert_int_equal(after.charged, before.charged);
		assert_int_equal(before.mapped - after.mapped, i % 2 ? 0 : FOLIO);
		rig_close(&one.rig);
	}
}

/* So does advice for all of a folio of which the task maps a part. */
static void advice_splits_what_is_mapped_in_part(void **state)
{
	struct one one;

	(void)state;
	one_open(&one, EXACT_V1);
	look(&one, one.task, one.map, 0, PAGES);
	advise(&one, one.at, 8, MADVICE_DONTNEED);
	folios_are(&one, "5");
	advise(&one, one.at, FOLIO, MADVICE_COLD);
	folios_are(&one, "00000000000000000000000000000000");
	rig_close(&one.rig);
	/* Whole and mapped as a whole it is made cold as it is. */
	one_open(&one, EXACT_V1);
	look(&one, one.task, one.map, 0, PAGES);
	advise(&one, one.at, FOLIO, MADVICE_COLD);
	folios_are(&one, "5");
	rig_close(&one.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hole_leaves_halves),
		cmocka_unit_test(a_hole_spares_what_lies_beside_it),
		cmocka_unit_test(what_is_held_stays_whole),
		cmocka_unit_test(parts_are_listed_beside_the_first),
		cmocka_unit_test(parts_are_like_the_whole),
		cmocka_unit_test(advice_splits_what_it_cuts),
		cmocka_unit_test(advice_splits_what_is_mapped_in_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
