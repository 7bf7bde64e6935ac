/*
 * Laws under random ops for every kernel that can run, for every such kernel
 * with each single axis replaced by each other value, and for 200 random
 * combinations of axes.  Combinations that make no sense are refused when
 * the kernel is looked up; they are skipped and counted.
 *
 * A life that fails is shrunk and told as a short list of ops, with the
 * kernel and the seed that made it.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "world.h"

enum {
	STEPS = 1000,		/* of one life */
	OPS = 10000,		/* of a kernel in all its lives */
	OPS_AXIS = 1500,	/* of a kernel with axes replaced */
	COMBINATIONS = 200,
	REPLACED_MAX = 6,	/* axes of a combination */
	NAME_MAX_ = 256
};

struct tally {
	unsigned kernels, refused;
	uint64_t ops, ops_refused;
};

static void report(const struct scenario *sc, uint64_t seed, struct world_step *steps,
		   const char *why)
{
	char last[WORLD_WHY_MAX];
	struct world_count count;
	size_t nr = world_shrink(sc, steps, STEPS);

	printf("%s, seed %" PRIu64 ": %s\n%zu steps are enough:\n", sc->era.name, seed, why, nr);
	world_live(sc, steps, nr, &count, stdout, last);
	fail_msg("%s, seed %" PRIu64 ": %s", sc->era.name, seed, last[0] ? last : why);
}

/* Lives of one kernel until they make @ops ops. */
static void live(const struct era *era, uint64_t seed, uint64_t ops, struct tally *tally)
{
	static struct world_step steps[STEPS];
	struct scenario sc;
	struct diag diag;
	uint64_t done = 0;

	for (; done < ops; seed++) {
		struct world_count count;
		char why[WORLD_WHY_MAX];

		world_scenario(seed, &sc);
		sc.era = *era;
		sc.era.knobs.readahead = seed % 5 == 4 ? 32 : 0;
		if (scenario_validate(&sc, &diag)) {
			tally->refused++;
			return;
		}
		world_draw(seed, steps, STEPS);
		if (!world_live(&sc, steps, STEPS, &count, NULL, why))
			report(&sc, seed, steps, why);
		done += count.ops;
		tally->ops_refused += count.refused;
	}
	tally->ops += done;
	tally->kernels++;
}

/* Looks a kernel up and lives in it, if there is such a one. */
static void try_kernel(const char *name, uint64_t seed, uint64_t ops, struct tally *tally)
{
	struct diag diag;
	struct era era;

	if (era_find(name, &era, &diag) || !era.runnable)
		tally->refused++;
	else
		live(&era, seed, ops, tally);
}

static void tell(const char *what, const struct tally *tally)
{
	printf("%s: %u kernels, %u refused, %" PRIu64 " ops of which %" PRIu64 " refused\n", what,
	       tally->kernels, tally->refused, tally->ops, tally->ops_refused);
}

static void laws_hold_in_every_kernel(void **state)
{
	struct tally tally = { 0 };
	struct era era;

	(void)state;
	for (size_t i = 0; era_at(i, &era); i++)
		if (era.runnable)
			live(&era, 1 + 100 * i, OPS, &tally);
	tell("kernels", &tally);
	assert_true(tally.kernels >= 7 && tally.refused == 0);
	assert_true(tally.ops >= (uint64_t)OPS * tally.kernels);
}

/* Each other value of @axis that is modelled. */
static void replace_axis(const struct era *era, enum axis axis, uint64_t seed, struct tally *tally)
{
	const struct axis_desc *desc = axis_at(axis);

	for (unsigned v = 0; desc->values[v]; v++) {
		char name[NAME_MAX_];

		if (v == era->value[axis] || !(desc->runnable >> v & 1))
			continue;
		snprintf(name, sizeof(name), "%s+%s=%s", era->base, desc->name, desc->values[v]);
		try_kernel(name, seed + v, OPS_AXIS, tally);
	}
}

static void laws_hold_with_each_single_axis_replaced(void **state)
{
	struct tally tally = { 0 };
	struct era era;

	(void)state;
	for (size_t i = 0; era_at(i, &era); i++) {
		if (!era.runnable || strcmp(era.name, era.base))
			continue;
		for (int axis = 0; axis < NR_AXES; axis++)
			replace_axis(&era, (enum axis)axis, 1000 * i + 10 * (uint64_t)axis, &tally);
	}
	tell("single axes", &tally);
	assert_true(tally.kernels > 100);
}

static uint64_t draw(uint64_t *random, uint64_t n)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (*random >> 11) % n;
}

static void combine(uint64_t *random, char name[NAME_MAX_])
{
	struct era era;
	size_t nr = 0, len;

	while (era_at(nr, &era))
		nr++;
	do {
		era_at(draw(random, nr), &era);
	} while (!era.runnable || strcmp(era.name, era.base));
	len = (size_t)snprintf(name, NAME_MAX_, "%s", era.base);
	for (uint64_t i = 2 + draw(random, REPLACED_MAX - 1); i > 0; i--) {
		const struct axis_desc *desc = axis_at((enum axis)draw(random, NR_AXES));
		unsigned values = 0;

		while (desc->values[values])
			values++;
		len += (size_t)snprintf(name + len, NAME_MAX_ - len, "+%s=%s", desc->name,
					desc->values[draw(random, values)]);
		assert_true(len < NAME_MAX_);
	}
}

static void laws_hold_in_random_combinations_of_axes(void **state)
{
	uint64_t random = 20090820;
	struct tally tally = { 0 };

	(void)state;
	for (uint64_t i = 0; tally.kernels < COMBINATIONS; i++) {
		char name[NAME_MAX_];

		combine(&random, name);
		try_kernel(name, 7 * i, OPS_AXIS, &tally);
		assert_true(i < 10 * COMBINATIONS);
	}
	tell("combinations", &tally);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(laws_hold_in_every_kernel),
		cmocka_unit_test(laws_hold_with_each_single_axis_replaced),
		cmocka_unit_test(laws_hold_in_random_combinations_of_axes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
