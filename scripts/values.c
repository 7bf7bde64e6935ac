/*
 * Lists and ranges of values, see values.h.
 *
 * Every value goes through param_set() on a copy of the parameter, so what a
 * sweep accepts is what -p accepts, in the same words.  Both ends of a range
 * are checked, which checks all between them.
 */
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loaded.h"

_Static_assert((int)VALUES_TEXT_MAX == (int)PARAM_TEXT_MAX, "a value fits in its text");

#define RANGE_FORM "write A..B*F or A..B+S"

static const struct param *param_of(const struct script *script, const char *name)
{
	for (size_t i = 0; i < script->nr_params; i++)
		if (strcmp(script->param[i].name, name) == 0)
			return &script->param[i];
	return NULL;
}

static bool is_numeric(enum param_type type)
{
	return type == PARAM_SIZE || type == PARAM_TIME || type == PARAM_INT;
}

void values_fini(struct values *values)
{
	free(values->one);
	*values = (struct values){ .one = NULL };
}

char *values_text(const struct script *script, const char *name, int64_t number,
		  char out[VALUES_TEXT_MAX])
{
	const struct param *param = param_of(script, name);

	out[0] = '\0';
	if (param != NULL && is_numeric(param->type))
		param_text(param, &(struct param_value){ .integer = number }, out);
	return out;
}

/* ---- adding ---- */

struct reader {
	struct param param; /* a copy: its value is the last one read */
	struct values *out;
	struct diag *diag;
};

/* Two texts of one value, "16M" and "16384K", are the same value. */
static enum err value_add(struct reader *reader)
{
	struct values *out = reader->out;
	struct values_one one = { .number = reader->param.value.integer };
	struct values_one *all;

	param_text(&reader->param, &reader->param.value, one.text);
	for (size_t i = 0; i < out->nr; i++)
		if (strcmp(out->one[i].text, one.text) == 0)
			return diag_fail(reader->diag, ERR_USAGE, "%s: %.100s is there twice",
					 reader->param.name, one.text);
	if (out->nr == VALUES_MAX)
		return diag_fail(reader->diag, ERR_USAGE, "%s: more than %d values",
				 reader->param.name, VALUES_MAX);
	all = realloc(out->one, (out->nr + 1) * sizeof(*all));
	if (all == NULL)
		return diag_fail(reader->diag, ERR_NOMEM, "no memory for values of %s",
				 reader->param.name);
	out->one = all;
	all[out->nr++] = one;
	return ERR_OK;
}

/* ---- ranges ---- */

/* A..B*F and A..B+S in parts. */
struct range {
	char first[VALUES_TEXT_MAX], last[VALUES_TEXT_MAX];
	char op; /* '*' or '+' */
	const char *step;
};

/* Part of a text, if it fits. */
static bool part_copy(char out[VALUES_TEXT_MAX], const char *from, const char *to)
{
	size_t n = (size_t)(to - from);

	if (n >= VALUES_TEXT_MAX)
		return false;
	memcpy(out, from, n);
	out[n] = '\0';
	return true;
}

static enum err range_split(const struct reader *reader, const char *item, struct range *out)
{
	const char *dots = strstr(item, ".."), *last = dots + 2;
	const char *op = last + strcspn(last, "*+");

	if (*op == '\0' || !part_copy(out->first, item, dots) || !part_copy(out->last, last, op))
		return diag_fail(reader->diag, ERR_USAGE, "%s: \"%.100s\" has no step: " RANGE_FORM,
				 reader->param.name, item);
	out->op = *op;
	out->step = op + 1;
	return ERR_OK;
}

/* F of A..B*F: a plain number above 1, of which A has to be able to grow. */
static bool read_factor(const char *text, double *out)
{
	char *end;

	if (strspn(text, "0123456789.") != strlen(text))
		return false;
	*out = strtod(text, &end);
	return end != text && *end == '\0' && *out > 1;
}

