/*
 * A task goes to another group.
 */
#ifndef MEMCGLAB_ENGINE_IMMIGRATE_H
#define MEMCGLAB_ENGINE_IMMIGRATE_H

#include "remove.h"

/**
 * immigrate_task - @task is charged to @memcg from now on
 * What it has brought in stays where it was charged, unless the new group
 * asks for it (move_charge): then memory that it maps, and pages of files
 * that it maps, are charged there too, and go to the head of its lists.
 * Its swap slots go along in any case.
 * Returns: false if the new group has no room for them: nothing happens.
 * After: mem_cgroup_move_charge(), mm/memcontrol.c, v3.1.
 */
bool immigrate_task(struct machine *m, uint32_t task, uint32_t memcg);

#endif
