/*
 * What can be read of a machine from outside, and its samples.
 */
#include "sample.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "anon_vma.h"
#include "charge.h"
#include "policy.h"
#include "run_private.h"
#include "walks.h"
#include "zones.h"

void sample_all(struct machine *m)
{
	struct sample sample = { .t_ns = m->host->now, .step = m->host->totals.steps };
	uint32_t id;
	size_t i;

	for (id = MEMCG_ROOT + 1; id <= memcg_max(&m->memcgs); id++) {
		const struct memcg *memcg = machine_memcg(m, id);

		if (!memcg->online)
			continue;
		sample.memcg = id;
		sample.usage = memcg->counter.usage;
		sample.limit = memcg->counter.limit;
		sample.failcnt = memcg->counter.failcnt;
		sample.nr_scanned = memcg->nr_scanned;
		sample.nr_reclaimed = memcg->nr_reclaimed;
		memcpy(sample.size, memcg->size, sizeof(sample.size));
		for (i = 0; i < m->nr_sinks; i++) {
			struct sink *sink = m->sink[i];

			if (sink->sample && !m->diag.err && sink->sample(sink, &sample, &m->diag) &&
			    !m->diag.err)
				m->diag.err = ERR_OUTPUT;
		}
		walks_tell(m, id);
	}
	walks_tell(m, MEMCG_ROOT);
}

