/*
 * Faults of mapped files.  Follows filemap_fault() and filemap_map_pages(),
 * mm/filemap.c, of v2.6.31 and v6.18, and do_fault_around(), mm/memory.c.
 *
 * MODEL: mappings begin at a multiple of 2 MiB, in the file and in memory.
 */
#include "mapped.h"

#include <assert.h>

#include "policy.h"
#include "readahead.h"
#include "rmap.h"
#include "vma.h"
#include "writeback.h"

enum { AROUND_PAGES = 16 };	/* fault_around_bytes, 64 KiB */

static struct open_file *file_of(const struct machine *m, const struct mapping *view)
{
	assert(view->file && view->open);
	return &m->open[view->open - 1];
}

static bool is_there(const struct machine *m, uint32_t file, pages_t index)
{
	return (m->pages.slot[page_find(&m->pages, &m->pages.mapping[file], index)].word &
		PG_RESIDENT) != 0;
}

/* A page of tmpfs that is being swapped is in its file no more, until somebody wants it. */
static bool on_its_way(const struct machine *m, uint32_t file, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[file];

	return map->shmem && (m->pages.slot[page_find(&m->pages, map, index)].word & PG_SWAP_CACHE);
}

/*
 * Maps all resident pages of the 16 around @index; a marked one is left to a
 * fault of its own, which reads on.  Entries that are made so are young.
 * Pages that reclaim has thrown out before tell nothing of hits.
 * Returns: whether page @index is mapped now.
 */
static bool map_around(struct machine *m, uint32_t view, pages_t index)
{
	const struct mapping *of = &m->pages.mapping[view];
	pages_t i, end, around = index & ~(pages_t)(AROUND_PAGES - 1);
	struct open_file *open = file_of(m, of);
	uint32_t hits = 0;

	/* Not beyond the piece that the fault is in. */
	vma_limits(m, of, index, &i, &end);
	i = i > around ? i : around;
	for (; i < end && i < around + AROUND_PAGES; i++) {
		uint32_t slot = page_find(&m->pages, &m->pages.mapping[of->file], i);
		uint32_t head = m->pages.slot[page_head(&m->pages, slot)].word;

		if (!is_there(m, of->file, i) || (head & PG_READAHEAD) ||
		    on_its_way(m, of->file, i))
			continue;
		hits += !(head & PG_WORKINGSET);
		if (!(*rmap_entry(m, view, i) & PTE_PRESENT))
			rmap_map(m, view, i, slot);
	}
	open->mmap_miss -= hits < open->mmap_miss ? hits : open->mmap_miss;
	return (*rmap_entry(m, view, index) & PTE_PRESENT) != 0;
}

/* Whether a device has to be waited for: a file's page is missing, one of tmpfs is in swap. */
static bool is_major(const struct machine *m, uint32_t file, pages_t index)
{
	const struct mapping *map = &m->pages.mapping[file];
	uint32_t word = m->pages.slot[page_find(&m->pages, map, index)].word;

	return map->shmem ? (word & PG_SWAPPED) != 0 : !(word & PG_RESIDENT);
}

static enum limit_result bring(struct machine *m, uint32_t task, uint32_t file, pages_t index)
{
	enum limit_result result;

	if (!m->pages.mapping[file].shmem)
		return fault_bring(m, task, file, index);
	/* The fault is one access, which is counted already. */
	result = fault_shmem(m, task, file, index, false);
	m->host->totals.nr_accesses--;
	return result;
}

/* A fault of a page that the page table has no entry for. */
static enum limit_result fault(struct machine *m, uint32_t task, uint32_t view, pages_t index,
			       bool around)
{
	const struct mapping *of = &m->pages.mapping[view];
	enum limit_result result;

	if (around && map_around(m, view, index))
		return LIMIT_OK;
	if (is_major(m, of->file, index))
		fault_major(m, task, !m->pages.mapping[of->file].shmem);
	result = readahead_fault(m, task, file_of(m, of), vma_advice(m, of, index), index);
	if (result == LIMIT_OK && (!is_there(m, of->file, index) || on_its_way(m, of->file, index)))
		result = bring(m, task, of->file, index);
	if (result)
		return result;
	/* The fault is taken again after something was read. */
	if (!around || !map_around(m, view, index))
		rmap_map(m, view, index, page_find(&m->pages, &m->pages.mapping[of->file], index));
	return LIMIT_OK;
}

/*
 * Whether there is no entry, or a write finds it read only: it is until the
 * page gets dirty, and again once it is written out; tmpfs keeps no count of
 * that.  After: vma_wants_writenotify(), mm/mmap.c, v3.1.
 * MODEL: an entry may be written by as long as the page is dirty, whoever made it so.
 */
static bool faults(const struct machine *m, uint32_t view, pages_t index, bool write)
{
	const struct mapping *file = &m->pages.mapping[m->pages.mapping[view].file];
	uint32_t head = page_head(&m->pages, page_find(&m->pages, file, index));

	if (!(*rmap_entry(m, view, index) & PTE_PRESENT))
		return true;
	return write && !file->shmem && !(m->pages.slot[head].word & PG_DIRTY);
}

enum limit_result mapped_touch(struct machine *m, uint32_t task, uint32_t view, pages_t index,
			       uint32_t flags)
{
	const struct mapping *of = &m->pages.mapping[view];
	bool write = (flags & OPF_WRITE) != 0;
	bool around = machine_axis(m, AXIS_MMAP_AHEAD) == MMAP_AHEAD_AROUND && !write;
	enum limit_result result;

	if (faults(m, view, index, write))
		fault_count(m, task);
	result = fault_table(m, task, view, index);
	if (result)
		return result;
	m->host->totals.nr_accesses++;
	if (is_there(m, of->file, index)) {
		m->host->totals.nr_hits++;
		m->host->now += (ns_t)machine_knobs(m)->hit_ns;
	}
	if (*rmap_entry(m, view, index) & PTE_PRESENT)
		*rmap_entry(m, view, index) |= PTE_YOUNG;
	else
		result = fault(m, task, view, index, around);
	if (result == LIMIT_OK && write && !m->pages.mapping[of->file].shmem)
		writeback_dirty(
			m, page_head(&m->pages,
				     page_find(&m->pages, &m->pages.mapping[of->file], index)));
	return result;
}
