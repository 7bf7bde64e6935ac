/*
 * Memory that several tasks share since a fork.  Invariants: an entry that is
 * present names a resident page of the same index, one that is not names one
 * in swap or swap cache; a page is PG_MAPPED exactly while some entry is
 * present; a page or swap slot that no entry names does not exist.
 * Follows mm/memory.c and mm/rmap.c of v2.6.31 and v6.18.
 *
 * MODEL: a page is told by where it was brought in, whoever has it later.
 */
#include "anon_vma.h"

#include <assert.h>

static struct mapping *mapping_at(const struct machine *m, uint32_t id)
{
	return &m->pages.mapping[id];
}

static uint8_t *pte_at(const struct machine *m, uint32_t id, pages_t index)
{
	return &m->pages.pte[mapping_at(m, id)->pte + index];
}

/* The first mapping of those that may have a page, and which of its pages it is. */
static uint32_t first_of(const struct machine *m, uint32_t slot, pages_t *index)
{
	return mapping_at(m, page_identity(&m->pages, slot, index))->forked.root;
}

struct anon_vma_users anon_vma_users(const struct machine *m, uint32_t slot)
{
	struct anon_vma_users users = { 0 };
	uint32_t word = m->pages.slot[slot].word, id;
	pages_t index;

	id = first_of(m, slot, &index);
	if (!id) {
		users.present = (word & PG_MAPPED) != 0;
		users.nr = (word & (PG_RESIDENT | PG_SWAPPED)) != 0;
	}
	for (; id; id = mapping_at(m, id)->forked.next) {
		if (*anon_vma_entry(m, id, index) != slot)
			continue;
		users.nr++;
		users.present += (*pte_at(m, id, index) & PTE_PRESENT) != 0;
	}
	return users;
}

bool anon_vma_mapped(const struct machine *m, uint32_t id, pages_t index, uint32_t slot)
{
	if (!mapping_at(m, id)->forked.root)
		return (m->pages.slot[slot].word & PG_MAPPED) != 0;
	return (*pte_at(m, id, index) & PTE_PRESENT) != 0;
}

void anon_vma_map(struct machine *m, uint32_t id, pages_t index, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct mapping *map = mapping_at(m, id);
	bool was = anon_vma_mapped(m, id, index, slot);

	assert(*word & PG_RESIDENT);
	m->task[map->task].rss += !was;
	*word |= PG_MAPPED;
	if (!map->forked.root) {
		*word |= PG_YOUNG;
		return;
	}
	*anon_vma_entry(m, id, index) = slot;
	*pte_at(m, id, index) |= PTE_PRESENT | PTE_YOUNG;
	if (!was && anon_vma_users(m, slot).nr > 1)
		*pte_at(m, id, index) |= PTE_PROTECTED;
}

/* Room for the page table of forked memory. */
static bool take_entries(struct machine *m, struct mapping *map)
{
	map->forked.entry = block_take(&m->block, REGION_ENTRY, (uint32_t)map->nr_pages);
	map->pte = block_take(&m->block, REGION_PTE, (uint32_t)map->nr_pages);
	return map->forked.entry != UINT32_MAX && map->pte != UINT32_MAX;
}

/* What the pages of memory that is forked for the first time say of it goes to entries. */
static bool begin_sharing(struct machine *m, uint32_t id)
{
	struct mapping *map = mapping_at(m, id);
	pages_t index;

	assert(map->anon && !map->file && !map->forked.root);
	if (!take_entries(m, map))
		return false;
	for (index = 0; index < map->nr_pages; index++) {
		uint32_t slot = page_find(&m->pages, map, index);
		uint32_t *word = &m->pages.slot[slot].word;

		if (!(*word & (PG_RESIDENT | PG_SWAPPED)))
			continue;
		*anon_vma_entry(m, id, index) = slot;
		if (*word & PG_MAPPED)
			*pte_at(m, id, index) =
				(uint8_t)(PTE_PRESENT | (*word & PG_YOUNG ? PTE_YOUNG : 0) |
					  (*word & PG_MLOCKED ? PTE_LOCKED : 0));
		*word &= ~(uint32_t)PG_YOUNG;
	}
	map->forked.root = id;
	return true;
}

