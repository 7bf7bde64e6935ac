/*
 * What views show of one or two runs at one step: a sink that keeps the
 * latest shrink calls and sums, and the run it listens to for list sizes.
 */
#ifndef MEMCGLAB_UI_MODEL_H
#define MEMCGLAB_UI_MODEL_H

#include "history.h"
#include "tree_state.h"
#include "verdict.h"

/* What the user did with the list of locks. */
enum lock_column { LOCKS_CONTENTIONS, LOCKS_WAIT, LOCKS_ACQUISITIONS, LOCKS_HOLD, LOCKS_CLASS,
		   NR_LOCK_COLUMNS };
struct lock_state {
	enum lock_column sort;
	bool reverse;
	bool table;   /* waits as a table, not as bars */
	bool holders; /* call sites: whom the waiters waited for */
};

enum { MODEL_SHRINKS = 256, MODEL_TIMELINE = 512, MODEL_METRICS = 64 };

/* Figures of a whole stored run, by which posts are compared. */
struct model_metrics {
	size_t nr;
	struct {
		char name[48];
		double value;
	} at[MODEL_METRICS];
};

struct model_shrink {
	uint64_t call, step;
	ns_t t_ns;
	uint32_t memcg;
	enum lru list;
	uint64_t size, priority, nr_to_scan, nr_taken, nr_scanned, nr_reclaimed;
	enum rule rule;
};

/* One reclaim: from the refused charge to the end of its priority loop. */
struct model_reclaim {
	uint64_t step;
	ns_t t_ns;
	uint32_t memcg; /* whose limit refused; 0: no limit was hit */
	pages_t usage, limit;
	uint64_t failcnt, pages; /* of the refused charge */
	uint64_t first_call;     /* number of its first shrink call */
	bool ended;              /* the loop's last words are known: */
	uint64_t priority, nr_scanned, nr_reclaimed;
	bool returned; /* it reported progress */
};

/* One side, A or B. */
struct model_side {
	struct sink sink; /* first: it is a sink */
	struct run *run;  /* borrowed; NULL: this side is empty */
	int64_t run_id;   /* in the store, 0 if not stored */
	char kernel[ERA_NAME_MAX], alias[ERA_NAME_MAX];
	struct model_shrink shrink[MODEL_SHRINKS]; /* ring: call k at (k - 1) % MODEL_SHRINKS */
	uint64_t nr_shrink;                        /* calls so far */
	uint64_t sum_to_scan, sum_scanned, sum_reclaimed;
	uint64_t nr_hits, nr_ooms, nr_marks;
	struct model_reclaim last;        /* the newest; step 0: none so far */
	struct verdict_facts facts;       /* what events told of victims and refusals */
	const struct history *history;    /* of the whole run, borrowed; NULL: none was taken */
	uint64_t steps_total;             /* of the whole stored run */
	uint8_t timeline[MODEL_TIMELINE]; /* 1 reclaim, 2 OOM, 4 mark, by step of the whole run */
};

void model_side_init(struct model_side *side, struct run *run, int64_t run_id,
		     uint64_t steps_total);

/* model_shrink - call number @call (from 1), NULL if it is not kept any more. */
const struct model_shrink *model_shrink(const struct model_side *side, uint64_t call);

/* model_shrink_of - the newest kept call on lists of group @memcg, NULL if there is none. */
const struct model_shrink *model_shrink_of(const struct model_side *side, uint32_t memcg);

/* A row of the list of stored runs and of the list of scenarios, for the Runs view. */
struct model_run_row {
	int64_t id;
	char scenario[64], kernel[ERA_NAME_MAX], alias[ERA_NAME_MAX], state[16], created[32];
	char tag[128], note[256];
	bool baseline;
	uint64_t seed, wall_ns, steps;
	double over_scan; /* < 0: none */
	char error[160];
};
struct model_scenario_row {
	char name[64], title[128];
};

struct compare;

/* How the Runs view shows the comparison of A with B. */
struct compare_state {
	bool all; /* what is equal too */
	bool p;   /* where there is no room for both: p instead of the interval */
};

struct model {
	char scenario[64];
	uint64_t seed, step, steps_total; /* step: what both sides show */
	ns_t t_ns;
	bool playing, running; /* running: a scenario is executed right now */
	double speed;          /* steps per frame factor: 1, 2, 4 … or 0.5 … */
	struct model_side side[2];
	struct model_metrics metrics[2]; /* by side */
	bool has_b;
	int show;                      /* 0 both, 1 A only, 2 B only */
	bool has_group;                /* a group was chosen, or settled: see group.h */
	char group[GROUP_PATH_MAX];
	const struct compare *compare; /* of A with B, borrowed; NULL: there is none */
	struct compare_state compare_state;
	struct model_run_row *run_row; /* owned by the lab */
	size_t nr_run_rows;  /* that the filter lets through */
	uint64_t nr_runs;    /* in the store */
	struct model_scenario_row *scenario_row;
	size_t nr_scenario_rows;
	struct pcg_machine machine; /* PageCg: the machine whose array is shown */
	char db_path[256];
	uint64_t db_bytes;
	int selected; /* row in the current list */
	int scroll;
	struct tree_state tree; /* of the Limits view */
	struct lock_state locks; /* of the Locks view */
	char filter[128], message[256]; /* message: last line's note or error */
	char panel[2048];               /* a failure to show in a panel (T20), "" if none */
};

#endif
