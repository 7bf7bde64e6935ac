/*
 * Stored runs as lists and texts: runs, show, sql.
 *
 * JSON of a run is made by the code that writes a fresh one, so a run reads
 * the same the day it is made and a year later.
 */
#include <stdlib.h>
#include <string.h>

#include "choose.h"
#include "command.h"
#include "output.h"
#include "query.h"
#include "result.h"

/* ---- runs ---- */

struct list {
	struct db *db;
	struct output *out; /* rows, or ... */
	json_t *array;      /* ... elements, or ... */
	FILE *lines;        /* ... one element a line */
	struct diag *diag;
};

enum { RUNS_COLUMNS = 9 };

/* What fits a line; show has the rest. */
static enum err runs_row(struct list *list, const struct db_run *run)
{
	char id[32], seed[32], wall[UNITS_TEXT_MAX], steps[32];
	const char *values[RUNS_COLUMNS] = {
		id,    run->scenario, run->kernel,  seed,    run_state_name(run->state),
		steps, wall,          run->created, run->tag
	};
	static const int types[RUNS_COLUMNS] = { OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_TEXT,
						 OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_INTEGER,
						 OUTPUT_TEXT,    OUTPUT_TEXT, OUTPUT_TEXT };

	snprintf(id, sizeof(id), "%lld", (long long)run->id);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)run->seed);
	snprintf(steps, sizeof(steps), "%llu", (unsigned long long)run->steps);
	units_format_time(run->wall_ns, wall);
	return output_row(list->out, RUNS_COLUMNS, values, types, list->diag);
}

/* Rows need no metrics and cost one query for the whole list; JSON needs those of each run. */
static enum err runs_any(void *ctx, const struct db_run *run)
{
	struct list *list = ctx;
	struct lab_outcome outcome;
	json_t *element;
	enum err err;

	if (list->out != NULL)
		return runs_row(list, run);
	err = result_load(list->db, run, false, &outcome, list->diag);
	element = err == ERR_OK ? result_json(&outcome, false) : NULL;
	free(outcome.metric); /* the row itself stays its reader's */
	if (err != ERR_OK)
		return err;
	if (list->lines != NULL)
		return result_dump(element, list->lines, list->diag);
	json_array_append_new(list->array, element);
	return ERR_OK;
}

/* The runs that the options choose, each given to runs_any(). */
static enum err runs_each(struct command *cmd, struct list *list, struct diag *diag)
{
	const struct db_choice choice = { .where = cmd->args->where,
					  .sort = cmd->args->sort,
					  .limit = cmd->args->limit,
					  .brief = list->out != NULL };

	return db_runs_chosen(list->db, &choice, runs_any, list, diag);
}

/* Newest first, as they come from the store. */
static enum err runs_rows(struct command *cmd, struct list *list, struct diag *diag)
{
	static const char *const names[RUNS_COLUMNS] = { "id",   "scenario", "kernel",
							 "seed", "state",    "steps",
							 "wall", "created",  "tag" };
	enum err err = output_new(&cmd->style, cmd->out, &list->out, diag);

	if (err == ERR_OK)
		err = output_head(list->out, RUNS_COLUMNS, names, diag);
	if (err == ERR_OK)
		err = runs_each(cmd, list, diag);
	if (err == ERR_OK)
		err = output_end(list->out, diag);
	output_free(list->out);
	return err;
}

/* An object with an array, like run's, but without expectations. */
static enum err runs_json(struct command *cmd, struct list *list, struct diag *diag)
{
	json_t *root = json_object();
	enum err err;

	list->array = json_array();
	json_object_set_new(root, "runs", list->array);
	err = runs_each(cmd, list, diag);
	if (err == ERR_OK)
		return result_dump(root, cmd->out, diag);
	json_decref(root);
	return err;
}

/* An empty store gives an empty list, not an error: there is nothing wrong with it. */
enum err command_runs(struct command *cmd, struct diag *diag)
{
	struct list list = { .diag = diag };
	enum err err = lab_db(cmd->lab, DB_READ, &list.db, diag);

	if (err != ERR_OK)
		return err;
	if (strcmp(cmd->args->format, "json") == 0)
		return runs_json(cmd, &list, diag);
	if (strcmp(cmd->args->format, "jsonl") != 0)
		return runs_rows(cmd, &list, diag);
	list.lines = cmd->out;
	return runs_each(cmd, &list, diag);
}

/* ---- show ---- */

enum { LOCK_COLUMNS = 7 };

/* Who took pages from whom, below everything else; nothing if no page was taken. */
static enum err show_taken(struct command *cmd, const struct lab_outcome *outcome,
			   struct diag *diag)
{
	static const char *const names[] = { "took", "from", "pages" };
	static const int types[] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_INTEGER };
	struct output *table;
	enum err err;

	if (outcome->nr_taken == 0)
		return ERR_OK;
	fputs("\nwho took pages from whom\n", cmd->out);
	err = output_table(&cmd->style, cmd->out, &table, diag);
	if (err == ERR_OK)
		err = output_head(table, 3, names, diag);
	for (size_t i = 0; i < outcome->nr_taken && err == ERR_OK; i++) {
		char nr[UNITS_TEXT_MAX];
		const char *values[] = { outcome->taken[i].by, outcome->taken[i].owner,
					 units_format_count((int64_t)outcome->taken[i].nr, nr) };

		err = output_row(table, 3, values, types, diag);
	}
	if (err == ERR_OK)
		err = output_end(table, diag);
	output_free(table);
	return err;
}

