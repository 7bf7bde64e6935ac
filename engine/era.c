/*
 * The table of kernels.  A kernel is a row of axis
 * values; a named combination is a kernel with axes replaced.  Rows whose
 * kernel has a value that is not modelled yet are listed (their page_cgroup
 * size is known) and refused by runs.
 */
#include "era.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy.h"

#define BIT(v) (1u << (v))

/* A kernel says what changed since the row that it is based on. */
struct era_row {
	const char *name;	/* with '+': a named combination, read like one typed by a user */
	const char *alias;
	const char *base;	/* "": the oldest behaviour on every axis */
	const char *axes;	/* "axis=value …": what differs from the base */
	bool rules;		/* false: some of its rules are not in this version */
	const char *doc, *source, *note;
};

#define REREAD_3_3 "v3.3's reclaim rules stand in"
#define STANDS_IN_25 "v2.6.31's lists and reclaim rules stand in: none are known of it"

static const struct era_row era_rows[] = {
	{ "v2.6.25", "", "", "hierarchy=none owner=slab40", true,
	  "page_cgroup hung on struct page, reference counted", "v2.6.25 mm/memcontrol.c",
	  STANDS_IN_25 },
	{ "v2.6.25+owner=radix", "", "", "", true, "radix-tree page_cgroup, proposed in 2008",
	  "linux-mm 2008-03-27, 2008-04-01", STANDS_IN_25 },
	{ "v2.6.25+memcg=off", "", "", "", true, "without the controller", "", STANDS_IN_25 },
	{ "v2.6.31", "unbatched", "v2.6.25",
	  "hierarchy=chosen scan_batch=zone owner=array40 exec=not_anon swap_account=equal "
	  "move_lock=page memory_stat=lists", true,
	  "res_counter with a lock a level; small scans saved up for the zone only",
	  "v2.6.31 mm/memcontrol.c, mm/vmscan.c, mm/swap.c, kernel/res_counter.c", "" },
	{ "v2.6.31+scan_batch=reclaim_stat", "batched", "", "", true,
	  "the batched-scan patch of 2009-08-20", "", "" },
	{ "v2.6.31+charge=rfc", "", "", "", true, "the stock proposed on 2009-08-28",
	  "linux-mm 2009-08-28", "" },
	{ "v2.6.32", "", "v2.6.31",
	  "root_charged=no root_listed=counts scan_batch=reclaim_stat second_visit=stops "
	  "soft_limit=count exec=file zero_page=on memory_stat=swap",
	  true, "small scans saved up for groups too",
	  "v2.6.32 mm/memcontrol.c, mm/vmscan.c, mm/swap.c", "" },
	{ "v2.6.33", "", "v2.6.32",
	  "early_break=ge_cumulative fall_through=off charge=stock32 uncharge=block "
	  "lock_stat=extremes", true,
	  "stock of 32 pages a CPU, batched uncharge", "v2.6.33 mm/memcontrol.c",
	  "v2.6.32's reclaim rules stand in where none is known" },
	{ "v3.1", "vanilla", "v2.6.32",
	  "activation=queued scan_batch=none balance=fraction early_break=ge_local "
	  "forced_min=after round=asked fall_through=off partial=freed skip=unreclaimable "
	  "anon_aging=total used_once=kept file_writeout=marked nap=flagged rotate_group=on "
	  "kswapd_enough=gap wmark_quirk=on victim_node=rotates "
	  "soft_limit=target huge_pages=known mmap_ahead=marked hint=on swap_account=equal_hit "
	  "move_charge=few move_lock=marked memory_stat=faults "
	  "charge=stock32 uncharge=vma group_ref=off "
	  "drain=subtree oom_score=rss oom_charge=retries owner=array32 "
	  "lock_stat=extremes", true,
	  "double LRU, 32-byte page_cgroup",
	  "v3.1.0 mm/memcontrol.c, mm/vmscan.c, mm/swap.c, mm/oom_kill.c", "" },
	{ "v3.1+lru=per_memcg", "perlru", "", "", true, "what the post of 2011-09-12 claims",
	  "", "" },
	{ "v3.2", "", "v3.1",
	  "forced_min=before low_scope=group_zone file_writeout=kswapd nap=never", true,
	  "last release with double LRU", "v3.2 mm/memcontrol.c, mm/vmscan.c",
	  "read in a vendor tree of 3.2" },
	{ "v3.3", "", "v3.2",
	  "lru=per_memcg forced_global=hopeless "
	  "root_listed=yes walk=root_zone_prio wmark_quirk=off owner=array16 "
	  "used_many=activated references=owner",
	  true, "per-memcg lists, 16-byte page_cgroup",
	  "v3.3.0 mm/memcontrol.c, mm/vmscan.c, mm/swap.c", "" },
	{ "v3.5", "", "v3.3",
	  "swappiness_0=never swappiness_of=target removal=uncharges move_lock=group "
	  "move_charge=chosen memory_stat=order", true,
	  "base of the 2012 post", "v3.5 mm/memcontrol.c", REREAD_3_3 },
	{ "v3.5+stat=dirty", "dirtystat", "", "", true,
	  "dirty and writeback pages counted for each group", "linux-mm 2012-07-27", REREAD_3_3 },
	{ "v3.6", "", "v3.5", "writeback_wait=marked uncharge=reclaim", true,
	  "uncharge window in reclaim", "v3.6 mm/memcontrol.c, mm/vmscan.c",
	  REREAD_3_3 },
	{ "v3.17", "", "v3.6",
	  "drain=charge swap_account=first uncharge=free lock_stat=averages swappiness_of=own "
	  "tiny_file=zone stat=writeback memory_stat=huge",
	  true,
	  "uncharge at free", "v3.17 mm/memcontrol.c", REREAD_3_3 },
	{ "v3.19", "", "v3.17",
	  "owner=pointer counter=pages mmap_ahead=around removal=dies", true, "page_counter",
	  "v3.19 mm/page_counter.c", REREAD_3_3 },
	{ "v6.1", "", "v3.19",
	  "pagevec=single touch_queued=activates touch_read=page new_anon=inactive "
	  "reuse=held "
	  "balance=cost used_once=kept_anon file_writeout=never flusher=dirty touch_write=off "
	  "writeout_wait=off nap=none "
	  "early_break=ge_local_all forced_min=offline deactivate=target low_scope=node_tree "
	  "walk=root_node victim_node=current charge=stock64 hierarchy=always "
	  "oom_score=pages oom_charge=doomed "
	  "kswapd_enough=one_zone wmark_steps=scaled high_scope=path "
	  "references=target madvise=cold "
	  "refault=on stat_flush=periodic kmem=nodes stack=charged shadow_shrink=on folios=large "
	  "stat=dirty memory_stat=shmem stat_read=tree", true,
	  "charge batch 64, one stock slot", "v6.1 mm/memcontrol.c",
	  "v6.18's rules stand in for all but the stock" },
	{ "v6.18-v1", "", "v6.1",
	  "charge=stock64x7 uncharge=folios recency=hints move_charge=never move_lock=none "
	  "memory_stat=cached pgfault=completed", true,
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
	{ AXIS_LRU, LRU_PER_MEMCG, AXIS_FORCED_GLOBAL, FORCED_GLOBAL_KSWAPD,
	  FORCED_GLOBAL_HOPELESS },
	{ AXIS_LRU, LRU_PER_MEMCG, AXIS_OWNER, OWNER_ARRAY32, OWNER_ARRAY16 },
	/* The proposal gathers uncharges too. */
	{ AXIS_CHARGE, CHARGE_RFC, AXIS_UNCHARGE, UNCHARGE_PAGE, UNCHARGE_BLOCK },
	/* The proposed stock was given back for the group that reclaim stands at, no other. */
	{ AXIS_CHARGE, CHARGE_RFC, AXIS_DRAIN, DRAIN_EVERY, DRAIN_VICTIM },
	/* And its memsw was not given back at all. */
	{ AXIS_CHARGE, CHARGE_RFC, AXIS_DRAIN_MEMSW, DRAIN_MEMSW_RETURNED, DRAIN_MEMSW_FORGOTTEN },
	{ AXIS_MEMCG, MEMCG_OFF, AXIS_KMEM, KMEM_NODES, KMEM_OFF },
	{ AXIS_KMEM, KMEM_OFF, AXIS_STACK, STACK_CHARGED, STACK_UNCHARGED },
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
	{ AXIS_CHARGE, CHARGE_STOCK64_SLOTS, offsetof(struct knobs, charge_batch), 64 },
	{ AXIS_CHARGE, CHARGE_STOCK64_SLOTS, offsetof(struct knobs, reclaim_retries), 16 },
	{ AXIS_CHARGE, CHARGE_STOCK64_SLOTS, offsetof(struct knobs, stock_slots), 7 },
};

#define NR_ERA_KNOBS (sizeof(era_knobs) / sizeof(era_knobs[0]))
#define NR_ERA_ROWS (sizeof(era_rows) / sizeof(era_rows[0]))
#define NR_ERA_IMPLIED (sizeof(era_implied) / sizeof(era_implied[0]))

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
	return i < NR_AXES ? axis_at((enum axis)i)->name : NULL;
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
	for (i = 0; axis_at(axis)->values[i] && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "",
					 axis_at(axis)->values[i]);
}