/* S of A..B+S is a number of the parameter's own kind, which its range says nothing of. */
static bool read_step(const struct param *param, const char *text, int64_t *out)
{
	struct param step = *param;

	step.has_min = step.has_max = false;
	if (param_set(&step, text, NULL) != ERR_OK)
		return false;
	*out = step.value.integer;
	return *out > 0;
}

/* The next value, above @number; false if it is above all numbers. */
static bool value_next(char op, double factor, int64_t step, double *exact, int64_t *number)
{
	if (op == '+') {
		if (*number > INT64_MAX - step)
			return false;
		*number += step;
		return true;
	}
	do
		*exact *= factor;
	while (*exact < 9e18 && llround(*exact) <= *number);
	if (*exact >= 9e18)
		return false;
	*number = llround(*exact);
	return true;
}

static enum err range_add(struct reader *reader, const char *item)
{
	struct param *param = &reader->param;
	struct range range = { .op = '\0' };
	double factor = 0, exact;
	int64_t step = 0, last;
	enum err err = range_split(reader, item, &range);

	if (err == ERR_OK)
		err = param_set(param, range.last, reader->diag);
	last = param->value.integer;
	if (err == ERR_OK)
		err = param_set(param, range.first, reader->diag);
	if (err != ERR_OK)
		return err;
	exact = (double)param->value.integer;
	if (range.op == '*' ? !read_factor(range.step, &factor)
			    : !read_step(param, range.step, &step))
		return diag_fail(reader->diag, ERR_USAGE,
				 "%s: \"%.50s\" is no step of \"%.100s\": "
				 "%s",
				 param->name, range.step, item,
				 range.op == '*' ? "write a number above 1" : "write one above 0");
	if (range.op == '*' && param->value.integer <= 0)
		return diag_fail(reader->diag, ERR_USAGE,
				 "%s: \"%.100s\": %s cannot grow by a "
				 "factor",
				 param->name, item, range.first);
	if (param->value.integer > last)
		return diag_fail(reader->diag, ERR_USAGE, "%s: \"%.100s\" ends before it begins",
				 param->name, item);
	do
		err = value_add(reader);
	while (err == ERR_OK && value_next(range.op, factor, step, &exact, &param->value.integer) &&
	       param->value.integer <= last);
	return err;
}

/* ---- the whole ---- */

/* Text of any other type may hold dots of its own. */
static enum err item_add(struct reader *reader, const char *item)
{
	enum err err;

	if (reader->out->numeric && strstr(item, "..") != NULL)
		return range_add(reader, item);
	err = param_set(&reader->param, item, reader->diag);
	return err == ERR_OK ? value_add(reader) : err;
}

static enum err items_add(struct reader *reader, const char *spec)
{
	enum err err = ERR_OK;
	const char *end;

	for (; err == ERR_OK; spec = end + 1) {
		char item[3 * VALUES_TEXT_MAX];
		size_t n;

		end = spec + strcspn(spec, ",");
		n = (size_t)(end - spec);
		if (n >= sizeof(item))
			return diag_fail(reader->diag, ERR_USAGE, "%s: a value is too long",
					 reader->param.name);
		memcpy(item, spec, n);
		item[n] = '\0';
		err = item_add(reader, item);
		if (*end == '\0')
			break;
	}
	return err;
}

enum err values_read(const struct script *script, const char *name, const char *spec,
		     struct values *out, struct diag *diag)
{
	const struct param *param = param_of(script, name);
	struct reader reader = { .out = out, .diag = diag };

	*out = (struct values){ .one = NULL };
	if (param == NULL)
		return loaded_no_param(script, name, diag);
	if (param->type == PARAM_SEED)
		return diag_fail(diag, ERR_USAGE, "%s: seeds are varied by --repeat", name);
	if (param->type == PARAM_LIST)
		return diag_fail(diag, ERR_USAGE, "%s: a list is one value, not several", name);
	reader.param = *param;
	out->numeric = is_numeric(param->type);
	return items_add(&reader, spec);
}
