/*
 * Eras (kernels): rows that pick one value on each axis.  An axis is one
 * respect in which kernels differ; model code looks up its policy by the
 * axis value and never asks which era it runs.
 */
#ifndef MEMCGLAB_ENGINE_API_ERA_H
#define MEMCGLAB_ENGINE_API_ERA_H

#include <stdbool.h>

#include "knob.h"
#include "units.h"

/* Values of each are in policy.h, their words and meanings in axis.c; 0 is the oldest rule. */
enum axis {
	AXIS_LRU,		/* zone lists beside group lists, or group lists only */
	AXIS_ROOT_LISTED,	/* the root's pages on its group lists */
	AXIS_PAGEVEC,		/* add queue for each list, or one for all */
	AXIS_ACTIVATION,	/* at once, or through a queue */
	AXIS_TOUCH_QUEUED,	/* second use of a page in an add queue */
	AXIS_TOUCH_READ,	/* when a read is no new use of its first page */
	AXIS_NEW_ANON,		/* list of a new anonymous page */
	AXIS_SCAN_BATCH,	/* where small scan targets are saved up */
	AXIS_BALANCE,		/* how a target is shared between anon and file */
	AXIS_SWAPPINESS_0,	/* whether swappiness 0 still swaps */
	AXIS_SWAPPINESS_OF,	/* whose swappiness a pass goes by */
	AXIS_TINY_FILE,		/* whose file cache is next to none in global reclaim */
	AXIS_EARLY_BREAK,	/* what a pass must have freed to end early */
	AXIS_FORCED_MIN,	/* what becomes of a target of zero */
	AXIS_FORCED_GLOBAL,	/* when that holds for the machine too */
	AXIS_ROUND,		/* pages isolated at once */
	AXIS_FALL_THROUGH,	/* target of an active list that may not move over */
	AXIS_DEACTIVATE,	/* who says that an active list may move over */
	AXIS_ANON_AGING,	/* swap that aging of anon after a pass asks for */
	AXIS_LOW_SCOPE,		/* sizes by which an inactive list is too short */
	AXIS_USED_ONCE,		/* a mapped page used once since the last look */
	AXIS_USED_MANY,		/* a page used in several mappings, or executed */
	AXIS_EXEC,		/* executed pages of the active list */
	AXIS_REFERENCES,	/* whose mappings of a page are asked */
	AXIS_RECENCY,		/* advice by which a mapping's use does not count */
	AXIS_MMAP_AHEAD,	/* what a fault reads in and maps around its page */
	AXIS_ZERO_PAGE,		/* memory that is read before it is written */
	AXIS_REUSE,		/* whether a page that was shared is written to as it is */
	AXIS_HINT,		/* pages that an invalidation could not free */
	AXIS_MADVISE,		/* which advice about memory there is */
	AXIS_MOVE_CHARGE,	/* whether charges can go with a task */
	AXIS_FILE_WRITEOUT,	/* who writes dirty pages of files in reclaim */
	AXIS_WRITEBACK_WAIT,	/* limit reclaim that meets a page under writeback */
	AXIS_FLUSHER,		/* what makes reclaim wake the flusher */
	AXIS_NAP,		/* when reclaim sleeps between priorities */
	AXIS_WRITEOUT_WAIT,	/* whether a pass waits for what is under writeback */
	AXIS_ROTATE_GROUP,	/* group lists are rotated when a write ends */
	AXIS_TOUCH_WRITE,	/* write(2) counts as a use */
	AXIS_PARTIAL,		/* what reclaim returns below a cluster */
	AXIS_WALK,		/* how the groups of a hierarchy take turns */
	AXIS_VICTIM_NODE,	/* node where reclaim for a limit begins */
	AXIS_SECOND_VISIT,	/* when the cursor comes to the top again */
	AXIS_SKIP,		/* groups that the cursor passes over */
	AXIS_CHARGE,		/* page by page, or in batches into a stock */
	AXIS_UNCHARGE,		/* pages that are uncharged together */
	AXIS_DRAIN,		/* when the stocks are given back */
	AXIS_REMOVAL,		/* what becomes of the pages of a removed group */
	AXIS_OOM_SCORE,		/* by what a task is chosen to be killed */
	AXIS_OOM_CHARGE,	/* a charge for which somebody else was killed */
	AXIS_HIGH_SCOPE,	/* whose overage decides the sleep above memory.high */
	AXIS_SOFT_LIMIT,	/* events after which the tree is looked at */
	AXIS_KSWAPD_ENOUGH,	/* when kswapd leaves a zone alone */
	AXIS_WMARK_STEPS,	/* distance of the watermarks */
	AXIS_WMARK_QUIRK,	/* two pages set aside in the check */
	AXIS_HUGE_PAGES,	/* whether they can raise the watermarks */
	AXIS_COUNTER,		/* rounding of limits: res_counter, page_counter */
	AXIS_SWAP_ACCOUNT,	/* whether and how memory and swap are limited together */
	AXIS_CGROUP,		/* v1 or v2: files, limits, protection */
	AXIS_HIERARCHY,		/* use_hierarchy, or always */
	AXIS_REFAULT,		/* evicted pages leave shadows */
	AXIS_STAT_FLUSH,	/* figures that reclaim believes: exact or flushed */
	AXIS_STAT_READ,		/* what a read of memory.stat looks at */
	AXIS_KMEM,		/* tree nodes, page tables and buffer heads are charged */
	AXIS_STACK,		/* whether kernel stacks are charged */
	AXIS_SHADOW_SHRINK,	/* nodes of shadows are reclaimed */
	AXIS_FOLIOS,		/* what readahead fills the page cache with */
	AXIS_OWNER,		/* layout of the record that names a page's owner */
	AXIS_STAT,		/* statistics kept for a group */
	AXIS_MEMCG,		/* with the controller or without */
	AXIS_NR_CPUS,		/* CPUs that the kernel was built for */
	AXIS_LOCK_STAT,		/* what lock_stat prints of each class */
	AXIS_LOOKASIDE,		/* in front of the radix tree of owners */
	AXIS_DRAIN_MEMSW,	/* whether drained stocks are given back to memsw too */
	AXIS_ROOT_CHARGED,	/* whether pages of the root take stocks and counters */
	AXIS_GROUP_REF,		/* whether each charged page holds a reference of its group */
	AXIS_PAGE_PAD,		/* struct page without the owner's word, padded or not */
	AXIS_ROOT_STAT,		/* where the root's statistics come from */
	AXIS_MEMORY_STAT,	/* lines of memory.stat with cgroup v1 */
	AXIS_MOVE_LOCK,		/* what keeps a page's group while it is counted */
	AXIS_PGFAULT,		/* whether a fault that is taken again counts twice */
	NR_AXES
};

