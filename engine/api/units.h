/*
 * Unit types, page size and the one parser and formatter of sizes, times
 * and counts.  The command line, Lua, SQL output and views all use it, so a
 * number is written and read in one way everywhere.
 */
#ifndef MEMCGLAB_ENGINE_API_UNITS_H
#define MEMCGLAB_ENGINE_API_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers that carry a unit say so by their type; page counts are of PAGE_BYTES each. */
typedef uint64_t pages_t;
typedef uint64_t bytes_t;
typedef uint64_t ns_t;

enum {
	PAGE_BYTES = 4096,
	UNITS_TEXT_MAX = 32
};

/* A counter that is never reached: the limit of a group without one. */
#define PAGES_UNLIMITED ((pages_t)INT64_MAX / PAGE_BYTES)

enum unit_kind {
	UNIT_SIZE,		/* bytes: 100M, 1.5G, 4096 */
	UNIT_TIME,		/* nanoseconds: 3ms, 430ns, 1.5s, 2m */
	UNIT_COUNT,		/* a whole number: 12, 26_000, 2k, 3M (powers of 1000) */
	NR_UNIT_KINDS
};

/**
 * units_parse - read a size, time or count
 * @kind:  what is expected
 * @text:  the whole text; blanks around it are refused
 * @value: receives bytes, nanoseconds or the count
 *
 * Size suffixes K M G T P are powers of 1024 (an iB or B may follow); a
 * fraction is allowed with a suffix and must give whole bytes.
 * Returns: false, with @value untouched, if @text is not of this kind or
 * does not fit.
 */
bool units_parse(enum unit_kind kind, const char *text, uint64_t *value);

/* units_too_large - is @text of this @kind, but more than 64 bits hold? */
bool units_too_large(enum unit_kind kind, const char *text);

/* units_accepted - what @kind accepts: "a size (write 100M, 1.5G or a number of bytes)". */
const char *units_accepted(enum unit_kind kind);

/**
 * units_format_size - bytes for people: "100M", "1.86G", "12 345"
 * @bytes: [bytes]
 * @out:   UNITS_TEXT_MAX characters
 * Exact multiples are whole; others have at most two decimals.  Returns @out.
 */
char *units_format_size(bytes_t bytes, char out[UNITS_TEXT_MAX]);

/* units_format_time - nanoseconds for people: "430ns", "3.68ms", "8.7s".  Returns @out. */
char *units_format_time(ns_t ns, char out[UNITS_TEXT_MAX]);

/* units_format_count - digits in groups of three parted by a blank: "25 535".  Returns @out. */
char *units_format_count(int64_t count, char out[UNITS_TEXT_MAX]);

/* units_pages - pages that hold @bytes, rounded up. */
pages_t units_pages(bytes_t bytes);

#endif
