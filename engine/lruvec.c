/*
 * Queues of chunks with dead entries.  Chunks are reused last in, first
 * out.  After: the order semantics of list_add(), list_move() and the tail
 * isolation of v2.6.31 mm/vmscan.c; the representation is our own.
 */
#include "lruvec.h"

#include <assert.h>

enum {
	TRIM_AT_ONCE = 4,	/* dead entries dropped at the tail by one add */
	DEAD_SPARE = 1024	/* dead entries that are never worth a compaction */
};

void lists_open(struct lists *lists, struct block *block, struct pages *pages, const ns_t *now)
{
	lists->now = now;
	lists->block = block;
	lists->pages = pages;
	lists->entry = block_at(block, REGION_CHUNK);
	lists->chunk = block_at(block, REGION_CHUNK_INFO);
	lists->zone_stamp = block_at(block, REGION_ZONE_STAMP);
	lists->free_chunk = 0;
	/* Chunk 0 is none, so that stamp 0 is no place. */
	block_take(block, REGION_CHUNK, 1);
	block_take(block, REGION_CHUNK_INFO, 1);
}

static uint32_t chunk_take(struct lists *lists)
{
	uint32_t chunk = lists->free_chunk;

	if (chunk) {
		lists->free_chunk = lists->chunk[chunk].next_free;
	} else {
		chunk = block_take(lists->block, REGION_CHUNK, 1);
		if (chunk == UINT32_MAX)
			return 0;
		block_take(lists->block, REGION_CHUNK_INFO, 1);
	}
	lists->chunk[chunk] = (struct chunk_info){ .born_ns = *lists->now };
	return chunk;
}

static void chunk_give(struct lists *lists, uint32_t chunk)
{
	lists->chunk[chunk].next_free = lists->free_chunk;
	lists->free_chunk = chunk;
}

/* Drops @n entries of the tail chunk; the caller has taken them or knows that they are dead. */
static void list_drop_tail(struct lists *lists, struct lru_list *list, uint32_t n)
{
	uint32_t chunk = list->tail;

	assert(list->nr_entries >= n && list->tail_place + n <= CHUNK_ENTRIES);
	list->nr_entries -= n;
	list->tail_place += n;
	if (list->nr_entries == 0 && chunk == list->head) {
		/* Empty: begin anew in the same chunk. */
		list->tail_place = list->head_place = 0;
	} else if (list->tail_place == CHUNK_ENTRIES) {
		list->tail = lists->chunk[chunk].next;
		list->tail_place = 0;
		chunk_give(lists, chunk);
	}
}

static bool entry_is_live(const struct lists *lists, enum lru_plane plane, uint32_t place)
{
	uint32_t slot = lists->entry[place];

	/* A page that is gone may have left its age where its stamp was. */
	return *lru_stamp(lists, plane, slot) == place &&
	       !(lists->pages->slot[slot].word & (PG_SHADOW | PG_SWAPPED));
}

/* Drops dead entries at the tail, a few more than @n are about to come. */
static void list_trim(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t n)
{
	uint32_t budget = n + TRIM_AT_ONCE;

	while (budget && list->nr_entries > list->nr) {
		uint32_t place = (list->tail << CHUNK_SHIFT) + list->tail_place, dead = 0;
		uint32_t last = list->tail == list->head ? list->head_place : CHUNK_ENTRIES;

		if (last - list->tail_place < budget)
			budget = last - list->tail_place;
		while (dead < budget && !entry_is_live(lists, plane, place + dead))
			dead++;
		if (!dead)
			break;
		list_drop_tail(lists, list, dead);
		budget -= dead;
	}
}

/* Makes room for entries in the head chunk.  Returns: how many, 0 if the block is full. */
static uint32_t head_room(struct lists *lists, struct lru_list *list)
{
	if (!list->head || list->head_place == CHUNK_ENTRIES) {
		uint32_t chunk = chunk_take(lists);

		if (!chunk)
			return 0;
		if (list->head)
			lists->chunk[list->head].next = chunk;
		else
			list->tail = chunk;
		list->head = chunk;
		list->head_place = 0;
	} else if (list->nr_entries == 0) {
		lists->chunk[list->head].born_ns = *lists->now;
	}
	return CHUNK_ENTRIES - list->head_place;
}

/* Appends without trimming; the caller counts the pages. */
static bool list_append(struct lists *lists, struct lru_list *list, enum lru_plane plane,
			uint32_t slot, uint32_t n)
{
	while (n) {
		uint32_t room = head_room(lists, list), i;
		uint32_t place = (list->head << CHUNK_SHIFT) + list->head_place;
		uint32_t part = n < room ? n : room;

		if (!room)
			return false;
		for (i = 0; i < part; i++) {
			lists->entry[place + i] = slot + i;
			*lru_stamp(lists, plane, slot + i) = place + i;
		}
		list->head_place += part;
		list->nr_entries += part;
		slot += part;
		n -= part;
	}
	return true;
}

