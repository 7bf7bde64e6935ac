/*
 * Pieces of a task's mapping that differ: in what is advised, in being locked.
 */
#ifndef MEMCGLAB_ENGINE_VMA_H
#define MEMCGLAB_ENGINE_VMA_H

#include "machine.h"

/* vma_at - the piece of @map that page @index is in: NULL if the mapping is one piece. */
struct vma *vma_at(const struct machine *m, const struct mapping *map, pages_t index);

/* vma_advice - enum map_advice for page @index of a task's mapping. */
uint32_t vma_advice(const struct machine *m, const struct mapping *map, pages_t index);

/* vma_limits - the piece around page @index: pages [@first, @end). */
void vma_limits(const struct machine *m, const struct mapping *map, pages_t index,
		pages_t *first, pages_t *end);

/* vma_ahead - how swapped pages of the piece around page @index come back. */
struct swap_ahead *vma_ahead(struct machine *m, uint32_t id, pages_t index);

/* vma_locked - whether page @index of a task's mapping is one that is locked in memory.
 * vma_locks - whether any of pages [@first, @end) is. */
bool vma_locked(const struct machine *m, const struct mapping *map, pages_t index);
bool vma_locks(const struct machine *m, const struct mapping *map, pages_t first, pages_t end);

/* What becomes of pages [first, end), at least one: of their kind, the bits of @mask are @value. */
struct vma_change {
	pages_t first, end;
	uint32_t mask, value;
};

/**
 * vma_set - @change mapping @id
 * It is parted where its kind changes, and neighbours of one kind become one.
 * Returns: whether there was room.
 * After: vma_modify(), mm/vma.c, v6.18; split_vma(), vma_merge(), mm/mmap.c, v2.6.31.
 */
bool vma_set(struct machine *m, uint32_t id, const struct vma_change *change);

/* vma_count, vma_count_after - pieces of a mapping, now and after such a vma_set. */
uint32_t vma_count(const struct machine *m, const struct mapping *map);
uint32_t vma_count_after(const struct machine *m, const struct mapping *map,
			 const struct vma_change *change);

/* vma_copy - mapping @to of a child is parted as its parent's @from is, and nothing of it is
 * locked.  Returns: whether there was room. */
bool vma_copy(struct machine *m, uint32_t from, uint32_t to);

#endif
