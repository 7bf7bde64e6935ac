/*
 * The one table of what stands in memory.stat, kernel by kernel, and what of
 * it the model knows.  Follows mem_cgroup_stat_strings and control_stat_show
 * of mm/memcontrol.c, v2.6.25 to v3.3; memcg_stat_show(), v3.5 and v3.16;
 * mm/memcontrol-v1.c and memory_stats, v6.18.
 *
 * MODEL: an event of a large folio is one, as in the kernel, but there is
 * no zswap, and some lines have no value: see missing; slab is not told
 * apart by whether it can be reclaimed.
 * With stat_read=tree all is shown as if it was flushed just now, where
 * v6.18 leaves out up to 64 changes for each CPU for up to 2 s.
 */
#include "memory_stat.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "account.h"
#include "policy.h"
#include "run_private.h"
#include "stat_batch.h"

/* What a line shows.  Figures of memory are in pages until they are printed. */
enum figure {
	FIG_NO_HUGE, FIG_NO_PERCPU, FIG_NO_SOCK, FIG_MODELLED,
	FIG_CACHE = FIG_MODELLED, FIG_RSS, FIG_ACTIVE, FIG_INACTIVE, FIG_SHMEM, FIG_MAPPED,
	FIG_DIRTY, FIG_WRITEBACK, FIG_SWAP, FIG_SWAPCACHED, FIG_KERNEL, FIG_LRU,
	FIG_EVENTS = FIG_LRU + NR_LRU,
	FIG_PGPGIN = FIG_EVENTS, FIG_PGPGOUT, FIG_REFAULT_ANON, FIG_REFAULT_FILE,
	FIG_ACTIVATE_ANON, FIG_ACTIVATE_FILE, FIG_PGSCAN, FIG_PGSTEAL, FIG_PGFAULT,
	FIG_PGMAJFAULT,
	FIG_KERNEL_STACK, FIG_PAGETABLES, FIG_SLAB, NR_FIGURES	/* these are in bytes */
};

/* Why a line has no value. */
static const char *const missing[FIG_MODELLED] = {
	[FIG_NO_HUGE] = "there are no transparent huge pages",
	[FIG_NO_PERCPU] = "the kernel's per-CPU memory is not charged",
	[FIG_NO_SOCK] = "there is no network",
};

/* What a kernel must do beside, so that a line is there. */
enum need { NEED_NOTHING, NEED_SWAP_ACCOUNT, NEED_DIRTY, NEED_WRITEBACK, NEED_HIERARCHY };

enum { V2 = MEMORY_STAT_LAST + 1, ALWAYS = V2 };

