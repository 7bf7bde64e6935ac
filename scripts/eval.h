/*
 * A line of Lua that looks at a stored run: evaluated in the sandbox of
 * scenarios, with the run as a read-only table and nothing to act on.  Its
 * values are printed; nothing of it is kept for the next line.
 */
#ifndef MEMCGLAB_SCRIPTS_EVAL_H
#define MEMCGLAB_SCRIPTS_EVAL_H

#include "script.h"

enum eval_type { EVAL_INTEGER, EVAL_REAL, EVAL_TEXT };

/* A value of the run: run.NAME, or run.TABLE.NAME. */
struct eval_field {
	const char *table;		/* NULL: of run itself */
	const char *name;
	enum eval_type type;
	int64_t integer;
	double real;
	const char *text;
};

struct eval {
	const char *text;		/* expressions whose values are wanted, or a chunk */
	bool chunk;			/* the latter, unless it can be read as the former */
	const struct eval_field *field;	/* those of one table stand together */
	size_t nr_fields;		/* 0: there is no run */
};

/**
 * eval_open - does @text go on?
 * @chunk: as in struct eval
 * Returns: true if it is a beginning only, so that another line may complete it.
 */
bool eval_open(const char *text, bool chunk);

/**
 * eval_print - evaluate it and print what it gives
 * @limits: NULL: script_limits_defaults
 * @log:    whom lines are printed to
 * Values stand beside each other, a table's a line each.  Returns: ERR_SCENARIO with the place,
 * ERR_LIMIT.
 */
enum err eval_print(const struct eval *eval, const struct script_limits *limits,
		    const struct script_log *log, struct diag *diag);

#endif