bool anon_vma_copy(struct machine *m, uint32_t from, uint32_t to)
{
	struct mapping *old = mapping_at(m, from), *copy = mapping_at(m, to), *root;
	pages_t index;

	assert(old->anon && copy->anon && old->nr_pages == copy->nr_pages);
	if (!old->forked.root && !begin_sharing(m, from))
		return false;
	if (!take_entries(m, copy))
		return false;
	root = mapping_at(m, old->forked.root);
	copy->forked.root = old->forked.root;
	copy->forked.parent = from;
	copy->forked.next = root->forked.next;
	root->forked.next = to;
	for (index = 0; index < old->nr_pages; index++) {
		uint8_t *pte = pte_at(m, from, index);

		*anon_vma_entry(m, to, index) = *anon_vma_entry(m, from, index);
		if (!(*pte & PTE_PRESENT))
			continue;
		*pte |= PTE_PROTECTED;
		*pte_at(m, to, index) = PTE_PRESENT | PTE_PROTECTED;
		m->task[copy->task].rss++;
	}
	return true;
}

/* Another place for pages of memory @id. */
static uint32_t store_new(struct machine *m, uint32_t id)
{
	const struct mapping *map = mapping_at(m, id);
	uint32_t store = page_mapping_new(&m->pages, map->name, map->bytes, true);

	assert(map->forked.root && map->task);
	if (store == UINT32_MAX)
		return store;
	mapping_at(m, store)->task = map->task;
	mapping_at(m, store)->forked = (struct forked){ .root = map->forked.root, .store = true };
	return store;
}

uint32_t anon_vma_store(struct machine *m, uint32_t id, pages_t index)
{
	for (;;) {
		struct mapping *map = mapping_at(m, id);
		uint32_t slot = page_find(&m->pages, map, index), more;

		if (!map->forked.root || !(m->pages.slot[slot].word & (PG_RESIDENT | PG_SWAPPED)))
			return id;
		if (!map->forked.more) {
			more = store_new(m, id);
			if (more == UINT32_MAX)
				return more;
			map->forked.more = more;
		}
		id = map->forked.more;
	}
}

uint32_t anon_vma_drop(struct machine *m, uint32_t id, pages_t index, uint32_t *slot)
{
	uint32_t *entry = anon_vma_entry(m, id, index);
	uint8_t *pte = pte_at(m, id, index);
	struct anon_vma_users left;

	*slot = *entry;
	if (!*slot)
		return 0;
	m->task[mapping_at(m, id)->task].rss -= (*pte & PTE_PRESENT) != 0;
	*entry = SLOT_NONE;
	*pte = 0;
	left = anon_vma_users(m, *slot);
	if (!left.present)
		m->pages.slot[*slot].word &= ~(uint32_t)PG_MAPPED;
	return left.nr;
}

void anon_vma_unmap(struct machine *m, uint32_t slot, bool forget)
{
	pages_t index;
	uint32_t id;

	for (id = first_of(m, slot, &index); id; id = mapping_at(m, id)->forked.next) {
		uint8_t *pte = pte_at(m, id, index);

		if (*anon_vma_entry(m, id, index) != slot)
			continue;
		m->task[mapping_at(m, id)->task].rss -= (*pte & PTE_PRESENT) != 0;
		*pte = 0;
		if (forget)
			*anon_vma_entry(m, id, index) = SLOT_NONE;
	}
	m->pages.slot[slot].word &= ~(uint32_t)PG_MAPPED;
}

bool anon_vma_locked(const struct machine *m, uint32_t slot)
{
	pages_t index;
	uint32_t id;

	for (id = first_of(m, slot, &index); id; id = mapping_at(m, id)->forked.next)
		if (*anon_vma_entry(m, id, index) == slot && (*pte_at(m, id, index) & PTE_LOCKED))
			return true;
	return false;
}

/* Swap slots of the pages that lie in a mapping. */
static pages_t slots_in(const struct machine *m, const struct mapping *map)
{
	pages_t nr = 0, index;

	for (index = 0; index < map->nr_pages; index++)
		nr += (m->pages.slot[page_find(&m->pages, map, index)].word &
		       (PG_SWAPPED | PG_SWAP_CACHE)) != 0;
	return nr;
}

void anon_vma_leave(struct machine *m, uint32_t id)
{
	struct task *task = &m->task[mapping_at(m, id)->task];
	uint32_t link = mapping_at(m, id)->forked.root, store;

	assert(link && !mapping_at(m, id)->forked.store);
	/* The root stays at the head, without an entry. */
	while (mapping_at(m, link)->forked.next && mapping_at(m, link)->forked.next != id)
		link = mapping_at(m, link)->forked.next;
	if (mapping_at(m, link)->forked.next == id)
		mapping_at(m, link)->forked.next = mapping_at(m, id)->forked.next;
	for (store = id; store; store = mapping_at(m, store)->forked.more) {
		struct mapping *map = mapping_at(m, store);

		if (map->nr_resident + map->nr_shadow == 0)
			continue;
		map->swap_memcg = task->memcg;
		map->nr_slots = slots_in(m, map);
		task->swap -= map->nr_slots;
	}
}
