/*
 * Lists of stamps: order against a plain array, under random adds at both
 * ends, removals, pops and enough dead entries to force compaction.
 */
#include <string.h>

#include "lruvec.h"
#include "rig.h"
#include "rng.h"
#include "run_private.h"

enum { PAGES = 4096, OPS = 60000 };

/* The reference: slots in order, oldest first. */
struct plain {
	uint32_t slot[PAGES];
	uint32_t nr;
};

static void plain_insert(struct plain *plain, uint32_t at, uint32_t slot)
{
	memmove(plain->slot + at + 1, plain->slot + at, (plain->nr - at) * sizeof(plain->slot[0]));
	plain->slot[at] = slot;
	plain->nr++;
}

static void plain_remove(struct plain *plain, uint32_t at)
{
	plain->nr--;
	memmove(plain->slot + at, plain->slot + at + 1, (plain->nr - at) * sizeof(plain->slot[0]));
}

static void assert_same(const struct lists *lists, const struct lru_list *list,
			const struct plain *plain)
{
	struct lru_walk walk;
	uint32_t i;

	assert_int_equal(list->nr, plain->nr);
	lru_walk_start(list, &walk);
	for (i = 0; i < plain->nr; i++)
		assert_int_equal(lru_walk_next(lists, PLANE_GROUP, &walk), plain->slot[i]);
	assert_int_equal(lru_walk_next(lists, PLANE_GROUP, &walk), SLOT_NONE);
	/* Dead entries stay below half of the pages and a chunk's worth. */
	assert_true(list->nr_entries <= list->nr + list->nr / 2 + 2 * CHUNK_ENTRIES);
}

/* One random change, made on both. */
static void change(struct machine *m, struct rng *rng, struct lru_list *list, struct plain *plain,
		   struct plain *idle)
{
	uint64_t what = rng_uniform(rng, 8);
	uint32_t at, popped[32], n, i;

	if (what < 4 && idle->nr) {
		at = (uint32_t)rng_uniform(rng, idle->nr);
		if (what < 3) {
			assert_true(lru_add(&m->lists, list, PLANE_GROUP, idle->slot[at]));
			plain_insert(plain, plain->nr, idle->slot[at]);
		} else {
			assert_true(lru_add_tail(&m->lists, list, PLANE_GROUP, idle->slot[at]));
			plain_insert(plain, 0, idle->slot[at]);
		}
		plain_remove(idle, at);
	} else if (what < 7 && plain->nr) {
		at = (uint32_t)rng_uniform(rng, plain->nr);
		lru_del(&m->lists, list, PLANE_GROUP, plain->slot[at]);
		plain_insert(idle, idle->nr, plain->slot[at]);
		plain_remove(plain, at);
	} else {
		n = lru_pop_run(&m->lists, list, PLANE_GROUP, (uint32_t)rng_uniform(rng, 32) + 1,
				popped);
		for (i = 0; i < n; i++) {
			assert_int_equal(popped[i], plain->slot[0]);
			plain_insert(idle, idle->nr, popped[i]);
			plain_remove(plain, 0);
		}
	}
}

static void order_equals_that_of_a_plain_array(void **state)
{
	static struct plain plain, idle;
	struct lru_list list = { 0 };
	struct machine *m;
	struct rig rig;
	struct rng rng;
	uint32_t file, i;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	m = run_machine(rig.run);
	file = rig_file(&rig, PAGES);
	idle.nr = plain.nr = 0;
	for (i = 0; i < PAGES - 1; i++)
		idle.slot[idle.nr++] = page_insert(&m->pages, file, i, 0);
	rng_seed(&rng, 42);
	for (i = 0; i < OPS; i++) {
		change(m, &rng, &list, &plain, &idle);
		if (i % 1000 == 0)
			assert_same(&m->lists, &list, &plain);
	}
	assert_same(&m->lists, &list, &plain);
	rig_close(&rig);
}

static void a_run_of_pages_lists_as_one_by_one_does(void **state)
{
	struct lru_list run = { 0 }, single = { 0 };
	struct lru_walk walk_run, walk_single;
	struct machine *m;
	uint32_t file, slot, i;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.1", 1);
	m = run_machine(rig.run);
	file = rig_file(&rig, LEAF_SLOTS);
	slot = page_insert_run(&m->pages, file, 0, LEAF_SLOTS, 0);
	assert_true(lru_add_run(&m->lists, &run, PLANE_GROUP, slot, LEAF_SLOTS));
	for (i = 0; i < LEAF_SLOTS; i++)
		assert_true(lru_add(&m->lists, &single, PLANE_ZONE, slot + i));
	lru_walk_start(&run, &walk_run);
	lru_walk_start(&single, &walk_single);
	for (i = 0; i <= LEAF_SLOTS; i++)
		assert_int_equal(lru_walk_next(&m->lists, PLANE_GROUP, &walk_run),
				 lru_walk_next(&m->lists, PLANE_ZONE, &walk_single));
	rig_close(&rig);
}

static void moving_pages_again_and_again_does_not_grow_the_block(void **state)
{
	struct lru_list list = { 0 };
	struct machine *m;
	uint32_t file, slot, i, used = 0;
	struct rig rig;

	(void)state;
	rig_open(&rig, "v3.3", 1);
	m = run_machine(rig.run);
	file = rig_file(&rig, LEAF_SLOTS);
	slot = page_insert_run(&m->pages, file, 0, LEAF_SLOTS, 0);
	assert_true(lru_add_run(&m->lists, &list, PLANE_GROUP, slot, LEAF_SLOTS));
	for (i = 0; i < 200000; i++) {
		/* The oldest page stays, so dead entries cannot simply fall off the tail. */
		uint32_t page = slot + 1 + i % (LEAF_SLOTS - 1);

		lru_del(&m->lists, &list, PLANE_GROUP, page);
		assert_true(lru_add(&m->lists, &list, PLANE_GROUP, page));
		if (i == 20000)
			used = m->block.region[REGION_CHUNK].used;
	}
	assert_int_equal(m->block.region[REGION_CHUNK].used, used);
	rig_close(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_equals_that_of_a_plain_array),
		cmocka_unit_test(a_run_of_pages_lists_as_one_by_one_does),
		cmocka_unit_test(moving_pages_again_and_again_does_not_grow_the_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
