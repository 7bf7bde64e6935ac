/*
 * Swap slots: anonymous pages that reclaim wrote out, and their return.
 */
#ifndef MEMCGLAB_ENGINE_SWAP_H
#define MEMCGLAB_ENGINE_SWAP_H

#include "machine.h"

/* swap_free - free swap slots [pages]. */
pages_t swap_free(const struct machine *m);

/* swap_may - whether reclaim of @memcg may look at its anonymous pages. */
bool swap_may(const struct machine *m, uint32_t memcg);

/* swap_has_slot - whether page @slot can go: it keeps a slot, or one is free. */
bool swap_has_slot(const struct machine *m, uint32_t slot);

/* swap_waits - whether the swap device takes its time (knob swap_ns). */
bool swap_waits(const struct machine *m);

/* swap_needs_write - whether what is in swap of page @slot, if anything, is not what it holds. */
bool swap_needs_write(const struct machine *m, uint32_t slot);

/* swap_write - a device that takes its time: page @slot, which nobody maps, is given to it.
 * After: add_to_swap(), try_to_unmap(), pageout(), mm/vmscan.c, v6.18. */
void swap_write(struct machine *m, uint32_t slot);

/* swap_rewritten - page @slot is written to: its slot is let go, or its copy there is stale.
 * After: do_swap_page(), mm/memory.c, v6.18. */
void swap_rewritten(struct machine *m, uint32_t slot);

/**
 * swap_window - the pages [@first, @end) that are read with page @index of @mapping
 * Up to knob swap_readahead, by how many of the last window were used.
 * After: swap_vma_ra_win(), __swapin_nr_pages(), mm/swap_state.c, v6.18.
 */
void swap_window(struct machine *m, uint32_t mapping, pages_t index, pages_t *first,
		 pages_t *end);

/* swap_hit - a fault of @mapping finds page @slot in the swap cache, perhaps read ahead. */
void swap_hit(struct machine *m, uint32_t mapping, uint32_t slot);

/**
 * swap_out - an anonymous page whose copy is in swap, or is written there at once, is freed
 * @target: css id of the reclaim's target, which a shadow names
 * There must be a slot (asserted, swap_has_slot).  Charge and frame are the
 * caller's; the account of swap follows here.
 * Returns: pages written, 0 if its slot held the same already.
 * After: add_to_swap(), pageout(), __remove_mapping(), mm/vmscan.c, v2.6.31 and v6.18.
 */
uint32_t swap_out(struct machine *m, uint32_t target, uint32_t slot);

/**
 * swap_returned - page @slot came back from where @old was: its slot is freed or kept
 * @old: the slot's content before the page was made resident; may be no swapped page
 * A writer frees it; a reader keeps the copy to v3.3 (PG_SWAP_CACHE), so
 * that the page can go again without being written.
 */
void swap_returned(struct machine *m, uint32_t slot, struct slot old, bool write);

/* swap_owner - the group whose account the swap slot of @slot is on. */
uint32_t swap_owner(const struct machine *m, uint32_t slot);

/* swap_move - the swapped pages of @task go to the account of @memcg with it; call before the
 * task's group changes. */
void swap_move(struct machine *m, uint32_t task, uint32_t memcg);

/* swap_rehome - swapped pages of shmem, and of tasks that have ended, on the account of @from go to
 * @to's: @from goes away. */
void swap_rehome(struct machine *m, uint32_t from, uint32_t to);

/* swap_forget - a swapped page is unmapped, or a resident page loses its slot. */
void swap_forget(struct machine *m, uint32_t slot);

#endif
