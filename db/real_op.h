/*
 * The operations of recorded workloads: their words and arguments, and the
 * reading of one of them.
 */
#ifndef MEMCGLAB_DB_REAL_OP_H
#define MEMCGLAB_DB_REAL_OP_H

#include "real.h"
#include "workload.h"

enum real_op_kind {
	REAL_OPEN, REAL_SEQ, REAL_SEQB, REAL_NC, REAL_UNI, REAL_ZIPF, REAL_MSEQ, REAL_MZIPF,
	REAL_ANON, REAL_AUNI, REAL_ADV, REAL_WRITE, REAL_FSYNC, REAL_FADV, REAL_SLEEP, REAL_REP,
	REAL_MARK, REAL_LIMIT, REAL_FORCE_EMPTY, NR_REAL_OPS
};

enum { REAL_HANDLES = 64 };

/* Advice to madvise beside the engine's: without effect here, or the same as touching. */
enum { MADVICE_NONE = NR_MADVICES, MADVICE_READ, MADVICE_WRITE };

/* What an operation may refer to: the experiment so far, and the files that its task has open. */
struct real_scope {
	const struct real_experiment *exp;
	int opened[REAL_HANDLES];	/* index of the file, -1: not open */
};

/* real_op_name - "seq" … "ctl:force_empty". */
const char *real_op_name(int kind);

/* real_op_accesses - whether it touches pages one by one, and so may be parted by turns. */
bool real_op_accesses(int kind);

/* real_op_total - accesses of the whole operation; 0 for one that is done at once. */
uint64_t real_op_total(const struct real_op *op);

/**
 * real_op_read - one word of a task's line
 * @scope: an open is entered in it
 * Returns: ERR_IMPORT with what is wrong; the caller adds the place.
 */
enum err real_op_read(struct real_scope *scope, const char *word, struct real_op *out,
		      struct diag *diag);

/* real_size - bytes as written (16M, 4096, -1 for none), in whole pages.  Returns: false if not. */
bool real_size(const char *text, pages_t *pages);

#endif
