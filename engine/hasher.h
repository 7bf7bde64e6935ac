/*
 * Numbers to be hashed, one after the other.
 */
#ifndef MEMCGLAB_ENGINE_HASHER_H
#define MEMCGLAB_ENGINE_HASHER_H

#include <stdbool.h>
#include <xxhash.h>

#include "run.h"

enum { HASHER_NUMBERS = 512 };

/* Numbers are gathered and hashed as little-endian 64-bit words. */
struct hasher {
	XXH3_state_t *state;
	size_t used;
	unsigned char buffer[HASHER_NUMBERS * 8];
};

/* hasher_open - Returns: false without memory; then there is nothing to close. */
bool hasher_open(struct hasher *h);

void hasher_put(struct hasher *h, uint64_t n);

/* hasher_text - its length, then its bytes. */
void hasher_text(struct hasher *h, const char *text);

/* hasher_close - XXH3-128 of all that was put, as lower-case hexadecimal digits. */
void hasher_close(struct hasher *h, char out[RUN_HASH_MAX]);

#endif
