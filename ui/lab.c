/*
 * The composition root: opens what is needed at first use and keeps it
 * until the lab is closed.  What the lab does with it is in lab_find.c,
 * lab_run.c and lab_view.c.
 *
 * Invariants: at most one store is open; running is NULL unless a scenario
 * is executed right now.
 */
#include "lab_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION "0.1.0"

const char *lab_version(void)
{
	return VERSION;
}

/* The build gives its flags as a macro. */
const char *lab_build(void)
{
	return __VERSION__ " " MEMCGLAB_FLAGS;
}

/* False if it does not fit. NULL leaves the path empty: it is found later. */
static bool path_copy(char out[DB_PATH_MAX], const char *path)
{
	return path == NULL || snprintf(out, DB_PATH_MAX, "%s", path) < DB_PATH_MAX;
}

/* Opens nothing yet: a command that needs no store must work where there can be none. */
enum err lab_open(const struct lab_options *options, struct lab **out, struct diag *diag)
{
	struct lab *lab = calloc(1, sizeof(*lab));

	*out = NULL;
	if (lab == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the lab");
	lab->limits = options->limits;
	lab->log = options->log;
	lab->no_db = options->no_db;
	if (!path_copy(lab->db_file, options->db_path) ||
	    !path_copy(lab->scenario_dir, options->scenario_dir) ||
	    !path_copy(lab->lib_dir, options->lib_dir)) {
		free(lab);
		return diag_fail(diag, ERR_USAGE, "a path is longer than %d", DB_PATH_MAX);
	}
	lab_find_folders(lab);
	*out = lab;
	return ERR_OK;
}

/* Runs first, then the store that their recorders wrote to. */
void lab_close(struct lab *lab)
{
	if (lab == NULL)
		return;
	for (int i = 0; i < 2; i++) {
		oplog_close(lab->side[i].oplog);
		run_close(lab->side[i].run);
	}
	free(lab->run_row);
	free(lab->scenario_row);
	db_close(lab->db);
	free(lab);
}

void lab_db_close(struct lab *lab)
{
	db_close(lab->db);
	lab->db = NULL;
}

/* A reader that must write is closed and opened again: only a writer may create or migrate. */
enum err lab_db(struct lab *lab, enum db_mode mode, struct db **out, struct diag *diag)
{
	enum err err = ERR_OK;

	*out = NULL;
	if (lab->db != NULL && mode == DB_WRITE && lab->mode == DB_READ)
		lab_db_close(lab);
	if (lab->db_file[0] == '\0')
		err = db_default_path(lab->db_file, diag);
	if (err == ERR_OK && lab->db == NULL) {
		err = db_open(lab->db_file, mode, &lab->db, diag);
		lab->mode = mode;
		if (err == ERR_OK && db_backup(lab->db)[0] != '\0')
			snprintf(lab->backup, sizeof(lab->backup), "%.4095s", db_backup(lab->db));
	}
	*out = lab->db;
	return err;
}

/* Two stores to memory, nothing else: it may be called from a signal handler. */
void lab_interrupt(struct lab *lab)
{
	struct run *run = atomic_load(&lab->running);

	lab->interrupted = 1;
	if (run != NULL)
		run_interrupt(run);
}

const char *lab_backup(const struct lab *lab)
{
	return lab->backup;
}

/* Metrics and steps that reached the store stay; only the state and the error are set. */
enum err lab_failed(struct lab *lab, int64_t id, enum run_state state, const char *error,
		    struct diag *diag)
{
	const struct db_end end = { .state = state, .error = error };
	struct db *db;
	enum err err = lab_db(lab, DB_WRITE, &db, diag);

	if (err != ERR_OK)
		return err;
	return db_run_end(db, id, &end, diag);
}

/* Read afresh for each run, with everything it requires: nothing is kept from an earlier load. */
enum err lab_script(struct lab *lab, const struct lab_scenario *scenario, struct script **out,
		    struct diag *diag)
{
	const struct script_file file = {
		.text = scenario->text,
		.size = scenario->size,
		.name = scenario->file,
		.lib_dir = lab->lib_dir[0] != '\0' ? lab->lib_dir : NULL,
		.closed = scenario->closed,
		.library = scenario->library,
		.nr_libraries = scenario->nr_libraries,
	};
	const struct script_log log = { lab, lab_print_line };

	return script_load(&file, &lab->limits, &log, out, diag);
}

/* Set-up on one kernel, with nobody watching and nothing stored. */
static enum err dry_run(struct lab *lab, const struct lab_scenario *scenario, const struct era *era,
			struct diag *diag)
{
	struct script *script = NULL;
	struct run *run = NULL;
	enum err err = lab_script(lab, scenario, &script, diag);

	if (err == ERR_OK)
		err = script_open(script, era, &run, diag);
	script_free(script);
	run_close(run);
	return err;
}

/* Set-up may depend on the kernel, so it is tried on each that the scenario names. */
enum err lab_check(struct lab *lab, const char *scenario, struct diag *diag)
{
	struct lab_scenario found;
	struct script *script = NULL;
	struct era *era = NULL;
	size_t nr = 0;
	enum err err = lab_scenario_find(lab, scenario, &found, diag);

	if (err == ERR_OK)
		err = lab_script(lab, &found, &script, diag);
	if (err == ERR_OK)
		err = lab_kernels(NULL, script, &era, &nr, diag);
	for (size_t i = 0; i < nr && err == ERR_OK; i++)
		err = dry_run(lab, &found, &era[i], diag);
	free(era);
	script_free(script);
	free(found.text);
	return err;
}
