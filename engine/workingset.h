/*
 * Refault distance: what an evicted page leaves behind, and whether a page
 * that comes back was missed.  And the figures that reclaim judges by, as
 * of the last flush.
 */
#ifndef MEMCGLAB_ENGINE_WORKINGSET_H
#define MEMCGLAB_ENGINE_WORKINGSET_H

#include "machine.h"

/* What v6.18 keeps figures for: a group on a node. */
struct bucket {
	uint32_t memcg, node;
};

/* workingset_age - @n evictions or activations in @of and every group above it on the node: the
 * clock that refault distances are measured by.
 * After: workingset_age_nonresident(), mm/workingset.c:355, v6.18. */
void workingset_age(struct machine *m, struct bucket of, uint64_t n);

/* workingset_evict - page @slot of a file is freed by reclaim of @target and leaves a shadow in
 * its slot, which counts in its tree node.
 * After: workingset_eviction(), mm/workingset.c:381, v6.18. */
void workingset_evict(struct machine *m, uint32_t target, uint32_t slot);

/**
 * workingset_shadow - what page @slot, freed by reclaim of @target, leaves behind
 * @word: receives PG_SHADOW, target, node (as a zone) and PG_WORKINGSET; 0 with refault=off
 * Returns: the age to keep with it.
 */
uint32_t workingset_shadow(struct machine *m, uint32_t target, uint32_t slot, uint32_t *word);

/**
 * workingset_refault - a page of @into and @type returns where @shadow was
 * The distance is what the group reclaimed then has aged since; a page that
 * returns within what its competitors take up was evicted too early and is
 * made active.  A group removed since then does not count.
 * Returns: flags that it gets: PG_ACTIVE, PG_WORKINGSET.
 * After: workingset_refault(), mm/workingset.c:534, v6.18.
 */
uint32_t workingset_refault(struct machine *m, struct bucket into, struct slot shadow,
			    unsigned type, uint32_t nr);

/**
 * workingset_cost - reclaim of a type was dear: @nr in @of and every group above it
 * @nr: pages examined in vain, and 32 for each written to swap or missed
 * At each level both costs are halved above a quarter of the listed pages.
 * After: lru_note_cost(), mm/swap.c:240, v6.18.
 */
void workingset_cost(struct machine *m, struct bucket of, unsigned type, uint64_t nr);

/* flush_all - every group's figures are brought up to date: what reclaim of v6.18 believes until
 * the next flush.
 * After: mem_cgroup_flush_stats(), mm/memcontrol.c, v6.18. */
void flush_all(struct machine *m);

/* flush_due - flush if the period (knob flush_ns) is over; only with stat_flush=periodic. */
void flush_due(struct machine *m);

/* flushed_size, flushed_activate - listed pages, refault activations of a subtree on a node as
 * reclaim judges it: exact, or as of the last flush (stat_flush). */
pages_t flushed_size(const struct machine *m, struct bucket of, enum lru lru);
uint64_t flushed_activate(const struct machine *m, struct bucket of, unsigned type);

/* flushed_local - listed pages and slab pages of @memcg itself. */
pages_t flushed_local(const struct machine *m, uint32_t memcg);

#endif