enum {
	ERA_NAME_MAX = 128,
	AXIS_VALUES_MAX = 8
};

/* Row of the axis table: what users read and write. */
struct axis_desc {
	const char *name;			/* "scan_batch" */
	const char *doc;			/* the question; value_docs answer it */
	const char *values[AXIS_VALUES_MAX + 1];	/* ends with NULL */
	const char *value_docs[AXIS_VALUES_MAX];
	unsigned runnable;			/* bit v: value v is modelled */
};

/* A kernel with its axes and knobs: all that a run needs to know of it. */
struct era {
	char name[ERA_NAME_MAX];	/* canonical: base, then the replaced axes in table order */
	const char *base;		/* the row it came from */
	const char *alias;		/* "" if the name has none */
	const char *doc;		/* one line */
	const char *source;		/* files and release the row was read in */
	const char *note;		/* "" or which older rule stands in for a missing one */
	uint8_t value[NR_AXES];		/* by axis, as in policy.h */
	bool runnable;			/* every axis value is modelled */
	struct knobs knobs;		/* this kernel's defaults; a scenario may change them */
};

const struct axis_desc *axis_at(enum axis axis);

/* era_at - row @i of the kernel table, named combinations too.  Returns: false past the last. */
bool era_at(size_t i, struct era *out);

/**
 * era_find - a kernel by name or alias, with any axes replaced
 * @spec: "v3.1", "batched", "v3.1+lru=per_memcg"; several "+axis=value"
 * @out:  receives a copy, with its canonical name
 * Returns: ERR_NAME for an unknown kernel, axis or value (with the nearest
 * name), ERR_USAGE for a combination that makes no sense (with the reason).
 */
enum err era_find(const char *spec, struct era *out, struct diag *diag);

/* era_limit_pages - a limit of @limit bytes in pages, as the kernel's counter rounds it: up to
 * v3.17 (bytes, whole pages), down from v3.19 on (page_counter). */
pages_t era_limit_pages(const struct era *era, bytes_t limit);

/* era_value_name - the word for the value of @axis in @era. */
const char *era_value_name(const struct era *era, enum axis axis);

#endif
