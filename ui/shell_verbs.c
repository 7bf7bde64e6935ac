/*
 * Lines of the shell that are no commands of the program, in the form of
 * commands, so that they too work in a child: SQL that changes the store,
 * and Lua that looks at a run.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "eval.h"
#include "query.h"
#include "result.h"
#include "shell_state.h"

/* Only reached when .write is on. */
static enum err command_change(struct command *cmd, struct diag *diag)
{
	uint64_t nr_rows;
	struct db *db;
	enum err err = lab_db(cmd->lab, DB_WRITE, &db, diag);

	if (err == ERR_OK)
		err = db_change(db, cmd->args->arg[0], &nr_rows, diag);
	if (err == ERR_OK)
		fprintf(cmd->out, "%llu row%s changed\n", (unsigned long long)nr_rows,
			nr_rows == 1 ? "" : "s");
	return err;
}

/* ---- Lua ---- */

enum { OWN_FIELDS = 10 };

static void own_text(struct eval_field *field, const char *name, const char *text)
{
	*field = (struct eval_field){ .name = name, .type = EVAL_TEXT, .text = text };
}

static void own_integer(struct eval_field *field, const char *name, int64_t value)
{
	*field = (struct eval_field){ .name = name, .type = EVAL_INTEGER, .integer = value };
}

/* The columns of v_runs that a question may be about. */
static size_t own_fields(const struct db_run *run, struct eval_field out[OWN_FIELDS])
{
	size_t n = 0;

	own_integer(&out[n++], "id", run->id);
	own_text(&out[n++], "uuid", run->uuid);
	own_text(&out[n++], "scenario", run->scenario);
	own_text(&out[n++], "kernel", run->kernel);
	own_text(&out[n++], "alias", run->alias);
	own_integer(&out[n++], "seed", (int64_t)run->seed);
	own_text(&out[n++], "state", run_state_name(run->state));
	own_text(&out[n++], "created", run->created);
	own_integer(&out[n++], "steps", (int64_t)run->steps);
	own_text(&out[n++], "tag", run->tag);
	return n;
}

/* A metric without a value has no field: Lua says that there is none of the name. */
static size_t metric_fields(const struct lab_outcome *outcome, struct eval_field *out)
{
	size_t n = 0;

	for (size_t i = 0; i < outcome->nr_metrics; i++) {
		const struct db_metric *metric = &outcome->metric[i];

		if (metric->missing)
			continue;
		out[n++] = (struct eval_field){
			.table = "metrics",
			.name = metric->name,
			.type = metric->is_text ? EVAL_TEXT :
				metric->is_real ? EVAL_REAL :
						  EVAL_INTEGER,
			.integer = metric->integer,
			.real = metric->real,
			.text = metric->text,
		};
	}
	return n;
}

/* Whatever is no number is shown as it was given. */
static size_t param_fields(json_t *params, struct eval_field *out)
{
	const char *name;
	json_t *value;
	size_t n = 0;

	json_object_foreach(params, name, value) {
		out[n] = (struct eval_field){ .table = "params", .name = name };
		out[n].type = json_is_integer(value) ? EVAL_INTEGER :
			      json_is_real(value)    ? EVAL_REAL :
						       EVAL_TEXT;
		out[n].integer = json_integer_value(value);
		out[n].real = json_real_value(value);
		out[n].text = json_is_string(value) ? json_string_value(value) : "";
		if (json_is_boolean(value))
			out[n].text = json_is_true(value) ? "true" : "false";
		n++;
	}
	return n;
}

static void print_line(void *ctx, const char *text)
{
	fprintf(ctx, "%s\n", text);
}

static enum err evaluate(struct command *cmd, struct eval *eval, struct diag *diag)
{
	const struct script_limits limits = { .instructions = cmd->args->instr_limit,
					      .memory = cmd->args->mem_limit };
	const struct script_log log = { cmd->out, print_line };

	eval->text = shell_lua(cmd->args->arg[0], &eval->chunk);
	return eval_print(eval, &limits, &log, diag);
}

/* With the current run, whose id is the second word. */
static enum err evaluate_run(struct command *cmd, struct lab_outcome *outcome, struct diag *diag)
{
	json_t *params = outcome->run.params != NULL ? json_loads(outcome->run.params, 0, NULL)
						     : NULL;
	size_t max = OWN_FIELDS + outcome->nr_metrics + json_object_size(params);
	struct eval_field *field = calloc(max, sizeof(*field));
	struct eval eval = { .field = field };
	enum err err;

	if (field == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the run");
	eval.nr_fields = own_fields(&outcome->run, field);
	eval.nr_fields += metric_fields(outcome, field + eval.nr_fields);
	eval.nr_fields += param_fields(params, field + eval.nr_fields);
	err = evaluate(cmd, &eval, diag);
	json_decref(params);
	free(field);
	return err;
}

/* Without a run there is still arithmetic. */
static enum err command_lua(struct command *cmd, struct diag *diag)
{
	struct lab_outcome *outcome;
	struct eval eval = { 0 };
	enum err err;

	if (cmd->args->nr_args < 2)
		return evaluate(cmd, &eval, diag);
	err = result_find(cmd->lab, cmd->args->arg[1], false, &outcome, diag);
	if (err != ERR_OK)
		return err;
	err = evaluate_run(cmd, outcome, diag);
	lab_outcomes_free(outcome, 1);
	return err;
}

const struct verb shell_verb_change = { .name = "sql", .max_args = 1, .run = command_change };
const struct verb shell_verb_lua = { .name = "lua", .max_args = 2, .run = command_lua };
