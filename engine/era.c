/*
 * The table of axes and the table of kernels.  A kernel is a row of axis
 * values; a named combination is a kernel with axes replaced.  Rows whose
 * kernel has a value that is not modelled yet are listed (their page_cgroup
 * size is known) and refused by runs.
 */
#include "era.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "policy.h"

#define BIT(v) (1u << (v))

static const struct axis_desc axis_table[NR_AXES] = {
	[AXIS_LRU] = { "lru", "lists that hold a charged page",
		{ "double", "per_memcg" },
		{ "the zone's list and its group's list", "its group's list only" },
		BIT(LRU_DOUBLE) | BIT(LRU_PER_MEMCG) },
	[AXIS_ROOT_LISTED] = { "root_listed", "pages of the root group on its group lists",
		{ "yes", "counts" }, { "listed", "counted, but only on the zone's lists" },
		BIT(ROOT_LISTED_YES) | BIT(ROOT_LISTED_COUNTS) },
	[AXIS_PAGEVEC] = { "pagevec", "the queue in which a CPU gathers new pages",
		{ "per_list", "single" }, { "one for each list", "one for all lists" },
		BIT(PAGEVEC_PER_LIST) | BIT(PAGEVEC_SINGLE) },
	[AXIS_ACTIVATION] = { "activation", "when a page touched twice changes lists",
		{ "immediate", "queued" },
		{ "at once", "when the CPU's activate queue is full (at once with one CPU)" },
		BIT(ACTIVATION_IMMEDIATE) | BIT(ACTIVATION_QUEUED) },
	[AXIS_TOUCH_QUEUED] = { "touch_queued", "a second touch of a page still in an add queue",
		{ "ignored", "activates" },
		{ "the page stays referenced", "the page is listed as active" },
		BIT(TOUCH_QUEUED_IGNORED) | BIT(TOUCH_QUEUED_ACTIVATES) },
	[AXIS_TOUCH_READ] = { "touch_read", "a read is no new use of a page if it begins",
		{ "place", "page" },
		{ "in the very place where the last one ended",
		  "in the page where the last one ended" },
		BIT(TOUCH_READ_PLACE) | BIT(TOUCH_READ_PAGE) },
	[AXIS_NEW_ANON] = { "new_anon", "list of a new anonymous page",
		{ "active", "inactive" }, { "active_anon", "inactive_anon" },
		BIT(NEW_ANON_ACTIVE) | BIT(NEW_ANON_INACTIVE) },
	[AXIS_SCAN_BATCH] = { "scan_batch", "where small scan targets are saved up",
		{ "none", "zone", "reclaim_stat" },
		{ "nowhere: they run at once", "in the zone, for global reclaim only",
		  "in the reclaim statistics, for groups too" },
		BIT(SCAN_BATCH_NONE) | BIT(SCAN_BATCH_ZONE) | BIT(SCAN_BATCH_RECLAIM_STAT) },
	[AXIS_BALANCE] = { "balance", "how a target is shared between anon and file",
		{ "percent", "fraction", "cost" },
		{ "in whole percent", "by a fraction", "by recorded costs" },
		BIT(BALANCE_PERCENT) | BIT(BALANCE_FRACTION) | BIT(BALANCE_COST) },
	[AXIS_EARLY_BREAK] = { "early_break", "a pass below the first priority ends early when",
		{ "gt_cumulative", "ge_cumulative", "ge_local", "ge_local_all" },
		{ "all passes freed more than the cluster", "all passes freed the cluster",
		  "this pass freed its target",
		  "this pass freed its target, at the first priority too" },
		BIT(EARLY_BREAK_GT_CUMULATIVE) | BIT(EARLY_BREAK_GE_CUMULATIVE) |
		BIT(EARLY_BREAK_GE_LOCAL) | BIT(EARLY_BREAK_GE_LOCAL_ALL) },
	[AXIS_FORCED_MIN] = { "forced_min", "limit reclaim whose target is zero",
		{ "none", "after", "before", "offline" },
		{ "scans nothing", "scans its share of a cluster",
		  "shares out a cluster if the unshared target is zero",
		  "only for removed groups" },
		BIT(FORCED_MIN_NONE) | BIT(FORCED_MIN_AFTER) | BIT(FORCED_MIN_BEFORE) |
		BIT(FORCED_MIN_OFFLINE) },
	[AXIS_ROUND] = { "round", "pages isolated at once from an inactive list",
		{ "cluster", "asked" },
		{ "a whole cluster, again until as many as asked were tried", "as many as asked" },
		BIT(ROUND_CLUSTER) | BIT(ROUND_ASKED) },
	[AXIS_FALL_THROUGH] = { "fall_through", "an active list's target when it is not too long",
		{ "on", "off" }, { "is spent on the inactive list", "is dropped" },
		BIT(FALL_THROUGH_ON) | BIT(FALL_THROUGH_OFF) },
	[AXIS_DEACTIVATE] = { "deactivate", "when an active list is moved over",
		{ "low", "target" },
		{ "when its inactive list is too short",
		  "when the figures of the group over its limit say so" },
		BIT(DEACTIVATE_LOW) | BIT(DEACTIVATE_TARGET) },
	[AXIS_ANON_AGING] = { "anon_aging", "active anon is aged at the end of a pass while",
		{ "free", "total" }, { "a swap slot is free", "there is swap at all" },
		BIT(ANON_AGING_FREE) | BIT(ANON_AGING_TOTAL) },
	[AXIS_LOW_SCOPE] = { "low_scope", "over what an inactive list is judged too short",
		{ "group", "group_zone", "node_tree" },
		{ "the whole group", "the group's pages of the zone", "the node's subtree" },
		BIT(LOW_SCOPE_GROUP) | BIT(LOW_SCOPE_GROUP_ZONE) | BIT(LOW_SCOPE_NODE_TREE) },
	[AXIS_USED_ONCE] = { "used_once", "a mapped page that was used once since the last look",
		{ "activated", "kept", "kept_anon" },
		{ "is activated", "is kept if it is of a file, activated if anonymous",
		  "is kept, anonymous or not" },
		BIT(USED_ONCE_ACTIVATED) | BIT(USED_ONCE_KEPT) | BIT(USED_ONCE_KEPT_ANON) },
	[AXIS_FILE_WRITEOUT] = { "file_writeout", "reclaim that meets a dirty page of a file",
		{ "any", "marked", "kswapd", "never" },
		{ "writes it out unless it was in use", "writes it out unless it is marked",
		  "leaves it to kswapd at priority 9 or lower", "activates it" },
		BIT(FILE_WRITEOUT_ANY) | BIT(FILE_WRITEOUT_KEEPS_MARKED) |
		BIT(FILE_WRITEOUT_KSWAPD) | BIT(FILE_WRITEOUT_NEVER) },
	[AXIS_ROTATE_GROUP] = { "rotate_group", "a written page goes to the tail of its group's list",
		{ "off", "on" }, { "no: of the zone's list only", "yes" },
		BIT(ROTATE_GROUP_OFF) | BIT(ROTATE_GROUP_ON) },
	[AXIS_TOUCH_WRITE] = { "touch_write", "write(2) counts as a use of the page",
		{ "on", "off" }, { "yes", "no" }, BIT(TOUCH_WRITE_ON) | BIT(TOUCH_WRITE_OFF) },
	[AXIS_PARTIAL] = { "partial", "what limit reclaim that freed less than a cluster returns",
		{ "zero", "freed" }, { "0", "the pages it freed" },
		BIT(PARTIAL_ZERO) | BIT(PARTIAL_FREED) },
	[AXIS_WALK] = { "walk", "which group of a hierarchy is reclaimed next",
		{ "root", "root_zone_prio", "root_node" },
		{ "one cursor a hierarchy", "one iterator a hierarchy, zone and priority",
		  "one iterator a hierarchy and node" },
		BIT(WALK_ROOT) | BIT(WALK_ROOT_ZONE_PRIO) | BIT(WALK_ROOT_NODE) },
	[AXIS_SECOND_VISIT] = { "second_visit", "a round that meets its root the second time",
		{ "reclaims", "stops" }, { "still reclaims it", "ends" },
		BIT(SECOND_VISIT_RECLAIMS) | BIT(SECOND_VISIT_STOPS) },
	[AXIS_SKIP] = { "skip", "groups that the cursor passes over",
		{ "uncharged", "unreclaimable" },
		{ "those without a charged page of their own",
		  "those with no file page listed and no anon that could be swapped" },
		BIT(SKIP_UNCHARGED) | BIT(SKIP_UNRECLAIMABLE) },
	[AXIS_CHARGE] = { "charge", "how pages are charged",
		{ "page", "stock32", "rfc", "stock64" },
		{ "one by one", "32 tried first, kept in the CPU's stock",
		  "a stock for each group and CPU (2009 proposal)", "64 tried first" },
		BIT(CHARGE_PAGE) | BIT(CHARGE_STOCK32) | BIT(CHARGE_STOCK64) },
	[AXIS_OOM_SCORE] = { "oom_score", "who is killed",
		{ "badness", "rss", "pages" },
		{ "the largest virtual size", "the largest resident share of the limit",
		  "the most pages in memory and swap, the last on ties" },
		BIT(OOM_SCORE_BADNESS) | BIT(OOM_SCORE_RSS) | BIT(OOM_SCORE_PAGES) },
	[AXIS_OOM_CHARGE] = { "oom_charge", "a charge whose group killed another task",
		{ "fails", "retries", "doomed" },
		{ "fails: a page fault is taken again, a read ends short", "begins anew",
		  "begins anew, even where it is the victim itself" },
		BIT(OOM_CHARGE_FAILS) | BIT(OOM_CHARGE_RETRIES) | BIT(OOM_CHARGE_DOOMED) },
	[AXIS_SOFT_LIMIT] = { "soft_limit", "the order of groups above their soft limit is renewed",
		{ "none", "count", "target" },
		{ "never: there is no soft limit", "every 1001 events of a group",
		  "every 1032 events, eight thresholds apart" },
		BIT(SOFT_LIMIT_OFF) | BIT(SOFT_LIMIT_COUNT) | BIT(SOFT_LIMIT_TARGET) },
	[AXIS_KSWAPD_ENOUGH] = { "kswapd_enough", "kswapd passes a zone over that has free",
		{ "8high", "gap", "one_zone" },
		{ "eight times its high mark", "its high mark and a gap", "(one zone is enough)" },
		BIT(KSWAPD_ENOUGH_8HIGH) | BIT(KSWAPD_ENOUGH_GAP) | BIT(KSWAPD_ENOUGH_ONE_ZONE) },
	[AXIS_WMARK_STEPS] = { "wmark_steps", "from the minimum to the low and high watermark",
		{ "quarter", "scaled" },
		{ "a quarter and a half of the minimum", "steps of 0.1 % of the zone at least" },
		BIT(WMARK_STEPS_QUARTER) | BIT(WMARK_STEPS_SCALED) },
	[AXIS_WMARK_QUIRK] = { "wmark_quirk", "two pages set aside when a watermark is checked",
		{ "off", "on" }, { "no", "yes" }, BIT(WMARK_QUIRK_OFF) | BIT(WMARK_QUIRK_ON) },
	[AXIS_HUGE_PAGES] = { "huge_pages", "transparent huge pages, which raise the watermarks",
		{ "none", "known" }, { "not there yet", "if the machine enables them" },
		BIT(HUGE_PAGES_OFF) | BIT(HUGE_PAGES_ON) },
	[AXIS_COUNTER] = { "counter", "what a limit is kept in",
		{ "bytes", "pages" },
		{ "bytes: a part of a page is a page", "whole pages: a part of a page is nothing" },
		BIT(COUNTER_BYTES) | BIT(COUNTER_PAGES) },
	[AXIS_CGROUP] = { "cgroup", "version of the control interface",
		{ "v1", "v2" }, { "limits and failcnt", "min, low, high, max and events" },
		BIT(CGROUP_V1) | BIT(CGROUP_V2) },
	[AXIS_HIERARCHY] = { "hierarchy", "whether a group is charged for its children",
		{ "chosen", "always" }, { "where use_hierarchy is set", "always" },
		BIT(HIERARCHY_CHOSEN) | BIT(HIERARCHY_ALWAYS) },
	[AXIS_REFAULT] = { "refault", "evicted pages leave a shadow that tells when they went",
		{ "off", "on" }, { "no", "yes: a page that comes back early is active at once" },
		BIT(REFAULT_OFF) | BIT(REFAULT_ON) },
	[AXIS_STAT_FLUSH] = { "stat_flush", "by which figures a group is judged",
		{ "exact", "periodic" }, { "today's", "those of the last flush, every 2 s" },
		BIT(STAT_FLUSH_EXACT) | BIT(STAT_FLUSH_PERIODIC) },
	[AXIS_KMEM] = { "kmem", "kernel memory that is charged",
		{ "off", "nodes" }, { "none", "page-cache tree nodes and page tables" },
		BIT(KMEM_OFF) | BIT(KMEM_NODES) },
	[AXIS_SHADOW_SHRINK] = { "shadow_shrink", "tree nodes that hold shadows only",
		{ "off", "on" }, { "stay", "are freed beyond an eighth of the group's pages" },
		BIT(SHADOW_SHRINK_OFF) | BIT(SHADOW_SHRINK_ON) },
	[AXIS_OWNER] = { "owner", "the record of a page's owner",
		{ "slab40", "slab40_27", "radix", "array40", "array32", "array16", "pointer" },
		{ "40 bytes a charged page, reference counted", "40 bytes a charged page",
		  "in a radix tree (2008 proposal)", "array of 40 bytes", "array of 32 bytes",
		  "array of 16 bytes", "a word in struct page" },
		BIT(OWNER_ARRAY40) | BIT(OWNER_ARRAY32) | BIT(OWNER_ARRAY16) |
		BIT(OWNER_POINTER) },
	[AXIS_STAT] = { "stat", "per-group statistics of dirty pages",
		{ "file", "vfs", "dirty" },
		{ "mapped file pages only", "the rework alone", "dirty and writeback pages" },
		BIT(STAT_FILE) },
	[AXIS_MEMCG] = { "memcg", "the memory controller",
		{ "on", "off" }, { "on", "not built in" }, BIT(MEMCG_ON) },
};

