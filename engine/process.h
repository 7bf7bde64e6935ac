/*
 * Tasks begin, fork, map memory and run other programs.
 */
#ifndef MEMCGLAB_ENGINE_PROCESS_H
#define MEMCGLAB_ENGINE_PROCESS_H

#include "access.h"

/* process_new - a task of group @memcg that does not run yet.  Returns: its id, 0 if there are too
 * many. */
uint32_t process_new(struct machine *m, uint32_t memcg, uint32_t cpu, const char *name);

/* process_begin - it runs: it is alive, and its group has one task more. */
void process_begin(struct machine *m, uint32_t task);

/* process_maps - @mapping is the task's from now on. */
void process_maps(struct machine *m, uint32_t task, uint32_t mapping);

/* process_map_file - what OP_MAP_FILE does. */
void process_map_file(struct machine *m, const struct op *op, struct op_result *res);

/**
 * process_fork - what OP_FORK does: a child in the same group, with all of its parent's mappings
 * Pages of memory and what is in swap of them are shared, for reading; nobody
 * is charged for them again.  Page tables over memory are copied, and charged
 * with the records of who maps what; mappings of files begin without entries,
 * and are not locked.  The parent pays, in its group.
 * If it cannot, there is no child, and res->id is 0.
 * After: dup_mmap(), kernel/fork.c, v2.6.31 and v6.18.
 */
void process_fork(struct machine *m, struct op_progress *progress, struct op_result *res);

/**
 * process_execve - what OP_EXECVE does: the mappings go as by exit, then the program is mapped
 * The task stays the same, with its group, its CPU and its open files.
 * After: begin_new_exec(), exec_mmap(), fs/exec.c, v6.18.
 */
void process_execve(struct machine *m, struct op_progress *progress, struct op_result *res);

#endif
