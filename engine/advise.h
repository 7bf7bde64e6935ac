/*
 * Opening files, and advice about files and memory.
 */
#ifndef MEMCGLAB_ENGINE_ADVISE_H
#define MEMCGLAB_ENGINE_ADVISE_H

#include "access.h"

/**
 * advise_open, advise_file, advise_memory - what OP_OPEN, OP_FADVISE, OP_MADVISE do
 * Advice that frees or moves pages acts on whole pages of the span, empties
 * the CPU's queues first, and takes one step however long the span is.
 * res->done_pages: pages that were freed.
 * After: generic_fadvise(), mm/fadvise.c, madvise(2), mm/madvise.c, v6.18.
 */
void advise_open(struct machine *m, struct op_progress *progress, struct op_result *res);
void advise_file(struct machine *m, struct op_progress *progress, struct op_result *res);
void advise_memory(struct machine *m, struct op_progress *progress, struct op_result *res);

/* advise_check_file, advise_check_memory - ERR_RANGE, or ERR_SCENARIO for advice that the kernel
 * does not know or the mapping cannot take. */
enum err advise_check_file(const struct machine *m, const struct op *op, struct diag *diag);
enum err advise_check_memory(const struct machine *m, const struct op *op, struct diag *diag);

#endif
