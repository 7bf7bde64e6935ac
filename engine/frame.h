/*
 * Page frames for new pages: where they come from, and what is done when
 * the machine runs short of them.
 */
#ifndef MEMCGLAB_ENGINE_FRAME_H
#define MEMCGLAB_ENGINE_FRAME_H

#include "machine.h"

/**
 * frame_take - one frame, by the zonelist and the watermarks
 * @zone: receives where it was taken
 * Wakes kswapd and reclaims directly as need be.  Returns: false if nothing can be freed.
 * After: get_page_from_freelist(), __alloc_pages_slowpath(), mm/page_alloc.c, v2.6.31.
 */
bool frame_take(struct machine *m, uint32_t cpu, pages_t n, uint32_t *zone);

/* frames_at_once - frames that leave @zone, the first of a zonelist, above its low mark. */
pages_t frames_at_once(const struct machine *m, uint32_t zone);

#endif
