/*
 * Kernel objects that a scenario says its tasks allocate: sockets, dentries,
 * records of tasks, whatever it is that the model itself does not make.
 */
#ifndef MEMCGLAB_ENGINE_SLAB_H
#define MEMCGLAB_ENGINE_SLAB_H

#include "access.h"

/* slab_check - whether the size is one of a slab, and as much is there to be freed. */
enum err slab_check(const struct machine *m, const struct op *op, struct diag *diag);

/**
 * slab_step - what OP_SLAB does
 * Each object is charged to the task's group with a word for its owner, by
 * bytes.  Nothing with kmem=off.  res->done_pages counts objects.
 * After: __memcg_slab_post_alloc_hook(), obj_full_size(), mm/memcontrol.c and mm/slub.c, v6.18.
 */
void slab_step(struct machine *m, struct op_progress *progress, struct op_result *res);

#endif
