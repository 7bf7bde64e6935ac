/*
 * One pass: the lists of one group, or of one zone, at one priority.
 */
#ifndef MEMCGLAB_ENGINE_PASS_H
#define MEMCGLAB_ENGINE_PASS_H

#include "request.h"

/**
 * pass_lists - one pass over lists of rc->zone at rc->priority
 * @memcg: whose; MEMCG_NONE: the zone's own
 * After: shrink_zone(), mm/vmscan.c:1520, v2.6.31; :1978, v3.1.
 */
void pass_lists(struct machine *m, struct reclaim *rc, uint32_t memcg);

#endif
