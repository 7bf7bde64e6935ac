/*
 * Hashing field by field, in a fixed order, so that neither padding nor the
 * compiler nor dead list entries can reach the result.
 */
#include "hash.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "device.h"
#include "policy.h"

enum { BUFFER_NUMBERS = 512 };

/* Numbers are gathered and hashed as little-endian 64-bit words. */
struct hasher {
	XXH3_state_t *state;
	size_t used;
	unsigned char buffer[BUFFER_NUMBERS * 8];
};

static void flush(struct hasher *h)
{
	assert(h->used % 8 == 0);
	XXH3_128bits_update(h->state, h->buffer, h->used);
	h->used = 0;
}

static void put(struct hasher *h, uint64_t n)
{
	int i;

	if (h->used == sizeof(h->buffer))
		flush(h);
	for (i = 0; i < 8; i++)
		h->buffer[h->used++] = (unsigned char)(n >> (8 * i));
}

static void put_text(struct hasher *h, const char *text)
{
	size_t i, len = strlen(text);

	put(h, len);
	for (i = 0; i < len; i++)
		put(h, (unsigned char)text[i]);
}

/* A page by what it is: mapping, index, flags. */
static void put_page(struct hasher *h, const struct machine *m, uint32_t slot)
{
	pages_t index = 0;
	uint32_t mapping = slot == SLOT_NONE ? 0 : page_identity(&m->pages, slot, &index);

	put(h, (uint64_t)mapping << 40 ^ index);
	put(h, slot == SLOT_NONE ? 0 : m->pages.slot[slot].word);
	put(h, slot == SLOT_NONE ? 0 : page_nr(&m->pages, slot));
	if (m->sc.nodes > 1)
		put(h, slot == SLOT_NONE ? 0 : m->pages.node[slot]);
}

static void put_list(struct hasher *h, const struct machine *m, const struct lru_list *list,
		     enum lru_plane plane)
{
	struct lru_walk walk;
	uint32_t slot;

	put(h, list->nr);
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
		put(h, lruvec->saved[i]);
		put(h, lruvec->size[i]);
	}
	for (i = 0; i < NR_SCAN_TYPES; i++) {
		put(h, lruvec->stat.scanned[i]);
		put(h, lruvec->stat.rotated[i]);
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
		put(h, memcg->soft_excess[i]);
		put(h, memcg->soft_order[i]);
	}
	for (i = 0; i < m->sc.nodes && m->sc.nodes > 1; i++)
		put(h, (uint64_t)memcg->victim_node << 32 | memcg->node_activate[i][SCAN_FILE]);
}

/* What v6.18 keeps of a group beside its lists. */
static void put_workingset(struct hasher *h, const struct machine *m, const struct memcg *memcg)
{
	uint32_t node, n;
	int i;

	put(h, memcg->kmem);
	put(h, memcg->kmem_bytes_left);
	put(h, (uint64_t)memcg->nr_nodes << 32 | memcg->nr_dead_nodes);
	put(h, (uint64_t)memcg->dead_cpu << 32 | memcg->dead_calls);
	put(h, memcg->nr_shadow_nodes);
	for (node = memcg->shadow_head; node;
	     node = m->nodes[node / LEAF_NODES].next[node % LEAF_NODES])
		put(h, node_identity(m, node));
	put(h, memcg->shadow_deferred);
	for (n = 0; n < m->sc.nodes; n++)
		put(h, memcg->age[n]);
	for (i = 0; i < NR_SCAN_TYPES; i++) {
		put(h, memcg->nr_refault[i]);
		put(h, memcg->nr_refault_activate[i]);
		for (n = 0; n < m->sc.nodes; n++) {
			put(h, memcg->seen_activate[n][i]);
			put(h, memcg->cost[n][i]);
			put(h, memcg->flush.activate[n][i]);
		}
	}
	for (i = 0; i < NR_LRU; i++)
		for (n = 0; n < m->sc.nodes; n++)
			put(h, memcg->flush.size[n][i]);
	put(h, memcg->flush.local);
	for (n = 0; n < m->sc.nodes; n++)
		put(h, memcg->walk_position[n]);
	put(h, memcg->born);
	put(h, memcg->nr_dying);
	put(h, memcg->soft);
	put_trees(h, m, memcg);
	put(h, memcg->soft_events);
	put(h, memcg->soft_target);
	put(h, memcg->threshold_target);
	put(h, memcg->min);
	put(h, memcg->low);
	put(h, memcg->high);
	put(h, memcg->low_events);
	put(h, memcg->high_events);
	put(h, memcg->max_events);
	put(h, memcg->oom_group);
}

