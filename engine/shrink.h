/*
 * Taking pages off a group's lists: the inactive list is examined and
 * freed, the active list's tail is moved over.
 */
#ifndef MEMCGLAB_ENGINE_SHRINK_H
#define MEMCGLAB_ENGINE_SHRINK_H

#include "request.h"

/* One call: whose list, how much of it, and the rule that asked. */
struct shrink {
	struct list_id id;
	pages_t nr_to_scan;	/* 1 to the cluster */
	enum rule rule;
};

/**
 * shrink_inactive - isolate, examine and free or put back
 * @sh: an inactive list (asserted)
 * This CPU's queues are drained first, even if nothing is found then.  With
 * round=cluster whole clusters are taken until as many pages as asked were
 * tried, so a short list of busy pages is examined several times.
 * Returns: pages freed.  Emits EVENT_SHRINK and, if wanted, EVENT_PAGE.
 * After: shrink_inactive_list(), shrink_page_list(), mm/vmscan.c:1040, 572,
 * v2.6.31; :1442, 760, v3.1.
 */
pages_t shrink_inactive(struct machine *m, struct reclaim *rc, const struct shrink *sh);

/**
 * shrink_active - move the tail of an active list to its inactive list
 * @sh: an active list (asserted); whether it may be is the caller's question
 * Pages in use count as rotated but move too, unless they are executed (exec=).
 * After: shrink_active_list(), mm/vmscan.c:1244, v2.6.31; :1573, v3.1.
 */
void shrink_active(struct machine *m, struct reclaim *rc, const struct shrink *sh);

/**
 * shrink_given - free listed pages that a task names, whether they were used or not
 * @slot: @nr folios (asserted to be listed); those that cannot go are listed again
 * Returns: pages freed.  No figure of reclaim but the pages themselves counts.
 * After: reclaim_pages(), mm/vmscan.c, v6.18.  MODEL: kept pages are listed at once.
 */
pages_t shrink_given(struct machine *m, uint32_t cpu, const uint32_t *slot, uint32_t nr);

#endif
