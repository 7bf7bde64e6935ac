/*
 * Hashing field by field, in a fixed order, so that neither padding nor the
 * compiler nor dead list entries can reach the result.
 */
#include "hash.h"

#include <string.h>

#include "device.h"
#include "hash_locks.h"
#include "hasher.h"
#include "policy.h"
#include "stat_batch.h"

/* A page by what it is: mapping, index, flags. */
static void put_page(struct hasher *h, const struct machine *m, uint32_t slot)
{
	pages_t index = 0;
	uint32_t mapping = slot == SLOT_NONE ? 0 : page_identity(&m->pages, slot, &index);

	hasher_put(h, (uint64_t)mapping << 40 ^ index);
	hasher_put(h, slot == SLOT_NONE ? 0 : m->pages.slot[slot].word);
	hasher_put(h, slot == SLOT_NONE ? 0 : page_nr(&m->pages, slot));
	if (m->sc.nodes > 1)
		hasher_put(h, slot == SLOT_NONE ? 0 : m->pages.node[slot]);
}

static void put_list(struct hasher *h, const struct machine *m, const struct lru_list *list,
		     enum lru_plane plane)
{
	struct lru_walk walk;
	uint32_t slot;

	hasher_put(h, list->nr);
	lru_walk_start(list, &walk);
	while ((slot = lru_walk_next(&m->lists, plane, &walk)) != SLOT_NONE)
		put_page(h, m, slot);
}

static void put_lruvec(struct hasher *h, const struct machine *m, const struct lruvec *lruvec,
		       enum lru_plane plane)
{
	int i;

	for (i = 0; i < NR_LRU; i++) {
		put_list(h, m, &lruvec->list[i], plane);
		hasher_put(h, lruvec->saved[i]);
		hasher_put(h, lruvec->size[i]);
	}
	for (i = 0; i < NR_SCAN_TYPES; i++) {
		hasher_put(h, lruvec->stat.scanned[i]);
		hasher_put(h, lruvec->stat.rotated[i]);
	}
}

/* A tree node by what it is: mapping and place. */
static uint64_t node_identity(const struct machine *m, uint32_t node)
{
	const struct leaf_info *leaf = &m->pages.leaf[node / LEAF_NODES];

	return (uint64_t)leaf->mapping << 40 |
	       ((uint64_t)leaf->index * LEAF_NODES + node % LEAF_NODES);
}

/* Places in the trees of soft limits; with several nodes, also where they take turns. */
static void put_trees(struct hasher *h, const struct machine *m, const struct memcg *memcg)
{
	uint32_t nr = m->sc.nodes > 1 ? m->host->nr_zones : ZONES_MAX, i;

	for (i = 0; i < nr; i++) {
		hasher_put(h, memcg->soft_excess[i]);
		hasher_put(h, memcg->soft_order[i]);
	}
	for (i = 0; i < m->sc.nodes && m->sc.nodes > 1; i++)
		hasher_put(h,
			   (uint64_t)memcg->victim_node << 32 | memcg->node_activate[i][SCAN_FILE]);
}

