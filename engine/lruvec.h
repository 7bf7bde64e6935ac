/*
 * LRU lists.  A list is a queue of chunks of 1,024 slot numbers, oldest
 * (tail) first.  The number of an entry's place, chunk * 1024 + place, is
 * the page's stamp: an entry counts only while its page's slot carries that
 * stamp.  Moving or freeing a page therefore writes its slot alone and
 * leaves a dead entry behind; dead entries are dropped when the tail passes
 * them or when a third of a list is dead.  Order is exact, every move is
 * O(1), and reclaim reads entries one after the other.
 *
 * With lru=double a page is on the zone's list too, by a second stamp.
 */
#ifndef MEMCGLAB_ENGINE_LRUVEC_H
#define MEMCGLAB_ENGINE_LRUVEC_H

#include "page.h"
#include "scan.h"

enum { CHUNK_SHIFT = 10, CHUNK_ENTRIES = 1 << CHUNK_SHIFT };

/* What is known of a chunk of entries beside them. */
struct chunk_info {
	uint32_t next;		/* towards the head */
	uint32_t next_free;	/* on the free list, last in first out */
	ns_t born_ns;		/* when its first entry was made */
};

/* nr_entries - nr is the dead entries: after an add at most half of nr and a chunk. */
struct lru_list {
	uint32_t tail, head;	/* chunks; 0: none */
	uint32_t tail_place;	/* of the oldest entry in the tail chunk */
	uint32_t head_place;	/* of the next free one in the head chunk */
	uint32_t nr_entries;	/* dead ones too */
	pages_t nr;		/* pages */
};

/* The lists of one group (or zone) in one zone, with its reclaim statistics. */
struct lruvec {
	struct lru_list list[NR_LRU];
	pages_t size[NR_LRU];		/* listed pages, also where they are only counted */
	struct scan_stat stat;		/* recent use, by listing and by reclaim; to v3.3 */
	uint32_t saved[NR_LRU];		/* nr_saved_scan [pages], below a cluster */
};

/* Which of a page's two places is meant. */
enum lru_plane { PLANE_GROUP, PLANE_ZONE, NR_PLANES };

/* What all lists of a machine share: pointers into the block. */
struct lists {
	struct block *block;
	struct pages *pages;
	uint32_t *entry;		/* slot numbers, by place */
	struct chunk_info *chunk;
	uint32_t *zone_stamp;		/* by slot */
	uint32_t free_chunk;		/* first of the free list; 0: none */
	const ns_t *now;		/* the machine's clock */
};

/* lists_open - find the regions; takes chunk 0, so that stamp 0 is no place. */
void lists_open(struct lists *lists, struct block *block, struct pages *pages, const ns_t *now);

/* lru_stamp - the stamp of @slot's place. */
static inline uint32_t *lru_stamp(const struct lists *lists, enum lru_plane plane, uint32_t slot)
{
	return plane == PLANE_GROUP ? &lists->pages->slot[slot].stamp : &lists->zone_stamp[slot];
}

/**
 * lru_add - put a page at the head (newest)
 * The page must be on no list of @plane (asserted).  Dead entries at the
 * tail are dropped meanwhile, so a list in use does not grow without end.
 * Returns: false if the block has no room for a chunk.
 */
bool lru_add(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t slot);

/* lru_add_run - lru_add of @n pages with successive slots, in that order. */
bool lru_add_run(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t slot,
		 uint32_t n);

/* lru_add_tail - put a page at the tail (oldest): the next that reclaim takes. */
bool lru_add_tail(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t slot);

/* Pages that come next to page @beside, which is on the list, towards the head: the last of them
 * stands next to it, the first farthest. */
struct lru_newcomers {
	uint32_t beside, n;
	const uint32_t *slot;
};

/* lru_add_beside - it takes time with the list's length.  Returns: as lru_add. */
bool lru_add_beside(struct lists *lists, struct lru_list *list, enum lru_plane plane,
		    const struct lru_newcomers *more);

/* lru_del - take a listed page off, wherever it is: its entry is dead from now on.  The page
 * must be on this list (asserted by its stamp and by a count above 0). */
void lru_del(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t slot);

/**
 * lru_pop_run - take the oldest pages off
 * @slot: receives up to @n slots, oldest first
 * Returns: how many; fewer than @n only if the list is empty then.
 */
uint32_t lru_pop_run(struct lists *lists, struct lru_list *list, enum lru_plane plane,
		     uint32_t n, uint32_t *slot);

/* Walking a list, oldest first, without changing it. */
struct lru_walk {
	uint32_t chunk, place, left;
};

void lru_walk_start(const struct lru_list *list, struct lru_walk *walk);

/* lru_walk_next - Returns: the next page's slot, SLOT_NONE at the end; walk->chunk is its chunk. */
uint32_t lru_walk_next(const struct lists *lists, enum lru_plane plane, struct lru_walk *walk);

#endif
