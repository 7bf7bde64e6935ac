/*
 * A page is used once more.
 */
#ifndef MEMCGLAB_ENGINE_TOUCH_H
#define MEMCGLAB_ENGINE_TOUCH_H

#include "machine.h"

/**
 * touch_page - a resident page is used once more by read(2)
 * After: mark_page_accessed(), mm/swap.c, v2.6.31.
 */
void touch_page(struct machine *m, uint32_t cpu, uint32_t slot);

#endif
