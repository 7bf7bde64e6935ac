/*
 * What a task has from its parent.
 */
#ifndef MEMCGLAB_ENGINE_API_INHERITED_H
#define MEMCGLAB_ENGINE_API_INHERITED_H

#include "run.h"

/* run_inherited - the mapping that @task got as it was forked from the task of @mapping.  Returns:
 * its id, 0 if there is none. */
uint32_t run_inherited(const struct run *run, uint32_t task, uint32_t mapping);

#endif
