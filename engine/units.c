/*
 * Sizes, times and counts: read and written in one way everywhere.
 *
 * A text is digits (single underscores may part them), perhaps a fraction,
 * and a suffix that is a row of the table of its kind.  A fraction is kept
 * as numerator and denominator, so nothing is ever rounded when reading:
 * a text that does not give a whole number is refused.
 *
 * Left out: negative numbers, exponents, and blanks inside what is read.
 */
#include "units.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	FRACTION_DIGITS_MAX = 18,	/* 10^18 is the largest power of ten in 64 bits */
	SUFFIXES_MAX = 16,
	KIB = 1024
};

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)
#define PIB ((uint64_t)1 << 50)

/* A unit's letters, and how many base units it is: bytes, nanoseconds or ones. */
struct suffix {
	const char *text;
	uint64_t factor;
};

/*
 * A kind's suffixes.  The empty one, if there, is the base unit, which takes
 * no fraction.  Both cases are taken where no other unit claims the letter:
 * in a time "m" is minutes, in a size it can only be M.
 */
struct kind_desc {
	const char *accepted;
	struct suffix suffix[SUFFIXES_MAX];
};

static const struct kind_desc kinds[NR_UNIT_KINDS] = {
	[UNIT_SIZE] = {
		.accepted = "a size (write 100M, 1.5G or a number of bytes)",
		.suffix = {
			{ "", 1 }, { "B", 1 },
			{ "K", KIB }, { "k", KIB }, { "M", MIB }, { "m", MIB },
			{ "G", GIB }, { "g", GIB }, { "T", TIB }, { "t", TIB },
			{ "P", PIB }, { "p", PIB },
		},
	},
	[UNIT_TIME] = {
		.accepted = "a time (write 3ms, 430ns, 1.5s or 2m)",
		.suffix = {
			{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
			{ "m", 60 * UINT64_C(1000000000) }, { "h", 3600 * UINT64_C(1000000000) },
		},
	},
	[UNIT_COUNT] = {
		.accepted = "a whole number (write 12, 26_000, 2k or 3M)",
		.suffix = {
			{ "", 1 }, { "k", 1000 }, { "K", 1000 }, { "M", 1000000 },
			{ "G", 1000000000 },
		},
	},
};

/* What stands before the suffix: whole + num / den. */
struct number {
	uint64_t whole, num, den;
	bool fraction, too_large;	/* too_large: whole does not fit */
};

/* isdigit() asks the locale; a scenario must read the same everywhere. */
static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Greatest common divisor, for a fraction in lowest terms. */
static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Returns: false if a * b + c does not fit. */
static bool multiply_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *out)
{
	if (b && a > (UINT64_MAX - c) / b)
		return false;
	*out = a * b + c;
	return true;
}

/* Digits with single underscores between them.  Returns: what follows, NULL if there are none. */
static const char *read_whole(const char *p, struct number *n)
{
	if (!is_digit(*p))
		return NULL;
	while (is_digit(*p)) {
		if (!multiply_add(n->whole, 10, (uint64_t)(*p - '0'), &n->whole))
			n->too_large = true;
		p++;
		if (p[0] == '_' && is_digit(p[1]))
			p++;
	}
	return p;
}

/* Digits, perhaps with a fraction.  Returns: what follows, NULL if it is no number. */
static const char *read_number(const char *p, struct number *n)
{
	int digits = 0;

	*n = (struct number){ .den = 1 };
	p = read_whole(p, n);
	if (!p || *p != '.')
		return p;
	/* No underscores behind the point: 1.000_5G is more likely a slip than a wish. */
	n->fraction = true;
	for (p++; is_digit(*p); p++) {
		if (++digits > FRACTION_DIGITS_MAX)
			return NULL;
		n->num = n->num * 10 + (uint64_t)(*p - '0');
		n->den *= 10;
	}
	return digits ? p : NULL;
}

/* Whether @text is the suffix @s; a size of K and more may go on with iB or B. */
static bool suffix_matches(enum unit_kind kind, const struct suffix *s, const char *text)
{
	size_t len = strlen(s->text);

	if (strncmp(text, s->text, len) != 0)
		return false;
	text += len;
	if (kind == UNIT_SIZE && s->factor > 1 && (!strcmp(text, "iB") || !strcmp(text, "B")))
		return true;
	return *text == '\0';
}

static const struct suffix *suffix_find(enum unit_kind kind, const char *text)
{
	const struct suffix *s = kinds[kind].suffix;

	for (size_t i = 0; i < SUFFIXES_MAX && s[i].text; i++)
		if (suffix_matches(kind, &s[i], text))
			return &s[i];
	return NULL;
}

