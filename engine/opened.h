/*
 * Files as tasks have them open: where a read ended, how they will be used.
 */
#ifndef MEMCGLAB_ENGINE_OPENED_H
#define MEMCGLAB_ENGINE_OPENED_H

#include "machine.h"
#include "workload.h"

/**
 * opened_find - the file @file as @task has it open by number @handle; opened if need be
 * Returns: what it shares with its parent, if that forked it with the file open.  NULL if there
 * is no room (machine_full is told).
 */
struct open_file *opened_find(struct machine *m, uint32_t task, uint32_t file, uint32_t handle);

/* opened_anew - the number stands for the file newly opened: nothing was read, no advice given.
 * Who shared it keeps what it was.  Returns: as opened_find. */
struct open_file *opened_anew(struct machine *m, uint32_t task, uint32_t file, uint32_t handle);

/* opened_fork - @child has all files of @parent open, and shares where reads of them ended.
 * After: copy_files(), kernel/fork.c: both refer to one struct file. */
void opened_fork(struct machine *m, uint32_t parent, uint32_t child);

/* opened_advise - advice that changes how the file is read from now on (FADV_NORMAL …). */
void opened_advise(struct open_file *open, enum fadvice advice);

#endif
