/*
 * Rows in the formats that the program writes: table, box, csv, tsv, json,
 * jsonl, markdown, line, html, quote.  A command says its columns once and
 * then its rows; values are text with a type, as SQLite gives them.
 */
#ifndef MEMCGLAB_UI_OUTPUT_H
#define MEMCGLAB_UI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "output_file.h"

enum { OUTPUT_COLUMNS_MAX = 64, OUTPUT_LINE_MAX = 1024 };

enum output_type { /* SQLite's numbers, so its rows pass through */
		   OUTPUT_INTEGER = 1,
		   OUTPUT_REAL = 2,
		   OUTPUT_TEXT = 3,
		   OUTPUT_BLOB = 4,
		   OUTPUT_NULL = 5
};

struct output;

/**
 * output_format_find - check the name of a format
 * Returns: ERR_USAGE with the nearest name for one that does not exist.
 */
enum err output_format_find(const char *name, struct diag *diag);
const char *output_format_name(size_t i); /* NULL past the last */

/**
 * output_new - a writer of rows to @file
 * @format: a name that output_format_find accepts
 * @file:   borrowed
 */
enum err output_new(const char *format, FILE *file, struct output **out, struct diag *diag);
void output_free(struct output *out);

/* output_width - tables are at most @cells wide; a terminal has its own width from the start. */
void output_width(struct output *out, size_t cells);

/**
 * output_head - the columns; once, before any row
 * @names: @n of them, copied
 */
enum err output_head(struct output *out, int n, const char *const *names, struct diag *diag);

/**
 * output_row - one row of @n values
 * @types: an enum output_type each
 * Returns: ERR_PIPE or ERR_OUTPUT when writing failed.
 */
enum err output_row(struct output *out, int n, const char *const *values, const int *types,
		    struct diag *diag);

/* output_end - after the last row; tables are laid out and written here. */
enum err output_end(struct output *out, struct diag *diag);

/* output_json_text - @text as a JSON string with its quotes. */
void output_json_text(FILE *file, const char *text);

/**
 * output_cells - how many terminal cells UTF-8 @text takes, one a character
 */
size_t output_cells(const char *text);

#endif
