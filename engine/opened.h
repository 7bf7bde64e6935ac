/*
 * Files as tasks have them open: where a read ended, how they will be used.
 */
#ifndef MEMCGLAB_ENGINE_OPENED_H
#define MEMCGLAB_ENGINE_OPENED_H

#include "machine.h"
#include "workload.h"

/**
 * opened_find - the file @file as @task has it open by number @handle; opened if need be
 * Returns: NULL if there is no room (machine_full is told).
 */
struct open_file *opened_find(struct machine *m, uint32_t task, uint32_t file, uint32_t handle);

/* opened_anew - the number stands for the file newly opened: nothing was read, no advice given. */
void opened_anew(struct open_file *open);

/* opened_advise - advice that changes how the file is read from now on (FADV_NORMAL …). */
void opened_advise(struct open_file *open, enum fadvice advice);

#endif
