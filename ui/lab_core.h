/*
 * The lab from inside: what its files (lab.c, lab_find.c, lab_run.c,
 * lab_view.c, lab_machine.c) share.  Nobody else includes this.
 */
#ifndef MEMCGLAB_UI_LAB_CORE_H
#define MEMCGLAB_UI_LAB_CORE_H

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "compare.h"
#include "frames.h"
#include "lab.h"

/* One side of what is viewed: a run made again from its op log. */
struct lab_side {
	struct scenario scenario;
	struct run *run;
	struct oplog *oplog;
	struct history history; /* of the whole run */
	struct frames frames;   /* copies of it, to come back to */
};

struct lab {
	struct script_limits limits;
	struct script_log log;
	FILE *printing; /* into the outcome of the run that is going on; NULL: there is none */
	size_t printed; /* bytes so far */
	bool no_db;
	char backup[DB_PATH_MAX]; /* see lab_backup() */
	char db_file[DB_PATH_MAX]; /* "": the default, found at first use */
	/* "": not found */
	char scenario_dir[DB_PATH_MAX], lib_dir[DB_PATH_MAX], real_dir[DB_PATH_MAX];
	struct db *db;
	enum db_mode mode;
	_Atomic(struct run *) running; /* what lab_interrupt stops */
	volatile sig_atomic_t interrupted;
	struct lab_side side[2];
	struct compare *compare; /* of their runs, for the Runs view; NULL: there is none */
	struct model_run_row *run_row; /* what a model's lists point to */
	struct model_scenario_row *scenario_row;
};

/**
 * lab_find_folders - fill scenario_dir and lib_dir
 * Looks beside the program in its tree, in the working folder, and where
 * an installed program keeps its data, in this order.
 */
void lab_find_folders(struct lab *lab);

/**
 * lab_kernels - the kernels that @names lists, or @script's own if NULL
 * @out: malloc'ed array of *nr
 * Returns: ERR_NAME, ERR_USAGE: unknown, senseless, or not runnable, with the reason.
 */
enum err lab_kernels(const char *names, const struct script *script, struct era **out, size_t *nr,
		     struct diag *diag);

/**
 * lab_ready - a fresh script with the parameters and the seed of a request
 * @request: its scenario is loaded
 * @first: of the seeds, counted from the request's own
 * Returns: ERR_USAGE for a value that is refused; *out is NULL or owned by the caller.
 */
enum err lab_ready(struct lab *lab, const struct lab_request *request, uint64_t first,
		   struct script **out, struct diag *diag);

/**
 * lab_verdict - append the verdict on @run to the metrics of @out, and who took from whom
 * @facts: what events told of the run
 * The figures are of the group that the verdict is most likely about (verdict_group).
 */
enum err lab_verdict(const struct run *run, const struct verdict_facts *facts,
		     struct lab_outcome *out, struct diag *diag);

/* lab_verdict_store - the metrics from @first on, and who took from whom, into the run's rows. */
enum err lab_verdict_store(struct db *db, const struct run *run, const struct lab_outcome *out,
			   size_t first, struct diag *diag);

/**
 * lab_print_begin - what scenarios print belongs to @out until lab_print_end
 * lab_print_line - one line: to the lab's log, and to that run; @ctx is the lab
 */
void lab_print_begin(struct lab *lab, struct lab_outcome *out);
void lab_print_end(struct lab *lab);
void lab_print_line(void *ctx, const char *text);

/* lab_build - compiler and flags that the program was built with, as stored with each run. */
const char *lab_build(void);

/* lab_results - metrics and expectations of @script, which has been judged, into @out. */
enum err lab_results(const struct script *script, struct lab_outcome *out, struct diag *diag);

/**
 * lab_provenance - store of run @id what makes it: this program, libraries required so far
 * lab_libraries - those that were required since
 */
enum err lab_provenance(struct db *db, int64_t id, const struct script *script, struct diag *diag);
enum err lab_libraries(struct db *db, int64_t id, const struct script *script, struct diag *diag);

/* lab_machine_json - the machine and knobs of @sc as a JSON object; malloc'ed, NULL: no memory. */
char *lab_machine_json(const struct scenario *sc);

#endif
