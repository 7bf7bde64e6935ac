/*
 * Laws under random ops for every kernel that can run, and for every such
 * kernel with each single axis replaced by each other value.  Combinations
 * that make no sense are refused when the kernel is looked up; they are
 * skipped and counted.
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

/* Each other value of @axis that is modelled. */
static void replace_axis(const struct era *era, enum axis axis, uint64_t seed, struct lives *lives)
{
	const struct axis_desc *desc = axis_at(axis);

	for (unsigned v = 0; desc->values[v]; v++) {
		char name[LIVES_NAME_MAX];

		if (v == era->value[axis] || !(desc->runnable >> v & 1))
			continue;
		snprintf(name, sizeof(name), "%s+%s=%s", era->base, desc->name, desc->values[v]);
		lives_try(name, seed + v, lives);
	}
}

static void laws_hold_with_each_single_axis_replaced(void **state)
{
	struct lives lives = { 0 };
	struct era era;

	(void)state;
	for (size_t i = 0; era_at(i, &era); i++) {
		if (!era.runnable || strcmp(era.name, era.base))
			continue;
		for (int axis = 0; axis < NR_AXES; axis++)
			replace_axis(&era, (enum axis)axis, 1000 * i + 10 * (uint64_t)axis, &lives);
	}
	lives_tell("single axes", &lives);
	assert_true(lives.kernels > 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(laws_hold_in_every_kernel),
		cmocka_unit_test(laws_hold_with_each_single_axis_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
