/*
 * Errors: a code for programs and one message for people.  Functions that
 * may fail return an enum err and write their words into a struct diag.
 */
#ifndef MEMCGLAB_ENGINE_API_DIAG_H
#define MEMCGLAB_ENGINE_API_DIAG_H

#include <stddef.h>

/* Every code but ERR_OK is negative; diag_status() maps them to exit statuses. */
enum err {
	ERR_OK = 0,
	ERR_EXPECT = -1,	/* an expectation, verification or comparison said no */
	ERR_USAGE = -2,		/* a bad value, option, name, or a file that is not there */
	ERR_SCENARIO = -3,	/* the scenario's own error */
	ERR_DB = -4,		/* the database */
	ERR_IMPORT = -5,	/* a file to import is unreadable or contradicts itself */
	ERR_LIMIT = -6,		/* time, memory or instruction limit reached */
	ERR_OUTPUT = -7,	/* output cannot be written */
	ERR_RANGE = -8,		/* a value out of its range */
	ERR_NAME = -9,		/* an unknown name */
	ERR_NOMEM = -10,	/* the host has no memory for it */
	ERR_INTERRUPTED = -11,	/* by a signal; what was done until then stands */
	ERR_PIPE = -12		/* the reader closed the pipe: end silently */
};

enum { DIAG_TEXT_MAX = 2048 };

/* What went wrong, in words that a person can act on.  Zeroed: nothing did. */
struct diag {
	enum err err;
	char text[DIAG_TEXT_MAX];	/* one message, no newline at its end */
};

/**
 * diag_fail - record an error
 * @diag: may be NULL
 * @err:  the code, also returned
 * @fmt:  printf format of the message; no newline at the end
 * A message that does not fit is cut.  Returns: @err.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
enum err diag_fail(struct diag *diag, enum err err, const char *fmt, ...);

/* diag_status - the exit status (interface: 0 to 7, 130, 141) that belongs to @err. */
int diag_status(enum err err);

/**
 * diag_nearest - the name most like @word
 * @name_at: gives name number i, NULL past the last
 * @ctx:     handed to @name_at
 * Returns: the nearest of them by edit distance (first on ties), NULL if
 * there is none at all.
 */
const char *diag_nearest(const char *word, const char *(*name_at)(const void *ctx, size_t i),
			 const void *ctx);

enum { DIAG_HINT_MAX = 240 };

/**
 * diag_hint - what to write instead of @word
 * @out: receives `did you mean "NAME"?`, or where no name is like it
 *       `there are "A", "B" …`, as many as fit; "there are none"
 * Returns: @out.
 */
const char *diag_hint(const char *word, const char *(*name_at)(const void *ctx, size_t i),
		      const void *ctx, char out[DIAG_HINT_MAX]);

#endif
