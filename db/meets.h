/*
 * Does a run meet a condition, whether it is stored or not?  The conditions
 * are those of runs --where (where.h), read by the same code.
 */
#ifndef MEMCGLAB_DB_MEETS_H
#define MEMCGLAB_DB_MEETS_H

#include "db.h"

struct db_meets;

/* What is known of a run: of @row scenario, kernel, alias, seed, version, tag; and its metrics. */
struct db_facts {
	const struct db_run *row;
	const struct db_metric *metric;
	size_t nr;
};

/**
 * db_meets_open - read a condition
 * @facts: of any run like those that will be asked about, for the names of its metrics
 * Returns: as where_compile, and ERR_USAGE for none; *out is NULL then.
 */
enum err db_meets_open(const char *expr, const struct db_facts *facts, struct db_meets **out,
		       struct diag *diag);
void db_meets_close(struct db_meets *meets);

/* db_meets - *yes: a run meets it.  A figure that it lacks is neither below nor above anything. */
enum err db_meets(struct db_meets *meets, const struct db_facts *facts, bool *yes,
		  struct diag *diag);

#endif
