/*
 * Advice.  Follows mm/fadvise.c and mm/madvise.c of v6.18; what older kernels
 * do not have is refused before it comes here.
 */
#include "advise.h"

#include <assert.h>

#include "anon.h"
#include "opened.h"
#include "policy.h"
#include "readahead.h"
#include "rmap.h"
#include "shrink.h"
#include "split.h"
#include "swap.h"
#include "unmap.h"
#include "vma.h"

enum { PAGEOUT_AT_ONCE = 512 };	/* pages under one page table */

const char *fadvice_name(enum fadvice advice)
{
	static const char *const names[NR_FADVICES] = {
		[FADVICE_DONTNEED] = "dontneed", [FADVICE_NORMAL] = "normal",
		[FADVICE_RANDOM] = "random", [FADVICE_SEQUENTIAL] = "sequential",
		[FADVICE_WILLNEED] = "willneed", [FADVICE_NOREUSE] = "noreuse",
	};

	assert(advice < NR_FADVICES);
	return names[advice];
}

const char *madvice_name(enum madvice advice)
{
	static const char *const names[NR_MADVICES] = {
		[MADVICE_NORMAL] = "normal", [MADVICE_RANDOM] = "random",
		[MADVICE_SEQUENTIAL] = "sequential", [MADVICE_WILLNEED] = "willneed",
		[MADVICE_DONTNEED] = "dontneed", [MADVICE_FREE] = "free",
		[MADVICE_COLD] = "cold", [MADVICE_PAGEOUT] = "pageout",
	};

	assert(advice < NR_MADVICES);
	return names[advice];
}

/* A span in whole pages; parts of pages at its ends are left out. */
struct stretch {
	pages_t first, end;
};

static struct stretch stretch_of(const struct machine *m, const struct op *op)
{
	const struct mapping *map = &m->pages.mapping[op->object];
	struct stretch s = { units_pages(op->offset), (op->offset + op->length) / PAGE_BYTES };

	if (op->offset + op->length == map->bytes)
		s.end = map->nr_pages;
	if (s.end < s.first)
		s.end = s.first;
	return s;
}

void advise_open(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	struct open_file *open = opened_anew(m, op->task, op->object, op->handle);

	(void)res;
	if (!open)
		return;
	if (op->flags & OPF_RANDOM)
		opened_advise(open, FADVICE_RANDOM);
	if (op->flags & OPF_SEQUENTIAL)
		opened_advise(open, FADVICE_SEQUENTIAL);
}

void advise_file(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	struct open_file *open = opened_find(m, op->task, op->object, op->handle);
	struct stretch s = stretch_of(m, op);

	if (!open)
		return;
	if (op->value == FADVICE_DONTNEED) {
		uint32_t cpu = m->task[op->task].cpu;

		res->done_pages = unmap_invalidate(m, cpu, op->object, s.first, s.end);
	} else if (op->value == FADVICE_WILLNEED) {
		res->outcome = access_outcome(readahead_wanted(
			m, op->task, open, op->offset / PAGE_BYTES,
			units_pages(op->offset + op->length) - op->offset / PAGE_BYTES));
	} else {
		opened_advise(open, (enum fadvice)op->value);
	}
}

/* ---- memory ---- */

/* The folio of page @index of a mapping, if this task alone maps all of it and the span holds all
 * of it.  Returns: SLOT_NONE if it is missing or not so. */
static uint32_t own_folio(const struct machine *m, uint32_t mapping, pages_t index, pages_t end)
{
	uint32_t slot = rmap_slot(m, mapping, index), nr, i;

	if (!(m->pages.slot[slot].word & PG_RESIDENT) || slot != page_head(&m->pages, slot))
		return SLOT_NONE;
	nr = page_nr(&m->pages, slot);
	if (index + nr > end)
		return SLOT_NONE;
	for (i = 0; i < nr; i++)
		if (!rmap_alone(m, mapping, index + i, slot))
			return SLOT_NONE;
	return slot;
}

/* A large folio that the span cuts, or that the task maps in part and nobody else does, is split.
 * Its pages are mapped by nobody then, and so the advice does not meet them. */
