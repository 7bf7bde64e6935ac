/*
 * A machine's state: its identity, and copies of it to come back to.
 */
#ifndef MEMCGLAB_ENGINE_KEYFRAME_H
#define MEMCGLAB_ENGINE_KEYFRAME_H

#include "machine.h"

/**
 * keyframe_hash - XXH3-128 over the state
 * Equal seeds, kernels, machines and ops give equal digits: a replay is
 * checked by comparing them.
 * Covers counters, statistics, saved scans, cursors, clocks, the generator,
 * every page with its flags in list order, and the queues.  Where a list
 * keeps its entries does not count.
 */
void keyframe_hash(const struct machine *m, char out[RUN_HASH_MAX]);

/* keyframe_bytes - [bytes] of a copy of the block; keyframe_copy - make it. */
size_t keyframe_bytes(const struct machine *m);
void keyframe_copy(const struct machine *m, unsigned char *out);

/**
 * keyframe_restore - the machine is again as it was
 * @then: its struct machine at the time of the copy; sinks stay as they are now
 * @copy: of the block at that time
 */
void keyframe_restore(struct machine *m, const struct machine *then, const unsigned char *copy);

#endif
