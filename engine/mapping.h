/*
 * What has pages: files, anonymous memory, and the mappings of files.
 */
#ifndef MEMCGLAB_ENGINE_MAPPING_H
#define MEMCGLAB_ENGINE_MAPPING_H

#include "slot.h"

/* How a task says that it will use a mapping. */
enum map_advice { MAP_NORMAL, MAP_RANDOM, MAP_SEQUENTIAL };

/* The kind of a piece of a mapping: its advice, and whether it is locked in memory. */
enum { VMA_ADVICE = 3, VMA_LOCKED = 4 };

/* Page table entry of a mapping of a file, or of memory that was forked: a byte.  Protected: a
 * write faults, as somebody else had the page too. */
enum { PTE_PRESENT = 1, PTE_YOUNG = 2, PTE_LOCKED = 4, PTE_PROTECTED = 8 };

/* What a leaf of 512 slots is for.  A leaf without pages and shadows is on the free list. */
struct leaf_info {
	uint32_t mapping, index;	/* covers pages index * 512 … of it */
	uint32_t nr_resident, nr_shadow;	/* nr_shadow: swapped pages too */
	uint32_t gone;			/* a bit for 16 pages: one of them was evicted */
	uint32_t next_free;		/* 0: last */
};

/* A piece of a task's mapping: from page @first to where the next begins. */
struct vma {
	pages_t first;
	uint32_t kind;		/* enum map_advice, and VMA_LOCKED */
	uint32_t next;		/* 0: it is the last */
	struct swap_ahead ahead;
};

/*
 * Memory of a task that forked, or that it has from its parent.  All who have
 * it stand in one ring, by whatever task; a page lies in the mapping of the task
 * that brought it in, and is found through the entries of those that map it.
 */
struct forked {
	uint32_t root;		/* of all that share: the mapping that was forked first; 0: none */
	uint32_t next;		/* of the root and those behind it: the next that a task has */
	uint32_t entry;		/* first of the slots that its page table holds */
	uint32_t more;		/* where pages lie for which it has no place of its own */
	uint32_t depth;		/* forks that it has come through */
	uint32_t parent;	/* the mapping that it was copied from */
	bool store;		/* has no addresses: it is some mapping's @more */
};

/*
 * A file, an anonymous mapping of a task, or a task's mapping of a file (a
 * view, which has no pages of its own).  Numbers are not used again.
 */
struct mapping {
	char name[64];
	uint32_t task;		/* owner of a mapping, 0: a file */
	bool anon;		/* anonymous memory of the task */
	bool shmem;		/* a file of tmpfs: swap-backed, no device */
	bool large;		/* readahead of this file makes large folios */
	bool no_ahead;		/* a file whose device reads nothing ahead */
	bool exec;		/* a mapping of a file that is executed */
	bool locked;		/* a mapping that is one piece: its pages are locked in memory */
	bool gone;		/* a mapping whose task runs another program now */
	uint32_t records;	/* css id that the records of memory that had a page are charged
				   to; 0: there are none */
	uint32_t advice;	/* enum map_advice, of a task's mapping that is one piece */
	uint32_t first_vma;	/* its pieces, if it is advised in parts; 0: it is one */
	uint32_t file;		/* what a mapping of a file maps, else 0 */
	uint32_t open;		/* of a mapping of a file: its open file, by number */
	uint32_t pte;		/* its first page table entry: of a file, of forked memory */
	struct forked forked;	/* memory that fork has copied */
	uint32_t first_view, next_view;	/* of a file: its mappings, one by one */
	uint32_t swap_memcg;	/* of shmem, and of forked memory whose task has ended: whose
				   account its swap slots are on */
	pages_t nr_slots;	/* of those: its swap slots */
	uint32_t nr_views;	/* of a file: its mappings */
	uint32_t tables, nr_tables;	/* page tables: in the directory region; how many */
	pages_t nr_pages;	/* of .bytes, rounded up */
	uint64_t bytes;
	uint32_t dir, nr_leaves;	/* first of its leaf numbers in the directory; how many */
	uint32_t upper;		/* first of its upper tree nodes */
	uint32_t height;	/* levels of its tree */
	pages_t nr_resident, nr_shadow, nr_dirty;	/* nr_shadow: swapped pages too */
	struct swap_ahead ahead;
	uint32_t inode_lock;	/* of a file that was written: its lock; 0: none yet */
	ns_t dirtied_at;	/* when it had no dirty page for the last time */
};

#endif
