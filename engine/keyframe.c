/*
 * A copy is what the regions of the block have in use, one after the other.
 * What was taken since is zeroed when the copy is restored, as a unit is
 * zero when it is first taken.
 */
#include "keyframe.h"

#include <assert.h>
#include <string.h>

static bool writes_under_way(const struct machine *m)
{
	int i;

	for (i = 0; i < NR_DEVICES; i++)
		if (m->host->device[i].nr)
			return true;
	return false;
}

/* Units of a region that hold something.  Some regions run along with the leaves and are never
 * taken from; the ring of writes is all dead while no page is under way. */
static uint32_t extent(const struct machine *m, const struct block *block, int region)
{
	uint32_t leaves = block->region[REGION_LEAF].used, max = block->region[region].max;

	switch (region) {
	case REGION_ORDER:
	case REGION_NODE:
	case REGION_ZONE_STAMP:
	case REGION_LEAF_NODES:
		return leaves < max ? leaves : max;
	case REGION_GONE:
		return block->region[REGION_DIR].used;
	case REGION_WRITEBACK:
		return writes_under_way(m) ? max : 0;
	default:
		return block->region[region].used;
	}
}

size_t keyframe_bytes(const struct machine *m)
{
	size_t bytes = 0;

	for (int i = 0; i < NR_REGIONS; i++)
		bytes += (size_t)m->block.region[i].unit * extent(m, &m->block, i);
	return bytes;
}

void keyframe_copy(const struct machine *m, unsigned char *out)
{
	for (int i = 0; i < NR_REGIONS; i++) {
		size_t n = (size_t)m->block.region[i].unit * extent(m, &m->block, i);

		memcpy(out, block_at(&m->block, (enum region)i), n);
		out += n;
	}
}

void keyframe_restore(struct machine *m, const struct machine *then, const unsigned char *copy)
{
	size_t now[NR_REGIONS], unit[NR_REGIONS];
	struct machine sinks = *m;

	assert(m->block.base == then->block.base);
	for (int i = 0; i < NR_REGIONS; i++) {
		unit[i] = m->block.region[i].unit;
		now[i] = unit[i] * extent(m, &m->block, i);
	}
	*m = *then;
	memcpy(m->sink, sinks.sink, sizeof(m->sink));
	m->nr_sinks = sinks.nr_sinks;
	m->wanted = sinks.wanted;
	/* The host comes first: extents are read from it. */
	for (int i = 0; i < NR_REGIONS; i++) {
		unsigned char *at = block_at(&m->block, (enum region)i);
		size_t n;

		if (i == REGION_HOST)
			memcpy(at, copy, unit[i]);
		n = unit[i] * extent(m, &m->block, i);
		memcpy(at, copy, n);
		copy += n;
		if (now[i] > n)
			memset(at + n, 0, now[i] - n);
	}
}
