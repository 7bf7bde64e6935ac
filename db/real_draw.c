/*
 * Splitmix64 and the draws made of it, in integers wherever a bit counts.
 * Only the weights of the zipf law are powers of the C library: 40 bits of
 * them are kept, which leaves room for the last bits of a double.
 */
#include "real_draw.h"

#include <math.h>
#include <stdlib.h>

/* The published constants; the state is the sum, the output is mixed from it. */
static uint64_t next(struct real_draw *draw)
{
	uint64_t z = draw->state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

/* The upper half of a product of 64 by 64 bits, of four products of halves. */
static uint64_t product_high(uint64_t a, uint64_t b)
{
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t other = a0 * b1 + (middle & UINT32_MAX);

	return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* The upper half of next() * n: exact, without a division. */
static uint64_t uniform(struct real_draw *draw, uint64_t n)
{
	return product_high(next(draw), n);
}

/* Rank i has weight (i + 1) to the power of minus the exponent, in units of 2^-40. */
enum err real_draw_open(struct real_draw *draw, uint64_t seed, uint64_t pages, uint64_t exponent,
			struct diag *diag)
{
	uint64_t sum = 0;

	*draw = (struct real_draw){ .state = seed, .pages = pages };
	if (exponent == 0)
		return ERR_OK;
	draw->sum = malloc(pages * sizeof(*draw->sum));
	if (draw->sum == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for a table of %llu weights",
				 (unsigned long long)pages);
	for (uint64_t i = 0; i < pages; i++) {
		sum += (uint64_t)(pow((double)(i + 1), -(double)exponent / 1000.0) * 0x1p40);
		draw->sum[i] = sum;
	}
	return ERR_OK;
}

/* A uniform sequence has no table. */
void real_draw_close(struct real_draw *draw)
{
	free(draw->sum);
	draw->sum = NULL;
}

/* The least rank whose running sum is above @r. */
static uint64_t rank_of(const struct real_draw *draw, uint64_t r)
{
	uint64_t low = 0, high = draw->pages - 1;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (draw->sum[middle] > r)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Ranks are scattered over the pages by a product, so that hot pages are not neighbours. */
uint64_t real_draw_next(struct real_draw *draw)
{
	const uint64_t scatter = 2654435761u;

	if (draw->sum == NULL)
		return uniform(draw, draw->pages);
	return rank_of(draw, uniform(draw, draw->sum[draw->pages - 1])) * scatter % draw->pages;
}
