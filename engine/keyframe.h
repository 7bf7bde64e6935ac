/*
 * Copies of a machine's state, to come back to.
 */
#ifndef MEMCGLAB_ENGINE_KEYFRAME_H
#define MEMCGLAB_ENGINE_KEYFRAME_H

#include "machine.h"

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
