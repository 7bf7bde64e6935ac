/*
 * Laws under random ops for every kernel that can run, and for every second
 * one with each single axis replaced by each other value; prop_axes_more.c
 * has the others.  Combinations that make no sense are refused when the
 * kernel is looked up; they are skipped and counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lives.h"

static void laws_hold_in_every_kernel(void **state)
{
	struct lives lives = { 0 };
	struct era era;

	(void)state;
	for (size_t i = 0; era_at(i, &era); i++)
		if (era.runnable)
			lives_in(&era, 1 + 100 * i, LIVES_OPS, &lives);
	lives_tell("kernels", &lives);
	assert_true(lives.kernels >= 7 && lives.refused == 0);
	assert_true(lives.ops >= (uint64_t)LIVES_OPS * lives.kernels);
}

static void the_same_life_ends_in_the_same_state(void **state)
{
	enum { STEPS = 300, SEED = 31 };
	struct world_step steps[STEPS];
	struct era era;

	(void)state;
	for (size_t i = 0; era_at(i, &era); i++) {
		char hash[3][RUN_HASH_MAX];
		struct scenario sc;
		struct world world = { &sc, steps, STEPS, NULL };

		if (!era.runnable)
			continue;
		for (uint64_t nr = 0; nr < 3; nr++) {
			struct world_verdict verdict;

			/* The third is another one. */
			world_scenario(SEED, &sc);
			sc.era = era;
			world_draw(SEED + nr / 2, steps, STEPS);
			assert_true(world_live(&world, NULL, &verdict));
			memcpy(hash[nr], verdict.hash, RUN_HASH_MAX);
		}
		assert_string_equal(hash[0], hash[1]);
		assert_string_not_equal(hash[0], hash[2]);
	}
}

static void laws_hold_with_each_single_axis_of_every_second_kernel_replaced(void **state)
{
	struct lives lives = { 0 };

	(void)state;
	lives_single_axes(0, 2, &lives);
	lives_tell("single axes", &lives);
	assert_true(lives.kernels > 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(laws_hold_in_every_kernel),
		cmocka_unit_test(the_same_life_ends_in_the_same_state),
		cmocka_unit_test(laws_hold_with_each_single_axis_of_every_second_kernel_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
