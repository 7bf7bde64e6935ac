/*
 * Lines that are not typed: of a text, of a file, of standard input.  Read
 * as they come and without the C library's buffers, which a child would
 * share and move on.
 */
#ifndef MEMCGLAB_UI_SHELL_SOURCE_H
#define MEMCGLAB_UI_SHELL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

struct shell_source {
	const char *name; /* in messages, "-c" or a file; NULL: the terminal */
	size_t line;      /* number of the one that was read last, from 1 */
	int fd;           /* -1: none */
	bool opened;      /* by shell_source_open */
	char *buffer;
	size_t begin, end, max;
};

/* shell_source_text - the lines of @text, which is copied */
enum err shell_source_text(struct shell_source *source, const char *name, const char *text,
			   struct diag *diag);

/* shell_source_open - of a file, or of standard input if @path is NULL.  Returns: ERR_USAGE. */
enum err shell_source_open(struct shell_source *source, const char *path, struct diag *diag);
void shell_source_close(struct shell_source *source);

/**
 * shell_source_line - the next one, without its end
 * Returns: NULL at the end; else valid until the next call.
 */
const char *shell_source_line(struct shell_source *source);

#endif
