/*
 * What must hold in any machine between two steps.
 */
#ifndef MEMCGLAB_ENGINE_INVARIANT_H
#define MEMCGLAB_ENGINE_INVARIANT_H

#include "machine.h"

/**
 * invariant_check - walk the whole machine
 * Returns: ERR_RANGE with the law (I1 to I7) that is broken and where.
 */
enum err invariant_check(const struct machine *m, struct diag *diag);

#endif