/* A kernel says what changed since the row that it is based on. */
struct era_row {
	const char *name;	/* with '+': a named combination, read like one typed by a user */
	const char *alias;
	const char *base;	/* "": the oldest behaviour on every axis */
	const char *axes;	/* "axis=value …": what differs from the base */
	bool rules;		/* false: some of its rules are not in this version */
	const char *doc, *source, *note;
};

#define LATER "needs rules that this version does not have"
#define REREAD_3_3 "v3.3's reclaim rules stand in"

static const struct era_row era_rows[] = {
	{ "v2.6.25", "", "", "owner=slab40", false,
	  "page_cgroup hung on struct page, reference counted", "v2.6.25 mm/memcontrol.c", LATER },
	{ "v2.6.25+owner=radix", "", "", "", false, "radix-tree page_cgroup, proposed in 2008",
	  "", LATER },
	{ "v2.6.25+memcg=off", "", "", "", false, "without the controller", "", LATER },
	{ "v2.6.31", "unbatched", "v2.6.25", "scan_batch=zone owner=array40", true,
	  "res_counter with a lock a level; small scans saved up for the zone only",
	  "v2.6.31 mm/memcontrol.c, mm/vmscan.c, mm/swap.c, kernel/res_counter.c", "" },
	{ "v2.6.31+scan_batch=reclaim_stat", "batched", "", "", true,
	  "the batched-scan patch of 2009-08-20", "", "" },
	{ "v2.6.31+charge=rfc", "", "", "", false, "the stock proposed on 2009-08-28", "", LATER },
	{ "v2.6.32", "", "v2.6.31",
	  "root_listed=counts scan_batch=reclaim_stat second_visit=stops soft_limit=count", true, "small scans saved up for groups too",
	  "v2.6.32 mm/memcontrol.c, mm/vmscan.c, mm/swap.c", "" },
	{ "v2.6.33", "", "v2.6.32", "early_break=ge_cumulative fall_through=off charge=stock32",
	  false, "stock of 32 pages a CPU, batched uncharge", "v2.6.33 mm/memcontrol.c",
	  "v2.6.32's reclaim rules stand in where none is known; " LATER },
	{ "v3.1", "vanilla", "v2.6.32",
	  "activation=queued scan_batch=none balance=fraction early_break=ge_local "
	  "forced_min=after round=asked fall_through=off partial=freed skip=unreclaimable "
	  "anon_aging=total used_once=kept file_writeout=marked rotate_group=on "
	  "kswapd_enough=gap wmark_quirk=on "
	  "soft_limit=target huge_pages=known "
	  "charge=stock32 oom_score=rss oom_charge=retries owner=array32", true,
	  "double LRU, 32-byte page_cgroup",
	  "v3.1.0 mm/memcontrol.c, mm/vmscan.c, mm/swap.c, mm/oom_kill.c", "" },
	{ "v3.1+lru=per_memcg", "perlru", "", "", true, "what the post of 2011-09-12 claims",
	  "", "" },
	{ "v3.2", "", "v3.1", "forced_min=before low_scope=group_zone file_writeout=kswapd", true,
	  "last release with double LRU", "v3.2 mm/memcontrol.c, mm/vmscan.c",
	  "read in a vendor tree of 3.2" },
	{ "v3.3", "", "v3.2",
	  "lru=per_memcg root_listed=yes walk=root_zone_prio wmark_quirk=off owner=array16", true, "per-memcg lists, 16-byte page_cgroup",
	  "v3.3.0 mm/memcontrol.c, mm/vmscan.c, mm/swap.c", "" },
	{ "v3.5", "", "v3.3", "", false, "base of the 2012 post", "v3.5 mm/memcontrol.c",
	  REREAD_3_3 "; " LATER },
	{ "v3.5+stat=dirty", "dirtystat", "", "", false,
	  "dirty and writeback pages counted for each group", "", LATER },
	{ "v3.6", "", "v3.5", "", false, "uncharge window in reclaim", "v3.6 mm/memcontrol.c",
	  REREAD_3_3 "; " LATER },
	{ "v3.17", "", "v3.6", "", false, "uncharge at free", "v3.17 mm/memcontrol.c",
	  REREAD_3_3 "; " LATER },
	{ "v3.19", "", "v3.17", "owner=pointer counter=pages", false, "page_counter", "v3.19 mm/page_counter.c",
	  REREAD_3_3 "; " LATER },
	{ "v6.1", "", "v3.19", "charge=stock64", false, "charge batch 64, one stock slot",
	  "v6.1 mm/memcontrol.c", LATER },
	{ "v6.18-v1", "", "v6.1",
	  "pagevec=single touch_queued=activates touch_read=page new_anon=inactive "
	  "balance=cost used_once=kept_anon file_writeout=never touch_write=off "
	  "early_break=ge_local_all forced_min=offline deactivate=target low_scope=node_tree "
	  "walk=root_node hierarchy=always oom_score=pages oom_charge=doomed "
	  "kswapd_enough=one_zone wmark_steps=scaled "
	  "refault=on stat_flush=periodic kmem=nodes shadow_shrink=on", true,
	  "classic LRU, cgroup v1",
	  "v6.18 mm/memcontrol.c, mm/vmscan.c, mm/swap.c, mm/workingset.c, lib/xarray.c", "" },
	{ "v6.18", "", "v6.18-v1", "cgroup=v2 soft_limit=none", true, "classic LRU, cgroup v2",
	  "v6.18 mm/memcontrol.c, mm/vmscan.c, mm/swap.c, mm/workingset.c, lib/xarray.c", "" },
};

