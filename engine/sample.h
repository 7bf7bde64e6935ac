/*
 * Reading a machine: a group's sample, its figures, its lists by position.
 */
#ifndef MEMCGLAB_ENGINE_SAMPLE_H
#define MEMCGLAB_ENGINE_SAMPLE_H

#include "machine.h"

/* sample_all - a sample of every online group but the root to every sink that takes them.
 * A sink that fails is remembered in m->diag; later ones are not called. */
void sample_all(struct machine *m);

#endif
