/*
 * The page look-up: mappings, their directories, leaves of slots.  Leaves
 * are reused last in, first out, so memory follows the resident pages.
 */
#include "page.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "gone.h"

void pages_open(struct pages *pages, struct block *block)
{
	pages->block = block;
	pages->slot = block_at(block, REGION_LEAF);
	pages->leaf = block_at(block, REGION_LEAF_INFO);
	pages->order = block_at(block, REGION_ORDER);
	pages->node = block_at(block, REGION_NODE);
	pages->dir = block_at(block, REGION_DIR);
	pages->gone = block_at(block, REGION_GONE);
	pages->pte = block_at(block, REGION_PTE);
	pages->entry = block_at(block, REGION_ENTRY);
	pages->mapping = block_at(block, REGION_MAPPING);
	pages->free_leaf = 0;
	/* Leaf 0 is the empty leaf; mapping 0 is none. */
	block_take(block, REGION_LEAF, 1);
	block_take(block, REGION_LEAF_INFO, 1);
	block_take(block, REGION_MAPPING, 1);
}

/* Tree nodes above the lowest level: one for each 64 below. */
static uint32_t upper_nodes(pages_t nr)
{
	uint32_t sum = 0, level;

	nr = (nr + 63) / 64;
	for (level = 2; level <= 6; level++) {
		nr = (nr + 63) / 64;
		sum += (uint32_t)nr;
	}
	return sum;
}

/* A mapping with its page-table flags, no leaves yet.  Returns: UINT32_MAX if there is no room. */
static uint32_t mapping_take(struct pages *pages, const char *name, uint64_t bytes)
{
	pages_t nr = units_pages(bytes);
	uint32_t tables, id;

	if (nr > (pages_t)UINT32_MAX)
		return UINT32_MAX;
	tables = block_take(pages->block, REGION_DIR, (uint32_t)(nr >> TABLE_SHIFT) + 1);
	id = block_take(pages->block, REGION_MAPPING, 1);
	if (tables == UINT32_MAX || id == UINT32_MAX)
		return UINT32_MAX;
	pages->mapping[id] = (struct mapping){ .nr_pages = nr, .bytes = bytes, .tables = tables };
	snprintf(pages->mapping[id].name, sizeof(pages->mapping[id].name), "%s", name);
	return id;
}

uint32_t page_mapping_new(struct pages *pages, const char *name, uint64_t bytes, bool anon)
{
	uint32_t id = mapping_take(pages, name, bytes);
	struct mapping *map;

	if (id == UINT32_MAX)
		return id;
	map = &pages->mapping[id];
	map->anon = anon;
	map->nr_leaves = (uint32_t)((map->nr_pages + LEAF_SLOTS - 1) >> LEAF_SHIFT);
	map->dir = block_take(pages->block, REGION_DIR, map->nr_leaves);
	map->upper = block_take(pages->block, REGION_UPPER, upper_nodes(map->nr_pages));
	return map->dir == UINT32_MAX || map->upper == UINT32_MAX ? UINT32_MAX : id;
}

uint32_t page_view_new(struct pages *pages, const char *name, uint32_t file)
{
	uint32_t id = mapping_take(pages, name, pages->mapping[file].bytes), pte;

	if (id == UINT32_MAX)
		return id;
	pte = block_take(pages->block, REGION_PTE, (uint32_t)pages->mapping[id].nr_pages);
	if (pte == UINT32_MAX)
		return pte;
	pages->mapping[id].pte = pte;
	pages->mapping[id].file = file;
	pages->mapping[id].next_view = pages->mapping[file].first_view;
	pages->mapping[file].first_view = id;
	pages->mapping[file].nr_views++;
	return id;
}

void page_view_end(struct pages *pages, uint32_t view)
{
	struct mapping *file = &pages->mapping[pages->mapping[view].file];
	uint32_t *link = &file->first_view;

	while (*link && *link != view)
		link = &pages->mapping[*link].next_view;
	if (!*link)
		return;
	*link = pages->mapping[view].next_view;
	pages->mapping[view].next_view = 0;
	file->nr_views--;
}

/* A leaf whose slots are all empty.  Returns: 0 if the block is full. */
void page_kmem_reparent(struct pages *pages, uint32_t from, uint32_t to)
{
	uint32_t id, i;

	assert(from != to);
	for (id = 1; id < pages->block->region[REGION_MAPPING].used; id++) {
		struct mapping *map = &pages->mapping[id];

		if (map->records == from)
			map->records = to;
		for (i = 0; map->nr_tables && i <= map->nr_pages >> TABLE_SHIFT; i++)
			if (pages->dir[map->tables + i] == from)
				pages->dir[map->tables + i] = to;
	}
}

static uint32_t leaf_take(struct pages *pages)
{
	uint32_t leaf = pages->free_leaf;

	if (leaf) {
		pages->free_leaf = pages->leaf[leaf].next_free;
		return leaf;
	}
	leaf = block_take(pages->block, REGION_LEAF, 1);
	if (leaf == UINT32_MAX)
		return 0;
	block_take(pages->block, REGION_LEAF_INFO, 1);
	return leaf;
}

enum { GONE_SHIFT = 4, GONE_BITS = LEAF_SLOTS >> GONE_SHIFT };

static uint32_t gone_bit(uint32_t slot)
{
	return (uint32_t)1 << ((slot & (LEAF_SLOTS - 1)) >> GONE_SHIFT);
}