/* One axis value that brings another with it, unless that one is named too. */
static const struct era_implied {
	enum axis axis;
	uint8_t value;
	enum axis other;
	uint8_t from, to;
} era_implied[] = {
	/* No zone lists: the root's pages need its own; the record loses its list head. */
	{ AXIS_LRU, LRU_PER_MEMCG, AXIS_ROOT_LISTED, ROOT_LISTED_COUNTS, ROOT_LISTED_YES },
	{ AXIS_LRU, LRU_PER_MEMCG, AXIS_OWNER, OWNER_ARRAY32, OWNER_ARRAY16 },
};

/* A value of an axis that brings another default of a knob. */
static const struct era_knob {
	enum axis axis;
	uint8_t value;
	size_t offset;
	int64_t knob;
} era_knobs[] = {
	{ AXIS_PAGEVEC, PAGEVEC_SINGLE, offsetof(struct knobs, pagevec_size), 31 },
	{ AXIS_CHARGE, CHARGE_STOCK64, offsetof(struct knobs, charge_batch), 64 },
	{ AXIS_CHARGE, CHARGE_STOCK64, offsetof(struct knobs, reclaim_retries), 16 },
	{ AXIS_CHARGE, CHARGE_STOCK64, offsetof(struct knobs, stock_slots), 7 },
};

