/*
 * One row of runs as a struct: which columns, in which order, and whose
 * memory its texts are.
 */
#include "run_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum run_column {
	COL_ID,
	COL_UUID,
	COL_SCENARIO,
	COL_KERNEL,
	COL_ALIAS,
	COL_SEED,
	COL_STATE,
	COL_CREATED,
	COL_WALL_NS,
	COL_STEPS,
	COL_VERSION,
	COL_HOST,
	COL_TAG,
	COL_NOTE,
	COL_ERROR,
	COL_FILE,
	COL_TEXT,
	COL_PARAMS,
	COL_MACHINE,
	COL_PAIR,
	COL_BASELINE,
	COL_FIGURE
};

/* A copy on the heap; NULL for SQL NULL, so that "no note" and "an empty note" stay apart. */
static char *heap_text(sqlite3_stmt *stmt, int col)
{
	const unsigned char *text = sqlite3_column_text(stmt, col);
	size_t size = (size_t)sqlite3_column_bytes(stmt, col) + 1;
	char *copy = text ? malloc(size) : NULL;

	return copy ? memcpy(copy, text, size) : NULL;
}

/* The state of a name.  A name that this program does not know can only come from a broken row:
 * it reads as abandoned, the last state, which promises nothing. */
static enum run_state find_state(const char *name)
{
	int state = 0;

	while (state < NR_RUN_STATES - 1 && strcmp(run_state_name((enum run_state)state), name))
		state++;
	return (enum run_state)state;
}

/* The row that the statement stands on.  Its long texts are on the heap: db_run_free(). */
void run_row_read(sqlite3_stmt *stmt, struct db_run *run)
{
	char state[DB_WORD_MAX];

	memset(run, 0, sizeof(*run));
	run->id = sqlite3_column_int64(stmt, COL_ID);
	store_text(stmt, COL_UUID, run->uuid, sizeof(run->uuid));
	store_text(stmt, COL_SCENARIO, run->scenario, sizeof(run->scenario));
	store_text(stmt, COL_KERNEL, run->kernel, sizeof(run->kernel));
	store_text(stmt, COL_ALIAS, run->alias, sizeof(run->alias));
	run->seed = (uint64_t)sqlite3_column_int64(stmt, COL_SEED);
	store_text(stmt, COL_STATE, state, sizeof(state));
	run->state = find_state(state);
	store_text(stmt, COL_CREATED, run->created, sizeof(run->created));
	run->wall_ns = (uint64_t)sqlite3_column_int64(stmt, COL_WALL_NS);
	run->steps = (uint64_t)sqlite3_column_int64(stmt, COL_STEPS);
	store_text(stmt, COL_VERSION, run->version, sizeof(run->version));
	store_text(stmt, COL_HOST, run->host, sizeof(run->host));
	store_text(stmt, COL_TAG, run->tag, sizeof(run->tag));
	run->note = heap_text(stmt, COL_NOTE);
	run->error = heap_text(stmt, COL_ERROR);
	run->file = heap_text(stmt, COL_FILE);
	run->text = heap_text(stmt, COL_TEXT);
	run->params = heap_text(stmt, COL_PARAMS);
	run->machine = heap_text(stmt, COL_MACHINE);
	run->pair = sqlite3_column_int64(stmt, COL_PAIR);
	run->baseline = sqlite3_column_int(stmt, COL_BASELINE) != 0;
	run->figure = sqlite3_column_type(stmt, COL_FIGURE) == SQLITE_NULL
			      ? (double)NAN
			      : sqlite3_column_double(stmt, COL_FIGURE);
}

void db_run_free(struct db_run *run)
{
	if (!run)
		return;
	free(run->note);
	free(run->error);
	free(run->file);
	free(run->text);
	free(run->params);
	free(run->machine);
	run->note = run->error = run->file = run->text = run->params = run->machine = NULL;
}

enum err run_rows_give(sqlite3 *base, sqlite3_stmt *stmt,
		       enum err (*row)(void *ctx, const struct db_run *r), void *ctx,
		       struct diag *diag)
{
	struct db_run run;
	enum err err = ERR_OK;
	int step = SQLITE_DONE;

	while (!err && (step = sqlite3_step(stmt)) == SQLITE_ROW) {
		run_row_read(stmt, &run);
		err = row(ctx, &run);
		db_run_free(&run);
	}
	if (!err && step != SQLITE_DONE)
		err = store_fail(base, diag, "");
	sqlite3_finalize(stmt);
	return err;
}
