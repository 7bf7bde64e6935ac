/*
 * A request as a piece of work in a process of its own: what that process
 * does and tells, and how it is read.
 */
#ifndef MEMCGLAB_UI_POINT_H
#define MEMCGLAB_UI_POINT_H

#include "lab.h"
#include "pool.h"

/* point_work - in the process: do what is @given, and tell of each run that is done. */
void point_work(struct lab *lab, const struct lab_request *given, const struct child *child,
		struct diag *diag);

/* A run that is done. */
struct point_run {
	int64_t run; /* id, 0 if it is not stored */
	size_t side; /* among the kernels of the request */
	uint64_t seed;
	size_t nr_expects, nr_expects_failed;
	size_t nr_metrics;
	const struct db_metric *metric; /* as long as the callback */
};

/* point_read - the runs that a process told of, also if it died later. */
void point_read(const struct pool_result *result,
		void (*take)(void *ctx, const struct point_run *run), void *ctx);

/* point_bury - the row of the run in which a process died must not say "running". */
void point_bury(struct lab *lab, const struct pool_result *result);

/* point_hopeless - would any other piece fail in the same way? */
bool point_hopeless(enum err err);

#endif
