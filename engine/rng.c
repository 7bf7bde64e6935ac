/*
 * xoshiro256** 1.0 (Blackman and Vigna 2018) and draws from it.
 */
#include "rng.h"

#include <assert.h>
#include <math.h>

static uint64_t rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static const uint64_t golden = 0x9E3779B97F4A7C15u;

uint64_t rng_mix(uint64_t z)
{
	z += golden;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

void rng_seed(struct rng *rng, uint64_t seed)
{
	int i;

	/* splitmix64 spreads one seed over the state. */
	for (i = 0; i < 4; i++, seed += golden)
		rng->s[i] = rng_mix(seed);
}

uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->s;
	uint64_t result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return result;
}

/* High 64 bits of a * b in 32-bit halves: C17 has no 128-bit type. */
static uint64_t mul_high(uint64_t a, uint64_t b)
{
	uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
	uint64_t mid = ah * bl + (al * bl >> 32);
	uint64_t mid2 = al * bh + (mid & UINT32_MAX);

	return ah * bh + (mid >> 32) + (mid2 >> 32);
}

uint64_t rng_uniform(struct rng *rng, uint64_t n)
{
	assert(n >= 1);
	return mul_high(rng_next(rng), n);
}

/* Integral of x^-s, and its inverse; continuous at s = 1. */
static double zipf_h(double x, double s)
{
	double log_x = log(x), t = (1 - s) * log_x;

	return fabs(t) > 1e-8 ? expm1(t) / t * log_x : log_x * (1 + t / 2);
}

static double zipf_h_inverse(double x, double s)
{
	double t = x * (1 - s);

	if (t < -1)
		t = -1;
	return exp(fabs(t) > 1e-8 ? log1p(t) / t * x : x * (1 - t / 2));
}

uint64_t rng_zipf(struct rng *rng, uint64_t n, double s)
{
	double h1 = zipf_h(1.5, s) - 1, hn = zipf_h((double)n + 0.5, s);
	double accept = 2 - zipf_h_inverse(zipf_h(2.5, s) - pow(2, -s), s);

	assert(n >= 1 && s > 0);
	for (;;) {
		double unit = (double)(rng_next(rng) >> 11) * 0x1p-53;
		double u = hn + unit * (h1 - hn), x = zipf_h_inverse(u, s);
		double k = floor(x + 0.5);

		if (k < 1)
			k = 1;
		else if (k > (double)n)
			k = (double)n;
		if (k - x <= accept || u >= zipf_h(k + 0.5, s) - pow(k, -s))
			return (uint64_t)k - 1;
	}
}
