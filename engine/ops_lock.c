/*
 * Locks of a scenario: made, and taken many times in a step.  Such a lock
 * is held as long as it says, and longer, as the counters' lock is, when its
 * line comes from another CPU.
 */
#include "ops_lock.h"

#include <assert.h>
#include <string.h>

enum err ops_check_lock_new(const struct machine *m, const struct op *op, struct diag *diag)
{
	uint32_t i, nr = m->block.region[REGION_LOCK_CLASS].used;

	if (!machine_has_locks(m))
		return diag_fail(diag, ERR_SCENARIO,
				 "locks are not modelled in this run: lab.machine { locks = true "
				 "}");
	for (i = 0; i < nr; i++)
		if (strcmp(m->locks.class[i].name, op->name) == 0)
			return diag_fail(diag, ERR_NAME, "%s: there is a lock of that name",
					 op->name);
	if (op->value < 0)
		return diag_fail(diag, ERR_RANGE, "%s: time does not go backwards", op->name);
	return ERR_OK;
}

void ops_step_lock_new(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	uint32_t class = lock_class_new(&m->locks, op->name, (ns_t)op->value,
					(ns_t)machine_knobs(m)->lock_bounce_ns, false);

	if (class == UINT32_MAX) {
		machine_full(m, "too many locks for this version");
		return;
	}
	res->id = lock_new(&m->locks, class, m->on_cpu, 1);
	assert(res->id != UINT32_MAX);
	if (m->locks.line) {
		m->locks.lock[res->id].word = line_new(&m->locks, m->on_cpu);
		m->locks.lock[res->id].data = LINE_NONE;
	}
}

enum err ops_check_lock(const struct machine *m, const struct op *op, struct diag *diag)
{
	if (!machine_has_locks(m) || op->object >= m->block.region[REGION_LOCK].used ||
	    m->locks.lock[op->object].class == LOCK_CLASS_COUNTER ||
	    m->locks.lock[op->object].class == m->host->inode_class ||
	    m->locks.lock[op->object].class == m->host->move_class)
		return diag_fail(diag, ERR_RANGE, "lock: no such lock");
	if (!op->count)
		return diag_fail(diag, ERR_RANGE, "count: a lock is taken once or more");
	if (op->value < 0)
		return diag_fail(diag, ERR_RANGE, "think: time does not go backwards");
	return ERR_OK;
}

void ops_step_lock(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	uint64_t left = op->count - progress->done;
	unsigned n = left < LOCK_NOTES ? (unsigned)left : LOCK_NOTES, i;

	assert(left);
	for (i = 0; i < n; i++) {
		lock_note(&m->locks, m->on_cpu, op->object, LOCK_SITE_USER, m->host->now);
		m->host->now += (ns_t)op->value;
	}
	progress->done += n;
	if (progress->done < op->count)
		res->outcome = OP_MORE;
}
