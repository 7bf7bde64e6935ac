/*
 * Hashes of a run's state on the way, by which a replay is checked.  At most
 * so many are kept: when there are more, every second one goes and the
 * spacing doubles.  Hashing is paid for by work: a state is hashed only when
 * the run has used several times as many pages as it takes, so neither a
 * long run nor a large machine is slowed down.
 */
#ifndef MEMCGLAB_UI_KEYFRAMES_H
#define MEMCGLAB_UI_KEYFRAMES_H

#include "provenance.h"
#include "run.h"

enum { KEYFRAMES_MAX = 64 };

struct keyframes {
	struct db_keyframe at[KEYFRAMES_MAX + 1]; /* one more for the end */
	size_t nr;
	uint64_t every;       /* [steps] at least from one to the next */
	uint64_t spent_pages; /* hashed so far */
};

/* keyframes_take - now, if it is time for one; the same run takes the same ones. */
void keyframes_take(struct keyframes *frames, const struct run *run);

/* keyframes_end - the last one, whatever it costs.  A run without a step has none. */
void keyframes_end(struct keyframes *frames, const struct run *run);

#endif
