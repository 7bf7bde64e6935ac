/*
 * The ops of a run, recorded as they are executed and read back.  A log is
 * a sequence of tokens: an actor begins an op; an actor makes so many steps.
 */
#ifndef MEMCGLAB_ENGINE_OPLOG_H
#define MEMCGLAB_ENGINE_OPLOG_H

#include <stdbool.h>

#include "workload.h"

/* A log being written. */
struct oplog_writer {
	unsigned char *data;
	size_t size, room;
	uint32_t actor;		/* of the steps not written yet */
	uint64_t steps;
	bool failed;		/* the host had no memory */
};

void oplog_begin(struct oplog_writer *log, const struct op *op);
void oplog_step(struct oplog_writer *log, uint32_t actor);
void oplog_flush(struct oplog_writer *log);	/* writes the pending steps */
void oplog_free(struct oplog_writer *log);

/* A place in a log being read. */
struct oplog_cursor {
	size_t at;
	uint32_t actor;
	uint64_t steps;		/* left of the current token */
};

enum oplog_token { OPLOG_OP, OPLOG_STEPS, OPLOG_END, OPLOG_DAMAGED };

struct oplog;

/* oplog_next - the next token: fills @op, or the cursor's actor and steps. */
enum oplog_token oplog_next(const struct oplog *log, struct oplog_cursor *cursor, struct op *op);

#endif
