/*
 * memcglab published: the tables of the posts.  list names them, show
 * prints one as it was published and judges its pairs of means, check holds
 * the model against every figure and says how honest each agreement is.
 *
 * What has no figure of the model gets a dash, never a 0.
 */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "lab_published.h"
#include "output.h"
#include "published_notes.h"
#include "result.h"

enum { NUMBER_MAX = 32, LIST_COLUMNS = 6, SHOW_COLUMNS = 10, CHECK_COLUMNS = 12 };

/* JSON is one document of a promised shape, the table has words around it. */
static bool is_format(const struct command *cmd, const char *format)
{
	return strcmp(cmd->args->format, format) == 0;
}

/* A figure of the model, for people: more digits would say more than the model knows. */
static const char *brief(double value, char out[NUMBER_MAX])
{
	snprintf(out, NUMBER_MAX, "%.8g", value);
	return out;
}

/* All digits that the post printed, and no more. */
static const char *number(double value, char out[NUMBER_MAX])
{
	snprintf(out, NUMBER_MAX, "%.12g", value);
	return out;
}

/* ---- list ---- */

/* How many rows of a table have a figure of the model. */
static size_t modelled(const struct published_table *table)
{
	size_t n = 0;

	for (size_t i = 0; i < table->nr; i++)
		n += table->row[i].run != NULL;
	return n;
}

static enum err list_row(struct output *out, const struct published_table *table, struct diag *diag)
{
	static const int types[LIST_COLUMNS] = { OUTPUT_TEXT,    OUTPUT_TEXT, OUTPUT_INTEGER,
						 OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_TEXT };
	char rows[NUMBER_MAX], has[NUMBER_MAX];
	const char *values[LIST_COLUMNS] = {
		table->name, table->date, rows, has, table->title, table->source,
	};

	snprintf(rows, sizeof(rows), "%zu", table->nr);
	snprintf(has, sizeof(has), "%zu", modelled(table));
	return output_row(out, LIST_COLUMNS, values, types, diag);
}

static enum err published_list(struct command *cmd, struct diag *diag)
{
	static const char *const names[LIST_COLUMNS] = { "table",    "date",  "rows",
							 "modelled", "title", "source" };
	const struct published_set *set = published_all();
	struct output *out;
	enum err err;

	if (cmd->args->nr_args > 1)
		return diag_fail(diag, ERR_USAGE, "usage: memcglab published list");
	err = output_new(&cmd->style, cmd->out, &out, diag);
	if (err == ERR_OK)
		err = output_head(out, LIST_COLUMNS, names, diag);
	for (size_t i = 0; i < set->nr && err == ERR_OK; i++)
		err = list_row(out, &set->table[i], diag);
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* ---- show ---- */

/* As published, and how the model would come to it. */
static enum err show_row(struct output *out, const struct published_row *row, struct diag *diag)
{
	char value[NUMBER_MAX], sd[NUMBER_MAX] = "", runs[NUMBER_MAX] = "";
	const char *values[SHOW_COLUMNS] = {
		row->row,
		row->side,
		row->unit,
		number(row->value, value),
		sd,
		runs,
		published_label_name(row->label),
		row->run != NULL ? row->run->scenario : "-",
		row->run != NULL ? row->run->kernel : "-",
		row->fits != NULL ? row->fits : "-",
	};
	int types[SHOW_COLUMNS] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_REAL,
				    OUTPUT_NULL, OUTPUT_NULL, OUTPUT_TEXT, OUTPUT_TEXT,
				    OUTPUT_TEXT, OUTPUT_TEXT };

	if (row->runs > 0) {
		number(row->sd, sd);
		snprintf(runs, sizeof(runs), "%u", row->runs);
		types[4] = OUTPUT_REAL;
		types[5] = OUTPUT_INTEGER;
	}
	return output_row(out, SHOW_COLUMNS, values, types, diag);
}