/* Rewrites a list without its dead entries, with @more; order and births stay. */
static bool list_rewrite(struct lists *lists, struct lru_list *list, enum lru_plane plane,
			 const struct lru_newcomers *more)
{
	struct lru_list fresh = { 0 };
	uint32_t slot, chunk, next, i;
	struct lru_walk walk;

	lru_walk_start(list, &walk);
	while ((slot = lru_walk_next(lists, plane, &walk)) != SLOT_NONE) {
		uint32_t n = slot == more->beside ? more->n : 0;

		for (i = 0; i <= n; i++) {
			if (!list_append(lists, &fresh, plane, i ? more->slot[n - i] : slot, 1))
				return false;
			/* A fresh chunk is as old as the one whose page it begins with. */
			if (fresh.head_place == 1)
				lists->chunk[fresh.head].born_ns = lists->chunk[walk.chunk].born_ns;
		}
		fresh.nr += 1 + n;
	}
	assert(fresh.nr == list->nr + more->n);
	for (chunk = list->tail; chunk; chunk = next) {
		next = chunk == list->head ? 0 : lists->chunk[chunk].next;
		chunk_give(lists, chunk);
	}
	*list = fresh;
	return true;
}

static bool list_make_room(struct lists *lists, struct lru_list *list, enum lru_plane plane,
			   uint32_t n)
{
	if (list->nr_entries > list->nr)
		list_trim(lists, list, plane, n);
	if (list->nr_entries <= list->nr + list->nr / 2 + DEAD_SPARE)
		return true;
	return list_rewrite(lists, list, plane, &(struct lru_newcomers){ SLOT_NONE, 0, NULL });
}

bool lru_add_run(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t slot,
		 uint32_t n)
{
	assert(*lru_stamp(lists, plane, slot) == 0);
	if (!list_make_room(lists, list, plane, n) || !list_append(lists, list, plane, slot, n))
		return false;
	list->nr += n;
	return true;
}

bool lru_add(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t slot)
{
	return lru_add_run(lists, list, plane, slot, 1);
}

bool lru_add_tail(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t slot)
{
	uint32_t place;

	if (list->nr_entries == 0)
		return lru_add(lists, list, plane, slot);
	if (list->tail_place == 0) {
		uint32_t chunk = chunk_take(lists);

		if (!chunk)
			return false;
		lists->chunk[chunk].born_ns = lists->chunk[list->tail].born_ns;
		lists->chunk[chunk].next = list->tail;
		list->tail = chunk;
		list->tail_place = CHUNK_ENTRIES;
	}
	place = (list->tail << CHUNK_SHIFT) + --list->tail_place;
	lists->entry[place] = slot;
	*lru_stamp(lists, plane, slot) = place;
	list->nr_entries++;
	list->nr++;
	return true;
}

bool lru_add_beside(struct lists *lists, struct lru_list *list, enum lru_plane plane,
		    const struct lru_newcomers *more)
{
	assert(*lru_stamp(lists, plane, more->beside));
	return list_rewrite(lists, list, plane, more);
}

void lru_del(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t slot)
{
	uint32_t *stamp = lru_stamp(lists, plane, slot);

	assert(*stamp && lists->entry[*stamp] == slot && list->nr > 0);
	*stamp = 0;
	list->nr--;
}

uint32_t lru_pop_run(struct lists *lists, struct lru_list *list, enum lru_plane plane, uint32_t n,
		     uint32_t *slot)
{
	uint32_t taken = 0;

	while (taken < n && list->nr) {
		uint32_t place = (list->tail << CHUNK_SHIFT) + list->tail_place, seen = 0;
		uint32_t last = list->tail == list->head ? list->head_place : CHUNK_ENTRIES;
		uint32_t part = last - list->tail_place, before = taken;

		for (; seen < part && taken < n; seen++) {
			uint32_t page = lists->entry[place + seen];
			uint32_t *stamp = lru_stamp(lists, plane, page);

			if (!entry_is_live(lists, plane, place + seen))
				continue;
			*stamp = 0;
			slot[taken++] = page;
		}
		list->nr -= taken - before;
		list_drop_tail(lists, list, seen);
	}
	return taken;
}

void lru_walk_start(const struct lru_list *list, struct lru_walk *walk)
{
	*walk = (struct lru_walk){ list->tail, list->tail_place, list->nr_entries };
}

uint32_t lru_walk_next(const struct lists *lists, enum lru_plane plane, struct lru_walk *walk)
{
	while (walk->left) {
		uint32_t place;

		if (walk->place == CHUNK_ENTRIES) {
			walk->chunk = lists->chunk[walk->chunk].next;
			walk->place = 0;
		}
		place = (walk->chunk << CHUNK_SHIFT) + walk->place++;
		walk->left--;
		if (entry_is_live(lists, plane, place))
			return lists->entry[place];
	}
	return SLOT_NONE;
}
