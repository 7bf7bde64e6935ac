/*
 * Watermarks and free pages.  Follows mm/page_alloc.c of v2.6.31, v3.1 and
 * v6.18, mm/huge_memory.c of v3.1.  MODEL: the kernel itself takes no frame.
 */
#include "zone.h"

#include <assert.h>

#include "machine.h"
#include "policy.h"

enum {
	MIN_FREE_FACTOR = 16,
	MIN_FREE_LOWEST = 128,          /* [KiB] */
	MIN_FREE_HIGHEST = 65536,       /* [KiB], to v3.3 */
	MIN_FREE_HIGHEST_WIDE = 262144, /* [KiB], v6.18 */
	HUGE_PAGE_FACTOR = 11,          /* huge pages to keep free in each zone */
	HUGE_PAGE_PAGES = 512,
	HUGE_PAGE_PERCENT = 5, /* of low memory at most */
	RESERVE_RATIO = 256,   /* of DMA and DMA32 */
	WMARK_SCALE = 10,      /* of 10000: 0.1 % */
	WMARK_SCALE_OF = 10000,
	HOPELESS_FACTOR = 6, /* pages scanned in vain for each reclaimable one */
	MARK_QUIRK = 2       /* pages that v3.1 and v3.2 set aside in the check */
};

static const bytes_t zone_end[ZONES_MAX] = { (bytes_t)16 << 20, (bytes_t)4 << 30, UINT64_MAX };

uint64_t zone_min_free_kbytes(uint64_t lowmem_kib, bool wide_steps)
{
	uint64_t kib = scan_isqrt(lowmem_kib * MIN_FREE_FACTOR);
	uint64_t highest = wide_steps ? MIN_FREE_HIGHEST_WIDE : MIN_FREE_HIGHEST;

	if (kib < MIN_FREE_LOWEST)
		return MIN_FREE_LOWEST;
	return kib > highest ? highest : kib;
}

/* Pages to keep free on the whole machine; huge pages may raise them. */
static uint64_t min_free_pages(const struct zone_plan *plan, pages_t lowmem)
{
	uint64_t pages = zone_min_free_kbytes(lowmem * 4, plan->wide_steps) / 4, huge;

	if (!plan->huge_pages)
		return pages;
	huge = (uint64_t)HUGE_PAGE_FACTOR * HUGE_PAGE_PAGES * plan->nr;
	if (huge > lowmem * HUGE_PAGE_PERCENT / 100)
		huge = lowmem * HUGE_PAGE_PERCENT / 100;
	return huge > pages ? huge : pages;
}

void zone_set_marks(const struct zone_plan *plan, struct zone *zone)
{
	pages_t lowmem = 0, min_free, min, step, above;
	uint32_t of_node = plan->node_zones ? plan->node_zones : plan->nr, z, kind, up;

	assert(plan->nr > 0 && plan->nr <= ALL_ZONES_MAX && plan->nr % of_node == 0);
	for (z = 0; z < plan->nr; z++)
		lowmem += plan->present[z];
	min_free = min_free_pages(plan, lowmem);
	for (z = 0; z < plan->nr; z++) {
		min = lowmem ? min_free * plan->present[z] / lowmem : 0;
		step = min >> 2;
		if (plan->wide_steps && step < plan->present[z] * WMARK_SCALE / WMARK_SCALE_OF)
			step = plan->present[z] * WMARK_SCALE / WMARK_SCALE_OF;
		zone[z].wmark[WMARK_MIN] = min;
		zone[z].wmark[WMARK_LOW] = min + step;
		/* To v3.3 half of the minimum, rounded on its own; later two steps. */
		zone[z].wmark[WMARK_HIGH] = plan->wide_steps ? min + 2 * step : min + (min >> 1);
		for (kind = z % of_node + 1; kind < of_node; kind++) {
			above = 0;
			for (up = z % of_node + 1; up <= kind; up++)
				above += plan->present[z - z % of_node + up];
			zone[z].reserve[kind] = above / RESERVE_RATIO;
		}
	}
}

/* RAM of the map within [start, end). */
static pages_t ram_within(const struct pcg_machine *map, bytes_t start, bytes_t end)
{
	bytes_t sum = 0;
	uint32_t i;

	for (i = 0; i < map->nr_ranges; i++) {
		bytes_t from = map->range[i].start > start ? map->range[i].start : start;
		bytes_t to = map->range[i].end < end ? map->range[i].end : end;

		sum += to > from ? to - from : 0;
	}
	return sum / PAGE_BYTES;
}

