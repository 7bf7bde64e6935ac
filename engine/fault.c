/*
 * Accesses: a hit, or charge, place and queue.  Invariant: a page is charged
 * before it is resident, and a failed charge leaves nothing behind.  Follows
 * v2.6.31 mm/filemap.c, mm/memory.c, mm/swap.c; v6.18 mm/filemap.c.
 *
 * MODEL: a page's read is complete before the next page is looked up (the
 * readahead window changes no list order).
 */
#include "fault.h"

#include <assert.h>
#include <string.h>

#include "charge.h"
#include "frame.h"
#include "idle.h"
#include "policy.h"
#include "pressure.h"
#include "rmap.h"
#include "soft.h"
#include "stat_batch.h"
#include "swap.h"
#include "touch.h"
#include "workingset.h"
#include "writeback.h"


/* The shadow by which a folio is judged: the last one in its place. */
static struct slot last_shadow(const struct machine *m, const struct newborn *born)
{
	const struct mapping *map = &m->pages.mapping[born->mapping];
	struct slot found = m->pages.slot[page_find(&m->pages, map, born->index)];
	pages_t i;

	for (i = 1; i < (pages_t)1 << born->order; i++) {
		struct slot old = m->pages.slot[page_find(&m->pages, map, born->index + i)];

		if (old.word & PG_SHADOW)
			found = old;
	}
	return found;
}

/* Makes the pages of a folio resident, one after the other.  Returns: the first one's slot. */
static uint32_t insert(struct machine *m, const struct newborn *born, uint32_t word)
{
	const struct mapping *map = &m->pages.mapping[born->mapping];
	uint32_t first = SLOT_NONE, back = 0, slot;
	pages_t i;

	for (i = 0; i < (pages_t)1 << born->order; i++) {
		uint32_t old = m->pages.slot[page_find(&m->pages, map, born->index + i)].word;

		slot = page_insert(&m->pages, born->mapping, born->index + i, word);
		if (slot == SLOT_NONE)
			return slot;
		/* A swapped page of shmem kept its place in the tree. */
		if (m->has_nodes && !map->anon && !(old & PG_SWAPPED))
			nodes_store(m, word & PG_MEMCG, slot, (old & PG_SHADOW) != 0);
		if (m->sc.nodes > 1)
			m->pages.node[slot] = (uint8_t)machine_node(m, born->zone);
		if (m->pages.folios)
			m->pages.order[slot] = (uint8_t)born->order;
		first = i ? first : slot;
		back += m->pages.back;
	}
	m->pages.back = back;
	return first;
}

/* Pages of files are told, and may bring the next flush. */
static void tell_cached(struct machine *m, uint32_t slot)
{
	uint64_t nr = page_nr(&m->pages, slot), *after = &m->host->flush_after;
	bool due = *after && *after <= nr;

	machine_emit_cache(m, slot, true);
	*after -= due ? *after : *after ? nr : 0;
	if (due)
		flush_all(m);
}

/* Pages of a file that were read once more after reclaim took them: the laboratory's own count,
 * in kernels too that keep no shadows. */
static void count_reread(struct machine *m, uint32_t memcg)
{
	machine_memcg(m, memcg)->nr_reread += m->pages.back;
	m->host->totals.nr_reread += m->pages.back;
}

/* Makes charged pages resident and queues them.  Returns: whether there was room. */
static bool place(struct machine *m, const struct newborn *born)
{
	bool write = (born->flags & PG_DIRTY) != 0, anon = (born->flags & PG_ANON) != 0;
	uint32_t memcg = born->memcg, cpu = m->task[born->task].cpu;
	struct bucket into = { memcg, machine_node(m, born->zone) };
	struct slot old = last_shadow(m, born);
	uint32_t slot = insert(m, born, (born->flags & ~(uint32_t)PG_DIRTY) | memcg);

	if (slot == SLOT_NONE)
		return false;
	assert(!(old.word & PG_RESIDENT));
	rmap_tally(m, slot, 1);
	m->host->resident += (pages_t)1 << born->order;
	m->host->now +=
		(ns_t)(born->ahead ? machine_knobs(m)->readahead_ns : machine_knobs(m)->fault_ns);
	if (!write && !anon)
		count_reread(m, memcg);
	swap_returned(m, slot, old, write);
	if ((old.word & PG_SHADOW) && (!write || anon))
		m->pages.slot[slot].word |= workingset_refault(
			m, into, old, anon ? SCAN_ANON : SCAN_FILE, 1u << born->order);
	if (born->order)
		pagevec_add_folio(m, cpu, slot);
	else
		pagevec_add(m, cpu, slot);
	soft_event(m, memcg, born->zone, false);
	if (!anon)
		tell_cached(m, slot);
	return true;
}

enum limit_result fault_birth(struct machine *m, struct newborn *born)
{
	pages_t nr = (pages_t)1 << born->order;
	enum limit_result result;
	uint32_t zone;

