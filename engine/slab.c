/*
 * Objects have no identity: a group has so many bytes of them, and who frees
 * some says how large they were.  They outlive tasks, and are the parent's
 * when the group is removed.  Follows mm/memcontrol.c, v6.18.
 *
 * MODEL: kernels from 3.8 to 5.8 charged whole pages of a slab to the group
 * that filled it, which is up to a slab for each kind of object more; here
 * bytes are charged, as from 5.9 on.
 */
#include "slab.h"

#include <assert.h>
#include <inttypes.h>

#include "charge.h"
#include "policy.h"

enum { OWNER_BYTES = 8 };	/* sizeof(struct obj_cgroup *), for each object */

static bool is_charged(const struct machine *m)
{
	return machine_axis(m, AXIS_KMEM) == KMEM_NODES;
}

enum err slab_check(const struct machine *m, const struct op *op, struct diag *diag)
{
	const bytes_t most = PAGE_BYTES - OWNER_BYTES;
	bytes_t there;

	if (op->length < 1 || op->length > most)
		return diag_fail(diag, ERR_RANGE, "slab: objects of 1 to %u bytes, not %" PRIu64,
				 (unsigned)most, op->length);
	there = machine_memcg(m, m->task[op->task].memcg)->kmem_of[KMEM_SLAB_OBJECTS];
	if ((op->flags & OPF_FREE) && is_charged(m) &&
	    op->count > there / (op->length + OWNER_BYTES))
		return diag_fail(diag, ERR_RANGE,
				 "slab: %" PRIu64 " objects of %" PRIu64 " bytes are not there",
				 op->count, op->length);
	return ERR_OK;
}

void slab_step(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	uint32_t task = op->task, bytes = (uint32_t)op->length + OWNER_BYTES;
	uint64_t left = op->count - progress->done;
	enum limit_result result = LIMIT_OK;

	if (machine_has_locks(m) && left > LOCK_STEP_PAGES)
		left = LOCK_STEP_PAGES;
	for (; left > 0 && result == LIMIT_OK && is_charged(m); left--) {
		uint32_t memcg = m->task[task].memcg;

		if (op->flags & OPF_FREE)
			charge_free_object(m, m->task[task].cpu, memcg, KMEM_SLAB_OBJECTS, bytes);
		else
			result = limit_charge_bytes(m, task, memcg, KMEM_SLAB_OBJECTS, bytes);
		progress->done += result == LIMIT_OK;
	}
	res->done_pages = progress->done;
	res->outcome = access_outcome(result);
	if (result == LIMIT_OK && is_charged(m) && progress->done < op->count)
		res->outcome = OP_MORE;
}
