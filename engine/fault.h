/*
 * One page access: a hit, or charge, reclaim, retry, place.
 */
#ifndef MEMCGLAB_ENGINE_FAULT_H
#define MEMCGLAB_ENGINE_FAULT_H

#include "limit.h"

/* What is to come into memory: 2^order pages of a mapping, aligned. */
struct newborn {
	uint32_t task, mapping;
	pages_t index;
	uint32_t order;
	uint32_t flags;		/* of its word; PG_DIRTY: it is written to */
	uint32_t zone;		/* of its frames; filled in */
	uint32_t memcg;		/* who pays; MEMCG_NONE: the task's group */
	bool ahead;		/* read ahead of an access, not by it */
};

/* fault_birth - frames are taken and charged, the pages made resident and queued
 * Returns: LIMIT_OK, or how it failed; nothing is left behind then. */
enum limit_result fault_birth(struct machine *m, struct newborn *born);

/* fault_active_if_new - PG_ACTIVE for a new swap-backed page whose slot held @old; swapped ones
 * come back inactive in every era. */
uint32_t fault_active_if_new(const struct machine *m, uint32_t old);

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
 * fault_ahead - a folio of 2^@order missing pages is, before anybody asks for it
 * Charged to the task's group, queued on its CPU, not touched; costs fault_ns, ahead
 * readahead_ns, and io_ns a page.  Where reclaim left a shadow, the refault is judged.
 * Returns: LIMIT_OK, or why the charge failed; nothing is left behind then.
 */
enum limit_result fault_bring(struct machine *m, uint32_t task, uint32_t file, pages_t index);
enum limit_result fault_ahead(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			      uint32_t order);

/* fault_count - @task faults; counted for the group that it is in, also if the fault fails.
 * After: handle_mm_fault(), mm/memory.c, v3.1; mm_account_fault(), v6.18.
 * MODEL: one that is taken again after a task was killed is not counted again. */
void fault_count(struct machine *m, uint32_t task);

/* fault_major - that fault waits for a device; @again: and is then taken again, as its page is
 * locked meanwhile.  After: filemap_fault(), do_swap_page(), v3.1. */
void fault_major(struct machine *m, uint32_t task, bool again);

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
 * fault_shmem - page @index of a file of tmpfs is read or written
 * @hole: a page that was never written stays a hole; else it is made
 * New pages are swap-backed: on the anon lists, charged as cache; no device
 * writes them.  Every use counts.
 * After: shmem_getpage(), mm/shmem.c, v2.6.31; shmem_get_folio_gfp(), v6.18.
 */
enum limit_result fault_shmem(struct machine *m, uint32_t task, uint32_t file, pages_t index,
			      bool hole);

/* fault_table - the page table over page @index of a task's mapping is there, charged to the task's
 * group when it is first needed (kmem=nodes).  Returns: LIMIT_OK, or why the charge failed. */
enum limit_result fault_table(struct machine *m, uint32_t task, uint32_t mapping, pages_t index);

#endif
