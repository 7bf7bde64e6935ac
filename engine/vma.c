/*
 * Lists of pieces.  Invariant: a list has two pieces or more, in order, which
 * cover the mapping; neighbours differ in their kind.  Follows mm/madvise.c
 * and mm/mmap.c of v2.6.31, mm/vma.c of v6.18.
 *
 * MODEL: the records of pieces themselves are charged to nobody; a mapping is
 * unmapped as one piece; a child's pieces that differed in being locked are one.
 */
#include "vma.h"

#include <assert.h>

static struct vma *vma_of(const struct machine *m, uint32_t i)
{
	assert(i);
	return &m->vma[i];
}

struct vma *vma_at(const struct machine *m, const struct mapping *map, pages_t index)
{
	uint32_t i = map->first_vma;

	assert(index < map->nr_pages);
	while (i && vma_of(m, i)->next && vma_of(m, vma_of(m, i)->next)->first <= index)
		i = vma_of(m, i)->next;
	return i ? vma_of(m, i) : NULL;
}

/* Of a page: a mapping of one piece has it itself. */
static uint32_t kind_at(const struct machine *m, const struct mapping *map, pages_t index)
{
	if (map->first_vma)
		return vma_at(m, map, index)->kind;
	return map->advice | (map->locked ? VMA_LOCKED : 0);
}

uint32_t vma_advice(const struct machine *m, const struct mapping *map, pages_t index)
{
	return kind_at(m, map, index) & VMA_ADVICE;
}

bool vma_locked(const struct machine *m, const struct mapping *map, pages_t index)
{
	return (kind_at(m, map, index) & VMA_LOCKED) != 0;
}

bool vma_locks(const struct machine *m, const struct mapping *map, pages_t first, pages_t end)
{
	pages_t begin;

	for (; first < end; vma_limits(m, map, first, &begin, &first))
		if (vma_locked(m, map, first))
			return true;
	return false;
}

void vma_limits(const struct machine *m, const struct mapping *map, pages_t index, pages_t *first,
		pages_t *end)
{
	const struct vma *vma = vma_at(m, map, index);

	*first = vma ? vma->first : 0;
	*end = vma && vma->next ? vma_of(m, vma->next)->first : map->nr_pages;
}

struct swap_ahead *vma_ahead(struct machine *m, uint32_t id, pages_t index)
{
	struct mapping *map = &m->pages.mapping[id];

	return map->first_vma ? &vma_at(m, map, index)->ahead : &map->ahead;
}

uint32_t vma_count(const struct machine *m, const struct mapping *map)
{
	uint32_t nr = 1, i;

	for (i = map->first_vma; i && vma_of(m, i)->next; i = vma_of(m, i)->next)
		nr++;
	return nr;
}

/* A piece that is in no list yet.  Returns: 0 if there is no room. */
static uint32_t vma_take(struct machine *m, const struct vma *like)
{
	uint32_t i = m->host->free_vma;

	if (i) {
		m->host->free_vma = vma_of(m, i)->next;
	} else {
		i = block_take(&m->block, REGION_VMA, 1);
		if (i == UINT32_MAX)
			return 0;
	}
	*vma_of(m, i) = *like;
	return i;
}

static void vma_put(struct machine *m, uint32_t i)
{
	*vma_of(m, i) = (struct vma){ .next = m->host->free_vma };
	m->host->free_vma = i;
}

/* A piece begins at page @first, like the one that the page was in.  Returns: whether there was
 * room. */
static bool part(struct machine *m, struct mapping *map, pages_t first)
{
	struct vma *before, like;
	uint32_t i;

	if (first >= map->nr_pages)
		return true;
	before = vma_at(m, map, first);
	if (before->first == first)
		return true;
	like = *before;
	like.first = first;
	i = vma_take(m, &like);
	if (!i)
		return false;
	before->next = i;
	return true;
}

/* Neighbours of one kind are one; so is a mapping of one piece. */
static void join(struct machine *m, struct mapping *map)
{
	struct vma *vma = vma_of(m, map->first_vma);

	while (vma->next) {
		uint32_t next = vma->next;

		if (vma_of(m, next)->kind != vma->kind) {
			vma = vma_of(m, next);
			continue;
		}
		vma->next = vma_of(m, next)->next;
		vma_put(m, next);
	}
	vma = vma_of(m, map->first_vma);
	if (vma->next)
		return;
	map->advice = vma->kind & VMA_ADVICE;
	map->locked = (vma->kind & VMA_LOCKED) != 0;
	map->ahead = vma->ahead;
	vma_put(m, map->first_vma);
	map->first_vma = 0;
}

static uint32_t changed(uint32_t kind, const struct vma_change *change)
{
	return (kind & ~change->mask) | change->value;
}

/* What page @at will be. */
static uint32_t kind_after(const struct machine *m, const struct mapping *map,
			   const struct vma_change *change, pages_t at)
{
	uint32_t kind = kind_at(m, map, at);

	return at >= change->first && at < change->end ? changed(kind, change) : kind;
}

uint32_t vma_count_after(const struct machine *m, const struct mapping *map,
			 const struct vma_change *change)
{
	uint32_t nr = 1, last = kind_after(m, map, change, 0);
	pages_t at = 0, next, begin;

	while (at < map->nr_pages) {
		uint32_t now = kind_after(m, map, change, at);

		nr += now != last;
		last = now;
		vma_limits(m, map, at, &begin, &next);
		if (at < change->first && next > change->first)
			next = change->first;
		else if (at < change->end && next > change->end)
			next = change->end;
		at = next;
	}
	return nr;
}

bool vma_set(struct machine *m, uint32_t id, const struct vma_change *change)
{
	struct mapping *map = &m->pages.mapping[id];
	uint32_t i;

	assert(map->task && change->first < change->end && change->end <= map->nr_pages);
	assert(!(change->value & ~change->mask));
	if (!map->first_vma)
		map->first_vma = vma_take(m, &(struct vma){ .kind = kind_at(m, map, 0),
							    .ahead = map->ahead });
	if (!map->first_vma || !part(m, map, change->first) || !part(m, map, change->end))
		return false;
	map->locked = false;
	for (i = map->first_vma; i; i = vma_of(m, i)->next)
		if (vma_of(m, i)->first >= change->first && vma_of(m, i)->first < change->end)
			vma_of(m, i)->kind = changed(vma_of(m, i)->kind, change);
	join(m, map);
	return true;
}

bool vma_copy(struct machine *m, uint32_t from, uint32_t to)
{
	const struct mapping *old = &m->pages.mapping[from];
	uint32_t *link = &m->pages.mapping[to].first_vma, i;

	m->pages.mapping[to].advice = old->advice;
	for (i = old->first_vma; i; i = vma_of(m, i)->next) {
		*link = vma_take(m, vma_of(m, i));
		if (!*link)
			return false;
		vma_of(m, *link)->next = 0;
		vma_of(m, *link)->kind &= ~(uint32_t)VMA_LOCKED;
		link = &vma_of(m, *link)->next;
	}
	if (m->pages.mapping[to].first_vma)
		join(m, &m->pages.mapping[to]);
	return true;
}