#define NR_ERA_KNOBS (sizeof(era_knobs) / sizeof(era_knobs[0]))
#define NR_ERA_ROWS (sizeof(era_rows) / sizeof(era_rows[0]))
#define NR_ERA_IMPLIED (sizeof(era_implied) / sizeof(era_implied[0]))

const struct axis_desc *axis_at(enum axis axis)
{
	assert(axis >= 0 && axis < NR_AXES);
	return &axis_table[axis];
}

bool era_at(size_t i, struct era *out)
{
	enum err err;

	if (i >= NR_ERA_ROWS)
		return false;
	err = era_find(era_rows[i].name, out, NULL);
	assert(err == ERR_OK);
	(void)err;
	return true;
}

pages_t era_limit_pages(const struct era *era, bytes_t limit)
{
	return era->value[AXIS_COUNTER] == COUNTER_PAGES ? (pages_t)limit / PAGE_BYTES
							 : units_pages(limit);
}

const char *era_value_name(const struct era *era, enum axis axis)
{
	return axis_at(axis)->values[era->value[axis]];
}

static const char *axis_name_at(const void *ctx, size_t i)
{
	(void)ctx;
	return i < NR_AXES ? axis_table[i].name : NULL;
}

/* Names and aliases in turn; a row without an alias gives its name twice. */
static const char *era_name_at(const void *ctx, size_t i)
{
	const struct era_row *row = &era_rows[i / 2];

	(void)ctx;
	if (i / 2 >= NR_ERA_ROWS)
		return NULL;
	return i % 2 && row->alias[0] ? row->alias : row->name;
}