/* What v6.18 keeps of a group beside its lists. */
static void put_workingset(struct hasher *h, const struct machine *m, const struct memcg *memcg)
{
	uint32_t node, n;
	int i;

	hasher_put(h, memcg->kmem);
	hasher_put(h, memcg->kmem_bytes_left);
	if (memcg->kmem_of[KMEM_SLAB_OBJECTS])
		hasher_put(h, memcg->kmem_of[KMEM_SLAB_OBJECTS]);
	hasher_put(h, (uint64_t)memcg->nr_nodes << 32 | memcg->nr_dead_nodes);
	hasher_put(h, (uint64_t)memcg->dead_cpu << 32 | memcg->nr_late_nodes);
	hasher_put(h, memcg->nr_shadow_nodes);
	for (node = memcg->shadow_head; node;
	     node = m->nodes[node / LEAF_NODES].next[node % LEAF_NODES])
		hasher_put(h, node_identity(m, node));
	hasher_put(h, memcg->shadow_deferred);
	for (n = 0; n < m->sc.nodes; n++)
		hasher_put(h, memcg->age[n]);
	for (i = 0; i < NR_SCAN_TYPES; i++) {
		hasher_put(h, memcg->nr_refault[i]);
		hasher_put(h, memcg->nr_refault_activate[i]);
		for (n = 0; n < m->sc.nodes; n++) {
			hasher_put(h, memcg->seen_activate[n][i]);
			hasher_put(h, memcg->cost[n][i]);
			hasher_put(h, memcg->flush.activate[n][i]);
		}
	}
	for (i = 0; i < NR_LRU; i++)
		for (n = 0; n < m->sc.nodes; n++)
			hasher_put(h, memcg->flush.size[n][i]);
	hasher_put(h, memcg->flush.local);
	for (n = 0; n < m->sc.nodes; n++)
		hasher_put(h, memcg->walk_position[n]);
	hasher_put(h, memcg->born);
	hasher_put(h, memcg->nr_dying);
	hasher_put(h, memcg->soft);
	put_trees(h, m, memcg);
	hasher_put(h, memcg->soft_events);
	hasher_put(h, memcg->soft_target);
	hasher_put(h, memcg->threshold_target);
	hasher_put(h, memcg->min);
	hasher_put(h, memcg->low);
	hasher_put(h, memcg->high);
	hasher_put(h, memcg->low_events);
	hasher_put(h, memcg->high_events);
	hasher_put(h, memcg->max_events);
	hasher_put(h, memcg->oom_group);
}

static void put_counts(struct hasher *h, const struct memcg *memcg)
{
	hasher_put(h, memcg->limit_hits);
	hasher_put(h, memcg->oom_kills ^ memcg->oom_events << 24 ^ memcg->oom_group_kills << 48);
	hasher_put(h, memcg->nr_charged);
	hasher_put(h, memcg->nr_uncharged);
	hasher_put(h, memcg->pgpgin);
	hasher_put(h, memcg->pgpgout);
	hasher_put(h, memcg->nr_to_scan);
	hasher_put(h, memcg->nr_scanned);
	hasher_put(h, memcg->nr_taken);
	hasher_put(h, memcg->nr_reclaimed);
	hasher_put(h, memcg->nr_rotated);
	hasher_put(h, memcg->nr_activated);
	hasher_put(h, memcg->nr_deactivated);
	hasher_put(h, memcg->nr_reread);
}

static void put_memcg(struct hasher *h, const struct machine *m, const struct memcg *memcg)
{
	uint32_t zone;
	int i;

	hasher_text(h, memcg->path);
	if (memcg->move_lock)
		hasher_put(h, memcg->move_lock);
	hasher_put(h, memcg->parent);
	hasher_put(h, memcg->counter_parent);
	hasher_put(h, (uint64_t)memcg->online | (uint64_t)memcg->hierarchy << 1 |
			      (uint64_t)memcg->oom_disable << 2 | (uint64_t)memcg->under_oom << 3 |
			      (uint64_t)memcg->dying << 4);
	hasher_put(h, (uint64_t)memcg->swappiness);
	hasher_put(h, memcg->counter.usage);
	hasher_put(h, memcg->counter.limit);
	hasher_put(h, memcg->counter.max_usage);
	hasher_put(h, memcg->counter.failcnt);
	hasher_put(h, memcg->memsw.limit);
	hasher_put(h, memcg->memsw.swap_max);
	hasher_put(h, memcg->memsw.peak);
	hasher_put(h, memcg->memsw.swapped);
	hasher_put(h, memcg->memsw.slots);
	hasher_put(h, memcg->memsw.failcnt);
	for (zone = 0; zone < m->host->nr_zones; zone++)
		put_lruvec(h, m, &memcg->lruvec[zone], PLANE_GROUP);
	for (i = 0; i < NR_LRU; i++)
		hasher_put(h, memcg->size[i]);
	hasher_put(h, memcg->charged);
	if (memcg->memsw.leaked)
		hasher_put(h, memcg->memsw.leaked);
	if (memcg->uncounted || memcg->stand_in)
		hasher_put(h, (uint64_t)memcg->uncounted << 32 | memcg->stand_in);
	hasher_put(h, memcg->queued);
	hasher_put(h, memcg->dirty);
	hasher_put(h, memcg->writeback);
	hasher_put(h, memcg->mapped);
	hasher_put(h, memcg->memory << 32 ^ memcg->shmem);
	hasher_put(h, memcg->swap);
	hasher_put(h, (uint64_t)memcg->move_charge << 32 | memcg->last_child);
	put_counts(h, memcg);
	put_workingset(h, m, memcg);
	for (i = 0; i < PRIORITIES * (int)m->host->nr_zones; i++) {
		hasher_put(h, memcg->iter[i / PRIORITIES][i % PRIORITIES].position);
		hasher_put(h, memcg->iter[i / PRIORITIES][i % PRIORITIES].generation);
	}
}

