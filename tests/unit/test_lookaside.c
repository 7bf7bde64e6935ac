/*
 * The look-aside of the 2008 proposal: 16 slots, 128 pages a chunk.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lookaside.h"

enum { ORDER = 7, CHUNK = 1 << ORDER, CHUNKS = 256 };

struct world {
	uint64_t bits[CHUNKS / 64];
	struct lookaside_tree tree;
	struct lookaside cpu;
};

static void world_init(struct world *w, bool made)
{
	memset(w, 0, sizeof(*w));
	if (made)
		memset(w->bits, 0xff, sizeof(w->bits));
	w->tree = (struct lookaside_tree){ w->bits, CHUNKS, ORDER, 0 };
}

/* W16: 16 chunks of 128 pages fit; the 17th takes the slot of the first. */
static void pages_in_order_miss_once_a_chunk(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, true);
	for (uint64_t pfn = 0; pfn < 2048; pfn++)
		assert_int_equal(lookaside_find(&w.cpu, &w.tree, pfn),
				 pfn % CHUNK == 0 ? LOOKASIDE_WALK : LOOKASIDE_HIT);
	assert_int_equal(w.cpu.nr_misses, 16);
	assert_int_equal(w.cpu.nr_hits, 2032);
	assert_int_equal(w.cpu.nr_evictions, 0);
	assert_true(lookaside_holds(&w.cpu, 0));
	assert_int_equal(lookaside_find(&w.cpu, &w.tree, 2048), LOOKASIDE_WALK);
	assert_int_equal(w.cpu.nr_evictions, 1);
	assert_false(lookaside_holds(&w.cpu, 0));
	assert_true(lookaside_holds(&w.cpu, 16));
	/* Its neighbours are untouched. */
	assert_int_equal(lookaside_find(&w.cpu, &w.tree, 128), LOOKASIDE_HIT);
}

static void chunks_16_apart_conflict_and_15_apart_do_not(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, true);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(lookaside_find(&w.cpu, &w.tree, 3 * CHUNK), LOOKASIDE_WALK);
		assert_int_equal(lookaside_find(&w.cpu, &w.tree, 19 * CHUNK), LOOKASIDE_WALK);
	}
	assert_int_equal(w.cpu.nr_hits, 0);
	assert_int_equal(w.cpu.nr_evictions, 19);
	world_init(&w, true);
	for (int i = 0; i < 10; i++) {
		lookaside_find(&w.cpu, &w.tree, 3 * CHUNK);
		lookaside_find(&w.cpu, &w.tree, 18 * CHUNK);
	}
	assert_int_equal(w.cpu.nr_misses, 2);
	assert_int_equal(w.cpu.nr_hits, 18);
}

static void the_first_touch_of_a_chunk_makes_it_and_fills_nothing(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, false);
	assert_int_equal(lookaside_find(&w.cpu, &w.tree, 700), LOOKASIDE_MADE);
	assert_false(lookaside_holds(&w.cpu, 700 / CHUNK));
	assert_int_equal(lookaside_find(&w.cpu, &w.tree, 700), LOOKASIDE_WALK);
	assert_int_equal(lookaside_find(&w.cpu, &w.tree, 701), LOOKASIDE_HIT);
	assert_int_equal(w.tree.nr_made, 1);
	assert_int_equal(w.cpu.nr_misses, 2);
	/* A first touch evicts nobody either. */
	assert_int_equal(lookaside_find(&w.cpu, &w.tree, 700 + 16 * CHUNK), LOOKASIDE_MADE);
	assert_true(lookaside_holds(&w.cpu, 700 / CHUNK));
}

static void without_a_look_aside_every_look_up_walks(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, true);
	for (int i = 0; i < 3; i++)
		assert_int_equal(lookaside_find(NULL, &w.tree, 5), LOOKASIDE_WALK);
}

static void a_freed_chunk_leaves_its_slot_and_no_other_does(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, true);
	lookaside_find(&w.cpu, &w.tree, 0);
	lookaside_find(&w.cpu, &w.tree, CHUNK);
	lookaside_drop(&w.cpu, &w.tree, 16); /* shares the slot of 0, which stays */
	assert_true(lookaside_holds(&w.cpu, 0));
	lookaside_drop(&w.cpu, &w.tree, 0);
	assert_false(lookaside_holds(&w.cpu, 0));
	assert_true(lookaside_holds(&w.cpu, 1));
	assert_int_equal(lookaside_find(&w.cpu, &w.tree, 0), LOOKASIDE_MADE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_in_order_miss_once_a_chunk),
		cmocka_unit_test(chunks_16_apart_conflict_and_15_apart_do_not),
		cmocka_unit_test(the_first_touch_of_a_chunk_makes_it_and_fills_nothing),
		cmocka_unit_test(without_a_look_aside_every_look_up_walks),
		cmocka_unit_test(a_freed_chunk_leaves_its_slot_and_no_other_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
