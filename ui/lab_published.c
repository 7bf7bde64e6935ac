/*
 * From published rows to figures of the model.  Rows that share a run are
 * read of one run of it; a figure is a metric of the run, or one of its
 * latest shrink calls, counted from the first call of a limit hit.
 */
#include "lab_published.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS_MAX = 8, PARAM_TEXT_MAX = 256 };

/* What all steps of a check need. */
struct check {
	struct lab *lab;
	struct published_result *result;
	size_t nr;
	bool full;
};

/* ---- which rows ---- */

/* A table by its name, or the rows of a scenario by its. */
static bool wanted(const struct published_table *table, const struct published_row *row,
		   const char *name)
{
	if (name == NULL || strcmp(table->name, name) == 0)
		return true;
	return row->run != NULL && strcmp(row->run->scenario, name) == 0;
}

/* In the order of the tables; a NULL @out only counts. */
static size_t select_rows(const struct published_set *set, const char *name,
			  struct published_result *out)
{
	size_t n = 0;

	for (size_t t = 0; t < set->nr; t++) {
		for (size_t r = 0; r < set->table[t].nr; r++) {
			const struct published_row *row = &set->table[t].row[r];

			if (!wanted(&set->table[t], row, name))
				continue;
			if (out != NULL)
				out[n] = (struct published_result){ .table = &set->table[t],
								    .row = row,
								    .size = "-" };
			n++;
		}
	}
	return n;
}

/* ---- figures of a run ---- */

/* "call 3 size" and "call 3 asked": counted from the first call of the earliest whole hit. */
static bool read_call(const struct lab_outcome *outcome, const char *metric, double *value)
{
	char what[16];
	size_t nr, at = 0;

	if (sscanf(metric, "call %zu %15s", &nr, what) != 2 || nr == 0)
		return false;
	while (at < outcome->nr_calls && !outcome->call[at].first)
		at++;
	at += nr - 1;
	if (at >= outcome->nr_calls)
		return false;
	*value = (double)(strcmp(what, "size") == 0 ? outcome->call[at].size
						    : outcome->call[at].nr_to_scan);
	return true;
}

/* A metric without a value is no figure: the row keeps its dash, and fails if it must not. */
static bool read_metric(const struct lab_outcome *outcome, const char *name, double *value)
{
	for (size_t i = 0; i < outcome->nr_metrics; i++) {
		const struct db_metric *metric = &outcome->metric[i];

		if (strcmp(metric->name, name) != 0)
			continue;
		*value = metric->is_real ? metric->real : (double)metric->integer;
		return !metric->missing && !metric->is_text;
	}
	return read_call(outcome, name, value);
}

static const struct published_row *row_at(const struct check *check, size_t i)
{
	assert(i < check->nr && check->result[i].row != NULL);
	return check->result[i].row;
}

/* Every row of this run, at once. */
static void read_rows(struct check *check, const struct published_run *run,
		      const struct lab_outcome *outcome)
{
	bool reduced = !check->full && run->reduced != NULL;

	for (size_t i = 0; i < check->nr; i++) {
		struct published_result *result = &check->result[i];

		if (row_at(check, i)->run != run)
			continue;
		result->size = reduced ? run->size : "full";
		result->has_model = read_metric(outcome, result->row->metric, &result->model);
	}
}

/* ---- runs ---- */

/* "a=1 b=2" into pairs; @text is parted in place and lives as long as they do. */
static size_t params_read(char *text, struct lab_param param[PARAMS_MAX])
{
	size_t n = 0;
	char *rest = text;

	for (char *word = strtok_r(text, " ", &rest); word != NULL && n < PARAMS_MAX;
	     word = strtok_r(NULL, " ", &rest)) {
		char *equals = strchr(word, '=');

		if (equals == NULL)
			continue;
		*equals = '\0';
		param[n++] = (struct lab_param){ word, equals + 1 };
	}
	return n;
}

static enum err run_once(struct check *check, const struct published_run *run, struct diag *diag)
{
	bool reduced = !check->full && run->reduced != NULL;
	struct lab_param param[PARAMS_MAX];
	struct lab_request request = { .scenario = run->scenario,
				       .kernels = run->kernel,
				       .param = param,
				       .unstored = true };
	struct lab_outcome *outcome = NULL;
	char text[PARAM_TEXT_MAX];
	size_t nr = 0;
	enum err err;

	snprintf(text, sizeof(text), "%s", reduced ? run->reduced : run->full);
	request.nr_params = params_read(text, param);
	err = lab_run(check->lab, &request, &outcome, &nr, diag);
	if (err == ERR_OK)
		read_rows(check, run, &outcome[0]);
	lab_outcomes_free(outcome, nr);
	return err;
}

/* Did an earlier row name the same run? */
static bool done_before(const struct check *check, size_t i, const struct published_run *run)
{
	for (size_t j = 0; j < i; j++)
		if (row_at(check, j)->run == run)
			return true;
	return false;
}