static void split_cut(struct machine *m, uint32_t mapping, pages_t index, struct stretch s)
{
	uint32_t slot = rmap_slot(m, mapping, index), head = page_head(&m->pages, slot), i;
	uint32_t nr = page_nr(&m->pages, head), alone = 0;
	pages_t first = index - (slot - head);

	if (nr == 1 || !(*rmap_entry(m, mapping, index) & PTE_PRESENT))
		return;
	for (i = 0; i < nr; i++) {
		bool own = (*rmap_entry(m, mapping, first + i) & PTE_PRESENT) != 0;

		if (own && !rmap_alone(m, mapping, first + i, head))
			return;
		if (!own && (m->pages.slot[head + i].word & PG_MAPPED))
			return;
		alone += own;
	}
	if (alone < nr || first < s.first || first + nr > s.end)
		split_folio(m, m->task[m->pages.mapping[mapping].task].cpu, slot, SPLIT_PAGES);
}

static void clear_young(struct machine *m, uint32_t mapping, pages_t index, uint32_t slot)
{
	const struct mapping *map = &m->pages.mapping[mapping];
	uint32_t i;

	m->pages.slot[slot].word &= ~(uint32_t)PG_YOUNG;
	for (i = 0; (map->file || map->forked.root) && i < page_nr(&m->pages, slot); i++)
		*rmap_entry(m, mapping, index + i) &= (uint8_t)~PTE_YOUNG;
}

/* What MADV_COLD and MADV_PAGEOUT forget of a page: that it was used. */
static void forget_use(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	*word &= ~(uint32_t)PG_REFERENCED;
	if (*word & PG_ACTIVE)
		*word |= PG_WORKINGSET;
}

/* Pages that are on a list and that no queue holds.  The rest is passed over. */
static bool is_listed(const struct machine *m, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word;

	return page_pos(word) == POS_LISTED && !(word & PG_HELD);
}

static void advise_cold(struct machine *m, uint32_t cpu, uint32_t mapping, struct stretch s)
{
	pages_t index;

	for (index = s.first; index < s.end; index++) {
		uint32_t slot;

		split_cut(m, mapping, index, s);
		slot = own_folio(m, mapping, index, s.end);

		if (slot == SLOT_NONE || !is_listed(m, slot))
			continue;
		clear_young(m, mapping, index, slot);
		forget_use(m, slot);
		pagevec_move(m, cpu, slot, MOVE_DEACTIVATED);
	}
}

/* The pages under one page table are gathered, then written and freed. */
static pages_t advise_pageout(struct machine *m, uint32_t cpu, uint32_t mapping, struct stretch s)
{
	uint32_t slots[PAGEOUT_AT_ONCE], nr = 0;
	pages_t index, freed = 0;

	for (index = s.first; index < s.end; index++) {
		uint32_t slot;

		split_cut(m, mapping, index, s);
		slot = own_folio(m, mapping, index, s.end);

		if (slot != SLOT_NONE && is_listed(m, slot) &&
		    !(m->pages.slot[slot].word & (PG_UNEVICTABLE | PG_MLOCKED))) {
			forget_use(m, slot);
			slots[nr++] = slot;
		}
		if ((index + 1) % PAGEOUT_AT_ONCE && index + 1 < s.end)
			continue;
		freed += shrink_given(m, cpu, slots, nr);
		nr = 0;
	}
	return freed;
}

static void advise_free(struct machine *m, uint32_t cpu, uint32_t mapping, struct stretch s)
{
	pages_t index;

	for (index = s.first; index < s.end; index++) {
		uint32_t slot = anon_vma_slot(m, mapping, index);
		uint32_t *word = &m->pages.slot[slot].word;

		if (!(*word & (PG_RESIDENT | PG_SWAPPED)))
			continue;
		/* What is in swap, or in its cache alone, is lost at once. */
		if (!anon_vma_mapped(m, mapping, index, slot)) {
			unmap_span(m, cpu, mapping, index, index + 1);
			continue;
		}
		/* MODEL: what others map too is theirs, also if it is clean. */
		if (anon_vma_users(m, slot).nr > 1)
			continue;
		/* A copy in swap is of no use any more. */
		if (*word & PG_SWAP_CACHE)
			swap_forget(m, slot);
		*word &= ~(uint32_t)PG_REDIRTIED;
		clear_young(m, mapping, index, slot);
		pagevec_move(m, cpu, slot, MOVE_GIVEN_UP);
	}
}

