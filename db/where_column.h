/*
 * What a condition on runs can be about: columns of v_runs, metrics,
 * parameters; and how their values are written.
 */
#ifndef MEMCGLAB_DB_WHERE_COLUMN_H
#define MEMCGLAB_DB_WHERE_COLUMN_H

#include "where.h"

enum where_kind {
	WHERE_TEXT,
	WHERE_WORDS,   /* parted by blanks, each of which can be asked for */
	WHERE_KERNEL,  /* the canonical name or the alias */
	WHERE_DATE,    /* compared as far as it is written */
	WHERE_INTEGER,
	WHERE_SEED,    /* 64 bits without a sign, stored with one */
	WHERE_TIME,    /* [ns] */
	WHERE_METRIC,
	WHERE_PARAM
};

enum { WHERE_NAME_MAX = 128, WHERE_NEAR_MAX = 240 };

struct where_column {
	enum where_kind kind;
	const char *sql; /* of a row r of run; NULL: of a metric or parameter */
	char name[WHERE_NAME_MAX]; /* of the metric; of a parameter its path in JSON */
	char unit[32];   /* of a metric */
	bool is_text;
};

/**
 * where_column_find - the column, metric or parameter called @name
 * @near: receives up to three names that are like it, if there is none
 * Returns: false if there is none, or if @name is the beginning of several.
 */
bool where_column_find(sqlite3 *base, const char *name, struct where_column *out,
		       char near[WHERE_NEAR_MAX]);

/**
 * where_column_number - @text as a number in the column's own unit
 * Returns: false if it is not one.
 */
bool where_column_number(const struct where_column *column, const char *text,
			 struct where_value *out);

/* where_column_begins - is @word the beginning of a name? */
bool where_column_begins(sqlite3 *base, const char *word);

#endif
