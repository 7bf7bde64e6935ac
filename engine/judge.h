/*
 * What becomes of a page that reclaim has isolated.
 */
#ifndef MEMCGLAB_ENGINE_JUDGE_H
#define MEMCGLAB_ENGINE_JUDGE_H

#include "request.h"

/* judge_was_young - reads and clears a mapped page's accessed bit; a hint makes it not count. */
bool judge_was_young(uint32_t *word);

/* judge_was_used - whether a page that goes to the inactive list was in use since the last look. */
bool judge_was_used(struct machine *m, uint32_t slot);

/**
 * judge_page - the era's decision about an isolated inactive page
 * Flags change as the decision says; a write is started.
 * Returns: its rule.
 * After: shrink_page_list(), mm/vmscan.c:572, v2.6.31; :760, v3.1; :752, v3.2;
 * shrink_folio_list(), :1109, v6.18.
 */
enum rule judge_page(struct machine *m, const struct reclaim *rc, uint32_t slot);

/* judge_frees, judge_activates - what a decision does; the rest keep the page where it was. */
bool judge_frees(enum rule rule);
bool judge_activates(enum rule rule);

#endif