static void put_pagevec(struct hasher *h, const struct machine *m, const struct pagevec *vec)
{
	uint32_t i;

	hasher_put(h, vec->nr);
	for (i = 0; i < vec->nr; i++)
		put_page(h, m, vec->slot[i]);
}

/* Stocks that every group has on every CPU, with charge=rfc. */
static void put_group_stocks(struct hasher *h, const struct machine *m, uint32_t cpu)
{
	uint32_t i;

	if (machine_axis(m, AXIS_CHARGE) != CHARGE_RFC)
		return;
	for (i = MEMCG_ROOT; i <= memcg_max(&m->memcgs); i++)
		hasher_put(h, m->stock[cpu * (MEMCG_MAX + 1) + i].nr);
}

/* What the CPU has gathered of each group's statistics, with stat_read=batch. */
static void put_gathered(struct hasher *h, const struct machine *m, uint32_t cpu)
{
	const int16_t *first = &m->gathered[cpu * (MEMCG_MAX + 1) * NR_BATCH_ITEMS];
	uint32_t i, end = (memcg_max(&m->memcgs) + 1) * NR_BATCH_ITEMS;

	for (i = 0; stat_batched(m) && i < end; i++)
		if (first[i])
			hasher_put(h, (uint64_t)i << 16 | (uint16_t)first[i]);
}

static void put_cpus(struct hasher *h, const struct machine *m)
{
	uint32_t i;
	int lru, slot, move;

	for (i = 0; i < m->sc.cpus; i++) {
		const struct cpu *cpu = &m->cpu[i];

		put_gathered(h, m, i);
		for (lru = 0; lru < NR_LRU; lru++)
			put_pagevec(h, m, &cpu->add[lru]);
		put_pagevec(h, m, &cpu->activate);
		for (move = 0; move < NR_MOVES; move++)
			put_pagevec(h, m, &cpu->move[move]);
		for (slot = 0; slot < STOCK_SLOTS_MAX; slot++) {
			hasher_put(h, cpu->stock[slot].memcg);
			hasher_put(h, cpu->stock[slot].nr);
		}
		put_group_stocks(h, m, i);
		hasher_put(h, (uint64_t)cpu->byte_memcg << 32 | cpu->byte_nr);
		hasher_put(h, cpu->drain_root);
		hasher_put(h, cpu->clock);
		/* It matters to nobody until another actor's step begins meanwhile. */
		if (m->host->idle_used)
			hasher_put(h, cpu->slept);
	}
}

static void put_device(struct hasher *h, const struct machine *m, enum device_id id)
{
	const struct device *device = &m->host->device[id];
	uint32_t i;

	hasher_put(h, device->free);
	hasher_put(h, (uint64_t)device->open << 32 | device->open_pages);
	hasher_put(h, device->nr);
	for (i = 0; i < device->nr; i++) {
		const struct write *write = device_at(m, id, i);

		hasher_put(h, (uint64_t)write->mapping << 40 ^ write->index);
		hasher_put(h, write->nr);
		hasher_put(h, write->end);
	}
}

/* Who took pages from whom, in the order in which it occurred first. */
static void put_taken(struct hasher *h, const struct machine *m)
{
	uint32_t nr = m->block.region[REGION_TAKEN].used, i;

	hasher_put(h, nr);
	for (i = 0; i < nr; i++) {
		hasher_put(h, (uint64_t)m->taken[i].by << 32 | m->taken[i].owner);
		hasher_put(h, m->taken[i].nr);
	}
}

