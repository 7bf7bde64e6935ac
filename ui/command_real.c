/*
 * memcglab real: workloads that a real kernel ran, predicted and held
 * against what it counted.  check says of each counter what was recorded,
 * what the model says and how far that is outside; then whether pages were
 * evicted in the kernel's own order, and after which one no longer.
 */
#include <string.h>

#include "command.h"
#include "output.h"
#include "real_check.h"
#include "result.h"

/* Everything that a sub-command works with. */
struct job {
	struct command *cmd;
	struct real_set set;
	struct real_watch watch;
	json_t *rows, *evictions, *missing; /* NULL: not JSON */
	struct output *table;               /* NULL: JSON, or text for people */
	size_t nr_outside, nr_checked;
};

/* An interrupt of the user's, looked for by the driver. */
static bool stop(void *ctx)
{
	(void)ctx;
	return child_interrupted();
}

/* JSON and text for people are written here, rows by the one writer of rows. */
static bool is_format(const struct job *job, const char *format)
{
	return strcmp(job->cmd->args->format, format) == 0;
}

/* ---- list ---- */

/* Whether each can be predicted is said at once, so that nobody waits for a refusal. */
static enum err list_rows(struct job *job, struct diag *diag)
{
	static const char *const names[] = { "experiment", "groups", "tasks", "model" };
	static const int types[] = { OUTPUT_TEXT, OUTPUT_INTEGER, OUTPUT_INTEGER, OUTPUT_TEXT };
	enum err err = output_head(job->table, 4, names, diag);

	for (size_t i = 0; i < job->set.nr && err == ERR_OK; i++) {
		const struct real_experiment *exp = &job->set.experiment[i];
		char missing[REAL_TEXT_MAX], groups[32], tasks[32], model[REAL_TEXT_MAX + 32];
		const char *values[] = { exp->name, groups, tasks, model };

		snprintf(groups, sizeof(groups), "%zu", exp->nr_groups);
		snprintf(tasks, sizeof(tasks), "%zu", exp->nr_tasks);
		snprintf(model, sizeof(model), "%s",
			 real_free_running(exp) ? "yes, free-running" : "yes");
		if (real_missing(exp, missing))
			snprintf(model, sizeof(model), "not modelled yet: %s", missing);
		err = output_row(job->table, 4, values, types, diag);
	}
	return err;
}

/* Any format of rows. */
static enum err real_list(struct job *job, struct diag *diag)
{
	enum err err = output_new(&job->cmd->style, job->cmd->out, &job->table, diag);

	if (err == ERR_OK)
		err = list_rows(job, diag);
	return err == ERR_OK ? output_end(job->table, diag) : err;
}

/* ---- run ---- */

/* Counters that stayed 0 are left out: there are many.  A hash is no number to reckon with. */
static enum err run_rows(struct job *job, const struct real_figures *figures, struct diag *diag)
{
	static const char *const names[] = { "no", "phase", "task", "counter", "predicted" };
	static const int types[] = { OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT,
				     OUTPUT_INTEGER };
	enum err err = output_head(job->table, 5, names, diag);

	for (size_t i = 0; i < figures->nr && err == ERR_OK; i++) {
		const struct real_figure *figure = &figures->figure[i];
		char no[32], value[32];
		const char *values[] = { no, figure->phase, figure->who, figure->counter, value };
		int row_types[5];

		if (figure->value == 0)
			continue;
		memcpy(row_types, types, sizeof(types));
		row_types[4] = figure->is_hash ? OUTPUT_TEXT : OUTPUT_INTEGER;
		snprintf(no, sizeof(no), "%u", figure->no);
		snprintf(value, sizeof(value), figure->is_hash ? "%016llx" : "%lld",
			 (long long)figure->value);
		err = output_row(job->table, 5, values, row_types, diag);
	}
	return err;
}

/* Nothing recorded is read: statistics are flushed at the marks only. */
static enum err real_run(struct job *job, struct diag *diag)
{
	const struct real_experiment *exp;
	struct real_prediction prediction;
	enum err err;

