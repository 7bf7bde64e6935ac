/*
 * The pages of an op, chunk by chunk: which they are, in what order, and
 * what became of the op.
 */
#ifndef MEMCGLAB_ENGINE_ACCESS_H
#define MEMCGLAB_ENGINE_ACCESS_H

#include "fault.h"
#include "mapped.h"

/*
 * An op under way.  It belongs to its actor and lives between steps, so an
 * op in chunks can be interleaved with the ops of other actors.
 */
struct op_progress {
	struct op op;
	uint64_t done;		/* [bytes] of a sequential op, [pages] drawn of a random one */
	uint64_t done_pages;	/* accessed */
};

/**
 * access_write, access_read, access_touch - one step of an op of that kind
 * @progress: .op as checked by op_check; .done and .done_pages grow
 * @res:      .outcome is OP_DONE on entry; receives OP_MORE while chunks
 *            remain, or what ended the op; .done_pages counts all steps
 *
 * A chunk of 0 bytes is the whole op.  A random op's chunk is rounded up to
 * pages, one draw each.  memory.high is settled after every page: on return
 * to user mode for a touch, within the call for read and write.
 */
void access_write(struct machine *m, struct op_progress *progress, struct op_result *res);
void access_read(struct machine *m, struct op_progress *progress, struct op_result *res);
void access_touch(struct machine *m, struct op_progress *progress, struct op_result *res);

/* access_check_span - whether an op's span lies within its file or mapping and can be drawn from.
 * access_check_touch - that, and that its task has the mapping. */
enum err access_check_span(const struct machine *m, const struct op *op, struct diag *diag);
enum err access_check_touch(const struct machine *m, const struct op *op, struct diag *diag);

/* access_outcome - of an op whose charge ended so. */
enum op_outcome access_outcome(enum limit_result result);

#endif
