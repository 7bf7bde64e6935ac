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
#include "rmap.h"
#include "swap.h"
#include "writeback.h"

enum { KSWAPD_WRITES_BELOW = 10 };	/* DEF_PRIORITY - 2 */

/* To v2.6.32 the referenced flag counts too, if anybody maps the page or its file. */
static bool in_use(const struct machine *m, uint32_t slot)
{
	pages_t index;

	return (m->pages.slot[slot].word & PG_MAPPED) ||
	       m->pages.mapping[page_identity(&m->pages, slot, &index)].nr_views > 0;
}

static struct rmap_uses ask(struct machine *m, const struct reclaim *rc, uint32_t slot)
{
	struct rmap_uses none = { 0 };

	/* The pages behind a folio's first may be mapped without it. */
	if (!(m->pages.slot[slot].word & PG_MAPPED) && page_nr(&m->pages, slot) == 1)
		return none;
	return rmap_uses(m, rc, slot);
}

/* Executed pages keep their place on the active list while they are used. */
static bool stays_executed(const struct machine *m, uint32_t slot, struct rmap_uses uses)
{
	switch (machine_axis(m, AXIS_EXEC)) {
	case EXEC_NOT_ANON:
		return uses.exec && !rmap_of_memory(m, slot);
	case EXEC_FILE:
		return uses.exec && !(m->pages.slot[slot].word & PG_ANON);
	default:
		return false;
	}
}

enum rule judge_active(struct machine *m, const struct reclaim *rc, uint32_t slot, bool *used)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct rmap_uses uses = ask(m, rc, slot);

	assert(*word & PG_RESIDENT);
	*used = uses.nr > 0;
	if (machine_axis(m, AXIS_USED_ONCE) == USED_ONCE_ACTIVATED && in_use(m, slot)) {
		*used |= (*word & PG_REFERENCED) != 0;
		*word &= ~(uint32_t)PG_REFERENCED;
	}
	if (uses.locked || (*word & PG_MLOCKED))
		return RULE_CULL;
	return stays_executed(m, slot, uses) ? RULE_KEEP_EXEC : RULE_DEACTIVATE;
}

/* A page that was used since the last look.  Returns: RULE_NONE if it was not, or not enough. */
static enum rule judge_use(struct machine *m, const struct reclaim *rc, uint32_t slot, bool marked)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct rmap_uses uses = ask(m, rc, slot);
	unsigned once = machine_axis(m, AXIS_USED_ONCE);
	bool many = uses.nr > 1 || (uses.exec && !(*word & PG_ANON));

	*word &= ~(uint32_t)PG_REFERENCED;
	if (uses.locked)
		return RULE_CULL;
	if (once == USED_ONCE_ACTIVATED)
		return (marked || uses.nr) && in_use(m, slot) ? RULE_ACTIVATE_USED : RULE_NONE;
	if (!uses.nr)
		return RULE_NONE;
	if ((*word & PG_ANON) && once == USED_ONCE_KEPT)
		return RULE_ACTIVATE_USED;
	/* Marked also where that activates it. */
	*word |= PG_REFERENCED;
	if (machine_axis(m, AXIS_USED_MANY) == USED_MANY_KEPT)
		many = false;
	return marked || many ? RULE_ACTIVATE_USED : RULE_KEEP_USED;
}

/* From v3.6 on reclaim for a limit of v1 waits for a page that reclaim has marked before. */
static enum rule judge_writeback(struct machine *m, const struct reclaim *rc, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	bool marks = machine_axis(m, AXIS_WRITEBACK_WAIT) == WRITEBACK_WAIT_MARKED;
	ns_t since = m->host->now;

	if (marks && (*word & PG_RECLAIM) && !rc->global &&
	    machine_axis(m, AXIS_CGROUP) == CGROUP_V1) {
		writeback_wait_page(m, slot);
		writeback_told(m, *word & PG_MEMCG, RULE_WAIT_WRITEBACK, since);
		return RULE_NONE;
	}
	if (marks)
		*word |= PG_RECLAIM;
	return machine_axis(m, AXIS_FILE_WRITEOUT) == FILE_WRITEOUT_NEVER ? RULE_ACTIVATE_DIRTY
									  : RULE_KEEP_WRITEBACK;
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

/* Memory that was given up by MADV_FREE is freed as it is, unless it was written since. */
static enum rule judge_given_up(uint32_t *word)
{
	if (!(*word & PG_REDIRTIED))
		return RULE_FREE_LAZY;
	*word = (*word & ~(uint32_t)PG_REDIRTIED) | PG_ANON;
	return RULE_ACTIVATE_WRITTEN;
}

static enum rule judge_anon(struct machine *m, uint32_t slot)
{
	if (!swap_has_slot(m, slot))
		return RULE_ACTIVATE_NO_SWAP;
	if (!swap_waits(m))
		return RULE_SWAP_OUT;
	if (!swap_needs_write(m, slot))
		return RULE_FREE_SWAPPED;
	rmap_unmap(m, slot);
	swap_write(m, slot);
	return RULE_WRITE_SWAP;
}

enum rule judge_page(struct machine *m, const struct reclaim *rc, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	bool marked = (*word & PG_REFERENCED) != 0;
	enum rule rule = RULE_NONE;

	assert(m->pages.slot[slot].word & PG_RESIDENT);
	if (*word & PG_MLOCKED)
		return RULE_CULL;
	if (*word & PG_WRITEBACK)
		rule = judge_writeback(m, rc, slot);
	if (rule == RULE_NONE && !rc->ignores_use)
		rule = judge_use(m, rc, slot, marked);
	if (rule != RULE_NONE)
		return rule;
	if (*word & PG_HELD)
		return RULE_KEEP_HELD;
	if (*word & PG_ANON)
		return judge_anon(m, slot);
	if (rmap_of_memory(m, slot))
		return judge_given_up(word);
	return *word & PG_DIRTY ? judge_dirty(m, rc, slot, marked) : RULE_RECLAIM_CLEAN;
}

bool judge_frees(enum rule rule)
{
	return rule == RULE_RECLAIM_CLEAN || rule == RULE_SWAP_OUT || rule == RULE_FREE_LAZY ||
	       rule == RULE_FREE_SWAPPED;
}

bool judge_activates(enum rule rule)
{
	return rule == RULE_ACTIVATE_USED || rule == RULE_ACTIVATE_NO_SWAP ||
	       rule == RULE_ACTIVATE_DIRTY || rule == RULE_ACTIVATE_WRITTEN;
}
