/*
 * One random life under way: what is there by now, and what a step of a
 * given kind does with it.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_LIFE_H
#define MEMCGLAB_TESTS_SUPPORT_LIFE_H

#include "world.h"

enum {
	LIFE_CPUS = 2, LIFE_GROUPS_MAX = 10, LIFE_TASKS_MAX = 12, LIFE_MAPS_MAX = 40,
	LIFE_FILES = 4
};

struct life {
	struct run *run;
	const char *(*law)(const struct run *run);
	struct diag diag;
	FILE *script;
	uint32_t groups[LIFE_GROUPS_MAX], nr_groups;
	uint32_t tasks[LIFE_TASKS_MAX], nr_tasks;
	uint32_t files[LIFE_FILES];
	struct { uint32_t task, map; pages_t pages; } maps[LIFE_MAPS_MAX];
	uint32_t nr_maps;
	struct world_verdict verdict;
};

/* life_broken - a law does not hold; the first one is kept. */
void life_broken(struct life *life, const char *law, const char *detail);

/* life_begin - what there is before the first step, whatever steps are left out. */
void life_begin(struct life *life);

void life_act(struct life *life, const struct world_step *step);

/* life_kind - the kind of step that a number below life_weight() stands for. */
unsigned life_weight(void);
uint8_t life_kind(uint64_t number);

#endif
