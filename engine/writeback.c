/*
 * One device that writes pages one after the other.  Follows
 * mm/page-writeback.c and mm/swap.c of v2.6.31, v3.1 and v6.18.
 *
 * MODEL: no dirty limits: pages are written by reclaim, by the flusher that
 * reclaim wakes, and by fsync; a page rotates at the moment its write ends.
 */
#include "writeback.h"

#include <assert.h>

#include "policy.h"

static struct mapping *mapping_of(const struct machine *m, uint32_t slot)
{
	return &m->pages.mapping[m->pages.leaf[slot >> LEAF_SHIFT].mapping];
}

void writeback_dirty(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	assert(!(*word & PG_ANON));
	if (*word & PG_DIRTY)
		return;
	*word |= PG_DIRTY;
	machine_memcg(m, *word & PG_MEMCG)->dirty++;
	mapping_of(m, slot)->nr_dirty++;
	m->host->totals.nr_dirtied++;
}

void writeback_clean(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	if (*word & PG_DIRTY) {
		machine_memcg(m, *word & PG_MEMCG)->dirty--;
		mapping_of(m, slot)->nr_dirty--;
	}
	if (*word & PG_WRITEBACK)
		machine_memcg(m, *word & PG_MEMCG)->writeback--;
	*word &= ~((uint32_t)PG_DIRTY | PG_WRITEBACK);
}

bool writeback_congested(const struct machine *m)
{
	return machine_knobs(m)->write_ns &&
	       m->host->nr_writes >= (uint32_t)machine_knobs(m)->write_queue;
}

bool writeback_start(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct host *host = m->host;
	struct write *write;

	assert(m->pages.slot[slot].word & PG_RESIDENT);
	writeback_clean(m, slot);
	host->totals.nr_written++;
	if (!machine_knobs(m)->write_ns)
		return true;
	if (host->nr_writes == WRITES_MAX)
		writeback_wait(m);
	write = &m->write[(host->write_first + host->nr_writes++) % WRITES_MAX];
	write->mapping = page_identity(&m->pages, slot, &write->index);
	if (host->device_free < host->now)
		host->device_free = host->now;
	host->device_free += (ns_t)machine_knobs(m)->write_ns;
	write->end = host->device_free;
	*word |= PG_WRITEBACK;
	machine_memcg(m, *word & PG_MEMCG)->writeback++;
	return false;
}

/* To the tail of the lists that the era rotates. */
static void rotate(struct machine *m, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word;
	struct lruvec *own = machine_lruvec(m, word & PG_MEMCG, page_zone(word));
	struct lruvec *zone = &m->host->zone[page_zone(word)].lruvec;
	enum lru lru = page_lru(word);

	assert(word & PG_RESIDENT);
	if (page_pos(word) != POS_LISTED || (word & (PG_DIRTY | PG_UNEVICTABLE)))
		return;
	if (word & PG_ACTIVE) {
		if (machine_axis(m, AXIS_FILE_WRITEOUT) != FILE_WRITEOUT_NEVER)
			return;
		machine_unlist(m, slot);
		m->pages.slot[slot].word &= ~(uint32_t)PG_ACTIVE;
		machine_list(m, slot);
		lru = page_lru(m->pages.slot[slot].word);
	}
	if (machine_axis(m, AXIS_ROTATE_GROUP) == ROTATE_GROUP_ON && m->pages.slot[slot].stamp) {
		lru_del(&m->lists, &own->list[lru], PLANE_GROUP, slot);
		lru_add_tail(&m->lists, &own->list[lru], PLANE_GROUP, slot);
	}
	if (machine_axis(m, AXIS_LRU) == LRU_DOUBLE) {
		lru_del(&m->lists, &zone->list[lru], PLANE_ZONE, slot);
		lru_add_tail(&m->lists, &zone->list[lru], PLANE_ZONE, slot);
	}
}

void writeback_due(struct machine *m)
{
	struct host *host = m->host;

	for (; host->nr_writes && m->write[host->write_first].end <= host->now; host->nr_writes--) {
		const struct write *write = &m->write[host->write_first];
		uint32_t slot =
			page_find(&m->pages, &m->pages.mapping[write->mapping], write->index);
		uint32_t *word = &m->pages.slot[slot].word;

		host->write_first = (host->write_first + 1) % WRITES_MAX;
		if (!(*word & PG_RESIDENT) || !(*word & PG_WRITEBACK))
			continue;
		machine_memcg(m, *word & PG_MEMCG)->writeback--;
		*word &= ~PG_WRITEBACK;
		if (!(*word & PG_RECLAIM))
			continue;
		*word &= ~(uint32_t)PG_RECLAIM;
		rotate(m, slot);
	}
}

void writeback_wait(struct machine *m)
{
	if (m->host->nr_writes && m->host->device_free > m->host->now)
		m->host->now = m->host->device_free;
	writeback_due(m);
}

/* Dirty pages of one file, in order, at most @max.  Returns: writes started. */
static pages_t start_file(struct machine *m, uint32_t mapping, pages_t max)
{
	struct mapping *map = &m->pages.mapping[mapping];
	pages_t index, started = 0;

	for (index = 0; index < map->nr_pages && map->nr_dirty && started < max; index++) {
		uint32_t slot = page_find(&m->pages, map, index);

		if (slot < LEAF_SLOTS) {
			index |= LEAF_SLOTS - 1;
			continue;
		}
		if (!(m->pages.slot[slot].word & PG_DIRTY))
			continue;
		writeback_start(m, slot);
		started++;
	}
	return started;
}

void writeback_flusher(struct machine *m, pages_t max)
{
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;

	for (i = 1; i < nr && max; i++)
		if (!m->pages.mapping[i].task)
			max -= start_file(m, i, max);
}

void writeback_progress(struct machine *m, pages_t pages, ns_t most)
{
	const struct host *host = m->host;
	uint32_t nth = pages < host->nr_writes ? (uint32_t)pages : host->nr_writes;
	ns_t end = host->now + most;

	if (!nth)
		return;
	if (m->write[(host->write_first + nth - 1) % WRITES_MAX].end < end)
		end = m->write[(host->write_first + nth - 1) % WRITES_MAX].end;
	if (end > host->now)
		m->host->now = end;
	writeback_due(m);
}

void writeback_file(struct machine *m, uint32_t mapping)
{
	while (start_file(m, mapping, WRITES_MAX))
		writeback_wait(m);
	writeback_wait(m);
}