/* The address below which @share of the map's RAM lies. */
static bytes_t address_of(const struct pcg_machine *map, bytes_t share)
{
	uint32_t i;

	for (i = 0; i < map->nr_ranges; i++) {
		bytes_t size = map->range[i].end - map->range[i].start;

		if (share <= size)
			return map->range[i].start + share;
		share -= size;
	}
	return UINT64_MAX;
}

/* One node's zones; with @kinds = 1 all of it is one. */
static void open_node(const struct machine *m, uint32_t node, uint32_t kinds, pages_t *present)
{
	bytes_t each = m->ram_pages / m->sc.nodes * PAGE_BYTES;
	bytes_t first = node ? address_of(&m->sc.memory, node * each) : 0;
	bytes_t last = node + 1 < m->sc.nodes ? address_of(&m->sc.memory, (node + 1) * each)
					      : UINT64_MAX;
	bytes_t start = 0;
	uint32_t kind;

	assert(first < last);
	for (kind = 0; kind < kinds; kind++) {
		bytes_t end = kinds == 1 ? UINT64_MAX : zone_end[kind];

		if (start < last && end > first)
			present[kind] = ram_within(&m->sc.memory, start > first ? start : first,
						   end < last ? end : last);
		start = end;
	}
}

void zone_open(struct machine *m)
{
	uint32_t kinds = m->sc.zones ? ZONES_MAX : 1, z;
	struct zone_plan plan = {
		.nr = kinds * m->sc.nodes,
		.node_zones = kinds,
		.wide_steps = machine_axis(m, AXIS_WMARK_STEPS) == WMARK_STEPS_SCALED,
		.huge_pages = m->sc.huge_pages && machine_axis(m, AXIS_HUGE_PAGES) == HUGE_PAGES_ON,
	};

	m->host->nr_zones = plan.nr;
	m->host->node_zones = kinds;
	if (plan.nr == 1)
		plan.present[0] = m->ram_pages;
	for (z = 0; z < m->sc.nodes && plan.nr > 1; z++)
		open_node(m, z, kinds, &plan.present[z * kinds]);
	for (z = 0; z < plan.nr; z++)
		m->host->zone[z].present = m->host->zone[z].free = plan.present[z];
	zone_set_marks(&plan, m->host->zone);
}

uint32_t zone_nth(const struct machine *m, uint32_t node, uint32_t i)
{
	uint32_t kinds = m->host->node_zones;

	assert(node < m->sc.nodes && i < m->host->nr_zones);
	return (node + i / kinds) % m->sc.nodes * kinds + kinds - 1 - i % kinds;
}

uint32_t zone_first(const struct machine *m, uint32_t node)
{
	assert(node < m->sc.nodes);
	return node * m->host->node_zones;
}

bool zone_ok(const struct machine *m, uint32_t zone, pages_t mark, uint32_t class)
{
	const struct zone *z = &m->host->zone[zone];
	pages_t quirk = machine_axis(m, AXIS_WMARK_QUIRK) == WMARK_QUIRK_ON ? MARK_QUIRK : 0;

	assert(zone < m->host->nr_zones && class < m->host->node_zones);
	return z->present && z->free > mark + z->reserve[class] + quirk;
}

/* Pages of a zone that reclaim could free: listed, and anon only while swap is left. */
pages_t zone_reclaimable_pages(const struct machine *m, uint32_t zone)
{
	const pages_t *size = m->host->zone[zone].lruvec.size;
	pages_t sum = size[LRU_INACTIVE_FILE] + size[LRU_ACTIVE_FILE];

	assert(m->sc.swap_pages >= m->host->swap_used);
	if (m->sc.swap_pages > m->host->swap_used)
		sum += size[LRU_INACTIVE_ANON] + size[LRU_ACTIVE_ANON];
	return sum;
}

bool zone_reclaimable(const struct machine *m, uint32_t zone)
{
	return m->host->zone[zone].pages_scanned <
	       HOPELESS_FACTOR * zone_reclaimable_pages(m, zone);
}

const char *zone_name(const struct machine *m, uint32_t zone)
{
	static const char *const names[ZONES_MAX] = { "DMA", "DMA32", "Normal" };

	return m->host->node_zones == 1 ? "Normal" : names[zone % ZONES_MAX];
}

void zone_free(struct machine *m, uint32_t zone, pages_t n)
{
	assert(m->host->zone[zone].free + n <= m->host->zone[zone].present);
	m->host->zone[zone].free += n;
	m->host->zone[zone].pages_scanned = 0;
	m->host->zone[zone].hopeless = false;
}
