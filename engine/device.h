/*
 * Devices that pages are written to: requests of pages, served one after
 * the other, each page of a request done when all of it is.
 */
#ifndef MEMCGLAB_ENGINE_DEVICE_H
#define MEMCGLAB_ENGINE_DEVICE_H

#include "machine.h"

/* device_at - the @i-th folio of a device's ring, oldest first. */
static inline struct write *device_at(const struct machine *m, enum device_id id, uint32_t i)
{
	return &m->write[id * WRITES_MAX + (m->host->device[id].first + i) % WRITES_MAX];
}

/* device_full - no further folio fits into its ring. */
bool device_full(const struct machine *m, enum device_id id);

/**
 * device_add - a folio joins the newest request that is not on its way yet
 * @write: what, and how many pages; .end is not read
 * On a disk it must follow the last one in its file; where it does not, or
 * the request is as large as may be (knobs write_request, swap_request), that
 * one is sent off and another begun.  The ring must have room (asserted).
 * After: blk_attempt_plug_merge(), block/blk-merge.c, v6.18.
 */
void device_add(struct machine *m, enum device_id id, struct write write);

/* device_submit - the newest request is sent off: it is served after those before it.
 * After: blk_finish_plug(), block/blk-core.c, v6.18. */
void device_submit(struct machine *m, enum device_id id);

/* device_next - [ns] when the oldest folio on its way is written; NS_NEVER: none is. */
ns_t device_next(const struct machine *m, enum device_id id);

/* device_done - takes the oldest folio if it is written by now.  Returns: whether there was one. */
bool device_done(struct machine *m, enum device_id id, struct write *out);

#endif
