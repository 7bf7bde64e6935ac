/*
 * The state of a page: one word and a stamp.
 */
#ifndef MEMCGLAB_ENGINE_SLOT_H
#define MEMCGLAB_ENGINE_SLOT_H

#include "event.h"

enum {
	LEAF_SHIFT = 9,
	LEAF_SLOTS = 1 << LEAF_SHIFT,
	PAGE_MEMCG_BITS = 12,
	MEMCG_MAX = (1 << PAGE_MEMCG_BITS) - 1
};

/* anon_vma and anon_vma_chain of a mapping, with their owners; another chain for each fork that it
 * has come through [bytes]. */
enum { ANON_VMA_BYTES = 184, ANON_CHAIN_BYTES = 72 };

/* A buffer head, with its owner, for each page of a file that was written [bytes]. */
enum { BUFFER_BYTES = 112 };

#define SLOT_NONE 0u		/* slot 0 lies in the empty leaf */

/* Where a resident page is: nowhere yet, in an add queue, on its lists, in reclaim's hands.
 * Between steps no page is POS_NONE or POS_ISOLATED. */
enum page_pos { POS_NONE, POS_QUEUED, POS_LISTED, POS_ISOLATED };

/* The word of a slot: owner's css id, position, flags. */
enum {
	PG_MEMCG = MEMCG_MAX,
	PG_POS_SHIFT = PAGE_MEMCG_BITS,
	PG_POS = 3 << PG_POS_SHIFT,
	PG_RESIDENT = 1 << 14,
	PG_ACTIVE = 1 << 15,		/* belongs on an active list, also while queued */
	PG_REFERENCED = 1 << 16,	/* used once; a second use activates */
	PG_GONE = PG_REFERENCED,	/* of an empty slot: its page was evicted once */
	PG_ANON = 1 << 17,		/* swap-backed: on the anon lists, also if it is shmem's */
	PG_UNEVICTABLE = 1 << 18,
	PG_MAPPED = 1 << 19,		/* in some page table */
	PG_YOUNG = 1 << 20,		/* accessed bit of anonymous memory; files': rmap.h */
	PG_DIRTY = 1 << 21,		/* not written since it was modified */
	PG_HELD = 1 << 22,		/* in an activate queue, which holds a reference */
	PG_WORKINGSET = 1 << 23,	/* was active once (refault=on) */
	PG_SHADOW = 1 << 24,		/* not resident: owner is the group reclaimed then */
	PG_MLOCKED = 1 << 25,		/* reclaim that meets it on a list culls it */
	PG_READAHEAD = 1 << 26,		/* coming here starts the next readahead window */
	PG_RECLAIM = PG_READAHEAD,	/* of a page under writeback: reclaim waits for its end */
	PG_REDIRTIED = PG_READAHEAD,	/* of memory given up by MADV_FREE: written since */
	PG_SWAPPED = 1 << 27,		/* not resident: in a swap slot */
	PG_SWAP_CACHE = 1 << 28,	/* resident, and its swap slot still holds a copy */
	PG_BUFFERS = PG_SWAP_CACHE,	/* of a page of a file: its buffer heads are charged */
	PG_ZONE_SHIFT = 29		/* two bits: the zone of its frame */
};

/* How the memory of a mapping comes back from swap: its latest fault there, the window that was
 * read with it, and pages of that which were used since. */
struct swap_ahead {
	uint64_t index;
	uint32_t window, hits;
};

struct slot {
	uint32_t stamp;		/* of its entry on the group's list, 0: none; a shadow's age */
	uint32_t word;
};

/* page_pos, page_with_pos - read the position in a word; a word with another one. */
static inline enum page_pos page_pos(uint32_t word)
{
	return (enum page_pos)((word & PG_POS) >> PG_POS_SHIFT);
}

static inline uint32_t page_with_pos(uint32_t word, enum page_pos pos)
{
	return (word & ~(uint32_t)PG_POS) | (uint32_t)pos << PG_POS_SHIFT;
}

/* page_in_swap_cache - whether a resident page's swap slot still holds a copy. */
static inline bool page_in_swap_cache(uint32_t word)
{
	return (word & (PG_ANON | PG_SWAP_CACHE)) == (PG_ANON | PG_SWAP_CACHE);
}

/* Given to the device and not written yet.  No enumerator: it does not fit an int. */
#define PG_WRITEBACK ((uint32_t)1 << 31)

/* page_zone - number of the zone that a page's frame is in. */
static inline uint32_t page_zone(uint32_t word)
{
	return word >> PG_ZONE_SHIFT & 3;
}

/* The list that a page belongs on. */
static inline enum lru page_lru(uint32_t word)
{
	if (word & PG_UNEVICTABLE)
		return LRU_UNEVICTABLE;
	return (enum lru)((word & PG_ANON ? 0 : LRU_INACTIVE_FILE) + (word & PG_ACTIVE ? 1 : 0));
}

#endif
