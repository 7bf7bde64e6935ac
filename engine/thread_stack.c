/*
 * A stack is charged to the group of the thread that clones, when it is given
 * to the new one; a stack that waits in a CPU's cache for the next thread is
 * charged to nobody.  Follows kernel/fork.c, v6.18.
 *
 * MODEL: a task that a scenario makes comes from elsewhere, as through
 * cgroup.procs, and its own stack with it; what it says that it clones in its
 * group is charged there.
 */
#include "thread_stack.h"

#include <assert.h>

#include "charge.h"
#include "policy.h"

static enum limit_result charge_one(struct machine *m, uint32_t payer, uint32_t memcg)
{
	pages_t want = (pages_t)machine_knobs(m)->stack_pages, got = 0;
	enum limit_result result = LIMIT_OK;

	while (got < want && result == LIMIT_OK) {
		result = limit_charge_kmem(m, payer, memcg, KMEM_KERNEL_STACK);
		got += result == LIMIT_OK;
	}
	for (; result != LIMIT_OK && got > 0; got--)
		charge_free_page(m, m->task[payer].cpu, memcg, KMEM_KERNEL_STACK);
	return result;
}

enum limit_result thread_stack_charge(struct machine *m, uint32_t payer, uint32_t task,
				      uint32_t threads)
{
	uint32_t memcg = m->task[payer].memcg;
	enum limit_result result = LIMIT_OK;

	assert(payer && task && !m->task[task].stack);
	if (machine_axis(m, AXIS_STACK) == STACK_UNCHARGED)
		return result;
	m->task[task].stack_memcg = memcg;
	while (threads-- > 0 && result == LIMIT_OK) {
		result = charge_one(m, payer, memcg);
		if (result == LIMIT_OK)
			m->task[task].stack += (pages_t)machine_knobs(m)->stack_pages;
	}
	return result;
}