/* A leaf begins with what is known of its pages from earlier. */
static void leaf_open(struct pages *pages, uint32_t leaf, struct leaf_info info)
{
	struct slot *slot = &pages->slot[leaf << LEAF_SHIFT];
	int i;

	/* Of its last use there may be marks in its slots, and nothing else. */
	if (pages->leaf[leaf].gone)
		memset(slot, 0, LEAF_SLOTS * sizeof(*slot));
	for (i = 0; info.gone && i < LEAF_SLOTS; i++)
		slot[i].word = info.gone >> (i >> GONE_SHIFT) & 1 ? PG_GONE : 0;
	pages->leaf[leaf] = info;
}

uint32_t page_insert_run(struct pages *pages, uint32_t mapping, pages_t index, uint32_t n,
			 uint32_t word)
{
	struct mapping *map = &pages->mapping[mapping];
	uint32_t *entry = &pages->dir[map->dir + (uint32_t)(index >> LEAF_SHIFT)];
	uint32_t slot, i;

	assert(index + n <= map->nr_pages);
	if (!*entry) {
		*entry = leaf_take(pages);
		if (!*entry)
			return SLOT_NONE;
		leaf_open(pages, *entry,
			  (struct leaf_info){ .mapping = mapping,
					      .index = (uint32_t)(index >> LEAF_SHIFT),
					      .gone = pages->gone[entry - pages->dir] });
	}
	slot = (*entry << LEAF_SHIFT) + (uint32_t)(index & (LEAF_SLOTS - 1));
	pages->back = 0;
	for (i = 0; i < n; i++) {
		assert(!(pages->slot[slot + i].word & PG_RESIDENT));
		pages->back += (pages->slot[slot + i].word & (PG_SHADOW | PG_GONE)) != 0;
		if (pages->slot[slot + i].word & (PG_SHADOW | PG_SWAPPED)) {
			pages->leaf[*entry].nr_shadow--;
			map->nr_shadow--;
		}
		pages->slot[slot + i] = (struct slot){ 0, word | PG_RESIDENT };
	}
	pages->leaf[*entry].nr_resident += n;
	map->nr_resident += n;
	return slot;
}

uint32_t page_insert(struct pages *pages, uint32_t mapping, pages_t index, uint32_t word)
{
	return page_insert_run(pages, mapping, index, 1, word);
}

pages_t page_missing(const struct pages *pages, const struct mapping *mapping, pages_t index,
		     pages_t max)
{
	uint32_t slot = page_find(pages, mapping, index);
	pages_t left = LEAF_SLOTS - (index & (LEAF_SLOTS - 1)), n;

	if (max > left)
		max = left;
	if (slot < LEAF_SLOTS)
		return max;
	for (n = 1; n < max; n++)
		if (pages->slot[slot + n].word & (PG_RESIDENT | PG_SHADOW))
			break;
	return n;
}

/* Gives a leaf back that holds neither pages nor what stayed of them. */
static void leaf_put(struct pages *pages, uint32_t leaf)
{
	struct leaf_info *info = &pages->leaf[leaf];

	if (info->nr_resident || info->nr_shadow)
		return;
	pages->dir[pages->mapping[info->mapping].dir + info->index] = 0;
	pages->gone[pages->mapping[info->mapping].dir + info->index] = info->gone;
	info->next_free = pages->free_leaf;
	pages->free_leaf = leaf;
}

void page_remove(struct pages *pages, uint32_t slot)
{
	uint32_t leaf = slot >> LEAF_SHIFT;

	assert(pages->slot[slot].word & PG_RESIDENT);
	pages->slot[slot] = (struct slot){ 0, 0 };
	if (pages->folios)
		pages->order[slot] = 0;
	pages->mapping[pages->leaf[leaf].mapping].nr_resident--;
	pages->leaf[leaf].nr_resident--;
	leaf_put(pages, leaf);
}

void page_lose(struct pages *pages, uint32_t slot)
{
	struct leaf_info *info = &pages->leaf[slot >> LEAF_SHIFT];

	info->gone |= gone_bit(slot);
	if (pages->slot[slot].word & PG_RESIDENT)
		page_remove(pages, slot);
	else
		page_forget(pages, slot);
	pages->slot[slot].word = PG_GONE;
}

void page_lost_none(struct pages *pages, uint32_t mapping)
{
	const struct mapping *map = &pages->mapping[mapping];
	uint32_t i;

	assert(map->nr_resident + map->nr_shadow == 0);
	for (i = 0; i < map->nr_leaves; i++)
		pages->gone[map->dir + i] = 0;
}

void page_evict(struct pages *pages, uint32_t slot, uint32_t age, uint32_t word)
{
	struct leaf_info *info = &pages->leaf[slot >> LEAF_SHIFT];

	assert(pages->slot[slot].word & PG_RESIDENT);
	pages->slot[slot] = (struct slot){ age, word };
	if (pages->folios)
		pages->order[slot] = 0;
	pages->mapping[info->mapping].nr_resident--;
	pages->mapping[info->mapping].nr_shadow++;
	info->nr_resident--;
	info->nr_shadow++;
}

void page_forget(struct pages *pages, uint32_t slot)
{
	uint32_t leaf = slot >> LEAF_SHIFT;

	assert(pages->slot[slot].word & (PG_SHADOW | PG_SWAPPED));
	pages->slot[slot] = (struct slot){ 0, 0 };
	pages->mapping[pages->leaf[leaf].mapping].nr_shadow--;
	pages->leaf[leaf].nr_shadow--;
	leaf_put(pages, leaf);
}

uint32_t page_identity(const struct pages *pages, uint32_t slot, pages_t *index)
{
	const struct leaf_info *info = &pages->leaf[slot >> LEAF_SHIFT];

	assert(slot >> LEAF_SHIFT);
	*index = ((pages_t)info->index << LEAF_SHIFT) + (slot & (LEAF_SLOTS - 1));
	return info->mapping;
}
