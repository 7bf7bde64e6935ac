/*
 * The part of a state's hash that is of locks.
 */
#ifndef MEMCGLAB_ENGINE_HASH_LOCKS_H
#define MEMCGLAB_ENGINE_HASH_LOCKS_H

#include "hasher.h"
#include "machine.h"

/* hash_locks - a machine without locks puts nothing. */
void hash_locks(struct hasher *h, const struct machine *m);

#endif
