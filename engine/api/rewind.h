/*
 * Copies of a run's state, to come back to.  A run that is played from a
 * log goes to any step by the nearest copy before it and the ops from there.
 */
#ifndef MEMCGLAB_ENGINE_API_REWIND_H
#define MEMCGLAB_ENGINE_API_REWIND_H

#include "run.h"

struct run_frame;

/**
 * run_save - the whole state as it is now
 * @out: owned by the caller: run_frame_free
 * The cost is a copy of what the state has in use.  Returns: ERR_NOMEM.
 */
enum err run_save(const struct run *run, struct run_frame **out, struct diag *diag);

/**
 * run_restore - @run is again as it was when @frame was saved of it
 * What happens next happens as it did then.  Sinks stay and are told
 * nothing: whoever observes brings its own figures back.
 */
void run_restore(struct run *run, const struct run_frame *frame);

uint64_t run_frame_step(const struct run_frame *frame);
size_t run_frame_bytes(const struct run_frame *frame);
void run_frame_free(struct run_frame *frame); /* NULL is fine */

#endif
