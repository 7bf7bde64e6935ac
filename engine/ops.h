/*
 * Executing ops: the check that an op makes sense, and its steps.
 */
#ifndef MEMCGLAB_ENGINE_OPS_H
#define MEMCGLAB_ENGINE_OPS_H

#include "access.h"

/**
 * op_check - whether @op can be executed on this machine now
 * Ids, spans, names, and what the kernel's axes allow.  After this
 * only this version's bounds can make an op fail; what the modelled kernel
 * refuses (busy, killed, no memory) is an outcome of its steps.
 * Returns: ERR_RANGE, ERR_NAME, ERR_SCENARIO with the reason; nothing changes.
 */
enum err op_check(const struct machine *m, const struct op *op, struct diag *diag);

/**
 * op_step - execute one step; @res->outcome is OP_MORE while steps remain
 * The order is part of the model: deferred stock drains and a due flush come
 * first, then the clock is set to the later of the actor's and its CPU's,
 * finished writes are taken note of, the op's row runs, and what was charged
 * above memory.high is paid for before the clocks are stored.
 */
void op_step(struct machine *m, struct op_progress *progress, struct op_result *res);

#endif
