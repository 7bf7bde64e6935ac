/*
 * The generator: published vectors of splitmix64 and xoshiro256**, and the
 * draws made from it.
 */
#include "rig.h"
#include "rng.h"

/* xoshiro256** from state 1, 2, 3, 4: first outputs of the reference program. */
static void xoshiro_gives_the_reference_outputs(void **state)
{
	static const uint64_t want[] = {
		11520u, 0u, 1509978240u, 1215971899390074240u, 1216172134540287360u,
		607988272756665600u,
	};
	struct rng rng = { { 1, 2, 3, 4 } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_true(rng_next(&rng) == want[i]);
}

/* splitmix64 from seed 1234567: first outputs of the reference program. */
static void a_seed_is_spread_by_splitmix(void **state)
{
	static const uint64_t want[] = {
		6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
		4593380528125082431u,
	};
	struct rng rng;
	size_t i;

	(void)state;
	rng_seed(&rng, 1234567);
	for (i = 0; i < 4; i++)
		assert_true(rng.s[i] == want[i]);
}

static void uniform_draws_stay_below_their_bound_and_reach_all_of_it(void **state)
{
	unsigned seen[7] = { 0 }, i;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1);
	for (i = 0; i < 7000; i++) {
		uint64_t n = rng_uniform(&rng, 7);

		assert_true(n < 7);
		seen[n]++;
	}
	/* 1000 expected each; 5 standard deviations are 146. */
	for (i = 0; i < 7; i++)
		assert_in_range(seen[i], 854, 1146);
	assert_true(rng_uniform(&rng, 1) == 0);
}

/* Weights 1, 1/2, 1/3, 1/4 of 25/12: 48 %, 24 %, 16 %, 12 % of 20,000 draws. */
static void zipf_ranks_fall_as_the_power_law_says(void **state)
{
	static const unsigned want[] = { 9600, 4800, 3200, 2400 };
	unsigned seen[4] = { 0 }, i;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 2);
	for (i = 0; i < 20000; i++) {
		uint64_t n = rng_zipf(&rng, 4, 1.0);

		assert_true(n < 4);
		seen[n]++;
	}
	/* 5 standard deviations are 353 at most. */
	for (i = 0; i < 4; i++)
		assert_in_range(seen[i], want[i] - 353, want[i] + 353);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(xoshiro_gives_the_reference_outputs),
		cmocka_unit_test(a_seed_is_spread_by_splitmix),
		cmocka_unit_test(uniform_draws_stay_below_their_bound_and_reach_all_of_it),
		cmocka_unit_test(zipf_ranks_fall_as_the_power_law_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
