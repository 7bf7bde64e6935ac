/*
 * Refault distance: what an evicted page leaves behind, and whether a page
 * that comes back was missed.  And the figures that reclaim judges by, as
 * of the last flush.
 */
#ifndef MEMCGLAB_ENGINE_WORKINGSET_H
#define MEMCGLAB_ENGINE_WORKINGSET_H

#include "machine.h"

/* workingset_age - @n evictions or activations in @memcg and every group above it.
 * After: workingset_age_nonresident(), mm/workingset.c:355, v6.18. */
void workingset_age(struct machine *m, uint32_t memcg, uint64_t n);

/* workingset_evict - page @slot is freed by reclaim of @target and leaves a shadow.
 * After: workingset_eviction(), mm/workingset.c:381, v6.18. */
void workingset_evict(struct machine *m, uint32_t target, uint32_t slot);

/**
 * workingset_shadow - what page @slot, freed by reclaim of @target, leaves behind
 * @word: receives PG_SHADOW, the target and PG_WORKINGSET; 0 with refault=off
 * Returns: the age to keep with it.
 */
uint32_t workingset_shadow(struct machine *m, uint32_t target, uint32_t slot, uint32_t *word);

/**
 * workingset_refault - a page of @memcg and @type returns where @shadow was
 * Returns: flags that it gets: PG_ACTIVE, PG_WORKINGSET.
 * After: workingset_refault(), mm/workingset.c:534, v6.18.
 */
uint32_t workingset_refault(struct machine *m, uint32_t memcg, struct slot shadow, unsigned type);

/**
 * workingset_cost - reclaim of a type was dear: @nr in @memcg and every group above it
 * After: lru_note_cost(), mm/swap.c:240, v6.18.
 */
void workingset_cost(struct machine *m, uint32_t memcg, unsigned type, uint64_t nr);

/* flush_all - every group's figures are brought up to date.
 * After: mem_cgroup_flush_stats(), mm/memcontrol.c, v6.18. */
void flush_all(struct machine *m);

/* flush_due - flush if the period is over. */
void flush_due(struct machine *m);

/* flushed_size, flushed_activate - of @memcg's subtree, as reclaim judges it. */
pages_t flushed_size(const struct machine *m, uint32_t memcg, enum lru lru);
uint64_t flushed_activate(const struct machine *m, uint32_t memcg, unsigned type);

/* flushed_local - listed pages and slab pages of @memcg itself. */
pages_t flushed_local(const struct machine *m, uint32_t memcg);

#endif
