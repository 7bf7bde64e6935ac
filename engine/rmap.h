/*
 * Which tasks map a page, and what their page tables say of it.
 */
#ifndef MEMCGLAB_ENGINE_RMAP_H
#define MEMCGLAB_ENGINE_RMAP_H

#include "anon_vma.h"
#include "request.h"

/* What the mappings of a page had to say when they were asked. */
struct rmap_uses {
	uint32_t nr;		/* mappings through which it was used */
	bool exec;		/* one of those is executed */
	bool locked;		/* a mapping locks it */
};

/* rmap_entry - the page table entry for page @index of a task's mapping of a file, or of memory
 * that was forked. */
static inline uint8_t *rmap_entry(const struct machine *m, uint32_t view, pages_t index)
{
	return &m->pages.pte[m->pages.mapping[view].pte + index];
}

/* rmap_of_memory - whether page @slot is anonymous memory, on whatever list it is. */
static inline bool rmap_of_memory(const struct machine *m, uint32_t slot)
{
	return m->pages.mapping[m->pages.leaf[slot >> LEAF_SHIFT].mapping].anon;
}

/* rmap_map - the entry for resident page @slot, which is page @index of the file: there, young. */
void rmap_map(struct machine *m, uint32_t view, pages_t index, uint32_t slot);

/* rmap_counts - whether a use of page @index of a mapping tells reclaim anything (recency=). */
bool rmap_counts(const struct machine *m, const struct mapping *map, pages_t index);

/**
 * rmap_uses - ask the mappings of the folio at @slot whether it was used
 * Accessed bits that are asked are cleared; whose they are is references=.
 * After: page_referenced(), mm/rmap.c, v2.6.31; folio_referenced(), v6.18.
 */
struct rmap_uses rmap_uses(struct machine *m, const struct reclaim *rc, uint32_t slot);

/* rmap_tally - the folio at @slot is one more, or one less, of its kind that its owner has: memory
 * of tasks, pages of tmpfs, those in the swap cache. */
void rmap_tally(struct machine *m, uint32_t slot, int change);

/* rmap_unmap - no page table has an entry for the folio at @slot any more: it is about to go.  The
 * rss of the tasks that had it, and the owner's mapped pages, follow. */
void rmap_unmap(struct machine *m, uint32_t slot);

/* rmap_alone - whether task's mapping @id maps page @index, at @slot, and no other mapping does. */
bool rmap_alone(const struct machine *m, uint32_t id, pages_t index, uint32_t slot);

/* rmap_slot - the slot of page @index of a task's mapping, of a file or of memory. */
static inline uint32_t rmap_slot(const struct machine *m, uint32_t id, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[id];

	return map->file ? page_find(&m->pages, &m->pages.mapping[map->file], index)
			 : anon_vma_slot(m, id, index);
}

/* rmap_unlock - the folio at @slot is unlocked, unless a mapping of its file still locks it; then
 * it goes back to the list of its flags. */
void rmap_unlock(struct machine *m, uint32_t slot);

/**
 * rmap_drop - entries [@first, @end) of a mapping of a file go
 * A folio that was used through them counts as touched, if its use counts.
 * After: zap_pte_range(), mm/memory.c, v2.6.31 and v6.18.
 */
void rmap_drop(struct machine *m, uint32_t cpu, uint32_t view, pages_t first, pages_t end);

#endif