	assert(m->task[born->task].alive);
	if (!born->memcg)
		born->memcg = machine_owner(m, born->task);
	m->by = born->memcg;
	while (!frame_take(m, m->task[born->task].cpu, nr, &zone)) {
		result = limit_machine_oom(m, born->task);
		if (result)
			return result;
	}
	born->zone = zone;
	born->flags |= zone % m->host->node_zones << PG_ZONE_SHIFT;
	result = limit_charge(m, born->task, born->memcg, nr, (born->flags & PG_ANON) != 0);
	if (result == LIMIT_OK) {
		result = limit_charge_nodes(m, born->task, born->mapping, born->index + nr - 1);
		if (result == LIMIT_OK && !place(m, born)) {
			machine_full(m, "pages are too scattered: this version's limit of leaves");
			result = LIMIT_NOMEM;
		}
		if (result)
			charge_uncharge(m, born->memcg, nr);
	}
	if (result)
		zone_free(m, zone, nr);
	return result;
}

enum limit_result fault_table(struct machine *m, uint32_t task, uint32_t mapping, pages_t index)
{
	uint32_t *there = page_table_flag(&m->pages, &m->pages.mapping[mapping], index);
	struct mapping *map = &m->pages.mapping[mapping];
	enum limit_result result;

	assert(map->task == task);
	if (*there || machine_axis(m, AXIS_KMEM) == KMEM_OFF)
		return LIMIT_OK;
	result = limit_charge_kmem(m, task, m->task[task].memcg, KMEM_PAGETABLES);
	if (result == LIMIT_OK) {
		*there = m->task[task].memcg;
		m->task[task].tables++;
		map->nr_tables++;
	}
	return result;
}

/* Pages of a file, and the time that the device takes for them. */
static enum limit_result read_in(struct machine *m, struct newborn *born)
{
	enum limit_result result = fault_birth(m, born);
	ns_t since = m->host->now;
	uint32_t slot;

	if (result)
		return result;
	idle_sleep(m, (ns_t)machine_knobs(m)->io_ns << born->order);
	slot = page_find(&m->pages, &m->pages.mapping[born->mapping], born->index);
	if (!born->ahead && (m->pages.slot[slot].word & PG_WORKINGSET))
		pressure_stalled(m, born->memcg, since);
	return LIMIT_OK;
}

enum limit_result fault_bring(struct machine *m, uint32_t task, uint32_t file, pages_t index)
{
	return read_in(m, &(struct newborn){ .task = task, .mapping = file, .index = index });
}

enum limit_result fault_ahead(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			      uint32_t order)
{
	assert(index % ((pages_t)1 << order) == 0);
	return read_in(m, &(struct newborn){ .task = task, .mapping = file, .index = index,
					     .order = order, .ahead = true });
}

uint32_t fault_active_if_new(const struct machine *m, uint32_t old)
{
	bool active = machine_axis(m, AXIS_NEW_ANON) == NEW_ANON_ACTIVE && !(old & PG_SWAPPED);

	return active ? PG_ACTIVE : 0;
}

/* A page of tmpfs that is not in memory: swapped, or new.  On the anon lists, by no device. */
static enum limit_result birth_shmem(struct machine *m, uint32_t task, uint32_t file, pages_t index)
{
	struct mapping *map = &m->pages.mapping[file];
	uint32_t old = m->pages.slot[page_find(&m->pages, map, index)].word, flags = PG_ANON;

	flags |= fault_active_if_new(m, old);
	if (!map->swap_memcg)
		map->swap_memcg = m->task[task].memcg;
	return fault_birth(m, &(struct newborn){ .task = task, .mapping = file, .index = index,
						 .flags = flags });
}

enum limit_result fault_shmem(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			      bool hole)
{
	uint32_t slot = page_find(&m->pages, &m->pages.mapping[file], index);
	enum limit_result result = LIMIT_OK;

	assert(m->pages.mapping[file].shmem);
	m->host->totals.nr_accesses++;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
		/* On its way to swap: it is back in its file, and the slot is free. */
		if (m->pages.slot[slot].word & PG_SWAP_CACHE)
			swap_forget(m, slot);
	} else if (hole && !(m->pages.slot[slot].word & PG_SWAPPED)) {
		return LIMIT_OK;
	} else {
		result = birth_shmem(m, task, file, index);
	}
	if (result == LIMIT_OK)
		touch_page(m, m->task[task].cpu,
			   page_find(&m->pages, &m->pages.mapping[file], index));
	return result;
}

enum limit_result fault_read(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			     bool touch)
{
	const struct mapping *map = &m->pages.mapping[file];
	uint32_t slot = page_find(&m->pages, map, index);
	enum limit_result result;

	assert(index < map->nr_pages);
	if (map->shmem)
		return fault_shmem(m, task, file, index, true);
	m->host->totals.nr_accesses++;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
	} else {
		result = fault_bring(m, task, file, index);
		if (result)
			return result;
		slot = page_find(&m->pages, map, index);
	}
	if (touch)
		touch_page(m, m->task[task].cpu, page_head(&m->pages, slot));
	return LIMIT_OK;
}

/* Buffer heads of a written page, one a page, are made once it is in the cache.  They must not
 * fail: without room they are left out (MODEL). */
