/*
 * Checked reading of Lua values and of tables of options.  A table is
 * described by rows; unknown keys are refused with the nearest name, known
 * ones that are not modelled with the reason, values with what is accepted.
 */
#ifndef MEMCGLAB_SCRIPTS_READ_H
#define MEMCGLAB_SCRIPTS_READ_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

#include "source.h"
#include "units.h"

enum read_kind {
	READ_SIZE,		/* int64_t: bytes */
	READ_TIME,		/* int64_t: nanoseconds */
	READ_COUNT,		/* int64_t: a whole number */
	READ_BOOL,		/* bool */
	READ_TEXT,		/* const char *, as long as the table lives */
	READ_OTHER,		/* only its presence is noted; the caller reads it */
	READ_REFUSED		/* reason says why */
};

struct read_field {
	const char *name;
	enum read_kind kind;
	size_t offset;		/* of the member that receives it */
	int64_t min, max;	/* both 0: anything from 0 up */
	const char *reason;
};

struct read_table {
	const char *what;		/* "lab.machine": how messages name the table */
	const struct read_field *field;	/* ends with a NULL name */
	bool positional;		/* integer keys belong to the caller */
};

/**
 * read_table - read the table at @index into @out
 * @at: the line of the call, NULL: the caller's line
 * Returns: bit i set if field i was given.  nil counts as an empty table.
 * Raises an error at the line of the key in question.
 */
uint32_t read_table(lua_State *L, int index, const struct read_table *table,
		    const struct place *at, void *out);

/* read_key_place - the line that assigns @key in a table of options whose call stands at @at. */
struct place read_key_place(const struct place *at, const char *key);

/**
 * read_number - a size, time or count from an integer or text
 * @index: on the stack
 * @name:  what messages call it
 * @at:    where errors are raised; NULL: at the caller's line
 * Raises for anything else; a float is refused with the advice to use //.
 */
int64_t read_number(lua_State *L, int index, enum read_kind kind, const char *name,
		    const struct place *at);

/**
 * read_signed - text as a number of @kind; a count may be negative
 * Returns: false if it is none or does not fit in 63 bits.
 */
bool read_signed(enum read_kind kind, const char *text, int64_t *value);

/* read_too_large - is @text a number of @kind that does not fit in 63 bits? */
bool read_too_large(enum read_kind kind, const char *text);

/* read_format - the shortest text from which @value is read again exactly.  Returns @out. */
char *read_format(enum read_kind kind, int64_t value, char out[UNITS_TEXT_MAX]);

/* read_accepted - what @kind accepts: "a size (write 100M, …)". */
const char *read_accepted(enum read_kind kind);

#endif
