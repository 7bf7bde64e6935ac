/*
 * The queue of each device.  Invariant: folios end in the order of the ring,
 * and those of the newest request have no end until it is sent off.
 *
 * MODEL: a disk takes the same time for each page, wherever it lies; it does
 * one request at a time and never fails.
 */
#include "device.h"

#include <assert.h>

static uint32_t request_max(const struct machine *m)
{
	return (uint32_t)machine_knobs(m)->write_request;
}

bool device_full(const struct machine *m, enum device_id id)
{
	return m->host->device[id].nr == WRITES_MAX;
}

/* Whether @next can be part of the request that is being gathered. */
static bool fits(const struct machine *m, enum device_id id, const struct write *next)
{
	const struct device *device = &m->host->device[id];
	const struct write *last;

	if (!device->open)
		return false;
	last = device_at(m, id, device->nr - 1);
	return device->open_pages + next->nr <= request_max(m) && last->mapping == next->mapping &&
	       last->index + last->nr == next->index;
}

void device_add(struct machine *m, enum device_id id, struct write write)
{
	struct device *device = &m->host->device[id];

	assert(!device_full(m, id) && write.nr > 0);
	if (!fits(m, id, &write))
		device_submit(m, id);
	write.end = NS_NEVER;
	*device_at(m, id, device->nr++) = write;
	device->open++;
	device->open_pages += write.nr;
}

void device_submit(struct machine *m, enum device_id id)
{
	struct device *device = &m->host->device[id];

	assert(device->open <= device->nr);
	if (!device->open)
		return;
	if (device->free < m->host->now)
		device->free = m->host->now;
	device->free += device->open_pages * (ns_t)machine_knobs(m)->write_ns;
	for (; device->open; device->open--)
		device_at(m, id, device->nr - device->open)->end = device->free;
	device->open_pages = 0;
}

ns_t device_next(const struct machine *m, enum device_id id)
{
	return m->host->device[id].nr ? device_at(m, id, 0)->end : NS_NEVER;
}

bool device_done(struct machine *m, enum device_id id, struct write *out)
{
	struct device *device = &m->host->device[id];

	if (device_next(m, id) > m->host->now)
		return false;
	*out = *device_at(m, id, 0);
	device->first = (device->first + 1) % WRITES_MAX;
	device->nr--;
	return true;
}
