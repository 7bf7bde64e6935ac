/*
 * What a scenario may name: an allow list of Lua's own functions, some of
 * them replaced, and the vocabulary that others add.  Any other global is
 * an error that names it, for reading and for setting.
 */
#ifndef MEMCGLAB_SCRIPTS_SANDBOX_H
#define MEMCGLAB_SCRIPTS_SANDBOX_H

#include "host.h"

/* sandbox_init - make the environment of all chunks.  Raises; use under host_guard. */
void sandbox_init(struct host *host);

/* sandbox_add - a global named @name with the value on top of the stack, which is popped. */
void sandbox_add(struct host *host, const char *name);

#endif
