/*
 * Executing ops: the check that an op makes sense, and its steps.
 */
#ifndef MEMCGLAB_ENGINE_OPS_H
#define MEMCGLAB_ENGINE_OPS_H

#include "access.h"

/**
 * op_check - whether @op can be executed on this machine now
 * Returns: ERR_RANGE, ERR_NAME, ERR_SCENARIO with the reason; nothing changes.
 */
enum err op_check(const struct machine *m, const struct op *op, struct diag *diag);

/* op_step - execute one step; @res->outcome is OP_MORE while steps remain. */
void op_step(struct machine *m, struct op_progress *progress, struct op_result *res);

#endif