/* In the order of the file; @since and @until are values of axis memory_stat, or V2. */
static const struct stat_line {
	const char *name;
	uint8_t since, until, figure, need;
} lines[] = {
	{ "cache", MEMORY_STAT_PLAIN, MEMORY_STAT_LAST, FIG_CACHE, NEED_NOTHING },
	{ "rss", MEMORY_STAT_PLAIN, MEMORY_STAT_LAST, FIG_RSS, NEED_NOTHING },
	{ "rss_huge", MEMORY_STAT_HUGE, MEMORY_STAT_LAST, FIG_NO_HUGE, NEED_NOTHING },
	{ "active", MEMORY_STAT_PLAIN, MEMORY_STAT_PLAIN, FIG_ACTIVE, NEED_NOTHING },
	{ "inactive", MEMORY_STAT_PLAIN, MEMORY_STAT_PLAIN, FIG_INACTIVE, NEED_NOTHING },
	{ "anon", V2, V2, FIG_RSS, NEED_NOTHING },
	{ "file", V2, V2, FIG_CACHE, NEED_NOTHING },
	{ "kernel", V2, V2, FIG_KERNEL, NEED_NOTHING },
	{ "kernel_stack", V2, V2, FIG_KERNEL_STACK, NEED_NOTHING },
	{ "pagetables", V2, V2, FIG_PAGETABLES, NEED_NOTHING },
	{ "percpu", V2, V2, FIG_NO_PERCPU, NEED_NOTHING },
	{ "sock", V2, V2, FIG_NO_SOCK, NEED_NOTHING },
	{ "shmem", MEMORY_STAT_SHMEM, ALWAYS, FIG_SHMEM, NEED_NOTHING },
	{ "mapped_file", MEMORY_STAT_LISTS, MEMORY_STAT_LAST, FIG_MAPPED, NEED_NOTHING },
	{ "file_mapped", V2, V2, FIG_MAPPED, NEED_NOTHING },
	{ "dirty", MEMORY_STAT_PLAIN, MEMORY_STAT_LAST, FIG_DIRTY, NEED_DIRTY },
	{ "writeback", MEMORY_STAT_PLAIN, MEMORY_STAT_LAST, FIG_WRITEBACK, NEED_WRITEBACK },
	{ "file_dirty", V2, V2, FIG_DIRTY, NEED_NOTHING },
	{ "file_writeback", V2, V2, FIG_WRITEBACK, NEED_NOTHING },
	{ "workingset_refault_anon", MEMORY_STAT_SHMEM, MEMORY_STAT_LAST, FIG_REFAULT_ANON,
	  NEED_NOTHING },
	{ "workingset_refault_file", MEMORY_STAT_SHMEM, MEMORY_STAT_LAST, FIG_REFAULT_FILE,
	  NEED_NOTHING },
	{ "swap", MEMORY_STAT_ORDER, MEMORY_STAT_LAST, FIG_SWAP, NEED_SWAP_ACCOUNT },
	{ "swapcached", MEMORY_STAT_CACHED, ALWAYS, FIG_SWAPCACHED, NEED_NOTHING },
	{ "pgpgin", MEMORY_STAT_LISTS, MEMORY_STAT_LAST, FIG_PGPGIN, NEED_NOTHING },
	{ "pgpgout", MEMORY_STAT_LISTS, MEMORY_STAT_LAST, FIG_PGPGOUT, NEED_NOTHING },
	{ "swap", MEMORY_STAT_SWAP, MEMORY_STAT_FAULTS, FIG_SWAP, NEED_SWAP_ACCOUNT },
	{ "pgfault", MEMORY_STAT_FAULTS, MEMORY_STAT_LAST, FIG_PGFAULT, NEED_NOTHING },
	{ "pgmajfault", MEMORY_STAT_FAULTS, MEMORY_STAT_LAST, FIG_PGMAJFAULT, NEED_NOTHING },
	{ "inactive_anon", MEMORY_STAT_LISTS, ALWAYS, FIG_LRU + LRU_INACTIVE_ANON, NEED_NOTHING },
	{ "active_anon", MEMORY_STAT_LISTS, ALWAYS, FIG_LRU + LRU_ACTIVE_ANON, NEED_NOTHING },
	{ "inactive_file", MEMORY_STAT_LISTS, ALWAYS, FIG_LRU + LRU_INACTIVE_FILE, NEED_NOTHING },
	{ "active_file", MEMORY_STAT_LISTS, ALWAYS, FIG_LRU + LRU_ACTIVE_FILE, NEED_NOTHING },
	{ "unevictable", MEMORY_STAT_LISTS, ALWAYS, FIG_LRU + LRU_UNEVICTABLE, NEED_NOTHING },
	{ "slab", V2, V2, FIG_SLAB, NEED_NOTHING },
	{ "workingset_refault_anon", V2, V2, FIG_REFAULT_ANON, NEED_NOTHING },
	{ "workingset_refault_file", V2, V2, FIG_REFAULT_FILE, NEED_NOTHING },
	{ "workingset_activate_anon", V2, V2, FIG_ACTIVATE_ANON, NEED_NOTHING },
	{ "workingset_activate_file", V2, V2, FIG_ACTIVATE_FILE, NEED_NOTHING },
	{ "pgscan", V2, V2, FIG_PGSCAN, NEED_NOTHING },
	{ "pgsteal", V2, V2, FIG_PGSTEAL, NEED_NOTHING },
	{ "pgfault", V2, V2, FIG_PGFAULT, NEED_NOTHING },
	{ "pgmajfault", V2, V2, FIG_PGMAJFAULT, NEED_NOTHING },
};

enum { NR_LINES = sizeof(lines) / sizeof(lines[0]) };

/* What follows the group's own figures in v1: its limits, and the same for the subtree. */
static const struct limit_line {
	const char *name;
	uint8_t need;
} limit_lines[] = {
	{ "hierarchical_memory_limit", NEED_HIERARCHY },
	{ "hierarchical_memsw_limit", NEED_SWAP_ACCOUNT },
};

enum { NR_LIMIT_LINES = sizeof(limit_lines) / sizeof(limit_lines[0]) };

static unsigned version(const struct era *era)
{
	return era->value[AXIS_CGROUP] == CGROUP_V2 ? V2 : era->value[AXIS_MEMORY_STAT];
}

static bool has_need(const struct era *era, enum need need)
{
	unsigned stat = era->value[AXIS_STAT];

	switch (need) {
	case NEED_SWAP_ACCOUNT:
		return era->value[AXIS_SWAP_ACCOUNT] != SWAP_ACCOUNT_OFF;
	case NEED_DIRTY:
		return stat == STAT_DIRTY;
	case NEED_WRITEBACK:
		return stat == STAT_DIRTY || stat == STAT_WRITEBACK;
	case NEED_HIERARCHY:
		return era->value[AXIS_HIERARCHY] != HIERARCHY_NONE;
	case NEED_NOTHING:
	default:
		return true;
	}
}

