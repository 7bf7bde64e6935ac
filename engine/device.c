/*
 * The queue of each device.  Invariant: folios end in the order of the ring,
 * and those of the newest request have no end until it is sent off.
 *
 * MODEL: a disk takes the same time for each page, wherever it lies; a device
 * does one request at a time and never fails; swap slots are taken in a row.
 * Requests are gathered as blk_add_rq_to_plug(), block/blk-mq.c of v6.18 does.
 */
#include "device.h"

#include <assert.h>

enum {
	PLUG_REQUESTS = 32,	/* BLK_MAX_REQUEST_COUNT */
	PLUG_LARGE = 32		/* pages: BLK_PLUG_FLUSH_SIZE, 128 KiB */
};

static uint32_t request_max(const struct machine *m, enum device_id id)
{
	return (uint32_t)(id == DEVICE_SWAP ? machine_knobs(m)->swap_request
					    : machine_knobs(m)->write_request);
}

bool device_full(const struct machine *m, enum device_id id)
{
	return m->host->device[id].nr == WRITES_MAX;
}

/* Whether @next can be part of the request to a disk that is being gathered. */
static bool fits(const struct machine *m, const struct write *next)
{
	const struct device *device = &m->host->device[DEVICE_DISK];
	const struct write *last;

	if (!device->open)
		return true;
	last = device_at(m, DEVICE_DISK, device->nr - 1);
	return device->open_pages + next->nr <= request_max(m, DEVICE_DISK) &&
	       last->mapping == next->mapping && last->index + last->nr == next->index;
}

/*
 * Whether requests to swap that were gathered so far are sent off before a
 * new one begins: if the first of them is a large one, or there are many.  A
 * small read before them all therefore holds back thousands of pages.
 */
static bool plug_full(const struct machine *m)
{
	uint32_t pages = m->host->device[DEVICE_SWAP].open_pages, max = request_max(m, DEVICE_SWAP);

	if (!pages || pages % max)
		return false;
	return (!m->host->plug_reads && max >= PLUG_LARGE) ||
	       pages / max + m->host->plug_reads >= PLUG_REQUESTS;
}

void device_add(struct machine *m, enum device_id id, struct write write)
{
	struct device *device = &m->host->device[id];

	assert(!device_full(m, id) && write.nr > 0);
	if (id == DEVICE_SWAP ? plug_full(m) : !fits(m, &write))
		device_submit(m, id);
	write.end = NS_NEVER;
	*device_at(m, id, device->nr++) = write;
	device->open++;
	device->open_pages += write.nr;
}

/* A disk moves page after page: one request of all that is open. */
static void submit_disk(struct machine *m, struct device *device)
{
	device->free += device->open_pages * (ns_t)machine_knobs(m)->write_ns;
	for (; device->open; device->open--)
		device_at(m, DEVICE_DISK, device->nr - device->open)->end = device->free;
}

/* A swap device asks once for each request, however large. */
static void submit_swap(struct machine *m, struct device *device)
{
	uint32_t max = request_max(m, DEVICE_SWAP), i;

	for (i = 0; device->open; device->open--, i++) {
		if (i % max == 0)
			device->free += (ns_t)machine_knobs(m)->swap_ns;
		device_at(m, DEVICE_SWAP, device->nr - device->open)->end = device->free;
	}
	m->host->plug_reads = false;
}

void device_submit(struct machine *m, enum device_id id)
{
	struct device *device = &m->host->device[id];

	assert(device->open <= device->nr);
	if (!device->open)
		return;
	if (device->free < m->host->now)
		device->free = m->host->now;
	if (id == DEVICE_SWAP)
		submit_swap(m, device);
	else
		submit_disk(m, device);
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
