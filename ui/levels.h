/*
 * The levels that a charge goes through: a group, and each group above it
 * that counts its pages.  From them follow which limit binds first, what a
 * group's usage is made of, and where the walk of a reclaim stands.
 */
#ifndef MEMCGLAB_UI_LEVELS_H
#define MEMCGLAB_UI_LEVELS_H

#include "run.h"
#include "walk.h"

enum { LEVELS_MAX = 136 }; /* a path is shorter than 256 bytes, so no tree is deeper */

/* levels_up - css id of the next level that @m's pages are charged to; 0: none. */
uint32_t levels_up(const struct run *run, const struct run_memcg *m);

/* levels_of - css ids from @id upwards.  Returns: how many. */
size_t levels_of(const struct run *run, uint32_t id, uint32_t level[LEVELS_MAX]);

/* levels_within - whether @id is @root or below it, counted there or not. */
bool levels_within(const struct run *run, uint32_t id, uint32_t root);

/* The level that refuses first when a group grows. */
struct levels_bind {
	uint32_t id;  /* 0: no level has a limit */
	pages_t left; /* below its limit */
};

/**
 * levels_binds - which of @id's levels has the least left; the lowest on ties
 * @others: leave out @id itself
 */
struct levels_bind levels_binds(const struct run *run, uint32_t id, bool others);

/* What the pages of a usage are [pages]. */
struct levels_parts {
	pages_t usage;
	pages_t rss, cache, unevictable; /* anonymous, of files, locked: on lists */
	pages_t queued;                  /* on no list yet: in the CPUs' add queues */
	pages_t kmem;                    /* page tables, tree nodes, structures */
	pages_t stock;                   /* charged in advance by CPUs */
	pages_t inactive_file, unclean;  /* unclean: dirty or under writeback */
	pages_t dying;                   /* of all these, in groups that are removed */
	uint32_t nr_dying;               /* such groups */
};

/**
 * levels_parts - what is charged to @id and to all that counts there
 * The parts from rss to stock add up to the usage; all are 0 without the controller.  Returns:
 * false if there is no such group.
 */
bool levels_parts(const struct run *run, uint32_t id, struct levels_parts *out);

pages_t levels_sum(const struct levels_parts *parts); /* of the parts from rss to stock */

/* levels_working_set - usage without inactive_file, not below 0. */
pages_t levels_working_set(const struct levels_parts *parts);

/* levels_droppable - pages of files on lists that are clean, so that nothing is lost with them. */
pages_t levels_droppable(const struct levels_parts *parts);

/* Where the reclaim of a hierarchy goes on. */
struct levels_walk {
	bool alone;          /* no hierarchy: only the group itself is reclaimed */
	bool many;           /* a position for each zone and priority: this is the first's */
	uint32_t last, next; /* css ids; last 0: nothing was visited yet */
};
struct levels_walk levels_walk(const struct run *run, uint32_t root);

/* levels_walk_at - place @i of those where the walks from @root stand, and whose turn is next.
 * Returns: false past the last. */
bool levels_walk_at(const struct run *run, uint32_t root, uint32_t i, struct run_walk *out,
		    uint32_t *next);

#endif
