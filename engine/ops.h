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
 * The order is part of the model: a due flush comes first, then the clock is
 * set to the later of the actor's and its CPU's, deferred stock drains are
 * done, finished writes are taken note of, the op's row runs, and what was
 * charged above memory.high is paid for before the clocks are stored.
 * Returns: false if locks are to be acquired first: op_settle then stores
 * the clocks.
 */
bool op_step(struct machine *m, struct op_progress *progress, struct op_result *res);

/* op_on_cpu - whether @op takes time of its CPU. */
bool op_on_cpu(const struct op *op);

/* op_due - [ns] when a step of @op can begin: its actor and its CPU are free. */
ns_t op_due(const struct machine *m, const struct op *op);

/* op_settle - a step of @actor is over at @end [ns], @slept of which leave its @cpu idle; NULL: it
 * was on none. */
void op_settle(struct machine *m, uint32_t actor, struct cpu *cpu, ns_t end, ns_t slept);

#endif
