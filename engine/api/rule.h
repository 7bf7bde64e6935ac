/*
 * The decision rules: what an event names as its reason.  A row says what
 * the rule does and which kernel function it follows.
 */
#ifndef MEMCGLAB_ENGINE_API_RULE_H
#define MEMCGLAB_ENGINE_API_RULE_H

#include <stddef.h>

enum rule {
	RULE_NONE,
	RULE_CHARGE_LIMIT,	/* C1 usage + n > limit: the charge fails at that level */
	RULE_LIMIT_SET,		/* C2 a limit below usage is set only after shrinking */
	RULE_LIMIT_BUSY,	/* C3 shrinking ran out of retries: EBUSY, limit unchanged */
	RULE_REMOVE_MOVED,	/* C4 pages of a removed group are its parent's */
	RULE_REMOVE_DIES,	/* C5 pages of a removed group stay in it: it is dying */
	RULE_REMOVE_RELEASED,	/* C6 the last page of a dying group is gone */
	RULE_REMOVE_BUSY,	/* C7 the parent has no room for the pages: EBUSY */
	RULE_CHARGE_MEMSW,	/* C8 usage + swap + n > memsw limit: the charge fails there */
	RULE_MEMSW_SET,		/* C9 a memsw limit below usage + swap is set after shrinking */
	RULE_MEMSW_BUSY,	/* C10 shrinking without swap ran out of retries: EBUSY */
	RULE_SCAN_DIRECT,	/* S1 the scan target of this priority runs at once */
	RULE_SCAN_SAVED,	/* S2 targets are saved up to the cluster, then run whole */
	RULE_SCAN_FORCED,	/* S3 a target of zero became the forced minimum */
	RULE_SCAN_FALL_THROUGH,	/* S4 an active list's target is spent on the inactive list */
	RULE_SCAN_OFFLINE,	/* S5 what is left of a removed group is scanned at any priority */
	RULE_RECLAIM_CLEAN,	/* R1 clean, unmapped, unreferenced by others: freed */
	RULE_KEEP_HELD,		/* R2 another CPU's queue holds the page: kept */
	RULE_KEEP_USED,		/* R3 mapped and used once: marked and kept */
	RULE_ACTIVATE_USED,	/* R4 mapped and used again: activated */
	RULE_SWAP_OUT,		/* R5 anonymous, unused: written to swap and freed */
	RULE_ACTIVATE_NO_SWAP,	/* R6 anonymous and no swap slot is free: activated */
	RULE_FREE_LAZY,		/* R7 memory given up and not written since: freed */
	RULE_ACTIVATE_WRITTEN,	/* R8 memory given up, but written since: activated */
	RULE_KEEP_EXEC,		/* D2 executed and used: stays on the active list */
	RULE_CULL,		/* U1 locked in memory: to the unevictable list */
	RULE_WRITE_SWAP,	/* R7 anonymous, unused: given to the swap device, kept till then */
	RULE_FREE_SWAPPED,	/* R8 anonymous, its copy in swap is good: freed */
	RULE_KEEP_WRITEBACK,	/* B1 under writeback: kept */
	RULE_WRITE_OUT,		/* B2 dirty: written out, and kept until that is done */
	RULE_KEEP_DIRTY,	/* B3 dirty and not written by this reclaimer: kept */
	RULE_ACTIVATE_DIRTY,	/* B4 dirty or under writeback: activated (v6.18) */
	RULE_WAIT_WRITEBACK,	/* B5 met under writeback the second time: waited for */
	RULE_WAIT_DIRTY,	/* B6 all that was taken is dirty: the flusher is waited for */
	RULE_NAP,		/* B7 a priority was not enough: the device is waited for */
	RULE_THROTTLE_DIRTY,	/* B8 too much is dirty: the writer sleeps */
	RULE_THROTTLE_WRITEOUT,	/* B9 too much is under writeback: reclaim sleeps after a pass */
	RULE_DEACTIVATE,	/* D1 active list too long for its inactive list: tail moved over */
	RULE_TOUCH_ACTIVATE,	/* T1 second touch of a listed inactive page */
	RULE_VICTIM_CURSOR,	/* W1 next css id after the cursor */
	RULE_VICTIM_ITER,	/* W2 next css id from the iterator of this priority */
	RULE_VICTIM_TREE,	/* W3 next in the pre-order walk that all reclaimers share */
	RULE_KSWAPD,		/* G1 a zone is below its low watermark: kswapd */
	RULE_DIRECT,		/* G2 kswapd was not enough: the allocating task reclaims */
	RULE_OOM_BADNESS,	/* O1 virtual size */
	RULE_OOM_RSS,		/* O2 share of the limit that is resident */
	RULE_OOM_PAGES,		/* O4 pages in memory and swap */
	RULE_OOM_NONE,		/* O3 no killable task in the subtree */
	NR_RULES
};

/* Row of the table of rules. */
struct rule_desc {
	const char *code;	/* "S2": short, for narrow columns */
	const char *name;	/* "scan_saved": for queries and scripts */
	const char *doc;	/* one line for people */
	const char *source;	/* release, file:line and function that it follows */
};

const struct rule_desc *rule_at(enum rule rule);

#endif
