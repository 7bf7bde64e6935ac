/*
 * The parts of a simulated host: CPUs, tasks, open files, what there is
 * once.  Plain data in the state block.
 */
#ifndef MEMCGLAB_ENGINE_HOST_H
#define MEMCGLAB_ENGINE_HOST_H

#include "memcg.h"
#include "pagevec.h"
#include "rng.h"
#include "run.h"
#include "zone.h"

#define NS_PER_SECOND ((ns_t)1000000000)

enum { SINKS_MAX = 8, TASKS_MAX = 1 << 16, ACTORS_MAX = 1 << 16, MAPPINGS_MAX = 1 << 17 };

enum { STOCK_SLOTS_MAX = 7, WRITES_MAX = 1 << 16 };

/* Pages charged to a group and not used yet. */
struct stock {
	uint32_t memcg;
	uint32_t nr;		/* [pages] */
};

struct cpu {
	struct pagevec add[NR_LRU];	/* new pages, a queue for each list */
	struct pagevec activate;
	struct stock stock[STOCK_SLOTS_MAX];
	uint32_t byte_memcg, byte_nr;	/* the byte stock: its group, and [bytes] left */
	pages_t debt;			/* of the task that charges, see task.debt */
	uint32_t drain_root;		/* deferred: its stocks go back before the next step */
	ns_t clock;
};

struct task {
	char name[OP_NAME_MAX];
	uint32_t memcg, cpu;
	bool alive;
	pages_t rss, total_vm;		/* resident and mapped anonymous pages */
	pages_t swap, tables;		/* its pages in swap, its page tables */
	pages_t debt;			/* charged above memory.high and not paid for */
	ns_t started;
};

/* A file as one task has it open: where its previous read ended. */
struct open_file {
	uint32_t task, file;
	pages_t prev_index;
	uint32_t prev_offset;
	pages_t ra_start;	/* the latest readahead window */
	uint32_t ra_size, ra_async;	/* [pages]; the marker stands ra_async before its end */
};

/* A page on its way to the device, in the order of their ends. */
struct write {
	uint32_t mapping;
	pages_t index;
	ns_t end;
};

/* Pages of @owner that reclaim on behalf of @by has freed. */
struct taken {
	uint32_t by, owner;
	uint64_t nr;
};

/* What there is once. */
struct host {
	struct zone zone[ZONES_MAX];	/* from the lowest addresses up */
	uint32_t nr_zones;
	struct rng rng;
	pages_t resident, swap_used;
	ns_t now, flushed_at;
	uint64_t flush_after;		/* pages still to be added before an ordered flush */
	bool soft_used;			/* a soft limit was ever set */
	uint64_t soft_inserts;
	uint32_t write_first, nr_writes;	/* a ring in the region of writes */
	ns_t device_free;		/* when the device has written all that it was given */
	uint64_t nr_shrink_calls, nr_events;
	struct run_totals totals;
};

#endif
