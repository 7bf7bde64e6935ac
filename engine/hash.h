/*
 * The identity of a machine's state.
 */
#ifndef MEMCGLAB_ENGINE_HASH_H
#define MEMCGLAB_ENGINE_HASH_H

#include "machine.h"

/**
 * hash_machine - XXH3-128 over the state
 * Equal seeds, kernels, machines and ops give equal digits: a replay is
 * checked by comparing them.
 * Covers counters, statistics, saved scans, cursors, clocks, the generator,
 * every page with its flags in list order, and the queues.  Where a list
 * keeps its entries does not count.
 */
void hash_machine(const struct machine *m, char out[RUN_HASH_MAX]);

#endif