static enum err show_rows(struct command *cmd, const struct published_table *table,
			  struct diag *diag)
{
	static const char *const names[SHOW_COLUMNS] = { "row",   "side",     "unit",   "published",
							 "sd",    "runs",     "label",  "scenario",
							 "kernel", "fitted" };
	struct output *out;
	enum err err = output_new(&cmd->style, cmd->out, &out, diag);

	if (err == ERR_OK)
		err = output_head(out, SHOW_COLUMNS, names, diag);
	for (size_t i = 0; i < table->nr && err == ERR_OK; i++)
		err = show_row(out, &table->row[i], diag);
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

static enum err show_json(struct command *cmd, const struct published_table *table,
			  struct diag *diag)
{
	json_t *rows = json_array(), *pairs = json_array();

	for (size_t i = 0; i < table->nr; i++) {
		const struct published_row *row = &table->row[i];
		json_t *object = json_pack("{s:s,s:s,s:s,s:f,s:s}", "row", row->row, "side",
					   row->side, "unit", row->unit, "published", row->value,
					   "label", published_label_name(row->label));

		if (row->runs > 0) {
			json_object_set_new(object, "sd", json_real(row->sd));
			json_object_set_new(object, "runs", json_integer(row->runs));
		}
		published_notes_gap_json(object, table, row);
		json_array_append_new(rows, object);
	}
	published_notes_welch_json(table, pairs);
	return result_dump(json_pack("{s:s,s:s,s:s,s:s,s:o,s:o}", "table", table->name, "title",
				     table->title, "source", table->source, "date", table->date,
				     "rows", rows, "welch", pairs),
			   cmd->out, diag);
}

static enum err published_show(struct command *cmd, struct diag *diag)
{
	const struct published_table *table;
	enum err err;

	if (cmd->args->nr_args != 2)
		return diag_fail(diag, ERR_USAGE, "usage: memcglab published show NAME");
	table = published_find(cmd->args->arg[1], diag);
	if (table == NULL)
		return ERR_USAGE;
	if (is_format(cmd, "json"))
		return show_json(cmd, table, diag);
	if (is_format(cmd, "table"))
		fprintf(cmd->out, "%s: %s\n%s, %s\n\n", table->name, table->title, table->source,
			table->date);
	err = show_rows(cmd, table, diag);
	if (err == ERR_OK && is_format(cmd, "table")) {
		published_notes_welch(cmd->out, table);
		published_notes_gaps(cmd->out, table);
	}
	return err;
}

/* ---- check ---- */

struct check {
	struct command *cmd;
	struct published_result *result;
	size_t nr;
	struct published_counts counts;
};

/* The promised fields first; what is not modelled has null where a figure would be. */
static json_t *check_row_json(const struct published_result *result)
{
	const struct published_row *row = result->row;
	json_t *object = json_pack("{s:s,s:s,s:s,s:s,s:f}", "table", result->table->name, "row",
				   row->row, "side", row->side, "unit", row->unit, "published",
				   row->value);
	bool has = result->has_model;

	json_object_set_new(object, "model", has ? json_real(result->model) : json_null());
	json_object_set_new(object, "error", has ? json_real(result->error) : json_null());
	json_object_set_new(object, "label", json_string(published_label_name(row->label)));
	json_object_set_new(object, "tolerance", has ? json_real(row->tolerance) : json_null());
	json_object_set_new(object, "ok", has ? json_boolean(result->ok) : json_null());
	json_object_set_new(object, "verdict", json_string(published_verdict(result)));
	json_object_set_new(object, "size", json_string(result->size));
	if (row->fits != NULL)
		json_object_set_new(object, "fitted", json_string(row->fits));
	published_notes_gap_json(object, result->table, row);
	return object;
}

/* A table is of interest here if one of its rows was checked. */
static bool checked(const struct check *check, const struct published_table *table)
{
	for (size_t i = 0; i < check->nr; i++)
		if (check->result[i].table == table)
			return true;
	return false;
}

static enum err check_json(struct check *check, struct diag *diag)
{
	const struct published_set *set = published_all();
	json_t *rows = json_array(), *counts = json_object(), *pairs = json_array();
	json_t *fits = json_array();