/* Swapped pages come back, but nobody maps them yet. */
static enum limit_result advise_willneed(struct machine *m, const struct op *op, struct stretch s)
{
	const struct mapping *map = &m->pages.mapping[op->object];
	enum limit_result result = LIMIT_OK;
	pages_t index;

	if (map->file)
		return readahead_wanted(m, op->task, &m->open[map->open - 1], s.first,
					s.end - s.first);
	for (index = s.first; index < s.end && result == LIMIT_OK; index++)
		if (m->pages.slot[anon_vma_slot(m, op->object, index)].word & PG_SWAPPED)
			result = anon_swap_in(m, op->task, op->object, index);
	if (m->task[op->task].alive)
		pagevec_drain(m, m->task[op->task].cpu);
	return result;
}

/* Advice about the future: the mapping is parted where it begins and ends. */
static enum limit_result advise_future(struct machine *m, uint32_t id, struct stretch s,
				       enum map_advice advice)
{
	return anon_part(m, id, &(struct vma_change){ s.first, s.end, VMA_ADVICE, advice });
}

void advise_memory(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	static const enum map_advice future[] = {
		[MADVICE_NORMAL] = MAP_NORMAL, [MADVICE_RANDOM] = MAP_RANDOM,
		[MADVICE_SEQUENTIAL] = MAP_SEQUENTIAL,
	};
	const struct op *op = &progress->op;
	struct stretch s = stretch_of(m, op);
	uint32_t cpu = m->task[op->task].cpu;

	m->by = m->task[op->task].memcg;
	if (op->value >= MADVICE_DONTNEED)
		pagevec_drain(m, cpu);
	switch ((enum madvice)op->value) {
	case MADVICE_WILLNEED:
		res->outcome = access_outcome(advise_willneed(m, op, s));
		break;
	case MADVICE_DONTNEED:
		res->done_pages = unmap_span(m, cpu, op->object, s.first, s.end);
		break;
	case MADVICE_FREE:
		advise_free(m, cpu, op->object, s);
		break;
	case MADVICE_COLD:
		advise_cold(m, cpu, op->object, s);
		break;
	case MADVICE_PAGEOUT:
		res->done_pages = advise_pageout(m, cpu, op->object, s);
		break;
	default:
		res->outcome = access_outcome(advise_future(m, op->object, s, future[op->value]));
		break;
	}
}

enum err advise_check_file(const struct machine *m, const struct op *op, struct diag *diag)
{
	if (op->value < 0 || op->value >= NR_FADVICES)
		return diag_fail(diag, ERR_RANGE, "fadvise: no such advice");
	return access_check_span(m, op, diag);
}

enum err advise_check_memory(const struct machine *m, const struct op *op, struct diag *diag)
{
	const struct mapping *map = &m->pages.mapping[op->object];
	enum err err = access_check_touch(m, op, diag);
	struct stretch s;

	if (op->value < 0 || op->value >= NR_MADVICES)
		return diag_fail(diag, ERR_RANGE, "madvise: no such advice");
	if (err)
		return err;
	s = stretch_of(m, op);
	if (op->value >= MADVICE_FREE && machine_axis(m, AXIS_MADVISE) == MADVISE_BASIC)
		return diag_fail(diag, ERR_SCENARIO,
				 "madvise: this kernel has no MADV_FREE, "
				 "MADV_COLD and MADV_PAGEOUT");
	if (op->value == MADVICE_FREE && map->file)
		return diag_fail(diag, ERR_SCENARIO, "%s: only anonymous memory can be given up",
				 map->name);
	if (op->value >= MADVICE_DONTNEED && vma_locks(m, map, s.first, s.end))
		return diag_fail(diag, ERR_SCENARIO, "%s: is locked", map->name);
	return ERR_OK;
}
