/*
 * Writing to a FILE with the first error kept: callers write on and ask once
 * at the end, or now and then in a long loop.
 */
#ifndef MEMCGLAB_DB_OUT_H
#define MEMCGLAB_DB_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "diag.h"

struct out {
	FILE *file;
	int error; /* errno of the first failure, 0 if none */
};

/* out_printf - format into the file. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void out_printf(struct out *out, const char *fmt, ...);

void out_puts(struct out *out, const char *text);

/* out_json - @text as a JSON string; what is no UTF-8 becomes a question mark. */
void out_json(struct out *out, const char *text);

/* out_csv - @text as a CSV field, quoted if it must be. */
void out_csv(struct out *out, const char *text);

/* out_real - the shortest of 15 or 17 digits that reads back as @value; null if not finite. */
void out_real(struct out *out, double value);

/* out_error - Returns: ERR_OK, ERR_PIPE or ERR_OUTPUT for what was written so far. */
enum err out_error(const struct out *out, struct diag *diag);

/* out_end - flush, then out_error. */
enum err out_end(struct out *out, struct diag *diag);

#endif
