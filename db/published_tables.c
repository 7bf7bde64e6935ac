/*
 * The figures that the posts print, copied from them once, and how the
 * model comes to each.  A figure without a run is not modelled; giving it a
 * run, a metric and a label switches it on.
 *
 * Labels follow the rules of the check: what a constant was fitted to is
 * calibrated and names the constant, whatever the model makes of it.
 */
#include "published.h"

/* A figure that nothing models yet. */
#define NONE(row, side, unit, value) \
	{ row, side, unit, value, PUBLISHED_NOT_MODELLED, 0, NULL, NULL, NULL, 0, 0 }
/* The same, but a constant was fitted to it. */
#define FITTED(row, side, unit, value, constants) \
	{ row, side, unit, value, PUBLISHED_NOT_MODELLED, 0, NULL, NULL, constants, 0, 0 }
/* The same, with the spread of its runs. */
#define SPREAD(row, side, unit, value, sd, runs) \
	{ row, side, unit, value, PUBLISHED_NOT_MODELLED, 0, NULL, NULL, NULL, sd, runs }

/* A run that is made at a part of its size unless the full one is asked for. */
#define PART(name, scenario_name, kernel_name, whole, part, share) \
	static const struct published_run name = { .scenario = (scenario_name), \
						   .kernel = (kernel_name), \
						   .full = (whole), \
						   .reduced = (part), \
						   .size = (share) }

/* ---- batched_scan_2009 ---- */

static const struct published_run cat_before = { .scenario = "cat-in-100m",
						 .kernel = "v2.6.31",
						 .full = "" };
static const struct published_run cat_after = { .scenario = "cat-in-100m",
						.kernel = "v2.6.31+scan_batch=reclaim_stat",
						.full = "" };

/* The 61 pages beside the file are inferred from 25535: 25600 - 61 - 4 left in the queue. */
#define LINE_BEFORE(n)                                                                           \
	{ n " count", "before", "pages", 25535, PUBLISHED_CALIBRATED, 0, &cat_before,            \
	  "call " n " size", "other", 0, 0 },                                                     \
	{ n " scan", "before", "pages", 6, PUBLISHED_PREDICTED, 0, &cat_before,                   \
	  "call " n " asked", NULL, 0, 0 }
#define LINE_AFTER(n, count, scan)                                                               \
	{ n " count", "after", "pages", count, PUBLISHED_PREDICTED, 0, &cat_after,                \
	  "call " n " size", NULL, 0, 0 },                                                        \
	{ n " scan", "after", "pages", scan, PUBLISHED_PREDICTED, 0, &cat_after,                  \
	  "call " n " asked", NULL, 0, 0 }

static const struct published_row batched_scan[] = {
	LINE_BEFORE("1"),
	LINE_BEFORE("2"),
	LINE_BEFORE("3"),
	LINE_BEFORE("4"),
	LINE_BEFORE("5"),
	LINE_BEFORE("6"),
	LINE_BEFORE("7"),
	LINE_AFTER("1", 25531, 32),
	LINE_AFTER("2", 25507, 10),
	LINE_AFTER("3", 25531, 32),
	LINE_AFTER("4", 25507, 10),
	LINE_AFTER("5", 25531, 32),
	LINE_AFTER("6", 25507, 10),
	LINE_AFTER("7", 25531, 32),
	LINE_AFTER("8", 25507, 10),
};

/* ---- page_cgroup_2011 ---- */

/* The map of that machine is not stated; both figures are 30 sections of whole records. */
static const struct published_run array_before = { .scenario = "page-cgroup-4g",
						   .kernel = "v3.1",
						   .full = "" };
static const struct published_run array_after = { .scenario = "page-cgroup-4g",
						  .kernel = "v3.3",
						  .full = "" };

static const struct published_row page_cgroup[] = {
	{ "bytes", "vanilla", "bytes", 31457280, PUBLISHED_DERIVED, 0, &array_before,
	  "page_cgroup_bytes", NULL, 0, 0 },
	{ "bytes", "patched", "bytes", 15728640, PUBLISHED_DERIVED, 0, &array_after,
	  "page_cgroup_bytes", NULL, 0, 0 },
};

