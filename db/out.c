/*
 * The first failure counts: errno is only telling right after the call that
 * failed, so each call is looked at.
 */
#include "out.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { DIGITS_SHORT = 15, DIGITS_EXACT = 17 };

/* A call may fail and leave errno at 0: that is an error of output all the same. */
static void note(struct out *out, bool ok)
{
	if (!ok && !out->error)
		out->error = errno ? errno : EIO;
}

void out_printf(struct out *out, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	note(out, vfprintf(out->file, fmt, args) >= 0);
	va_end(args);
}

void out_puts(struct out *out, const char *text)
{
	note(out, fputs(text, out->file) >= 0);
}

/* Bytes above ASCII cannot be trusted any more once one of them is wrong. */
static json_t *ascii_string(const char *text)
{
	size_t size = strlen(text);
	char *copy = malloc(size + 1);
	json_t *string = NULL;

	if (!copy)
		return NULL;
	for (size_t i = 0; i <= size; i++)
		copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
	string = json_string(copy);
	free(copy);
	return string;
}

/* Names of files may hold any bytes; JSON may not. */
void out_json(struct out *out, const char *text)
{
	json_t *string = json_string(text);

	if (!string)
		string = ascii_string(text);
	note(out, string && json_dumpf(string, out->file, JSON_ENCODE_ANY) == 0);
	json_decref(string);
}

/* Quoted only where RFC 4180 or a spreadsheet's trimming would ask for it. */
void out_csv(struct out *out, const char *text)
{
	size_t size = strlen(text);
	bool quote = strpbrk(text, ",\"\r\n") != NULL ||
		     (size && (text[0] == ' ' || text[size - 1] == ' '));

	if (!quote) {
		out_puts(out, text);
		return;
	}
	note(out, fputc('"', out->file) != EOF);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			note(out, fputc('"', out->file) != EOF);
		note(out, fputc(*c, out->file) != EOF);
	}
	note(out, fputc('"', out->file) != EOF);
}

/* jansson writes a point in every locale, printf does not. */
static char *real_text(double value, size_t digits)
{
	json_t *real = json_real(value);
	char *text = real ? json_dumps(real, JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits)) : NULL;

	json_decref(real);
	return text;
}

/* Written without ==, which the compiler warns of for reals; NaN never reads back. */
static bool reads_back(const char *text, double value)
{
	json_t *real = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
	double back = real ? json_number_value(real) : value + 1;

	json_decref(real);
	return !(back < value) && !(back > value);
}

/* The shortest of two forms that gives the same number again; no number at all is null. */
void out_real(struct out *out, double value)
{
	char *text;

	if (!isfinite(value)) {
		out_puts(out, "null");
		return;
	}
	text = real_text(value, DIGITS_SHORT);
	if (!reads_back(text, value)) {
		free(text);
		text = real_text(value, DIGITS_EXACT);
	}
	note(out, text != NULL);
	if (text)
		out_puts(out, text);
	free(text);
}

/* A closed pipe is the reader's choice and has a status of its own. */
enum err out_error(const struct out *out, struct diag *diag)
{
	if (!out->error)
		return ERR_OK;
	if (out->error == EPIPE)
		return diag_fail(diag, ERR_PIPE, "the reader closed the pipe");
	return diag_fail(diag, ERR_OUTPUT, "output cannot be written: %s", strerror(out->error));
}

enum err out_end(struct out *out, struct diag *diag)
{
	note(out, fflush(out->file) == 0);
	return out_error(out, diag);
}