static void put_counts(struct hasher *h, const struct memcg *memcg)
{
	put(h, memcg->limit_hits);
	put(h, memcg->oom_kills);
	put(h, memcg->nr_charged);
	put(h, memcg->nr_uncharged);
	put(h, memcg->pgpgin);
	put(h, memcg->pgpgout);
	put(h, memcg->nr_to_scan);
	put(h, memcg->nr_scanned);
	put(h, memcg->nr_taken);
	put(h, memcg->nr_reclaimed);
	put(h, memcg->nr_rotated);
	put(h, memcg->nr_activated);
	put(h, memcg->nr_deactivated);
	put(h, memcg->nr_reread);
}

static void put_memcg(struct hasher *h, const struct machine *m, const struct memcg *memcg)
{
	uint32_t zone;
	int i;

	put_text(h, memcg->path);
	put(h, memcg->parent);
	put(h, memcg->counter_parent);
	put(h, (uint64_t)memcg->online | (uint64_t)memcg->hierarchy << 1 |
		       (uint64_t)memcg->oom_disable << 2 | (uint64_t)memcg->under_oom << 3 |
		       (uint64_t)memcg->dying << 4);
	put(h, (uint64_t)memcg->swappiness);
	put(h, memcg->counter.usage);
	put(h, memcg->counter.limit);
	put(h, memcg->counter.max_usage);
	put(h, memcg->counter.failcnt);
	put(h, memcg->memsw.limit);
	put(h, memcg->memsw.swap_max);
	put(h, memcg->memsw.peak);
	put(h, memcg->memsw.swapped);
	put(h, memcg->memsw.slots);
	put(h, memcg->memsw.failcnt);
	for (zone = 0; zone < m->host->nr_zones; zone++)
		put_lruvec(h, m, &memcg->lruvec[zone], PLANE_GROUP);
	for (i = 0; i < NR_LRU; i++)
		put(h, memcg->size[i]);
	put(h, memcg->charged);
	put(h, memcg->queued);
	put(h, memcg->dirty);
	put(h, memcg->writeback);
	put(h, memcg->mapped);
	put(h, memcg->memory << 32 ^ memcg->shmem);
	put(h, memcg->swap);
	put(h, (uint64_t)memcg->move_charge << 32 | memcg->last_child);
	put_counts(h, memcg);
	put_workingset(h, m, memcg);
	for (i = 0; i < PRIORITIES * (int)m->host->nr_zones; i++) {
		put(h, memcg->iter[i / PRIORITIES][i % PRIORITIES].position);
		put(h, memcg->iter[i / PRIORITIES][i % PRIORITIES].generation);
	}
}

static void put_pagevec(struct hasher *h, const struct machine *m, const struct pagevec *vec)
{
	uint32_t i;

	put(h, vec->nr);
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
		put(h, m->stock[cpu * (MEMCG_MAX + 1) + i].nr);
}

static void put_cpus(struct hasher *h, const struct machine *m)
{
	uint32_t i;
	int lru, slot, move;

	for (i = 0; i < m->sc.cpus; i++) {
		const struct cpu *cpu = &m->cpu[i];

		for (lru = 0; lru < NR_LRU; lru++)
			put_pagevec(h, m, &cpu->add[lru]);
		put_pagevec(h, m, &cpu->activate);
		for (move = 0; move < NR_MOVES; move++)
			put_pagevec(h, m, &cpu->move[move]);
		for (slot = 0; slot < STOCK_SLOTS_MAX; slot++) {
			put(h, cpu->stock[slot].memcg);
			put(h, cpu->stock[slot].nr);
		}
		put_group_stocks(h, m, i);
		put(h, (uint64_t)cpu->byte_memcg << 32 | cpu->byte_nr);
		put(h, cpu->drain_root);
		put(h, cpu->clock);
	}
}

