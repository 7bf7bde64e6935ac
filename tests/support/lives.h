/*
 * Random lives in kernels by name, counted; a life that fails is shrunk,
 * told as a short list of ops, and fails the test.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_LIVES_H
#define MEMCGLAB_TESTS_SUPPORT_LIVES_H

#include "world.h"

enum {
	LIVES_OPS = 10000,	/* of a kernel, in all its lives, at least */
	LIVES_OPS_SHORT = 2000,	/* of one with axes replaced, with MEMCGLAB_SHORT: slow builds */
	LIVES_NAME_MAX = 256
};

struct lives {
	unsigned kernels, refused;	/* lived in; combinations that make no sense */
	uint64_t ops, ops_refused;
};

/* lives_in - lives in one kernel, the first from @seed, until they make @ops ops. */
void lives_in(const struct era *era, uint64_t seed, uint64_t ops, struct lives *lives);

/* lives_try - looks the variant @name of a kernel up and lives in it, if there is such a one. */
void lives_try(const char *name, uint64_t seed, struct lives *lives);

/* lives_single_axes - lives in each @parts-th kernel from number @part on, with each of its axes
 * replaced by each other value that is modelled. */
void lives_single_axes(size_t part, size_t parts, struct lives *lives);

/* lives_tell - prints the counts. */
void lives_tell(const char *what, const struct lives *lives);

#endif
