/*
 * Zones: page frames by address, free pages, watermarks and reserves.
 */
#ifndef MEMCGLAB_ENGINE_ZONE_H
#define MEMCGLAB_ENGINE_ZONE_H

#include "memcg.h"

/* Below low kswapd is woken and works up to high; below min a task reclaims itself. */
enum wmark { WMARK_MIN, WMARK_LOW, WMARK_HIGH, NR_WMARKS };

struct zone {
	pages_t present, free;		/* frames */
	pages_t wmark[NR_WMARKS];	/* set once, at open */
	pages_t reserve[4];		/* against requests for a higher class of zone */
	struct lruvec lruvec;		/* lists with lru=double; statistics to v3.3 */
	uint64_t pages_scanned;		/* by global reclaim since a page was last freed */
	bool hopeless;			/* all_unreclaimable */
	uint8_t fruitless;		/* kswapd_failures, in a node's first zone */
};

struct machine;
struct zone_plan {			/* what watermarks depend on */
	pages_t present[ALL_ZONES_MAX];	/* node by node */
	uint32_t nr, node_zones;	/* of all nodes; of each, 0: all are of one node */
	bool wide_steps;		/* wmark_steps=scaled: at least 0.1 % apart (v6.18) */
	bool huge_pages;		/* transparent huge pages raise min_free_kbytes */
};

/* zone_min_free_kbytes - for @lowmem_kib of memory.  After: init_per_zone_pages_min(),
 * mm/page_alloc.c:4579, v2.6.31; :6504, v6.18. */
uint64_t zone_min_free_kbytes(uint64_t lowmem_kib, bool wide_steps);

/**
 * zone_set_marks - watermarks and reserves of all zones
 * After: setup_per_zone_wmarks(), mm/page_alloc.c:4457, v2.6.31; :6392, v6.18;
 * setup_per_zone_lowmem_reserve(); set_recommended_min_free_kbytes(), v3.1.
 */
void zone_set_marks(const struct zone_plan *plan, struct zone *zone);

/* zone_open - the zones of the machine's memory map, all of it free.  DMA ends at 16 MiB, DMA32
 * at 4 GiB; without .zones one zone has all of a node.  Nodes have equal shares of the RAM, one
 * after the other by address. */
void zone_open(struct machine *m);

/**
 * zone_ok - whether @zone has more free pages than @mark and its reserve
 * @class: the highest zone that the request may take
 * After: zone_watermark_ok(), v2.6.31; v3.1:1459.
 */
bool zone_ok(const struct machine *m, uint32_t zone, pages_t mark, uint32_t class);

/* zone_reclaimable_pages - on its lists, anon only as far as it can go.  After: the same, v3.1. */
pages_t zone_reclaimable_pages(const struct machine *m, uint32_t zone);

/**
 * zone_reclaimable - whether less than six times what reclaim could free was scanned in vain
 * The count begins anew with each page that is freed.
 * After: zone_reclaimable(), mm/vmscan.c, v3.1; the same comparison in v2.6.31's kswapd.
 */
bool zone_reclaimable(const struct machine *m, uint32_t zone);

/* zone_first - the lowest zone of @node; its others follow. */
uint32_t zone_first(const struct machine *m, uint32_t node);

/**
 * zone_nth - zone number @i of the zonelist of @node
 * Its own zones from the highest down, then those of the next nodes, round
 * about.  Empty zones are in it; they never have a free page.
 * After: build_zonelists_in_node_order(), mm/page_alloc.c, v2.6.31.
 * MODEL: all other nodes are equally far, so the next number is the next best.
 */
uint32_t zone_nth(const struct machine *m, uint32_t node, uint32_t i);

/* zone_name - "DMA", "DMA32", "Normal". */
const char *zone_name(const struct machine *m, uint32_t zone);

/* zone_free - @n frames of @zone are free again: the zone may be hoped for, its pages_scanned
 * begin anew. */
void zone_free(struct machine *m, uint32_t zone, pages_t n);

#endif
