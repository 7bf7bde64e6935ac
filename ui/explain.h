/*
 * The newest reclaim of a side in words: what was refused, what each
 * priority asked for, what was taken and freed, and by which rules.
 */
#ifndef MEMCGLAB_UI_EXPLAIN_H
#define MEMCGLAB_UI_EXPLAIN_H

#include "model.h"

enum { EXPLAIN_LINES = 40, EXPLAIN_BYTES = 256 };

struct explain {
	int n;
	char line[EXPLAIN_LINES][EXPLAIN_BYTES];
};

/**
 * explain_reclaim - the most telling lines first: three say the essence
 * @letter: how the side is called, 'A' or 'B'
 * @memcg:  the shown group: its calls are told if the reclaim made any on its lists
 * Only what the side's events and its run hold is said.
 */
void explain_reclaim(const struct model_side *side, char letter, uint32_t memcg,
		     struct explain *out);

#endif