#define TOTAL(member, unit, better) \
	{ #member, unit, better, offsetof(struct run_totals, member), false }
#define ASIDE(member, unit, better) \
	{ #member, unit, better, offsetof(struct run_totals, member), true }

static const struct run_totals_desc totals_table[] = {
	TOTAL(nr_charged, "pages", ""),
	TOTAL(nr_uncharged, "pages", ""),
	TOTAL(nr_to_scan, "pages", ""),
	TOTAL(nr_scanned, "pages", "lower"),
	TOTAL(nr_taken, "pages", ""),
	TOTAL(nr_reclaimed, "pages", ""),
	TOTAL(nr_rotated, "pages", "lower"),
	TOTAL(nr_activated, "pages", ""),
	TOTAL(nr_deactivated, "pages", ""),
	TOTAL(nr_refault, "pages", "lower"),
	TOTAL(nr_reread, "pages", "lower"),
	ASIDE(majfault, "", "lower"),
	TOTAL(limit_hits, "", "lower"),
	TOTAL(failcnt, "", "lower"),
	TOTAL(oom_kills, "", "lower"),
	TOTAL(steps, "steps", ""),
	TOTAL(sim_ns, "ns", "lower"),
	TOTAL(peak_usage_pages, "pages", ""),
	TOTAL(nr_accesses, "pages", ""),
	TOTAL(nr_hits, "pages", "higher"),
	TOTAL(nr_swapped_out, "pages", "lower"),
	TOTAL(nr_swapped_in, "pages", "lower"),
	TOTAL(nr_dirtied, "pages", ""),
	TOTAL(nr_written, "pages", ""),
	TOTAL(throttled_ns, "ns", "lower"),
	TOTAL(dirty_wait_ns, "ns", "lower"),
	TOTAL(peak_dirty_pages, "pages", "lower"),
};

size_t run_totals_count(void)
{
	return sizeof(totals_table) / sizeof(totals_table[0]);
}

const struct run_totals_desc *run_totals_at(size_t i)
{
	assert(i < run_totals_count());
	return &totals_table[i];
}

void run_totals(const struct run *run, struct run_totals *out)
{
	const struct machine *m = run_machine_const(run);
	uint32_t id;

	*out = m->host->totals;
	for (id = MEMCG_ROOT + 1; id <= memcg_max(&m->memcgs); id++) {
		const struct counter *counter = &machine_memcg(m, id)->counter;

		out->failcnt += counter->failcnt;
		if (counter->limit < PAGES_UNLIMITED && counter->max_usage > out->peak_usage_pages)
			out->peak_usage_pages = counter->max_usage;
	}
}

uint32_t run_memcg_max(const struct run *run)
{
	return memcg_max(&run_machine_const(run)->memcgs);
}

static pages_t stock_of(const struct machine *m, uint32_t id)
{
	const struct stock *stock;
	pages_t sum = 0;
	uint32_t cpu, i;

	for (cpu = 0; cpu < m->sc.cpus; cpu++)
		for (i = 0; (stock = charge_stock_at(m, cpu, i)) != NULL; i++)
			if (stock->memcg == id)
				sum += stock->nr;
	return sum;
}

/* Of v3.3's iterators the one that the next reclaim for a limit begins with: of the first zone of
 * the zonelist at the first priority. */
static uint32_t walk_position(const struct machine *m, const struct memcg *memcg)
{
	if (machine_axis(m, AXIS_WALK) != WALK_ROOT_ZONE_PRIO)
		return memcg->walk_position[0];
	return memcg->iter[zone_nth(m, 0, 0)][machine_knobs(m)->def_priority].position;
}

bool run_memcg(const struct run *run, uint32_t id, struct run_memcg *out)
{
	const struct machine *m = run_machine_const(run);
	const struct memcg *memcg;

	if (id < MEMCG_ROOT || id > memcg_max(&m->memcgs) || !memcg_exists(machine_memcg(m, id)))
		return false;
	memcg = machine_memcg(m, id);
	*out = (struct run_memcg){
		.id = id, .parent = memcg->parent, .online = memcg->online,
		.dying = memcg->dying, .nr_dying = memcg->nr_dying,
		.hierarchy = memcg->hierarchy,
		.under_oom = memcg->under_oom && memcg->counter.usage >= memcg->counter.limit,
		.usage = memcg->counter.usage,
		.limit = memcg->counter.limit, .peak = memcg->counter.max_usage,
		.stock = stock_of(m, id), .charged = memcg->charged,
		.failcnt = memcg->counter.failcnt, .limit_hits = memcg->limit_hits,
		.oom_kills = memcg->oom_kills, .oom_events = memcg->oom_events,
		.oom_group_kills = memcg->oom_group_kills, .nr_charged = memcg->nr_charged,
		.nr_uncharged = memcg->nr_uncharged,
		.pgpgin = memcg->pgpgin, .pgpgout = memcg->pgpgout, .nr_to_scan = memcg->nr_to_scan,
		.nr_scanned = memcg->nr_scanned, .nr_taken = memcg->nr_taken,
		.nr_reclaimed = memcg->nr_reclaimed, .nr_rotated = memcg->nr_rotated,
		.nr_activated = memcg->nr_activated, .nr_deactivated = memcg->nr_deactivated,
		.min = memcg->min, .low = memcg->low, .high = memcg->high,
		.soft = memcg->soft, .low_events = memcg->low_events,
		.high_events = memcg->high_events, .max_events = memcg->max_events,
		.swappiness = memcg->swappiness, .walk_position = walk_position(m, memcg),
		.mapped = memcg->mapped, .memory = memcg->memory, .shmem = memcg->shmem,
		.swap = memcg->swap,
		.memsw_usage = memcg_memsw(memcg), .memsw_limit = memcg->memsw.limit,
		.memsw_peak = memcg->memsw.peak, .memsw_failcnt = memcg->memsw.failcnt,
		.swap_usage = memcg->memsw.slots, .swap_max = memcg->memsw.swap_max,
		.dirty = memcg->dirty, .writeback = memcg->writeback,
		.nr_dirtied = memcg->nr_dirtied, .nr_written = memcg->nr_written,
		.kmem = memcg->kmem, .nr_refault_file = memcg->nr_refault[SCAN_FILE],
		.nr_refault_anon = memcg->nr_refault[SCAN_ANON],
		.nr_refault_activate = memcg->nr_refault_activate[SCAN_FILE],
		.nr_reread = memcg->nr_reread, .majfault = memcg->majfault,
		.pgfault = memcg->pgfault,
		.stall_ns = memcg->stall_ns,
		.nr_nodes = memcg->nr_nodes, .nr_shadow_nodes = memcg->nr_shadow_nodes,
		.queued = memcg->queued, .last_child = memcg->last_child,
	};
	memcpy(out->path, memcg->path, sizeof(out->path));
	memcpy(out->size, memcg->size, sizeof(out->size));
	memcpy(out->saved, memcg->lruvec[0].saved, sizeof(out->saved));
	return true;
}

uint32_t run_memcg_find(const struct run *run, const char *path)
{
	const struct machine *m = run_machine_const(run);
	uint32_t id;

	for (id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		if (machine_memcg(m, id)->online && strcmp(machine_memcg(m, id)->path, path) == 0)
			return id;
	return MEMCG_NONE;
}

uint32_t run_task_max(const struct run *run)
{
	return run_machine_const(run)->block.region[REGION_TASK].used - 1;
}

/* Pages in memory that a task has by its anonymous mapping @id. */
static pages_t resident_of(const struct machine *m, uint32_t id)
{
	const struct mapping *map = &m->pages.mapping[id];
	pages_t nr = 0, index;

	if (!map->forked.root)
		return map->nr_resident;
	for (index = 0; !map->forked.store && index < map->nr_pages; index++)
		nr += (m->pages.slot[anon_vma_slot(m, id, index)].word & PG_RESIDENT) != 0;
	return nr;
}

bool run_task(const struct run *run, uint32_t id, struct run_task *out)
{
	const struct machine *m = run_machine_const(run);
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;

	if (id < 1 || id > run_task_max(run))
		return false;
	*out = (struct run_task){ .id = id, .memcg = m->task[id].memcg, .cpu = m->task[id].cpu,
				  .alive = m->task[id].alive, .rss = m->task[id].rss };
	/* Memory that is there and not mapped is in the swap cache. */
	if (m->host->swap_used) {
		for (i = m->task[id].first_map; i && i < nr; i++)
			if (m->pages.mapping[i].anon && m->pages.mapping[i].task == id)
				out->unmapped += resident_of(m, i);
		out->unmapped -= out->rss;
	}
	memcpy(out->name, m->task[id].name, sizeof(out->name));
	return true;
}

bool run_taken(const struct run *run, uint32_t i, uint32_t *by, uint32_t *owner, uint64_t *nr)
{
	const struct machine *m = run_machine_const(run);

	if (i >= m->block.region[REGION_TAKEN].used)
		return false;
	*by = m->taken[i].by;
	*owner = m->taken[i].owner;
	*nr = m->taken[i].nr;
	return true;
}

bool run_zone(const struct run *run, uint32_t i, struct run_zone *out)
{
	const struct machine *m = run_machine_const(run);
	const struct zone *zone = &m->host->zone[i];

	if (i >= m->host->nr_zones)
		return false;
	*out = (struct run_zone){
		.node = machine_node(m, i), .name = zone_name(m, i), .present = zone->present,
		.free = zone->free, .min = zone->wmark[WMARK_MIN], .low = zone->wmark[WMARK_LOW],
		.high = zone->wmark[WMARK_HIGH], .hopeless = zone->hopeless,
	};
	memcpy(out->size, zone->lruvec.size, sizeof(out->size));
	return true;
}

pages_t run_memcg_node(const struct run *run, uint32_t memcg, uint32_t node, enum lru lru)
{
	const struct machine *m = run_machine_const(run);
	uint32_t step = m->per_node ? m->host->node_zones : 1, i;
	pages_t sum = 0;

	for (i = 0; i < m->host->nr_zones; i += step)
		if (machine_node(m, i) == node)
			sum += machine_lruvec(m, memcg, i)->size[lru];
	return sum;
}

/* When about a page was listed: between the births of its chunk and the next. */
static ns_t listed_at(const struct machine *m, const struct lru_list *list,
		      const struct lru_walk *walk)
{
	const struct chunk_info *chunk = &m->lists.chunk[walk->chunk];
	bool head = walk->chunk == list->head;
	ns_t end = head ? m->host->totals.sim_ns : m->lists.chunk[chunk->next].born_ns;
	uint32_t filled = head ? list->head_place : CHUNK_ENTRIES;

	if (end < chunk->born_ns || !filled)
		return chunk->born_ns;
	return chunk->born_ns + (end - chunk->born_ns) * (walk->place - 1) / filled;
}

/* Adds the list of one zone, cut into @nr cells.  Returns: pages for which one of them stands. */
static pages_t zone_cells(const struct machine *m, const struct lru_list *list, size_t nr,
			  struct run_cell *cells)
{
	pages_t per = nr ? (list->nr + nr - 1) / nr : 1, position = list->nr;
	struct lru_walk walk;
	uint32_t slot;

	if (per < 1)
		return 0;
	lru_walk_start(list, &walk);
	while ((slot = lru_walk_next(&m->lists, PLANE_GROUP, &walk)) != SLOT_NONE) {
		struct run_cell *cell = &cells[--position / per];
		ns_t at = listed_at(m, list, &walk), now = m->host->totals.sim_ns;

		cell->pages++;
		cell->referenced += (m->pages.slot[slot].word & PG_REFERENCED) != 0;
		cell->age_ns += now > at ? now - at : 0;
	}
	return per;
}

pages_t run_lru_cells(const struct run *run, uint32_t memcg, enum lru lru, size_t nr,
		      struct run_cell *cells)
{
	const struct machine *m = run_machine_const(run);
	uint32_t step = m->per_node ? m->host->node_zones : 1, zone;
	pages_t per = 0;
	size_t i;

	memset(cells, 0, nr * sizeof(*cells));
	for (zone = 0; zone < m->host->nr_zones; zone += step)
		per += zone_cells(m, &machine_lruvec(m, memcg, zone)->list[lru], nr, cells);
	for (i = 0; i < nr; i++)
		if (cells[i].pages)
			cells[i].age_ns /= cells[i].pages;
	return per ? per : 1;
}

double run_footprint(const struct run *run, pages_t *resident)
{
	static const enum region page_regions[] = {
		REGION_LEAF, REGION_LEAF_INFO, REGION_CHUNK, REGION_CHUNK_INFO, REGION_DIR,
	};
	const struct machine *m = run_machine_const(run);
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < sizeof(page_regions) / sizeof(page_regions[0]); i++) {
		const struct region_state *region = &m->block.region[page_regions[i]];

		bytes += (uint64_t)region->used * region->unit;
	}
	/* Zone stamps are not taken one by one: one for each slot of a leaf. */
	if (m->sc.era.value[AXIS_LRU] == 0)
		bytes += (uint64_t)m->block.region[REGION_LEAF].used *
			 m->block.region[REGION_ZONE_STAMP].unit;
	*resident = m->host->resident;
	return *resident ? (double)bytes / (double)*resident : 0;
}
