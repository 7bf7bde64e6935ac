/*
 * Numbers for people, as views write them: groups of three parted by a
 * blank, shortened with a suffix only where a column is too narrow.
 */
#ifndef MEMCGLAB_UI_FMT_H
#define MEMCGLAB_UI_FMT_H

#include "units.h"

/* fmt_count - "25 535"; beyond int64_t it is shown as that largest number.  Returns: @out. */
char *fmt_count(uint64_t count, char out[UNITS_TEXT_MAX]);

/* fmt_fit - plain digits if they fit @width cells, else 12k, 3.4M … (rounded down).
 * Returns: @out. */
char *fmt_fit(uint64_t count, int width, char out[UNITS_TEXT_MAX]);

/* fmt_fit_up - the same rounded up, for a total that no part of it may seem to pass. */
char *fmt_fit_up(uint64_t count, int width, char out[UNITS_TEXT_MAX]);

/* fmt_size - pages as bytes with three digits, rounded down: "126M", "1.86G"; never above five
 * cells.  A limit that is none is "-". */
char *fmt_size(pages_t pages, char out[UNITS_TEXT_MAX]);

/* fmt_clock - seconds with as many of six decimals as fit @width cells: "3.682646". */
char *fmt_clock(ns_t ns, int width, char out[UNITS_TEXT_MAX]);

/* fmt_ratio - a/b: "5.33" with two or, if @narrow, one decimal and from 10 on none: three cells;
 * "-" if @b is 0. */
char *fmt_ratio(uint64_t a, uint64_t b, bool narrow, char out[UNITS_TEXT_MAX]);

/* fmt_real - whole numbers and those too long for a fraction in groups of three, others with
 * @digits digits.  Returns: @out. */
char *fmt_real(double value, int digits, char out[UNITS_TEXT_MAX]);

#endif
