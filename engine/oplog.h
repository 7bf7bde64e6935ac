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
	unsigned char *data;	/* malloc'ed, NULL before the first token */
	size_t size, room;	/* [bytes] written, allocated */
	uint32_t actor;		/* of the steps not written yet */
	uint64_t steps;		/* made by it since the last token */
	bool failed;		/* the host had no memory */
};

/**
 * oplog_begin - @op->actor begins @op: pending steps are written, then the op with all fields
 * oplog_step  - @actor has made a step; steps of one actor in a row become one token
 * Once log->failed is set nothing more is written; the run ends with ERR_NOMEM.
 */
void oplog_begin(struct oplog_writer *log, const struct op *op);
void oplog_step(struct oplog_writer *log, uint32_t actor);
void oplog_flush(struct oplog_writer *log);	/* writes the pending steps */
void oplog_free(struct oplog_writer *log);

/* A place in a log being read. */
struct oplog_cursor {
	size_t at;		/* [bytes]; 0: before the first token */
	uint32_t actor;		/* who makes them */
	uint64_t steps;		/* left of the current token */
};

enum oplog_token { OPLOG_OP, OPLOG_STEPS, OPLOG_END, OPLOG_DAMAGED };

struct oplog;

/**
 * oplog_next - the next token: fills @op, or the cursor's actor and steps
 * Every byte is checked before it is used, as logs come from files.
 * Returns: OPLOG_END behind the last token, OPLOG_DAMAGED where one cannot be read.
 */
enum oplog_token oplog_next(const struct oplog *log, struct oplog_cursor *cursor, struct op *op);

#endif
