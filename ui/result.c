/*
 * Runs for programs: the JSON of the interface, whose names do not change
 * within a major version, and plain rows.  Also the loading of a stored run
 * into the form that a fresh one has, so that both are written by the same
 * code.
 */
#include "result.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "locks.h"
#include "output.h"
#include "printed.h"
#include "taken.h"

enum { US = 1000 };	     /* [ns] */
enum { REAL_DIGITS = 15 }; /* a double written so is the one that people wrote */

/* JSON knows no infinity: what is none is null. */
static json_t *real_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* A metric is a text, a real or an integer, and stays that. */
static json_t *metric_json(const struct db_metric *metric)
{
	if (metric->missing)
		return json_null();
	if (metric->is_text)
		return json_string(metric->text);
	return metric->is_real ? real_json(metric->real) : json_integer(metric->integer);
}

/* In the order in which they were computed: the engine's own first. */
static json_t *metrics_json(const struct lab_outcome *outcome)
{
	json_t *metrics = json_object();

	for (size_t i = 0; i < outcome->nr_metrics; i++)
		json_object_set_new(metrics, outcome->metric[i].name,
				    metric_json(&outcome->metric[i]));
	return metrics;
}

/* value and wanted only where the expectation compares numbers. */
static json_t *expect_json(const struct db_expect *expect)
{
	json_t *object = json_object();

	json_object_set_new(object, "text", json_string(expect->text));
	json_object_set_new(object, "label", json_string(expect->label));
	json_object_set_new(object, "ok", json_boolean(expect->ok));
	if (expect->has_value)
		json_object_set_new(object, "value", real_json(expect->value));
	if (expect->has_wanted)
		json_object_set_new(object, "wanted", real_json(expect->wanted));
	return object;
}

/* In the order in which the scenario stated them. */
static json_t *expects_json(const struct lab_outcome *outcome)
{
	json_t *list = json_array();

	for (size_t i = 0; i < outcome->nr_expects; i++)
		json_array_append_new(list, expect_json(&outcome->expect[i]));
	return list;
}

/* Who took pages from whom: the rows of v_taken. */
static json_t *taken_json(const struct lab_outcome *outcome)
{
	json_t *list = json_array();

	for (size_t i = 0; i < outcome->nr_taken; i++)
		json_array_append_new(list, json_pack("{s:s,s:s,s:I}", "by", outcome->taken[i].by,
						      "owner", outcome->taken[i].owner, "nr",
						      (json_int_t)outcome->taken[i].nr));
	return list;
}

/* Figures of lock_stat with the names of v_lock; additions to shared lines are no locks. */
static json_t *locks_json(const struct lab_outcome *outcome)
{
	json_t *list = json_array();

	for (size_t i = 0; i < outcome->nr_locks; i++) {
		const struct run_lock *lock = &outcome->lock[i];
		const struct lock_stat *sum = &lock->sum;

		if (lock->atomic)
			continue;
		json_array_append_new(
			list, json_pack("{s:s,s:I,s:I,s:f,s:f,s:f,s:I,s:I,s:f,s:f,s:f}", "class",
					lock->name, "con_bounces", (json_int_t)sum->con_bounces,
					"contentions", (json_int_t)sum->wait.nr, "waittime_min",
					(double)sum->wait.min / US, "waittime_max",
					(double)sum->wait.max / US, "waittime_total",
					(double)sum->wait.total / US, "acq_bounces",
					(json_int_t)sum->acq_bounces, "acquisitions",
					(json_int_t)sum->hold.nr, "holdtime_min",
					(double)sum->hold.min / US, "holdtime_max",
					(double)sum->hold.max / US, "holdtime_total",
					(double)sum->hold.total / US));
	}
	return list;
}

/* What the scenario printed, an element a line. */
static json_t *log_json(const struct lab_outcome *outcome)
{
	const char *line = outcome->printed != NULL ? outcome->printed : "", *end;
	json_t *list = json_array();

	for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		json_t *text = json_stringn(line, (size_t)(end - line));

		json_array_append_new(list, text != NULL ? text : json_string("?"));
	}
	return list;
}

/* Text kept as JSON; what cannot be read is an empty object. */
static json_t *object_json(const char *text)
{
	json_t *object = text != NULL ? json_loads(text, 0, NULL) : NULL;

	return object != NULL ? object : json_object();
}

/* Notes and errors may hold anything; what is no UTF-8 cannot be JSON.  No text is null. */
static json_t *text_json(const char *text)
{
	json_t *value = text != NULL && text[0] != '\0' ? json_string(text) : json_null();

	return value != NULL ? value : json_string_nocheck("?");
}

