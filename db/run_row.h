/*
 * Reading rows of runs, for every question that is answered with them.
 */
#ifndef MEMCGLAB_DB_RUN_ROW_H
#define MEMCGLAB_DB_RUN_ROW_H

#include "store.h"

#define RUN_IS_BASELINE "EXISTS (SELECT 1 FROM baseline AS b WHERE b.run = r.id)"

#define RUN_SELECT(texts, figure)                                                         \
	"SELECT r.id, r.uuid, r.scenario, r.kernel, r.alias, r.seed, r.state, r.created," \
	" r.wall_ns, r.steps, r.version, r.host, r.tag, r.note, r.error, r.file, " texts  \
	", r.pair, " RUN_IS_BASELINE ", " figure " FROM run AS r "

/* What every question for runs selects, in the order in which run_row_read() reads it.  A text of
 * a scenario is kept once for all its runs, hence the join. */
#define RUN_COLUMNS RUN_SELECT("s.text, r.params, r.machine", "NULL") \
	"LEFT JOIN script AS s ON s.id = r.script "

/* The same for a list, which shows no text, parameters and machine. */
#define RUN_COLUMNS_BRIEF RUN_SELECT("NULL, NULL, NULL", "NULL")

/* And with the value of the metric ?1. */
#define RUN_COLUMNS_FIGURE                                         \
	RUN_SELECT("NULL, NULL, NULL",                             \
		   "(SELECT m.value FROM metric AS m WHERE m.run = r.id AND m.name = ?1)")

/* run_row_read - the row that @stmt stands on; its long texts are on the heap: db_run_free(). */
void run_row_read(sqlite3_stmt *stmt, struct db_run *run);

/* run_rows_give - each row of @stmt to @row, which may end it; finalizes it. */
enum err run_rows_give(sqlite3 *base, sqlite3_stmt *stmt,
		       enum err (*row)(void *ctx, const struct db_run *r), void *ctx,
		       struct diag *diag);

#endif
