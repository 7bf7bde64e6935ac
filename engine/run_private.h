/*
 * The machine of a run, for the engine's own files and for unit tests that
 * look inside.
 */
#ifndef MEMCGLAB_ENGINE_RUN_PRIVATE_H
#define MEMCGLAB_ENGINE_RUN_PRIVATE_H

#include "machine.h"

/* The machine lives as long as its run; what is not an op must leave it as it is. */
struct machine *run_machine(struct run *run);
const struct machine *run_machine_const(const struct run *run);

#endif