static const struct era_row *era_row_find(const char *name, bool by_alias)
{
	size_t i;

	for (i = 0; i < NR_ERA_ROWS; i++)
		if (strcmp(by_alias ? era_rows[i].alias : era_rows[i].name, name) == 0)
			return name[0] ? &era_rows[i] : NULL;
	return NULL;
}

static void axis_list_values(enum axis axis, char *out, size_t size)
{
	size_t used = 0, i;

	out[0] = '\0';
	for (i = 0; axis_table[axis].values[i] && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "",
					 axis_table[axis].values[i]);
}

/* Reads one "axis=value" of @len characters into @value and marks it in @named. */
static enum err axis_read(const char *text, size_t len, uint8_t value[NR_AXES], unsigned *named,
			  struct diag *diag)
{
	const char *eq = memchr(text, '=', len);
	char name[32], word[32], list[160];
	int axis, v;

	snprintf(name, sizeof(name), "%.*s", eq ? (int)(eq - text) : (int)len, text);
	for (axis = 0; axis < NR_AXES; axis++)
		if (strcmp(axis_table[axis].name, name) == 0)
			break;
	if (axis == NR_AXES)
		return diag_fail(diag, ERR_NAME, "%s: no such axis (did you mean %s?)", name,
				 diag_nearest(name, axis_name_at, NULL));
	snprintf(word, sizeof(word), "%.*s", eq ? (int)(text + len - eq - 1) : 0,
		 eq ? eq + 1 : "");
	for (v = 0; axis_table[axis].values[v]; v++)
		if (strcmp(axis_table[axis].values[v], word) == 0)
			break;
	axis_list_values((enum axis)axis, list, sizeof(list));
	if (!axis_table[axis].values[v])
		return diag_fail(diag, ERR_NAME, "%s: \"%s\" is not one of its values: %s", name,
				 word, list);
	value[axis] = (uint8_t)v;
	*named |= BIT(axis);
	return ERR_OK;
}

