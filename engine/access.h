/*
 * The pages of an op, chunk by chunk: which they are, in what order, and
 * what became of the op.
 */
#ifndef MEMCGLAB_ENGINE_ACCESS_H
#define MEMCGLAB_ENGINE_ACCESS_H

#include "fault.h"

/* An op under way. */
struct op_progress {
	struct op op;
	uint64_t done;		/* [bytes] of a sequential op, [pages] drawn of a random one */
	uint64_t done_pages;	/* accessed */
};

/* access_read, access_write, access_touch - one step of such an op. */
void access_write(struct machine *m, struct op_progress *progress, struct op_result *res);
void access_read(struct machine *m, struct op_progress *progress, struct op_result *res);
void access_touch(struct machine *m, struct op_progress *progress, struct op_result *res);

#endif