/* Is @text of this kind?  Then @n has its number and @factor what its suffix stands for. */
static bool read_text(enum unit_kind kind, const char *text, struct number *n, uint64_t *factor)
{
	const char *rest = read_number(text, n);
	const struct suffix *suffix;
	uint64_t common;

	if (!rest)
		return false;
	/* Nothing is nothing in any unit: a time of 0 needs no suffix. */
	*factor = 1;
	if (!*rest && !n->fraction && n->whole == 0 && !n->too_large)
		return true;
	suffix = suffix_find(kind, rest);
	if (!suffix || (n->fraction && suffix->text[0] == '\0'))
		return false;
	/* In lowest terms the result is whole exactly if den divides the factor. */
	common = gcd(n->num, n->den);
	n->num /= common;
	n->den /= common;
	assert(n->den > 0);
	*factor = suffix->factor;
	return *factor % n->den == 0;
}

/* Returns: false if the value of a text that was read does not fit. */
static bool number_value(const struct number *n, uint64_t factor, uint64_t *value)
{
	return !n->too_large && multiply_add(n->whole, factor, factor / n->den * n->num, value);
}

bool units_parse(enum unit_kind kind, const char *text, uint64_t *value)
{
	struct number n;
	uint64_t factor;

	assert(kind < NR_UNIT_KINDS && text && value);
	return read_text(kind, text, &n, &factor) && number_value(&n, factor, value);
}

bool units_too_large(enum unit_kind kind, const char *text)
{
	struct number n;
	uint64_t factor, value;

	assert(kind < NR_UNIT_KINDS && text);
	return read_text(kind, text, &n, &factor) && !number_value(&n, factor, &value);
}

const char *units_accepted(enum unit_kind kind)
{
	assert(kind < NR_UNIT_KINDS);
	return kinds[kind].accepted;
}

/*
 * value / factor with its suffix: no decimals where exact, one where exact
 * with one, else two, rounded half up ("10.00G" is not quite 10G).
 */
static void format_scaled(uint64_t value, const struct suffix *unit, char out[UNITS_TEXT_MAX])
{
	uint64_t whole = value / unit->factor, rest = value % unit->factor;
	uint64_t hundredths;

	if (!rest) {
		snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 "%s", whole, unit->text);
		return;
	}
	/* Up to a factor of 2^50 the product below fits into 64 bits. */
	assert(unit->factor <= PIB);
	hundredths = (rest * 100 + unit->factor / 2) / unit->factor;
	whole += hundredths / 100;
	hundredths %= 100;
	if (hundredths % 10 == 0 && (rest * 10) % unit->factor == 0)
		snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 ".%" PRIu64 "%s", whole, hundredths / 10,
			 unit->text);
	else
		snprintf(out, UNITS_TEXT_MAX, "%" PRIu64 ".%02" PRIu64 "%s", whole, hundredths,
			 unit->text);
}

/* The largest unit of which @value has at least one, once rounded to hundredths. */
static const struct suffix *unit_for(uint64_t value, const struct suffix *units, size_t nr)
{
	size_t i = nr - 1;

	/* From half a hundredth of the smaller unit below, rounding reaches this one. */
	while (i > 0 && value < units[i].factor - units[i].factor / 200000)
		i--;
	return &units[i];
}

char *units_format_size(bytes_t bytes, char out[UNITS_TEXT_MAX])
{
	static const struct suffix units[] = {
		{ "K", KIB }, { "M", MIB }, { "G", GIB }, { "T", TIB }, { "P", PIB },
	};
	/* What is no multiple of K is exact in digits up to a mebibyte: 12 345. */
	bool digits = bytes < KIB || (bytes < MIB && bytes % KIB);

	if (digits)
		return units_format_count((int64_t)bytes, out);
	format_scaled(bytes, unit_for(bytes, units, sizeof(units) / sizeof(units[0])), out);
	return out;
}

char *units_format_time(ns_t ns, char out[UNITS_TEXT_MAX])
{
	static const struct suffix units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};

	format_scaled(ns, unit_for(ns, units, sizeof(units) / sizeof(units[0])), out);
	return out;
}

char *units_format_count(int64_t count, char out[UNITS_TEXT_MAX])
{
	/* Minus in unsigned arithmetic, because the smallest count has no positive twin. */
	uint64_t rest = count < 0 ? 0 - (uint64_t)count : (uint64_t)count;
	char reversed[UNITS_TEXT_MAX];
	size_t nr = 0, len = 0;

	/* Written backwards, a blank after every third digit; then turned round. */
	do {
		if (nr % 4 == 3)
			reversed[nr++] = ' ';
		reversed[nr++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (count < 0)
		reversed[nr++] = '-';
	assert(nr < UNITS_TEXT_MAX);
	while (nr)
		out[len++] = reversed[--nr];
	out[len] = '\0';
	return out;
}

/* Not (bytes + PAGE_BYTES - 1) / PAGE_BYTES, whose sum may not fit. */
pages_t units_pages(bytes_t bytes)
{
	return bytes / PAGE_BYTES + (bytes % PAGE_BYTES != 0);
}
