/*
 * Reading rows of runs, for every question that is answered with them.
 */
#ifndef MEMCGLAB_DB_RUN_ROW_H
#define MEMCGLAB_DB_RUN_ROW_H

#include "store.h"

#define RUN_IS_BASELINE "EXISTS (SELECT 1 FROM baseline AS b WHERE b.run = r.id)"

/* What every question for runs selects, in the order in which run_row_read() reads it.  A text of
 * a scenario is kept once for all its runs, hence the join. */
#define RUN_COLUMNS                                                                       \
	"SELECT r.id, r.uuid, r.scenario, r.kernel, r.alias, r.seed, r.state, r.created," \
	" r.wall_ns, r.steps, r.version, r.host, r.tag, r.note, r.error, r.file, s.text," \
	" r.params, r.machine, r.pair, " RUN_IS_BASELINE                                 \
	" FROM run AS r LEFT JOIN script AS s ON s.id = r.script "

/* The same for a list, which shows no text, parameters and machine: NULL. */
#define RUN_COLUMNS_BRIEF                                                                 \
	"SELECT r.id, r.uuid, r.scenario, r.kernel, r.alias, r.seed, r.state, r.created," \
	" r.wall_ns, r.steps, r.version, r.host, r.tag, r.note, r.error, r.file, NULL,"   \
	" NULL, NULL, r.pair, " RUN_IS_BASELINE " FROM run AS r "

/* run_row_read - the row that @stmt stands on; its long texts are on the heap: db_run_free(). */
void run_row_read(sqlite3_stmt *stmt, struct db_run *run);

/* run_rows_give - each row of @stmt to @row, which may end it; finalizes it. */
enum err run_rows_give(sqlite3 *base, sqlite3_stmt *stmt,
		       enum err (*row)(void *ctx, const struct db_run *r), void *ctx,
		       struct diag *diag);

#endif
