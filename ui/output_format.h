/*
 * The formats of output.c from inside: what a writer holds and what a
 * format does with it.  Only output.c and output_format.c include this.
 */
#ifndef MEMCGLAB_UI_OUTPUT_FORMAT_H
#define MEMCGLAB_UI_OUTPUT_FORMAT_H

#include <stdint.h>

#include "output.h"

struct format {
	const char *name;
	bool keep;     /* cells are kept until the end; row is NULL */
	bool own_null; /* a NULL that programs read: no other text may stand for it */
	void (*head)(struct output *out);
	void (*row)(struct output *out, const char *const *values, const int *types);
	void (*end)(struct output *out);
};

struct output {
	const struct format *format;
	struct output_style style;
	FILE *file;
	size_t room; /* cells of a line; 0: as many as it takes */
	int nr_columns;
	char *column[OUTPUT_COLUMNS_MAX];
	bool right[OUTPUT_COLUMNS_MAX]; /* only numbers so far */
	char **cell;
	size_t nr_cells, max_cells;
	uint64_t nr_rows;
};

/* output_format_at - format number @i, NULL past the last. */
const struct format *output_format_at(size_t i);

/* output_is_number - an integer or a real. */
bool output_is_number(int type);

#endif
