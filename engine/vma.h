/*
 * Pieces of a task's mapping that are advised differently.
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

/**
 * vma_set - pages [@first, @end) of mapping @id, at least one, are advised @advice from now on
 * The mapping is parted where advice changes, and neighbours that are advised
 * alike become one.  Returns: whether there was room.
 * After: vma_modify(), mm/vma.c, v6.18; split_vma(), vma_merge(), mm/mmap.c, v2.6.31.
 */
bool vma_set(struct machine *m, uint32_t id, pages_t first, pages_t end, enum map_advice advice);

/* vma_count, vma_count_after - pieces of a mapping, now and after such a vma_set. */
uint32_t vma_count(const struct machine *m, const struct mapping *map);
uint32_t vma_count_after(const struct machine *m, const struct mapping *map, pages_t first,
			 pages_t end, enum map_advice advice);

/* vma_copy - mapping @to of a child is parted as its parent's @from is.  Returns: whether there was
 * room. */
bool vma_copy(struct machine *m, uint32_t from, uint32_t to);

#endif
