/*
 * A stored run made again for those who read its state and watch nothing.
 */
#ifndef MEMCGLAB_UI_LAB_REPLAY_H
#define MEMCGLAB_UI_LAB_REPLAY_H

#include "lab.h"

/**
 * lab_oplog - the recorded steps of a stored run
 * @out: owned by the caller: oplog_close
 * Returns: ERR_USAGE if it never made a step.
 */
enum err lab_oplog(struct db *db, const struct db_run *run, struct oplog **out, struct diag *diag);

/**
 * lab_replay - a stored run up to a step
 * @step: UINT64_MAX: the last
 * @out:  owned by the caller: run_close
 * Returns: ERR_USAGE if it has no recorded steps, or fewer.
 */
enum err lab_replay(struct db *db, const struct db_run *run, uint64_t step, struct run **out,
		    struct diag *diag);

#endif
