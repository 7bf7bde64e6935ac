/*
 * Anonymous memory is touched.  A page belongs to whoever was charged for it
 * first, also when others have it since a fork; who writes to it then pays
 * for a copy, unless nobody else has it any more.  Follows mm/memory.c of
 * v2.6.31 and v6.18.
 */
#include "anon.h"

#include <assert.h>

#include "anon_vma.h"
#include "charge.h"
#include "idle.h"
#include "policy.h"
#include "rmap.h"
#include "swap.h"
#include "unmap.h"
#include "writeback.h"

/* A page of a task's memory that is touched. */
struct touched {
	uint32_t task, mapping;
	pages_t index;
};

enum limit_result anon_charge_chains(struct machine *m, uint32_t task, uint32_t memcg, uint32_t nr)
{
	uint32_t done = 0;
	enum limit_result result = LIMIT_OK;

	while (done < nr && result == LIMIT_OK) {
		result = limit_charge_bytes(m, task, memcg, KMEM_ANON_VMA, ANON_CHAIN_BYTES);
		done += result == LIMIT_OK;
	}
	if (result != LIMIT_OK)
		charge_give_chains(m, m->task[task].cpu, memcg, done);
	return result;
}

enum limit_result anon_part(struct machine *m, uint32_t id, const struct vma_change *change)
{
	const struct mapping *map = &m->pages.mapping[id];
	uint32_t before = vma_count(m, map), after, each = map->forked.depth + 1;
	enum limit_result result = LIMIT_OK;

	if (change->first == change->end)
		return result;
	after = vma_count_after(m, map, change);
	/* MODEL: whoever paid for the first pays for all, even if the task has moved since. */
	if (map->records && after > before)
		result = anon_charge_chains(m, map->task, map->records, (after - before) * each);
	if (result != LIMIT_OK)
		return result;
	if (!vma_set(m, id, change))
		machine_full(m, "pieces of mappings are too many for this version");
	if (map->records && after < before)
		charge_give_chains(m, m->task[map->task].cpu, map->records,
				   (before - after) * each);
	return result;
}

/* The first page that memory gets brings the records of its mapping, of all its pieces. */
static enum limit_result charge_records(struct machine *m, const struct touched *at)
{
	struct mapping *map = &m->pages.mapping[at->mapping];
	uint32_t memcg = m->task[at->task].memcg, chains = vma_count(m, map) - 1;
	enum limit_result result = LIMIT_OK;

	if (map->records || machine_axis(m, AXIS_KMEM) == KMEM_OFF)
		return result;
	result = anon_charge_chains(m, at->task, memcg, chains);
	if (result != LIMIT_OK)
		return result;
	result = limit_charge_bytes(m, at->task, memcg, KMEM_ANON_VMA, ANON_VMA_BYTES);
	map->records = result == LIMIT_OK ? memcg : MEMCG_NONE;
	if (result != LIMIT_OK)
		charge_give_chains(m, m->task[at->task].cpu, memcg, chains);
	return result;
}

static uint32_t slot_of(const struct machine *m, const struct touched *at)
{
	return anon_vma_slot(m, at->mapping, at->index);
}

static uint32_t word_of(const struct machine *m, const struct touched *at)
{
	return m->pages.slot[slot_of(m, at)].word;
}

/* Who pays for a page that comes back from swap: of one that was shared, whose swap it was. */
static uint32_t payer(const struct machine *m, const struct touched *at, uint32_t slot)
{
	uint32_t owner;

	if (!m->charges || !m->pages.mapping[at->mapping].forked.root ||
	    !(m->pages.slot[slot].word & PG_SWAPPED) ||
	    machine_axis(m, AXIS_SWAP_ACCOUNT) == SWAP_ACCOUNT_OFF)
		return MEMCG_NONE;
	owner = swap_owner(m, slot);
	if (machine_memcg(m, owner)->stand_in)
		return machine_memcg(m, owner)->stand_in;
	return machine_memcg(m, owner)->online ? owner : MEMCG_NONE;
}

/* Brings a page of anonymous memory in, new or from swap. */
static enum limit_result birth(struct machine *m, const struct touched *at, uint32_t flags)
{
	uint32_t slot = slot_of(m, at), word = m->pages.slot[slot].word;
	bool forked = m->pages.mapping[at->mapping].forked.root != 0;
	struct newborn born = { .task = at->task, .mapping = at->mapping, .index = at->index };
	enum limit_result result;