static void put_device(struct hasher *h, const struct machine *m, enum device_id id)
{
	const struct device *device = &m->host->device[id];
	uint32_t i;

	put(h, device->free);
	put(h, (uint64_t)device->open << 32 | device->open_pages);
	put(h, device->nr);
	for (i = 0; i < device->nr; i++) {
		const struct write *write = device_at(m, id, i);

		put(h, (uint64_t)write->mapping << 40 ^ write->index);
		put(h, write->nr);
		put(h, write->end);
	}
}

/* Who took pages from whom, in the order in which it occurred first. */
static void put_taken(struct hasher *h, const struct machine *m)
{
	uint32_t nr = m->block.region[REGION_TAKEN].used, i;

	put(h, nr);
	for (i = 0; i < nr; i++) {
		put(h, (uint64_t)m->taken[i].by << 32 | m->taken[i].owner);
		put(h, m->taken[i].nr);
	}
}

static void put_host(struct hasher *h, const struct machine *m)
{
	const struct host *host = m->host;
	size_t i;

	for (i = 0; i < host->nr_zones; i++) {
		put_lruvec(h, m, &host->zone[i].lruvec, PLANE_ZONE);
		put(h, host->zone[i].free);
		put(h, host->zone[i].pages_scanned);
		put(h, host->zone[i].hopeless);
	}
	for (i = 0; i < 4; i++)
		put(h, host->rng.s[i]);
	put(h, host->resident);
	put(h, host->swap_used);
	put(h, host->now);
	put(h, host->flushed_at);
	put(h, host->flush_after);
	put(h, (uint64_t)host->soft_used | (uint64_t)host->dying << 1);
	put(h, host->dirty);
	put(h, host->writeback);
	put(h, host->flusher_wake);
	put(h, (uint64_t)host->plugged << 1 | host->plug_reads);
	for (i = 0; i < NR_DEVICES; i++)
		put_device(h, m, (enum device_id)i);
	put(h, host->soft_inserts);
	put(h, host->nr_shrink_calls ^ host->exec_digest);
	for (i = 0; i < run_totals_count(); i++) {
		uint64_t n;

		memcpy(&n, (const char *)&host->totals + run_totals_at(i)->offset, sizeof(n));
		put(h, n);
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
			put(h, word);
	}
}

/* A mapping and its shadows; its resident pages are hashed where they are listed or queued. */
static void put_mapping(struct hasher *h, const struct machine *m, const struct mapping *map)
{
	uint32_t i, place;

	put(h, map->bytes);
	put(h, (uint64_t)map->task << 32 | map->file);
	put(h, (uint64_t)map->anon | (uint64_t)map->shmem << 1 | (uint64_t)map->large << 2 |
		       (uint64_t)map->no_ahead << 3 | (uint64_t)map->exec << 4 |
		       (uint64_t)map->locked << 5 | (uint64_t)map->recorded << 6 |
		       (uint64_t)map->advice << 8 | (uint64_t)map->height << 16);
	put(h, (uint64_t)map->open << 32 | map->swap_memcg);
	put(h, map->nr_slots);
	put_entries(h, m, map);
	put(h, map->nr_resident);
	put(h, map->nr_dirty);
	put(h, map->ahead.index);
	put(h, (uint64_t)map->ahead.window << 32 | map->ahead.hits);
	put(h, map->nr_dirty ? map->dirtied_at : 0);
	put(h, (uint64_t)map->nr_views << 32 | map->nr_tables);
	for (i = 0; !map->file && i < map->nr_leaves; i++) {
		uint32_t first = m->pages.dir[map->dir + i] << LEAF_SHIFT;

		/* What was evicted of a leaf that is no more. */
		if (!first && m->pages.gone[map->dir + i])
			put(h, (uint64_t)i << 32 | m->pages.gone[map->dir + i]);
		for (place = 0; first && place < LEAF_SLOTS; place++) {
			struct slot slot = m->pages.slot[first + place];

			if (slot.word & PG_SHADOW)
				put(h, (uint64_t)slot.stamp << 32 | slot.word);
			else if ((slot.word & (PG_GONE | PG_RESIDENT)) == PG_GONE)
				put(h, place);
		}
	}
}

static void put_times(struct hasher *h, const struct lock_times *times)
{
	const uint64_t n[] = { times->nr, times->min, times->max, times->total };

	for (size_t i = 0; i < 4; i++)
		put(h, n[i]);
}

static void put_sites(struct hasher *h, const struct lock_sites *sites)
{
	for (uint32_t i = 0; i < sites->nr; i++) {
		put(h, sites->site[i]);
		put(h, sites->count[i]);
	}
}

