/*
 * Faults of anonymous memory: new pages, pages that come back from swap, and
 * copies of pages that a fork has shared.
 */
#ifndef MEMCGLAB_ENGINE_ANON_H
#define MEMCGLAB_ENGINE_ANON_H

#include "fault.h"
#include "vma.h"

/**
 * anon_touch - a task touches page @index of an anonymous mapping
 * @flags: OPF_WRITE: the page becomes dirty and gives up its copy in swap; one
 *         that somebody else has too is copied, and the copy is the task's;
 *         OPF_READ: a page that was never written is the zero page (zero_page=on)
 * With kmem=nodes the page table over it is charged first.
 * After: do_anonymous_page(), do_swap_page(), do_wp_page(), mm/memory.c, v2.6.31 and v6.18.
 */
enum limit_result anon_touch(struct machine *m, uint32_t task, uint32_t mapping, pages_t index,
			     uint32_t flags);

/**
 * anon_charge_chains - @task gets @nr records of which pages memory has; @memcg pays
 * A mapping has one for each fork that it has come through and one more, and
 * as many for each of its pieces.
 * Returns: LIMIT_OK, or how it failed; none is charged then.
 * After: anon_vma_clone(), mm/rmap.c, v6.18.
 */
enum limit_result anon_charge_chains(struct machine *m, uint32_t task, uint32_t memcg,
				     uint32_t nr);

/**
 * anon_part - @change the pieces of mapping @id, with the records of whose memory it is
 * Pieces of memory have records of their own, which come and go with them.
 * Returns: LIMIT_OK, or why they were not charged; nothing has changed then.
 */
enum limit_result anon_part(struct machine *m, uint32_t id, const struct vma_change *change);

/* anon_swap_in - a swapped page of a task's memory comes back into memory, but is not mapped; its
 * slot stays taken.  After: swapin_walk_pmd_entry(), mm/madvise.c, v6.18. */
enum limit_result anon_swap_in(struct machine *m, uint32_t task, uint32_t mapping, pages_t index);

#endif
