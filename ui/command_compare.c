/*
 * memcglab compare: two sides of stored runs, for people as two tables with
 * words about them, for programs as JSON or a row a metric.
 *
 * Without --all only what differs is shown, and how much is hidden is said.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "compare_row.h"
#include "compare_text.h"
#include "output.h"
#include "result.h"

enum { NUMBER_MAX = 40, PARAM_COLUMNS = 3, METRIC_COLUMNS = 11 };

static bool is_shown(const struct command *cmd, const struct compare_metric *metric)
{
	return cmd->args->all || metric->verdict != COMPARE_EQUAL;
}

/* ---- people ---- */

/* "A #52 x10": the run that was named, and how many seeds are behind it. */
static void put_side(FILE *out, const struct compare_side *side, char letter)
{
	fprintf(out, "%c #%lld", letter, (long long)side->run.id);
	if (side->nr > 1)
		fprintf(out, " x%zu", side->nr);
}

static enum err put_params(struct command *cmd, const struct compare *compare, struct diag *diag)
{
	static const char *const names[PARAM_COLUMNS] = { "parameter", "A", "B" };
	static const int types[PARAM_COLUMNS] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT };
	struct output *table;
	enum err err;

	if (!cmd->args->all && compare->nr_params_equal == compare->nr_params)
		return ERR_OK;
	err = output_new(&cmd->style, cmd->out, &table, diag);
	if (err == ERR_OK)
		err = output_head(table, PARAM_COLUMNS, names, diag);
	for (size_t i = 0; i < compare->nr_params && err == ERR_OK; i++) {
		const struct compare_param *param = &compare->param[i];
		const char *values[PARAM_COLUMNS] = { param->name,
						      compare_text_value(compare, param, 0),
						      compare_text_value(compare, param, 1) };

		if (cmd->args->all || !param->equal)
			err = output_row(table, PARAM_COLUMNS, values, types, diag);
	}
	if (err == ERR_OK)
		err = output_end(table, diag);
	output_free(table);
	putc('\n', cmd->out);
	return err;
}

static enum err put_metric(struct output *table, const struct compare_metric *metric,
			   struct diag *diag)
{
	static const int types[METRIC_COLUMNS] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_REAL,
						   OUTPUT_REAL, OUTPUT_REAL, OUTPUT_REAL,
						   OUTPUT_REAL, OUTPUT_REAL, OUTPUT_REAL,
						   OUTPUT_REAL, OUTPUT_TEXT };
	char cell[METRIC_COLUMNS][COMPARE_TEXT_MAX];
	const char *values[METRIC_COLUMNS] = { metric->name, metric->unit };

	for (int i = 2; i < METRIC_COLUMNS; i++)
		values[i] = compare_text(metric, (enum compare_field)(i - 2), 0, cell[i]);
	return output_row(table, METRIC_COLUMNS, values, types, diag);
}

static enum err put_metrics(struct command *cmd, const struct compare *compare, struct diag *diag)
{
	static const char *const names[METRIC_COLUMNS] = { "metric", "unit", "A mean", "A sd",
							   "B mean", "B sd", "B-A",    "B/A",
							   "95% CI", "p",    "verdict" };
	struct output *table;
	enum err err = output_new(&cmd->style, cmd->out, &table, diag);

	if (err == ERR_OK)
		err = output_head(table, METRIC_COLUMNS, names, diag);
	for (size_t i = 0; i < compare->nr_metrics && err == ERR_OK; i++)
		if (is_shown(cmd, &compare->metric[i]))
			err = put_metric(table, &compare->metric[i], diag);
	if (err == ERR_OK)
		err = output_end(table, diag);
	output_free(table);
	return err;
}

/* A table without rows would say less than the word. */
static enum err write_text(struct command *cmd, const struct compare *compare, struct diag *diag)
{
	char text[COMPARE_TEXT_MAX], notes[COMPARE_NOTES_MAX];
	enum err err;