/* Names here do not change within a major version; new ones may be added. */
json_t *result_json(const struct lab_outcome *outcome, bool expect)
{
	const struct db_run *run = &outcome->run;
	json_t *root = json_object();

	json_object_set_new(root, "id", json_integer(run->id));
	json_object_set_new(root, "uuid", json_string(run->uuid));
	json_object_set_new(root, "scenario", text_json(run->scenario));
	json_object_set_new(root, "kernel", json_string(run->kernel));
	json_object_set_new(root, "alias", json_string(run->alias));
	json_object_set_new(root, "seed", json_integer((json_int_t)run->seed));
	json_object_set_new(root, "state", json_string(run_state_name(run->state)));
	json_object_set_new(root, "pair", json_integer(run->pair));
	json_object_set_new(root, "created", json_string(run->created));
	json_object_set_new(root, "wall_ns", json_integer((json_int_t)run->wall_ns));
	json_object_set_new(root, "steps", json_integer((json_int_t)run->steps));
	json_object_set_new(root, "version", json_string(run->version));
	json_object_set_new(root, "tag", text_json(run->tag));
	json_object_set_new(root, "note", text_json(run->note));
	json_object_set_new(root, "error", text_json(run->error));
	json_object_set_new(root, "params", object_json(run->params));
	json_object_set_new(root, "machine", object_json(run->machine));
	json_object_set_new(root, "metrics", metrics_json(outcome));
	if (expect) {
		json_object_set_new(root, "expect", expects_json(outcome));
		json_object_set_new(root, "taken", taken_json(outcome));
		json_object_set_new(root, "locks", locks_json(outcome));
		json_object_set_new(root, "log", log_json(outcome));
	}
	return root;
}

/* One line, so that several can stand below each other. Numbers with as many digits as a double
 * keeps. */
enum err result_dump(json_t *root, FILE *out, struct diag *diag)
{
	int failed;

	if (root == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the output");
	failed = json_dumpf(root, out, JSON_COMPACT | JSON_REAL_PRECISION(REAL_DIGITS));
	json_decref(root);
	putc('\n', out);
	if (failed != 0 && !ferror(out))
		return diag_fail(diag, ERR_OUTPUT, "a text of this run is not UTF-8");
	return output_check(out, diag);
}

/* ---- from the store ---- */

/* Some dozens at most, so one by one is good enough. */
static enum err metric_row(void *ctx, const struct db_metric *metric)
{
	struct lab_outcome *out = ctx;
	struct db_metric *all = realloc(out->metric, (out->nr_metrics + 1) * sizeof(*all));

	if (all == NULL)
		return ERR_NOMEM;
	out->metric = all;
	all[out->nr_metrics++] = *metric;
	return ERR_OK;
}

/* The text is the reader's only during the call. */
static enum err expect_row(void *ctx, const struct db_expect *expect)
{
	struct lab_outcome *out = ctx;
	struct db_expect *all = realloc(out->expect, (out->nr_expects + 1) * sizeof(*all));
	char *text = strdup(expect->text);

	if (all != NULL)
		out->expect = all;
	if (all == NULL || text == NULL) {
		free(text);
		return ERR_NOMEM;
	}
	all[out->nr_expects] = *expect;
	all[out->nr_expects++].text = text;
	return ERR_OK;
}

/* So are its paths. */
static enum err taken_row(void *ctx, const struct db_taken_row *row)
{
	struct lab_outcome *out = ctx;
	struct lab_taken *all = realloc(out->taken, (out->nr_taken + 1) * sizeof(*all));

	if (all == NULL)
		return ERR_NOMEM;
	out->taken = all;
	snprintf(all[out->nr_taken].by, GROUP_PATH_MAX, "%s", row->by);
	snprintf(all[out->nr_taken].owner, GROUP_PATH_MAX, "%s", row->owner);
	all[out->nr_taken++].nr = row->nr;
	return ERR_OK;
}

static enum err lock_row(void *ctx, const struct run_lock *row)
{
	struct lab_outcome *out = ctx;
	struct run_lock *all = realloc(out->lock, (out->nr_locks + 1) * sizeof(*all));

	if (all == NULL)
		return ERR_NOMEM;
	out->lock = all;
	all[out->nr_locks++] = *row;
	return ERR_OK;
}

static enum err log_row(void *ctx, const char *line)
{
	struct lab_outcome *out = ctx;
	size_t n = strlen(line);
	char *all = realloc(out->printed, out->printed_size + n + 2);

