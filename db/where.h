/*
 * Conditions on stored runs as users write them, behind runs --where and
 * behind / in the Runs view, compiled to SQL with bound values:
 *
 *   over_scan < 2 and kernel = "batched"
 *   scenario:cat kernel:batched tag:base metric.over_scan<2
 *
 * A run that has no such value is neither below nor above anything: no
 * comparison holds for it.
 */
#ifndef MEMCGLAB_DB_WHERE_H
#define MEMCGLAB_DB_WHERE_H

#include <stdbool.h>
#include <stdint.h>

#include <sqlite3.h>

#include "diag.h"

enum { WHERE_VALUES_MAX = 200, WHERE_EXPR_MAX = 1000 };

struct where_value {
	char kind; /* t text, d real, i integer */
	char *text;
	double real;
	int64_t integer;
};

/* A condition on a row of run AS r.  Zeroed: none. */
struct where {
	char *sql; /* sqlite3_free() */
	struct where_value value[WHERE_VALUES_MAX]; /* of ?1, ?2 … */
	int nr_values;
};

/**
 * where_compile - what @expr says, as SQL
 * @base: a connection to the store, for the names of its metrics
 * @out:  freed by where_free, also after an error
 *
 * Terms side by side must all hold, as with and; or is weaker; parentheses group.  NAME is a
 * column of v_runs or a metric; metric.NAME and param.NAME say which.  The beginning of a name is
 * enough if no other begins so.  = != < <= > >= compare; : and ~ ask for a part of a text whatever
 * its case, like for a pattern with % and _.  A kernel may be called by its alias.  A word alone
 * is looked for in scenario, kernel, state, tag and note.  Numbers may have units: 100M, 3ms.
 *
 * Returns: ERR_NAME for a name that is neither column nor metric (near ones are listed),
 * ERR_USAGE for what is no condition; both with @expr and a caret below the place.
 */
enum err where_compile(sqlite3 *base, const char *expr, struct where *out, struct diag *diag);

/**
 * where_order - one name of a column or metric to sort by, as the SQL of an ORDER BY
 * @name: "over_scan", "-created" for the other way; runs without a value come last
 * @out:  as above, to which a condition may have been compiled already
 * Returns: ERR_NAME.
 */
enum err where_order(sqlite3 *base, const char *name, struct where *out, char **sql,
		     struct diag *diag);

/* where_add - one more value, a text.  Returns: its number in the SQL, 0 if there is no room. */
int where_add(struct where *where, const char *text);

void where_bind(const struct where *where, sqlite3_stmt *stmt);
void where_free(struct where *where);

/**
 * where_pending - is the last word of @expr the beginning of a name whose comparison is still to
 * be typed?  As a word of its own it would hide every row for the time of a few keys.
 */
bool where_pending(sqlite3 *base, const char *expr);

#endif
