/*
 * Dirty, under writeback, clean again.  Follows mm/page-writeback.c and
 * mm/swap.c of v2.6.31, v3.1 and v6.18.
 *
 * MODEL: a page rotates at the moment its write ends; a page that was
 * dropped and dirtied again before that is clean a little early.
 */
#include "writeback.h"

#include <assert.h>

#include "account.h"
#include "device.h"
#include "idle.h"
#include "policy.h"
#include "stat_batch.h"

static struct mapping *mapping_of(const struct machine *m, uint32_t slot)
{
	return &m->pages.mapping[m->pages.leaf[slot >> LEAF_SHIFT].mapping];
}

/* The most that a group with a limit had dirty and under writeback. */
static void note_peak(struct machine *m, const struct memcg *memcg)
{
	pages_t sum = memcg->dirty + memcg->writeback;

	if (memcg->counter.limit < PAGES_UNLIMITED && sum > m->host->totals.peak_dirty_pages)
		m->host->totals.peak_dirty_pages = sum;
}

void writeback_dirty(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word, nr = page_nr(&m->pages, slot);
	struct mapping *map = mapping_of(m, slot);

	assert(!(*word & PG_ANON) && slot == page_head(&m->pages, slot));
	if (*word & PG_DIRTY)
		return;
	*word |= PG_DIRTY;
	account_rework(m);
	account_page(m, slot, ACCOUNT_DIRTY);
	if (!map->nr_dirty)
		map->dirtied_at = m->host->now;
	if (!m->host->dirty)
		m->host->flusher_wake = m->host->now + (ns_t)machine_knobs(m)->dirty_writeback_ns;
	machine_memcg(m, *word & PG_MEMCG)->dirty += nr;
	stat_batch_add(m, *word & PG_MEMCG, BATCH_DIRTY, nr);
	machine_memcg(m, *word & PG_MEMCG)->nr_dirtied += nr;
	map->nr_dirty += nr;
	m->host->dirty += nr;
	m->host->totals.nr_dirtied += nr;
	note_peak(m, machine_memcg(m, *word & PG_MEMCG));
}

void writeback_clean(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word, nr = page_nr(&m->pages, slot);

	if ((*word & PG_DIRTY) && !(*word & PG_ANON)) {
		machine_memcg(m, *word & PG_MEMCG)->dirty -= nr;
		stat_batch_add(m, *word & PG_MEMCG, BATCH_DIRTY, -(int64_t)nr);
		mapping_of(m, slot)->nr_dirty -= nr;
		m->host->dirty -= nr;
		account_page(m, slot, ACCOUNT_DIRTY);
	}
	if (*word & PG_WRITEBACK) {
		account_page(m, slot, ACCOUNT_WRITEBACK);
		machine_memcg(m, *word & PG_MEMCG)->writeback -= nr;
		stat_batch_add(m, *word & PG_MEMCG, BATCH_WRITEBACK, -(int64_t)nr);
		m->host->writeback -= nr;
	}
	*word &= ~((uint32_t)PG_DIRTY | PG_WRITEBACK);
}

bool writeback_congested(const struct machine *m)
{
	return machine_knobs(m)->write_ns &&
	       m->host->device[DEVICE_DISK].nr >= (uint32_t)machine_knobs(m)->write_queue;
}

/* To the tail of the lists that the era rotates. */
static void rotate(struct machine *m, uint32_t slot)
{
	uint32_t word = m->pages.slot[slot].word;

	assert(word & PG_RESIDENT);
	if (page_pos(word) != POS_LISTED || (word & (PG_DIRTY | PG_UNEVICTABLE)))
		return;
	if (word & PG_ACTIVE) {
		if (machine_axis(m, AXIS_FILE_WRITEOUT) != FILE_WRITEOUT_NEVER)
			return;
		machine_unlist(m, slot);
		m->pages.slot[slot].word &= ~(uint32_t)PG_ACTIVE;
		machine_list(m, slot);
	}
	machine_to_tail(m, slot, machine_axis(m, AXIS_ROTATE_GROUP) == ROTATE_GROUP_ON);
}

