/*
 * memory.high of cgroup v2: what was charged above it is paid for.
 */
#ifndef MEMCGLAB_ENGINE_HIGH_H
#define MEMCGLAB_ENGINE_HIGH_H

#include "machine.h"

/* high_pay - @task, on its way back to user mode, pays for what it charged above high.
 * After: mem_cgroup_handle_over_high(), v6.18. */
void high_pay(struct machine *m, uint32_t task);

#endif
