/*
 * A sweep as commands for other machines: one line a point, each with a
 * store of its own.
 */
#ifndef MEMCGLAB_UI_JOBS_H
#define MEMCGLAB_UI_JOBS_H

#include "command.h"
#include "lab_sweep.h"

/**
 * jobs_emit - write the commands to the file or into the folder of --emit-jobs
 * A line may be run again: what is stored as done is not done twice.
 * Returns: ERR_OUTPUT.
 */
enum err jobs_emit(struct command *cmd, struct lab_sweep *points, struct diag *diag);

#endif