static bool has_line(const struct era *era, const struct stat_line *line)
{
	unsigned v = version(era);

	return v >= line->since && v <= line->until && has_need(era, (enum need)line->need);
}

/* The @i-th line that the kernel has; counts @i down past them.  NULL: it lies further on. */
static const struct stat_line *find_line(const struct era *era, uint32_t *i)
{
	for (size_t n = 0; n < NR_LINES; n++)
		if (has_line(era, &lines[n]) && (*i)-- == 0)
			return &lines[n];
	return NULL;
}

/* Where line @i stands: of the group, a limit, or of its subtree. */
struct place {
	const struct stat_line *line;
	const struct limit_line *limit;
	bool total;
};

static bool find(const struct era *era, uint32_t i, struct place *out)
{
	*out = (struct place){ find_line(era, &i), NULL, version(era) == V2 };
	if (out->line)
		return true;
	if (version(era) == V2 || version(era) == MEMORY_STAT_PLAIN)
		return false;
	for (size_t n = 0; n < NR_LIMIT_LINES; n++) {
		if (!has_need(era, (enum need)limit_lines[n].need) || i-- > 0)
			continue;
		out->limit = &limit_lines[n];
		return true;
	}
	out->line = find_line(era, &i);
	out->total = true;
	return out->line != NULL;
}

static void name_of(const struct era *era, const struct place *at, struct memory_stat *out)
{
	bool prefix = at->total && version(era) != V2;

	*out = (struct memory_stat){ .modelled = at->limit || at->line->figure >= FIG_MODELLED };
	out->why = out->modelled ? NULL : missing[at->line->figure];
	snprintf(out->name, sizeof(out->name), "%s%s", prefix ? "total_" : "",
		 at->limit ? at->limit->name : at->line->name);
}

bool memory_stat_name(const struct era *era, uint32_t i, struct memory_stat *out)
{
	struct place at;

	if (era->value[AXIS_MEMCG] == MEMCG_OFF || !find(era, i, &at))
		return false;
	name_of(era, &at, out);
	return true;
}

/* All small objects: each kind of them has a slab cache. */
static bytes_t slab_of(const struct memcg *memcg)
{
	return memcg->kmem_of[KMEM_TREE_NODES] + memcg->kmem_of[KMEM_ANON_VMA] +
	       memcg->kmem_of[KMEM_BUFFER_HEADS] + memcg->kmem_of[KMEM_CHILD_GROUPS] +
	       memcg->kmem_of[KMEM_SLAB_OBJECTS];
}

/* What of a figure CPUs keep back, with stat_read=batch. */
static int64_t held_of(const struct machine *m, uint32_t id, unsigned figure)
{
	static const struct { uint8_t figure, item; } batched[] = {
		{ FIG_RSS, BATCH_RSS }, { FIG_CACHE, BATCH_CACHE }, { FIG_SHMEM, BATCH_SHMEM },
		{ FIG_MAPPED, BATCH_MAPPED }, { FIG_DIRTY, BATCH_DIRTY },
		{ FIG_WRITEBACK, BATCH_WRITEBACK }, { FIG_SWAP, BATCH_SWAP },
		{ FIG_PGPGIN, BATCH_PGPGIN }, { FIG_PGPGOUT, BATCH_PGPGOUT },
		{ FIG_PGFAULT, BATCH_PGFAULT },	 { FIG_PGMAJFAULT, BATCH_PGMAJFAULT },
	};

	for (size_t i = 0; stat_batched(m) && i < sizeof(batched) / sizeof(batched[0]); i++)
		if (batched[i].figure == figure)
			return stat_batch_held(m, id, (enum batch_item)batched[i].item);
	return 0;
}