/* ---- execl_2008 ---- */

#define EXECL(name, kernel_name) \
	PART(name, "execl-2008", kernel_name, "count=30000", "count=3000", "1/10")

EXECL(execl_1, "v2.6.25");
EXECL(execl_2, "v2.6.25+owner=radix");
EXECL(execl_3, "v2.6.25+owner=radix+lookaside=percpu");
EXECL(execl_4, "v2.6.25+owner=radix+lookaside=prefetch");
EXECL(execl_5, "v2.6.25+owner=radix+lookaside=prefetch+page_pad=64");
EXECL(execl_6, "v2.6.25+memcg=off");

#define EXECL_V3(name, kernel_name)                                          \
	PART(name, "execl-2008", kernel_name, "count=30000 v3=true", "count=3000 v3=true", \
	     "1/10")

EXECL_V3(execl_v3_off, "v2.6.25+memcg=off");
EXECL_V3(execl_v3_before, "v2.6.25");
EXECL_V3(execl_v3_4, "v2.6.25+owner=radix+lookaside=prefetch");

#define EXECL_IA64(name, kernel_name)                                            \
	PART(name, "execl-2008", kernel_name, "count=30000 ia64=true", "count=3000 ia64=true", \
	     "1/10")

EXECL_IA64(execl_ia64_off, "v2.6.25+memcg=off");
EXECL_IA64(execl_ia64_on, "v2.6.25");
EXECL_IA64(execl_ia64_noref, "v2.6.25+owner=slab40_27");

/* The spread of the benchmark is not published; 0.7 % is about its noise. */
#define EXECL_ROW(row, result, index, label, run, fits) \
	{ (row), "result", "execs/s", (result), (label), 0.007, &(run), "result", (fits), 0, 0 }, \
	{ (row), "index", "", (index), PUBLISHED_IMPLIED, 0.007, &(run), "index", NULL, 0, 0 }

/* An index is its result over 43.0: a second figure, but no second prediction. */
static const struct published_row execl[] = {
	EXECL_ROW("1", 2868.8, 667.2, PUBLISHED_CALIBRATED, execl_1, "exec_charge_ns exec_ref_ns"),
	EXECL_ROW("2", 2810.3, 653.6, PUBLISHED_CALIBRATED, execl_2, "tree_ns"),
	EXECL_ROW("3", 2836.9, 659.7, PUBLISHED_PREDICTED, execl_3, NULL),
	EXECL_ROW("4", 2846.0, 661.9, PUBLISHED_CALIBRATED, execl_4, "prefetch_ns straddle_ns"),
	EXECL_ROW("5", 2862.0, 665.6, PUBLISHED_CALIBRATED, execl_5, "straddle_ns"),
	EXECL_ROW("6", 3110.0, 723.3, PUBLISHED_CALIBRATED, execl_6, "exec_ns"),
	/* Another kernel, whose time without the controller is fitted; what the controller adds is
	 * that of v2.  Without it the two differ by 1.3 %, so what it adds may too. */
	{ "v3-off", "result", "execs/s", 3150.1, PUBLISHED_CALIBRATED, 0.007, &execl_v3_off,
	  "result", "t0_v3", 0, 0 },
	{ "v3-before", "result", "execs/s", 2932.6, PUBLISHED_PREDICTED, 0.02, &execl_v3_before,
	  "result", NULL, 0, 0 },
	{ "v3-1-4", "result", "execs/s", 2899.1, PUBLISHED_PREDICTED, 0.02, &execl_v3_4,
	  "result", NULL, 0, 0 },
	NONE("v3-1-6", "result", "execs/s", 3044.2),
	/* Another machine, whose time without the controller is fitted; what the controller and its
	 * reference counts add is taken over from x86-64, where no figure of ia64 was fitted to. */
	{ "ia64-off", "result", "execs/s", 2654.7, PUBLISHED_CALIBRATED, 0.007, &execl_ia64_off,
	  "result", "t0_ia64", 0, 0 },
	{ "ia64-on", "result", "execs/s", 2461.3, PUBLISHED_PREDICTED, 0.02, &execl_ia64_on,
	  "result", NULL, 0, 0 },
	{ "ia64-noref", "result", "execs/s", 2553.6, PUBLISHED_PREDICTED, 0.02, &execl_ia64_noref,
	  "result", NULL, 0, 0 },
};

