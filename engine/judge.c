/*
 * The order of questions: under writeback, in use, dirty, swappable.
 * Follows shrink_page_list() and page_check_references() of v2.6.31, v3.1,
 * v3.2 and shrink_folio_list() of v6.18.
 *
 * MODEL: nobody else locks a page or holds its buffers.
 */
#include "judge.h"

#include <assert.h>

#include "policy.h"
#include "swap.h"
#include "writeback.h"

enum { KSWAPD_WRITES_BELOW = 10 };	/* DEF_PRIORITY - 2 */

bool judge_was_young(uint32_t *word)
{
	bool young = (*word & (PG_MAPPED | PG_YOUNG)) == (PG_MAPPED | PG_YOUNG) &&
		     !(*word & PG_NO_RECENCY);

	if (young)
		*word &= ~(uint32_t)PG_YOUNG;
	return young;
}

/* To v2.6.32 the referenced flag counts too, if anybody maps the page or its file. */
static bool in_use(const struct machine *m, uint32_t slot)
{
	pages_t index;

	return (m->pages.slot[slot].word & PG_MAPPED) ||
	       m->pages.mapping[page_identity(&m->pages, slot, &index)].nr_views > 0;
}

bool judge_was_used(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	bool young = judge_was_young(word), marked = (*word & PG_REFERENCED) != 0;

	assert(m->pages.slot[slot].word & PG_RESIDENT);
	if (machine_axis(m, AXIS_USED_ONCE) != USED_ONCE_ACTIVATED || !in_use(m, slot))
		return young;
	*word &= ~(uint32_t)PG_REFERENCED;
	return young || marked;
}

/* A page that was used since the last look.  Returns: RULE_NONE if it was not, or not enough. */
static enum rule judge_use(struct machine *m, uint32_t slot, bool marked)
{
	uint32_t *word = &m->pages.slot[slot].word;
	bool young = judge_was_young(word);
	unsigned once = machine_axis(m, AXIS_USED_ONCE);

	*word &= ~(uint32_t)PG_REFERENCED;
	if (once == USED_ONCE_ACTIVATED)
		return (marked || young) && in_use(m, slot) ? RULE_ACTIVATE_USED : RULE_NONE;
	if (!young)
		return RULE_NONE;
	if ((*word & PG_ANON) && once == USED_ONCE_KEPT)
		return RULE_ACTIVATE_USED;
	/* Marked also where that activates it. */
	*word |= PG_REFERENCED;
	return marked ? RULE_ACTIVATE_USED : RULE_KEEP_USED;
}

/* v6.18, v1: reclaim for a limit waits for a page that it has met before. */
static enum rule judge_writeback(struct machine *m, const struct reclaim *rc, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	if (machine_axis(m, AXIS_FILE_WRITEOUT) != FILE_WRITEOUT_NEVER)
		return RULE_KEEP_WRITEBACK;
	if ((*word & PG_RECLAIM) && !rc->global && machine_axis(m, AXIS_CGROUP) == CGROUP_V1) {
		writeback_wait(m);
		return RULE_NONE;
	}
	*word |= PG_RECLAIM;
	return RULE_ACTIVATE_DIRTY;
}

/* Whether this reclaimer writes dirty pages of files at all. */
static bool writes_out(const struct machine *m, const struct reclaim *rc, bool marked)
{
	switch (machine_axis(m, AXIS_FILE_WRITEOUT)) {
	case FILE_WRITEOUT_ANY:
	case FILE_WRITEOUT_KEEPS_MARKED:
		return !marked && !writeback_congested(m);
	case FILE_WRITEOUT_KSWAPD:
		return rc->kswapd && rc->priority < KSWAPD_WRITES_BELOW && !marked;
	default:
		return false;
	}
}

static enum rule judge_dirty(struct machine *m, const struct reclaim *rc, uint32_t slot,
			     bool marked)
{
	uint32_t *word = &m->pages.slot[slot].word;

	assert(!(m->pages.slot[slot].word & PG_WRITEBACK));
	if (!writes_out(m, rc, marked)) {
		if (machine_axis(m, AXIS_FILE_WRITEOUT) >= FILE_WRITEOUT_KSWAPD)
			*word |= PG_RECLAIM;
		return machine_axis(m, AXIS_FILE_WRITEOUT) == FILE_WRITEOUT_NEVER
			       ? RULE_ACTIVATE_DIRTY
			       : RULE_KEEP_DIRTY;
	}
	*word |= PG_RECLAIM;
	if (!writeback_start(m, slot))
		return RULE_WRITE_OUT;
	*word &= ~(uint32_t)PG_RECLAIM;
	return RULE_RECLAIM_CLEAN;
}

enum rule judge_page(struct machine *m, const struct reclaim *rc, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	bool marked = (*word & PG_REFERENCED) != 0;
	enum rule rule = RULE_NONE;

	assert(m->pages.slot[slot].word & PG_RESIDENT);
	if (*word & PG_WRITEBACK)
		rule = judge_writeback(m, rc, slot);
	if (rule == RULE_NONE)
		rule = judge_use(m, slot, marked);
	if (rule != RULE_NONE)
		return rule;
	if (*word & PG_HELD)
		return RULE_KEEP_HELD;
	if (*word & PG_ANON)
		return swap_has_slot(m, slot) ? RULE_SWAP_OUT : RULE_ACTIVATE_NO_SWAP;
	return *word & PG_DIRTY ? judge_dirty(m, rc, slot, marked) : RULE_RECLAIM_CLEAN;
}

bool judge_frees(enum rule rule)
{
	return rule == RULE_RECLAIM_CLEAN || rule == RULE_SWAP_OUT;
}

bool judge_activates(enum rule rule)
{
	return rule == RULE_ACTIVATE_USED || rule == RULE_ACTIVATE_NO_SWAP ||
	       rule == RULE_ACTIVATE_DIRTY;
}
