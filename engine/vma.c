/*
 * Lists of pieces.  Invariant: a list has two pieces or more, in order, which
 * cover the mapping; neighbours differ in their advice.  Follows mm/madvise.c
 * and mm/mmap.c of v2.6.31, mm/vma.c of v6.18.
 *
 * MODEL: the records of pieces themselves are charged to nobody; a mapping is
 * unmapped as one piece.
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

uint32_t vma_advice(const struct machine *m, const struct mapping *map, pages_t index)
{
	return map->first_vma ? vma_at(m, map, index)->advice : map->advice;
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

/* Neighbours that are advised alike are one; so is a mapping of one piece. */
static void join(struct machine *m, struct mapping *map)
{
	struct vma *vma = vma_of(m, map->first_vma);

	while (vma->next) {
		uint32_t next = vma->next;

		if (vma_of(m, next)->advice != vma->advice) {
			vma = vma_of(m, next);
			continue;
		}
		vma->next = vma_of(m, next)->next;
		vma_put(m, next);
	}
	vma = vma_of(m, map->first_vma);
	if (vma->next)
		return;
	map->advice = vma->advice;
	map->ahead = vma->ahead;
	vma_put(m, map->first_vma);
	map->first_vma = 0;
}

uint32_t vma_count_after(const struct machine *m, const struct mapping *map, pages_t first,
			 pages_t end, enum map_advice advice)
{
	uint32_t nr = 1, last = first ? vma_advice(m, map, 0) : (uint32_t)advice;
	pages_t at = 0, next, begin;

	while (at < map->nr_pages) {
		uint32_t now = at >= first && at < end ? (uint32_t)advice : vma_advice(m, map, at);

		nr += now != last;
		last = now;
		vma_limits(m, map, at, &begin, &next);
		if (at < first && next > first)
			next = first;
		else if (at < end && next > end)
			next = end;
		at = next;
	}
	return nr;
}

bool vma_set(struct machine *m, uint32_t id, pages_t first, pages_t end, enum map_advice advice)
{
	struct mapping *map = &m->pages.mapping[id];
	uint32_t i;

	assert(map->task && first < end && end <= map->nr_pages);
	if (!map->first_vma)
		map->first_vma = vma_take(m, &(struct vma){ .advice = map->advice,
							    .ahead = map->ahead });
	if (!map->first_vma || !part(m, map, first) || !part(m, map, end))
		return false;
	for (i = map->first_vma; i; i = vma_of(m, i)->next)
		if (vma_of(m, i)->first >= first && vma_of(m, i)->first < end)
			vma_of(m, i)->advice = advice;
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
		link = &vma_of(m, *link)->next;
	}
	return true;
}