/* ---- fault_loop_2009 ---- */

#define FAULTS(name, kernel_name, child)                                                   \
	PART(name, "fault-loop-2009", kernel_name, "seconds=60 child=" child,             \
	     "seconds=6 child=" child, "1/10")

FAULTS(faults_none, "v2.6.32+memcg=off", "true");
FAULTS(faults_root, "v2.6.32", "false");
FAULTS(faults_child, "v2.6.32", "true");
FAULTS(faults_uncharge, "v2.6.32+uncharge=block", "true");
FAULTS(faults_both, "v2.6.33", "true");

/* Faults of 60 s are the CPU time of one, the other way round: no second prediction. */
#define FAULT_ROW(row, faults, us, misses, label, run, us_fits, misses_fits)                   \
	{ (row), "faults", "", (faults), PUBLISHED_IMPLIED, 0.1, &(run), "faults", NULL, 0, 0 }, \
	{ (row), "cpu_us_per_fault", "us", (us), (label), 0.1, &(run), "cpu_us_per_fault", \
	  (us_fits), 0, 0 },                                                               \
	{ (row), "cache_misses_per_fault", "", (misses), (label), 0.1, &(run),             \
	  "cache_misses_per_fault", (misses_fits), 0, 0 }

static const struct published_row fault_loop[] = {
	FAULT_ROW("1", 40156968, 11.95, 27.67, PUBLISHED_CALIBRATED, faults_none, "base line_ns",
		  "base_lines"),
	FAULT_ROW("2", 36659599, 13.09, 31.58, PUBLISHED_CALIBRATED, faults_root, "line_ns",
		  "root_lines"),
	FAULT_ROW("3", 18444157, 26.02, 69.96, PUBLISHED_PREDICTED, faults_child, NULL, NULL),
	FAULT_ROW("4", 27133719, 17.69, 47.16, PUBLISHED_PREDICTED, faults_uncharge, NULL, NULL),
	FAULT_ROW("5", 34224709, 14.03, 34.69, PUBLISHED_PREDICTED, faults_both, NULL, NULL),
};

/* ---- lock_stat_2009, lock_sites_2009 ---- */

/* The configuration is not in the post; 256 CPUs and preemptible are told by another build. */
#define MAKE(name, kernel_name) \
	PART(name, "lock-contention-2009", kernel_name, "objects=1500", "objects=500", "1/3")

MAKE(make_before, "v2.6.31");
MAKE(make_after, "v2.6.31+charge=rfc+nr_cpus=256");

/* How often the lock is taken is told by the rules, to a quarter; who meets whom at it varies. */
#define LOCKED(row, side, unit, value, tolerance, run, metric) \
	{ (row), (side), (unit), (value), PUBLISHED_PREDICTED, (tolerance), &(run), (metric), \
	  NULL, 0, 0 }

