/*
 * Laws under random ops in 200 random combinations of axes, from a fixed
 * seed: a kernel with two to six of its axes replaced.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lives.h"

enum { COMBINATIONS = 200, REPLACED_MAX = 6, SEED = 20090820 };

static uint64_t draw(uint64_t *random, uint64_t n)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (*random >> 11) % n;
}

static void combine(uint64_t *random, char name[LIVES_NAME_MAX])
{
	struct era era;
	size_t nr = 0, len;

	while (era_at(nr, &era))
		nr++;
	do {
		era_at(draw(random, nr), &era);
	} while (!era.runnable || strcmp(era.name, era.base));
	len = (size_t)snprintf(name, LIVES_NAME_MAX, "%s", era.base);
	for (uint64_t i = 2 + draw(random, REPLACED_MAX - 1); i > 0; i--) {
		const struct axis_desc *desc = axis_at((enum axis)draw(random, NR_AXES));
		unsigned values = 0;

		while (desc->values[values])
			values++;
		len += (size_t)snprintf(name + len, LIVES_NAME_MAX - len, "+%s=%s", desc->name,
					desc->values[draw(random, values)]);
		assert_true(len < LIVES_NAME_MAX);
	}
}

static void laws_hold_in_random_combinations_of_axes(void **state)
{
	uint64_t random = SEED;
	struct lives lives = { 0 };

	(void)state;
	for (uint64_t i = 0; lives.kernels < COMBINATIONS; i++) {
		char name[LIVES_NAME_MAX];

		combine(&random, name);
		lives_try(name, 7 * i, &lives);
		assert_true(i < 10 * COMBINATIONS);
	}
	lives_tell("combinations", &lives);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(laws_hold_in_random_combinations_of_axes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
