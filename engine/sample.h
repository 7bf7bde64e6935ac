/*
 * Reading a machine: a group's sample, its figures, its lists by position.
 */
#ifndef MEMCGLAB_ENGINE_SAMPLE_H
#define MEMCGLAB_ENGINE_SAMPLE_H

#include "machine.h"

/* sample_all - a sample of every group but the root to every sink that takes them. */
void sample_all(struct machine *m);

#endif
