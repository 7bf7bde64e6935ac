/*
 * Freeing pages one by one.  Follows mm/memory.c unmap_vmas(), mm/truncate.c
 * and kernel/exit.c of v2.6.31.  MODEL: a killed task ends at once.
 */
#include "unmap.h"

#include <assert.h>

#include "rmap.h"
#include "soft.h"
#include "swap.h"
#include "writeback.h"

void unmap_page(struct machine *m, uint32_t cpu, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word, nr = page_nr(&m->pages, slot), i;
	bool memory;

	if (page_pos(word) == POS_QUEUED || (word & PG_HELD))
		pagevec_forget(m, slot);
	if (page_pos(word) == POS_LISTED)
		machine_unlist(m, slot);
	if ((word & (PG_ANON | PG_SWAP_CACHE)) == (PG_ANON | PG_SWAP_CACHE))
		swap_forget(m, slot);
	charge_free_buffers(m, cpu, slot);
	writeback_clean(m, slot);
	memory = rmap_of_memory(m, slot);
	rmap_unmap(m, slot);
	if (!memory)
		machine_emit_cache(m, slot, false);
	for (i = 0; i < nr; i++) {
		if (m->has_nodes && !memory)
			nodes_delete(m, slot + i, false);
		page_remove(&m->pages, slot + i);
	}
	m->host->resident -= nr;
	zone_free(m, page_zone(word), nr);
	charge_uncharge_folio(m, word & PG_MEMCG, nr);
	soft_event(m, word & PG_MEMCG, page_zone(word), true);
}

pages_t unmap_clean(struct machine *m, uint32_t cpu, uint32_t file, pages_t first, pages_t end)
{
	const struct mapping *map = &m->pages.mapping[file];
	pages_t index, freed = 0;
	uint32_t slot, nr, other;

	/* Its own queue first; if pages wait in others, all are emptied. */
	for (other = 0; other < m->sc.cpus; other++)
		pagevec_drain(m, (cpu + other) % m->sc.cpus);
	for (index = first; index < end && index < map->nr_pages; index += nr) {
		uint32_t held = PG_DIRTY | PG_WRITEBACK | PG_MAPPED | PG_HELD;

		slot = page_find(&m->pages, map, index);
		nr = page_nr(&m->pages, page_head(&m->pages, slot));
		if (slot != page_head(&m->pages, slot) || index + nr > end) {
			nr = 1;
			continue;
		}
		if (!(m->pages.slot[slot].word & PG_RESIDENT) || (m->pages.slot[slot].word & held))
			continue;
		unmap_page(m, cpu, slot);
		freed += nr;
	}
	return freed;
}

static void free_shadow(struct machine *m, uint32_t slot)
{
	nodes_delete(m, slot, true);
	page_forget(&m->pages, slot);
}

/* Page tables of a mapping are given back. */
static void drop_tables(struct machine *m, uint32_t cpu, struct mapping *map)
{
	uint32_t i, nr = (uint32_t)(map->nr_pages >> TABLE_SHIFT) + 1;

	for (i = 0; i < nr && map->nr_tables; i++) {
		uint32_t *memcg = &m->pages.dir[map->tables + i];

		if (!*memcg)
			continue;
		charge_kmem(m, *memcg, -1);
		charge_refill(m, cpu, *memcg, 1);
		if (map->anon && map->nr_tables == 1)
			charge_give_bytes(m, cpu, *memcg, ANON_VMA_BYTES, true);
		*memcg = MEMCG_NONE;
		map->nr_tables--;
		m->task[map->task].tables--;
	}
}

void unmap_drop(struct machine *m, uint32_t cpu, uint32_t mapping)
{
	struct mapping *map = &m->pages.mapping[mapping];
	uint32_t i;

	if (map->anon)
		m->task[map->task].rss -= map->nr_resident;
	pagevec_drain(m, cpu);
	if (map->file) {
		rmap_drop(m, cpu, mapping, 0, map->nr_pages);
		return;
	}
	for (i = 0; i < map->nr_leaves && map->nr_resident + map->nr_shadow; i++) {
		uint32_t leaf = m->pages.dir[map->dir + i], place;

		/* The leaf goes away with its last page, and its slots read as empty then. */
		for (place = 0; leaf && place < LEAF_SLOTS; place++) {
			uint32_t slot = (leaf << LEAF_SHIFT) + place;

			if (m->pages.slot[slot].word & PG_RESIDENT)
				unmap_page(m, cpu, slot);
			else if (m->pages.slot[slot].word & PG_SWAPPED)
				swap_forget(m, slot);
			else if (m->pages.slot[slot].word & PG_SHADOW)
				free_shadow(m, slot);
		}
	}
	assert(map->nr_resident == 0);
}

pages_t unmap_exit(struct machine *m, uint32_t task_id)
{
	struct task *task = &m->task[task_id];
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;
	pages_t before = m->host->resident;

	pagevec_drain(m, task->cpu);
	for (i = 1; i < nr; i++)
		if (m->pages.mapping[i].task == task_id) {
			unmap_drop(m, task->cpu, i);
			drop_tables(m, task->cpu, &m->pages.mapping[i]);
			if (m->pages.mapping[i].file)
				page_view_end(&m->pages, i);
		}
	task->alive = false;
	task->total_vm = 0;
	machine_memcg(m, task->memcg)->nr_tasks--;
	return before - m->host->resident;
}
