/*
 * One page access: a hit, or charge, reclaim, retry, place.
 */
#ifndef MEMCGLAB_ENGINE_FAULT_H
#define MEMCGLAB_ENGINE_FAULT_H

#include "limit.h"

/**
 * fault_read - read(2) comes to page @index of a file
 * @task: charged is its group
 * @touch: false where the previous read ended in this very place
 * A hit costs hit_ns [ns] and charges nobody, whoever owns the page.
 * Returns: LIMIT_OK, or how the charge of a missing page failed.
 * After: do_generic_file_read(), add_to_page_cache_lru(), mm/filemap.c, v2.6.31.
 */
enum limit_result fault_read(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			     bool touch);

/**
 * fault_bring - page @index of a file, which is missing, is read in for @task
 * Charged to the task's group, queued on its CPU, not touched; costs
 * fault_ns + io_ns.  Where reclaim left a shadow, the refault is judged.
 * Returns: LIMIT_OK, or why the charge failed; nothing is left behind then.
 */
enum limit_result fault_bring(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			      uint32_t order);

/**
 * fault_read_run - fault_read of whole pages while they are missing and the charge is certain
 * Takes frames of the highest zone only, while it stays above its low mark, and
 * does nothing that an observer or a flush has to see page by page.
 * Returns: pages done, from @index on; 0 if the next one needs fault_read.
 */
pages_t fault_read_run(struct machine *m, uint32_t task, uint32_t file, pages_t index,
		       pages_t nr);

/**
 * fault_write - write(2) of page @index of a file, whole
 * A missing page is made without reading and without asking its shadow;
 * it is dirty afterwards.  Counts as a use with touch_write=on.
 * After: generic_perform_write(), mm/filemap.c, v2.6.31 and v6.18.
 */
enum limit_result fault_write(struct machine *m, uint32_t task, uint32_t file, pages_t index);

/**
 * fault_anon - a task touches page @index of an anonymous mapping
 * @flags: OPF_WRITE: the page becomes dirty and gives up its copy in swap;
 *         OPF_READ: a page that was never written is the zero page (zero_page=on)
 * With kmem=nodes the page table over it is charged first.
 * After: do_anonymous_page(), mm/memory.c, v2.6.31.
 */
enum limit_result fault_anon(struct machine *m, uint32_t task, uint32_t mapping, pages_t index,
			     uint32_t flags);

/**
 * fault_shmem - page @index of a file of tmpfs is read or written
 * @hole: a page that was never written stays a hole; else it is made
 * New pages are swap-backed: on the anon lists, charged as cache; no device
 * writes them.  Every use counts.
 * After: shmem_getpage(), mm/shmem.c, v2.6.31; shmem_get_folio_gfp(), v6.18.
 */
enum limit_result fault_shmem(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			      bool hole);

/* fault_swap_in - a swapped page of a task's memory comes back into memory, but is not mapped; its
 * slot stays taken.  After: swapin_walk_pmd_entry(), mm/madvise.c, v6.18. */
enum limit_result fault_swap_in(struct machine *m, uint32_t task, uint32_t mapping,
				pages_t index);

/* fault_table - the page table over page @index of a task's mapping is there, charged to the task's
 * group when it is first needed (kmem=nodes).  Returns: LIMIT_OK, or why the charge failed. */
enum limit_result fault_table(struct machine *m, uint32_t task, uint32_t mapping, pages_t index);

#endif
