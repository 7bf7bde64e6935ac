/*
 * Memory that was forked: which tasks have a page of it, mapped or in swap.
 */
#ifndef MEMCGLAB_ENGINE_ANON_VMA_H
#define MEMCGLAB_ENGINE_ANON_VMA_H

#include "machine.h"

/* anon_vma_entry - the slot that the page table of forked memory @id holds for page @index. */
static inline uint32_t *anon_vma_entry(const struct machine *m, uint32_t id, pages_t index)
{
	return &m->pages.entry[m->pages.mapping[id].forked.entry + index];
}

/* anon_vma_slot - what page @index of a task's memory is: a page, or what stayed of it in swap.
 * Returns: its slot, an empty one if it is neither. */
static inline uint32_t anon_vma_slot(const struct machine *m, uint32_t id, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[id];

	return map->forked.root ? *anon_vma_entry(m, id, index) : page_find(&m->pages, map, index);
}

/* Page table entries for one page, or for what stayed of it in swap. */
struct anon_vma_users {
	uint32_t nr;		/* in page tables, swapped or not */
	uint32_t present;	/* of those: it is mapped */
};

/* anon_vma_users - who has page @slot; of memory that was never forked one or nobody. */
struct anon_vma_users anon_vma_users(const struct machine *m, uint32_t slot);

/* anon_vma_mapped - whether the task has page @index of its memory @id, at @slot, mapped. */
bool anon_vma_mapped(const struct machine *m, uint32_t id, pages_t index, uint32_t slot);

/* anon_vma_map - page @index of memory @id is page @slot, mapped and used; the task's rss
 * follows. */
void anon_vma_map(struct machine *m, uint32_t id, pages_t index, uint32_t slot);

/**
 * anon_vma_copy - memory @to, fresh and of equal size, gets the page table of @from
 * The copy is not young, and a write through either faults from now on.  What
 * lies in swap is shared too.  The new task's rss follows.
 * Returns: whether there was room for page tables.
 * After: copy_pte_range(), mm/memory.c, v2.6.31; copy_present_ptes(), v6.18.
 */
bool anon_vma_copy(struct machine *m, uint32_t from, uint32_t to);

/* anon_vma_store - the mapping where a new page @index of memory @id is to lie: itself, unless
 * somebody else has that page of its.  Returns: UINT32_MAX if there is no room for another. */
uint32_t anon_vma_store(struct machine *m, uint32_t id, pages_t index);

/**
 * anon_vma_drop - forked memory @id has no page @index any more; rss and PG_MAPPED follow
 * @slot: receives what it was; SLOT_NONE: nothing
 * Returns: how many others have it.
 */
uint32_t anon_vma_drop(struct machine *m, uint32_t id, pages_t index, uint32_t *slot);

/* anon_vma_unmap - nobody maps page @slot any more; their tables remember it, or with @forget
 * they do not.  The rss of all who had it follows. */
void anon_vma_unmap(struct machine *m, uint32_t slot, bool forget);

/* anon_vma_locked - whether a page table locks page @slot. */
bool anon_vma_locked(const struct machine *m, uint32_t slot);

/* anon_vma_leave - forked memory @id is no task's any more.  What others have of its pages stays,
 * and their swap slots stay on the account of the task's group. */
void anon_vma_leave(struct machine *m, uint32_t id);

#endif