/* A folio is written, if it is still there. */
static void end_write(struct machine *m, const struct write *write)
{
	uint32_t slot = page_find(&m->pages, &m->pages.mapping[write->mapping], write->index);
	uint32_t *word = &m->pages.slot[slot].word, nr = page_nr(&m->pages, slot);

	if (!(*word & PG_RESIDENT) || !(*word & PG_WRITEBACK) || slot != page_head(&m->pages, slot))
		return;
	machine_memcg(m, *word & PG_MEMCG)->writeback -= nr;
	stat_batch_add(m, *word & PG_MEMCG, BATCH_WRITEBACK, -(int64_t)nr);
	m->host->writeback -= nr;
	account_page(m, slot, ACCOUNT_WRITEBACK);
	*word &= ~PG_WRITEBACK;
	if (!(*word & PG_RECLAIM))
		return;
	*word &= ~(uint32_t)PG_RECLAIM;
	rotate(m, slot);
}

ns_t writeback_next(const struct machine *m)
{
	ns_t disk = device_next(m, DEVICE_DISK), swap = device_next(m, DEVICE_SWAP);

	return disk < swap ? disk : swap;
}

pages_t writeback_due(struct machine *m)
{
	pages_t done = 0;
	struct write write;

	/* In the order in which they end, whatever device they are of. */
	while (writeback_next(m) <= m->host->now) {
		enum device_id id = device_next(m, DEVICE_SWAP) < device_next(m, DEVICE_DISK)
					    ? DEVICE_SWAP
					    : DEVICE_DISK;

		if (!device_done(m, id, &write))
			break;
		end_write(m, &write);
		done += write.nr;
	}
	return done;
}

void writeback_submit(struct machine *m)
{
	device_submit(m, DEVICE_DISK);
	if (!m->host->plugged)
		device_submit(m, DEVICE_SWAP);
}

/* Time passes until the next write ends.  Returns: pages written, 0 if none is under way. */
static pages_t wait_next(struct machine *m)
{
	/* Who sleeps holds nothing back. */
	device_submit(m, DEVICE_DISK);
	device_submit(m, DEVICE_SWAP);
	if (writeback_next(m) == NS_NEVER)
		return 0;
	if (writeback_next(m) > m->host->now)
		idle_sleep(m, writeback_next(m) - m->host->now);
	return writeback_due(m);
}

/* The folio at @slot is under writeback from now on. */
static void give(struct machine *m, enum device_id id, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;
	struct write write = { .nr = page_nr(&m->pages, slot) };

	while (device_full(m, id) && wait_next(m))
		;
	write.mapping = page_identity(&m->pages, slot, &write.index);
	device_add(m, id, write);
	*word |= PG_WRITEBACK;
	machine_memcg(m, *word & PG_MEMCG)->writeback += write.nr;
	stat_batch_add(m, *word & PG_MEMCG, BATCH_WRITEBACK, write.nr);
	m->host->writeback += write.nr;
	account_page(m, slot, ACCOUNT_WRITEBACK);
}

bool writeback_start(struct machine *m, uint32_t slot)
{
	assert((m->pages.slot[slot].word & PG_RESIDENT) &&
	       !(m->pages.slot[slot].word & PG_WRITEBACK));
	writeback_clean(m, slot);
	m->host->totals.nr_written += page_nr(&m->pages, slot);
	machine_memcg(m, m->pages.slot[slot].word & PG_MEMCG)->nr_written +=
		page_nr(&m->pages, slot);
	if (!machine_knobs(m)->write_ns)
		return true;
	give(m, DEVICE_DISK, slot);
	return false;
}