/* Of one group alone, as its file shows it. */
static uint64_t figure_of(const struct machine *m, uint32_t id, unsigned figure)
{
	const struct memcg *memcg = machine_memcg(m, id);
	int64_t held = held_of(m, id, figure);
	const uint64_t of[NR_FIGURES] = {
		[FIG_CACHE] = memcg->charged - memcg->memory,
		[FIG_RSS] = memcg->memory,
		[FIG_ACTIVE] = memcg->size[LRU_ACTIVE_ANON] + memcg->size[LRU_ACTIVE_FILE],
		[FIG_INACTIVE] = memcg->size[LRU_INACTIVE_ANON] + memcg->size[LRU_INACTIVE_FILE],
		[FIG_SHMEM] = memcg->shmem,
		[FIG_MAPPED] = memcg->mapped,
		[FIG_DIRTY] = memcg->dirty,
		[FIG_WRITEBACK] = memcg->writeback,
		[FIG_SWAP] = memcg->swap,
		[FIG_SWAPCACHED] = memcg->swapcached,
		[FIG_PGPGIN] = memcg->pgpgin,
		[FIG_PGPGOUT] = memcg->pgpgout,
		[FIG_REFAULT_ANON] = memcg->nr_refault[SCAN_ANON],
		[FIG_REFAULT_FILE] = memcg->nr_refault[SCAN_FILE],
		[FIG_ACTIVATE_ANON] = memcg->nr_refault_activate[SCAN_ANON],
		[FIG_ACTIVATE_FILE] = memcg->nr_refault_activate[SCAN_FILE],
		[FIG_PGSCAN] = memcg->nr_scanned,
		[FIG_PGSTEAL] = memcg->nr_reclaimed,
		[FIG_PGFAULT] = memcg->pgfault,
		[FIG_PGMAJFAULT] = memcg->majfault,
		[FIG_KERNEL_STACK] = memcg->kmem_of[KMEM_KERNEL_STACK],
		[FIG_PAGETABLES] = memcg->kmem_of[KMEM_PAGETABLES],
		[FIG_SLAB] = slab_of(memcg),
	};

	assert(figure < NR_FIGURES);
	if (figure >= FIG_LRU && figure < FIG_EVENTS)
		return memcg->size[figure - FIG_LRU];
	/* Less than nothing is shown as nothing. */
	return held > (int64_t)of[figure] ? 0 : of[figure] - (uint64_t)held;
}

static uint64_t sum_of(const struct machine *m, uint32_t root, unsigned figure)
{
	const struct memcg *top = machine_memcg(m, root);
	uint64_t sum = 0;

	/* Kernel memory is kept for the subtree. */
	if (figure == FIG_KERNEL)
		return top->kmem;
	if (!top->nr_children && !top->nr_dying)
		return figure_of(m, root, figure);
	for (uint32_t id = MEMCG_ROOT; id <= memcg_max(&m->memcgs); id++)
		if (memcg_exists(machine_memcg(m, id)) && memcg_in_subtree(&m->memcgs, id, root))
			sum += figure_of(m, id, figure);
	return sum;
}

/* Where the root is not counted: the machine's figure less that of all other groups. */
static uint64_t root_figure(const struct machine *m, unsigned figure)
{
	uint64_t all = sum_of(m, MEMCG_ROOT, figure);
	uint64_t others = all - figure_of(m, MEMCG_ROOT, figure);

	return account_root(all, others);
}

static uint64_t value_of(const struct machine *m, uint32_t memcg, const struct place *at)
{
	unsigned figure = at->line->figure;
	bool own = memcg == MEMCG_ROOT && machine_axis(m, AXIS_ROOT_STAT) != ROOT_STAT_COUNTED &&
		   figure >= FIG_MAPPED && figure <= FIG_WRITEBACK;
	bool subtree = at->total &&
		       (machine_memcg(m, memcg)->hierarchy || version(&m->sc.era) == V2);
	uint64_t value;

	if (own && !subtree)
		value = root_figure(m, figure);
	else
		value = subtree ? sum_of(m, memcg, figure) : figure_of(m, memcg, figure);
	return figure >= FIG_EVENTS ? value : value * PAGE_BYTES;
}

/* The tightest limit of its levels, in bytes; unlimited as its counter has it. */
static uint64_t limit_of(const struct machine *m, uint32_t memcg, bool memsw)
{
	const uint64_t unlimited = machine_axis(m, AXIS_COUNTER) == COUNTER_PAGES
					   ? (uint64_t)INT64_MAX / PAGE_BYTES * PAGE_BYTES
					   : (uint64_t)INT64_MAX;
	pages_t least = PAGES_UNLIMITED;

	for (; memcg; memcg = machine_memcg(m, memcg)->counter_parent) {
		const struct memcg *level = machine_memcg(m, memcg);
		pages_t limit = memsw ? level->memsw.limit : level->counter.limit;

		least = limit < least ? limit : least;
	}
	return least == PAGES_UNLIMITED ? unlimited : least * PAGE_BYTES;
}

bool memory_stat_line(const struct run *run, uint32_t memcg, uint32_t i, struct memory_stat *out)
{
	const struct machine *m = run_machine_const(run);
	struct place at;

	assert(memcg >= MEMCG_ROOT && memcg <= memcg_max(&m->memcgs));
	if (!m->charges || !find(&m->sc.era, i, &at))
		return false;
	name_of(&m->sc.era, &at, out);
	if (at.limit)
		out->value = limit_of(m, memcg, at.limit->need == NEED_SWAP_ACCOUNT);
	else if (out->modelled)
		out->value = value_of(m, memcg, &at);
	return true;
}
