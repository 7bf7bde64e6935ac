/*
 * Rows of a recorded file: commas, no quotes, the first line names the
 * columns.  A file is read whole and its text cut in place.
 */
#ifndef MEMCGLAB_DB_REAL_CSV_H
#define MEMCGLAB_DB_REAL_CSV_H

#include <stdbool.h>

#include "diag.h"
#include "units.h"

enum { REAL_COLUMNS = 64 };

struct real_csv {
	char path[4352];
	char *text, *next;		/* owned; where the next row begins */
	char *name[REAL_COLUMNS], *field[REAL_COLUMNS];
	size_t nr;			/* columns */
	unsigned line;
};

/**
 * real_csv_open - read @dir/@name and its first line
 * Returns: ERR_USAGE if it is not there, ERR_IMPORT if it has no columns.
 */
enum err real_csv_open(struct real_csv *csv, const char *dir, const char *name,
		       struct diag *diag);
void real_csv_close(struct real_csv *csv);

/**
 * real_csv_next - the next row into csv->field
 * @more: false after the last
 * Returns: ERR_IMPORT with file:line for a row of another width.
 */
enum err real_csv_next(struct real_csv *csv, bool *more, struct diag *diag);

/* real_csv_text - the field of a column by name; "" if there is no such column. */
const char *real_csv_text(const struct real_csv *csv, const char *name);

/* real_csv_number - the same as a number.  Returns: ERR_IMPORT with file:line if it is none. */
enum err real_csv_number(const struct real_csv *csv, const char *name, int64_t *out,
			 struct diag *diag);

/* real_csv_wrong - ERR_IMPORT: "file:line: what: "field"". */
enum err real_csv_wrong(const struct real_csv *csv, const char *what, const char *field,
			struct diag *diag);

#endif
