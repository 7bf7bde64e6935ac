/*
 * memcglab size: the smallest value of a parameter that meets a condition.
 *
 * Each kernel and seed is a search of its own by bisection.  All searches
 * that still ask do so at once, a run each in a pool of processes, and then
 * again with what was answered.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bisect.h"
#include "command.h"
#include "lab_sweep.h"
#include "meets.h"
#include "point.h"
#include "progress.h"
#include "size_result.h"
#include "totals.h"

struct sizer {
	struct command *cmd;
	struct lab_sweep points; /* without axes: kernels and seeds */
	struct size_result result;
	struct db_meets *meets;
	size_t *batch; /* searches that ask now */
	size_t nr_batch, nr_runs;
	struct progress progress;
	size_t search; /* whose run is read */
	bool answered, yes;
	struct diag *diag;
};

/* ---- what is looked for ---- */

/* A size in whole pages, anything else in ones. */
static enum err param_find(struct sizer *sizer, struct script_param *out, int64_t *step,
			   struct diag *diag)
{
	const char *name = sizer->cmd->args->sized;
	const struct script *script = sizer->points.script;
	struct values values;
	enum err err;

	for (size_t i = 0; i < script_param_count(script); i++) {
		script_param(script, i, out);
		if (strcmp(out->name, name) != 0)
			continue;
		*step = strcmp(out->type, "size") == 0 ? (int64_t)PAGE_BYTES : 1;
		err = values_read(script, name, out->value, &values, diag);
		if (err == ERR_OK && !values.numeric)
			err = diag_fail(diag, ERR_USAGE, "%s: no number, but of type %s", name,
					out->type);
		values_fini(&values);
		return err;
	}
	return values_read(script, name, "", &values, diag); /* says that there is none */
}

/* An end of the range: given, or declared. */
static enum err end_find(struct sizer *sizer, const char *given, const char *declared,
			 const char *option, int64_t *out)
{
	const char *name = sizer->cmd->args->sized, *text = given != NULL ? given : declared;
	struct values values;
	enum err err;

	if (text[0] == '\0')
		return diag_fail(sizer->diag, ERR_USAGE,
				 "%s: no such end of its range is declared, give --%s", name,
				 option);
	err = values_read(sizer->points.script, name, text, &values, sizer->diag);
	if (err == ERR_OK && values.nr != 1)
		err = diag_fail(sizer->diag, ERR_USAGE, "--%s: one value", option);
	if (err == ERR_OK)
		*out = values.one[0].number;
	values_fini(&values);
	return err;
}

static enum err range_find(struct sizer *sizer, struct diag *diag)
{
	const struct args *args = sizer->cmd->args;
	struct size_result *result = &sizer->result;
	struct script_param param = { 0 };
	enum err err = param_find(sizer, &param, &result->step, diag);

	for (size_t i = 0; i < args->nr_params && err == ERR_OK; i++)
		if (strcmp(args->param[i].name, args->sized) == 0)
			err = diag_fail(diag, ERR_USAGE, "%s is given by -p and looked for as well",
					args->sized);
	if (err == ERR_OK)
		err = end_find(sizer, args->from, param.min, "from", &result->low);
	if (err == ERR_OK)
		err = end_find(sizer, args->to, param.max, "to", &result->high);
	if (err == ERR_OK && result->low >= result->high)
		err = diag_fail(diag, ERR_USAGE, "--from must be below --to");
	return err;
}

/* ---- the condition ---- */

static void row_make(const struct sizer *sizer, size_t side, uint64_t seed, struct db_run *out)
{
	const struct era *era = &sizer->points.era[side];

	*out = (struct db_run){ .seed = seed };
	snprintf(out->scenario, sizeof(out->scenario), "%s", script_name(sizer->points.script));
	snprintf(out->kernel, sizeof(out->kernel), "%s", era->name);
	snprintf(out->alias, sizeof(out->alias), "%s", era->alias);
	snprintf(out->version, sizeof(out->version), "%s", lab_version());
}

static void name_put(struct db_metric *metric, const char *name, const char *unit)
{
	*metric = (struct db_metric){ .missing = true };
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	snprintf(metric->unit, sizeof(metric->unit), "%s", unit);
}

/* Read before anything runs, with the names of the metrics that runs will have. */
static enum err condition_read(struct sizer *sizer, struct diag *diag)
{
	const struct script *script = sizer->points.script;
	size_t totals = run_totals_count(), own = script_metric_decl_count(script);
	struct db_metric *metric = calloc(totals + own, sizeof(*metric));
	struct script_metric decl;
	struct db_facts facts = { .metric = metric, .nr = totals + own };
	struct db_run row;
	enum err err;

	if (metric == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for a condition");
	for (size_t i = 0; i < totals; i++)
		name_put(&metric[i], run_totals_at(i)->name, run_totals_at(i)->unit);
	for (size_t i = 0; i < own; i++) {
		script_metric_decl(script, i, &decl);
		name_put(&metric[totals + i], decl.name, decl.unit);
	}
	row_make(sizer, 0, 0, &row);
	facts.row = &row;
	err = db_meets_open(sizer->cmd->args->until, &facts, &sizer->meets, diag);
	free(metric);
	return err;
}

/* ---- runs ---- */

static void size_work(void *ctx, size_t item, const struct child *child, struct diag *diag)
{
	struct sizer *sizer = ctx;
	const struct lab_sweep *points = &sizer->points;
	size_t search = sizer->batch[item];
	char text[VALUES_TEXT_MAX];
	struct lab_request request;
	int64_t value = 0;

	bisect_next(&sizer->result.search[search], &value);
	lab_sweep_request(&sizer->points, search % points->nr_seeds, &request);
	points->param[request.nr_params++] =
		(struct lab_param){ sizer->cmd->args->sized,
				    values_text(points->script, sizer->cmd->args->sized, value,
						text) };
	request.kernels = points->era[search / points->nr_seeds].name;
	point_work(sizer->cmd->lab, &request, child, diag);
}

static void run_take(void *ctx, const struct point_run *run)
{
	struct sizer *sizer = ctx;
	struct db_facts facts = { .metric = run->metric, .nr = run->nr_metrics };
	struct db_run row;

	row_make(sizer, sizer->search / sizer->points.nr_seeds, run->seed, &row);
	facts.row = &row;
	sizer->answered = db_meets(sizer->meets, &facts, &sizer->yes, sizer->diag) == ERR_OK;
}

/* A run without an answer ends it all: what is left would be looked for in the dark. */
static enum err size_ended(void *ctx, size_t item, const struct pool_result *result,
			   struct diag *diag)
{
	struct sizer *sizer = ctx;
	const char *name = sizer->cmd->args->sized;
	char text[VALUES_TEXT_MAX];
	int64_t value = 0;

