/*
 * The numbers of the model: kernel constants and knobs, and the assumed
 * costs in time.  Each is one row of knob_table with name, unit, default,
 * range, status and meaning; the command line, Lua, the run record and the
 * help text read that row.
 */
#ifndef MEMCGLAB_ENGINE_API_KNOB_H
#define MEMCGLAB_ENGINE_API_KNOB_H

#include "diag.h"
#include "units.h"

/* All members are int64_t so that a row can name one by its offset. */
struct knobs {
	int64_t swap_cluster_max;	/* [pages] */
	int64_t def_priority;
	int64_t pagevec_size;		/* [pages] of one per-CPU add queue */
	int64_t reclaim_retries;	/* MEM_CGROUP_RECLAIM_RETRIES */
	int64_t reclaim_loops;		/* MEM_CGROUP_MAX_RECLAIM_LOOPS */
	int64_t charge_batch;		/* [pages] of the per-CPU stock */
	int64_t stock_slots;		/* groups that one CPU's stock serves */
	int64_t stack_pages;		/* [pages] of a thread's kernel stack */
	int64_t swappiness;		/* vm.swappiness */
	int64_t readahead;		/* [pages] of the largest window; 0: none */
	int64_t hit_ns;			/* [ns] an access that finds its page */
	int64_t fault_ns;		/* [ns] allocate, charge and queue one page */
	int64_t readahead_ns;		/* [ns] the same for a folio that is read ahead */
	int64_t io_ns;			/* [ns] read one page from the device */
	int64_t write_ns;		/* [ns] write one page to the device; 0: at once */
	int64_t write_queue;		/* [pages] that the device takes before it is congested */
	int64_t write_request;		/* [pages] of the largest request: they end together */
	int64_t swap_ns;		/* [ns] a request to the swap device takes; 0: at once */
	int64_t swap_request;		/* [pages] of the largest request to it */
	int64_t swap_out_ns;		/* [ns] unmap a page and hand it to that device */
	int64_t swap_readahead;		/* [pages] of the largest window read from it */
	int64_t dirty_ratio;		/* [%] of dirtyable memory: writers sleep */
	int64_t dirty_background_ratio;	/* [%]: the flusher writes */
	int64_t dirty_bytes, dirty_background_bytes;	/* [bytes] instead of the ratio; 0: not */
	int64_t dirty_expire_ns;	/* [ns] after which a dirty file is written */
	int64_t dirty_writeback_ns;	/* [ns] between two looks for such files */
	int64_t scan_ns;		/* [ns] isolate and examine one page */
	int64_t reclaim_ns;		/* [ns] one pass over one group's lists */
	int64_t owner_ns;		/* [ns] a page's owner is recorded and forgotten */
	int64_t member_ns;		/* [ns] more for a page of a group below the root */
	int64_t second_list_ns;		/* [ns] a page is on its group's list beside the zone's */
	int64_t skip_ns;		/* [ns] what is not accounted is passed over */
	int64_t unmap_ns;		/* [ns] one page of an unmapping is freed */
	int64_t preempt;		/* the kernel is preemptible: short unmap blocks */
	int64_t lock_hold_ns;		/* [ns] a counter's lock is held */
	int64_t lock_least_ns;		/* [ns] the shortest of these times */
	int64_t lock_bounce_ns;		/* [ns] more when its line comes from another CPU */
	int64_t atomic_ns;		/* [ns] one addition to a line that the CPU has */
	int64_t lock_lines;		/* locks cost what their cache lines make of it */
	int64_t lock_local_ns;		/* [ns] of work under a lock then */
	int64_t line_ns;		/* [ns] a line comes from another CPU */
	int64_t inode_hold_ns;		/* [ns] a page of write(2), its file's lock held */
	int64_t vfs_ns;			/* [ns] more to dirty a page after a rework of 2012 */
	int64_t stat_ns;		/* [ns] a page's change is counted for its group */
	int64_t move_lock_ns;		/* [ns] more while that group loses charges */
	int64_t exec_ns;		/* [ns] one exec, without the controller */
	int64_t straddle_ns;		/* [ns] more where struct page lies across cache lines */
	int64_t exec_charge_ns;		/* [ns] an anonymous page is charged and uncharged */
	int64_t exec_ref_ns;		/* [ns] a file page is referenced and dropped */
	int64_t tree_ns;		/* [ns] a walk of the tree of page_cgroups */
	int64_t lookaside_ns;		/* [ns] a hit in the look-aside */
	int64_t prefetch_ns;		/* [ns] a hit is quicker, its record fetched early */
	int64_t grace_ns;		/* an RCU grace period */
	int64_t hz;			/* ticks a second */
	int64_t flush_ns;		/* [ns] between two flushes of group statistics */
	int64_t sample_steps;		/* [steps] between two samples */
};

/* Row of knob_table.  A knob is set by its name; values outside min to max are refused. */
struct knob_desc {
	const char *name;
	size_t offset;			/* of the member in struct knobs */
	const char *unit;		/* "pages", "ns", "steps", "" */
	const char *status;		/* "kernel" (constant of the source) or "assumed" */
	int64_t def, min, max;
	const char *doc;
};

size_t knob_count(void);
const struct knob_desc *knob_at(size_t i);

/* knob_defaults - every knob at its default; a kernel then replaces some (era.c). */
void knob_defaults(struct knobs *knobs);

/* knob_get - value of knob number @i, in the unit of its row. */
int64_t knob_get(const struct knobs *knobs, size_t i);

/**
 * knob_set - set one knob by name
 * Returns: ERR_NAME (with the nearest name) or ERR_RANGE (with the range).
 */
enum err knob_set(struct knobs *knobs, const char *name, int64_t value, struct diag *diag);

#endif
