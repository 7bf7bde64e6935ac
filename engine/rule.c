/*
 * The table of decision rules.  An event names its rule; the code is what a
 * person sees, the source is where the rule was read.  Line numbers are
 * those of the release that is named.
 */
#include "rule.h"

#include <assert.h>

static const struct rule_desc rule_table[NR_RULES] = {
	[RULE_NONE] = { "-", "none", "no decision", "" },
	[RULE_CHARGE_LIMIT] = {
		"C1", "charge_limit", "usage + pages is above the limit of this level: refused",
		"v2.6.31 kernel/res_counter.c res_counter_charge_locked()" },
	[RULE_LIMIT_SET] = {
		"C2", "limit_set", "usage is within the new limit: it is set",
		"v2.6.31 mm/memcontrol.c mem_cgroup_resize_limit()" },
	[RULE_LIMIT_BUSY] = {
		"C3", "limit_busy", "shrinking ran out of fruitless tries: EBUSY, the limit stays",
		"v2.6.31 mm/memcontrol.c mem_cgroup_resize_limit()" },
	[RULE_REMOVE_MOVED] = {
		"C4", "remove_moved", "the pages of a removed group are its parent's",
		"v2.6.31 mm/memcontrol.c mem_cgroup_force_empty()" },
	[RULE_REMOVE_DIES] = {
		"C5", "remove_dies", "the pages of a removed group stay charged to it: it is dying",
		"v6.18 mm/memcontrol.c mem_cgroup_css_offline()" },
	[RULE_REMOVE_RELEASED] = {
		"C6", "remove_released", "the last page of a dying group is gone: so is the group",
		"v6.18 mm/memcontrol.c mem_cgroup_css_released()" },
	[RULE_REMOVE_BUSY] = {
		"C7", "remove_busy", "the parent has no room for the group's pages: EBUSY",
		"v2.6.31 mm/memcontrol.c mem_cgroup_force_empty()" },
	[RULE_CHARGE_MEMSW] = {
		"C8", "charge_memsw", "usage, swap and pages are above the memsw limit: refused",
		"v2.6.31 mm/memcontrol.c __mem_cgroup_try_charge()" },
	[RULE_MEMSW_SET] = {
		"C9", "memsw_set", "usage and swap are within the new memsw limit: it is set",
		"v2.6.31 mm/memcontrol.c mem_cgroup_resize_memsw_limit()" },
	[RULE_MEMSW_BUSY] = {
		"C10", "memsw_busy", "shrinking without swap ran out of tries: EBUSY",
		"v2.6.31 mm/memcontrol.c mem_cgroup_resize_memsw_limit()" },
	[RULE_SCAN_DIRECT] = {
		"S1", "scan_direct", "the target (size >> priority, by share) runs at once",
		"v2.6.31 mm/vmscan.c:1520 shrink_zone()" },
	[RULE_SCAN_SAVED] = {
		"S2", "scan_saved", "targets are saved up to the cluster, then run whole",
		"v2.6.32 mm/vmscan.c nr_scan_try_batch()" },
	[RULE_SCAN_FORCED] = {
		"S3", "scan_forced", "a target of zero became the forced minimum",
		"v3.1 mm/vmscan.c:1787 get_scan_count()" },
	[RULE_SCAN_FALL_THROUGH] = {
		"S4", "scan_fall_through",
		"the active list is short enough: its target is spent on the inactive list",
		"v2.6.31 mm/vmscan.c:1398 shrink_list()" },
	[RULE_SCAN_OFFLINE] = {
		"S5", "scan_offline", "the group is removed: a target of zero became a cluster",
		"v6.18 mm/vmscan.c:2566 get_scan_count()" },
	[RULE_RECLAIM_CLEAN] = {
		"R1", "reclaim_clean", "clean, unmapped and held by nobody else: freed",
		"v2.6.31 mm/vmscan.c:572 shrink_page_list()" },
	[RULE_KEEP_HELD] = {
		"R2", "keep_held", "a queue of another CPU holds the page: kept",
		"v3.1 mm/vmscan.c:760 shrink_page_list()" },
	[RULE_KEEP_USED] = {
		"R3", "keep_used", "mapped and used once since the last look: marked and kept",
		"v3.1 mm/vmscan.c page_check_references()" },
	[RULE_ACTIVATE_USED] = {
		"R4", "activate_used", "in use again since the last look: activated",
		"v2.6.31 mm/vmscan.c:572 shrink_page_list(); v3.1 page_check_references()" },
	[RULE_SWAP_OUT] = {
		"R5", "swap_out", "anonymous and unused: written to swap and freed",
		"v2.6.31 mm/vmscan.c:572 shrink_page_list()" },
	[RULE_ACTIVATE_NO_SWAP] = {
		"R6", "activate_no_swap", "anonymous, and no swap slot is free: activated",
		"v2.6.31 mm/vmscan.c:572 shrink_page_list()" },
	[RULE_FREE_LAZY] = {
		"R7", "free_lazy", "given up by MADV_FREE and not written since: freed",
		"v6.18 mm/vmscan.c:1109 shrink_folio_list()" },
	[RULE_ACTIVATE_WRITTEN] = {
		"R8", "activate_written", "given up by MADV_FREE, but written since: activated",
		"v6.18 mm/rmap.c try_to_unmap_one()" },
	[RULE_KEEP_EXEC] = {
		"D2", "keep_exec", "executed and used since the last look: stays active",
		"v2.6.31 mm/vmscan.c:1244 shrink_active_list()" },
	[RULE_CULL] = {
		"U1", "cull", "locked in memory: moved to the unevictable list",
		"v2.6.31 mm/vmscan.c putback_lru_page()" },
	[RULE_WRITE_SWAP] = {
		"R7", "write_swap",
		"anonymous and unused: given to the swap device, and kept until that is done",
		"v6.18 mm/vmscan.c:1109 shrink_folio_list(), mm/page_io.c swap_writeout()" },
	[RULE_FREE_SWAPPED] = {
		"R8", "free_swapped", "anonymous and unused, its copy in swap is good: freed",
		"v6.18 mm/vmscan.c:1109 shrink_folio_list()" },
	[RULE_KEEP_WRITEBACK] = {
		"B1", "keep_writeback", "under writeback: kept",
		"v2.6.31 mm/vmscan.c:572 shrink_page_list()" },
	[RULE_WRITE_OUT] = {
		"B2", "write_out", "dirty: written out now, and kept until that is done",
		"v2.6.31 mm/vmscan.c pageout()" },
	[RULE_KEEP_DIRTY] = {
		"B3", "keep_dirty", "dirty, and this reclaimer does not write it: kept",
		"v3.2 mm/vmscan.c:752 shrink_page_list()" },
	[RULE_ACTIVATE_DIRTY] = {
		"B4", "activate_dirty", "dirty or under writeback: out of the way, activated",
		"v6.18 mm/vmscan.c:1109 shrink_folio_list()" },
	[RULE_WAIT_WRITEBACK] = {
		"B5", "wait_writeback", "met under writeback the second time: waited for",
		"v3.6 mm/vmscan.c shrink_page_list()" },
	[RULE_WAIT_DIRTY] = {
		"B6", "wait_dirty",
		"all that was taken is dirty: the flusher is woken and waited for",
		"v6.18 mm/vmscan.c shrink_inactive_list()" },
	[RULE_NAP] = {
		"B7", "nap", "a low priority was not enough: the device is waited for",
		"v2.6.31 mm/vmscan.c:1728 do_try_to_free_pages()" },
	[RULE_THROTTLE_DIRTY] = {
		"B8", "throttle_dirty", "too much of the memory is dirty: the writer sleeps",
		"v3.5 mm/page-writeback.c balance_dirty_pages()" },
	[RULE_THROTTLE_WRITEOUT] = {
		"B9", "throttle_writeout",
		"too much is under writeback: reclaim sleeps after a pass",
		"v2.6.31 mm/page-writeback.c throttle_vm_writeout()" },
	[RULE_DEACTIVATE] = {
		"D1", "deactivate", "the inactive list is low: the active list's tail moves over",
		"v2.6.31 mm/vmscan.c:1244 shrink_active_list()" },
	[RULE_TOUCH_ACTIVATE] = {
		"T1", "touch_activate", "touched again while on the inactive list",
		"v2.6.31 mm/swap.c mark_page_accessed()" },
	[RULE_VICTIM_CURSOR] = {
		"W1", "victim_cursor", "next css id after the cursor of the group over its limit",
		"v2.6.31 mm/memcontrol.c:812 mem_cgroup_select_victim()" },
	[RULE_VICTIM_ITER] = {
		"W2", "victim_iter", "next css id from the iterator of this zone and priority",
		"v3.3 mm/memcontrol.c:880 mem_cgroup_iter()" },
	[RULE_VICTIM_TREE] = {
		"W3", "victim_tree", "next in the pre-order walk that all reclaimers share",
		"v6.18 mm/memcontrol.c:1003 mem_cgroup_iter()" },
	[RULE_KSWAPD] = {
		"G1", "kswapd", "every zone is below its low watermark: kswapd reclaims",
		"v2.6.31 mm/vmscan.c:1828 balance_pgdat()" },
	[RULE_DIRECT] = {
		"G2", "direct", "kswapd was not enough: the allocating task reclaims",
		"v2.6.31 mm/vmscan.c try_to_free_pages()" },
	[RULE_OOM_BADNESS] = {
		"O1", "oom_badness", "largest virtual size in the subtree, first on ties",
		"v2.6.31 mm/oom_kill.c badness()" },
	[RULE_OOM_RSS] = {
		"O2", "oom_rss", "largest resident share of the limit, first on ties",
		"v3.1 mm/oom_kill.c oom_badness()" },
	[RULE_OOM_PAGES] = {
		"O4", "oom_pages", "most pages in memory, swap and page tables, last on ties",
		"v6.18 mm/oom_kill.c oom_badness()" },
	[RULE_OOM_NONE] = {
		"O3", "oom_none", "no task in the subtree can be killed",
		"v3.1 mm/oom_kill.c mem_cgroup_out_of_memory()" },
};

const struct rule_desc *rule_at(enum rule rule)
{
	assert(rule >= 0 && rule < NR_RULES);
	return &rule_table[rule];
}
