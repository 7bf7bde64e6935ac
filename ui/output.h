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

/* What was shown, with its tables uncut: for whoever asks for all of it later. */
struct output_whole {
	FILE *file;
	long from; /* [bytes] of what was shown that are in it already */
};

/* How rows look; zeroed but for the format is the usual way. */
enum { OUTPUT_WIDTHS_MAX = 16 };
struct output_style {
	const char *format;
	bool no_head;
	const char *null; /* for SQL's NULL; NULL: as the format has it */
	size_t room;      /* a table's cells at most; 0: those of the terminal, if it is one */
	size_t width[OUTPUT_WIDTHS_MAX]; /* of columns; 0: as it takes */
	struct output_whole *whole;      /* NULL: nobody keeps it */
};

/**
 * output_format_find - check the name of a format
 * Returns: ERR_USAGE with the nearest name for one that does not exist.
 */
enum err output_format_find(const char *name, struct diag *diag);
const char *output_format_name(size_t i); /* NULL past the last */

/**
 * output_new - a writer of rows to @file
 * @style: copied; its format is a name that output_format_find accepts
 * @file:  borrowed; to be kept whole it must be readable too
 */
enum err output_new(const struct output_style *style, FILE *file, struct output **out,
		    struct diag *diag);
void output_free(struct output *out);

/* output_table - the same for a table, whatever @style says of the format. */
enum err output_table(const struct output_style *style, FILE *file, struct output **out,
		      struct diag *diag);

/* output_whole_rest - what @shown holds besides what is in @whole already. */
void output_whole_rest(struct output_whole *whole, FILE *shown);

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
