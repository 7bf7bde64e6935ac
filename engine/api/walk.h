/*
 * Where walks over a hierarchy stand: one place for a group, one for each
 * node, or one for each zone and priority, as the kernel has it.
 */
#ifndef MEMCGLAB_ENGINE_API_WALK_H
#define MEMCGLAB_ENGINE_API_WALK_H

#include <stdbool.h>
#include <stdint.h>

struct run;

struct run_walk {
	int32_t node, zone, priority;	/* -1: it is one for all; zone as run_zone has it */
	uint32_t last;			/* css id of the group visited last; 0: a round begins */
	uint32_t rounds;		/* ends that were reached (v3.3), else 0 */
};

/**
 * run_walk - place @i of the walks over the hierarchy of group @memcg (css id)
 * Of a zone and priority only if a walk was there.  Nothing for a group
 * without a hierarchy, which is reclaimed alone.  Returns: false past the last.
 */
bool run_walk(const struct run *run, uint32_t memcg, uint32_t i, struct run_walk *out);

#endif