	born.memcg = payer(m, at, slot);
	born.mapping = word & PG_SWAPPED ? page_identity(&m->pages, slot, &born.index)
					 : anon_vma_store(m, at->mapping, at->index);
	if (born.mapping == UINT32_MAX) {
		machine_full(m, "no room for copies of forked memory: this version's limit");
		return LIMIT_NOMEM;
	}
	born.flags = PG_ANON | flags | fault_active_if_new(m, word);
	if (forked)
		born.flags &= ~(uint32_t)PG_YOUNG;
	result = fault_birth(m, &born);
	if (result != LIMIT_OK)
		return result;
	if (forked) {
		slot = page_find(&m->pages, &m->pages.mapping[born.mapping], born.index);
		*anon_vma_entry(m, at->mapping, at->index) = slot;
		if (flags & PG_MAPPED)
			anon_vma_map(m, at->mapping, at->index, slot);
	} else if (flags & PG_MAPPED) {
		m->task[at->task].rss++;
	}
	return LIMIT_OK;
}

/* Whether a page that was shared has to be copied before this task writes to it. */
static bool is_shared(struct machine *m, const struct touched *at, uint32_t slot)
{
	const uint32_t *word = &m->pages.slot[slot].word;
	uint32_t cpu = m->task[at->task].cpu, held = PG_HELD;

	assert(*word & PG_RESIDENT);
	if (anon_vma_users(m, slot).nr > 1)
		return true;
	if (machine_axis(m, AXIS_REUSE) == REUSE_MAPPED)
		return false;
	if (page_pos(*word) == POS_QUEUED || (*word & held))
		pagevec_drain(m, cpu);
	/* Another CPU's queue, or a write to swap, has a reference to it. */
	return page_pos(*word) == POS_QUEUED || (*word & (held | PG_WRITEBACK));
}

/* The task gets a page of its own; the old one stays with those who have it. */
static enum limit_result copy(struct machine *m, const struct touched *at)
{
	struct newborn born = { .task = at->task, .index = at->index,
				.flags = PG_ANON | PG_MAPPED | PG_DIRTY };
	bool locked = *rmap_entry(m, at->mapping, at->index) & PTE_LOCKED;
	enum limit_result result;
	uint32_t slot;

	born.flags |= fault_active_if_new(m, 0);
	born.mapping = anon_vma_store(m, at->mapping, at->index);
	if (born.mapping == UINT32_MAX) {
		machine_full(m, "no room for copies of forked memory: this version's limit");
		return LIMIT_NOMEM;
	}
	assert(m->pages.mapping[born.mapping].task == at->task);
	result = fault_birth(m, &born);
	if (result != LIMIT_OK)
		return result;
	/* Making room for the copy may have left this task the last that had the old page. */
	unmap_entry(m, m->task[at->task].cpu, at->mapping, at->index);
	slot = page_find(&m->pages, &m->pages.mapping[born.mapping], at->index);
	*anon_vma_entry(m, at->mapping, at->index) = slot;
	anon_vma_map(m, at->mapping, at->index, slot);
	if (locked)
		*rmap_entry(m, at->mapping, at->index) |= (uint8_t)PTE_LOCKED;
	return LIMIT_OK;
}

/* Whether a write to a page that is mapped faults, as it was shared. */
static bool is_protected(const struct machine *m, const struct touched *at)
{
	return m->pages.mapping[at->mapping].forked.root &&
	       (*rmap_entry(m, at->mapping, at->index) & PTE_PROTECTED);
}

/* A page that is there is touched; one that came back to swap cache alone is mapped again. */
static enum limit_result hit(struct machine *m, const struct touched *at, bool write)
{
	uint32_t slot = slot_of(m, at), *word = &m->pages.slot[slot].word;

	m->host->totals.nr_hits++;
	m->host->now += (ns_t)machine_knobs(m)->hit_ns;
	if (!anon_vma_mapped(m, at->mapping, at->index, slot)) {
		swap_hit(m, at->mapping, slot);
		/* Its place in the queue would look like somebody else's hold. */
		if (write && swap_waits(m) && page_pos(*word) == POS_QUEUED)
			pagevec_drain(m, m->task[at->task].cpu);
		anon_vma_map(m, at->mapping, at->index, slot);
	}
	if (write && is_protected(m, at)) {
		if (is_shared(m, at, slot))
			return copy(m, at);
		*rmap_entry(m, at->mapping, at->index) &= (uint8_t)~PTE_PROTECTED;
	}
	if (write)
		swap_rewritten(m, slot);
	/* On a file list: given up by MADV_FREE, which the write takes back. */
	if (write && !(*word & PG_ANON))
		*word |= PG_REDIRTIED;
	anon_vma_map(m, at->mapping, at->index, slot);
	return LIMIT_OK;
}