static void make_buffers(struct machine *m, uint32_t task, uint32_t file, pages_t index)
{
	uint32_t slot = page_head(&m->pages, page_find(&m->pages, &m->pages.mapping[file], index));
	uint32_t nr = page_nr(&m->pages, slot), made, memcg;

	if (machine_axis(m, AXIS_KMEM) == KMEM_OFF || (m->pages.slot[slot].word & PG_BUFFERS))
		return;
	/* The page's group is charged, whoever writes. */
	memcg = charge_kmem_owner(m, m->pages.slot[slot].word & PG_MEMCG);
	for (made = 0; made < nr; made++)
		if (limit_charge_bytes(m, task, memcg, KMEM_BUFFER_HEADS, BUFFER_BYTES) != LIMIT_OK)
			break;
	if (made == nr && (m->pages.slot[slot].word & PG_RESIDENT)) {
		m->pages.slot[slot].word |= PG_BUFFERS;
		return;
	}
	while (made-- > 0)
		charge_free_object(m, m->task[task].cpu, memcg, KMEM_BUFFER_HEADS, BUFFER_BYTES);
}

enum limit_result fault_write(struct machine *m, uint32_t task, uint32_t file, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[file];
	uint32_t slot = page_find(&m->pages, map, index);
	enum limit_result result;

	assert(index < map->nr_pages && !map->anon);
	if (map->shmem)
		return fault_shmem(m, task, file, index, false);
	m->host->totals.nr_accesses++;
	if (m->pages.slot[slot].word & PG_RESIDENT) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
	} else {
		/* Written whole: nothing is read, and no shadow is asked. */
		result = fault_birth(m, &(struct newborn){ .task = task, .mapping = file,
							   .index = index, .flags = PG_DIRTY });
		if (result)
			return result;
		slot = page_find(&m->pages, map, index);
	}
	slot = page_head(&m->pages, slot);
	if (machine_axis(m, AXIS_TOUCH_WRITE) == TOUCH_WRITE_ON)
		touch_page(m, m->task[task].cpu, slot);
	writeback_dirty(m, slot);
	make_buffers(m, task, file, index);
	/* The charge for them may have been the task's last. */
	return m->task[task].alive ? LIMIT_OK : LIMIT_KILLED;
}

pages_t fault_read_run(struct machine *m, uint32_t task, uint32_t file, pages_t index, pages_t nr)
{
	const struct mapping *map = &m->pages.mapping[file];
	uint32_t cpu = m->task[task].cpu, memcg = machine_owner(m, task);
	uint32_t slot = page_find(&m->pages, map, index);
	uint32_t zone = zone_nth(m, machine_cpu_node(m, cpu), 0);
	pages_t frames = frames_at_once(m, zone);
	bool watched = m->host->soft_used || machine_has_locks(m) || m->host->flush_after != 0 ||
		       machine_wants(m, EVENT_CACHE);

	assert(nr > 0 && index + nr <= map->nr_pages);
	/* What is told or timed page by page goes the long way; so does what makes tree nodes. */
	if (watched || map->shmem || (m->pages.slot[slot].word & PG_SHADOW))
		return 0;
	if (m->has_nodes && nodes_room(m, file, index) < nr)
		nr = nodes_room(m, file, index);
	if (!nr || (m->pages.slot[slot].word & PG_RESIDENT) || !frames)
		return 0;
	nr = page_missing(&m->pages, map, index, nr < frames ? nr : frames);
	nr = charge_run(m, cpu, memcg, nr);
	if (!nr)
		return 0;
	/* A page's first use by read(2) marks it referenced, wherever it is by then. */
	slot = page_insert_run(&m->pages, file, index, (uint32_t)nr,
			       PG_REFERENCED | memcg | zone % m->host->node_zones << PG_ZONE_SHIFT);
	if (slot == SLOT_NONE) {
		charge_uncharge(m, memcg, nr);
		return 0;
	}
	count_reread(m, memcg);
	stat_batch_run(m, memcg, BATCH_CACHE, nr);
	m->host->resident += nr;
	m->host->zone[zone].free -= nr;
	if (m->sc.nodes > 1)
		memset(m->pages.node + slot, (int)machine_node(m, zone), nr);
	if (m->has_nodes)
		nodes_store_run(m, slot, (uint32_t)nr);
	m->host->totals.nr_accesses += nr;
	m->host->now += nr * (ns_t)machine_knobs(m)->fault_ns;
	idle_sleep(m, nr * (ns_t)machine_knobs(m)->io_ns);
	pagevec_add_run(m, cpu, slot, (uint32_t)nr);
	return nr;
}

void fault_count(struct machine *m, uint32_t task)
{
	machine_memcg(m, m->task[task].memcg)->pgfault++;
	stat_batch_add(m, m->task[task].memcg, BATCH_PGFAULT, 1);
}

void fault_major(struct machine *m, uint32_t task, bool again)
{
	if (again && machine_axis(m, AXIS_PGFAULT) == PGFAULT_ATTEMPTS)
		fault_count(m, task);
	machine_memcg(m, m->task[task].memcg)->majfault++;
	stat_batch_add(m, m->task[task].memcg, BATCH_PGMAJFAULT, 1);
	m->host->totals.majfault++;
}