/* Reads one "axis=value" of @len characters into @value and marks it in @named, once. */
static enum err axis_read(const char *text, size_t len, uint8_t value[NR_AXES], bool named[NR_AXES],
			  struct diag *diag)
{
	const char *eq = memchr(text, '=', len);
	char name[32], word[32], list[160];
	int axis, v;

	if (len == 0)
		return diag_fail(diag, ERR_NAME,
				 "kernel: a \"+\" without an axis behind it (write "
				 "v3.1+lru=per_memcg)");
	snprintf(name, sizeof(name), "%.*s", eq ? (int)(eq - text) : (int)len, text);
	for (axis = 0; axis < NR_AXES; axis++)
		if (strcmp(axis_at((enum axis)axis)->name, name) == 0)
			break;
	if (axis == NR_AXES)
		return diag_fail(diag, ERR_NAME, "\"%s\": no such axis (did you mean %s?)", name,
				 diag_nearest(name, axis_name_at, NULL));
	snprintf(word, sizeof(word), "%.*s", eq ? (int)(text + len - eq - 1) : 0, eq ? eq + 1 : "");
	for (v = 0; axis_at((enum axis)axis)->values[v]; v++)
		if (strcmp(axis_at((enum axis)axis)->values[v], word) == 0)
			break;
	axis_list_values((enum axis)axis, list, sizeof(list));
	if (!axis_at((enum axis)axis)->values[v])
		return diag_fail(diag, ERR_NAME, "%s: \"%s\" is not one of its values: %s", name,
				 word, list);
	if (named[axis])
		return diag_fail(diag, ERR_NAME, "%s: the axis is given twice", name);
	value[axis] = (uint8_t)v;
	named[axis] = true;
	return ERR_OK;
}