/* A window of swapped pages is read; writes that making room for them begins wait for its end. */
static enum limit_result read_swap(struct machine *m, const struct touched *at)
{
	enum limit_result result = LIMIT_OK;
	struct touched near = *at;
	pages_t end;

	swap_window(m, at->mapping, at->index, &near.index, &end);
	m->host->plugged = true;
	for (; near.index < end && result == LIMIT_OK && m->task[at->task].alive; near.index++) {
		if (!(word_of(m, &near) & PG_SWAPPED))
			continue;
		result = birth(m, &near, near.index == at->index ? 0 : PG_READAHEAD);
		m->host->plug_reads = true;
	}
	/* Where the window pushed out what it is read for, that comes alone. */
	if (result == LIMIT_OK && (word_of(m, at) & PG_SWAPPED))
		result = birth(m, at, 0);
	m->host->plugged = m->host->plug_reads = false;
	writeback_submit(m);
	idle_sleep(m, (ns_t)machine_knobs(m)->io_ns);
	return result;
}

/* A page that is not there: new, or from a device that reads at once. */
static enum limit_result fault(struct machine *m, const struct touched *at, uint32_t flags)
{
	bool write = (flags & OPF_WRITE) != 0, swapped = (word_of(m, at) & PG_SWAPPED) != 0;
	/* What was never written reads as the zero page, which nobody is charged. */
	bool zero = !write && (flags & OPF_READ) && !swapped &&
		    machine_axis(m, AXIS_ZERO_PAGE) == ZERO_PAGE_ON;
	enum limit_result result = zero ? LIMIT_OK : charge_records(m, at);

	if (result == LIMIT_OK)
		result = fault_table(m, at->task, at->mapping, at->index);
	if (result != LIMIT_OK || zero)
		return result;
	/* What others have in swap too comes as they left it, and is copied then. */
	if (swapped && write && anon_vma_users(m, slot_of(m, at)).nr > 1) {
		result = birth(m, at, PG_MAPPED | PG_YOUNG);
		return result == LIMIT_OK ? copy(m, at) : result;
	}
	return birth(m, at, PG_MAPPED | PG_YOUNG | (write ? PG_DIRTY : 0u));
}

/* Whether the task's page table says no: there is no entry, or it may not be written by.
 * MODEL: the zero page's entries are not kept, so each reading of never written memory faults. */
static bool faults(const struct machine *m, const struct touched *at, bool write)
{
	uint32_t slot = slot_of(m, at);

	if (!(m->pages.slot[slot].word & PG_RESIDENT) ||
	    !anon_vma_mapped(m, at->mapping, at->index, slot))
		return true;
	return write && is_protected(m, at);
}

enum limit_result anon_touch(struct machine *m, uint32_t task, uint32_t mapping, pages_t index,
			     uint32_t flags)
{
	const struct touched at = { task, mapping, index };
	enum limit_result result;

	m->host->totals.nr_accesses++;
	if (faults(m, &at, (flags & OPF_WRITE) != 0))
		fault_count(m, task);
	if (word_of(m, &at) & PG_SWAPPED)
		fault_major(m, task, swap_waits(m));
	/* From a slow device it comes to the swap cache first, and is no hit there. */
	while (swap_waits(m) && (word_of(m, &at) & PG_SWAPPED)) {
		result = read_swap(m, &at);
		if (result)
			return result;
		m->host->totals.nr_hits -= (word_of(m, &at) & PG_RESIDENT) != 0;
	}
	if (word_of(m, &at) & PG_RESIDENT)
		return hit(m, &at, (flags & OPF_WRITE) != 0);
	return fault(m, &at, flags);
}

enum limit_result anon_swap_in(struct machine *m, uint32_t task, uint32_t mapping, pages_t index)
{
	const struct touched at = { task, mapping, index };

	assert(word_of(m, &at) & PG_SWAPPED);
	return birth(m, &at, 0);
}
