/*
 * Messages and exit statuses: the words of an error, the status a program
 * ends with, and the nearest name to a mistyped one.
 *
 * Invariant: what diag_fail() writes is always terminated and fits.
 * Left out: translation, and several messages for one error.
 */
#include "diag.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
	NAME_COMPARED_MAX = 128,	/* longer names are compared by their beginning */
	STATUS_INTERRUPTED = 130,	/* 128 + SIGINT, as a shell reports it */
	STATUS_PIPE = 141		/* 128 + SIGPIPE */
};

enum err diag_fail(struct diag *diag, enum err err, const char *fmt, ...)
{
	va_list args;

	assert(err < ERR_OK);
	/* Callers that only ask whether it fails want no words. */
	if (!diag)
		return err;
	diag->err = err;
	va_start(args, fmt);
	/* Too long is fine, it is cut; a format that cannot be written leaves no words. */
	if (vsnprintf(diag->text, sizeof(diag->text), fmt, args) < 0)
		diag->text[0] = '\0';
	va_end(args);
	return err;
}

/* A switch without default, so that a new code without a status does not compile unseen. */
int diag_status(enum err err)
{
	switch (err) {
	case ERR_OK:
		return 0;
	case ERR_EXPECT:
		return 1;
	case ERR_USAGE: /* one status for all that was typed wrong */
	case ERR_RANGE:
	case ERR_NAME:
		return 2;
	case ERR_SCENARIO:
		return 3;
	case ERR_DB:
		return 4;
	case ERR_IMPORT:
		return 5;
	case ERR_LIMIT: /* ours, or the host's own limit on memory */
	case ERR_NOMEM:
		return 6;
	case ERR_OUTPUT:
		return 7;
	case ERR_INTERRUPTED:
		return STATUS_INTERRUPTED;
	case ERR_PIPE:
		return STATUS_PIPE;
	}
	assert(false); /* an error without a status */
	return 2;
}

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Levenshtein's distance: insertions, deletions and replacements cost one
 * each.  One row of the table is enough: @row holds the row above, and what
 * is to the left of the current place has been replaced by this row already.
 */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[NAME_COMPARED_MAX + 1];
	size_t len_a = min_size(strlen(a), NAME_COMPARED_MAX);
	size_t len_b = min_size(strlen(b), NAME_COMPARED_MAX);

	for (size_t j = 0; j <= len_b; j++)
		row[j] = j;
	for (size_t i = 1; i <= len_a; i++) {
		size_t diagonal = row[0]; /* the cell up and to the left */

		row[0] = i;
		for (size_t j = 1; j <= len_b; j++) {
			size_t replace = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			row[j] = min_size(replace, min_size(row[j], row[j - 1]) + 1);
		}
	}
	return row[len_b];
}

const char *diag_nearest(const char *word, const char *(*name_at)(const void *ctx, size_t i),
			 const void *ctx)
{
	const char *best = NULL, *name;
	size_t best_distance = 0;

	assert(word && name_at);
	for (size_t i = 0; (name = name_at(ctx, i)); i++) {
		size_t distance = edit_distance(word, name);

		/* Strictly nearer, so that the first of equals stays. */
		if (!best || distance < best_distance) {
			best = name;
			best_distance = distance;
		}
	}
	return best;
}

/* The names themselves; the last ones are left out where they do not fit. */
static void list_names(const char *(*name_at)(const void *ctx, size_t i), const void *ctx,
		       char out[DIAG_HINT_MAX])
{
	enum { MORE = 8 };
	const char *name;
	size_t used = (size_t)snprintf(out, DIAG_HINT_MAX, "there are");

	for (size_t i = 0; (name = name_at(ctx, i)); i++) {
		if (used + strlen(name) + MORE > DIAG_HINT_MAX) {
			snprintf(out + used, DIAG_HINT_MAX - used, " ...");
			return;
		}
		used += (size_t)snprintf(out + used, DIAG_HINT_MAX - used, "%s \"%s\"",
					 i ? "," : "", name);
	}
	if (name_at(ctx, 0) == NULL)
		snprintf(out, DIAG_HINT_MAX, "there are none");
}

/* A name is like the word if fewer letters than the word has are to be changed for it. */
const char *diag_hint(const char *word, const char *(*name_at)(const void *ctx, size_t i),
		      const void *ctx, char out[DIAG_HINT_MAX])
{
	const char *nearest = diag_nearest(word, name_at, ctx);

	if (nearest && edit_distance(word, nearest) < strlen(word))
		snprintf(out, DIAG_HINT_MAX, "did you mean \"%.200s\"?", nearest);
	else
		list_names(name_at, ctx, out);
	return out;
}
