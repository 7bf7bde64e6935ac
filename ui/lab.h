/*
 * The lab: owns what is open (store, scenario, runs) and puts the pieces
 * together.  Commands and the TUI's worker call it; it prints nothing.
 */
#ifndef MEMCGLAB_UI_LAB_H
#define MEMCGLAB_UI_LAB_H

#include "contention.h"
#include "db.h"
#include "lab_request.h"
#include "model.h"
#include "script.h"

struct lab;

/* lab_version - the program's version, as stored with each run. */
const char *lab_version(void);

struct lab_options {
	const char *db_path; /* NULL: db_default_path */
	bool no_db;
	struct script_limits limits;
	const char *scenario_dir; /* NULL: found beside the program, or installed */
	const char *lib_dir;
	struct script_log log; /* where a scenario's print goes; may be zeroed */
};

enum err lab_open(const struct lab_options *options, struct lab **out, struct diag *diag);
void lab_close(struct lab *lab);

/* lab_db - the store, opened at first use.  DB_WRITE after DB_READ reopens it. */
enum err lab_db(struct lab *lab, enum db_mode mode, struct db **out, struct diag *diag);

/* lab_db_close - until it is used again: no store may be open where a process forks. */
void lab_db_close(struct lab *lab);

/* lab_backup - where the store was kept as it was before it was migrated; "" if it was not. */
const char *lab_backup(const struct lab *lab);

/* lab_scenario_find - by name or path.  Returns: ERR_USAGE with the nearest name. */
enum err lab_scenario_find(struct lab *lab, const char *name, struct lab_scenario *out,
			   struct diag *diag);
enum err lab_scenarios(struct lab *lab, enum err (*row)(void *ctx, const struct lab_scenario *s),
		       void *ctx, struct diag *diag);

/* A shrink call as the kernel's debug line told it: list size on entry and pages asked for. */
struct lab_call {
	uint64_t size, nr_to_scan;
	bool first; /* of its limit hit */
};
enum { LAB_CALLS = 24 };

/* A pair of groups: pages that charges of one took from the other. */
struct lab_taken {
	char by[GROUP_PATH_MAX], owner[GROUP_PATH_MAX]; /* as in v_taken */
	uint64_t nr;
};

struct lab_outcome {       /* one run of a request */
	struct db_run run; /* id 0 without a store */
	uint32_t side;     /* among the runs of its pair: 0 is A */
	struct db_metric *metric;
	size_t nr_metrics;
	struct db_expect *expect;
	size_t nr_expects;
	struct lab_taken *taken; /* most pages first */
	size_t nr_taken;
	struct run_lock *lock; /* classes, most contentions first */
	size_t nr_locks;
	char *printed; /* by the scenario: lines, each with its newline; NULL: none */
	size_t printed_size;
	struct lab_call call[LAB_CALLS]; /* the latest, the newest last */
	size_t nr_calls;
};

/**
 * lab_run - run a scenario on each kernel, storing each
 * @out, @nr: all outcomes, also of failed runs; freed by lab_outcomes_free
 * Returns: the first error; expectations that failed are no error here.
 */
enum err lab_run(struct lab *lab, const struct lab_request *request, struct lab_outcome **out,
		 size_t *nr, struct diag *diag);
void lab_outcomes_free(struct lab_outcome *outcome, size_t nr);

/**
 * lab_check - load a scenario, validate it and dry-run its set-up on its kernels
 * Returns: the first problem, whose text begins with file:line if it has a place.
 */
enum err lab_check(struct lab *lab, const char *scenario, struct diag *diag);

/* lab_real_dir - the recorded experiments that come with the program; "" if there are none. */
const char *lab_real_dir(const struct lab *lab);

/**
 * lab_script - load a scenario without running it
 * @out: owned by the caller: script_free
 */
enum err lab_script(struct lab *lab, const struct lab_scenario *scenario, struct script **out,
		    struct diag *diag);

/* lab_machine - the machine that a stored run started from, with its kernel and seed. */
enum err lab_machine(const struct db_run *run, struct scenario *out, struct diag *diag);

/* lab_interrupt - async-signal-safe: what runs stops and is stored as interrupted. */
void lab_interrupt(struct lab *lab);

/* lab_failed - mark run @id failed with @error: for the parent whose lab process it had to kill. */
enum err lab_failed(struct lab *lab, int64_t id, enum run_state state, const char *error,
		    struct diag *diag);

/**
 * lab_view_open - stored run(s) as a model at their last step
 * @a, @b: references; @b NULL: the other run of the same command if there is
 *         one (run.pair), else one side only
 * The runs are made again from their op logs.
 */
enum err lab_view_open(struct lab *lab, const char *a, const char *b, struct model *model,
		       struct diag *diag);
/* lab_view_seek - both sides at @step (UINT64_MAX: the last); back is a replay from the start. */
enum err lab_view_seek(struct lab *lab, struct model *model, uint64_t step, struct diag *diag);
void lab_view_close(struct lab *lab, struct model *model);

/* lab_view_lists - the model's rows of runs and scenarios anew; lab_view_runs - those of the runs
 * that model->filter lets through. */
enum err lab_view_lists(struct lab *lab, struct model *model, struct diag *diag);
enum err lab_view_runs(struct lab *lab, struct model *model, struct diag *diag);

/**
 * lab_view_filter - another filter for the list of runs
 * One whose last word is still in the making changes nothing: see where_pending().
 * Returns: as db_runs_chosen(); the filter before stays then.
 */
enum err lab_view_filter(struct lab *lab, struct model *model, const char *filter,
			 struct diag *diag);

#endif