/* The acquisitions that a CPU still has to make, and its latest one. */
static void put_lock_cpu(struct hasher *h, const struct locks *locks, uint32_t cpu)
{
	const struct lock_cpu *at = &locks->cpu[cpu];

	put(h, (uint64_t)at->nr << 32 | at->done);
	put(h, (uint64_t)at->actor << 32 | at->after_cpu);
	put(h, (uint64_t)at->site << 32 | at->lock);
	put(h, at->next);
	put(h, at->tail);
	put(h, at->start);
	for (uint32_t i = at->done; i < at->nr; i++) {
		const struct lock_note *note = &locks->note[cpu * LOCK_NOTES + i];

		put(h, (uint64_t)note->lock << 32 | note->site);
		put(h, note->before);
	}
}

static void put_locks(struct hasher *h, const struct machine *m)
{
	const struct locks *locks = &m->locks;
	uint32_t i, nr = locks->block->region[REGION_LOCK_CLASS].used;

	for (i = 0; i < locks->cpus; i++)
		put_lock_cpu(h, locks, i);
	for (i = 0; i < nr; i++) {
		put(h, locks->class[i].rng.s[0]);
		put_sites(h, &locks->class[i].waiter);
		put_sites(h, &locks->class[i].holder);
	}
	for (i = 0; i < nr * locks->cpus; i++) {
		put(h, locks->stat[i].con_bounces ^ locks->stat[i].acq_bounces << 32);
		put_times(h, &locks->stat[i].wait);
		put_times(h, &locks->stat[i].hold);
	}
	for (i = 0; i < locks->block->region[REGION_LOCK].used; i++) {
		put(h, (uint64_t)locks->lock[i].class << 32 | locks->lock[i].last_cpu);
		put(h, (uint64_t)locks->lock[i].holder);
		put(h, locks->lock[i].free_at);
	}
}

static void put_tasks(struct hasher *h, const struct machine *m)
{
	uint32_t i;

	for (i = 1; i < m->block.region[REGION_TASK].used; i++) {
		const struct task *task = &m->task[i];

		put_text(h, task->name);
		put(h, task->memcg);
		put(h, task->cpu);
		put(h, task->alive);
		put(h, task->rss);
		put(h, task->total_vm);
		put(h, task->debt);
		put(h, task->swap);
		put(h, task->dirtied);
		put(h, task->dirty_pause);
		put(h, (uint64_t)task->zap_left);
		put(h, task->started);
	}
	for (i = 0; i < m->block.region[REGION_OPEN].used; i++) {
		put(h, (uint64_t)m->open[i].task << 32 | m->open[i].file);
		put(h, (uint64_t)m->open[i].handle << 32 | m->open[i].mmap_miss);
		put(h, (uint64_t)m->open[i].random | (uint64_t)m->open[i].noreuse << 1 |
			       (uint64_t)m->open[i].twice << 2);
		put(h, m->open[i].prev_index);
		put(h, m->open[i].prev_offset);
		put(h, m->open[i].ra_start);
		put(h, m->open[i].ra_order);
		put(h, (uint64_t)m->open[i].ra_size << 32 | m->open[i].ra_async);
	}
	for (i = 1; i < m->block.region[REGION_MAPPING].used; i++)
		put_mapping(h, m, &m->pages.mapping[i]);
	for (i = 0; i < m->block.region[REGION_ACTOR].used; i++)
		put(h, m->actor_clock[i]);
}

void hash_machine(const struct machine *m, char out[RUN_HASH_MAX])
{
	struct hasher h = { .state = XXH3_createState() };
	XXH128_hash_t hash;
	uint32_t id;

	out[0] = '\0';
	if (!h.state)
		return;
	XXH3_128bits_reset(h.state);
	put_host(&h, m);
	put_cpus(&h, m);
	put_tasks(&h, m);
	put_taken(&h, m);
	put_locks(&h, m);
	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		put_memcg(&h, m, machine_memcg(m, id));
	flush(&h);
	hash = XXH3_128bits_digest(h.state);
	XXH3_freeState(h.state);
	snprintf(out, RUN_HASH_MAX, "%016llx%016llx", (unsigned long long)hash.high64,
		 (unsigned long long)hash.low64);
}
