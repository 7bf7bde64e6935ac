/*
 * Ops on locks that a scenario made: a class each, so that no two share
 * figures.  They need a run that models locks.
 */
#ifndef MEMCGLAB_ENGINE_OPS_LOCK_H
#define MEMCGLAB_ENGINE_OPS_LOCK_H

#include "access.h"

/* ops_check_lock_new, ops_check_lock - Returns: ERR_SCENARIO without locks, ERR_NAME, ERR_RANGE. */
enum err ops_check_lock_new(const struct machine *m, const struct op *op, struct diag *diag);
enum err ops_check_lock(const struct machine *m, const struct op *op, struct diag *diag);

void ops_step_lock_new(struct machine *m, struct op_progress *progress, struct op_result *res);

/* ops_step_lock - as many acquisitions as one step can note; res->outcome tells if more remain. */
void ops_step_lock(struct machine *m, struct op_progress *progress, struct op_result *res);

#endif
