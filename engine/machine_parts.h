/*
 * The parts of a simulated host: CPUs, tasks, open files, what there is
 * once.  Plain data in the state block.
 */
#ifndef MEMCGLAB_ENGINE_MACHINE_PARTS_H
#define MEMCGLAB_ENGINE_MACHINE_PARTS_H

#include "exec_counts.h"
#include "lock.h"
#include "lookaside.h"
#include "memcg.h"
#include "pagevec.h"
#include "rng.h"
#include "run.h"
#include "stat_counts.h"
#include "zone.h"

#define NS_PER_SECOND ((ns_t)1000000000)

/* Bounds of this version; a run that needs more ends with an error. */
enum { SINKS_MAX = 8, TASKS_MAX = 1 << 16, ACTORS_MAX = 1 << 16, MAPPINGS_MAX = 1 << 20,
       THREADS_MAX = 1 << 16 };

/* Stock slots of a CPU in v6.18; pages under writeback at once. */
enum { STOCK_SLOTS_MAX = 7, WRITES_MAX = 1 << 16 };

/*
 * Pages charged to a group, at every level above it too, and not used yet.
 * Filled by a batch charge (charge_batch pages), emptied page by page.
 */
struct stock {
	uint32_t memcg;		/* css id; MEMCG_NONE: the slot is free */
	uint32_t nr;		/* [pages] */
};

/* What the kernel keeps per CPU.  A CPU runs one step at a time. */
struct cpu {
	struct pagevec add[NR_LRU];	/* new pages, a queue for each list */
	struct pagevec activate;	/* listed pages used twice; from v3.1 on */
	struct pagevec move[NR_MOVES];	/* listed pages that advice sends elsewhere */
	struct stock stock[STOCK_SLOTS_MAX];
	uint32_t byte_memcg, byte_nr;	/* the byte stock: its group, and [bytes] left */
	pages_t debt;			/* of the task that charges, see task.debt */
	uint32_t drain_root;		/* deferred: its stocks go back before the next step */
	ns_t clock;			/* [ns] end of its latest step */
	ns_t slept;			/* [ns] of that, at its end: the CPU is idle */
	struct lookaside lookaside;	/* of page_cgroup chunks (lookaside) */
};

/* A task charges its group and runs on one CPU.  Ids of ended tasks are not used again. */
struct task {
	char name[OP_NAME_MAX];
	uint32_t memcg, cpu;		/* css id: whom new pages are charged to */
	bool alive;
	int32_t oom_adj;		/* oom_score_adj; to v2.6.35 oom_adj */
	pages_t rss, total_vm;		/* resident and mapped anonymous pages */
	pages_t swap, tables;		/* its pages in swap, its page tables */
	pages_t stack;			/* of its threads' kernel stacks, those that are charged */
	uint32_t stack_memcg;		/* css id: to whom */
	pages_t debt;			/* charged above memory.high and not paid for */
	pages_t dirtied, dirty_pause;	/* since it last looked, and after how many it looks */
	uint32_t first_map;		/* its first mapping that is not dropped; 0: it has none */
	int64_t zap_left;		/* of its unmap block [1/4096 pages] */
	ns_t started;			/* badness() of v2.6.31 discounts run time */
};

/* A file as one task has it open: where its previous read ended.  It may be open several times. */
struct open_file {
	uint32_t task, file;	/* task 0: only those that share it have it open */
	uint32_t handle;	/* the task's number for it */
	uint32_t shared;	/* 1 + the one it was forked from, which has all that follows */
	uint32_t reader;	/* task that reads ahead in this step, and is charged for it */
	bool random;		/* POSIX_FADV_RANDOM */
	bool noreuse;		/* POSIX_FADV_NOREUSE */
	bool twice;		/* POSIX_FADV_SEQUENTIAL: windows twice as large */
	uint32_t mmap_miss;	/* faults that missed, less those that hit */
	pages_t prev_index;	/* page of the previous read's end; UINT64_MAX: never read */
	uint32_t prev_offset;	/* [bytes] in that page */
	pages_t ra_start;	/* the latest readahead window */
	uint32_t ra_order;	/* of its folios */
	uint32_t ra_size, ra_async;	/* [pages]; the marker stands ra_async before its end */
};

/*
 * A folio on its way to a device, in the order of their ends.  It is named
 * by mapping and index, as it may be gone by the time it is written.
 */
struct write {
	uint32_t mapping, nr;	/* nr [pages] */
	pages_t index;
	ns_t end;		/* [ns] when the device has written it; NS_NEVER: not asked yet */
};

#define NS_NEVER UINT64_MAX

/* Where pages are written to: the disk of all files, and what anonymous pages are swapped to. */
enum device_id { DEVICE_DISK, DEVICE_SWAP, NR_DEVICES };

/* A ring of WRITES_MAX folios in the region of writes; the newest may wait for more of theirs. */
struct device {
	uint32_t first, nr;		/* [folios] */
	uint32_t open, open_pages;	/* of the newest request, which is not on its way yet */
	ns_t free;			/* [ns] when all requests that are on their way are done */
};

/* Pages of @owner that reclaim on behalf of @by has freed.  One row for each pair that occurred. */
struct taken {
	uint32_t by, owner;	/* css ids; by = the root for soft limit reclaim */
	uint64_t nr;		/* [pages] */
};

/* Pages that one step may touch where locks are modelled, so that its notes have room. */
enum { LOCK_STEP_PAGES = 64 };

/* Pages that are uncharged together: whose they are; none between two steps. */
struct uncharge_window {
	uint32_t depth, memcg;
	bool memsw;		/* some of them did not go to swap */
};

/* What there is once. */
struct host {
	struct zone zone[ALL_ZONES_MAX];	/* node by node, from the lowest addresses up */
	uint32_t nr_zones, node_zones;	/* of all nodes, of one */
	struct rng rng;			/* the machine's own draws; scripts have another stream */
	pages_t resident, swap_used;	/* pages with a frame; swap slots taken */
	ns_t now, flushed_at;		/* clock of the step under way; time of the last flush */
	ns_t grace_until;		/* when the RCU grace period under way ends; 0: none is */
	uint64_t flush_after;		/* pages still to be added before an ordered flush */
	bool idle_used;			/* a step began while another's task on its CPU slept */
	uint32_t free_vma;		/* pieces of mappings to be used again; 0: none */
	bool dying;			/* some removed group still holds pages */
	bool soft_used;			/* a soft limit was ever set */
	uint64_t soft_inserts;		/* orders equal excesses */
	struct device device[NR_DEVICES];
	pages_t dirty, writeback;	/* of all groups */
	bool plugged;			/* writes to swap wait until a window was read, ... */
	bool plug_reads;		/* ... behind a read of it */
	ns_t flusher_wake;		/* when old dirty pages are looked for; 0: none are dirty */
	uint64_t nr_shrink_calls, nr_events;
	struct run_exec exec;		/* hits and evictions are counted by CPU */
	uint32_t inode_class, move_class;	/* of locks of files, of moves; 0: none yet */
	struct run_stat_counts stat;
	ns_t moving_until;		/* [ns] while some group is marked as losing charges */
	uint64_t exec_digest;		/* of every exec and look-aside so far; 0: there was none */
	struct run_totals totals;
};

#endif
