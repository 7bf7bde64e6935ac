/*
 * A run: one simulated machine, driven by ops, observed by sinks.
 * Two ways to drive it: apply ops one by one (run_apply), or add workloads
 * and let the run pick the actor whose clock is earliest (run_spawn,
 * run_until).  Either way every executed step is recorded in the op log,
 * and a log can be played into a fresh run of the same scenario.
 */
#ifndef MEMCGLAB_ENGINE_API_RUN_H
#define MEMCGLAB_ENGINE_API_RUN_H

#include "event.h"
#include "scenario.h"
#include "totals.h"

struct run;
struct oplog;

enum { RUN_HASH_MAX = 33, RUN_STEP_END = -1 };

struct run_memcg {
	uint32_t id, parent;		/* css id from 1 (the root); parent 0 = none */
	bool online, hierarchy, under_oom, dying;	/* dying: removed, pages are left in it */
	uint32_t nr_dying;		/* such groups below it */
	char path[GROUP_PATH_MAX];	/* "" for the root, "jobs/cat" */
	pages_t usage, limit, peak, stock, charged;	/* charged: pages owned by itself */
	uint64_t failcnt, limit_hits, oom_kills, oom_events, oom_group_kills;
	uint64_t nr_charged, nr_uncharged, nr_to_scan, nr_scanned, nr_taken, nr_reclaimed;
	uint64_t pgpgin, pgpgout;	/* as nr_charged and nr_uncharged, but one for each folio */
	uint64_t nr_rotated, nr_activated, nr_deactivated;
	pages_t min, low, high, soft;	/* PAGES_UNLIMITED: no high, no soft limit */
	uint64_t low_events, high_events, max_events;
	int64_t swappiness;
	uint32_t walk_position;		/* of the shared walk; v3.3: at the first priority */
	pages_t size[NR_LRU];
	uint32_t saved[NR_LRU];		/* nr_saved_scan */
	pages_t queued;			/* charged pages in add queues */
	pages_t dirty, writeback, nr_dirtied, nr_written;	/* its own, of files; so far */
	pages_t mapped, swap;		/* its own mapped pages of files; its pages in swap */
	pages_t memory, shmem;		/* its own: anonymous memory; of files of tmpfs */
	pages_t memsw_usage, memsw_limit, memsw_peak;	/* memory and swap of its subtree */
	uint64_t memsw_failcnt, stall_ns;	/* stall_ns: waits for memory in its subtree [ns] */
	pages_t swap_usage, swap_max;	/* swap slots of its subtree; v2: at most so many */
	pages_t kmem;			/* kernel memory of its subtree */
	uint64_t nr_refault_file, nr_refault_anon, nr_refault_activate;
	uint64_t nr_reread, majfault, pgfault;	/* of its own tasks; pgfault: all their faults */
	uint32_t nr_nodes, nr_shadow_nodes;	/* page-cache tree nodes; of shadows only */
	uint32_t last_child;		/* css id where the hierarchy cursor stands */
};

struct run_task {
	uint32_t id, memcg, cpu;
	bool alive;
	char name[OP_NAME_MAX];
	pages_t rss, unmapped;		/* memory that it has mapped, and in the swap cache only */
};

/* One cell of a list drawn by position, head first. */
struct run_cell {
	pages_t pages, referenced;
	ns_t age_ns;			/* mean time since its pages were listed */
};

/**
 * run_open - a machine at its first moment
 * @sc: copied
 * Returns: ERR_RANGE, ERR_USAGE (scenario_validate), ERR_NOMEM.
 */
enum err run_open(const struct scenario *sc, struct run **out, struct diag *diag);
void run_close(struct run *run);

/* run_add_sink - the caller owns @sink and keeps it until run_close. */
enum err run_add_sink(struct run *run, struct sink *sink, struct diag *diag);

/**
 * run_apply - execute all steps of one op
 * Returns: ERR_RANGE or ERR_NAME for ids and ranges that make no sense (the
 * machine is untouched then), or what a sink returned.  A refusal of the
 * model (killed, busy, no memory) is an outcome in @res, not an error.
 */
enum err run_apply(struct run *run, const struct op *op, struct op_result *res, struct diag *diag);

/**
 * run_spawn - add an actor
 * @parent: its clock is where the new one's starts; RUN_NO_ACTOR for the first
 * Returns: ERR_RANGE when there are too many.
 */
#define RUN_NO_ACTOR UINT32_MAX
enum err run_spawn(struct run *run, uint32_t parent, const struct workload *workload,
		   uint32_t *actor, struct diag *diag);

/**
 * run_until - execute steps until all workloads have ended or @step is reached
 * @step: stop after this many steps since open; UINT64_MAX for the end
 * @done: receives whether all workloads have ended; may be NULL
 */
enum err run_until(struct run *run, uint64_t step, bool *done, struct diag *diag);

/* run_finish - the last sample, then every sink's finish. */
enum err run_finish(struct run *run, struct diag *diag);

/* run_interrupt - async-signal-safe: run_until returns ERR_INTERRUPTED after the current step. */
void run_interrupt(struct run *run);

uint64_t run_steps(const struct run *run);
ns_t run_now(const struct run *run);		/* time of the latest step's end */
const struct scenario *run_scenario(const struct run *run);
void run_totals(const struct run *run, struct run_totals *out);

/* Reading, never changing.  Ids are css ids and task ids; false if there is no such. */
uint32_t run_memcg_max(const struct run *run);	/* ids go from 1 to this */
bool run_memcg(const struct run *run, uint32_t id, struct run_memcg *out);
uint32_t run_memcg_find(const struct run *run, const char *path);	/* 0 = none */
uint32_t run_task_max(const struct run *run);
bool run_task(const struct run *run, uint32_t id, struct run_task *out);

/* run_taken - row @i of who took pages from whom (css ids).  Returns: false past the last. */
bool run_taken(const struct run *run, uint32_t i, uint32_t *by, uint32_t *owner, uint64_t *nr);

/**
 * run_lru_cells - a list cut into @nr cells of equal size, head (newest) first
 * @cells: @nr of them; the list of each zone is cut alike, and its parts are added up
 * Returns: pages for which one cell stands (at least 1).
 */
pages_t run_lru_cells(const struct run *run, uint32_t memcg, enum lru lru, size_t nr,
		      struct run_cell *cells);

/* run_random - draw from the run's generator: uniform in [0, n), n >= 1. */
uint64_t run_random(struct run *run, uint64_t n);

/* run_hash - XXH3-128 of the whole state as lower-case hexadecimal digits. */
void run_hash(const struct run *run, char out[RUN_HASH_MAX]);

/* run_footprint - [bytes] of state per resident page, and resident pages, for the bench. */
double run_footprint(const struct run *run, pages_t *resident);

/* run_invariant - checks what must hold in any machine.  Returns: ERR_RANGE with the broken law. */
enum err run_invariant(const struct run *run, struct diag *diag);

/**
 * run_oplog - the ops executed so far, encoded; valid until the next step
 * oplog_open - decode; copies @data.  Returns: ERR_DB if it is damaged.
 * oplog_play - execute its steps in @run until @step steps since open
 */
const void *run_oplog(struct run *run, size_t *size);
enum err oplog_open(const void *data, size_t size, struct oplog **out, struct diag *diag);
uint64_t oplog_steps(const struct oplog *log);
enum err oplog_play(const struct oplog *log, struct run *run, uint64_t step, struct diag *diag);
void oplog_close(struct oplog *log);

#endif