static const struct published_row lock_stat[] = {
	LOCKED("con_bounces", "before", "count", 1793728, 0.5, make_before, "full_con_bounces"),
	LOCKED("contentions", "before", "count", 1824383, 0.5, make_before, "full_contentions"),
	NONE("waittime_min", "before", "us", 0.90),
	NONE("waittime_max", "before", "us", 16599.78),
	LOCKED("waittime_total", "before", "us", 1255869.40, 0.5, make_before, "full_waittime"),
	LOCKED("acq_bounces", "before", "count", 24879507, 0.5, make_before, "full_acq_bounces"),
	{ "acquisitions", "before", "count", 44909568, PUBLISHED_CALIBRATED, 0.25, &make_before,
	  "full_acquisitions", "x", 0, 0 },
	FITTED("holdtime_min", "before", "us", 0.45, "lock_least_ns"),
	NONE("holdtime_max", "before", "us", 31183.88),
	{ "holdtime_total", "before", "us", 19505982.15, PUBLISHED_CALIBRATED, 0.25, &make_before,
	  "full_holdtime", "lock_hold_ns", 0, 0 },
	FITTED("real_s", "before", "s", 175.170, "busy"),
	NONE("user_s", "before", "s", 278.351),
	FITTED("sys_s", "before", "s", 400.694, "page"),
	LOCKED("con_bounces", "after", "count", 11159, 0.5, make_after, "full_con_bounces"),
	LOCKED("contentions", "after", "count", 11406, 0.5, make_after, "full_contentions"),
	NONE("waittime_min", "after", "us", 1.02),
	NONE("waittime_max", "after", "us", 30.35),
	LOCKED("waittime_total", "after", "us", 6707.74, 0.5, make_after, "full_waittime"),
	LOCKED("acq_bounces", "after", "count", 1097940, 0.5, make_after, "full_acq_bounces"),
	LOCKED("acquisitions", "after", "count", 3957860, 0.25, make_after, "full_acquisitions"),
	NONE("holdtime_min", "after", "us", 0.47),
	NONE("holdtime_max", "after", "us", 17652.17),
	LOCKED("holdtime_total", "after", "us", 1534430.74, 0.25, make_after, "full_holdtime"),
	NONE("real_s", "after", "s", 172.612),
	NONE("user_s", "after", "s", 285.450),
	NONE("sys_s", "after", "s", 364.422),
};

#define SITE(block, site, side, value, run, metric) \
	{ block " " site, (side), "count", (value), PUBLISHED_PREDICTED, 0.5, &(run), (metric), \
	  NULL, 0, 0 }

static const struct published_row lock_sites[] = {
	SITE("waiters", "res_counter_charge", "before", 999561, make_before, "waiters_charge"),
	SITE("waiters", "res_counter_uncharge", "before", 824822, make_before, "waiters_uncharge"),
	SITE("holders", "res_counter_uncharge", "before", 835597, make_before, "holders_uncharge"),
	SITE("holders", "res_counter_charge", "before", 988786, make_before, "holders_charge"),
	SITE("waiters", "res_counter_charge", "after", 2016, make_after, "waiters_charge"),
	SITE("waiters", "res_counter_uncharge", "after", 9390, make_after, "waiters_uncharge"),
	SITE("holders", "res_counter_uncharge", "after", 8962, make_after, "holders_uncharge"),
	SITE("holders", "res_counter_charge", "after", 2444, make_after, "holders_charge"),
};

/* ---- dirty_stat_2012 ---- */

#define FIO(name, kernel_name, map) \
	PART(name, "dirty-stat-2012", kernel_name, map "part=1", map "part=4", "1/4")

FIO(fio_before, "v3.5", "");
FIO(fio_no_map, "v3.5", "map=false ");
FIO(fio_vfs, "v3.5+stat=vfs", "");
FIO(fio_after, "v3.5+stat=dirty", "");

/* Rates are the amount over the run time: further figures, but no further predictions. */
#define FIO_RATES(side, kb_s, iops, run) \
	{ "write_kb_s", (side), "KB/s", (kb_s), PUBLISHED_IMPLIED, 0.01, &(run), "write_kb_s", \
	  NULL, 0, 0 }, \
	{ "iops", (side), "1/s", (iops), PUBLISHED_IMPLIED, 0.01, &(run), "iops", NULL, 0, 0 }
#define FIO_ROW(row, side, unit, value, label, tolerance, run, metric, fits) \
	{ (row), (side), (unit), (value), (label), (tolerance), &(run), (metric), (fits), 0, 0 }

