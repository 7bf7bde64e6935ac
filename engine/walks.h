/*
 * Places where walks over hierarchies stand, and telling of those that moved.
 */
#ifndef MEMCGLAB_ENGINE_WALKS_H
#define MEMCGLAB_ENGINE_WALKS_H

#include "machine.h"
#include "walk.h"

/* walks_at - what run_walk tells. */
bool walks_at(const struct machine *m, uint32_t memcg, uint32_t i, struct run_walk *out);

/* walks_tell - EVENT_WALK for each place of group @memcg, if a walk over it has moved since the
 * last time.  Part of a sample. */
void walks_tell(struct machine *m, uint32_t memcg);

#endif
