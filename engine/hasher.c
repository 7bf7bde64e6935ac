/*
 * Gathering numbers for XXH3, so that it is called for some thousand bytes at once.
 * What is hashed is the same on any host: bytes are put in a fixed order.
 */
#include "hasher.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void flush(struct hasher *h)
{
	assert(h->used % 8 == 0);
	XXH3_128bits_update(h->state, h->buffer, h->used);
	h->used = 0;
}

bool hasher_open(struct hasher *h)
{
	h->state = XXH3_createState();
	h->used = 0;
	if (!h->state)
		return false;
	XXH3_128bits_reset(h->state);
	return true;
}

void hasher_put(struct hasher *h, uint64_t n)
{
	int i;

	if (h->used == sizeof(h->buffer))
		flush(h);
	for (i = 0; i < 8; i++)
		h->buffer[h->used++] = (unsigned char)(n >> (8 * i));
}

void hasher_text(struct hasher *h, const char *text)
{
	size_t i, len = strlen(text);

	hasher_put(h, len);
	for (i = 0; i < len; i++)
		hasher_put(h, (unsigned char)text[i]);
}

void hasher_close(struct hasher *h, char out[RUN_HASH_MAX])
{
	XXH128_hash_t hash;

	flush(h);
	hash = XXH3_128bits_digest(h->state);
	XXH3_freeState(h->state);
	snprintf(out, RUN_HASH_MAX, "%016llx%016llx", (unsigned long long)hash.high64,
		 (unsigned long long)hash.low64);
}
