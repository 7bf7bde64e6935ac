/*
 * memory.high of cgroup v2: what was charged above it is paid for.
 */
#ifndef MEMCGLAB_ENGINE_HIGH_H
#define MEMCGLAB_ENGINE_HIGH_H

#include "machine.h"

enum { HIGH_SPARED = 64 };	/* [pages] of debt that a system call may end with */

/**
 * high_settle - what @task's CPU has charged above memory.high is paid for
 * @task:   0 or an ended task: the debt is dropped
 * @cpu:    where the debt stands; 0 afterwards unless it was spared
 * @spared: a debt that is not collected yet: 0 on return to user mode,
 *          HIGH_SPARED within a system call
 *
 * Each level above its high is reclaimed from; if usage stays above, the
 * task sleeps 2 s at most, and the machine's clock and the throttled time
 * advance.  A delay of up to a hundredth of a second is not slept.
 * After: mem_cgroup_handle_over_high(), mm/memcontrol.c, v6.18.
 */
void high_settle(struct machine *m, uint32_t task, struct cpu *cpu, pages_t spared);

#endif
