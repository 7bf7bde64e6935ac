/*
 * Ops on groups: one function that checks and one that does each of them
 * (see ops.c for when).
 */
#ifndef MEMCGLAB_ENGINE_OPS_GROUP_H
#define MEMCGLAB_ENGINE_OPS_GROUP_H

#include "access.h"

/* ops_cpu - the CPU that an op runs on: its task's, or the one it names. */
static inline uint32_t ops_cpu(const struct machine *m, const struct op *op)
{
	return op->task ? m->task[op->task].cpu : op->cpu;
}

/*
 * ops_check_… - ERR_OK, or with a message what the kernel refuses before
 * anything changes: an option that it does not know, a limit below zero
 * pages, use_hierarchy of a group with children, a group that is in use.
 */
enum err ops_check_group_new(const struct machine *m, const struct op *op, struct diag *diag);
enum err ops_check_group_set(const struct machine *m, const struct op *op, struct diag *diag);
enum err ops_check_group_remove(const struct machine *m, const struct op *op, struct diag *diag);
enum err ops_check_reclaim(const struct machine *m, const struct op *op, struct diag *diag);
enum err ops_check_force_empty(const struct machine *m, const struct op *op, struct diag *diag);

/*
 * ops_step_… - done in one step.  res->id: the new group; res->done_pages:
 * what was freed; OP_BUSY: a limit was not written, or pages are left.
 */
void ops_step_group_new(struct machine *m, struct op_progress *progress,
			 struct op_result *res);
void ops_step_group_set(struct machine *m, struct op_progress *progress,
			 struct op_result *res);
void ops_step_group_remove(struct machine *m, struct op_progress *progress,
			 struct op_result *res);
void ops_step_reclaim(struct machine *m, struct op_progress *progress,
			 struct op_result *res);
void ops_step_stat_read(struct machine *m, struct op_progress *progress, struct op_result *res);
void ops_step_force_empty(struct machine *m, struct op_progress *progress,
			 struct op_result *res);

#endif
