/*
 * The run's generator: xoshiro256** seeded by splitmix64, bit-stable for
 * ever (test vectors in tests/unit/test_rng.c).  Its state is part of the
 * machine.
 */
#ifndef MEMCGLAB_ENGINE_RNG_H
#define MEMCGLAB_ENGINE_RNG_H

#include <stdint.h>

/* Never all zero, which the generator could not leave. */
struct rng {
	uint64_t s[4];
};

/* rng_seed - start a stream; any seed will do, 0 too. */
void rng_seed(struct rng *rng, uint64_t seed);

/* rng_mix - a number without a pattern from another: one step of splitmix64. */
uint64_t rng_mix(uint64_t z);

/* rng_next - the next 64 bits. */
uint64_t rng_next(struct rng *rng);

/* rng_uniform - in [0, n), n >= 1, without bias beyond 2^-64: high half of a 128-bit product. */
uint64_t rng_uniform(struct rng *rng, uint64_t n);

/**
 * rng_zipf - rank in [0, n) with weight (rank + 1)^-s
 * @s: exponent, above 0
 * Rejection-inversion (Hörmann and Derflinger 1996): O(1), no table.
 */
uint64_t rng_zipf(struct rng *rng, uint64_t n, double s);

#endif
