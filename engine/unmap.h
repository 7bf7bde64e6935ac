/*
 * The end of pages that reclaim did not choose: unmapping, truncation, exit.
 */
#ifndef MEMCGLAB_ENGINE_UNMAP_H
#define MEMCGLAB_ENGINE_UNMAP_H

#include "charge.h"

/* unmap_drop - every resident page of a mapping is freed; @cpu drains its queues first.
 * After: zap_page_range(), truncate_inode_pages(), v2.6.31. */
void unmap_drop(struct machine *m, uint32_t cpu, uint32_t mapping);

/* unmap_page - one resident page leaves at once, without a shadow. */
void unmap_page(struct machine *m, uint32_t slot);

/* unmap_exit - a task ends: its mappings are dropped.  Returns: pages freed. */
pages_t unmap_exit(struct machine *m, uint32_t task);

#endif
