/*
 * Runs that go: delete those that are named, prune those that nobody marked.
 * What goes is listed first; then it is asked for.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "confirm.h"
#include "output.h"
#include "discard.h"

enum { COLUMNS = 6 };

/* What will go: its ids, and its rows as they are listed. */
struct going {
	struct command *cmd;
	struct output *out;
	int64_t *id;
	size_t n, max;
	struct diag *diag;
};

static enum err add_id(struct going *going, int64_t id)
{
	if (going->n == going->max) {
		size_t max = going->max ? going->max * 2 : 64;
		int64_t *more = realloc(going->id, max * sizeof(*more));

		if (more == NULL)
			return diag_fail(going->diag, ERR_NOMEM, "no memory for a list of runs");
		going->id = more;
		going->max = max;
	}
	going->id[going->n++] = id;
	return ERR_OK;
}

/* A run named twice goes once. */
static enum err going_row(void *ctx, const struct db_run *run)
{
	static const int types[COLUMNS] = { OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_TEXT,
					    OUTPUT_TEXT,    OUTPUT_TEXT, OUTPUT_TEXT };
	struct going *going = ctx;
	char id[32];
	const char *values[COLUMNS] = { id,           run->scenario,
					run->kernel,  run_state_name(run->state),
					run->created, run->baseline ? "baseline" : run->tag };
	enum err err;

	for (size_t i = 0; i < going->n && going->n <= ARGS_MAX; i++)
		if (going->id[i] == run->id)
			return ERR_OK;
	if (run->state == RUN_RUNNING)
		return diag_fail(going->diag, ERR_USAGE,
				 "run %" PRId64 " is running: nothing is deleted", run->id);
	snprintf(id, sizeof(id), "%" PRId64, run->id);
	err = add_id(going, run->id);
	return err == ERR_OK ? output_row(going->out, COLUMNS, values, types, going->diag) : err;
}

static enum err list_begin(struct going *going)
{
	static const char *const names[COLUMNS] = { "id",    "scenario", "kernel",
						    "state", "created",  "mark" };
	enum err err = output_new(&going->cmd->style, going->cmd->out, &going->out, going->diag);

	return err == ERR_OK ? output_head(going->out, COLUMNS, names, going->diag) : err;
}

static void list_free(struct going *going)
{
	output_free(going->out);
	free(going->id);
}

/* One after the other: what was deleted before a failure stays deleted, and is counted. */
static enum err remove_all(struct going *going, struct db *db)
{
	size_t n = 0;
	enum err err = ERR_OK;

	while (n < going->n && err == ERR_OK) {
		err = db_run_remove(db, going->id[n], going->diag);
		n += err == ERR_OK;
	}
	if (err == ERR_OK)
		err = db_texts_remove(db, going->diag);
	if (going->cmd->notes != NULL)
		fprintf(going->cmd->notes, "%zu run%s deleted\n", n, n == 1 ? "" : "s");
	return err;
}

static enum err ask_and_remove(struct going *going, struct db *db)
{
	char question[64];
	bool yes;
	enum err err;

	snprintf(question, sizeof(question), "delete %zu run%s", going->n,
		 going->n == 1 ? "" : "s");
	err = confirm(going->cmd, question, &yes, going->diag);
	return err == ERR_OK && yes ? remove_all(going, db) : err;
}

/* All that are named must be there before any goes. */
enum err command_delete(struct command *cmd, struct diag *diag)
{
	struct going going = { .cmd = cmd, .diag = diag };
	struct db *db;
	enum err err = lab_db(cmd->lab, DB_WRITE, &db, diag);

	if (err == ERR_OK)
		err = list_begin(&going);
	for (size_t i = 0; i < cmd->args->nr_args && err == ERR_OK; i++) {
		struct db_run run;

		err = db_run_find(db, cmd->args->arg[i], &run, diag);
		if (err == ERR_OK)
			err = going_row(&going, &run);
		db_run_free(&run);
	}
	if (err == ERR_OK)
		err = output_end(going.out, diag);
	if (err == ERR_OK)
		err = ask_and_remove(&going, db);
	list_free(&going);
	return err;
}

enum err command_prune(struct command *cmd, struct diag *diag)
{
	bool dry = cmd->args->dry_run;
	struct going going = { .cmd = cmd, .diag = diag };
	struct db *db;
	enum err err;

	if (!args_given(cmd->args, OPT_KEEP))
		return diag_fail(diag, ERR_USAGE,
				 "prune: --keep N says how many of the newest stay");
	err = lab_db(cmd->lab, dry ? DB_READ : DB_WRITE, &db, diag);
	if (err == ERR_OK)
		err = list_begin(&going);
	if (err == ERR_OK)
		err = db_runs_prunable(db, cmd->args->keep, going_row, &going, diag);
	if (err == ERR_OK)
		err = output_end(going.out, diag);
	if (err == ERR_OK && dry && cmd->notes != NULL)
		fprintf(cmd->notes, "%zu run%s would go\n", going.n, going.n == 1 ? "" : "s");
	if (err == ERR_OK && !dry && going.n > 0)
		err = ask_and_remove(&going, db);
	list_free(&going);
	return err;
}