/* A kernel's values: its base's, then its own; bases end at the empty name. */
static void era_row_values(const struct era_row *row, uint8_t value[NR_AXES])
{
	const char *p = row->axes;
	unsigned named = 0;
	enum err err;

	if (row->base[0])
		era_row_values(era_row_find(row->base, false), value);
	while (*p) {
		size_t len = strcspn(p, " ");

		err = axis_read(p, len, value, &named, NULL);
		assert(err == ERR_OK);
		(void)err;
		p += len + strspn(p + len, " ");
	}
}

static void era_apply_implied(uint8_t value[NR_AXES], unsigned named)
{
	size_t i;

	for (i = 0; i < NR_ERA_IMPLIED; i++) {
		const struct era_implied *im = &era_implied[i];

		if (value[im->axis] == im->value && value[im->other] == im->from &&
		    !(named & BIT(im->other)))
			value[im->other] = im->to;
	}
}

/* The canonical name, and the row with that name or else the base's row. */
static const struct era_row *era_name_canonical(struct era *era, const struct era_row *base,
						const uint8_t *plain, unsigned named)
{
	size_t used = (size_t)snprintf(era->name, sizeof(era->name), "%s", base->name);
	const struct era_row *row;
	int axis;

	for (axis = 0; axis < NR_AXES; axis++)
		if ((named & BIT(axis)) && era->value[axis] != plain[axis] &&
		    used < sizeof(era->name))
			used += (size_t)snprintf(era->name + used, sizeof(era->name) - used,
						 "+%s=%s", axis_table[axis].name,
						 era_value_name(era, (enum axis)axis));
	row = era_row_find(era->name, false);
	return row ? row : base;
}

