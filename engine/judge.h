/*
 * What becomes of a page that reclaim has isolated.
 */
#ifndef MEMCGLAB_ENGINE_JUDGE_H
#define MEMCGLAB_ENGINE_JUDGE_H

#include "request.h"

/**
 * judge_was_young - reads and clears a mapped page's accessed bit
 * A page mapped with MADV_RANDOM or MADV_SEQUENTIAL is never young.
 * MODEL: one bit, whoever maps the page, so whose mappings count is not asked.
 */
bool judge_was_young(uint32_t *word);

/**
 * judge_was_used - whether a page that goes to the inactive list was in use since the last look
 * To v2.6.32 the referenced flag counts, and is cleared, if the page or its
 * file is mapped; later only the accessed bit does and the flag stays, so
 * that one more touch activates the page again.  The result is counted as
 * rotated, nothing else: the page moves over either way.
 * After: shrink_active_list(), mm/vmscan.c:1244, v2.6.31; :1573, v3.1.
 */
bool judge_was_used(struct machine *m, uint32_t slot);

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
