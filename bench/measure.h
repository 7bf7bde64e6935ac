/*
 * What the programs of the bench share: ending on an error, an op done to its
 * end, and the time of day.
 */
#ifndef MEMCGLAB_BENCH_MEASURE_H
#define MEMCGLAB_BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "run.h"

/* Ends the program with @diag's words; a bench has nothing to save. */
static inline void give_up(const struct diag *diag)
{
	fprintf(stderr, "bench: %s\n", diag->text);
	exit(EXIT_FAILURE);
}

/* apply - execute @op to its end.  Returns: the id of what it made. */
static inline uint32_t apply(struct run *run, const struct op *op)
{
	struct op_result res = { 0 };
	struct diag diag = { 0 };

	if (run_apply(run, op, &res, &diag) != ERR_OK)
		give_up(&diag);
	return res.id;
}

static inline double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
