/*
 * One pass: the lists of one group, or of one zone, at one priority.
 */
#ifndef MEMCGLAB_ENGINE_PASS_H
#define MEMCGLAB_ENGINE_PASS_H

#include "request.h"

/**
 * pass_lists - one pass over lists of rc->zone at rc->priority
 * @rc:    .freed and .scanned grow; .want ends the pass early by the era's rule
 * @memcg: whose; MEMCG_NONE: the zone's own
 *
 * Targets are worked out once, then spent list by list (inactive anon,
 * active anon, inactive file, active file), a cluster at a time, until no
 * inactive list and no active file list has any left.  At the end some
 * active anon moves over if its inactive list is low.  Costs reclaim_ns [ns]
 * beside what the pages cost.
 * After: shrink_zone(), mm/vmscan.c:1520, v2.6.31; :1978, v3.1.
 */
void pass_lists(struct machine *m, struct reclaim *rc, uint32_t memcg);

/**
 * pass_age_anon - before a priority of kswapd, active anon of rc->zone moves over
 * @rc: kswapd's, at its priority
 *
 * A cluster of each list whose inactive one is too short; from v6.18 on of
 * every group's list if those of the whole node are.
 * After: balance_pgdat(), mm/vmscan.c:1828, v2.6.31; age_active_anon(), v3.3;
 * kswapd_age_node(), v6.18.
 */
void pass_age_anon(struct machine *m, struct reclaim *rc);

#endif
