/*
 * What must hold of charges and of the locks that they take.
 */
#ifndef MEMCGLAB_ENGINE_INVARIANT_CHARGES_H
#define MEMCGLAB_ENGINE_INVARIANT_CHARGES_H

#include "machine.h"

/* invariant_charges - Returns: ERR_RANGE and the broken law in @diag. */
enum err invariant_charges(const struct machine *m, struct diag *diag);

#endif