	if (all == NULL)
		return ERR_NOMEM;
	out->printed = all;
	snprintf(all + out->printed_size, n + 2, "%s\n", line);
	out->printed_size += n + 1;
	return ERR_OK;
}

/* Runs of the same pair come before the one that is loaded, and older than the first is none. */
static enum err side_row(void *ctx, const struct db_run *run)
{
	struct lab_outcome *out = ctx;

	out->side += run->pair == out->run.pair && run->id < out->run.id;
	return run->id <= out->run.pair ? ERR_EXPECT : ERR_OK;
}

/* The row is taken over: it is freed with the outcome. */
enum err result_load(struct db *db, const struct db_run *row, bool expect, struct lab_outcome *out,
		     struct diag *diag)
{
	enum err err;

	memset(out, 0, sizeof(*out));
	out->run = *row;
	if (expect && row->pair != 0)
		db_runs(db, 0, side_row, out, NULL);
	err = db_metrics(db, row->id, metric_row, out, diag);
	if (err == ERR_OK && expect)
		err = db_expects(db, row->id, expect_row, out, diag);
	if (err == ERR_OK && expect)
		err = db_taken(db, row->id, taken_row, out, diag);
	if (err == ERR_OK && expect)
		err = db_locks(db, row->id, lock_row, out, diag);
	if (err == ERR_OK && expect)
		err = db_printed(db, row->id, log_row, out, diag);
	return err;
}

enum err result_find(struct lab *lab, const char *ref, bool expect, struct lab_outcome **out,
		     struct diag *diag)
{
	struct db_run run = { .id = 0 };
	struct db *db;
	enum err err;

	*out = calloc(1, sizeof(**out));
	if (*out == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the run");
	err = lab_db(lab, DB_READ, &db, diag);
	if (err == ERR_OK)
		err = db_run_find(db, ref, &run, diag);
	if (err == ERR_OK)
		err = result_load(db, &run, expect, *out, diag);
	if (err == ERR_OK)
		return ERR_OK;
	lab_outcomes_free(*out, 1);
	*out = NULL;
	return err;
}

/* ---- rows ---- */

enum { ROW_COLUMNS = 8 };

/* The type of the value column differs from row to row, as the metrics do. */
static enum err metric_write(struct output *out, const struct db_run *run,
			     const struct db_metric *metric, struct diag *diag)
{
	static const int text_types[ROW_COLUMNS] = { OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_TEXT,
						     OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_TEXT,
						     OUTPUT_TEXT,    OUTPUT_TEXT };
	char id[32], seed[32], number[64];
	const char *values[ROW_COLUMNS] = { id,           run->scenario, run->kernel,    seed,
					    metric->name, metric->unit,  metric->better, number };
	int types[ROW_COLUMNS];

	memcpy(types, text_types, sizeof(types));
	snprintf(id, sizeof(id), "%lld", (long long)run->id);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)run->seed);
	if (metric->missing) {
		values[7] = NULL;
		types[7] = OUTPUT_NULL;
	} else if (metric->is_text) {
		values[7] = metric->text;
	} else if (metric->is_real) {
		snprintf(number, sizeof(number), "%.*g", REAL_DIGITS, metric->real);
		types[7] = OUTPUT_REAL;
	} else {
		snprintf(number, sizeof(number), "%lld", (long long)metric->integer);
		types[7] = OUTPUT_INTEGER;
	}
	return output_row(out, ROW_COLUMNS, values, types, diag);
}

/* Long form: a metric that one run lacks is a row less, not a hole. */
enum err result_rows(const struct lab_outcome *outcome, size_t nr, const struct output_style *style,
		     FILE *file, struct diag *diag)
{
	static const char *const names[ROW_COLUMNS] = { "run",  "scenario", "kernel", "seed",
							"name", "unit",     "better", "value" };
	struct output *out;
	enum err err = output_new(style, file, &out, diag);

	if (err == ERR_OK)
		err = output_head(out, ROW_COLUMNS, names, diag);
	for (size_t i = 0; i < nr; i++)
		for (size_t m = 0; m < outcome[i].nr_metrics && err == ERR_OK; m++)
			err = metric_write(out, &outcome[i].run, &outcome[i].metric[m], diag);
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* Over all outcomes, for the one sentence at the end. */
size_t result_failed(const struct lab_outcome *outcome, size_t nr, size_t *total)
{
	size_t failed = 0;

	*total = 0;
	for (size_t i = 0; i < nr; i++) {
		*total += outcome[i].nr_expects;
		for (size_t e = 0; e < outcome[i].nr_expects; e++)
			failed += !outcome[i].expect[e].ok;
	}
	return failed;
}
