/*
 * Kernel stacks of threads.
 */
#ifndef MEMCGLAB_ENGINE_THREAD_STACK_H
#define MEMCGLAB_ENGINE_THREAD_STACK_H

#include "limit.h"

/**
 * thread_stack_charge - stacks for @threads threads of @task that @payer makes, in its own group
 * Page by page (stack_pages each); nothing with stack=uncharged.
 * charge_free_stacks gives them back.  Returns: LIMIT_OK, or why a page was refused: then
 * those whole stacks that were got stay.
 * After: memcg_charge_kernel_stack(), kernel/fork.c, v4.20 and v6.18.
 */
enum limit_result thread_stack_charge(struct machine *m, uint32_t payer, uint32_t task,
				      uint32_t threads);

#endif