	fputs("compare ", cmd->out);
	put_side(cmd->out, &compare->side[0], 'A');
	fputs(" with ", cmd->out);
	put_side(cmd->out, &compare->side[1], 'B');
	fprintf(cmd->out, "   %s: %s\n\n", cmd->args->all ? "differences" : "differences only",
		compare_text_counts(compare, text));
	err = put_params(cmd, compare, diag);
	if (err == ERR_OK && !cmd->args->all && compare->nr_equal == compare->nr_metrics)
		fputs("no metric differs\n", cmd->out);
	else if (err == ERR_OK)
		err = put_metrics(cmd, compare, diag);
	if (err != ERR_OK)
		return err;
	fprintf(cmd->out, "\n%s", compare_text_notes(compare, cmd->args->all, notes));
	return output_check(cmd->out, diag);
}

/* ---- programs ---- */

/* @text holds numbers as they are written. */
static const char *cell_text(const struct compare_cell *cell, char text[NUMBER_MAX])
{
	switch (cell->type) {
	case OUTPUT_INTEGER:
		snprintf(text, NUMBER_MAX, "%lld", (long long)cell->integer);
		return text;
	case OUTPUT_REAL:
		snprintf(text, NUMBER_MAX, "%.15g", cell->real);
		return text;
	default:
		return cell->text;
	}
}

static enum err write_row(struct output *out, const struct compare *compare, size_t i,
			  struct diag *diag)
{
	char text[NR_COMPARE_COLUMNS][NUMBER_MAX];
	const char *values[NR_COMPARE_COLUMNS];
	int types[NR_COMPARE_COLUMNS];

	for (int c = 0; c < NR_COMPARE_COLUMNS; c++) {
		struct compare_cell cell = compare_cell(compare, i, (enum compare_column)c);

		types[c] = cell.type;
		values[c] = cell_text(&cell, text[c]);
	}
	return output_row(out, NR_COMPARE_COLUMNS, values, types, diag);
}

static enum err write_rows(struct command *cmd, const struct compare *compare, struct diag *diag)
{
	const char *names[NR_COMPARE_COLUMNS];
	struct output *out;
	enum err err = output_new(&cmd->style, cmd->out, &out, diag);

	for (int c = 0; c < NR_COMPARE_COLUMNS; c++)
		names[c] = compare_column_name((enum compare_column)c);
	if (err == ERR_OK)
		err = output_head(out, NR_COMPARE_COLUMNS, names, diag);
	for (size_t i = 0; i < compare->nr_metrics && err == ERR_OK; i++)
		if (is_shown(cmd, &compare->metric[i]))
			err = write_row(out, compare, i, diag);
	if (err == ERR_OK)
		err = output_end(out, diag);
	output_free(out);
	return err;
}

static json_t *side_json(const struct compare_side *side)
{
	json_t *runs = json_array(), *seeds = json_array();
	char model[2 * DB_WORD_MAX];

	for (size_t i = 0; i < side->nr; i++) {
		json_array_append_new(runs, json_integer(side->id[i]));
		json_array_append_new(seeds, json_integer((json_int_t)side->seed[i]));
	}
	compare_model(side, model);
	return json_pack("{s:I,s:s,s:s,s:s,s:s,s:o,s:o}", "run", (json_int_t)side->run.id,
			 "scenario", side->run.scenario, "kernel", side->run.kernel, "alias",
			 side->run.alias, "model", model, "runs", runs, "seeds", seeds);
}

/* The members are the columns of a row, but for the runs, which are told once. */
static json_t *metric_json(const struct compare *compare, size_t i)
{
	json_t *object = compare_row_json(compare, i);

	json_object_del(object, compare_column_name(COMPARE_A));
	json_object_del(object, compare_column_name(COMPARE_B));
	return object;
}

static enum err write_json(struct command *cmd, const struct compare *compare, struct diag *diag)
{
	json_t *params = json_array(), *metrics = json_array(), *hidden;
	bool all = cmd->args->all;

