/*
 * The random sequences of recorded experiments, specified to the bit:
 * splitmix64, uniform by a 128-bit product, zipf by a table of weights of
 * 40 bits whose ranks are scattered over the pages.
 */
#ifndef MEMCGLAB_DB_REAL_DRAW_H
#define MEMCGLAB_DB_REAL_DRAW_H

#include "diag.h"
#include "units.h"

/* One sequence; the table is owned. */
struct real_draw {
	uint64_t state, pages;
	uint64_t *sum;		/* running sums of the weights; NULL: uniform */
};

/**
 * real_draw_open - begin a sequence
 * @pages:    to draw from, at least 1
 * @exponent: of the zipf law in thousandths; 0: uniform
 */
enum err real_draw_open(struct real_draw *draw, uint64_t seed, uint64_t pages, uint64_t exponent,
			struct diag *diag);
void real_draw_close(struct real_draw *draw);

/* real_draw_next - the next page, below draw->pages. */
uint64_t real_draw_next(struct real_draw *draw);

#endif