static void put_host(struct hasher *h, const struct machine *m)
{
	const struct host *host = m->host;
	size_t i;

	for (i = 0; i < host->nr_zones; i++) {
		put_lruvec(h, m, &host->zone[i].lruvec, PLANE_ZONE);
		hasher_put(h, host->zone[i].free);
		hasher_put(h, host->zone[i].pages_scanned);
		hasher_put(h, host->zone[i].hopeless | (uint64_t)host->zone[i].fruitless << 1);
	}
	for (i = 0; i < 4; i++)
		hasher_put(h, host->rng.s[i]);
	hasher_put(h, host->resident);
	hasher_put(h, host->swap_used);
	hasher_put(h, host->now);
	hasher_put(h, host->flushed_at);
	if (host->grace_until)
		hasher_put(h, host->grace_until);
	hasher_put(h, host->flush_after);
	hasher_put(h, (uint64_t)host->soft_used | (uint64_t)host->dying << 1);
	hasher_put(h, host->dirty);
	hasher_put(h, host->writeback);
	hasher_put(h, host->flusher_wake);
	hasher_put(h, ((uint64_t)host->plugged << 1 | host->plug_reads) ^ host->stat.stat_ns << 2);
	for (i = 0; i < NR_DEVICES; i++)
		put_device(h, m, (enum device_id)i);
	hasher_put(h, host->soft_inserts);
	hasher_put(h, host->nr_shrink_calls ^ host->exec_digest);
	for (i = 0; i < run_totals_count(); i++) {
		uint64_t n;

		if (run_totals_at(i)->aside)
			continue;
		memcpy(&n, (const char *)&host->totals + run_totals_at(i)->offset, sizeof(n));
		hasher_put(h, n);
	}
}

/* The page table of a mapping of a file, eight entries a number. */
static void put_entries(struct hasher *h, const struct machine *m, const struct mapping *map)
{
	uint64_t word = 0;
	pages_t i;

	for (i = 0; map->file && i < map->nr_pages; i++) {
		word = word << 8 | m->pages.pte[map->pte + i];
		if (i % 8 == 7 || i + 1 == map->nr_pages)
			hasher_put(h, word);
	}
}

/* Memory that was forked: who shares it, and what its page table says. */
static void put_forked(struct hasher *h, const struct machine *m, const struct mapping *map)
{
	const struct forked *forked = &map->forked;
	pages_t index, at;

	if (forked->parent)
		hasher_put(h, forked->parent);
	if (!forked->root)
		return;
	hasher_put(h, (uint64_t)forked->root << 32 | forked->next);
	hasher_put(h, (uint64_t)forked->more << 32 | forked->depth);
	hasher_put(h, forked->store);
	for (index = 0; !forked->store && index < map->nr_pages; index++) {
		uint32_t slot = m->pages.entry[forked->entry + index];

		at = 0;
		hasher_put(h, slot == SLOT_NONE ? 0 : page_identity(&m->pages, slot, &at));
		hasher_put(h, at << 8 | m->pages.pte[map->pte + index]);
	}
}

/* Pieces of a mapping. */
static void put_pieces(struct hasher *h, const struct machine *m, const struct mapping *map)
{
	uint32_t i;

	for (i = map->first_vma; i; i = m->vma[i].next) {
		hasher_put(h, m->vma[i].first << 2 | (m->vma[i].kind & VMA_ADVICE) |
				      (uint64_t)(m->vma[i].kind & VMA_LOCKED) << 60);
		hasher_put(h, m->vma[i].ahead.index);
		hasher_put(h, (uint64_t)m->vma[i].ahead.window << 32 | m->vma[i].ahead.hits);
	}
}