	if (job->cmd->args->nr_args != 2)
		return diag_fail(diag, ERR_USAGE, "usage: memcglab real run NAME");
	err = real_find(&job->set, job->cmd->args->arg[1], &exp, diag);
	if (err == ERR_OK)
		err = real_predict(exp, NULL, &job->watch, &prediction, diag);
	if (err != ERR_OK)
		return err;
	if (prediction.note[0] != '\0' && job->cmd->notes != NULL)
		fprintf(job->cmd->notes, "%s: %s\n", exp->name, prediction.note);
	err = output_new(&job->cmd->style, job->cmd->out, &job->table, diag);
	if (err == ERR_OK)
		err = run_rows(job, &prediction.figures, diag);
	if (err == ERR_OK)
		err = output_end(job->table, diag);
	real_prediction_free(&prediction);
	return err;
}

/* ---- check: as JSON ---- */

/* Every counter, also those that are 0 on both sides. */
static void json_check(struct job *job, const char *name, const struct real_check *check)
{
	if (check->missing[0] != '\0')
		json_array_append_new(job->missing, json_pack("{s:s,s:s}", "experiment", name,
							      "missing", check->missing));
	for (size_t i = 0; i < check->nr_rows; i++) {
		const struct real_row *row = &check->row[i];
		json_t *object = json_pack("{s:s,s:I,s:s,s:s,s:s}", "experiment", name, "no",
					   (json_int_t)row->no, "phase", row->phase, "task",
					   row->who, "counter", row->counter);

		json_object_set_new(object, "min", json_integer((json_int_t)row->min));
		json_object_set_new(object, "median", json_real(row->median));
		json_object_set_new(object, "max", json_integer((json_int_t)row->max));
		json_object_set_new(object, "predicted", json_integer((json_int_t)row->predicted));
		json_object_set_new(object, "error", json_real(row->error));
		json_array_append_new(job->rows, object);
	}
	for (size_t i = 0; i < check->nr_orders; i++) {
		const struct real_order *order = &check->order[i];

		json_array_append_new(job->evictions,
				      json_pack("{s:s,s:I,s:s,s:s,s:b,s:b,s:b}", "experiment", name,
						"no", (json_int_t)order->no, "phase", order->phase,
						"task", order->who, "del_match",
						(int)order->del_match, "add_match",
						(int)order->add_match, "match",
						order->del_match && order->add_match));
	}
}

/* What could not be predicted is named only where there is such: rows and evictions stay as
 * they are. */
static enum err json_end(struct job *job, struct diag *diag)
{
	json_t *root = json_pack("{s:O,s:O}", "rows", job->rows, "evictions", job->evictions);

	if (json_array_size(job->missing) > 0)
		json_object_set(root, "not_modelled", job->missing);
	return result_dump(root, job->cmd->out, diag);
}

/* ---- check: as rows ---- */

enum { CHECK_COLUMNS = 10 };

/* The same names as in JSON. */
static enum err rows_head(struct job *job, struct diag *diag)
{
	static const char *const names[CHECK_COLUMNS] = { "experiment", "no",	 "phase",
							  "task",	"counter",	 "min",
							  "median",	"max",	 "predicted",
							  "error" };

	return output_head(job->table, CHECK_COLUMNS, names, diag);
}

/* The orders of eviction have no place among counters; they are in JSON and in the text. */
static enum err rows_check(struct job *job, const char *name, const struct real_check *check,
			   struct diag *diag)
{
	static const int types[CHECK_COLUMNS] = {
		OUTPUT_TEXT,	OUTPUT_INTEGER, OUTPUT_TEXT,	OUTPUT_TEXT,	OUTPUT_TEXT,
		OUTPUT_INTEGER, OUTPUT_REAL,	OUTPUT_INTEGER, OUTPUT_INTEGER, OUTPUT_REAL,
	};
	enum err err = ERR_OK;

	for (size_t i = 0; i < check->nr_rows && err == ERR_OK; i++) {
		const struct real_row *row = &check->row[i];
		char text[6][32];
		const char *values[CHECK_COLUMNS] = { name,    text[0], row->phase, row->who,
						      row->counter, text[1], text[2],   text[3],
						      text[4],	text[5] };

		snprintf(text[0], sizeof(text[0]), "%u", row->no);
		snprintf(text[1], sizeof(text[1]), "%.0f", row->min);
		snprintf(text[2], sizeof(text[2]), "%.1f", row->median);
		snprintf(text[3], sizeof(text[3]), "%.0f", row->max);
		snprintf(text[4], sizeof(text[4]), "%.0f", row->predicted);
		snprintf(text[5], sizeof(text[5]), "%.6g", row->error);
		err = output_row(job->table, CHECK_COLUMNS, values, types, diag);
	}
	return err;
}