	sizer->search = sizer->batch[item];
	sizer->answered = false;
	point_read(result, run_take, sizer);
	point_bury(sizer->cmd->lab, result);
	if (result->end->newest != 0 && sizer->cmd->child != NULL)
		child_running(sizer->cmd->child, result->end->newest);
	if (result->diag->err == ERR_INTERRUPTED)
		return ERR_OK;
	bisect_next(&sizer->result.search[sizer->search], &value);
	if (result->diag->err != ERR_OK)
		return diag_fail(diag, result->diag->err, "%s = %s: %.500s", name,
				 values_text(sizer->points.script, name, value, text),
				 result->diag->text);
	if (!sizer->answered)
		return diag->err != ERR_OK
			       ? diag->err
			       : diag_fail(diag, ERR_NOMEM, "a run told nothing of itself");
	sizer->nr_runs++;
	bisect_answer(&sizer->result.search[sizer->search], sizer->yes);
	return ERR_OK;
}

static void draw(void *ctx)
{
	struct sizer *sizer = ctx;
	size_t left = 0;

	for (size_t i = 0; i < sizer->result.nr; i++)
		left += bisect_left(&sizer->result.search[i]);
	progress_draw(&sizer->progress, sizer->nr_runs, sizer->nr_runs + left);
}

static enum err search_all(struct sizer *sizer, struct diag *diag)
{
	struct pool pool = {
		.workers = sizer->cmd->args->jobs,
		.limit_ns = sizer->cmd->args->time_limit_ns,
		.ctx = sizer,
		.work = size_work,
		.ended = size_ended,
		.tick = draw,
	};
	enum err err = ERR_OK;
	int64_t value;

	progress_begin(&sizer->progress, sizer->cmd->progress ? sizer->cmd->notes : NULL, "runs");
	do {
		sizer->nr_batch = 0;
		for (size_t i = 0; i < sizer->result.nr; i++)
			if (bisect_next(&sizer->result.search[i], &value))
				sizer->batch[sizer->nr_batch++] = i;
		err = pool_run(&pool, sizer->nr_batch, diag);
	} while (err == ERR_OK && sizer->nr_batch > 0);
	progress_end(&sizer->progress);
	return err;
}

/* ---- the whole ---- */

static enum err size_open(struct sizer *sizer, struct diag *diag)
{
	const struct args *args = sizer->cmd->args;
	const struct lab_axes none = { .nr = 0 };
	struct lab_request request = command_asked(args);
	struct db *db;
	enum err err;

	if (request.tag == NULL)
		request.tag = "size";
	err = lab_sweep_open(sizer->cmd->lab, &request, &none, &sizer->points, diag);
	if (err == ERR_OK)
		err = range_find(sizer, diag);
	if (err == ERR_OK)
		err = condition_read(sizer, diag);
	if (err == ERR_OK)
		err = size_result_init(&sizer->result, &sizer->points, args->sized, diag);
	if (err != ERR_OK)
		return err;
	sizer->batch = calloc(sizer->result.nr, sizeof(*sizer->batch));
	if (sizer->batch == NULL)
		return diag_fail(diag, ERR_NOMEM, "no memory for the runs");
	if (!args->no_db)
		err = lab_db(sizer->cmd->lab, DB_WRITE, &db, diag);
	lab_db_close(sizer->cmd->lab);
	return err;
}

static enum err check(const struct args *args, struct diag *diag)
{
	if (args->sized == NULL)
		return diag_fail(diag, ERR_USAGE, "size needs --param NAME");
	if (args->until == NULL)
		return diag_fail(diag, ERR_USAGE, "size needs --until EXPR");
	if (args->repeat < 1 || args->repeat > 1000)
		return diag_fail(diag, ERR_USAGE, "--repeat: from 1 to 1000");
	if (args->jobs < 1 || args->jobs > POOL_WORKERS_MAX)
		return diag_fail(diag, ERR_USAGE, "--jobs: from 1 to %d", POOL_WORKERS_MAX);
	return ERR_OK;
}

enum err command_size(struct command *cmd, struct diag *diag)
{
	struct sizer sizer = { .cmd = cmd, .diag = diag };
	enum err err = check(cmd->args, diag);

	if (err == ERR_OK)
		err = size_open(&sizer, diag);
	if (err == ERR_OK)
		err = search_all(&sizer, diag);
	if (err == ERR_INTERRUPTED)
		diag_fail(diag, err, "interrupted after %zu runs", sizer.nr_runs);
	if (err == ERR_OK)
		err = size_result_write(&sizer.result, &cmd->style, cmd->out, diag);
	db_meets_close(sizer.meets);
	size_result_fini(&sizer.result);
	lab_sweep_close(&sizer.points);
	free(sizer.batch);
	return err;
}