/* A run's draws spread dirty memory by 0.1 %, so 2 and 6 % too much are a miss that has a cause;
 * which hypothesis is right is not known, so both files with a map and without are shown. */
static const struct published_row dirty_stat[] = {
	FIO_RATES("before", 334678, 83669.2, fio_before),
	FIO_ROW("runt_ms", "before", "ms", 3136, PUBLISHED_CALIBRATED, 0.01, fio_before, "runt_ms",
		"inode_hold_ns"),
	NONE("lat_min_us", "before", "us", 1),
	NONE("lat_max_us", "before", "us", 26203.1),
	FIO_ROW("lat_avg_us", "before", "us", 81.473, PUBLISHED_CALIBRATED, 0.01, fio_before,
		"lat_avg_us", "think"),
	NONE("lat_stdev_us", "before", "us", 275.754),
	NONE("dirty_kb_before", "before", "kB", 4),
	FIO_ROW("dirty_kb_after", "before", "kB", 648696, PUBLISHED_PREDICTED, 0.07, fio_before,
		"dirty_kb", NULL),
	FIO_ROW("dirty_kb_after", "no map", "kB", 648696, PUBLISHED_PREDICTED, 0.07, fio_no_map,
		"dirty_kb", NULL),
	FIO_RATES("vfs", 331583, 82895.3, fio_vfs),
	FIO_ROW("runt_ms", "vfs", "ms", 3164.4, PUBLISHED_CALIBRATED, 0.01, fio_vfs, "runt_ms",
		"vfs_ns"),
	FIO_ROW("lat_avg_us", "vfs", "us", 83.544, PUBLISHED_PREDICTED, 0.05, fio_vfs,
		"lat_avg_us", NULL),
	FIO_RATES("after", 325219, 81304.1, fio_after),
	FIO_ROW("runt_ms", "after", "ms", 3226.9, PUBLISHED_PREDICTED, 0.01, fio_after, "runt_ms",
		NULL),
	NONE("lat_min_us", "after", "us", 1),
	NONE("lat_max_us", "after", "us", 17224),
	FIO_ROW("lat_avg_us", "after", "us", 86.194, PUBLISHED_PREDICTED, 0.05, fio_after,
		"lat_avg_us", NULL),
	NONE("lat_stdev_us", "after", "us", 298.183),
};

/* ---- memcg_lru_2011 ---- */

#define CAT(name, kernel_name, where)                                              \
	PART(name, "sparse-cat-2011", kernel_name, "file=100G where=" where, \
	     "file=10G where=" where, "1/10")

CAT(noctl_before, "v3.1+memcg=off", "root");
CAT(noctl_after, "v3.1+lru=per_memcg+memcg=off", "root");
CAT(root_before, "v3.1", "root");
CAT(root_after, "v3.1+lru=per_memcg", "root");
CAT(group_before, "v3.1", "group");
CAT(group_after, "v3.1+lru=per_memcg", "group");

#define CAT_ROW(row, side, value, sd, label, run, fits) \
	{ (row), (side), "s", (value), (label), 0.005, &(run), "seconds", (fits), (sd), 10 }

/* How many major faults there are hangs on figures that the post does not have. */
#define BUILDS(name, groups, kernel_name)                                          \
	PART(name, "kbuild-" groups "-2011", kernel_name, "part=1 objects=750", \
	     "part=1 objects=75", "1/10")

BUILDS(four_before, "4", "v3.1");
BUILDS(four_after, "4", "v3.1+lru=per_memcg");
BUILDS(sixteen_before, "16", "v3.1");
BUILDS(sixteen_after, "16", "v3.1+lru=per_memcg");

/* Builds take what their pages take, and that was fitted to one of them: of their seconds nothing
 * is claimed but Welch's verdict on a pair. */