	for (size_t i = 0; i < check->nr; i++)
		json_array_append_new(rows, check_row_json(&check->result[i]));
	for (int label = 0; label < NR_PUBLISHED_LABELS; label++)
		json_object_set_new(counts, published_label_name((enum published_label)label),
				    json_integer((json_int_t)check->counts.label[label]));
	for (size_t i = 0; i < set->nr; i++)
		if (checked(check, &set->table[i]))
			published_notes_welch_json(&set->table[i], pairs);
	for (size_t i = 0; i < set->nr_fits; i++) {
		const struct published_fit *fit = &set->fit[i];

		json_array_append_new(fits,
				      json_pack("{s:s,s:f,s:s,s:s,s:s,s:s}", "constant",
						fit->constant, "value", fit->value, "scenario",
						fit->scenario != NULL ? fit->scenario : "", "table",
						fit->table, "row", fit->row, "side", fit->side));
	}
	return result_dump(json_pack("{s:o,s:o,s:I,s:I,s:o,s:o}", "rows", rows, "counts", counts,
				     "reproduced", (json_int_t)check->counts.reproduced, "failed",
				     (json_int_t)check->counts.failed, "welch", pairs, "fitted",
				     fits),
			   check->cmd->out, diag);
}

/* Rows for programs have shares and NULLs, rows for people per cent and dashes. */
static enum err check_row(const struct check *check, struct output *out,
			  const struct published_result *result, struct diag *diag)
{
	static const int all[CHECK_COLUMNS] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT,
						OUTPUT_TEXT, OUTPUT_REAL, OUTPUT_REAL,
						OUTPUT_REAL, OUTPUT_TEXT, OUTPUT_REAL,
						OUTPUT_INTEGER, OUTPUT_TEXT, OUTPUT_TEXT };
	static const int figures[] = { 5, 6, 8, 9 }; /* columns that need one of the model */
	const struct published_row *row = result->row;
	bool people = is_format(check->cmd, "table"), has = result->has_model;
	char value[NUMBER_MAX], model[NUMBER_MAX], error[NUMBER_MAX], tolerance[NUMBER_MAX];
	const char *values[CHECK_COLUMNS] = {
		result->table->name, row->row, row->side, row->unit,
		number(row->value, value),
		people ? brief(result->model, model) : number(result->model, model),
		error,
		published_label_name(row->label), tolerance, result->ok ? "1" : "0",
		published_verdict(result), result->size,
	};
	int types[CHECK_COLUMNS];

	memcpy(types, all, sizeof(types));
	snprintf(error, sizeof(error), people ? "%+.2f%%" : "%.6g",
		 result->error * (people ? 100 : 1));
	snprintf(tolerance, sizeof(tolerance), people ? "%.2g%%" : "%.6g",
		 row->tolerance * (people ? 100 : 1));
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]) && !has; i++) {
		types[figures[i]] = people ? OUTPUT_TEXT : OUTPUT_NULL;
		values[figures[i]] = people ? "-" : "";
	}
	return output_row(out, CHECK_COLUMNS, values, types, diag);
}

static enum err check_rows(struct check *check, struct diag *diag)
{
	static const char *const names[CHECK_COLUMNS] = {
		"table", "row",   "side",      "unit", "published", "model",
		"error", "label", "tolerance", "ok",   "verdict",   "size",
	};
	struct output *out;
	enum err err = output_new(&check->cmd->style, check->cmd->out, &out, diag);