/* A mapping and its shadows; its resident pages are hashed where they are listed or queued. */
static void put_mapping(struct hasher *h, const struct machine *m, const struct mapping *map)
{
	uint32_t i, place;

	hasher_put(h, map->bytes);
	hasher_put(h, (uint64_t)map->task << 32 | map->file);
	hasher_put(h, (uint64_t)map->anon | (uint64_t)map->shmem << 1 | (uint64_t)map->large << 2 |
			      (uint64_t)map->no_ahead << 3 | (uint64_t)map->exec << 4 |
			      (uint64_t)map->locked << 5 | (uint64_t)(map->records != 0) << 6 |
			      (uint64_t)map->gone << 7 | (uint64_t)map->advice << 8 |
			      (uint64_t)map->height << 16);
	hasher_put(h, (uint64_t)map->open << 32 | map->swap_memcg);
	hasher_put(h, map->nr_slots ^ (uint64_t)map->inode_lock << 32);
	put_entries(h, m, map);
	put_pieces(h, m, map);
	put_forked(h, m, map);
	hasher_put(h, map->nr_resident);
	hasher_put(h, map->nr_dirty);
	hasher_put(h, map->ahead.index);
	hasher_put(h, (uint64_t)map->ahead.window << 32 | map->ahead.hits);
	hasher_put(h, map->nr_dirty ? map->dirtied_at : 0);
	hasher_put(h, (uint64_t)map->nr_views << 32 | map->nr_tables);
	for (i = 0; !map->file && i < map->nr_leaves; i++) {
		uint32_t first = m->pages.dir[map->dir + i] << LEAF_SHIFT;

		/* What was evicted of a leaf that is no more. */
		if (!first && m->pages.gone[map->dir + i])
			hasher_put(h, (uint64_t)i << 32 | m->pages.gone[map->dir + i]);
		for (place = 0; first && place < LEAF_SLOTS; place++) {
			struct slot slot = m->pages.slot[first + place];

			if (slot.word & PG_SHADOW)
				hasher_put(h, (uint64_t)slot.stamp << 32 | slot.word);
			else if ((slot.word & (PG_GONE | PG_RESIDENT)) == PG_GONE)
				hasher_put(h, place);
		}
	}
}

static void put_tasks(struct hasher *h, const struct machine *m)
{
	uint32_t i;

	for (i = 1; i < m->block.region[REGION_TASK].used; i++) {
		const struct task *task = &m->task[i];

		hasher_text(h, task->name);
		hasher_put(h, task->memcg);
		hasher_put(h, task->cpu);
		hasher_put(h, (uint64_t)task->alive ^ (uint64_t)(int64_t)task->oom_adj << 1);
		hasher_put(h, task->rss);
		hasher_put(h, task->total_vm);
		hasher_put(h, task->debt);
		hasher_put(h, task->swap);
		hasher_put(h, task->dirtied);
		hasher_put(h, task->dirty_pause);
		hasher_put(h, (uint64_t)task->zap_left);
		hasher_put(h, task->started);
		if (task->stack)
			hasher_put(h, (uint64_t)task->stack << 32 | task->stack_memcg);
	}
	for (i = 0; i < m->block.region[REGION_OPEN].used; i++) {
		hasher_put(h, (uint64_t)m->open[i].task << 32 | m->open[i].file);
		hasher_put(h, (uint64_t)m->open[i].handle << 32 | m->open[i].mmap_miss);
		if (m->open[i].shared)
			hasher_put(h, m->open[i].shared);
		hasher_put(h, (uint64_t)m->open[i].random | (uint64_t)m->open[i].noreuse << 1 |
				      (uint64_t)m->open[i].twice << 2);
		hasher_put(h, m->open[i].prev_index);
		hasher_put(h, m->open[i].prev_offset);
		hasher_put(h, m->open[i].ra_start);
		hasher_put(h, m->open[i].ra_order);
		hasher_put(h, (uint64_t)m->open[i].ra_size << 32 | m->open[i].ra_async);
	}
	for (i = 1; i < m->block.region[REGION_MAPPING].used; i++)
		put_mapping(h, m, &m->pages.mapping[i]);
	for (i = 0; i < m->block.region[REGION_ACTOR].used; i++)
		hasher_put(h, m->actor_clock[i]);
}

void hash_machine(const struct machine *m, char out[RUN_HASH_MAX])
{
	struct hasher h;
	uint32_t id;

	out[0] = '\0';
	if (!hasher_open(&h))
		return;
	put_host(&h, m);
	put_cpus(&h, m);
	put_tasks(&h, m);
	put_taken(&h, m);
	hash_locks(&h, m);
	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		put_memcg(&h, m, machine_memcg(m, id));
	hasher_close(&h, out);
}
