/*
 * Metrics and expectations of a script as memory of our own: the script is
 * gone before anybody reads them.
 */
#include "lab_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts what does not fit: names have been checked, texts are for display. */
static void word_copy(char *out, size_t size, const char *text)
{
	snprintf(out, size, "%s", text != NULL ? text : "");
}

/* From the script's memory to memory of our own: the script is gone before anybody reads it. */
static void metric_copy(const struct script_metric *from, struct db_metric *to)
{
	memset(to, 0, sizeof(*to));
	word_copy(to->name, sizeof(to->name), from->name);
	word_copy(to->unit, sizeof(to->unit), from->unit);
	word_copy(to->better, sizeof(to->better), from->better);
	to->missing = from->missing;
	to->is_text = from->is_text;
	to->is_real = from->is_real;
	to->integer = from->integer;
	to->real = from->real;
	word_copy(to->text, sizeof(to->text), from->text);
}

/* A metric without a value stays one: it is shown as a dash, not as 0. */
static enum err metrics_take(const struct script *script, struct lab_outcome *out,
			     struct diag *diag)
{
	size_t n = script_metric_count(script);

	out->metric = calloc(n + 1, sizeof(*out->metric));
	if (out->metric == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the metrics");
	for (size_t i = 0; i < n; i++) {
		struct script_metric metric;

		script_metric(script, i, &metric);
		metric_copy(&metric, &out->metric[out->nr_metrics++]);
	}
	return ERR_OK;
}

/* Texts are copied, for the same reason. */
static enum err expects_take(const struct script *script, struct lab_outcome *out,
			     struct diag *diag)
{
	size_t n = script_expect_count(script);

	out->expect = calloc(n + 1, sizeof(*out->expect));
	if (out->expect == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the expectations");
	for (size_t i = 0; i < n; i++) {
		struct db_expect *to = &out->expect[out->nr_expects++];
		struct script_expect from;

		script_expect(script, i, &from);
		*to = (struct db_expect){
			.text = strdup(from.text),
			.ok = from.ok,
			.has_value = from.has_value,
			.has_wanted = from.has_wanted,
			.value = from.value,
			.wanted = from.wanted,
		};
		word_copy(to->label, sizeof(to->label), from.label);
		if (to->text == NULL)
			return diag_fail(diag, ERR_NOMEM, "no memory for the expectations");
	}
	return ERR_OK;
}

enum err lab_results(const struct script *script, struct lab_outcome *out, struct diag *diag)
{
	enum err err = metrics_take(script, out, diag);

	return err == ERR_OK ? expects_take(script, out, diag) : err;
}
