/*
 * What must hold in any machine between two steps.
 */
#ifndef MEMCGLAB_ENGINE_INVARIANT_H
#define MEMCGLAB_ENGINE_INVARIANT_H

#include "machine.h"

/**
 * invariant_check - walk the whole machine
 * I1 usage within limits, I2 usage = pages + stock + kernel memory, I3 each
 * page in one place of each kind of list, I4 queues short of full, I6 saved
 * scans below a cluster, I7 rotated within scanned.  Slow: for tests.
 * Returns: ERR_RANGE with the law (I1 to I7) that is broken and where.
 */
enum err invariant_check(const struct machine *m, struct diag *diag);

#endif