static void era_set_knobs(struct era *era)
{
	size_t i;

	knob_defaults(&era->knobs);
	for (i = 0; i < NR_ERA_KNOBS; i++)
		if (era->value[era_knobs[i].axis] == era_knobs[i].value)
			memcpy((char *)&era->knobs + era_knobs[i].offset, &era_knobs[i].knob,
			       sizeof(int64_t));
}

static enum err era_check(const struct era *era, struct diag *diag)
{
	if (era->value[AXIS_LRU] == LRU_PER_MEMCG &&
	    era->value[AXIS_ROOT_LISTED] == ROOT_LISTED_COUNTS)
		return diag_fail(diag, ERR_USAGE, "%s: lru=per_memcg has no zone lists, so with "
				 "root_listed=counts the root's pages would be on no list",
				 era->name);
	return ERR_OK;
}

/* Splits off the kernel's name and replaces an alias by what it stands for. */
static enum err era_expand(const char *spec, char out[2 * ERA_NAME_MAX], struct diag *diag)
{
	size_t len = strcspn(spec, "+");
	const struct era_row *row;
	char head[ERA_NAME_MAX];

	if (strlen(spec) >= ERA_NAME_MAX)
		return diag_fail(diag, ERR_NAME, "kernel: a name of %d characters at most",
				 ERA_NAME_MAX - 1);
	snprintf(head, sizeof(head), "%.*s", (int)len, spec);
	row = era_row_find(head, true);
	if (!row)
		row = era_row_find(head, false);
	if (!row)
		return diag_fail(diag, ERR_NAME, "%s: no such kernel (did you mean %s? "
				 "'memcglab kernel list' has all)", head,
				 diag_nearest(head, era_name_at, NULL));
	snprintf(out, 2 * ERA_NAME_MAX, "%s%s", row->name, spec + len);
	return ERR_OK;
}

enum err era_find(const char *spec, struct era *out, struct diag *diag)
{
	char text[2 * ERA_NAME_MAX], head[ERA_NAME_MAX];
	const struct era_row *base, *row;
	uint8_t plain[NR_AXES] = { 0 };
	unsigned named = 0;
	const char *p;
	enum err err;
	int axis;

	err = era_expand(spec, text, diag);
	if (err)
		return err;
	snprintf(head, sizeof(head), "%.*s", (int)strcspn(text, "+"), text);
	base = era_row_find(head, false);
	assert(base);
	memset(out, 0, sizeof(*out));
	era_row_values(base, plain);
	memcpy(out->value, plain, sizeof(plain));
	for (p = text + strlen(head); *p == '+'; p += strcspn(p, "+")) {
		p++;
		err = axis_read(p, strcspn(p, "+"), out->value, &named, diag);
		if (err)
			return err;
	}
	era_apply_implied(out->value, named);
	row = era_name_canonical(out, base, plain, named);
	out->base = base->name;
	out->alias = row == base && strcmp(out->name, base->name) != 0 ? "" : row->alias;
	out->doc = row->doc;
	out->source = row->source[0] ? row->source : base->source;
	out->note = row->note;
	out->runnable = base->rules;
	for (axis = 0; axis < NR_AXES; axis++)
		out->runnable &= (axis_table[axis].runnable & BIT(out->value[axis])) != 0;
	era_set_knobs(out);
	return era_check(out, diag);
}
