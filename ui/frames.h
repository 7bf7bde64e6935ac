/*
 * Copies of a viewed run and of what is shown of it, kept so that any step
 * is near one of them.  Within a budget of bytes: when it is used up every
 * second copy goes, and the rest of the run is copied half as often.
 */
#ifndef MEMCGLAB_UI_FRAMES_H
#define MEMCGLAB_UI_FRAMES_H

#include "model.h"
#include "rewind.h"

enum { FRAMES_MAX = 128, FRAMES_NEAR = 64 };
#define FRAMES_BYTES ((size_t)64 << 20)

struct frames_copy {
	struct run_frame *frame; /* NULL: none */
	struct model_side side;
};

/* Zeroed: none is kept yet. */
struct frames {
	struct frames_copy *copy; /* nr of them, by step; owned */
	size_t nr, bytes;
	uint64_t every;          /* steps between two copies, at least */
	struct frames_copy near; /* some steps before where the run was gone back to last */
};

/**
 * frames_take - one more copy of @run as it is now, if it is time for one
 * Going without is no failure: the way back is longer then.
 */
void frames_take(struct frames *frames, const struct run *run, const struct model_side *side);

/* frames_take_near - the copy for further steps back, in place of the last such. */
void frames_take_near(struct frames *frames, const struct run *run, const struct model_side *side);

/**
 * frames_go - bring @run and @side to the latest copy that is not after @step
 * The time line of @side is that of the whole run and stays.
 * Returns: false if going there on foot is as short, or there is no copy before it.
 */
bool frames_go(const struct frames *frames, uint64_t step, struct run *run,
	       struct model_side *side);

void frames_fini(struct frames *frames);

#endif
