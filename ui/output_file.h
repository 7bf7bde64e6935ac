/*
 * The file that results go to: standard output or the one behind -o.  Also
 * how a failed write is told from a reader that went away.
 */
#ifndef MEMCGLAB_UI_OUTPUT_FILE_H
#define MEMCGLAB_UI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "diag.h"

/**
 * output_check - has writing to @file failed so far?
 * Returns: ERR_PIPE (nobody reads any more), ERR_OUTPUT, else ERR_OK.
 */
enum err output_check(FILE *file, struct diag *diag);

/* A file for results: nothing of it is lost until something is written. */
struct output_file {
	FILE *file;
	const char *path; /* NULL: standard output */
	bool made;        /* it did not exist before */
};

/**
 * output_file_open - @path, or standard output if NULL
 * Returns: ERR_OUTPUT with the reason.
 */
enum err output_file_open(const char *path, struct output_file *out, struct diag *diag);

/**
 * output_file_close - flush and cut the file to what was written
 * @err: how the command ended; a file made for nothing is removed
 * Returns: @err if that is an error, else ERR_OUTPUT or ERR_PIPE.
 */
enum err output_file_close(struct output_file *out, enum err err, struct diag *diag);

#endif
