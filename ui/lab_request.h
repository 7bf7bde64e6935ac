/*
 * What a run is asked for: a scenario, values of its parameters, kernels,
 * seeds, and who hears how it goes.
 */
#ifndef MEMCGLAB_UI_LAB_REQUEST_H
#define MEMCGLAB_UI_LAB_REQUEST_H

#include "db.h"
#include "script.h"

/* A shipped scenario, or one named by path. */
struct lab_scenario {
	char name[SCENARIO_NAME_MAX], title[128];
	char file[DB_PATH_MAX]; /* as messages name it */
	char *text;             /* owned: free() */
	size_t size;
	bool closed; /* from a store: it requires these libraries and no file */
	const struct script_library *library;
	size_t nr_libraries;
};

struct lab_param {
	const char *name, *value;
};

struct lab_request {
	const char *scenario;
	const char *kernels; /* "unbatched,batched"; NULL: the scenario's own */
	const struct lab_param *param;
	size_t nr_params;
	bool has_seed;
	uint64_t seed;
	uint32_t repeat; /* 0 and 1: once; seeds seed … seed + repeat - 1 */
	uint64_t first;	 /* the seeds begin so many later */
	const struct lab_scenario *loaded; /* its text; NULL: it is read */
	const int64_t *stored; /* of each kernel, a run that the store has: 0: none; or NULL */
	const char *tag, *note;
	bool unstored; /* whatever the lab does */
	void *ctx;
	void (*started)(void *ctx, int64_t run_id);               /* may be NULL */
	void (*progress)(void *ctx, uint64_t steps, ns_t sim_ns); /* now and then; may be NULL */
};

#endif
