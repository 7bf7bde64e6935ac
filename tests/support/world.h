/*
 * Random lives of a machine.  A life is a list of steps drawn from a seed;
 * each step says what to do in terms of what is there ("the third task
 * reads"), so any part of a list is a life too, and a failing one can be
 * shrunk by leaving steps out.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_WORLD_H
#define MEMCGLAB_TESTS_SUPPORT_WORLD_H

#include <stdio.h>

#include "run.h"

enum { WORLD_WHY_MAX = 512 };

struct world_step {
	uint8_t kind;
	uint32_t number[4];
};

/* Where a life begins and what it does. */
struct world {
	const struct scenario *sc;
	struct world_step *steps;
	size_t nr;
	/* NULL, or one law more: what is wrong, or NULL; it may crash or hang. */
	const char *(*law)(const struct run *run);
};

/* What a life came to. */
struct world_verdict {
	uint64_t ops, refused;
	bool full;		/* no frame was left to give, and the life ended there */
	char hash[RUN_HASH_MAX];	/* of the last state */
	char why[WORLD_WHY_MAX];	/* the law that broke, the signal that ended it, or "" */
};

/**
 * world_draw - steps of a life
 * @nr: how many
 * @steps: receives them; the same for the same seed
 */
void world_draw(uint64_t seed, struct world_step *steps, size_t nr);

/* world_scenario - a machine to live in: large, small, of three zones or several nodes, with or
 * without swap. */
void world_scenario(uint64_t seed, struct scenario *sc);

/**
 * world_live - a life in a process of its own
 * @script: NULL, or where its ops are told line by line
 * Returns: whether all laws held to the end.
 */
bool world_live(const struct world *world, FILE *script, struct world_verdict *verdict);

/**
 * world_shrink - leave out steps of a failing life while it still fails alike
 * @why: the law that it broke
 */
void world_shrink(struct world *world, const char *why);

#endif
