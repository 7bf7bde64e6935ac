/*
 * What replacing a process by itself has cost in a run: counts of execs and
 * of look-ups of page_cgroups.
 */
#ifndef MEMCGLAB_ENGINE_API_EXEC_COUNTS_H
#define MEMCGLAB_ENGINE_API_EXEC_COUNTS_H

#include "units.h"

struct run;

struct run_exec {
	uint64_t nr_execs;
	uint64_t nr_lookups;	/* of page_cgroups in the radix tree; 0 with other layouts */
	uint64_t nr_hits;	/* of them in the look-aside */
	uint64_t nr_evictions;	/* of chunks from it */
	ns_t exec_ns;		/* all execs */
};

void run_exec(const struct run *run, struct run_exec *out);

#endif
