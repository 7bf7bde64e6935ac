/*
 * Numbers for people.  All integer arithmetic, but for fmt_real(): the same
 * number gives the same text everywhere.  A ratio with no divisor is a dash, never 0.
 */
#include "fmt.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

char *fmt_count(uint64_t count, char out[UNITS_TEXT_MAX])
{
	return units_format_count(count > INT64_MAX ? INT64_MAX : (int64_t)count, out);
}

char *fmt_fit(uint64_t count, int width, char out[UNITS_TEXT_MAX])
{
	static const char suffix[] = { 'k', 'M', 'G', 'T', 'P', 'E' };
	uint64_t unit = 1000;

	snprintf(out, UNITS_TEXT_MAX, "%" PRIu64, count);
	for (size_t i = 0; i < sizeof(suffix) && (int)strlen(out) > width; i++, unit *= 1000) {
		/* One decimal where there is room for it: 1.2M says more than 1M. */
		char tenths = (char)('0' + count % unit / (unit / 10));

		snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 ".%c%c", count / unit, tenths, suffix[i]);
		if ((int)strlen(out) > width)
			snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 "%c", count / unit, suffix[i]);
	}
	return out;
}

char *fmt_fit_up(uint64_t count, int width, char out[UNITS_TEXT_MAX])
{
	static const char suffix[] = { 'k', 'M', 'G', 'T', 'P', 'E' };
	uint64_t unit = 1000;

	snprintf(out, UNITS_TEXT_MAX, "%" PRIu64, count);
	for (size_t i = 0; i < sizeof(suffix) && (int)strlen(out) > width; i++, unit *= 1000)
		snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 "%c", count / unit + (count % unit != 0),
			 suffix[i]);
	return out;
}

char *fmt_size(pages_t pages, char out[UNITS_TEXT_MAX])
{
	static const char suffix[] = { 'K', 'M', 'G', 'T', 'P' };
	uint64_t unit = 1024, bytes = pages * PAGE_BYTES, whole, part;
	size_t i = 0;

	if (pages == 0 || pages >= PAGES_UNLIMITED) {
		snprintf(out, UNITS_TEXT_MAX, pages ? "-" : "0");
		return out;
	}
	while (i + 1 < sizeof(suffix) && bytes / unit >= 1024) {
		unit *= 1024;
		i++;
	}
	whole = bytes / unit;
	part = (uint64_t)((double)(bytes % unit) * 100 / (double)unit);
	if (bytes % unit == 0 || whole >= 100)
		snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 "%c", whole, suffix[i]);
	else if (whole >= 10)
		snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 ".%" PRIu64 "%c", whole, part / 10,
			 suffix[i]);
	else
		snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 ".%02" PRIu64 "%c", whole, part,
			 suffix[i]);
	return out;
}

char *fmt_clock(ns_t ns, int width, char out[UNITS_TEXT_MAX])
{
	int n = snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 ".%06" PRIu64, ns / 1000000000,
			 ns / 1000 % 1000000);
	int point = n - 7;

	/* Decimals go one by one; the point goes with the last of them. */
	if (n > width)
		out[width > point + 1 ? width : point] = '\0';
	return out;
}

char *fmt_ratio(uint64_t a, uint64_t b, bool narrow, char out[UNITS_TEXT_MAX])
{
	uint64_t scale = narrow ? 10 : 100, value;

	if (b == 0 || a > UINT64_MAX / 200) {
		snprintf(out, UNITS_TEXT_MAX, "-");
		return out;
	}
	value = (a * scale * 2 + b) / (b * 2); /* rounded to nearest */
	if (narrow && value >= 100)
		return fmt_fit((a * 2 + b) / (b * 2), 3, out);
	snprintf(out, UNITS_TEXT_MAX, narrow ? "%" PRIu64 ".%01" PRIu64 : "%" PRIu64 ".%02" PRIu64,
		 value / scale, value % scale);
	return out;
}

char *fmt_real(double value, int digits, char out[UNITS_TEXT_MAX])
{
	double size = fabs(value);

	/* Beyond 2^53 not every whole number is there, so groups would pretend. */
	if (size < 1e15 && (value == floor(value) || size >= pow(10, digits - 1)))
		return units_format_count((int64_t)llround(value), out);
	snprintf(out, UNITS_TEXT_MAX, "%.*g", digits, value);
	return out;
}