/* ---- check: for people ---- */

/* A star marks what is outside, so that a search for one finds them all. */
static void text_row(FILE *out, const struct real_row *row)
{
	if (row->max == 0 && row->min == 0 && row->predicted == 0)
		return;
	fprintf(out, "%c %2u %-9s %-5s %-16s %9.0f %11.1f %9.0f %9.0f", row->error > 0 ? '*' : ' ',
		row->no, row->phase, row->who, row->counter, row->min, row->median, row->max,
		row->predicted);
	if (row->error > 0)
		fprintf(out, " %9.4f%%", 100 * row->error);
	fputc('\n', out);
}

/* Which page it was, and when. */
static void text_eviction(FILE *out, const char *side, const struct real_eviction *eviction)
{
	if (eviction->evicted == 0)
		fprintf(out, "    %s: no more evictions\n", side);
	else
		fprintf(out, "    %s: eviction %llu is page %llu of %s, after %llu added\n", side,
			(unsigned long long)eviction->evicted, (unsigned long long)eviction->page,
			eviction->file, (unsigned long long)eviction->added);
}

/* Only those that are not as recorded, then where the first run was left. */
static void text_orders(FILE *out, const struct real_check *check)
{
	for (size_t i = 0; i < check->nr_orders; i++) {
		const struct real_order *order = &check->order[i];

		if (!order->del_match || !order->add_match)
			fprintf(out, "* %2u %-9s %-5s%s%s\n", order->no, order->phase, order->who,
				order->del_match ? "" : " evicted in another order",
				order->add_match ? "" : " added in another order");
	}
	if (!check->departs)
		return;
	fprintf(out, "  the first run's order of evictions is left after number %llu\n",
		(unsigned long long)check->after.evicted);
	text_eviction(out, "recorded ", &check->recorded);
	text_eviction(out, "predicted", &check->predicted);
}

/* The counter that is furthest outside. */
static void text_worst(FILE *out, const struct real_row *worst)
{
	if (worst != NULL && worst->error > 0)
		fprintf(out, ", worst %.4f%%: %s of %s in %u %s", 100 * worst->error,
			worst->counter, worst->who, worst->no, worst->phase);
}

/* Runs whose statistics were flushed at other places have predictions of their own. */
static void text_variants(FILE *out, const struct real_check *check)
{
	for (size_t v = 0; v < check->nr_variants && check->nr_variants > 1; v++) {
		const struct real_variant *variant = &check->variant[v];

		fputs("  with the flushes of run", out);
		for (size_t i = 0; i < variant->nr_reps; i++)
			fprintf(out, " %u", variant->rep[i]);
		fprintf(out, ": %zu outside of its range, %zu in another order", variant->outside,
			variant->order_misses);
		text_worst(out, &variant->worst);
		fputc('\n', out);
	}
}

/* NULL if everything is inside. */
static const struct real_row *worst_row(const struct real_check *check)
{
	const struct real_row *worst = NULL;

	for (size_t i = 0; i < check->nr_rows; i++)
		if (check->row[i].error > (worst != NULL ? worst->error : 0))
			worst = &check->row[i];
	return worst;
}

/* One line an experiment, also for one that cannot be predicted. */
static void text_summary(FILE *out, const char *name, const struct real_check *check)
{
	const struct real_row *worst = worst_row(check);

	if (check->missing[0] != '\0') {
		fprintf(out, "%-18s not modelled yet: %s\n", name, check->missing);
		return;
	}
	fprintf(out, "%-18s %zu of %zu counters inside, %zu of %zu orders of eviction the same",
		name, check->nr_rows - check->outside, check->nr_rows,
		check->nr_orders - check->order_misses, check->nr_orders);
	text_worst(out, worst);
	if (check->note[0] != '\0')
		fprintf(out, " (%s)", check->note);
	fputc('\n', out);
}

