/*
 * What becomes of a page that reclaim has isolated.
 */
#ifndef MEMCGLAB_ENGINE_JUDGE_H
#define MEMCGLAB_ENGINE_JUDGE_H

#include "request.h"

/**
 * judge_active - what becomes of an isolated page of an active list
 * To v2.6.32 the referenced flag counts as a use, and is cleared, if the page
 * or its file is mapped; later only accessed bits do and the flag stays, so
 * that one more touch activates the page again.
 * @used: receives whether it was used since the last look
 * Returns: RULE_DEACTIVATE, RULE_KEEP_EXEC or RULE_CULL.
 * After: shrink_active_list(), mm/vmscan.c:1244, v2.6.31; :1573, v3.1; :2136, v6.18.
 */
enum rule judge_active(struct machine *m, const struct reclaim *rc, uint32_t slot, bool *used);

/**
 * judge_page - the era's decision about an isolated inactive page
 * Flags change as the decision says; a write is started.  A page that is met
 * under writeback twice lets time pass (limit reclaim of v6.18, cgroup v1).
 * The page must be resident; the caller frees it or lists it again.
 * Returns: its rule.
 * After: shrink_page_list(), mm/vmscan.c:572, v2.6.31; :760, v3.1; :752, v3.2;
 * shrink_folio_list(), :1109, v6.18.
 */
enum rule judge_page(struct machine *m, const struct reclaim *rc, uint32_t slot);

/* judge_frees, judge_activates - what a decision does; the rest keep the page where it was. */
bool judge_frees(enum rule rule);
bool judge_activates(enum rule rule);

#endif