enum err lab_published(struct lab *lab, const struct lab_published_ask *ask,
		       struct published_result **out, size_t *nr, struct diag *diag)
{
	struct check check = { .lab = lab, .full = ask->full };
	enum err err = ERR_OK;

	*out = NULL;
	*nr = 0;
	check.nr = select_rows(ask->set, ask->name, NULL);
	/* The nearest name is the refusal's. */
	if (check.nr == 0 && published_find(ask->name, diag) == NULL)
		return ERR_USAGE;
	check.result = calloc(check.nr + 1, sizeof(*check.result));
	if (check.result == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the published rows");
	select_rows(ask->set, ask->name, check.result);
	for (size_t i = 0; i < check.nr && err == ERR_OK; i++) {
		const struct published_run *run = row_at(&check, i)->run;

		if (run != NULL && !done_before(&check, i, run))
			err = run_once(&check, run, diag);
	}
	published_judge(check.result, check.nr);
	*out = check.result;
	*nr = check.nr;
	return err;
}

/* ---- fitted parameters ---- */

struct fits {
	struct lab *lab;
	const struct published_set *set;
	struct diag *diag;
	uint64_t seen; /* bit of each fit whose parameter was met */
};

/* A default as a number, whatever it is written in. */
static bool param_number(const struct script_param *param, double *value)
{
	enum unit_kind kind = strcmp(param->type, "size") == 0   ? UNIT_SIZE
			      : strcmp(param->type, "time") == 0 ? UNIT_TIME
								 : UNIT_COUNT;
	uint64_t number;

	if (!units_parse(kind, param->def, &number))
		return false;
	*value = (double)number;
	return true;
}

/* Scenarios of other sources have constants of their own; these tables own up to theirs only. */
static bool is_read(const struct published_set *set, const char *scenario)
{
	for (size_t t = 0; t < set->nr; t++)
		for (size_t r = 0; r < set->table[t].nr; r++)
			if (set->table[t].row[r].run != NULL &&
			    strcmp(set->table[t].row[r].run->scenario, scenario) == 0)
				return true;
	return false;
}

static bool is_fit_of(const struct published_fit *fit, const char *scenario,
		      const struct script_param *param)
{
	return fit->scenario != NULL && strcmp(fit->scenario, scenario) == 0 &&
	       strcmp(fit->constant, param->name) == 0;
}

/* A parameter and one of the rows that it was fitted to. */
static enum err check_fit(struct fits *fits, const struct published_fit *fit, const char *scenario,
			  const struct script_param *param)
{
	double value;

	if (strcmp(param->label, "calibrated") != 0)
		return diag_fail(fits->diag, ERR_EXPECT,
				 "%s of %s was fitted to %s %s %s and is not labelled calibrated",
				 param->name, scenario, fit->table, fit->row, fit->side);
	if (!param_number(param, &value) || value != fit->value)
		return diag_fail(fits->diag, ERR_EXPECT,
				 "%s of %s is %s, but %.15g was fitted to %s %s %s", param->name,
				 scenario, param->def, fit->value, fit->table, fit->row, fit->side);
	return ERR_OK;
}

/* Labelled by the scenario, named by the set, and the same value: all three or none. */
static enum err check_param(struct fits *fits, const char *scenario,
			    const struct script_param *param)
{
	enum err err = ERR_OK;
	bool named = false;

	for (size_t i = 0; i < fits->set->nr_fits && err == ERR_OK; i++) {
		if (!is_fit_of(&fits->set->fit[i], scenario, param))
			continue;
		named = true;
		fits->seen |= (uint64_t)1 << i;
		err = check_fit(fits, &fits->set->fit[i], scenario, param);
	}
	if (err == ERR_OK && strcmp(param->label, "calibrated") == 0 && !named)
		err = diag_fail(fits->diag, ERR_EXPECT,
				"%s of %s is calibrated, and no row lists it", param->name,
				scenario);
	return err;
}

/* Every parameter of one shipped scenario. */
static enum err check_scenario(void *ctx, const struct lab_scenario *scenario)
{
	struct fits *fits = ctx;
	struct script *script = NULL;
	enum err err;

	if (!is_read(fits->set, scenario->name))
		return ERR_OK;
	err = lab_script(fits->lab, scenario, &script, fits->diag);

	for (size_t i = 0; err == ERR_OK && i < script_param_count(script); i++) {
		struct script_param param;

		script_param(script, i, &param);
		err = check_param(fits, scenario->name, &param);
	}
	script_free(script);
	return err;
}

enum err lab_published_fits(struct lab *lab, const struct published_set *set, struct diag *diag)
{
	struct fits fits = { lab, set, diag, 0 };
	enum err err = published_fits(set, diag);

	if (err == ERR_OK)
		err = lab_scenarios(lab, check_scenario, &fits, diag);
	for (size_t i = 0; i < set->nr_fits && err == ERR_OK; i++)
		if (set->fit[i].scenario != NULL && (fits.seen >> i & 1) == 0)
			err = diag_fail(diag, ERR_EXPECT,
					"%s was fitted, and %s has no such "
					"parameter",
					set->fit[i].constant, set->fit[i].scenario);
	return err;
}
