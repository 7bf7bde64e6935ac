/*
 * memory.stat of a group, in the names and the order of the run's kernel.
 */
#ifndef MEMCGLAB_ENGINE_API_MEMORY_STAT_H
#define MEMCGLAB_ENGINE_API_MEMORY_STAT_H

#include <stdbool.h>

#include "era.h"
#include "units.h"

struct run;

enum { MEMORY_STAT_NAME_MAX = 48 };

/* A line.  Memory is in bytes, events are counts. */
struct memory_stat {
	char name[MEMORY_STAT_NAME_MAX];
	bool modelled;		/* false: the kernel has it, the model has no such term */
	const char *why;	/* it has none; NULL if it is modelled */
	uint64_t value;
};

/**
 * memory_stat_line - line @i of the file of group @memcg (css id) as it is now
 * The group must exist.  With cgroup v2 a figure is of the whole subtree;
 * with v1 of the group alone, and of the subtree in lines "total_…".
 * Returns: false past the last.
 */
bool memory_stat_line(const struct run *run, uint32_t memcg, uint32_t i, struct memory_stat *out);

/* memory_stat_name - the name of line @i in a kernel, and whether it is modelled; no value. */
bool memory_stat_name(const struct era *era, uint32_t i, struct memory_stat *out);

#endif
