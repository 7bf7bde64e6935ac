/*
 * mlock(2) and munlock(2) of whole mappings or parts of them.  Invariant: a
 * page on the unevictable list is PG_MLOCKED.  Follows mm/mlock.c of v2.6.31 and v6.18.
 *
 * MODEL: v6.18 moves locked pages in batches of 31; here each moves at once.
 */
#include "mlock.h"

#include <assert.h>

#include "anon.h"
#include "rmap.h"

/* Whether entries of a mapping say that its pages are locked. */
static bool has_entries(const struct mapping *map)
{
	return map->file || map->forked.root;
}

/* The folio at @slot is locked from now on, wherever it is. */
static void lock(struct machine *m, uint32_t slot)
{
	uint32_t *word = &m->pages.slot[slot].word;

	*word |= PG_MLOCKED;
	if (page_pos(*word) != POS_LISTED || (*word & PG_UNEVICTABLE))
		return;
	machine_unlist(m, slot);
	*word |= PG_UNEVICTABLE;
	machine_list(m, slot);
}

void mlock_lock(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	struct mapping *map = &m->pages.mapping[op->object];
	uint32_t task = op->task, cpu = m->task[task].cpu, i;
	pages_t index = op->offset / PAGE_BYTES, end = units_pages(op->offset + op->length);
	enum limit_result result;

	for (i = 0; i < m->sc.cpus; i++)
		pagevec_drain(m, (cpu + i) % m->sc.cpus);
	result = anon_part(m, op->object,
			   &(struct vma_change){ index, end, VMA_LOCKED, VMA_LOCKED });
	for (; index < end && result == LIMIT_OK; index++) {
		result = map->file ? mapped_touch(m, task, op->object, index, OPF_READ)
				   : anon_touch(m, task, op->object, index, OPF_WRITE);
		if (result != LIMIT_OK)
			break;
		pagevec_drain(m, cpu);
		if (has_entries(map))
			*rmap_entry(m, op->object, index) |= PTE_LOCKED;
		lock(m, page_head(&m->pages, rmap_slot(m, op->object, index)));
		res->done_pages++;
	}
	res->outcome = access_outcome(result);
}

void mlock_unlock(struct machine *m, struct op_progress *progress, struct op_result *res)
{
	const struct op *op = &progress->op;
	struct mapping *map = &m->pages.mapping[op->object];
	pages_t index = op->offset / PAGE_BYTES, end = units_pages(op->offset + op->length);
	enum limit_result result;

	pagevec_drain(m, m->task[op->task].cpu);
	result = anon_part(m, op->object, &(struct vma_change){ index, end, VMA_LOCKED, 0 });
	res->outcome = access_outcome(result);
	for (; index < end && result == LIMIT_OK; index++) {
		uint32_t slot = rmap_slot(m, op->object, index);

		if (has_entries(map))
			*rmap_entry(m, op->object, index) &= (uint8_t)~PTE_LOCKED;
		if (!(m->pages.slot[slot].word & PG_RESIDENT))
			continue;
		rmap_unlock(m, page_head(&m->pages, slot));
		res->done_pages++;
	}
}
