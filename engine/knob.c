/*
 * The table of knobs.  Kernel constants keep their kernel names and values;
 * costs in time are assumed until a published row calibrates them.
 */
#include "knob.h"

#include <assert.h>
#include <string.h>

#define KNOB(member) #member, offsetof(struct knobs, member)

static const struct knob_desc knob_rows[] = {
	{ KNOB(swap_cluster_max), "pages", "kernel", 32, 1, 32,
	  "pages that one reclaim call wants to free and isolates at once" },
	{ KNOB(def_priority), "", "kernel", 12, 0, 31,
	  "priority at which reclaim begins: 1/4096 of a list" },
	{ KNOB(pagevec_size), "pages", "kernel", 14, 1, 31,
	  "pages that a CPU queues before it lists them" },
	{ KNOB(reclaim_retries), "", "kernel", 5, 1, 100,
	  "fruitless rounds after the first before a charge is out of memory" },
	{ KNOB(reclaim_loops), "", "kernel", 100, 1, 10000,
	  "reclaim calls in one round at most (v3.3)" },
	{ KNOB(charge_batch), "pages", "kernel", 32, 1, 1024,
	  "pages charged at once into the CPU's stock" },
	{ KNOB(stock_slots), "", "kernel", 1, 1, 7, "groups that one CPU keeps a stock for" },
	{ KNOB(stack_pages), "pages", "kernel", 4, 1, 16,
	  "a thread's kernel stack on x86-64 (THREAD_SIZE); 2 before v3.15" },
	{ KNOB(swappiness), "", "kernel", 60, 0, 200,
	  "vm.swappiness, inherited by groups; up to 100 before v5.8" },
	{ KNOB(readahead), "pages", "assumed", 0, 0, 1024,
	  "largest readahead window; kernels default to 32 (128 KiB)" },
	{ KNOB(hit_ns), "ns", "assumed", 250, 0, 1000000, "an access that finds its page" },
	{ KNOB(fault_ns), "ns", "assumed", 1000, 0, 1000000,
	  "allocate, charge and queue one page" },
	{ KNOB(readahead_ns), "ns", "assumed", 1000, 0, 1000000,
	  "the same for a folio that is read ahead" },
	{ KNOB(io_ns), "ns", "assumed", 40000, 0, 100000000, "read one page from the device" },
	{ KNOB(write_ns), "ns", "assumed", 40000, 0, 100000000,
	  "write one page to the device; 0: written at once" },
	{ KNOB(write_queue), "pages", "assumed", 113, 0, 65536,
	  "pages under writeback from which on the device is congested" },
	{ KNOB(write_request), "pages", "kernel", 128, 1, 65536,
	  "pages of the largest request to a device, which are written together (512 KiB)" },
	{ KNOB(swap_ns), "ns", "assumed", 0, 0, 100000000,
	  "a request to the swap device; 0: written at once, as compressed memory is" },
	{ KNOB(swap_request), "pages", "kernel", 256, 1, 65536,
	  "pages of the largest request to the swap device: a cluster of slots" },
	{ KNOB(swap_out_ns), "ns", "assumed", 3000, 0, 1000000,
	  "unmap a page and hand it to the swap device" },
	{ KNOB(swap_readahead), "pages", "kernel", 8, 1, 64,
	  "largest window that is read back from a swap device (2^vm.page-cluster)" },
	{ KNOB(dirty_ratio), "%", "kernel", 20, 0, 100,
	  "vm.dirty_ratio: from that part of dirtyable memory on writers sleep" },
	{ KNOB(dirty_background_ratio), "%", "kernel", 10, 0, 100,
	  "vm.dirty_background_ratio: from that part on the flusher writes" },
	{ KNOB(dirty_bytes), "bytes", "kernel", 0, 0, 1000000000000000,
	  "vm.dirty_bytes: instead of dirty_ratio; 0: the ratio holds" },
	{ KNOB(dirty_background_bytes), "bytes", "kernel", 0, 0, 1000000000000000,
	  "vm.dirty_background_bytes: instead of its ratio; 0: the ratio holds" },
	{ KNOB(dirty_expire_ns), "ns", "kernel", 30000000000, 0, 1000000000000000,
	  "vm.dirty_expire_centisecs: a file that was dirty for longer is written" },
	{ KNOB(dirty_writeback_ns), "ns", "kernel", 5000000000, 1, 1000000000000000,
	  "vm.dirty_writeback_centisecs: time between two looks for old dirty files" },
	{ KNOB(scan_ns), "ns", "assumed", 150, 0, 1000000, "isolate and examine one page" },
	{ KNOB(reclaim_ns), "ns", "assumed", 1000, 0, 1000000,
	  "one pass over the lists of one group" },
	{ KNOB(owner_ns), "ns", "assumed", 0, 0, 1000000,
	  "with the controller: a page's owner is recorded, then forgotten (see sparse-cat-2011)" },
	{ KNOB(member_ns), "ns", "assumed", 0, 0, 1000000,
	  "below the root: a page is charged to counters and uncharged (see sparse-cat-2011)" },
	{ KNOB(second_list_ns), "ns", "assumed", 0, 0, 1000000,
	  "lru=double: a page is accounted on its group's list too (see sparse-cat-2011)" },
	{ KNOB(skip_ns), "ns", "assumed", 10, 0, 1000000,
	  "a charge, uncharge or reference of a group that is not accounted is passed over" },
	{ KNOB(unmap_ns), "ns", "assumed", 0, 0, 1000000, "free one page of an unmapping" },
	{ KNOB(preempt), "", "assumed", 1, 0, 1,
	  "the kernel is preemptible: it unmaps in blocks of 8 pages, not of 1024 (v2.6.33)" },
	{ KNOB(lock_hold_ns), "ns", "calibrated", 350, 0, 1000000,
	  "a counter's lock is held (debugging kernel; lock_stat_2009, hold total before)" },
	{ KNOB(lock_least_ns), "ns", "calibrated", 56, 0, 1000000,
	  "the shortest hold (lock_stat_2009, hold min before, of 8 CPUs)" },
	{ KNOB(lock_bounce_ns), "ns", "assumed", 150, 0, 1000000,
	  "longer when its line comes from another CPU" },
	{ KNOB(atomic_ns), "ns", "assumed", 20, 0, 1000000,
	  "one addition to a counter whose line the CPU has" },
	{ KNOB(lock_lines), "", "assumed", 0, 0, 1,
	  "1: no lock debugging; what locks cost is followed by their cache lines (line_ns)" },
	{ KNOB(lock_local_ns), "ns", "assumed", 50, 0, 1000000,
	  "of it, work under a counter's lock whose lines the CPU has" },
	{ KNOB(line_ns), "ns", "calibrated", 292, 0, 1000000,
	  "a line comes from another CPU (fault_loop_2009, rows 1 and 2)" },
	{ KNOB(inode_hold_ns), "ns", "calibrated", 11963, 0, 1000000,
	  "a page of write(2), its file's lock held (dirty_stat_2012, runt before, 8 jobs)" },
	{ KNOB(vfs_ns), "ns", "calibrated", 165, 0, 1000000,
	  "longer to dirty a page with stat=vfs or more (dirty_stat_2012, runt of vfs)" },
	{ KNOB(stat_ns), "ns", "assumed", 330, 0, 1000000,
	  "a page counted dirty or written for its group: three lines from memory, and 30" },
	{ KNOB(move_lock_ns), "ns", "assumed", 50, 0, 1000000,
	  "longer while charges are moved out of that group: a lock, its line at hand" },
	{ KNOB(exec_ns), "ns", "calibrated", 319600, 1, 1000000000,
	  "one exec without the controller (execl_2008, row 6, less straddle_ns)" },
	{ KNOB(straddle_ns), "ns", "calibrated", 1960, 0, 1000000000,
	  "longer where struct page lies across cache lines (execl_2008, rows 4 and 5)" },
	{ KNOB(exec_charge_ns), "ns", "calibrated", 600, 0, 1000000,
	  "an anonymous page of an exec is charged and uncharged (execl_2008, row 1)" },
	{ KNOB(exec_ref_ns), "ns", "calibrated", 130, 0, 1000000,
	  "a file page of an exec is referenced and dropped (execl_2008, row 1)" },
	{ KNOB(tree_ns), "ns", "calibrated", 23, 0, 1000000,
	  "a walk of the radix tree of page_cgroups (execl_2008, row 2)" },
	{ KNOB(lookaside_ns), "ns", "assumed", 5, 0, 1000000,
	  "a hit in the look-aside in front of it" },
	{ KNOB(prefetch_ns), "ns", "calibrated", 6, 0, 1000000,
	  "of that hit, hidden by fetching the record early (execl_2008, row 4)" },
	{ KNOB(grace_ns), "ns", "assumed", 6000000, 1, 1000000000000,
	  "an RCU grace period, after which freed tree nodes are uncharged (v6.18)" },
	{ KNOB(hz), "ticks", "kernel", 1000, 100, 1000, "clock ticks a second" },
	{ KNOB(flush_ns), "ns", "kernel", 2000000000, 1, 1000000000000000,
	  "time between two flushes of the groups' statistics (v6.18)" },
	{ KNOB(sample_steps), "steps", "assumed", 256, 1, 1000000000, "steps between two samples" },
};

