/*
 * A page is used once more.
 */
#ifndef MEMCGLAB_ENGINE_TOUCH_H
#define MEMCGLAB_ENGINE_TOUCH_H

#include "machine.h"

/**
 * touch_page - a resident page is used once more by read(2)
 * @cpu: whose queues the activation may wait in
 * First use: referenced.  Second use of a listed inactive page: activated, and
 * referenced is cleared at once even if the activation is queued.  While a page is
 * in an add queue, a second use is lost to v3.3 and makes it active in v6.18.
 * After: mark_page_accessed(), mm/swap.c, v2.6.31.
 */
void touch_page(struct machine *m, uint32_t cpu, uint32_t slot);

#endif