/* All counters of an experiment, then its summary, so that the end of the output is the sum. */
static void text_check(struct job *job, const char *name, const struct real_check *check)
{
	FILE *out = job->cmd->out;

	if (check->missing[0] == '\0') {
		fprintf(out,
			"%s%s\n  no phase     who   counter                min      median  "
			"     max predicted      error\n",
			job->nr_checked > 0 ? "\n" : "", name);
		for (size_t i = 0; i < check->nr_rows; i++)
			text_row(out, &check->row[i]);
		text_orders(out, check);
		text_variants(out, check);
	}
	text_summary(out, name, check);
}

/* ---- check ---- */

/* Experiments are printed as they come: the whole set takes a while. */
static enum err check_one(struct job *job, const struct real_experiment *exp, struct diag *diag)
{
	struct real_check check;
	enum err err = real_check_run(&job->set, exp, &job->watch, &check, diag);

	if (err != ERR_OK)
		return err;
	if (job->rows != NULL)
		json_check(job, exp->name, &check);
	else if (job->table != NULL)
		err = rows_check(job, exp->name, &check, diag);
	else
		text_check(job, exp->name, &check);
	job->nr_outside += check.outside + check.order_misses + (check.missing[0] != '\0');
	job->nr_checked++;
	real_check_free(&check);
	return err != ERR_OK ? err : output_check(job->cmd->out, diag);
}

/* Rows of all experiments are one table, and one document. */
static enum err check_begin(struct job *job, struct diag *diag)
{
	enum err err = ERR_OK;

	if (is_format(job, "json")) {
		job->rows = json_array();
		job->evictions = json_array();
		job->missing = json_array();
	} else if (!is_format(job, "table")) {
		err = output_new(&job->cmd->style, job->cmd->out, &job->table, diag);
		if (err == ERR_OK)
			err = rows_head(job, diag);
	}
	return err;
}

/* What was collected is written at the end. */
static enum err check_end(struct job *job, struct diag *diag)
{
	if (job->rows != NULL)
		return json_end(job, diag);
	return job->table != NULL ? output_end(job->table, diag) : ERR_OK;
}

/* All of the folder, or those named, in the order given. */
static enum err real_check_verb(struct job *job, struct diag *diag)
{
	const struct args *args = job->cmd->args;
	enum err err = check_begin(job, diag);

	for (size_t i = 1; i < args->nr_args && err == ERR_OK; i++) {
		const struct real_experiment *exp;

		err = real_find(&job->set, args->arg[i], &exp, diag);
		if (err == ERR_OK)
			err = check_one(job, exp, diag);
	}
	for (size_t i = 0; args->nr_args == 1 && i < job->set.nr && err == ERR_OK; i++)
		err = check_one(job, &job->set.experiment[i], diag);
	if (err == ERR_OK)
		err = check_end(job, diag);
	if (err == ERR_OK && job->nr_outside > 0)
		err = diag_fail(diag, ERR_EXPECT,
				"%zu counters, orders or experiments are not as "
				"recorded",
				job->nr_outside);
	return err;
}

struct sub {
	const char *name;
	enum err (*run)(struct job *job, struct diag *diag);
};

static const struct sub subs[] = {
	{ "list", real_list },
	{ "run", real_run },
	{ "check", real_check_verb },
};

/* Opened for every sub-command, and closed whatever it came to. */
static enum err with_set(struct job *job, const struct sub *sub, struct diag *diag)
{
	const struct args *args = job->cmd->args;
	const char *dir = args->dir != NULL ? args->dir : lab_real_dir(job->cmd->lab);
	enum err err;

	if (dir[0] == '\0')
		return diag_fail(diag, ERR_USAGE,
				 "no recorded experiments here: name a folder "
				 "with --dir");
	err = real_open(dir, &job->set, diag);
	if (err == ERR_OK)
		err = sub->run(job, diag);
	real_close(&job->set);
	json_decref(job->rows);
	json_decref(job->evictions);
	json_decref(job->missing);
	output_free(job->table);
	return err;
}

/* The first word chooses. */
enum err command_real(struct command *cmd, struct diag *diag)
{
	struct job job = { .cmd = cmd, .watch = { .stop = stop } };

	for (size_t i = 0; i < sizeof(subs) / sizeof(subs[0]); i++)
		if (strcmp(subs[i].name, cmd->args->arg[0]) == 0)
			return with_set(&job, &subs[i], diag);
	return diag_fail(diag, ERR_USAGE, "real %s: choose one of list, run, check",
			 cmd->args->arg[0]);
}
