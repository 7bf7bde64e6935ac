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
	char *text;       /* of a file that is written as a whole: what it will hold */
	size_t size;
};

/**
 * output_file_open - @path, or standard output if NULL
 * Returns: ERR_OUTPUT with the reason.
 */
enum err output_file_open(const char *path, struct output_file *out, struct diag *diag);

/**
 * output_file_open_whole - the same for a file that never holds a half
 * Until the end it is memory; then it is written under another name and renamed.
 * What is no regular file is written to as above.
 */
enum err output_file_open_whole(const char *path, struct output_file *out, struct diag *diag);

/**
 * output_file_close - flush and cut the file to what was written
 * @err: how the command ended; a file made for nothing is removed
 * Returns: @err if that is an error, else ERR_OUTPUT or ERR_PIPE.
 */
enum err output_file_close(struct output_file *out, enum err err, struct diag *diag);

#endif