static const struct published_row memcg_lru[] = {
	CAT_ROW("cat-noctl", "vanilla", 71.603, 0.207, PUBLISHED_CALIBRATED, noctl_before, "page"),
	CAT_ROW("cat-noctl", "patched", 71.640, 0.156, PUBLISHED_PREDICTED, noctl_after, NULL),
	CAT_ROW("cat-root", "vanilla", 79.558, 0.288, PUBLISHED_CALIBRATED, root_before,
		"owner second"),
	CAT_ROW("cat-root", "patched", 77.233, 0.147, PUBLISHED_CALIBRATED, root_after, "second"),
	CAT_ROW("cat-1g", "vanilla", 96.844, 0.281, PUBLISHED_CALIBRATED, group_before, "member"),
	CAT_ROW("cat-1g", "patched", 94.454, 0.311, PUBLISHED_PREDICTED, group_after, NULL),
	{ "kbuild-4", "vanilla", "s", 717.722, PUBLISHED_CALIBRATED, 0.02, &four_before,
	  "seconds", "page", 1.440, 10 },
	{ "kbuild-4", "patched", "s", 714.106, PUBLISHED_IMPLIED, 0.02, &four_after,
	  "seconds", NULL, 2.313, 10 },
	SPREAD("kbuild-4-majfault", "vanilla", "majfaults", 69720.100, 11600.835, 10),
	SPREAD("kbuild-4-majfault", "patched", "majfaults", 71109.300, 14886.186, 10),
	{ "kbuild-16", "vanilla", "s", 2742.058, PUBLISHED_IMPLIED, 0.05, &sixteen_before,
	  "seconds", NULL, 1.992, 10 },
	{ "kbuild-16", "patched", "s", 2743.267, PUBLISHED_IMPLIED, 0.05, &sixteen_after,
	  "seconds", NULL, 1.214, 10 },
	SPREAD("kbuild-16-majfault", "vanilla", "majfaults", 26479.600, 1736.737, 10),
	SPREAD("kbuild-16-majfault", "patched", "majfaults", 27240.700, 1076.063, 10),
};

/* ---- all of them ---- */

#define ROWS(rows) rows, sizeof(rows) / sizeof((rows)[0])

static const struct published_table tables[] = {
	{ "memcg_lru_2011", "per-memcg LRU lists: cat of a sparse file, kernel builds",
	  "Johannes Weiner, the series of [patch 01/11] mm: memcg: consolidate hierarchy iteration "
	  "primitives, linux-mm; 10 runs each, the "
	  "number in brackets read as a standard deviation, which the post does not say",
	  "2011-09-12", ROWS(memcg_lru) },
	{ "page_cgroup_2011", "bytes of page_cgroup that a 4G machine allocates at boot",
	  "Johannes Weiner, the same series, linux-mm; x86-64", "2011-09-12", ROWS(page_cgroup) },
	{ "batched_scan_2009", "calls that shrink a 100M group while a file is read",
	  "Wu Fengguang, [PATCH -v2] mm: do batched scans for mem_cgroup, linux-mm; cp of a 10G "
	  "file in a 100M group, lines of a debug message",
	  "2009-08-20", ROWS(batched_scan) },
	{ "execl_2008", "UnixBench execl throughput by how a page finds its page_cgroup",
	  "KAMEZAWA Hiroyuki and KOSAKI Motohiro, [-mm] [PATCH 0/4] memcg : radix-tree page_cgroup "
	  "v2, linux-mm; baseline 43.0; v3 and ia64 rows from other mails of that year",
	  "2008-03-27", ROWS(execl) },
	{ "fault_loop_2009", "8 CPUs map 1 MiB, touch 256 pages, unmap, for 60 s",
	  "KAMEZAWA Hiroyuki, commits 569b846df54 and cdec2e4265d", "2009-12",
	  ROWS(fault_loop) },
	{ "lock_stat_2009", "lock_stat of &counter->lock under make -j 12 on 8 CPUs",
	  "KAMEZAWA Hiroyuki, [RFC][PATCH 0/5] memcg: reduce lock conetion, linux-mm; lock_stat "
	  "version 0.3, best of 3",
	  "2009-08-28", ROWS(lock_stat) },
	{ "lock_sites_2009", "who waited for the lock and whom for, by call site",
	  "the same message", "2009-08-28", ROWS(lock_sites) },
	{ "dirty_stat_2012", "fio buffered random writes, 8 jobs, with per-cgroup dirty statistics",
	  "Sha Zhengju, [PATCH V2 0/6] Per-cgroup page stat accounting, linux-mm; mean of 10, no "
	  "spread; vfs is patch 2/6 alone; one figure of dirty memory, twice: fio with its map, "
	  "and with none",
	  "2012-07-27", ROWS(dirty_stat) },
};