/* Who fought for which lock, or for which line where counters are atomic; nothing in a run that
 * models neither. */
static enum err show_locks(struct command *cmd, const struct lab_outcome *outcome,
			   struct diag *diag)
{
	static const char *const names[] = { "class", "contentions", "con-bounces", "wait us",
					     "acquisitions", "acq-bounces", "hold us" };
	static const int types[] = { OUTPUT_TEXT, OUTPUT_REAL, OUTPUT_REAL, OUTPUT_REAL,
				     OUTPUT_REAL, OUTPUT_REAL, OUTPUT_REAL };
	struct output *table;
	enum err err;

	if (outcome->nr_locks == 0)
		return ERR_OK;
	fputs("\nlocks\n", cmd->out);
	err = output_table(&cmd->style, cmd->out, &table, diag);
	if (err == ERR_OK)
		err = output_head(table, LOCK_COLUMNS, names, diag);
	for (size_t i = 0; i < outcome->nr_locks && err == ERR_OK; i++) {
		const struct run_lock *lock = &outcome->lock[i];
		const uint64_t figures[] = { lock->sum.wait.nr,     lock->sum.con_bounces,
					     lock->sum.wait.total,  lock->sum.hold.nr,
					     lock->sum.acq_bounces, lock->sum.hold.total };
		char cell[LOCK_COLUMNS][UNITS_TEXT_MAX];
		const char *values[LOCK_COLUMNS] = { lock->name };

		for (int k = 1; k < LOCK_COLUMNS; k++) {
			bool time = k % 3 == 0; /* the last of waits, and of acquisitions */

			values[k] = units_format_count(
				(int64_t)(time ? figures[k - 1] / 1000 : figures[k - 1]), cell[k]);
		}
		err = output_row(table, LOCK_COLUMNS, values, types, diag);
	}
	if (err == ERR_OK)
		err = output_end(table, diag);
	output_free(table);
	return err;
}

/* The head says where the run comes from; then it looks like the day it was made. */
static enum err show_text(struct command *cmd, const struct lab_outcome *outcome, struct diag *diag)
{
	const struct db_run *run = &outcome->run;
	enum err err;

	fprintf(cmd->out, "run %lld  %s  made %s by version %s\nuuid %s  %s\n", (long long)run->id,
		run_state_name(run->state), run->created, run->version, run->uuid,
		run->file != NULL ? run->file : "");
	if (run->tag[0] != '\0' || run->note != NULL)
		fprintf(cmd->out, "tag %s  note %s\n", run->tag[0] != '\0' ? run->tag : "-",
			run->note != NULL ? run->note : "-");
	err = result_text(outcome, 1, &cmd->style, cmd->out, diag);
	if (err == ERR_OK)
		err = show_taken(cmd, outcome, diag);
	if (err == ERR_OK)
		err = show_locks(cmd, outcome, diag);
	if (err == ERR_OK && outcome->printed_size > 0)
		fprintf(cmd->out, "\nprinted\n%s", outcome->printed);
	return err == ERR_OK ? output_check(cmd->out, diag) : err;
}

/* One element of what run -F json printed. */
static enum err show_json(struct command *cmd, const struct lab_outcome *outcome, struct diag *diag)
{
	return result_dump(result_json(outcome, true), cmd->out, diag);
}

/* A format that is made of more than rows. */
struct writer {
	const char *format;
	enum err (*write)(struct command *cmd, const struct lab_outcome *outcome,
			  struct diag *diag);
};

static const struct writer writers[] = {
	{ "json", show_json },
	{ "jsonl", show_json },
	{ "table", show_text },
};

/* The same formats as run, by the same code. */
static enum err show_any(struct command *cmd, const struct lab_outcome *outcome, struct diag *diag)
{
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (strcmp(writers[i].format, cmd->args->format) == 0)
			return writers[i].write(cmd, outcome, diag);
	return result_rows(outcome, 1, &cmd->style, cmd->out, diag);
}

/* A failed run is shown too: its error is what one looks for. */
enum err command_show(struct command *cmd, struct diag *diag)
{
	struct lab_outcome *outcome;
	enum err err = result_find(cmd->lab, cmd->args->arg[0], true, &outcome, diag);

	if (err != ERR_OK)
		return err;
	err = show_any(cmd, outcome, diag);
	lab_outcomes_free(outcome, 1);
	return err;
}

/* ---- sql ---- */

struct query {
	struct output *out;
	struct diag *diag;
};

/* Column names as SQLite gives them, "count(*)" included. */
static enum err query_head(void *ctx, int n, const char *const *names)
{
	struct query *query = ctx;

	return output_head(query->out, n, names, query->diag);
}

/* Values and types pass through untouched: the numbers of the types are SQLite's. */
static enum err query_row(void *ctx, int n, const char *const *values, const int *types)
{
	struct query *query = ctx;

	return output_row(query->out, n, values, types, query->diag);
}

/* The statement runs on a handle that cannot write, whatever it says. */
enum err command_sql(struct command *cmd, struct diag *diag)
{
	struct query query = { .diag = diag };
	const struct db_query_sink sink = { &query, query_head, query_row };
	struct db *db;
	enum err err = lab_db(cmd->lab, DB_READ, &db, diag);

	if (err == ERR_OK)
		err = output_new(&cmd->style, cmd->out, &query.out, diag);
	if (err == ERR_OK)
		err = db_query(db, cmd->args->arg[0], &sink, diag);
	if (err == ERR_OK)
		err = output_end(query.out, diag);
	output_free(query.out);
	return err;
}