#define NR_KNOBS (sizeof(knob_rows) / sizeof(knob_rows[0]))

size_t knob_count(void)
{
	return NR_KNOBS;
}

const struct knob_desc *knob_at(size_t i)
{
	assert(i < NR_KNOBS);
	return &knob_rows[i];
}

void knob_defaults(struct knobs *knobs)
{
	size_t i;

	memset(knobs, 0, sizeof(*knobs));
	for (i = 0; i < NR_KNOBS; i++)
		memcpy((char *)knobs + knob_rows[i].offset, &knob_rows[i].def, sizeof(int64_t));
}

int64_t knob_get(const struct knobs *knobs, size_t i)
{
	int64_t value;

	memcpy(&value, (const char *)knobs + knob_at(i)->offset, sizeof(value));
	return value;
}

static const char *knob_name(const void *ctx, size_t i)
{
	(void)ctx;
	return i < NR_KNOBS ? knob_rows[i].name : NULL;
}

enum err knob_set(struct knobs *knobs, const char *name, int64_t value, struct diag *diag)
{
	size_t i;

	for (i = 0; i < NR_KNOBS; i++)
		if (strcmp(knob_rows[i].name, name) == 0)
			break;
	if (i == NR_KNOBS)
		return diag_fail(diag, ERR_NAME, "%s: no such knob (did you mean %s?)", name,
				 diag_nearest(name, knob_name, NULL));
	if (value < knob_rows[i].min || value > knob_rows[i].max)
		return diag_fail(diag, ERR_RANGE, "%s: %lld is not from %lld to %lld", name,
				 (long long)value, (long long)knob_rows[i].min,
				 (long long)knob_rows[i].max);
	memcpy((char *)knobs + knob_rows[i].offset, &value, sizeof(value));
	return ERR_OK;
}