	for (size_t i = 0; i < compare->nr_params; i++)
		if (all || !compare->param[i].equal)
			json_array_append_new(params, json_pack("{s:s,s:s,s:s}", "name",
								compare->param[i].name, "a",
								compare->param[i].value[0], "b",
								compare->param[i].value[1]));
	for (size_t i = 0; i < compare->nr_metrics; i++)
		if (is_shown(cmd, &compare->metric[i]))
			json_array_append_new(metrics, metric_json(compare, i));
	hidden = json_pack("{s:I,s:I}", "parameters",
			   (json_int_t)(all ? 0 : compare->nr_params_equal), "metrics",
			   (json_int_t)(all ? 0 : compare->nr_equal));
	return result_dump(
		json_pack("{s:o,s:o,s:b,s:f,s:I,s:o,s:o,s:o,s:I,s:I}", "a",
			  side_json(&compare->side[0]), "b", side_json(&compare->side[1]),
			  "comparable", (int)compare->comparable, "alpha", compare->alpha, "tests",
			  (json_int_t)compare->nr_tests, "parameters", params, "metrics", metrics,
			  "hidden", hidden, "same_seeds", (json_int_t)compare->nr_same_seeds,
			  "same_states", (json_int_t)compare->nr_same_states),
		cmd->out, diag);
}

/* ---- the verb ---- */

static const struct writer {
	const char *format;
	enum err (*write)(struct command *cmd, const struct compare *compare, struct diag *diag);
} writers[] = {
	{ "table", write_text },
	{ "box", write_text },
	{ "markdown", write_text },
	{ "json", write_json },
};

static enum err write_any(struct command *cmd, const struct compare *compare, struct diag *diag)
{
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (strcmp(writers[i].format, cmd->args->format) == 0)
			return writers[i].write(cmd, compare, diag);
	return write_rows(cmd, compare, diag);
}

/* A share above 0 and below 1. */
static enum err read_alpha(const char *text, double *out, struct diag *diag)
{
	char *end;

	*out = COMPARE_ALPHA;
	if (text == NULL)
		return ERR_OK;
	*out = strtod(text, &end);
	if (end == text || *end != '\0' || !(*out > 0 && *out < 1))
		return diag_fail(diag, ERR_USAGE,
				 "--alpha: \"%s\" is no share above 0 and below 1 (write 0.05)",
				 text);
	return ERR_OK;
}

/* What the status says beyond "done": sides that cannot be compared, or that differ. */
static enum err conclude(const struct command *cmd, const struct compare *compare,
			 struct diag *diag)
{
	char model[2][2 * DB_WORD_MAX];
	size_t nr = 0;

	for (size_t i = 0; i < compare->nr_metrics; i++)
		nr += compare_verdict_says(compare->metric[i].verdict);
	compare_model(&compare->side[0], model[0]);
	compare_model(&compare->side[1], model[1]);
	if (!compare->comparable)
		return diag_fail(diag, ERR_SCENARIO,
				 "compare: A was made by %s and B by %s: a difference may be the "
				 "program's; run one of them again",
				 model[0], model[1]);
	if (cmd->args->exit_code && nr > 0)
		return diag_fail(diag, ERR_EXPECT, "compare: %zu metric%s", nr,
				 nr == 1 ? " differs" : "s differ");
	return ERR_OK;
}

enum err command_compare(struct command *cmd, struct diag *diag)
{
	const char *const ref[2] = { cmd->args->arg[0], cmd->args->arg[1] };
	struct compare_options options = { .metric = cmd->args->metric };
	struct compare *compare = NULL;
	struct db *db;
	enum err err = read_alpha(cmd->args->alpha, &options.alpha, diag);

	if (err == ERR_OK && cmd->args->all && cmd->args->diff_only)
		err = diag_fail(diag, ERR_USAGE, "--all and --diff-only exclude each other");
	if (err == ERR_OK)
		err = lab_db(cmd->lab, DB_READ, &db, diag);
	if (err == ERR_OK)
		err = compare_open(db, ref, &options, &compare, diag);
	if (err == ERR_OK)
		err = write_any(cmd, compare, diag);
	if (err == ERR_OK)
		err = conclude(cmd, compare, diag);
	compare_free(compare);
	return err;
}