/* A kernel's values: its base's, then its own; bases end at the empty name. */
static void era_row_values(const struct era_row *row, uint8_t value[NR_AXES])
{
	const char *p = row->axes;
	bool named[NR_AXES] = { false };
	enum err err;

	if (row->base[0])
		era_row_values(era_row_find(row->base, false), value);
	while (*p) {
		size_t len = strcspn(p, " ");

		err = axis_read(p, len, value, named, NULL);
		assert(err == ERR_OK);
		(void)err;
		p += len + strspn(p + len, " ");
	}
}

static void era_apply_implied(uint8_t value[NR_AXES], const bool named[NR_AXES])
{
	size_t i;

	for (i = 0; i < NR_ERA_IMPLIED; i++) {
		const struct era_implied *im = &era_implied[i];

		if (value[im->axis] == im->value && value[im->other] == im->from &&
		    !named[im->other])
			value[im->other] = im->to;
	}
}

/* The canonical name, and the row with that name or else the base's row. */
static const struct era_row *era_name_canonical(struct era *era, const struct era_row *base,
						const uint8_t *plain, const bool named[NR_AXES])
{
	size_t used = (size_t)snprintf(era->name, sizeof(era->name), "%s", base->name);
	const struct era_row *row;
	int axis;

	for (axis = 0; axis < NR_AXES; axis++)
		if (named[axis] && era->value[axis] != plain[axis] && used < sizeof(era->name))
			used += (size_t)snprintf(era->name + used, sizeof(era->name) - used,
						 "+%s=%s", axis_at((enum axis)axis)->name,
						 era_value_name(era, (enum axis)axis));
	row = era_row_find(era->name, false);
	return row ? row : base;
}

/*
 * Pages of the stock that was proposed in 2009.  After: "memcg: reduce lock
 * contention", linux-mm 2009-08-28, where the CPUs are those it was built for.
 */
static int64_t era_rfc_batch(const struct era *era)
{
	enum { BATCH_STEP = 4, CPUS_PER_STEP = 32 };
	int64_t cpus = strtoll(era_value_name(era, AXIS_NR_CPUS), NULL, 10);

	assert(cpus > 0);
	return BATCH_STEP * (cpus / CPUS_PER_STEP + 1);
}

static void era_set_knobs(struct era *era)
{
	size_t i;

	knob_defaults(&era->knobs);
	for (i = 0; i < NR_ERA_KNOBS; i++)
		if (era->value[era_knobs[i].axis] == era_knobs[i].value)
			memcpy((char *)&era->knobs + era_knobs[i].offset, &era_knobs[i].knob,
			       sizeof(int64_t));
	if (era->value[AXIS_CHARGE] == CHARGE_RFC)
		era->knobs.charge_batch = era_rfc_batch(era);
}

enum { ANY_BUT_FIRST = UINT8_MAX };

