/*
 * What a run starts from: the machine, the kernel and the seed.  Groups,
 * tasks and files are made by ops.
 */
#ifndef MEMCGLAB_ENGINE_API_SCENARIO_H
#define MEMCGLAB_ENGINE_API_SCENARIO_H

#include "era.h"
#include "pcg.h"
#include "workload.h"

enum {
	SCENARIO_NAME_MAX = 64,
	CPUS_MAX = 512,
	NODES_MAX = 4
};

/* Seed, kernel and machine; with the ops they reproduce a run bit by bit. */
struct scenario {
	char name[SCENARIO_NAME_MAX];
	struct era era;			/* knobs of the run are era.knobs */
	uint64_t seed;			/* of both streams: the machine's and the script's */
	uint32_t cpus;			/* 1 to CPUS_MAX; with one nothing waits to be activated */
	bool locks;			/* counters have locks, for which CPUs wait */
	uint32_t nodes;			/* NUMA: equal shares of RAM by address, and of CPUs */
	bool zones;			/* DMA, DMA32 and Normal by address; else one zone */
	bool huge_pages;		/* transparent huge pages raise the watermarks */
	pages_t swap_pages;		/* of a device that knob swap_ns times */
	struct pcg_machine memory;	/* memory map, for ram size and page_cgroup */
};

/* scenario_defaults - 4 GiB in 30 sections, 2 CPUs, seed 1, no era. */
void scenario_defaults(struct scenario *sc);

/* scenario_validate - Returns: ERR_RANGE or ERR_USAGE, naming the member and what is accepted. */
enum err scenario_validate(const struct scenario *sc, struct diag *diag);

#endif