void writeback_swap(struct machine *m, uint32_t slot)
{
	assert(m->pages.slot[slot].word & PG_ANON);
	writeback_clean(m, slot);
	m->pages.slot[slot].word |= PG_RECLAIM;
	give(m, DEVICE_SWAP, slot);
}

void writeback_wait_page(struct machine *m, uint32_t slot)
{
	while ((m->pages.slot[slot].word & PG_WRITEBACK) && wait_next(m))
		;
}

void writeback_wait(struct machine *m)
{
	while (wait_next(m))
		;
}

/* Which pages are written: of one group unless MEMCG_NONE, at most so many. */
struct choice {
	pages_t first, end;
	uint32_t memcg;
	pages_t max;
};

/* Dirty pages of one file, in order.  Returns: pages given to the disk. */
static pages_t start_pages(struct machine *m, uint32_t mapping, const struct choice *which)
{
	const struct mapping *map = &m->pages.mapping[mapping];
	pages_t index, started = 0, end = which->end;

	if (end > map->nr_pages)
		end = map->nr_pages;
	for (index = which->first; index < end && map->nr_dirty && started < which->max; index++) {
		uint32_t slot = page_find(&m->pages, map, index), word;

		if (slot < LEAF_SLOTS) {
			index |= LEAF_SLOTS - 1;
			continue;
		}
		word = m->pages.slot[slot].word;
		/* What is still being written is left for another time. */
		if (!(word & PG_DIRTY) || (word & PG_WRITEBACK) ||
		    (which->memcg && (word & PG_MEMCG) != which->memcg))
			continue;
		started += page_nr(&m->pages, slot);
		writeback_start(m, slot);
	}
	return started;
}

pages_t writeback_start_file(struct machine *m, uint32_t mapping, pages_t max)
{
	return writeback_range(m, mapping, 0, m->pages.mapping[mapping].nr_pages, max);
}

pages_t writeback_range(struct machine *m, uint32_t mapping, pages_t first, pages_t end,
			pages_t max)
{
	const struct choice which = { first, end, MEMCG_NONE, max };
	pages_t started = start_pages(m, mapping, &which);

	writeback_submit(m);
	return started;
}

pages_t writeback_flusher(struct machine *m, uint32_t memcg, pages_t max)
{
	uint32_t nr = m->block.region[REGION_MAPPING].used, i;
	pages_t started = 0;

	for (i = 1; i < nr && started < max; i++) {
		const struct choice which = { 0, PAGES_UNLIMITED, memcg, max - started };

		if (!m->pages.mapping[i].task)
			started += start_pages(m, i, &which);
	}
	writeback_submit(m);
	return started;
}

void writeback_progress(struct machine *m, pages_t pages, ns_t most)
{
	ns_t end = m->host->now + most;
	pages_t done = 0;

	writeback_submit(m);
	while (done < pages && writeback_next(m) <= end)
		done += wait_next(m);
	/* With less than that under way it ends when the last of it is written. */
	if (done < pages && writeback_next(m) != NS_NEVER)
		idle_sleep(m, end - m->host->now);
}

void writeback_file(struct machine *m, uint32_t mapping)
{
	do
		writeback_wait(m);
	while (writeback_start_file(m, mapping, WRITES_MAX));
	writeback_wait(m);
}

void writeback_told(struct machine *m, uint32_t memcg, enum rule rule, ns_t since)
{
	struct event event = { .kind = EVENT_WAIT, .memcg = memcg, .rule = rule };

	assert(m->host->now >= since);
	m->host->totals.dirty_wait_ns += m->host->now - since;
	if (m->host->now == since || !machine_wants(m, EVENT_WAIT))
		return;
	event.n[WAIT_SLEPT] = (int64_t)(m->host->now - since);
	event.n[WAIT_DIRTY] = (int64_t)machine_memcg(m, memcg)->dirty;
	event.n[WAIT_WRITEBACK] = (int64_t)machine_memcg(m, memcg)->writeback;
	machine_emit(m, &event);
}