/* Each constant that was fitted to a figure, and to which. */
static const struct published_fit fits[] = {
	{ "other", "cat-in-100m", 61, "batched_scan_2009", "1 count", "before" },
	{ "lock_hold_ns", NULL, 350, "lock_stat_2009", "holdtime_total", "before" },
	{ "lock_least_ns", NULL, 56, "lock_stat_2009", "holdtime_min", "before" },
	{ "x", "lock-contention-2009", 5547, "lock_stat_2009", "acquisitions", "before" },
	{ "busy", "lock-contention-2009", 49, "lock_stat_2009", "real_s", "before" },
	{ "page", "lock-contention-2009", 55000, "lock_stat_2009", "sys_s", "before" },
	{ "exec_ns", NULL, 319600, "execl_2008", "6", "result" },
	{ "t0_v3", "execl-2008", 315490, "execl_2008", "v3-off", "result" },
	{ "t0_ia64", "execl-2008", 374730, "execl_2008", "ia64-off", "result" },
	{ "exec_charge_ns", NULL, 600, "execl_2008", "1", "result" },
	{ "exec_ref_ns", NULL, 130, "execl_2008", "1", "result" },
	{ "tree_ns", NULL, 23, "execl_2008", "2", "result" },
	{ "prefetch_ns", NULL, 6, "execl_2008", "4", "result" },
	{ "straddle_ns", NULL, 1960, "execl_2008", "4", "result" },
	{ "straddle_ns", NULL, 1960, "execl_2008", "5", "result" },
	{ "base", "fault-loop-2009", 11953, "fault_loop_2009", "1", "cpu_us_per_fault" },
	{ "base_lines", "fault-loop-2009", 2767, "fault_loop_2009", "1",
	  "cache_misses_per_fault" },
	{ "root_lines", "fault-loop-2009", 391, "fault_loop_2009", "2", "cache_misses_per_fault" },
	{ "inode_hold_ns", NULL, 11963, "dirty_stat_2012", "runt_ms", "before" },
	{ "vfs_ns", NULL, 165, "dirty_stat_2012", "runt_ms", "vfs" },
	{ "think", "dirty-stat-2012", 14231, "dirty_stat_2012", "lat_avg_us", "before" },
	{ "line_ns", NULL, 292, "fault_loop_2009", "1", "cpu_us_per_fault" },
	{ "line_ns", NULL, 292, "fault_loop_2009", "2", "cpu_us_per_fault" },
	{ "page", "sparse-cat-2011", 2578, "memcg_lru_2011", "cat-noctl", "vanilla" },
	{ "owner", "sparse-cat-2011", 214, "memcg_lru_2011", "cat-root", "vanilla" },
	{ "second", "sparse-cat-2011", 89, "memcg_lru_2011", "cat-root", "vanilla" },
	{ "second", "sparse-cat-2011", 89, "memcg_lru_2011", "cat-root", "patched" },
	{ "member", "sparse-cat-2011", 647, "memcg_lru_2011", "cat-1g", "vanilla" },
	{ "page", "kbuild-4-2011", 57000, "memcg_lru_2011", "kbuild-4", "vanilla" },
};

const struct published_set *published_all(void)
{
	static const struct published_set set = {
		.table = tables,
		.nr = sizeof(tables) / sizeof(tables[0]),
		.fit = fits,
		.nr_fits = sizeof(fits) / sizeof(fits[0]),
	};

	return &set;
}