/* An axis value that means nothing without another one. */
static const struct era_need {
	enum axis axis;
	uint8_t value;
	enum axis other;
	uint8_t need;
	const char *reason;
} era_needs[] = {
	{ AXIS_LRU, LRU_PER_MEMCG, AXIS_ROOT_LISTED, ROOT_LISTED_YES,
	  "there are no zone lists, so the root's pages would be on no list" },
	{ AXIS_WALK, WALK_ROOT_NODE, AXIS_LRU, LRU_PER_MEMCG,
	  "a walk by node has no zone lists to reclaim from" },
	{ AXIS_DEACTIVATE, DEACTIVATE_TARGET, AXIS_WALK, WALK_ROOT_NODE,
	  "only a walk by node judges the target before it begins" },
	{ AXIS_LOW_SCOPE, LOW_SCOPE_NODE_TREE, AXIS_WALK, WALK_ROOT_NODE,
	  "only a walk by node sums a subtree up" },
	{ AXIS_SHADOW_SHRINK, SHADOW_SHRINK_ON, AXIS_REFAULT, REFAULT_ON,
	  "without refaults no page leaves a shadow" },
	{ AXIS_SHADOW_SHRINK, SHADOW_SHRINK_ON, AXIS_WALK, WALK_ROOT_NODE,
	  "the shrinker runs after each group of a walk by node" },
	{ AXIS_TOUCH_QUEUED, TOUCH_QUEUED_ACTIVATES, AXIS_PAGEVEC, PAGEVEC_SINGLE,
	  "a queue of one list holds no active pages" },
	{ AXIS_CHARGE, CHARGE_PAGE, AXIS_KMEM, KMEM_OFF,
	  "kernel memory gives its pages back to a stock" },
	{ AXIS_KMEM, KMEM_NODES, AXIS_HIERARCHY, HIERARCHY_ALWAYS,
	  "kernel memory of a removed group goes to its parent" },
	{ AXIS_REMOVAL, REMOVAL_REPARENTS, AXIS_WALK, WALK_ROOT_NODE,
	  "lists went to the parent long after groups had one of each kind a node" },
	{ AXIS_CGROUP, CGROUP_V2, AXIS_HIERARCHY, HIERARCHY_ALWAYS,
	  "cgroup v2 charges every level" },
	{ AXIS_CGROUP, CGROUP_V2, AXIS_WALK, WALK_ROOT_NODE,
	  "protection is known to the walk by node only" },
	{ AXIS_MEMCG, MEMCG_OFF, AXIS_KMEM, KMEM_OFF,
	  "without the controller nothing is charged" },
	{ AXIS_STACK, STACK_CHARGED, AXIS_KMEM, KMEM_NODES,
	  "a stack is kernel memory" },
	{ AXIS_NR_CPUS, ANY_BUT_FIRST, AXIS_CHARGE, CHARGE_RFC,
	  "only the stock of 2009 is sized by it" },
	{ AXIS_ROOT_STAT, ANY_BUT_FIRST, AXIS_STAT, STAT_DIRTY,
	  "it was proposed for dirty pages" },
	{ AXIS_LOOKASIDE, ANY_BUT_FIRST, AXIS_OWNER, OWNER_RADIX,
	  "only the tree of 2008 has a look-aside" },
	{ AXIS_PAGE_PAD, ANY_BUT_FIRST, AXIS_OWNER, OWNER_RADIX,
	  "only where the tree took the word out was struct page padded" },
};

static bool era_has(const struct era *era, enum axis axis, uint8_t value)
{
	return value == ANY_BUT_FIRST ? era->value[axis] > 0 : era->value[axis] == value;
}

static enum err era_check(const struct era *era, struct diag *diag)
{
	size_t i;

	for (i = 0; i < sizeof(era_needs) / sizeof(era_needs[0]); i++) {
		const struct era_need *need = &era_needs[i];

		if (era_has(era, need->axis, need->value) && era->value[need->other] != need->need)
			return diag_fail(diag, ERR_USAGE, "%s: %s=%s needs %s=%s: %s", era->name,
					 axis_at(need->axis)->name, era_value_name(era, need->axis),
					 axis_at(need->other)->name,
					 axis_at(need->other)->values[need->need], need->reason);
	}
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
	if (!head[0])
		return diag_fail(diag, ERR_NAME,
				 "kernel: a name is missing ('memcglab kernel list' "
				 "has all)");
	if (!row)
		return diag_fail(diag, ERR_NAME,
				 "\"%s\": no such kernel (did you mean %s? "
				 "'memcglab kernel list' has all)",
				 head, diag_nearest(head, era_name_at, NULL));
	snprintf(out, 2 * ERA_NAME_MAX, "%s%s", row->name, spec + len);
	return ERR_OK;
}

enum err era_find(const char *spec, struct era *out, struct diag *diag)
{
	char text[2 * ERA_NAME_MAX], head[ERA_NAME_MAX];
	const struct era_row *base, *row;
	uint8_t plain[NR_AXES] = { 0 };
	bool named[NR_AXES] = { false };
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
		err = axis_read(p, strcspn(p, "+"), out->value, named, diag);
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
		out->runnable &= (axis_at((enum axis)axis)->runnable & BIT(out->value[axis])) != 0;
	era_set_knobs(out);
	return era_check(out, diag);
}