	if (err == ERR_OK)
		err = output_head(out, CHECK_COLUMNS, names, diag);
	for (size_t i = 0; i < check->nr && err == ERR_OK; i++)
		err = check_row(check, out, &check->result[i], diag);
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

/* What was fitted, to what, and how much of the rest stands on its own. */
static void check_sum(const struct check *check)
{
	const struct published_set *set = published_all();
	FILE *out = check->cmd->out;

	for (size_t i = 0; i < set->nr; i++)
		if (checked(check, &set->table[i]))
			published_notes_welch(out, &set->table[i]);
	for (size_t i = 0; i < set->nr; i++)
		if (checked(check, &set->table[i]))
			published_notes_gaps(out, &set->table[i]);
	fputs("\nfitted constants\n", out);
	for (size_t i = 0; i < set->nr_fits; i++) {
		const struct published_fit *fit = &set->fit[i];

		fprintf(out, "  %s%s%s = %.12g, to %s %s %s\n", fit->constant,
			fit->scenario != NULL ? " of " : "",
			fit->scenario != NULL ? fit->scenario : "", fit->value, fit->table,
			fit->row, fit->side);
	}
	putc('\n', out);
	for (int label = 0; label < NR_PUBLISHED_LABELS; label++)
		fprintf(out, "%s%zu %s", label > 0 ? ", " : "", check->counts.label[label],
			published_label_name((enum published_label)label));
	fprintf(out, "\n%zu of %zu derived and predicted rows are reproduced\n",
		check->counts.reproduced, check->counts.reproduced + check->counts.failed);
}

/* The store keeps the newest check of each row, unless it is not wanted. */
static enum err check_keep(struct check *check, struct diag *diag)
{
	struct db *db;
	enum err err;

	if (check->cmd->args->no_db)
		return ERR_OK;
	err = lab_db(check->cmd->lab, DB_WRITE, &db, diag);
	return err == ERR_OK ? published_store(db, check->result, check->nr, diag) : err;
}

static enum err check_write(struct check *check, struct diag *diag)
{
	enum err err;

	if (is_format(check->cmd, "json"))
		return check_json(check, diag);
	err = check_rows(check, diag);
	if (err == ERR_OK && is_format(check->cmd, "table"))
		check_sum(check);
	return err;
}

/* The result is written before anybody is told that it is bad. */
static enum err published_check(struct command *cmd, struct diag *diag)
{
	const char *name = cmd->args->nr_args > 1 ? cmd->args->arg[1] : NULL;
	const struct published_set *set = published_all();
	const struct lab_published_ask ask = { set, name, cmd->args->full };
	struct check check = { .cmd = cmd };
	struct diag fits = { .err = ERR_OK };
	enum err err = lab_published(cmd->lab, &ask, &check.result, &check.nr, diag);

	if (err == ERR_OK) {
		published_count(check.result, check.nr, &check.counts);
		err = check_keep(&check, diag);
	}
	if (err == ERR_OK)
		err = check_write(&check, diag);
	free(check.result);
	if (err == ERR_OK && lab_published_fits(cmd->lab, set, &fits) != ERR_OK)
		return diag_fail(diag, fits.err, "%s", fits.text);
	if (err == ERR_OK && check.counts.failed > 0)
		return diag_fail(diag, ERR_EXPECT,
				 "%zu derived or predicted rows are outside of their tolerance",
				 check.counts.failed);
	return err;
}

struct sub {
	const char *name;
	enum err (*run)(struct command *cmd, struct diag *diag);
	bool runs; /* scenarios, so their options mean something */
};

static const struct sub subs[] = {
	{ "list", published_list, false },
	{ "show", published_show, false },
	{ "check", published_check, true },
};

/* list and show need nothing but tables. */
enum err command_published(struct command *cmd, struct diag *diag)
{
	const struct args *args = cmd->args;

	for (size_t i = 0; i < sizeof(subs) / sizeof(subs[0]); i++) {
		if (strcmp(args->arg[0], subs[i].name) != 0)
			continue;
		if (!subs[i].runs && (args->full || args->no_db))
			return diag_fail(diag, ERR_USAGE,
					 "--%s means nothing to memcglab published %s",
					 args->full ? "full" : "no-db", args->arg[0]);
		return subs[i].run(cmd, diag);
	}
	return diag_fail(diag, ERR_USAGE, "published %s: not one of list, show, check",
			 args->arg[0]);
}
