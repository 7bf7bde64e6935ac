/*
 * rmdir of a group, and the moving of its pages to its parent.
 */
#ifndef MEMCGLAB_ENGINE_REMOVE_H
#define MEMCGLAB_ENGINE_REMOVE_H

#include "control.h"

/**
 * remove_group - what rmdir does once it has found neither tasks nor children
 * By axis removal its pages move to the parent, or stay in the group, which
 * is dying from then on.  Kernel memory belongs to the parent either way.
 * Emits EVENT_REMOVE.
 * Returns: false for EBUSY (the parent has no room): the group stays.
 * After: mem_cgroup_force_empty(), mm/memcontrol.c, v2.6.31;
 * mem_cgroup_css_offline(), v3.19 and v6.18.
 */
bool remove_group(struct machine *m, uint32_t cpu, uint32_t id);

/**
 * remove_pages_up - the pages of @id become its parent's, list by list, oldest first
 * Nothing is done for the root, or in a kernel whose dead groups keep their pages.
 * Returns: false if the parent had no room for all of them.
 */
bool remove_pages_up(struct machine *m, uint32_t cpu, uint32_t id);

/* remove_reap - dying groups whose last page is gone are released; called between steps. */
void remove_reap(struct machine *m);

/* remove_page_to - a listed page becomes @to's, which is charged for it already: its old group is
 * uncharged, and it goes to the head of its list there.  After: mem_cgroup_move_account(), v3.1. */
void remove_page_to(struct machine *m, uint32_t cpu, uint32_t slot, uint32_t to);

#endif
