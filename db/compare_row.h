/*
 * A comparison as rows, one a metric: the columns of v_compare, and of
 * memcglab compare for programs.
 */
#ifndef MEMCGLAB_DB_COMPARE_ROW_H
#define MEMCGLAB_DB_COMPARE_ROW_H

#include <jansson.h>

#include "compare.h"

enum compare_column {
	COMPARE_METRIC,
	COMPARE_A, /* the run that names the side */
	COMPARE_B,
	COMPARE_DIFF,
	COMPARE_VERDICT,
	COMPARE_UNIT,
	COMPARE_EXACT,
	COMPARE_A_NR, /* runs that have a value */
	COMPARE_A_MEAN,
	COMPARE_A_SD,
	COMPARE_B_NR,
	COMPARE_B_MEAN,
	COMPARE_B_SD,
	COMPARE_LOW, /* the 95 % interval of diff */
	COMPARE_HIGH,
	COMPARE_P,
	COMPARE_P_HOLM,
	COMPARE_WHY,
	NR_COMPARE_COLUMNS
};

/* Its type is SQLite's: 1 integer, 2 real, 3 text, 5 null. */
struct compare_cell {
	int type;
	int64_t integer;
	double real;
	const char *text; /* of the comparison, or constant */
};

/* compare_column_name - "metric", "a", ... */
const char *compare_column_name(enum compare_column column);

/* compare_cell - one cell of the row of metric number @i.  A text has its words for a mean. */
struct compare_cell compare_cell(const struct compare *compare, size_t i,
				 enum compare_column column);

/* compare_row_json - the row of metric number @i as an object.  The caller owns it. */
json_t *compare_row_json(const struct compare *compare, size_t i);

#endif
