/*
 * What is dirty right now, and how much may be.
 */
#ifndef MEMCGLAB_ENGINE_API_DIRTY_STATE_H
#define MEMCGLAB_ENGINE_API_DIRTY_STATE_H

#include <stdbool.h>

#include "units.h"

struct run;

/* Of the machine, or of a group's subtree. */
struct run_dirty {
	pages_t dirty, writeback;
	bool limited;		/* it has limits of its own: the machine, a group of cgroup v2 */
	pages_t background, limit;	/* of the machine where it has none */
};

/* run_dirty - group @memcg (css id) must exist; the root stands for the machine. */
void run_dirty(const struct run *run, uint32_t memcg, struct run_dirty *out);

#endif
