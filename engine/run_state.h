/*
 * What a run is beside its machine: who acts, and what was recorded.
 */
#ifndef MEMCGLAB_ENGINE_RUN_STATE_H
#define MEMCGLAB_ENGINE_RUN_STATE_H

#include <signal.h>

#include "oplog.h"
#include "ops.h"
#include "run_private.h"

/* One source of ops and the op it is at.  Not in the block: a replay makes it anew. */
struct actor {
	struct workload workload;
	bool driven;		/* has a workload */
	bool ended, waiting, busy;
	bool acquiring;		/* its last step waits for locks */
	uint32_t parent, live_children;	/* who spawned it; spawned ones that have not ended */
	struct op_progress progress;
	struct op_result last;
};

struct run {
	struct machine m;
	struct actor *actor;
	uint32_t nr_actors, room_actors;
	uint32_t *driven, nr_driven;	/* actors with a workload that has not ended */
	struct rng script_rng;	/* draws of the script, so that a replay needs none of them */
	struct oplog_writer log;
	struct oplog_cursor play;
	volatile sig_atomic_t interrupted;
	bool sampled;		/* the last step was sampled */
};

#endif
