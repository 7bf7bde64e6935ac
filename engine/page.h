/*
 * Pages.  A page's whole state is one 8-byte slot in the look-up of its
 * mapping: mapping -> directory -> leaf of 512 slots.  There are no page
 * frames and no links: a slot carries the stamp of the list entry that is
 * its place (see lruvec.h).  Leaves are taken when a first page arrives and
 * given back when the last one leaves; leaf 0 is empty for ever, so a
 * look-up needs no test for a missing leaf.
 *
 * A slot number (leaf * 512 + place) names a resident page in 32 bits.
 */
#ifndef MEMCGLAB_ENGINE_PAGE_H
#define MEMCGLAB_ENGINE_PAGE_H

#include "block.h"
#include "mapping.h"
#include "slot.h"

/* Pointers into the block, and the free list of leaves. */
struct pages {
	struct block *block;
	struct slot *slot;		/* by slot number */
	struct leaf_info *leaf;
	uint32_t *dir;			/* leaf numbers, and css ids of page tables */
	struct mapping *mapping;	/* by number, from 1 */
	uint8_t *order;		/* by slot: of its folio, alike in all pages of one */
	uint8_t *node;			/* by slot: of its frame, with several nodes */
	uint8_t *pte;			/* page table entries of mappings of files, forked memory */
	uint32_t *entry;		/* the slots that those of forked memory hold */
	uint32_t *gone;		/* by directory entry: leaf_info.gone of a leaf that is no more */
	uint32_t back;		/* pages of the latest insertion that had been evicted before */
	bool folios;		/* some file has large folios */
	uint32_t free_leaf;		/* 0: none */
};

/* page_find - slot number of page @index, of an empty slot (never resident) if it has no leaf. */
static inline uint32_t page_find(const struct pages *pages, const struct mapping *mapping,
				 pages_t index)
{
	uint32_t leaf = pages->dir[mapping->dir + (uint32_t)(index >> LEAF_SHIFT)];

	return (leaf << LEAF_SHIFT) + (uint32_t)(index & (LEAF_SLOTS - 1));
}

/* page_nr - pages of the folio that begins at @slot. */
static inline uint32_t page_nr(const struct pages *pages, uint32_t slot)
{
	return pages->folios ? 1u << pages->order[slot] : 1;
}

/* page_head - the first page of the folio that @slot is part of: it has the flags and the place. */
static inline uint32_t page_head(const struct pages *pages, uint32_t slot)
{
	return pages->folios ? slot & ~((1u << pages->order[slot]) - 1) : slot;
}

void pages_open(struct pages *pages, struct block *block);

enum { TABLE_SHIFT = 9 };	/* a page table maps 512 pages; mappings are aligned to that */

/* page_table_flag - css id that the page table over page @index of a task's mapping is charged
 * to; 0: it is not there.  Written by the fault that needs it and by the task's exit. */
static inline uint32_t *page_table_flag(const struct pages *pages, const struct mapping *mapping,
					pages_t index)
{
	return &pages->dir[mapping->tables + (uint32_t)(index >> TABLE_SHIFT)];
}

/* page_kmem_reparent - page tables and records charged to group @from are group @to's. */
void page_kmem_reparent(struct pages *pages, uint32_t from, uint32_t to);

/* page_view_new - a task maps file @file, no entry is there yet.  Returns: as page_mapping_new.
 * page_view_end - that mapping is none of the file's any more; its entries are gone. */
uint32_t page_view_new(struct pages *pages, const char *name, uint32_t file);
void page_view_end(struct pages *pages, uint32_t view);

/* page_mapping_new - a file or anonymous mapping of @bytes, no page of it resident.
 * Returns: its number, UINT32_MAX if there is no room. */
uint32_t page_mapping_new(struct pages *pages, const char *name, uint64_t bytes, bool anon);

/**
 * page_insert - make a page resident with @word (PG_RESIDENT is added)
 * It must not be (asserted); a shadow or swap entry is overwritten, so who
 * needs it reads the slot before.  The page is on no list yet.
 * Returns: its slot, SLOT_NONE if there is no room for a leaf.
 */
uint32_t page_insert(struct pages *pages, uint32_t mapping, pages_t index, uint32_t word);

/**
 * page_missing - pages from @index on that are not resident, within one leaf
 * Returns: 1 to @max, given that page @index is missing.
 */
pages_t page_missing(const struct pages *pages, const struct mapping *mapping, pages_t index,
		     pages_t max);

/* page_insert_run - page_insert of @n pages of one leaf. */
uint32_t page_insert_run(struct pages *pages, uint32_t mapping, pages_t index, uint32_t n,
			 uint32_t word);

/* page_remove - it is no longer resident; its slot is cleared, an empty leaf is given back.
 * Charge, frame, lists and queues are the caller's. */
void page_remove(struct pages *pages, uint32_t slot);

/* page_identity - Returns: the mapping of a slot; @index receives which of its pages it is. */
uint32_t page_identity(const struct pages *pages, uint32_t slot, pages_t *index);

#endif
