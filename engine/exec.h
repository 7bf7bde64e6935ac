/*
 * A process that replaces itself by the same program: what one exec maps,
 * which page_cgroups it looks up, and what all of it costs.
 */
#ifndef MEMCGLAB_ENGINE_EXEC_H
#define MEMCGLAB_ENGINE_EXEC_H

#include "access.h"

enum { EXEC_PAGES_MAX = 1 << 16 };	/* of each kind */

/* exec_check - @op->offset anonymous and @op->length file pages, @op->count times: ERR_RANGE. */
enum err exec_check(const struct machine *m, const struct op *op, struct diag *diag);

/* exec_step - one exec; OP_MORE while some are left. */
void exec_step(struct machine *m, struct op_progress *progress, struct op_result *res);

#endif
